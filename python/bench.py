"""How fast poses come out: `clip.sample` against the library's own call, and against pandas reading what
the command line prints.

    python bench.py [RECORDING]

All are measured in turn, several times, in one run; the least time of each counts.
"""

from __future__ import annotations

import io
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import mutoscope as mu
import numpy as np
import pandas
from mutoscope import _native

HANDS = Path(__file__).resolve().parents[1] / "assets/mrtk/two-hands.bin"
TIMES = 10_000
ROUNDS = 7


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def printed(path: Path, times: np.ndarray) -> bytes:
    """The same poses from the command line."""
    command = [sys.executable, "-m", "mutoscope", "sample", "--format=csv"]
    first, last = times[[0, -1]].tolist()
    rate = (len(times) - 1) / (last - first)
    command += [f"--fps={rate!r}", f"--range={first!r}..{last!r}", str(path)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else HANDS
    clip = mu.open(path)
    times = np.linspace(clip.start, clip.end, TIMES)
    table = printed(path, times)
    columns = [f"world_{part}" for part in ("x", "y", "z", "qx", "qy", "qz", "qw")]

    def from_table() -> None:
        frame = pandas.read_csv(io.BytesIO(table), usecols=["time", "node", "shown", *columns])
        frame[columns].to_numpy().reshape(-1, len(clip.nodes), len(columns))

    rust = [_native._seconds_of_rust(clip, times) for _ in range(ROUNDS)]
    array, csv = [], []
    for _ in range(ROUNDS):
        array.append(seconds(lambda: clip.sample(times)))
        rust.append(_native._seconds_of_rust(clip, times))
        csv.append(seconds(from_table))
    ours, theirs, pandas_s = min(array), min(rust), min(csv)
    print(f"{TIMES} times of {len(clip.nodes)} nodes; the table has {len(table) / 1e6:.0f} MB")
    print(f"clip.sample:       {ours * 1e3:8.1f} ms")
    print(f"the Rust call:     {theirs * 1e3:8.1f} ms, {ours / theirs:.2f} times as long")
    print(f"pandas.read_csv:   {pandas_s * 1e3:8.1f} ms, {pandas_s / ours:.0f} times as long")


if __name__ == "__main__":
    main()

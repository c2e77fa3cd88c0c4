"""Compares the speed of `clip.sample` with the Rust call below it, and with pandas reading the CSV table
of the command line.

    python bench.py [RECORDING]

Measures all of them in turn, several times in one run, and prints the shortest time of each.
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
TIME_COUNT = 10_000
ROUNDS = 7


def measure_seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def sample_with_command_line(path: Path, times: np.ndarray) -> bytes:
    """Returns the same poses as CSV from the command line."""
    command = [sys.executable, "-m", "mutoscope", "sample", "--format=csv"]
    first, last = times[[0, -1]].tolist()
    rate = (len(times) - 1) / (last - first)
    command += [f"--fps={rate!r}", f"--range={first!r}..{last!r}", str(path)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else HANDS
    clip = mu.open(path)
    times = np.linspace(clip.start, clip.end, TIME_COUNT)
    table = sample_with_command_line(path, times)
    columns = [f"world_{part}" for part in ("x", "y", "z", "qx", "qy", "qz", "qw")]

    def read_table() -> None:
        frame = pandas.read_csv(io.BytesIO(table), usecols=["time", "node", "shown", *columns])
        frame[columns].to_numpy().reshape(-1, len(clip.nodes), len(columns))

    rust = [_native._seconds_of_rust(clip, times) for _ in range(ROUNDS)]
    array, csv = [], []
    for _ in range(ROUNDS):
        array.append(measure_seconds(lambda: clip.sample(times)))
        rust.append(_native._seconds_of_rust(clip, times))
        csv.append(measure_seconds(read_table))
    python_s, rust_s, pandas_s = min(array), min(rust), min(csv)
    print(f"{TIME_COUNT} times of {len(clip.nodes)} nodes; the table has {len(table) / 1e6:.0f} MB")
    print(f"clip.sample:       {python_s * 1e3:8.1f} ms")
    print(f"the Rust call:     {rust_s * 1e3:8.1f} ms, {python_s / rust_s:.2f} times as long")
    print(f"pandas.read_csv:   {pandas_s * 1e3:8.1f} ms, {pandas_s / python_s:.0f} times as long")


if __name__ == "__main__":
    main()

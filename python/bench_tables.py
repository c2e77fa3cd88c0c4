"""How fast tables are written and folders are indexed.

    python bench_tables.py parquet [--minutes 60]     an hour of hands as Parquet, against pyarrow writing the columns
    python bench_tables.py index [--count 5000]       an index of one-minute recordings, against decoding them

Both sides are measured in turn in one run; the least time of each counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import mutoscope as mu

sys.path.insert(0, str(Path(__file__).parent / "examples"))
import generate

#: So many files differ; the others are links to them, so that the disc has no say.
DIFFERENT = 20


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def parquet(folder: Path, minutes: float, rounds: int) -> None:
    import pyarrow.parquet

    take = folder / "take.bin"
    take.write_bytes(generate.recording(0, minutes * 60, 60))
    clip = mu.open(take)
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(seconds(lambda: mu.convert(clip, folder / "ours.parquet")))
        if not theirs:
            table = pyarrow.parquet.read_table(folder / "ours.parquet")
        theirs.append(seconds(lambda: pyarrow.parquet.write_table(table, folder / "theirs.parquet")))
    sizes = [(folder / name).stat().st_size / 1e6 for name in ("ours.parquet", "theirs.parquet")]
    print(f"{len(table)} rows of {table.num_columns} columns")
    print(f"ours, sampling and the tables beside included: {min(ours):.2f} s, {sizes[0]:.0f} MB")
    print(f"pyarrow, the same columns from memory:         {min(theirs):.2f} s, {sizes[1]:.0f} MB")
    print(f"{min(ours) / min(theirs):.2f} times as long")


def index(folder: Path, count: int, rounds: int) -> None:
    takes = folder / "takes"
    files = generate.generate(takes / "of", DIFFERENT, 60, 60, DIFFERENT)
    for number in range(count - len(files)):
        link = takes / f"{number % 100:02}" / f"{number:05}.bin"
        link.parent.mkdir(exist_ok=True)
        os.link(files[number % len(files)], link)
    paths = sorted(takes.rglob("*.bin"))
    command = [sys.executable, "-m", "mutoscope", "index", "--fresh", takes, "-o", folder / "index.parquet"]
    quick = [*command, "--no-checks"]
    check = [sys.executable, "-m", "mutoscope", "index", takes, "-o", folder / "index.parquet"]

    def decode() -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for _ in pool.map(lambda path: mu.open(path).duration, paths):
                pass

    def issues() -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for _ in pool.map(lambda path: len(mu.open(path).issues()), paths):
                pass

    ours, unchecked, decoding, with_issues, again = [], [], [], [], []
    for _ in range(rounds):
        unchecked.append(seconds(lambda: subprocess.run(quick, check=True, capture_output=True)))
        ours.append(seconds(lambda: subprocess.run(command, check=True, capture_output=True)))
        decoding.append(seconds(decode))
        with_issues.append(seconds(issues))
        again.append(seconds(lambda: subprocess.run(check, check=True, capture_output=True)))
    size = files[0].stat().st_size / 1e6
    print(f"{len(paths)} recordings of a minute, {size:.1f} MB each, {os.cpu_count()} cores")
    print(f"index:                           {min(ours):.1f} s, without checks {min(unchecked):.1f} s")
    print(f"decoding on all cores:           {min(decoding):.1f} s: without checks at {100 * min(decoding) / min(unchecked):.0f} % of its speed")
    print(f"decoding and looking for issues: {min(with_issues):.1f} s: index at {100 * min(with_issues) / min(ours):.0f} %")
    print(f"index again, nothing changed: {min(again):.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["parquet", "index"])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.what == "parquet":
            parquet(Path(folder), given.minutes, given.rounds)
        else:
            index(Path(folder), given.count, given.rounds)


if __name__ == "__main__":
    main()

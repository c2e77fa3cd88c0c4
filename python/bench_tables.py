"""Measures how fast tables are written and folders are indexed.

    python bench_tables.py parquet [--minutes 60]     compare the export of an hour of hands with pyarrow
    python bench_tables.py index [--count 5000]       compare the index of one-minute recordings with decoding

Measures both sides in turn in one run, and prints the shortest time of each.
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
DISTINCT_FILES = 20


def measure_seconds(work: Callable[[], object]) -> float:
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
        ours.append(measure_seconds(lambda: mu.convert(clip, folder / "ours.parquet")))
        if not theirs:
            table = pyarrow.parquet.read_table(folder / "ours.parquet")
        theirs.append(measure_seconds(lambda: pyarrow.parquet.write_table(table, folder / "theirs.parquet")))
    sizes = [(folder / name).stat().st_size / 1e6 for name in ("ours.parquet", "theirs.parquet")]
    print(f"{len(table)} rows of {table.num_columns} columns")
    print(f"mutoscope, with sampling and all tables: {min(ours):.2f} s, {sizes[0]:.0f} MB")
    print(f"pyarrow, the same columns from memory:   {min(theirs):.2f} s, {sizes[1]:.0f} MB")
    print(f"{min(ours) / min(theirs):.2f} times as long")


def index(folder: Path, count: int, rounds: int) -> None:
    takes = folder / "takes"
    files = generate.generate(takes / "originals", DISTINCT_FILES, 60, 60, DISTINCT_FILES)
    for number in range(count - len(files)):
        link = takes / f"{number % 100:02}" / f"{number:05}.bin"
        link.parent.mkdir(exist_ok=True)
        os.link(files[number % len(files)], link)
    paths = sorted(takes.rglob("*.bin"))
    command = [sys.executable, "-m", "mutoscope", "index", "--fresh", takes, "-o", folder / "index.parquet"]
    unchecked_command = [*command, "--no-checks"]
    update_command = [sys.executable, "-m", "mutoscope", "index", takes, "-o", folder / "index.parquet"]

    def decode() -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for _ in pool.map(lambda path: mu.open(path).duration, paths):
                pass

    def find_issues() -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for _ in pool.map(lambda path: len(mu.open(path).issues()), paths):
                pass

    ours, unchecked, decoding, with_issues, again = [], [], [], [], []
    for _ in range(rounds):
        unchecked.append(measure_seconds(lambda: subprocess.run(unchecked_command, check=True, capture_output=True)))
        ours.append(measure_seconds(lambda: subprocess.run(command, check=True, capture_output=True)))
        decoding.append(measure_seconds(decode))
        with_issues.append(measure_seconds(find_issues))
        again.append(measure_seconds(lambda: subprocess.run(update_command, check=True, capture_output=True)))
    size = files[0].stat().st_size / 1e6
    print(f"{len(paths)} recordings of a minute, {size:.1f} MB each, {os.cpu_count()} cores")
    print(f"index:                           {min(ours):.1f} s, without checks {min(unchecked):.1f} s")
    print(f"decoding on all cores:           {min(decoding):.1f} s: without checks at {100 * min(decoding) / min(unchecked):.0f} % of its speed")
    print(f"decoding and looking for issues: {min(with_issues):.1f} s: index at {100 * min(with_issues) / min(ours):.0f} %")
    print(f"index again, nothing changed:    {min(again):.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["parquet", "index"])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.what == "parquet":
            parquet(Path(folder), arguments.minutes, arguments.rounds)
        else:
            index(Path(folder), arguments.count, arguments.rounds)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures the steps of the command line on a long recording, with one core, two cores and so on.

Prints a Markdown table: wall time, busy cores, and peak memory of each step for each number of cores,
the size of what the step wrote, and how long it takes to write as many bytes without computing them.
Several programs are compared in turns, step by step.

`cargo run --release -p mutoscope-testing --example long_take -- hour.bin 216000 frames` writes an hour of both hands.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

# The arguments of each step. `{in}` is the recording and `{out}` the output without its extension.
STEPS = {
    "info": ["info", "{in}"],
    "check": ["check", "{in}"],
    "verdict": ["check", "--verdict", "{in}"],
    "report": ["report", "{in}", "-o", "{out}.html"],
    "render": ["render", "{in}", "-o", "{out}.png"],
    "glb": ["convert", "{in}", "-o", "{out}.glb"],
    "html": ["convert", "{in}", "-o", "{out}.html"],
    "animj": ["convert", "{in}", "-o", "{out}.animj"],
    "animx": ["convert", "{in}", "-o", "{out}.animx"],
    "anim": ["convert", "{in}", "-o", "{out}.anim"],
    "fbx": ["convert", "{in}", "-o", "{out}.fbx"],
    "bvh": ["convert", "{in}", "-o", "{out}.bvh"],
    "mrtk": ["convert", "{in}", "-o", "{out}.bin"],
    "mcap": ["convert", "{in}", "-o", "{out}.mcap"],
    "csv": ["convert", "{in}", "-o", "{out}.csv"],
    "parquet": ["convert", "{in}", "-o", "{out}.parquet"],
    "arrow": ["convert", "{in}", "-o", "{out}.arrow"],
}


@dataclass
class Measurement:
    """One run of a step."""

    wall_s: float
    cpu_s: float
    memory_mb: float
    written_bytes: int
    status: int

    def __str__(self):
        if self.status not in (0, 1):
            return f"exit status {self.status}"
        return f"{self.wall_s:.2f} s, {self.cpu_s / self.wall_s:.1f}, {self.memory_mb:.0f} MB"


def measure(program, step, recording, cores):
    """Runs one step on the first `cores` cores, and deletes what it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out"
        arguments = [part.replace("{in}", recording).replace("{out}", str(output)) for part in STEPS[step]]
        start = time.monotonic()
        process = subprocess.Popen(
            [program, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: os.sched_setaffinity(0, range(cores)),
        )
        _, wait_status, usage = os.wait4(process.pid, 0)
        wall_s = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(wait_status)
        written_bytes = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    cpu_s = usage.ru_utime + usage.ru_stime
    return Measurement(wall_s, cpu_s, usage.ru_maxrss / 1000, written_bytes, process.returncode)


def time_writing(size):
    """Returns how long it takes to write a file of `size` bytes."""
    block = os.urandom(1 << 20)
    start = time.monotonic()
    with tempfile.TemporaryFile(buffering=0) as file:
        for _ in range(size // len(block)):
            file.write(block)
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording")
    parser.add_argument("programs", nargs="+", help="programs as `scripts/run` builds them, or release builds")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=1, help="runs of each step; the table has the fastest one")
    parser.add_argument("--steps", nargs="+", default=list(STEPS), choices=list(STEPS))
    options = parser.parse_args()
    variants = [(program, cores) for program in options.programs for cores in options.cores]
    titles = [f"`{Path(program).name}`, cores: {cores}" for program, cores in variants]
    print("| step |", " | ".join(titles), "| written | writing alone |")
    print("|---|" + "---|" * (len(variants) + 2))
    with open(options.recording, "rb") as recording:
        while recording.read(1 << 24):
            pass
    for step in options.steps:
        rounds = range(options.rounds)
        runs = [[measure(program, step, options.recording, cores) for program, cores in variants] for _ in rounds]
        fastest = [min(column, key=lambda run: run.wall_s) for column in zip(*runs)]
        size = fastest[-1].written_bytes
        output = f"| {size / 1e6:.1f} MB | {time_writing(size):.2f} s |"
        print(f"| `{step}` |", " | ".join(map(str, fastest)), output, flush=True)


if __name__ == "__main__":
    sys.exit(main())

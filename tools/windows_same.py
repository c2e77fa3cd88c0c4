#!/usr/bin/env python3
"""Compares the outputs and files of two builds of the command line, byte for byte.

For every sample in assets and some files in tests/data, compares the outputs of `info`, `check` and `sample`, and the
files that `convert` writes for every target. Prints a table with each difference: the number of different numbers if the
texts are otherwise equal, and the number of different bytes otherwise. A difference that docs/windows.md does not list is
an error.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Targets that the viewer renders. tools/windows_window.py compares them.
IMAGES = {"gif", "mp4", "png-sequence"}
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
# The largest difference between two numbers in a page, relative to the larger number, and absolute below 1.
TOLERANCE = 1e-9
# Files of tests/data in addition to the samples, one for each kind of possible difference.
DATA_FILES = [
    "mrtk/ok/proc_v10.bin",
    "mrtk/ok/proc_v11_good.bin",
    "mrtk/bad",
    "animj/rig/arm_swing.animj",
]


def list_samples():
    """Yields the path of each sample, and the path of the skeleton with the same name, or None."""
    for path in sorted((ROOT / "assets").glob("*/*")):
        if path.parent.name == "pictures" or path.suffix.lower() == ".cinf":
            continue
        others = [item for item in path.parent.glob(path.stem + ".*") if item != path]
        if path.suffix == ".glb" and others:
            continue
        yield path, others[0] if others else None


def list_targets(program):
    """Returns the ids of all targets of `convert` except images."""
    output = subprocess.run([*program, "--version"], check=True, capture_output=True, text=True).stdout
    ids = re.findall(r"^targets: (.*)$", output, re.M)[0].strip().split(", ")
    return [item for item in ids if item not in IMAGES]


def run(program, arguments, folder):
    """Runs a program. Returns its exit status, standard output and standard error without messages of Wine."""
    done = subprocess.run([*program, *arguments], cwd=folder, capture_output=True, timeout=300)
    # Wine's services sometimes crash at startup and print that here. The exit status is still that of the program.
    return done.returncode, done.stdout, re.sub(rb"^wine: .*\n", b"", done.stderr, flags=re.M)


def describe_difference(first, second):
    """Describes the difference, and returns `True` with it if it is only a rounding difference. Returns None if both are equal."""
    if first == second:
        return None
    if NUMBER.sub(b"#", first) == NUMBER.sub(b"#", second):
        largest, count = 0.0, 0
        for a, b in zip(map(float, NUMBER.findall(first)), map(float, NUMBER.findall(second))):
            if a != b:
                count += 1
                largest = max(largest, abs(a - b) / max(abs(a), abs(b), 1.0))
        return f"{count} numbers, at most by {largest:.1e}", largest <= TOLERANCE
    if len(first) == len(second):
        difference = sum(a != b for a, b in zip(first, second))
        return f"{difference} of {len(first)} bytes", False
    return f"{len(first)} and {len(second)} bytes", False


class Comparison:
    def __init__(self, here, there):
        self.programs = here, there
        self.rows = []
        self.unexpected = []

    def add(self, name, what, answers, written=()):
        (status, out, err), (other_status, other_out, other_err) = answers
        found = []
        if status != other_status:
            found.append((f"exit status {status} and {other_status}", False))
        pairs = [("output", out, other_out), ("messages", err, other_err), *written]
        for part, first, second in pairs:
            difference = describe_difference(first, second)
            if difference:
                found.append((f"{part}: {difference[0]}", difference[1]))
        known = any(line in KNOWN for line in [f"{name} {what}"])
        self.rows.append((name, what, "; ".join(text for text, _ in found) or "equal"))
        print(f"{name:42} {what:16} {self.rows[-1][2]}", flush=True)
        if found and not known and not all(is_rounding for _, is_rounding in found):
            self.unexpected.append(f"{name} {what}: {self.rows[-1][2]}")
            for part, first, second in pairs:
                if first != second:
                    print(f"  {part} here:  {first[:300]!r}\n  {part} there: {second[:300]!r}", file=sys.stderr)

    def compare_file(self, path, skeleton):
        """Compares all commands for one file."""
        folder, name = path.parent, path.name
        rig = ["--rig", skeleton.name] if skeleton else []
        title = str(path.relative_to(ROOT))
        if path.is_dir():
            self.add(title, "check", self.run_both(["check", "--json", name], folder))
            return
        for what, arguments in [
            ("info", ["info", "--json", *rig, name]),
            ("check", ["check", "--json", "--all", *rig, name]),
            ("sample", ["sample", "--fps", "10", *rig, name]),
            ("sample --tracks", ["sample", "--tracks", "--fps", "10", "--format", "csv", *rig, name]),
        ]:
            self.add(title, what, self.run_both(arguments, folder))
        # This target accepts only recordings of its own format.
        own = ["mcmocap_rec"] if path.suffix == ".mcmocap_rec" else []
        for target in [*TARGETS, *own]:
            arguments = ["convert", "--json", "--to", target, *rig, name, "-o"]
            with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
                answers, files = [], []
                for program, to in zip(self.programs, (first, second)):
                    out = f"{to}/out.{target}" if program is self.programs[0] else f"Z:{to}/out.{target}"
                    status, text, err = run(program, [*arguments, out], folder)
                    text, err = (item.replace(out.encode(), b"OUT") for item in (text, err))
                    # The files are compared separately, so ignore the size. Other tables are named after the file.
                    text = re.sub(rb'"bytes":\d+', b'"bytes":0', text)
                    text, err = (re.sub(rb"(Z:)?/tmp/[\w/]+", b"DIR", item) for item in (text, err))
                    answers.append((status, text, err))
                    files.append({item.name: item.read_bytes() for item in Path(to).iterdir()})
                if files[0].keys() != files[1].keys():
                    self.unexpected.append(f"{title} convert {target}: {files[0].keys()} and {files[1].keys()}")
                    continue
                written = [(item, files[0][item], files[1][item]) for item in sorted(files[0])]
                self.add(title, f"convert {target}", answers, written)

    def run_both(self, arguments, folder):
        return [run(program, arguments, folder) for program in self.programs]


def read_known_differences():
    """Returns the file and command of each row of the table in docs/windows.md."""
    page = (ROOT / "docs" / "windows.md").read_text(encoding="utf-8")
    table = re.search(r"<!-- differences -->(.*?)<!-- /differences -->", page, re.S)
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", table[1], re.M) if table else []
    return {f"{name} {what}" for name, what in rows}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the build for this system")
    parser.add_argument("command", nargs="+", help="runs the other build: tools/wine.sh mutoscope-cli.exe")
    options = parser.parse_args()
    KNOWN = read_known_differences()
    TARGETS = list_targets([options.program])
    if list_targets(options.command) != TARGETS:
        sys.exit(f"error: the targets differ: {TARGETS} and {list_targets(options.command)}")
    comparison = Comparison([str(Path(options.program).resolve())], options.command)
    for path, skeleton in [*list_samples(), *((ROOT / "tests/data" / item, None) for item in DATA_FILES)]:
        comparison.compare_file(path, skeleton)
    equal = sum(result == "equal" for _, _, result in comparison.rows)
    print(f"{equal} of {len(comparison.rows)} comparisons are equal byte for byte")
    unexpectedly_equal = KNOWN & {f"{name} {what}" for name, what, result in comparison.rows if result == "equal"}
    for line in sorted(unexpectedly_equal):
        print(f"note: {line} is equal, but docs/windows.md lists a difference")
    if comparison.unexpected:
        print("error: unexpected differences. docs/windows.md does not list these:", file=sys.stderr)
        sys.exit("\n".join(comparison.unexpected))

#!/usr/bin/env python3
"""Records the behaviour of the command line for every sample and fixture, so that two builds can be compared.

Writes a line for each command with its arguments, exit status, standard output and standard error, and the digests of
the files that it wrote.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["assets", "tests/data"]
# Extensions of files that are not recordings, skeletons or their sidecar files.
SKIPPED = {".md", ".py", ".mjs", ".txt", ".gif"}
TARGETS = ["glb", "csv", "animj", "anim", "bvh", "parquet", "arrow", "mcap", "mcmocap_rec"]
# Longer outputs are recorded by their digest.
MAX_TEXT_BYTES = 2000


def digest(content):
    return f"{len(content)} bytes {hashlib.sha256(content).hexdigest()[:24]}"


def text_or_digest(content):
    return content.decode(errors="backslashreplace") if len(content) <= MAX_TEXT_BYTES else digest(content)


def list_files():
    """Yields every file that could be a recording or a part of one, sorted by path."""
    listed = subprocess.run(["git", "ls-files", "-z", *FOLDERS], cwd=ROOT, capture_output=True, check=True)
    for name in sorted(os.fsdecode(name) for name in listed.stdout.split(b"\0") if name):
        if Path(name).suffix.lower() not in SKIPPED:
            yield name


def find_skeleton(name):
    """Returns the model or skeleton with the same name next to a recording, or None."""
    for extension in (".glb", ".cinf", ".CINF"):
        candidate = Path(name).with_suffix(extension)
        if (ROOT / candidate).exists() and str(candidate) != name:
            return str(candidate)
    return None


def list_commands():
    """Yields the arguments of each command. `{out}` is a placeholder for a separate output folder."""
    for name in list_files():
        option_lists: list[list[str]] = [[]]
        skeleton = find_skeleton(name)
        if skeleton:
            option_lists.append(["--rig", skeleton])
        for options in option_lists:
            yield ["info", *options, name]
            yield ["info", "--json", *options, name]
            yield ["check", "--json", *options, name]
            yield ["sample", "--times=-0.5,0,0.1,0.55,1.003,2.5,1e4", *options, name]
            yield ["sample", "--tracks", "--times=-0.5,0,0.1,0.55,1.003,2.5,1e4", *options, name]
            for target in TARGETS:
                yield ["convert", "--json", *options, "--to", target, "-o", "{out}/made." + target, name]
        for target in ("glb", "animj"):
            yield ["convert", "--json", "--range", "0.21..0.93", "--to", target, "-o", "{out}/made." + target, name]
    for folder in FOLDERS:
        yield ["check", "--json", folder]
        yield ["index", "-o", "{out}/index.csv", folder]


def record(program, arguments):
    with tempfile.TemporaryDirectory() as out:
        resolved = [argument.replace("{out}", out) for argument in arguments]
        run = subprocess.run([program, *resolved], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
        files = {str(path.relative_to(out)): digest(path.read_bytes()) for path in sorted(Path(out).rglob("*")) if path.is_file()}
        outputs = {
            stream: text_or_digest(content.replace(out.encode(), b"{out}"))
            for stream, content in (("stdout", run.stdout), ("stderr", run.stderr))
        }
    return {"arguments": arguments, "status": run.returncode, **outputs, "files": files}


def compare(before, after):
    """Prints the differences of two records, and returns the number of different commands."""
    records = [
        {json.dumps(row["arguments"]): row for row in map(json.loads, Path(path).read_text("utf-8").splitlines())}
        for path in (before, after)
    ]
    different = 0
    for arguments, first in records[0].items():
        second = records[1].get(arguments)
        if first != second:
            different += 1
            print(" ".join(first["arguments"]))
            for part in ("status", "stdout", "stderr", "files"):
                if second is None or first[part] != second[part]:
                    print(f"  {part}: {first[part]!r}\n  {' ' * len(part)}→ {second and second[part]!r}")
    print(f"{different} of {len(records[0])} commands differ")
    return different


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="mutoscope or mutoscope-cli; with --compare, the first record")
    parser.add_argument("output", help="the record to write; with --compare, the second record")
    parser.add_argument("--compare", action="store_true", help="print the differences of two records")
    arguments = parser.parse_args()
    if arguments.compare:
        sys.exit(compare(arguments.program, arguments.output) > 0)
    program, output = os.path.abspath(arguments.program), arguments.output
    with concurrent.futures.ThreadPoolExecutor() as pool, open(output, "w", encoding="utf-8") as out:
        for row in pool.map(lambda arguments: record(program, arguments), list(list_commands())):
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares the command line with the programs that people use for the same files, in one run.

The interpreter --python needs ezc3d, pandas, pyarrow and duckdb from PyPI. --blender needs bpy, which wants an older
NumPy. assimp is a program (Debian: assimp-utils). Each peer runs in a process of its own, and only its work is
measured, without imports. Of Mutoscope, the whole process is measured. Both sides take turns, and
the table has the fastest round of each. Inputs are written once, from the samples of this repository.

With --viewer and --long, the script also compares how much more processor time an image of a long recording takes than
one of --hands. Rerun (rerun-sdk from PyPI) needs a display, such as Xvfb, and gets the positions only.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What each peer does with {file}, and the module whose version is printed.
BLENDER_BVH = """
import bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
def work():
    bpy.ops.import_anim.bvh(filepath={file!r}, update_scene_fps=True, update_scene_duration=True)
    bpy.ops.export_scene.gltf(filepath={out!r})
"""
BLENDER_FBX = BLENDER_BVH.replace(
    "import_anim.bvh(filepath={file!r}, update_scene_fps=True, update_scene_duration=True)", "wm.fbx_import(filepath={file!r})"
)
ASSIMP = """
import subprocess, types
run = lambda *arguments: subprocess.run(["assimp", *arguments], check=True, capture_output=True, text=True).stdout
assimp = types.SimpleNamespace(__version__=run("version").split("Version ")[1].split()[0])
def work():
    run("export", {file!r}, {out!r})
"""
# assimp 5.2 reads FBX without meshes, but fails to write it as GLB.
ASSIMP_READ = ASSIMP.replace('"export", {file!r}, {out!r}', '"info", {file!r}')
EZC3D = """
import ezc3d
def work():
    ezc3d.c3d({file!r})
"""
PANDAS = """
import pandas
def work():
    pandas.read_csv({file!r})
"""
PYARROW = """
import pyarrow, pyarrow.parquet
def work():
    pyarrow.parquet.read_table({file!r})
"""
DUCKDB = """
import duckdb
def work():
    duckdb.sql("select * from read_parquet('" + {file!r} + "')").to_arrow_table()
"""
MEASURE = """
import sys, time
start = time.perf_counter()
work()
print("seconds", time.perf_counter() - start, {module}.{version}, file=sys.stderr)
"""


@dataclass
class Comparison:
    """A task that both sides do."""

    name: str
    input: str
    # The arguments of Mutoscope. `{file}` is the input and `{out}` a file to write.
    arguments: list[str]
    peer: str
    module: str
    version: str = "__version__"


COMPARISONS = [
    Comparison("BVH to GLB", "walk.bvh", ["convert", "{file}", "-o", "{out}"], BLENDER_BVH, "bpy", "app.version_string"),
    Comparison("FBX to GLB", "walk.fbx", ["convert", "{file}", "-o", "{out}"], BLENDER_FBX, "bpy", "app.version_string"),
    Comparison("decode FBX", "walk.fbx", ["info", "{file}"], ASSIMP_READ, "assimp"),
    Comparison("BVH to GLB", "walk.bvh", ["convert", "{file}", "-o", "{out}"], ASSIMP, "assimp"),
    Comparison("decode C3D", "markers.c3d", ["info", "{file}"], EZC3D, "ezc3d"),
    Comparison("decode CSV", "hands.csv", ["info", "{file}"], PANDAS, "pandas"),
    Comparison("decode Parquet", "hands.parquet", ["info", "{file}"], PYARROW, "pyarrow"),
    Comparison("decode Parquet", "hands.parquet", ["info", "{file}"], DUCKDB, "duckdb"),
]

# Writes markers that move, as a recording of 60 markers at 200 Hz.
WRITE_C3D = """
import ezc3d, numpy
frames = int({seconds} * 200)
time = numpy.arange(frames) / 200
points = numpy.ones((4, 60, frames))
for marker in range(60):
    for axis in range(3):
        points[axis, marker] = 100 * marker + 50 * numpy.sin(time * (1 + axis) + marker)
file = ezc3d.c3d()
file["parameters"]["POINT"]["RATE"]["value"] = [200.0]
file["parameters"]["POINT"]["LABELS"]["value"] = ["M%d" % marker for marker in range(60)]
file["data"]["points"] = points
file.write({file!r})
"""


# Writes the positions of all nodes as a recording of Rerun.
WRITE_RERUN = """
import numpy, rerun
from pyarrow import parquet
table = parquet.read_table({file!r}, columns=["time", "index", "x", "y", "z"])
count = int(table["index"].to_numpy().max()) + 1
time = table["time"].to_numpy()[::count]
points = numpy.stack([table[axis].to_numpy().astype("f4") for axis in "xyz"], -1).reshape(-1, count, 3)
rerun.init("hands", recording_id="hands")
rerun.save({out!r})
for node in range(count):
    columns = rerun.Points3D.columns(positions=points[:, node])
    rerun.send_columns(f"hands/{{node}}", [rerun.TimeColumn("time", duration=time)], columns)
"""


def write_inputs(folder, options):
    """Writes the inputs: a walk that repeats, its FBX, markers, and hands as CSV and Parquet."""
    run = lambda *arguments: subprocess.run([str(part) for part in arguments], check=True, capture_output=True)
    header, frames = (ROOT / "assets/bvh/walk.bvh").read_text().split("Frames:")
    count_and_time, values = frames.split("Frame Time:")
    frame_time, *lines = values.strip().splitlines()
    repeats = max(1, round(options.seconds / (float(frame_time) * len(lines))))
    text = f"{header}Frames: {len(lines) * repeats}\nFrame Time: {frame_time}\n" + "\n".join(lines * repeats) + "\n"
    (folder / "walk.bvh").write_text(text)
    run(options.program, "convert", folder / "walk.bvh", "-o", folder / "walk.fbx")
    run(options.python, "-c", WRITE_C3D.format(seconds=options.seconds, file=str(folder / "markers.c3d")))
    for name in ("hands.csv", "hands.parquet"):
        run(options.program, "convert", options.hands, "-o", folder / name)


def measure_ours(program, comparison, file, out):
    arguments = [part.replace("{file}", file).replace("{out}", out) for part in comparison.arguments]
    start = time.perf_counter()
    subprocess.run([program, *arguments], check=True, capture_output=True)
    return time.perf_counter() - start


def measure_peer(python, comparison, file, out):
    """Returns the seconds and the version of the peer."""
    code = comparison.peer.format(file=file, out=out) + MEASURE.format(module=comparison.module, version=comparison.version)
    done = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True)
    line = next(line for line in done.stderr.splitlines() if line.startswith("seconds "))
    _, seconds, version = line.split(maxsplit=2)
    return float(seconds), version


def measure_process(arguments):
    """Returns the processor time of a process in seconds, and its peak memory in MB."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, arguments)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def compare_opening(folder, options):
    """Prints how much more processor time the long recording takes than the short one, and the memory for it.

    Both programs draw one image, so that the difference is the time of opening. The duration says nothing, because
    Rerun draws a fixed number of frames before it takes the image, and loads meanwhile.
    """
    ours, theirs = [], []
    # `write_inputs` has written the table of the hands.
    for name, recording in (("hands", options.hands), ("long", options.long)):
        parquet, rrd = str(folder / f"{name}.parquet"), str(folder / f"{name}.rrd")
        if not Path(parquet).exists():
            subprocess.run([options.program, "convert", recording, "-o", parquet], check=True, capture_output=True)
        code = WRITE_RERUN.format(file=parquet, out=rrd)
        subprocess.run([options.python, "-c", code], check=True, capture_output=True)
        image = str(folder / "image.png")
        render = [options.viewer, "render", recording, "-o", image]
        rerun = [str(Path(options.python).parent / "rerun"), rrd, "--screenshot-to", image, "--window-size", "1280x720"]
        rounds = [(measure_process(render), measure_process(rerun)) for _ in range(options.rounds)]
        ours.append(min(one for one, _ in rounds))
        theirs.append(min(other for _, other in rounds))
    seconds = [long[0] - short[0] for short, long in (ours, theirs)]
    show_version = [options.python, "-c", "import rerun; print(rerun.__version__)"]
    version = subprocess.run(show_version, check=True, capture_output=True, text=True).stdout.strip()
    size = Path(options.long).stat().st_size / 1e6
    print(
        f"| opening, in processor time | {size:.0f} MB | {seconds[0]:.2f} s, {ours[1][1]:.0f} MB "
        f"| rerun {version}, positions only: {seconds[1]:.2f} s, {theirs[1][1]:.0f} MB "
        f"| {seconds[0] / seconds[1]:.2f}× as long |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the command line, as `scripts/run` builds it, or a release build")
    parser.add_argument("--python", default=sys.executable, help="an interpreter with the peers except bpy")
    parser.add_argument("--blender", default=sys.executable, help="an interpreter with bpy")
    parser.add_argument("--hands", default=str(ROOT / "assets/mrtk/two-hands.bin"), help="the recording for CSV and Parquet")
    parser.add_argument("--seconds", type=float, default=300.0, help="the length of the walk and of the markers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--viewer", help="the viewer, for the comparison with Rerun")
    parser.add_argument("--long", help="a long MRTK recording, for the comparison with Rerun")
    options = parser.parse_args()
    print("| task | input | Mutoscope | peer | ratio |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder, options)
        for comparison in COMPARISONS:
            file, out = folder / comparison.input, str(folder / "out.glb")
            ours, theirs, version = [], [], ""
            python = options.blender if comparison.module == "bpy" else options.python
            for _ in range(options.rounds):
                ours.append(measure_ours(options.program, comparison, str(file), out))
                seconds, version = measure_peer(python, comparison, str(file), out)
                theirs.append(seconds)
            ratio = min(ours) / min(theirs)
            print(
                f"| {comparison.name} | {file.stat().st_size / 1e6:.0f} MB | {min(ours):.2f} s "
                f"| {comparison.module} {version}: {min(theirs):.2f} s | {ratio:.2f}× as long |",
                flush=True,
            )
        if options.viewer and options.long:
            compare_opening(folder, options)


if __name__ == "__main__":
    sys.exit(main())

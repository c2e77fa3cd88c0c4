#!/usr/bin/env python3
"""Runs Mutoscope on folders of files by other people, and compares what it shows with other readers.

    tools/corpora.py PROGRAM FOLDER... [--jobs N] [--seconds S] [--memory MB] [--extensions bvh,trc] [--jsonl FILE]

Each motion file below the folders is read with `info`, `check` and `sample`, converted to GLB, and compared:

    export      the GLB, sampled again, with `sample` of the file
    reader      the reader of tests/readers for the format, which is written from docs/formats alone
    c3d         the markers that ezc3d reads, if it is installed
    trc         the markers by NumMarkers and the order of their names
    obj         FBX: the vertices of NAME.obj or NAME_FRAME.obj beside NAME_VERSION_ENCODING.fbx, as in ufbx's test data
    validator   glTF: the error codes of FILE.report.json beside the file, as in the tests of Khronos' validator

The table has a row for each format and each program that wrote the files: how many files opened, were refused, crashed or
exceeded a limit, and how many of the compared files were wrong. Each reason of a refusal and each kind of difference is listed below it once.
docs/dev/corpora.md names public repositories with such files.
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
READERS = ROOT / "tests" / "readers"
sys.path.insert(0, str(READERS))

EXTENSIONS = (
    "animj,animx,anim,arrow,bvh,c3d,csv,fbx,feather,glb,gltf,jsonl,mcap,mcmocap_rec,mcmocap_scene,parquet,trc,tsv,vrm,vrma"
)

# The formats of `info` that a reader of tests/readers covers.
READER_FORMATS = {"animj", "bvh", "gltf", "maya", "mrtk"}

# Relative to the coordinate, or in metres below 1 m. The readers compute in double precision, and the program keeps
# some values in single precision. GLB rounds times and values to single precision.
READER_TOLERANCE = 1e-5
EXPORT_TOLERANCE = 2e-3

# Relative to the size of the object. The files of ufbx have six decimals, and 3D editors round differently.
OBJ_TOLERANCE = 5e-3

MAX_COMPARED_TIMES = 5


class Program:
    """The program under test, with limits on time and memory."""

    def __init__(self, path, seconds, memory):
        self.path, self.seconds, self.memory = path, seconds, memory

    def run(self, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (self.memory << 20, self.memory << 20))

        try:
            result = subprocess.run(
                [self.path, *arguments],
                check=False,
                capture_output=True,
                timeout=self.seconds,
                preexec_fn=limit,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return None, "", f"{arguments[0]} exceeds {self.seconds} s"
        stdout, stderr = (output.decode(errors="replace") for output in (result.stdout, result.stderr))
        return result.returncode, stdout, stderr

    def sample(self, path, times):
        """Returns a dictionary of nodes for each time, or None if the file cannot be sampled."""
        status, stdout, _ = self.run("sample", f"--times={','.join(map(repr, times))}", str(path))
        return [json.loads(line) for line in stdout.splitlines()] if status == 0 else None


def find_writer(path, data):
    """Returns the name of the program that wrote a file, or an empty string if the file does not say."""
    text = data[:65536].decode("latin-1")
    patterns = {
        ".fbx": r"Creator(?:: |\x00*S....|[^\x20-\x7e]+)\"?([ -~]{3,60})",
        ".gltf": r"\"generator\"\s*:\s*\"([^\"]*)\"",
        ".glb": r"\"generator\"\s*:\s*\"([^\"]*)\"",
        ".vrm": r"\"generator\"\s*:\s*\"([^\"]*)\"",
        ".vrma": r"\"generator\"\s*:\s*\"([^\"]*)\"",
        ".c3d": r"(Vicon|QTM|Qualisys|Optotrak|Motion Analysis|C-Motion|Visual3D|Theia|Codamotion|BTS|OptiTrack|Motive)",
    }
    found = re.search(patterns.get(path.suffix.lower(), "(?!)"), text, re.DOTALL)
    words = found.group(1).split()[:3] if found else []
    return " ".join(word for word in words if not re.fullmatch(r"[\d.v()-]+", word))


def compared_times(info):
    """Returns times from the first to the last, with one between frames."""
    start, duration = info["start"], info["duration"]
    if not duration:
        return [start]
    return [start + duration * part for part in (0, 0.25, 0.5, 0.77, 1)][:MAX_COMPARED_TIMES]


def is_close(found, expected, tolerance):
    return len(found) == len(expected) and all(
        f is not None and e is not None and abs(f - e) <= tolerance * max(1.0, abs(e)) for f, e in zip(found, expected)
    )


def difference_of_nodes(found, expected, tolerance):
    """Compares world positions. Nodes are matched by order if their names are equal, and otherwise by name."""
    names = [node["name"] for node in found]
    by_order = names == [node["name"] for node in expected]
    by_name = {node["name"]: node for node in found}
    for index, node in enumerate(expected):
        other = found[index] if by_order else by_name.get(node["name"])
        if other is None:
            return f"node {node['name']!r} is missing"
        if not (node["shown"] and other["shown"]):
            continue
        here, there = other["world"]["translation"], node["world"]["translation"]
        if not is_close(here, there, tolerance):
            return f"node {node['name']!r} is at {here}, expected {there}"
    return None


def compare_with_reader(program, path, info, times):
    name = info["format"]
    request = {"path": str(path), "times": times, "metres_per_unit": info["convention"]["metres_per_unit"]}
    if len(animations := info.get("animations", [])) > 1:
        request["animation"] = animations[0]["name"]
    try:
        result = subprocess.run(
            [sys.executable, str(READERS / f"{name}.py")],
            input=json.dumps(request) + "\n",
            check=False,
            capture_output=True,
            timeout=60,
            text=True,
        )
    except subprocess.TimeoutExpired:
        return None
    if result.returncode:
        return None
    expected = [json.loads(line) for line in result.stdout.splitlines()]
    found = program.sample(path, times)
    for sample, wanted in zip(found or [], expected):
        if difference := difference_of_nodes(sample["nodes"], wanted.get("nodes", []), READER_TOLERANCE):
            return f"at {wanted['time']} s {difference}"
    return "" if found else "cannot be sampled"


def compare_export(program, path, info, times, glb):
    if b'"animations"' not in glb.read_bytes():
        return None  # A pose that does not move needs no animation, and the program samples only animations.
    # GLB rounds the time of a step to single precision, so sample just after it.
    found = program.sample(glb, [time - info["start"] + 1e-6 for time in times])
    expected = program.sample(path, times)
    if found is None or expected is None:
        return "the GLB cannot be sampled"
    for sample, wanted in zip(found, expected):
        by_name = {node["name"] for node in sample["nodes"]}
        nodes = [node for node in wanted["nodes"] if node["name"] in by_name]
        if difference := difference_of_nodes(sample["nodes"], nodes, EXPORT_TOLERANCE):
            return f"at {wanted['time']} s {difference}"
    return ""


def compare_with_ezc3d(program, path, info, times):
    try:
        import ezc3d
    except ImportError:
        return None
    try:
        file = ezc3d.c3d(str(path))
    except (OSError, RuntimeError, ValueError):
        return None
    points, labels = file["data"]["points"], file["parameters"]["POINT"]["LABELS"]["value"]
    rate = file["parameters"]["POINT"]["RATE"]["value"][0]
    scale = info["convention"]["metres_per_unit"]
    frame = points.shape[2] // 2
    if not rate or not points.shape[2]:
        return None
    samples = program.sample(path, [info["start"] + frame / rate])
    nodes = {node["name"]: node for node in samples[0]["nodes"]} if samples else {}
    if info["convention"]["up"] == "Z":
        to_viewer = lambda x, y, z: (x, z, -y)
    else:
        to_viewer = lambda x, y, z: (x, y, z)
    for index, label in enumerate(labels[: points.shape[1]]):
        expected = to_viewer(*(scale * float(value) for value in points[:3, index, frame]))
        node = nodes.get(label)
        if node is None or not node["shown"] or any(map(math.isnan, expected)) or labels.count(label) > 1:
            continue
        if not is_close(node["world"]["translation"], expected, READER_TOLERANCE):
            return f"marker {label!r} is at {node['world']['translation']}, expected {expected}"
    return ""


def read_trc(path):
    """Returns the names of the markers, and the time and the coordinates of each row. Coordinates may be None.

    The names are in the order of the columns, whatever tabs or blanks are between them.
    """
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    keys, values = (lines[index].split() for index in (1, 2))
    count = int(float(dict(zip(keys, values))["NumMarkers"]))
    names = [name for name in re.split(r"\t+", lines[3].strip()) if name.strip()]
    if len(names) != count + 2:
        names = lines[3].split()
    if len(names) != count + 2:
        return None
    rows = []
    for line in lines[5:]:
        cells = line.rstrip("\r\n").split("\t") if "\t" in line else line.split()
        cells = [cell.strip().replace(",", ".") for cell in cells]
        if not cells or not cells[0]:
            continue
        numbers = [float(cell) if re.fullmatch(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?", cell) else None for cell in cells]
        rows.append((numbers[1], numbers[2 : 2 + 3 * count]))
    return [name.strip() for name in names[2:]], rows


def compare_with_trc(program, path, info):
    try:
        read = read_trc(path)
    except (KeyError, IndexError, ValueError):
        return None
    if not read or not read[1]:
        return None
    names, rows = read
    time, numbers = rows[len(rows) // 2]
    samples = program.sample(path, [time])
    nodes = {node["name"]: node for node in samples[0]["nodes"]} if samples else {}
    scale, is_z_up = info["convention"]["metres_per_unit"], info["convention"]["up"] == "Z"
    for index, name in enumerate(names):
        point = numbers[3 * index : 3 * index + 3]
        if names.count(name) > 1 or len(point) < 3 or None in point or point == [0, 0, 0]:
            continue
        x, y, z = (scale * number for number in point)
        expected = (x, z, -y) if is_z_up else (x, y, z)
        node = nodes.get(name)
        if node is None:
            return f"marker {name!r} is missing"
        if node["shown"] and not is_close(node["world"]["translation"], expected, READER_TOLERANCE):
            return f"marker {name!r} is at {node['world']['translation']}, expected {expected}"
    return ""


def compare_with_validator(path, messages):
    report = path.with_name(path.name + ".report.json")
    if not report.exists():
        return None
    issues = json.loads(report.read_text(encoding="utf-8"))["issues"]["messages"]
    errors = {issue["code"] for issue in issues if issue["severity"] == 0}
    if not errors:
        return None
    return "" if any(line.startswith(("error", "warning")) for line in messages) else f"nothing says {', '.join(sorted(errors))}"


def read_obj(path):
    """Returns the vertices of an OBJ file that faces use."""
    vertices = []
    used: set[int] = set()
    for line in path.read_text(errors="replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append(tuple(map(float, words[1:4])))
        elif words[:1] == ["f"]:
            used.update(int(word.split("/")[0]) for word in words[1:])
    return [vertices[index - 1 if index > 0 else index] for index in used]


def posed_vertices(glb, time):
    """Computes the vertices of a GLB at a time, with its morph targets and skins, by tests/readers/gltf.py."""
    import gltf

    file = gltf.File(glb)
    nodes = file.json.get("nodes", [])
    parents = {child: index for index, node in enumerate(nodes) for child in node.get("children", [])}
    animated: dict[int, dict] = collections.defaultdict(dict)
    for animation in file.json.get("animations", [])[:1]:
        for channel in animation["channels"]:
            channel = gltf.Channel(file, animation, channel)
            animated[channel.node][channel.path] = channel.sample(time)

    def world(index):
        matrix, _ = gltf.local_transform(nodes[index], animated[index])
        return gltf.multiply(world(parents[index]), matrix) if index in parents else matrix

    worlds = [world(index) for index in range(len(nodes))]

    def place(matrix, point):
        return [sum(matrix[row][k] * point[k] for k in range(3)) + matrix[row][3] for row in range(3)]

    result: list[tuple[float, ...]] = []
    for index, node in enumerate(nodes):
        if "mesh" not in node:
            continue
        mesh = file.json["meshes"][node["mesh"]]
        weights = animated[index].get("weights") or node.get("weights") or mesh.get("weights") or []
        for primitive in mesh["primitives"]:
            attributes = primitive["attributes"]
            points = file.read_accessor(attributes["POSITION"])
            for weight, target in zip(weights, primitive.get("targets", [])):
                if weight and "POSITION" in target:
                    moved = file.read_accessor(target["POSITION"])
                    points = [[p + weight * d for p, d in zip(point, delta)] for point, delta in zip(points, moved)]
            if "skin" in node and "JOINTS_0" in attributes:
                skin = file.json["skins"][node["skin"]]
                inverse = inverse_bind_matrices(file, skin)
                joints = [gltf.multiply(worlds[joint], bind) for joint, bind in zip(skin["joints"], inverse)]
                skinned = [[0.0] * 3 for _ in points]
                sets = [name[7:] for name in attributes if name.startswith("JOINTS_")]
                for number in sets:
                    influences = zip(
                        file.read_accessor(attributes[f"JOINTS_{number}"]), file.read_accessor(attributes[f"WEIGHTS_{number}"])
                    )
                    for at, (bones, bone_weights) in enumerate(influences):
                        for bone, weight in zip(bones, bone_weights):
                            if weight:
                                moved = place(joints[bone], points[at])
                                skinned[at] = [s + weight * m for s, m in zip(skinned[at], moved)]
                points = skinned
            else:
                points = [place(worlds[index], point) for point in points]
            result += map(tuple, points)
    return result


def inverse_bind_matrices(file, skin):
    accessor = file.json["accessors"][skin["inverseBindMatrices"]]
    view = file.json["bufferViews"][accessor["bufferView"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    columns = [struct.unpack_from("<16f", file.buffers[view["buffer"]], start + 64 * index) for index in range(accessor["count"])]
    return [[[column[row + 4 * k] for k in range(4)] for row in range(4)] for column in columns]


def farthest(points, others, cell):
    """Returns the distance of the point of `points` that is farthest from its nearest of `others`, at most `cell`."""
    grid = collections.defaultdict(list)
    for other in others:
        grid[tuple(math.floor(c / cell) for c in other)].append(other)
    steps = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]
    worst = 0.0
    for point in points:
        home = [math.floor(c / cell) for c in point]
        near = (other for step in steps for other in grid.get(tuple(h + s for h, s in zip(home, step)), ()))
        worst = max(worst, min((math.dist(point, other) for other in near), default=cell))
    return worst


def compare_with_obj(path, info, glb):
    """Compares vertices. OBJ has the units of the scene, so that the unit is any of those that 3D editors use."""
    stem = re.sub(r"_\d{4}_(ascii|binary)$", "", path.stem)
    references: list[tuple[int | None, Path]] = [(None, path.with_name(f"{stem}.obj"))] if not info["keys"] else []
    references += [
        (int(found.group(1)), other)
        for other in path.parent.glob(f"{stem}_*.obj")
        if (found := re.fullmatch(re.escape(stem) + r"_(\d+)", other.stem))
    ]
    compared = False
    for frame, reference in references:
        if not reference.exists() or reference.stat().st_size > 2_000_000:
            continue
        # These vertices include the transform of the mesh, which skins ignore.
        if "ufbx:transform_skin" in reference.read_text(errors="replace")[:1000]:
            continue
        time = 0.0 if frame is None else frame / (info["rate_hz"] or 24.0) - info["start"]
        points, expected = posed_vertices(str(glb), max(time, 0.0)), read_obj(reference)
        if not points or not expected:
            continue
        size = max(math.dist(*(tuple(pick(axis) for axis in zip(*expected)) for pick in (min, max))), 1e-9)
        errors = []
        for scale in (1.0, 0.01, 0.1, 0.001, 0.0254, 1000.0, 100.0, 10.0):
            for turned in (expected, [(x, z, -y) for x, y, z in expected], [(x, -z, y) for x, y, z in expected]):
                scaled = [tuple(scale * c for c in point) for point in turned]
                cell = 0.1 * size * scale
                errors.append(max(farthest(scaled, points, cell), farthest(points, scaled, cell)) / (size * scale))
        compared = True
        if min(errors) > OBJ_TOLERANCE:
            at_least = " or more" if min(errors) > 0.099 else ""
            return f"vertices of {reference.name} are off by {100 * min(errors):.1f} % of the size{at_least}"
    return "" if compared else None


def examine(program, path):
    """Reads, checks, samples and converts a file, and compares it with the other readers that know it."""
    row = {"path": str(path), "format": path.suffix.lower().lstrip("."), "writer": "", "state": "opened", "compared": {}}
    with open(path, "rb") as file:
        row["writer"] = find_writer(path, file.read(65536))
    status, stdout, stderr = program.run("info", "--json", str(path))
    if status != 0:
        row["state"] = "exceeded a limit" if status is None else "refused" if status == 1 else "crashed"
        row["reason"] = (stderr.strip().splitlines() or [""])[-1].replace(str(path), "FILE")
        return row
    info = json.loads(stdout)
    if info["format"] != "table":
        row["format"] = info["format"]
    checked, findings, errors = program.run("check", "--all", str(path))
    if checked not in (0, 1):
        row.update(
            state="exceeded a limit" if checked is None else "crashed", reason=(errors.strip().splitlines() or ["check"])[-1]
        )
        return row
    compared = row["compared"]
    times = compared_times(info)
    if program.sample(path, times) is None:
        row.update(state="crashed", reason="info opens it, sample does not")
        return row
    if info["format"] in READER_FORMATS:
        compared["reader"] = compare_with_reader(program, path, info, times)
    if path.suffix.lower() == ".c3d":
        compared["c3d"] = compare_with_ezc3d(program, path, info, times)
    if path.suffix.lower() == ".trc":
        compared["trc"] = compare_with_trc(program, path, info)
    if path.suffix.lower() in (".gltf", ".glb"):
        compared["validator"] = compare_with_validator(path, stderr.splitlines() + findings.splitlines())
    with tempfile.TemporaryDirectory() as folder:
        glb = Path(folder) / "out.glb"
        status, _, errors = program.run("convert", "-o", str(glb), str(path))
        if status == 0 and glb.exists():
            compared["export"] = compare_export(program, path, info, times, glb)
            if path.suffix.lower() == ".fbx":
                compared["obj"] = compare_with_obj(path, info, glb)
        elif status is None:
            row.update(state="exceeded a limit", reason=errors)
    return row


def examine_safely(program, path):
    try:
        return examine(program, path)
    except Exception as error:  # noqa: BLE001 One file must not end the run. The row shows the error of this script.
        return {
            "path": str(path),
            "format": path.suffix.lower(),
            "writer": "",
            "state": "error of this script",
            "reason": repr(error),
            "compared": {},
        }


def find_files(folders, extensions):
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and path.suffix.lower().lstrip(".") in extensions and not is_lfs_pointer(path):
                yield path


def is_lfs_pointer(path):
    """Returns True for a text that stands for a file which is stored elsewhere by Git LFS."""
    with open(path, "rb") as file:
        return file.read(20) == b"version https://git-"


def print_table(rows):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["format"], row["writer"]].append(row)
    print("| format | writer | files | opened | refused | crashed or beyond a limit | compared | wrong |")
    print("|---|---|---|---|---|---|---|---|")
    for (kind, writer), members in sorted(groups.items(), key=lambda group: (group[0][0], -len(group[1]))):
        print(f"| {kind} | {writer} | {' | '.join(map(str, count_row(members)))} |")
    print(f"| all | | {' | '.join(map(str, count_row(rows)))} |")


def print_findings(rows):
    """Prints each reason and each kind of difference once, with the number of its files and the first of them."""
    findings = collections.defaultdict(list)
    for row in rows:
        if row["state"] != "opened":
            findings[row["state"], row["reason"][:200]].append(row["path"])
        for name, result in row["compared"].items():
            if result:
                findings[f"wrong by {name}", re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", "N", result)[:200]].append(row["path"])
    for (kind, text), paths in sorted(findings.items(), key=lambda finding: (finding[0][0], -len(finding[1]))):
        print(f"{kind}: {len(paths)} x {text}, for example {paths[0]}")


def count_row(rows):
    results = [[result for result in row["compared"].values() if result is not None] for row in rows]
    states = collections.Counter(row["state"] for row in rows)
    bad = len(rows) - states["opened"] - states["refused"]
    return len(rows), states["opened"], states["refused"], bad, sum(map(bool, results)), sum(any(result) for result in results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the path of mutoscope or mutoscope-cli")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files at a time")
    parser.add_argument("--seconds", type=float, default=20.0, help="the limit of each command")
    parser.add_argument("--memory", type=int, default=4000, help="the limit of each command, in MiB of address space")
    parser.add_argument("--extensions", default=EXTENSIONS, help="the extensions of the files to read")
    parser.add_argument("--jsonl", help="write a row for each file to this file")
    arguments = parser.parse_args()
    program = Program(os.path.abspath(arguments.program), arguments.seconds, arguments.memory)
    files = list(find_files(arguments.folders, set(arguments.extensions.split(","))))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(lambda path: examine_safely(program, path), files))
    if arguments.jsonl:
        with open(arguments.jsonl, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    print_table(rows)
    print_findings(rows)


if __name__ == "__main__":
    main()

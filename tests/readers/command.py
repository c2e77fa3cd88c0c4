"""The command line and the output of the readers in this folder.

    python3 tests/readers/FORMAT.py --times 0,0.5 FILE...

prints one JSON object for each file and time, {"path", "time", "tracks", "nodes"}. `tracks` has the
format of `mutoscope sample --tracks`. `nodes` has the format of `mutoscope sample`, but only name, shown
and world are required. Readers without nodes omit it. Without files, the command reads requests from
standard input, one JSON object per line: {"path", "times", "rig", "animation", "metres_per_unit"}.
"""

import argparse
import json
import math
import sys


def to_json_number(value):
    """Replaces NaN and infinite numbers by None, because JSON cannot represent them."""
    if isinstance(value, (list, tuple)):
        return [to_json_number(component) for component in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def format_tracks(values):
    """Formats the tracks at one time from (node, property, value) tuples."""
    return [
        {"index": index, "node": node, "property": name, "value": to_json_number(value)}
        for index, (node, name, value) in enumerate(values)
    ]


def format_node(name, position, rotation, shown=True):
    """Formats a node at one time from its position and rotation in the viewer's space."""
    world = {"translation": to_json_number(position), "rotation": to_json_number(rotation)}
    return {"name": name, "shown": shown, "world": world}


def read_requests():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", default="0", help="Sample at these times, in seconds, separated by commas")
    parser.add_argument("--rig", help="The skeleton of the recordings")
    parser.add_argument("--animation", help="Read the animation with this name")
    parser.add_argument("files", nargs="*", help="The recordings to read [default: requests from standard input]")
    arguments = parser.parse_args()
    times = [float(time) for time in arguments.times.split(",")]
    for path in arguments.files:
        yield {**vars(arguments), "path": path, "times": times}
    if not arguments.files:
        for line in sys.stdin:
            yield json.loads(line)


def run(read):
    """Answers all requests. `read(path, request)` returns a function from a time to tracks and nodes."""
    for request in read_requests():
        sample = read(request["path"], request)
        for time in request["times"]:
            answer = {"path": request["path"], "time": time, **sample(time)}
            print(json.dumps(answer, allow_nan=False))

"""What the readers of this folder share: their command line and how they print.

    python3 tests/readers/FORMAT.py --times 0,0.5 FILE...

prints one JSON object for each file and time, {"path", "time", "tracks", "nodes"}: `tracks` as
`mutoscope sample --tracks` has them; `nodes`, if the reader knows where they are, as `mutoscope
sample` has them, of which name, shown and world are enough. Without files, requests are read from
standard input, one JSON object a line: {"path", "times", "rig", "animation", "metres_per_unit"}.
"""

import argparse
import json
import math
import sys


def number(value):
    """A number as JSON has it: NaN and infinite ones as null."""
    if isinstance(value, (list, tuple)):
        return [number(component) for component in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def tracks(values):
    """The tracks of one time from (node, property, value)."""
    return [
        {"index": index, "node": node, "property": name, "value": number(value)}
        for index, (node, name, value) in enumerate(values)
    ]


def node(name, position, rotation, shown=True):
    """A node of one time, from where it is in the viewer's space."""
    world = {"translation": number(position), "rotation": number(rotation)}
    return {"name": name, "shown": shown, "world": world}


def requests():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", default="0")
    parser.add_argument("--rig", help="a skeleton")
    parser.add_argument("--animation", help="the name of one of several")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    times = [float(time) for time in arguments.times.split(",")]
    for path in arguments.files:
        yield {**vars(arguments), "path": path, "times": times}
    if not arguments.files:
        for line in sys.stdin:
            yield json.loads(line)


def run(read):
    """Answers all requests. `read(path, request)` gives a function from a time to tracks and nodes."""
    for request in requests():
        sample = read(request["path"], request)
        for time in request["times"]:
            answer = {"path": request["path"], "time": time, **sample(time)}
            print(json.dumps(answer, allow_nan=False))

"""A reader of BVH, written from docs/formats/bvh.md alone."""

import math
import re

import command


class Joint:
    def __init__(self, name, parent, is_end):
        self.name, self.parent, self.is_end = name, parent, is_end
        self.offset, self.channels = [0.0] * 3, []


def words_of(line):
    return line.replace("{", " { ").replace("}", " } ").split()


def decode(text):
    """The joints, the frames, and the time from one frame to the next."""
    lines = [words_of(line) for line in text.splitlines()]
    lines = [words for words in lines if words]
    joints, open_, at = [], [], 0
    while lines[at][0].upper() != "MOTION":
        words = lines[at]
        at += 1
        while words:
            word = words.pop(0)
            key = word.upper()
            if key in ("ROOT", "JOINT", "END", "ENDSITE"):
                name = [other for other in words if other != "{"]
                is_end = key.startswith("END")
                words = words[len(name) :]
                if key == "END":
                    name = name[1:]
                parent = open_[-1] if open_ else None
                name = " ".join(name) or f"{joints[parent].name}_end"
                joints.append(Joint(name, parent, is_end))
            elif key == "{":
                open_.append(len(joints) - 1)
            elif key == "}":
                open_.pop()
            elif key == "OFFSET":
                joints[open_[-1]].offset = [float(words.pop(0)) for _ in range(3)]
            elif key == "CHANNELS":
                joints[open_[-1]].channels = [words.pop(0) for _ in range(int(words.pop(0)))]
    frame_time = float(lines[at + 2][-1])
    frames = [[float(word) for word in words] for words in lines[at + 3 :]]
    return joints, frames, frame_time


def turn(axis, degrees):
    """A quaternion x, y, z, w."""
    q = [0.0, 0.0, 0.0, math.cos(math.radians(degrees) / 2)]
    q[axis] = math.sin(math.radians(degrees) / 2)
    return q


def product(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]


def turned(q, v):
    return product(product(q, [*v, 0.0]), [-q[0], -q[1], -q[2], q[3]])[:3]


def slerp(a, b, u):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = [-x for x in b], -dot
    angle = math.acos(min(1.0, dot))
    if math.sin(angle) < 1e-6:
        q = [(1 - u) * x + u * y for x, y in zip(a, b)]
    else:
        q = [math.sin((1 - u) * angle) * x + math.sin(u * angle) * y for x, y in zip(a, b)]
    length = math.hypot(*q)
    return [x / length for x in q]


def local(joint, values):
    """Position and rotation of a joint in a frame of which these are its values."""
    position, rotation = list(joint.offset), [0.0, 0.0, 0.0, 1.0]
    for channel, value in zip(joint.channels, values):
        axis, what = "XYZ".index(channel[0].upper()), channel[1:].lower()
        if what == "position":
            position[axis] = value
        elif what == "rotation":
            rotation = product(rotation, turn(axis, value))
    return position, rotation


def words(name):
    """The words of a name in lower case, without its namespace."""
    name = re.split(r"[:|]", name)[-1]
    return [word.lower() for word in re.findall(r"[^\W\d_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name))]


def way_up(joints, joint):
    way = [joint]
    while joints[way[-1]].parent is not None:
        way.append(joints[way[-1]].parent)
    return way


def body(joints):
    """The index of the head and those of the feet, if there are any."""

    def called(index, names):
        return not joints[index].is_end and not names.isdisjoint(words(joints[index].name))

    ends = {"end", "top", "nub", "tip", "site"}
    kept = [index for index in range(len(joints)) if not called(index, ends)]
    heads = [index for index in kept if called(index, {"head"})]
    if not heads:
        return None
    root = way_up(joints, heads[0])[-1]
    names = {"foot", "lfoot", "rfoot", "ankle", "lankle", "rankle"}
    feet = [index for index in kept if called(index, names) and way_up(joints, index)[-1] == root]
    return (heads[0], feet) if feet else None


def height(joints, head, feet):
    def length(way):
        return sum(math.hypot(*joints[joint].offset) for joint in way)

    trunk = way_up(joints, head)
    heights = []
    for foot in feet:
        leg = way_up(joints, foot)
        meet = next(joint for joint in leg if joint in trunk)
        heights.append(length(leg[: leg.index(meet)]) + length(trunk[: trunk.index(meet)]))
    top = [math.hypot(*joint.offset) for joint in joints if joint.parent == head]
    return sum(heights) / len(heights) + max(top, default=0.0)


def unit(joints):
    """Metres in one unit."""
    found = body(joints)
    tall = height(joints, *found) if found else 0.0
    if tall > 0:
        for metres in (0.01, 1.0):
            if 0.9 <= tall * metres <= 2.3:
                return metres
        units = (0.01, 1.0, 0.001, 0.0254, 0.3048, 0.0254 / 0.45)
        return min(units, key=lambda metres: abs(math.log(tall * metres / 1.7)))
    lengths = sorted(math.hypot(*joint.offset) for joint in joints if joint.parent is not None)
    lengths = [length for length in lengths if length > 0]
    return 1.0 if lengths and lengths[len(lengths) // 2] < 1 else 0.01


def is_z_up(joints, placed_at, duration):
    """Whether the body stands along Z; `placed_at` says where the joints are at a time."""
    found = body(joints)
    if not found:
        return False
    head, feet = found
    mean = 0.0
    for look in range(65):
        placed = placed_at(duration * look / 64)
        middle = [sum(placed[foot][axis] for foot in feet) / len(feet) for axis in range(3)]
        direction = [a - b for a, b in zip(placed[head], middle)]
        mean += direction[2] / (math.hypot(*direction) or 1.0) / 65
    return mean > 0.7


def read(path, request):
    with open(path, encoding="utf-8-sig") as file:
        joints, frames, frame_time = decode(file.read())
    metres = request.get("metres_per_unit") or unit(joints)

    def placed_at(t):
        """Values by channel, and where each joint is: position and rotation in the file's axes."""
        k = min(max(t / frame_time, 0.0), len(frames) - 1)
        k, u = math.floor(k), k - math.floor(k)
        here, then = frames[k], frames[min(k + 1, len(frames) - 1)]
        values, placed, column = [], [], 0
        for joint in joints:
            count = len(joint.channels)
            ends = [frame[column : column + count] for frame in (here, then)]
            column += count
            for channel, a, b in zip(joint.channels, *ends):
                values.append((joint.name, channel, a + (b - a) * u))
            (p0, q0), (p1, q1) = (local(joint, end) for end in ends)
            p, q = [a + (b - a) * u for a, b in zip(p0, p1)], slerp(q0, q1, u)
            if joint.parent is not None:
                above, rotation = placed[joint.parent]
                p = [a + b for a, b in zip(above, turned(rotation, p))]
                q = product(rotation, q)
            placed.append((p, q))
        return values, placed

    duration = (len(frames) - 1) * frame_time
    z_up = is_z_up(joints, lambda t: [p for p, _ in placed_at(t)[1]], duration)
    # Convert Z up to Y up by a rotation of −90° about X.
    quarter = turn(0, -90)

    def node(joint, position, rotation):
        if z_up:
            position, rotation = turned(quarter, position), product(product(quarter, rotation), turn(0, 90))
        return command.node(joint.name, [x * metres for x in position], rotation)

    def sample(t):
        values, placed = placed_at(t)
        nodes = [node(joint, *stands) for joint, stands in zip(joints, placed)]
        return {"tracks": command.tracks(values), "nodes": nodes}

    return sample


if __name__ == "__main__":
    command.run(read)

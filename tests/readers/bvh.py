"""A reader of BVH, written from docs/formats/bvh.md alone."""

import math
import re

import command


class Joint:
    def __init__(self, name, parent, is_end):
        self.name, self.parent, self.is_end = name, parent, is_end
        self.offset, self.channels = [0.0] * 3, []


def tokenize(line):
    return line.replace("{", " { ").replace("}", " } ").split()


def split_numbers(words, count):
    """Converts the words of a line to numbers. If there are fewer than `count` words, a sign within a word begins
    a number, except in an exponent."""
    if len(words) < count:
        words = re.sub(r"(?<=[\d.])([+-])", r" \1", " ".join(words)).split()
    return [float(word) for word in words]


def decode(text):
    """Parses the joints, the frames, and the frame time in seconds."""
    lines = [tokenize(line) for line in text.splitlines()]
    lines = [words for words in lines if words and not words[0].startswith(("#", "//"))]
    joints, open_joints, index = [], [], 0
    while lines[index][0].upper() != "MOTION":
        words = lines[index]
        index += 1
        while words:
            word = words.pop(0)
            key = word.upper()
            if key in ("ROOT", "JOINT", "END", "ENDSITE"):
                name = [other for other in words if other != "{"]
                is_end = key.startswith("END")
                words = words[len(name) :]
                if key == "END":
                    name = name[1:]
                parent = open_joints[-1] if open_joints else None
                name = " ".join(name) or f"{joints[parent].name}_end"
                joints.append(Joint(name, parent, is_end))
            elif key == "{":
                open_joints.append(len(joints) - 1)
            elif key == "}":
                open_joints.pop()
            elif key == "OFFSET":
                joints[open_joints[-1]].offset = [float(words.pop(0)) for _ in range(3)]
            elif key == "CHANNELS":
                joints[open_joints[-1]].channels = [words.pop(0) for _ in range(int(words.pop(0)))]
    frame_time = float(lines[index + 2][-1])
    count = sum(len(joint.channels) for joint in joints)
    frames = [split_numbers(words, count) for words in lines[index + 3 :]]
    return joints, frames, frame_time


def axis_rotation(axis, degrees):
    """Creates a quaternion (x, y, z, w) from an axis and an angle in degrees."""
    q = [0.0, 0.0, 0.0, math.cos(math.radians(degrees) / 2)]
    q[axis] = math.sin(math.radians(degrees) / 2)
    return q


def multiply(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]


def rotate(q, v):
    return multiply(multiply(q, [*v, 0.0]), [-q[0], -q[1], -q[2], q[3]])[:3]


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


def local_transform(joint, values):
    """Returns the local position and rotation of a joint from its channel values."""
    position, rotation = list(joint.offset), [0.0, 0.0, 0.0, 1.0]
    for channel, value in zip(joint.channels, values):
        axis, kind = "XYZ".index(channel[0].upper()), channel[1:].lower()
        if kind == "position":
            position[axis] = value
        elif kind == "rotation":
            rotation = multiply(rotation, axis_rotation(axis, value))
    return position, rotation


def words(name):
    """Splits a name without its namespace into words in lower case."""
    name = re.split(r"[:|]", name)[-1]
    return [word.lower() for word in re.findall(r"[^\W\d_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name))]


def path_to_root(joints, joint):
    path = [joint]
    while joints[path[-1]].parent is not None:
        path.append(joints[path[-1]].parent)
    return path


def find_head_and_feet(joints):
    """Returns the index of the head and the indices of the feet, or None if the skeleton has no head or feet."""

    def has_word(index, names):
        return not joints[index].is_end and not names.isdisjoint(words(joints[index].name))

    ends = {"end", "top", "nub", "tip", "site"}
    kept = [index for index in range(len(joints)) if not has_word(index, ends)]
    heads = [index for index in kept if has_word(index, {"head"})]
    if not heads:
        return None
    root = path_to_root(joints, heads[0])[-1]
    names = {"foot", "lfoot", "rfoot", "ankle", "lankle", "rankle"}
    feet = [index for index in kept if has_word(index, names) and path_to_root(joints, index)[-1] == root]
    return (heads[0], feet) if feet else None


def body_height(joints, head, feet):
    def length(path):
        return sum(math.hypot(*joints[joint].bone) for joint in path)

    trunk = path_to_root(joints, head)
    heights = []
    for foot in feet:
        leg = path_to_root(joints, foot)
        junction = next(joint for joint in leg if joint in trunk)
        heights.append(length(leg[: leg.index(junction)]) + length(trunk[: trunk.index(junction)]))
    top = [math.hypot(*joint.bone) for joint in joints if joint.parent == head]
    return sum(heights) / len(heights) + max(top, default=0.0)


def lengthen_bones(joints, frames):
    """Replaces the OFFSETs that are 0 by the positions of the first frame, except those of roots."""
    column = 0
    for joint in joints:
        for channel in joint.channels:
            axis, kind = "XYZ".find(channel[0].upper()), channel[1:].lower()
            if kind == "position" and frames and joint.parent is not None and joint.has_no_offset:
                joint.bone[axis] = frames[0][column]
            column += 1


ANIMAL_PARTS = {"tail", "wing", "paw", "hoof", "fin", "claw", "beak"}


def guess_unit(joints):
    """Guesses the metres per unit."""
    found = find_head_and_feet(joints)
    if any(not joint.is_end and not ANIMAL_PARTS.isdisjoint(words(joint.name)) for joint in joints):
        found = None
    total_height = body_height(joints, *found) if found else 0.0
    if total_height > 0:
        for metres in (0.01, 1.0):
            if 0.75 <= total_height * metres <= 2.3:
                return metres
        units = (0.01, 1.0, 0.001, 0.0254, 0.3048, 0.0254 / 0.45)
        return min(units, key=lambda metres: abs(math.log(total_height * metres / 1.7)))
    lengths = sorted(math.hypot(*joint.bone) for joint in joints if joint.parent is not None)
    lengths = [length for length in lengths if length > 0]
    return 1.0 if lengths and lengths[len(lengths) // 2] < 1 else 0.01


def direction(head, feet):
    """Returns the unit vector from the middle of the feet to the head."""
    middle = [sum(foot[axis] for foot in feet) / len(feet) for axis in range(3)]
    vector = [a - b for a, b in zip(head, middle)]
    length = math.hypot(*vector) or 1.0
    return [x / length for x in vector]


def is_z_up(joints, sample_joints, duration):
    """Returns `True` if Z is up. `sample_joints` returns the joint positions at a time."""
    found = find_head_and_feet(joints)
    if not found:
        return False
    head, feet = found
    rest = []
    for joint in joints:
        above = rest[joint.parent] if joint.parent is not None else [0.0] * 3
        rest.append([a + b for a, b in zip(above, joint.bone)])
    at_rest = direction(rest[head], [rest[foot] for foot in feet])
    root_joint = path_to_root(joints, head)[-1]
    mean, roots = [0.0] * 3, []
    for step in range(65):
        world = sample_joints(duration * step / 64)
        mean = [a + b / 65 for a, b in zip(mean, direction(world[head], [world[foot] for foot in feet]))]
        roots.append(world[root_joint])
    if mean[2] > 0.7:
        height = body_height(joints, head, feet)
        low = sum(0 < y < 0.35 * height for _, y, _ in roots)
        standing = sum(0.35 * height <= z <= 0.75 * height for _, _, z in roots)
        return at_rest[1] < 0.9 or low <= 0.75 * 65 or standing > 0.75 * 65
    return at_rest[2] > 0.9 and abs(mean[1]) < 0.7


def read(path, request):
    with open(path, encoding="utf-8-sig") as file:
        joints, frames, frame_time = decode(file.read())
    for joint in joints:
        joint.bone, joint.has_no_offset = list(joint.offset), not any(joint.offset)
    lengthen_bones(joints, frames)
    metres = request.get("metres_per_unit") or guess_unit(joints)

    def sample_joints(t):
        """Returns the channel values, and the world position and rotation of each joint, in the axes of the file."""
        k = min(max(t / frame_time, 0.0), len(frames) - 1)
        k, u = math.floor(k), k - math.floor(k)
        frame, next_frame = frames[k], frames[min(k + 1, len(frames) - 1)]
        values, world, column = [], [], 0
        for joint in joints:
            count = len(joint.channels)
            ends = [row[column : column + count] for row in (frame, next_frame)]
            column += count
            for channel, a, b in zip(joint.channels, *ends):
                values.append((joint.name, channel, a + (b - a) * u))
            (p0, q0), (p1, q1) = (local_transform(joint, end) for end in ends)
            p, q = [a + (b - a) * u for a, b in zip(p0, p1)], slerp(q0, q1, u)
            if joint.parent is not None:
                above, rotation = world[joint.parent]
                p = [a + b for a, b in zip(above, rotate(rotation, p))]
                q = multiply(rotation, q)
            world.append((p, q))
        return values, world

    duration = (len(frames) - 1) * frame_time
    z_up = is_z_up(joints, lambda t: [p for p, _ in sample_joints(t)[1]], duration)
    # Convert Z up to Y up by a rotation of −90° about X.
    to_y_up = axis_rotation(0, -90)

    def node(joint, position, rotation):
        if z_up:
            position, rotation = rotate(to_y_up, position), multiply(multiply(to_y_up, rotation), axis_rotation(0, 90))
        return command.format_node(joint.name, [x * metres for x in position], rotation)

    def sample(t):
        values, world = sample_joints(t)
        nodes = [node(joint, *transform) for joint, transform in zip(joints, world)]
        return {"tracks": command.format_tracks(values), "nodes": nodes}

    return sample


if __name__ == "__main__":
    command.run(read)

"""A reader of MRTK 2 input animations, written from docs/formats/mrtk.md alone."""

import bisect
import math
import struct

import command

MAGIC = 0x6A8FAF6E0F9E42C6
FINGERS = ["Index", "Middle", "Ring", "Pinky"]
PARTS = ["Metacarpal", "Knuckle", "MiddleJoint", "DistalJoint", "Tip"]
THUMB = ["ThumbMetacarpalJoint", "ThumbProximalJoint", "ThumbDistalJoint", "ThumbTip"]
JOINTS = ["None", "Wrist", "Palm", *THUMB, *(finger + part for finger in FINGERS for part in PARTS)]
POSE_PROPERTIES = [f"position.{axis}" for axis in "xyz"] + [f"rotation.{axis}" for axis in "xyzw"]
RAY_PROPERTIES = [f"{part}.{axis}" for part in ("origin", "direction") for axis in "xyz"]


class Curve:
    def __init__(self, pre, post, keys):
        self.pre, self.post = pre, post
        self.keys = sorted((key for key in keys if math.isfinite(key[0])), key=lambda key: key[0])
        self.times = [key[0] for key in self.keys]

    def wrap_time(self, t):
        b, e = self.times[0], self.times[-1]
        if b <= t <= e:
            return t
        mode, length = self.pre if t < b else self.post, e - b
        if mode == 2 and length > 0:
            return b + (t - b) % length
        if mode == 4 and length > 0:
            return e - abs(length - (t - b) % (2 * length))
        return b if t < b else e

    def sample(self, t):
        if not self.keys:
            return 0.0
        if len(self.keys) == 1:
            return self.keys[0][1]
        t = self.wrap_time(t)
        i = bisect.bisect_right(self.times, t) - 1
        left = self.keys[max(i, 0)]
        if i < 0 or i + 1 == len(self.keys) or left[0] == t:
            return left[1]
        return interpolate(left, self.keys[i + 1], t)

    def is_on(self, t):
        if not self.keys:
            return False
        t = self.wrap_time(t) if len(self.keys) > 1 else t
        return self.keys[max(bisect.bisect_right(self.times, t) - 1, 0)][1] > 0.5


def interpolate(left, right, t):
    t0, v0, t1, v1 = left[0], left[1], right[0], right[1]
    d = t1 - t0
    x = (t - t0) / d
    if len(left) == 2:
        return v0 + (v1 - v0) * x
    m0, m1 = left[3], right[2]
    if math.isinf(m0) or math.isinf(m1):
        return v0
    if not left[6] & 2 and not right[6] & 1:
        return (
            (2 * x**3 - 3 * x**2 + 1) * v0
            + (x**3 - 2 * x**2 + x) * d * m0
            + (3 * x**2 - 2 * x**3) * v1
            + (x**3 - x**2) * d * m1
        )
    w0 = left[5] if left[6] & 2 else 1 / 3
    w1 = right[4] if right[6] & 1 else 1 / 3
    u = smallest_root(lambda u: bezier(0, w0, 1 - w1, 1, u) - x)
    return bezier(v0, v0 + w0 * d * m0, v1 - w1 * d * m1, v1, u)


def bezier(p0, p1, p2, p3, u):
    return (
        (1 - u) ** 3 * p0 + 3 * (1 - u) ** 2 * u * p1 + 3 * (1 - u) * u**2 * p2 + u**3 * p3
    )


def smallest_root(f, steps=256):
    low = 0.0
    for step in range(1, steps + 1):
        high = step / steps
        if f(high) >= 0 or step == steps:
            break
        low = high
    for _ in range(60):
        middle = (low + high) / 2
        if f(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


class Bytes:
    def __init__(self, data):
        self.data, self.offset = data, 0

    def read(self, layout):
        size = struct.calcsize("<" + layout)
        if self.offset + size > len(self.data):
            raise ValueError(f"expected more bytes, found the end of the file at {self.offset}")
        values = struct.unpack_from("<" + layout, self.data, self.offset)
        self.offset += size
        return values

    def read_string(self):
        length = shift = 0
        while True:
            (byte,) = self.read("B")
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return self.read(f"{length}s")[0].decode(errors="replace")

    def read_curve(self, key):
        pre, post, count = self.read("iii")
        if count < 0:
            raise ValueError(f"expected a count of at least 0 at {self.offset}, found {count}")
        size = struct.calcsize("<" + key)
        if count * size > len(self.data) - self.offset:
            raise ValueError(f"the {count} keys at {self.offset} exceed the file")
        keys = list(struct.iter_unpack("<" + key, self.data[self.offset : self.offset + count * size]))
        self.offset += count * size
        return Curve(pre, post, keys)


def read_body(data, version, key):
    """Reads the parts in file order: (name, list of (property, curve))."""
    file = Bytes(data)
    file.offset = 16
    camera, hands, gaze = file.read("BBB") if version == (1, 1) else (1, 1, 0)
    parts = []
    pose = lambda: [(name, file.read_curve(key)) for name in POSE_PROPERTIES]
    if camera:
        parts.append(("camera", pose()))
    if hands:
        for name in ("tracked", "pinch"):
            for side in ("left", "right"):
                parts.append((side, [(name, file.read_curve("ff"))]))
        for side in ("left", "right"):
            parts += [(f"{side}/{joint}", pose()) for joint in JOINTS]
    if gaze:
        parts.append(("gaze", [(name, file.read_curve(key)) for name in RAY_PROPERTIES]))
    if file.offset < len(data):
        (count,) = file.read("i")
        for _ in range(count):
            file.read("f")
            file.read_string()
    if file.offset != len(data):
        raise ValueError(f"expected the end of the file, found {len(data) - file.offset} more bytes")
    return [(name, curves) for name, curves in parts if not name.endswith("/None")]


def decode(data):
    magic, *version = struct.unpack_from("<qii", data)
    version = tuple(version)
    if magic != MAGIC or version not in ((1, 0), (1, 1)):
        raise ValueError("expected an MRTK input animation")
    if version == (1, 0):
        return read_body(data, version, "ffffffi")
    try:
        return read_body(data, version, "ff")
    except ValueError:
        return read_body(data, version, "ffffffi")


def is_w_lost(x, y, z, w):
    if not x.times == y.times == z.times or len(x.keys) < 2:
        return False
    if len(w.keys) == 2 and w.keys[1][1] == z.keys[-1][1]:
        last = math.hypot(*(curve.keys[-1][1] for curve in (x, y, z, w)))
        return len(x.keys) > 2 or abs(last - 1) >= 0.001
    return len(w.keys) == 1


def rebuild_w(x, y, z, w, bone_direction):
    """Computes the curve of W that gives unit quaternions. `bone_direction` returns the direction of the bone at a time."""
    sign, keys = math.copysign(1.0, w.keys[0][1]), []
    for t, *imaginary in zip(x.times, *([key[1] for key in curve.keys] for curve in (x, y, z))):
        size = math.sqrt(max(0.0, 1 - sum(part * part for part in imaginary)))
        direction = bone_direction(t)
        if direction:
            plus, minus = (alignment([*imaginary, w], direction) for w in (size, -size))
            if abs(plus - minus) > 0.002:
                sign = math.copysign(1.0, plus - minus)
        (single,) = struct.unpack("<f", struct.pack("<f", sign * size))
        keys.append((t, single))
    return Curve(x.pre, x.post, keys)


def alignment(q, direction):
    """Returns the cosine of the angle between a direction and the +Z axis of a rotation."""
    x, y, z, w = (part / math.hypot(*q) for part in q)
    forward = (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))
    return sum(a * b for a, b in zip(forward, direction))


def bone_function(name, positions):
    """Returns a function from a time to the direction of a joint's bone, towards the next joint."""
    side, _, joint = name.partition("/")
    if joint in ("Wrist", "Palm"):
        ends = joint, "MiddleKnuckle"
    elif joint:
        index = JOINTS.index(joint) - joint.endswith("Tip")
        ends = JOINTS[index], JOINTS[index + 1]
    else:
        return lambda t: None

    def direction(t):
        a, b = ([curve.sample(t) for curve in positions[f"{side}/{end}"]] for end in ends)
        difference = [q - p for p, q in zip(a, b)]
        length = math.hypot(*difference)
        return [part / length for part in difference] if length > 0 else None

    return direction


def make_continuous(curves):
    """Negates keys so that each rotation takes the short way from the previous key."""
    if any(curve.times != curves[0].times for curve in curves):
        return curves
    if any(len(key) > 2 for key in curves[0].keys):
        negate = lambda key: (key[0], *(-part for part in key[1:4]), *key[4:])
    else:
        negate = lambda key: (key[0], -key[1])
    columns, previous_keys = [[] for _ in curves], None
    for keys in zip(*(curve.keys for curve in curves)):
        if previous_keys and sum(key[1] * previous[1] for key, previous in zip(keys, previous_keys)) < 0:
            keys = [negate(key) for key in keys]
        for column, key in zip(columns, keys):
            column.append(key)
        previous_keys = keys
    return [Curve(curve.pre, curve.post, keys) for curve, keys in zip(curves, columns)]


def read(path, _request):
    with open(path, "rb") as file:
        parts = decode(file.read())
    named = [(name, prop, curve) for name, curves in parts for prop, curve in curves]
    tracked = {name: curve for name, prop, curve in named if prop == "tracked"}
    poses = [(name, [curve for _, curve in curves]) for name, curves in parts if len(curves) == 7]
    positions = {name: curves[:3] for name, curves in poses}
    joint_curves = []
    for name, curves in poses:
        rotation = curves[3:]
        if is_w_lost(*rotation):
            rotation[3] = rebuild_w(*rotation, bone_function(name, positions))
        joint_curves.append((name, curves[:3], make_continuous(rotation)))

    def nodes(t):
        for name, position, rotation in joint_curves:
            q = [curve.sample(t) for curve in rotation]
            length = math.hypot(*q)
            if not length > 1e-6:
                continue
            x, y, z = (curve.sample(t) for curve in position)
            q = [-q[0] / length, -q[1] / length, q[2] / length, q[3] / length]
            hand = tracked.get(name.split("/")[0])
            yield command.format_node(name, [x, y, -z], q, hand is None or hand.is_on(t))

    def sample(t):
        switches = ("tracked", "pinch")
        value = lambda prop, curve: curve.is_on(t) if prop in switches else curve.sample(t)
        shown = lambda prop, curve: value(prop, curve) if curve.keys else None
        values = [(name, prop, shown(prop, curve)) for name, prop, curve in named]
        return {"tracks": command.format_tracks(values), "nodes": list(nodes(t))}

    return sample


if __name__ == "__main__":
    command.run(read)

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
POSE = [f"position.{axis}" for axis in "xyz"] + [f"rotation.{axis}" for axis in "xyzw"]
RAY = [f"{part}.{axis}" for part in ("origin", "direction") for axis in "xyz"]


class Curve:
    def __init__(self, pre, post, keys):
        self.pre, self.post = pre, post
        self.keys = sorted((key for key in keys if math.isfinite(key[0])), key=lambda key: key[0])
        self.times = [key[0] for key in self.keys]

    def wrapped(self, t):
        b, e = self.times[0], self.times[-1]
        if b <= t <= e:
            return t
        mode, length = self.pre if t < b else self.post, e - b
        if mode == 2 and length > 0:
            return b + (t - b) % length
        if mode == 4 and length > 0:
            return e - abs(length - (t - b) % (2 * length))
        return b if t < b else e

    def value(self, t):
        if not self.keys:
            return 0.0
        if len(self.keys) == 1:
            return self.keys[0][1]
        t = self.wrapped(t)
        i = bisect.bisect_right(self.times, t) - 1
        left = self.keys[max(i, 0)]
        if i < 0 or i + 1 == len(self.keys) or left[0] == t:
            return left[1]
        return between(left, self.keys[i + 1], t)

    def is_on(self, t):
        if not self.keys:
            return False
        t = self.wrapped(t) if len(self.keys) > 1 else t
        return self.keys[max(bisect.bisect_right(self.times, t) - 1, 0)][1] > 0.5


def between(left, right, t):
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
        self.data, self.at = data, 0

    def take(self, layout):
        size = struct.calcsize("<" + layout)
        if self.at + size > len(self.data):
            raise ValueError(f"the end of the file at {self.at}")
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += size
        return values

    def string(self):
        length = shift = 0
        while True:
            (byte,) = self.take("B")
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return self.take(f"{length}s")[0].decode(errors="replace")

    def curve(self, key):
        pre, post, count = self.take("iii")
        if count < 0:
            raise ValueError(f"a count below 0 at {self.at}")
        size = struct.calcsize("<" + key)
        if count * size > len(self.data) - self.at:
            raise ValueError(f"{count} keys at {self.at}")
        keys = list(struct.iter_unpack("<" + key, self.data[self.at : self.at + count * size]))
        self.at += count * size
        return Curve(pre, post, keys)


def body(data, version, key):
    """The parts by name, in file order: each a list of (property, curve)."""
    file = Bytes(data)
    file.at = 16
    camera, hands, gaze = file.take("BBB") if version == (1, 1) else (1, 1, 0)
    parts = []
    pose = lambda: [(name, file.curve(key)) for name in POSE]
    if camera:
        parts.append(("camera", pose()))
    if hands:
        for name in ("tracked", "pinch"):
            for side in ("left", "right"):
                parts.append((side, [(name, file.curve("ff"))]))
        for side in ("left", "right"):
            parts += [(f"{side}/{joint}", pose()) for joint in JOINTS]
    if gaze:
        parts.append(("gaze", [(name, file.curve(key)) for name in RAY]))
    if file.at < len(data):
        (count,) = file.take("i")
        for _ in range(count):
            file.take("f")
            file.string()
    if file.at != len(data):
        raise ValueError(f"{len(data) - file.at} more bytes")
    return [(name, curves) for name, curves in parts if not name.endswith("/None")]


def decode(data):
    magic, *version = struct.unpack_from("<qii", data)
    version = tuple(version)
    if magic != MAGIC or version not in ((1, 0), (1, 1)):
        raise ValueError("no MRTK input animation")
    if version == (1, 0):
        return body(data, version, "ffffffi")
    try:
        return body(data, version, "ff")
    except ValueError:
        return body(data, version, "ffffffi")


def is_w_lost(x, y, z, w):
    if not x.times == y.times == z.times or len(x.keys) < 2:
        return False
    if len(w.keys) == 2 and w.keys[1][1] == z.keys[-1][1]:
        last = math.hypot(*(curve.keys[-1][1] for curve in (x, y, z, w)))
        return len(x.keys) > 2 or abs(last - 1) >= 0.001
    return len(w.keys) == 1


def rebuilt_w(x, y, z, w, bone):
    """The curve of W that brings the others to unit length. `bone` tells its direction at a time."""
    sign, keys = math.copysign(1.0, w.keys[0][1]), []
    for t, *imaginary in zip(x.times, *([key[1] for key in curve.keys] for curve in (x, y, z))):
        size = math.sqrt(max(0.0, 1 - sum(part * part for part in imaginary)))
        direction = bone(t)
        if direction:
            plus, minus = (fit([*imaginary, w], direction) for w in (size, -size))
            if abs(plus - minus) > 0.002:
                sign = math.copysign(1.0, plus - minus)
        (single,) = struct.unpack("<f", struct.pack("<f", sign * size))
        keys.append((t, single))
    return Curve(x.pre, x.post, keys)


def fit(q, direction):
    """The cosine between a direction and the +Z of a rotation."""
    x, y, z, w = (part / math.hypot(*q) for part in q)
    forward = (2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))
    return sum(a * b for a, b in zip(forward, direction))


def bone_of(name, positions):
    """The direction of a joint's bone, from the joint to the next."""
    side, _, joint = name.partition("/")
    if joint in ("Wrist", "Palm"):
        ends = joint, "MiddleKnuckle"
    elif joint:
        index = JOINTS.index(joint) - joint.endswith("Tip")
        ends = JOINTS[index], JOINTS[index + 1]
    else:
        return lambda t: None

    def direction(t):
        a, b = ([curve.value(t) for curve in positions[f"{side}/{end}"]] for end in ends)
        way = [q - p for p, q in zip(a, b)]
        length = math.hypot(*way)
        return [part / length for part in way] if length > 0 else None

    return direction


def continuous(curves):
    """The same curves, keys negated so that each turns the short way from the one before it."""
    if any(curve.times != curves[0].times for curve in curves):
        return curves
    if any(len(key) > 2 for key in curves[0].keys):
        negate = lambda key: (key[0], *(-part for part in key[1:4]), *key[4:])
    else:
        negate = lambda key: (key[0], -key[1])
    columns, before = [[] for _ in curves], None
    for keys in zip(*(curve.keys for curve in curves)):
        if before and sum(key[1] * old[1] for key, old in zip(keys, before)) < 0:
            keys = [negate(key) for key in keys]
        for column, key in zip(columns, keys):
            column.append(key)
        before = keys
    return [Curve(curve.pre, curve.post, keys) for curve, keys in zip(curves, columns)]


def read(path, _request):
    with open(path, "rb") as file:
        parts = decode(file.read())
    named = [(name, prop, curve) for name, curves in parts for prop, curve in curves]
    tracked = {name: curve for name, prop, curve in named if prop == "tracked"}
    poses = [(name, [curve for _, curve in curves]) for name, curves in parts if len(curves) == 7]
    positions = {name: curves[:3] for name, curves in poses}
    placed = []
    for name, curves in poses:
        rotation = curves[3:]
        if is_w_lost(*rotation):
            rotation[3] = rebuilt_w(*rotation, bone_of(name, positions))
        placed.append((name, curves[:3], continuous(rotation)))

    def nodes(t):
        for name, position, rotation in placed:
            q = [curve.value(t) for curve in rotation]
            length = math.hypot(*q)
            if not length > 1e-6:
                continue
            x, y, z = (curve.value(t) for curve in position)
            q = [-q[0] / length, -q[1] / length, q[2] / length, q[3] / length]
            hand = tracked.get(name.split("/")[0])
            yield command.node(name, [x, y, -z], q, hand is None or hand.is_on(t))

    def sample(t):
        switches = ("tracked", "pinch")
        value = lambda prop, curve: curve.is_on(t) if prop in switches else curve.value(t)
        shown = lambda prop, curve: value(prop, curve) if curve.keys else None
        values = [(name, prop, shown(prop, curve)) for name, prop, curve in named]
        return {"tracks": command.tracks(values), "nodes": list(nodes(t))}

    return sample


if __name__ == "__main__":
    command.run(read)

"""A reader of Metroid Prime's animations and skeletons, written from docs/formats/prime.md alone."""

import bisect
import math
import struct

import command

NONE = 0xFF
DEMO, MP1, MP2 = "demo", "mp1", "mp2"


class Broken(Exception):
    """A rule of the layout is broken."""


def rule(holds):
    if not holds:
        raise Broken


class Bytes:
    def __init__(self, data):
        self.data, self.at, self.doubts = data, 0, 0

    def take(self, layout):
        size = struct.calcsize(">" + layout)
        rule(self.at + size <= len(self.data))
        values = struct.unpack_from(">" + layout, self.data, self.at)
        self.at += size
        return values

    def one(self, layout):
        return self.take(layout)[0]

    def counted(self, layout):
        count = self.one("I")
        rule(count <= len(self.data))
        return [self.take(layout) for _ in range(count)]

    def doubt(self, is_doubtful, weight=1):
        self.doubts += weight if is_doubtful else 0

    def tail(self):
        rest = self.data[self.at :]
        is_padding = all(byte == 0xFF for byte in rest)
        self.doubt(not is_padding, 4)
        self.doubt(is_padding and len(rest) >= 32)


def bits(words):
    """A function that takes so many bits, least significant ones first."""
    stream = sum(word << 32 * index for index, word in enumerate(words))
    at = 0

    def take(width):
        nonlocal at
        value = stream >> at & ((1 << width) - 1)
        at += width
        return value

    return take


def signed(value, width):
    return value - (1 << width) if width and value >> (width - 1) else value


def numbered(indices):
    there = sorted(index for index in indices if index != NONE)
    rule(there == list(range(len(there))))
    return len(there)


def times(file, has_state):
    duration = file.one("f")
    rule(math.isfinite(duration) and duration >= 0)
    if has_state:
        file.one("I")
    interval = file.one("f")
    rule(0.0001 <= interval <= 10)
    if has_state:
        file.one("I")
    return duration, interval


def arrays(file, game):
    _, interval = times(file, True)
    (frames, _root) = file.take("II")
    rule(frames > 0)
    slots = [slot for (slot,) in file.counted("B")]
    channels = numbered(slots)
    rule(1 <= channels <= 100)
    kinds = ["rotation", "translation", "scale"] if game == MP2 else ["translation"]
    index = {"rotation": list(range(channels))}
    for kind in kinds:
        index[kind] = [track for (track,) in file.counted("B")]
        rule(len(index[kind]) == channels)
    found = []
    for kind, size in (("scale", 3), ("rotation", 4), ("translation", 3)):
        if kind not in index:
            continue
        keys = file.counted(f"{size}f")
        rule(len(keys) == numbered(index[kind]) * frames)
        for track in range(len(keys) // frames):
            channel = index[kind].index(track)
            values = keys[track * frames : (track + 1) * frames]
            if kind == "rotation":
                values = [(x, y, z, w) for w, x, y, z in values]
            found.append((slots.index(channel), kind, values))
    if game == MP1:
        file.one("I")
    file.tail()
    return [frame * interval for frame in range(frames)], found


def attribute(file, count):
    keys = file.one("H")
    if not keys:
        return None
    file.doubt(keys != count)
    axes = [file.take("hB") for _ in range(3)]
    rule(all(width <= 32 for _, width in axes))
    return axes


def stream(file, game):
    start = file.at
    size = file.one("I")
    if game == MP1:
        file.one("I")
    file.doubt(file.one("H") != 0x0101 if game == MP2 else file.one("I") != 1)
    duration, interval = times(file, False)
    _root, looping, divisor, move = file.take("IIIf")
    file.doubt(looping > 1)
    rule(divisor > 0 and math.isfinite(move))
    grow = file.one("f") if game == MP2 else 1.0
    rule(math.isfinite(grow))
    count = file.one("I")
    rule(1 <= count <= 100)
    file.doubt(file.one("I") != 1)
    frame_count = file.one("I")
    rule(frame_count <= 8 * len(file.data))
    take = bits(file.take(f"{(frame_count + 31) // 32}I"))
    frames = [frame for frame in range(frame_count) if take(1)]
    rule(frames and frames[0] == 0)
    file.doubt(frames[-1] != frame_count - 1)
    file.doubt(frame_count != math.floor(duration / interval + 0.5) + 1)
    for _ in range(1 if game == MP2 else 2):
        rule(file.one("I") == count)
    descriptors = []
    kinds = ["rotation", "translation"] + ["scale"] * (game == MP2)
    for _ in range(count):
        bone = file.one("B" if game == MP2 else "I")
        rule(bone < 256)
        file.doubt(bone in [other for other, _ in descriptors])
        attributes = {kind: attribute(file, len(frames) - 1) for kind in kinds}
        descriptors.append((bone, attributes))
    file.doubt(not descriptors[0][1]["rotation"])
    tracks = [
        (bone, kind, axes)
        for bone, attributes in descriptors
        for kind, axes in attributes.items()
        if axes
    ]
    record = sum(sum(w for _, w in axes) + (kind == "rotation") for _, kind, axes in tracks)
    take = bits(file.take(f"{(record * (len(frames) - 1) + 31) // 32}I"))
    file.doubt(file.at - start != size)
    file.tail()
    columns = [[(0, [first for first, _ in axes])] for _, _, axes in tracks]
    for _ in frames[1:]:
        for (_, kind, axes), column in zip(tracks, columns):
            negative = take(1) if kind == "rotation" else 0
            sums = [b + signed(take(w), w) for b, (_, w) in zip(column[-1][1], axes)]
            column.append((negative, [signed(value & 0xFFFF, 16) for value in sums]))
    factor = {"translation": move, "scale": grow}
    value = lambda kind, key: (
        rotation(key, divisor) if kind == "rotation" else [n * factor[kind] for n in key[1]]
    )
    found = [
        (bone, kind, [value(kind, key) for key in column])
        for (bone, kind, _), column in zip(tracks, columns)
    ]
    return [frame * interval for frame in frames], found


def rotation(key, divisor):
    negative, numbers = key
    x, y, z = (math.sin(number * math.pi / 2 / divisor) for number in numbers)
    rest = 1 - x * x - y * y - z * z
    if rest <= 0:
        length = math.hypot(x, y, z)
        return (x / length, y / length, z / length, 0.0)
    return (x, y, z, -math.sqrt(rest) if negative else math.sqrt(rest))


def likeliest(data, layouts):
    """What the layout with the fewest doubts reads; the first of equals."""
    read = []
    for layout in layouts:
        file = Bytes(data)
        try:
            result = layout(file)
        except Broken:
            continue
        read.append((file.doubts, len(read), result))
    if not read:
        raise ValueError("no layout fits")
    return min(read)[2]


def animation(data):
    (version,) = struct.unpack_from(">I", data)
    layouts = {0: (arrays, [MP2, MP1]), 2: (stream, [MP2, MP1, DEMO])}
    if version not in layouts:
        raise ValueError(f"version {version}")
    read, games = layouts[version]
    return likeliest(
        data, [lambda file, game=game: (file.one("I"), read(file, game))[1] for game in games]
    )


def skeleton(data):
    return likeliest(data, [lambda file, game=game: bones(file, game) for game in (MP2, MP1)])


def bones(file, game):
    found = {}
    links, count = [], file.one("I")
    rule(count <= len(file.data))
    units = True
    for _ in range(count):
        bone, parent = file.take("II")
        origin = file.take("3f")
        file.doubt(not all(map(math.isfinite, origin)))
        if game == MP2:
            for _ in range(2):
                units &= abs(math.hypot(*file.take("4f")) - 1) < 1e-3
        links += [link for (link,) in file.counted("I") if link != parent]
        file.doubt(bone in found)
        found.setdefault(bone, {"parent": parent, "origin": origin, "name": f"bone_{bone}"})
    file.doubt(not units, count)
    file.doubt(any(link not in found for link in links))
    order = [bone for (bone,) in file.counted("I")]
    file.doubt(sorted(order) != sorted(found))
    for _ in range(file.one("I")):
        end = file.data.find(0, file.at)
        rule(end >= 0)
        name = file.data[file.at : end].decode(errors="replace")
        file.at = end + 1
        bone = file.one("I")
        if bone in found:
            found[bone]["name"] = name
    file.tail()
    return found


def slerp(a, b, u):
    dot = max(-1.0, min(1.0, sum(x * y for x, y in zip(a, b))))
    angle = math.acos(dot)
    if math.sin(angle) < 1e-6:
        q = [(1 - u) * x + u * y for x, y in zip(a, b)] if dot > 0 else list(a)
    else:
        q = [math.sin((1 - u) * angle) * x + math.sin(u * angle) * y for x, y in zip(a, b)]
    return normalised(q)


def normalised(q):
    length = math.hypot(*q)
    return [x / length for x in q]


def value(times, kind, keys, t):
    if t <= times[0]:
        return list(keys[0])
    i = bisect.bisect_right(times, t) - 1
    if i + 1 == len(times) or times[i] == t:
        return list(keys[i])
    u = (t - times[i]) / (times[i + 1] - times[i])
    if kind == "rotation":
        return slerp(normalised(keys[i]), normalised(keys[i + 1]), u)
    return [a + (b - a) * u for a, b in zip(keys[i], keys[i + 1])]


def product(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]


def turned(q, v):
    x, y, z, _ = product(product(q, [*v, 0.0]), [-q[0], -q[1], -q[2], q[3]])
    return [x, y, z]


def pose(bones, values):
    """Each bone's world position, world rotation and own scale."""
    placed = {}

    def place(bone):
        if bone in placed:
            return placed[bone]
        one = bones[bone]
        parent = one["parent"] if one["parent"] in bones else None
        above = bones[parent]["origin"] if parent is not None else [0.0] * 3
        offset = [a - b for a, b in zip(one["origin"], above)]
        r = normalised(values.get((bone, "rotation"), [0.0, 0.0, 0.0, 1.0]))
        t = values.get((bone, "translation"), offset)
        s = values.get((bone, "scale"), [1.0, 1.0, 1.0])
        if parent is None:
            placed[bone] = (list(t), r, s)
        else:
            position, rotation, scale = place(parent)
            moved = turned(rotation, [a * b for a, b in zip(scale, t)])
            world = [a + b for a, b in zip(position, moved)]
            placed[bone] = (world, product(rotation, r), s)
        return placed[bone]

    for bone in bones:
        place(bone)
    return placed


def read(path, request):
    with open(path, "rb") as file:
        times, tracks = animation(file.read())
    bones = {}
    if rig := request.get("rig"):
        with open(rig, "rb") as file:
            bones = skeleton(file.read())
    name = lambda bone: bones[bone]["name"] if bone in bones else f"bone_{bone}"

    def sample(t):
        values = [(bone, kind, value(times, kind, keys, t)) for bone, kind, keys in tracks]
        shown = command.tracks((name(bone), kind, found) for bone, kind, found in values)
        posed = pose(bones, {(bone, kind): found for bone, kind, found in values})
        nodes = [
            command.node(name(bone), [p[0], p[2], -p[1]], [q[0], q[2], -q[1], q[3]])
            for bone, (p, q, _) in ((bone, posed[bone]) for bone in bones)
        ]
        return {"tracks": shown, "nodes": nodes}

    return sample


if __name__ == "__main__":
    command.run(read)

"""A reader of Metroid Prime's animations and skeletons, written from docs/formats/prime.md alone."""

import bisect
import math
import struct

import command

NO_TRACK = 0xFF
DEMO, MP1, MP2 = "demo", "mp1", "mp2"


class LayoutError(Exception):
    """An error of a file that violates the layout."""


def require(condition):
    if not condition:
        raise LayoutError


class Bytes:
    def __init__(self, data):
        self.data, self.offset, self.doubts = data, 0, 0

    def take(self, layout):
        size = struct.calcsize(">" + layout)
        require(self.offset + size <= len(self.data))
        values = struct.unpack_from(">" + layout, self.data, self.offset)
        self.offset += size
        return values

    def read_one(self, layout):
        return self.take(layout)[0]

    def read_list(self, layout):
        count = self.read_one("I")
        require(count <= len(self.data))
        return [self.take(layout) for _ in range(count)]

    def add_doubt(self, is_doubtful, weight=1):
        self.doubts += weight if is_doubtful else 0

    def check_tail(self):
        rest = self.data[self.offset :]
        is_padding = all(byte == 0xFF for byte in rest)
        self.add_doubt(not is_padding, 4)
        self.add_doubt(is_padding and len(rest) >= 32)


def bit_reader(words):
    """Returns a function that reads a number of bits, least significant first."""
    stream = sum(word << 32 * index for index, word in enumerate(words))
    position = 0

    def take(width):
        nonlocal position
        value = stream >> position & ((1 << width) - 1)
        position += width
        return value

    return take


def to_signed(value, width):
    return value - (1 << width) if width and value >> (width - 1) else value


def count_tracks(indices):
    used_indices = sorted(index for index in indices if index != NO_TRACK)
    require(used_indices == list(range(len(used_indices))))
    return len(used_indices)


def times(file, has_state):
    duration = file.read_one("f")
    require(math.isfinite(duration) and duration >= 0)
    if has_state:
        file.read_one("I")
    interval = file.read_one("f")
    require(0.0001 <= interval <= 10)
    if has_state:
        file.read_one("I")
    return duration, interval


def read_arrays(file, game):
    _, interval = times(file, True)
    (frames, _root) = file.take("II")
    require(frames > 0)
    slots = [slot for (slot,) in file.read_list("B")]
    channels = count_tracks(slots)
    require(1 <= channels <= 100)
    kinds = ["rotation", "translation", "scale"] if game == MP2 else ["translation"]
    index = {"rotation": list(range(channels))}
    for kind in kinds:
        index[kind] = [track for (track,) in file.read_list("B")]
        require(len(index[kind]) == channels)
    found = []
    for kind, size in (("scale", 3), ("rotation", 4), ("translation", 3)):
        if kind not in index:
            continue
        keys = file.read_list(f"{size}f")
        require(len(keys) == count_tracks(index[kind]) * frames)
        for track in range(len(keys) // frames):
            channel = index[kind].index(track)
            values = keys[track * frames : (track + 1) * frames]
            if kind == "rotation":
                values = [(x, y, z, w) for w, x, y, z in values]
            found.append((slots.index(channel), kind, values))
    if game == MP1:
        file.read_one("I")
    file.check_tail()
    return [frame * interval for frame in range(frames)], found


def read_attribute(file, count):
    keys = file.read_one("H")
    if not keys:
        return None
    file.add_doubt(keys != count)
    axes = [file.take("hB") for _ in range(3)]
    require(all(width <= 32 for _, width in axes))
    return axes


def stream(file, game):
    start = file.offset
    size = file.read_one("I")
    if game == MP1:
        file.read_one("I")
    file.add_doubt(file.read_one("H") != 0x0101 if game == MP2 else file.read_one("I") != 1)
    duration, interval = times(file, False)
    _root, looping, divisor, translation_factor = file.take("IIIf")
    file.add_doubt(looping > 1)
    require(divisor > 0 and math.isfinite(translation_factor))
    scale_factor = file.read_one("f") if game == MP2 else 1.0
    require(math.isfinite(scale_factor))
    count = file.read_one("I")
    require(1 <= count <= 100)
    file.add_doubt(file.read_one("I") != 1)
    frame_count = file.read_one("I")
    require(frame_count <= 8 * len(file.data))
    take = bit_reader(file.take(f"{(frame_count + 31) // 32}I"))
    frames = [frame for frame in range(frame_count) if take(1)]
    require(frames and frames[0] == 0)
    file.add_doubt(frames[-1] != frame_count - 1)
    file.add_doubt(frame_count != math.floor(duration / interval + 0.5) + 1)
    for _ in range(1 if game == MP2 else 2):
        require(file.read_one("I") == count)
    descriptors = []
    kinds = ["rotation", "translation"] + ["scale"] * (game == MP2)
    for _ in range(count):
        bone = file.read_one("B" if game == MP2 else "I")
        require(bone < 256)
        file.add_doubt(bone in [other for other, _ in descriptors])
        attributes = {kind: read_attribute(file, len(frames) - 1) for kind in kinds}
        descriptors.append((bone, attributes))
    file.add_doubt(not descriptors[0][1]["rotation"])
    tracks = [
        (bone, kind, axes)
        for bone, attributes in descriptors
        for kind, axes in attributes.items()
        if axes
    ]
    record = sum(sum(w for _, w in axes) + (kind == "rotation") for _, kind, axes in tracks)
    take = bit_reader(file.take(f"{(record * (len(frames) - 1) + 31) // 32}I"))
    file.add_doubt(file.offset - start != size)
    file.check_tail()
    columns = [[(0, [first for first, _ in axes])] for _, _, axes in tracks]
    for _ in frames[1:]:
        for (_, kind, axes), column in zip(tracks, columns):
            negative = take(1) if kind == "rotation" else 0
            sums = [b + to_signed(take(w), w) for b, (_, w) in zip(column[-1][1], axes)]
            column.append((negative, [to_signed(value & 0xFFFF, 16) for value in sums]))
    factor = {"translation": translation_factor, "scale": scale_factor}
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


def read_likeliest(data, layouts):
    """Returns the result of the layout with the fewest doubts, and of the first one if several have equally few."""
    read = []
    for layout in layouts:
        file = Bytes(data)
        try:
            result = layout(file)
        except LayoutError:
            continue
        read.append((file.doubts, len(read), result))
    if not read:
        raise ValueError("the file fits no known layout")
    return min(read)[2]


def read_animation(data):
    (version,) = struct.unpack_from(">I", data)
    layouts = {0: (read_arrays, [MP2, MP1]), 2: (stream, [MP2, MP1, DEMO])}
    if version not in layouts:
        raise ValueError(f"expected version 0 or 2, found {version}")
    read, games = layouts[version]
    return read_likeliest(
        data, [lambda file, game=game: (file.read_one("I"), read(file, game))[1] for game in games]
    )


def read_skeleton(data):
    return read_likeliest(data, [lambda file, game=game: bones(file, game) for game in (MP2, MP1)])


def bones(file, game):
    found = {}
    links, count = [], file.read_one("I")
    require(count <= len(file.data))
    units = True
    for _ in range(count):
        bone, parent = file.take("II")
        origin = file.take("3f")
        file.add_doubt(not all(map(math.isfinite, origin)))
        if game == MP2:
            for _ in range(2):
                units &= abs(math.hypot(*file.take("4f")) - 1) < 1e-3
        links += [link for (link,) in file.read_list("I") if link != parent]
        file.add_doubt(bone in found)
        found.setdefault(bone, {"parent": parent, "origin": origin, "name": f"bone_{bone}"})
    file.add_doubt(not units, count)
    file.add_doubt(any(link not in found for link in links))
    order = [bone for (bone,) in file.read_list("I")]
    file.add_doubt(sorted(order) != sorted(found))
    for _ in range(file.read_one("I")):
        end = file.data.find(0, file.offset)
        require(end >= 0)
        name = file.data[file.offset : end].decode(errors="replace")
        file.offset = end + 1
        bone = file.read_one("I")
        if bone in found:
            found[bone]["name"] = name
    file.check_tail()
    return found


def slerp(a, b, u):
    dot = max(-1.0, min(1.0, sum(x * y for x, y in zip(a, b))))
    angle = math.acos(dot)
    if math.sin(angle) < 1e-6:
        q = [(1 - u) * x + u * y for x, y in zip(a, b)] if dot > 0 else list(a)
    else:
        q = [math.sin((1 - u) * angle) * x + math.sin(u * angle) * y for x, y in zip(a, b)]
    return normalise(q)


def normalise(q):
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
        return slerp(normalise(keys[i]), normalise(keys[i + 1]), u)
    return [a + (b - a) * u for a, b in zip(keys[i], keys[i + 1])]


def multiply(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]


def rotate(q, v):
    x, y, z, _ = multiply(multiply(q, [*v, 0.0]), [-q[0], -q[1], -q[2], q[3]])
    return [x, y, z]


def pose_bones(bones, values):
    """Returns the world position, world rotation and local scale of each bone."""
    transforms = {}

    def pose_bone(bone):
        if bone in transforms:
            return transforms[bone]
        one = bones[bone]
        parent = one["parent"] if one["parent"] in bones else None
        parent_origin = bones[parent]["origin"] if parent is not None else [0.0] * 3
        offset = [a - b for a, b in zip(one["origin"], parent_origin)]
        r = normalise(values.get((bone, "rotation"), [0.0, 0.0, 0.0, 1.0]))
        t = values.get((bone, "translation"), offset)
        s = values.get((bone, "scale"), [1.0, 1.0, 1.0])
        if parent is None:
            transforms[bone] = (list(t), r, s)
        else:
            position, rotation, scale = pose_bone(parent)
            moved = rotate(rotation, [a * b for a, b in zip(scale, t)])
            world = [a + b for a, b in zip(position, moved)]
            transforms[bone] = (world, multiply(rotation, r), s)
        return transforms[bone]

    for bone in bones:
        pose_bone(bone)
    return transforms


def read(path, request):
    with open(path, "rb") as file:
        times, tracks = read_animation(file.read())
    bones = {}
    if rig := request.get("rig"):
        with open(rig, "rb") as file:
            bones = read_skeleton(file.read())
    name = lambda bone: bones[bone]["name"] if bone in bones else f"bone_{bone}"

    def sample(t):
        values = [(bone, kind, value(times, kind, keys, t)) for bone, kind, keys in tracks]
        shown = command.format_tracks((name(bone), kind, found) for bone, kind, found in values)
        posed = pose_bones(bones, {(bone, kind): found for bone, kind, found in values})
        nodes = [
            command.format_node(name(bone), [p[0], p[2], -p[1]], [q[0], q[2], -q[1], q[3]])
            for bone, (p, q, _) in ((bone, posed[bone]) for bone in bones)
        ]
        return {"tracks": shown, "nodes": nodes}

    return sample


if __name__ == "__main__":
    command.run(read)

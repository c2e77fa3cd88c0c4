"""A reader of Resonite's AnimJ and AnimX, written from docs/formats/animj.md alone."""

import bisect
import json
import lzma
import math
import struct

import command

TYPES = (
    "bool bool2 bool3 bool4 byte ushort uint ulong sbyte short int long int2 int3 int4 uint2 uint3 "
    "uint4 long2 long3 long4 float float2 float3 float4 floatQ float2x2 float3x3 float4x4 double "
    "double2 double3 double4 doubleQ double2x2 double3x3 double4x4 color color32 string"
).split()
LETTERS = {
    "byte": "B", "ushort": "H", "uint": "I", "ulong": "Q", "sbyte": "b", "short": "h", "int": "i",
    "long": "q", "float": "f", "double": "d", "color": "f",
}  # fmt: skip
TRACKS = ["Raw", "Discrete", "Curve", "Bezier"]
HOLD, LINEAR, TANGENT, CUBIC = range(4)
INTERPOLATIONS = ["hold", "linear", "tangent", "cubicbezier"]


class Type:
    def __init__(self, name):
        self.name = name
        self.members = "xyzw"
        self.is_quaternion = name.endswith("Q")
        self.is_matrix = "x" in name
        if name in ("color", "color32"):
            self.members, self.count, self.letter = "rgba", 4, "B" if name == "color32" else "f"
            return
        base = name.rstrip("Q234x")
        size = name[len(base) :]
        self.count = 4 if self.is_quaternion else int(size[0]) ** (2 if self.is_matrix else 1) if size else 1
        self.letter = LETTERS.get(base, base)

    @property
    def holds(self):
        return self.letter in ("bool", "string")

    @property
    def is_whole(self):
        return self.letter in "BHIQbhiq"

    @property
    def bounds(self):
        bits = 8 * struct.calcsize("<" + self.letter)
        return (0, 2**bits - 1) if self.letter.isupper() else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)

    def zero(self, member=None):
        if self.letter == "string":
            return None
        if self.letter == "bool":
            return False
        if self.members == "rgba" and member == "a":
            return 255 if self.letter == "B" else 1.0
        return 0 if self.is_whole else 0.0

    def of_json(self, value):
        """The components of a value in AnimJ."""
        if self.letter == "string":
            return [value]
        if self.count == 1:
            return [self.component(value, None)]
        value = value or {}
        return [self.component(value.get(m), m) for m in self.members[: self.count]]

    def component(self, value, member):
        if value is None:
            return self.zero(member)
        if isinstance(value, str):
            value = json.loads(value)
        return value if self.letter == "bool" or self.is_whole else float(value)


class Track:
    def __init__(self, node, prop, kind, type, interval=None):
        self.node, self.prop, self.kind, self.type, self.interval = node, prop, kind, type, interval
        self.keys = []  # (time, components, interpolation, left, right)

    def finish(self):
        if self.kind == "Raw":
            distance = self.interval or 0.0
            self.keys = [(i * distance, *key[1:]) for i, key in enumerate(self.keys)]
        else:
            self.keys.sort(key=lambda key: key[0])
        self.times = [key[0] for key in self.keys]
        return self

    def value(self, t):
        if not self.keys:
            return None
        values = self.components(t)
        return values[0] if len(values) == 1 else values

    def components(self, t):
        keys = self.keys
        if self.kind == "Raw" and not (self.interval and self.interval > 0):
            return keys[0][1]
        i = bisect.bisect_right(self.times, t) - 1
        if i < 0 or i + 1 == len(keys) or self.times[i] == t:
            return keys[max(i, 0)][1]
        how = {"Raw": LINEAR, "Discrete": HOLD}.get(self.kind, keys[i][2])
        if self.type.holds or how == HOLD:
            return keys[i][1]
        duration = keys[i + 1][0] - keys[i][0]
        u = (t - keys[i][0]) / duration
        if self.type.is_quaternion and how == LINEAR:
            return slerp(keys[i][1], keys[i + 1][1], u)
        found = [
            between(how, *ends, duration, u)
            for ends in zip(*(map(float, part) for part in (keys[i][1], keys[i][4], keys[i + 1][3], keys[i + 1][1])))
        ]
        if self.type.is_quaternion:
            return unit(found)
        if self.type.is_whole:
            low, high = self.type.bounds
            return [max(low, min(high, nearest(value))) for value in found]
        return found


def between(how, v0, right, left, v1, d, u):
    if how == LINEAR:
        return v0 + (v1 - v0) * u
    if how == CUBIC:
        return (1 - u) ** 3 * v0 + 3 * (1 - u) ** 2 * u * right + 3 * (1 - u) * u**2 * left + u**3 * v1
    return (
        (2 * u**3 - 3 * u**2 + 1) * v0
        + (u**3 - 2 * u**2 + u) * d * right
        + (3 * u**2 - 2 * u**3) * v1
        + (u**3 - u**2) * d * left
    )


def nearest(value):
    """Rounded, halves away from zero."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def unit(q):
    length = math.hypot(*q)
    return [x / length for x in q] if length >= 1e-6 else [0.0] * 4


def slerp(a, b, u):
    a, b = unit(a), unit(b)
    if not any(a) or not any(b):
        return unit([(1 - u) * x + u * y for x, y in zip(a, b)])
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = [-x for x in b], -dot
    angle = math.acos(min(1.0, dot))
    if math.sin(angle) < 1e-6:
        return unit([(1 - u) * x + u * y for x, y in zip(a, b)])
    return unit([math.sin((1 - u) * angle) * x + math.sin(u * angle) * y for x, y in zip(a, b)])


def animj(text):
    tracks = []
    for track in json.loads(text).get("tracks", []):
        type, data = Type(track["valueType"]), track.get("data", {})
        if type.is_matrix:
            continue
        kind = track["trackType"]
        read = Track(data.get("node", ""), data.get("property", ""), kind, type, data.get("interval"))
        none = [0.0] * type.count
        for key in data.get("keyframes", []):
            if kind == "Raw":
                read.keys.append((0.0, type.of_json(key), LINEAR, none, none))
                continue
            how = key.get("interpolation", CUBIC if kind == "Bezier" else HOLD)
            how = INTERPOLATIONS.index(how.lower()) if isinstance(how, str) else how
            left, right = (
                type.of_json(key[side]) if key.get(side) is not None else none
                for side in ("leftTangent", "rightTangent")
            )
            read.keys.append((key.get("time", 0.0), type.of_json(key.get("value")), how, left, right))
        tracks.append(read.finish())
    return tracks


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def one(self, letter):
        size = struct.calcsize("<" + letter)
        if self.at + size > len(self.data):
            raise ValueError("the end")
        (value,) = struct.unpack_from("<" + letter, self.data, self.at)
        self.at += size
        return value

    def packed(self):
        value = shift = 0
        while True:
            byte = self.one("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def string(self):
        return self.one(f"{self.packed()}s").decode(errors="replace")

    def value(self, type):
        if type.letter == "string":
            return [self.string() if self.one("B") else None]
        if type.letter == "bool":
            byte = self.one("B")
            return [bool(byte >> bit & 1) for bit in range(type.count)]
        return [self.one(type.letter) for _ in range(type.count)]


def animx(data):
    file = Bytes(data)
    if file.string() != "AnimX":
        raise ValueError("no AnimX")
    version, count, _duration, _name = file.one("i"), file.packed(), file.one("f"), file.string()
    encoding = file.one("B")
    rest = data[file.at :]
    if encoding == 1:
        rest = chunks(rest)
    if encoding == 2:
        rest = unpacked(rest)
    for first in ([], ["Curve"], ["Curve", "Discrete"]):
        tracks = animx_tracks(Bytes(rest), version, count, first)
        if tracks and all(track.ascends for track in tracks):
            return [track.finish() for track in tracks]
    return [track.finish() for track in animx_tracks(Bytes(rest), version, count, []) or []]


def unpacked(rest):
    properties, dictionary, plain, _packed = struct.unpack_from("<BIqq", rest)
    rest_of, lc = divmod(properties, 9)
    pb, lp = divmod(rest_of, 5)
    lzma1 = {"id": lzma.FILTER_LZMA1, "dict_size": max(dictionary, 4096), "lc": lc, "lp": lp, "pb": pb}
    decoder = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[lzma1])
    return decoder.decompress(rest[21:], max_length=plain)


def chunks(rest):
    """What chunks of LZ4 hold."""
    file, out = Bytes(rest), b""
    while file.at < len(rest):
        flags, plain = file.packed(), file.packed()
        data = file.one(f"{file.packed() if flags & 1 else plain}s")
        out += block(data) if flags & 1 else data
    return out


def block(data):
    """What a block of LZ4 holds."""
    file, out = Bytes(data), bytearray()

    def length(nibble):
        number, byte = nibble, 255 if nibble == 15 else 0
        while byte == 255:
            byte = file.one("B")
            number += byte
        return number

    while file.at < len(data):
        token = file.one("B")
        out += file.one(f"{length(token >> 4)}s")
        if file.at < len(data):
            distance = file.one("H")
            for _ in range(length(token & 15) + 4):
                out.append(out[-distance])
    return bytes(out)


def animx_tracks(file, version, count, value_first):
    try:
        return [animx_track(file, version, value_first) for _ in range(count)]
    except (ValueError, struct.error, IndexError):
        return None


def animx_track(file, version, value_first):
    first = file.one("B")
    kind, number = ("Curve" if first & 1 else "Raw", first >> 1) if version == 0 else (TRACKS[first], file.one("B"))
    type = Type(TYPES[number])
    track = Track(file.string(), file.string(), kind, type)
    count = file.packed()
    how, flags = [HOLD] * count, 0
    if kind == "Raw":
        track.interval = file.one("f")
    if kind == "Curve":
        flags = file.one("B")
        how = [file.one("B") for _ in range(count)] if flags & 1 else [file.one("B")] * count
    keys = []
    for _ in range(count):
        if kind == "Raw":
            keys.append((0.0, file.value(type)))
        elif kind in value_first:
            value = file.value(type)
            keys.append((file.one("f"), value))
        else:
            keys.append((file.one("f"), file.value(type)))
    sides = [[[0.0] * type.count] * 2] * count
    if flags & 2:
        sides = [[file.value(type), file.value(type)] for _ in range(count)]
    track.keys = [(*key, how, *side) for key, how, side in zip(keys, how, sides)]
    times = [key[0] for key in keys]
    track.ascends = times == sorted(times) and all(time >= 0 for time in times)
    return track


def read(path, _request):
    with open(path, "rb") as file:
        data = file.read()
    tracks = animx(data) if data.startswith(b"\x05AnimX") else animj(data.decode("utf-8-sig"))
    fields = {}
    for track in tracks:
        slot = fields.setdefault(track.node, {})
        vector, turn = ("float3", "double3"), ("floatQ", "doubleQ")
        if track.type.name in {"Position": vector, "Rotation": turn, "Scale": vector}.get(track.prop, ()):
            slot.setdefault(track.prop, track)

    def node(name, slot, t):
        field = lambda prop, rest: slot[prop].value(t) or rest if prop in slot else rest
        x, y, z = field("Position", [0.0] * 3)
        q = field("Rotation", [0.0, 0.0, 0.0, 1.0])
        q = unit(q) if any(q) else [0.0, 0.0, 0.0, 1.0]
        return command.node(name, [x, y, -z], [-q[0], -q[1], q[2], q[3]], bool(slot))

    def sample(t):
        values = command.tracks((track.node, track.prop, track.value(t)) for track in tracks)
        return {"tracks": values, "nodes": [node(name, slot, t) for name, slot in fields.items()]}

    return sample


if __name__ == "__main__":
    command.run(read)

"""A reader of Resonite's AnimJ and AnimX, written from docs/formats/animj.md alone."""

import bisect
import json
import lzma
import math
import struct

import command

VALUE_TYPES = (
    "bool bool2 bool3 bool4 byte ushort uint ulong sbyte short int long int2 int3 int4 uint2 uint3 "
    "uint4 long2 long3 long4 float float2 float3 float4 floatQ float2x2 float3x3 float4x4 double "
    "double2 double3 double4 doubleQ double2x2 double3x3 double4x4 color color32 string"
).split()
STRUCT_LETTERS = {
    "byte": "B", "ushort": "H", "uint": "I", "ulong": "Q", "sbyte": "b", "short": "h", "int": "i",
    "long": "q", "float": "f", "double": "d", "color": "f",
}  # fmt: skip
TRACK_KINDS = ["Raw", "Discrete", "Curve", "Bezier"]
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
        self.letter = STRUCT_LETTERS.get(base, base)

    @property
    def is_discrete(self):
        return self.letter in ("bool", "string")

    @property
    def is_integer(self):
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
        return 0 if self.is_integer else 0.0

    def from_json(self, value):
        """Returns the components of a JSON value in AnimJ."""
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
        return value if self.letter == "bool" or self.is_integer else float(value)


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

    def sample(self, t):
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
        interpolation = {"Raw": LINEAR, "Discrete": HOLD}.get(self.kind, keys[i][2])
        if self.type.is_discrete or interpolation == HOLD:
            return keys[i][1]
        duration = keys[i + 1][0] - keys[i][0]
        u = (t - keys[i][0]) / duration
        if self.type.is_quaternion and interpolation == LINEAR:
            return slerp(keys[i][1], keys[i + 1][1], u)
        found = [
            interpolate(interpolation, *ends, duration, u)
            for ends in zip(*(map(float, part) for part in (keys[i][1], keys[i][4], keys[i + 1][3], keys[i + 1][1])))
        ]
        if self.type.is_quaternion:
            return normalise(found)
        if self.type.is_integer:
            low, high = self.type.bounds
            return [max(low, min(high, round_half_away(value))) for value in found]
        return found


def interpolate(interpolation, v0, right, left, v1, d, u):
    if interpolation == LINEAR:
        return v0 + (v1 - v0) * u
    if interpolation == CUBIC:
        return (1 - u) ** 3 * v0 + 3 * (1 - u) ** 2 * u * right + 3 * (1 - u) * u**2 * left + u**3 * v1
    return (
        (2 * u**3 - 3 * u**2 + 1) * v0
        + (u**3 - 2 * u**2 + u) * d * right
        + (3 * u**2 - 2 * u**3) * v1
        + (u**3 - u**2) * d * left
    )


def round_half_away(value):
    """Rounds to the nearest integer, halves away from zero."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def normalise(q):
    length = math.hypot(*q)
    return [x / length for x in q] if length >= 1e-6 else [0.0] * 4


def slerp(a, b, u):
    a, b = normalise(a), normalise(b)
    if not any(a) or not any(b):
        return normalise([(1 - u) * x + u * y for x, y in zip(a, b)])
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = [-x for x in b], -dot
    angle = math.acos(min(1.0, dot))
    if math.sin(angle) < 1e-6:
        return normalise([(1 - u) * x + u * y for x, y in zip(a, b)])
    return normalise([math.sin((1 - u) * angle) * x + math.sin(u * angle) * y for x, y in zip(a, b)])


def decode_animj(text):
    tracks = []
    for track in json.loads(text).get("tracks", []):
        type, data = Type(track["valueType"]), track.get("data", {})
        if type.is_matrix:
            continue
        kind = track["trackType"]
        read = Track(data.get("node", ""), data.get("property", ""), kind, type, data.get("interval"))
        zeros = [0.0] * type.count
        for key in data.get("keyframes", []):
            if kind == "Raw":
                read.keys.append((0.0, type.from_json(key), LINEAR, zeros, zeros))
                continue
            interpolation = key.get("interpolation", CUBIC if kind == "Bezier" else HOLD)
            interpolation = INTERPOLATIONS.index(interpolation.lower()) if isinstance(interpolation, str) else interpolation
            left, right = (
                type.from_json(key[side]) if key.get(side) is not None else zeros
                for side in ("leftTangent", "rightTangent")
            )
            read.keys.append((key.get("time", 0.0), type.from_json(key.get("value")), interpolation, left, right))
        tracks.append(read.finish())
    return tracks


class Bytes:
    def __init__(self, data):
        self.data, self.offset = data, 0

    def read(self, letter):
        size = struct.calcsize("<" + letter)
        if self.offset + size > len(self.data):
            raise ValueError("expected more bytes, found the end of the file")
        (value,) = struct.unpack_from("<" + letter, self.data, self.offset)
        self.offset += size
        return value

    def read_packed(self):
        value = shift = 0
        while True:
            byte = self.read("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def read_string(self):
        return self.read(f"{self.read_packed()}s").decode(errors="replace")

    def read_value(self, type):
        if type.letter == "string":
            return [self.read_string() if self.read("B") else None]
        if type.letter == "bool":
            byte = self.read("B")
            return [bool(byte >> bit & 1) for bit in range(type.count)]
        return [self.read(type.letter) for _ in range(type.count)]


def decode_animx(data):
    file = Bytes(data)
    if file.read_string() != "AnimX":
        raise ValueError("expected AnimX")
    version, count, _duration, _name = file.read("i"), file.read_packed(), file.read("f"), file.read_string()
    encoding = file.read("B")
    rest = data[file.offset :]
    if encoding == 1:
        rest = decompress_chunks(rest)
    if encoding == 2:
        rest = decompress_lzma(rest)
    for first in ([], ["Curve"], ["Curve", "Discrete"]):
        tracks = read_tracks(Bytes(rest), version, count, first)
        if tracks and all(track.is_ascending for track in tracks):
            return [track.finish() for track in tracks]
    return [track.finish() for track in read_tracks(Bytes(rest), version, count, []) or []]


def decompress_lzma(rest):
    properties, dictionary, plain, _packed = struct.unpack_from("<BIqq", rest)
    remainder, lc = divmod(properties, 9)
    pb, lp = divmod(remainder, 5)
    lzma1 = {"id": lzma.FILTER_LZMA1, "dict_size": max(dictionary, 4096), "lc": lc, "lp": lp, "pb": pb}
    decoder = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[lzma1])
    return decoder.decompress(rest[21:], max_length=plain)


def decompress_chunks(rest):
    """Decompresses LZ4 chunks."""
    file, out = Bytes(rest), b""
    while file.offset < len(rest):
        flags, plain = file.read_packed(), file.read_packed()
        data = file.read(f"{file.read_packed() if flags & 1 else plain}s")
        out += decompress_block(data) if flags & 1 else data
    return out


def decompress_block(data):
    """Decompresses an LZ4 block."""
    file, out = Bytes(data), bytearray()

    def length(nibble):
        number, byte = nibble, 255 if nibble == 15 else 0
        while byte == 255:
            byte = file.read("B")
            number += byte
        return number

    while file.offset < len(data):
        token = file.read("B")
        out += file.read(f"{length(token >> 4)}s")
        if file.offset < len(data):
            distance = file.read("H")
            for _ in range(length(token & 15) + 4):
                out.append(out[-distance])
    return bytes(out)


def read_tracks(file, version, count, value_first):
    try:
        return [read_track(file, version, value_first) for _ in range(count)]
    except (ValueError, struct.error, IndexError):
        return None


def read_track(file, version, value_first):
    first = file.read("B")
    kind, number = ("Curve" if first & 1 else "Raw", first >> 1) if version == 0 else (TRACK_KINDS[first], file.read("B"))
    type = Type(VALUE_TYPES[number])
    track = Track(file.read_string(), file.read_string(), kind, type)
    count = file.read_packed()
    interpolation, flags = [HOLD] * count, 0
    if kind == "Raw":
        track.interval = file.read("f")
    if kind == "Curve":
        flags = file.read("B")
        interpolation = [file.read("B") for _ in range(count)] if flags & 1 else [file.read("B")] * count
    keys = []
    for _ in range(count):
        if kind == "Raw":
            keys.append((0.0, file.read_value(type)))
        elif kind in value_first:
            value = file.read_value(type)
            keys.append((file.read("f"), value))
        else:
            keys.append((file.read("f"), file.read_value(type)))
    sides = [[[0.0] * type.count] * 2] * count
    if flags & 2:
        sides = [[file.read_value(type), file.read_value(type)] for _ in range(count)]
    track.keys = [(*key, interpolation, *side) for key, interpolation, side in zip(keys, interpolation, sides)]
    times = [key[0] for key in keys]
    track.is_ascending = times == sorted(times) and all(time >= 0 for time in times)
    return track


def read(path, _request):
    with open(path, "rb") as file:
        data = file.read()
    tracks = decode_animx(data) if data.startswith(b"\x05AnimX") else decode_animj(data.decode("utf-8-sig"))
    fields = {}
    for track in tracks:
        slot = fields.setdefault(track.node, {})
        vector_types, quaternion_types = ("float3", "double3"), ("floatQ", "doubleQ")
        if track.type.name in {"Position": vector_types, "Rotation": quaternion_types, "Scale": vector_types}.get(track.prop, ()):
            slot.setdefault(track.prop, track)

    def node(name, slot, t):
        field = lambda prop, rest: slot[prop].sample(t) or rest if prop in slot else rest
        x, y, z = field("Position", [0.0] * 3)
        q = field("Rotation", [0.0, 0.0, 0.0, 1.0])
        q = normalise(q) if any(q) else [0.0, 0.0, 0.0, 1.0]
        return command.format_node(name, [x, y, -z], [-q[0], -q[1], q[2], q[3]], bool(slot))

    def sample(t):
        values = command.format_tracks((track.node, track.prop, track.sample(t)) for track in tracks)
        return {"tracks": values, "nodes": [node(name, slot, t) for name, slot in fields.items()]}

    return sample


if __name__ == "__main__":
    command.run(read)

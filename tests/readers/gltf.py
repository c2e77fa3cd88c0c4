"""A reader of the animations of glTF 2.0, written from docs/formats/gltf.md alone."""

import base64
import bisect
import json
import math
import os
import struct
import urllib.parse

import command

STRUCT_LETTERS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
MAX_INTEGERS = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535}
COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942


class File:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        binary = None
        if data[:4] == b"glTF":
            chunks, offset = {}, 12
            while offset < len(data):
                length, kind = struct.unpack_from("<II", data, offset)
                chunks.setdefault(kind, data[offset + 8 : offset + 8 + length])
                offset += 8 + length
            data, binary = chunks[JSON_CHUNK], chunks.get(BINARY_CHUNK)
        self.json = json.loads(data)
        self.buffers = [self.read_buffer(path, one, binary) for one in self.json.get("buffers", [])]

    def read_buffer(self, path, buffer, binary):
        uri = buffer.get("uri")
        if uri is None:
            return binary
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        with open(os.path.join(os.path.dirname(path), urllib.parse.unquote(uri)), "rb") as file:
            return file.read()

    def read_elements(self, view, offset, kind, components, count):
        """Reads elements of a buffer view."""
        view = self.json["bufferViews"][view]
        layout = f"<{components}{STRUCT_LETTERS[kind]}"
        stride = view.get("byteStride", struct.calcsize(layout))
        start = view.get("byteOffset", 0) + offset
        data = self.buffers[view["buffer"]]
        return [list(struct.unpack_from(layout, data, start + i * stride)) for i in range(count)]

    def read_accessor(self, index):
        accessor = self.json["accessors"][index]
        kind, components = accessor["componentType"], COMPONENTS[accessor["type"]]
        count = accessor["count"]
        elements = [[0] * components for _ in range(count)]
        if "bufferView" in accessor:
            elements = self.read_elements(accessor["bufferView"], accessor.get("byteOffset", 0), kind, components, count)
        if sparse := accessor.get("sparse"):
            read_sparse = lambda one, kind, size: self.read_elements(one["bufferView"], one.get("byteOffset", 0), kind, size, sparse["count"])
            indices = read_sparse(sparse["indices"], sparse["indices"]["componentType"], 1)
            for (i,), value in zip(indices, read_sparse(sparse["values"], kind, components)):
                elements[i] = value
        if accessor.get("normalized"):
            minimum = -1.0 if STRUCT_LETTERS[kind].islower() else 0.0
            elements = [[max(c / MAX_INTEGERS[kind], minimum) for c in element] for element in elements]
        return elements


class Channel:
    def __init__(self, file, animation, channel):
        sampler = animation["samplers"][channel["sampler"]]
        self.node, self.path = channel["target"]["node"], channel["target"]["path"]
        self.interpolation = sampler.get("interpolation", "LINEAR")
        self.times = [time for (time,) in file.read_accessor(sampler["input"])]
        output = file.read_accessor(sampler["output"])
        self.names = None
        if self.path == "weights":
            mesh = file.json["meshes"][file.json["nodes"][self.node]["mesh"]]
            count = len(mesh["primitives"][0]["targets"])
            names = mesh.get("extras", {}).get("targetNames", [])
            self.names = [names[i] if i < len(names) else str(i) for i in range(count)]
            numbers = [number for (number,) in output]
            output = [numbers[i : i + count] for i in range(0, len(numbers), count)]
        self.keys = [[None, value, None] for value in output]
        if self.interpolation == "CUBICSPLINE":
            self.keys = [output[i : i + 3] for i in range(0, len(output), 3)]

    def sample(self, t):
        i = bisect.bisect_right(self.times, t) - 1
        if i < 0 or i + 1 == len(self.times) or self.times[i] == t:
            return list(self.keys[max(i, 0)][1])
        (_, v0, b), (a, v1, _) = self.keys[i], self.keys[i + 1]
        d = self.times[i + 1] - self.times[i]
        u = (t - self.times[i]) / d
        if self.interpolation == "STEP":
            return list(v0)
        if self.interpolation == "CUBICSPLINE":
            value = [
                (2 * u**3 - 3 * u**2 + 1) * p0 + d * (u**3 - 2 * u**2 + u) * m0 + (-2 * u**3 + 3 * u**2) * p1 + d * (u**3 - u**2) * m1
                for p0, m0, p1, m1 in zip(v0, b, v1, a)
            ]
            return normalise(value) if self.path == "rotation" else value
        if self.path == "rotation":
            return slerp(normalise(v0), normalise(v1), u)
        return [p + (q - p) * u for p, q in zip(v0, v1)]


def normalise(q):
    length = math.hypot(*q)
    return [x / length for x in q]


def slerp(a, b, u):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = [-x for x in b], -dot
    angle = math.acos(min(1.0, dot))
    if math.sin(angle) < 1e-6:
        return normalise([(1 - u) * x + u * y for x, y in zip(a, b)])
    return normalise([math.sin((1 - u) * angle) * x + math.sin(u * angle) * y for x, y in zip(a, b)])


def to_matrix(q):
    x, y, z, w = normalise(q)
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]


def multiply(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def to_quaternion(m):
    """Converts a rotation matrix to a quaternion."""
    x, y, z, w = (
        math.sqrt(max(0.0, 1 + sx * m[0][0] + sy * m[1][1] + sz * m[2][2])) / 2
        for sx, sy, sz in ((1, -1, -1), (-1, 1, -1), (-1, -1, 1), (1, 1, 1))
    )
    largest = max(x, y, z, w)
    if w == largest:
        return [(m[2][1] - m[1][2]) / 4 / w, (m[0][2] - m[2][0]) / 4 / w, (m[1][0] - m[0][1]) / 4 / w, w]
    if x == largest:
        return [x, (m[0][1] + m[1][0]) / 4 / x, (m[0][2] + m[2][0]) / 4 / x, (m[2][1] - m[1][2]) / 4 / x]
    if y == largest:
        return [(m[0][1] + m[1][0]) / 4 / y, y, (m[1][2] + m[2][1]) / 4 / y, (m[0][2] - m[2][0]) / 4 / y]
    return [(m[0][2] + m[2][0]) / 4 / z, (m[1][2] + m[2][1]) / 4 / z, z, (m[1][0] - m[0][1]) / 4 / z]


def local_transform(node, animated):
    """Returns the local 4 × 4 matrix and the rotation matrix of a node."""
    if "matrix" in node:
        m = node["matrix"]
        rows = [[m[4 * column + row] for column in range(4)] for row in range(4)]
        axes = [normalise([row[i] for row in rows[:3]]) for i in range(3)]
        return rows, [list(row) for row in zip(*axes)]
    rotation = to_matrix(animated.get("rotation", node.get("rotation", [0, 0, 0, 1])))
    scale = animated.get("scale", node.get("scale", [1, 1, 1]))
    translation = animated.get("translation", node.get("translation", [0, 0, 0]))
    rows = [[x * s for x, s in zip(row, scale)] + [p] for row, p in zip(rotation, translation)]
    return [*rows, [0, 0, 0, 1]], rotation


def find_animation(file, name):
    animations = file.json["animations"]
    for index, animation in enumerate(animations):
        if animation.get("name", f"animation {index}") == name:
            return animation
    return animations[0]


def read(path, request):
    file = File(path)
    animation = find_animation(file, request.get("animation"))
    channels = [Channel(file, animation, channel) for channel in animation["channels"]]
    nodes = file.json["nodes"]
    parents = {child: i for i, node in enumerate(nodes) for child in node.get("children", [])}
    name = lambda i: nodes[i].get("name", f"node {i}")

    def sample(t):
        animated, values = {}, []
        for channel in channels:
            value = channel.sample(t)
            if channel.names:
                values += [(name(channel.node), f"weights.{n}", v) for n, v in zip(channel.names, value)]
            else:
                values.append((name(channel.node), channel.path, value))
                animated.setdefault(channel.node, {})[channel.path] = value

        def world(i):
            matrix, rotation = local_transform(nodes[i], animated.get(i, {}))
            if i in parents:
                parent_matrix, parent_rotation = world(parents[i])
                matrix, rotation = multiply(parent_matrix, matrix), multiply(parent_rotation, rotation)
            return matrix, rotation

        world_transforms = [world(i) for i in range(len(nodes))]
        node_list = [
            command.format_node(name(i), [row[3] for row in matrix[:3]], to_quaternion(rotation))
            for i, (matrix, rotation) in enumerate(world_transforms)
        ]
        return {"tracks": command.format_tracks(values), "nodes": node_list}

    return sample


if __name__ == "__main__":
    command.run(read)

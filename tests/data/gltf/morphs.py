"""Writes a glTF with morph targets and vertex colours, and its vertex positions at some times.

    python3 morphs.py

The script computes the expected values from the same numbers that it writes to the file.
"""
import base64, json, math, random, struct

random.seed(35)
blob = bytearray()
views, accessors = [], []
CODES = {'b': 5120, 'B': 5121, 'h': 5122, 'H': 5123, 'I': 5125, 'f': 5126}


def add_buffer_view(data):
    while len(blob) % 4:
        blob.append(0)
    views.append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(data)})
    blob.extend(data)
    return len(views) - 1


def add_accessor(rows, code='f', normalized=False, pad=0, bounds=False, sparse=None):
    size = len(rows[0])
    kind = {1: 'SCALAR', 3: 'VEC3', 4: 'VEC4', 16: 'MAT4'}[size]
    one = {'componentType': CODES[code], 'count': len(rows), 'type': kind}
    if normalized:
        one['normalized'] = True
    if bounds:
        one['min'], one['max'] = [list(map(f, zip(*rows))) for f in (min, max)]
    pack = lambda row: struct.pack(f'<{size}{code}', *row) + bytes(pad)
    if sparse is None:
        one['bufferView'] = add_buffer_view(b''.join(map(pack, rows)))
        if pad:
            views[one['bufferView']]['byteStride'] = struct.calcsize(f'<{size}{code}') + pad
    else:
        one['sparse'] = {
            'count': len(sparse),
            'indices': {'bufferView': add_buffer_view(struct.pack(f'<{len(sparse)}H', *sparse)), 'componentType': 5123},
            'values': {'bufferView': add_buffer_view(b''.join(pack(rows[i]) for i in sparse))},
        }
    accessors.append(one)
    return len(accessors) - 1


def to_f32(x):
    return struct.unpack('<f', struct.pack('<f', x))[0]


def random_vectors(count, size=1.0):
    return [[to_f32(random.uniform(-size, size)) for _ in range(3)] for _ in range(count)]


def normalise(v):
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v]


N = 8
positions = random_vectors(N)
normals = [[to_f32(x) for x in normalise(v)] for v in random_vectors(N)]
bulge = random_vectors(N, 0.5)
bent = random_vectors(N, 0.3)
# A sparse target that moves two vertices, and a target with normalised 16-bit values.
lift = [[0.0] * 3 for _ in range(N)]
lift[2], lift[5] = [0.0, 0.25, 0.0], [0.125, 0.5, -0.25]
coarse = [[random.randint(-32767, 32767) for _ in range(3)] for _ in range(N)]
fractions = [[x / 32767 for x in row] for row in coarse]
shades = [[random.randint(0, 255) for _ in range(3)] for _ in range(N)]
tints = [[to_f32(random.random()) for _ in range(4)] for _ in range(N)]
joints = [[0, 1, 0, 0]] * N
weights = [[to_f32(w), to_f32(1 - w), 0, 0] for w in (random.random() for _ in range(N))]
triangles = [[i] for i in (0, 1, 2, 3, 4, 5, 6, 7, 0)]

shared = {'POSITION': add_accessor(positions, bounds=True), 'NORMAL': add_accessor(normals)}
targets = [
    {'POSITION': add_accessor(bulge, bounds=True), 'NORMAL': add_accessor(bent)},
    {'POSITION': add_accessor(lift, bounds=True, sparse=[2, 5])},
    {'POSITION': add_accessor(coarse, 'h', True, pad=2, bounds=True)},
]
skinned = {**shared, 'JOINTS_0': add_accessor(joints, 'B'), 'WEIGHTS_0': add_accessor(weights),
           'COLOR_0': add_accessor(tints)}
indices = add_accessor(triangles, 'H')
primitive = lambda attributes: {'attributes': attributes, 'targets': targets, 'indices': indices}
unskinned = {**shared, 'COLOR_0': add_accessor(shades, 'B', True, pad=1)}
MESH_WEIGHTS, NODE_WEIGHTS = [0.5, 0.0, -0.25], [0.0, 1.5, 0.0]
BEND = [0.0, 0.0, math.sin(0.3), math.cos(0.3)]
KEYS = [0.0, 0.5, 2.0]
ROWS = [[0.0, 0.0, 0.0], [1.0, -0.5, 0.25], [0.25, 1.0, 1.0]]
inverse_bind = lambda x: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, 0, 0, 1]
gltf = {
    'asset': {'version': '2.0', 'generator': 'morphs.py'},
    'scene': 0, 'scenes': [{'nodes': [0, 1, 2, 3]}],
    'nodes': [
        {'name': 'moving', 'mesh': 0, 'translation': [0, 1, 0]},
        {'name': 'still', 'mesh': 0, 'weights': NODE_WEIGHTS, 'translation': [0, 0, 2]},
        {'name': 'worn', 'mesh': 1, 'skin': 0},
        {'name': 'root', 'children': [4]},
        {'name': 'tip', 'translation': [0.5, 0, 0], 'rotation': BEND},
    ],
    'meshes': [
        {'primitives': [primitive(unskinned)], 'weights': MESH_WEIGHTS, 'extras': {'targetNames': ['bulge', 'lift', 'coarse']}},
        {'primitives': [primitive(skinned)], 'weights': MESH_WEIGHTS},
    ],
    'skins': [{'joints': [3, 4], 'inverseBindMatrices': add_accessor([inverse_bind(0), inverse_bind(0.5)])}],
    'animations': [{
        'name': 'Shapes',
        'samplers': [{'input': add_accessor([[t] for t in KEYS], bounds=True),
                      'output': add_accessor([[w] for row in ROWS for w in row])}],
        'channels': [{'sampler': 0, 'target': {'node': node, 'path': 'weights'}} for node in (0, 2)],
    }],
    'accessors': accessors, 'bufferViews': views,
}
gltf['buffers'] = [{'byteLength': len(blob),
                    'uri': 'data:application/octet-stream;base64,' + base64.b64encode(blob).decode()}]
gltf['extensionsUsed'] = gltf['extensionsRequired'] = ['KHR_mesh_quantization']
json.dump(gltf, open('morphs.gltf', 'w'), separators=(',', ':'))


def sample_weights(time):
    for (a, b), (one, other) in zip(zip(KEYS, KEYS[1:]), zip(ROWS, ROWS[1:])):
        if time <= b:
            u = max(0.0, (time - a) / (b - a))
            return [x + (y - x) * u for x, y in zip(one, other)]
    return ROWS[-1]


def morph(w):
    add = lambda base, *parts: [[b + sum(k * p[i][c] for k, p in parts) for c, b in enumerate(row)]
                                for i, row in enumerate(base)]
    return add(positions, (w[0], bulge), (w[1], lift), (w[2], fractions)), \
        [normalise(n) for n in add(normals, (w[0], bent))]


def rotate_tip(v):
    sin, cos = math.sin(0.6), math.cos(0.6)
    return [cos * v[0] - sin * v[1], sin * v[0] + cos * v[1], v[2]]


def apply_skin(points):
    # The root rests at the origin. The tip is half a metre along X, rotated by 0.6 rad about Z.
    out = []
    for (p, w) in zip(points, weights):
        tip = rotate_tip([p[0] - 0.5, p[1], p[2]])
        tip[0] += 0.5
        out.append([w[0] * a + w[1] * b for a, b in zip(p, tip)])
    return out


rows = []
for time in (-1.0, 0.0, 0.25, 0.5, 1.0, 1.75, 2.0, 3.0):
    moving, normals_at_time = morph(sample_weights(time))
    rows.append({
        'time': time, 'weights': sample_weights(time), 'normals': normals_at_time,
        'moving': [[x, y + 1, z] for x, y, z in moving],
        'still': [[x, y, z + 2] for x, y, z in morph(NODE_WEIGHTS)[0]],
        'worn': apply_skin(moving),
    })
colors = {'moving': [[x / 255 for x in row] + [1.0] for row in shades],
          'worn': [row[:3] + [1.0] for row in tints]}
json.dump({'rest': MESH_WEIGHTS, 'colors': colors, 'rows': rows}, open('morphs.json', 'w'), separators=(',', ':'))

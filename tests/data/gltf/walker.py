"""Creates a character in Blender. Exports it as GLB and BVH, and its joint positions as JSON.

Run with the Python package bpy 4.2.0:  python walker.py OUT
"""
import json
import math
import sys

import bpy
from mathutils import Matrix, Quaternion, Vector

out = sys.argv[1]

# Name, parent, head, tail, half width. Z up, in metres, facing −Y.
BONES = [
    ("Hips", None, (0, 0, 0.95), (0, 0, 1.08), 0.13),
    ("Spine", "Hips", (0, 0, 1.08), (0, 0, 1.30), 0.12),
    ("Chest", "Spine", (0, 0, 1.30), (0, 0, 1.50), 0.15),
    ("Neck", "Chest", (0, 0, 1.50), (0, 0, 1.60), 0.05),
    ("Head", "Neck", (0, 0, 1.60), (0, -0.02, 1.82), 0.10),
]
for side, x in (("Left", 1), ("Right", -1)):
    BONES += [
        (side + "UpperArm", "Chest", (0.20 * x, 0, 1.46), (0.48 * x, 0, 1.44), 0.05),
        (side + "LowerArm", side + "UpperArm", (0.48 * x, 0, 1.44), (0.73 * x, -0.02, 1.43), 0.04),
        (side + "Hand", side + "LowerArm", (0.73 * x, -0.02, 1.43), (0.90 * x, -0.03, 1.42), 0.04),
        (side + "UpperLeg", "Hips", (0.10 * x, 0, 0.93), (0.10 * x, 0.01, 0.50), 0.07),
        (side + "LowerLeg", side + "UpperLeg", (0.10 * x, 0.01, 0.50), (0.10 * x, 0.03, 0.10), 0.06),
        (side + "Foot", side + "LowerLeg", (0.10 * x, 0.03, 0.10), (0.10 * x, -0.14, 0.02), 0.05),
    ]
COLOURS = {"Head": 0, "Neck": 0, "Hand": 0, "Arm": 1, "Chest": 1, "Spine": 1, "Hips": 2, "Leg": 2, "Foot": 3}

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 30

armature = bpy.data.armatures.new("Walker")
rig = bpy.data.objects.new("Walker", armature)
scene.collection.objects.link(rig)
bpy.context.view_layer.objects.active = rig
bpy.ops.object.mode_set(mode="EDIT")
for name, parent, head, tail, _ in BONES:
    bone = armature.edit_bones.new(name)
    bone.head, bone.tail = head, tail
    if parent:
        bone.parent = armature.edit_bones[parent]
bpy.ops.object.mode_set(mode="OBJECT")

# Each bone moves a box of its own, with one stripe of a shared texture.
image = bpy.data.images.new("Cloth", 32, 8)
stripes = [(0.85, 0.62, 0.48), (0.16, 0.45, 0.62), (0.23, 0.24, 0.33), (0.55, 0.33, 0.18)]
pixels = []
for y in range(8):
    for x in range(32):
        r, g, b = stripes[x // 8]
        shade = 0.85 if (x + y) % 2 else 1.0
        pixels += [r * shade, g * shade, b * shade, 1.0]
image.pixels = pixels
image.file_format = "PNG"
image.pack()
material = bpy.data.materials.new("Cloth")
material.use_nodes = True
texture = material.node_tree.nodes.new("ShaderNodeTexImage")
texture.image = image
texture.interpolation = "Closest"
shader = material.node_tree.nodes["Principled BSDF"]
material.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])

vertices, faces, groups, colours = [], [], {}, []
for name, _, head, tail, half_width in BONES:
    head, tail = Vector(head), Vector(tail)
    along = (tail - head).normalized()
    across = along.orthogonal().normalized()
    other = along.cross(across)
    first = len(vertices)
    for end in (head + along * 0.005, tail - along * 0.005):
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            vertices.append(end + across * half_width * a + other * half_width * b)
    box = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    faces += [tuple(first + corner for corner in face) for face in box]
    groups[name] = range(first, first + 8)
    colour = next(index for key, index in COLOURS.items() if name.endswith(key))
    colours += [colour] * len(box)
mesh = bpy.data.meshes.new("Body")
mesh.from_pydata(vertices, [], faces)
mesh.materials.append(material)
layer = mesh.uv_layers.new(name="UVMap")
for polygon, colour in zip(mesh.polygons, colours):
    for loop, (u, v) in zip(polygon.loop_indices, ((0, 0), (1, 0), (1, 1), (0, 1))):
        layer.data[loop].uv = ((colour + 0.1 + 0.8 * u) / 4, 0.1 + 0.8 * v)
body = bpy.data.objects.new("Body", mesh)
scene.collection.objects.link(body)
body.parent = rig
for name, indices in groups.items():
    body.vertex_groups.new(name=name).add(list(indices), 1.0, "REPLACE")
body.modifiers.new("Armature", "ARMATURE").object = rig
body.shape_key_add(name="Basis")
breathe = body.shape_key_add(name="Breathe")
for vertex in groups["Chest"]:
    breathe.data[vertex].co = Vector(mesh.vertices[vertex].co) * Vector((1.25, 1.25, 1.0))


def rotate_bone(frame, name, axis, degrees):
    """Rotates a bone from its rest pose about an axis of the armature, and inserts a key."""
    bone = rig.pose.bones[name]
    bone.rotation_mode = "QUATERNION"
    rest = bone.bone.matrix_local.to_quaternion()
    rotation = Quaternion(axis, math.radians(degrees))
    bone.rotation_quaternion = rest.inverted() @ rotation @ rest
    bone.keyframe_insert("rotation_quaternion", frame=frame)


X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def swing_arm(frame, name, sign, swing):
    bone = rig.pose.bones[name]
    bone.rotation_mode = "QUATERNION"
    rest = bone.bone.matrix_local.to_quaternion()
    rotation = Quaternion(X, math.radians(swing)) @ Quaternion(Y, math.radians(78 * sign))
    bone.rotation_quaternion = rest.inverted() @ rotation @ rest
    bone.keyframe_insert("rotation_quaternion", frame=frame)


def pose_walk(frame, phase):
    wave, double = math.sin(phase), math.cos(2 * phase)
    hips = rig.pose.bones["Hips"]
    rest = hips.bone.matrix_local.to_quaternion()
    hips.location = rest.inverted() @ Vector((0.02 * math.cos(phase), -1.2 * frame / 30, -0.03 + 0.02 * double))
    hips.keyframe_insert("location", frame=frame)
    rotate_bone(frame, "Hips", Z, 6 * wave)
    rotate_bone(frame, "Spine", Z, -5 * wave)
    rotate_bone(frame, "Chest", Z, -6 * wave)
    rotate_bone(frame, "Neck", X, 3 * double)
    rotate_bone(frame, "Head", Z, 5 * wave)
    for side, sign in (("Left", 1), ("Right", -1)):
        step = wave * sign
        swing_arm(frame, side + "UpperArm", sign, 28 * step)
        rotate_bone(frame, side + "LowerArm", X, -18 - 14 * step)
        rotate_bone(frame, side + "Hand", Y, 8 * sign)
        rotate_bone(frame, side + "UpperLeg", X, -30 * step)
        rotate_bone(frame, side + "LowerLeg", X, 22 + 22 * math.sin(phase * 1 + (0 if sign > 0 else math.pi) - 1.9))
        rotate_bone(frame, side + "Foot", X, 10 * step)


def pose_greet(frame, phase):
    hips = rig.pose.bones["Hips"]
    hips.location = (0, 0, 0)
    hips.keyframe_insert("location", frame=frame)
    raised = math.sin(min(1.0, frame / 15) * math.pi / 2)
    rotate_bone(frame, "LeftUpperArm", Y, -50 * raised)
    rotate_bone(frame, "LeftLowerArm", Y, -40 * raised - 25 * math.sin(3 * phase) * raised)
    swing_arm(frame, "RightUpperArm", -1, 0)
    rotate_bone(frame, "Head", Y, 8 * raised)


rig.animation_data_create()
keys = mesh.shape_keys
keys.animation_data_create()
for name, pose, length, step in (("Walk", pose_walk, 60, 3), ("Greet", pose_greet, 45, 3)):
    for bone in rig.pose.bones:
        bone.rotation_mode = "QUATERNION"
        bone.rotation_quaternion, bone.location = (1, 0, 0, 0), (0, 0, 0)
    rig.animation_data.action = bpy.data.actions.new(name)
    for frame in range(0, length + 1, step):
        pose(frame, 2 * math.pi * frame / 30)
    track = rig.animation_data.nla_tracks.new()
    track.name = name
    track.strips.new(name, 0, rig.animation_data.action)
    rig.animation_data.action = None
    keys.animation_data.action = bpy.data.actions.new(name + "Breath")
    for frame in range(0, length + 1, 15):
        breathe.value = 0.5 - 0.5 * math.cos(2 * math.pi * frame / 45)
        breathe.keyframe_insert("value", frame=frame)
    track = keys.animation_data.nla_tracks.new()
    track.name = name
    track.strips.new(name, 0, keys.animation_data.action)
    keys.animation_data.action = None

bpy.ops.export_scene.gltf(
    filepath=out + "/walker.glb",
    export_format="GLB",
    export_animations=True,
    export_animation_mode="NLA_TRACKS",
    export_morph_normal=False,
    export_optimize_animation_size=True,
    export_yup=True,
)


def activate_action(name):
    for track in list(rig.animation_data.nla_tracks) + list(keys.animation_data.nla_tracks):
        track.mute = track.name != name
    # Reset the bones, because an action leaves bones without keys in their last pose.
    for bone in rig.pose.bones:
        bone.rotation_quaternion, bone.location = (1, 0, 0, 0), (0, 0, 0)


def to_gltf_axes(vector):
    """Converts a vector from Blender's axes to those of glTF."""
    return [vector.x, vector.z, -vector.y]


def sample_joints(frame):
    scene.frame_set(int(frame), subframe=frame - int(frame))
    graph = bpy.context.evaluated_depsgraph_get()
    evaluated = rig.evaluated_get(graph)
    positions = {bone.name: to_gltf_axes(rig.matrix_world @ bone.head) for bone in evaluated.pose.bones}
    weight = body.evaluated_get(graph).data.shape_keys
    return positions, (weight or keys.evaluated_get(graph)).key_blocks["Breathe"].value


expected = {}
for name, length in (("Walk", 60), ("Greet", 45)):
    activate_action(name)
    rows = []
    for frame in range(0, length + 1, 5):
        positions, weight = sample_joints(frame)
        rows.append({"time": frame / 30, "joints": positions, "breathe": weight})
    expected[name] = rows
json.dump(expected, open(out + "/walker.json", "w"), indent=None)

# The same walk as BVH, in centimetres and Y up, as other programs expect. Blender is Z up.
armature.transform(Matrix.Rotation(-math.pi / 2, 4, "X"))
activate_action("Walk")
scene.frame_start, scene.frame_end = 0, 60
for other in bpy.context.selected_objects:
    other.select_set(False)
rig.select_set(True)
bpy.context.view_layer.objects.active = rig
bpy.ops.export_anim.bvh(
    filepath=out + "/walker.bvh", frame_start=0, frame_end=60, global_scale=100.0,
    rotate_mode="ZXY", root_transform_only=True,
)

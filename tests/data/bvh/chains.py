"""Exports a small chain as BVH from Blender, one file for each rotation order, some with positions in
every joint. Writes the joint positions that Blender reads back.

Run with the Python package bpy 4.2.0:  python chains.py OUT
"""
import json
import math
import random
import sys

import bpy
from mathutils import Quaternion, Vector

out = sys.argv[1]
random.seed(7)
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 24
armature = bpy.data.armatures.new("Chain")
rig = bpy.data.objects.new("Chain", armature)
scene.collection.objects.link(rig)
bpy.context.view_layer.objects.active = rig
bpy.ops.object.mode_set(mode="EDIT")
for name, parent, head, tail in (
    ("root", None, (0, 0, 0), (0, 20, 5)),
    ("arm", "root", (0, 25, 5), (10, 45, 5)),
    ("hand", "arm", (12, 46, 6), (30, 40, 0)),
    ("tail", "root", (0, -5, 0), (0, -15, -30)),
):
    bone = armature.edit_bones.new(name)
    bone.head, bone.tail = head, tail
    bone.parent = armature.edit_bones[parent] if parent else None
bpy.ops.object.mode_set(mode="OBJECT")
for frame in range(6):
    for bone in rig.pose.bones:
        bone.rotation_mode = "QUATERNION"
        axis = Vector([random.uniform(-1, 1) for _ in range(3)]).normalized()
        bone.rotation_quaternion = Quaternion(axis, random.uniform(-3, 3))
        bone.location = [random.uniform(-9, 9) for _ in range(3)]
        bone.keyframe_insert("rotation_quaternion", frame=frame)
        bone.keyframe_insert("location", frame=frame)

expected = {}
for order in ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"):
    bpy.context.view_layer.objects.active = rig
    name = f"chain_{order.lower()}.bvh"
    bpy.ops.export_anim.bvh(
        filepath=f"{out}/{name}", frame_start=0, frame_end=5, rotate_mode=order,
        root_transform_only=order in ("XYZ", "ZXY"),
    )
    bpy.ops.import_anim.bvh(
        filepath=f"{out}/{name}", frame_start=0, rotate_mode="QUATERNION", axis_forward="Y", axis_up="Z",
    )
    imported = bpy.context.object
    rows = []
    for frame in range(6):
        scene.frame_set(frame + 1)  # Blender counts frames from 1 here.
        bones = imported.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        # Keep the axes of the file, without conversion at import.
        rows.append({bone.name: {"head": list(bone.head), "tail": list(bone.tail)} for bone in bones})
    expected[name] = rows
    bpy.data.objects.remove(imported)
json.dump(expected, open(out + "/chains.json", "w"))

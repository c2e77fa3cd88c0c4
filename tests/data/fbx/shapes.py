"""Creates a mesh with shape keys and a texture in Blender. Exports it as FBX, and its vertex positions as JSON.

Run with the Python package bpy 5.0.1:  python shapes.py OUT
"""
import json
import math
import os
import sys

import bpy

out = os.path.abspath(sys.argv[1])
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 30
scene.frame_start, scene.frame_end = 1, 31

# A tapered box on a bone, with three shapes. One of them moves only a few vertices.
VERTICES = [(x, y, z) for z in (0.0, 1.0, 2.0) for x in (-0.5, 0.5) for y in (-0.25, 0.25)]
FACES = []
for level in (0, 4):
    a, b, c, d = (level + i for i in (0, 1, 3, 2))
    for p, q in ((a, b), (b, c), (c, d), (d, a)):
        FACES.append((q, p, p + 4, q + 4))
FACES += [(0, 2, 3, 1), (8, 9, 11, 10)]
mesh = bpy.data.meshes.new("Head")
mesh.from_pydata(VERTICES, [], FACES)
head = bpy.data.objects.new("Head", mesh)
head.location = (0.3, -0.2, 0.1)
head.rotation_euler = (0.2, 0.1, 0.5)
scene.collection.objects.link(head)
uvs = mesh.uv_layers.new(name="Map")
for loop in mesh.loops:
    x, y, z = VERTICES[loop.vertex_index]
    uvs.data[loop.index].uv = (0.25 + 0.5 * (x + 0.5), z / 2)

head.shape_key_add(name="Basis")
smile, blink, tip = (head.shape_key_add(name=name) for name in ("Smile", "Blink", "Tip"))
for i, (x, y, z) in enumerate(VERTICES):
    smile.data[i].co = (x * (1 + 0.2 * z), y, z + 0.1 * math.sin(3 * x))
    blink.data[i].co = (x, y - 0.2 * z, z)
tip.data[11].co = (0.9, 0.6, 2.5)
for key, values in ((smile, (0, 1, 0.25)), (blink, (0.5, 0, 0.75)), (tip, (0, 0.3, 1))):
    for frame, value in zip((1, 16, 31), values):
        key.value = value
        key.keyframe_insert("value", frame=frame)

image = bpy.data.images.new("Skin", 4, 4)
image.pixels = [v for y in range(4) for x in range(4) for v in (x / 3, y / 3, 0.5, 1)]
image.filepath_raw = os.path.join(out, "skin.png")
image.file_format = "PNG"
image.save()
material = bpy.data.materials.new("Skin")
material.use_nodes = True
shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
picture = material.node_tree.nodes.new("ShaderNodeTexImage")
picture.image = image
material.node_tree.links.new(picture.outputs["Color"], shader.inputs["Base Color"])
mesh.materials.append(material)

common = dict(bake_anim=True, bake_anim_use_all_actions=False, bake_anim_use_nla_strips=False,
              bake_anim_simplify_factor=0, object_types={"MESH"}, mesh_smooth_type="FACE")
bpy.ops.export_scene.fbx(filepath=os.path.join(out, "shapes_embedded.fbx"), path_mode="COPY", embed_textures=True, **common)
bpy.ops.export_scene.fbx(filepath=os.path.join(out, "shapes_beside.fbx"), path_mode="RELATIVE", **common)

rows = []
for frame in (1, 6, 16, 20, 31):
    scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    evaluated = head.evaluated_get(graph)
    world = evaluated.matrix_world
    positions = [world @ v.co for v in evaluated.data.vertices]
    rows.append({
        "frame": frame, "time": frame / 30,
        "weights": [key.value for key in (smile, blink, tip)],
        # Blender is Z up, so its y is −z here.
        "vertices": [[p.x, p.z, -p.y] for p in positions],
    })
json.dump({"names": ["Smile", "Blink", "Tip"], "rows": rows}, open(os.path.join(out, "shapes.json"), "w"))

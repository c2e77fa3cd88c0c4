"""Reads GLB and FBX files with Blender. Imports them with the package `bpy` from PyPI, and samples every object and bone.

    python tests/readers/blender.py --times 0,0.5 FILE.glb...

prints the same format as the other readers, one JSON object for each file and time, with empty `tracks`. Nodes are in
the viewer's space: right-handed, Y up, in metres. `rate` of a request is the frame rate of the scene in Hz [default: 20].
FBX files are imported with the default options, and state the frame rate themselves.
The answer for the first time also has `cameras`, a list of names, and `meshes`. A mesh has its object, its materials,
their images, and `uvs`, which is true if it has texture coordinates.
"""

import contextlib
import os
import sys

import command

DEFAULT_RATE_HZ = 20


@contextlib.contextmanager
def redirect_stdout():
    """Redirects standard output to standard error, because Blender prints messages between the answers."""
    sys.stdout.flush()
    saved_stdout = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(saved_stdout, 1)
        os.close(saved_stdout)


with redirect_stdout():
    import bpy
    from mathutils import Matrix

# Blender is Z up: its (x, y, z) is (x, z, −y) in the viewer.
TO_VIEWER = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))


def format_node(name, world, parent):
    position, rotation, scale = world.decompose()
    answer = command.format_node(name, list(position), [rotation.x, rotation.y, rotation.z, rotation.w])
    return {**answer, "scale": list(scale), "parent": parent.name if parent else None}


def format_object(item, is_gltf):
    world = TO_VIEWER @ item.matrix_world
    # The importer of glTF rotates objects from the viewer's axes to Blender's. Cameras look along −Z in both.
    rotated = world @ TO_VIEWER.inverted() if is_gltf and item.type != "CAMERA" else world
    return format_node(item.name, rotated, item.parent)


def format_bones(item):
    world = TO_VIEWER @ item.matrix_world
    return [format_node(bone.name, world @ bone.matrix, bone.parent) for bone in item.pose.bones]


def format_mesh(item):
    materials = [slot.material for slot in item.material_slots if slot.material]
    images = [
        part.image.name
        for material in materials
        for part in material.node_tree.nodes
        if part.type == "TEX_IMAGE" and part.image
    ]
    return {
        "object": item.name,
        "mesh": item.data.name,
        "materials": [material.name for material in materials],
        "images": images,
        "uvs": bool(item.data.uv_layers),
    }


def read(path, request):
    rate = round(request.get("rate") or DEFAULT_RATE_HZ)
    is_gltf = not path.endswith(".fbx")
    first_frame = 0
    with redirect_stdout():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        scene = bpy.context.scene
        scene.render.fps, scene.render.fps_base = rate, 1.0
        if is_gltf:
            bpy.ops.import_scene.gltf(filepath=path)
        else:
            bpy.ops.preferences.addon_enable(module="io_scene_fbx")
            bpy.ops.import_scene.fbx(filepath=path)
            # The importer of FBX puts the start at frame 1.
            first_frame, rate = 1, scene.render.fps
    items = sorted(scene.objects, key=lambda item: item.name)
    extra = {
        "cameras": [item.name for item in items if item.type == "CAMERA"],
        "meshes": [format_mesh(item) for item in items if item.type == "MESH"],
    }

    def sample(time):
        nonlocal extra
        frame = first_frame + time * rate
        # Round times that are very close to a frame.
        whole = round(frame) if abs(frame - round(frame)) < 1e-4 else int(frame // 1)
        scene.frame_set(whole, subframe=max(0.0, min(frame - whole, 0.99999)))
        nodes = [format_object(item, is_gltf) for item in items]
        if not is_gltf:
            nodes += [bone for item in items if item.type == "ARMATURE" for bone in format_bones(item)]
        answer = {"tracks": [], "nodes": nodes, **extra}
        extra = {}
        return answer

    return sample


command.run(read)

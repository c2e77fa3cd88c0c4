"""What Blender makes of a GLB: PyPI's `bpy` imports it, and every object is looked at through its animation.

    python tests/readers/blender.py --times 0,0.5 FILE.glb...

prints what the readers beside it print, one JSON object for each file and time, with `nodes` only; everything is in the
viewer's space, right-handed with Y up, in metres. `rate` of a request is the scene's frames a second, 20 without one.
The answer of the first time also has `cameras` (their names) and `meshes` (for each its object, its materials, the
images of these, and whether it has texture coordinates).
"""

import contextlib
import os
import sys

import command

RATE = 20


@contextlib.contextmanager
def quietly():
    """Blender speaks on standard output, which answers are on."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


with quietly():
    import bpy
    from mathutils import Matrix

# Blender is Z up: its (x, y, z) is (x, z, −y) in the viewer.
VIEWER = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))


def node(thing):
    world = VIEWER @ thing.matrix_world
    # Objects rotate from the viewer's axes to Blender's. Cameras look along −Z in both.
    turned = world if thing.type == "CAMERA" else world @ VIEWER.inverted()
    place, rotation, scale = turned.decompose()
    answer = command.node(thing.name, list(place), [rotation.x, rotation.y, rotation.z, rotation.w])
    return {**answer, "scale": list(scale), "parent": thing.parent.name if thing.parent else None}


def mesh(thing):
    materials = [slot.material for slot in thing.material_slots if slot.material]
    images = [
        part.image.name
        for material in materials
        for part in material.node_tree.nodes
        if part.type == "TEX_IMAGE" and part.image
    ]
    return {
        "object": thing.name,
        "mesh": thing.data.name,
        "materials": [material.name for material in materials],
        "images": images,
        "uvs": bool(thing.data.uv_layers),
    }


def read(path, request):
    rate = round(request.get("rate") or RATE)
    with quietly():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        scene = bpy.context.scene
        scene.render.fps, scene.render.fps_base = rate, 1.0
        bpy.ops.import_scene.gltf(filepath=path)
    things = sorted(scene.objects, key=lambda thing: thing.name)
    extra = {
        "cameras": [thing.name for thing in things if thing.type == "CAMERA"],
        "meshes": [mesh(thing) for thing in things if thing.type == "MESH"],
    }

    def sample(time):
        nonlocal extra
        frame = time * rate
        # Round times that are very close to a frame.
        whole = round(frame) if abs(frame - round(frame)) < 1e-4 else int(frame // 1)
        scene.frame_set(whole, subframe=max(0.0, min(frame - whole, 0.99999)))
        answer = {"tracks": [], "nodes": [node(thing) for thing in things], **extra}
        extra = {}
        return answer

    return sample


command.run(read)

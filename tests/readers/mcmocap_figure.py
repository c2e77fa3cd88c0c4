"""The pose of a player of Minecraft Motion Capture, written from docs/formats/mcmocap.md alone."""

import math
import re

import command

PI = math.pi
PARTS = ["head", "body", "right_arm", "left_arm", "right_leg", "left_leg"]
TWO_HANDED = ["BOW", "CROSSBOW_HOLD", "CROSSBOW_CHARGE"]
USES = {
    "shield": "BLOCK", "bow": "BOW", "trident": "SPEAR", "crossbow": "CROSSBOW_CHARGE", "spyglass": "SPYGLASS",
    "goat_horn": "HORN", "brush": "BRUSH",
}  # fmt: skip


def wrap(angle):
    return (angle + 180) % 360 - 180


def mix(s, p, q):
    return p + (q - p) * s


def interpolate_angle(s, p, q):
    return p + math.radians(wrap(math.degrees(q - p))) * s


def clamp(value, low, high):
    return max(low, min(high, value))


def axis_rotation(axis, angle):
    q = [0.0, 0.0, 0.0, math.cos(angle / 2)]
    q["xyz".index(axis)] = math.sin(angle / 2)
    return q


def multiply(*rotations):
    found = rotations[0]
    for other in rotations[1:]:
        (ax, ay, az, aw), (bx, by, bz, bw) = found, other
        found = [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ]
    return found


def rotate(q, v):
    return multiply(q, [*v, 0.0], [-q[0], -q[1], -q[2], q[3]])[:3]


class Limb:
    def __init__(self, x, y, z):
        self.pivot, self.x, self.y, self.z = [x, y, z], 0.0, 0.0, 0.0

    def joint(self):
        x, y, z = self.pivot
        return [part * 0.9375 / 16 for part in (-x, 24.016 - y, z)]

    def rotation(self):
        return multiply(axis_rotation("z", self.z), axis_rotation("y", -self.y), axis_rotation("x", -self.x))


class Inputs:
    """The state of a replayed recording at a time, from which the limb poses are computed."""

    def __init__(self, replay, time):
        k, self.t = replay.find_frame(time)
        self.state = state = replay.sample_state(None, time)
        yaw, head_yaw = limited_yaws(replay, k, self.t, state)
        self.body_yaw = state["body_yaw"]
        self.pitch = math.radians(state["pitch"])
        self.n = math.radians(wrap(head_yaw - self.body_yaw))
        self.view = (-math.sin(math.radians(yaw)), math.cos(math.radians(yaw)))
        self.rides = state["vehicle"] is not None
        still = self.rides or state["dead"]
        self.walked = 0.0 if still else state["walk_position"]
        self.width = 0.0 if still else state["walk_speed"]
        self.a, self.s, self.g = state["attack"], state["swim_amount"], state["glide"]
        self.age = k + self.t + 1
        self.v = velocity(replay, k + 1 if self.t else k)
        self.crouches = state["pose"] == "CROUCHING"
        self.swims = state["pose"] == "SWIMMING"
        self.bed = bed_direction(replay, k, state)
        self.uses = bool(state["living_flags"] & 1)
        self.swings_right = state["main_hand_right"] != state["is_off_hand"]


def bed_direction(replay, k, state):
    """Returns the direction from the foot to the head of the player's bed, or None if the block is unknown."""
    name, properties = replay.find_block(state["bed"], k) if state["bed"] else ("", {})
    directions = {"north": [0, 0, -1], "east": [1, 0, 0], "south": [0, 0, 1], "west": [-1, 0, 0]}
    return directions.get(properties.get("facing")) if name.endswith("_bed") else None


def velocity(replay, k):
    """Returns the motion during the tick before a frame. A teleport counts as no motion."""
    here = replay.frames[k]["player"]
    before = replay.frames[k - 1]["player"]["position"] if k else replay.start["position"]
    if here["jumps"] or math.dist(here["position"], before) > 8:
        return [0.0] * 3
    return [a - b for a, b in zip(here["position"], before)]


def limited_yaws(replay, k, t, state):
    """Returns yaw and head yaw. In a boat, both are limited to 105° from the yaw of the boat."""
    boat_yaws = [boat_yaw(replay, frame) for frame in ((k, k + 1) if t else (k,))]
    if all(boat is None for boat in boat_yaws):
        return state["yaw"], state["head_yaw"]

    def limited(frame, boat, name):
        angle = replay.frames[frame]["player"][name]
        return angle if boat is None else boat + clamp(wrap(angle - boat), -105, 105)

    ends = [[limited(k + i, boat, name) for i, boat in enumerate(boat_yaws)] for name in ("yaw", "head_yaw")]
    return [end[0] + wrap(end[-1] - end[0]) * t for end in ends]


def boat_yaw(replay, k):
    vehicle = replay.frames[k]["derived"]["vehicle"]
    boat = replay.frames[k].get(vehicle)
    return boat["yaw"] if boat and replay.kinds[vehicle].endswith(("boat", "raft")) else None


def hand_poses(inputs):
    """Returns the poses of the main hand and of the off hand."""
    state, found = inputs.state, []
    for slot in (0, 1):
        item, snbt = state["items"][slot], state["snbt"][slot]
        name = (item or "").removeprefix("minecraft:")
        charged = re.search(r'charged_projectiles"?\s*:\s*\[\s*[^\s\]]', snbt) or "Charged:1b" in snbt
        is_used = inputs.uses and bool(state["living_flags"] & 2) == bool(slot)
        if not item:
            found.append("EMPTY")
        elif name == "crossbow" and charged and inputs.a == 0:
            found.append("CROSSBOW_HOLD")
        else:
            found.append(USES.get(name, "ITEM") if is_used else "ITEM")
    if found[0] in TWO_HANDED and found[1] != "EMPTY":
        found[1] = "ITEM"
    return found


def arm_order(inputs, main, off):
    """Returns (is_right, pose) of the arms to pose, in order."""
    right = inputs.state["main_hand_right"]
    main, off = (right, main), (not right, off)
    if inputs.uses:
        return [off if inputs.state["living_flags"] & 2 else main]
    first, other = (off, main) if off[1] in TWO_HANDED else (main, off)
    return [first] if first[1] in [*TWO_HANDED, "SPEAR"] else [first, other]


def pose_arm(arm, other, side, pose, inputs, head):
    h, n = head.x, head.y
    if pose == "EMPTY":
        arm.y = 0.0
    elif pose == "BLOCK":
        arm.x = arm.x / 2 - 0.9424779 + clamp(h, -4 * PI / 9, 0.4363323)
        arm.y = side * PI / 6 + clamp(n, -PI / 6, PI / 6)
    elif pose == "BOW":
        arm.x, arm.y, other.x, other.y = -PI / 2 + h, side * 0.1 + n, -PI / 2 + h, -side * 0.5 + n
    elif pose == "CROSSBOW_HOLD":
        arm.x, arm.y, other.x, other.y = -PI / 2 + h + 0.1, side * 0.3 + n, -1.5 + h, -side * 0.6 + n
    elif pose == "CROSSBOW_CHARGE":
        snbt = "".join(inputs.state["snbt"][:2])
        level = re.search(r'quick_charge"?\s*:\s*(\d+)', snbt)
        duration = 25 - 5 * (int(level[1]) if level else 0)
        u = min(1.0, (inputs.state["used"] + inputs.t) / duration) if duration > 0 else 1.0
        arm.x, arm.y = -0.97079635, side * 0.8
        other.x, other.y = mix(u, -0.97079635, -PI / 2), -side * mix(u, 0.4, 0.85)
    elif pose == "SPYGLASS":
        arm.x = clamp(h - 1.9198622 - (PI / 12 if inputs.crouches else 0), -2.4, 3.3)
        arm.y = side * PI / 12 + n
    elif pose == "HORN":
        arm.x, arm.y = clamp(h, -1.2, 1.2) - 1.4835298, side * PI / 6 + n
    else:
        arm.x, arm.y = arm.x / 2 - {"ITEM": PI / 10, "SPEAR": PI, "BRUSH": PI / 5}[pose], 0.0


def pose_limbs(i):
    head, body, right, left = Limb(0, 0, 0), Limb(0, 0, 0), Limb(-5, 2, 0), Limb(5, 2, 0)
    legs = [Limb(-1.9, 12, 0.1), Limb(1.9, 12, 0.1)]
    head.y = i.n
    head.x = interpolate_angle(i.s, i.pitch, -PI / 4) if i.swims and i.s > 0 else i.pitch
    head.x = -PI / 4 if i.g > 4 else head.x
    k = max(1.0, (sum(part * part for part in i.v) / 0.2) ** 3) if i.g > 4 else 1.0
    w = lambda phase: math.cos(0.6662 * i.walked + phase) * i.width / k
    right.x, left.x = w(PI), w(0)
    for leg, phase, sign in zip(legs, (0, PI), (1, -1)):
        leg.x, leg.y, leg.z = 1.4 * w(phase), 0.005 * sign, 0.005 * sign
        if i.rides:
            leg.x, leg.y, leg.z = -1.4137167, sign * PI / 10, sign * 0.07853982
    if i.rides:
        right.x, left.x = right.x - PI / 5, left.x - PI / 5
    main, off = hand_poses(i)
    for is_right, pose in arm_order(i, main, off):
        arms = (right, left) if is_right else (left, right)
        pose_arm(*arms, -1 if is_right else 1, pose, i, head)
    if i.a > 0:
        apply_attack(i, head, body, right, left)
    if i.crouches:
        body.x, body.pivot[1], head.pivot[1] = 0.5, 3.2, 4.2
        for arm in (right, left):
            arm.x, arm.pivot[1] = arm.x + 0.4, 5.2
        for leg in legs:
            leg.pivot[1:] = [12.2, 4.0]
    right_pose, left_pose = (main, off) if i.state["main_hand_right"] else (off, main)
    for arm, sign, pose in ((right, 1, right_pose), (left, -1, left_pose)):
        if pose != "SPYGLASS":
            arm.z += sign * (0.05 * math.cos(0.09 * i.age) + 0.05)
            arm.x += sign * 0.05 * math.sin(0.067 * i.age)
    if i.s > 0:
        apply_swimming(i, right, left, legs)
    return [head, body, right, left, *legs]


def apply_attack(i, head, body, right, left):
    b = 0.2 * math.sin(2 * PI * math.sqrt(i.a)) * (1 if i.swings_right else -1)
    q = 1 - (1 - i.a) ** 4
    body.y = b
    right.pivot[0], right.pivot[2] = -5 * math.cos(b), 5 * math.sin(b)
    left.pivot[0], left.pivot[2] = 5 * math.cos(b), -5 * math.sin(b)
    right.y, left.y, left.x = right.y + b, left.y + b, left.x + b
    arm = right if i.swings_right else left
    arm.x += -1.2 * math.sin(q * PI) + 0.75 * (head.x - 0.7) * math.sin(i.a * PI)
    arm.y += 2 * b
    arm.z -= 0.4 * math.sin(i.a * PI)


def apply_swimming(i, right, left, legs):
    walked = i.state["walk_position"]
    for leg, phase in zip(legs, (0, PI)):
        leg.x = mix(i.s, leg.x, 0.3 * math.cos(walked / 3 + phase))
    if i.uses:
        return
    c = walked % 26
    q = lambda c: c * c - 65 * c
    if c < 14:
        x, spread = 0.0, 1.8707964 * q(c) / q(14)
    elif c < 22:
        x, spread = PI / 2 * (c - 14) / 8, 1.8707964 * (1 - (c - 14) / 8)
    else:
        x, spread = PI / 2 * (1 - (c - 22) / 4), 0.0
    for arm, interpolate, sign in ((right, mix, -1), (left, interpolate_angle, 1)):
        s = 0.0 if i.a > 0 and (arm is right) == i.swings_right else i.s
        arm.x, arm.y, arm.z = interpolate(s, arm.x, x), interpolate(s, arm.y, PI), interpolate(s, arm.z, PI + sign * spread)


def body_transform(i):
    """Returns the rotation and translation of the whole body."""
    state, translation = i.state, [0.0, -0.125 if i.crouches else 0.0, 0.0]
    rad = math.radians
    d = rad(-90) - i.pitch
    if state["dead"]:
        fallen = min(1.0, math.sqrt(1.6 * (state["death_time"] + i.t) / 20))
        return axis_rotation("z", rad(90) * fallen), translation
    if state["living_flags"] & 4:
        return multiply(axis_rotation("x", d), axis_rotation("y", rad(-75 * i.age))), translation
    if state["pose"] == "SLEEPING":
        upright, along = axis_rotation("y", -rad(180 - i.body_yaw)), rad(i.body_yaw)
        if i.bed:
            along = math.atan2(i.bed[2], -i.bed[0])
            translation = rotate(upright, [-1.52 * part for part in i.bed])
        return multiply(upright, axis_rotation("y", along), axis_rotation("z", rad(90)), axis_rotation("y", rad(270))), translation
    if i.g > 0:
        x, _, z = i.v
        length, (view_x, view_z) = math.hypot(x, z), i.view
        r = 0.0
        if length > 0:
            side = x * view_z - z * view_x
            r = math.copysign(math.acos(clamp((x * view_x + z * view_z) / length, -1, 1)), side)
        return multiply(axis_rotation("x", d * min(1.0, (i.g + i.t) ** 2 / 100)), axis_rotation("y", r)), translation
    if i.s > 0:
        rotation = axis_rotation("x", (d if state["entity_flags"] & 0x10 else rad(-90)) * i.s)
        if i.swims:
            translation = [a + b for a, b in zip(translation, rotate(rotation, [0.0, -1.0, 0.3]))]
        return rotation, translation
    return axis_rotation("y", 0.0), translation


def part_nodes(replay, time, player):
    """Yields the nodes of the parts of a player's body."""
    inputs = Inputs(replay, time)
    rotation, translation = body_transform(inputs)
    feet, facing = player["world"]["translation"], player["world"]["rotation"]
    for name, limb in zip(PARTS, pose_limbs(inputs)):
        position = [a + b for a, b in zip(translation, rotate(rotation, limb.joint()))]
        world = [a + b for a, b in zip(feet, rotate(facing, position))]
        # The head is positioned as in the game, but rotated as in the recording.
        world_rotation = None if name == "head" else multiply(facing, rotation, limb.rotation())
        shown = player["shown"] and (name == "head" or not inputs.state["spectator"])
        yield command.format_node(f"player/{name}", world, world_rotation, shown)

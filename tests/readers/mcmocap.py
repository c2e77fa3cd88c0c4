"""A reader of Minecraft Motion Capture's recordings, written from docs/formats/mcmocap.md alone."""

import copy
import math
import re
import struct

import command
import mcmocap_figure as figure

POSES = (
    "STANDING STANDING FALL_FLYING SLEEPING SWIMMING SPIN_ATTACK CROUCHING DYING LONG_JUMPING CROAKING USING_TONGUE "
    "SITTING ROARING SNIFFING EMERGING DIGGING SLIDING SHOOTING INHALING"
).split()
SLOTS = "MAINHAND OFFHAND FEET LEGS CHEST HEAD BODY SADDLE".split()
LIFELESS_ENTITIES = (
    "arrow spectral_arrow trident snowball egg blue_egg brown_egg ender_pearl experience_bottle potion splash_potion "
    "lingering_potion fireball small_fireball dragon_fireball wither_skull wind_charge breeze_wind_charge llama_spit "
    "shulker_bullet firework_rocket fishing_bobber area_effect_cloud block_display cushion end_crystal evoker_fangs "
    "experience_orb eye_of_ender falling_block glow_item_frame interaction item item_display item_frame leash_knot "
    "lightning_bolt marker ominous_item_spawner painting text_display tnt"
).split()
V1, V2, V3, V4, ALPHA5, EXP5, V5 = range(1, 8)


class LayoutError(Exception):
    """An error of a file that does not fit the layout."""


class Bytes:
    def __init__(self, data, variant, strings, plain_name, bare_extensions):
        self.data, self.offset = data, 0
        self.variant, self.strings = variant, strings
        self.plain_name, self.bare_extensions = plain_name, bare_extensions

    def read(self, letters):
        size = struct.calcsize(">" + letters)
        if self.offset + size > len(self.data):
            raise LayoutError
        values = struct.unpack_from(">" + letters, self.data, self.offset)
        self.offset += size
        return values

    def read_one(self, letter):
        return self.read(letter)[0]

    def read_bool(self):
        return self.read_one("B") == 1

    def read_packed(self):
        byte = self.read_one("B")
        return byte if byte < 255 else self.read_one("i")

    def read_bytes(self, length):
        if not 0 <= length <= len(self.data) - self.offset:
            raise LayoutError
        self.offset += length
        return self.data[self.offset - length : self.offset]

    def read_string(self):
        if self.strings == "zero":
            end = self.data.find(0, self.offset)
            if end < 0:
                raise LayoutError
            text = self.read_bytes(end - self.offset)
            self.offset += 1
            return text.decode(errors="replace")
        length = self.read_packed() if self.strings == "packed" else self.read_one("i")
        if self.strings == "utf16":
            end, units = self.offset, 0
            while units < length and end < len(self.data):
                first = self.data[end]
                end += 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2 if first >= 0xC0 else 1
                units += 2 if first >= 0xF0 else 1
            length = end - self.offset
        return self.read_bytes(length).decode(errors="replace")

    def read_strings(self, count):
        if not 0 <= count <= len(self.data) - self.offset:
            raise LayoutError
        return [self.read_string() for _ in range(count)]

    def read_angle(self):
        degrees = self.read_one("h") / 65536 * 360
        return struct.unpack(">f", struct.pack(">f", degrees))[0]


def read_header(file):
    file.read_one("b")
    start = {"position": list(file.read("3d"))}
    start["yaw"], start["pitch"] = file.read("ff")
    start["items"], start["dies"], start["blocks"] = None, False, None
    if file.variant <= V2:
        return start
    flags = file.read_one("B")
    start["dies"] = file.variant in (V3, V4) and bool(flags & 0x01)
    if flags & 0x04:
        start["items"] = file.read_strings(file.read_one("i"))
        start["blocks"] = []
        for _ in range(file.read_one("i")):
            name, words = file.read_string(), file.read_strings(2 * file.read_one("h"))
            start["blocks"].append((name, dict(zip(words[::2], words[1::2]))))
    if flags & 0x08:
        file.read_string()
    if flags & 0x10 and file.plain_name:
        file.read_string()
    elif flags & 0x10:
        bits = file.read_one("B")
        if bits & 1:
            file.read_string()
        if bits & 2:
            file.read_bytes(16)
        file.read_strings((bits >> 2 & 1) + (bits >> 3 & 1))
    if flags & 0x20:
        for _ in range(file.read_one("B")):
            file.read_string()
            file.read_one("h")
            if not file.bare_extensions:
                file.read_one("B")
                file.read_bytes(file.read_packed())
    if flags & 0x40:
        file.read_one("b")
    return start


def read_item(file, kind=None):
    kind = file.read_one("b") if kind is None else kind
    if kind not in (1, 2, 3):
        return None
    return file.read_one("i"), file.read_string() if kind > 1 else ""


def read_items(file):
    first = file.read_one("b")
    if first >= 0:
        return [read_item(file, first)] + [read_item(file) for _ in range(5)]
    return [read_item(file) for _ in range(-first if first > -128 else 0)]


def read_movement(file):
    """Reads a movement: (reference, number) for each axis, pitch, yaw, head yaw and the on-ground flag."""
    bits = file.read_one("B")
    y, xz, rotation_flags = bits & 0x03, bits & 0x0C, bits & 0x30
    if file.variant == ALPHA5:
        scaled_short = lambda scale: ("last", file.read_one("h") / 32767 * scale)
        encodings = {
            1: (lambda: scaled_short(4)) if bits & 0x80 else (lambda: ("absolute", file.read_one("h") / 2)),
            2: lambda: ("last", file.read_one("f")),
            3: lambda: ("absolute", file.read_one("d")),
            0x04: lambda: scaled_short(2),
            0x08: lambda: ("last", file.read_one("f")),
            0x0C: lambda: ("absolute", file.read_one("d")),
        }
    else:
        encodings = {
            1: lambda: ("start", file.read_one("f")),
            2: lambda: ("start", file.read_one("d")),
            3: lambda: ("absolute", file.read_one("h") / 2),
            0x04: lambda: ("start", file.read_one("f")),
            0x08: lambda: ("start", file.read_one("d")),
        }
    keep = lambda: ("keep", 0.0)
    up, x, z = encodings.get(y, keep)(), encodings.get(xz, keep)(), encodings.get(xz, keep)()
    rotation = (None, None, None)
    if rotation_flags:
        pitch, yaw = file.read_angle(), file.read_angle()
        rotation = (pitch, yaw, {0x10: 0.0, 0x20: yaw}[rotation_flags] if rotation_flags != 0x30 else file.read_angle())
    return ([x, up, z], *rotation, bool(bits & 0x40))


def read_action(file, depth=0):
    """Reads the next action. Returns its number and the data that the replay needs."""
    number = file.read_one("B")
    if number in (0, 23, 24, 28):
        return number, None
    if number == 1:
        axes = [("last", by) for by in file.read("3d")]
        pitch, yaw = file.read("ff")
        return 21, (axes, pitch, yaw, None, file.read_bool())
    if number == 21:
        return 21, read_movement(file)
    if number == 4:
        return 4, read_items(file)
    if number == 16:
        kind, entity = file.read_one("b"), file.read_one("i")
        return 16, (kind, entity, *((file.read_string(), list(file.read("3d"))) if kind == 1 else ()))
    if number == 17 and depth < 64:
        return 17, (file.read_one("i"), read_action(file, depth + 1))
    if number == 14:
        return 14, file.read("3i") if file.read_bool() else None
    if number == 19:
        return 19, file.read("bBBiiif") if file.read_bool() else None
    if number == 25:
        if file.variant != ALPHA5:
            file.read_one("B")
        return 25, file.read_string()
    if number == 27:
        if file.variant == ALPHA5 and file.read_bool():
            file.read_bytes(file.read_one("i"))
            file.read("BB")
            file.read_bytes(file.read_one("i"))
        return 27, None
    if number == 29:
        return 29, (file.read_strings(file.read_packed()), file.read_bool())
    if number == 30:
        bits = file.read_one("B")
        for bit, read in ((4, "b"), (8, None), (16, None), (32, None), (64, "f")):
            if bits & bit:
                file.read_one(read) if read else file.read_packed()
        return 30, None
    if number == 255:
        file.read("BB")
        return 255, file.read_bytes(file.read_packed())
    simple = {2: "f", 3: "i", 5: "B", 6: "B", 9: "i3i", 10: "ii3i", 15: "ii3i", 11: "3d3ib", 12: "i", 13: "ii", 18: "B", 20: "3ii", 22: "B", 7: "", 8: "", 26: ""}  # fmt: skip
    if number not in simple:
        raise LayoutError
    data = file.read(simple[number])
    if number in (7, 8, 12, 26):
        data += (file.read_bool(),)
    if number == 11:
        data += (file.read_bool(), file.read_bool())
    return number, data


def try_layout(data, layout):
    """Reads a file with a layout. Returns ((is_complete, end), start, actions, layout), or None if the header fails."""
    file, steps, end = Bytes(data, *layout), [], 0
    try:
        start = read_header(file)
        end = file.offset
        while file.offset < len(data):
            steps.append(read_action(file))
            end = file.offset
    except LayoutError:
        if not end:
            return None
        return (False, end), start, steps, layout
    return (True, end), start, steps, layout


def decode(data):
    version = struct.unpack_from(">b", data)[0]
    flags = data[33] if len(data) > 33 else 0
    variant = {0: V5, 5: V5, -5: EXP5 if flags & 0x40 else ALPHA5}.get(version, abs(version))
    strings = "i32"
    if variant > V2 and flags & 0x02:
        strings = "zero" if variant == ALPHA5 else "packed"
    plain_name = variant == ALPHA5
    layouts = [(variant, strings, plain_name, False)]
    if variant in (V2, V3):
        layouts.append((variant, "utf16", False, False))
    if variant in (ALPHA5, EXP5):
        layouts += [(variant, strings, name, bare) for name in (not plain_name, plain_name) for bare in (False, True)]
    results = [result for result in (try_layout(data, layout) for layout in layouts) if result]
    return max(results, key=lambda result: result[0])[1:]


def initial_state(position, yaw, pitch):
    return {
        "position": list(position), "yaw": yaw, "pitch": pitch, "head_yaw": yaw, "on_ground": False,
        "pose": "STANDING", "entity_flags": 0, "living_flags": 0, "main_hand_right": True,
        "items": [None] * 8, "snbt": [""] * 8, "spectator": False, "arrows": 0, "stingers": 0, "dead": False, "jumps": False, "moved": False,
        "bed": None,
    }  # fmt: skip


class Replay:
    def __init__(self, start, steps, layout, is_in_scene=False):
        self.start, self.variant, self.ticks = start, layout[0], 0
        self.player = initial_state(start["position"], start["yaw"], start["pitch"])
        self.entities, self.kinds = {}, {}
        self.vehicle, self.jumps, self.mounts, self.respawned = None, False, False, False
        self.swung, self.hurt, self.blocks = False, False, {}
        self.frames, trailing = [], False
        for number, data in steps:
            ticks = 1 if number == 0 else data[0] if number == 22 else 0
            self.ticks += ticks
            for _ in range(ticks):
                self.end_tick()
            if ticks:
                trailing = False
            elif number != 22:
                trailing = True
                self.apply_action(number, data, None)
        if is_in_scene and start["dies"]:
            self.apply_player_action(23)
            for _ in range(20):
                self.end_tick()
            trailing = True
        if trailing or not self.frames:
            self.end_tick()
        self.derive()

    def end_tick(self):
        existing = {number: state for number, state in self.entities.items() if state}
        frame = {"player": self.player, **existing}
        self.frames.append(copy.deepcopy({**frame, "events": (self.vehicle, self.mounts, self.swung, self.hurt)}))
        self.mounts = self.swung = self.hurt = False
        for state in frame.values():
            state["jumps"] = state["moved"] = False

    def apply_action(self, number, data, entity):
        if number == 17:
            if self.entities.get(data[0]):
                self.apply_action(*data[1], data[0])
            return
        if number == 16:
            return self.update_entity(*data)
        state = self.player if entity is None else self.entities[entity]
        if number == 21:
            self.move_actor(state, data, entity)
        elif number == 2 and math.isfinite(data[0]):
            state["head_yaw"], state["moved"] = data[0], True
        elif number == 3:
            state["pose"] = POSES[data[0]] if 0 <= data[0] < len(POSES) else "STANDING"
        elif number == 4:
            for slot in range(8):
                item = data[slot] if slot < len(data) else None
                if item is None and self.variant <= V3:
                    continue
                number, snbt = item or (0, "")
                state["items"][slot], state["snbt"][slot] = self.item_name(number), snbt
        elif number in (5, 6, 7):
            state[{5: "entity_flags", 6: "living_flags", 7: "main_hand_right"}[number]] = data[0]
        elif number == 13:
            state["arrows"], state["stingers"] = data
        elif number == 26:
            state["spectator"] = data[0]
        elif entity is None:
            self.apply_player_action(number, data)

    def apply_player_action(self, number, data=None):
        if number in (23, 24):
            self.player["dead"] = number == 23
            self.player["pose"] = "DYING" if number == 23 else "STANDING"
            self.respawned = self.respawned or number == 24
        if number == 8:
            self.swung = (data[0],)
        if number == 14:
            self.player["bed"] = data
        if number in (9, 10, 15):
            before, after, position = (data[0], 0, data[1:]) if number == 9 else (data[0], data[1], data[2:])
            self.blocks.setdefault(position, []).append((len(self.frames), before, after))
        self.hurt = self.hurt or number == 18

    def find_block(self, position, k):
        """Returns the name and properties of the block at a position in a frame. Both are empty if they are unknown."""
        changes, names = self.blocks.get(position), self.start["blocks"]
        if not changes or names is None:
            return "", {}
        number = changes[0][1]
        for frame, _, after in changes:
            number = after if frame <= k else number
        return names[number - 1] if 1 <= number <= len(names) else ("", {})

    def item_name(self, number):
        if not number:
            return None
        names = self.start["items"]
        if names is None or not 1 <= number <= len(names):
            return f"#{number}"
        name = names[number - 1]
        return name if ":" in name else "minecraft:" + name

    def move_actor(self, state, data, entity):
        axes, pitch, yaw, head, ground = data
        for axis, (how, number) in enumerate(axes):
            base = {"last": state["position"][axis], "start": self.start["position"][axis]}.get(how, 0.0)
            if how != "keep" and math.isfinite(base + number):
                state["position"][axis] = base + number
        for name, angle in (("pitch", pitch), ("yaw", yaw), ("head_yaw", head)):
            if angle is not None and math.isfinite(angle):
                state[name] = angle
        state["on_ground"], state["moved"] = ground, True
        if entity is None and self.respawned:
            state["jumps"], self.respawned = True, False

    def update_entity(self, kind, number, nbt="", position=None):
        state = self.entities.get(number)
        if kind == 1 and not state:
            rotation = re.search(r"Rotation:\s*\[\s*([-\d.eE]+)f?\s*,\s*([-\d.eE]+)f?\s*\]", nbt)
            name = re.search(r'[{,]\s*"?id"?:\s*"?([\w:./-]+)', nbt)
            yaw, pitch = (float(rotation[1]), float(rotation[2])) if rotation else (0.0, 0.0)
            self.entities[number] = {**initial_state(position, yaw, pitch), "jumps": True, "moved": True}
            self.kinds.setdefault(number, name[1].split(":")[-1] if name else "")
        elif kind == 6:
            self.vehicle = None
        elif not state:
            return
        elif kind == 2:
            self.entities[number] = None
            self.vehicle = None if self.vehicle == number else self.vehicle
        elif kind == 3:
            state["dead"] = True
        elif kind == 5:
            self.vehicle, self.mounts = number, True

    def derive(self):
        body, position, speed, swim, swing = self.start["yaw"], 0.0, 0.0, 0.0, None
        is_off_hand, glide, used, use = False, 0, 0, None
        before, hurt, dead = self.start["position"], None, 0
        mount = {}
        for k, frame in enumerate(self.frames):
            player, (vehicle, _, swung, is_hurt) = frame["player"], frame["events"]
            if swung and (swing is None or k - 1 - swing >= 3):
                swing, is_off_hand = k, swung[0]
            hurt = k if is_hurt else hurt
            attack = (k - swing) / 6 if swing is not None and k - swing < 6 else 0.0
            here = player["position"]
            dx, dz = here[0] - before[0], here[2] - before[2]
            before = here
            speed = 1.5 if is_hurt else speed
            speed += 0.4 * (min(4 * math.hypot(dx, dz), 1) - speed)
            position += speed
            ridden = frame.get(vehicle)
            kind = self.kinds.get(vehicle, "")
            if ridden:
                dx = dz = 0.0
            body = update_body_yaw(body, player["yaw"], dx, dz, attack)
            if ridden and kind.endswith(("boat", "raft")):
                body = ridden["yaw"]
            for number, state in frame.items():
                if number not in ("player", "events"):
                    update_mount(mount, number, state)
            drawn = body
            if ridden and not kind.endswith(("boat", "raft", "minecart")) and kind not in LIFELESS_ENTITIES:
                drawn = mounted_body_yaw(mount[vehicle][1], player["head_yaw"])
            swim = max(0.0, min(1.0, swim + (0.09 if player["pose"] == "SWIMMING" else -0.09)))
            dead = dead + 1 if player["dead"] else 0
            glide = glide + 1 if player["entity_flags"] & 0x80 else 0
            used, use = (used + 1 if player["living_flags"] & 3 == use else 0), player["living_flags"] & 3
            frame["derived"] = {
                "vehicle": vehicle,
                "body_yaw": drawn,
                "walk_position": position,
                "walk_speed": min(speed, 1.0),
                "attack": attack,
                "swim_amount": swim,
                "hurt_time": max(0, 9 - (k - hurt)) if hurt is not None else 0,
                "death_time": dead,
                "is_off_hand": is_off_hand,
                "glide": glide,
                "used": used,
            }

    def find_frame(self, time):
        """Returns the last frame before a time, and the fraction of the tick after it."""
        ticks = time * 20
        k, part = math.floor(ticks), ticks - math.floor(ticks)
        if abs(ticks - round(ticks)) <= 1e-6 * 20:
            k, part = round(ticks), 0.0
        if k < 0:
            k, part = 0, 0.0
        if k >= len(self.frames) - 1:
            k, part = len(self.frames) - 1, 0.0
        return k, part

    def sample_state(self, actor, time):
        """Samples the state of the player (None) or of an entity. Returns None while the entity does not exist."""
        k, part = self.find_frame(time)
        actor = "player" if actor is None else actor
        frame, after = self.frames[k], self.frames[k + 1] if part else None
        if actor not in frame:
            return None
        here = dict(frame[actor])
        here.update(frame["derived"] if actor == "player" else {})
        if not part or actor not in after:
            return here
        next_state = after[actor]
        is_teleport = math.dist(here["position"], next_state["position"]) > 8 or next_state["jumps"]
        if not is_teleport:
            for name in ("yaw", "pitch", "head_yaw"):
                here[name] = interpolate_angle(here[name], next_state[name], part)
            if not (actor == "player" and after["events"][1]):
                ends = zip(here["position"], next_state["position"])
                here["position"] = [a + (b - a) * part for a, b in ends]
        if actor == "player":
            interpolate_derived(here, after["derived"], part)
        return here


def interpolate_derived(here, next_state, part):
    here["body_yaw"] = interpolate_angle(here["body_yaw"], next_state["body_yaw"], part)
    rest = 1.0 if next_state["attack"] < here["attack"] else 0.0
    for name, more in (("walk_position", 0), ("walk_speed", 0), ("attack", rest), ("swim_amount", 0)):
        here[name] += (next_state[name] + more - here[name]) * part


def wrap(angle):
    return (angle + 180) % 360 - 180


def interpolate_angle(a, b, part):
    return a + wrap(b - a) * part


def update_body_yaw(body, yaw, dx, dz, attack):
    target = body
    if dx * dx + dz * dz > 0.0025000002:
        along = math.degrees(math.atan2(dz, dx)) - 90
        target = along - 180 if 95 < abs(wrap(yaw) - along) < 265 else along
    if attack > 0:
        target = yaw
    body += 0.3 * wrap(target - body)
    off = wrap(yaw - body)
    return body + off - math.copysign(50, off) if abs(off) > 50 else body


def update_mount(mounts, number, state):
    """Updates the yaw that a mount had when it last moved forward."""
    x, _, z = state["position"]
    if number not in mounts or state["jumps"]:
        mounts[number] = ((x, z), state["yaw"])
    elif state["moved"]:
        (from_x, from_z), yaw = mounts[number]
        walks = math.hypot(x - from_x, z - from_z) > 0.0005
        mounts[number] = ((x, z), state["yaw"] if walks else yaw)


def mounted_body_yaw(mount, head):
    d = max(-85.0, min(85.0, wrap(head - mount)))
    return head - d + (0.2 * d if abs(d) > 50 else 0.0)


STORED_TRACKS = "position yaw pitch head_yaw on_ground pose entity_flags living_flags main_hand_right".split()
DERIVED_TRACKS = "vehicle body_yaw walk_position walk_speed attack swim_amount hurt_time death_time".split()


def sample_tracks(replay, time, prefix=""):
    """Yields the tracks of a recording at a time. Values of missing actors are None. In a scene, which has a
    prefix, entities do not exist before the recording begins."""
    actors = [None, *replay.kinds]
    filled = {
        actor: [
            slot
            for slot in range(8)
            if any(frame.get("player" if actor is None else actor, {}).get("items", [None] * 8)[slot] for frame in replay.frames)
        ]
        for actor in actors
    }

    for actor in actors:
        is_there = time is not None and (actor is None or not prefix or time >= 0)
        state = replay.sample_state(actor, time) if is_there else None
        node = prefix + ("player" if actor is None else f"entity/{actor}")
        get = lambda name: state and state[name]
        yield from ((node, name, get(name)) for name in STORED_TRACKS)
        yield from ((node, f"item.{SLOTS[slot]}", state and state["items"][slot]) for slot in filled[actor])
        rest = ["arrows", "stingers", "dead", *(DERIVED_TRACKS if actor is None else [])]
        yield from ((node, name, get(name)) for name in rest)


def player_node(replay, time, prefix="", point=lambda p: p, yaw=lambda a: a, is_there=True):
    """Returns the node of the player, rotated by its body yaw."""
    state = replay.sample_state(None, time)
    is_parked = state["position"][1] - replay.start["position"][1] > 999_000
    shown = is_there and not is_parked and state["death_time"] <= 20
    half = math.radians(180 - yaw(state["body_yaw"])) / 2
    rotation = [0.0, math.sin(half), 0.0, math.cos(half)]
    return command.format_node(prefix + "player", point(state["position"]), rotation, shown)


def read(path, _request):
    with open(path, "rb") as file:
        replay = Replay(*decode(file.read()))

    def sample(time):
        node = player_node(replay, time)
        return {"tracks": command.format_tracks(sample_tracks(replay, time)), "nodes": [node, *figure.part_nodes(replay, time, node)]}

    return sample


if __name__ == "__main__":
    command.run(read)

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
LIFELESS = (
    "arrow spectral_arrow trident snowball egg blue_egg brown_egg ender_pearl experience_bottle potion splash_potion "
    "lingering_potion fireball small_fireball dragon_fireball wither_skull wind_charge breeze_wind_charge llama_spit "
    "shulker_bullet firework_rocket fishing_bobber area_effect_cloud block_display cushion end_crystal evoker_fangs "
    "experience_orb eye_of_ender falling_block glow_item_frame interaction item item_display item_frame leash_knot "
    "lightning_bolt marker ominous_item_spawner painting text_display tnt"
).split()
V1, V2, V3, V4, ALPHA5, EXP5, V5 = range(1, 8)


class Stopped(Exception):
    """The file cannot be read on in this layout."""


class Bytes:
    def __init__(self, data, variant, strings, plain_name, bare_extensions):
        self.data, self.at = data, 0
        self.variant, self.strings = variant, strings
        self.plain_name, self.bare_extensions = plain_name, bare_extensions

    def take(self, letters):
        size = struct.calcsize(">" + letters)
        if self.at + size > len(self.data):
            raise Stopped
        values = struct.unpack_from(">" + letters, self.data, self.at)
        self.at += size
        return values

    def one(self, letter):
        return self.take(letter)[0]

    def bool(self):
        return self.one("B") == 1

    def packed(self):
        byte = self.one("B")
        return byte if byte < 255 else self.one("i")

    def bytes(self, length):
        if not 0 <= length <= len(self.data) - self.at:
            raise Stopped
        self.at += length
        return self.data[self.at - length : self.at]

    def string(self):
        if self.strings == "zero":
            end = self.data.find(0, self.at)
            if end < 0:
                raise Stopped
            text = self.bytes(end - self.at)
            self.at += 1
            return text.decode(errors="replace")
        length = self.packed() if self.strings == "packed" else self.one("i")
        if self.strings == "utf16":
            end, units = self.at, 0
            while units < length and end < len(self.data):
                first = self.data[end]
                end += 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2 if first >= 0xC0 else 1
                units += 2 if first >= 0xF0 else 1
            length = end - self.at
        return self.bytes(length).decode(errors="replace")

    def strings_of(self, count):
        if not 0 <= count <= len(self.data) - self.at:
            raise Stopped
        return [self.string() for _ in range(count)]

    def angle(self):
        degrees = self.one("h") / 65536 * 360
        return struct.unpack(">f", struct.pack(">f", degrees))[0]


def header(file):
    file.one("b")
    start = {"position": list(file.take("3d"))}
    start["yaw"], start["pitch"] = file.take("ff")
    start["items"], start["dies"], start["blocks"] = None, False, None
    if file.variant <= V2:
        return start
    flags = file.one("B")
    start["dies"] = file.variant in (V3, V4) and bool(flags & 0x01)
    if flags & 0x04:
        start["items"] = file.strings_of(file.one("i"))
        start["blocks"] = []
        for _ in range(file.one("i")):
            name, words = file.string(), file.strings_of(2 * file.one("h"))
            start["blocks"].append((name, dict(zip(words[::2], words[1::2]))))
    if flags & 0x08:
        file.string()
    if flags & 0x10 and file.plain_name:
        file.string()
    elif flags & 0x10:
        bits = file.one("B")
        if bits & 1:
            file.string()
        if bits & 2:
            file.bytes(16)
        file.strings_of((bits >> 2 & 1) + (bits >> 3 & 1))
    if flags & 0x20:
        for _ in range(file.one("B")):
            file.string()
            file.one("h")
            if not file.bare_extensions:
                file.one("B")
                file.bytes(file.packed())
    if flags & 0x40:
        file.one("b")
    return start


def item(file, kind=None):
    kind = file.one("b") if kind is None else kind
    if kind not in (1, 2, 3):
        return None
    return file.one("i"), file.string() if kind > 1 else ""


def items(file):
    first = file.one("b")
    if first >= 0:
        return [item(file, first)] + [item(file) for _ in range(5)]
    return [item(file) for _ in range(-first if first > -128 else 0)]


def movement(file):
    """For each axis how it is meant and the number, then pitch, yaw and head, and the ground."""
    bits = file.one("B")
    y, xz, turn = bits & 0x03, bits & 0x0C, bits & 0x30
    if file.variant == ALPHA5:
        small = lambda most: ("last", file.one("h") / 32767 * most)
        ways = {
            1: (lambda: small(4)) if bits & 0x80 else (lambda: ("absolute", file.one("h") / 2)),
            2: lambda: ("last", file.one("f")),
            3: lambda: ("absolute", file.one("d")),
            0x04: lambda: small(2),
            0x08: lambda: ("last", file.one("f")),
            0x0C: lambda: ("absolute", file.one("d")),
        }
    else:
        ways = {
            1: lambda: ("start", file.one("f")),
            2: lambda: ("start", file.one("d")),
            3: lambda: ("absolute", file.one("h") / 2),
            0x04: lambda: ("start", file.one("f")),
            0x08: lambda: ("start", file.one("d")),
        }
    keep = lambda: ("keep", 0.0)
    up, x, z = ways.get(y, keep)(), ways.get(xz, keep)(), ways.get(xz, keep)()
    look = (None, None, None)
    if turn:
        pitch, yaw = file.angle(), file.angle()
        look = (pitch, yaw, {0x10: 0.0, 0x20: yaw}[turn] if turn != 0x30 else file.angle())
    return ([x, up, z], *look, bool(bits & 0x40))


def action(file, depth=0):
    """The number of the next action and what replaying needs of its data."""
    number = file.one("B")
    if number in (0, 23, 24, 28):
        return number, None
    if number == 1:
        way = [("last", by) for by in file.take("3d")]
        pitch, yaw = file.take("ff")
        return 21, (way, pitch, yaw, None, file.bool())
    if number == 21:
        return 21, movement(file)
    if number == 4:
        return 4, items(file)
    if number == 16:
        kind, entity = file.one("b"), file.one("i")
        return 16, (kind, entity, *((file.string(), list(file.take("3d"))) if kind == 1 else ()))
    if number == 17 and depth < 64:
        return 17, (file.one("i"), action(file, depth + 1))
    if number == 14:
        return 14, file.take("3i") if file.bool() else None
    if number == 19:
        return 19, file.take("bBBiiif") if file.bool() else None
    if number == 25:
        if file.variant != ALPHA5:
            file.one("B")
        return 25, file.string()
    if number == 27:
        if file.variant == ALPHA5 and file.bool():
            file.bytes(file.one("i"))
            file.take("BB")
            file.bytes(file.one("i"))
        return 27, None
    if number == 29:
        return 29, (file.strings_of(file.packed()), file.bool())
    if number == 30:
        bits = file.one("B")
        for bit, read in ((4, "b"), (8, None), (16, None), (32, None), (64, "f")):
            if bits & bit:
                file.one(read) if read else file.packed()
        return 30, None
    if number == 255:
        file.take("BB")
        return 255, file.bytes(file.packed())
    simple = {2: "f", 3: "i", 5: "B", 6: "B", 9: "i3i", 10: "ii3i", 15: "ii3i", 11: "3d3ib", 12: "i", 13: "ii", 18: "B", 20: "3ii", 22: "B", 7: "", 8: "", 26: ""}  # fmt: skip
    if number not in simple:
        raise Stopped
    data = file.take(simple[number])
    if number in (7, 8, 12, 26):
        data += (file.bool(),)
    if number == 11:
        data += (file.bool(), file.bool())
    return number, data


def attempt(data, layout):
    """The start, the actions, and how far the file could be read; whether to its end."""
    file, steps, end = Bytes(data, *layout), [], 0
    try:
        start = header(file)
        end = file.at
        while file.at < len(data):
            steps.append(action(file))
            end = file.at
    except Stopped:
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
    plain = variant == ALPHA5
    layouts = [(variant, strings, plain, False)]
    if variant in (V2, V3):
        layouts.append((variant, "utf16", False, False))
    if variant in (ALPHA5, EXP5):
        layouts += [(variant, strings, name, bare) for name in (not plain, plain) for bare in (False, True)]
    read = [one for one in (attempt(data, layout) for layout in layouts) if one]
    return max(read, key=lambda one: one[0])[1:]


def first_state(position, yaw, pitch):
    return {
        "position": list(position), "yaw": yaw, "pitch": pitch, "head_yaw": yaw, "on_ground": False,
        "pose": "STANDING", "entity_flags": 0, "living_flags": 0, "main_hand_right": True,
        "items": [None] * 8, "snbt": [""] * 8, "spectator": False, "arrows": 0, "stingers": 0, "dead": False, "jumps": False, "moved": False,
        "bed": None,
    }  # fmt: skip


class Replay:
    def __init__(self, start, steps, layout, is_in_scene=False):
        self.start, self.variant, self.ticks = start, layout[0], 0
        self.player = first_state(start["position"], start["yaw"], start["pitch"])
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
                self.act(number, data, None)
        if is_in_scene and start["dies"]:
            self.do(23)
            for _ in range(20):
                self.end_tick()
            trailing = True
        if trailing or not self.frames:
            self.end_tick()
        self.derive()

    def end_tick(self):
        there = {number: state for number, state in self.entities.items() if state}
        frame = {"player": self.player, **there}
        self.frames.append(copy.deepcopy({**frame, "events": (self.vehicle, self.mounts, self.swung, self.hurt)}))
        self.mounts = self.swung = self.hurt = False
        for state in frame.values():
            state["jumps"] = state["moved"] = False

    def act(self, number, data, entity):
        if number == 17:
            if self.entities.get(data[0]):
                self.act(*data[1], data[0])
            return
        if number == 16:
            return self.update(*data)
        state = self.player if entity is None else self.entities[entity]
        if number == 21:
            self.move(state, data, entity)
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
                state["items"][slot], state["snbt"][slot] = self.item(number), snbt
        elif number in (5, 6, 7):
            state[{5: "entity_flags", 6: "living_flags", 7: "main_hand_right"}[number]] = data[0]
        elif number == 13:
            state["arrows"], state["stingers"] = data
        elif number == 26:
            state["spectator"] = data[0]
        elif entity is None:
            self.do(number, data)

    def do(self, number, data=None):
        if number in (23, 24):
            self.player["dead"] = number == 23
            self.player["pose"] = "DYING" if number == 23 else "STANDING"
            self.respawned = self.respawned or number == 24
        if number == 8:
            self.swung = (data[0],)
        if number == 14:
            self.player["bed"] = data
        if number in (9, 10, 15):
            before, after, place = (data[0], 0, data[1:]) if number == 9 else (data[0], data[1], data[2:])
            self.blocks.setdefault(place, []).append((len(self.frames), before, after))
        self.hurt = self.hurt or number == 18

    def block(self, place, k):
        """The name and the properties of the block at a place in a frame, as far as the recording tells."""
        changes, names = self.blocks.get(place), self.start["blocks"]
        if not changes or names is None:
            return "", {}
        number = changes[0][1]
        for frame, _, after in changes:
            number = after if frame <= k else number
        return names[number - 1] if 1 <= number <= len(names) else ("", {})

    def item(self, number):
        if not number:
            return None
        names = self.start["items"]
        if names is None or not 1 <= number <= len(names):
            return f"#{number}"
        name = names[number - 1]
        return name if ":" in name else "minecraft:" + name

    def move(self, state, data, entity):
        way, pitch, yaw, head, ground = data
        for axis, (how, number) in enumerate(way):
            base = {"last": state["position"][axis], "start": self.start["position"][axis]}.get(how, 0.0)
            if how != "keep" and math.isfinite(base + number):
                state["position"][axis] = base + number
        for name, angle in (("pitch", pitch), ("yaw", yaw), ("head_yaw", head)):
            if angle is not None and math.isfinite(angle):
                state[name] = angle
        state["on_ground"], state["moved"] = ground, True
        if entity is None and self.respawned:
            state["jumps"], self.respawned = True, False

    def update(self, kind, number, nbt="", position=None):
        state = self.entities.get(number)
        if kind == 1 and not state:
            look = re.search(r"Rotation:\s*\[\s*([-\d.eE]+)f?\s*,\s*([-\d.eE]+)f?\s*\]", nbt)
            name = re.search(r'[{,]\s*"?id"?:\s*"?([\w:./-]+)', nbt)
            yaw, pitch = (float(look[1]), float(look[2])) if look else (0.0, 0.0)
            self.entities[number] = {**first_state(position, yaw, pitch), "jumps": True, "moved": True}
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
            body = turned_body(body, player["yaw"], dx, dz, attack)
            if ridden and kind.endswith(("boat", "raft")):
                body = ridden["yaw"]
            for number, state in frame.items():
                if number not in ("player", "events"):
                    walk_mount(mount, number, state)
            drawn = body
            if ridden and not kind.endswith(("boat", "raft", "minecart")) and kind not in LIFELESS:
                drawn = on_mount(mount[vehicle][1], player["head_yaw"])
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

    def moment(self, time):
        """The frame at or before a time, and the part of the tick from there on."""
        ticks = time * 20
        k, part = math.floor(ticks), ticks - math.floor(ticks)
        if abs(ticks - round(ticks)) <= 1e-6 * 20:
            k, part = round(ticks), 0.0
        if k < 0:
            k, part = 0, 0.0
        if k >= len(self.frames) - 1:
            k, part = len(self.frames) - 1, 0.0
        return k, part

    def state(self, who, time):
        """What the player (None) or an entity has at a time; None if it is not there."""
        k, part = self.moment(time)
        who = "player" if who is None else who
        frame, after = self.frames[k], self.frames[k + 1] if part else None
        if who not in frame:
            return None
        here = dict(frame[who])
        here.update(frame["derived"] if who == "player" else {})
        if not part or who not in after:
            return here
        then = after[who]
        far = math.dist(here["position"], then["position"]) > 8 or then["jumps"]
        if not far:
            for name in ("yaw", "pitch", "head_yaw"):
                here[name] = turn(here[name], then[name], part)
            if not (who == "player" and after["events"][1]):
                ends = zip(here["position"], then["position"])
                here["position"] = [a + (b - a) * part for a, b in ends]
        if who == "player":
            between(here, after["derived"], part)
        return here


def between(here, then, part):
    here["body_yaw"] = turn(here["body_yaw"], then["body_yaw"], part)
    rest = 1.0 if then["attack"] < here["attack"] else 0.0
    for name, more in (("walk_position", 0), ("walk_speed", 0), ("attack", rest), ("swim_amount", 0)):
        here[name] += (then[name] + more - here[name]) * part


def wrap(angle):
    return (angle + 180) % 360 - 180


def turn(a, b, part):
    return a + wrap(b - a) * part


def turned_body(body, yaw, dx, dz, attack):
    target = body
    if dx * dx + dz * dz > 0.0025000002:
        along = math.degrees(math.atan2(dz, dx)) - 90
        target = along - 180 if 95 < abs(wrap(yaw) - along) < 265 else along
    if attack > 0:
        target = yaw
    body += 0.3 * wrap(target - body)
    off = wrap(yaw - body)
    return body + off - math.copysign(50, off) if abs(off) > 50 else body


def walk_mount(mounts, number, state):
    """Keeps the yaw at the last movement with which a mount got ahead."""
    x, _, z = state["position"]
    if number not in mounts or state["jumps"]:
        mounts[number] = ((x, z), state["yaw"])
    elif state["moved"]:
        (from_x, from_z), yaw = mounts[number]
        walks = math.hypot(x - from_x, z - from_z) > 0.0005
        mounts[number] = ((x, z), state["yaw"] if walks else yaw)


def on_mount(mount, head):
    d = max(-85.0, min(85.0, wrap(head - mount)))
    return head - d + (0.2 * d if abs(d) > 50 else 0.0)


TOLD = "position yaw pitch head_yaw on_ground pose entity_flags living_flags main_hand_right".split()
DERIVED = "vehicle body_yaw walk_position walk_speed attack swim_amount hurt_time death_time".split()


def values(replay, time, prefix=""):
    """The tracks of a recording at a time; None while it is not there. In a scene, which has a prefix,
    entities are not there before it begins."""
    actors = [None, *replay.kinds]
    filled = {
        who: [
            slot
            for slot in range(8)
            if any(frame.get("player" if who is None else who, {}).get("items", [None] * 8)[slot] for frame in replay.frames)
        ]
        for who in actors
    }

    for who in actors:
        is_there = time is not None and (who is None or not prefix or time >= 0)
        state = replay.state(who, time) if is_there else None
        node = prefix + ("player" if who is None else f"entity/{who}")
        get = lambda name: state and state[name]
        yield from ((node, name, get(name)) for name in TOLD)
        yield from ((node, f"item.{SLOTS[slot]}", state and state["items"][slot]) for slot in filled[who])
        rest = ["arrows", "stingers", "dead", *(DERIVED if who is None else [])]
        yield from ((node, name, get(name)) for name in rest)


def player(replay, time, prefix="", point=lambda p: p, yaw=lambda a: a, is_there=True):
    """The node of the player, which stands by its body's yaw."""
    state = replay.state(None, time)
    is_parked = state["position"][1] - replay.start["position"][1] > 999_000
    shown = is_there and not is_parked and state["death_time"] <= 20
    half = math.radians(180 - yaw(state["body_yaw"])) / 2
    rotation = [0.0, math.sin(half), 0.0, math.cos(half)]
    return command.node(prefix + "player", point(state["position"]), rotation, shown)


def read(path, _request):
    with open(path, "rb") as file:
        replay = Replay(*decode(file.read()))

    def sample(time):
        node = player(replay, time)
        return {"tracks": command.tracks(values(replay, time)), "nodes": [node, *figure.parts(replay, time, node)]}

    return sample


if __name__ == "__main__":
    command.run(read)

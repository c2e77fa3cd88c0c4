"""Reads a recording of version 5 and prints, as JSON, what is so in each of its frames.

Written from the description of the format alone, and strict: every byte has to belong to something, and
only what the mod itself writes is accepted. It shares no code with the program whose files it reads.
"""

import json
import struct
import sys

SLOTS = ["MAINHAND", "OFFHAND", "FEET", "LEGS", "CHEST", "HEAD", "BODY", "SADDLE"]
POSES = [
    "STANDING", "STANDING", "FALL_FLYING", "SLEEPING", "SWIMMING", "SPIN_ATTACK", "CROUCHING", "DYING",
    "LONG_JUMPING", "CROAKING", "USING_TONGUE", "SITTING", "ROARING", "SNIFFING", "EMERGING", "DIGGING",
    "SLIDING", "SHOOTING", "INHALING",
]
# Actions that the mod no longer writes.
OLD = {1, 2, 12, 19}


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        assert 0 <= count <= len(self.data) - self.at, f"{count} bytes at {self.at}"
        self.at += count
        return self.data[self.at - count : self.at]

    def read(self, form):
        values = struct.unpack(">" + form, self.take(struct.calcsize(">" + form)))
        return values if len(values) > 1 else values[0]

    def bool(self):
        value = self.read("B")
        assert value in (0, 1), f"bool {value} at {self.at}"
        return value == 1

    def packed(self):
        value = self.read("B")
        if value < 255:
            return value
        value = self.read("i")
        assert value >= 255 or value < 0, f"packed {value} at {self.at}"
        return value

    def string(self):
        return self.take(self.packed()).decode("utf-8")


def header(b):
    assert b.read("b") == 5
    found = {"start": b.read("3d"), "yaw": b.read("f"), "pitch": b.read("f")}
    flags = b.read("B")
    assert flags & 0x02 and not flags & 0xC1, f"flags {flags:#x}"
    found["items"], found["blocks"] = [], []
    if flags & 0x04:
        found["items"] = [b.string() for _ in range(b.read("i"))]
        for _ in range(b.read("i")):
            name, count = b.string(), b.read("h")
            found["blocks"].append([name, [[b.string(), b.string()] for _ in range(count)]])
    found["dimension"] = b.string() if flags & 0x08 else None
    found["profile"] = {}
    if flags & 0x10:
        bits = b.read("B")
        if bits & 1:
            found["profile"]["name"] = b.string()
        if bits & 2:
            found["profile"]["uuid"] = b.take(16).hex()
        if bits & 4:
            found["profile"]["skin"] = b.string()
        if bits & 8:
            found["profile"]["signature"] = b.string()
    found["extensions"] = []
    if flags & 0x20:
        for _ in range(b.read("B")):
            name, version, _, length = b.string(), b.read("h"), b.read("B"), b.packed()
            b.take(length)
            found["extensions"].append([name, version])
    return found


def actor(pos, yaw, pitch):
    return {
        "pos": list(pos), "yaw": yaw, "pitch": pitch, "headYaw": yaw, "onGround": False, "pose": "STANDING",
        "entityFlags": 0, "livingFlags": 0, "mainHandRight": True, "arrows": 0, "stingers": 0,
        "spectator": False, "sleepingPos": None, "items": {slot: None for slot in SLOTS}, "effect": None,
        "data": None,
    }


def angle(short):
    return struct.unpack(">f", struct.pack(">f", short / 65536 * 360))[0]


class Reader:
    def __init__(self, data):
        self.b = Bytes(data)
        self.header = header(self.b)
        start = self.header["start"]
        self.player = actor(start, self.header["yaw"], self.header["pitch"])
        self.entities, self.vehicle, self.dead = {}, None, False
        self.frames, self.events = [], []

    def item_name(self, number):
        name = self.header["items"][number - 1]
        return name if ":" in name else "minecraft:" + name

    def block_name(self, number):
        if number == 0:
            return "minecraft:air"
        name, properties = self.header["blocks"][number - 1]
        name = name if ":" in name else "minecraft:" + name
        if properties:
            name += "[" + ",".join(f"{key}={value}" for key, value in properties) + "]"
        return name

    def run(self):
        last = None
        while self.b.at < len(self.b.data):
            opcode = self.b.read("B")
            assert opcode not in OLD, f"opcode {opcode} at {self.b.at}"
            last = opcode
            if opcode == 0:
                self.tick(1)
            elif opcode == 22:
                count = self.b.read("B")
                assert count >= 2
                self.tick(count)
            else:
                self.action(opcode, self.player, None)
        assert last in (None, 0, 22), "actions behind the last tick"

    def tick(self, count):
        frame = {"vehicle": self.vehicle, "dead": self.dead, "events": self.events}
        frame.update(json.loads(json.dumps(self.player)))
        frame["entities"] = json.loads(json.dumps({str(k): v for k, v in self.entities.items()}))
        self.frames.append(frame)
        self.events = []
        for _ in range(count - 1):
            self.frames.append({**frame, "events": []})

    def event(self, *event):
        self.events.append(list(event))

    def action(self, opcode, who, entity):
        b = self.b
        if opcode == 3:
            who["pose"] = POSES[b.read("i")]
        elif opcode == 4:
            self.items(who)
        elif opcode == 5:
            who["entityFlags"] = b.read("B")
        elif opcode == 6:
            who["livingFlags"] = b.read("B")
        elif opcode == 7:
            who["mainHandRight"] = b.bool()
        elif opcode == 8:
            self.event("swing", entity, b.bool())
        elif opcode == 9:
            self.event("break", self.block_name(b.read("i")), b.read("3i"))
        elif opcode in (10, 15):
            before, block = b.read("2i")
            self.event("place", self.block_name(before), self.block_name(block), b.read("3i"), opcode == 15)
        elif opcode == 11:
            self.event("use", b.read("3d"), b.read("3i"), b.read("b"), b.bool(), b.bool())
        elif opcode == 13:
            who["arrows"], who["stingers"] = b.read("2i")
        elif opcode == 14:
            who["sleepingPos"] = list(b.read("3i")) if b.bool() else None
        elif opcode == 16:
            assert entity is None
            self.update(b.read("b"), b.read("i"))
        elif opcode == 17:
            number = b.read("i")
            assert entity is None and number in self.entities, f"entity {number} at {b.at}"
            self.action(b.read("B"), self.entities[number], number)
        elif opcode == 18:
            assert b.read("B") == 0
            self.event("hurt", entity)
        elif opcode == 20:
            self.event("crack", b.read("3i"), b.read("i"))
        elif opcode == 21:
            self.movement(who)
        elif opcode in (23, 24):
            assert entity is None
            self.dead = opcode == 23
            who["pose"] = "DYING" if self.dead else "STANDING"
            self.event("die" if self.dead else "respawn")
        elif opcode == 25:
            assert b.read("B") == 0
            self.event("chat", b.string())
        elif opcode == 26:
            who["spectator"] = b.bool()
        elif opcode == 27:
            pass
        elif opcode == 28:
            self.event("close")
        elif opcode == 29:
            who["effect"] = {"particles": [b.string() for _ in range(b.packed())], "ambience": b.bool()}
        elif opcode == 30:
            self.data_of(who)
        elif opcode == 255:
            extension, number = b.read("2B")
            self.event("custom", self.header["extensions"][extension][0], number, b.take(b.packed()).hex())
        else:
            raise AssertionError(f"opcode {opcode} at {b.at}")

    def items(self, who):
        first = self.b.read("b")
        assert first < 0, "the form without a count"
        count = 0 if first == -128 else -first
        assert count <= len(SLOTS)
        found = []
        for _ in range(count):
            kind = self.b.read("b")
            if kind == 0:
                found.append(None)
                continue
            assert kind in (1, 2, 3)
            name = self.item_name(self.b.read("i"))
            found.append({"id": name, "data": self.b.string() if kind > 1 else None})
        assert not found or found[-1] is not None, "an empty slot at the end"
        found += [None] * (len(SLOTS) - count)
        who["items"] = dict(zip(SLOTS, found))

    def update(self, kind, number):
        b = self.b
        if kind == 1:
            assert number not in self.entities
            nbt = b.string()
            self.entities[number] = {**actor(b.read("3d"), 0.0, 0.0), "nbt": nbt, "alive": True}
        elif kind == 2:
            del self.entities[number]
            self.vehicle = None if self.vehicle == number else self.vehicle
        elif kind == 3:
            self.entities[number]["alive"] = False
        elif kind == 4:
            assert number in self.entities
        elif kind == 5:
            assert number in self.entities
            self.vehicle = number
        elif kind == 6:
            assert number == 0
            self.vehicle = None
        else:
            raise AssertionError(f"update {kind} at {b.at}")
        self.event("update", kind, number)

    def movement(self, who):
        b, start = self.b, self.header["start"]
        flags = b.read("B")
        assert flags & 0x80 == 0 and flags & 0x0C != 0x0C, f"flags {flags:#x} at {b.at}"
        y = flags & 3
        if y == 1:
            who["pos"][1] = start[1] + b.read("f")
        elif y == 2:
            who["pos"][1] = start[1] + b.read("d")
        elif y == 3:
            who["pos"][1] = b.read("h") / 2
        if flags & 0x0C:
            x, z = b.read("2f" if flags & 4 else "2d")
            who["pos"][0], who["pos"][2] = start[0] + x, start[2] + z
        turn = flags & 0x30
        if turn:
            who["pitch"], who["yaw"] = angle(b.read("h")), angle(b.read("h"))
            who["headYaw"] = {0x10: 0.0, 0x20: who["yaw"]}.get(turn)
            if turn == 0x30:
                who["headYaw"] = angle(b.read("h"))
        who["onGround"] = flags & 0x40 != 0

    def data_of(self, who):
        b = self.b
        flags = b.read("B")
        assert not flags & 0x80
        found = {"flag1": flags & 1 != 0, "flag2": flags & 2 != 0}
        found["byte1"] = b.read("b") if flags & 4 else None
        for bit, name in ((8, "int1"), (16, "int2"), (32, "int3")):
            found[name] = b.packed() if flags & bit else None
        found["float1"] = b.read("f") if flags & 64 else None
        who["data"] = found


reader = Reader(sys.stdin.buffer.read())
reader.run()
json.dump({"header": reader.header, "frames": reader.frames}, sys.stdout)

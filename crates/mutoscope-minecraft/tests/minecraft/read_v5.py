"""Reads a recording of version 5 and prints the state in each frame as JSON.

The reader is written from the description of the format alone, and shares no code with Mutoscope. It is
strict: it rejects unknown bytes, and anything that the mod itself never writes.
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
OBSOLETE_OPCODES = {1, 2, 12, 19}


class Bytes:
    def __init__(self, data):
        self.data, self.offset = data, 0

    def read_bytes(self, count):
        assert 0 <= count <= len(self.data) - self.offset, f"{count} bytes at {self.offset} exceed the file"
        self.offset += count
        return self.data[self.offset - count : self.offset]

    def read(self, form):
        values = struct.unpack(">" + form, self.read_bytes(struct.calcsize(">" + form)))
        return values if len(values) > 1 else values[0]

    def read_bool(self):
        value = self.read("B")
        assert value in (0, 1), f"expected 0 or 1 before byte {self.offset}, found {value}"
        return value == 1

    def read_packed(self):
        value = self.read("B")
        if value < 255:
            return value
        value = self.read("i")
        assert value >= 255 or value < 0, f"packed integer {value} before byte {self.offset} would fit into one byte"
        return value

    def read_string(self):
        return self.read_bytes(self.read_packed()).decode("utf-8")


def read_header(b):
    assert b.read("b") == 5
    found = {"start": b.read("3d"), "yaw": b.read("f"), "pitch": b.read("f")}
    flags = b.read("B")
    assert flags & 0x02 and not flags & 0xC1, f"unexpected header flags {flags:#x}"
    found["items"], found["blocks"] = [], []
    if flags & 0x04:
        found["items"] = [b.read_string() for _ in range(b.read("i"))]
        for _ in range(b.read("i")):
            name, count = b.read_string(), b.read("h")
            found["blocks"].append([name, [[b.read_string(), b.read_string()] for _ in range(count)]])
    found["dimension"] = b.read_string() if flags & 0x08 else None
    found["profile"] = {}
    if flags & 0x10:
        bits = b.read("B")
        if bits & 1:
            found["profile"]["name"] = b.read_string()
        if bits & 2:
            found["profile"]["uuid"] = b.read_bytes(16).hex()
        if bits & 4:
            found["profile"]["skin"] = b.read_string()
        if bits & 8:
            found["profile"]["signature"] = b.read_string()
    found["extensions"] = []
    if flags & 0x20:
        for _ in range(b.read("B")):
            name, version, _, length = b.read_string(), b.read("h"), b.read("B"), b.read_packed()
            b.read_bytes(length)
            found["extensions"].append([name, version])
    return found


def initial_state(pos, yaw, pitch):
    return {
        "pos": list(pos), "yaw": yaw, "pitch": pitch, "headYaw": yaw, "onGround": False, "pose": "STANDING",
        "entityFlags": 0, "livingFlags": 0, "mainHandRight": True, "arrows": 0, "stingers": 0,
        "spectator": False, "sleepingPos": None, "items": {slot: None for slot in SLOTS}, "effect": None,
        "data": None,
    }


def to_degrees(short):
    return struct.unpack(">f", struct.pack(">f", short / 65536 * 360))[0]


class Reader:
    def __init__(self, data):
        self.b = Bytes(data)
        self.header = read_header(self.b)
        start = self.header["start"]
        self.player = initial_state(start, self.header["yaw"], self.header["pitch"])
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
        while self.b.offset < len(self.b.data):
            opcode = self.b.read("B")
            assert opcode not in OBSOLETE_OPCODES, f"obsolete opcode {opcode} before byte {self.b.offset}"
            last = opcode
            if opcode == 0:
                self.end_frames(1)
            elif opcode == 22:
                count = self.b.read("B")
                assert count >= 2
                self.end_frames(count)
            else:
                self.apply_action(opcode, self.player, None)
        assert last in (None, 0, 22), "actions after the last tick"

    def end_frames(self, count):
        frame = {"vehicle": self.vehicle, "dead": self.dead, "events": self.events}
        frame.update(json.loads(json.dumps(self.player)))
        frame["entities"] = json.loads(json.dumps({str(k): v for k, v in self.entities.items()}))
        self.frames.append(frame)
        self.events = []
        for _ in range(count - 1):
            self.frames.append({**frame, "events": []})

    def add_event(self, *event):
        self.events.append(list(event))

    def apply_action(self, opcode, state, entity):
        b = self.b
        if opcode == 3:
            state["pose"] = POSES[b.read("i")]
        elif opcode == 4:
            self.read_items(state)
        elif opcode == 5:
            state["entityFlags"] = b.read("B")
        elif opcode == 6:
            state["livingFlags"] = b.read("B")
        elif opcode == 7:
            state["mainHandRight"] = b.read_bool()
        elif opcode == 8:
            self.add_event("swing", entity, b.read_bool())
        elif opcode == 9:
            self.add_event("break", self.block_name(b.read("i")), b.read("3i"))
        elif opcode in (10, 15):
            before, block = b.read("2i")
            self.add_event("place", self.block_name(before), self.block_name(block), b.read("3i"), opcode == 15)
        elif opcode == 11:
            self.add_event("use", b.read("3d"), b.read("3i"), b.read("b"), b.read_bool(), b.read_bool())
        elif opcode == 13:
            state["arrows"], state["stingers"] = b.read("2i")
        elif opcode == 14:
            state["sleepingPos"] = list(b.read("3i")) if b.read_bool() else None
        elif opcode == 16:
            assert entity is None
            self.update_entity(b.read("b"), b.read("i"))
        elif opcode == 17:
            number = b.read("i")
            assert entity is None and number in self.entities, f"unknown entity {number} before byte {b.offset}"
            self.apply_action(b.read("B"), self.entities[number], number)
        elif opcode == 18:
            assert b.read("B") == 0
            self.add_event("hurt", entity)
        elif opcode == 20:
            self.add_event("crack", b.read("3i"), b.read("i"))
        elif opcode == 21:
            self.read_movement(state)
        elif opcode in (23, 24):
            assert entity is None
            self.dead = opcode == 23
            state["pose"] = "DYING" if self.dead else "STANDING"
            self.add_event("die" if self.dead else "respawn")
        elif opcode == 25:
            assert b.read("B") == 0
            self.add_event("chat", b.read_string())
        elif opcode == 26:
            state["spectator"] = b.read_bool()
        elif opcode == 27:
            pass
        elif opcode == 28:
            self.add_event("close")
        elif opcode == 29:
            state["effect"] = {"particles": [b.read_string() for _ in range(b.read_packed())], "ambience": b.read_bool()}
        elif opcode == 30:
            self.read_data(state)
        elif opcode == 255:
            extension, number = b.read("2B")
            self.add_event("custom", self.header["extensions"][extension][0], number, b.read_bytes(b.read_packed()).hex())
        else:
            raise AssertionError(f"unknown opcode {opcode} before byte {b.offset}")

    def read_items(self, state):
        first = self.b.read("b")
        assert first < 0, "items without a count"
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
            found.append({"id": name, "data": self.b.read_string() if kind > 1 else None})
        assert not found or found[-1] is not None, "the last slot is empty"
        found += [None] * (len(SLOTS) - count)
        state["items"] = dict(zip(SLOTS, found))

    def update_entity(self, kind, number):
        b = self.b
        if kind == 1:
            assert number not in self.entities
            nbt = b.read_string()
            self.entities[number] = {**initial_state(b.read("3d"), 0.0, 0.0), "nbt": nbt, "alive": True}
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
            raise AssertionError(f"unknown entity update {kind} before byte {b.offset}")
        self.add_event("update", kind, number)

    def read_movement(self, state):
        b, start = self.b, self.header["start"]
        flags = b.read("B")
        assert flags & 0x80 == 0 and flags & 0x0C != 0x0C, f"unexpected movement flags {flags:#x} before byte {b.offset}"
        y = flags & 3
        if y == 1:
            state["pos"][1] = start[1] + b.read("f")
        elif y == 2:
            state["pos"][1] = start[1] + b.read("d")
        elif y == 3:
            state["pos"][1] = b.read("h") / 2
        if flags & 0x0C:
            x, z = b.read("2f" if flags & 4 else "2d")
            state["pos"][0], state["pos"][2] = start[0] + x, start[2] + z
        rotation_flags = flags & 0x30
        if rotation_flags:
            state["pitch"], state["yaw"] = to_degrees(b.read("h")), to_degrees(b.read("h"))
            state["headYaw"] = {0x10: 0.0, 0x20: state["yaw"]}.get(rotation_flags)
            if rotation_flags == 0x30:
                state["headYaw"] = to_degrees(b.read("h"))
        state["onGround"] = flags & 0x40 != 0

    def read_data(self, state):
        b = self.b
        flags = b.read("B")
        assert not flags & 0x80
        found = {"flag1": flags & 1 != 0, "flag2": flags & 2 != 0}
        found["byte1"] = b.read("b") if flags & 4 else None
        for bit, name in ((8, "int1"), (16, "int2"), (32, "int3")):
            found[name] = b.read_packed() if flags & bit else None
        found["float1"] = b.read("f") if flags & 64 else None
        state["data"] = found


reader = Reader(sys.stdin.buffer.read())
reader.run()
json.dump({"header": reader.header, "frames": reader.frames}, sys.stdout)

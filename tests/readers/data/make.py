"""Writes the binary files of this folder, byte by byte after the format pages."""

import struct

encode_packed = lambda n: bytes([n & 0x7F | 0x80]) + encode_packed(n >> 7) if n > 0x7F else bytes([n])
encode_text = lambda text_value: encode_packed(len(text_value.encode())) + text_value.encode()
f32 = lambda *numbers: struct.pack(f"<{len(numbers)}f", *numbers)


def encode_animx(tracks, count, encoding, version=1):
    head = encode_text("AnimX") + struct.pack("<i", version) + encode_packed(count) + f32(3.0) + encode_text("made")
    return head + bytes([encoding]) + tracks


def encode_curve(node, keys, value_first):
    """Encodes a Curve of float2 with an interpolation for each key, and with tangents."""
    out = bytes([2, 22]) + encode_text(node) + encode_text("Offset") + encode_packed(len(keys)) + bytes([3])
    out += bytes(interpolation for _, _, interpolation, _, _ in keys)
    for time, value, *_ in keys:
        out += f32(*value, time) if value_first else f32(time, *value)
    return out + b"".join(f32(*left, *right) for *_, left, right in keys)


def encode_discrete(node):
    keys = [(0.5, "zero"), (1.25, None), (2.0, "two")]
    text_value = lambda word: b"\0" if word is None else b"\1" + encode_text(word)
    return bytes([1, 39]) + encode_text(node) + encode_text("Text") + encode_packed(3) + b"".join(f32(t) + text_value(w) for t, w in keys)


KEYS = [
    (0.25, (1.0, -2.0), 3, (9.0, 9.0), (4.0, -8.0)),
    (1.0, (3.0, 5.0), 1, (2.0, 7.0), (0.0, 0.0)),
    (1.5, (-6.0, 2.5), 2, (0.0, 0.0), (3.0, -4.0)),
    (2.75, (0.5, 0.125), 0, (1.5, 6.0), (0.0, 0.0)),
]


def list_animx_files():
    tracks = encode_curve("bézier", KEYS, False) + encode_discrete("words")
    yield "value_first_in_curves.animx", encode_animx(encode_curve("swapped", KEYS, True) + encode_discrete("words"), 2, 0)
    stored = b"\0" + encode_packed(len(tracks)) + tracks
    first, rest = tracks[:100], tracks[100:]
    block = encode_literals(first)
    chunks = b"\1" + encode_packed(len(first)) + encode_packed(len(block)) + block + b"\0" + encode_packed(len(rest)) + rest
    yield "lz4_stored_chunks.animx", encode_animx(stored, 2, 1)
    yield "lz4_chunks.animx", encode_animx(chunks, 2, 1)
    same = encode_curve("twice", KEYS, False)
    repeated = encode_repeated(same)
    yield "lz4_match.animx", encode_animx(b"\1" + encode_packed(2 * len(same)) + encode_packed(len(repeated)) + repeated, 2, 1)
    # The first version has one byte for both types, and only Curve and Raw.
    old = bytes([22 << 1 | 1]) + encode_curve("old", KEYS, False)[2:]
    raw = bytes([21 << 1]) + encode_text("old") + encode_text("Angle") + encode_packed(3) + f32(0.75, 1.0, 4.0, 2.0)
    yield "version_0.animx", encode_animx(old + raw, 2, 0, version=0)


def encode_length(number):
    """Encodes the rest of a length after a nibble of 15."""
    return bytes([255] * ((number - 15) // 255)) + bytes([(number - 15) % 255]) if number >= 15 else b""


def encode_literals(data):
    return bytes([min(len(data), 15) << 4]) + encode_length(len(data)) + data


def encode_repeated(data):
    """Encodes the data twice: as literals, and as a match except for the last five bytes, which must be literals."""
    match = len(data) - 5 - 4
    head = bytes([min(len(data), 15) << 4 | min(match, 15)]) + encode_length(len(data)) + data
    return head + struct.pack("<H", len(data)) + encode_length(match) + encode_literals(data[-5:])


def encode_actions():
    """Encodes a recording of version 5 with close swings, a hurt, teleports, a mount and a respawn."""
    out = struct.pack(">b3d2fB", 5, 10.5, 64.0, -3.25, 30.0, 5.0, 0x02)
    encode_angle = lambda degrees: struct.pack(">h", int(degrees / 360 * 65536))
    tick = b"\x00"
    swing, off_swing, hurt = b"\x08\x00", b"\x08\x01", b"\x12\x00"

    def move(x, z, pitch, yaw, head):
        return b"\x15\x74" + struct.pack(">2f", x, z) + encode_angle(pitch) + encode_angle(yaw) + encode_angle(head)

    def add(number, kind, x, yaw):
        nbt = f'{{id:"minecraft:{kind}",Rotation:[{yaw}f,0f]}}'.encode()
        return b"\x10\x01" + struct.pack(">i", number) + bytes([len(nbt)]) + nbt + struct.pack(">3d", x, 64.0, 0.0)

    on = lambda number, action: b"\x11" + struct.pack(">i", number) + action
    mount = lambda number: b"\x10\x05" + struct.pack(">i", number)
    out += tick + move(0.1, 0.2, 0, 30, 40) + tick + swing + tick
    out += off_swing + tick + swing + tick + swing + tick + swing + tick + swing + tick * 3
    out += hurt + move(0.4, 0.4, 10, -170, 175) + tick + move(0.6, 0.9, 12, 175, -175) + tick
    # Nine blocks in a tick are a teleport, seven are not.
    out += move(9.6, 0.9, 12, 100, 100) + tick + move(9.6, 7.9, 12, 60, 60) + tick * 2
    # The player looks more than 50° and 85° away from the direction of a standing horse, and the horse turns.
    out += add(7, "horse", 20.0, 15) + mount(7) + move(9.6, 0.5, 0, 80, 80) + tick
    for step, head in enumerate((70, 79, -40, 110, 140, -179)):
        walk = 0.2 * step if step < 4 else 0.6
        horse = b"\x15\x74" + struct.pack(">2f", 9.5 + walk, 3.25) + encode_angle(0) + encode_angle(15 + 9 * step) + encode_angle(0)
        out += on(7, horse) + move(9.5 + walk, 3.25, 0, head, head) + tick
    out += b"\x10\x06\0\0\0\0" + tick + b"\x17" + tick * 3
    out += b"\x18" + move(9.0, 3.0, 0, 0, 0) + tick + b"\x16\x03" + b"\x10\x02\0\0\0\x07" + tick
    # The player swims, with both encodings of ticks.
    out += b"\x03\0\0\0\x04" + tick * 3 + b"\x16\x05" + b"\x03\0\0\0\x01" + tick * 4
    return out


def encode_beds():
    """Encodes a recording of version 5 in which the player sleeps in beds: placed by itself, broken by itself, and never
    placed."""
    directions = "north east south west".split()
    encode_string = lambda text_value: bytes([len(text_value)]) + text_value.encode()
    blocks = [("red_bed", {"facing": direction, "occupied": "false", "part": "head"}) for direction in directions]
    blocks.append(("oak_log", {"axis": "y"}))
    out = struct.pack(">b3d2fB", 5, 0.0, 64.0, 0.0, 25.0, 0.0, 0x06) + struct.pack(">2i", 0, len(blocks))
    for name, properties in blocks:
        out += encode_string(name) + struct.pack(">h", len(properties))
        out += b"".join(encode_string(word) for pair in properties.items() for word in pair)
    encode_angle = lambda degrees: struct.pack(">h", int(degrees / 360 * 65536))
    rotate = lambda yaw: b"\x15\x74" + struct.pack(">2f", 0.02, 0.01) + encode_angle(0) + encode_angle(yaw) + encode_angle(yaw + 20)
    pose = lambda number: b"\x03" + struct.pack(">i", number)
    place = lambda x, block, before=0: b"\x0a" + struct.pack(">2i3i", before, block, x, 64, 5)
    sleep = lambda x: b"\x0e\x01" + struct.pack(">3i", x, 64, 5)
    wake, tick = b"\x0e\x00", b"\x00"
    for number, yaw in enumerate((25, -70, 140, -160), 1):
        out += place(number, number) + rotate(yaw) + tick + sleep(number) + pose(3) + tick * 2 + rotate(yaw + 5) + tick
        out += wake + pose(1) + tick
    # A bed becomes a log while a player sleeps in it. Another bed is known only from the block that replaces it.
    out += sleep(1) + pose(3) + tick + place(1, 5, 1) + tick + wake + pose(1) + tick
    out += sleep(7) + pose(3) + tick * 2 + b"\x09" + struct.pack(">i3i", 2, 7, 64, 5) + tick * 2
    return out + sleep(40) + tick * 2 + wake + pose(1) + tick


def encode_limb_poses():
    """Encodes a recording of version 5 that covers all limb poses of the format page."""
    names = "shield bow trident crossbow spyglass goat_horn brush stone".split()
    encode_string = lambda text_value: bytes([len(text_value)]) + text_value.encode()
    out = struct.pack(">b3d2fB", 5, 0.0, 64.0, 0.0, 10.0, 0.0, 0x06)
    out += struct.pack(">i", len(names)) + b"".join(map(encode_string, names)) + struct.pack(">i", 0)
    encode_angle = lambda degrees: struct.pack(">h", int(degrees / 360 * 65536))
    tick = b"\x00"
    loaded = '{"minecraft:charged_projectiles":[{id:"minecraft:arrow"}]}'
    quick = '{"minecraft:enchantments":{"minecraft:quick_charge":2}}'
    flags = lambda entity, living: b"\x05" + bytes([entity]) + b"\x06" + bytes([living])
    pose = lambda number: b"\x03" + struct.pack(">i", number)
    step = 0

    def move(pitch, yaw, head, by=0.11):
        nonlocal step
        step += 1
        turned = encode_angle(pitch) + encode_angle(yaw) + encode_angle(head)
        return b"\x15\x76" + struct.pack(">d", 0.01 * step) + struct.pack(">2f", by * step, 0.2 * step) + turned

    def item(name, components):
        if not name:
            return b"\0"
        number = struct.pack(">i", names.index(name) + 1)
        return b"\3" + number + encode_string(components) if components else b"\1" + number

    held = lambda main, off="", main_components="", off_components="": b"\x04\xfe" + item(main, main_components) + item(off, off_components)
    for is_right in (1, 0):
        out += b"\x07" + bytes([is_right])
        for name in names:
            for main, off, living in ((name, "stone", 1), ("stone", name, 3), (name, name, 0)):
                out += held(main, off) + flags(0, living) + move(-35 + 3 * step % 70, 20, 45) + tick
                out += pose(6 if living == 1 else 1) + move(10, 25, -10) + tick
        out += held("crossbow", "bow", loaded) + flags(0, 0) + pose(1) + move(-20, 30, 60) + tick + b"\x08\x00" + tick * 4
        out += held("crossbow", "", quick) + flags(0, 1) + move(5, 30, 20) + tick * 18 + held("stone", "crossbow", "", loaded)
        out += flags(0, 0) + b"\x08\x01" + tick + move(15, 35, 35) + tick * 4 + held("", "spyglass") + flags(0, 3) + tick * 2
    # The player swims, crawls, swings, glides, spins, sleeps, becomes a spectator and dies.
    out += held("", "") + pose(4) + b"".join(flags(0x10, 0) + move(-15, 40, 50, 0.3) + tick for _ in range(9))
    out += b"\x08\x00" + b"".join(flags(0, 0) + move(25, 45, 40, 0.3) + tick for _ in range(8)) + pose(1) + tick * 5
    out += pose(2) + b"".join(flags(0x80, 0) + move(20, 50 - 4 * n, 45, 0.4) + tick for n in range(14))
    out += pose(5) + flags(0, 4) + move(-30, 60, 60) + tick * 3 + pose(3) + flags(0, 0) + tick * 2 + b"\x1a\x01" + tick
    return out + b"\x1a\x00" + pose(1) + move(0, 70, 60) + tick + b"\x17" + tick * 14


for name, data in list_animx_files():
    with open(name, "wb") as file:
        file.write(data)
with open("doing.mcmocap_rec", "wb") as file:
    file.write(encode_actions())
with open("hands.mcmocap_rec", "wb") as file:
    file.write(encode_limb_poses())
with open("bed.mcmocap_rec", "wb") as file:
    file.write(encode_beds())

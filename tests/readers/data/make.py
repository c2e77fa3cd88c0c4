"""Makes the binary files of this folder, byte by byte as the pages have them."""

import struct

packed = lambda n: bytes([n & 0x7F | 0x80]) + packed(n >> 7) if n > 0x7F else bytes([n])
text = lambda words: packed(len(words.encode())) + words.encode()
f32 = lambda *numbers: struct.pack(f"<{len(numbers)}f", *numbers)


def animx(tracks, count, encoding, version=1):
    head = text("AnimX") + struct.pack("<i", version) + packed(count) + f32(3.0) + text("made")
    return head + bytes([encoding]) + tracks


def curve(node, keys, value_first):
    """A Curve of float2 with an interpolation for each key, and tangents."""
    out = bytes([2, 22]) + text(node) + text("Offset") + packed(len(keys)) + bytes([3])
    out += bytes(how for _, _, how, _, _ in keys)
    for time, value, *_ in keys:
        out += f32(*value, time) if value_first else f32(time, *value)
    return out + b"".join(f32(*left, *right) for *_, left, right in keys)


def discrete(node):
    keys = [(0.5, "zero"), (1.25, None), (2.0, "two")]
    words = lambda word: b"\0" if word is None else b"\1" + text(word)
    return bytes([1, 39]) + text(node) + text("Text") + packed(3) + b"".join(f32(t) + words(w) for t, w in keys)


KEYS = [
    (0.25, (1.0, -2.0), 3, (9.0, 9.0), (4.0, -8.0)),
    (1.0, (3.0, 5.0), 1, (2.0, 7.0), (0.0, 0.0)),
    (1.5, (-6.0, 2.5), 2, (0.0, 0.0), (3.0, -4.0)),
    (2.75, (0.5, 0.125), 0, (1.5, 6.0), (0.0, 0.0)),
]


def animx_files():
    tracks = curve("bézier", KEYS, False) + discrete("words")
    yield "value_first_in_curves.animx", animx(curve("swapped", KEYS, True) + discrete("words"), 2, 0)
    stored = b"\0" + packed(len(tracks)) + tracks
    first, rest = tracks[:100], tracks[100:]
    block = lz4_literals(first)
    chunks = b"\1" + packed(len(first)) + packed(len(block)) + block + b"\0" + packed(len(rest)) + rest
    yield "lz4_stored_chunks.animx", animx(stored, 2, 1)
    yield "lz4_chunks.animx", animx(chunks, 2, 1)
    same = curve("twice", KEYS, False)
    repeated = lz4_repeated(same)
    yield "lz4_match.animx", animx(b"\1" + packed(2 * len(same)) + packed(len(repeated)) + repeated, 2, 1)
    # The first version has one byte for both types, and only Curve and Raw.
    old = bytes([22 << 1 | 1]) + curve("old", KEYS, False)[2:]
    raw = bytes([21 << 1]) + text("old") + text("Angle") + packed(3) + f32(0.75, 1.0, 4.0, 2.0)
    yield "version_0.animx", animx(old + raw, 2, 0, version=0)


def length(number):
    """What follows a nibble of 15."""
    return bytes([255] * ((number - 15) // 255)) + bytes([(number - 15) % 255]) if number >= 15 else b""


def lz4_literals(data):
    return bytes([min(len(data), 15) << 4]) + length(len(data)) + data


def lz4_repeated(data):
    """The data twice: once as literals and once as a match, which leaves five literals for the end."""
    match = len(data) - 5 - 4
    head = bytes([min(len(data), 15) << 4 | min(match, 15)]) + length(len(data)) + data
    return head + struct.pack("<H", len(data)) + length(match) + lz4_literals(data[-5:])


def mcmocap():
    """A recording of version 5: swings close together, a hurt, jumps, a mount, a respawn."""
    out = struct.pack(">b3d2fB", 5, 10.5, 64.0, -3.25, 30.0, 5.0, 0x02)
    angle = lambda degrees: struct.pack(">h", int(degrees / 360 * 65536))
    tick = b"\x00"
    swing, off_swing, hurt = b"\x08\x00", b"\x08\x01", b"\x12\x00"

    def move(x, z, pitch, yaw, head):
        return b"\x15\x74" + struct.pack(">2f", x, z) + angle(pitch) + angle(yaw) + angle(head)

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
        horse = b"\x15\x74" + struct.pack(">2f", 9.5 + walk, 3.25) + angle(0) + angle(15 + 9 * step) + angle(0)
        out += on(7, horse) + move(9.5 + walk, 3.25, 0, head, head) + tick
    out += b"\x10\x06\0\0\0\0" + tick + b"\x17" + tick * 3
    out += b"\x18" + move(9.0, 3.0, 0, 0, 0) + tick + b"\x16\x03" + b"\x10\x02\0\0\0\x07" + tick
    # The player swims, with both encodings of ticks.
    out += b"\x03\0\0\0\x04" + tick * 3 + b"\x16\x05" + b"\x03\0\0\0\x01" + tick * 4
    return out


def bed():
    """A recording of version 5 of a player who sleeps in beds that it placed, in one that it broke, and in one that
    nobody placed."""
    ways = "north east south west".split()
    string = lambda words: bytes([len(words)]) + words.encode()
    blocks = [("red_bed", {"facing": way, "occupied": "false", "part": "head"}) for way in ways]
    blocks.append(("oak_log", {"axis": "y"}))
    out = struct.pack(">b3d2fB", 5, 0.0, 64.0, 0.0, 25.0, 0.0, 0x06) + struct.pack(">2i", 0, len(blocks))
    for name, properties in blocks:
        out += string(name) + struct.pack(">h", len(properties))
        out += b"".join(string(word) for pair in properties.items() for word in pair)
    angle = lambda degrees: struct.pack(">h", int(degrees / 360 * 65536))
    turn = lambda yaw: b"\x15\x74" + struct.pack(">2f", 0.02, 0.01) + angle(0) + angle(yaw) + angle(yaw + 20)
    pose = lambda number: b"\x03" + struct.pack(">i", number)
    place = lambda x, block, before=0: b"\x0a" + struct.pack(">2i3i", before, block, x, 64, 5)
    sleep = lambda x: b"\x0e\x01" + struct.pack(">3i", x, 64, 5)
    wake, tick = b"\x0e\x00", b"\x00"
    for number, yaw in enumerate((25, -70, 140, -160), 1):
        out += place(number, number) + turn(yaw) + tick + sleep(number) + pose(3) + tick * 2 + turn(yaw + 5) + tick
        out += wake + pose(1) + tick
    # A bed becomes a log while a player sleeps in it. Another bed is known only from the block that replaces it.
    out += sleep(1) + pose(3) + tick + place(1, 5, 1) + tick + wake + pose(1) + tick
    out += sleep(7) + pose(3) + tick * 2 + b"\x09" + struct.pack(">i3i", 2, 7, 64, 5) + tick * 2
    return out + sleep(40) + tick * 2 + wake + pose(1) + tick


def hands():
    """A recording of version 5 in which a player does with its limbs all that the page tells of."""
    names = "shield bow trident crossbow spyglass goat_horn brush stone".split()
    string = lambda words: bytes([len(words)]) + words.encode()
    out = struct.pack(">b3d2fB", 5, 0.0, 64.0, 0.0, 10.0, 0.0, 0x06)
    out += struct.pack(">i", len(names)) + b"".join(map(string, names)) + struct.pack(">i", 0)
    angle = lambda degrees: struct.pack(">h", int(degrees / 360 * 65536))
    tick = b"\x00"
    loaded = '{"minecraft:charged_projectiles":[{id:"minecraft:arrow"}]}'
    quick = '{"minecraft:enchantments":{"minecraft:quick_charge":2}}'
    flags = lambda entity, living: b"\x05" + bytes([entity]) + b"\x06" + bytes([living])
    pose = lambda number: b"\x03" + struct.pack(">i", number)
    step = 0

    def move(pitch, yaw, head, by=0.11):
        nonlocal step
        step += 1
        turned = angle(pitch) + angle(yaw) + angle(head)
        return b"\x15\x76" + struct.pack(">d", 0.01 * step) + struct.pack(">2f", by * step, 0.2 * step) + turned

    def item(name, components):
        if not name:
            return b"\0"
        number = struct.pack(">i", names.index(name) + 1)
        return b"\3" + number + string(components) if components else b"\1" + number

    held = lambda main, off="", of_main="", of_off="": b"\x04\xfe" + item(main, of_main) + item(off, of_off)
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


for name, data in animx_files():
    with open(name, "wb") as file:
        file.write(data)
with open("doing.mcmocap_rec", "wb") as file:
    file.write(mcmocap())
with open("hands.mcmocap_rec", "wb") as file:
    file.write(hands())
with open("bed.mcmocap_rec", "wb") as file:
    file.write(bed())

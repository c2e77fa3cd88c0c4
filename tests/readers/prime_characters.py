"""A reader of Metroid Prime's archives and characters, written from docs/formats/prime-characters.md alone.

    python3 tests/readers/prime_characters.py PAK|ANCS...

prints one JSON object per line in the format of `mutoscope info --json`: "resources", "characters" and
"animations". The standard library has no LZO1X, so archives with LZO1X give only their "resources".
"""

import json
import os
import re
import struct
import sys
import zlib

KINDS = ["play", "blend", "phase_blend", "random", "sequence"]


class Bytes:
    def __init__(self, data):
        self.data, self.offset = data, 0

    def read(self, layout):
        values = struct.unpack_from(">" + layout, self.data, self.offset)
        self.offset += struct.calcsize(">" + layout)
        return values

    def read_one(self, letter):
        return self.read(letter)[0]

    def read_id(self):
        number = self.read_one("I")
        return None if number in (0, 0xFFFFFFFF) else f"{number:08X}"

    def read_text(self):
        end = self.data.index(0, self.offset)
        text = self.data[self.offset : end].decode(errors="replace")
        self.offset = end + 1
        return text

    def read_list(self, read):
        return [read() for _ in range(self.read_one("I"))]


def read_table(data):
    """Reads the names by type and id, and the rows of an archive. The first row of a resource wins."""
    file = Bytes(data)
    if file.read_one("I") != 0x00030005:
        raise ValueError("expected an archive")
    file.read_one("I")
    names = {}
    for _ in range(file.read_one("I")):
        kind, number = file.read_one("4s").decode(), file.read_id()
        names.setdefault((kind, number), file.read_one(f"{file.read_one('I')}s").decode(errors="replace"))
    rows = {}
    for _ in range(file.read_one("I")):
        packed, kind, number, size, offset = file.read_one("I"), file.read_one("4s").decode(), file.read_id(), *file.read("II")
        rows.setdefault((kind, number), (packed, data[offset : offset + size]))
    return names, rows


def decompress(packed, stored):
    """Decompresses a resource. Returns None for LZO1X."""
    if not packed:
        return stored
    if stored[4:6] not in (b"\x78\xda", b"\x78\x9c", b"\x78\x01"):
        return None
    return zlib.decompressobj().decompress(stored[4:])


def read_tree(file):
    """Reads the kind of a tree and the clips of its leaves, with a stack, because trees can be deep."""
    kinds, clips, stack = [], [], ["tree"]
    while stack:
        item = stack.pop()
        if item != "tree":
            file.read(item)
            continue
        kind = file.read_one("I")
        kinds.append(KINDS[kind])
        if kind == 0:
            clips.append(file.read_id())
            file.read_one("I")
            file.read_text()
            file.read("fI")
        elif kind in (1, 2):
            stack += ["fB", "tree", "tree"]
        else:
            stack += (["I", "tree"] if kind == 3 else ["tree"]) * file.read_one("I")
    return kinds[0], clips


def skip_pas4(file):
    if file.read_one("4s") != b"PAS4":
        raise ValueError("expected PAS4")
    states, _ = file.read("II")
    for _ in range(states):
        _, parameters, animations = file.read("III")
        values = ""
        for _ in range(parameters):
            kind, _, _ = file.read("IIf")
            value = "B" if kind == 3 else "I"
            file.read(2 * value)
            values += value
        for _ in range(animations):
            file.read("I" + values)


def read_character(file):
    index, version, name = file.read_one("I"), file.read_one("H"), file.read_text()
    ids = [file.read_id() for _ in range(3)]
    animations = []
    for _ in range(file.read_one("I")):
        local = file.read_one("I")
        if version < 10:
            file.read_text()
        animations.append((local, file.read_text()))
    skip_pas4(file)
    read_word = lambda: file.read_one("I")
    for _ in range(3 + (version >= 6) + (version >= 9)):
        file.read_list(read_word)
    if version < 9:
        read_word()
    elif file.data[file.offset : file.offset + 8] == b"\0\0\0\1\0\0\0\0":
        file.read("II")
    else:
        file.read_list(read_word)
        read_word()
    if version >= 2:
        file.read_list(lambda: (file.read_text(), file.read("6f")))
    if version >= 3:
        read_component = lambda: (file.read_text(), file.read("4sI"), read_word() if version >= 10 else file.read_text(), file.read("fII"))
        file.read_list(lambda: (file.read_text(), file.read_list(read_component)))
    if version >= 4:
        file.read("II")
    mapped = file.read_list(read_word) if version >= 5 else None
    if version >= 7:
        read_word()
    if version >= 8:
        file.read_one("B")
    if version >= 10:
        file.read_list(lambda: file.read("I6f"))
    return index, name, ids, animations, mapped


def read_ancs(data, name):
    """Reads the characters and animations of a set."""
    file = Bytes(data)
    if file.read("HH") != (1, 1):
        raise ValueError("expected an ANCS file")
    characters = file.read_list(lambda: read_character(file))
    file.read_one("H")
    animations = file.read_list(lambda: (file.read_text(), read_tree(file)))
    by_name = {}
    for i, (animation, _) in enumerate(animations):
        by_name.setdefault(animation, i)

    def find_index(local, animation, mapped):
        if animation in by_name:
            return by_name[animation]
        index = local if mapped is None else mapped[local] if local < len(mapped) else None
        return index if index is not None and index < len(animations) else None

    return (
        [
            {
                "set": name, "index": index, "name": text, "model": ids[0], "skin": ids[1], "rig": ids[2],
                "animations": [
                    {"local": local, "index": find_index(local, animation, mapped), "name": animation}
                    for local, animation in named
                ],
            }
            for index, text, ids, named, mapped in characters
        ],
        [
            {"set": name, "index": i, "name": text, "kind": kind, "clips": clips}
            for i, (text, (kind, clips)) in enumerate(animations)
        ],
    )  # fmt: skip


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"\0\3\0\5":
        number = re.findall(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{8}(?![0-9A-Fa-f])", os.path.splitext(path)[0])[-1]
        characters, animations = read_ancs(data, number.upper())
        return {"resources": [], "characters": characters, "animations": animations}
    names, rows = read_table(data)
    size = lambda packed, stored: struct.unpack_from(">I", stored)[0] if packed else len(stored)
    answer = {
        "resources": [
            {"type": kind, "id": number, "name": names.get((kind, number)), "size": size(*row)}
            for (kind, number), row in rows.items()
        ]
    }
    sets = [(number, decompress(*row)) for (kind, number), row in rows.items() if kind == "ANCS"]
    if all(data is not None for _, data in sets):
        read_sets = [read_ancs(data, number) for number, data in sets]
        answer["characters"] = sum((characters for characters, _ in read_sets), [])
        answer["animations"] = sum((animations for _, animations in read_sets), [])
    return answer


if __name__ == "__main__":
    for path in sys.argv[1:] or sys.stdin.read().splitlines():
        print(json.dumps({"path": path, **read(path)}))

"""A reader of Metroid Prime's archives and characters, written from docs/formats/prime-characters.md alone.

    python3 tests/readers/prime_characters.py PAK|ANCS...

prints one JSON object a line in the shape of `mutoscope info --json`: "resources", "characters" and
"animations". LZO1X is not in the standard library: of what is packed by it only the table is told.
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
        self.data, self.at = data, 0

    def take(self, layout):
        values = struct.unpack_from(">" + layout, self.data, self.at)
        self.at += struct.calcsize(">" + layout)
        return values

    def one(self, letter):
        return self.take(letter)[0]

    def id(self):
        number = self.one("I")
        return None if number in (0, 0xFFFFFFFF) else f"{number:08X}"

    def text(self):
        end = self.data.index(0, self.at)
        text = self.data[self.at : end].decode(errors="replace")
        self.at = end + 1
        return text

    def list(self, read):
        return [read() for _ in range(self.one("I"))]


def table(data):
    """The names by type and id, and the rows of an archive; the first of each resource."""
    file = Bytes(data)
    if file.one("I") != 0x00030005:
        raise ValueError("no archive")
    file.one("I")
    names = {}
    for _ in range(file.one("I")):
        kind, number = file.one("4s").decode(), file.id()
        names.setdefault((kind, number), file.one(f"{file.one('I')}s").decode(errors="replace"))
    rows = {}
    for _ in range(file.one("I")):
        packed, kind, number, size, offset = file.one("I"), file.one("4s").decode(), file.id(), *file.take("II")
        rows.setdefault((kind, number), (packed, data[offset : offset + size]))
    return names, rows


def unpacked(packed, stored):
    """A resource; None where it is packed by LZO1X."""
    if not packed:
        return stored
    if stored[4:6] not in (b"\x78\xda", b"\x78\x9c", b"\x78\x01"):
        return None
    return zlib.decompressobj().decompress(stored[4:])


def tree(file):
    """The kind of a tree and the clips of its leaves. Trees may be deep: what is to come is on a stack."""
    kinds, clips, todo = [], [], ["tree"]
    while todo:
        what = todo.pop()
        if what != "tree":
            file.take(what)
            continue
        kind = file.one("I")
        kinds.append(KINDS[kind])
        if kind == 0:
            clips.append(file.id())
            file.one("I")
            file.text()
            file.take("fI")
        elif kind in (1, 2):
            todo += ["fB", "tree", "tree"]
        else:
            todo += (["I", "tree"] if kind == 3 else ["tree"]) * file.one("I")
    return kinds[0], clips


def pas4(file):
    if file.one("4s") != b"PAS4":
        raise ValueError("PAS4")
    states, _ = file.take("II")
    for _ in range(states):
        _, parameters, animations = file.take("III")
        values = ""
        for _ in range(parameters):
            kind, _, _ = file.take("IIf")
            value = "B" if kind == 3 else "I"
            file.take(2 * value)
            values += value
        for _ in range(animations):
            file.take("I" + values)


def character(file):
    index, version, name = file.one("I"), file.one("H"), file.text()
    ids = [file.id() for _ in range(3)]
    animations = []
    for _ in range(file.one("I")):
        local = file.one("I")
        if version < 10:
            file.text()
        animations.append((local, file.text()))
    pas4(file)
    word = lambda: file.one("I")
    for _ in range(3 + (version >= 6) + (version >= 9)):
        file.list(word)
    if version < 9:
        word()
    elif file.data[file.at : file.at + 8] == b"\0\0\0\1\0\0\0\0":
        file.take("II")
    else:
        file.list(word)
        word()
    if version >= 2:
        file.list(lambda: (file.text(), file.take("6f")))
    if version >= 3:
        component = lambda: (file.text(), file.take("4sI"), word() if version >= 10 else file.text(), file.take("fII"))
        file.list(lambda: (file.text(), file.list(component)))
    if version >= 4:
        file.take("II")
    mapped = file.list(word) if version >= 5 else None
    if version >= 7:
        word()
    if version >= 8:
        file.one("B")
    if version >= 10:
        file.list(lambda: file.take("I6f"))
    return index, name, ids, animations, mapped


def ancs(data, name):
    """The characters and animations of a set."""
    file = Bytes(data)
    if file.take("HH") != (1, 1):
        raise ValueError("no ANCS")
    characters = file.list(lambda: character(file))
    file.one("H")
    animations = file.list(lambda: (file.text(), tree(file)))
    by_name = {}
    for i, (animation, _) in enumerate(animations):
        by_name.setdefault(animation, i)

    def index_of(local, animation, mapped):
        if animation in by_name:
            return by_name[animation]
        index = local if mapped is None else mapped[local] if local < len(mapped) else None
        return index if index is not None and index < len(animations) else None

    return (
        [
            {
                "set": name, "index": index, "name": text, "model": ids[0], "skin": ids[1], "rig": ids[2],
                "animations": [
                    {"local": local, "index": index_of(local, animation, mapped), "name": animation}
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
        characters, animations = ancs(data, number.upper())
        return {"resources": [], "characters": characters, "animations": animations}
    names, rows = table(data)
    size = lambda packed, stored: struct.unpack_from(">I", stored)[0] if packed else len(stored)
    answer = {
        "resources": [
            {"type": kind, "id": number, "name": names.get((kind, number)), "size": size(*row)}
            for (kind, number), row in rows.items()
        ]
    }
    sets = [(number, unpacked(*row)) for (kind, number), row in rows.items() if kind == "ANCS"]
    if all(data is not None for _, data in sets):
        read_sets = [ancs(data, number) for number, data in sets]
        answer["characters"] = sum((characters for characters, _ in read_sets), [])
        answer["animations"] = sum((animations for _, animations in read_sets), [])
    return answer


if __name__ == "__main__":
    for path in sys.argv[1:] or sys.stdin.read().splitlines():
        print(json.dumps({"path": path, **read(path)}))

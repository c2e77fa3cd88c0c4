"""Files for the monkey: whole ones, broken ones, and changes to those that are open."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Skip larger files, because they slow down the machine.
LARGEST = 400_000


class Files:
    """Copies of the recordings of the repository in a folder, and what becomes of them."""

    def __init__(self, folder, dice):
        self.folder, self.dice = folder, dice
        folders = [ROOT / "assets", ROOT / "tests" / "data"]
        found = [path for place in folders for path in place.rglob("*") if path.is_file()]
        self.sources = sorted(path for path in found if 0 < path.stat().st_size <= LARGEST)
        self.count, self.open = 0, []

    def new(self):
        """A file of the repository as it is, or broken in some way."""
        source = self.dice.choice(self.sources)
        # Leave some files intact, because opening sound files is part of the test.
        broken = source.read_bytes() if self.dice.random() < 0.5 else self.broken(source.read_bytes())
        self.count += 1
        path = self.folder / f"{self.count}-{source.name}"
        path.write_bytes(broken)
        self.open = (self.open + [path])[-8:]
        return path

    def broken(self, data):
        """The same with some bytes changed, missing, doubled, or from elsewhere."""
        data, dice = bytearray(data), self.dice
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(data) + 1)
            end = min(len(data), at + dice.randint(1, 60))
            how = dice.randrange(5)
            if how == 0:
                del data[at:]
            elif how == 1:
                del data[at:end]
            elif how == 2:
                data[at:at] = data[at:end]
            elif how == 3:
                data[at:end] = dice.randbytes(end - at)
            else:
                other = dice.choice(self.sources).read_bytes()
                start = dice.randrange(len(other))
                data[at:end] = other[start : start + dice.randint(1, 200)]
        return bytes(data)

    def change(self):
        """Does something to a file that may be open; what, in a word."""
        if not self.open:
            return "nothing to change"
        path, dice = self.dice.choice(self.open), self.dice
        how = dice.choice(["truncated", "emptied", "broken", "replaced", "removed", "a folder", "grown"])
        if path.is_dir():
            path.rmdir()
        data = path.read_bytes() if path.exists() else b"gone"
        if how == "truncated":
            path.write_bytes(data[: dice.randrange(len(data) + 1)])
        elif how == "emptied":
            path.write_bytes(b"")
        elif how == "broken":
            path.write_bytes(self.broken(data))
        elif how == "replaced":
            # Replace the file by renaming another one, as editors and recorders do.
            beside = path.with_suffix(".new")
            beside.write_bytes(dice.choice(self.sources).read_bytes())
            beside.replace(path)
        elif how == "removed":
            path.unlink(missing_ok=True)
        elif how == "a folder":
            path.unlink(missing_ok=True)
            path.mkdir()
        else:
            path.write_bytes(data + dice.randbytes(2000))
        return f"{path.name} {how}"

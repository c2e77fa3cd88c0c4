"""Test files: intact files, damaged files, and changes to open files."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Skip larger files, because they slow down the machine.
MAX_BYTES = 400_000


class Files:
    """Copies of repository files in a folder, which are changed during the test."""

    def __init__(self, folder, rng):
        self.folder, self.rng = folder, rng
        folders = [ROOT / "assets", ROOT / "tests" / "data"]
        found = [path for folder_path in folders for path in folder_path.rglob("*") if path.is_file()]
        self.sources = sorted(path for path in found if 0 < path.stat().st_size <= MAX_BYTES)
        self.count, self.open = 0, []

    def add_file(self):
        """Copies a random file of the repository, intact or damaged. Returns the path of the copy."""
        source = self.rng.choice(self.sources)
        # Leave some files intact, because opening sound files is part of the test.
        content = source.read_bytes() if self.rng.random() < 0.5 else self.damage(source.read_bytes())
        self.count += 1
        path = self.folder / f"{self.count}-{source.name}"
        path.write_bytes(content)
        self.open = (self.open + [path])[-8:]
        return path

    def damage(self, data):
        """Changes, removes, repeats or replaces some bytes."""
        data, rng = bytearray(data), self.rng
        for _ in range(rng.randint(1, 4)):
            start = rng.randrange(len(data) + 1)
            end = min(len(data), start + rng.randint(1, 60))
            action = rng.randrange(5)
            if action == 0:
                del data[start:]
            elif action == 1:
                del data[start:end]
            elif action == 2:
                data[start:start] = data[start:end]
            elif action == 3:
                data[start:end] = rng.randbytes(end - start)
            else:
                other = rng.choice(self.sources).read_bytes()
                source_start = rng.randrange(len(other))
                data[start:end] = other[source_start : source_start + rng.randint(1, 200)]
        return bytes(data)

    def change_file(self):
        """Changes a file that may be open. Returns a description of the change."""
        if not self.open:
            return "nothing to change"
        path, rng = self.rng.choice(self.open), self.rng
        action = rng.choice(["truncated", "emptied", "broken", "replaced", "removed", "a folder", "grown"])
        if path.is_dir():
            path.rmdir()
        data = path.read_bytes() if path.exists() else b"gone"
        if action == "truncated":
            path.write_bytes(data[: rng.randrange(len(data) + 1)])
        elif action == "emptied":
            path.write_bytes(b"")
        elif action == "broken":
            path.write_bytes(self.damage(data))
        elif action == "replaced":
            # Replace the file by renaming another one, as editors and recorders do.
            replacement = path.with_suffix(".new")
            replacement.write_bytes(rng.choice(self.sources).read_bytes())
            replacement.replace(path)
        elif action == "removed":
            path.unlink(missing_ok=True)
        elif action == "a folder":
            path.unlink(missing_ok=True)
            path.mkdir()
        else:
            path.write_bytes(data + rng.randbytes(2000))
        return f"{path.name} {action}"

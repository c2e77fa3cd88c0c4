#!/usr/bin/env python3
"""Show which images of tests have changed, and accept the changes.

Without options, writes a web page with the old image, the new image and the differing pixels of each image that a test
found changed, and opens the page.
"""

import argparse
import html
import os
import shutil
import subprocess
import sys
import tempfile
import webbrowser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests/snapshots"

HEAD = """<!doctype html><meta charset="utf-8"><title>Changed images</title>
<style>
body { font: 15px sans-serif; margin: 24px; background: #222; color: #ddd }
figure { display: inline-block; width: 32%; margin: 0 0 24px; vertical-align: top }
img { width: 100%; border: 1px solid #555 }
</style>
"""


def find_changed(names: list[str]) -> list[str]:
    """Return the names of changed images, relative to the folder of images and without a suffix."""
    found = (path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.new.png"))
    changed = sorted(path.removesuffix(".new.png") for path in found)
    unknown = sorted(set(names) - set(changed))
    if unknown:
        sys.exit(f"error: no changed image is called {', '.join(unknown)}")
    return names or changed


def write_page(changed: list[str], page: Path) -> None:
    parts = [HEAD]
    for name in changed:
        parts.append(f"<h2>{html.escape(name)}</h2>\n")
        for title, suffix in [("Before", ""), ("Now", ".new"), ("Differing pixels", ".difference")]:
            path = FOLDER / f"{name}{suffix}.png"
            image = f'<img src="{path.as_uri()}">' if path.exists() else "none"
            parts.append(f"<figure><figcaption>{title}</figcaption>{image}</figure>\n")
    page.write_text("".join(parts))


def accept(name: str) -> None:
    (FOLDER / f"{name}.new.png").replace(FOLDER / f"{name}.png")
    (FOLDER / f"{name}.difference.png").unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="images, such as window/export-dark [default: all that changed]")
    parser.add_argument("--accept", action="store_true", help="replace the old images with the new ones")
    parser.add_argument("--test", action="store_true", help="first run the tests that compare images")
    options = parser.parse_args()
    if options.test:
        command = ["cargo", "test", "--package", "mutoscope", "--no-fail-fast", "look_as_before"]
        subprocess.run(command, cwd=ROOT, check=False)
    changed = find_changed(options.names)
    if options.accept:
        for name in changed:
            accept(name)
        print(f"accepted: {len(changed)}")
    elif changed:
        page = Path(tempfile.gettempdir()) / "mutoscope-snapshots.html"
        write_page(changed, page)
        print(*changed, f"Compare them in {page}", "Accept them with tools/snapshots.py --accept [NAME…]", sep="\n")
        if shutil.which("xdg-open") and os.environ.get("DISPLAY"):
            webbrowser.open(page.as_uri())
    else:
        print("no image has changed")


if __name__ == "__main__":
    main()

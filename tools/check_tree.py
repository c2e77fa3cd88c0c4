#!/usr/bin/env python3
"""Checks what cargo and cargo-deny (deny.toml) cannot: the layers of modules, and the features of dependencies.

A module may use only modules of the layers before its own, so modules have no cycles and the features of the session do
not know each other. Only Minecraft's own modules may name Minecraft. No crate without the engine may depend on the
engine, not even indirectly. Tests and other crates may not enable features of the viewer's dependencies, because cargo
would build the engine a second time.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: The modules of each folder, in layers.
LAYERS = {
    "src": ["browser footage", "capture", "session", "ui", "viewer", "command"],
    "src/session": [
        "history jobs samples schedule",
        "view",
        "files",
        "areas checks columns compare conventions export footage labels playback report scenes skeleton viewport",
        "features",
        "commands",
        "watch",
        "plugin",
    ],
    "crates/mutoscope-core/src": [
        "diagnostics",
        "io",
        "clip",
        "playback skeleton_file",
        "retarget",
        "measure",
        "formats",
        "export",
        "read",
        "prelude",
    ],
    "crates/mutoscope-study/src": [
        "labels measures signal subjects",
        "options range sampling",
        "body gaze hands",
        "quality study",
        "verdict",
        "report",
    ],
}

#: The files of the viewer that may name Minecraft.
MINECRAFT_FILES = re.compile(r"src/(lib\.rs|session/(history|scenes/|samples|tests/)|ui/(inspector/scene|timeline/elements))")


#: Arguments of `cargo tree`, and the dependencies that are not allowed there.
WITHOUT = {
    "--package mutoscope-cli": re.compile(r"^(bevy\w*|wgpu|winit|egui) ", re.M),
    "--package bevy_mutoscope --no-default-features": re.compile(r"^(egui|bevy_(egui|render|pbr)|wgpu|winit|ufbx) ", re.M),
    "--package bevy_mutoscope --features stage": re.compile(r"^(egui|bevy_egui|ufbx) ", re.M),
}


def code_of(path: Path) -> str:
    """Returns a source without comments, strings and its test module."""
    source = re.sub(r'//[^\n]*|r#".*?"#|"(?:\\.|[^"\\])*"', "", path.read_text(encoding="utf-8"), flags=re.S)
    return re.split(r"#\[cfg\(test\)\]\s*mod \w+ \{", source)[0]


def find_paths(code: str, start: str) -> Iterator[str]:
    """Yields the first names of all paths after `start`, such as `crate::`. Braces may contain several paths."""
    for match in re.finditer(rf"(?<![\w:]){start}(\w+|\{{)", code):
        if match[1] != "{":
            yield match[1]
            continue
        depth, tokens = 0, re.findall(r"\w+|[{},]|::", code[match.end() - 1 :])
        for token, last in zip(tokens, ["", *tokens]):
            depth += (token == "{") - (token == "}")
            if depth == 0:
                break
            if depth == 1 and last in ("{", ","):
                yield token


def find_layer_errors() -> Iterator[str]:
    for folder, layers in LAYERS.items():
        rank = {name: index for index, layer in enumerate(layers) for name in layer.split()}
        inner = folder.partition("src/")[2].replace("/", "::")
        root = f"crate::{inner}::" if inner else "crate::"
        for path in sorted((ROOT / folder).rglob("*.rs")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            name = parts[0]
            if name in ("lib", "main", "mod") or "tests" in parts or parts[-1].endswith(("tests", "testing")):
                continue
            if name not in rank:
                yield f"{path.relative_to(ROOT)}: the module {name} is missing in LAYERS"
                continue
            depth = len(parts) - (parts[-1] == "mod")
            code = code_of(path)
            for used in {*find_paths(code, root), *find_paths(code, "super::" * depth)}:
                if used != name and rank.get(used, -1) >= rank[name]:
                    yield f"{path.relative_to(ROOT)}: {name} uses {used}, which is not in a layer before its own"


def find_minecraft_errors() -> Iterator[str]:
    for path in sorted((ROOT / "src").rglob("*.rs")):
        name = path.relative_to(ROOT).as_posix()
        if "mutoscope_minecraft" in path.read_text(encoding="utf-8") and not MINECRAFT_FILES.match(name):
            yield f"{name}: names mutoscope_minecraft outside of Minecraft's scenes and panels"


def run_tree(arguments: str) -> str:
    command = ["cargo", "tree", "--locked", "--prefix", "none", *arguments.split()]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def find_dependency_errors() -> Iterator[str]:
    for arguments, pattern in WITHOUT.items():
        for name in sorted({match[1] for match in pattern.finditer(run_tree(f"{arguments} --edges normal,build"))}):
            yield f"cargo tree {arguments}: depends on {name}"

    def list_features(arguments: str) -> set[str]:
        lines = run_tree(f"{arguments} --format {{p}}[{{f}}]").splitlines()
        return {line.removesuffix(" (*)") for line in lines if "(/" not in line}

    for line in sorted(
        list_features("--package mutoscope --edges normal,build") - list_features("--workspace --edges normal,build,dev")
    ):
        yield f"{line}: has other features under test"


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    errors = [*find_layer_errors(), *find_minecraft_errors(), *find_dependency_errors()]
    sys.exit("\n".join(f"error: {error}" for error in errors) or None)

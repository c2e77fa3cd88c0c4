"""Shared fixtures: the files of the repository, and the command line that results are compared with."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
ASSETS = REPOSITORY / "assets"
DATA = REPOSITORY / "tests" / "data"

#: A recording of every format, with the options that it needs.
RECORDINGS: dict[str, tuple[Path, dict[str, Any]]] = {
    "mrtk": (ASSETS / "mrtk/two-hands.bin", {}),
    "mrtk-damaged": (ASSETS / "mrtk/two-hands-damaged.bin", {}),
    "maya": (ASSETS / "maya/walk-with-hat.anim", {}),
    "animj": (ASSETS / "animj/arm-swing.animj", {"rig": ASSETS / "animj/arm-swing.glb"}),
    "animj-lights": (ASSETS / "animj/lantern-show.animj", {}),
    "prime": (ASSETS / "prime/walk.ANIM", {"rig": ASSETS / "prime/walk.CINF"}),
    "prime-pak": (DATA / "prime-characters/warden_mp1.pak", {}),
    "mcmocap": (ASSETS / "mcmocap/a-day.mcmocap_rec", {}),
    "gltf": (ASSETS / "gltf/walker.glb", {"animation": "Greet"}),
    "bvh": (ASSETS / "bvh/walk.bvh", {}),
}


def options(given: dict[str, Any]) -> list[str]:
    """Converts keyword arguments to options of the command line."""
    return [part for name, value in given.items() for part in (f"--{name}", str(value))]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the command line of the package."""
    command = [sys.executable, "-m", "mutoscope", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def lines(*arguments: object) -> list[Any]:
    """Returns the output of the command line, which is one JSON object per line."""
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(params=RECORDINGS, scope="module")
def recording(request: pytest.FixtureRequest) -> tuple[Path, dict[str, Any]]:
    """Returns each recording in turn."""
    return RECORDINGS[request.param]


@pytest.fixture(scope="session")
def expected() -> Callable[[str], Any]:
    """Returns a function that reads expected values of other programs from `tests/data`."""
    return lambda name: json.loads((DATA / name).read_text(encoding="utf-8"))

"""Tests of the package: types, docstrings and the command line."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

import mutoscope as mu
import pytest
from conftest import ASSETS, REPOSITORY, run


def run_module(*arguments, **given):
    command = [sys.executable, "-m", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, **given)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Returns a function that runs mypy with the configuration of the package."""
    folder = tmp_path_factory.mktemp("types")
    config = ["--config-file", REPOSITORY / "python/pyproject.toml", "--cache-dir", folder / "cache"]
    return lambda *arguments: run_module("mypy", *config, *arguments, cwd=folder)


def test_stubs_match_the_module(tmp_path):
    config = ("--mypy-config-file", REPOSITORY / "python/pyproject.toml")
    run_module("mypy.stubtest", "mutoscope._native", "--concise", *config, cwd=tmp_path)


def test_the_package_passes_the_type_checker(mypy):
    mypy("-p", "mutoscope")


def test_user_code_passes_the_type_checker(mypy, tmp_path):
    use = tmp_path / "use.py"
    use.write_text(
        "import numpy as np\n"
        "import mutoscope as mu\n"
        "clip: mu.Clip = mu.open('take.bin', rotation='short')\n"
        "poses = clip.sample(np.linspace(0, 1, 5), nodes=['left/Wrist', 3])\n"
        "speed: float = float(np.max(poses.positions))\n"
        "key: mu.Key = clip.tracks['left/Wrist.position.x'].keys[0]\n"
        "clip.to_frame(library='polars').write_csv('out.csv')\n"
        "print(mu.compare(clip, 'other.bin', align=True).joints[0].rms, speed, key.value)\n"
        "report: mu.Report = mu.report(['take.bin', clip], labels=False, areas=[mu.Area.sphere('cup', (0, 1, -2), 0.1)])\n"
        "report.events('movements', library='polars').write_csv('movements.csv')\n"
        "peaks: list[float] = [one.peak_speed_mps for one in mu.movements(clip, 'right')]\n"
        "peaks += [one.peak_speed_mps for one in mu.movements(poses.positions[:, 0], rate=60.0)]\n"
        "mu.save_labels([mu.Label(0.0, 1.0, 'reach', tier='trials'), *mu.labels('take.eaf')], 'take.TextGrid')\n"
        "text: str = mu.columns('take.csv', text=True)\n"
        "mu.open('take.csv', columns=mu.columns('take.csv'))\n"
        "mu.open('walk.bvh', rig='avatar.vrm', retarget=mu.bones('walk.bvh', rig='avatar.vrm'))\n"
        "report.events('looks')  # type: ignore[call-overload]\n"
        "mu.movements(clip, 'both')  # type: ignore[arg-type]\n"
        "mu.open(5)  # type: ignore[arg-type]\n"
    )
    mypy(use)


def test_public_items_have_docstrings():
    for name in mu.__all__:
        item = getattr(mu, name)
        if name == "__version__":
            continue
        assert inspect.getdoc(item), name
        if inspect.isclass(item) and item.__module__ == "mutoscope":
            members = {part: value for part, value in vars(item).items() if part[0] != "_"}
            undocumented = [part for part, value in members.items() if not inspect.getdoc(value)]
            assert undocumented == [], name


def test_package_is_typed_and_has_one_version():
    assert resources.files("mutoscope").joinpath("py.typed").is_file()
    assert metadata.version("mutoscope") == mu.__version__
    requirements = metadata.requires("mutoscope")
    assert [requirement for requirement in requirements if "extra" not in requirement] == ["numpy>=1.26"]


def test_package_includes_the_command_line():
    done = run("-V")
    assert done.stdout.split() == ["mutoscope", mu.__version__]
    assert run("--version").stdout.startswith(done.stdout.strip())
    assert run("info", ASSETS / "missing.bin").returncode == 1
    assert run("sample", ASSETS / "mrtk/two-hands.bin").returncode == 2
    script = Path(sys.executable).with_name("mutoscope")
    from_script = subprocess.run([script, "-V"], capture_output=True, encoding="utf-8", check=True)
    assert from_script.stdout == done.stdout

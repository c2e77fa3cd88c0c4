"""Tests that converted files are identical to those of the command line."""

from __future__ import annotations

import os

import mutoscope as mu
import pytest
from conftest import ASSETS, DATA, options, run

HANDS = ASSETS / "mrtk/two-hands.bin"


@pytest.mark.parametrize("target", ["glb", "fbx", "csv", "animj", "anim", "bvh", "parquet", "arrow", "mcap"])
def test_files_match_the_command_line(recording, target, tmp_path):
    path, given = recording
    (tmp_path / "a").mkdir()
    ours, printed = tmp_path / f"out.{target}", tmp_path / "a" / f"out.{target}"
    done = run("convert", *options(given), "-o", printed, path)
    if done.returncode:
        with pytest.raises(mu.Error):
            mu.convert(path, ours, **given)
        assert not ours.exists()
        return
    written = mu.convert(path, ours, **given)
    assert (written.path, written.target, written.bytes) == (ours, target, ours.stat().st_size)
    assert ours.read_bytes() == printed.read_bytes()
    remarks = [f"{remark.severity}: {printed}: {remark.message}" for remark in written.report]
    assert remarks == [line for line in done.stderr.splitlines() if f": {printed}: " in line]


def test_range_and_rate_match_the_command_line(tmp_path):
    arguments = ("--range=0.5..1.5", "--fps=10", "--to=csv", "-o")
    assert run("convert", *arguments, tmp_path / "printed", HANDS).returncode == 0
    mu.convert(mu.open(HANDS), tmp_path / "ours", to="csv", range=(0.5, 1.5), fps=10)
    ours = (tmp_path / "ours").read_bytes()
    assert ours == (tmp_path / "printed").read_bytes()
    assert len(ours.splitlines()) == 12


def test_options_match_the_command_line(tmp_path):
    walk = ASSETS / "bvh/walk.bvh"
    arguments = "--in-place=root", "--up=z", "--forward=x", "--rest=t-pose", "--scale=0.5"
    arguments = *arguments, "--speed=0.25", "-o", tmp_path / "printed.bvh"
    assert run("convert", *arguments, walk).returncode == 0
    ours = tmp_path / "ours.bvh"
    given = {"in_place": "root", "output_up": "z", "output_forward": "x", "rest": "t-pose"}
    mu.convert(walk, ours, **given, scale=0.5, speed=0.25)
    assert ours.read_bytes() == (tmp_path / "printed.bvh").read_bytes()
    for wrong in ({"in_place": "yes"}, {"output_up": "w"}, {"rest": "now"}):
        with pytest.raises(ValueError, match="expected"):
            mu.convert(walk, ours, **wrong)
    with pytest.raises(mu.Error, match="above 0"):
        mu.convert(walk, ours, scale=0)


def test_options_of_targets_are_keywords(tmp_path):
    mu.convert(HANDS, tmp_path / "plain.animx", compression="none")
    mu.convert(HANDS, tmp_path / "packed.animx", compression="lz4")
    plain, packed = (tmp_path / f"{name}.animx" for name in ("plain", "packed"))
    assert plain.stat().st_size > packed.stat().st_size
    with pytest.raises(TypeError, match="compression"):
        mu.convert(HANDS, tmp_path / "out.glb", compression="none")
    with pytest.raises(mu.Error, match="one of none"):
        mu.convert(HANDS, tmp_path / "out.animx", compression="zip")


def test_animations_become_takes_of_one_fbx(tmp_path):
    walker = ASSETS / "gltf/walker.glb"
    ours, printed = tmp_path / "ours.fbx", tmp_path / "walker.fbx"
    assert run("convert", walker, "--takes", "-o", printed).returncode == 0
    mu.convert(walker, ours, takes=True)
    assert [animation.name for animation in mu.animations(ours)] == ["Walk", "Greet"]
    assert ours.stat().st_size == printed.stat().st_size
    with pytest.raises(ValueError, match="a clip is one animation"):
        mu.convert(mu.open(walker), ours, takes=True)


def test_animations_of_metroid_prime_take_the_skeleton(tmp_path):
    walk, rig = ASSETS / "prime/walk.ANIM", ASSETS / "prime/walk.CINF"
    with pytest.raises(mu.Error, match="skeleton"):
        mu.convert(walk, tmp_path / "out.anim", to="prime")
    written = mu.convert(walk, tmp_path / "out.ANIM", rig=rig, prime_format="0")
    assert written.target == "prime"
    clip = mu.open(written.path, rig=rig)
    assert clip.version.endswith("v0")


def test_inputs_are_never_overwritten(tmp_path):
    take, rig = tmp_path / "take.animj", tmp_path / "rig.glb"
    take.write_bytes((ASSETS / "animj/arm-swing.animj").read_bytes())
    rig.write_bytes((ASSETS / "animj/arm-swing.glb").read_bytes())
    link = tmp_path / "link.animj"
    os.symlink(take, link)
    before = take.read_bytes(), rig.read_bytes()
    clip = mu.open(take, rig=rig)
    for output in (take, link, rig):
        for source in (clip, take):
            given = {} if source is clip else {"rig": rig}
            with pytest.raises(mu.Error, match="nothing written"):
                mu.convert(source, output, **given)
    assert (take.read_bytes(), rig.read_bytes()) == before


def test_failed_conversions_leave_no_files(tmp_path):
    with pytest.raises(mu.Error, match="cannot be written"):
        mu.convert(HANDS, tmp_path / "missing" / "out.csv")
    for output in ("out.blend", "out", "out.mp4"):
        with pytest.raises(ValueError, match="glb"):
            mu.convert(HANDS, tmp_path / output)
    with pytest.raises(ValueError, match="glb"):
        mu.convert(HANDS, tmp_path / "out.csv", to="gif")
    for given in ({"range": (2, 1)}, {"range": (0, float("nan"))}, {"fps": 0}, {"fps": -1}):
        with pytest.raises(ValueError):
            mu.convert(HANDS, tmp_path / "out.csv", **given)
    with pytest.raises(ValueError, match="open already"):
        mu.convert(mu.open(HANDS), tmp_path / "out.csv", up="Z")
    assert list(tmp_path.iterdir()) == []


def test_glb_from_a_file_includes_the_character_model(tmp_path):
    """Compares a GLB from a file, which includes the model, with a GLB from a clip, which has none."""
    pak = DATA / "prime-characters/warden_mp1.pak"
    with_model = mu.convert(pak, tmp_path / "with.glb").bytes
    assert with_model > mu.convert(mu.open(pak), tmp_path / "without.glb").bytes

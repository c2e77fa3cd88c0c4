"""Tests of `open`: sources, arguments and errors."""

from __future__ import annotations

import io
import pickle
import zipfile
from pathlib import Path

import mutoscope as mu
import numpy as np
import pytest
from conftest import ASSETS, DATA, RECORDINGS, lines, run

HANDS = ASSETS / "mrtk/two-hands.bin"
ARM, ARM_RIG = ASSETS / "animj/arm-swing.animj", ASSETS / "animj/arm-swing.glb"


def assert_same_recording(first, second):
    times = np.linspace(first.start, first.end, 5)
    np.testing.assert_array_equal(first.sample(times).positions, second.sample(times).positions)
    assert (first.format, first.version, first.duration) == (second.format, second.version, second.duration)
    assert len(first.nodes) == len(second.nodes) > 0


def test_every_source_gives_the_same_recording(tmp_path):
    clip, bytes = mu.open(HANDS), HANDS.read_bytes()
    assert clip.path == HANDS
    for source in (str(HANDS), bytes, bytearray(bytes), memoryview(bytes), io.BytesIO(bytes)):
        assert_same_recording(mu.open(source), clip)
    with open(HANDS, "rb") as file:
        opened = mu.open(file)
    assert_same_recording(opened, clip)
    assert opened.path is None and str(HANDS) in repr(opened)
    with zipfile.ZipFile(tmp_path / "takes.zip", "w") as archive:
        archive.write(HANDS, "a/take.bin")
    with zipfile.ZipFile(tmp_path / "takes.zip") as archive, archive.open("a/take.bin") as file:
        assert_same_recording(mu.open(file), clip)


def test_invalid_sources_raise_a_type_error(tmp_path):
    with open(ARM, encoding="utf-8") as text, pytest.raises(TypeError, match="rb"):
        mu.open(text)
    for wrong in (5, None, 1.5, [HANDS]):
        with pytest.raises(TypeError, match="expected a path, bytes or a binary file object"):
            mu.open(wrong)
    with pytest.raises(TypeError, match="a path has its own"):
        mu.open(HANDS, name="take.bin")


def test_skeleton_can_be_a_path_bytes_or_a_file():
    clip = mu.open(ARM, rig=ARM_RIG)
    # Without the skeleton, all nodes are at the origin.
    assert np.ptp(clip.sample(0.5).positions) != np.ptp(mu.open(ARM).sample(0.5).positions)
    assert_same_recording(mu.open(ARM, rig=str(ARM_RIG)), clip)
    assert_same_recording(mu.open(ARM.read_bytes(), rig=ARM_RIG.read_bytes()), clip)
    with open(ARM_RIG, "rb") as rig:
        assert_same_recording(mu.open(ARM, rig=rig), clip)
    with pytest.raises(mu.Error, match="as a skeleton") as caught:
        mu.open(ARM, rig=HANDS)
    assert caught.value.path == str(HANDS)
    with pytest.raises(mu.Error, match="as a skeleton: cannot be read"):
        mu.open(ARM, rig=ASSETS / "missing.glb")
    with pytest.raises(mu.Error) as caught:
        mu.open(HANDS, rig=ARM_RIG)
    assert caught.value.format == "mrtk"


def test_unmatched_skeleton_is_an_error_unless_allowed():
    with pytest.raises(mu.Error, match="has none of its 17 animated nodes"):
        mu.open(ASSETS / "gltf/walker.glb", rig=ARM_RIG)
    clip = mu.open(ASSETS / "gltf/walker.glb", rig=ARM_RIG, allow_unmatched_rig=True)
    assert any("0 of 17 animated nodes mapped" in issue.message for issue in clip.issues())


def test_bytes_use_the_passed_sidecars(tmp_path):
    folder = DATA / "gltf"
    bytes, name = (folder / "samplers.gltf").read_bytes(), "samplers of all.bin"
    clip = mu.open(folder / "samplers.gltf")
    assert_same_recording(mu.open(bytes, name="x.gltf", sidecars={name: (folder / name).read_bytes()}), clip)
    alone = mu.open(bytes)
    assert [first.severity for first in alone.issues()].count("error") > 0
    assert "error" not in [first.severity for first in clip.issues()]


def test_animation_character_and_clip_select_a_recording():
    walker = ASSETS / "gltf/walker.glb"
    first, second = mu.open(walker), mu.open(walker, animation="Greet")
    assert first.variants["animation"] == ("Walk", ["Walk", "Greet"])
    assert second.variants["animation"] == ("Greet", ["Walk", "Greet"])
    with pytest.raises(mu.Error, match="Run"):
        mu.open(walker, animation="Run")
    with pytest.raises(mu.Error, match="choice"):
        mu.open(HANDS, animation="Walk")
    pak = DATA / "prime-characters/warden_mp1.pak"
    clip = mu.open(pak)
    assert clip.character and clip.format == "prime"
    assert_same_recording(mu.open(pak.read_bytes(), name="warden.pak"), clip)
    assert_same_recording(mu.open(pak, animation=clip.name, character=clip.character), clip)
    fidget = mu.open(pak, animation="B_fidget", clip="attack")
    assert fidget.duration == mu.open(pak, animation="B_attack").duration
    assert mu.open(pak, animation="B_combo", clip="all").duration > 2.9


def test_as_forces_the_format():
    assert mu.open(HANDS, as_="mrtk").format == "mrtk"
    with pytest.raises(mu.Error) as caught:
        mu.open(HANDS, as_="maya")
    assert caught.value.format == "maya"
    with pytest.raises(ValueError, match="mrtk"):
        mu.open(HANDS, as_="usd")


def test_assumptions_never_change_declared_values():
    walk = ASSETS / "maya/walk-with-hat.anim"
    default = mu.open(walk)
    assert default.convention.up == "Y" and default.convention.origins["up"] == "assumed"
    turned = mu.open(walk, up="Z", handedness="left", rotation="engine")
    convention = turned.convention
    assert (convention.up, convention.handedness, convention.rotation) == ("Z", "left", "engine")
    chosen = {fact for fact, origin in convention.origins.items() if origin == "chosen"}
    assert chosen == {"up", "handedness", "rotation"}
    assert default.convention.origins["metres_per_unit"] == "declared"
    assert mu.open(walk, metres_per_unit=7).convention.metres_per_unit == 0.01
    bvh = ASSETS / "bvh/walk.bvh"
    small, large = (mu.open(bvh, metres_per_unit=unit).sample(0.5).positions for unit in (0.5, 2))
    np.testing.assert_allclose(small * 4, large)
    slow = mu.open(ARM, seconds_per_unit=2)
    assert slow.convention.origins["seconds_per_unit"] == "chosen"
    assert slow.duration == 2 * mu.open(ARM).duration
    for wrong in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="metres_per_unit"):
            mu.open(bvh, metres_per_unit=wrong)
    for argument in ("up", "handedness", "rotation"):
        with pytest.raises(ValueError, match=argument):
            mu.open(bvh, **{argument: "sideways"})


def test_engine_rotations_match_the_command_line():
    path = ASSETS / "mrtk/two-hands-damaged.bin"
    done = run("sample", "--rotation=engine", "--times=0.4,0.5", "--format=csv", path)
    table = np.genfromtxt(done.stdout.splitlines(), delimiter=",", names=True, dtype=None)
    local = mu.open(path, rotation="engine").sample([0.4, 0.5], local=True)
    for axis, column in enumerate(("qx", "qy", "qz", "qw")):
        np.testing.assert_array_equal(local.rotations[:, :, axis].reshape(-1), table[column])


@pytest.mark.parametrize("path", sorted((DATA / "mrtk/bad").iterdir()), ids=lambda path: path.name)
def test_errors_match_the_command_line(path):
    done = run("info", path)
    if done.returncode == 0:
        mu.open(path)
        return
    with pytest.raises(mu.Error) as caught:
        mu.open(path)
    error = caught.value
    assert f"error: {error}" in done.stderr.splitlines()
    assert error.path == str(path)
    if error.format is None:  # what is no recording has no places
        assert error.place is None and str(error) == f"{path}: {error.message}"
        return
    assert error.format == "mrtk"
    assert error.place.startswith("byte") or error.place == "the whole file"
    assert str(error) == f"{path}: mrtk at {error.place}: {error.message}"


def test_system_errors_are_the_cause(tmp_path):
    missing = tmp_path / "missing.bin"
    with pytest.raises(mu.Error, match="cannot be read") as caught:
        mu.open(missing)
    assert isinstance(caught.value.__cause__, FileNotFoundError)
    assert (caught.value.path, caught.value.format, caught.value.place) == (str(missing), None, None)
    with pytest.raises(mu.Error) as caught:
        mu.open(tmp_path)
    assert isinstance(caught.value.__cause__, IsADirectoryError)


def test_unknown_formats_raise_an_error():
    for bytes in (b"", b"nothing of the kind", b"\0" * 100):
        with pytest.raises(mu.Error) as caught:
            mu.open(bytes)
        assert caught.value.path == "<bytes>" and caught.value.format is None
    with pytest.raises(mu.Error) as caught:
        mu.open(b"", name="take.bin")
    assert str(caught.value).startswith("take.bin: ")


def test_truncated_recordings_have_an_error_location():
    bytes = HANDS.read_bytes()
    for length in (20, 1000, len(bytes) // 2, len(bytes) - 1):
        with pytest.raises(mu.Error) as caught:
            mu.open(bytes[:length])
        assert caught.value.format == "mrtk" and caught.value.place


def test_errors_can_be_pickled():
    with pytest.raises(mu.Error) as caught:
        mu.open(b"", name="take.bin")
    error, sent = caught.value, pickle.loads(pickle.dumps(caught.value))
    assert (str(sent), sent.path, sent.message) == (str(error), error.path, error.message)


def test_paths_can_contain_any_characters(tmp_path):
    path = tmp_path / "zwei Hände 🤚.bin"
    path.write_bytes(HANDS.read_bytes())
    assert mu.open(path).path == path
    invalid_path = Path(f"{tmp_path}/odd\udcff.bin")
    invalid_path.write_bytes(b"")
    with pytest.raises(mu.Error) as caught:
        mu.open(invalid_path)
    assert caught.value.path == f"{tmp_path}/odd\\xff.bin"


def test_repr_contains_the_path():
    for path, given in RECORDINGS.values():
        assert repr(mu.open(path, **given)).startswith(f'<Clip "{path}"')


def test_listed_animations_can_be_opened():
    walker, pak = ASSETS / "gltf/walker.glb", DATA / "prime-characters/warden_mp1.pak"
    assert [animation.name for animation in mu.animations(walker)] == ["Walk", "Greet"]
    for path in (walker, pak):
        animations = mu.animations(path)
        assert len(animations) > 1
        for animation in animations:
            assert animation.duration == mu.open(path, animation=animation.name).duration
            assert animation.name in repr(animation)
    [listed] = lines("info", "--json", walker)
    found = [{"name": first.name, "duration": first.duration} for first in mu.animations(walker)]
    assert found == listed["animations"]
    with open(walker, "rb") as file:
        assert [first.name for first in mu.animations(file)] == ["Walk", "Greet"]


def test_files_with_one_recording_list_no_animations():
    assert mu.animations(HANDS) == []
    with pytest.raises(mu.Error, match="cannot be read"):
        mu.animations("missing.glb")
    with pytest.raises(mu.Error):
        mu.animations(b"nothing that is known")
    with pytest.raises(ValueError, match="as_"):
        mu.animations(HANDS, as_="none")

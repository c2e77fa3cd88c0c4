"""Tests of retargeting against the command line and the expected values in `tests/data`."""

from __future__ import annotations

import json

import mutoscope as mu
import numpy as np
import pytest
from conftest import ASSETS, DATA, lines, run

FILES = DATA / "characters"
EXPECTED = json.loads((FILES / "expected.json").read_text(encoding="utf-8"))
PAIRS = EXPECTED["pairs"]
MOTION, CHARACTER = FILES / "cmu_names.bvh", FILES / "boxes.vrm"


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['motion']} on {pair['character']}")
def test_retargeted_poses_match_the_expected_values(pair):
    motion, character = FILES / pair["motion"], FILES / pair["character"]
    clip = mu.open(motion, rig=character, retarget="auto")
    bones = mu.bones(clip)
    assert {name: [bones["motion"][name], bones["character"][name]] for name in bones["motion"]} == pair["mapped"]
    assert bones["hip_scale"] == pytest.approx(pair["hip_scale"], rel=1e-6)
    compared = 0
    for row in pair["rows"]:
        poses = clip.sample([row["time"]])
        for name, (position, *_) in row["nodes"].items():
            found = poses.positions[0, poses.column(name)]
            np.testing.assert_allclose(found, position, rtol=0, atol=1e-4, err_msg=name)
            compared += 1
    assert compared > 20


def test_poses_match_the_command_line(tmp_path):
    done = run("bones", MOTION, "--rig", CHARACTER)
    assert done.returncode == 0, done.stderr
    bones = mu.bones(MOTION, rig=CHARACTER)
    assert bones == json.loads(done.stdout)
    assert bones["motion"]["hips"] == "Hips" and bones["character"]["head"] == "J_Bip_C_Head"
    bones["motion"]["leftToes"] = None
    bones["hip_scale"] = 0.5
    path = tmp_path / "map.json"
    path.write_text(json.dumps(bones), encoding="utf-8")
    for given, retarget_argument in [("auto", "auto"), (path, path), (bones, path)]:
        clip = mu.open(MOTION, rig=CHARACTER, retarget=given)
        poses = clip.sample([0.2, 0.53])
        rows = lines("sample", "--times", "0.2,0.53", "--rig", CHARACTER, "--retarget", retarget_argument, MOTION)
        for row, positions in zip(rows, poses.positions):
            assert [node["name"] for node in row["nodes"]] == clip.node_names
            expected = [node["world"]["translation"] for node in row["nodes"]]
            np.testing.assert_array_equal(positions, expected)
        assert mu.bones(clip)["hip_scale"] == (0.5 if given != "auto" else mu.bones(MOTION, rig=CHARACTER)["hip_scale"])
    found = mu.bones(MOTION, rig=CHARACTER, retarget=bones)
    assert found["hip_scale"] == 0.5 and found["motion"]["leftToes"] is None
    assert found == mu.bones(MOTION, rig=CHARACTER, retarget=path)


def test_off_matches_by_node_name():
    with pytest.raises(mu.Error, match="has none of its 22 animated nodes"):
        mu.open(MOTION, rig=CHARACTER, retarget="off")
    for given in ({}, {"retarget": "off"}):
        clip = mu.open(MOTION, rig=CHARACTER, allow_unmatched_rig=True, **given)
        assert any("To map the bones, pass --retarget auto" in issue.message for issue in clip.issues())
        with pytest.raises(mu.Error, match="a clip that is not retargeted, which has no bone map"):
            mu.bones(clip)
    with pytest.raises(ValueError, match='found "off", which maps no bones'):
        mu.bones(MOTION, rig=CHARACTER, retarget="off")


def test_convert_and_report_use_the_retargeted_motion(tmp_path):
    given = {"rig": CHARACTER, "retarget": "auto"}
    out = tmp_path / "out.glb"
    mu.convert(MOTION, out, **given)
    clip, written = mu.open(MOTION, **given), mu.open(out)
    nodes = [name for name in clip.node_names if name in written.node_names]
    assert len(nodes) > 20
    times = [0.2, 0.53]
    first, second = clip.sample(times, nodes=nodes), written.sample(times, nodes=nodes)
    np.testing.assert_allclose(first.positions, second.positions, atol=1e-3)
    file_report = mu.report(MOTION, **given).to_dict()
    assert file_report == mu.report(clip).to_dict()
    assert file_report != mu.report(MOTION).to_dict()
    # A character can also be bytes or a file object.
    in_memory = mu.open(MOTION.read_bytes(), name="walk.bvh", rig=CHARACTER.read_bytes(), retarget="auto")
    np.testing.assert_array_equal(in_memory.sample(times).positions, clip.sample(times).positions)
    path = tmp_path / "map.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(mu.Error, match="would overwrite the bone map"):
        mu.convert(MOTION, path, to="glb", rig=CHARACTER, retarget=path)
    assert path.read_text(encoding="utf-8") == "{}"


def test_retarget_errors_explain_the_cause(tmp_path):
    broken = tmp_path / "no.json"
    broken.write_text("hips", encoding="utf-8")
    for retarget_argument, rig, message in [
        (tmp_path / "missing.json", CHARACTER, "missing.json: as a bone map: cannot be read"),
        (broken, CHARACTER, "no.json: expected a bone map as JSON"),
        ("auto", DATA / "rig/arm.glb", "leftUpperLeg, leftLowerLeg, leftFoot"),
    ]:
        with pytest.raises(mu.Error, match=message):
            mu.open(MOTION, rig=rig, retarget=retarget_argument)
        with pytest.raises(mu.Error, match=message):
            mu.bones(MOTION, rig=rig, retarget=retarget_argument)
    for given, message in [
        ({"motion": {"tail": "Tail"}}, 'retarget: motion: expected a bone of VRM 1.0, found "tail"'),
        ({"hip_scale": -1}, "retarget: hip_scale: expected a positive number, found -1"),
        ({"bones": {}}, "retarget: expected a bone map as JSON: unknown field `bones`"),
    ]:
        with pytest.raises(ValueError, match=message):
            mu.open(MOTION, rig=CHARACTER, retarget=given)
    with pytest.raises(mu.Error, match="nowhere"):
        mu.open(MOTION, rig=CHARACTER, retarget={"character": {"hips": "nowhere"}})
    with pytest.raises(TypeError, match='retarget: expected "auto", "off", the path of a bone map or a dict, found int'):
        mu.open(MOTION, rig=CHARACTER, retarget=5)
    with pytest.raises(ValueError, match="retarget needs a character"):
        mu.open(MOTION, retarget="auto")
    assert mu.open(MOTION, retarget="off").format == "bvh"
    with pytest.raises(ValueError, match="bones needs a character"):
        mu.bones(MOTION)
    with pytest.raises(ValueError, match="a clip is open already"):
        mu.bones(mu.open(MOTION), rig=CHARACTER)


def test_hand_recordings_animate_the_hands_of_a_character():
    hands = ASSETS / "mrtk/two-hands.bin"
    clip = mu.open(hands, rig=CHARACTER, retarget="auto")
    bones = mu.bones(clip)
    assert bones["motion"]["leftHand"] == "left/Wrist" and bones["hip_scale"] == 1.0
    assert "hips" not in bones["motion"]
    assert clip.node_names[0] == mu.open(MOTION, rig=CHARACTER, retarget="auto").node_names[0]

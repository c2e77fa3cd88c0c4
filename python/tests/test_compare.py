"""Tests of comparisons of two recordings on one clock against the command line."""

from __future__ import annotations

import mutoscope as mu
import numpy as np
import pytest
from conftest import ASSETS, lines

HANDS = ASSETS / "mrtk/two-hands.bin"
DAMAGED = ASSETS / "mrtk/two-hands-damaged.bin"


def assert_matches_printed(found, printed):
    assert (found.offset, found.rate) == (printed["offset"], printed["rate"])
    assert (found.start, found.end) == (printed["from"], printed["to"])
    assert len(found.times) == len(found.distances) == printed["times"]
    for joint, expected in zip(found.joints, printed["joints"], strict=True):
        for name in ("first", "second", "seen", "max", "max_at", "rms", "rms_in_place"):
            assert getattr(joint, name) == expected[name], name
        for name in ("max_angle", "rms_angle"):
            assert getattr(joint, name) == expected[name], name
        mean = expected["mean"]
        assert (joint.mean and list(joint.mean)) == mean
    if printed["alignment"] is None:
        assert found.alignment is None
    else:
        for name in ("offset", "correlation", "certain", "interval"):
            assert getattr(found.alignment, name) == printed["alignment"][name]
        runner_up = printed["alignment"]["runner_up"]
        assert found.alignment.runner_up == (runner_up and tuple(runner_up.values()))


@pytest.mark.parametrize(
    "arguments, given",
    [
        ([], {}),
        (["--align"], {"align": True}),
        (["--offset=-0.25", "--rate=1.5"], {"offset": -0.25, "rate": 1.5}),
        (["--joint=right/IndexTip"], {"joints": ["right/IndexTip"]}),
        (
            ["--joint=right/IndexTip=left/IndexTip"],
            {"joints": [("right/IndexTip", "left/IndexTip")]},
        ),
    ],
)
def test_comparisons_match_the_command_line(arguments, given):
    (printed,) = lines("compare", "--json", *arguments, HANDS, DAMAGED)
    assert_matches_printed(mu.compare(mu.open(HANDS), mu.open(DAMAGED), **given), printed)
    assert_matches_printed(mu.compare(HANDS, DAMAGED.read_bytes(), **given), printed)


def test_distances_match_the_positions():
    a, b = mu.open(HANDS), mu.open(DAMAGED)
    found = mu.compare(a, b, offset=0.125, joints=["right/IndexTip"])
    (joint,) = found.joints
    first, second = a.sample(found.times), b.sample(found.times - 0.125)
    indices = a.index("right/IndexTip"), b.index("right/IndexTip")
    distances = np.linalg.norm(first.positions[:, indices[0]] - second.positions[:, indices[1]], axis=1)
    visible = first.visible[:, indices[0]] & second.visible[:, indices[1]]
    np.testing.assert_allclose(joint.distances, np.where(visible, distances, np.nan), atol=1e-12)
    np.testing.assert_allclose(found.distances, joint.distances, atol=1e-12)
    assert joint.seen == visible.sum() > 0
    assert joint.rms == pytest.approx(np.sqrt(np.mean(distances[visible] ** 2)))
    assert joint.max == pytest.approx(distances[visible].max())


def test_incomparable_recordings_and_invalid_arguments_raise_errors(tmp_path):
    clip = mu.open(HANDS)
    with pytest.raises(mu.Error, match="never play at the same time"):
        mu.compare(clip, clip, offset=1e4)
    with pytest.raises(ValueError, match="no joints match by name"):
        mu.compare(clip, ASSETS / "mcmocap/a-day.mcmocap_rec")
    still = tmp_path / "still.bvh"
    still.write_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
        "MOTION\nFrames: 5\nFrame Time: 1\n0\n0\n0\n0\n0\n"
    )
    with pytest.raises(mu.Error, match="cannot be aligned: the joints are still") as caught:
        mu.compare(clip, still, align=True, joints=[("right/IndexTip", "a")])
    assert caught.value.path == str(still)
    with pytest.raises(KeyError):
        mu.compare(clip, clip, joints=["right/Elbow"])
    with pytest.raises(TypeError, match="align and offset"):
        mu.compare(clip, clip, align=True, offset=1.0)
    for wrong in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="rate"):
            mu.compare(clip, clip, rate=wrong)

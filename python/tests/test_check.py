"""Tests of verdicts."""

from __future__ import annotations

import json

import mutoscope as mu
import pytest
from conftest import ASSETS, run

HANDS = ASSETS / "mrtk/two-hands.bin"
DAMAGED = ASSETS / "mrtk/two-hands-damaged.bin"


def test_clean_recording_passes():
    verdict = mu.check(mu.open(HANDS))
    assert (verdict.verdict, verdict.profile, verdict.reasons) == ("pass", "default", [])
    assert "body/flip" in verdict.not_applicable


def test_profile_decides_what_fails():
    clip = mu.open(DAMAGED)
    review = mu.check(clip)
    assert review.verdict == "review"
    assert review.reasons == ["gaze/fixed", "mrtk/rotation-w-lost"]
    fixed = next(problem for problem in review.problems if problem.code == "gaze/fixed")
    assert (fixed.nodes, fixed.measure, fixed.unit) == (["gaze"], "spread", "rad")
    assert fixed.value < fixed.threshold and fixed.end > fixed.time
    assert mu.check(clip, profile="mrtk").verdict == "fail"


def test_verdict_matches_the_command_line(recording):
    path, given = recording
    if given or path.suffix == ".pak":
        pytest.skip("check has options, or judges every recording of an archive")
    verdict = mu.check(path)
    line = json.loads(run("check", "--verdict", "--json", path).stdout)
    assert verdict.verdict == line["verdict"]
    assert verdict.reasons == [reason["code"] for reason in line["reasons"]]
    assert verdict.not_applicable == line["not_applicable"]


def test_unreadable_recording_raises_an_error(tmp_path):
    path = tmp_path / "cut.bvh"
    path.write_text("HIERARCHY")
    with pytest.raises(mu.Error):
        mu.check(path)


def test_invalid_profiles_are_refused(tmp_path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[codes."hand/jumps"]\nthreshold = 3.0\n')
    for profile, named in [("hands", "built-in profiles"), (str(own), "hand/jumps")]:
        with pytest.raises(ValueError, match=named):
            mu.check(mu.open(HANDS), profile=profile)

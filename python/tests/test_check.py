"""Tests of verdicts."""

from __future__ import annotations

import mutoscope as mu
import pytest
from conftest import REPOSITORY

HANDS = REPOSITORY / "assets/mrtk/two-hands.bin"
DAMAGED = REPOSITORY / "assets/mrtk/two-hands-damaged.bin"


def test_clean_recording_passes() -> None:
    verdict = mu.check(mu.open(HANDS))
    assert (verdict.verdict, verdict.profile, verdict.reasons) == ("pass", "default", [])
    assert "body/flip" in verdict.not_applicable


def test_profile_decides_what_fails() -> None:
    clip = mu.open(DAMAGED)
    review = mu.check(clip)
    assert review.verdict == "review"
    assert review.reasons == ["gaze/fixed", "mrtk/rotation-w-lost"]
    fixed = next(problem for problem in review.problems if problem.code == "gaze/fixed")
    assert (fixed.nodes, fixed.measure, fixed.unit) == (["gaze"], "spread", "rad")
    assert fixed.value < fixed.threshold and fixed.end > fixed.time
    assert mu.check(clip, profile="mrtk").verdict == "fail"


def test_invalid_profiles_are_refused(tmp_path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[codes."hand/jumps"]\nthreshold = 3.0\n')
    for profile, named in [("hands", "built-in profiles"), (str(own), "hand/jumps")]:
        with pytest.raises(ValueError, match=named):
            mu.check(mu.open(HANDS), profile=profile)

"""Fixations, dwell, episodes and motion: on synthetic gaze, and against plain implementations of the papers."""

from __future__ import annotations

import mutoscope as mu
import numpy as np
import pytest
from conftest import ASSETS

HANDS = ASSETS / "mrtk/two-hands.bin"
RATE = 120.0


def directions(yaw, pitch):
    """Where a gaze goes at these angles in degrees, to the right and up."""
    yaw, pitch = np.broadcast_arrays(np.radians(yaw), np.radians(pitch))
    return np.stack(
        [np.sin(yaw) * np.cos(pitch), np.sin(pitch), -np.cos(yaw) * np.cos(pitch)], axis=-1
    )


def scanpath(seed):
    """A gaze that rests with tremor on known places and jumps between them, and when it rests."""
    rng = np.random.default_rng(seed)
    yaw, resting = [], []
    place = 0.0
    for _ in range(12):
        count = int(rng.integers(15, 80))
        resting.append((len(yaw), len(yaw) + count))
        yaw.extend(place + rng.uniform(-0.1, 0.1, count))
        step = rng.choice([-1, 1]) * rng.uniform(5, 20)
        yaw.extend(place + step * np.array([0.25, 0.5, 0.75]))
        place += step
    return np.array(yaw), resting


def idt(yaw, times, dispersion, duration):
    """I-DT as Salvucci and Goldberg have it, for a gaze along one line."""
    found, start = [], 0
    while start < len(yaw):
        end = start
        while end < len(yaw) and times[end] - times[start] < duration - 1e-9:
            end += 1
        if end == len(yaw):
            break
        end += 1
        if np.ptp(yaw[start:end]) > dispersion:
            start += 1
            continue
        while end < len(yaw) and np.ptp(yaw[start : end + 1]) <= dispersion:
            end += 1
        found.append((start, end))
        start = end
    return found


def ivt(yaw, times, velocity, duration):
    """I-VT as Salvucci and Goldberg have it, without merging."""
    slow = np.abs(np.diff(yaw)) <= velocity * np.diff(times)
    edges = np.flatnonzero(np.diff(slow.astype(int), prepend=0, append=0)).reshape(-1, 2)
    runs = [(int(start), int(end) + 1) for start, end in edges]
    return [run for run in runs if times[run[1] - 1] - times[run[0]] >= duration - 1e-9]


def ranges(found):
    return [(one.first, one.first + one.count) for one in found]


@pytest.mark.parametrize("seed", range(5))
def test_fixations_are_those_of_the_paper(seed):
    yaw, resting = scanpath(seed)
    times = np.arange(len(yaw)) / RATE
    gaze = (times, directions(yaw, 0.0))
    by_dispersion = mu.fixations(gaze)
    assert ranges(by_dispersion) == idt(yaw, times, 1.0, 0.1) == resting
    for dispersion, duration in ((0.15, 0.1), (0.1, 0.03), (3.0, 0.5)):
        found = mu.fixations(gaze, dispersion=dispersion, duration=duration)
        assert ranges(found) == idt(yaw, times, dispersion, duration)
    by_velocity = mu.fixations(gaze, method="ivt")
    assert ranges(by_velocity) == resting
    for velocity in (5.0, 12.0, 100.0):
        found = mu.fixations(
            gaze, method="ivt", velocity=velocity, duration=0.05, merged_within=0.0
        )
        assert ranges(found) == ivt(yaw, times, velocity, 0.05)
    for fixation, (start, end) in zip(by_dispersion, resting, strict=True):
        assert (fixation.start, fixation.end) == (times[start], times[end - 1])
        mean = directions(yaw[start:end].mean(), 0.0)
        assert np.degrees(np.linalg.norm(np.cross(mean, fixation.direction))) < 0.01
        assert fixation.origin == (0.0, 0.0, 0.0)


def test_a_gaze_that_is_lost_ends_a_fixation():
    times = np.arange(60) / RATE
    seen = np.tile([0.0, 0.0, -2.0], (60, 1))
    seen[30] = np.nan
    assert ranges(mu.fixations((times, seen))) == [(0, 30), (31, 60)]
    assert ranges(mu.fixations((times, seen), method="ivt")) == [(0, 60)]
    assert mu.fixations((times, np.full((60, 3), np.nan))) == []
    assert mu.fixations(([], np.empty((0, 3)))) == []


def test_fixations_of_a_recording_are_those_of_its_gaze():
    clip = mu.open(HANDS)
    times = np.arange(clip.start, clip.end, 1 / 60)
    poses = clip.sample(times, nodes=["gaze"])
    x, y, z, w = poses.rotations[:, 0].T
    forward = -np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], -1)
    forward[~poses.visible[:, 0]] = np.nan
    for given in ({}, {"method": "ivt", "velocity": 20.0}):
        found = mu.fixations(clip, times=times, **given)
        assert ranges(found) == ranges(mu.fixations((times, forward), **given))
    assert mu.fixations(clip) and mu.fixations(clip, node="camera")


def test_pinches_are_as_long_as_the_signal_is_on():
    clip = mu.open(HANDS)
    track = clip.tracks[next(one.track for one in clip.signals if one.name == "right/pinch")]
    edges = np.flatnonzero(np.diff(track.values.astype(int), prepend=0)).tolist()
    expected = [track.times[index] for index in edges]
    found = mu.episodes(clip, "right/pinch")
    times = [time for one in found for time in (one.start, one.end)]
    np.testing.assert_allclose(times[: len(expected)], expected, atol=1e-8)
    assert found and {one.name for one in found} == {"right/pinch"}
    assert len(times) in (len(expected), len(expected) + 1)
    with pytest.raises(KeyError):
        mu.episodes(clip, "right/wink")


def test_joints_go_as_far_as_numpy_says():
    clip = mu.open(HANDS)
    count = int(np.ceil(clip.duration * 120)) + 1
    times = np.linspace(clip.start, clip.end, count)
    poses = clip.sample(times, nodes=["right/IndexTip"])
    seen = poses.visible[:, 0]
    steps = np.linalg.norm(np.diff(poses.positions[:, 0], axis=0), axis=1)
    both = seen[1:] & seen[:-1]
    motion = mu.joint_motion(clip, "right/IndexTip")
    assert motion.path_length == pytest.approx(steps[both].sum(), rel=1e-9)
    assert motion.visible == pytest.approx(both.sum() * clip.duration / (count - 1))
    assert motion.mean_speed == pytest.approx(motion.path_length / motion.visible)
    if seen.all():
        speed = np.linalg.norm(np.gradient(poses.positions[:, 0], times, axis=0), axis=1)
        assert motion.max_speed == pytest.approx(speed.max(), rel=1e-9)
        assert motion.max_at == pytest.approx(times[speed.argmax()])


def test_dwell_is_as_long_as_the_gaze_is_within(tmp_path):
    """A head that turns by 90° to the left in a second, then stays."""
    path = tmp_path / "turn.bvh"
    path.write_text(
        "HIERARCHY\nROOT head\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n"
        "End Site\n{\nOFFSET 0 0 -10\n}\n}\nMOTION\nFrames: 3\nFrame Time: 1\n0\n90\n90\n"
    )
    clip = mu.open(path)
    times = np.linspace(0, 2, 2001)
    ahead = mu.Area.sphere("ahead", [0, 0, -2], 1)
    # The gaze is on the rectangle up to atan(1 / 2) from its centre.
    left = mu.Area.plane("left", [-2, 0, 0], [2, 2], rotation=[0, np.sqrt(0.5), 0, np.sqrt(0.5)])
    box = mu.Area.box("box", [0, 0, -9], [1, 1, 1])
    with_head = mu.Area.sphere("hat", [0, 0, -1], 0.1, joint="head")
    found = mu.dwells(clip, [box, ahead, left], node="head", times=times)
    assert [one.name for one in found] == ["ahead", "left"]
    assert found[0].start == 0 and found[0].end == pytest.approx(1 / 3, abs=2e-3)
    enters = 1 - np.degrees(np.arctan2(1, 2)) / 90
    assert found[1].start == pytest.approx(enters, abs=2e-3) and found[1].end == 2
    (always,) = mu.dwells(clip, [ahead, with_head], node="head", times=times)
    assert (always.name, always.start, always.end) == ("hat", 0, 2)
    with pytest.raises(KeyError, match="gaze"):
        mu.dwells(clip, [ahead])
    with pytest.raises(KeyError):
        mu.dwells(clip, [mu.Area.sphere("x", [0, 0, 0], 1, joint="foot")], node="head")
    with pytest.raises(ValueError, match="ascending"):
        mu.dwells(clip, [ahead], node="head", times=[1.0, 0.0])
    for wrong in (0, -1, np.nan):
        with pytest.raises(ValueError, match="radius"):
            mu.Area.sphere("x", [0, 0, 0], wrong)
    with pytest.raises(ValueError, match="rotation"):
        mu.Area.plane("x", [0, 0, 0], [1, 1], rotation=[0, 0, 0, 0])


def test_arguments_are_checked():
    with pytest.raises(ValueError, match="method"):
        mu.fixations(([0.0], [[0, 0, -1]]), method="guess")
    with pytest.raises(ValueError, match="shape"):
        mu.fixations(([0.0, 1.0], [[0, 0, -1]]))
    with pytest.raises(ValueError, match="ascending"):
        mu.fixations(([1.0, 0.0], np.zeros((2, 3))))
    with pytest.raises(TypeError):
        mu.fixations("take.bin")
    with pytest.raises(ValueError, match="rate"):
        mu.joint_motion(mu.open(HANDS), 0, rate=0)

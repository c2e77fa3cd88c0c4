"""Tests of fixations, dwells, episodes and motion, with synthetic gaze and plain implementations of the papers."""

from __future__ import annotations

import mutoscope as mu
import numpy as np
import pytest
from conftest import ASSETS

HANDS = ASSETS / "mrtk/two-hands.bin"
RATE = 120.0


def directions(yaw, pitch):
    """Returns the gaze directions at these angles to the right and upwards, in degrees."""
    yaw, pitch = np.broadcast_arrays(np.radians(yaw), np.radians(pitch))
    return np.stack(
        [np.sin(yaw) * np.cos(pitch), np.sin(pitch), -np.cos(yaw) * np.cos(pitch)], axis=-1
    )


def make_scanpath(seed):
    """Generates a gaze that rests with tremor and jumps in between. Returns its yaw and the sample ranges of the rests."""
    rng = np.random.default_rng(seed)
    yaw, resting = [], []
    centre = 0.0
    for _ in range(12):
        count = int(rng.integers(15, 80))
        resting.append((len(yaw), len(yaw) + count))
        yaw.extend(centre + rng.uniform(-0.1, 0.1, count))
        step = rng.choice([-1, 1]) * rng.uniform(5, 20)
        yaw.extend(centre + step * np.array([0.25, 0.5, 0.75]))
        centre += step
    return np.array(yaw), resting


def find_fixations_idt(yaw, times, dispersion, duration):
    """Finds fixations by I-DT, after Salvucci and Goldberg, for a gaze along one line."""
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


def find_fixations_ivt(yaw, times, velocity, duration):
    """Finds fixations by I-VT, after Salvucci and Goldberg, without merging."""
    slow = np.abs(np.diff(yaw)) <= velocity * np.diff(times)
    edges = np.flatnonzero(np.diff(slow.astype(int), prepend=0, append=0)).reshape(-1, 2)
    runs = [(int(start), int(end) + 1) for start, end in edges]
    return [run for run in runs if times[run[1] - 1] - times[run[0]] >= duration - 1e-9]


def sample_ranges(found):
    return [(item.first, item.first + item.count) for item in found]


@pytest.mark.parametrize("seed", range(5))
def test_fixations_match_the_papers(seed):
    yaw, resting = make_scanpath(seed)
    times = np.arange(len(yaw)) / RATE
    gaze = (times, directions(yaw, 0.0))
    by_dispersion = mu.fixations(gaze)
    assert sample_ranges(by_dispersion) == find_fixations_idt(yaw, times, 1.0, 0.1) == resting
    for dispersion, duration in ((0.15, 0.1), (0.1, 0.03), (3.0, 0.5)):
        found = mu.fixations(gaze, dispersion=dispersion, duration=duration)
        assert sample_ranges(found) == find_fixations_idt(yaw, times, dispersion, duration)
    by_velocity = mu.fixations(gaze, method="ivt")
    assert sample_ranges(by_velocity) == resting
    for velocity in (5.0, 12.0, 100.0):
        found = mu.fixations(
            gaze, method="ivt", velocity=velocity, duration=0.05, merged_within=0.0
        )
        assert sample_ranges(found) == find_fixations_ivt(yaw, times, velocity, 0.05)
    for fixation, (start, end) in zip(by_dispersion, resting, strict=True):
        assert (fixation.start, fixation.end) == (times[start], times[end - 1])
        mean = directions(yaw[start:end].mean(), 0.0)
        assert np.degrees(np.linalg.norm(np.cross(mean, fixation.direction))) < 0.01
        assert fixation.origin == (0.0, 0.0, 0.0)


def test_lost_gaze_ends_a_fixation():
    times = np.arange(60) / RATE
    visible = np.tile([0.0, 0.0, -2.0], (60, 1))
    visible[30] = np.nan
    assert sample_ranges(mu.fixations((times, visible))) == [(0, 30), (31, 60)]
    assert sample_ranges(mu.fixations((times, visible), method="ivt")) == [(0, 60)]
    assert mu.fixations((times, np.full((60, 3), np.nan))) == []
    assert mu.fixations(([], np.empty((0, 3)))) == []


def test_fixations_of_a_recording_match_its_gaze():
    clip = mu.open(HANDS)
    times = np.arange(clip.start, clip.end, 1 / 60)
    poses = clip.sample(times, nodes=["gaze"])
    x, y, z, w = poses.rotations[:, 0].T
    forward = -np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], -1)
    forward[~poses.visible[:, 0]] = np.nan
    for given in ({}, {"method": "ivt", "velocity": 20.0}):
        found = mu.fixations(clip, times=times, **given)
        assert sample_ranges(found) == sample_ranges(mu.fixations((times, forward), **given))
    assert mu.fixations(clip) and mu.fixations(clip, node="camera")


def test_episodes_match_the_pinch_signal():
    clip = mu.open(HANDS)
    track = clip.tracks[next(item.track for item in clip.signals if item.name == "right/pinch")]
    edges = np.flatnonzero(np.diff(track.values.astype(int), prepend=0)).tolist()
    expected = [track.times[index] for index in edges]
    found = mu.episodes(clip, "right/pinch")
    times = [time for item in found for time in (item.start, item.end)]
    np.testing.assert_allclose(times[: len(expected)], expected, atol=1e-8)
    assert found and {item.name for item in found} == {"right/pinch"}
    assert len(times) in (len(expected), len(expected) + 1)
    with pytest.raises(KeyError):
        mu.episodes(clip, "right/wink")


def test_joint_motion_matches_numpy():
    clip = mu.open(HANDS)
    count = int(np.ceil(clip.duration * 120)) + 1
    times = np.linspace(clip.start, clip.end, count)
    poses = clip.sample(times, nodes=["right/IndexTip"])
    visible = poses.visible[:, 0]
    steps = np.linalg.norm(np.diff(poses.positions[:, 0], axis=0), axis=1)
    both = visible[1:] & visible[:-1]
    motion = mu.joint_motion(clip, "right/IndexTip")
    assert motion.path_length == pytest.approx(steps[both].sum(), rel=1e-9)
    assert motion.visible == pytest.approx(both.sum() * clip.duration / (count - 1))
    assert motion.mean_speed == pytest.approx(motion.path_length / motion.visible)
    if visible.all():
        speed = np.linalg.norm(np.gradient(poses.positions[:, 0], times, axis=0), axis=1)
        assert motion.max_speed == pytest.approx(speed.max(), rel=1e-9)
        assert motion.max_at == pytest.approx(times[speed.argmax()])


def test_dwells_match_the_time_of_gaze_in_each_area(tmp_path):
    """Turns a head by 90° to the left in one second, and then holds it still."""
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
    assert [item.name for item in found] == ["ahead", "left"]
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


def test_invalid_arguments_are_rejected():
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

"""Tests of clip properties other than motion against the command line."""

from __future__ import annotations

import json

import mutoscope as mu
import numpy as np
import pytest
from conftest import ASSETS, DATA, lines, options, run

HANDS = ASSETS / "mrtk/two-hands.bin"


def read_info(path, given):
    """Returns the output of `info --json`. For an archive, passes the name of its recording."""
    name = ["--animation", mu.open(path).name] if path.suffix == ".pak" else []
    (line,) = lines("info", "--json", *options(given), *name, path)
    return line


def test_properties_match_the_command_line(recording):
    path, given = recording
    clip, info = mu.open(path, **given), read_info(path, given)
    for name in ("format", "version", "name", "start", "duration", "rate_hz"):
        assert getattr(clip, name) == info[name], name
    assert clip.end == clip.start + clip.duration
    assert [(node.index, node.name, node.parent) for node in clip.nodes] == [
        (node["index"], node["name"], node["parent"]) for node in info["node_list"]
    ]
    events = [
        {"time": event.time, "node": event.node, "name": event.name, "value": event.value}
        for event in clip.events
    ]
    assert events == [{name: row[name] for name in events[0]} for row in info["events"]]
    convention, expected = clip.convention, info["convention"]
    for name in ("handedness", "up", "metres_per_unit"):
        assert getattr(convention, name) == expected[name]
    for origin in ("declared", "assumed"):
        assert [fact for fact, found in convention.origins.items() if found == origin] == expected[
            origin
        ]


def test_issues_match_the_check_command(recording):
    """Uses recordings with fewer than 20 issues of a kind, because `check` prints no more."""
    path, given = recording
    given = {name: value for name, value in given.items() if name == "rig"}
    if path.suffix == ".pak":
        pytest.skip("check examines every recording of an archive")
    found = mu.open(path, **given).issues()
    done = run("check", "--all", "--json", *options(given), path)
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted((row.severity, row.place, row.message) for row in found) == sorted(
        (row["severity"], row["place"], row["message"]) for row in printed
    )


def test_issues_have_the_time_track_and_location_of_their_key():
    clip = mu.open(DATA / "mrtk/bad/keys-unsorted.bin")
    key_issues = [issue for issue in clip.issues() if issue.key is not None]
    assert key_issues
    for issue in key_issues:
        track = clip.tracks[issue.track]
        if issue.topic is not None:
            assert track.times[issue.key] == issue.time
        else:
            # A check of motion samples at the keys of several tracks, and names the last key until then.
            assert issue.key == 0 or track.times[issue.key] <= issue.time
        assert track.keys[issue.key].place == issue.place
        assert issue.node == track.node
    times = [issue.time for issue in clip.issues() if issue.time is not None]
    assert times == sorted(times)


def test_hand_joints_have_groups_sides_and_kinds():
    clip = mu.open(HANDS)
    by_name = {node.name: node for node in clip.nodes}
    tip = by_name["right/IndexTip"]
    assert (tip.group, tip.side, tip.kind) == ("right", "right", "tip")
    assert by_name["left/Wrist"].side == "left"
    assert {node.kind for node in clip.nodes} >= {"head", "ray", "joint", "tip"}
    assert clip.index("right/IndexTip") == tip.index == clip.node_names.index("right/IndexTip")
    with pytest.raises(KeyError):
        clip.index("right/Elbow")


def test_signals_match_their_tracks():
    clip = mu.open(HANDS)
    kinds = {signal.name: signal.kind for signal in clip.signals}
    assert kinds["right/pinch"] == "pinch" and kinds["left/tracked"] == "tracked"
    times = [0.25, 3.5]
    poses = clip.sample(times)
    for signal in clip.signals:
        np.testing.assert_array_equal(
            poses.signals[signal.name], clip.tracks[signal.track].sample(times)
        )


def test_duplicate_names_get_a_number(tmp_path):
    path = tmp_path / "twice.bvh"
    path.write_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "End Site\n{\nOFFSET 0 1 0\n}\n}\n}\n"
        "MOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0 0 0 0\n90 0 0 90 0 0\n"
    )
    clip = mu.open(path)
    assert [node.name for node in clip.nodes][:2] == ["a", "a"]
    assert clip.node_names[:2] == ["a", "a.001"]
    assert clip.index("a.001") == 1
    assert "a.Zrotation" in clip.tracks and "a.Zrotation.001" in clip.tracks


def test_key_times_combine_all_tracks():
    clip = mu.open(HANDS)
    all_times = np.unique(np.concatenate([track.times for track in clip.tracks.values()]))
    inside = all_times[(all_times >= clip.start) & (all_times <= clip.end)]
    np.testing.assert_array_equal(clip.key_times(), inside)


def test_minecraft_recordings_have_facts():
    clip = mu.open(ASSETS / "mcmocap/a-day.mcmocap_rec")
    assert clip.facts and all(isinstance(text, str) for text in clip.facts.values())
    assert clip.rate_hz == 20.0

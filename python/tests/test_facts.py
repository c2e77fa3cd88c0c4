"""What a recording holds besides its motion, as the command line tells it."""

from __future__ import annotations

import json

import mutoscope as mu
import numpy as np
import pytest
from conftest import ASSETS, DATA, lines, options, run

HANDS = ASSETS / "mrtk/two-hands.bin"


def told(path, given):
    """What `info --json` says of a recording; of an archive only where its recording is named."""
    name = ["--animation", mu.open(path).name] if path.suffix == ".pak" else []
    (line,) = lines("info", "--json", *options(given), *name, path)
    return line


def test_facts_are_those_of_the_command_line(recording):
    path, given = recording
    clip, info = mu.open(path, **given), told(path, given)
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
    assert events == [{name: one[name] for name in events[0]} for one in info["events"]]
    convention, expected = clip.convention, info["convention"]
    for name in ("handedness", "up", "metres_per_unit"):
        assert getattr(convention, name) == expected[name]
    for origin in ("declared", "assumed"):
        assert [fact for fact, told in convention.origins.items() if told == origin] == expected[
            origin
        ]


def test_issues_are_those_of_check(recording):
    """`check` prints twenty of a kind; these recordings have fewer."""
    path, given = recording
    given = {name: value for name, value in given.items() if name == "rig"}
    if path.suffix == ".pak":
        pytest.skip("of an archive, check looks at every recording")
    found = mu.open(path, **given).issues()
    done = run("check", "--all", "--json", *options(given), path)
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted((one.severity, one.place, one.message) for one in found) == sorted(
        (one["severity"], one["place"], one["message"]) for one in printed
    )


def test_issues_know_their_time_track_and_key():
    clip = mu.open(DATA / "mrtk/bad/keys-unsorted.bin")
    placed = [issue for issue in clip.issues() if issue.key is not None]
    assert placed
    for issue in placed:
        track = clip.tracks[issue.track]
        assert track.times[issue.key] == issue.time
        assert track.keys[issue.key].place == issue.place
        assert issue.node == track.node
    times = [issue.time for issue in clip.issues() if issue.time is not None]
    assert times == sorted(times)


def test_hands_have_sides_parents_and_kinds():
    clip = mu.open(HANDS)
    by_name = {node.name: node for node in clip.nodes}
    tip = by_name["right/IndexTip"]
    assert (tip.group, tip.side, tip.kind) == ("right", "right", "tip")
    assert by_name["left/Wrist"].side == "left"
    assert {node.kind for node in clip.nodes} >= {"head", "ray", "joint", "tip"}
    assert clip.index("right/IndexTip") == tip.index == clip.node_names.index("right/IndexTip")
    with pytest.raises(KeyError):
        clip.index("right/Elbow")


def test_signals_are_tracks():
    clip = mu.open(HANDS)
    kinds = {signal.name: signal.kind for signal in clip.signals}
    assert kinds["right/pinch"] == "pinch" and kinds["left/tracked"] == "tracked"
    times = [0.25, 3.5]
    poses = clip.sample(times)
    for signal in clip.signals:
        np.testing.assert_array_equal(
            poses.signals[signal.name], clip.tracks[signal.track].sample(times)
        )


def test_repeated_names_get_numbers(tmp_path):
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


def test_key_times_are_those_of_all_tracks():
    clip = mu.open(HANDS)
    every = np.unique(np.concatenate([track.times for track in clip.tracks.values()]))
    inside = every[(every >= clip.start) & (every <= clip.end)]
    np.testing.assert_array_equal(clip.key_times(), inside)


def test_facts_of_minecraft():
    clip = mu.open(ASSETS / "mcmocap/a-day.mcmocap_rec")
    assert clip.facts and all(isinstance(text, str) for text in clip.facts.values())
    assert clip.rate_hz == 20.0

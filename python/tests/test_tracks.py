"""Tests of tracks, which contain the numbers of the file."""

from __future__ import annotations

import struct

import mutoscope as mu
import numpy as np
import pytest
from conftest import ASSETS, DATA, lines, options

HANDS = ASSETS / "mrtk/two-hands.bin"


def test_tracks_match_the_command_line(recording):
    path, given = recording
    clip = mu.open(path, **given)
    (info,) = lines("info", "--json", *(options(given) if path.suffix != ".pak" else PAK_ARGUMENTS), path)
    assert len(clip.tracks) == info["tracks"] == len(info["track_list"])
    assert clip.key_count == info["keys"] == sum(len(track) for track in clip.tracks.values())
    for track, expected in zip(clip.tracks.values(), info["track_list"], strict=True):
        found = {
            "index": track.index,
            "node": track.node,
            "property": track.property,
            "type": track.type,
            "keys": len(track.keys),
        }
        assert found == {name: expected[name] for name in found}
        assert len(track.times) == len(track.values) == len(track)
        if expected["first"] is not None:
            assert [track.times[0], track.times[-1]] == [expected["first"], expected["last"]]
        assert (np.diff(track.times) >= 0).all()


#: Without a name, `info` lists the contents of an archive.
PAK_ARGUMENTS = ["--animation", mu.open(DATA / "prime-characters/warden_mp1.pak").name]


def test_values_match_the_command_line(recording):
    path, given = recording
    clip = mu.open(path, **given)
    times = [clip.start, clip.start + clip.duration / 3, clip.end + 0.125]
    times_argument = ",".join(map(repr, times))
    printed = lines("sample", "--tracks", f"--times={times_argument}", *options(given), path)
    for track in clip.tracks.values():
        found = track.sample(times).tolist()
        for value, line in zip(found, printed, strict=True):
            expected = line["tracks"][track.index]["value"]
            is_nan = expected is None and (value is None or np.isnan(value).all())
            assert value == expected or is_nan, track


def test_tracks_pass_through_their_keys():
    """Evaluates tracks at their key times. Unity's curves pass through their keys, and use the last key at a time."""
    for track in mu.open(HANDS).tracks.values():
        np.testing.assert_allclose(
            track.sample(track.times).astype(float), track.values.astype(float), atol=1e-6
        )


def test_keys_match_the_bytes_of_the_file():
    """Reads the bytes of keys. A key of MRTK 1.1 is its time and value as two little-endian floats."""
    bytes = HANDS.read_bytes()
    track = mu.open(HANDS).tracks["right/IndexTip.position.x"]
    for key in (track.keys[0], track.keys[7], track.keys[-1]):
        start, end = (int(part, 16) for part in key.place.removeprefix("bytes ").split(".."))
        assert end - start == 8  # version 1.1
        time, value = struct.unpack_from("<ff", bytes, start)
        assert (key.time, key.value) == (time, value)
        assert (track.times[key.index], track.values[key.index]) == (time, value)


def test_keys_behave_like_a_sequence():
    keys = mu.open(HANDS).tracks["right/IndexTip.position.x"].keys
    assert [key.index for key in keys] == list(range(len(keys)))
    assert keys[-1].index == len(keys) - 1
    for wrong in (len(keys), -len(keys) - 1, 1 << 62, -(1 << 62)):
        with pytest.raises(IndexError):
            keys[wrong]


def test_maya_curves_match_autodesk(expected):
    """Compares times and values in the units of the file."""
    for name in ("spec_example_4joints", "infinities", "ufbx_extrapolation"):
        golden = expected(f"maya/golden/{name}.json")
        clip = mu.open(DATA / f"maya/{name}.anim")
        curves = [curve for curve in golden["curves"] if curve["input"] == "time"]
        assert curves
        compared = 0
        for curve in curves:
            matching = [
                track
                for track in clip.tracks.values()
                if track.node == curve["node"] and track.property == curve["attr"]
            ]
            if len(matching) != 1:
                continue
            samples = np.array(curve["samples"])
            found = matching[0].sample(samples[:, 0] / golden["unitsPerSecond"])
            np.testing.assert_allclose(found, samples[:, 1], rtol=1e-5, atol=1e-4)
            compared += 1
        assert compared == len(curves), name


def test_values_have_the_expected_types():
    kinds = {}
    for path in sorted(DATA.glob("animj/**/*.anim[jx]")):
        try:
            clip = mu.open(path)
        except mu.Error:
            continue
        for track in clip.tracks.values():
            kinds.setdefault(track.type, (track.values.dtype, track.values.shape[1:]))
    expected = {
        "bool": (np.bool_, ()),
        "int": (np.int64, ()),
        "ulong": (np.uint64, ()),
        "float": (np.float64, ()),
        "float3": (np.float64, (3,)),
        "floatQ": (np.float64, (4,)),
        "bool2": (np.bool_, (2,)),
        "string": (np.object_, ()),
    }
    assert {name: kinds.get(name) for name in expected} == expected


def test_integers_are_exact(tmp_path):
    text = """{"name": "", "globalDuration": 1, "tracks": [{"trackType": "Raw", "valueType": "ulong",
      "data": {"node": "a", "property": "b", "interval": 1,
      "keyframes": [18446744073709551615, 9007199254740993]}}]}"""
    path = tmp_path / "whole.animj"
    path.write_text(text)
    (track,) = mu.open(path).tracks.values()
    assert track.values.tolist() == [18446744073709551615, 9007199254740993]
    assert track.keys[1].value == 9007199254740993


def test_tracks_are_read_only_and_in_order():
    clip = mu.open(HANDS)
    assert [track.index for track in clip.tracks.values()] == list(range(len(clip.tracks)))
    assert all(track.name == name for name, track in clip.tracks.items())
    with pytest.raises(TypeError):
        clip.tracks["left/Wrist.position.x"] = None
    with pytest.raises(KeyError):
        clip.tracks["left/Elbow.position.x"]


def test_packed_keys_have_their_integers():
    clip = mu.open(DATA / "prime/walk_mp1_v2.ANIM", rig=DATA / "prime/rig_mp1.CINF")
    packed = [track for track in clip.tracks.values() if track.keys[0].integers is not None]
    assert packed and all(isinstance(number, int) for number in packed[0].keys[1].integers)

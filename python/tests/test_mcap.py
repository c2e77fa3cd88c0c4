"""MCAP files, read by the packages `mcap` and `mcap-protobuf-support`, and by Rerun."""

from __future__ import annotations

import io
import json

import foxglove_schemas_protobuf.FrameTransforms_pb2
import foxglove_schemas_protobuf.Log_pb2
import mutoscope as mu
import numpy as np
import pyarrow.parquet
import pytest
import rerun.experimental
from conftest import ASSETS
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from mcap.reader import NonSeekingReader, make_reader
from mcap_protobuf.decoder import DecoderFactory

HANDS = ASSETS / "mrtk/two-hands.bin"
PLAYER = ASSETS / "mcmocap/a-day.mcmocap_rec"
LIGHTS = ASSETS / "animj/lantern-show.animj"


def reader_of(path, reader=make_reader):
    stream = io.BytesIO(path.read_bytes())
    return reader(stream, validate_crcs=True, decoder_factories=[DecoderFactory()])


def read(path, topic, reader=make_reader):
    """Time and content of each message."""
    messages = reader_of(path, reader).iter_decoded_messages(topics=[topic])
    return [(message.log_time, decoded) for _, _, message, decoded in messages]


def facts(path):
    (record,) = reader_of(path).iter_metadata()
    assert record.name == "mutoscope"
    return record.metadata


def times_of(path, tmp_path, **given):
    """The times of the messages: those of a table, which are exact, where their log times differ."""
    mu.convert(path, tmp_path / "times.parquet", **given)
    times = np.unique(pyarrow.parquet.read_table(tmp_path / "times.parquet")["time"].to_numpy())
    stamps = np.round((times - min(times[0], 0.0)) * 1e9)
    return times[np.append(stamps[1:] != stamps[:-1], True)]


def rotated(rotation, vector):
    """A vector rotated by a quaternion."""
    axis, w = rotation[:3], rotation[3]
    return vector + 2 * np.cross(axis, np.cross(axis, vector) + w * vector)


def product(one, other):
    (a, w), (b, v) = (one[:3], one[3]), (other[:3], other[3])
    return np.append(w * b + v * a + np.cross(a, b), w * v - a @ b)


def in_world(transforms, frame):
    """The composed transform of a frame in `world`."""
    position, rotation = np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0])
    while frame != "world":
        frame, translation, turn = transforms[frame]
        position = translation + rotated(turn, position)
        rotation = product(turn, rotation)
    return position, rotation


def same(transforms, poses, at, names, within):
    """Compares the frames of a message with a pose, and returns how many."""
    visible = poses.visible[at]
    assert len(transforms) == 1 + visible.sum()
    reach = max(1.0, np.abs(poses.positions[at][visible]).max(initial=0.0))
    for node in np.flatnonzero(visible):
        position, rotation = in_world(transforms, names[node])
        np.testing.assert_allclose(position, poses.positions[at, node], rtol=0, atol=within * reach)
        alike = abs(rotation @ poses.rotations[at, node]) / np.linalg.norm(rotation)
        assert alike == pytest.approx(1.0, abs=within)
    return visible.sum()


def some(messages, most=40):
    step = max(1, len(messages) // most)
    return range(0, len(messages), step)


@pytest.mark.parametrize("reader", [make_reader, NonSeekingReader])
def test_composed_transforms_match_samples(recording, reader, tmp_path):
    path, given = recording
    out = tmp_path / "take.mcap"
    written = mu.convert(path, out, **given)
    assert (written.path, written.target) == (out, "mcap")
    clip = mu.open(path, **given)
    messages = read(out, "/tf", reader)
    times = times_of(path, tmp_path, **given)
    about = facts(out)
    zero = float(about["log_time_zero"])
    assert zero == min(clip.start, 0.0)
    stamps = np.array([time for time, _ in messages], dtype=np.float64)
    np.testing.assert_allclose(stamps, (times - zero) * 1e9, rtol=1e-15, atol=0.5)
    names = [node["name"] for node in json.loads(about["nodes"])]
    poses, compared = clip.sample(times), 0
    for at in some(messages):
        time, message = messages[at]
        transforms = {}
        for one in message.transforms:
            assert one.timestamp.ToNanoseconds() == time
            move, turn = one.translation, one.rotation
            transforms[one.child_frame_id] = (
                one.parent_frame_id,
                np.array([move.x, move.y, move.z]),
                np.array([turn.x, turn.y, turn.z, turn.w]),
            )
        compared += same(transforms, poses, at, names, 1e-11)
    assert compared > 0 or not poses.visible.any()
    assert about["format"] == clip.format
    assert about["version"] == clip.version
    assert about["source"] == path.stem
    assert json.loads(about["units"]) == {"log_time": "ns", "translation": "m"}
    assert "right-handed, Y up" in about["space"]


def test_rerun_has_the_same_transforms(recording, tmp_path):
    """In single precision, as Rerun has them."""
    path, given = recording
    out = tmp_path / "take.mcap"
    mu.convert(path, out, **given)
    clip = mu.open(path, **given)
    times = times_of(path, tmp_path, **given)
    names = [node["name"] for node in json.loads(facts(out)["nodes"])]
    messages = {}
    stream = rerun.experimental.McapReader(out, include_topic_regex=["^/tf$"]).stream()
    for chunk in stream.to_chunks():
        columns = chunk.to_record_batch().to_pydict()
        if "Transform3D:child_frame" not in columns:
            continue
        for stamp, child, parent, move, turn in zip(
            chunk.to_record_batch()["message_log_time"].cast("int64").to_pylist(),
            columns["Transform3D:child_frame"],
            columns["Transform3D:parent_frame"],
            columns["Transform3D:translation"],
            columns["Transform3D:quaternion"],
            strict=True,
        ):
            transform = (parent[0], np.array(move[0]), np.array(turn[0]))
            assert child[0] not in messages.setdefault(stamp, {})
            messages[stamp][child[0]] = transform
    assert len(messages) == len(times)
    poses = clip.sample(times)
    for at in some(times, 20):
        transforms = messages[sorted(messages)[at]]
        # World positions are sums over chains of joints, each of which is rounded.
        same(transforms, poses, at, names, 2e-5)


@pytest.mark.parametrize(("path", "topics"), [(HANDS, 4), (PLAYER, 10), (LIGHTS, 3)])
def test_signals_are_topics(path, topics, tmp_path):
    out = tmp_path / "take.mcap"
    mu.convert(path, out)
    times = times_of(path, tmp_path)
    expected = mu.open(path).sample(times).signals
    channels = [channel.topic for channel in reader_of(out).get_summary().channels.values()]
    found = [topic for topic in channels if topic.startswith("/signals/")]
    assert len(found) >= topics
    compared = 0
    for name, values in expected.items():
        if values.ndim > 1 or values.dtype.kind not in "bif":
            continue
        messages = read(out, f"/signals/{name}")
        is_there = np.isfinite(values.astype(float))
        found = [message.value for _, message in messages]
        np.testing.assert_array_equal(found, values[is_there].astype(float))
        compared += len(found)
    assert compared > 0


def test_events_are_a_log(tmp_path):
    out = tmp_path / "take.mcap"
    mu.convert(PLAYER, out)
    clip = mu.open(PLAYER)
    events = [event for event in clip.events if clip.start <= event.time <= clip.end]
    log = read(out, "/events")
    assert len(log) == len(events) > 0
    for (time, message), event in zip(log, sorted(events, key=lambda one: one.time), strict=True):
        assert time == message.timestamp.ToNanoseconds() == round(event.time * 1e9)
        assert message.message.startswith(event.name)
        assert (message.level, message.file) == (2, "")
    (text,) = (
        [row["TextLog:text"] for row in chunk.to_record_batch().to_pylist()]
        for chunk in rerun.experimental.McapReader(out).stream().to_chunks()
        if "TextLog:text" in chunk.to_record_batch().schema.names
    )
    assert text == [[message.message] for _, message in log]


def test_schemas_are_those_that_foxglove_publishes(tmp_path):
    mu.convert(PLAYER, tmp_path / "take.mcap")
    schemas = reader_of(tmp_path / "take.mcap").get_summary().schemas.values()
    embedded = {schema.name: FileDescriptorSet.FromString(schema.data).file for schema in schemas}
    for module, name in (
        (foxglove_schemas_protobuf.FrameTransforms_pb2, "foxglove.FrameTransforms"),
        (foxglove_schemas_protobuf.Log_pb2, "foxglove.Log"),
    ):
        published = FileDescriptorProto()
        module.DESCRIPTOR.CopyToProto(published)
        assert embedded[name][-1] == published
        known = [file.name for file in embedded[name]]
        assert all(needed in known for file in embedded[name] for needed in file.dependency)
        assert "google/protobuf/timestamp.proto" in known

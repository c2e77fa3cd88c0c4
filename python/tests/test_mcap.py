"""Tests of MCAP files with the packages `mcap` and `mcap-protobuf-support`, and with Rerun."""

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


def open_reader(path, reader=make_reader):
    stream = io.BytesIO(path.read_bytes())
    return reader(stream, validate_crcs=True, decoder_factories=[DecoderFactory()])


def read(path, topic, reader=make_reader):
    """Returns the time and content of each message."""
    messages = open_reader(path, reader).iter_decoded_messages(topics=[topic])
    return [(message.log_time, decoded) for _, _, message, decoded in messages]


def read_metadata(path):
    (record,) = open_reader(path).iter_metadata()
    assert record.name == "mutoscope"
    return record.metadata


def message_times(path, tmp_path, **given):
    """Returns the exact times of the messages, from a table, without times that round to the same log time."""
    mu.convert(path, tmp_path / "times.parquet", **given)
    times = np.unique(pyarrow.parquet.read_table(tmp_path / "times.parquet")["time"].to_numpy())
    stamps = np.round((times - min(times[0], 0.0)) * 1e9)
    return times[np.append(stamps[1:] != stamps[:-1], True)]


def rotate(rotation, vector):
    """Rotates a vector by a quaternion."""
    axis, w = rotation[:3], rotation[3]
    return vector + 2 * np.cross(axis, np.cross(axis, vector) + w * vector)


def multiply_quaternions(one, other):
    (a, w), (b, v) = (one[:3], one[3]), (other[:3], other[3])
    return np.append(w * b + v * a + np.cross(a, b), w * v - a @ b)


def in_world(transforms, frame):
    """Composes the transform of a frame in `world`."""
    position, rotation = np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0])
    while frame != "world":
        frame, translation, turn = transforms[frame]
        position = translation + rotate(turn, position)
        rotation = multiply_quaternions(turn, rotation)
    return position, rotation


def assert_pose_matches(transforms, poses, row, names, tolerance):
    """Compares the frames of a message with a pose, and returns the number of compared frames."""
    visible = poses.visible[row]
    assert len(transforms) == 1 + visible.sum()
    scale = max(1.0, np.abs(poses.positions[row][visible]).max(initial=0.0))
    for node in np.flatnonzero(visible):
        position, rotation = in_world(transforms, names[node])
        np.testing.assert_allclose(position, poses.positions[row, node], rtol=0, atol=tolerance * scale)
        similarity = abs(rotation @ poses.rotations[row, node]) / np.linalg.norm(rotation)
        assert similarity == pytest.approx(1.0, abs=tolerance)
    return visible.sum()


def sparse_indices(messages, max_count=40):
    step = max(1, len(messages) // max_count)
    return range(0, len(messages), step)


@pytest.mark.parametrize("reader", [make_reader, NonSeekingReader])
def test_composed_transforms_match_samples(recording, reader, tmp_path):
    path, given = recording
    out = tmp_path / "take.mcap"
    written = mu.convert(path, out, **given)
    assert (written.path, written.target) == (out, "mcap")
    clip = mu.open(path, **given)
    messages = read(out, "/tf", reader)
    times = message_times(path, tmp_path, **given)
    metadata = read_metadata(out)
    zero = float(metadata["log_time_zero"])
    assert zero == min(clip.start, 0.0)
    stamps = np.array([time for time, _ in messages], dtype=np.float64)
    np.testing.assert_allclose(stamps, (times - zero) * 1e9, rtol=1e-15, atol=0.5)
    names = [node["name"] for node in json.loads(metadata["nodes"])]
    poses, compared = clip.sample(times), 0
    for row in sparse_indices(messages):
        time, message = messages[row]
        transforms = {}
        for one in message.transforms:
            assert one.timestamp.ToNanoseconds() == time
            move, turn = one.translation, one.rotation
            transforms[one.child_frame_id] = (
                one.parent_frame_id,
                np.array([move.x, move.y, move.z]),
                np.array([turn.x, turn.y, turn.z, turn.w]),
            )
        compared += assert_pose_matches(transforms, poses, row, names, 1e-11)
    assert compared > 0 or not poses.visible.any()
    assert metadata["format"] == clip.format
    assert metadata["version"] == clip.version
    assert metadata["source"] == path.stem
    assert json.loads(metadata["units"]) == {"log_time": "ns", "translation": "m"}
    assert "right-handed, Y up" in metadata["space"]


def test_rerun_transforms_match_samples(recording, tmp_path):
    """Compares in f32, because Rerun stores f32."""
    path, given = recording
    out = tmp_path / "take.mcap"
    mu.convert(path, out, **given)
    clip = mu.open(path, **given)
    times = message_times(path, tmp_path, **given)
    names = [node["name"] for node in json.loads(read_metadata(out)["nodes"])]
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
    for row in sparse_indices(times, 20):
        transforms = messages[sorted(messages)[row]]
        # World positions are sums over chains of joints, each of which is rounded.
        assert_pose_matches(transforms, poses, row, names, 2e-5)


@pytest.mark.parametrize(("path", "topics"), [(HANDS, 4), (PLAYER, 10), (LIGHTS, 3)])
def test_signals_become_topics(path, topics, tmp_path):
    out = tmp_path / "take.mcap"
    mu.convert(path, out)
    times = message_times(path, tmp_path)
    expected = mu.open(path).sample(times).signals
    channels = [channel.topic for channel in open_reader(out).get_summary().channels.values()]
    found = [topic for topic in channels if topic.startswith("/signals/")]
    assert len(found) >= topics
    compared = 0
    for name, values in expected.items():
        if values.ndim > 1 or values.dtype.kind not in "bif":
            continue
        messages = read(out, f"/signals/{name}")
        is_finite = np.isfinite(values.astype(float))
        found = [message.value for _, message in messages]
        np.testing.assert_array_equal(found, values[is_finite].astype(float))
        compared += len(found)
    assert compared > 0


def test_events_become_a_log(tmp_path):
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


def test_schemas_match_the_published_foxglove_schemas(tmp_path):
    mu.convert(PLAYER, tmp_path / "take.mcap")
    schemas = open_reader(tmp_path / "take.mcap").get_summary().schemas.values()
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

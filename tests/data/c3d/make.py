#!/usr/bin/env python3
"""Writes the C3D files of this folder, and their contents as read by two independent readers, as expected.json.

    pip install c3d==0.6.0 ezc3d==1.7.2 && python3 make.py

The files contain invented motion. This script writes them byte by byte after the manual of c3d.org, except one that
the package c3d writes. Expected values are those of ezc3d. The script fails if the package c3d reads other values.
ezc3d cannot read MIPS files and unsigned analog samples, so their expected values are those of the package c3d.
"""

import json
import math
import struct
import warnings
from pathlib import Path

import c3d
import ezc3d
import numpy as np

FOLDER = Path(__file__).parent
BLOCK = 512


class NumberEncoder:
    """An encoder for the numbers of a processor type."""

    def __init__(self, processor):
        self.processor = processor
        self.order = ">" if processor == 86 else "<"

    def word(self, number):
        return struct.pack(self.order + "H", number & 0xFFFF)

    def number(self, number):
        if self.processor != 85:
            return struct.pack(self.order + "f", number)
        # VAX floats: the exponent is 2 larger, and the 16-bit halves are swapped.
        data = struct.pack("<f", number * 4 if number else 0.0)
        return data[2:] + data[:2]


def encode_parameters(encoder, groups):
    out = bytearray([1, 0x50, 0, encoder.processor])
    for number, (group, parameters) in enumerate(groups.items(), start=1):
        name = group.encode()
        out += struct.pack("bb", len(name), -number) + name + encoder.word(3) + b"\0"
        for key, (kind, sizes, data) in parameters.items():
            name = key.encode()
            body = struct.pack("bB", kind, len(sizes)) + bytes(sizes) + data + b"\0"
            out += struct.pack("bb", len(name), number) + name + encoder.word(2 + len(body)) + body
    out += b"\0\0"
    blocks = math.ceil(len(out) / BLOCK)
    out[2] = blocks
    return bytes(out.ljust(blocks * BLOCK, b"\0")), blocks


def text_array_parameter(labels):
    length = max(map(len, labels))
    return (-1, [length, len(labels)], b"".join(label.encode().ljust(length) for label in labels))


def text_parameter(value):
    return (-1, [len(value)], value.encode())


class Recording:
    def __init__(self, processor=84, is_float=True, first=1, rate=100.0, points=(), analog=(), samples=4, unsigned=False):
        self.encoder = NumberEncoder(processor)
        self.is_float, self.first, self.rate = is_float, first, rate
        self.points, self.analog, self.samples, self.unsigned = points, analog, samples, unsigned
        self.frames = 30
        self.extra = {}
        self.scale = 0.05

    def position(self, point, frame):
        """Returns the position of a point in millimetres, or None while it is lost."""
        if point == 1 and 10 <= frame < 16 or point == 2 and (frame < 3 or frame > 25):
            return None
        t = frame / self.rate
        return (100.0 * point + 250.0 * math.sin(3 * t), 40.0 * point - 30.0 * t, 900.0 + 55.5 * math.cos(5 * t + point))

    def volts(self, channel, sample):
        return 0.5 * math.sin(sample / 7 + channel) + 0.1 * channel

    def write(self, path):
        encoder = self.encoder
        count, channels = len(self.points), len(self.analog)
        offset = 32768 if self.unsigned else 0
        scales = [0.0005 * (1 + channel) for channel in range(channels)]
        groups = {
            "POINT": {
                "USED": (2, [], encoder.word(count)),
                "SCALE": (4, [], encoder.number(-1.0 if self.is_float else self.scale)),
                "RATE": (4, [], encoder.number(self.rate)),
                "DATA_START": (2, [], encoder.word(0)),
                "FRAMES": (2, [], encoder.word(self.frames)),
                "LABELS": text_array_parameter(self.points),
                "DESCRIPTIONS": text_array_parameter([f"point {name}" for name in self.points]),
                "UNITS": text_parameter("mm  "),
            },
            "ANALOG": {
                "USED": (2, [], encoder.word(channels)),
                "RATE": (4, [], encoder.number(self.rate * self.samples)),
                "GEN_SCALE": (4, [], encoder.number(2.0)),
            },
        }
        if channels:
            groups["ANALOG"] |= {
                "LABELS": text_array_parameter(self.analog),
                "DESCRIPTIONS": text_array_parameter(self.analog),
                "SCALE": (4, [channels], b"".join(map(encoder.number, scales))),
                "OFFSET": (2, [channels], encoder.word(offset) * channels),
                "UNITS": text_array_parameter(["V"] * channels),
            }
            if self.unsigned:
                groups["ANALOG"] |= {"FORMAT": text_parameter("UNSIGNED"), "BITS": (2, [], encoder.word(16))}
        for group, parameters in self.extra.items():
            groups.setdefault(group, {}).update(parameters)
        _, blocks = encode_parameters(encoder, groups)
        start = 2 + blocks
        groups["POINT"]["DATA_START"] = (2, [], encoder.word(start))
        parameters, _ = encode_parameters(encoder, groups)
        header = bytearray(BLOCK)
        header[0:2] = bytes([2, 0x50])
        facts = [count, channels * self.samples, self.first, self.first + self.frames - 1, 0]
        header[2:12] = b"".join(map(encoder.word, facts))
        header[12:16] = encoder.number(-1.0 if self.is_float else self.scale)
        header[16:18] = encoder.word(start)
        header[18:20] = encoder.word(self.samples)
        header[20:24] = encoder.number(self.rate)
        data = bytearray()
        for frame in range(self.frames):
            for point in range(count):
                position = self.position(point, frame)
                numbers = [*(position or (0.0, 0.0, 0.0)), 0.0 if position else -1.0]
                if self.is_float:
                    data += b"".join(map(encoder.number, numbers))
                else:
                    raw = [round(number / self.scale) for number in numbers[:3]] + [int(numbers[3])]
                    data += b"".join(map(encoder.word, raw))
            for sample in range(self.samples if channels else 0):
                for channel in range(channels):
                    volts = self.volts(channel, frame * self.samples + sample)
                    raw = volts / (scales[channel] * 2.0) + offset
                    data += encoder.number(raw) if self.is_float else encoder.word(round(raw))
        path.write_bytes(bytes(header) + parameters + bytes(data))


def read_with_c3d(path):
    """Reads points by frame and analog samples by channel with the package c3d. A missing point is None."""
    with open(path, "rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = c3d.Reader(file)
        points, analog = [], []
        for _, frame, volts in reader.read_frames():
            points.append([None if row[3] < 0 else row[:3].tolist() for row in frame])
            analog.append(np.asarray(volts))
    return points, (np.concatenate(analog, axis=1) if analog and analog[0].size else np.zeros((0, 0)))


def expected_values(path, recording):
    points, analog = read_with_c3d(path)
    positions = np.array([[row or [np.nan] * 3 for row in frame] for frame in points]).transpose(2, 1, 0)
    volts = analog
    is_mips = recording is not None and recording.encoder.processor == 86
    if not is_mips:
        read = ezc3d.c3d(str(path))
        found = read["data"]["points"][:3]
        assert np.allclose(positions, found, rtol=1e-5, atol=1e-3, equal_nan=True), path
        positions = found
        if analog.size and not recording.unsigned:
            found = read["data"]["analogs"][0]
            assert np.allclose(analog, found, rtol=1e-4, atol=1e-6), path
            volts = found
        assert recording is None or read["parameters"]["POINT"]["LABELS"]["value"] == recording.points, path
    sampled_frames = sorted({0, 5, 9, 10, 15, 16, positions.shape[2] - 1})
    return {
        "rate": recording.rate if recording else 50.0,
        "first": recording.first if recording else 1,
        "frames": positions.shape[2],
        "unit": "mm" if recording else "m",
        "points": recording.points if recording else ["A", "B"],
        "channels": list(recording.analog) if recording else [],
        "frames_at": [
            {
                "frame": frame,
                "places": [
                    None if np.isnan(positions[:, point, frame]).any() else positions[:, point, frame].tolist()
                    for point in range(positions.shape[1])
                ],
            }
            for frame in sampled_frames
        ],
        "samples": volts.shape[1] // positions.shape[2] if volts.size else 0,
        "volts": volts.tolist(),
    }


def main():
    point_names = ["LASI", "RASI", "Sub:C7"]
    recordings = {
        "intel_float": Recording(points=point_names, analog=["EMG left", "Fz1"]),
        "intel_whole": Recording(points=point_names, analog=["EMG left", "Fz1"], is_float=False, first=101, unsigned=True),
        "dec_float": Recording(processor=85, points=point_names, analog=["EMG left"], first=12),
        "dec_whole": Recording(processor=85, points=point_names, is_float=False),
        "mips_float": Recording(processor=86, points=point_names, analog=["EMG left", "Fz1"], rate=119.88),
    }
    number = recordings["intel_float"].encoder.number
    times = [(0.0, 0.05), (0.0, 0.12)]
    recordings["intel_float"].extra = {
        "POINT": {"X_SCREEN": text_parameter("+X"), "Y_SCREEN": text_parameter("+Z")},
        "EVENT": {
            "USED": (2, [], struct.pack("<H", 2)),
            "CONTEXTS": text_array_parameter(["Left", "General"]),
            "LABELS": text_array_parameter(["Foot Strike", "Start"]),
            "TIMES": (4, [2, 2], b"".join(number(part) for time in times for part in time)),
        },
    }
    recordings["mips_float"].extra = {"POINT": {"X_SCREEN": text_parameter("+Z"), "Y_SCREEN": text_parameter("+Y")}}
    recordings["intel_whole"].extra = {"POINT": {"ANGLES": text_array_parameter(["Sub:C7"])}}
    all_expected = {}
    for name, recording in recordings.items():
        path = FOLDER / f"{name}.c3d"
        recording.write(path)
        all_expected[name] = expected_values(path, recording)
    # Written by the package c3d, so that none of our own code is involved.
    writer = c3d.Writer(point_rate=50.0, analog_rate=0.0, point_units="m  ")
    writer.set_point_labels(["A", "B"])
    for frame in range(20):
        rows = np.zeros((2, 5), dtype=np.float32)
        rows[0, :3] = (0.1 * frame, 1.0, -0.5)
        rows[1, :3] = (0.0, 0.25, 0.01 * frame)
        rows[1, 3] = -1 if frame in (4, 5) else 0
        writer.add_frames([(rows, np.zeros((0, 0)))])
    path = FOLDER / "by_c3d.c3d"
    with open(path, "wb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        writer.write(file)
    all_expected["by_c3d"] = expected_values(path, None)
    (FOLDER / "expected.json").write_text(json.dumps(all_expected, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()

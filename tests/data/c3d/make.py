#!/usr/bin/env python3
"""Writes the C3D files of this folder, and expected.json: what two independent readers find in them.

    pip install c3d==0.6.0 ezc3d==1.7.2 && python3 make.py

The files are invented motion, written byte by byte as the manual of c3d.org describes them, one by the writer of
the package c3d. Expected values are those of ezc3d; where the package c3d reads a file otherwise, this script
fails. What ezc3d cannot read is by the package c3d alone: files of MIPS, and unsigned analog samples.
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


class Words:
    """Numbers as a processor writes them."""

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


def parameter_block(words, groups):
    out = bytearray([1, 0x50, 0, words.processor])
    for number, (group, parameters) in enumerate(groups.items(), start=1):
        name = group.encode()
        out += struct.pack("bb", len(name), -number) + name + words.word(3) + b"\0"
        for key, (kind, sizes, data) in parameters.items():
            name = key.encode()
            body = struct.pack("bB", kind, len(sizes)) + bytes(sizes) + data + b"\0"
            out += struct.pack("bb", len(name), number) + name + words.word(2 + len(body)) + body
    out += b"\0\0"
    blocks = math.ceil(len(out) / BLOCK)
    out[2] = blocks
    return bytes(out.ljust(blocks * BLOCK, b"\0")), blocks


def texts(labels):
    length = max(map(len, labels))
    return (-1, [length, len(labels)], b"".join(label.encode().ljust(length) for label in labels))


def text(value):
    return (-1, [len(value)], value.encode())


class Take:
    def __init__(self, processor=84, is_float=True, first=1, rate=100.0, points=(), analog=(), samples=4, unsigned=False):
        self.words = Words(processor)
        self.is_float, self.first, self.rate = is_float, first, rate
        self.points, self.analog, self.samples, self.unsigned = points, analog, samples, unsigned
        self.frames = 30
        self.extra = {}
        self.scale = 0.05

    def at(self, point, frame):
        """The place of a point in millimetres, or nothing where it is lost."""
        if point == 1 and 10 <= frame < 16 or point == 2 and (frame < 3 or frame > 25):
            return None
        t = frame / self.rate
        return (100.0 * point + 250.0 * math.sin(3 * t), 40.0 * point - 30.0 * t, 900.0 + 55.5 * math.cos(5 * t + point))

    def volts(self, channel, sample):
        return 0.5 * math.sin(sample / 7 + channel) + 0.1 * channel

    def write(self, path):
        words = self.words
        count, channels = len(self.points), len(self.analog)
        offset = 32768 if self.unsigned else 0
        scales = [0.0005 * (1 + channel) for channel in range(channels)]
        groups = {
            "POINT": {
                "USED": (2, [], words.word(count)),
                "SCALE": (4, [], words.number(-1.0 if self.is_float else self.scale)),
                "RATE": (4, [], words.number(self.rate)),
                "DATA_START": (2, [], words.word(0)),
                "FRAMES": (2, [], words.word(self.frames)),
                "LABELS": texts(self.points),
                "DESCRIPTIONS": texts([f"point {name}" for name in self.points]),
                "UNITS": text("mm  "),
            },
            "ANALOG": {
                "USED": (2, [], words.word(channels)),
                "RATE": (4, [], words.number(self.rate * self.samples)),
                "GEN_SCALE": (4, [], words.number(2.0)),
            },
        }
        if channels:
            groups["ANALOG"] |= {
                "LABELS": texts(self.analog),
                "DESCRIPTIONS": texts(self.analog),
                "SCALE": (4, [channels], b"".join(map(words.number, scales))),
                "OFFSET": (2, [channels], words.word(offset) * channels),
                "UNITS": texts(["V"] * channels),
            }
            if self.unsigned:
                groups["ANALOG"] |= {"FORMAT": text("UNSIGNED"), "BITS": (2, [], words.word(16))}
        for group, parameters in self.extra.items():
            groups.setdefault(group, {}).update(parameters)
        _, blocks = parameter_block(words, groups)
        start = 2 + blocks
        groups["POINT"]["DATA_START"] = (2, [], words.word(start))
        parameters, _ = parameter_block(words, groups)
        header = bytearray(BLOCK)
        header[0:2] = bytes([2, 0x50])
        facts = [count, channels * self.samples, self.first, self.first + self.frames - 1, 0]
        header[2:12] = b"".join(map(words.word, facts))
        header[12:16] = words.number(-1.0 if self.is_float else self.scale)
        header[16:18] = words.word(start)
        header[18:20] = words.word(self.samples)
        header[20:24] = words.number(self.rate)
        data = bytearray()
        for frame in range(self.frames):
            for point in range(count):
                place = self.at(point, frame)
                numbers = [*(place or (0.0, 0.0, 0.0)), 0.0 if place else -1.0]
                if self.is_float:
                    data += b"".join(map(words.number, numbers))
                else:
                    raw = [round(number / self.scale) for number in numbers[:3]] + [int(numbers[3])]
                    data += b"".join(map(words.word, raw))
            for sample in range(self.samples if channels else 0):
                for channel in range(channels):
                    volts = self.volts(channel, frame * self.samples + sample)
                    raw = volts / (scales[channel] * 2.0) + offset
                    data += words.number(raw) if self.is_float else words.word(round(raw))
        path.write_bytes(bytes(header) + parameters + bytes(data))


def by_package(path):
    """Points by frame (nothing where there is none) and analog by channel, by the package c3d."""
    with open(path, "rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = c3d.Reader(file)
        points, analog = [], []
        for _, frame, volts in reader.read_frames():
            points.append([None if row[3] < 0 else row[:3].tolist() for row in frame])
            analog.append(np.asarray(volts))
    return points, (np.concatenate(analog, axis=1) if analog and analog[0].size else np.zeros((0, 0)))


def expected(path, take):
    points, analog = by_package(path)
    places = np.array([[row or [np.nan] * 3 for row in frame] for frame in points]).transpose(2, 1, 0)
    volts = analog
    is_mips = take is not None and take.words.processor == 86
    if not is_mips:
        read = ezc3d.c3d(str(path))
        found = read["data"]["points"][:3]
        assert np.allclose(places, found, rtol=1e-5, atol=1e-3, equal_nan=True), path
        places = found
        if analog.size and not take.unsigned:
            found = read["data"]["analogs"][0]
            assert np.allclose(analog, found, rtol=1e-4, atol=1e-6), path
            volts = found
        assert take is None or read["parameters"]["POINT"]["LABELS"]["value"] == take.points, path
    picked = sorted({0, 5, 9, 10, 15, 16, places.shape[2] - 1})
    return {
        "rate": take.rate if take else 50.0,
        "first": take.first if take else 1,
        "frames": places.shape[2],
        "unit": "mm" if take else "m",
        "points": take.points if take else ["A", "B"],
        "channels": list(take.analog) if take else [],
        "frames_at": [
            {
                "frame": frame,
                "places": [
                    None if np.isnan(places[:, point, frame]).any() else places[:, point, frame].tolist()
                    for point in range(places.shape[1])
                ],
            }
            for frame in picked
        ],
        "samples": volts.shape[1] // places.shape[2] if volts.size else 0,
        "volts": volts.tolist(),
    }


def main():
    three = ["LASI", "RASI", "Sub:C7"]
    takes = {
        "intel_float": Take(points=three, analog=["EMG left", "Fz1"]),
        "intel_whole": Take(points=three, analog=["EMG left", "Fz1"], is_float=False, first=101, unsigned=True),
        "dec_float": Take(processor=85, points=three, analog=["EMG left"], first=12),
        "dec_whole": Take(processor=85, points=three, is_float=False),
        "mips_float": Take(processor=86, points=three, analog=["EMG left", "Fz1"], rate=119.88),
    }
    number = takes["intel_float"].words.number
    times = [(0.0, 0.05), (0.0, 0.12)]
    takes["intel_float"].extra = {
        "POINT": {"X_SCREEN": text("+X"), "Y_SCREEN": text("+Z")},
        "EVENT": {
            "USED": (2, [], struct.pack("<H", 2)),
            "CONTEXTS": texts(["Left", "General"]),
            "LABELS": texts(["Foot Strike", "Start"]),
            "TIMES": (4, [2, 2], b"".join(number(part) for time in times for part in time)),
        },
    }
    takes["mips_float"].extra = {"POINT": {"X_SCREEN": text("+Z"), "Y_SCREEN": text("+Y")}}
    takes["intel_whole"].extra = {"POINT": {"ANGLES": texts(["Sub:C7"])}}
    everything = {}
    for name, take in takes.items():
        path = FOLDER / f"{name}.c3d"
        take.write(path)
        everything[name] = expected(path, take)
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
    everything["by_c3d"] = expected(path, None)
    (FOLDER / "expected.json").write_text(json.dumps(everything, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()

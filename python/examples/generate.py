"""Generates recordings of both hands and the head in version 1.1 of MRTK 2, for users who have none yet.

    python generate.py FOLDER [--count 2000] [--seconds 60] [--rate 60] [--folders 20]

The hands wave at a different speed in each recording, pinch now and then, and lose tracking for a while. The same
arguments generate the same files.
"""

from __future__ import annotations

import argparse
import struct
from pathlib import Path

import numpy as np

MAGIC = 0x6A8FAF6E0F9E42C6
#: What comes for each joint of a hand: `None`, which is no joint, and 26 joints.
JOINT_SLOTS = 27
CLAMP_FOREVER = 8


def encode_curve(times: np.ndarray, values: np.ndarray) -> bytes:
    """Encodes a curve, or a switch, with these keys."""
    header = struct.pack("<iii", CLAMP_FOREVER, CLAMP_FOREVER, len(times))
    return header + np.column_stack([times, values]).astype("<f4").tobytes()


def encode_pose(times: np.ndarray, position: np.ndarray, angle: np.ndarray) -> bytes:
    """Encodes the seven curves of a pose: a position, and a rotation about the Y axis by `angle`, in radians."""
    zero = np.zeros_like(times)
    rotation = [zero, np.sin(angle / 2), zero, np.cos(angle / 2)]
    return b"".join(encode_curve(times, values) for values in [*position, *rotation])


def recording(seed: int, seconds: float, rate: float) -> bytes:
    """Returns the bytes of a recording file."""
    random = np.random.default_rng(seed)
    times = np.arange(int(seconds * rate) + 1) / rate
    speed = random.uniform(1.0, 4.0)
    sway = 0.05 * np.sin(times * 0.7)
    parts = [struct.pack("<qii3B", MAGIC, 1, 1, 1, 1, 0)]
    parts.append(encode_pose(times, np.array([sway, 1.6 + 0 * sway, 0 * sway]), 0.3 * np.sin(times * 0.4)))
    lost = np.sort(random.uniform(0.2, 0.8, 2)) * seconds
    for hand in range(2):
        parts.append(encode_curve(np.array([0.0, lost[hand], lost[hand] + 0.05 * seconds]), np.array([1, 0, 1])))
    for _ in range(2):
        pinches = np.sort(random.uniform(0.0, seconds, 2 * random.integers(1, 8)))
        parts.append(encode_curve(np.append(0.0, pinches), np.append(0, np.arange(1, len(pinches) + 1) % 2)))
    for side in (-1, 1):
        for joint in range(JOINT_SLOTS):
            phase = times * speed + 0.1 * joint
            position = np.array(
                [
                    side * 0.2 + 0.02 * joint * np.cos(phase),
                    1.2 + 0.1 * np.sin(phase),
                    0.4 + 0.01 * joint + 0 * phase,
                ]
            )
            parts.append(encode_pose(times, position, np.sin(phase)))
    parts.append(struct.pack("<i", 1) + struct.pack("<f", seconds / 2) + b"\x04half")
    return b"".join(parts)


def generate(folder: Path, count: int, seconds: float, rate: float, folders: int) -> list[Path]:
    """Writes `count` recordings to as many as `folders` folders below `folder`, and returns their paths."""
    paths = []
    for seed in range(count):
        path = folder / f"participant-{seed % folders:03}" / f"take-{seed:05}.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(recording(seed, seconds, rate))
        paths.append(path)
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description="Generates recordings of both hands and the head.")
    parser.add_argument("folder", type=Path, help="Write the recordings below this folder")
    parser.add_argument("--count", type=int, default=2000, help="The number of recordings")
    parser.add_argument("--seconds", type=float, default=60.0, help="The duration of each recording")
    parser.add_argument("--rate", type=float, default=60.0, help="The sampling rate in Hz")
    parser.add_argument("--folders", type=int, default=20, help="The number of folders")
    arguments = parser.parse_args()
    generate(**vars(arguments))


if __name__ == "__main__":
    main()

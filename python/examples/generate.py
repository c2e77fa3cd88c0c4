"""Makes recordings of both hands and the head, in MRTK 2's version 1.1, for whoever has none at hand.

    python generate.py FOLDER [--count 2000] [--seconds 60] [--rate 60] [--folders 20]

Hands wave at speeds that differ from recording to recording, pinch now and then, and are lost for a while. The same
arguments make the same files.
"""

from __future__ import annotations

import argparse
import struct
from pathlib import Path

import numpy as np

MAGIC = 0x6A8FAF6E0F9E42C6
#: What comes for each joint of a hand: `None`, which is no joint, and 26 joints.
JOINTS = 27
CLAMP_FOREVER = 8


def curve(times: np.ndarray, values: np.ndarray) -> bytes:
    """A curve, or a switch, with these keys."""
    head = struct.pack("<iii", CLAMP_FOREVER, CLAMP_FOREVER, len(times))
    return head + np.column_stack([times, values]).astype("<f4").tobytes()


def pose(times: np.ndarray, position: np.ndarray, angle: np.ndarray) -> bytes:
    """The seven curves of a pose: a place, and a turn about the upward axis, in radians."""
    zero = np.zeros_like(times)
    rotation = [zero, np.sin(angle / 2), zero, np.cos(angle / 2)]
    return b"".join(curve(times, values) for values in [*position, *rotation])


def recording(seed: int, seconds: float, rate: float) -> bytes:
    """A recording as a file's bytes."""
    chance = np.random.default_rng(seed)
    times = np.arange(int(seconds * rate) + 1) / rate
    speed = chance.uniform(1.0, 4.0)
    sway = 0.05 * np.sin(times * 0.7)
    parts = [struct.pack("<qii3B", MAGIC, 1, 1, 1, 1, 0)]
    parts.append(pose(times, np.array([sway, 1.6 + 0 * sway, 0 * sway]), 0.3 * np.sin(times * 0.4)))
    lost = np.sort(chance.uniform(0.2, 0.8, 2)) * seconds
    for hand in range(2):
        parts.append(curve(np.array([0.0, lost[hand], lost[hand] + 0.05 * seconds]), np.array([1, 0, 1])))
    for _ in range(2):
        pinches = np.sort(chance.uniform(0.0, seconds, 2 * chance.integers(1, 8)))
        parts.append(curve(np.append(0.0, pinches), np.append(0, np.arange(1, len(pinches) + 1) % 2)))
    for side in (-1, 1):
        for joint in range(JOINTS):
            phase = times * speed + 0.1 * joint
            position = np.array(
                [
                    side * 0.2 + 0.02 * joint * np.cos(phase),
                    1.2 + 0.1 * np.sin(phase),
                    0.4 + 0.01 * joint + 0 * phase,
                ]
            )
            parts.append(pose(times, position, np.sin(phase)))
    parts.append(struct.pack("<i", 1) + struct.pack("<f", seconds / 2) + b"\x04half")
    return b"".join(parts)


def generate(folder: Path, count: int, seconds: float, rate: float, folders: int) -> list[Path]:
    """Writes so many recordings, in so many folders below the one that is given."""
    paths = []
    for seed in range(count):
        path = folder / f"participant-{seed % folders:03}" / f"take-{seed:05}.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(recording(seed, seconds, rate))
        paths.append(path)
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes recordings of both hands and the head.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=60.0)
    parser.add_argument("--folders", type=int, default=20)
    arguments = parser.parse_args()
    generate(**vars(arguments))


if __name__ == "__main__":
    main()

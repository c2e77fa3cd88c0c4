"""Writes etdqualitizer.json: the precision and accuracy of looking.bin as ETDQualitizer 0.10.1 computes them.

Needs mutoscope, numpy and etdqualitizer (PyPI).
"""

import json
from pathlib import Path

import mutoscope as mu
import numpy as np
from ETDQualitizer import DataQuality, Fick_to_vector, vector_to_Fick

FOLDER = Path(__file__).resolve().parent
RATE_HZ = 120.0
# Ranges in which the gaze rests, and the offset of a planted target in degrees.
RANGES = {"cup": (0.05, 0.45, 1.2, -0.7), "door": (2.95, 3.4, 0.0, 2.0), "lamp": (0.65, 1.0, -0.4, 0.3)}
DISTANCE_M = 2.0


def read_gaze(clip, times):
    """Returns the origins and the directions of the gaze, in the viewer's axes."""
    poses = clip.sample(times)
    column = poses.column("gaze")
    x, y, z, w = poses.rotations[:, column].T
    # The third column of the rotation matrix, times -1: rays look along their -Z.
    directions = -np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    return poses.positions[:, column], directions


def main():
    clip = mu.open(FOLDER / "looking.bin")
    expected = {}
    for name, (start, end, azimuth_offset, elevation_offset) in RANGES.items():
        times = np.arange(round(start * RATE_HZ), round(end * RATE_HZ) + 1) / RATE_HZ
        origins, directions = read_gaze(clip, times)
        azimuth, elevation = vector_to_Fick(directions[:, 0], directions[:, 1], -directions[:, 2])
        quality = DataQuality(azimuth, elevation, times, "degrees")
        target = [float(np.mean(azimuth)) + azimuth_offset, float(np.mean(elevation)) + elevation_offset]
        x, y, z = Fick_to_vector(*target)
        window = round(0.2 * RATE_HZ)
        precision = {metric: quality.precision_using_moving_window(window, metric) for metric in ("RMS-S2S", "STD", "BCEA")}
        expected[name] = {
            "start_s": start,
            "end_s": end,
            "target": [float(number) for number in origins[0] + DISTANCE_M * np.array([x, y, -z])],
            "accuracy_deg": quality.accuracy(*target)[0],
            "gaze_rms_s2s_deg": float(precision["RMS-S2S"]),
            "gaze_std_deg": float(precision["STD"]),
            "gaze_bcea_deg2": float(precision["BCEA"]),
        }
    (FOLDER / "etdqualitizer.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""Analyses thousands of recordings, on one machine or on many: how far and how fast hands move, how often they pinch,
the positions of the fingertips, the measures of a report, and whether the recordings are usable. The results are
Parquet partitions.

    python study.py RECORDINGS RESULTS                              use the cores of this machine
    python study.py RECORDINGS RESULTS --scheduler tcp://host:8786  use the cluster of that scheduler

The workers of a cluster need the package mutoscope, and must find both folders under the same paths.

The example uses Dask because pip alone installs it, and because the same script runs on a laptop and on a cluster (Slurm,
Kubernetes, SSH). If a worker dies, the scheduler gives its tasks to other workers. A task can run twice, because it writes
one partition with its own name, completely or not at all. No result is lost or counted twice.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import mutoscope as mu
import pandas
from distributed import Client, LocalCluster, as_completed

#: So many recordings are one task, and one partition.
AT_A_TIME = 50

#: How often a second fingertips are sampled.
RATE = 30.0

#: How often a task may be on a worker that dies, before it is taken for the reason.
RETRIES = 5

TIPS = ["left/IndexTip", "right/IndexTip"]


def recordings(folder: Path) -> Iterator[Path]:
    """Lists the recordings below a folder, sorted by path."""
    return (path for path in sorted(folder.rglob("*.bin")) if path.is_file())


def hand_rows(path: str, clip: mu.Clip) -> list[dict[str, object]]:
    """Returns a row of motion measures for each hand."""
    rows: list[dict[str, object]] = []
    for side in ("left", "right"):
        motion = mu.joint_motion(clip, f"{side}/Wrist", rate=60.0)
        pinches = mu.episodes(clip, f"{side}/pinch")
        row = {
            "path": path,
            "hand": side,
            "duration": clip.duration,
            "visible": motion.visible,
            "path_length": motion.path_length,
            "max_speed": motion.max_speed,
            "pinches": len(pinches),
            "pinched": sum(pinch.end - pinch.start for pinch in pinches),
        }
        rows.append(row)
    return rows


def fingertips(path: str, clip: mu.Clip) -> pandas.DataFrame:
    """Samples the positions of the index fingertips: a row for each time and hand."""
    count = int(clip.duration * RATE) + 1
    times = [clip.start + step / RATE for step in range(count)]
    frame = clip.to_frame(times, nodes=TIPS, library="pandas")
    frame.insert(0, "path", path)
    return frame[["path", "time", "node", "visible", "x", "y", "z"]]


def measures(path: str, clip: mu.Clip) -> pandas.DataFrame:
    """Measures hands and gaze like `mutoscope report`: a row for the recording, and for each of its labels.

    Raises an error if the recording cannot be measured, or if its labels are invalid."""
    report = mu.report(clip)
    for error in report.errors:
        raise error
    frame = report.to_frame(library="pandas")
    frame["path"] = path
    return frame


def verdict_row(path: str, clip: mu.Clip) -> dict[str, object]:
    """Returns the verdict on a recording, with its reasons."""
    verdict = mu.check(clip, profile="study-hands")
    return {"path": path, "verdict": verdict.verdict, "reasons": ", ".join(verdict.reasons)}


def write(frame: pandas.DataFrame, path: Path) -> None:
    """Writes a partition completely, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    os.close(handle)
    frame.to_parquet(part, index=False)
    os.replace(part, path)


def partition(number: int, root: str, paths: list[str], results: str) -> int:
    """Analyses the recordings of one task and writes their partition. Returns the number of readable recordings."""
    hands: list[dict[str, object]] = []
    tips, reports, verdicts, errors = [], [], [], []
    for path in paths:
        try:
            clip = mu.open(Path(root) / path)
        except mu.Error as error:
            errors.append({"path": path, "error": str(error)})
            continue
        hands += hand_rows(path, clip)
        tips.append(fingertips(path, clip))
        verdicts.append(verdict_row(path, clip))
        try:
            reports.append(measures(path, clip))
        except mu.Error as error:
            errors.append({"path": path, "error": str(error)})
    tables = {
        "hands": pandas.DataFrame(hands),
        "fingertips": pandas.concat(tips) if tips else pandas.DataFrame(),
        "measures": pandas.concat(reports) if reports else pandas.DataFrame(),
        "verdicts": pandas.DataFrame(verdicts),
        "errors": pandas.DataFrame(errors, columns=["path", "error"]),
    }
    for name, table in tables.items():
        if not table.empty:
            write(table, Path(results) / name / f"part-{number:05}.parquet")
    return len(tips)


def study(client: Client, folder: Path, results: Path, at_a_time: int = AT_A_TIME) -> pandas.DataFrame:
    """Analyses all recordings below `folder`. Returns the summary, which is also written to `summary.parquet`."""
    paths = [str(path.relative_to(folder)) for path in recordings(folder)]
    parts = [paths[first : first + at_a_time] for first in range(0, len(paths), at_a_time)]
    futures = [
        client.submit(partition, number, str(folder), part, str(results), retries=RETRIES, pure=False)
        for number, part in enumerate(parts)
    ]
    read_count = 0
    for finished, future in enumerate(as_completed(futures), start=1):
        read_count += future.result()
        print(f"{finished} of {len(parts)} partitions, {read_count} recordings", flush=True)
    hands = pandas.read_parquet(results / "hands")
    summary = hands.groupby("hand").agg(
        recordings=("path", "nunique"),
        hours=("duration", lambda seconds: seconds.sum() / 3600),
        path_length=("path_length", "sum"),
        max_speed=("max_speed", "max"),
        pinches=("pinches", "sum"),
    )
    write(summary.reset_index(), results / "summary.parquet")
    return summary


def main() -> None:
    parser = argparse.ArgumentParser(description="Analyses a folder of recordings.")
    parser.add_argument("recordings", type=Path, help="The folder of recordings")
    parser.add_argument("results", type=Path, help="Write the tables below this folder")
    parser.add_argument("--scheduler", help="The scheduler of a cluster [default: the cores of this machine]")
    arguments = parser.parse_args()
    cluster = arguments.scheduler or LocalCluster(threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        print(study(client, arguments.recordings.resolve(), arguments.results.resolve()))
    if not arguments.scheduler:
        cluster.close()


if __name__ == "__main__":
    main()

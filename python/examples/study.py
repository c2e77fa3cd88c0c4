"""A study of thousands of recordings, on one machine or on many: how far and how fast hands move, how often they pinch,
where the fingertips are, and the measures of a report, as Parquet partitions.

    python study.py RECORDINGS RESULTS                              on the cores of this machine
    python study.py RECORDINGS RESULTS --scheduler tcp://host:8786  on the cluster of that scheduler

Workers of a cluster need the package, and both folders under the same paths.

Why Dask: it is installed by pip alone, on a laptop as on a cluster (Slurm, Kubernetes, SSH), and the script is the same. When
a worker dies, its scheduler has others do what it had. What a task does here can be done twice: it writes one partition
under a name of its own, whole or not at all, so nothing is lost and nothing counts double.
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
    """The files below a folder, in the order of their paths."""
    return (path for path in sorted(folder.rglob("*.bin")) if path.is_file())


def facts(path: str, clip: mu.Clip) -> list[dict[str, object]]:
    """A row for each hand."""
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
    """Where the tips of the index fingers are, a row for each time and hand."""
    count = int(clip.duration * RATE) + 1
    times = [clip.start + step / RATE for step in range(count)]
    frame = clip.to_frame(times, nodes=TIPS, library="pandas")
    frame.insert(0, "path", path)
    return frame[["path", "time", "node", "visible", "x", "y", "z"]]


def measures(path: str, clip: mu.Clip) -> pandas.DataFrame:
    """What hands and gaze did, as `mutoscope report` has it: a row for the recording, and for each of its labels.

    Raises an error of the recording that has no measures, and of broken labels."""
    report = mu.report(clip)
    for error in report.errors:
        raise error
    frame = report.to_frame(library="pandas")
    frame["path"] = path
    return frame


def write(frame: pandas.DataFrame, path: Path) -> None:
    """Writes a partition, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    os.close(handle)
    frame.to_parquet(part, index=False)
    os.replace(part, path)


def partition(number: int, root: str, paths: list[str], results: str) -> int:
    """Does so many recordings: what a worker is given. Returns how many could be read."""
    hands: list[dict[str, object]] = []
    tips, reports, errors = [], [], []
    for path in paths:
        try:
            clip = mu.open(Path(root) / path)
        except mu.Error as error:
            errors.append({"path": path, "error": str(error)})
            continue
        hands += facts(path, clip)
        tips.append(fingertips(path, clip))
        try:
            reports.append(measures(path, clip))
        except mu.Error as error:
            errors.append({"path": path, "error": str(error)})
    tables = {
        "hands": pandas.DataFrame(hands),
        "fingertips": pandas.concat(tips) if tips else pandas.DataFrame(),
        "measures": pandas.concat(reports) if reports else pandas.DataFrame(),
        "errors": pandas.DataFrame(errors, columns=["path", "error"]),
    }
    for name, table in tables.items():
        if not table.empty:
            write(table, Path(results) / name / f"part-{number:05}.parquet")
    return len(tips)


def study(client: Client, folder: Path, results: Path, at_a_time: int = AT_A_TIME) -> pandas.DataFrame:
    """Does all recordings below `folder`, and returns a row for each hand: what `summary.parquet` has."""
    paths = [str(path.relative_to(folder)) for path in recordings(folder)]
    parts = [paths[first : first + at_a_time] for first in range(0, len(paths), at_a_time)]
    futures = [
        client.submit(partition, number, str(folder), part, str(results), retries=RETRIES, pure=False)
        for number, part in enumerate(parts)
    ]
    done = 0
    for finished, future in enumerate(as_completed(futures), start=1):
        done += future.result()
        print(f"{finished} of {len(parts)} partitions, {done} recordings", flush=True)
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
    parser = argparse.ArgumentParser(description="Indexes, samples and aggregates a folder of recordings.")
    parser.add_argument("recordings", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--scheduler", help="the address of a cluster [default: the cores of this machine]")
    given = parser.parse_args()
    cluster = given.scheduler or LocalCluster(threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        print(study(client, given.recordings.resolve(), given.results.resolve()))
    if not given.scheduler:
        cluster.close()


if __name__ == "__main__":
    main()

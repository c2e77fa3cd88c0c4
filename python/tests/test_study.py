"""Tests of the example study on a cluster of two workers, one of which is killed."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import mutoscope as mu
import numpy as np
import pandas
import pytest
from conftest import REPOSITORY
from distributed import Client, LocalCluster

EXAMPLES = REPOSITORY / "python/examples"
# 2000 before a release. A fifth of that finds the same faults in a fifth of the time.
RECORDINGS = int(os.environ.get("MUTOSCOPE_STUDY_RECORDINGS", "400"))


@pytest.fixture
def examples(monkeypatch):
    """Makes the modules next to the notebook importable here and in the worker processes."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setenv("PYTHONPATH", str(EXAMPLES))
    import generate
    import study

    yield generate, study
    for module in ("generate", "study"):
        sys.modules.pop(module)


def kill_worker(client, results):
    """Kills a worker as soon as three partitions are written, while it works on another."""
    while len(list(results.glob("hands/part-*.parquet"))) < 3:
        if results.with_name("done").exists():
            return
        time.sleep(0.05)
    victim = sorted(client.run(os.getpid).values())[0]
    os.kill(victim, signal.SIGKILL)
    results.with_name("killed").write_text(str(victim))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::UserWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_study_survives_the_death_of_a_worker(examples, tmp_path):
    generate, study = examples
    folder, results = tmp_path / "takes", tmp_path / "results"
    generate.generate(folder, RECORDINGS, seconds=2.0, rate=10.0, folders=20)
    (folder / "participant-000" / "cut.bin").write_bytes(b"\xc6\x42\x9e\x0f\x6e\xaf\x8f\x6a")
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster, Client(cluster) as client:
        killer = threading.Thread(target=kill_worker, args=(client, results))
        killer.start()
        summary = study.study(client, folder, results, at_a_time=25)
        (tmp_path / "done").touch()
        killer.join()
    assert (tmp_path / "killed").exists(), "no worker was killed"
    assert summary["recordings"].tolist() == [RECORDINGS, RECORDINGS]
    hands = pandas.read_parquet(results / "hands")
    assert len(hands) == 2 * RECORDINGS
    assert not hands.duplicated(["path", "hand"]).any()
    errors = pandas.read_parquet(results / "errors")
    assert errors["path"].tolist() == ["participant-000/cut.bin"]
    measures = pandas.read_parquet(results / "measures").set_index("path")
    assert measures.index.is_unique and len(measures) == RECORDINGS
    verdicts = pandas.read_parquet(results / "verdicts").set_index("path")
    assert verdicts.index.is_unique and len(verdicts) == RECORDINGS
    # The partitions must contain what each recording gives on its own.
    tips = pandas.read_parquet(results / "fingertips").set_index("path")
    assert tips.index.nunique() == RECORDINGS
    for path in ("participant-000/take-00000.bin", f"participant-019/take-{RECORDINGS - 1:05}.bin"):
        clip = mu.open(folder / path)
        path_tips = tips.loc[path]
        times = path_tips["time"].unique()
        poses = clip.sample(times, nodes=study.TIPS)
        np.testing.assert_array_equal(path_tips[["x", "y", "z"]], poses.positions.reshape(-1, 3))
        assert len(times) == int(clip.duration * study.RATE) + 1
        path_report = mu.report(folder / path).to_frame(library="pandas").iloc[0]
        assert path_report["right_path_length_m"] > 0
        for side in ("left", "right"):
            for name in ("path_length_m", "pinches"):
                assert measures[f"{side}_{name}"][path] == path_report[f"{side}_{name}"]
        assert verdicts["verdict"][path] == mu.check(clip, profile="study-hands").verdict
        path_hands = hands[hands["path"] == path].set_index("hand")
        for side in ("left", "right"):
            assert path_hands["pinches"][side] == len(mu.episodes(clip, f"{side}/pinch"))

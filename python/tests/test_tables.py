"""Tests of Parquet and Arrow files with pyarrow, DuckDB, polars and pandas."""

from __future__ import annotations

import json

import duckdb
import mutoscope as mu
import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pytest
from conftest import ASSETS, options, run

HANDS = ASSETS / "mrtk/two-hands.bin"
NUMBERS = ["x", "y", "z", "qx", "qy", "qz", "qw", "scale_x", "scale_y", "scale_z"]
COLUMNS = ["time", "index", "node", "visible", *NUMBERS]


def read_parquet(path):
    return pyarrow.parquet.read_table(path)


def read_arrow(path):
    return pyarrow.feather.read_table(path)


READERS = {"parquet": read_parquet, "arrow": read_arrow}


def sample_rows(clip, times):
    """Samples a clip, and returns numbers and visibility with a row for each time and node."""
    poses = clip.sample(times)
    numbers = np.concatenate([poses.positions, poses.rotations, poses.scales], axis=2)
    return numbers.reshape(-1, len(NUMBERS)), poses.visible.reshape(-1)


@pytest.mark.parametrize("target", READERS)
def test_pyarrow_tables_match_samples(recording, target, tmp_path):
    path, given = recording
    out = tmp_path / f"take.{target}"
    written = mu.convert(path, out, **given)
    assert (written.path, written.target) == (out, target)
    table = READERS[target](out)
    clip = mu.open(path, **given)
    assert table.column_names == COLUMNS
    assert all(not field.nullable for field in table.schema)
    times = table["time"].to_numpy().reshape(-1, len(clip.nodes))
    assert np.all(times == times[:, :1])
    numbers, visible = sample_rows(clip, times[:, 0])
    found = np.stack([table[name].to_numpy() for name in NUMBERS], axis=1)
    np.testing.assert_array_equal(found, numbers)
    np.testing.assert_array_equal(table["visible"].to_numpy(), visible)
    assert table["node"].to_pylist() == clip.node_names * len(times)
    metadata = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    assert metadata["mutoscope.format"] == clip.format
    assert metadata["mutoscope.version"] == clip.version
    assert metadata["mutoscope.source"] == path.stem
    assert json.loads(metadata["mutoscope.units"]) == {"time": "s", "x": "m", "y": "m", "z": "m"}
    nodes = json.loads(metadata["mutoscope.nodes"])
    assert [node["name"] for node in nodes] == clip.node_names
    assert table.schema.field("x").metadata == {b"unit": b"m"}


def test_table_matches_the_frame_at_the_same_times(tmp_path):
    """Compares each column with `to_frame`."""
    mu.convert(HANDS, tmp_path / "take.parquet", fps=30)
    ours = pandas.read_parquet(tmp_path / "take.parquet")
    frame = mu.open(HANDS).to_frame(ours["time"].unique(), library="pandas")
    assert list(ours.columns) == list(frame.columns)
    assert str(ours["node"].dtype) == "category"
    ours["node"] = ours["node"].astype(frame["node"].dtype)
    pandas.testing.assert_frame_equal(ours, frame, check_dtype=False, check_exact=True)


def test_duckdb_and_polars_match_samples(tmp_path):
    path = tmp_path / "take.parquet"
    mu.convert(HANDS, path, fps=50)
    numbers, visible = sample_rows(mu.open(HANDS), read_parquet(path)["time"].unique().to_numpy())
    duckdb_columns = duckdb.sql(f"select * from '{path}' order by time, index").fetchnumpy()
    parquet_frame = polars.read_parquet(path)
    mu.convert(HANDS, tmp_path / "take.arrow", fps=50)
    arrow_frame = polars.read_ipc(tmp_path / "take.arrow")
    for column, name in enumerate(NUMBERS):
        np.testing.assert_array_equal(duckdb_columns[name], numbers[:, column])
        np.testing.assert_array_equal(parquet_frame[name].to_numpy(), numbers[:, column])
        np.testing.assert_array_equal(arrow_frame[name].to_numpy(), numbers[:, column])
    np.testing.assert_array_equal(duckdb_columns["visible"], visible)
    assert parquet_frame["node"].cast(polars.String).equals(
        arrow_frame["node"].cast(polars.String)
    )
    # DuckDB must find the units and the format in the metadata.
    metadata = duckdb.sql(f"select key, value from parquet_kv_metadata('{path}')").fetchall()
    assert (b"mutoscope.format", b"mrtk") in metadata
    # A typical question: the greatest height of a fingertip.
    query = f"select max(y) from '{path}' where node = 'right/IndexTip' and visible"
    clip = mu.open(HANDS)
    tip = clip.index("right/IndexTip")
    rows = numbers[tip :: len(clip.nodes)], visible[tip :: len(clip.nodes)]
    assert duckdb.sql(query).fetchall() == [(rows[0][rows[1], 1].max(),)]


@pytest.mark.parametrize("target", READERS)
def test_signals_and_events_have_their_own_tables(target, tmp_path):
    mu.convert(HANDS, tmp_path / f"take.{target}")
    clip = mu.open(HANDS)
    signals = READERS[target](tmp_path / f"take.signals.{target}").to_pandas()
    times = np.sort(signals["time"].unique())
    expected = clip.sample(times).signals
    assert list(signals["signal"].unique()) == list(expected)
    for name, values in expected.items():
        signal_rows = signals[signals["signal"] == name]
        np.testing.assert_array_equal(signal_rows["time"], times)
        np.testing.assert_array_equal(signal_rows["value"], values.astype(float))
    events = READERS[target](tmp_path / f"take.events.{target}").to_pylist()
    expected_events = [event for event in clip.events if clip.start <= event.time <= clip.end]
    assert [(row["time"], row["name"]) for row in events] == [
        (event.time, event.name) for event in expected_events
    ]


def test_folder_converts_to_a_data_set(tmp_path):
    folder = tmp_path / "takes" / "deep"
    folder.mkdir(parents=True)
    for name in ("a.bin", "b.bin", "deep/a.bin"):
        (tmp_path / "takes" / name).write_bytes(HANDS.read_bytes())
    (tmp_path / "takes" / "walk.bvh").write_bytes((ASSETS / "bvh/walk.bvh").read_bytes())
    out = tmp_path / "tables"
    done = run("convert", "--to=parquet", "--fps=20", tmp_path / "takes", "-o", out)
    assert done.returncode == 0, done.stderr
    poses = pyarrow.dataset.dataset(out / "poses", format="parquet")
    assert len(poses.files) == 4
    single = read_parquet(out / "poses/a.bin.parquet")
    walk = read_parquet(out / "poses/walk.bvh.parquet")
    assert poses.count_rows() == 3 * len(single) + len(walk)
    row_counts = duckdb.sql(
        f"select filename, count(*) from read_parquet('{out}/poses/**/*.parquet', filename=true) group by all"
    ).fetchall()
    assert sorted(rows for _, rows in row_counts) == sorted([len(single)] * 3 + [len(walk)])
    assert polars.scan_parquet(out / "signals/**/*.parquet").collect()["signal"].n_unique() == 4


@pytest.mark.parametrize("name", ["index.parquet", "index.csv", "index.jsonl"])
def test_index_is_a_readable_table(name, tmp_path):
    (tmp_path / "takes").mkdir()
    for take in ("a.bin", "b.bin"):
        (tmp_path / "takes" / take).write_bytes(HANDS.read_bytes())
    (tmp_path / "takes" / "cut.bin").write_bytes(HANDS.read_bytes()[:5000])
    out = tmp_path / name
    done = run("index", tmp_path / "takes", "-o", out)
    assert done.returncode == 1, done.stderr
    frame = {
        "parquet": pandas.read_parquet,
        "csv": pandas.read_csv,
        "jsonl": lambda path: pandas.read_json(path, lines=True, precise_float=True),
    }[out.suffix[1:]](out)
    assert list(frame["path"].str.split("/").str[-1]) == ["a.bin", "b.bin", "cut.bin"]
    assert frame["error"].notna().tolist() == [False, False, True]
    assert frame["hash"][0] == frame["hash"][1]
    clip = mu.open(HANDS)
    assert frame["duration"][0] == pytest.approx(clip.duration, rel=1e-15)
    for side in ("left", "right"):
        pinches = mu.episodes(clip, f"{side}/pinch")
        assert frame[f"{side}_pinches"][0] == len(pinches)
        tracked = sum(episode.end - episode.start for episode in mu.episodes(clip, f"{side}/tracked"))
        assert frame[f"{side}_tracked"][0] == pytest.approx(tracked / clip.duration, rel=1e-12)

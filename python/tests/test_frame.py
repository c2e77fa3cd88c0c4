"""Tests of pandas and polars tables."""

from __future__ import annotations

import sys

import mutoscope as mu
import numpy as np
import pandas
import polars
import pytest
from conftest import ASSETS

HANDS = ASSETS / "mrtk/two-hands.bin"
PARTS = ["x", "y", "z", "qx", "qy", "qz", "qw", "scale_x", "scale_y", "scale_z"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_long_tables_have_a_row_for_each_time_and_node(library):
    clip = mu.open(HANDS)
    times = [0.5, 1.0, 2.0]
    poses, frame = clip.sample(times), clip.to_frame(times, library=library)
    assert type(frame) is {"pandas": pandas, "polars": polars}[library].DataFrame
    assert list(frame.columns) == ["time", "index", "node", "visible", *PARTS]
    assert len(frame) == 3 * len(clip.nodes)
    numbers = np.concatenate([poses.positions, poses.rotations, poses.scales], axis=2)
    np.testing.assert_array_equal(frame[PARTS].to_numpy(), numbers.reshape(-1, 10))
    np.testing.assert_array_equal(frame["time"].to_numpy(), np.repeat(times, len(clip.nodes)))
    assert frame["node"].to_list() == clip.node_names * 3
    assert frame["index"].to_list() == list(range(len(clip.nodes))) * 3
    np.testing.assert_array_equal(frame["visible"].to_numpy(), poses.visible.reshape(-1))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_wide_tables_have_a_row_for_each_time(library):
    clip = mu.open(HANDS)
    times = [0.5, 1.0, 2.0]
    given = {"nodes": ["right/IndexTip"], "local": True}
    poses = clip.sample(times, **given)
    frame = clip.to_frame(times, layout="wide", library=library, **given)
    node = [f"right/IndexTip.{part}" for part in [*PARTS, "visible"]]
    assert list(frame.columns) == ["time", *node, *poses.signals]
    np.testing.assert_array_equal(frame["right/IndexTip.qw"], poses.rotations[:, 0, 3])
    np.testing.assert_array_equal(frame["right/IndexTip.scale_z"], poses.scales[:, 0, 2])
    for name, values in poses.signals.items():
        np.testing.assert_array_equal(frame[name], values)


def test_default_times_are_the_key_times():
    clip = mu.open(HANDS)
    frame = clip.to_frame(layout="wide")
    assert isinstance(frame, pandas.DataFrame)
    np.testing.assert_array_equal(frame["time"], clip.key_times())


def test_vector_signals_have_a_column_per_component():
    clip = mu.open(ASSETS / "animj/lantern-show.animj")
    poses, frame = clip.sample([0.5, 1.0]), clip.to_frame([0.5, 1.0], layout="wide")
    vectors = {name: values for name, values in poses.signals.items() if values.ndim == 2}
    assert vectors
    for name, values in vectors.items():
        np.testing.assert_array_equal(frame[f"{name}.x"], values[:, 0])


def test_missing_libraries_are_named_in_the_error(monkeypatch):
    clip = mu.open(HANDS)
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(clip.to_frame([0.5]), polars.DataFrame)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ModuleNotFoundError, match="pip install pandas"):
        clip.to_frame([0.5])
    with pytest.raises(ModuleNotFoundError, match="pip install polars"):
        clip.to_frame([0.5], library="polars")
    for wrong in ({"library": "dask"}, {"layout": "tall"}):
        with pytest.raises(ValueError):
            clip.to_frame([0.5], **wrong)

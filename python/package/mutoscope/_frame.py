"""Conversion of poses and reports to pandas or polars tables. Both libraries are optional."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._native import Clip, Sample

LIBRARIES = ("pandas", "polars")

#: What the numbers of a node are called, in the order of `_numbers`.
PARTS = ("x", "y", "z", "qx", "qy", "qz", "qw", "scale_x", "scale_y", "scale_z")

#: What the components of a signal are called.
COMPONENTS = ("x", "y", "z", "w")


def to_frame(
    clip: Clip,
    times: Any,
    layout: str,
    library: str | None,
    nodes: Sequence[str | int] | None,
    local: bool,
) -> Any:
    """Implements `Clip.to_frame`."""
    if layout not in ("long", "wide"):
        raise ValueError(f"layout: expected 'long' or 'wide', found {layout!r}")
    frames = _import_library(library)
    poses = clip.sample(clip.key_times() if times is None else times, nodes=nodes, local=local)
    columns = _long_columns(clip, poses) if layout == "long" else _wide_columns(poses)
    return frames.DataFrame(columns)


def of_table(columns: Sequence[tuple[str, str, Any]], library: str | None) -> Any:
    """Creates a table of a report from columns of (name, kind of values, values)."""
    frames = _import_library(library)
    if frames.__name__ == "pandas":
        # Use nullable types even if all values are known, so that the tables of several reports can be concatenated.
        types = {"text": "string", "count": "Int64", "number": "float64", "flag": "bool"}
        return frames.DataFrame({name: frames.Series(values, dtype=types[kind]) for name, kind, values in columns})
    types = {"text": frames.String, "count": frames.Int64, "number": frames.Float64, "flag": frames.Boolean}
    return frames.DataFrame(
        [frames.Series(name, values, dtype=types[kind], nan_to_null=True) for name, kind, values in columns]
    )


def _import_library(name: str | None) -> ModuleType:
    """Imports the library of this name, or the first installed one."""
    if name is not None and name not in LIBRARIES:
        raise ValueError(f"library: expected one of {', '.join(LIBRARIES)}, found {name!r}")
    for candidate in LIBRARIES if name is None else (name,):
        try:
            return importlib.import_module(candidate)
        except ModuleNotFoundError as error:
            if error.name != candidate:
                raise
    missing = " or ".join(LIBRARIES) if name is None else name
    raise ModuleNotFoundError(f"to_frame needs {missing}. Install it: pip install {name or LIBRARIES[0]}")


def _pose_array(poses: Sample) -> np.ndarray[Any, Any]:
    """Concatenates positions, rotations and scales into an array of shape (n, nodes, 10)."""
    return np.concatenate([poses.positions, poses.rotations, poses.scales], axis=2)


def _long_columns(clip: Clip, poses: Sample) -> dict[str, Any]:
    """Creates columns with a row for each time and node."""
    rows, count = poses.visible.shape
    index = np.array([clip.index(name) for name in poses.nodes], dtype=np.int64)
    columns: dict[str, Any] = {
        "time": np.repeat(poses.times, count),
        "index": np.tile(index, rows),
        "node": np.tile(np.array(poses.nodes, dtype=object), rows),
        "visible": poses.visible.reshape(-1),
    }
    numbers = _pose_array(poses).reshape(-1, len(PARTS))
    columns.update((part, numbers[:, column]) for column, part in enumerate(PARTS))
    return columns


def _wide_columns(poses: Sample) -> dict[str, Any]:
    """Creates columns with a row for each time: the columns of each node, then those of each signal."""
    columns: dict[str, Any] = {"time": poses.times}
    numbers = _pose_array(poses)
    for index, name in enumerate(poses.nodes):
        for part, values in zip(PARTS, numbers[:, index].T):
            columns[f"{name}.{part}"] = values
        columns[f"{name}.visible"] = poses.visible[:, index]
    for name, values in poses.signals.items():
        for column, part in _signal_columns(name, values):
            # A signal may have the name of a node's column.
            while column in columns:
                column += "'"
            columns[column] = part
    return columns


def _signal_columns(name: str, values: Any) -> list[tuple[str, Any]]:
    """Splits a signal into columns. A vector gives several."""
    if values.ndim == 1:
        return [(name, values)]
    count = values.shape[1]
    suffixes = COMPONENTS[:count] if count <= len(COMPONENTS) else [str(index) for index in range(count)]
    return [(f"{name}.{suffix}", values[:, index]) for index, suffix in enumerate(suffixes)]

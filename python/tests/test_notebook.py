"""Tests that the notebook runs and reproduces its stored outputs."""

from __future__ import annotations

import itertools
from pathlib import Path

import nbclient
import nbformat
import pytest
from conftest import REPOSITORY

NOTEBOOKS = sorted((REPOSITORY / "python/examples").glob("*.ipynb"))

#: Larger than this, outputs are a burden to the repository.
MAX_BYTES = 150_000


def output_texts(notebook):
    """Returns the printed text and the result of each cell."""
    return [list(merge_streams(cell.outputs)) for cell in notebook.cells if cell.cell_type == "code"]


def merge_streams(outputs):
    """Yields the texts of outputs. Joins the pieces of a stream, because the kernel may send one text in several."""
    for stream, pieces in itertools.groupby(outputs, key=lambda output: output.get("name")):
        pieces = [output.get("text", output.get("data", {}).get("text/plain")) for output in pieces]
        yield from ["".join(pieces)] if stream else pieces


def count_pictures(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return sum("image/png" in output.get("data", {}) for output in outputs)


# Jupyter does not wait for kernels that it asks to end.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_reproduce_their_stored_outputs(path: Path):
    assert path.stat().st_size < MAX_BYTES
    stored = nbformat.read(path, as_version=4)
    executed = nbformat.read(path, as_version=4)
    for cell in executed.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    resources = {"metadata": {"path": str(path.parent)}}
    nbclient.NotebookClient(executed, timeout=300, kernel_name="python3", resources=resources).execute()
    assert output_texts(executed) == output_texts(stored)
    assert count_pictures(executed) == count_pictures(stored) > 0


def test_the_notebook_exists():
    assert [path.name for path in NOTEBOOKS] == ["hands.ipynb"]

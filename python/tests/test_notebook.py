"""The notebook runs, and prints what is kept in it."""

from __future__ import annotations

import itertools
from pathlib import Path

import nbclient
import nbformat
import pytest
from conftest import REPOSITORY

NOTEBOOKS = sorted((REPOSITORY / "python/examples").glob("*.ipynb"))

#: Larger than this, outputs are a burden to the repository.
MOST_BYTES = 150_000


def printed(notebook):
    """What each cell has printed, and the text of its result."""
    return [list(texts(cell.outputs)) for cell in notebook.cells if cell.cell_type == "code"]


def texts(outputs):
    """What one stream prints may come in several pieces: it depends on when the kernel sends them."""
    for stream, pieces in itertools.groupby(outputs, key=lambda output: output.get("name")):
        pieces = [output.get("text", output.get("data", {}).get("text/plain")) for output in pieces]
        yield from ["".join(pieces)] if stream else pieces


def pictures(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return sum("image/png" in output.get("data", {}) for output in outputs)


# Jupyter does not wait for kernels that it asks to end.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_print_what_is_kept_in_them(path: Path):
    assert path.stat().st_size < MOST_BYTES
    kept = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    for cell in run.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    resources = {"metadata": {"path": str(path.parent)}}
    nbclient.NotebookClient(run, timeout=300, kernel_name="python3", resources=resources).execute()
    assert printed(run) == printed(kept)
    assert pictures(run) == pictures(kept) > 0


def test_there_is_a_notebook():
    assert [path.name for path in NOTEBOOKS] == ["hands.ipynb"]

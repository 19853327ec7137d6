"""Every notebook runs from top to bottom, far from the checkout, and prints what is stored.

By default the quick ones run in one kernel, which forgets names between them; .ci/run has each run
in a fresh one (`pytest -m long tests/notebooks`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from support.store_notebooks import (
    FOLDER,
    SET_UP,
    SOLUTION,
    client_of,
    executed,
    executed_by,
    printed,
)

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NAME = re.compile(r"\d\d-[a-z0-9]+(-[a-z0-9]+)*\.ipynb")
BLANK = re.compile(r"^answer = \.\.\.", re.MULTILINE)
# 20 and 10 seconds: commands, calibrations and draws; functions held to many cases
SLOW = {"07-your-own-table", "08-catching-an-unsound-implementation"}
QUICK = [path for path in NOTEBOOKS if path.stem not in SLOW]


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.fixture(scope="module")
def kernel() -> Iterator[NotebookClient]:
    """A kernel that is running."""
    client = client_of(nbformat.v4.new_notebook())
    client.execute(cleanup_kc=False)
    yield client
    client.nb = nbformat.v4.new_notebook()
    client.execute(cleanup_kc=True)


def read(path: Path) -> nbformat.NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.stem)
def test_notebook_prints_what_is_stored(
    path: Path, tmp_path: Path, kernel: NotebookClient
) -> None:
    notebook = read(path)
    stored = printed(notebook)
    compare(notebook, printed(executed_by(kernel, notebook, str(tmp_path))), stored)


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_in_a_fresh_kernel(path: Path, tmp_path: Path) -> None:
    notebook = read(path)
    stored = printed(notebook)
    compare(notebook, printed(executed(notebook, str(tmp_path))), stored)


def compare(notebook: nbformat.NotebookNode, found: list[str], stored: list[str]) -> None:
    """It prints what is stored; the blanks of exercises are blank, and their solutions right."""
    assert found == stored, "run tests/support/store_notebooks.py"
    asked, solved = 0, 0
    code = (cell for cell in notebook.cells if cell.cell_type == "code")
    for cell, text in zip(code, found, strict=True):
        if BLANK.search(cell.source):
            assert text.startswith("no answer yet: "), cell.source
            asked += 1
        if cell.metadata.get("tags") == SOLUTION["tags"]:
            assert text.splitlines()[-1].startswith("right: "), text
            solved += 1
    assert asked == solved >= 2, "each exercise has a blank and a folded solution"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_kept_with_outputs_and_without_traces(path: Path) -> None:
    assert NAME.fullmatch(path.name), f"{path.name}: expected NN-question.ipynb"
    notebook = read(path)
    for number, cell in enumerate(notebook.cells, 1):
        known = ({}, SOLUTION, SET_UP)
        assert cell.metadata in known, f"cell {number}: execution traces in its metadata"
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1)), "run all cells, in order, then save"
    assert path.stat().st_size < 500_000, "too large: save the pictures at a lower dpi"
    assert "application/vnd.jupyter.widget" not in path.read_text("utf-8"), "store a picture"

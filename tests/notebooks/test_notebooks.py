"""Every notebook runs from top to bottom in a fresh kernel, far from the checkout."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from support.store_notebooks import FOLDER, SET_UP, SOLUTION, executed, printed

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NAME = re.compile(r"\d\d-[a-z0-9]+(-[a-z0-9]+)*\.ipynb")
BLANK = re.compile(r"^answer = \.\.\.", re.MULTILINE)


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, tmp_path: Path) -> None:
    """It prints what is stored; the blanks of exercises are blank, and their solutions right."""
    assert NAME.fullmatch(path.name), f"{path.name}: expected NN-question.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    stored = printed(notebook)
    found = printed(executed(notebook, str(tmp_path)))  # raises on any error
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
    notebook = nbformat.read(path, as_version=4)
    for number, cell in enumerate(notebook.cells, 1):
        known = ({}, SOLUTION, SET_UP)
        assert cell.metadata in known, f"cell {number}: execution traces in its metadata"
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1)), "run all cells, in order, then save"
    assert path.stat().st_size < 500_000, "too large: save the pictures at a lower dpi"
    assert "application/vnd.jupyter.widget" not in path.read_text("utf-8"), "store a picture"

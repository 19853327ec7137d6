"""Run notebooks and store them with their outputs: python tests/support/store_notebooks.py [NAME].

NAME is part of a file's name; without one, all are run. They run without ipywidgets: sliders are
stored as pictures, which need no script where the notebook is read, and what a widget sends back
while a cell runs can make nbclient miss the end of that cell until its timeout.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
SOLUTION = {"jupyter": {"source_hidden": True}, "tags": ["hide-cell"]}
"""The metadata of a cell that is folded until it is asked for."""
SET_UP = {
    "mystnb": {"code_prompt_hide": "Hide the set-up", "code_prompt_show": "Show the set-up"},
    "tags": ["hide-input"],
}
"""The metadata of the first cell, which imports and prepares: on the site its code is folded."""
WITHOUT_WIDGETS = "__import__('sys').modules['ipywidgets'] = None"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def executed(notebook: nbformat.NotebookNode, folder: str) -> nbformat.NotebookNode:
    """Run all cells of a notebook in a fresh kernel, in a folder; raises on any error."""
    client = client_of(notebook)
    client.resources = {"metadata": {"path": folder}}
    return after(WITHOUT_WIDGETS, notebook, client.execute)


def client_of(notebook: nbformat.NotebookNode) -> NotebookClient:
    """What starts a kernel for a notebook."""
    return NotebookClient(notebook, timeout=300, kernel_name="python3")


def executed_by(
    client: NotebookClient, notebook: nbformat.NotebookNode, folder: str
) -> nbformat.NotebookNode:
    """The same in a kernel that has run others: it forgets their names, and remains."""
    client.nb = notebook
    first = f"%reset -f\n{WITHOUT_WIDGETS}\n__import__('os').chdir({folder!r})"
    return after(first, notebook, lambda: client.execute(cleanup_kc=False))


def after(
    first: str, notebook: nbformat.NotebookNode, execute: Callable[[], object]
) -> nbformat.NotebookNode:
    """The notebook, executed with another cell before its own."""
    notebook.cells.insert(0, nbformat.v4.new_code_cell(first))
    execute()
    del notebook.cells[0]
    return notebook


def joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Outputs with what was printed in one go, however it arrived."""
    kept: list[nbformat.NotebookNode] = []
    for output in outputs:
        last = kept[-1] if kept else None
        if last and output.output_type == last.output_type == "stream" and last.name == output.name:
            last.text += output.text
        else:
            kept.append(output)
    return kept


def printed(notebook: nbformat.NotebookNode) -> list[str]:
    """The text that each cell of code printed or returned; pictures and sliders are left out."""
    return [
        "".join(
            output.text if output.output_type == "stream" else output.data["text/plain"]
            for output in joined(cell.outputs)
            if output.output_type in ("stream", "execute_result")
        )
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def store(path: Path) -> None:
    """Run a notebook and write it back: outputs, and no traces of the run."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        executed(notebook, folder)
    notebook.metadata = METADATA
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell in notebook.cells:
        cell.metadata = SOLUTION if cell.metadata.get("tags") == SOLUTION["tags"] else {}
    code[0].metadata = SET_UP
    for count, cell in enumerate(code, 1):
        cell.execution_count, cell.outputs = count, joined(cell.outputs)
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
            if output.output_type in ("execute_result", "display_data"):
                output.metadata = {}
                if "image/png" in output.data:
                    output.data["text/plain"] = "<Figure>"
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sorted(FOLDER.glob("*.ipynb")):
        if any(word in name.name for word in sys.argv[1:] or [""]):
            store(name)
            print(name.name)

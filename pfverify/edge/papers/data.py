"""The files of this folder: what a paper prints, case by case, and how a page shows it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from pfverify.model.problem_file import table_of_text


@cache
def paper(name: str) -> dict[str, Any]:
    """Return the table of a file; decimals are text, to be read exactly.

    Example: ``paper("demo")["cases"][0]["example"]`` is ``"simulation-1"``.
    """
    text = files("pfverify.edge.papers").joinpath(f"{name}.toml").read_text("utf-8")
    return table_of_text(text, json_format=False)

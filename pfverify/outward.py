"""The one way outward: what inner rooms ask of outer ones, imported by its name at the call.

Imports go inward. What a result is asked for in a notebook (tables, a certificate), and what is
read where the package is entered (packaged problems, sympy numbers), lives in outer rooms.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

OUTWARD = {
    "as_data": "pfverify.edge.views.data",
    "data_of": "pfverify.edge.results",
    "example_path": "pfverify.edge.packaged",
    "frame_of": "pfverify.edge.results",
    "html_of": "pfverify.edge.results",
    "html_of_problem": "pfverify.edge.results",
    "latex_of_certified": "pfverify.edge.latex",
    "latex_of_problem": "pfverify.edge.latex",
    "refuted_lines": "pfverify.edge.refuted",
    "rows_of": "pfverify.edge.results",
    "said_of_draws": "pfverify.edge.refuted",
    "prior_of_column": "pfverify.records.columns",
    "prior_of_frozen": "pfverify.bridges.scipy_laws",
    "problem_of_frame": "pfverify.records.callers",
    "problem_of_rows": "pfverify.records.callers",
    "to_number": "pfverify.symbolic.translate",
    "write_certificate": "pfverify.edge.results",
}
"""Name of a function -> the module it is in."""


def outward(name: str) -> Any:
    """Return a function of an outer room; KeyError for one that is not in the table.

    Example: ``outward("example_path")("census").name`` is ``"census.toml"``.
    """
    return getattr(import_module(OUTWARD[name]), name)

"""The files of this folder: what a paper prints, case by case, and how a page shows it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from pfverify.decide.excess import by_balls
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.refined import exactly
from pfverify.exact.written import written
from pfverify.model.channels.entries import Entry, as_number
from pfverify.model.problem_file import table_of_text

DIGITS = 6  # of a number that is not rational


@cache
def paper(name: str) -> dict[str, Any]:
    """Return the table of a file; decimals are text, to be read exactly.

    Example: ``paper("demo")["cases"][0]["example"]`` is ``"simulation-1"``.
    """
    text = files("pfverify.edge.papers").joinpath(f"{name}.toml").read_text("utf-8")
    return table_of_text(text, json_format=False)


def enclosed(value: Entry) -> Enclosure:
    """Return the decimals of 6 digits around an exact number >= 0.

    Example: ``enclosed(Fraction(1, 4)).upper`` is ``Fraction(1, 4)``.
    """
    if isinstance(value, Fraction):
        return written(exactly(value), DIGITS)
    return written(by_balls(lambda: as_number(value).ball().raw), DIGITS)

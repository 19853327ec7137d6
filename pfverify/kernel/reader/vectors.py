"""The several numbers that a system may release: a histogram, or some of sum, mean and count."""

from __future__ import annotations

from typing import Any

from core.grammar import Malformed
from core.shapes import array, string
from reader.joint import MOST
from reader.priors import require_name
from reader.users import Numbers

NUMBERS = ("sum", "mean", "count")


def numbers_of(value: Any) -> Numbers:
    """The several numbers that the table of a system names."""
    release = value.get("release")
    cells = release == "histogram"
    if cells != ("categories" in value):
        raise Malformed("a histogram, and nothing else, has categories")
    listed = array(value["categories"] if cells else release, "what is released")
    names = tuple(string(name, "a name") for name in listed)
    for name in names:
        require_name(name)
    if not 1 <= len(names) <= MOST or len({*names}) < len(names):
        raise Malformed(f"what is released must be 1 to {MOST} different names")
    if not cells and (len(names) < 2 or not {*names} <= {*NUMBERS}):
        raise Malformed(f"a list must name two or more of {', '.join(NUMBERS)}")
    return Numbers("histogram" if cells else "", names)

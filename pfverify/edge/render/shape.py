"""What a list of views answers: one question, a sweep over values, or several problems."""

from __future__ import annotations

from enum import Enum


class Shape(Enum):
    """How many answers were asked for; the value is the key of their list in JSON."""

    ONE = "one"
    SWEEP = "sweep"
    RESULTS = "results"

"""The problems of a claim that the kernel decides: the file of each, its priors in a picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from pfverify.edge.document import Block, Paragraph
from pfverify.edge.pages import Listing
from pfverify.edge.pictures import ZERO_LINE, Axis, Bars, Line, Plot
from pfverify.edge.views.typeset import typeset
from pfverify.edge.words import inequality
from pfverify.model.toml import toml_text
from pfverify.proof.claim import Part
from pfverify.proof.shown import problems_of

_SAMPLES = 160
_PRIORS = "The priors of the problem: masses as bars, densities as lines"


def problem_blocks(part: Part) -> Iterator[Block]:
    """Return the problems of a part of a claim, each with its priors."""
    for problem in problems_of(part):
        yield Paragraph(("The kernel decides this problem, as a file:",))
        yield Listing(toml_text(dict(problem)), "The problem that the kernel decides")
        target = inequality(problem.get("form", "events"), str(problem["epsilon"]),
                            str(problem.get("delta", 0)))  # fmt: skip
        said = f"It is certified if {target}, for (s, s') = (a, b) and for (b, a); else refuted."
        yield Paragraph(typeset(said))
        drawn = {secret: mark for k, (secret, law) in enumerate(problem["priors"].items())
                 if (mark := _drawn(law, f"s{k % 4}")) is not None}  # fmt: skip
        if drawn:
            keys = [(mark.style, f"prior of {secret}") for secret, mark in drawn.items()]
            marks = [ZERO_LINE, *drawn.values()]
            yield Plot(_PRIORS, _PRIORS, Axis("x"), Axis(), marks, keys)


def _drawn(law: Mapping[str, Any], style: str) -> Line | Bars | None:
    """A prior in a picture; None where a number is no fraction."""
    try:
        if law["kind"] == "discrete":
            return Bars([(_near(x), _near(m)) for x, m in law["mass"].items()], style)
        parts = law["components"] if law["kind"] == "mixture" else [law]
        normal = [(_near(p.get("weight", 1)), NormalDist(_near(p["mean"]), _sd(p))) for p in parts]
    except (KeyError, ValueError, ZeroDivisionError):
        return None
    low = min(one.mean - 4 * one.stdev for _, one in normal)
    high = max(one.mean + 4 * one.stdev for _, one in normal)
    xs = [low + (high - low) * k / _SAMPLES for k in range(_SAMPLES + 1)]
    return Line([(x, sum(weight * one.pdf(x) for weight, one in normal)) for x in xs], style)


def _near(item: Any) -> float:
    return float(Fraction(str(item)))


def _sd(law: Mapping[str, Any]) -> float:
    return _near(law["sd"]) if "sd" in law else math.sqrt(_near(law["variance"]))

"""The problems of a claim that the kernel decides: what each is, and its priors in a picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pfverify.edge.document import Block, Paragraph, Text, simple_table
from pfverify.edge.pictures import ZERO_LINE, Axis, Bars, Line, Plot
from pfverify.edge.views.typeset import typeset
from pfverify.edge.words import inequality
from pfverify.proof.claim import Part
from pfverify.proof.shown import problems_of

_SAMPLES = 160
_PRIORS = "The priors of the problem: masses as bars, densities as lines"


def problem_blocks(part: Part) -> Iterator[Block]:
    """Return the problems of a part of a claim, each with its priors."""
    for problem in problems_of(part):
        priors = problem["priors"]
        rest = {key: item for key, item in problem.items() if key not in ("priors", "schema")}
        rows: list[list[Text]] = [[typeset(key), (_words(item),)] for key, item in rest.items()]
        rows += [[(f"prior of {secret}",), (_words(law),)] for secret, law in priors.items()]
        yield simple_table("The problem that the kernel decides", ["", "is"], rows)
        target = inequality(problem.get("form", "events"), str(problem["epsilon"]),
                            str(problem.get("delta", 0)))  # fmt: skip
        said = f"It is certified if {target}, for (s, s') = (a, b) and for (b, a); else refuted."
        yield Paragraph(typeset(said))
        drawn = {secret: mark for k, (secret, law) in enumerate(priors.items())
                 if (mark := _drawn(law, f"s{k % 4}")) is not None}  # fmt: skip
        if drawn:
            keys = [(mark.style, f"prior of {secret}") for secret, mark in drawn.items()]
            marks = [ZERO_LINE, *drawn.values()]
            yield Plot(_PRIORS, _PRIORS, Axis("x"), Axis(), marks, keys)


def _words(item: Any) -> str:
    """A part of a problem file in words: its kind first, masses with their places."""
    if isinstance(item, Mapping):
        kind = [str(item["kind"])] if "kind" in item else []
        mass = [f"mass {m} at {x}" for x, m in item.get("mass", {}).items()]
        rest = [f"{key} {_words(value)}" for key, value in item.items()
                if key not in ("kind", "mass")]  # fmt: skip
        return ", ".join([*kind, *mass, *rest])
    if isinstance(item, list):
        return "; ".join(map(_words, item))
    return str(item)


def _drawn(law: Mapping[str, Any], style: str) -> Line | Bars | None:
    """A prior in a picture; None where a number is no fraction."""
    try:
        if law["kind"] == "discrete":
            return Bars([(_near(x), _near(m)) for x, m in law["mass"].items()], style)
        parts = law["components"] if law["kind"] == "mixture" else [law]
        normal = [(_near(p.get("weight", 1)), _near(p["mean"]), _spread(p)) for p in parts]
    except (KeyError, ValueError, ZeroDivisionError):
        return None
    low = min(mean - 4 * sd for _, mean, sd in normal)
    high = max(mean + 4 * sd for _, mean, sd in normal)
    xs = [low + (high - low) * k / _SAMPLES for k in range(_SAMPLES + 1)]
    return Line([(x, _density(normal, x)) for x in xs], style)


def _near(item: Any) -> float:
    return float(Fraction(str(item)))


def _spread(law: Mapping[str, Any]) -> float:
    return _near(law["sd"]) if "sd" in law else math.sqrt(_near(law["variance"]))


def _density(parts: Sequence[tuple[float, float, float]], x: float) -> float:
    return sum(weight * math.exp(-(((x - mean) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))
               for weight, mean, sd in parts)  # fmt: skip

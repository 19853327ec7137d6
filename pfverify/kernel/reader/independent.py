"""Outputs behind steps that are independent: their losses add.  As in `rules`.

They are independent where every release has a fresh draw of X, and where X is one point under
either secret.  Each is a problem of its own (`unprocessed`), at its own epsilon and delta.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.grammar import Number
from core.rules import Facts, Rejected, Step, margin_of
from core.shapes import array, string, table
from core.shares import require_beyond, require_within
from reader.ranges import number_of
from reader.unprocessed import Behind, as_before, far_out, is_part, of_part

OF_PARTS = {"pure-refuted", "output-refuted", "event-refuted", "outputs-refuted"}


def _is_point(law: Any) -> bool:
    """Whether a law of atoms, or of points, has one; no other law is said to."""
    return len(law if type(law) is dict else getattr(law, "rows", ())) == 1


def _independent(goal: Behind) -> list[tuple[list[str] | int, int]]:
    """All parts of the outputs, and how many there are of each, where they are independent."""
    before, stepped = goal.release.before, {name for name, _ in goal.release.entries}
    how = getattr(before, "how", "")
    points = all(_is_point(law) for law in (goal.P, goal.Q))
    if is_part(goal.release.value):  # what is added to the part decides what the steps leave of it
        raise Rejected("the steps act on a sum of which the rest may be any number")
    if how == "total" or not (how == "fresh" or points):
        raise Rejected("losses add where draws are fresh, or X is one point under either secret")
    counts = [n for _, n in getattr(before, "counts", ((None, 1),))]
    if hasattr(goal.P, "names"):
        return [([name], sum(counts) if name in stepped else 1) for name in goal.P.names]
    listed = getattr(before, "listed", ()) or (0,)
    return [(listed.index(k), n) for k, n in enumerate(counts)]


def _parts(goal: Behind, value: Any, keys: set[str]) -> list[tuple[int, dict[str, Any], Number]]:
    """Of each independent part that a step names, in order: how many there are, what the step says
    of it, and its epsilon."""
    due, found = iter(_independent(goal)), []
    for part in array(value, "parts"):
        table(part, "a part", {"part", "epsilon", "step"} | keys)
        stated = type(part["part"]), part["part"]
        count = next((n for named, n in due if (type(named), named) == stated), None)
        if count is None:
            raise Rejected("no such part is due here")
        epsilon = number_of(string(part["epsilon"], "epsilon"), "epsilon", Fraction(0))
        found.append((count, part, epsilon))
    return found


def product(goal: Behind, step: Step) -> Facts:
    """
    the outputs are independent     each part of them satisfies its epsilon_i and delta_i
    sum of epsilon_i <= epsilon     sum of delta_i <= delta
    ------------------------------------------------------------------------------------- F43
    all of them together satisfy epsilon and delta

    Parts without a name are those of the noisy numbers.
    """
    if not any(type(part) is dict and "part" in part for part in array(step["parts"], "parts")):
        return as_before(goal, step)
    facts, terms = {"F43"}, list[tuple[int, Number, Number]]()
    if len(step["parts"]) != len(_independent(goal)):
        raise Rejected("some outputs have no part")
    for count, part, epsilon in _parts(goal, step["parts"], {"delta"}):
        stated = string(part["delta"], "delta")
        delta = number_of(stated, "delta", Fraction(0), Fraction(1))
        facts |= of_part(goal, part["part"], part["epsilon"], stated, part["step"])[0]
        terms.append((count, epsilon, delta))
    require_within(goal, terms)
    return facts


def product_refuted(goal: Behind, step: Step) -> Facts:
    """
    delta = 0     the outputs are independent
    P_i(B_i) >= e^(epsilon_i) Q_i(B_i) + margin_i, or e^(epsilon_i + margin_i) Q_i(B_i), for some
    sum of epsilon_i >= epsilon     sum of margin_i >= margin > 0
    --------------------------------------------------------------------------------- F43, F43h
    the goal fails on the product of the B_i     (P_i <= 1, so that the first gives the second)

    Parts without a name are those of the noisy numbers.
    """
    if not any(type(part) is dict and "part" in part for part in array(step["parts"], "parts")):
        return far_out(goal, step)
    if not goal.delta_is_zero:
        raise Rejected("losses that add refute a pure bound only")
    facts, terms, total = {"F43", "F43h"}, list[tuple[int, Number]](), Fraction(0)
    for count, part, epsilon in _parts(goal, step["parts"], set()):
        stated = part["epsilon"]
        by, inside = of_part(goal, part["part"], stated, "0", part["step"], OF_PARTS, fails=True)
        facts |= by
        terms.append((count, epsilon))
        total += count * margin_of(inside)
    require_beyond(goal, step, terms, total)
    return facts

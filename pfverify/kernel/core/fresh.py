"""Releases of fresh draws of X given the secret: their laws are products.  As in `rules`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.grammar import Malformed
from core.judge import apply, plain
from core.kinds import CERTIFYING, EVENTS, Kind, Rule
from core.many import REFUTED, Releases, inner, of_one
from core.rules import Facts, Goal, Rejected, Step, margin_of
from core.shapes import array, string, table
from core.shares import require_beyond, require_within
from reader.noise import Noise
from reader.ranges import number_of

KIND = Kind(
    {"product": Rule("core.fresh", measures=True), "grid-upper": Rule("core.many", EVENTS)},
    {**REFUTED, "product-refuted": Rule("core.fresh", measures=True)},
    "no such rule for releases of fresh draws",
    unscaled={"product": Rule("core.fresh", measures=True)},
)
Part = tuple[Goal[Any, Noise], int, dict[str, Any]]


def _parts(goal: Releases, value: Any, keys: set[str]) -> list[Part]:
    """Of each different release its goal, with an epsilon and a delta of its own, how many there
    are, and what the step says of it."""
    parts = goal.release.parts
    if len(array(value, "parts")) != len(parts):
        raise Malformed(f"parts must be {len(parts)}, one for each different scale")
    found = []
    for (noise, count), part in zip(parts, value, strict=True):
        table(part, "a part", {"epsilon", "step"} | keys)
        epsilon = number_of(string(part["epsilon"], "epsilon"), "epsilon", Fraction(0))
        delta = string(part.get("delta", "0"), "delta")
        bound = plain(number_of(delta, "delta", Fraction(0), Fraction(1)))
        if goal.form != "events" and bound != 0:
            raise Rejected("the pointwise form with a delta does not add")
        one = of_one(goal, noise)._replace(epsilon=epsilon, delta=bound)
        found.append((one, count, part))
    return found


def product(goal: Releases, step: Step) -> Facts:
    """
    each release satisfies its epsilon_i and delta_i
    sum of epsilon_i <= epsilon     sum of delta_i <= delta
    ------------------------------------------------------- F43
    all of them together satisfy epsilon and delta
    """
    parts, facts = _parts(goal, step["parts"], {"delta"}), {"F43"}
    for one, _, part in parts:
        rules = CERTIFYING[one.release.amount is None]
        facts |= apply(one, inner(goal, part["step"], rules), one.kind.certified)
    require_within(goal, [(n, one.epsilon, one.delta) for one, n, _ in parts])
    return facts


def product_refuted(goal: Releases, step: Step) -> Facts:
    """
    delta = 0     p_i(y_i) >= e^(epsilon_i + margin_i) q_i(y_i)  for each release
    sum of epsilon_i >= epsilon     sum of margin_i >= margin > 0
    ----------------------------------------------------------------------------- F43
    the goal fails at (y_1, .., y_k)
    """
    if not goal.delta_is_zero:
        raise Rejected("a point refutes a pure bound only")
    parts, total = _parts(goal, step["parts"], set()), Fraction(0)
    for one, count, part in parts:
        claimed = inner(goal, part["step"], {"pure-refuted"})
        apply(one, claimed, one.kind.refuted)
        total += count * margin_of(claimed)
    require_beyond(goal, step, [(n, one.epsilon) for one, n, _ in parts], total)
    return {"F43"}

"""Normal laws and mixtures of them in problem files."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from core.grammar import Malformed, bounded
from core.kinds import Mixture, Prior
from core.shapes import array, exact_sum, rational, table
from core.work import spend


def _component(value: Any, what: str) -> tuple[Fraction, Fraction]:
    """The mean and the variance of a normal law, given by its variance or by its sd."""
    if ("variance" in value) == ("sd" in value):
        raise Malformed(f"{what} must have either variance or sd")
    mean = rational(value["mean"], f"{what}: mean")
    spread = rational(value.get("variance", value.get("sd")), f"{what}: variance or sd")
    if spread < 0:
        raise Malformed(f"{what}: a negative variance or sd")
    return mean, spread if "variance" in value else bounded(spread * spread)


def mixture(value: Any, what: str) -> Prior | Mixture:
    """A normal law or a mixture of them, in its one form: equal components merged, without weights
    of 0, sorted; a prior of atoms where every variance is 0."""
    entries, spread = [{**value, "weight": 1}], {"variance", "sd"}
    if value["kind"] == "gaussian":
        table(value, what, {"kind", "mean"}, spread)
    else:
        entries = array(table(value, what, {"kind", "components"})["components"], what)
    weights: dict[tuple[Fraction, Fraction], Fraction] = {}
    alike: Counter[int] = Counter()
    for i, entry in enumerate(entries):
        name = f"{what}, component {i + 1}"
        if value["kind"] == "mixture":
            table(entry, name, {"weight", "mean"}, spread)
        key, weight = _component(entry, name), rational(entry["weight"], f"{name}: weight")
        if weight < 0:
            raise Malformed(f"{name}: a negative weight")
        alike[hash(key)] += 1
        spend(16 * alike[hash(key)])  # the table compares keys of one hash
        weights[key] = bounded(weights.get(key, Fraction(0)) + weight)
    if exact_sum(list(weights.values()), what) != 1:
        raise Malformed(f"{what}: the weights do not sum to 1")
    found = sorted((*key, weight) for key, weight in weights.items() if weight > 0)
    if any(variance for _, variance, _ in found):
        return Mixture(tuple(found))
    return {mean: weight for mean, _, weight in found}

"""The release of a number X with noise from a table: finitely many perturbations, exact weights.

The released law has finitely many atoms, P(Y = y) = sum over x of P(x) w_x(y - x), with w_x the
table of x.  It is worked out here, once for a law; the rules are those of atoms without noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from core.grammar import Malformed, Number, bounded, canonical, shown
from core.kinds import Beliefs, Enclosed, Pairs, Prior
from core.shapes import common_denominator, rational, table
from core.work import price, product, spend, table_of
from reader.by_secret import BySecret
from reader.noise import Noise
from reader.priors import prior

if TYPE_CHECKING:
    from reader.protocols import Notion

KEYS = {"weights", "by", "larger"}


class Tabled(Noise):
    """Noise from one table, or from one of each X."""

    also = "exact draws from the noise table, one cell and "
    weights: Prior | None = None
    by: Mapping[Fraction, Prior] = {}
    larger: Prior | None = None
    largest = Fraction(0)  # of `by`

    def at(self, amount: Number | None) -> Tabled:
        """The same: there is no more or less of it."""
        if amount is not None:
            raise Malformed("noise of kind table has no amount")
        return self

    def of(self, x: Fraction) -> Prior:
        """The law of the noise when X is a number."""
        if self.weights is not None:
            return self.weights
        found = self.by.get(x)
        if found is None and self.larger is not None and x > self.largest:
            found = self.larger
        if found is None:
            raise Malformed(f"noise: no table for X = {shown(canonical(x))}")
        return found

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """The laws of Y, worked out when a goal asks for them."""
        return {name: Laws(self, of) for name, of in beliefs.items()}

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The tables, and such a notion, as they go into a digest."""
        one = {"weights": self.weights, "larger": self.larger}
        tables = {key: None if found is None else _rows(found) for key, found in one.items()}
        by = [[canonical(x), _rows(found)] for x, found in self.by.items()]
        return {**super().canonical(notion), "noise": {"kind": self.kind, "by": by, **tables}}


class Laws(BySecret):
    """Secret -> the law of Y."""

    def __init__(self, noise: Tabled, priors: Mapping[str, Any]) -> None:
        super().__init__(priors)
        self._noise, self._priors = noise, priors
        self._last: dict[str, Prior | Enclosed] = {}  # a secret is in several goals in a row

    def __getitem__(self, secret: str) -> Prior | Enclosed:
        if secret not in self._last:
            law = self._priors[secret]
            if len(self._last) > 1:
                del self._last[next(iter(self._last))]
            if isinstance(law, Enclosed):
                self._last[secret] = Enclosed(*(convolved(self._noise, part) for part in law))
            else:
                self._last[secret] = convolved(self._noise, law)
        return self._last[secret]


def drawn(noise: Noise, x: Fraction) -> Iterable[tuple[Fraction, Fraction]]:
    """What a table adds to a number, and how likely."""
    if not isinstance(noise, Tabled):
        raise Malformed("noise of kind table without its weights")
    return noise.of(x).items()


def convolved(noise: Tabled, law: object) -> Prior:
    """The law of X + N, or such a measure."""
    if not isinstance(law, dict):
        raise Malformed("noise of kind table needs priors of atoms")
    rows = [(x, m, noise.of(x)) for x, m in law.items()]
    spend(64 * len(rows))
    total = common_denominator(law.values(), "a prior")
    used = {id(found): found for _, _, found in rows}.values()
    whole = common_denominator((w for found in used for w in found.values()), "a noise table")
    bits = total.bit_length() + whole.bit_length()
    terms: list[tuple[Fraction, int]] = []
    for x, m, found in rows:
        size = x.denominator.bit_length() + x.numerator.bit_length()
        mass = m.numerator * (total // m.denominator)
        for n, w in found.items():
            spend(128 + product(bits) + price(size + n.denominator.bit_length()))
            terms.append((bounded(x + n), mass * (w.numerator * (whole // w.denominator))))
    table_of(y for y, _ in terms)
    sums: dict[Fraction, int] = {}
    for y, share in terms:
        sums[y] = sums.get(y, 0) + share
    spend(sum(64 + price(bits) + product(y.denominator.bit_length()) for y in sums))
    return {y: Fraction(sums[y], total * whole) for y in sorted(sums)}


def _rows(found: Prior) -> list[list[str]]:
    return [[canonical(n), canonical(w)] for n, w in found.items()]


def _weights(value: Any, what: str) -> Prior:
    """One table of weights, sorted, without those of 0."""
    found = prior({"kind": "discrete", "mass": value}, what)
    if not isinstance(found, dict):
        raise Malformed(f"{what}: weights must be those of numbers")
    return found


def noise(problem: Any) -> Tabled:
    """The noise of a problem."""
    stated = table(problem["noise"], "noise", {"kind"}, KEYS)
    if ("weights" in stated) == ("by" in stated) or ("larger" in stated and "by" not in stated):
        raise Malformed("noise of kind table must have either weights or by, which may have larger")
    found = Tabled("table", None, None)
    if "weights" in stated:
        found.weights = _weights(stated["weights"], "noise: weights")
        return found
    tables: dict[Fraction, Prior] = {}
    if type(stated["by"]) is not dict or not stated["by"]:
        raise Malformed("noise: by must be a table of at least one value of X")
    keys = [(rational(x, "noise: a value of X"), part) for x, part in stated["by"].items()]
    table_of(x for x, _ in keys)
    for x, part in keys:
        if x in tables:
            raise Malformed(f"noise: two tables for X = {shown(canonical(x))}")
        tables[x] = _weights(part, f"noise: the table of {shown(canonical(x))}")
    found.by, found.largest = dict(sorted(tables.items())), max(tables)
    if "larger" in stated:
        found.larger = _weights(stated["larger"], "noise: larger")
    system = problem.get("system")
    if type(system) is dict and system.get("rest") == "any":  # Y is not made of the user's part
        raise Malformed("rest = any needs noise that does not depend on X")
    return found

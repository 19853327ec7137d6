"""The release of a number X with noise from a table: finitely many perturbations, exact weights.

The released law has finitely many atoms, P(Y = y) = sum over x of P(x) w_x(y - x), with w_x the
table of x.  It is worked out here, once for a law; the rules are those of atoms without noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from core.coordinates import in_order
from core.grammar import Malformed, Number, bounded, canonical, shown
from core.kinds import Prior, law_kind
from core.shapes import common_denominator, rational, table
from core.work import price, product, spend, table_of
from reader.listed import Listed
from reader.noises import require_known_rest
from reader.priors import prior

if TYPE_CHECKING:
    from reader.protocols import Notion

NOTHING = Fraction(0)


class Tabled(Listed):
    """Noise from a table of each X, and one of the others: those that are larger, or all."""

    also = "exact draws from the noise table, independent cell keys and "
    by: Mapping[Fraction, Prior] = MappingProxyType({})
    others: Prior | None = None
    listed_by = "TABLE"

    def __new__(cls, by: Mapping[Fraction, Prior], others: Prior | None) -> Tabled:
        """Noise of kind table."""
        return super().__new__(cls, "table", None, None)

    def __init__(self, by: Mapping[Fraction, Prior], others: Prior | None) -> None:
        self.by, self.others, self._largest = by, others, max(by, default=None)
        self.same_for_all = not by

    def at(self, amount: Number | None) -> Tabled:
        """The same: there is no more or less of it."""
        if amount is not None:
            raise Malformed("noise of kind table has no amount")
        return self

    def of(self, x: Fraction) -> Prior:
        """The law of the noise when X is a number."""
        found = self.by.get(x)
        if found is None and (self._largest is None or x > self._largest):
            found = self.others
        if found is None:
            raise Malformed(f"noise: no table for X = {shown(canonical(x))}")
        return found

    def drawn(self, x: Fraction) -> Iterable[tuple[Fraction, Fraction]]:
        """What the table of a number adds to it, and how likely."""
        return self.of(x).items()

    def convolved(self, law: object) -> Any:
        """The law of X + N, or such a measure: integers over the common denominators of both."""
        if law_kind(law) == "joint":
            return self._moved(law)
        if not isinstance(law, dict):
            raise Malformed("noise of kind table needs priors of atoms")
        rows = [(x, m, self.of(x)) for x, m in law.items()]
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

    def _moved(self, law: Any) -> Any:
        """The law of several numbers, to each of which its own noise is added."""
        rows: list[tuple[tuple[Fraction, ...], Fraction]] = []
        for point, mass in law.rows:
            made: list[tuple[tuple[Fraction, ...], Fraction]] = [((), mass)]
            for x in point:
                drawn = self.of(x).items()
                size = x.denominator.bit_length() + mass.denominator.bit_length()
                spend(len(made) * len(drawn) * (128 + 16 * len(point) + price(size)))
                made = [((*y, bounded(x + n)), bounded(m * w)) for y, m in made for n, w in drawn]
            rows += made
        sums: dict[tuple[Fraction, ...], Fraction] = {}
        for y, mass in rows:
            spend(32 + product(mass.denominator.bit_length()))
            sums[y] = bounded(sums.get(y, NOTHING) + mass)
        return law._replace(rows=tuple(in_order([*sums.items()])))

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The tables, and such a notion, as they go into a digest."""
        others = None if self.others is None else _rows(self.others)
        stated = (None, others) if self.by else (others, None)
        by = [[canonical(x), _rows(found)] for x, found in self.by.items()]
        noise = {"kind": self.kind, "by": by, "weights": stated[0], "larger": stated[1]}
        return {**super().canonical(notion), "noise": noise}


def _rows(found: Prior) -> list[list[str]]:
    return [[canonical(n), canonical(w)] for n, w in found.items()]


def _weights(value: Any, what: str) -> Prior:
    """One table of weights, sorted, without those of 0."""
    found = prior({"kind": "discrete", "mass": value}, what)
    if not isinstance(found, dict):
        raise Malformed(f"{what}: weights must be those of numbers")
    return found


def _by_lines(problem: Any, stated: Any) -> Tabled:
    """That of lines of counts and cell keys, of which the last count stands for all larger."""
    from reader.key_lines import laws_of, lines_of

    require_known_rest(problem)
    lines, what = stated.get("lines"), "noise: lines"
    if "file" in stated:
        from reader.named_files import named_bytes

        what, _, data = named_bytes(stated, "noise", (".csv",))
        lines = lines_of(data, what)
    by = laws_of(lines, what)
    return Tabled(by, by[max(by)])


def noise(problem: Any) -> Tabled:
    """The noise of a problem."""
    ways = {"weights", "by", "lines", "file"}
    stated = table(problem["noise"], "noise", {"kind"}, {"larger", "digest"} | ways)
    alone = {"larger": "by", "digest": "file"}  # keys that go with others
    if len(ways & stated.keys()) != 1 or any(
        key in stated and other not in stated for key, other in alone.items()
    ):
        raise Malformed(
            "noise of kind table must have either weights or by, which may have larger, or lines "
            "or a file of them, which may have its digest"
        )
    if "lines" in stated or "file" in stated:
        return _by_lines(problem, stated)
    keys = [key for key in ("weights", "larger") if key in stated]
    others = _weights(stated[keys[0]], f"noise: {keys[0]}") if keys else None
    if "by" not in stated:
        return Tabled({}, others)
    if type(stated["by"]) is not dict or not stated["by"]:
        raise Malformed("noise: by must be a table of at least one value of X")
    rows = [(rational(x, "noise: a value of X"), part) for x, part in stated["by"].items()]
    table_of(x for x, _ in rows)
    by: dict[Fraction, Prior] = {}
    for x, part in rows:
        if x in by:
            raise Malformed(f"noise: two tables for X = {shown(canonical(x))}")
        by[x] = _weights(part, f"noise: the table of {shown(canonical(x))}")
    require_known_rest(problem)
    return Tabled(dict(sorted(by.items())), others)

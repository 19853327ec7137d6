"""Laws of several numbers at once: points of finitely many coordinates, each with its mass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, bounded, canonical, shown
from core.kinds import LAWS
from core.shapes import array, exact_sum, number, rational, string, table
from core.work import product, spend, table_of
from reader.priors import require_name
from reader.ranges import decided_sign, require_range

if TYPE_CHECKING:
    from reader.protocols import Release

MOST = 1000  # coordinates
Point = tuple[Fraction, ...]
Rows = tuple[tuple[Point, Fraction], ...]


class Joint(NamedTuple):
    """A law of points with these coordinates: the points in order, each with its mass > 0."""

    names: tuple[str, ...]
    rows: Rows

    def canonical(self) -> list[list[str]]:
        """It as it goes into a digest: the names, then coordinates and mass of every point."""
        return [[*self.names], *([*map(canonical, x), canonical(m)] for x, m in self.rows)]


def joint(value: Any, what: str) -> Joint:
    """The law that a table states, by masses or by counts."""
    table(value, what, {"kind", "names"}, {"rows", "counts"})
    names = [string(name, f"{what}: a name") for name in array(value["names"], "names")]
    for name in names:
        require_name(name)
    if not 1 <= len(names) <= MOST or len(set(names)) < len(names):
        raise Malformed(f"{what}: names must be 1 to {MOST} different names")
    if ("rows" in value) == ("counts" in value):
        raise Malformed(f"{what} must have either rows or counts")
    counted = "counts" in value
    found = []
    for row in array(value["counts" if counted else "rows"], f"{what}: rows"):
        if len(array(row, f"{what}: a row")) != len(names) + 1:
            raise Malformed(f"{what}: a row must have {len(names)} coordinates and its weight")
        *point, mass = (rational(x, f"{what}: a row") for x in row)
        found.append((tuple(point), mass))
    masses = [mass for _, mass in found]
    if any(mass < 0 or (counted and mass.denominator != 1) for mass in masses):
        raise Malformed(f"{what}: counts must be integers, and no weight negative")
    total = exact_sum(masses, what)
    if total != 1 and not (counted and total > 0):
        raise Malformed(f"{what}: the weights do not sum to 1")
    rows = in_order(found)
    for (x, _), (y, _) in pairwise(rows):
        if x == y:
            raise Malformed(f"{what}: the point {shown(texts(x))} occurs twice")
    return Joint(tuple(names), tuple((x, bounded(m / total)) for x, m in rows if m))


def in_order(rows: list[tuple[Point, Fraction]]) -> list[tuple[Point, Fraction]]:
    """Points by their coordinates."""
    ranks = []
    for column in zip(*(x for x, _ in rows), strict=True):
        table_of(column)
        values = set(column)
        sizes = (x.numerator.bit_length() + x.denominator.bit_length() for x in values)
        spend(sum(4 * len(values).bit_length() * (1 + product(size)) for size in sizes))
        rank = {x: k for k, x in enumerate(sorted(values))}
        ranks.append([rank[x] for x in column])
    keys = [*zip(*ranks, strict=True)]
    spend(len(rows) * len(rows).bit_length())
    return [rows[k] for k in sorted(range(len(rows)), key=keys.__getitem__)]


def texts(point: Iterable[Fraction]) -> str:
    """A point in a message."""
    return f"({', '.join(map(canonical, point))})"


def require_joint(
    value: Any, release: Release, beliefs: Mapping[str, Mapping[str, Any]]
) -> None:
    """Malformed unless all laws of a problem are of the same coordinates, and released as such."""
    laws = [law for of in beliefs.values() for law in of.values()]
    if any(LAWS.get(type(law).__name__) != "joint" for law in laws):
        raise Malformed("either all priors are joint or none is")
    if any(law.names != laws[0].names for law in laws):
        raise Malformed("joint priors must have the same names in the same order")
    if (before := getattr(release, "before", None)) is not None:  # steps, which no source sees
        value, release = getattr(release, "table")(), before  # noqa: B009
    require_plain(value, "joint priors")
    scales = getattr(release, "each", ())
    if scales and len(scales) != len(laws[0].names):
        raise Malformed(f"{len(scales)} scales for {len(laws[0].names)} coordinates")
    if getattr(release, "listed", ()) or getattr(release, "how", "") == "fresh":
        raise Malformed("joint priors go with releases of one X, not with scales or fresh draws")


def require_plain(value: Any, what: str) -> None:
    """Malformed where steps, or densities with a delta, stand beside such numbers or releases."""
    for key in ("post", "pre", "channel"):
        if key in value:
            raise Malformed(f"{key} is not known beside {what}")
    if value.get("form", "events") != "events":
        delta = number(value.get("delta", 0), "delta")
        require_range("delta", delta, decide=True)
        if decided_sign(delta, "delta") != 0:
            raise Malformed(f"the pointwise form with a delta is not known beside {what}")

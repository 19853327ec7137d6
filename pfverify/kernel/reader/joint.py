"""Priors of several numbers at once, as a table states them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from core.coordinates import Joint, in_order, texts
from core.grammar import Malformed, bounded, shown
from core.kinds import law_kind
from core.shapes import array, exact_sum, rational, string, table
from reader.plain import require_plain
from reader.priors import require_name

MOST = 1000  # coordinates


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


def require_joint(
    value: Any, release: Any, beliefs: Mapping[str, Mapping[str, Any]]
) -> None:
    """Malformed unless all laws of a problem are of the same coordinates, and released as such."""
    laws = [law for of in beliefs.values() for law in of.values()]
    if any(law_kind(law) != "joint" for law in laws):
        raise Malformed("either all priors are joint or none is")
    if any(law.names != laws[0].names for law in laws):
        raise Malformed("joint priors must have the same names in the same order")
    if hasattr(release, "before"):  # steps, which no source sees
        apart = {"post", "form"} if hasattr(release, "choice") else {"post"}  # names are single
        value, release = {key: x for key, x in value.items() if key not in apart}, release.before
    require_plain(value, "joint priors")
    if release.each and len(release.each) != len(laws[0].names):
        raise Malformed(f"{len(release.each)} scales for {len(laws[0].names)} coordinates")
    if release.listed or release.how == "fresh":
        raise Malformed("joint priors go with releases of one X, not with scales or fresh draws")

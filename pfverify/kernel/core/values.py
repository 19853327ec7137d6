"""The values of X under laws of atoms or of points, and each of them as a law."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.kinds import law_kind
from core.rules import Rejected
from core.work import spend

NOTHING, ONE = Fraction(0), Fraction(1)


def atoms_of(p: Any, q: Any) -> list[tuple[Any, Fraction, Fraction]]:
    """The values of X, and their masses under two laws."""
    kinds = {law_kind(law) for law in (p, q)}
    if kinds not in ({"atoms"}, {"joint"}):
        raise Rejected("this is for laws of atoms")
    first, second = (dict(law.rows) if kinds == {"joint"} else law for law in (p, q))
    spend(32 * (len(first) + len(second)))
    return [(x, first.get(x, NOTHING), second.get(x, NOTHING)) for x in {**first, **second}]


def point_of(law: Any, x: Any) -> Any:
    """A value of X, as a law like this one."""
    return law._replace(rows=((x, ONE),)) if law_kind(law) == "joint" else {x: ONE}

"""Steps of coupling certificates: plans, distances and their duals on the line, for the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pfverify.answers.coupling import SolvedPair
from pfverify.exact.decimals import decimal_text
from pfverify.model.question import Question
from pfverify.scales.coupling.best import CouplingScale
from pfverify.transport.cost import W1
from pfverify.transport.flow import WInfinity
from pfverify.transport.plan import Plan, exact_text

Step = dict[str, Any]
_LINE_BITS = 192  # of the enclosures that propose a coupling's dual values


def coupling_steps(pair: SolvedPair) -> list[Step]:
    """Return the steps that pin W_infinity and W_1 of a pair on the line, and bracket its scale."""
    steps = _distance_steps(pair.item, pair.infinity, pair.one)
    return steps if pair.best is None else steps + _line_steps(pair.item, pair.best)


def _distance_steps(item: Question, infinity: WInfinity, one: W1) -> list[Step]:
    """The steps that pin W_infinity and W_1."""
    reach = _number(infinity.distance.value)
    steps = [_step(item, "coupling", edges=_edges(infinity.plan), within=exact_text(reach))]
    if infinity.hall is not None:
        event = [str(x) for x in sorted(_number(x) for x in infinity.hall.event)]
        steps.append(_step(item, "no-coupling", below=exact_text(reach), set=event))
    # the kernel wants one Lipschitz function f on all atoms: u(x) = f(x) at the rows
    values = {_number(y): -v for y, v in zip(one.plan.columns, one.potential.columns, strict=True)}
    values |= {_number(x): u for x, u in zip(one.plan.rows, one.potential.rows, strict=True)}
    potential = [exact_text(values[point]) for point in sorted(values)]
    steps.append(
        _step(item, "cost", edges=_edges(one.plan), cost=exact_text(one.upper), potential=potential)
    )
    return steps


def _line_steps(item: Question, found: CouplingScale) -> list[Step]:
    """The steps that bracket the least scale at which the lines of a coupling fit.

    There are none for equal priors, which need no scale: W_infinity <= 0 says it all.
    """
    if found.upper == 0:
        return []
    shared = {"side": found.side, "bits": _LINE_BITS}
    steps = [
        _step(
            item, "lines-fit", edges=_rows(found.plan), scale=decimal_text(found.upper), **shared
        )
    ]
    if found.multipliers is not None:
        u, v, w = ([exact_text(value) for value in part] for part in found.multipliers)
        scale = decimal_text(found.lower)
        steps.append(_step(item, "lines-do-not-fit", u=u, v=v, w=w, scale=scale, **shared))
    return steps


def _step(item: Question, rule: str, **keys: Any) -> Step:
    return {"rule": rule, "belief": item.belief, "from": item.first, "to": item.second, **keys}


def _edges(plan: Plan) -> list[list[str]]:
    return _rows({(_number(x), _number(y)): mass for (x, y), mass in plan.masses().items()})


def _rows(masses: Mapping[tuple[Fraction, Fraction], Fraction]) -> list[list[str]]:
    return [[str(x), str(y), exact_text(mass)] for (x, y), mass in sorted(masses.items()) if mass]


def _number(point: object) -> Fraction:
    if not isinstance(point, Fraction):
        raise TypeError("the kernel's rules are about the line")
    return point

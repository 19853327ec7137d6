"""Procedures run exactly: their output is data for the rules, as if it had been typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from pfverify.errors import InputError
from pfverify.model.priors.discrete import Discrete
from pfverify.proof import algorithm_1
from pfverify.proof.instances import as_instance
from pfverify.proof.tables import TABLES
from pfverify.proof.terms import as_term
from pfverify.transport.line import monotone_plan


def masses_of(counts: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the masses of a table of counts: {value: count / sum}."""
    whole = sum(map(_fraction, counts.values()), Fraction(0))
    return {value: _term(_fraction(count) / whole) for value, count in counts.items()}


def plan(p: Mapping[Any, Any], q: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the monotone plan of two priors as a table {(x, x'): mass}, rows first.

    Source: noise-reduction paper (20).
    """
    found = monotone_plan(_prior(p), _prior(q))
    unit = found.denominator
    return {
        (_term(Fraction(x, unit)), _term(Fraction(z, unit))): _term(Fraction(mass, found.total))
        for x, z, mass in found.edges
    }


def trace_b(p: Mapping[Any, Any], q: Mapping[Any, Any], e: Any, z: Any, steps: Any) -> Any:
    """Return t_b of Algorithm 1 in column z after k = 0, 1, ... steps as a table {k: t_b}."""
    return _table(_run(p, q, e, z, steps).b)


def trace_c(p: Mapping[Any, Any], q: Mapping[Any, Any], e: Any, z: Any, steps: Any) -> Any:
    """Return t_c of Algorithm 1 in column z as a table {k: t_c}."""
    return _table(_run(p, q, e, z, steps).c)


def algorithm_1_scale(p: Mapping[Any, Any], q: Mapping[Any, Any], e: Any) -> str:
    """Return the noise parameter that Algorithm 1 returns (e = e^epsilon) as text "1/log(t)"."""
    return f"1/log({algorithm_1.run(_prior(p), _prior(q), _fraction(e))})"


def _run(p: Any, q: Any, e: Any, z: Any, steps: Any) -> algorithm_1.Run:
    columns, n = algorithm_1.columns(_prior(p), _prior(q), _fraction(e))
    if (column := columns.get(_fraction(z))) is None:
        raise InputError(f"column {z} has no mass off the diagonal")
    return algorithm_1.run_column(column, n, limit=int(steps))


def _table(points: tuple[Fraction, ...]) -> dict[Any, Any]:
    return {_term(Fraction(k)): _term(point) for k, point in enumerate(points)}


def _fraction(value: Any) -> Fraction:
    found = as_instance(value=value).values["value"].fraction
    if found is None:
        raise InputError("expected a rational number")
    return found


def _prior(table: Mapping[Any, Any]) -> Discrete:
    masses: dict[Any, Fraction] = {}
    for (point,), mass in as_instance(prior=dict(table)).tables["prior"].items():
        if mass.fraction is None:
            raise InputError("a mass must be rational")
        masses[point] = mass.fraction
    return Discrete(mass=masses)


def _term(value: Fraction) -> Any:
    return as_term(value)


PROCEDURES: dict[str, Callable[..., Any]] = {
    "masses_of": masses_of, "plan": plan,
    "trace_b": trace_b, "trace_c": trace_c, "algorithm_1_scale": algorithm_1_scale,
    **TABLES,
}  # fmt: skip

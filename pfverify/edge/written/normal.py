"""Normal laws, mixtures and atoms: their densities in closed form, at the worst output."""

from __future__ import annotations

from fractions import Fraction

from pfverify.answers.outcome import event_text
from pfverify.decide.charts.compared import ChartComparison
from pfverify.decide.charts.order import OneOrder, Proof
from pfverify.decide.charts.supremum import largest_excess
from pfverify.decide.charts.witness import rounded as rounded_event
from pfverify.decide.charts.witness import spans
from pfverify.edge.words import brief
from pfverify.edge.written.asked import (
    SENTENCES,
    SHOWN,
    Worst,
    added,
    and_more,
    event_lines,
    intervals,
    rounded,
    rounding_line,
    sum_lines,
)
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, raw
from pfverify.exact.decimals import decimal_nearest, decimal_text
from pfverify.exact.grid import Grid
from pfverify.laws.laplace import LaplaceLaw
from pfverify.laws.normal import NormalLaw
from pfverify.laws.rate import Rate
from pfverify.model.notion import Bound
from pfverify.model.priors.prior import Component

_DIGITS = 12  # of the place of the largest excess
_NEXT = 10**10  # a decimal of 12 digits is nearer to its number than this part of it
_EVENT = Grid(6)  # of the ends of an event that is shown


def lines(worst: Worst) -> list[str]:
    """Return both densities at the worst output, or their limits; for events the divergence."""
    compared = worst.compared
    if not isinstance(compared, ChartComparison):
        raise InputError("--explain: these are no densities")
    order, bound = compared.order, compared.target.bound
    if bound is Bound.DIVERGENCE:
        return event_lines(worst, _inside(worst, order), ", other numbers are rounded down.")
    if order.equal:
        same = f"Both priors are the same law ({worst.pair}), so p(y) = q(y) everywhere."
        sides = ("p(y)", "e^epsilon q(y)" + " + delta" * (bound is Bound.EXCESS))
        return [same, worst.verdict_line(*sides)]
    if bound is Bound.RATIO and worst.limit is not None:
        told = tail_lines(worst, order, worst.limit)
        return [*told, *_why(worst, order), rounding_line("limits")]
    y = _exact_place(order, worst.y) if bound is Bound.RATIO else _place_of_excess(order)
    if y is None:
        return [f"p(y) - e^epsilon q(y) is positive nowhere, {worst.pair}.",
                *_why(worst, order), worst.verdict_line("0", "delta"),
                rounding_line("limits")]  # fmt: skip
    return [*_point(worst, order, y), *_why(worst, order), rounding_line("densities")]


def _exact_place(order: OneOrder, y: Fraction) -> Fraction:
    """The atom that y is a decimal of, where atoms are released as they are; else y."""
    if not order.release.bare:
        return y
    atoms = (part.mean for part in (*order.p, *order.q) if not part.variance)
    return next((atom for atom in atoms if abs(atom - y) <= abs(y) / _NEXT), y)


def _place_of_excess(order: OneOrder) -> Fraction | None:
    """A decimal next to where one output exceeds e^epsilon q most; None where none exceeds it."""
    where = largest_excess(order).where
    return Fraction(decimal_nearest(where, _DIGITS)) if isinstance(where, Fraction) else None


# ---------------------------------------------------------------- one output


def _point(worst: Worst, order: OneOrder, y: Fraction) -> list[str]:
    told = [f"The worst output is next to y = {decimal_text(y)}, {worst.pair}.", law_line(order)]
    sides, values = (order.p, order.q), []
    masses = order.release.bare and _atom_at(order.p, y) is not None
    for name, side in zip(worst.names, sides, strict=True):
        if masses:
            atom = _atom_at(side, y)
            values.append(raw(0 if atom is None else atom.weight))
            mass = "0: there is no atom" if atom is None else str(atom.weight)
            told.append(f"P(Y = y | {name}) = {mass}")
        elif order.release.bare and not any(part.variance for part in side):
            values.append(raw(0))
            told.append(f"p(y | {name}) = 0: there are atoms only")
        else:
            shown, value = densities(order, name, side, y)
            values.append(value)
            told += shown
    witness = worst.directed.witness
    if worst.directed.refuted and witness is not None and witness.y:
        bound, _ = worst.bounded(values[1])
        if not values[0] > bound:
            return _point(worst, order, Fraction(str(witness.y)))  # not at so short a decimal
    return [*told, *worst.compared_lines(values)]


def law_line(order: OneOrder) -> str:
    """Return what the noise makes of a normal law and an atom, in words."""
    laws = SENTENCES["law"]
    if order.release.rate is not None:
        return laws["laplace"].format(brief_number(order.release.rate))
    return laws["bare"] if order.release.bare else laws["normal"].format(
        brief(str(order.release.added))
    )  # fmt: skip


def brief_number(rate: Rate) -> str:
    """Return the scale of Laplace noise: a decimal or fraction, or its exact text."""
    scale = rate.scale
    return scale.text if scale.fraction is None else decimal_text(scale.fraction)


def _atom_at(side: tuple[Component, ...], y: Fraction) -> Component | None:
    return next((part for part in side if not part.variance and part.mean == y), None)


def densities(
    order: OneOrder, name: str, side: tuple[Component, ...], y: Fraction
) -> tuple[list[str], Raw]:
    """Return the density of one prior at y as a sum over its components, and what it is."""
    terms = [
        _normal_term(part, y, order.release.added) if order.release.rate is None
        else _laplace_term(part, y, order.release.rate)
        for part in side
        if part.variance or not order.release.bare
    ]  # fmt: skip
    terms.sort(key=lambda term: -Ball(term[0]).midpoint())
    total = added(terms)[0]
    shown = [text for _, text in terms[:SHOWN]]
    return sum_lines(f"p(y | {name})", shown, terms, total), total


def name_of(part: Component) -> str:
    """Return a component in symbols, with its weight unless that is 1."""
    law = f"N({brief(str(part.mean))}, {brief(str(part.variance))})"
    if not part.variance:
        law = f"the atom {brief(str(part.mean))}"
    return law if part.weight == 1 else f"{brief(str(part.weight))} of {law}"


def _laplace_term(part: Component, y: Fraction, rate: Rate) -> tuple[Raw, str]:
    """The weighted density of a component, with how it comes about."""
    law = LaplaceLaw([_alone(part)], rate.ball().raw)
    size = raw(part.weight) * law.density(y)
    if not part.variance:
        return size, f"{name_of(part)}: {rounded(size)}"
    z, (a, b) = raw(y - part.mean) / raw(part.variance).sqrt(), law.sides(y)
    text = f"z = {_signed(z)}, A = {rounded(a)}, B = {rounded(b)}, weighted"
    return size, f"{name_of(part)}: {text} {rounded(size)}"


def _normal_term(part: Component, y: Fraction, added: Fraction) -> tuple[Raw, str]:
    density = NormalLaw([_alone(part)], added).density(y)
    size = raw(part.weight) * density
    return size, f"{name_of(part)}: {rounded(density)}, weighted {rounded(size)}"


def _alone(part: Component) -> Component:
    return part._replace(weight=Fraction(1))


def _signed(value: Raw) -> str:
    """A number of either sign, its size rounded down."""
    return f"-{rounded(-value)}" if value < 0 else rounded(value)


# ---------------------------------------------------------------- the limit of a tail


def tail_lines(worst: Worst, order: OneOrder, tail: str) -> list[str]:
    """Return what the ratio of the densities tends to, "inf" or "-inf", and how it compares."""
    told = [f"The ratio is largest in the limit y -> {tail}, {worst.pair}."]
    if order.release.rate is None:
        return [*told, *_normal_tail(worst, order, 1 if tail == "inf" else -1)]
    sign = "" if tail == "inf" else "-"
    scale, rate = brief_number(order.release.rate), order.release.rate.ball().raw
    told.append(SENTENCES["tail"]["laplace"].format(sign=sign, scale=scale))
    values = []
    for name, parts in zip(worst.names, (order.p, order.q), strict=True):
        sizes = [LaplaceLaw([part], rate).transform(-1 if sign else 1) for part in parts]
        total, shown = added([
            (size, f"{rounded(size)} ({name_of(part)})")
            for part, size in zip(parts, sizes, strict=True)
        ])
        values.append(total)
        told.append(f"{name}: {shown}" + (f" = {rounded(total)}" if len(parts) > 1 else ""))
    return [*told, *worst.limit_lines(rounded(values[0] / values[1]))]


def _normal_tail(worst: Worst, order: OneOrder, sign: int) -> list[str]:
    """Of normal laws the widest, then the outermost, decides a tail, +1 or -1."""

    def rank(part: Component) -> tuple[Fraction, Fraction]:
        return part.variance, sign * part.mean

    bare = order.release.bare
    first, second = (
        max((part for part in side if part.variance or not bare), key=rank)
        for side in (order.p, order.q)
    )
    if rank(first) > rank(second):
        limit, why = "inf", "The first one outgrows the second, so p/q -> inf."
    elif rank(first) < rank(second):
        limit, why = "0", "The second one outgrows the first, so p/q -> 0."
    else:
        limit = str(first.weight / second.weight)
        why = f"They are alike, so p/q -> the ratio of their weights, {limit}."
    heads = SENTENCES["tail"]["normal"].format(*map(name_of, (first, second)), *worst.names)
    growth = rounded(order.target.exp_epsilon())
    return [law_line(order), heads, why, worst.verdict_line(limit, growth)]


# ---------------------------------------------------------------- events


def _inside(worst: Worst, order: OneOrder) -> list[str]:
    """The event with its ends, where it is no witness, and its probabilities."""
    told, event = [law_line(order)], _event(worst)
    if not event:
        return told
    if worst.directed.witness is None:
        told.append(f"B, its ends rounded: {intervals(event_text(spans(event)))}")
    if order.release.rate is not None:
        told.append(
            "P(Y <= y) of a normal law is Phi(z) - (A - B)/2, and B sums its differences (F6)."
        )
    if order.release.bare:  # an atom at an end would belong to B or not
        return told
    measured = order.measured(order.target.of_events())
    parts = [measured.mass(low, high) for low, high in event]
    p, q = (sum(masses, raw(0)) for masses in zip(*parts, strict=True))
    masses = [
        f"P(B | {name}) = {rounded(mass)}" for name, mass in zip(worst.names, (p, q), strict=True)
    ]
    return [*told, *masses, worst.grown_line(q)]


def _event(worst: Worst) -> list[tuple[Fraction | None, Fraction | None]]:
    """The event of the witness, or where a chart shows p > e^epsilon q, its ends rounded."""
    witness, proof = worst.directed.witness, worst.directed.proof
    if witness is not None and witness.event:
        return [(_end(str(low)), _end(str(high))) for low, high in witness.event]
    if isinstance(proof, Proof) and proof.chart is not None:
        return rounded_event(proof.chart.runs(1), _EVENT)
    return []


def _end(text: str) -> Fraction | None:
    return None if text in ("-inf", "inf") else Fraction(text)


# ---------------------------------------------------------------- why nothing is worse


def _why(worst: Worst, order: OneOrder) -> list[str]:
    """Why no other output is worse, or why one is enough."""
    found, why = worst.directed, worst.not_certified()
    if found.refuted and found.witness is not None and found.witness.y is not None:
        return [f"At y = {found.witness.y} it fails by {found.witness.margin}.", *why]
    if why:
        return why
    if isinstance(found.proof, Proof) and found.proof.plan is not None:
        return _plan(order, found.proof)
    return [SENTENCES["why"]["cover"]]


def _plan(order: OneOrder, proof: Proof) -> list[str]:
    """The coupling of components whose edges hold one by one."""
    if order.release.rate is None or proof.plan is None:
        raise InputError("--explain: a plan of components is about Laplace noise")
    rate = order.release.rate.ball().raw
    told = [SENTENCES["why"]["plan"]]
    for i, k, mass in proof.plan[:SHOWN]:
        a, b = order.p[i], order.q[k]
        need = raw(abs(a.mean - b.mean)) * rate + raw(a.variance - b.variance) * rate * rate / 2
        told.append(f"  {mass}: {name_of(_alone(a))} -> {name_of(_alone(b))} needs {rounded(need)}")
    told += and_more(proof.plan, "more edges")
    return [*told, f"epsilon = {rounded(order.target.epsilon.ball().raw)}, so no output is worse."]

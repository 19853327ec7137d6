"""Normal laws, mixtures and atoms: their densities in closed form, at the worst output."""

from __future__ import annotations

from fractions import Fraction

from pfverify.answers.outcome import event_text
from pfverify.decide.charts.compared import ChartComparison
from pfverify.decide.charts.order import OneOrder, Proof
from pfverify.decide.charts.release import Parts
from pfverify.decide.charts.supremum import largest_excess
from pfverify.decide.charts.witness import rounded as rounded_event
from pfverify.decide.charts.witness import spans
from pfverify.edge.written.asked import (
    SENTENCES,
    SHOWN,
    Term,
    Worst,
    and_more,
    event_lines,
    intervals,
    of_kind,
    rounded,
    rounding_line,
    summed,
)
from pfverify.edge.written.tails import name_of, short, tails_of
from pfverify.exact.ball import Raw, raw
from pfverify.exact.decimals import decimal_nearest, decimal_text
from pfverify.exact.grid import Grid
from pfverify.laws.laplace import LaplaceLaw
from pfverify.laws.rate import Rate
from pfverify.model.notion import Bound
from pfverify.model.priors.prior import Component

_DIGITS = 12  # of the place of the largest excess
_NEXT = 10**10  # a decimal of 12 digits is nearer to its number than this part of it
_EVENT = Grid(6)  # of the ends of an event that is shown
_TAIL = SENTENCES["tail"]


def lines(worst: Worst) -> list[str]:
    """Return both densities at the worst output, or their limits; for events the divergence."""
    order, bound = of_kind(worst.compared, ChartComparison).order, worst.compared.target.bound
    if bound is Bound.DIVERGENCE:
        return event_lines(worst, _inside(worst, order), ", other numbers are rounded down.")
    if order.equal:
        return worst.same_lines(SENTENCES["why"]["same"])
    if bound is Bound.RATIO and worst.limit is not None:
        told = tail_lines(worst, order, worst.limit)
        return [*told, *_why(worst, order), rounding_line("limits")]
    if bound is Bound.RATIO:
        return [*_point(worst, order, _exact_place(order, worst.y)), rounding_line("densities")]
    where = largest_excess(order).where
    if not isinstance(where, Fraction):
        return [_TAIL["nowhere"].format(pair=worst.pair), *_why(worst, order),
                worst.verdict_line("0", "delta"), rounding_line("limits")]  # fmt: skip
    y = Fraction(decimal_nearest(where, _DIGITS))
    return [*_point(worst, order, y), rounding_line("densities")]


def _exact_place(order: OneOrder, y: Fraction) -> Fraction:
    """The atom that y is a decimal of, where atoms are released as they are; else y."""
    atoms = (part.mean for part in (*order.p, *order.q) if order.release.bare and not part.variance)
    return next((atom for atom in atoms if abs(atom - y) <= abs(y) / _NEXT), y)


# ---------------------------------------------------------------- one output


def _point(worst: Worst, order: OneOrder, y: Fraction) -> list[str]:
    told = [f"The worst output is next to y = {decimal_text(y)}, {worst.pair}.", _said(worst)]
    shown, values = _values(worst, order, y)
    witness = worst.directed.witness
    if worst.directed.refuted and witness is not None and witness.y:
        bound, _ = worst.bounded(values[1])
        if not values[0] > bound:  # not at so short a decimal
            return _point(worst, order, Fraction(str(witness.y)))
    return [*told, *shown, *worst.compared_lines(values), *_why(worst, order)]


def _values(worst: Worst, order: OneOrder, y: Fraction) -> tuple[list[str], list[Raw]]:
    """Both densities at y, of atoms without noise their masses: in lines and in value."""
    bare, sides = order.release.bare, (order.p, order.q)
    atoms = [_atom_at(side, y) for side in sides]
    if bare and atoms[0] is not None:
        masses = ("0: there is no atom" if atom is None else str(atom.weight) for atom in atoms)
        named = zip(worst.names, masses, strict=True)
        told = [f"P(Y = y | {name}) = {mass}" for name, mass in named]
        return told, [raw(0 if atom is None else atom.weight) for atom in atoms]
    tails = tails_of(worst.item.release.noise)
    shares = (
        [tails.density(part, y) for part in side if part.variance or not bare] for side in sides
    )
    return worst.sums("p(y", shares, none="there are atoms only")


def _atom_at(side: Parts, y: Fraction) -> Component | None:
    return next((part for part in side if not part.variance and part.mean == y), None)


def _said(worst: Worst) -> str:
    return tails_of(worst.item.release.noise).said("density", normal=True)


# ---------------------------------------------------------------- the limit of a tail


def tail_lines(worst: Worst, order: OneOrder, tail: str) -> list[str]:
    """Return what the ratio of the densities tends to, "inf" or "-inf", and how it compares."""
    told = [_TAIL["limit"].format(tail=tail, pair=worst.pair)]
    if order.release.rate is None:
        return [*told, *_normal_tail(worst, order, 1 if tail == "inf" else -1)]
    sign, rate = "" if tail == "inf" else "-", order.release.rate
    scale = rate.scale.text if rate.scale.fraction is None else short(rate.scale.fraction)
    told.append(_TAIL["laplace"].format(sign=sign, scale=scale))
    values = []
    for name, parts in zip(worst.names, (order.p, order.q), strict=True):
        shown, total = summed(_far_out(part, rate, -1 if sign else 1) for part in parts)
        values.append(total)
        told.append(f"{name}: {shown}" + (f" = {rounded(total)}" if len(parts) > 1 else ""))
    return [*told, *worst.limit_lines(rounded(values[0] / values[1]))]


def _far_out(part: Component, rate: Rate, side: int) -> Term:
    """What a component gives the limit of a tail, with Laplace noise."""
    size = LaplaceLaw([part], rate.ball().raw).transform(side)
    return size, lambda: f"{rounded(size)} ({name_of(part)})"


def _normal_tail(worst: Worst, order: OneOrder, sign: int) -> list[str]:
    """Of normal laws the widest, then the outermost, decides a tail, +1 or -1."""

    def rank(part: Component) -> tuple[Fraction, Fraction]:
        return part.variance, sign * part.mean

    bare = order.release.bare
    first, second = (
        max((part for part in side if part.variance or not bare), key=rank)
        for side in (order.p, order.q)
    )
    if rank(first) == rank(second):
        limit = str(first.weight / second.weight)
        why = _TAIL["alike"].format(limit)
    else:
        limit = "inf" if rank(first) > rank(second) else "0"
        why = _TAIL["first" if limit == "inf" else "second"]
    heads = _TAIL["normal"].format(*map(name_of, (first, second)), *worst.names)
    growth = rounded(order.target.exp_epsilon())
    return [_said(worst), heads, why, worst.verdict_line(limit, growth)]


# ---------------------------------------------------------------- events


def _inside(worst: Worst, order: OneOrder) -> list[str]:
    """The event with its ends, where it is no witness, and its probabilities."""
    told, event = [_said(worst)], _event(worst)
    if not event:
        return told
    if worst.directed.witness is None:
        told.append(f"B, its ends rounded: {intervals(event_text(spans(event)))}")
    if order.release.rate is not None:
        told.append(_TAIL["distribution"])
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
    found = worst.directed
    if found.refuted and found.witness is not None and found.witness.y is not None:
        return [f"At y = {found.witness.y} it fails by {found.witness.margin}.",
                *worst.why("cover")]  # fmt: skip
    if found.certified and isinstance(found.proof, Proof) and found.proof.plan is not None:
        return _plan(order, found.proof)
    return worst.why("cover")


def _plan(order: OneOrder, proof: Proof) -> list[str]:
    """The coupling of components whose edges hold one by one."""
    rate = of_kind(order.release.rate, Rate).ball().raw
    edges = proof.plan or []
    told = [SENTENCES["why"]["plan"]]
    for i, k, mass in edges[:SHOWN]:
        a, b = (part._replace(weight=Fraction(1)) for part in (order.p[i], order.q[k]))
        need = raw(abs(a.mean - b.mean)) * rate + raw(a.variance - b.variance) * rate * rate / 2
        told.append(f"  {mass}: {name_of(a)} -> {name_of(b)} needs {rounded(need)}")
    told += and_more(edges, "more edge")
    return [*told, f"epsilon = {rounded(order.target.epsilon.ball().raw)}, so no output is worse."]

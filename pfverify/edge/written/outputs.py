"""Outputs that can be counted: those of a channel that is written out, or atoms without noise."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pfverify.edge.words import brief
from pfverify.edge.written.asked import (
    INTERVALS,
    SENTENCES,
    SHOWN,
    Worst,
    above_delta,
    and_more,
    event_lines,
    rounded,
    rounding_line,
)
from pfverify.edge.written.tails import Tails
from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Raw, raw
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import Number
from pfverify.laws.kinds import form_of, law_of
from pfverify.laws.masses import Masses, PointMasses
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import Entry, as_number, folded, text_of, total
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
from pfverify.model.notion import Bound
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint, point_text
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Release

_LONG = 40  # characters of an exact mass that is written as it is
DOTS = SENTENCES["rounding"]["masses"]
"""How masses are rounded; the end of a sentence."""

Law = Mapping[str, Entry]
"""Output, as it is printed -> its exact mass."""


def lines(worst: Worst) -> list[str]:
    """Return the exact masses of the worst output, input by input; for events those of B."""
    first, second = (masses_of(prior, worst.item.release) for prior in worst.priors)
    if worst.compared.target.bound is Bound.DIVERGENCE:
        return event_lines(worst, _event(worst, first, second), f"; {DOTS}")
    return [*_output(worst, first, second), rounding_line("masses")]


def masses_of(prior: Prior, release: Release) -> Law:
    """Return the exact masses of all outputs; InputError where they cannot be counted."""
    if isinstance(prior, Joint):
        points = form_of(prior, release).outcomes
        if not isinstance(points, PointMasses):
            raise InputError("--explain: these outputs cannot be counted")
        return {point_text(x): mass for x, mass in points.masses.items()}
    law = law_of(prior, release)
    if not isinstance(law, Masses):
        raise InputError("--explain: these outputs cannot be counted")
    return {y if isinstance(y, str) else decimal_text(y): law.masses[y] for y in law.outputs}


# ---------------------------------------------------------------- one output


def _output(worst: Worst, first: Law, second: Law) -> list[str]:
    place, release = worst.directed.worst_y, worst.item.release
    y = decimal_text(place) if isinstance(place, Fraction) else str(place)
    target = worst.compared.target
    if target.bound is Bound.EXCESS:
        y = largest_excess(worst)
    shown = repr(shorten(y, _LONG)) if release.named else y
    told = [f"The worst output is y = {shown}, {worst.pair}."]
    if isinstance(release, Channel):
        told.append("P(y | secret) = sum over inputs x of prior(x) P(y | x):")
        told += _table(worst, release, release.outputs.index(y))
    elif isinstance(release, TableNoise):
        told.append(
            "Y = X + N, N from the noise table: P(y | secret) = sum over x of prior(x) w_x(y - x)."
        )
    elif isinstance(release, TruncatedDiscreteLaplace) and release.has_size:
        noise = Tails(release).said(normal=False)
        told.append(f"{noise} P(y | secret) = sum over x of prior(x) w(|y - x|).")
    else:
        told.append("Y = X, without noise: an output has the mass of its atom.")
    masses = [law.get(y, Fraction(0)) for law in (first, second)]
    for name, mass in zip(worst.names, masses, strict=True):
        told.append(f"P(y | {name}) = {spelled(mass)}")
    right = grown_text(target.epsilon, masses[1])
    told.append(
        f"e^epsilon * P(y | {worst.names[1]}) = {growth_text(target.epsilon)} * {exact(masses[1])} "
        f"= {right}"
    )
    if target.bound is Bound.EXCESS:
        bound = target.exp_epsilon() * as_number(masses[1]).ball().raw
        right = _dots(bound + target.delta.ball().raw)
        told.append(f"  plus delta = {worst.result.delta}: {right}")
    told.append(worst.verdict_line(exact(masses[0]), right))
    return [*told, *(worst.undecided() or [SENTENCES["why"]["masses"]])]


def largest_excess(worst: Worst) -> str:
    """Return the output with the largest p - e^epsilon q."""
    first, second = (masses_of(prior, worst.item.release) for prior in worst.priors)
    return next(iter(_excesses(worst, first, second)))


def _excesses(worst: Worst, first: Law, second: Law) -> dict[str, Raw]:
    """Output -> p - e^epsilon q there, the largest first."""
    growth = worst.compared.target.exp_epsilon()
    found = {}
    for y in dict.fromkeys((*first, *second)):
        p, q = (as_number(law.get(y, Fraction(0))).ball().raw for law in (first, second))
        found[y] = p - growth * q
    return dict(sorted(found.items(), key=lambda entry: -float(entry[1].mid())))


def _table(worst: Worst, channel: Channel, column: int) -> list[str]:
    """The inputs, with both priors and the entry of the output, those with a mass first."""
    one, two = (prior.support for prior in worst.priors if isinstance(prior, Finite))
    inputs = [x for x in channel.inputs if one.get(x) or two.get(x)]
    told = []
    for x in inputs[:SHOWN]:
        masses = ", ".join(
            f"{brief(str(law.get(x, Fraction(0))))} under {name}"
            for law, name in zip((one, two), worst.names, strict=True)
        )
        entry = spelled(channel.row(x)[column])
        told.append(f"  x = {shorten(x, _LONG)!r}: prior {masses}; P(y | x) = {entry}")
    return [*told, *and_more(inputs, "more inputs")]


# ---------------------------------------------------------------- events


def _event(worst: Worst, first: Law, second: Law) -> list[str]:
    """The outputs of B, with their masses, and what they come to."""
    epsilon = worst.compared.target.epsilon
    excesses = _excesses(worst, first, second)
    event = [y for y, excess in excesses.items() if excess > 0]
    if not event:
        return ["No output has p(y) > e^epsilon q(y): B is empty."]
    quoted = worst.problem.release.named
    told = [f"e^epsilon = {growth_text(epsilon)}; the outputs of B:"]
    for y in event[:INTERVALS]:
        name = repr(shorten(y, _LONG)) if quoted else y
        p, q = (exact(law.get(y, Fraction(0))) for law in (first, second))
        told.append(f"  y = {name}: {p} under {worst.names[0]}, {q} under {worst.names[1]}")
    if len(event) > INTERVALS:
        told.append(f"  ({len(event) - INTERVALS} more outputs)")
    masses = []
    for law, name in zip((first, second), worst.names, strict=True):
        whole = total(law.get(y, Fraction(0)) for y in event)
        masses.append(whole)
        told.append(f"P(B | {name}) = {exact(whole)}")
    told.append(f"e^epsilon P(B | {worst.names[1]}) = {grown_text(epsilon, masses[1])}")
    witness = worst.directed.witness
    return told if witness is None or witness.event else [*told, above_delta(witness)]


# ---------------------------------------------------------------- numbers


def exact(mass: Entry) -> str:
    """Return a mass as a fraction, or rounded down where that is long or it is none."""
    short = isinstance(mass, Fraction) and len(str(mass)) <= _LONG
    return str(mass) if short else _dots(as_number(mass).ball().raw)


def spelled(mass: Entry) -> str:
    """Return a mass as `exact` does, after its own form where that is short and no fraction."""
    text = text_of(mass)
    own = not isinstance(mass, Fraction) and len(text) <= _LONG
    return f"{text} = {exact(mass)}" if own else exact(mass)


def _dots(value: Raw) -> str:
    """A number rounded down, with dots; 0 is exact."""
    return "0" if value == raw(0) else f"{rounded(value)}..."


def growth_text(epsilon: Number) -> str:
    """Return e^epsilon: a fraction where it is one, else rounded down."""
    grown = _rational_growth(epsilon)
    return _dots(epsilon.ball().raw.exp()) if grown is None else exact(grown)


def grown_text(epsilon: Number, mass: Entry) -> str:
    """Return e^epsilon times a mass: a fraction where both are, else rounded down."""
    grown = _rational_growth(epsilon)
    if grown is not None and isinstance(mass, Fraction):
        return exact(grown * mass)
    return _dots(epsilon.ball().raw.exp() * as_number(mass).ball().raw)


def _rational_growth(epsilon: Number) -> Fraction | None:
    """e^epsilon where it is rational, as for log(3)."""
    try:
        grown = folded(epsilon.exp())
    except InputError:  # too large to be written
        return None
    return grown if isinstance(grown, Fraction) else None

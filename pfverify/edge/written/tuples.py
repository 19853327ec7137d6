"""Tuples with dummies: what decides them is the law of one output."""

from __future__ import annotations

from fractions import Fraction

from pfverify.edge.written.asked import (
    SENTENCES,
    SHOWN,
    Worst,
    above_delta,
    and_more,
    event_lines,
    rounding_line,
)
from pfverify.edge.written.outputs import DOTS, Law, exact, grown_text, growth_text, masses_of
from pfverify.errors import InputError, shorten
from pfverify.model.channels.tupling import Tupling
from pfverify.model.notion import Bound

_LONG = 40  # characters of an output's name


def lines(worst: Worst) -> list[str]:
    """Return the masses of the base's output that makes the worst tuple; for events all of them."""
    channel = worst.problem.release
    if not isinstance(channel, Tupling):
        raise InputError("--explain: these are no tuples with dummies")
    first, second = (masses_of(prior, channel.base) for prior in worst.priors)
    dummies = "1 dummy" if channel.dummies == 1 else f"{channel.dummies} dummies"
    places = f"{dummies} and the true output, in a random order"
    told = [f"The release is a tuple of {places}, {worst.pair}.", SENTENCES["law"]["tuples"]]
    if worst.compared.target.bound is Bound.RATIO:
        return [*told, *_ratio(worst, first, second), rounding_line("masses")]
    return [*told, *event_lines(worst, _event(worst, channel, first, second), f"; {DOTS}")]


def _ratio(worst: Worst, first: Law, second: Law) -> list[str]:
    y = str(worst.directed.worst_y)
    one, two = worst.names
    epsilon = worst.compared.target.epsilon
    right = grown_text(epsilon, second[y])
    return [
        SENTENCES["law"]["worst-tuple"].format(repr(shorten(y, _LONG))),
        f"a(y | {one}) = {exact(first[y])}",
        f"a(y | {two}) = {exact(second[y])}",
        f"e^epsilon * a(y | {two}) = {growth_text(epsilon)} * {exact(second[y])} = {right}",
        worst.verdict_line(exact(first[y]), right),
    ]


def _event(worst: Worst, channel: Tupling, first: Law, second: Law) -> list[str]:
    one, two = worst.names
    told = ["The outputs o of the base:"]
    rows = list(zip(first, first.values(), second.values(), channel.dummy, strict=True))
    for name, a, b, dummy in rows[:SHOWN]:
        masses = f"a = {exact(a)} under {one}, {exact(b)} under {two}"
        told.append(f"  {shorten(name, _LONG)!r}: {masses}; nu = {exact(dummy)}")
    told += and_more(rows, "more outputs")
    witness = worst.directed.witness
    if witness is not None and witness.growth is not None:
        told.append(_where(str(witness.growth)))
        told.append(above_delta(witness))
    return [*told, f"e^epsilon = {growth_text(worst.compared.target.epsilon)}"]


def _where(growth: str) -> str:
    """The event of a witness, in words."""
    if growth == "inf":
        return "B: the tuples with Q(y) = 0"
    return f"B: the tuples whose ratio P(y)/Q(y) is above {exact(Fraction(growth))}"

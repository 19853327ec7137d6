"""Divergences of all orders over their orders: what proves the bound, or the order that exceeds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.decide.renyi.chords import Exceeded, KeptByOrders
from pfverify.decide.renyi.concentrated import ConcentratedComparison
from pfverify.edge.words import plain
from pfverify.edge.written.asked import SHOWN, Worst, and_more, rounded, rounding_line
from pfverify.exact.ball import raw
from pfverify.exact.decimals import decimal_text


def lines(worst: Worst, compared: ConcentratedComparison) -> list[str]:
    """Return the orders that are looked at with their divergences, what lies beyond, the verdict.
    """
    (one, two), rho = worst.names, plain(compared.target.epsilon.text)
    head = [
        f"The worst order is {worst.pair}.",
        "For every order a > 1, g(a) = log of the sum, or integral, of q (p/q)^a over all outputs, "
        f"p those of {one} and q of {two}, is to be at most rho a (a-1), rho = {rho}; the "
        "divergence of order a is g(a)/(a-1).",
    ]
    found = compared.found
    if compared.equal:
        return [*head, "Both laws are the same: g = 0.", worst.verdict_line("0", rho)]
    if isinstance(found, Exceeded):
        if found.order is None:
            size = rounded(raw(compared.far.limit))
            told = f"As a grows g(a)/(a (a-1)) comes to {size}: p has atoms beyond those of q."
            return [*head, told, worst.verdict_line(size, rho)]
        order = _text(found.order)
        if compared.at(found.order).infinite:
            return [*head, f"g({order}) is infinite.", worst.verdict_line("infinity", rho)]
        size = _over(compared, found.order)
        told = f"For a = {order} the divergence over the order, g(a)/(a (a-1)), is {size}"
        return [*head, told, worst.verdict_line(size, rho), f"{rounding_line('events')}."]
    if not isinstance(found, KeptByOrders):
        return [*head, *worst.undecided()]
    shown = found.orders[:SHOWN]
    return [
        *head,
        *_chords(compared, found, shown),
        *and_more(found.orders, "further orders"),
        *_beyond(found, rho),
        worst.verdict_line("the largest divergence over its order", rho),
        f"{rounding_line('events')}.",
    ]


def _chords(
    compared: ConcentratedComparison, found: KeptByOrders, shown: Sequence[Fraction]
) -> list[str]:
    if not found.orders:
        return []
    return [
        "g is convex and g(1) = 0, so that between two orders it is below the chord of its values, "
        "which is below rho a (a-1); the divergence over the order is",
        *(f"  {_over(compared, order)} at a = {_text(order)}" for order in shown),
    ]


def _beyond(found: KeptByOrders, rho: str) -> list[str]:
    loss, rise = (_text(x) for x in (found.beyond.loss, found.beyond.rise))
    bound = loss if rise == "0" else f"{rise} a" if loss == "0" else f"{loss} + {rise} a"
    last = _text(found.orders[-1]) if found.orders else "1"
    said = f"Divergences of every order a are at most {bound}"
    return [f"{said}, which from a = {last} on is at most {rho} a."]


def _over(compared: ConcentratedComparison, order: Fraction) -> str:
    return rounded(compared.at(order).divergence_ball() / raw(order))


def _text(value: Fraction) -> str:
    return plain(str(value)) if value.denominator > 1 else decimal_text(value)

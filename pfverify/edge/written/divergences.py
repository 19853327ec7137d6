"""Renyi divergences: what one of them comes to, or of all orders what proves the bound."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pfverify.decide.renyi.bounded import BoundedComparison
from pfverify.decide.renyi.chords import Exceeded, KeptByOrders
from pfverify.decide.renyi.compared import RenyiComparison
from pfverify.decide.renyi.concentrated import ConcentratedComparison
from pfverify.edge.words import plain
from pfverify.edge.written.asked import (
    SENTENCES,
    SHOWN,
    Worst,
    and_more,
    enclosed,
    rounded,
    rounding_line,
)
from pfverify.exact.ball import raw
from pfverify.exact.decimals import decimal_text

_SAID = SENTENCES["divergence"]


def lines(worst: Worst, compared: RenyiComparison | ConcentratedComparison) -> list[str]:
    """Return what is bounded, the numbers that decide it, and the verdict."""
    (one, two), epsilon = worst.names, plain(compared.target.epsilon.text)
    head = f"The worst order is {worst.pair}."
    if isinstance(compared, RenyiComparison):
        told, order = _of_order(worst, compared, epsilon), compared.moment.order
        said = _SAID["order"].format(order=order, one=one, two=two, less=order - 1)
    else:
        told = _of_orders(worst, compared, epsilon)
        said = _SAID["orders"].format(one=one, two=two, rho=epsilon)
    return [head, said, *told]


def _ended(worst: Worst, left: str, bound: str) -> list[str]:
    """The verdict, and how numbers are rounded."""
    return [worst.verdict_line(left, bound), *worst.undecided(), f"{rounding_line('events')}."]


def _of_order(worst: Worst, compared: RenyiComparison, epsilon: str) -> list[str]:
    """The number that a divergence is the logarithm of, and the divergence."""
    moment, less = compared.moment, compared.moment.order - 1
    if moment.infinite:
        return [_SAID["infinite"], worst.verdict_line("infinity", epsilon)]
    if isinstance(compared, BoundedComparison) and not compared.equal:
        least = enclosed(compared.below.moment.divergence_ball())[0]
        most = enclosed(compared.above.moment.divergence_ball())[1]
        told = [_SAID[key].format(least=least, most=most) for key in ("between", "least", "most")]
        return [*told, *_ended(worst, least if compared.sign == 1 else most, epsilon)]
    number = raw(1) if compared.equal else moment.ball()
    found = rounded(number.log() / raw(less))
    told = [f"R = {rounded(number)}", f"log(R)/{less} = {found}"]
    return [*told, *_ended(worst, found, epsilon)]


def _of_orders(worst: Worst, compared: ConcentratedComparison, rho: str) -> list[str]:
    """The orders that are looked at, with their divergences, and what lies beyond."""
    match compared.found:
        case _ if compared.equal:
            return ["Both laws are the same: g = 0.", worst.verdict_line("0", rho)]
        case Exceeded(order=None):
            size = rounded(raw(compared.far.limit))
            return [_SAID["far"].format(size=size), worst.verdict_line(size, rho)]
        case Exceeded(order=Fraction() as order) if compared.at(order).infinite:
            told = f"g({_text(order)}) is infinite."
            return [told, worst.verdict_line("infinity", rho)]
        case Exceeded(order=Fraction() as order):
            size = _over(compared, order)
            told = _SAID["exceeded"].format(order=_text(order), size=size)
            return [told, *_ended(worst, size, rho)]
        case KeptByOrders() as found:
            told = "the largest divergence over its order"
            return [*_kept(compared, found, rho), *_ended(worst, told, rho)]
    return worst.undecided()


def _kept(compared: ConcentratedComparison, found: KeptByOrders, rho: str) -> Iterator[str]:
    if found.orders:
        yield _SAID["chords"]
    for order in found.orders[:SHOWN]:
        yield f"  {_over(compared, order)} at a = {_text(order)}"
    yield from and_more(found.orders, "further order")
    loss, rise = (_text(x) for x in (found.beyond.loss, found.beyond.rise))
    bound = loss if rise == "0" else f"{rise} a" if loss == "0" else f"{loss} + {rise} a"
    last = _text(found.orders[-1]) if found.orders else "1"
    yield _SAID["beyond"].format(bound=bound, last=last, rho=rho)


def _over(compared: ConcentratedComparison, order: Fraction) -> str:
    return rounded(compared.at(order).divergence_ball() / raw(order))


def _text(value: Fraction) -> str:
    return plain(str(value)) if value.denominator > 1 else decimal_text(value)

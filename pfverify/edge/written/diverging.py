"""A Renyi divergence: the number that it is the logarithm of, and how it compares with epsilon."""

from __future__ import annotations

from pfverify.decide.renyi.bounded import BoundedComparison
from pfverify.decide.renyi.compared import RenyiComparison
from pfverify.edge.words import plain
from pfverify.edge.written.asked import DIGITS, TooWide, Worst, rounded, rounding_line
from pfverify.exact.ball import Ball, raw
from pfverify.exact.decimals import enclosure_text


def lines(worst: Worst, compared: RenyiComparison) -> list[str]:
    """Return the number R, the divergence, how that compares with epsilon, and the verdict."""
    moment, (one, two) = compared.moment, worst.names
    order, epsilon = moment.order, plain(compared.target.epsilon.text)
    head = [
        f"The worst order is {worst.pair}.",
        f"R is the sum, or integral, of q (p/q)^{order} over all outputs, p those of {one} and q "
        f"of {two}; the divergence of order {order} is log(R)/{order - 1}.",
    ]
    if moment.infinite:
        return [*head, "An output is possible under p and not under q: R is infinite.",
                worst.verdict_line("infinity", epsilon)]  # fmt: skip
    if isinstance(compared, BoundedComparison) and not compared.equal:
        return [*head, *_between(worst, compared, epsilon)]
    number = raw(1) if compared.equal else moment.ball()
    found = rounded(number.log() / raw(order - 1))
    return [
        *head,
        f"R = {rounded(number)}",
        f"log(R)/{order - 1} = {found}",
        worst.verdict_line(found, epsilon),
        *worst.undecided(),
        f"{rounding_line('events')}.",
    ]


def _between(worst: Worst, compared: BoundedComparison, epsilon: str) -> list[str]:
    """What is known of R from both sides, and the verdict by the side that decides it."""
    low, high = (
        enclosure_text(Ball(side.moment.divergence_ball()), DIGITS)
        for side in (compared.below, compared.above)
    )
    if low is None or high is None:
        raise TooWide
    least, most = str(low[0]), str(high[1])
    return [
        "Of outputs of one X it is known between two numbers.",
        f"From below, by one of these outputs alone, or by the masses of cells: at least {least}.",
        "From above, by the average of R over a coupling, by one release that all are made of, or "
        f"by the corners of cells: at most {most}.",
        worst.verdict_line(least if compared.sign == 1 else most, epsilon),
        *worst.undecided(),
        f"{rounding_line('events')}.",
    ]

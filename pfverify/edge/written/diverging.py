"""A Renyi divergence: the number that it is the logarithm of, and how it compares with epsilon."""

from __future__ import annotations

from pfverify.decide.renyi.compared import RenyiComparison
from pfverify.edge.words import plain
from pfverify.edge.written.asked import Worst, rounded, rounding_line
from pfverify.exact.ball import raw


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

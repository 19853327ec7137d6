"""The expected quality loss, against the sum over all tuples of Definition 11."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

from contract.channel_cases import law, matrix
from support.tuples import tuple_law

from pfverify import Channel
from pfverify.exact.number import Number, number
from pfverify.model.channels.entries import as_number
from pfverify.model.channels.tupling import Tupling
from pfverify.scales.quality import quality_loss

F = Fraction


def on_a_line(x: str, y: str) -> Fraction:
    return F((int(x) - int(y)) ** 2)


def test_it_is_the_mean_over_all_tuples() -> None:
    rng = Random("quality")
    for _ in range(60):
        inputs, outputs = ([str(rng.randint(-6, 6)) for _ in range(9)] for _ in "xy")
        inputs, outputs = list(dict.fromkeys(inputs))[:3], list(dict.fromkeys(outputs))[:4]
        base = Channel.of(matrix(rng, inputs, outputs))
        dummies = rng.randint(1, 3)
        dummy = {name: str(mass) for name, mass in zip(outputs, law(rng, len(outputs)),
                                                       strict=True)}  # fmt: skip
        channel = Tupling(base, dummies, dummy)
        prior = dict(zip(inputs, law(rng, len(inputs)), strict=True))
        mean, alone = F(0), F(0)
        for x, weight in prior.items():
            for found, mass in tuple_law(base.row(x), channel.dummy, dummies).items():
                mean += weight * mass * min(abs(int(x) - int(outputs[y])) for y in found)
            for y, mass in zip(outputs, base.row(x), strict=True):
                alone += weight * mass * abs(int(x) - int(y))
        assert quality_loss(prior, channel, on_a_line) == mean
        assert quality_loss(prior, base, on_a_line) == alone


def test_more_dummies_never_cost_more() -> None:
    """Ledger row D28: the nearest of more entries is nearer."""
    rng = Random("nearer")
    fell = 0
    for _ in range(30):
        outputs = [str(k) for k in range(5)]
        base = Channel.of(matrix(rng, outputs, outputs))
        prior = dict(zip(outputs, law(rng, 5), strict=True))
        channels = [base, *(Tupling(base, k) for k in range(1, 8))]
        losses = [quality_loss(prior, channel, on_a_line) for channel in channels]
        assert all(isinstance(found, Fraction) for found in losses)
        assert all(b <= a for a, b in pairwise(losses))  # type: ignore[operator]
        fell += losses[-1] != losses[0]
    assert fell > 20


def test_distances_of_a_plane_are_sums_of_square_roots() -> None:
    places = {"a": (0, 0), "b": (1, 1), "c": (2, 0)}

    def square(x: str, y: str) -> Fraction:
        return F(sum((s - t) ** 2 for s, t in zip(places[x], places[y], strict=True)))

    response = {"kind": "randomized-response", "inputs": ["a", "b", "c"]}
    uniform = {name: F(1, 3) for name in places}
    found = quality_loss(uniform, Channel.of({**response, "truth": "1/2"}), square)
    # at each end the middle and the other end with 1/4 each; from the middle both ends
    expected = number("(2*(sqrt(2)+2)/4 + 2*sqrt(2)/4)/3")
    assert isinstance(found, Number)
    assert (found - expected).sign() == 0

    private = Channel.of({**response, "epsilon": "1"})  # masses e/(e+2) and 1/(e+2)
    found = quality_loss(uniform, Tupling(private, 2), square)
    less = quality_loss(uniform, Tupling(private, 3), square)
    assert (as_number(found) - as_number(less)).sign() == 1
    a_to_others = number("(2*(sqrt(2)+2) + 2*sqrt(2))/(exp(1)+2)/3")
    assert (as_number(quality_loss(uniform, private, square)) - a_to_others).sign() == 0

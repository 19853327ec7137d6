"""What a channel costs: the expected distance from the input to the output, exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from pfverify.exact.number import Number
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import Entry, product, total
from pfverify.model.channels.tupling import Tupling

Square = Callable[[str, str], Fraction]
"""The squared distance of an input and an output: squares sort as distances do, exactly."""
_NONE: Entry = Fraction(0)


def quality_loss(masses: Mapping[str, Fraction], channel: Channel, square: Square) -> Entry:
    """Return the expected quality loss: the mean distance from the input to what is released.

    Of a tuple it is the distance to its nearest entry. `masses` is the prior, input -> mass. The
    nearest of independent entries is beyond a distance where all are, so that distances are sorted
    and no tuple is visited. A Fraction where the loss is seen to be rational, else a sum of square
    roots of the squares that occur.
    Example: ``quality_loss({"0": Fraction(1)}, Channel.of({"kind": "matrix", "inputs": ["0"],
    "outputs": ["0", "3"], "rows": [["1/3", "2/3"]]}), lambda x, y: Fraction(int(y) - int(x)) **
    2)`` is 2.
    Source: distribution-privacy paper, Definition 11.
    """
    terms: dict[Fraction, list[Entry]] = {}
    for name, mass in masses.items():
        if mass:
            for far, chance in _distances(name, channel, square):
                terms.setdefault(far, []).append(product(mass, chance))
    return total(product(_root(far), total(chances)) for far, chances in terms.items() if far)


def _distances(name: str, channel: Channel, square: Square) -> Sequence[tuple[Fraction, Entry]]:
    """Return the law of the squared distance from an input to the nearest released output."""
    if not isinstance(channel, Tupling):
        return _near(name, channel.outputs, channel.row(name), square)
    base = channel.base
    value = dict(_near(name, base.outputs, base.row(name), square))
    dummy = dict(_near(name, base.outputs, channel.dummy, square))
    law: list[tuple[Fraction, Entry]] = []
    beyond, value_beyond, dummy_beyond = _NONE, _NONE, _NONE  # from the farthest to the nearest
    for far in sorted(value.keys() | dummy.keys(), reverse=True):
        value_beyond = total((value_beyond, value.get(far, _NONE)))
        dummy_beyond = total((dummy_beyond, dummy.get(far, _NONE)))
        all_beyond = product(value_beyond, _power(dummy_beyond, channel.dummies))
        law.append((far, total((all_beyond, product(Fraction(-1), beyond)))))
        beyond = all_beyond
    return law


def _near(
    name: str, outputs: Sequence[str], law: Sequence[Entry], square: Square
) -> list[tuple[Fraction, Entry]]:
    """Return the law of the squared distance of one draw."""
    found: dict[Fraction, list[Entry]] = {}
    for output, mass in zip(outputs, law, strict=True):
        if mass != 0:
            found.setdefault(square(name, output), []).append(mass)
    return [(far, total(chances)) for far, chances in found.items()]


def _power(value: Entry, exponent: int) -> Entry:
    if isinstance(value, Fraction):
        return value**exponent
    result: Entry = Fraction(1)
    for digit in f"{exponent:b}":
        result = product(result, result)
        result = product(result, value) if digit == "1" else result
    return result


def _root(square: Fraction) -> Entry:
    root = Number.of_rational(square).sqrt()
    return root if root.fraction is None else root.fraction

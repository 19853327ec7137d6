"""Unary encoding: one bit for each input, each reported at random."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number
from pfverify.model.channels.alike import Alike, many_names
from pfverify.model.channels.bits import MAX_LENGTH, bit_rows, complement, one_hot, strings
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import Entry, folded, quotient, total
from pfverify.model.channels.parameters import budget_key, chance_key, names_key, power_of_e
from pfverify.model.keys import Key

SYMMETRIC, OPTIMISED = "symmetric", "optimised"
VARIANTS = (SYMMETRIC, OPTIMISED)
_WAYS = ("epsilon", "variant"), ("one", "zero")


def _checked_variant(value: object) -> str:
    if value not in VARIANTS or not isinstance(value, str):
        raise InputError(f"variant: {shorten(value)} is unknown, expected {' or '.join(VARIANTS)}")
    return value


class Unary(Alike):
    """Unary encoding: the bit of the input is 1, those of all others 0, and each is told at random.

    Parameters: `inputs`, at least two names; `epsilon` >= 0 with `variant`, "symmetric" (a bit is
    told as it is with chance e**(epsilon/2)/(1 + e**(epsilon/2))) or "optimised" (a 1 is told as 1
    with chance 1/2, a 0 as 1 with chance 1/(e**epsilon + 1)); or `one` and `zero`, the chances that
    a 1, and a 0, is told as 1. The outputs are all texts of a bit for each input, in their order.
    Of more than 12 inputs nothing is written out: the two bits in which inputs differ decide.
    Raises InputError naming the key.
    Example: ``Unary(["a", "b"], one="3/4", zero="1/2").rows[0]`` is ``(1/8, 1/8, 3/8, 3/8)``.
    Source: Wang, Blocki, Li and Jha 2017; design fact F86.
    """

    kind = "unary"
    about = "the bits of the two inputs that are compared"
    keys = (
        names_key("inputs", 2),
        budget_key(">= 0, with variant"),
        Key("variant", "with epsilon: how it is kept", {"enum": [*VARIANTS]},
            read=_checked_variant),
        chance_key("one", "chance that a 1 is reported as 1, in [0, 1]"),
        chance_key("zero", "chance that a 0 is reported as 1, in [0, 1]"),
    )  # fmt: skip
    epsilon: Number | None
    variant: str | None
    one: Number | None
    zero: Number | None

    def __init__(
        self,
        inputs: object,
        epsilon: object | None = None,
        variant: object | None = None,
        one: object | None = None,
        zero: object | None = None,
    ) -> None:
        names = many_names(inputs)
        given = {"epsilon": epsilon, "variant": variant, "one": one, "zero": zero}
        stated = {name for name, value in given.items() if value is not None}
        if stated not in map(set, _WAYS):
            shown = ", ".join(name for name in given if name in stated) or "none of these"
            raise InputError(
                f"epsilon: expected either epsilon and variant, or one and zero, got {shown}"
            )
        long = len(names) > MAX_LENGTH
        said = f"codes of {len(names)} bits, at most {MAX_LENGTH} are written out"
        self._keep(
            inputs=names,
            _outputs=() if long else strings(len(names)),
            _beyond=said if long else None,
            _many=long,
            **self._values(**given),
        )
        self._keep(bit_chances=self._chances())

    @classmethod
    def together(cls) -> dict[str, Any]:
        """Return that the chances are stated in one of two ways."""
        return {"oneOf": [{"required": [*way]} for way in _WAYS]}

    def _chances(self) -> tuple[Entry, Entry]:
        """The chance that a bit is reported as 1: where it is 0, and where it is 1."""
        if self.one is not None and self.zero is not None:
            return folded(self.zero), folded(self.one)
        if self.epsilon is None:
            raise TypeError("unary encoding without chances")
        one = Fraction(1)
        part = {SYMMETRIC: Fraction(1, 2), OPTIMISED: one}[str(self.variant)]
        zero = quotient(one, total([power_of_e(self.epsilon, part), one]))
        return zero, Fraction(1, 2) if self.variant == OPTIMISED else complement(zero)

    def pair(self) -> Channel:
        """Return the bits of two inputs, in which alone they differ.

        The other bits are independent of these, with one law for both inputs.
        """
        return Unary(self.inputs[:2], self.epsilon, self.variant, self.one, self.zero)

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the products over the bits; InputError where there are too many."""
        self._check_written_out()
        return bit_rows(one_hot(self.inputs), self.bit_chances)

    bit_chances: tuple[Entry, Entry]

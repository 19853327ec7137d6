"""Priors over the named inputs of a channel."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NoReturn

from pfverify.errors import InputError, shorten
from pfverify.exact.number import printable, rational
from pfverify.model.keys import AMOUNTS
from pfverify.model.priors.entries import (
    NameTable,
    checked_amount,
    checked_total,
    counted_keys,
    entries,
)
from pfverify.model.priors.prior import Component, Prior


class Finite(Prior):
    """A prior over finitely many named inputs of a channel.

    Attribute: `mass`, input -> exact mass, those of mass 0 included: an input that is named with
    mass 0 is one that the prior covers. Two priors are equal when they are the same law.

    Parameters: exactly one of `mass` (input -> mass, summing to exactly 1) and `counts`
    (input -> how many records, integers >= 0 with a positive sum). All numbers are rational.

    Raises InputError naming the input, or the exact sum of the masses.

    Example: ``Finite(counts={"home": 3, "work": 1}).mass`` is
    ``{"home": 3/4, "work": 1/4}``.
    Source: distribution-privacy paper, section 2.
    """

    __slots__ = ("_hash", "mass")

    kind = "finite"
    keys = counted_keys(AMOUNTS, "input")
    one_of = "counts", "mass"

    def __init__(
        self,
        mass: NameTable | None = None,
        counts: NameTable | None = None,
    ) -> None:
        if (mass is None) == (counts is None):
            raise InputError("a finite prior takes exactly one of mass and counts")
        table = entries(mass if mass is not None else counts, self.kind, "input")
        if not table:
            raise InputError("the support is empty: a prior needs at least one input")
        what = "mass" if counts is None else "count"
        amounts: dict[str, Fraction] = {}
        for name, value in table:
            amount = _amount(name, value, what)
            if name in amounts:
                raise InputError(f"duplicate input: {shorten(name, 30)!r}")
            amounts[name] = amount
        total = checked_total(list(amounts.values()), counted=counts is not None)
        self.mass: dict[str, Fraction] = {name: m / total for name, m in amounts.items()}
        self._hash = hash(frozenset(self.support.items()))

    def canonical(self) -> list[list[str]]:
        """Return every input of positive mass as [input, mass], in the order of the prior.

        `in_order_of` makes that the order of a channel's inputs.
        """
        return [[name, str(mass)] for name, mass in self.support.items()]

    def in_order_of(self, inputs: Iterable[str]) -> Finite:
        """Return the same prior in the order of these inputs.

        Raises InputError for an input of the prior that is none of them.
        Example: ``list(Finite({"b": 1, "a": 0}).in_order_of(["a", "b", "c"]).mass)`` is
        ``["a", "b"]``.
        """
        ordered = {name: self.mass[name] for name in inputs if name in self.mass}
        for name in self.mass:
            if name not in ordered:
                known = shorten(", ".join(inputs), 60)
                raise InputError(
                    f"{shorten(name, 30)!r} is no input of the channel, expected one of {known}"
                )
        return Finite(ordered)

    @property
    def support(self) -> dict[str, Fraction]:
        """Input -> mass, where it is positive."""
        return {name: mass for name, mass in self.mass.items() if mass}

    @property
    def has_density(self) -> bool:
        """Refuse: raises InputError, as `components`."""
        self._refuse()

    @property
    def components(self) -> tuple[Component, ...]:
        """Refuse: raises InputError, since inputs have names and are no numbers on the line."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise InputError(
            "a prior of kind finite is about the named inputs of a channel, not about numbers; "
            "expected a channel, or a prior of kind discrete"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finite) and self.support == other.support

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        shown = ", ".join(f"{shorten(name, 20)!r}: {m}" for name, m in list(self.mass.items())[:4])
        return f"Finite({{{shown}{', ...' if len(self.mass) > 4 else ''}}})"


def _amount(name: object, value: object, what: str) -> Fraction:
    """Read one entry of a table of masses or counts."""
    where = f"{what} of input {shorten(name, 24)!r}"
    if not isinstance(name, str):
        raise InputError(f"{where}: the name is not text, expected names in quotes")
    amount = rational(printable(value, where), where)
    return checked_amount(amount, where, counted=what == "count")

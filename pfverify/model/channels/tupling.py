"""The tupling mechanism: the perturbed value hidden among dummies."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from operator import methodcaller
from typing import NoReturn

from pfverify.errors import InputError, shorten
from pfverify.model.channels.channel import MAX_ENTRIES, Channel, exact_channel, read_channel
from pfverify.model.channels.entries import (
    Entry,
    Reader,
    check_not_negative,
    check_sum_is_one,
    text_of,
)
from pfverify.model.channels.parameters import checked_count, count_key
from pfverify.model.keys import AMOUNTS, Key, same
from pfverify.model.names import unknown_name

UNIFORM = "uniform"


class Tupling(Channel):
    """The tupling mechanism: what a channel puts out, among `dummies` dummies in a random order.

    The released tuple has `dummies` + 1 places; the true one is at each with the same chance, and
    the dummies are independent, of the law `dummy`.
    Parameters: `base`, a channel; `dummies`, a whole number >= 1; `dummy`, "uniform" over the
    base's outputs (the default), or a table output -> mass, summing to exactly 1.
    Attributes: these, with `dummy` as the mass of each output of the base. Its own outputs are
    never written out: `outputs` and `rows` raise InputError that says how many there would be.
    Raises InputError naming the key.
    Example: ``Tupling(channel, 2).dummy`` is ``(1/2, 1/2)`` for a channel of two outputs.
    Source: distribution-privacy paper, section 5.
    """

    kind = "tupling"
    keys = (
        Key(
            "base", shape={"$ref": "#/$defs/channel"}, needed=True,
            parse=partial(read_channel, "base"), text=methodcaller("canonical"),
        ),
        count_key("dummies", "how many, >= 1", least=1),
        Key(
            "dummy", "law of each dummy: uniform (default), or output -> mass",
            {
                "if": {"type": "object"},
                "then": AMOUNTS,
                "else": {"const": UNIFORM},
            },
            kept="_given", text=same,
        ),
    )  # fmt: skip
    written_out = False
    base: Channel
    dummies: int
    dummy: tuple[Entry, ...]

    def __init__(self, base: object, dummies: object, dummy: object | None = None) -> None:
        base = exact_channel(base, "base")
        if not base.written_out:
            raise InputError(f"base.kind: {base.kind} is never written out, expected another kind")
        masses, given = _checked_dummy(dummy, base.outputs)
        self._keep(
            base=base,
            inputs=base.inputs,
            dummies=checked_count(dummies, "dummies", 1),
            dummy=masses,
            depth=base.depth + 1,
            _given=given,
        )

    @property
    def outputs(self) -> tuple[str, ...]:
        """Refuse: raises InputError, as `rows`."""
        self._refuse()

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Refuse: raises InputError, since there is an output for every tuple."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise InputError(
            f"size: the outputs are the tuples of {self.dummies + 1} of {len(self.base.outputs)} "
            f"names, and at most {MAX_ENTRIES} entries are written out"
        )

    def __repr__(self) -> str:
        return f"Tupling({self.base!r}, {self.dummies})"

    _given: str | dict[str, str] | None


def _checked_dummy(
    value: object, outputs: tuple[str, ...]
) -> tuple[tuple[Entry, ...], str | dict[str, str] | None]:
    """The mass of every output, and the law as it was given."""
    if value is None or value == UNIFORM:
        return (Fraction(1, len(outputs)),) * len(outputs), None if value is None else UNIFORM
    if not isinstance(value, Mapping):
        shown = shorten(value, 30)
        raise InputError(f"dummy: expected {UNIFORM} or a table output -> mass, got {shown!r}")
    reader = Reader()
    masses: dict[str, Entry] = {}
    for name, mass in value.items():
        if name not in outputs:
            raise InputError(f"dummy: {unknown_name(name, outputs, 'output')}")
        where = f"dummy.{shorten(name, 30)}"
        masses[name] = reader.read(mass, where)
        check_not_negative(masses[name], where)
    check_sum_is_one(masses.values(), "dummy", "the table")
    given = {name: text_of(mass) for name, mass in masses.items()}
    return tuple(masses.get(name, Fraction(0)) for name in outputs), given

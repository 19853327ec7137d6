"""The tupling mechanism: the perturbed value hidden among dummies."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, NoReturn

from pfverify.errors import InputError, shorten
from pfverify.model.channels.channel import MAX_ENTRIES, Channel, exact_channel, read_channel
from pfverify.model.channels.entries import (
    Entry,
    Reader,
    check_not_negative,
    check_sum_is_one,
    text_of,
)
from pfverify.model.channels.truncated_geometric import checked_count
from pfverify.model.names import unknown_name
from pfverify.model.priors.prior import NUMBER

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
    table_keys: ClassVar[Mapping[str, bool]] = {"base": True, "dummies": True, "dummy": False}
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

    @classmethod
    def properties(cls) -> dict[str, Any]:
        """Return the base, and the dummies with their law."""
        masses = {"type": "object", "minProperties": 1, "additionalProperties": NUMBER}
        return {
            "base": {"$ref": "#/$defs/channel"},
            "dummies": {"type": "integer", "description": "how many, >= 1"},
            "dummy": {
                "if": {"type": "object"},
                "then": masses,
                "else": {"const": UNIFORM},
                "description": "law of each dummy: uniform (default), or output -> mass",
            },
        }

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Tupling:
        """Return the mechanism of a table of base and dummies."""
        return cls(read_channel("base", table["base"]), table["dummies"], table.get("dummy"))

    def canonical(self) -> dict[str, Any]:
        """Return kind, base, dummies, and their law where it is given."""
        given = {} if self._given is None else {"dummy": self._given}
        return {
            "kind": self.kind, "base": self.base.canonical(), "dummies": self.dummies, **given,
        }  # fmt: skip

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

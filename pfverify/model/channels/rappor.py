"""RAPPOR on a small domain: the bits of a code, each reported at random."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number
from pfverify.model.channels.alike import Alike, many_names
from pfverify.model.channels.bits import MAX_LENGTH, bit_rows, complement, one_hot, strings
from pfverify.model.channels.channel import Channel, check_size
from pfverify.model.channels.entries import Entry, folded, product, total
from pfverify.model.channels.parameters import chance_key, names_key
from pfverify.model.keys import Key
from pfverify.model.names import unknown_name

_BITS = {"type": "string", "pattern": f"^[01]{{1,{MAX_LENGTH}}}$"}


class Rappor(Alike):
    """RAPPOR: one-time (the permanent response), or with the instantaneous response after it.

    Parameters: `inputs`, at least two names; `flip`, f in [0, 1]: a bit stays with chance 1 - f,
    becomes 1 with f/2 and 0 with f/2; both or neither of `one` and `zero`, the chance that 1 is
    reported where the permanent bit is 1 (the paper's q), and where it is 0 (its p); `codes`,
    input -> bits, all of one length (default one bit for each input, in their order; inputs may
    share a code). The outputs are all bit strings of that length, in numeric order. With one bit
    for each of more than 12 inputs nothing is written out: all pairs of inputs are alike, and of
    each the two bits that differ are all that is decided, as events.
    Raises InputError naming the key.
    Example: ``Rappor(["a", "b"], "1/2").rows[0]`` is ``(3/16, 1/16, 9/16, 3/16)``.
    Source: Erlingsson, Pihur and Korolova 2014, section 2.
    """

    kind = "rappor"
    about = "the bits of the two inputs that are compared"
    keys = (
        names_key("inputs", 2),
        chance_key("flip", "f in [0, 1]: a bit becomes random with chance f", needed=True),
        chance_key("one", "chance that a permanent 1 is reported as 1"),
        chance_key("zero", "chance that a permanent 0 is reported as 1"),
        Key(
            "codes", "input -> bits; default one bit for each input",
            {"type": "object", "additionalProperties": _BITS}, kept="_given", text=dict,
        ),
    )  # fmt: skip
    flip: Number
    one: Number | None
    zero: Number | None
    codes: tuple[str, ...]

    def __init__(
        self,
        inputs: object,
        flip: object,
        one: object | None = None,
        zero: object | None = None,
        codes: object | None = None,
    ) -> None:
        names = many_names(inputs)
        long = codes is None and len(names) > MAX_LENGTH
        if long:
            bits: tuple[str, ...] = ("",)
        else:
            bits = one_hot(names) if codes is None else _checked_codes(codes, names)
        check_size(len(names), 1 << len(bits[0]), "inputs")
        if (one is None) != (zero is None):
            missing = "one" if one is None else "zero"
            raise InputError(f"{missing}: missing, expected both of one and zero, or neither")
        self._keep(
            inputs=names,
            _outputs=strings(len(bits[0])),
            _beyond=_too_long(len(names)) if long else None,
            _many=long,
            codes=bits,
            _given=None if codes is None else dict(zip(names, bits, strict=True)),
            **self._values(flip=flip, one=one, zero=zero),
        )

    @property
    def bit_chances(self) -> tuple[Entry, Entry]:
        """The chance that a bit is reported as 1: where it is 0, and where it is 1."""
        half = product(folded(self.flip), Fraction(1, 2))
        kept = (half, complement(half))
        if self.one is None or self.zero is None:
            return kept
        low, high = folded(self.zero), folded(self.one)
        first, second = (
            total([product(chance, high), product(complement(chance), low)]) for chance in kept
        )
        return first, second

    def pair(self) -> Channel:
        """Return the bits of two inputs, in which alone they differ.

        The other bits are independent of these, with one law for both inputs (F84).
        """
        return Rappor(self.inputs[:2], self.flip, self.one, self.zero)

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the products over the bits; InputError where there are too many."""
        self._check_written_out()
        return bit_rows(self.codes, self.bit_chances)

    _given: dict[str, str] | None


def _checked_codes(value: object, names: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(value, Mapping):
        raise InputError(f"codes: expected a table input -> bits, got {type(value).__name__}")
    for name in value:
        if name not in names:
            raise InputError(f"codes: {unknown_name(name, names, 'input')}")
    found = []
    for name in names:
        if name not in value:
            raise InputError(f"codes: {shorten(name, 30)!r} has no code")
        code = value[name]
        if not isinstance(code, str) or not code or set(code) - {"0", "1"}:
            shown = shorten(code, 30)
            raise InputError(f"codes.{shorten(name, 30)}: {shown!r} is no text of bits, as in 0110")
        found.append(code)
    _check_length(len(found[0]), "codes")
    if short := [name for name, code in zip(names, found, strict=True)
                 if len(code) != len(found[0])]:  # fmt: skip
        raise InputError(
            f"codes.{shorten(short[0], 30)}: as many bits as {shorten(names[0], 30)!r} has, "
            f"{len(found[0])}, were expected"
        )
    return tuple(found)


def _check_length(length: int, where: str) -> None:
    if length > MAX_LENGTH:
        raise InputError(f"{where}: {_too_long(length)}")


def _too_long(length: int) -> str:
    return f"codes of {length} bits, at most {MAX_LENGTH} are written out"

"""RAPPOR on a small domain: the bits of a code, each reported at random."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product as tuples

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number
from pfverify.model.channels.alike import MOST_OUTPUTS, Alike, many_names
from pfverify.model.channels.bits import MAX_LENGTH, bit_rows, complement, one_hot, strings
from pfverify.model.channels.channel import Channel, check_size
from pfverify.model.channels.combined import outer
from pfverify.model.channels.counted import counted_law
from pfverify.model.channels.entries import Entry, Products, folded, product, total
from pfverify.model.channels.parameters import chance_key, count_key, names_key
from pfverify.model.keys import Key
from pfverify.model.names import unknown_name

_BITS = {"type": "string", "pattern": f"^[01]{{1,{MAX_LENGTH}}}$"}


class Rappor(Alike):
    """RAPPOR: one-time (the permanent response), or with the instantaneous response after it.

    Parameters: `inputs`, at least two names; `flip`, f in [0, 1]: a bit stays with chance 1 - f,
    becomes 1 with f/2 and 0 with f/2; both or neither of `one` and `zero`, the chance that 1 is
    reported where the permanent bit is 1 (the paper's q), and where it is 0 (its p); `codes`,
    input -> bits, all of one length (default one bit for each input, in their order; inputs may
    share a code); `reports`, how many are made of one permanent response (default one). The
    outputs are all bit strings of that length, in numeric order; of several reports, how often each
    bit was 1, as in "3,0". With one bit for each of so many inputs that more than 4096 come out
    nothing is written out: all pairs of inputs are alike, and of each the two bits that differ are
    all that is decided, as events.
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
        count_key("reports", "how many are made of one permanent response", least=1, needed=False),
    )  # fmt: skip
    flip: Number
    one: Number | None
    zero: Number | None
    codes: tuple[str, ...]
    reports: int | None

    def __init__(
        self,
        inputs: object,
        flip: object,
        one: object | None = None,
        zero: object | None = None,
        codes: object | None = None,
        reports: object | None = None,
    ) -> None:
        names = many_names(inputs)
        self._keep(**self._values(flip=flip, one=one, zero=zero, reports=reports))
        if (one is None) != (zero is None):
            missing = "one" if one is None else "zero"
            raise InputError(f"{missing}: missing, expected both of one and zero, or neither")
        if self._count > 1 and one is None:
            raise InputError(
                "reports: of one permanent response, which is the same every time without one and "
                "zero; expected them too"
            )
        beyond = self._too_many(len(names)) if codes is None else None
        if beyond is None:
            bits = one_hot(names) if codes is None else _checked_codes(codes, names)
            check_size(len(names), self._ways(len(bits[0])), "inputs")
        else:
            bits = ("",)
            check_size(2, self._ways(2), "reports")
        self._keep(
            inputs=names,
            _outputs=self._names(len(bits[0])),
            _beyond=beyond,
            _many=beyond is not None,
            codes=bits,
            _given=None if codes is None else dict(zip(names, bits, strict=True)),
        )

    @property
    def _count(self) -> int:
        """How many reports there are."""
        return 1 if self.reports is None else self.reports

    def _ways(self, bits: int) -> int:
        """In how many ways some bits come out, or more than are ever written out."""
        return int((self._count + 1) ** min(bits, MAX_LENGTH + 1))

    def _too_many(self, bits: int) -> str | None:
        """Why the bits of so many inputs are not written out; None where they are."""
        if bits == 2 or self._ways(bits) <= MOST_OUTPUTS:
            return None
        if self._count == 1:
            return _too_long(bits)
        what = f"{bits} bits, each counted in {self._count} reports"
        return f"{what}, at most {MOST_OUTPUTS} outputs are written out"

    def _names(self, bits: int) -> tuple[str, ...]:
        if self._count == 1:
            return strings(bits)
        ones = [str(n) for n in range(self._count + 1)]
        return tuple(map(",".join, tuples(ones, repeat=bits)))

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
        return Rappor(self.inputs[:2], self.flip, self.one, self.zero, reports=self.reports)

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the products over the bits; InputError where there are too many."""
        self._check_written_out()
        if self._count == 1:
            return bit_rows(self.codes, self.bit_chances)
        products, known = Products(), dict[str, tuple[Entry, ...]]()
        of_bit = self._of_bit(products)
        for code in self.codes:
            if code not in known:
                known[code] = outer([of_bit[int(bit)] for bit in code], products)
        return tuple(known[code] for code in self.codes)

    def _of_bit(self, products: Products) -> list[tuple[Entry, ...]]:
        """How often a bit is reported as 1, where it is 0 and where it is 1: its permanent response
        is one of two, and the reports are independent given that."""
        half = product(folded(self.flip), Fraction(1, 2))
        permanent = (complement(half), half), (half, complement(half))
        chances = [folded(x) for x in (self.zero, self.one) if x is not None]
        later = [counted_law((complement(x), x), self._count, products) for x in chances]
        return [
            tuple(total(map(products.of, law, masses)) for masses in zip(*later, strict=True))
            for law in permanent
        ]

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

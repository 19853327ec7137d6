"""RAPPOR on a small domain: the bits of a code, each reported at random."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product as tuples

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number
from pfverify.model.channels.channel import MOST_STATES, Channel, check_size
from pfverify.model.channels.combined import outer
from pfverify.model.channels.counted import counted_law
from pfverify.model.channels.entries import Entry, Products, folded, product, total
from pfverify.model.channels.parameters import chance_key, count_key, names_key
from pfverify.model.keys import Key
from pfverify.model.names import checked_names, unknown_name
from pfverify.model.priors.finite import Finite
from pfverify.model.protection import Protection
from pfverify.model.releases.release import Laws, Release

MAX_LENGTH = 12
"""Most bits of a code: there are as many outputs as bit strings of that length."""
MOST_WAYS = 1 << MAX_LENGTH
"""In which the bits of more than two inputs come out, one for each."""
_BITS = {"type": "string", "pattern": f"^[01]{{1,{MAX_LENGTH}}}$"}


class Rappor(Channel):
    """RAPPOR: one-time (the permanent response), or with the instantaneous response after it.

    Parameters: `inputs`, at least two names; `flip`, f in [0, 1]: a bit stays with chance 1 - f,
    becomes 1 with f/2 and 0 with f/2; both or neither of `one` and `zero`, the chance that 1 is
    reported where the permanent bit is 1 (the paper's q), and where it is 0 (its p); `codes`,
    input -> bits, all of one length (default one bit for each input, in their order; inputs may
    share a code); `reports`, how many are made of one permanent response (default one). The
    outputs are all bit strings of that length, in numeric order; of several reports, how often each
    bit was 1, as in "3,0". With one bit for each of so many inputs that more than 4,096 come out
    nothing is written out: all pairs of inputs are alike, and of each the two bits that differ are
    all that is decided, as events.
    Raises InputError naming the key.
    Example: ``Rappor(["a", "b"], "1/2").rows[0]`` is ``(3/16, 1/16, 9/16, 3/16)``.
    Source: Erlingsson, Pihur and Korolova 2014, section 2.
    """

    kind = "rappor"
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
        names = checked_names(inputs, "inputs", 2)
        if len(names) > MOST_STATES:
            raise InputError(f"inputs: {len(names)} names, expected at most {MOST_STATES}")
        self._keep(**self._values(flip=flip, one=one, zero=zero, reports=reports))
        if (one is None) != (zero is None):
            missing = "one" if one is None else "zero"
            raise InputError(f"{missing}: missing, expected both of one and zero, or neither")
        if self._count > 1 and one is None:
            raise InputError(
                "reports: of one permanent response, which is the same every time without one and "
                "zero; expected them too"
            )
        many = len(names) > 2 and self._ways(len(names)) > MOST_WAYS
        self._keep(_long=codes is None and many)
        if self._long:
            bits: tuple[str, ...] = ("",)
            check_size(2, self._ways(2), "reports")
        else:
            bits = _one_hot(names) if codes is None else _checked_codes(codes, names)
            check_size(len(names), self._ways(len(bits[0])), "inputs")
        self._keep(
            inputs=names,
            _outputs=() if self._long else self._names(len(bits[0])),
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

    def _names(self, bits: int) -> tuple[str, ...]:
        ones = [str(n) for n in range(self._count + 1)]
        return tuple(map(("" if self._count == 1 else ",").join, tuples(ones, repeat=bits)))

    def all_alike(self, protection: Protection) -> bool:
        """Say whether one pair of inputs stands for all: where nothing is written out."""
        return self._long and protection.related is None and not protection.extended

    def inputs_compared(self, protection: Protection) -> tuple[str, ...]:
        """Return the inputs, or the first two for all; InputError for what is not decided so."""
        if self._long and not self.all_alike(protection):
            raise self._too_long()
        return super().inputs_compared(protection)

    def over(self, laws: Laws) -> Laws:
        """Return priors in the order of the inputs; InputError where nothing is written out."""
        if self._long:
            raise self._too_long()
        return super().over(laws)

    def resolved(self, laws: Laws, *, single: bool) -> tuple[Release, Laws]:
        """Return the bits of two inputs, in which alone they differ, in place of many.

        The other bits are independent of these, with one law for both inputs (F84).
        """
        if not self._long:
            return self, laws
        if single:
            raise InputError(
                f"form: a bound of single outputs needs all {len(self.inputs)} bits, which come "
                f"out in more than {MOST_WAYS} ways, at most so many are written out; expected "
                'form = "events"'
            )
        pair = Rappor(self.inputs[:2], self.flip, self.one, self.zero, reports=self.reports)
        return pair, {
            belief: {
                secret: Finite({name: int(name == secret) for name in pair.inputs})
                for secret in table
            } for belief, table in laws.items()
        }  # fmt: skip

    @property
    def outputs(self) -> tuple[str, ...]:
        """Their names; InputError where they are not written out."""
        if self._long:
            raise self._too_long()
        return self._outputs

    @property
    def decided_output(self) -> str | None:
        """Which bits a decision is about."""
        return "the bits of the two inputs that are compared" if self._long else None

    def _too_long(self) -> InputError:
        return InputError(
            f"inputs: {len(self.inputs)} bits come out in more than {MOST_WAYS} ways, at most so "
            "many are written out; all pairs of inputs are decided without that (notion "
            '"dp", without inputs_related)'
        )

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the products over the bits, which are independent given the input."""
        if self._long:
            raise self._too_long()
        products, known = Products(), dict[str, tuple[Entry, ...]]()
        of_bit = self._of_bit(products)
        for code in self.codes:
            if code not in known:
                known[code] = outer([of_bit[int(bit)] for bit in code], products)
        return tuple(known[code] for code in self.codes)

    def _of_bit(self, products: Products) -> list[tuple[Entry, ...]]:
        """How often a bit is reported as 1: where it is 0, and where it is 1."""
        half = product(folded(self.flip), Fraction(1, 2))
        permanent = (_complement(half), half), (half, _complement(half))
        if self.one is None or self.zero is None:
            return [*permanent]
        chances = folded(self.zero), folded(self.one)
        later = [counted_law((_complement(x), x), self._count, products) for x in chances]
        return [
            tuple(total(map(products.of, law, masses)) for masses in zip(*later, strict=True))
            for law in permanent
        ]

    _given: dict[str, str] | None
    _long: bool


def _complement(chance: Entry) -> Entry:
    return total([Fraction(1), product(chance, Fraction(-1))])


def _one_hot(names: tuple[str, ...]) -> tuple[str, ...]:
    _check_length(len(names), "inputs")
    return tuple(f"{1 << (len(names) - 1 - k):0{len(names)}b}" for k in range(len(names)))


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
        raise InputError(f"{where}: codes of {length} bits, at most {MAX_LENGTH} are written out")

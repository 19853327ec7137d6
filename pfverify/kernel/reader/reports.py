"""Reports about one input of many: unary encoding, subset selection and local hashing.

Where there are too many inputs, or outputs, to be written out, the first two inputs stand for every
pair, and outputs of one ratio for each other (F84, F86).  Loaded for such a channel.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations
from itertools import product as tuples
from math import comb
from typing import Any

from core.grammar import Malformed, Number, combine
from core.kinds import Mass
from core.masses import NOTHING, ONE, Outputs, minus, outputs_of
from core.quotients import quotient
from core.value import decided_sign, form_of
from core.work import spend
from core.zero import NIL, Form, add, times
from reader.combined import independent

Names = tuple[str, ...]
Made = tuple[Names, Names, Iterable[Outputs]]  # inputs, outputs, a law for each input
MAX_INPUTS, MAX_OUTPUTS = 100, 4096  # of a report that is written out
FEW = 12  # inputs of which all pairs are judged one by one
MAX_VALUES = 10**9  # of a hash function
HALF = Fraction(1, 2)
OF_TWO = "neither", "second", "first", "both"  # of two inputs, for which a report speaks


def _listed(
    what: str, inputs: Names, outputs: Callable[[], int], pairs: str | None
) -> Names | None:
    """The inputs whose laws are written out: of more than a few the first two, where all pairs are
    compared; None where classes stand for them.  Malformed where it is too much to be written."""
    if len(inputs) < 2:
        raise Malformed(f"{what}: inputs: at least 2 of them")
    small = len(inputs) <= MAX_INPUTS and outputs() <= MAX_OUTPUTS
    if small and (pairs != "events" or len(inputs) <= FEW):
        spend(16 * len(inputs) * outputs())
        return inputs[:2] if pairs is not None and len(inputs) > FEW else inputs
    if pairs != "events":
        raise Malformed(
            f"{what}: more than {MAX_INPUTS} inputs, or {MAX_OUTPUTS} outputs, are judged for all "
            "pairs of single inputs, by events, and not otherwise"
        )
    return None


def _least(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least whole number from `low` of which something holds, as it does at `high`."""
    return low + bisect_left(range(low, high), True, key=holds)


def _beyond(epsilon: Number, bound: Fraction, what: str) -> int:
    """The sign of e^epsilon - bound."""
    return decided_sign(combine("-", combine("exp", epsilon), bound), what)


def unary(
    what: str, inputs: Names, *, pairs: str | None, epsilon: Number | None = None,
    variant: str | None = None, one: Mass | None = None, zero: Mass | None = None,
) -> Made:  # fmt: skip
    """A bit for each input, 1 at that input: a 1 is reported as 1 with `one`, a 0 with `zero`; or
    so that the odds of a 1 are e^epsilon times those of a 0, both symmetric, or 1/2 for a 1."""
    if epsilon is not None and variant is not None and one is None and zero is None:
        f = times(form_of(epsilon), HALF) if variant == "symmetric" else form_of(epsilon)
        below = add({f: ONE}, {NIL: ONE})
        zero = quotient({NIL: ONE}, below)
        one = quotient({f: ONE}, below) if variant == "symmetric" else HALF
    elif one is None or zero is None or (epsilon, variant) != (None, None):
        raise Malformed(f"{what} must have epsilon and variant, or one and zero")
    # of many their own bits alone: the others have one law for both
    of = _listed(what, inputs, lambda: 1 << len(inputs), pairs) or inputs[:2]
    bits = [outputs_of([minus(ONE, m), m]) for m in (zero, one)]
    outputs = tuple("".join(told) for told in tuples("01", repeat=len(of)))
    return of, outputs, (independent([bits[x == y] for y in of]) for x in of)


def subset_selection(
    what: str, inputs: Names, epsilon: Number, *, pairs: str | None, size: int | None = None
) -> Made:
    """A set of d of the k inputs: e^epsilon/(C(k-1, d-1) e^epsilon + C(k-1, d)) where it has the
    input, 1/(the same) where not; d is `size`, or as near to k/(e^epsilon + 1) as can be."""
    k, f = len(inputs), form_of(epsilon)
    if size is None:
        size = _least(
            lambda d: _beyond(epsilon, Fraction(2 * k - 2 * d - 1, 2 * d + 1), what) >= 0, 1, k - 1
        )
    if not size < k:
        raise Malformed(f"{what}: size must be below the number of inputs")
    d = size
    of = _listed(what, inputs, lambda: comb(k, d), pairs)
    if of is not None:
        below = add({f: Fraction(comb(k - 1, d - 1))}, {NIL: Fraction(comb(k - 1, d))})
        having, other = quotient({f: ONE}, below), quotient({NIL: ONE}, below)
        sets = [set(one) for one in combinations(range(k), d)]
        outputs = tuple("".join("01"[x in one] for x in range(k)) for one in sets)
        rows = ([having if x in one else other for one in sets] for x in range(len(of)))
        return of, outputs, map(outputs_of, rows)
    below = add({f: Fraction(d)}, {NIL: Fraction(k - d)})

    def share(power: Form, count: int) -> Mass:
        return quotient({power: Fraction(count, k - 1)}, below) if count else NOTHING

    neither, both = share(NIL, (k - d) * (k - d - 1)), share(f, d * (d - 1))
    return _of_two(inputs, neither, share(NIL, d * (k - d)), share(f, d * (k - d)), both)


def local_hashing(
    what: str, inputs: Names, epsilon: Number, *, pairs: str | None, **stated: int
) -> Made:
    """A function of the inputs to g values, uniform among all, and one value: with e^epsilon/D that
    of the input, each other with 1/D, D = e^epsilon + g - 1; g is `range`, or as near to
    e^epsilon + 1 as can be."""
    k, f, g = len(inputs), form_of(epsilon), stated.get("range")
    if g is None:
        if _beyond(epsilon, MAX_VALUES - HALF, what) > 0:
            raise Malformed(f"{what}: more than {MAX_VALUES} values of a hash function")
        g = _least(lambda n: _beyond(epsilon, n - HALF, what) <= 0, 2, MAX_VALUES)
    values = g
    below = add({f: ONE}, {NIL: Fraction(g - 1)})

    def share(power: Form, chance: Fraction) -> Mass:
        return quotient({power: chance}, below)

    of = _listed(what, inputs, lambda: values ** (k + 1), pairs)
    if of is not None:
        true, other = (share(power, Fraction(1, g**k)) for power in (f, NIL))
        reports = [(h, y) for h in tuples(range(g), repeat=k) for y in range(g)]
        outputs = tuple(f"{','.join(map(str, h))}:{y}" for h, y in reports)
        rows = ([true if h[x] == y else other for h, y in reports] for x in range(len(of)))
        return of, outputs, map(outputs_of, rows)
    same = Fraction(1, g)  # the chance that two inputs have one value
    neither, apart = share(NIL, (g - 1) * (1 - same)), 1 - same
    return _of_two(inputs, neither, share(NIL, apart), share(f, apart), share(f, same))


def _of_two(inputs: Names, neither: Mass, other: Mass, own: Mass, both: Mass) -> Made:
    """The first two inputs, and for which of them a report speaks."""
    rows = [neither, other, own, both], [neither, own, other, both]
    return inputs[:2], OF_TWO, map(outputs_of, rows)


KINDS: dict[str, Any] = {
    "unary": unary, "subset-selection": subset_selection, "local-hashing": local_hashing,
}  # fmt: skip

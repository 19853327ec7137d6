"""Exponential sums and their complete zero test (fact F3).

An `Exponent` is a rational plus rational multiples of roots (rational powers of rationals), of
logarithms of positive rationals, and of logarithms of exponential sums. An `ExpSum` is a finite sum
of rational multiples of e**Exponent. Every tie that the project meets is the question whether such
a sum is zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from math import floor, lcm
from typing import TypeGuard, Union

from pfverify.exact.answer import Answer
from pfverify.exact.ball import Ball, precision, raw
from pfverify.exact.coprime import coprime_base, exponents_over, perfect_power
from pfverify.exact.kept_balls import KeptBalls
from pfverify.exact.kronecker import is_zero_polynomial
from pfverify.exact.rising import rising

FIRST_BITS = 64
ZERO_TEST_BITS = 256  # balls that still contain 0 here are handed to the zero test
CAP_BITS = 1 << 15  # where a sum outside the complete classes is given up as undecided
_POWER_BITS = 20_000_000  # size of the integer powers that a zero test may write out
_EXPAND_TERMS = 20_000
_ROOT_BITS = 14_284  # size of a whole power that is taken out of a root (4300 digits)
_PRODUCTS = 64  # terms of a product of two exponents that is written out
_SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)  # so that log 6 = log 2 + log 3

Key = Union[int, "ExpSum", "Exponent", "ExponentProduct", None]


class Exponent:
    """A real number q + sum of s_b log(b) + sum of u_R log(R) + sum of v_E e**E + products, exact.

    Keys of `parts`: None for the rational part, an int > 1 for log of that integer, an `ExpSum`
    for the logarithm of that (positive, normalised) sum, an `Exponent` for e to that power, a
    `ExponentProduct` for products and inverses of these: only identities can be told from it.
    A root is e to a combination of logarithms of integers: sqrt(6) is the key (log 2 + log 3)/2.

    Example: ``Exponent.log(Fraction(9, 2)).parts`` is ``{9: 1, 2: -1}``.
    """

    __slots__ = ("_hash", "parts")

    def __init__(self, parts: Mapping[Key, Fraction]) -> None:
        self.parts = {key: value for key, value in parts.items() if value}
        self._hash = hash(frozenset(self.parts.items()))

    @classmethod
    def rational(cls, value: Fraction | int) -> Exponent:
        """Return the exponent that is this rational number."""
        return cls({None: Fraction(value)})

    @classmethod
    def log(cls, value: Fraction) -> Exponent:
        """Return log(value) for a positive rational."""
        parts: dict[Key, Fraction] = {}
        if value.numerator > 1:
            parts[value.numerator] = Fraction(1)
        if value.denominator > 1:
            parts[value.denominator] = Fraction(-1)
        return cls(parts)

    @classmethod
    def log_of_sum(cls, value: ExpSum) -> Exponent:
        """Return log(value) for an exponential sum already proved positive."""
        exponent, coefficient = value.leading()
        if len(value.terms) == 1:
            return exponent + cls.log(coefficient)
        scale = abs(coefficient)
        rest = ExpSum({e + -exponent: c / scale for e, c in value.terms.items()})
        return exponent + cls.log(scale) + cls({rest: Fraction(1)})

    @classmethod
    def of_sum(cls, value: ExpSum) -> Exponent:
        """Return an exponential sum itself as an exponent (e to it is then a tower)."""
        return cls({(power if power.parts else None): c for power, c in value.terms.items()})

    def __add__(self, other: Exponent) -> Exponent:
        parts = dict(self.parts)
        for key, value in other.parts.items():
            parts[key] = parts.get(key, Fraction(0)) + value
        return Exponent(parts)

    def __neg__(self) -> Exponent:
        return self.times(Fraction(-1))

    def __sub__(self, other: Exponent) -> Exponent:
        return self + -other

    def times(self, factor: Fraction) -> Exponent:
        """Return this number multiplied by a rational."""
        return Exponent({key: value * factor for key, value in self.parts.items()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exponent) and self.parts == other.parts

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Exponent], tuple[dict[Key, Fraction]]]:
        """Another process hashes None differently: what is copied there computes its own hash."""
        return Exponent, (self.parts,)

    def as_rational(self) -> Fraction | None:
        """Return the value if it is written as a rational number, else None."""
        if not self.parts:
            return Fraction(0)
        return self.parts[None] if set(self.parts) == {None} else None

    def ball(self) -> Ball:
        """Return an enclosure at the current precision."""
        total = raw(0)
        for key, value in self.parts.items():
            if key is None:
                total += raw(value)
            elif isinstance(key, int):
                total += raw(value) * raw(key).log()
            elif isinstance(key, Exponent):
                total += raw(value) * key.ball().raw.exp()
            elif isinstance(key, ExponentProduct):
                total += raw(value) * key.ball().raw
            else:
                total += raw(value) * key.ball().raw.log()
        return Ball(total)

    def sign(self) -> int | None:
        """Return -1, 0 or 1, or None where the sign cannot be decided."""
        if (value := self.as_rational()) is not None:
            return (value > 0) - (value < 0)
        return (ExpSum.power(self) - ExpSum.constant(1)).sign()

    def quotient(self, other: Exponent) -> Fraction | None:
        """Return this / other if it is a rational number over one `Basis`, else None."""
        basis = Basis((self, other))
        mine, theirs = basis.parts(self), basis.parts(other)
        if not theirs:
            return None
        key = next(iter(theirs))
        ratio = mine.get(key, Fraction(0)) / theirs[key]
        same = {k: v * ratio for k, v in theirs.items() if v * ratio} == mine
        return ratio if same else None

    def product(self, other: Exponent) -> Exponent | None:
        """Return this number times the other one, multiplied out; None where that is too long."""
        mine, theirs = self.split().parts, other.split().parts
        if len(mine) * len(theirs) > _PRODUCTS:
            return None
        total: dict[Key, Fraction] = {}
        for k, v in mine.items():
            for m, w in theirs.items():
                factors = [*ExponentProduct.factors_of(k), *ExponentProduct.factors_of(m)]
                c, key = ExponentProduct.key(factors)
                total[key] = total.get(key, Fraction(0)) + c * v * w
        return Exponent(total)

    def inverse(self) -> Exponent | None:
        """Return 1 over this number, known not to be 0; None if it is written 0 or is too long."""
        parts = self.split().parts
        if not parts:
            return None
        if len(parts) > 1 and (found := self.inverse_of_roots()) is not None:
            return found
        lead = min(parts, key=lambda k: (k is not None, not isinstance(k, int), hash(k)))
        c = 1 / parts[lead]
        if len(parts) > 1:
            times, key = ExponentProduct.key([(Exponent(parts).times(c), -1)])
            return Exponent({key: times * c})
        total: Exponent | None = Exponent.rational(c)
        for factor, power in ExponentProduct.factors_of(lead):
            step = factor
            if power > 0:
                times, key = ExponentProduct.key([(factor, -1)])
                step = Exponent({key: times})
            for _ in range(abs(power)):
                total = None if total is None else total.product(step)
        return total

    def inverse_of_roots(self) -> Exponent | None:
        """Return 1 over a sum of a rational and square roots, not 0, by its conjugates; else None.

        Of 1 + sqrt(2) it is sqrt(2) - 1.
        """
        if not all(key is None or is_root(key) for key in self.parts):
            return None
        rest = self.split()
        basis = Basis([rest])
        bottom = Exponent(basis.parts(rest))
        halves = (set(key.parts.values()) for key in bottom.parts if isinstance(key, Exponent))
        if not basis.independent or any(powers != {Fraction(1, 2)} for powers in halves):
            return None
        top = Exponent.rational(1)
        for b in basis.under_roots:  # no root of b is left after its turn
            flipped = Exponent({
                key: -value if isinstance(key, Exponent) and b in key.parts else value
                for key, value in bottom.parts.items()
            })
            products = top.product(flipped), bottom.product(flipped)
            if products[0] is None or products[1] is None:
                return None
            top, bottom = products[0], products[1]
        norm = bottom.as_rational()
        return top.times(1 / norm) if norm else None

    def split(self) -> Exponent:
        """Return it with logarithms and roots over small primes and cofactors without powers."""
        total: dict[Key, Fraction] = {}
        for key, value in self.parts.items():
            pieces: list[tuple[Key, int]] = [(key, 1)]
            if is_root(key):
                pieces = [(key.split(), 1)]
            elif isinstance(key, int):
                pieces, rest = [], key
                for prime in _SMALL:
                    count = 0
                    while rest % prime == 0:
                        rest, count = rest // prime, count + 1
                    pieces.append((prime, count))
                if rest > 1:
                    pieces.append(perfect_power(rest))
            for piece, times in pieces:
                if times:
                    total[piece] = total.get(piece, Fraction(0)) + value * times
        return Exponent(total)

    def without_whole_powers(self) -> tuple[Fraction, Exponent]:
        """Return (c, E) with e**self = c * e**E: c has the whole powers of writable size."""
        c, parts = _folded(Fraction(1), self.parts, _ROOT_BITS)
        return c, Exponent(parts)


def is_root(key: Key) -> TypeGuard[Exponent]:
    """Whether the key of a part stands for a product of rational powers of integers."""
    return isinstance(key, Exponent) and all(isinstance(k, int) for k in key.parts)


class Basis:
    """Numbers over which a family of exponents is written, so that equal ones are written alike.

    `integers`, those under the logarithms, and `under_roots`, those under the roots, are two
    coprime bases. `independent` says that exponents with different parts are different numbers:
    1 and the roots with exponents in [0, 1) are linearly independent over the rationals
    (Besicovitch 1940), and a combination of logarithms over the base that has terms is the
    logarithm of an algebraic number other than 1, so transcendental (Lindemann). It is False where
    a sum (or its logarithm), a product, or a root with a power beyond writable size occurs.

    Example: ``Basis([Exponent.log(Fraction(12)), Exponent.log(Fraction(2))]).integers`` is
    ``[2, 3]``.
    """

    def __init__(self, exponents: Iterable[Exponent]) -> None:
        keys = {key for exponent in exponents for key in exponent.parts}
        roots = [key for key in keys if is_root(key)]
        integers = [key for key in keys if isinstance(key, int)]
        self.integers = coprime_base(integers)
        self.under_roots = coprime_base(
            n for root in roots for n in root.parts if isinstance(n, int)
        )
        self.independent = len(keys - {None}) == len(roots) + len(integers)
        self._terms: dict[Key, list[tuple[Key, Fraction]]] = {}
        for n in integers:
            self._terms[n] = [*_over_base({n: Fraction(1)}, self.integers).items()]
        for root in roots:
            inside = Exponent(_over_base(root.parts, self.under_roots))
            c, reduced = inside.without_whole_powers()
            self._terms[root] = [(reduced if reduced.parts else None, c)]
            self.independent &= all(0 <= power < 1 for power in reduced.parts.values())

    def parts(self, exponent: Exponent) -> dict[Key, Fraction]:
        """Return the parts of one of the exponents over this basis."""
        parts: dict[Key, Fraction] = {}
        for key, value in exponent.parts.items():
            for generator, times in self._terms.get(key, [(key, Fraction(1))]):
                parts[generator] = parts.get(generator, Fraction(0)) + value * times
        return {key: value for key, value in parts.items() if value}


class ExponentProduct:
    """A product of whole powers of exponents, as a symbol: equal products are equal numbers.

    Nothing is known of what is not written the same: neither that two products differ nor that
    they are independent.
    Example: ``ExponentProduct(frozenset({(Exponent.log(Fraction(2)), -1)}))`` is
    ``next(iter(Exponent.log(Fraction(2)).inverse().parts))``, which stands for 1/log(2).
    """

    __slots__ = ("factors",)

    def __init__(self, factors: frozenset[tuple[Exponent, int]]) -> None:
        self.factors = factors

    @staticmethod
    def factors_of(key: Key) -> list[tuple[Exponent, int]]:
        """Return the key of a part as a product."""
        if key is None:
            return []
        if isinstance(key, ExponentProduct):
            return list(key.factors)
        return [(Exponent({key: Fraction(1)}), 1)]

    @staticmethod
    def key(factors: Iterable[tuple[Exponent, int]]) -> tuple[Fraction, Key]:
        """Return (c, key) with the product = c * key, equal factors and powers of e collected."""
        powers: dict[Exponent, int] = {}
        tower = Exponent({})
        for factor, power in factors:
            ((inner, times), *others) = factor.parts.items()
            if isinstance(inner, Exponent) and times == 1 and not others:
                tower += inner.times(Fraction(power))
            else:
                powers[factor] = powers.get(factor, 0) + power
        c, tower = tower.without_whole_powers()
        left = [(factor, power) for factor, power in powers.items() if power]
        if tower.parts:
            left.append((Exponent({tower: Fraction(1)}), 1))
        if not left:
            return c, None
        if len(left) == 1 and left[0][1] == 1 and len(left[0][0].parts) == 1:
            return c, next(iter(left[0][0].parts))
        return c, ExponentProduct(frozenset(left))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExponentProduct) and self.factors == other.factors

    def __hash__(self) -> int:
        return hash(self.factors)

    def ball(self) -> Ball:
        """Return an enclosure at the current precision."""
        total = raw(1)
        for factor, power in self.factors:
            total *= factor.ball().raw ** power
        return Ball(total)


class ExpSum(KeptBalls):
    """A finite sum of c_k * e**E_k with rational c_k and `Exponent` E_k; immutable.

    Example: ``(ExpSum.power(Exponent.rational(1)) - ExpSum.constant(2)).ball()``, which is e - 2,
    contains 0.71828...
    """

    def __init__(self, terms: Mapping[Exponent, Fraction]) -> None:
        self.terms = {exponent: c for exponent, c in terms.items() if c}

    @classmethod
    def constant(cls, value: Fraction | int) -> ExpSum:
        """Return a rational number as a sum."""
        return cls({Exponent({}): Fraction(value)})

    @classmethod
    def power(cls, exponent: Exponent, coefficient: Fraction | int = 1) -> ExpSum:
        """Return coefficient * e**exponent."""
        return cls({exponent: Fraction(coefficient)})

    @classmethod
    def collect(cls, terms: Iterable[tuple[Exponent, Fraction]]) -> ExpSum:
        """Return the sum of the given terms, equal exponents collected."""
        total: dict[Exponent, Fraction] = {}
        for exponent, coefficient in terms:
            known = total.get(exponent)
            total[exponent] = coefficient if known is None else known + coefficient
        return cls(total)

    @cached_property
    def _hash(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[ExpSum], tuple[dict[Exponent, Fraction]]]:
        """As for an `Exponent`: the hash is not copied."""
        return ExpSum, (self.terms,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExpSum) and self.terms == other.terms

    def __add__(self, other: ExpSum) -> ExpSum:
        return ExpSum.collect([*self.terms.items(), *other.terms.items()])

    def __neg__(self) -> ExpSum:
        return ExpSum({exponent: -c for exponent, c in self.terms.items()})

    def __sub__(self, other: ExpSum) -> ExpSum:
        return self + -other

    def __mul__(self, other: ExpSum) -> ExpSum:
        return ExpSum.collect(
            (e + f, c * d) for e, c in self.terms.items() for f, d in other.terms.items()
        )

    def times(self, factor: Fraction | int) -> ExpSum:
        """Return this sum multiplied by a rational."""
        return ExpSum({exponent: c * factor for exponent, c in self.terms.items()})

    def leading(self) -> tuple[Exponent, Fraction]:
        """Return the term with the largest exponent (by midpoints: a choice, not a verdict)."""
        with precision(128):
            middles = [(exponent.ball().raw.mid(), exponent) for exponent in self.terms]
        best, chosen = middles[0]
        for middle, exponent in middles:
            if middle > best:  # exact points: this comparison decides
                best, chosen = middle, exponent
        return chosen, self.terms[chosen]

    def enclosed(self) -> Ball:
        """Work out an enclosure at the current precision."""
        total = raw(0)
        for exponent, coefficient in self.terms.items():
            total += raw(coefficient) * exponent.ball().raw.exp()
        return Ball(total)

    def canonical(self) -> ExpSum | None:
        """Return the same number with radicals over a coprime base, all dependent terms collected.

        None where an exponent holds a sum (or its logarithm) or a product, or the integer powers
        that this would write out are too large. The terms of the result are linearly independent
        over the rationals up to their coefficients, so it is zero only if it has no terms.
        """
        family = Basis(self.terms)
        if not family.independent:
            return None
        base = family.integers
        rows = [(family.parts(e), c) for e, c in self.terms.items()]
        low = {b: min(floor(row.get(b, 0)) for row, _ in rows) for b in base}
        high = {b: max(floor(row.get(b, 0)) for row, _ in rows) for b in base}
        spread = sum((high[b] - low[b]) * b.bit_length() for b in base)
        if spread * len(rows) > _POWER_BITS:
            return None
        terms = []
        for row, coefficient in rows:
            parts: dict[Key, Fraction] = {
                key: power for key, power in row.items() if not isinstance(key, int)
            }
            for b in base:
                exponent = row.get(b, Fraction(0))
                whole = floor(exponent)
                parts[b] = exponent - whole + low[b]
                coefficient *= b ** (whole - low[b])
            terms.append((Exponent(parts), coefficient))
        return ExpSum.collect(terms)

    def is_zero(self) -> Answer:
        """Say whether the sum is exactly zero (F3).

        Complete (never UNKNOWN) when no exponent holds a sum or its logarithm or a product and
        the powers are of writable size: exponents of 1, roots and logarithms of rationals. Grounds:
        Lindemann-Weierstrass for the powers of e to different algebraic numbers, which a `Basis`
        writes differently, and Besicovitch 1940 for their coefficients, sums of radicals over a
        coprime base without perfect powers.
        """
        canonical = self.canonical()
        if canonical is not None:
            return Answer.NO if canonical.terms else Answer.YES
        keys = {key for exponent in self.terms for key in exponent.parts}
        if all(_is_plain(key) for key in keys):
            return Answer.UNKNOWN
        return _zero_by_classes(self, [key for key in keys if isinstance(key, ExpSum)])

    def sign(self) -> int | None:
        """Return -1, 0 or 1; None where balls give up (`CAP_BITS`, or `MOST_BITS` for a sum that is
        known not to be 0).

        Balls at rising precision decide; a sum that still meets 0 goes to the zero test.
        """
        if not self.terms:
            return 0
        if all(c > 0 for c in self.terms.values()):  # powers of e are positive
            return 1
        # divided by its largest power the sum cannot overflow, and its sign is the same
        top = self.leading()[0]
        total = ExpSum({e - top: c for e, c in self.terms.items()})
        zero = None
        for bits in rising(FIRST_BITS):
            with precision(bits):
                sign = total.ball().certain_sign()
            if sign is not None:
                return sign
            if bits >= ZERO_TEST_BITS and zero is None:
                zero = total.is_zero()
                if zero is Answer.YES:
                    return 0
                # without hidden cancellation the balls must separate the rest
                total = total.canonical() or total
            if zero is Answer.UNKNOWN and bits >= CAP_BITS:
                break
        return None


def _is_plain(key: Key) -> bool:
    """Whether the zero test knows all relations of this part with others of its kind."""
    return key is None or isinstance(key, int) or is_root(key)


def _over_base(parts: Mapping[Key, Fraction], base: list[int]) -> dict[Key, Fraction]:
    """A combination of logarithms of integers over their coprime base."""
    total: dict[Key, Fraction] = {}
    for key, value in parts.items():
        if isinstance(key, int):
            for factor, count in zip(base, exponents_over(base, key), strict=True):
                total[factor] = total.get(factor, Fraction(0)) + value * count
    return {key: value for key, value in total.items() if value}


def _zero_by_classes(total: ExpSum, sums: list[ExpSum]) -> Answer:
    """Zero test with logarithms of sums R, and towers: group the terms, test each class.

    A class is a product of fractional powers of the R and of towers e**(e**E) (all positive)
    times an exponential sum. All classes zero proves zero; a single nonzero class proves nonzero;
    otherwise UNKNOWN.
    """
    low = [min(floor(e.parts.get(s, 0)) for e in total.terms) for s in sums]
    classes: dict[tuple[object, ...], list[_PowerTerm]] = {}
    for exponent, coefficient in total.terms.items():
        key: list[object] = [
            frozenset(
                (k, v) for k, v in exponent.parts.items()
                if not (_is_plain(k) or isinstance(k, ExpSum))
            )
        ]
        powers = []
        for index, s in enumerate(sums):
            multiple = exponent.parts.get(s, Fraction(0))
            whole = floor(multiple)
            key.append(multiple - whole)
            powers.append(whole - low[index])
        plain = {k: v for k, v in exponent.parts.items() if _is_plain(k)}
        classes.setdefault(tuple(key), []).append((coefficient, plain, tuple(powers)))
    answers = [_class_is_zero(terms, sums) for terms in classes.values()]
    if all(answer is Answer.YES for answer in answers):
        return Answer.YES
    return answers[0] if len(answers) == 1 else Answer.UNKNOWN


_PowerTerm = tuple[Fraction, dict[Key, Fraction], tuple[int, ...]]
"""Coefficient, exponent without sums, powers of the sums."""


def _class_is_zero(terms: list[_PowerTerm], sums: list[ExpSum]) -> Answer:
    """Test sum of c e**E prod R**m as a polynomial in the powers e**(key/denominator).

    A vanishing polynomial proves zero. A nonzero one proves nonzero where its only variable is a
    root of e (transcendental); otherwise the powers are written out and tested in full.
    """
    if not all(_is_plain(k) for s in sums for e in s.terms for k in e.parts):
        return _expanded(terms, sums).is_zero() if _is_small(terms, sums) else Answer.UNKNOWN
    plains = [Exponent(plain) for _, plain, _ in terms]
    basis = Basis([*plains, *(e for s in sums for e in s.terms)])
    rows = [
        (*_folded(c, basis.parts(plain)), powers)
        for plain, (c, _, powers) in zip(plains, terms, strict=True)
    ]
    polynomials = [[_folded(c, basis.parts(e)) for e, c in s.terms.items()] for s in sums]
    exponents = [parts for _, parts, _ in rows] + [parts for p in polynomials for _, parts in p]
    keys = list(dict.fromkeys(key for parts in exponents for key in parts))
    scale = [lcm(*(parts[k].denominator for parts in exponents if k in parts)) for k in keys]

    def vector(parts: Mapping[Key, Fraction]) -> tuple[int, ...]:
        return tuple(int(parts.get(k, 0) * n) for k, n in zip(keys, scale, strict=True))

    vanishes = is_zero_polynomial(
        [(c, vector(parts), powers) for c, parts, powers in rows],
        [[(c, vector(parts)) for c, parts in polynomial] for polynomial in polynomials],
    )
    if vanishes:
        return Answer.YES
    if vanishes is False and set(keys) <= {None}:
        return Answer.NO
    return _expanded(terms, sums).is_zero() if _is_small(terms, sums) else Answer.UNKNOWN


def _folded(
    coefficient: Fraction, parts: Mapping[Key, Fraction], bits: int = _POWER_BITS
) -> tuple[Fraction, dict[Key, Fraction]]:
    """Move whole powers of integers (not beyond a size) into the coefficient."""
    rest = dict(parts)
    for key, value in parts.items():
        if isinstance(key, int) and abs(value) * key.bit_length() < bits:
            whole = floor(value)
            coefficient *= Fraction(key) ** whole
            rest[key] = value - whole
    return coefficient, {key: value for key, value in rest.items() if value}


def _is_small(terms: list[_PowerTerm], sums: list[ExpSum]) -> bool:
    work = 0
    for _, _, powers in terms:
        work += sum(m * len(s.terms) for m, s in zip(powers, sums, strict=True))
    return work <= _EXPAND_TERMS


def _expanded(terms: list[_PowerTerm], sums: list[ExpSum]) -> ExpSum:
    """Write the powers of the sums out."""
    total = ExpSum({})
    known: dict[tuple[int, int], ExpSum] = {}
    for coefficient, plain, powers in terms:
        term = ExpSum.power(Exponent(plain), coefficient)
        for index, (s, count) in enumerate(zip(sums, powers, strict=True)):
            term = term * _power(known, index, s, count)
        total = total + term
    return total


def _power(known: dict[tuple[int, int], ExpSum], index: int, s: ExpSum, count: int) -> ExpSum:
    if count == 0:
        return ExpSum.constant(1)
    if (index, count) not in known:
        half = _power(known, index, s, count // 2)
        known[index, count] = half * half * (s if count % 2 else ExpSum.constant(1))
    return known[index, count]

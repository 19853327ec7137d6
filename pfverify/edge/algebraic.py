"""How two powers e**A and e**B hang together, as polynomial equations over common variables.

A and B are exponents (see `Exponent`): rational combinations of 1, of roots, of logarithms of
integers, and of logarithms of exponential sums. One variable g stands for each of these generators'
least power that occurs; then e**A and e**B are quotients of polynomials in the g, and each
algebraic g has its own equation (g**2 = 2). Every equality that the exact zero test proves follows
from these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import floor, lcm, prod

from pfverify.errors import InputError
from pfverify.exact.expsum import Basis, Exponent, ExpSum, Key

MAX_DEGREE = 64
_MAX_TERMS = 200
_TOO_LARGE = (
    "export: the relation between t and E has too high a degree to be written (more than "
    f"{MAX_DEGREE})"
)

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]
Quotient = tuple[Polynomial, Polynomial]
_ONE: Polynomial = {(): Fraction(1)}


@dataclass(frozen=True)
class Relations:
    """Equations between t, E and further variables.

    `generators`: name of a further variable -> its logarithm (all are positive); `equations` in
    SMT-LIB; `words` says what they are.
    """

    generators: dict[str, Exponent] = field(default_factory=dict)
    equations: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


def rational_power(exponent: Exponent) -> Fraction | None:
    """Return e**exponent where it is a product of whole powers of integers (of readable size).

    Example: ``rational_power(Exponent.log(Fraction(3, 2)))`` is ``3/2``.
    """
    value = Fraction(1)
    for key, power in Basis([exponent]).parts(exponent).items():
        if not isinstance(key, int) or power.denominator != 1:
            return None
        if abs(power) * key.bit_length() > 4096:
            return None
        value *= Fraction(key) ** int(power)
    return value


def related(log_t: Exponent, log_e: Exponent) -> Relations:
    """Return what ties t = e**log_t < 1 to E = e**log_e >= 1: nothing where both are rational.

    Raises InputError where the degrees are too high to be written.
    Example: ``related(Exponent.rational(Fraction(-1, 2)), Exponent.rational(1)).equations`` is
    ``["(= (* E t t) 1.0)"]``, that is E * t**2 = 1.
    """
    if not log_e.parts or (rational_power(log_t) and rational_power(log_e)):
        return Relations()
    ratio = log_e.quotient(log_t)
    if ratio is not None and ratio < 0:
        return _parallel(log_t, -ratio)
    return _Generators(log_t, log_e).relations()


def _parallel(log_t: Exponent, ratio: Fraction) -> Relations:
    """E = t**-ratio."""
    a, b = ratio.numerator, ratio.denominator
    if max(a, b) > MAX_DEGREE:
        raise InputError(_TOO_LARGE)
    if b == 1:
        return Relations(
            equations=[f"(= {_product(['E', *['t'] * a])} 1.0)"],
            words=[f"Exact, since epsilon = {ratio} * step/scale: E * t^{a} = 1."],
        )
    return Relations(
        {"g": log_t.times(Fraction(1, b))},
        [f"(= t {_product(['g'] * b)})", f"(= {_product(['E', *['g'] * a])} 1.0)"],
        [f"Exact, since epsilon = {ratio} * step/scale: t = g^{b} and E * g^{a} = 1."],
    )


class _Generators:
    """Variables for the generators of two exponents."""

    def __init__(self, log_t: Exponent, log_e: Exponent) -> None:
        self.basis = Basis(_with_inner((log_t, log_e)))
        self.denominators: dict[Key, int] = {}
        for exponent in (log_t, log_e):
            self._collect(exponent)
        variables = [
            key for key, d in self.denominators.items()
            if d > 1 or not isinstance(key, int | ExpSum)
        ]
        self.names = {key: f"g{number}" for number, key in enumerate(variables, 1)}
        self.log_t, self.log_e = log_t, log_e

    def _collect(self, exponent: Exponent) -> None:
        for key, power in self.basis.parts(exponent).items():
            known = self.denominators.get(key)
            self.denominators[key] = lcm(known or 1, power.denominator)
            if known is None and isinstance(key, ExpSum):
                for inner in key.terms:
                    self._collect(inner)

    def relations(self) -> Relations:
        """The equations of the algebraic generators, of t and of E."""
        equations, words = [], []
        for key, name in self.names.items():
            power = self.denominators[key]
            if isinstance(key, int):
                value, said = _constant(Fraction(key)), f"= {key}"
            elif isinstance(key, ExpSum):
                value, said = self._sum(key), "is the sum of powers in its equation"
            else:
                what = "e" if key is None else "e^(a sum of powers)"
                size = what if power == 1 else f"{what}^(1/{power})"
                words.append(f"{name} is {size}, of which only bounds are known.")
                continue
            equations.append(_equation(_variable(name, power), value))
            words.append(f"Exact: {name}^{power} {said}.")
        for name, exponent in (("t", self.log_t), ("E", self.log_e)):
            equations.append(_equation(_variable(name), self._power(exponent)))
        words.append("Exact: t and E are these quotients of polynomials in the further variables.")
        logs = {name: Exponent({key: Fraction(1, self.denominators[key])})
                for key, name in self.names.items()}
        return Relations(logs, equations, words)

    def _power(self, exponent: Exponent) -> Quotient:
        """e**exponent over the variables."""
        value: Quotient = _ONE, _ONE
        for key, power in self.basis.parts(exponent).items():
            name = self.names.get(key)
            if isinstance(key, int):
                whole = floor(power)
                if abs(whole) * key.bit_length() > 4096:
                    raise InputError(_TOO_LARGE)
                value = _times(value, _constant(Fraction(key) ** whole))
                power -= whole
            count = int(power * self.denominators[key])
            if not count:
                continue
            if name is None and isinstance(key, ExpSum):
                step = self._sum(key)
            else:
                step = _variable(self.names[key])
            if count < 0:
                count, step = -count, (step[1], step[0])
            if count > MAX_DEGREE:
                raise InputError(_TOO_LARGE)
            value = reduce(_times, [step] * count, value)
        return value

    def _sum(self, total: ExpSum) -> Quotient:
        """An exponential sum over the variables."""
        value: Quotient = {}, _ONE
        for exponent, coefficient in total.terms.items():
            top, bottom = self._power(exponent)
            top = {monomial: c * coefficient for monomial, c in top.items()}
            value = (
                _added(_multiplied(value[0], bottom), _multiplied(top, value[1])),
                _multiplied(value[1], bottom),
            )
        return value


def _with_inner(exponents: Iterable[Exponent]) -> Iterator[Exponent]:
    """The exponents and those of the sums whose logarithms they hold."""
    for exponent in exponents:
        yield exponent
        for key in exponent.parts:
            if isinstance(key, ExpSum):
                yield from _with_inner(key.terms)


def _constant(value: Fraction) -> Quotient:
    return {(): value}, _ONE


def _variable(name: str, power: int = 1) -> Quotient:
    return {((name, power),): Fraction(1)}, _ONE


def _multiplied(left: Polynomial, right: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for one, a in left.items():
        for other, b in right.items():
            powers = dict(one)
            for name, power in other:
                powers[name] = powers.get(name, 0) + power
            monomial = tuple(sorted(powers.items()))
            if sum(powers.values()) > MAX_DEGREE:
                raise InputError(_TOO_LARGE)
            total[monomial] = total.get(monomial, Fraction(0)) + a * b
    if len(total) > _MAX_TERMS:
        raise InputError(_TOO_LARGE)
    return {monomial: c for monomial, c in total.items() if c}


def _added(left: Polynomial, right: Polynomial) -> Polynomial:
    total = dict(left)
    for monomial, c in right.items():
        total[monomial] = total.get(monomial, Fraction(0)) + c
    return {monomial: c for monomial, c in total.items() if c}


def _times(left: Quotient, right: Quotient) -> Quotient:
    return _multiplied(left[0], right[0]), _multiplied(left[1], right[1])


def _equation(left: Quotient, right: Quotient) -> str:
    """left = right, without division: both are quotients of positive numbers."""
    common = prod(c.denominator for side in (left, right) for part in side for c in part.values())
    texts = [
        _text({monomial: c * common for monomial, c in _multiplied(one, other).items()})
        for one, other in ((left[0], right[1]), (right[0], left[1]))
    ]
    return f"(= {texts[0]} {texts[1]})"


def _text(polynomial: Polynomial) -> str:
    """A polynomial with whole coefficients, term by term."""
    terms = []
    for monomial, c in sorted(polynomial.items()):
        factors = [name for name, power in monomial for _ in range(power)]
        if abs(c) != 1 or not factors:
            factors.insert(0, f"{abs(c)}.0")
        term = _product(factors)
        terms.append(f"(- {term})" if c < 0 else term)
    return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"


def _product(factors: list[str]) -> str:
    return factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})"

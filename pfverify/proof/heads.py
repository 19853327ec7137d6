"""The functions of the language, one row each: all that the checker knows of a function.

A row says how proof files write the function, where it has a value and which, its derivative and
its normal form. What has no row, and is not declared in a proof file, is no term: every part of the
checker refuses it. To add a function, add its row (and its sympy class, where sympy has none).

The solver (`arithmetic`) reads `cases`; besides, it knows more of the exponential, the logarithm
and the normal distribution function. A function without cases is an unknown number to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import ge, le
from typing import Any

import sympy as sp

from pfverify.exact.number import Number
from pfverify.proof.numbers import ONE, ZERO, NoMeaning, known_sign
from pfverify.proof.poly import (
    UNIT,
    Atom,
    Frozen,
    Poly,
    add,
    atom,
    constant,
    frozen,
    repr_key,
    scaled,
    thawed,
)
from pfverify.proof.terms import Relation, Term, exponential, real_term, relation

Z3 = Any  # z3 has no type stubs
Translated = Callable[[Frozen], Z3]

# ---------------------------------------------------------------- functions that sympy has not


class _Real(sp.Function):  # type: ignore[misc]
    """A function of one argument with real values."""

    nargs = 1

    def _eval_is_extended_real(self) -> bool:
        return True


class AtLeastZero(_Real):
    """1 where the argument is >= 0, else 0."""

    def _sympystr(self, printer: Any) -> str:
        return f"[{printer._print(self.args[0])} >= 0]"


class Spread(_Real):
    """The argument, where it is > 0 (a standard deviation); without a value elsewhere."""

    @classmethod
    def eval(cls, argument: Term) -> Term | None:
        """Return the argument where it is positive whatever is put in its symbols."""
        plain = isinstance(argument, cls | sp.exp) or (argument.is_Rational and argument > 0)
        return argument if plain else None

    def _sympystr(self, printer: Any) -> str:
        argument = self.args[0]
        return f"({printer._print(argument)})" if argument.args else str(printer._print(argument))


class NormalCdf(_Real):
    """P(Z <= the argument) for a standard normal Z: smooth, rising from 0 to 1."""

    def _sympystr(self, printer: Any) -> str:
        return f"normal_cdf({printer._print(self.args[0])})"

def normal_density(u: Term) -> Term:
    """Return the standard normal density at a term."""
    return exponential(-(u**2) / 2) / sp.sqrt(2 * sp.pi)


# ---------------------------------------------------------------- words of proof files


def _of_one(kind: Callable[[Term], Term], words: str) -> Callable[..., Term]:
    def function(argument: Term) -> Term:
        return kind(real_term(argument))

    function.__doc__ = words
    return function


def _of_several(kind: Callable[..., Term], words: str) -> Callable[..., Term]:
    def function(first: Term, *others: Term) -> Term:
        return kind(*(real_term(t) for t in (first, *others)))

    function.__doc__ = words
    return function


def standard(x: Term, mean: Term, sd: Term) -> Term:
    """Return (x - mean)/sd, which asks for sd > 0."""
    return (real_term(x) - real_term(mean)) / Spread(real_term(sd))


def normal_cdf(x: Term, mean: Term = 0, sd: Term = 1) -> Term:
    """The distribution function at x of the normal law with this mean and standard deviation."""
    return NormalCdf(standard(x, mean, sd))


# ---------------------------------------------------------------- values


def _absolute(x: Number) -> Number:
    return -x if known_sign(x) < 0 else x


def _extreme(sign: int) -> Callable[..., Number]:
    """The largest number (the smallest, where the sign is -1)."""

    def value(first: Number, *others: Number) -> Number:
        best = first
        for x in others:
            best = x if known_sign(x - best) == sign else best
        return best

    return value


def _spread(x: Number) -> Number:
    if known_sign(x) <= 0:
        raise NoMeaning("a standard deviation is not > 0")
    return x


# ---------------------------------------------------------------- normal forms


def logarithm(base: Poly) -> Poly:
    """Return the normal form of the logarithm of one."""
    if base == constant(1):
        return {}
    if len(base) == 1:  # log e^u = u, for any real u
        ((powers, exponent), c) = next(iter(base.items()))
        if not powers and c == 1:
            return thawed(exponent)
    return atom(("log", frozen(base)))


def _indicator_form(inside: Poly) -> Poly:
    if set(inside) <= {UNIT}:
        return constant(1 if inside.get(UNIT, 0) >= 0 else 0)
    return application(AtLeastZero.__name__, inside)


def _normal_cdf_form(inside: Poly) -> Poly:
    """One atom for u and -u: P(Z <= -u) = 1 - P(Z <= u)."""
    if not inside:
        return constant(Fraction(1, 2))
    if inside[min(inside, key=repr_key)] < 0:
        mirrored = atom(("cdf", frozen(scaled(inside, Fraction(-1)))))
        return add(constant(1), mirrored, Fraction(-1))
    return atom(("cdf", frozen(inside)))


def _absolute_form(inside: Poly) -> Poly:
    if not inside:
        return {}
    if set(inside) == {UNIT}:
        return constant(abs(inside[UNIT]))
    if inside[min(inside, key=repr_key)] < 0:
        inside = scaled(inside, Fraction(-1))
    return atom(("abs", frozen(inside)))


def application(name: str, *arguments: Poly, mass: bool = False) -> Poly:
    """Return the normal form of a function of which the normal form says no more."""
    return atom(("app", name, tuple(map(frozen, arguments)), mass))


# ---------------------------------------------------------------- cases, for the solver


def _absolute_cases(z3: Z3, of: Translated, key: Atom) -> Z3:
    u = of(key[1])
    return z3.If(u >= 0, u, -u)


def _extreme_cases(before: Callable[[Z3, Z3], Z3]) -> Callable[[Z3, Translated, Atom], Z3]:
    def define(z3: Z3, of: Translated, key: Atom) -> Z3:
        best, *others = (of(u) for u in sorted(key[1], key=repr_key))
        for u in others:
            best = z3.If(before(u, best), u, best)
        return best

    return define


def _indicator_cases(z3: Z3, of: Translated, key: Atom) -> Z3:
    return z3.If(of(key[2][0]) >= 0, z3.Q(1, 1), z3.Q(0, 1))


# ---------------------------------------------------------------- the table


@dataclass(frozen=True)
class Cases:
    """A definition by cases: how atoms of the function begin, and what the solver makes of one.

    `define` takes z3, the translation of a normal form, and the atom.
    """

    atom: tuple[str, ...]
    define: Callable[[Z3, Translated, Atom], Z3]


@dataclass(frozen=True)
class Head:
    """A function of the language.

    Attributes: `kind`, its sympy class, which prints it in text and LaTeX; `word`, its name in
    proof files ("": only other words make it), and `build`, what that name makes of its arguments;
    `value` of exact arguments; `form`, the normal form from those of the arguments; `domain`, what
    an argument must satisfy (None: every real number has a value); `slope`, the derivative at an
    argument (None: it has kinks or jumps, and is not differentiated); `steep`, whether it is
    unbounded near an end of its domain; `jumps`, whether it is not continuous; `cases`, its
    definition for the solver (None: by no cases).
    """

    kind: Any
    word: str
    build: Callable[..., Term] | None
    value: Callable[..., Number]
    form: Callable[..., Poly]
    domain: Callable[[Term], Relation] | None = None
    slope: Callable[[Term], Term] | None = None
    steep: bool = False
    jumps: bool = False
    cases: Cases | None = None


def _positive(argument: Term) -> Relation:
    return relation(">", argument, 0)


HEADS = (
    Head(
        sp.exp, "exp", _of_one(exponential, "e^argument."),
        value=Number.exp,
        form=lambda u: {(frozenset(), frozen(u)): Fraction(1)},
        slope=sp.exp,
    ),
    Head(
        sp.log, "log", _of_one(sp.log, "The natural logarithm."),
        value=Number.log, form=logarithm, domain=_positive, slope=lambda u: 1 / u, steep=True,
    ),
    Head(
        sp.Abs, "abs", _of_one(sp.Abs, "The absolute value."),
        value=_absolute, form=_absolute_form, cases=Cases(("abs",), _absolute_cases),
    ),
    Head(
        sp.Max, "maximum", _of_several(sp.Max, "The largest of the terms."),
        value=_extreme(1), form=lambda *us: atom(("Max", frozenset(map(frozen, us)))),
        cases=Cases(("Max",), _extreme_cases(ge)),
    ),
    Head(
        sp.Min, "minimum", _of_several(sp.Min, "The smallest of the terms."),
        value=_extreme(-1), form=lambda *us: atom(("Min", frozenset(map(frozen, us)))),
        cases=Cases(("Min",), _extreme_cases(le)),
    ),
    Head(
        AtLeastZero, "indicator", _of_one(AtLeastZero, AtLeastZero.__doc__ or ""),
        value=lambda x: ONE if known_sign(x) >= 0 else ZERO, form=_indicator_form, jumps=True,
        cases=Cases(("app", AtLeastZero.__name__), _indicator_cases),
    ),
    Head(
        NormalCdf, "normal_cdf", normal_cdf,
        value=Number.normal_cdf, form=_normal_cdf_form, slope=normal_density,
    ),
    Head(
        Spread, "", None,
        value=_spread, form=lambda u: u, domain=_positive, slope=lambda _: sp.Integer(1),
    ),
)  # fmt: skip
_BY_KIND = {head.kind: head for head in HEADS}
_CASES = {head.cases.atom: head.cases.define for head in HEADS if head.cases is not None}
OWN_NAMES = frozenset(head.kind.__name__ for head in HEADS if head.kind.__module__ == __name__)
"""Names of classes of ours: no symbol or function of a proof file is called so."""


def head_of(term: Term) -> Head | None:
    """Return the row of the function that a term applies, None where it applies none."""
    return _BY_KIND.get(term.func)


def cases_of(key: Atom) -> Callable[[Z3, Translated, Atom], Z3] | None:
    """Return what the solver makes of an atom of a function that is defined by cases, else None."""
    return _CASES.get(key[: 2 if key[0] == "app" else 1])

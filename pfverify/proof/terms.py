"""Terms and formulas in which claims are stated.

Terms are sympy expressions over real symbols, with finite sums (`Total`), means against laws
(`Mean`) and integrals (`Area`).
Formulas are ours: sympy would simplify a relation, and with it the statement, behind our back.
A formula with free variables says that it holds for all their values; constants are fixed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from pfverify.errors import InputError

Term = Any  # sympy has no type stubs
Binding = Mapping[Any, Term]

MAX_NUMBER = 10_000  # an exponent, where a number could be computed from it
MAX_BITS = 50_000  # of a number
MAX_SIZE = 10_000  # parts of a term or formula, counted with multiplicity
MAX_DEPTH = 100
INFINITE = (sp.oo, -sp.oo)


def as_term(value: Any) -> Term:
    """Return an int or a Fraction as a sympy number, a sympy expression as it is.

    Raises TypeError for anything else (text is never read by sympy), InputError for an expression
    that has no real value, such as sqrt(-1) or 1/0.
    """
    if isinstance(value, sp.Expr):
        if value.has(sp.I, sp.nan, sp.zoo):
            raise InputError("a term has no real value (a root of a negative number, or 1/0)")
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return sp.Integer(value)
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    raise TypeError(f"expected a term or an exact number, got {type(value).__name__}")


def real_term(value: Any) -> Term:
    """As `as_term`, for real numbers: InputError where oo stands elsewhere than as an end."""
    term = as_term(value)
    if is_infinite(term):
        raise InputError("oo is no number: it is only an end of an integral")
    return term


def is_infinite(term: Term) -> bool:
    """Say whether oo is in a term elsewhere than as an end of an integral."""
    if isinstance(term, Area):
        body, _, *ends = term.args
        return is_infinite(body) or any(e not in INFINITE and is_infinite(e) for e in ends)
    return term in INFINITE or any(is_infinite(a) for a in term.args)


def power(base: Term, exponent: Term) -> Term:
    """Return base^exponent. Raises InputError where sympy would compute a huge number."""
    if base.is_Rational and base < 0 and not exponent.is_Integer:
        raise InputError("a negative number has no such power")
    bits = max(abs(base.p), base.q).bit_length() if base.is_Rational else 1
    if exponent.is_Rational and (
        exponent.q > MAX_NUMBER
        or abs(int(exponent.p)) * bits > (MAX_BITS if bits > 1 else MAX_NUMBER) * int(exponent.q)
    ):
        raise InputError("a power is too large")
    _require_small_beside_log(exponent)
    return combined(operator.pow, base, exponent) if exponent.is_Integer else base**exponent


def combined(of: Callable[[Any, Any], Any], left: Term, right: Term) -> Term:
    """Return a sum, difference, product, quotient or whole power of terms.

    Of numbers it is a number, also where sympy is told to simplify nothing.
    """
    if not (left.is_Rational and right.is_Rational):
        return of(left, right)
    try:
        return as_term(of(*(Fraction(int(x.p), int(x.q)) for x in (left, right))))
    except ZeroDivisionError:
        return as_term(sp.zoo)


def exponential(exponent: Term) -> Term:
    """Return e^exponent. Raises InputError where sympy would compute a huge number."""
    _require_small_beside_log(exponent)  # sympy turns e^(n log 2) into 2^n
    return sp.exp(exponent)


def _require_small_beside_log(exponent: Term) -> None:
    if exponent.has(sp.log) and any(abs(n) > MAX_NUMBER for n in exponent.atoms(sp.Rational)):
        raise InputError("a power is too large")


def require_manageable(thing: Any) -> None:
    """Raise InputError for a term or formula that is too large or too deep to work with."""
    size, depth = _extent(thing, {})
    if size > MAX_SIZE or depth > MAX_DEPTH:
        raise InputError("an expression is too large")


def _extent(thing: Any, known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Size and depth; parts that are shared are visited once and counted every time."""
    if id(thing) in known:
        return known[id(thing)]
    if isinstance(thing, sp.Rational) and max(abs(thing.p), thing.q).bit_length() > MAX_BITS:
        raise InputError("a number is too large")
    if isinstance(thing, Connective):
        parts: Any = thing.parts
    else:
        parts = tuple(terms_of(thing)) if isinstance(thing, Formula) else thing.args
    below = [_extent(part, known) for part in parts]
    sizes, depths = [size for size, _ in below], [depth for _, depth in below]
    known[id(thing)] = 1 + sum(sizes), 1 + max(depths, default=0)
    return known[id(thing)]


class _Named(sp.Symbol):  # type: ignore[misc]
    """A real symbol that is what its class, name and `sort` say (sympy must not share copies)."""

    sort: str

    def __new__(cls, name: str, sort: str = "") -> _Named:
        """Make the symbol outside sympy's cache, which would share it between sorts."""
        made: _Named = sp.Symbol.__xnew__(cls, name, real=True)
        made.sort = sort
        return made

    def __getnewargs_ex__(self) -> tuple[Any, ...]:
        return (self.name, self.sort), {}

    def _hashable_content(self) -> tuple[Any, ...]:
        return (*super()._hashable_content(), self.sort)


class Constant(_Named):
    """A real number fixed throughout a claim; `sort` is "positive" or "" (no assumption)."""


class Variable(_Named):
    """A real variable; a formula that contains it holds for all its values.

    With a `domain` (its sort, a name such as "X") it runs over a finite set of real numbers.
    """

    @property
    def domain(self) -> str:
        """The name of the domain, "" for all real numbers."""
        return self.sort


class Draw(Variable):
    """A value drawn from a law, any probability measure on the line that `domain` names.

    Free, it stands for every value of some set of probability 1, the same throughout a claim.
    """


class IndexConstant(_Named):
    """A fixed, unnamed member of a finite domain."""

    @property
    def domain(self) -> str:
        """The name of the domain."""
        return self.sort


class Binder(sp.Expr):  # type: ignore[misc]
    """A term with a bound symbol: its arguments are the body, the symbol, and perhaps two ends."""

    is_commutative = True

    @property
    def free_symbols(self) -> set[Any]:
        """The symbols of body and ends without the bound one."""
        body, bound, *ends = self.args
        free: set[Any] = body.free_symbols - {bound}
        return free.union(*(end.free_symbols for end in ends))

    def _eval_is_extended_real(self) -> bool:
        return True


class Total(Binder):
    """The sum of a term over the finite domain of an index (its mean, where it is drawn)."""

    _word = "sum"

    def __new__(cls, body: Term, index: Variable) -> Total:
        """Make the sum, or the mean."""
        kind = Mean if isinstance(index, Draw) else Total
        return sp.Expr.__new__(kind, as_term(body), index)  # type: ignore[no-any-return]

    def _sympystr(self, printer: Any) -> str:
        body: Any = self
        indices = []
        while type(body) is type(self):
            body, index = body.args
            indices.append(str(index))
        return f"{self._word}[{', '.join(indices)}]({printer._print(body)})"


class Mean(Total):
    """The mean of a term whose index is drawn from a law; means inside are of independent draws."""

    _word = "mean"


class Area(Binder):
    """The integral of a term over a real variable between two ends."""

    def __new__(cls, body: Term, variable: Variable, low: Term, high: Term) -> Area:
        """Make the integral."""
        ends = as_term(low), as_term(high)
        return sp.Expr.__new__(cls, as_term(body), variable, *ends)  # type: ignore[no-any-return]

    def _sympystr(self, printer: Any) -> str:
        body, variable, low, high = (printer._print(a) for a in self.args)
        return f"integral[{variable} from {low} to {high}]({body})"


# ---------------------------------------------------------------- formulas


@dataclass(frozen=True)
class Formula:
    """Base class of the formulas."""


@dataclass(frozen=True)
class Relation(Formula):
    """left op right, op one of <=, <, =, != (>= and > are written the other way round)."""

    op: str
    left: Term
    right: Term

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


@dataclass(frozen=True)
class Connective(Formula):
    """and, or, implies, not of formulas."""

    op: str
    parts: tuple[Formula, ...]

    def __str__(self) -> str:
        if self.op == "not":
            return f"not ({self.parts[0]})"
        word = {"implies": " -> "}.get(self.op, f" {self.op} ")
        return word.join(f"({p})" for p in self.parts)


@dataclass(frozen=True)
class Verdict(Formula):
    """The kernel accepts a certificate of this verdict for a named problem of the claim."""

    problem: str
    word: str

    def __str__(self) -> str:
        return f"the problem {self.problem} is {self.word}"


@dataclass(frozen=True)
class Predicate(Formula):
    """A property of a term that is not a relation: "rational", "integrable" (of a mean)."""

    name: str
    term: Term

    def __str__(self) -> str:
        return f"{self.term} is {self.name}"


def relation(op: str, left: Term, right: Term) -> Relation:
    """Return a relation; >= and > become <= and < with the sides swapped."""
    left, right = as_term(left), as_term(right)
    if op in (">=", ">"):
        return Relation("<" + op[1:], right, left)
    return Relation("=" if op == "==" else op, left, right)


def between(low: Term, x: Term, high: Term) -> list[Formula]:
    """Return low <= x and x <= high, without ends that are infinite."""
    pairs = ((low, x), (x, high))
    return [relation("<=", a, b) for a, b in pairs if a != -sp.oo and b is not sp.oo]


def mass_function(name: str) -> Any:
    """Return a function whose values are >= 0."""
    return sp.Function(name, real=True, nonnegative=True)


def real_function(name: str) -> Any:
    """Return a function with real values."""
    return sp.Function(name, real=True)


def is_mass(term: Term) -> bool:
    """Say whether a term is an application of a mass function."""
    return isinstance(term, AppliedUndef) and bool(term.is_nonnegative)


def joined(formula: Formula) -> list[Formula]:
    """Return the formulas that a formula joins by `and`: itself, if it joins none."""
    if isinstance(formula, Connective) and formula.op == "and":
        return [part for inner in formula.parts for part in joined(inner)]
    return [formula]


def is_positive(term: Term) -> bool:
    """Say whether a term is a constant declared positive."""
    return isinstance(term, Constant) and term.sort == "positive"


def atoms_of(formula: Formula) -> Iterator[Formula]:
    """Yield the formulas without connectives that a formula is made of."""
    if isinstance(formula, Connective):
        for part in formula.parts:
            yield from atoms_of(part)
    else:
        yield formula


def terms_of(formula: Formula) -> Iterator[Term]:
    """Yield the sides of all relations of a formula, and the terms of its predicates."""
    for atom in atoms_of(formula):
        if isinstance(atom, Relation):
            yield from (atom.left, atom.right)
        elif isinstance(atom, Predicate):
            yield atom.term


def pieces_of(*formulas: Formula) -> Iterator[Term]:
    """Yield all terms in formulas, and the terms inside these."""
    for formula in formulas:
        for term in terms_of(formula):
            yield from sp.preorder_traversal(term)


def mapped(formula: Formula, change: Callable[[Term], Term]) -> Formula:
    """Return the formula with every side of every relation changed."""
    if isinstance(formula, Relation):
        return replace(formula, left=change(formula.left), right=change(formula.right))
    if isinstance(formula, Predicate):
        return replace(formula, term=change(formula.term))
    if isinstance(formula, Connective):
        return replace(formula, parts=tuple(mapped(p, change) for p in formula.parts))
    return formula


def free_symbols(thing: Formula | Term) -> set[Any]:
    """Return the free constants and variables of a formula or a term."""
    if isinstance(thing, Formula):
        return {s for term in terms_of(thing) for s in term.free_symbols}
    return set(thing.free_symbols)


def variables_of(thing: Formula | Term) -> set[Variable]:
    """Return the free variables."""
    return {s for s in free_symbols(thing) if isinstance(s, Variable)}


def substituted(thing: Any, binding: Binding) -> Any:
    """Return a formula or a term with free symbols replaced; bound ones are renamed out of the way.

    Raises ValueError where an index would be replaced by something that does not run over its
    domain.
    """
    for symbol, value in binding.items():
        if isinstance(symbol, Variable) and symbol.domain:
            fits = type(value) in (type(symbol), IndexConstant)
            if not fits or value.domain != symbol.domain:
                raise ValueError(f"{symbol} runs over {symbol.domain}, {value} does not")
    if isinstance(thing, Formula):
        return mapped(thing, lambda t: _substituted(t, dict(binding)))
    return _substituted(thing, dict(binding))


def _substituted(term: Term, binding: dict[Any, Term]) -> Term:
    if not binding:
        return term
    if term.is_Symbol:
        return binding.get(term, term)
    if isinstance(term, Binder):
        body, bound, *ends = term.args
        inner = {k: v for k, v in binding.items() if k != bound}
        clash = {s.name for v in inner.values() for s in v.free_symbols}
        if bound.name in clash:
            name = bound.name
            while name in clash or name in {s.name for s in body.free_symbols}:
                name += "'"
            fresh = type(bound)(name, bound.domain)
            body, bound = _substituted(body, {bound: fresh}), fresh
        moved = (_substituted(e, binding) for e in ends)
        return term.func(_substituted(body, inner), bound, *moved)
    if not term.args:
        return term
    return rebuilt(term, [_substituted(a, binding) for a in term.args])


def simplified(term: Term) -> Term:
    """Return a term that was built without simplifying as sympy simplifies it.

    The two are equal where the given one has a value; the result may have values elsewhere."""
    return rebuilt(term, [simplified(a) for a in term.args]) if term.args else term


def rebuilt(term: Term, args: list[Term]) -> Term:
    """Return a term with other arguments. Raises InputError as `power` and `exponential` do."""
    if isinstance(term, sp.exp):
        return exponential(*args)
    return power(*args) if term.is_Pow else term.func(*args)

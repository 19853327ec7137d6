"""Universally quantified real arithmetic: z3 shows that the facts and the claim's negation clash.

Every part that is not a polynomial (e^u, log u, sums, applied functions, roots) becomes an unknown
real number, and true facts about these are added: e^u > 0, e^u >= 1 + u, e^u grows with u,
e^u e^v = e^(u+v), the like for log, |u|, max and min by cases, u (1/u) = 1 where u is not 0; the
normal distribution function grows from 0 to 1 and is symmetric, 3.1415926 < pi < 3.1415927. So
"unsat" proves the claim for the real functions; "sat" refutes nothing by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import lcm
from operator import eq, le, lt, ne
from typing import Any

from pfverify.proof.heads import cases_of
from pfverify.proof.meaning import declared
from pfverify.proof.normal import normal
from pfverify.proof.poly import (
    NO_EXPONENT,
    Frozen,
    Mono,
    Poly,
    TooLarge,
    add,
    frozen,
    repr_key,
    thawed,
)
from pfverify.proof.terms import Connective, Formula, Predicate, Relation, Term, terms_of

Z3 = Any  # z3 has no type stubs
EFFORT = 20_000_000  # of the solver for one step, in its own units (some seconds)
MAX_TERMS = 2_000  # of a normal form that is written out
MAX_FACTORS = 1_000  # of a power that is written out
MAX_EXPONENTS = 24  # pairs and triples of exponentials are related up to this number


class Translation:
    """One z3 problem: its unknowns and the true facts about them.

    With `split` the exponential of a sum is the product of the exponentials of its monomials (then
    e^u e^v = e^(u+v) needs no facts); without, each exponential is an unknown of its own.
    """

    def __init__(self, split: bool) -> None:
        import z3

        self.z3 = z3
        self.facts: list[Z3] = []
        self._unknowns: dict[Any, Z3] = {}
        self.split = split
        self._denominators: dict[Mono, int] = {}
        self._exponents: dict[Frozen, Z3] = {}
        self._logs: dict[Frozen, Z3] = {}
        self._cdfs: dict[Frozen, Z3] = {}

    def formula(self, formula: Formula) -> Z3:
        """Return a formula as a z3 formula."""
        z3 = self.z3
        if isinstance(formula, Relation):
            left, right = self.term(formula.left), self.term(formula.right)
            return {"<=": le, "<": lt, "=": eq, "!=": ne}[formula.op](left, right)
        if isinstance(formula, Connective):
            parts = [self.formula(p) for p in formula.parts]
            if formula.op == "not":
                return z3.Not(parts[0])
            build = {"and": z3.And, "or": z3.Or, "implies": z3.Implies}[formula.op]
            return build(*parts)
        if isinstance(formula, Predicate):
            key = (formula.name, frozen(normal(formula.term)))
            return self._unknown(key, z3.Bool)
        return self._unknown(("proposition", formula), z3.Bool)

    def term(self, term: Term) -> Z3:
        """Return a term as a z3 term."""
        return self.poly(normal(term))

    def poly(self, poly: Poly) -> Z3:
        """Return a normal form as a z3 term."""
        if len(poly) > MAX_TERMS:
            raise TooLarge("a term is too large for the solver")
        total = self._rational(Fraction(0))
        for mono in sorted(poly, key=repr_key):
            total = total + self._rational(poly[mono]) * self._mono(mono)
        return total

    def _rational(self, value: Fraction) -> Z3:
        return self.z3.Q(value.numerator, value.denominator)

    def _mono(self, mono: Mono) -> Z3:
        product = self._rational(Fraction(1))
        for key, k in sorted(mono[0], key=repr_key):
            product = self._times(product, self._atom(key), k, key)
        if mono[1]:
            product = product * self._exponential(mono[1])
        return product

    def _times(self, product: Z3, base: Z3, k: int, key: Any) -> Z3:
        """A product times the k-th power of a base."""
        if k < 0:
            base = self._inverse(base, ("1/", key))
        if abs(k) > MAX_FACTORS:
            raise TooLarge("a power is too large for the solver")
        for _ in range(abs(k)):
            product = product * base
        return product

    def _unknown(self, key: Any, kind: Any = None) -> Z3:
        if key not in self._unknowns:
            self._unknowns[key] = (kind or self.z3.Real)(f"v{len(self._unknowns)}")
        return self._unknowns[key]

    def _inverse(self, base: Z3, key: Any) -> Z3:
        known = key in self._unknowns
        inverse = self._unknown(key)
        if not known:
            self.facts.append(self.z3.Implies(base != 0, inverse * base == 1))
        return inverse

    def _atom(self, key: Any) -> Z3:
        z3, kind = self.z3, key[0]
        if cases := cases_of(key):
            return cases(z3, lambda form: self.poly(thawed(form)), key)
        if kind == "inv":
            return self._inverse(self.poly(thawed(key[1])), key)
        if key in self._unknowns:
            return self._unknowns[key]
        unknown = self._unknown(key)
        if kind == "root" and key[2] <= MAX_FACTORS:
            radicand = self.poly(thawed(key[1]))
            power = self._times(unknown, unknown, key[2] - 1, key)
            self.facts.append(z3.Implies(radicand >= 0, z3.And(unknown >= 0, power == radicand)))
        if kind == "log":
            self._logs[key[1]] = unknown
        if kind == "cdf":
            self._cdfs[key[1]] = unknown
        if kind == "pi":
            for end, sign in ((31415926, 1), (31415927, -1)):
                self.facts.append(sign * (unknown - self._rational(Fraction(end, 10**7))) > 0)
        return unknown

    def _exponential(self, exponent: Frozen) -> Z3:
        if exponent not in self._exponents:
            if self.split:
                value = self._rational(Fraction(1))
                for mono, c in sorted(exponent, key=repr_key):
                    value = value * self._generator(mono, c)
            else:
                value = self._unknown(("exp", exponent))
            self._exponents[exponent] = value
        return self._exponents[exponent]

    def _generator(self, mono: Mono, c: Fraction) -> Z3:
        """e^(c m) as a whole power of one unknown e^(m/d) for each monomial m."""
        d = self._denominators.get(mono, 1)
        key = ("generator", mono, d)
        known = key in self._unknowns
        base = self._unknown(key)
        if not known:
            self.facts.append(base > 0)
        k = c * d
        # met too late for a common denominator, or too large: an unknown of its own
        if k.denominator != 1 or abs(k) > MAX_FACTORS:
            return self._unknown(("exp", frozenset({(mono, c)})))
        return self._times(self._rational(Fraction(1)), base, int(k), key)

    def share_denominators(self, terms: Sequence[Term]) -> None:
        """Note the common denominators of the exponents' coefficients of these terms."""
        for term in terms:
            for _, exponent in normal(term):
                for mono, c in exponent:
                    d = self._denominators.get(mono, 1)
                    self._denominators[mono] = lcm(d, c.denominator)

    def close(self) -> None:
        """Add the facts about the exponentials and logarithms met so far."""
        z3 = self.z3
        self._close_cdfs()
        done: set[Frozen] = set()
        while todo := [e for e in self._exponents if e not in done]:
            for e in todo:  # translating an exponent can meet further exponentials
                done.add(e)
                value, u = self._exponents[e], self.poly(thawed(e))
                self.facts += [value > 0, value >= 1 + u]
        for u, log in list(self._logs.items()):
            base = self.poly(thawed(u))
            self.facts.append(z3.Implies(base > 0, log <= base - 1))
            self.facts.append(z3.Implies(base > 0, z3.And((base > 1) == (log > 0),
                                                          (base < 1) == (log < 0))))
            found = self._exponents.get(frozen({(frozenset({(("log", u), 1)}), NO_EXPONENT):
                                                Fraction(1)}))
            if found is not None:
                self.facts.append(z3.Implies(base > 0, found == base))
        for (u, a), (v, b) in combinations(self._logs.items(), 2):
            x, y = self.poly(thawed(u)), self.poly(thawed(v))
            self.facts += [z3.Implies(z3.And(x > 0, y > 0), fact) for fact in _grows(x, y, a, b)]
        known = dict(list(self._exponents.items())[:MAX_EXPONENTS])
        places = [(self.poly(thawed(e)), a) for e, a in known.items()]
        for (x, a), (y, b) in combinations(places, 2):
            self.facts += _grows(x, y, a, b)
        for x, a in places:
            self.facts += [(x > 0) == (a > 1), (x < 0) == (a < 1)]
        if not self.split:
            values = {NO_EXPONENT: 1, **known}
            for e, f in product(known, repeat=2):
                both = frozen(add(thawed(e), thawed(f)))
                if both in values and repr_key(e) <= repr_key(f):
                    self.facts.append(known[e] * known[f] == values[both])

    def _close_cdfs(self) -> None:
        """Add the facts about the normal distribution function."""
        done: dict[Frozen, tuple[Z3, Z3]] = {}
        half, one = self._rational(Fraction(1, 2)), self._rational(Fraction(1))
        while todo := [u for u in self._cdfs if u not in done]:
            for u in todo:  # translating an argument can meet further ones
                x, a = self.poly(thawed(u)), self._cdfs[u]
                self.facts += [a > 0, a < one, (x > 0) == (a > half), (x < 0) == (a < half)]
                if len(done) < MAX_EXPONENTS:
                    for y, b in done.values():
                        self.facts += [*_grows(x, y, a, b), *_grows(x + y, 0, a + b, one)]
                done[u] = x, a


def _grows(x: Z3, y: Z3, a: Z3, b: Z3) -> list[Z3]:
    """A growing function has the values a at x and b at y."""
    return [(x < y) == (a < b), (x == y) == (a == b)]


def refutation_of(
    facts: Sequence[Formula], claim: Formula, hints: Sequence[Term] = (), effort: int = EFFORT
) -> str:
    """Ask z3 whether the facts and the negation of the claim can hold together.

    "unsat" when they cannot: the claim is proved. "sat" when the unknowns can be chosen so (they
    need not belong to real functions, so this refutes nothing), "unknown" otherwise.
    """
    found = "unknown"
    for split, share in ((False, 20), (True, 1), (False, 1)):
        answer = _asked(facts, claim, hints, effort // share, split)
        if answer == "unsat":
            return answer
        if answer == "sat":
            found = answer
            if split:
                break
    return found


def _asked(
    facts: Sequence[Formula], claim: Formula, hints: Sequence[Term], effort: int, split: bool
) -> str:
    import z3

    translation = Translation(split)
    formulas = [*facts, claim]
    translation.share_denominators([*hints, *(t for f in formulas for t in terms_of(f))])
    statements = [translation.formula(f) for f in facts]
    negated = z3.Not(translation.formula(claim))
    for term in hints:
        translation.term(term)
    for formula in formulas:
        statements += [translation.formula(f) for f in declared(formula)]
    translation.close()
    solver = z3.Solver()
    solver.set("rlimit", effort)  # the same on every machine, unlike a time
    solver.add(*statements, *translation.facts, negated)
    return str(solver.check())

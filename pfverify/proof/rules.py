"""The rules of proof files: each checks that its formula follows from what it may use.

A rule never believes its author: it derives or decides the formula, or raises StepFails. Nothing
undecided passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import sympy as sp

from pfverify.errors import InputError
from pfverify.exact.answer import Answer
from pfverify.proof.arithmetic import refutation_of
from pfverify.proof.citations import CITATIONS
from pfverify.proof.defined import unshown
from pfverify.proof.meaning import Instance, assignments, truth
from pfverify.proof.means import valueless
from pfverify.proof.normal import equal
from pfverify.proof.numbers import NoMeaning
from pfverify.proof.poly import TooLarge
from pfverify.proof.sampling import false_somewhere, search_counterexample
from pfverify.proof.terms import (
    INFINITE,
    Area,
    Connective,
    Draw,
    Formula,
    Relation,
    Term,
    Total,
    Variable,
    Verdict,
    between,
    free_symbols,
    is_infinite,
    real_term,
    relation,
    substituted,
    variables_of,
)
from pfverify.proof.written import described


class StepFails(Exception):  # noqa: N818
    """The rule does not establish its formula; `counterexample`: where it is false, if known."""

    def __init__(self, why: str, counterexample: str = "") -> None:
        super().__init__(why)
        self.counterexample = counterexample


REFUSALS = (StepFails, InputError, TooLarge, TypeError, ValueError)
"""What a rule raises where it does not establish its formula."""


@dataclass(frozen=True)
class Use:
    """An earlier fact, with values for its free variables."""

    name: str
    binding: Mapping[Any, Term] = field(default_factory=dict)


@dataclass
class Context:
    """What a step may use: facts by name, the data of the part, problems and the kernel."""

    facts: dict[str, Formula]
    data: Instance | None = None
    kernel: Callable[[Mapping[str, Any]], str] | None = None
    problems: dict[str, Mapping[str, Any]] = field(default_factory=dict)  # by name
    citations: list[str] = field(default_factory=list)
    finite: set[Any] = field(default_factory=set)  # integrals that were shown to exist
    library: Callable[[str, str], Any] | None = None  # proved parts of other files
    uses: list[str] = field(default_factory=list)  # the ids of other files that steps used
    prove: Callable[[Sequence[Any], Formula, Context], None] | None = None  # a goal, by steps
    lines: list[str] = field(default_factory=list)  # the steps that hold, as text

    def fact(self, used: str | Use) -> Formula:
        """Return a fact, instantiated; StepFails if there is none of that name yet."""
        use = used if isinstance(used, Use) else Use(used)
        if use.name not in self.facts:
            raise StepFails(f"there is no earlier fact {use.name!r}")
        fact = self.facts[use.name]
        for symbol in use.binding:
            if symbol not in variables_of(fact):
                raise StepFails(f"{symbol} is no free variable of {use.name!r}")
        try:
            instantiated: Formula = substituted(
                fact, {symbol: real_term(value) for symbol, value in use.binding.items()}
            )
        except (InputError, TypeError, ValueError) as error:
            raise StepFails(str(error)) from None
        facts = list(self.facts.values())
        needed = []
        for condition, bound in (c for v in use.binding.values() for c in unshown(v, facts)):
            if bound:
                raise StepFails(f"{condition} is needed for a bound variable, nothing shows it")
            needed.append(condition)
        if needed:  # the fact is for numbers only: what has no value is guarded
            guard = Connective("and", tuple(needed))
            instantiated = Connective("implies", (guard, instantiated))
        return instantiated

    def require_defined(self, term: Term, guard: Formula | None = None) -> None:
        """Raise StepFails unless the facts (and the guard) show that the term has a value."""
        guards = [guard] if guard else []
        for missing, _ in unshown(term, list(self.facts.values()), guards):
            raise StepFails(f"{term} needs {missing}, which nothing shows")

    def require_values(self, *terms: Term) -> None:
        """Raise StepFails unless the integrals that may have no value were shown to have one."""
        for part in (p for t in terms for p in valueless(t, self.finite, self.facts.values())):
            raise StepFails(f"no step has shown that {part} has a value")

    def all(self, used: Sequence[str | Use]) -> list[Formula]:
        """Return several facts."""
        return [self.fact(u) for u in used]


@dataclass(frozen=True)
class Rule:
    """Base class: `check` raises one of REFUSALS unless the formula follows.

    The fields are what a proof file gives: numbers and terms become real terms, lists tuples.
    """

    def __post_init__(self) -> None:
        for field_ in fields(self):
            given = getattr(self, field_.name)
            if field_.type == "Term":
                object.__setattr__(self, field_.name, real_term(given))
            elif isinstance(given, list):
                object.__setattr__(self, field_.name, tuple(given))

    def check(self, formula: Formula, context: Context) -> None:
        """Raise one of REFUSALS unless the rule establishes the formula."""
        raise NotImplementedError

    def values(self, formula: Formula) -> set[Any]:
        """Return the integrals of the formula that the rule, if it accepts, shows to exist."""
        return set()

    @property
    def inner(self) -> Sequence[Any]:
        """The steps that the rule itself has checked."""
        return ()

    def with_inner(self, steps: Sequence[Any]) -> Rule:
        """Return the rule with its inner steps exchanged for others (as many)."""
        return self

    @property
    def name(self) -> str:
        """The rule's name in files and reports."""
        return type(self).__name__.lower()


# ---------------------------------------------------------------- identity


@dataclass(frozen=True)
class Identity(Rule):
    """
    left - right is 0 in normal form (inverses and roots cleared)
    -------------------------------------------------------------
    left = right

    and both sides have the same exact value at random rational points, found by other code, so
    that an error of the normal form is caught.
    """

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        if not isinstance(formula, Relation) or formula.op != "=":
            raise StepFails("an identity is an equation")
        same = equal(formula.left, formula.right)
        counterexample = false_somewhere(formula)
        if not same:
            raise StepFails("the two sides have different normal forms", counterexample)
        if counterexample:
            raise StepFails("the sides differ at a point (an error of this program)",
                            counterexample)


# ---------------------------------------------------------------- arithmetic


@dataclass(frozen=True)
class Arithmetic(Rule):
    """
    facts and not formula: unsatisfiable over the reals (z3)
    ---------------------------------------------------------
    formula

    `hints` are further terms (exponentials) about which the true facts are written down.
    """

    using: tuple[str | Use, ...] = ()
    hints: tuple[Term, ...] = ()

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        facts = context.all(self.using)
        answer = refutation_of(facts, formula, self.hints)
        if answer == "unsat":
            return
        found = search_counterexample(facts, formula)
        if found:
            raise StepFails("the formula does not follow from the facts used", found)
        if answer == "sat":
            raise StepFails(
                "the solver does not derive the formula from the facts used (no counterexample was "
                "met among small instances: it may be true and need more facts or hints)"
            )
        raise StepFails("UNKNOWN: the solver gave no answer in time")


# ---------------------------------------------------------------- sums and integrals


@dataclass(frozen=True)
class Summed(Rule):
    """
    L(x) <= R(x) for every x     w(x) >= 0 for every x
    ---------------------------------------------------
    sum over x of w L  <=  sum over x of w R

    (equations stay equations; a guard without x may stand before both relations; where x is drawn
    from a law, the sums are means, and all means that occur must exist). With ends
    `between` = (a, b), a <= b, the same for integrals over a real variable: the relation may then
    be guarded by a <= v and v <= b (by one of them where the other end is infinite). Integrals
    that may have no value must have been shown to exist; in an equation of two integrals the left
    one may be new.
    """

    fact: str | Use
    over: tuple[Variable, ...]
    weight: Term = sp.S.One
    using: tuple[str | Use, ...] = ()
    between: tuple[Term, Term] | None = None
    name = "integrate"

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        _require_variables(self.over, to_sum=self.between is None, drawn=True)
        guard, inner = guarded(context.fact(self.fact))
        if self.between is not None:
            if len(self.over) != 1:
                raise StepFails("an integral is over one variable")
            guard, inner = inside_fact(context, self.fact, *self.over, *self.between, self.using)
        if not isinstance(inner, Relation) or inner.op == "!=":
            raise StepFails("only relations <=, <, = can be summed")
        if guard is not None and set(self.over) & free_symbols(guard):
            raise StepFails("the guard depends on the index")
        context.require_defined(self.weight, guard)
        if inner.op != "=":
            facts = context.all(self.using) + ([guard] if guard else [])
            need(facts, relation(">=", self.weight, 0), "the weight is not >= 0")
        wanted_guard, wanted = guarded(formula)
        if wanted_guard != guard or not isinstance(wanted, Relation):
            raise StepFails("the formula must have the guard of the summed fact, or none")
        new = self.values(formula)
        context.require_values(wanted.right, *({wanted.left} - new))
        if wanted.op not in {"=": ("=", "<="), "<": ("<=",), "<=": ("<=",)}[inner.op]:
            raise StepFails(f"summing {inner.op} does not give {wanted.op}")
        left, right = self.weight * inner.left, self.weight * inner.right
        for index in self.over:
            left, right = self._collected(left, index), self._collected(right, index)
        if any(isinstance(index, Draw) for index in self.over):
            context.require_values(left, right)
        if not equal(right - left, wanted.right - wanted.left):
            raise StepFails(f"the sum says {left} {wanted.op} {right}, which is something else")

    def values(self, formula: Formula) -> set[Any]:
        """In an equation of two integrals over the same ends the left one is new."""
        if self.between is None or not isinstance(formula, Relation) or formula.op != "=":
            return set()
        sides = (formula.left, formula.right)
        same = all(isinstance(s, Area) and s.args[2:] == self.between for s in sides)
        return {formula.left} if same else set()

    def _collected(self, body: Term, index: Variable) -> Term:
        if self.between is not None:
            return Area(body, index, *self.between)
        return Total(body, index)


def need(facts: Sequence[Formula], wanted: Formula, why: str) -> None:
    """Raise StepFails unless the solver derives the formula from the facts."""
    if refutation_of(facts, wanted) != "unsat":
        raise StepFails(why)


def inside_fact(
    context: Context, used: str | Use, variable: Any, low: Term, high: Term,
    using: Sequence[str | Use],
) -> tuple[Formula | None, Formula]:  # fmt: skip
    """Return guard and relation of a fact that holds between the ends of an integral."""
    _require_variables((variable,), to_sum=False)
    if low is sp.oo or high == -sp.oo:
        raise StepFails("the ends are not ordered")
    within = between(low, variable, high)
    for end in {low, high} - {*INFINITE}:
        if is_infinite(end):
            raise StepFails("oo is no number: it is only an end of an integral")
        if variable in free_symbols(end):
            raise StepFails(f"the ends depend on {variable}")
        context.require_defined(end)
    if len(within) == 2:
        need(context.all(using), relation("<=", low, high), "the ends are not ordered")
    guard, inner = guarded(context.fact(used))
    if within and guard == (within[0] if len(within) == 1 else Connective("and", tuple(within))):
        guard = None
    return guard, inner


def _require_variables(symbols: Sequence[Any], to_sum: bool, drawn: bool = False) -> None:
    """Only an index (a real variable) stands for every member (number), a fixed symbol for one."""
    for symbol in symbols:
        if isinstance(symbol, Draw) and not drawn:
            raise StepFails(f"{symbol} is drawn from a law, which is no finite domain")
        if not isinstance(symbol, Variable) or (to_sum and not symbol.domain):
            raise StepFails(f"{symbol} has no domain to sum over")
        if symbol.domain and not to_sum:
            raise StepFails(f"{symbol} is no real variable to integrate over")


def guarded(formula: Formula) -> tuple[Formula | None, Formula]:
    """Return the guard of a formula, None where it has none, and what it guards."""
    if isinstance(formula, Connective) and formula.op == "implies":
        return formula.parts[0], formula.parts[1]
    return None, formula


@dataclass(frozen=True)
class Single(Rule):
    """
    f(x) = 0 for every x of the domain other than its member a
    -----------------------------------------------------------
    sum over x of w f  =  w(a) f(a)
    """

    fact: str | Use
    over: Variable
    weight: Term = sp.S.One

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        guard, inner = guarded(context.fact(self.fact))
        if not isinstance(guard, Relation) or not isinstance(inner, Relation) or (
            (guard.op, inner.op, inner.right) != ("!=", "=", 0)
            or [guard.left, guard.right].count(self.over) != 1
        ):
            raise StepFails("the fact must be: if x != a then f = 0")
        _require_variables((self.over,), to_sum=True)
        member = guard.right if guard.left == self.over else guard.left
        if not isinstance(formula, Relation) or formula.op != "=":
            raise StepFails("the formula must be an equation")
        context.require_defined(self.weight)
        body = self.weight * inner.left
        # substituted makes sure that the member runs over the domain of the index
        term = substituted(body, {self.over: member})
        if not equal(Total(body, self.over) - term, formula.left - formula.right):
            raise StepFails(f"the one term is {term}: the formula says something else")


@dataclass(frozen=True)
class OneTerm(Rule):
    """
    0 <= f(x) for every x     a a member of the domain of x
    --------------------------------------------------------
    f(a)  <=  sum over x of f(x)
    """

    fact: str | Use
    where: Mapping[Any, Term]

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        fact = context.fact(self.fact)
        if not (isinstance(fact, Relation) and fact.op in ("<=", "<") and fact.left == 0):
            raise StepFails("the fact must be: 0 <= f")
        if not isinstance(formula, Relation) or formula.op != "<=":
            raise StepFails("the formula must be: a term <= its sum")
        _require_variables(tuple(self.where), to_sum=True)
        # substituted makes sure that each member runs over the domain of its index
        whole, term = fact.right, substituted(fact.right, self.where)
        for index in self.where:
            whole = Total(whole, index)
        if not equal(whole - term, formula.right - formula.left):
            raise StepFails(f"one term of the sum is {term}, the formula is something else")


# ---------------------------------------------------------------- exact evaluation


@dataclass(frozen=True)
class Finite(Rule):
    """
    the formula is true for every member of every domain of the part's data (exact arithmetic)
    -------------------------------------------------------------------------------------------
    formula
    """

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        if context.data is None:
            raise StepFails("the part has no data to enumerate")
        try:
            for at in assignments(formula, context.data):
                answer = truth(formula, context.data, at)
                if answer is not Answer.YES:
                    word = "is false" if answer is Answer.NO else "UNKNOWN: is undecided"
                    raise StepFails(f"the formula {word}", described(context.data, at))
        except NoMeaning as error:
            raise StepFails(f"UNKNOWN: {error}") from None


@dataclass(frozen=True)
class Enclosure(Finite):
    """
    both sides of a closed relation, enclosed in balls of rising precision, are separated
    --------------------------------------------------------------------------------------
    the relation (equalities: by the exact zero test of exponential sums)
    """

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        if variables_of(formula):
            raise StepFails("an enclosure decides a formula without free variables")
        if context.data is None:
            context = Context({}, Instance())
        super().check(formula, context)


@dataclass(frozen=True)
class Certificate(Rule):
    """
    the kernel accepts a certificate of the verdict for the problem
    ----------------------------------------------------------------
    the problem `name` is certified (refuted)
    """

    problem: Mapping[str, Any]

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        if not isinstance(formula, Verdict) or context.kernel is None:
            raise StepFails("a certificate shows a verdict")
        if context.problems.setdefault(formula.problem, self.problem) != self.problem:
            raise StepFails(f"the name {formula.problem!r} stands for two problems")
        word = context.kernel(self.problem)
        if word != formula.word:
            raise StepFails(f"the kernel says {word}")


# ---------------------------------------------------------------- the literature


@dataclass(frozen=True)
class Cite(Rule):
    """
    the premises of a theorem of the literature (kept in citations.py, symbols replaced)
    -------------------------------------------------------------------------------------
    its conclusion
    """

    theorem: str
    using: tuple[str | Use, ...] = ()
    where: Mapping[str, Any] = field(default_factory=dict)

    def check(self, formula: Formula, context: Context) -> None:
        """See the figure above."""
        if self.theorem not in CITATIONS:
            raise StepFails(f"there is no citation {self.theorem!r}")
        try:
            premises, conclusion = CITATIONS[self.theorem].build(self.where)
        except (KeyError, TypeError, AttributeError, InputError) as error:
            raise StepFails(f"the citation needs other symbols: {error}") from None
        facts = context.all(self.using)
        for premise in premises:
            if premise not in facts:
                raise StepFails(f"the theorem needs: {premise}")
        if conclusion != formula:
            raise StepFails(f"the theorem says: {conclusion}")
        context.citations.append(self.theorem)

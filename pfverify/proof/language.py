"""The words of proof files.

Symbols: `positive("theta")`, `constants("a b")` are fixed; `variables("y")` and
`indices("x z", "X")` mean "for every"; `member("x0", "X")` is one fixed member of a domain.
`draws("x", "P")` are drawn from a law: `mean(term, x)` is a mean, `law({0: 1/2, 1: 1/2})` a law.
`masses("P pi")` are functions >= 0, `functions("f")` any. `total(term, x, z)` is a finite sum,
`integral(term, v, a, b)` an integral. `normal_pdf(x, mean, sd)`, `normal_cdf(x, mean, sd)` are the
normal density and distribution function (standard without mean and sd; sd has to be shown > 0),
`normal_tail` is 1 - `normal_cdf`, `derivative(term, v)` a derivative, `difference(term, v, b, h)`
what the term gains as v goes from b - h to b (h is 1 if not given).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sympy as sp

from pfverify.errors import InputError
from pfverify.proof import integrals, rules
from pfverify.proof.calculus import NotSmooth, derived
from pfverify.proof.chains import Induction, chain_formula
from pfverify.proof.claim import Break, Claim, Proved, Refuted, Source, Step
from pfverify.proof.heads import HEADS, OWN_NAMES, NormalCdf, Spread, normal_density, standard
from pfverify.proof.instances import InstanceLaw, as_instance
from pfverify.proof.instantiate import Maps, Theorem
from pfverify.proof.meaning import Instance
from pfverify.proof.named_problems import mixture_prior, normal_prior, plain, problem
from pfverify.proof.notation import sign_of
from pfverify.proof.outcome import Result
from pfverify.proof.papers import PAPERS
from pfverify.proof.procedures import PROCEDURES
from pfverify.proof.terms import (
    Area,
    Connective,
    Constant,
    Draw,
    Formula,
    IndexConstant,
    Mean,
    Predicate,
    Term,
    Total,
    Variable,
    Verdict,
    as_term,
    mass_function,
    power,
    real_function,
    real_term,
    substituted,
)
from pfverify.proof.termwise import Termwise


def _each(names: str, build: Any) -> Any:
    made = [build(_name(name)) for name in names.split()]
    return made[0] if len(made) == 1 else tuple(made)


def _name(name: str) -> str:
    taken = name in OWN_NAMES or name in LANGUAGE
    if taken or not (name.isascii() and name.isidentifier()):  # what is written alike is one name
        raise InputError(f"{name!r} cannot be a name")
    return name


def function_sqrt(argument: Term) -> Term:
    """The square root."""
    return power(real_term(argument), sp.Rational(1, 2))


def normal_pdf(x: Term, mean: Term = 0, sd: Term = 1) -> Term:
    """The density at x of the normal law with this mean and standard deviation."""
    return normal_density(standard(x, mean, sd)) / Spread(real_term(sd))


def normal_tail(x: Term, mean: Term = 0, sd: Term = 1) -> Term:
    """The chance of more than x under the normal law: 1 - normal_cdf(x), as normal_cdf(-x)."""
    return NormalCdf(-standard(x, mean, sd))


def erfc(argument: Term) -> Term:
    """The complementary error function."""
    return 2 * NormalCdf(-sp.sqrt(2) * real_term(argument))


def derivative(term: Term, variable: Any) -> Term:
    """The derivative of a term by a symbol, computed when the file is read."""
    if not isinstance(variable, Variable | Constant) or (
        isinstance(variable, Variable) and variable.domain
    ):
        raise InputError("derivative: expected a real variable or a constant")
    try:
        # 0 times the term: where that has no value there is nothing to differentiate
        return as_term(derived(real_term(term), variable)) + 0 * term
    except NotSmooth as error:
        raise InputError(f"derivative: {error}") from None


def positive(names: str) -> Any:
    """Constants > 0."""
    return _each(names, lambda n: Constant(n, "positive"))


def constants(names: str) -> Any:
    """Fixed real numbers."""
    return _each(names, Constant)


def variables(names: str) -> Any:
    """Real variables: formulas hold for all their values."""
    return _each(names, Variable)


def indices(names: str, over: str) -> Any:
    """Variables over a finite set of real numbers, which has members."""
    return _each(names, lambda n: Variable(n, over))


def draws(names: str, of: str) -> Any:
    """Independent draws from a law, any probability measure on the line; `of` is its name."""
    return _each(names, lambda n: Draw(n, _name(of)))


def member(names: str, of: str) -> Any:
    """Fixed members of a finite set of real numbers."""
    return _each(names, lambda n: IndexConstant(n, of))


def functions(names: str) -> Any:
    """Real functions."""
    return _each(names, real_function)


def masses(names: str) -> Any:
    """Functions >= 0 (with the value 0 where a table has no row)."""
    return _each(names, mass_function)


def total(term: Term, *over: Variable) -> Term:
    """The sum of a term over indices."""
    term = real_term(term)
    for index in over:
        if type(index) is not Variable or not index.domain:
            raise InputError(f"total: {index} has no domain (draws have a mean)")
        term = Total(term, index)
    return term


def mean(term: Term, *over: Draw) -> Term:
    """The mean of a term over draws."""
    term = real_term(term)
    for draw in over:
        if not isinstance(draw, Draw):
            raise InputError(f"mean: {draw} is not drawn from a law")
        term = Mean(term, draw)
    return term


def integrable(term: Term, *over: Draw) -> Formula:
    """The mean of the absolute value of a term over draws is finite."""
    return Predicate("integrable", mean(term, *over))


def law(masses: Mapping[Any, Any]) -> InstanceLaw:
    """A law with finitely many values, in an instance."""
    if not isinstance(masses, Mapping):
        raise InputError("law: expected a table of masses")
    return InstanceLaw(masses)


def integral(term: Term, variable: Variable, low: Term, high: Term) -> Term:
    """The integral of a term over a real variable."""
    if not isinstance(variable, Variable) or variable.domain:
        raise InputError("integral: expected a real variable")
    area = Area(term, variable, low, high)
    return real_term(area)


def difference(term: Term, variable: Variable, value: Term, step: Term = 1) -> Term:
    """What a term gains as its variable grows from value - step to value."""
    if not isinstance(variable, Variable) or variable.domain:
        raise InputError("difference: expected a real variable")
    value, step = real_term(value), real_term(step)
    return real_term(at(term, {variable: value}) - at(term, {variable: value - step}))


def at(thing: Any, where: Mapping[Any, Any]) -> Any:
    """A term or formula with symbols replaced."""
    if not isinstance(thing, Formula):
        thing = as_term(thing)
    return substituted(thing, {k: real_term(v) for k, v in where.items()})


def implies(first: Formula, second: Formula) -> Formula:
    """If first then second."""
    return Connective("implies", (_formula(first), _formula(second)))


def iff(first: Formula, second: Formula) -> Formula:
    """first exactly when second."""
    return Connective("and", (implies(first, second), implies(second, first)))


def _formula(value: Any) -> Formula:
    if not isinstance(value, Formula):
        raise InputError(f"expected a formula, got {type(value).__name__}")
    return value


def step(name: str, formula: Formula, rule: rules.Rule) -> Step:
    """A conclusion and the rule that checks it."""
    if not isinstance(rule, rules.Rule):
        raise InputError(f"step {name!r}: the rule is missing")
    _texts(name)
    if isinstance(rule, Termwise):
        rule = rule.concluding(_formula(formula))
    return Step(name, _formula(formula), rule)


def use(name: str, binding: Mapping[Any, Any]) -> rules.Use:
    """An earlier fact with values for its variables."""
    return rules.Use(name, {k: real_term(v) for k, v in binding.items()})


def arithmetic(*using: Any, hints: Any = ()) -> rules.Rule:
    """Real arithmetic from the facts named."""
    return rules.Arithmetic(tuple(using), tuple(real_term(h) for h in hints))


def integrate(
    fact: Any, *over: Variable, weight: Any = 1, using: Any = (), between: Any = None
) -> rules.Rule:
    """Sum (or integrate) a relation against a weight >= 0."""
    ends = None if between is None else (as_term(between[0]), as_term(between[1]))
    return rules.Summed(fact, tuple(over), real_term(weight), tuple(using), ends)


def termwise(by: Any, *over: Variable, weight: Any = 1) -> rules.Rule:
    """A relation of sums (means) over indices (draws), which a rule shows for the terms."""
    if not isinstance(by, rules.Rule) or not over:
        raise InputError("termwise: expected a rule for the terms, then the indices")
    return Termwise(by, tuple(over), real_term(weight))


def one_term(fact: Any, where: Mapping[Any, Any]) -> rules.Rule:
    """One term of a sum of terms >= 0 is at most the sum."""
    return rules.OneTerm(fact, {k: real_term(v) for k, v in where.items()})


def is_chain(indices: Any, ends: Any, step: Term = 1) -> Formula:
    """The domain of the two indices is first, first + step, ..., last (`ends` are members)."""
    (j, k), (first, last) = indices, ends
    return chain_formula(j, k, first, last, real_term(step))


def induction(
    chain: str, base: str, over: Any, formula: Formula, variable: Any, member: Any, steps: Any
) -> rules.Rule:
    """From each member of a chain to the next: the formula (in a variable) at every member.

    `chain` and `base` are names of facts: is_chain(...), and the formula at the first member. The
    steps show the formula at `member`, a new one, from "before" (it holds one step back) and
    "not first".
    """
    _texts(chain, base)
    return Induction(chain, base, over, _formula(formula), variable, member, _steps(steps))


def certificate(problem: Mapping[str, Any]) -> rules.Rule:
    """A certificate that the kernel accepts."""
    return rules.Certificate(plain(problem))


def cite(theorem: str, *using: Any, **where: Any) -> rules.Rule:
    """A theorem of the literature, from its premises."""
    return rules.Cite(theorem, tuple(using), where)


def theorem(
    id: str, where: Any = None, *using: Any, part: str = "printed"
) -> rules.Rule:
    """A proved part of another file, with terms, functions or domains for its symbols (by name)."""
    _texts(id, part, *(where or {}))
    return Theorem(id, part, dict(where or {}), tuple(using))


def maps(*arguments_and_term: Any) -> Maps:
    """A function given by a term, in `theorem`: maps(x, z, term)."""
    *arguments, term = arguments_and_term
    if not arguments or not all(isinstance(a, Variable) for a in arguments):
        raise InputError("maps: expected variables or indices, then a term")
    return Maps(tuple(arguments), real_term(term))


def rational(term: Term) -> Formula:
    """The term is a rational number."""
    return Predicate("rational", real_term(term))


def prime(term: Term) -> Formula:
    """The term is a prime number."""
    return Predicate("prime", real_term(term))


def algebraic(term: Term) -> Formula:
    """The term is an algebraic number."""
    return Predicate("algebraic", real_term(term))


def verdict(problem: str, word: str) -> Formula:
    """The named problem is certified (refuted)."""
    _texts(problem, _verdict_word(word))
    return Verdict(problem, word)


def _verdict_word(word: str) -> str:
    if word not in ("certified", "refuted"):
        raise InputError(f"no certificate shows the verdict {word!r}")
    return word


def _texts(*values: Any) -> None:
    for value in values:
        if not isinstance(value, str):
            raise InputError(f"expected text, got {type(value).__name__}")


def _steps(given: Any) -> tuple[Step, ...]:
    if not isinstance(given, list) or not all(isinstance(item, Step) for item in given):
        raise InputError("steps: expected a list of step(...)")
    return tuple(given)


def _hypotheses(given: Any) -> dict[str, Formula]:
    _texts(*(given or {}))
    return {name: _formula(f) for name, f in (given or {}).items()}


def _instance(value: Any) -> Instance | None:
    if value is not None and not isinstance(value, Instance):
        raise InputError(f"expected instance(...), got {type(value).__name__}")
    return value


def _examples(value: Any) -> tuple[Instance, ...]:
    found = [_instance(v) for v in (value if isinstance(value, list) else [value])]
    return tuple(v for v in found if v is not None)


def proved(
    statement: Formula, steps: Any, given: Any = None, example: Any = None, data: Any = None,
    words: str = "", meets: Any = None,
) -> Proved:  # fmt: skip
    """A statement proved by steps from hypotheses; `example` is an instance or a list of them."""
    _texts(words)
    return Proved(
        _formula(statement), _steps(steps), _hypotheses(given), _examples(example),
        _instance(data), words, _values(meets),
    )  # fmt: skip


def denied(printed: Formula, statement: Formula, steps: Any, at: Any = None, **rest: Any) -> Proved:
    """A printed claim that is false, as a formula, and the statement from which that follows.

    It fails for all values of its free variables where the hypotheses hold, or where `at` puts
    terms for these. `words` say what is printed and how the statement denies it.
    """
    part = proved(statement, steps, **rest)
    if not part.words:
        raise InputError("denied: words must say what is printed and how the statement denies it")
    where = {symbol: real_term(term) for symbol, term in (at or {}).items()}
    return replace(part, denied=_formula(printed), at=where)


def refuted(statement: Formula, instance: Any = None, given: Any = None, at: Any = None,
            problem: Any = None, verdict: str = "refuted", binds: Any = None,
            words: str = "") -> Refuted:  # fmt: skip
    """A statement that fails in an instance."""
    _texts(words, *(binds or {}), *(binds or {}).values())
    return Refuted(
        _formula(statement), _instance(instance), _hypotheses(given), _values(at), problem,
        _verdict_word(verdict), binds or {}, words,
    )  # fmt: skip


def _values(at: Any) -> dict[Any, Any]:
    return {symbol: as_instance(value=value).values["value"] for symbol, value in
            (at or {}).items()}  # fmt: skip


def paper(key: str, number: str) -> Source:
    """A numbered item of a paper ("design" for our own facts)."""
    if key not in PAPERS or number not in PAPERS[key].numbers:
        raise InputError(f"paper {key!r} has no item {number!r}")
    return Source(key, number)


def claim(
    id: str, source: Source, words: str, result: Result, printed: Any = None,
    corrected: Any = None, tighter: Any = None, readings: Any = (), not_checkable: str = "",
    open: str = "", symbols: Any = None, meaning: Any = (), breaks: Any = (),
) -> Claim:  # fmt: skip
    """The claim of a file."""
    if not isinstance(source, Source) or not isinstance(result, Result):
        raise InputError("a claim needs its source and its result")
    _texts(id, words, not_checkable, open)
    for part, kinds in ((printed, Proved | Refuted), (corrected, Proved), (tighter, Proved),
                        *((reading, Proved | Refuted) for reading in readings)):  # fmt: skip
        if part is not None and not isinstance(part, kinds):
            raise InputError("a part of a claim is proved(...) or refuted(...), and what is "
                             "corrected or tighter must be proved")
    if any(part is not None and part.denies for part in (corrected, tighter)):
        raise InputError("only what is printed, or a reading of it, is denied")
    return Claim(
        id, source, words, result, printed, corrected, tighter, tuple(readings), not_checkable,
        open, _symbols(symbols), tuple(_formula(f) for f in meaning), tuple(map(_break, breaks)),
    )  # fmt: skip


def _symbols(value: Any) -> dict[str, str]:
    symbols: dict[str, str] = dict(value or {})
    _texts(*symbols, *symbols.values())
    for notation in symbols.values():
        sign_of(notation)
    return symbols


def _break(value: Any) -> Break:
    if not isinstance(value, Break):
        raise InputError("breaks: expected a list of edit(...)")
    return value


def edit(change: str, step: str, where: Any = None, at: Any = None) -> Break:
    """An edit after which the file must fail, the step that notices, and where it is then false."""
    _texts(change, step)
    return Break(change, step, _instance(where), _values(at))


LANGUAGE: dict[str, Any] = {
    "positive": positive, "constants": constants, "variables": variables, "indices": indices,
    "draws": draws, "mean": mean, "integrable": integrable, "law": law,
    "member": member, "functions": functions, "masses": masses, "total": total,
    "integral": integral, "at": at, "difference": difference, "sqrt": function_sqrt,
    **{head.word: head.build for head in HEADS if head.word},
    "oo": sp.oo, "PI": sp.pi, "normal_pdf": normal_pdf, "normal_tail": normal_tail,
    "erfc": erfc, "derivative": derivative,
    "split_integral": integrals.SplitIntegral, "change_variable": integrals.ChangeVariable,
    "dominated": integrals.Dominated, "tonelli": integrals.Tonelli,
    "implies": implies, "iff": iff, "step": step, "use": use, "identity": rules.Identity,
    "arithmetic": arithmetic, "integrate": integrate, "termwise": termwise, "single": rules.Single,
    "is_chain": is_chain, "induction": induction,
    "one_term": one_term, "antiderivative": integrals.Antiderivative,
    "finite": rules.Finite, "enclosure": rules.Enclosure, "certificate": certificate, "cite": cite,
    "theorem": theorem, "maps": maps, "rational": rational, "verdict": verdict, "problem": problem,
    "prime": prime, "algebraic": algebraic, "normal_prior": normal_prior,
    "mixture_prior": mixture_prior, "proved": proved,
    "refuted": refuted, "denied": denied, "edit": edit,
    "instance": as_instance, "paper": paper, "Claim": claim,
    **{r.name: r for r in Result}, **PROCEDURES,
}  # fmt: skip

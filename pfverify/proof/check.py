"""Check a claim: every step by its rule, every part by its steps, the result by its parts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from sympy import E, pi, preorder_traversal
from sympy.core.function import AppliedUndef

from pfverify.errors import PfverifyError
from pfverify.exact.answer import Answer
from pfverify.exact.number import Number, number
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.proof.arithmetic import refutation_of
from pfverify.proof.citations import CITATIONS
from pfverify.proof.claim import Claim, Part, Proved, Refuted, Step
from pfverify.proof.defined import undefined_part
from pfverify.proof.meaning import (
    Instance,
    as_instance,
    assignments,
    declared,
    expanded,
    truth,
    truth_for_all,
)
from pfverify.proof.means import assumed_means, valueless
from pfverify.proof.normal import concluded, same
from pfverify.proof.notation import sign_of_name
from pfverify.proof.numbers import NoMeaning
from pfverify.proof.outcome import Outcome, Stated
from pfverify.proof.poly import TooLarge
from pfverify.proof.rules import Certificate, Context, StepFails, described, search_counterexample
from pfverify.proof.substance import (
    comparison,
    joined,
    same_part,
    share_a_subject,
    unmet_guard,
)
from pfverify.proof.terms import (
    Draw,
    Formula,
    IndexConstant,
    Relation,
    Variable,
    Verdict,
    free_symbols,
    is_mass,
    is_positive,
    latex,
    mapped,
    terms_of,
    variables_of,
)
from pfverify.transport.line import monotone_plan

Kernel = Callable[[Mapping[str, Any]], str]
Library = Callable[[str, str], Proved]


class PartFails(Exception):  # noqa: N818
    """A part does not check: at which step, why, and where it is false if that is known."""

    def __init__(self, step: str, why: str, counterexample: str = "") -> None:
        super().__init__(f"{step}: {why}")
        self.step, self.why, self.counterexample = step, why, counterexample


def check_claim(
    claim: Claim, kernel: Kernel, *, examples: bool = True, library: Library | None = None
) -> Outcome:
    """Return the outcome of a claim; nothing raises on a claim that does not check.

    `library` returns a part of another file by id and name if that file is proved, else it raises
    InputError: the steps may use these theorems.

    Without `examples` the steps are checked before the example (for claims broken on purpose: the
    step that a changed hypothesis breaks is of more interest).
    """
    start = time.perf_counter()
    source = f"{claim.source.paper} {claim.source.number}"
    outcome = Outcome(
        claim.id, claim.words, source, claim.result, open=claim.open, reason=claim.not_checkable
    )
    try:
        outcome.stated = [_stated(name, part, claim.symbols) for name, part in claim.parts()]
        _require_one_meaning(claim)
        problems: dict[str, Mapping[str, Any]] = {}
        for name, part in claim.parts():
            lines = check_part(part, kernel, outcome, examples, problems, library)
            outcome.steps += [f"{name}: {t}" for t in lines]
        _require_substance(claim, outcome)
        _settle(claim, outcome)
    except PartFails as failure:
        outcome.failure, outcome.failed_step = failure.why, failure.step
        outcome.counterexample = failure.counterexample
    except Exception as error:  # a claim on which the program itself fails is not shown
        outcome.failure = " ".join(f"{type(error).__name__}: {error}".split())
        outcome.failed_step = outcome.failed_step or "the file"
    outcome.seconds = time.perf_counter() - start
    return outcome


def _stated(name: str, part: Part, symbols: Mapping[str, str]) -> Stated:
    """What a part says, with the data that it is about: data belong to the statement."""
    kept = [*part.examples] if isinstance(part, Proved) else [part.instance or Instance()]
    data, data_latex = [], []
    if isinstance(part, Proved):
        if part.data is not None:
            data, data_latex = [str(part.data)], [part.data.latex()]
        shown = {s.formula.problem: s.rule.problem for s in part.all_steps()
                 if isinstance(s.rule, Certificate) and isinstance(s.formula, Verdict)}  # fmt: skip
    else:
        shown = {"" if part.problem is None else "the problem": part.problem or {}}
        kept = [joined(kept[0], Instance({str(k): _as_number(v) for k, v in part.at.items()}))]
    for title, problem in shown.items():
        if problem:
            data.append(f"{title}: {json.dumps(problem)}")
            data_latex.append(rf"\texttt{{{data[-1]}}}")
    steps = part.steps if isinstance(part, Proved) else ()
    where = f", where {'; '.join(data)}" if data else ""
    where_latex = rf"\quad\text{{where }} {'; '.join(data_latex)}" if data else ""
    return Stated(
        name,
        "refuted" if isinstance(part, Refuted) else "proved against it" * part.denies or "proved",
        part.words,
        {key: str(formula) for key, formula in part.given.items()},
        f"{part.statement}{where}",
        f"{latex(part.statement, symbols)}{where_latex}",
        {key: latex(formula, symbols) for key, formula in part.given.items()},
        "; ".join(data),
        "; ".join(data_latex),
        [str(instance) for instance in kept],
        [instance.latex() for instance in kept],
        {step.name: latex(step.formula, symbols) for step in steps},
    )


def _require_substance(claim: Claim, outcome: Outcome) -> None:
    """Readings differ, a repair is about what was printed."""
    for k, first in enumerate(claim.readings):
        if any(same_part(first, other) for other in claim.readings[:k]):
            raise PartFails(f"reading {k + 1}", "it is the same as another reading")
    if claim.printed is not None and claim.corrected is not None:
        if not share_a_subject(claim.printed, claim.corrected):
            raise PartFails("corrected", "it has no term in common with the printed claim")
        if isinstance(claim.printed, Refuted):
            outcome.comparison = comparison(claim.printed, claim.corrected)


def _settle(claim: Claim, outcome: Outcome) -> None:
    earned = claim.earned_result()
    if earned is None:
        raise PartFails("the file", "its parts do not settle the claim")
    if earned is not claim.result:
        raise PartFails("the file", f"it declares {claim.result}, its parts show {earned}")
    outcome.citations = sorted(set(outcome.citations))
    outcome.result = str(earned)
    if outcome.citations:
        outcome.result += f" given {', '.join(CITATIONS[c].words for c in outcome.citations)}"
    if outcome.open:
        outcome.result += f" (open: {outcome.open})"


def _require_one_meaning(claim: Claim) -> None:
    """A name stands for one thing throughout the file."""
    kinds: dict[str, Any] = {}
    numbers: set[str] = set()
    laws: set[str] = set()
    domains: set[str] = set()
    for _, part in claim.parts():
        formulas = [*part.given.values(), part.statement]
        formulas += [s.formula for s in part.all_steps()] if isinstance(part, Proved) else []
        for term in (t for formula in formulas for t in terms_of(formula)):
            for piece in preorder_traversal(term):
                kind: tuple[Any, ...]
                if isinstance(piece, Variable | IndexConstant):
                    (laws if isinstance(piece, Draw) else domains).add(piece.domain)
                if piece.is_Symbol:
                    name, kind = piece.name, (type(piece), piece.sort)
                elif isinstance(piece, AppliedUndef):
                    name, kind = piece.func.__name__, (is_mass(piece), len(piece.args))
                elif piece is E or piece is pi:  # printed like a symbol of that name
                    numbers.add(str(piece))
                    continue
                else:
                    continue
                if kinds.setdefault(name, kind) != kind:
                    raise PartFails("the file", f"the name {name!r} stands for two things")
    for name in laws & (domains | {*kinds}):
        raise PartFails("the file", f"the name {name!r} stands for a law and for something else")
    if unknown := {*claim.symbols} - {*kinds}:
        raise PartFails("the file", f"symbols: the claim has no {min(unknown)!r}")
    shown = [sign_of_name(name, claim.symbols) for name in kinds]
    if claim.symbols and len({*shown}) < len(shown):
        alike = next(sign for sign in shown if shown.count(sign) > 1)
        raise PartFails("the file", f"symbols: two names are shown as {alike.text}")
    for name in numbers & {*kinds}:
        if isinstance(kinds[name][0], type):  # a symbol: a function is printed with its arguments
            raise PartFails("the file", f"the name {name!r} stands for two things")


def check_part(
    part: Part, kernel: Kernel, outcome: Outcome, examples: bool = True,
    problems: dict[str, Mapping[str, Any]] | None = None, library: Library | None = None,
) -> list[str]:  # fmt: skip
    """Check one part and return its steps as text; PartFails names the step that does not hold.

    `problems` are those that the claim has named so far.
    """
    problems = {} if problems is None else problems
    if isinstance(part, Refuted):
        return _check_refuted(part, kernel, problems)
    if examples:
        _check_example(part)
    context = Context({}, part.data, kernel, problems, library=library, prove=_prove_inside)
    _check_proved(part, context)
    outcome.citations += context.citations
    outcome.uses = sorted({*outcome.uses, *context.uses})
    if not examples:
        _check_example(part)
    return context.lines


# ---------------------------------------------------------------- proved


def _check_proved(part: Proved, context: Context) -> None:
    facts, finite = context.facts, context.finite
    shown: set[Relation] = set()
    for name, formula in part.given.items():
        finite |= assumed_means(formula)
        _require_defined(name, formula, facts, shown, finite)
        facts[name] = formula
    if part.data is not None:
        formulas = [part.statement, *(step.formula for step in part.all_steps())]
        _require_declared(part.data, formulas, "the data")
    if not part.steps:
        raise PartFails("the statement", "no step proves it")
    _check_steps(part.steps, context, shown)
    _require_defined("the statement", part.statement, facts, shown, finite)
    if not concluded(part.statement, [step.formula for step in reversed(part.steps)]):
        found = search_counterexample([*facts.values()], part.statement)
        raise PartFails("the statement", "the steps conclude something else", found)


def _check_steps(steps: Sequence[Step], context: Context, shown: set[Relation]) -> None:
    """Add the steps to the facts; PartFails at the first that does not hold."""
    facts, finite = context.facts, context.finite
    for step in steps:
        if step.name in facts:
            raise PartFails(step.name, "the name is used twice")
        value = step.rule.values(step.formula)
        _require_defined(step.name, step.formula, facts, shown, finite | value)
        try:
            step.rule.check(step.formula, context)
        except StepFails as failure:
            raise PartFails(step.name, str(failure), failure.counterexample) from None
        except Exception as error:  # the program fails: nothing is shown
            why = " ".join(f"{type(error).__name__}: {error}".split())
            raise PartFails(step.name, why) from None
        finite |= value
        facts[step.name] = step.formula
        context.lines.append(f"{step.name} [{step.rule.name}] {step.formula}")


def _prove_inside(steps: Sequence[Step], goal: Formula, context: Context) -> None:
    """Check the steps that a rule is given for a goal; StepFails unless the last one is the goal.

    The context is the rule's own: it is changed."""
    try:
        _check_steps(steps, context, set())
    except PartFails as failure:
        raise StepFails(f"{failure.step}: {failure.why}", failure.counterexample) from None
    if not steps or not same(steps[-1].formula, goal):
        found = search_counterexample([*context.facts.values()], goal)
        raise StepFails(f"its last step must be {goal}", found)


def _require_defined(
    name: str, formula: Formula, facts: Mapping[str, Formula], shown: set[Relation],
    finite: set[Any],
) -> None:  # fmt: skip
    for part in (p for t in terms_of(formula) for p in valueless(t, finite, facts.values())):
        raise PartFails(name, f"no step has shown that {part} has a value")
    if missing := undefined_part(formula, list(facts.values()), shown):
        raise PartFails(name, f"it needs {missing}, which nothing shows")


def _check_example(part: Proved) -> None:
    """The hypotheses hold together in the example (at a few values of real variables).

    So does each guard inside the statement, for some values of its variables.
    """
    if part.given and not part.examples:
        raise PartFails("the example", "hypotheses need an example in which they hold")
    for example in part.examples:
        check_hypotheses(part, example)
    if guard := unmet_guard(part):
        raise PartFails("the example", f"the guard {guard} is not seen to hold in it: the statement"
                        " may say nothing (give an example, and `meets` for its variables)")


def check_hypotheses(part: Proved, example: Instance) -> None:
    """Raise PartFails at "the example" where a hypothesis does not hold in it (or is not declared
    so), at "the statement" where that is false in it."""
    if part.data is not None:  # hypotheses and data must hold together
        for ours, theirs in ((example.values, part.data.values),
                             (example.domains, part.data.domains),
                             (example.tables, part.data.tables),
                             (example.elsewhere, part.data.elsewhere),
                             (example.laws, part.data.laws)):  # fmt: skip
            for name in {*ours} & {*theirs}:
                if ours[name] != theirs[name]:
                    raise PartFails("the example", f"{name} is something else in the data")
    _require_declared(example, [*part.given.values(), part.statement], "the example")
    for name, formula in part.given.items():
        if _at_points(formula, example) is not Answer.YES:
            raise PartFails("the example", f"the hypothesis {name!r} does not hold in it")
    if _at_points(part.statement, example) is Answer.NO:
        raise PartFails("the statement", "it is false in the example", str(example))


def _at_points(formula: Formula, instance: Instance) -> Answer:
    real = sorted((v for v in variables_of(formula) if not v.domain), key=str)
    answers = []
    for k in (Fraction(-3), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(7, 3)):
        fixed = {v: Number.of_rational(k + j) for j, v in enumerate(real)}
        try:
            answers += [
                truth(formula, instance, at) for at in assignments(formula, instance, fixed)
            ]
        except NoMeaning:
            answers.append(Answer.UNKNOWN)
        if not real:
            break
    if real and not any(a is Answer.NO for a in answers) and not _everywhere(formula, instance):
        answers.append(Answer.UNKNOWN)
    if any(a is Answer.NO for a in answers):
        return Answer.NO
    return Answer.UNKNOWN if any(a is Answer.UNKNOWN for a in answers) else Answer.YES


def _everywhere(formula: Formula, instance: Instance) -> bool:
    """The solver shows that a formula holds in an instance for all values of its variables."""
    indices = {v: Number.of_rational(0) for v in variables_of(formula) if not v.domain}
    try:
        for at in assignments(formula, instance, indices):
            fixed = {v: x for v, x in at.items() if v.domain}
            inside = mapped(formula, partial(expanded, instance=instance, at=fixed))
            if refutation_of([], inside) != "unsat":
                return False
    except (PfverifyError, TooLarge, TypeError, ValueError):
        return False
    return True


def _require_declared(instance: Instance, formulas: list[Formula], where: str) -> None:
    """Masses are not negative, positive constants positive, index constants in their domain.

    Rows of tables belong to arguments that the formulas can have.
    """
    _require_rows(instance, formulas, where)
    for table in _masses(formulas):
        for key, mass in instance.tables.get(table, {}).items():
            if mass.sign() not in (0, 1):
                raise PartFails(where, f"the mass {table}{key} is negative or undecided")
    for formula in formulas:
        for symbol in free_symbols(formula):
            if symbol.name not in instance.values or isinstance(symbol, Variable):
                continue
            value = instance.values[symbol.name]
            if is_positive(symbol) and value.sign() != 1:
                raise PartFails(where, f"{symbol} is declared positive")
            if isinstance(symbol, IndexConstant) and (
                value.fraction not in instance.domains.get(symbol.domain, ())
            ):
                raise PartFails(where, f"{symbol} is no member of {symbol.domain}")


def _require_rows(instance: Instance, formulas: list[Formula], where: str) -> None:
    """Every row has the arguments of its function, from the domains of its indices if it has only
    these."""
    places: dict[str, list[set[Fraction] | None]] = {}  # members per argument, None: any number
    for piece in (p for f in formulas for t in terms_of(f) for p in preorder_traversal(t)):
        if not isinstance(piece, AppliedUndef) or piece.func.__name__ not in instance.tables:
            continue
        name = piece.func.__name__
        known = places.setdefault(name, [set() for _ in piece.args])
        for k, argument in enumerate(piece.args):
            domain, here = getattr(argument, "domain", ""), known[k]
            if not domain:
                known[k] = None
            elif here is not None:
                drawn = isinstance(argument, Draw)
                here |= {*(instance.laws if drawn else instance.domains).get(domain, ())}
    for name, known in places.items():
        for key in instance.tables[name]:
            if len(key) != len(known):
                raise PartFails(where, f"a row of {name} has {len(key)} arguments")
            for place, members in zip(key, known, strict=True):
                if members is not None and place not in members:
                    raise PartFails(where, f"a row of {name} is at {place}, outside its domain")


def _masses(formulas: list[Formula]) -> set[str]:
    return {
        f.right.func.__name__
        for formula in formulas
        for f in declared(formula)
        if isinstance(f, Relation) and is_mass(f.right)
    }


# ---------------------------------------------------------------- refuted


def _check_refuted(
    part: Refuted, kernel: Kernel, problems: dict[str, Mapping[str, Any]]
) -> list[str]:
    instance = part.instance or Instance()
    lines = []
    if part.problem is not None:
        word = kernel(part.problem)
        if word != part.verdict:
            raise PartFails("the counterexample", f"the kernel says {word}, not {part.verdict}")
        lines.append(f"the kernel accepts a certificate: {word}")
        instance = _joined(instance, part)
    formulas = [*part.given.values(), part.statement]
    _require_declared(instance, formulas, "the counterexample")
    if isinstance(part.statement, Verdict) and part.problem is None:
        raise PartFails("the counterexample", "a verdict needs its problem")
    for name, formula in part.given.items():
        try:
            holds = truth_for_all(formula, instance)
        except NoMeaning as error:
            raise PartFails(name, f"UNKNOWN: {error}") from None
        if holds is not Answer.YES:
            raise PartFails(name, "the hypothesis does not hold in the counterexample")
    if isinstance(part.statement, Verdict):
        if part.statement.word == part.verdict or part.at:
            raise PartFails("the counterexample", "the statement is not shown to be false there")
        name, problem = part.statement.problem, part.problem or {}
        if problems.setdefault(name, problem) != problem:
            raise PartFails("the counterexample", f"the name {name!r} stands for two problems")
        return [*lines, f"{part.statement} is false: it is {part.verdict}"]
    at = {symbol: _as_number(value) for symbol, value in part.at.items()}
    for symbol in at:
        if symbol not in variables_of(part.statement):
            raise PartFails("the counterexample", f"{symbol} is no variable of the statement")
        if symbol.domain and at[symbol].fraction not in instance.members(symbol):
            raise PartFails("the counterexample", f"{symbol} is no member of {symbol.domain}")
    try:
        for full in assignments(part.statement, instance, at):
            if truth(part.statement, instance, full) is Answer.NO:
                return [*lines, f"false at {described(instance, full)}"]
    except NoMeaning as error:
        raise PartFails("the counterexample", f"UNKNOWN: {error}") from None
    raise PartFails("the counterexample", "the statement is not shown to be false there")


def falsified(part: Refuted) -> tuple[Instance, dict[Any, Number]] | None:
    """Return an instance and values of variables at which a part's statement is false.

    None where none is met, and for a statement about a verdict. Raises NoMeaning where something
    has no value.
    """
    if isinstance(part.statement, Verdict):
        return None
    instance = part.instance or Instance()
    if part.problem is not None:
        instance = _joined(instance, part)
    at = {symbol: _as_number(value) for symbol, value in part.at.items()}
    for full in assignments(part.statement, instance, at):
        if truth(part.statement, instance, full) is Answer.NO:
            return instance, full
    return None


def _as_number(value: Any) -> Number:
    return as_instance(value=value).values["value"]


def _joined(instance: Instance, part: Refuted) -> Instance:
    """Add the priors, the monotone plan, atoms, scale and epsilon of the problem, by `binds`."""
    problem = Problem.from_text(json.dumps(part.problem), json_format=True)
    item = next(iter(problem.pairs_of_priors()))
    both = item.first_prior, item.second_prior
    priors = {
        secret: prior
        for secret, prior in zip((item.first, item.second), both, strict=True)
        if isinstance(prior, Discrete)
    }
    values, domains, tables = dict(instance.values), dict(instance.domains), dict(instance.tables)
    for name, what in part.binds.items():
        if any(name in known for known in (values, domains, tables, instance.laws)):
            raise PartFails("the counterexample", f"{name} is bound twice")
        if what in ("atoms", "plan") and len(priors) < 2:
            raise PartFails("the counterexample", f"{name}: a prior has a density, no {what}")
        if what == "scale":
            values[name] = problem.scale()
        elif what == "epsilon":
            values[name] = problem.epsilon
        elif what == "exp(epsilon)":
            values[name] = problem.epsilon.exp()
        elif what == "delta":
            values[name] = problem.delta
        elif what == "atoms":
            domains[name] = tuple(sorted({x for prior in priors.values() for x in prior.mass}))
        elif what == "plan":
            plan = monotone_plan(priors[item.first], priors[item.second])
            tables[name] = {
                (Fraction(x, plan.denominator), Fraction(z, plan.denominator)): number(
                    Fraction(mass, plan.total)
                )
                for x, z, mass in plan.edges
            }
        elif what in priors:
            tables[name] = {(x,): number(m) for x, m in priors[what].mass.items()}
        else:
            raise PartFails("the counterexample", f"the problem has no {what!r}")
    return Instance(values, domains, tables, instance.elsewhere, instance.laws)

"""Check a claim: every step by its rule, every part by its steps, the result by its parts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sympy.core.function import AppliedUndef

from pfverify.proof.alike import require_clear
from pfverify.proof.arithmetic import refutation_of
from pfverify.proof.citations import CITATIONS
from pfverify.proof.claim import Claim, Part, Proved, Refuted, Step
from pfverify.proof.defined import Shown, undefined_part
from pfverify.proof.examples import check_example, require_declared
from pfverify.proof.means import assumed_means, valueless
from pfverify.proof.normal import concluded, same
from pfverify.proof.outcome import Outcome, PartFails
from pfverify.proof.paper_notation import pieces, symbols_of
from pfverify.proof.refuted import check_refuted
from pfverify.proof.rules import REFUSALS, Context, StepFails
from pfverify.proof.sampling import search_counterexample
from pfverify.proof.stated import stated
from pfverify.proof.substance import comparison, require_told, restates, share_a_subject
from pfverify.proof.terms import (
    Area,
    Connective,
    Draw,
    Formula,
    IndexConstant,
    Mean,
    Variable,
    is_mass,
    pieces_of,
    simplified,
    substituted,
    terms_of,
    variables_of,
)

Kernel = Callable[[Mapping[str, Any]], str]
Library = Callable[[str, str], Proved]


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
        symbols = symbols_of(claim)
        outcome.stated = [stated(name, part, symbols) for name, part in claim.parts()]
        _require_one_meaning(claim)
        require_clear(claim)
        problems: dict[str, Mapping[str, Any]] = {}
        for name, part in claim.parts():
            lines = _check_part(part, kernel, outcome, examples, problems, library)
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


def _require_substance(claim: Claim, outcome: Outcome) -> None:
    """Readings differ, names and denials say what they are of, a repair is of what was printed."""
    require_told(claim)
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
    laws: set[str] = set()
    domains: set[str] = set()
    for piece in pieces(claim):
        kind: tuple[Any, ...]
        if isinstance(piece, Variable | IndexConstant):
            (laws if isinstance(piece, Draw) else domains).add(piece.domain)
        if piece.is_Symbol:
            name, kind = piece.name, (type(piece), piece.sort)
        elif isinstance(piece, AppliedUndef):
            name, kind = piece.func.__name__, (is_mass(piece), len(piece.args))
        else:
            continue
        if kinds.setdefault(name, kind) != kind:
            raise PartFails("the file", f"the name {name!r} stands for two things")
    for name in laws & (domains | {*kinds}):
        raise PartFails("the file", f"the name {name!r} stands for a law and for something else")


def _check_part(
    part: Part, kernel: Kernel, outcome: Outcome, examples: bool,
    problems: dict[str, Mapping[str, Any]], library: Library | None,
) -> list[str]:  # fmt: skip
    """Check one part and return its steps as text; PartFails names the step that does not hold.

    `problems` are those that the claim has named so far.
    """
    if isinstance(part, Refuted):
        return check_refuted(part, kernel, problems)
    if examples:
        check_example(part)
    context = Context({}, part.data, kernel, problems, library=library, prove=_prove_inside)
    _check_proved(part, context)
    outcome.citations += context.citations
    outcome.uses = sorted({*outcome.uses, *context.uses})
    if not examples:
        check_example(part)
    return context.lines


# ---------------------------------------------------------------- proved


def _check_proved(part: Proved, context: Context) -> None:
    facts, finite = context.facts, context.finite
    shown: Shown = set()
    written = part.written or part
    for name, formula in part.given.items():
        finite |= assumed_means(formula)
        _require_defined(name, (formula, written.given[name]), facts, shown, finite)
        facts[name] = formula
    if part.data is not None:
        formulas = [part.statement, *(step.formula for step in part.all_steps())]
        require_declared(part.data, formulas, "the data")
    if not part.steps:
        raise PartFails("the statement", "no step proves it")
    _check_steps(part.steps, context, shown)
    statement = (part.statement, written.statement)
    _require_defined("the statement", statement, facts, shown, finite)
    if not concluded(part.statement, [step.formula for step in reversed(part.steps)]):
        found = search_counterexample([*facts.values()], part.statement)
        raise PartFails("the statement", "the steps conclude something else", found)
    if restates(part):
        raise PartFails("the statement", "it is among the hypotheses: nothing is proved")
    if part.denied is not None:
        _require_denied(part, part.denied, context, shown)


def _require_denied(part: Proved, denied: Formula, context: Context, shown: Shown) -> None:
    """What is printed fails, where `at` says: from the hypotheses and the statement."""
    where, written = "what is printed", part.written or part
    both = (denied, written.denied or denied)
    _require_defined(where, both, context.facts, shown, context.finite)
    known = [*part.given.values(), part.statement]
    for symbol in part.at:  # a constant is fixed: of another one the hypotheses say nothing
        if symbol not in variables_of(denied):
            raise PartFails(where, f"{symbol} is no variable of it")
    try:
        for term in written.at.values():
            context.require_defined(term)
            context.require_values(term)
        if part.at:
            known += [substituted(fact, part.at) for fact in known]
        fails = Connective("not", (substituted(denied, part.at),))
        if refutation_of(known, fails) != "unsat":
            found = search_counterexample(known, fails)
            raise PartFails(where, "that it is false does not follow from the statement", found)
    except REFUSALS as failure:
        raise PartFails(where, str(failure)) from None


def _check_steps(steps: Sequence[Step], context: Context, shown: Shown) -> None:
    """Add the steps to the facts; PartFails at the first that does not hold."""
    facts, finite = context.facts, context.finite
    for step in steps:
        if step.name in facts:
            raise PartFails(step.name, "the name is used twice")
        try:
            value = step.rule.values(step.formula)
            both = (step.formula, step.written or step.formula)
            _require_defined(step.name, both, facts, shown, finite | value)
            step.rule.check(step.formula, context)
        except PartFails:
            raise
        except REFUSALS as failure:
            found = failure.counterexample if isinstance(failure, StepFails) else ""
            raise PartFails(step.name, str(failure), found) from None
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
    name: str, both: tuple[Formula, Formula], facts: Mapping[str, Formula], shown: Shown,
    finite: set[Any],
) -> None:  # fmt: skip
    """A formula as the rules read it, and as it is written, has a value."""
    formula, written = both
    cancelled = {simplified(p) for p in pieces_of(written) if isinstance(p, Mean | Area)}
    for term in [*terms_of(formula), *cancelled.difference(pieces_of(formula))]:
        for part in valueless(term, finite, facts.values()):
            raise PartFails(name, f"no step has shown that {part} has a value")
    for form in both:
        if missing := undefined_part(form, list(facts.values()), shown):
            raise PartFails(name, f"it needs {missing}, which nothing shows")

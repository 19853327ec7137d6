"""The worst pair's inequality as a LaTeX fragment: what `certify --explain --latex` prints."""

from __future__ import annotations

from dataclasses import dataclass, field

from pfverify.answers.outcome import CertifyResult, Directed
from pfverify.decide.verdict import Verdict
from pfverify.edge.ordered import against
from pfverify.errors import told_at
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Infinite, latex_of
from pfverify.model.notion import Bound, Renyi, Zcdp
from pfverify.model.problem import Problem
from pfverify.symbolic.divergence import Divergence, check_statable, divergence
from pfverify.symbolic.statement import latex
from pfverify.symbolic.translate import from_number

_RELATIONS = {Verdict.CERTIFIED: "\\leq", Verdict.REFUTED: ">"}


@dataclass(frozen=True)
class Fragment(NoTruth, ask="read its attributes"):
    r"""A LaTeX fragment in lines (displays; ``\text`` needs amsmath), with what it states."""

    lines: list[str]
    stated: Divergence = field(metadata={"json": False}, repr=False)


_COMPARED = {
    Bound.DIVERGENCE: ("P(Y \\in B \\mid {})", "for every event } B"),
    Bound.EXCESS: ("p(y \\mid {})", "at every output } y"),
}


def latex_of_problem(problem: Problem) -> str:
    """Return the bound that a problem asks about, as LaTeX between dollar signs.

    Example: ``latex_of_problem(problem).startswith("$P(Y")`` is True.
    """
    notion, epsilon = problem.notion, latex(from_number(problem.epsilon))
    far = " \\cdot d(s, s')" if problem.protection.extended else ""
    if isinstance(notion, Renyi | Zcdp):
        order = f"{{{notion.order}}}" if isinstance(notion, Renyi) else "a"
        of_all = " \\, a \\quad \\text{for every order } a > 1" if order == "a" else ""
        return f"$D_{order}(P_s \\,\\|\\, P_{{s'}}) \\leq {epsilon}{far}{of_all}$"
    law, place = _COMPARED[notion.stated]
    delta = "" if problem.delta.sign() == 0 else f" + {latex(from_number(problem.delta))}"
    left, right = law.format("s"), law.format("s'")
    return f"${left} \\leq e^{{{epsilon}{far}}} \\, {right}{delta} \\quad \\text{{{place}$"


def latex_of_certified(problem: Problem, result: CertifyResult) -> str:
    r"""Return the bound that was decided, after its verdict, as LaTeX between dollar signs.

    Example: ``latex_of_certified(problem, certify(problem))[:16]`` is ``r"$\text{certified"``.
    """
    return f"$\\text{{{result.verdict.value}: }} {latex_of_problem(problem)[1:]}"


def check_latex(problem: Problem) -> None:
    """Raise InputError where the law of a release is not stated."""
    with told_at("--latex: "):
        check_statable(problem)


def fragment(problem: Problem, result: CertifyResult) -> Fragment:
    """Return the laws of the worst pair, their divergence, and how it was decided, as LaTeX.

    Raises InputError as `check_latex`.
    """
    check_latex(problem)
    worst = result.pairs[0]
    y = worst.worst_y
    reached = None if worst.undecided else str(y) if isinstance(y, Infinite) else y
    stated = divergence(problem, worst.belief, worst.from_, worst.to, reached)
    bound = problem.requirement.one_target.bound
    found = worst.loss if bound is Bound.RATIO else worst.delta
    displays = [*stated.latex, *_decided(stated, found, worst)]
    comment = f"% {worst.verdict.value}: {against(worst, result.pairs)}"
    return Fragment([comment, *(f"\\[ {text} \\]" for text in displays)], stated)


def _decided(stated: Divergence, found: Enclosure | None, worst: Directed) -> list[str]:
    """Between which numbers the divergence lies, and how that compares with its bound."""
    symbol, (name, bound) = stated.symbol, stated.bounded_by
    parts = []
    if found is not None and found.lower == found.upper:
        parts.append(f"{symbol} = {latex_of(found.lower)}")
    elif found is not None:
        parts.append(f"{latex_of(found.lower)} \\leq {symbol} \\leq {latex_of(found.upper)}")
    if not worst.undecided:
        relation = "=" if worst.tie else _RELATIONS[worst.verdict]
        parts.append(f"{symbol} {relation} {name} = {latex(bound)}")
    return [" ,\\qquad ".join(parts)] if parts else []

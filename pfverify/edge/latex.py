"""The worst pair's inequality as a LaTeX fragment: what `certify --explain --latex` prints."""

from __future__ import annotations

from dataclasses import dataclass, field

from pfverify.decide.outcome import CertifyResult, Directed, Verdict
from pfverify.edge.names import distinct
from pfverify.errors import InputError
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Extended, Infinite
from pfverify.model.notion import Bound
from pfverify.model.problem import Problem
from pfverify.symbolic.divergence import Divergence, check_statable, divergence
from pfverify.symbolic.statement import latex

_RELATIONS = {Verdict.CERTIFIED: "\\leq", Verdict.REFUTED: ">"}


@dataclass(frozen=True)
class Fragment(NoTruth, ask="read its attributes"):
    r"""A LaTeX fragment in lines (displays; ``\text`` needs amsmath), with what it states."""

    lines: list[str]
    stated: Divergence = field(metadata={"json": False}, repr=False)


def check_latex(problem: Problem) -> None:
    """Raise InputError where the law of a release is not stated."""
    try:
        check_statable(problem)
    except InputError as error:
        raise InputError(f"--latex: {error}") from None


def fragment(problem: Problem, result: CertifyResult) -> Fragment:
    """Return the laws of the worst pair, their divergence, and how it was decided, as LaTeX.

    Raises InputError as `check_latex`.
    """
    check_latex(problem)
    worst = result.pairs[0]
    y = worst.worst_y
    reached = None if worst.undecided else str(y) if isinstance(y, Infinite) else y
    stated = divergence(problem, worst.belief, worst.from_, worst.to, reached)
    bound = problem.target(worst.from_, worst.to).bound
    found = worst.loss if bound is Bound.RATIO else worst.delta
    displays = [*stated.latex, *_decided(stated, found, worst)]
    return Fragment([_comment(result, worst), *(f"\\[ {text} \\]" for text in displays)], stated)


def _comment(result: CertifyResult, worst: Directed) -> str:
    named = distinct([worst.belief, worst.from_, worst.to])
    several = len({pair.belief for pair in result.pairs}) > 1
    under = f" under belief {named[worst.belief]}" if several else ""
    return f"% {worst.verdict.value}: {named[worst.from_]} against {named[worst.to]}{under}"


def _decided(stated: Divergence, found: Enclosure | None, worst: Directed) -> list[str]:
    """Between which numbers the divergence lies, and how that compares with its bound."""
    symbol, (name, bound) = stated.symbol, stated.bounded_by
    parts = []
    if found is not None and found.lower == found.upper:
        parts.append(f"{symbol} = {_decimal(found.lower)}")
    elif found is not None:
        parts.append(f"{_decimal(found.lower)} \\leq {symbol} \\leq {_decimal(found.upper)}")
    if not worst.undecided:
        relation = "=" if worst.tie else _RELATIONS[worst.verdict]
        parts.append(f"{symbol} {relation} {name} = {latex(bound)}")
    return [" ,\\qquad ".join(parts)] if parts else []


def _decimal(number: Extended) -> str:
    """Return a decimal as LaTeX: its power of ten apart."""
    text = str(number)
    if text == "inf":
        return "\\infty"
    digits, mark, power = text.partition("e")
    return f"{digits} \\cdot 10^{{{power}}}" if mark else digits

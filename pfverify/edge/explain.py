"""The inequality at the worst output with its numbers, so that a person can redo it by hand."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from pfverify.answers.outcome import CertifyResult
from pfverify.decide.renyi.compared import RenyiComparison
from pfverify.decide.renyi.concentrated import ConcentratedComparison
from pfverify.decide.routes import comparison, routes_for
from pfverify.decide.targets import target_of
from pfverify.edge.ordered import pair_of
from pfverify.edge.written import (
    atoms,
    composed,
    densities,
    divergences,
    intervals,
    masses,
    reduced,
)
from pfverify.edge.written.asked import TooWide, Worst
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.ball import precision
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.rising import rising
from pfverify.model.notion import Bound, OfDivergence
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.releases.processed import Processed

_BITS, _LAST_BITS = 128, 1 << 14


@dataclass(frozen=True)
class Explanation(NoTruth, ask="read its attributes"):
    """The worst pair's inequality in lines, with its numbers."""

    lines: list[str]


@dataclass(frozen=True)
class _Writer:
    """Who writes out what a route decides, and for which kinds of noise."""

    lines: Callable[[Worst], list[str]]
    noises: frozenset[str]


_NONE = frozenset({"none"})
_SMOOTH = frozenset({"laplace", "gaussian", "none"})
_EXPONENTIAL = frozenset({"laplace", "discrete-laplace"})
_ON_LINE = frozenset({"laplace", "truncated-laplace", "bounded-laplace"})
_LATTICE = frozenset({"discrete-gaussian"})
_LISTED = frozenset({"table", "truncated-discrete-laplace"})
_CHOSEN = frozenset({"exponential", "gumbel"})  # before a choice
_NOISES = _SMOOTH | _EXPONENTIAL | _ON_LINE | _LATTICE | _LISTED
_ADDING = _NOISES - _NONE

_NOT_BEHIND = (
    "--explain: steps behind several numbers, releases, or a sum with rest = any are not written "
    "out; without the steps they are"
)


def _lines(worst: Worst) -> list[str]:
    """Return what the writer of a pair's route says, or what is said of a divergence."""
    compared = worst.compared
    if isinstance(compared, RenyiComparison | ConcentratedComparison):
        return divergences.lines(worst, compared)
    return WRITERS[next(routes_for(worst.item)).name].lines(worst)


WRITERS = {
    "masses": _Writer(masses.lines, _NOISES),  # at scale 0
    "exponential": _Writer(atoms.lines, _EXPONENTIAL),
    "charts": _Writer(densities.lines, _SMOOTH),
    "channels": _Writer(masses.lines, _NONE),
    "steps": _Writer(intervals.lines, _NOISES | _CHOSEN),
    "cells": _Writer(intervals.lines, _EXPONENTIAL),
    "kept": _Writer(intervals.lines, _ON_LINE),
    "gaussian-lattice": _Writer(intervals.lines, _LATTICE),
    "smooth-steps": _Writer(intervals.lines, _SMOOTH),
    "points": _Writer(masses.lines, _NOISES),  # at scale 0
    "grid": _Writer(atoms.point_lines, _EXPONENTIAL),
    "several": _Writer(reduced.lines, _ADDING),
    "processed": _Writer(reduced.step_lines, _ADDING),
    "spread": _Writer(reduced.ball_lines, frozenset({"laplace"})),
    "tupling": _Writer(masses.tuple_lines, _NONE),
    "parts": _Writer(composed.part_lines, _NONE),
    "vectors": _Writer(reduced.vector_lines, frozenset({"gaussian"})),
}
"""Name of a route -> who writes out what it decides; nothing by default."""


def check_explainable(problem: Problem) -> None:
    """Raise InputError for a pair that no route takes, and for a route or noise without a writer.

    Example: ``check_explainable(problem)``.
    """
    noise = problem.release.noise.kind
    for item in problem.questions():
        route = next(routes_for(item), None)
        if route is None:
            comparison(item)  # raises, and says what is not taken
        elif isinstance(problem.notion, OfDivergence):
            continue  # written by its number, whatever the route
        elif _is_behind(item):
            raise InputError(_NOT_BEHIND)
        elif route.name not in WRITERS or noise not in WRITERS[route.name].noises:
            raise InputError(
                f"--explain: what {route.name} decides with {noise} noise is not written out"
            )


def _is_behind(item: Question) -> bool:
    """Whether steps behind several numbers are in the way of what is written out."""
    release = item.release
    if not isinstance(release, Processed):
        return False
    return release.of_a_part or target_of(item).bound is not Bound.DIVERGENCE


def explained(problem: Problem, result: CertifyResult) -> Explanation:
    """Write out the worst pair's inequality.

    For delta = 0 (and the pointwise form): both densities, or masses, at the worst output, or the
    limit in a tail. For events: the divergence and its event, with what was summed. The last line
    says which numbers are rounded, and how. Raises InputError as `check_explainable`.
    """
    check_explainable(problem)
    found = result.pairs[0]
    item, reverse = pair_of(problem, found)
    compared = comparison(item)[reverse]
    worst = Worst(problem, item, result, found, compared, _lines)
    for bits in rising(_BITS, _LAST_BITS):
        with precision(bits), suppress(TooWide):
            before = [*worst.prepared(), *worst.own_epsilon()]
            return Explanation([*before, *_lines(worst)])
    raise UndecidedError("--explain: a number is not known to ten digits")

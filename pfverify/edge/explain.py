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
    balls,
    concentrated,
    diverging,
    normal,
    outputs,
    parts,
    points,
    processed,
    several,
    stepped,
    tuples,
    vectors,
)
from pfverify.edge.written.asked import TooWide, Worst
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.ball import precision
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.rising import rising
from pfverify.model.noises.bounded_laplace import BoundedLaplace
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.exponential import Exponential
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.gumbel import Gumbel
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.notion import Bound, OfDivergence
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Noise

_BITS, _LAST_BITS = 128, 1 << 14


@dataclass(frozen=True)
class Explanation(NoTruth, ask="read its attributes"):
    """The worst pair's inequality in lines, with its numbers."""

    lines: list[str]


@dataclass(frozen=True)
class _Writer:
    """Who writes out what a route decides, and for which kinds of noise."""

    lines: Callable[[Worst], list[str]]
    noises: frozenset[type[Noise]]


_SMOOTH: frozenset[type[Noise]] = frozenset({Laplace, GaussianNoise, NoNoise})
_EXPONENTIAL: frozenset[type[Noise]] = frozenset({Laplace, DiscreteLaplace})
_NONE: frozenset[type[Noise]] = frozenset({NoNoise})
_ON_LINE: frozenset[type[Noise]] = frozenset({Laplace, TruncatedLaplace, BoundedLaplace})
_LATTICE: frozenset[type[Noise]] = frozenset({DiscreteGaussian})
_LISTED: frozenset[type[Noise]] = frozenset({TableNoise, TruncatedDiscreteLaplace})
_CHOSEN: frozenset[type[Noise]] = frozenset({Exponential, Gumbel})  # before a choice
_NOISES = _SMOOTH | _EXPONENTIAL | _ON_LINE | _LATTICE | _LISTED
_ADDING: frozenset[type[Noise]] = _NOISES - _NONE

_NOT_BEHIND = (
    "--explain: steps behind several numbers, releases, or a sum with rest = any are not written "
    "out; without the steps they are"
)


def _lines(worst: Worst) -> list[str]:
    """Return what the writer of a pair's route says, or what is said of a divergence."""
    if isinstance(worst.compared, RenyiComparison):
        return diverging.lines(worst, worst.compared)
    if isinstance(worst.compared, ConcentratedComparison):
        return concentrated.lines(worst, worst.compared)
    return WRITERS[next(routes_for(worst.item)).name].lines(worst)


WRITERS = {
    "masses": _Writer(outputs.lines, _NOISES),  # at scale 0
    "exponential": _Writer(atoms.lines, _EXPONENTIAL),
    "charts": _Writer(normal.lines, _SMOOTH),
    "channels": _Writer(outputs.lines, _NONE),
    "steps": _Writer(stepped.lines, _NOISES | _CHOSEN),
    "cells": _Writer(stepped.lines, _EXPONENTIAL),
    "kept": _Writer(stepped.lines, _ON_LINE),
    "gaussian-lattice": _Writer(stepped.lines, _LATTICE),
    "smooth-steps": _Writer(stepped.lines, _SMOOTH),
    "points": _Writer(outputs.lines, _NOISES),  # at scale 0
    "grid": _Writer(points.lines, _EXPONENTIAL),
    "several": _Writer(lambda worst: several.lines(worst, _lines), _ADDING),
    "processed": _Writer(lambda worst: processed.lines(worst, _lines), _ADDING),
    "spread": _Writer(lambda worst: balls.lines(worst, _lines), frozenset({Laplace})),
    "tupling": _Writer(tuples.lines, _NONE),
    "parts": _Writer(parts.lines, _NONE),
    "vectors": _Writer(lambda worst: vectors.lines(worst, _lines), frozenset({GaussianNoise})),
}
"""Name of a route -> who writes out what it decides; nothing by default."""


def check_explainable(problem: Problem) -> None:
    """Raise InputError for a pair that no route takes, and for a route or noise without a writer.

    Example: ``check_explainable(problem)``.
    """
    noise = problem.release.noise
    for item in problem.questions():
        route = next(routes_for(item), None)
        if route is None:
            comparison(item)  # raises, and says what is not taken
        elif isinstance(problem.notion, OfDivergence):
            continue  # written by its number, whatever the route
        elif _is_behind(item):
            raise InputError(_NOT_BEHIND)
        elif route.name not in WRITERS or type(noise) not in WRITERS[route.name].noises:
            raise InputError(
                f"--explain: what {route.name} decides with {noise.kind} noise is not written out"
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
    worst = Worst(problem, item, result, found, compared)
    for bits in rising(_BITS, _LAST_BITS):
        with precision(bits), suppress(TooWide):
            before = [*worst.prepared(), *worst.own_epsilon()]
            return Explanation([*before, *_lines(worst)])
    raise UndecidedError("--explain: a number is not known to ten digits")

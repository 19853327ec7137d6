"""The inequality at the worst output with its numbers, so that a person can redo it by hand."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from pfverify.answers.certify import certify
from pfverify.answers.outcome import CertifyResult
from pfverify.decide.routes import comparison, routes_for
from pfverify.edge.ordered import pair_of
from pfverify.edge.words import noise_words
from pfverify.edge.written import atoms, normal, outputs, points, stepped, tuples
from pfverify.edge.written.asked import SENTENCES, TooWide, Worst
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.ball import precision
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.rising import rising
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.problem import Problem
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Budget, Repeated, Several

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
_ON_LINE: frozenset[type[Noise]] = frozenset({Laplace, TruncatedLaplace})
_LATTICE: frozenset[type[Noise]] = frozenset({DiscreteGaussian})
_NOISES = _SMOOTH | _EXPONENTIAL | _ON_LINE | _LATTICE | {TableNoise}
WRITERS = {
    "masses": _Writer(outputs.lines, _NOISES),  # at scale 0
    "exponential": _Writer(atoms.lines, _EXPONENTIAL),
    "grid": _Writer(points.lines, _EXPONENTIAL),
    "charts": _Writer(normal.lines, _SMOOTH),
    "channels": _Writer(outputs.lines, _NONE),
    "steps": _Writer(stepped.lines, _NOISES),
    "cells": _Writer(stepped.lines, _EXPONENTIAL),
    "kept": _Writer(stepped.lines, _ON_LINE),
    "truncated": _Writer(stepped.lines, _ON_LINE),
    "gaussian-lattice": _Writer(stepped.lines, _LATTICE),
    "gaussian-lattice-steps": _Writer(stepped.lines, _LATTICE),
    "smooth-steps": _Writer(stepped.lines, _SMOOTH),
    "tupling": _Writer(tuples.lines, _NONE),
}
"""Name of a route -> who writes out what it decides; nothing by default."""


def check_explainable(problem: Problem) -> None:
    """Raise InputError for a pair that no route takes, and for a route or noise without a writer.

    Example: ``check_explainable(problem)``.
    """
    one = _collapsed(problem)
    if one is not None:
        check_explainable(one)
        return
    noise = problem.release.noise
    for item in problem.questions():
        route = next(routes_for(item), None)
        if route is None:
            comparison(item)  # raises, and says what is not taken
        elif route.name not in WRITERS or type(noise) not in WRITERS[route.name].noises:
            raise InputError(
                f"--explain: what {route.name} decides with {noise.kind} noise is not written out"
            )


def _collapsed(problem: Problem) -> Problem | None:
    """The problem about the one release that decides many of one X, where one does."""
    release = problem.release
    if not isinstance(release, Several) or (isinstance(release, Repeated) and release.fresh):
        return None
    exact = isinstance(release, Budget) or isinstance(release.noise, GaussianNoise)
    if not exact and problem.delta.sign() != 0:
        return None
    return problem.under(release.collapsed)


def explained(problem: Problem, result: CertifyResult) -> Explanation:
    """Write out the worst pair's inequality.

    For delta = 0 (and the pointwise form): both densities, or masses, at the worst output, or the
    limit in a tail. For events: the divergence and its event, with what was summed. The last line
    says which numbers are rounded, and how. Raises InputError as `check_explainable`.
    """
    check_explainable(problem)
    one = _collapsed(problem)
    if one is not None:
        size = noise_words(one.release.noise.kind, one.scale().text)
        several = problem.release.several or ""
        first = SENTENCES["several"]["collapsed"].format(several=several, size=size)
        first = f"{first[0].upper()}{first[1:]}"
        return Explanation([first, *explained(one, certify(one)).lines])
    found = result.pairs[0]
    item, reverse = pair_of(problem, found)
    route = next(routes_for(item))
    compared = comparison(item)[reverse]
    worst = Worst(problem, item, result, found, compared)
    for bits in rising(_BITS, _LAST_BITS):
        with precision(bits), suppress(TooWide):
            before = [*worst.prepared(), *worst.own_epsilon()]
            return Explanation([*before, *WRITERS[route.name].lines(worst)])
    raise UndecidedError("--explain: a number is not known to ten digits")

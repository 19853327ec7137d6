"""The one thing that a report recommends to whoever must decide."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Text
from pfverify.edge.pages import Code
from pfverify.edge.report.facts import Facts, ScalesFacts, follows_steps, no_report
from pfverify.edge.report.sentences import sentence, words
from pfverify.edge.words import noise_words, size_word, sizes_words
from pfverify.exact.decimals import decimal_upper
from pfverify.model.noises.bounded_laplace import BoundedLaplace
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.exponential import Exponential
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.gumbel import Gumbel
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.notion import Bound
from pfverify.model.problem import Problem
from pfverify.model.releases.composition import ComposedReleases
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Noise

_DIGITS = 4
DRAWN: dict[type[Noise], str] = {
    DiscreteLaplace: "action.drawn-exactly",
    DiscreteGaussian: "action.drawn-exactly",
    TableNoise: "action.drawn-exactly",
    TruncatedDiscreteLaplace: "action.drawn-exactly",
    Laplace: "action.drawn-laplace",
    GaussianNoise: "action.drawn-gaussian",
    TruncatedLaplace: "action.drawn-nowhere",
    BoundedLaplace: "action.drawn-nowhere",
    Exponential: "action.drawn-nowhere",
    Gumbel: "action.drawn-nowhere",
}
"""Noise -> what is said of drawing it."""


def action(facts: Facts, *, least: bool) -> Text:
    """Return the recommended action; `least`: it may name the smallest private scale."""
    match facts.decided.verdict:
        case Verdict.CERTIFIED:
            said = _publish(facts)
        case Verdict.REFUTED:
            said = _do_not(facts, least)
        case Verdict.UNDECIDED:
            said = _wait(facts.problem)
        case other:
            raise no_report(other)
    return ("What to do: ", *said)


def _wait(problem: Problem) -> Text:
    if isinstance(problem.release, Processed):
        return sentence("action.wait-steps", size=size_word(problem.release.noise.kind))
    return sentence("action.wait")


def _publish(facts: Facts) -> Text:
    held_to, problem = facts.drawn.compared.target, facts.problem
    if held_to.bound is Bound.EXCESS:
        return sentence("action.ask-for-events", form=Code('form = "events"'))
    if held_to.allows_everything:
        return sentence("action.everything-allowed")
    if isinstance(problem.release, ComposedReleases):
        return sentence("action.publish-parts")
    if problem.release.named:
        stepped = follows_steps(problem)
        return sentence("action.publish-stepped" if stepped else "action.publish-answer")
    if problem.release.noise.adds_nothing:
        return sentence("action.publish-value", made=_made(problem))
    kind, scale = problem.release.noise.kind, problem.scale().text
    several = problem.release.several
    if several is None and problem.numbers:
        several = "on every coordinate"
    drawn = words(DRAWN[type(problem.release.noise)])
    if several is not None:
        noise = sizes_words(kind, scale, several)
        return sentence("action.publish-several", made=_made(problem), noise=noise, drawn=drawn)
    noise = noise_words(kind, scale)
    return sentence("action.publish-noise", made=_made(problem), noise=noise, drawn=drawn)


def _made(problem: Problem) -> str:
    """What the number has to be made of, where that is not the values themselves."""
    told = problem.provenance
    if told is None:
        return ""
    ways = {"clipped": told.clip, "put into their intervals": told.bins}
    done = " and ".join(way for way, how in ways.items() if how is not None)
    return words("action.made", done=done) if done else ""


def _do_not(facts: Facts, least: bool) -> Text:
    problem, scales = facts.problem, facts.scales
    if isinstance(problem.release, ComposedReleases):
        return sentence("action.change-parts")
    if problem.release.named:
        stepped = follows_steps(problem)
        return sentence("action.change-stepped" if stepped else "action.change-channel")
    if problem.release.noise.adds_nothing:
        return sentence("action.add-noise")
    if not problem.release.noise.has_size:
        return sentence("action.other-table")
    size = size_word(problem.release.noise.kind)
    if not least or not isinstance(scales, ScalesFacts):
        return sentence("action.more-noise", size=size)
    match scales.minimum.verdict:
        case Verdict.CERTIFIED:
            enough = decimal_upper(Fraction(str(scales.minimum.upper)), _DIGITS)
            of = scales.found.several
            whose = "" if of is None else f" ({of})"
            return sentence("action.enough-noise", size=size, enough=enough, of=whose)
        case Verdict.REFUTED:
            return sentence("action.other-noise", size=size)
        case Verdict.UNDECIDED:
            return sentence("action.more-noise", size=size)
        case other:
            raise no_report(other)

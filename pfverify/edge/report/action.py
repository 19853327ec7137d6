"""The one thing that a report recommends to whoever must decide."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Text
from pfverify.edge.pages import Code
from pfverify.edge.report.facts import Facts, ScalesFacts, names_kind
from pfverify.edge.report.sentences import entry, sentence, words
from pfverify.edge.words import size_word, sizes_words
from pfverify.exact.decimals import decimal_upper
from pfverify.model.notion import Bound
from pfverify.model.problem import Problem
from pfverify.model.releases.processed import Processed

_DIGITS = 4
_LEAST = {Verdict.CERTIFIED: "enough", Verdict.REFUTED: "other", Verdict.UNDECIDED: "more"}


def action(facts: Facts, *, least: bool) -> Text:
    """Return the recommended action; `least`: it may name the smallest private scale.

    Raises KeyError for a verdict that no report is about.
    """
    said = {
        Verdict.CERTIFIED: _publish,
        Verdict.REFUTED: _do_not_least if least else _do_not,
        Verdict.UNDECIDED: _wait,
    }[facts.decided.verdict]
    return ("What to do: ", *said(facts))


def _wait(facts: Facts) -> Text:
    release = facts.problem.release
    if isinstance(release, Processed):
        return sentence("action.wait-steps", size=size_word(release.noise.kind))
    return sentence("action.wait")


def _publish(facts: Facts) -> Text:
    held_to, problem = facts.drawn.compared.target, facts.problem
    if held_to.bound is Bound.EXCESS:
        return sentence("action.ask-for-events", form=Code('form = "events"'))
    if held_to.allows_everything:
        return sentence("action.everything-allowed")
    if named := names_kind(problem):
        return sentence(f"action.publish-{named}")
    if problem.release.noise.adds_nothing:
        return sentence("action.publish-value", made=_made(problem))
    kind, several = problem.release.noise.kind, problem.release.several
    if several is None and problem.numbers:
        several = "on every coordinate"
    drawn = words(f"action.drawn-{entry('action.drawn')[kind]}")
    return sentence(
        f"action.publish-{'noise' if several is None else 'several'}", made=_made(problem),
        noise=sizes_words(kind, problem.scale().text, several), drawn=drawn,
    )  # fmt: skip


def _made(problem: Problem) -> str:
    """What the number has to be made of, where that is not the values themselves."""
    told = problem.provenance
    if told is None:
        return ""
    ways = {"clipped": told.clip, "put into their intervals": told.bins}
    done = " and ".join(way for way, how in ways.items() if how is not None)
    return words("action.made", done=done) if done else ""


def _do_not(facts: Facts) -> Text:
    """What to do instead, whatever is known of other scales."""
    problem = facts.problem
    if named := names_kind(problem):
        return sentence(f"action.change-{named}")
    if problem.release.noise.adds_nothing:
        return sentence("action.add-noise")
    if not problem.release.noise.has_size:
        return sentence("action.other-table")
    return sentence("action.more-noise", size=size_word(problem.release.noise.kind))


def _do_not_least(facts: Facts) -> Text:
    """The same, where the smallest private scale may be named."""
    scales = facts.scales
    if facts.problem.release.noise.adds_nothing or not isinstance(scales, ScalesFacts):
        return _do_not(facts)
    known, of = _LEAST[scales.minimum.verdict], scales.found.several
    upper = scales.minimum.upper
    return sentence(
        f"action.{known}-noise", size=size_word(facts.problem.release.noise.kind),
        enough=decimal_upper(Fraction(upper), _DIGITS) if known == "enough" else "",
        of="" if of is None else f" ({of})",
    )  # fmt: skip

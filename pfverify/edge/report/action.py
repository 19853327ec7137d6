"""The one thing that a report recommends to whoever must decide."""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Code, Text
from pfverify.edge.report.facts import Facts, ScalesFacts
from pfverify.edge.words import noise_words, size_word
from pfverify.exact.decimals import decimal_upper
from pfverify.model.notion import Bound
from pfverify.model.problem import Problem

_DIGITS = 4
_AGAIN = "certify again when the data or the beliefs change"


def action(facts: Facts, *, least: bool) -> Text:
    """Return the recommended action; `least`: it may name the smallest private scale."""
    said = {
        Verdict.CERTIFIED: _publish,
        Verdict.REFUTED: _do_not,
        Verdict.UNDECIDED: _wait,
    }[facts.decided.verdict]
    return ("What to do: ", *said(facts, least))


def _publish(facts: Facts, least: bool) -> Text:
    del least
    held_to, problem = facts.drawn.compared.target, facts.problem
    if held_to.bound is Bound.EXCESS:
        return ("ask for ", Code('form = "events"'), " before you publish; a bound at single "
                "outputs is no privacy.")  # fmt: skip
    if held_to.allows_everything:
        return ("choose a smaller δ and certify again; this target is met by everything.",)
    if problem.release.named:
        return (f"publish one answer of this channel, exactly as it is stated; {_AGAIN}.",)
    if problem.noise.adds_nothing:
        return (f"publish the number once{_made(problem)}; {_AGAIN}.",)
    noise = noise_words(problem.noise.kind, problem.scale().text)
    return (f"publish the number once{_made(problem)}, with exactly this noise ({noise}), from a "
            f"sampler that is exact; {_AGAIN}.",)  # fmt: skip


def _made(problem: Problem) -> str:
    """What the number has to be made of, where that is not the values themselves."""
    told = problem.provenance
    if told is None:
        return ""
    ways = {"clipped": told.clip, "put into their intervals": told.bins}
    done = " and ".join(way for way, how in ways.items() if how is not None)
    return f", from values {done} as is assumed below" if done else ""


def _do_not(facts: Facts, least: bool) -> Text:
    problem, scales = facts.problem, facts.scales
    if problem.release.named:
        return ("do not publish through this channel. Change it, or the target, and certify "
                "again.",)  # fmt: skip
    if problem.noise.adds_nothing:
        return ("do not publish the number without noise.",)
    size = size_word(problem.noise.kind)
    if not least or not isinstance(scales, ScalesFacts):
        return (f"do not publish the number with this noise. Take a larger {size} and certify "
                "again.",)  # fmt: skip
    found = scales.minimum
    if found.verdict is Verdict.CERTIFIED:
        enough = decimal_upper(Fraction(str(found.upper)), _DIGITS)
        return (f"do not publish the number with so little noise. A {size} of {enough} is enough, "
                "proved under exactly these beliefs: put it into the problem, and certify "
                "again.",)  # fmt: skip
    if found.verdict is Verdict.REFUTED:
        return (f"do not publish the number with this noise: no {size} meets the target. Choose "
                "another noise, or allow a larger ε or δ.",)  # fmt: skip
    return (f"do not publish the number with this noise. Take a larger {size} and certify again.",)


def _wait(facts: Facts, least: bool) -> Text:
    del facts, least
    return ("do not publish yet; treat the release as not private, change its noise a little, and "
            "certify again.",)  # fmt: skip

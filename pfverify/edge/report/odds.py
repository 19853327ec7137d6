"""What a verdict means to somebody who must decide: sentences about odds, each of them true.

Before the release somebody believes in odds of one secret against another; the output y turns them
into posterior odds, which are these odds times p(y)/q(y). A bound on that ratio at every output is
a bound on the change. With delta > 0 single outputs may change more, and what is true is said of
chances instead.
"""

from __future__ import annotations

from fractions import Fraction

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Text
from pfverify.edge.report.facts import Facts
from pfverify.edge.report.labels import E_EPSILON, Names
from pfverify.edge.report.sentences import sentence
from pfverify.edge.words import plain
from pfverify.errors import UndecidedError
from pfverify.exact.ball import precision
from pfverify.exact.decimals import decimal_lower, decimal_upper, enclosure_text
from pfverify.exact.number import Number
from pfverify.model.channels.entries import folded
from pfverify.model.notion import Bound
from pfverify.model.problem import Problem

_DIGITS, _BITS = 3, 256
_LARGEST = 60  # epsilon: e**60 is above 10**26


def growth(epsilon: Number) -> Fraction | None:
    """Return e**epsilon rounded up to three digits, None where it is too large to mean anything.

    Example: ``growth(Number.of_rational(0))`` is 1.
    """
    if epsilon.ball().midpoint() > _LARGEST:
        return None
    exact = folded(epsilon.exp())
    if isinstance(exact, Fraction):
        return Fraction(decimal_upper(exact, _DIGITS))
    with precision(_BITS):
        ends = enclosure_text(epsilon.ball().exp(), _DIGITS)
    if ends is None:
        raise UndecidedError("no enclosure of e^epsilon is narrow enough")
    return Fraction(str(ends[1]))


def up(value: Fraction) -> str:
    """Return a number rounded up, for a sentence."""
    return decimal_upper(value, _DIGITS)


def _brief(loss: str) -> str:
    short = up(Fraction(loss))
    return short if short == loss else f"{short} (rounded up; all digits are under the pairs)"


def _size(factor: Fraction | None) -> str:
    if factor is None:
        return " (above 10^26, which is no protection)"
    return f" = {up(factor)} (rounded up)"


def of_masses(problem: Problem) -> bool:
    """Say whether single outputs have a probability, and not a density.

    Example: ``of_masses(problem)`` is False with Laplace noise.
    """
    if problem.release.named or problem.release.noise.step is not None:
        return True
    return not problem.release.noise.has_size and not any(
        prior.has_density for item in problem.questions() for prior in item.priors
    )


def meaning(facts: Facts, names: Names) -> list[Text]:
    """Return what the verdict means, a paragraph each."""
    return [*stated_meaning(facts, names), _in_fact(facts)]


def stated_meaning(facts: Facts, names: Names, *, redacted: bool = False) -> list[Text]:
    """Return what the verdict on this target means, whatever the loss is.

    `redacted`: without distances of priors, and without reasons.
    """
    verdict = facts.decided.verdict
    if verdict is Verdict.CERTIFIED:
        return _certified(facts, names, redacted=redacted)
    reasons = "" if redacted else "; ".join(dict.fromkeys(facts.decided.reasons))
    why = f" The reason: {reasons}." if reasons else ""
    return [sentence(f"meaning.{verdict.value}", why=why)]


def _certified(facts: Facts, names: Names, *, redacted: bool) -> list[Text]:
    bound = facts.drawn.compared.target.bound
    factor, powers = _factor(facts, names)
    if redacted and facts.problem.protection.extended:
        factor, powers = None, sentence("meaning.by-distance-redacted")
    name = bound.value
    if bound is Bound.EXCESS:
        name += "-probability" if of_masses(facts.problem) else "-density"
    said = sentence(
        f"meaning.{name}", powers=powers, whose=_whose(facts), even=_even(facts, factor),
        order=facts.decided.order,
        epsilon=plain(facts.problem.epsilon.text), delta=plain(facts.problem.delta.text),
    )  # fmt: skip
    return [said, *(_odds_with_delta(facts, factor) if bound is Bound.DIVERGENCE else [])]


def _factor(facts: Facts, names: Names) -> tuple[Fraction | None, Text]:
    """The factor of the target rounded up, and what it is; of the drawn pair where each has one."""
    factor = growth(facts.drawn.epsilon)
    if not facts.problem.protection.extended:
        return factor, (E_EPSILON, _size(factor))
    order = facts.drawn.order
    return factor, sentence(
        "meaning.by-distance", from_=names.of(order.from_), to=names.of(order.to),
        epsilon=plain(facts.drawn.epsilon.text), size=_size(factor),
    )  # fmt: skip


def _whose(facts: Facts) -> Text:
    """Whose odds are meant, and of what."""
    if facts.problem.protection.of_inputs:
        return sentence("meaning.odds-of-inputs")
    count = len(facts.problem.beliefs)
    belief = "the belief" if count == 1 else f"one of the {count} beliefs"
    if facts.problem.source.stands_for is not None:
        belief = "any belief in the families"
    return sentence("meaning.odds-of-secrets", belief=belief)


def _even(facts: Facts, factor: Fraction | None) -> Text:
    """What a factor makes of even odds, where there is one for all pairs."""
    if factor is None or facts.problem.protection.extended:
        return ()
    low, high = 100 / (1 + factor), 100 * factor / (1 + factor)
    return sentence("meaning.even", odds=up(factor), low=decimal_lower(low, _DIGITS), high=up(high))


def _odds_with_delta(facts: Facts, factor: Fraction | None) -> list[Text]:
    """What a bound with delta > 0 says of odds, where it says anything."""
    delta = _rounded_up(facts.problem.delta)
    if factor is None or 2 * delta >= 1:
        return []
    whose = " for that pair" if facts.problem.protection.extended else ""
    factors, chance = up(2 * factor), up(2 * delta)
    return [sentence("meaning.odds-with-delta", factor=factors, chance=chance, whose=whose)]


def _rounded_up(delta: Number) -> Fraction:
    if delta.fraction is not None:
        return delta.fraction
    with precision(_BITS):
        ends = enclosure_text(delta.ball(), 2 * _DIGITS)
    return Fraction(1) if ends is None else Fraction(str(ends[1]))


def _in_fact(facts: Facts) -> Text:
    """What the loss says of the odds at the worst output, whatever the target."""
    lower, upper = str(facts.loss.lower), str(facts.loss.upper)
    if upper == "inf":
        return sentence("meaning.loss-infinite" if lower == "inf" else "meaning.loss-unknown")
    factor = growth(Number.of_rational(Fraction(upper))) if float(upper) <= _LARGEST else None
    size = "e to the loss" if factor is None else f"{up(factor)} (e to the loss)"
    return sentence("meaning.loss", size=size, loss=_brief(upper))

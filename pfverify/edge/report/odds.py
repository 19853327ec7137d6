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
    if problem.release.named or problem.noise.step is not None:
        return True
    return problem.noise.adds_nothing and not any(
        part.variance
        for item in problem.questions()
        for prior in item.priors
        for part in prior.components
    )


def meaning(facts: Facts, names: Names) -> list[Text]:
    """Return what the verdict means, a paragraph each."""
    return [*stated_meaning(facts, names), _in_fact(facts)]


def stated_meaning(facts: Facts, names: Names, *, redacted: bool = False) -> list[Text]:
    """Return what the verdict on this target means, whatever the loss is.

    `redacted`: without distances of priors, and without reasons.
    """
    found = facts.decided.verdict
    if found is Verdict.CERTIFIED:
        return _certified(facts, names, redacted=redacted)
    if found is Verdict.REFUTED:
        return [("The target is not met: the publication may tell more about the secret than the "
                 "target allows.",)]  # fmt: skip
    return _undecided(facts, redacted=redacted)


def _certified(facts: Facts, names: Names, *, redacted: bool) -> list[Text]:
    bound = facts.drawn.compared.target.bound
    factor, powers = _factor(facts, names)
    if redacted and facts.problem.protection.extended:
        factor, powers = None, ("e^(ε d), where d is the distance of the two",)
    if bound is Bound.RATIO:
        return [_ratio(facts, factor, powers)]
    if bound is Bound.DIVERGENCE:
        return _divergence(facts, factor, powers)
    return _excess(facts, powers)


def _factor(facts: Facts, names: Names) -> tuple[Fraction | None, Text]:
    """The factor of the target rounded up, and what it is; of the drawn pair where each has one."""
    factor = growth(facts.drawn.epsilon)
    if not facts.problem.protection.extended:
        return factor, (E_EPSILON, _size(factor))
    order = facts.drawn.order
    return factor, (
        "e^(ε d), where d is the distance of the two: for ",
        names.of(order.from_), " and ", names.of(order.to),
        f" ε d = {plain(facts.drawn.epsilon.text)}, and e^(ε d)", _size(factor),
    )  # fmt: skip


def _whose(facts: Facts) -> str:
    """Whose odds are meant, and of what."""
    if facts.problem.protection.of_inputs:
        return "of one compared input against the other, whatever was believed before,"
    count = len(facts.problem.beliefs)
    belief = "the belief" if count == 1 else f"one of the {count} beliefs"
    return (
        f"of one compared secret against the other, for somebody who holds {belief} of this "
        "report,"
    )


def _ratio(facts: Facts, factor: Fraction | None, powers: Text) -> Text:
    even = []
    if factor is not None and not facts.problem.protection.extended:
        high, low = 100 * factor / (1 + factor), 100 / (1 + factor)
        even = [
            f" Odds of 1 to 1 become at most {up(factor)} to 1: a chance of 50 % ends between "
            f"{decimal_lower(low, _DIGITS)} % and {up(high)} %."
        ]
    return (
        f"Whatever is published, the odds {_whose(facts)} change by at most a factor ", *powers,
        ", up or down.", *even,
    )  # fmt: skip


def _divergence(facts: Facts, factor: Fraction | None, powers: Text) -> list[Text]:
    delta = facts.problem.delta
    said: list[Text] = [(
        "Whatever set of outputs is watched for, its probability under one compared secret is at "
        "most ", *powers, " times its probability under the other, plus ",
        f"δ = {plain(delta.text)}. That is a statement about chances: at single outputs the odds "
        "may change by more.",
    )]  # fmt: skip
    rounded = _rounded_up(delta)
    if factor is not None and 2 * rounded < 1:
        said.append((
            "In terms of odds: if a secret is true, the chance that the output multiplies the odds "
            f"in its favour by more than {up(2 * factor)} is at most {up(2 * rounded)} "
            "(twice the factor, with twice δ at most)"
            f"{' for that pair' if facts.problem.protection.extended else ''}. It would be wrong "
            "to say that the factor itself is only exceeded with a chance of δ.",
        ))  # fmt: skip
    return said


def _rounded_up(delta: Number) -> Fraction:
    if delta.fraction is not None:
        return delta.fraction
    with precision(_BITS):
        ends = enclosure_text(delta.ball(), 2 * _DIGITS)
    return Fraction(1) if ends is None else Fraction(str(ends[1]))


def _excess(facts: Facts, powers: Text) -> list[Text]:
    delta = plain(facts.problem.delta.text)
    if of_masses(facts.problem):
        return [(
            "The probability of every single output under one compared secret is at most ",
            *powers, f" times that under the other, plus δ = {delta}. A set of several outputs may "
            "exceed this: the bound is on single outputs alone, and not on the odds.",
        )]  # fmt: skip
    return [(
        "At every output the density under one compared secret is at most ", *powers,
        f" times that under the other, plus δ = {delta} (a density, per unit of the output). That "
        "bounds densities; it says nothing about the probability of every event, nor about odds.",
    )]  # fmt: skip


def _undecided(facts: Facts, *, redacted: bool) -> list[Text]:
    reasons = "" if redacted else "; ".join(dict.fromkeys(facts.decided.reasons))
    why = f" The reason: {reasons}." if reasons else ""
    return [(f"It is neither proved nor disproved that the target is met.{why} Treat the release "
             "as one that is not known to be private.",)]  # fmt: skip


def _in_fact(facts: Facts) -> Text:
    """What the loss says of the odds at the worst output, whatever the target."""
    star = facts.loss
    if str(star.upper) == "inf":
        if str(star.lower) == "inf":
            return ("Over all outputs and compared pairs the factor has no bound: some outputs, or "
                    "a limit of outputs, tell two secrets apart completely.",)  # fmt: skip
        return ("No bound was found on the factor over all outputs and compared pairs.",)
    factor = None
    if float(str(star.upper)) <= _LARGEST:
        factor = growth(Number.of_rational(Fraction(str(star.upper))))
    size = "e to the loss" if factor is None else f"{up(factor)} (e to the loss)"
    return (
        "Proved of this release as it is, whatever the target: at no output do the odds of one "
        f"compared secret against the other change by more than a factor {size}; the loss is at "
        f"most {_brief(str(star.upper))}.",
    )

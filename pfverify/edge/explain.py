"""The inequality at the worst output with its numbers, so that a person can redo it by hand."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pfverify.decide.exponential.compared import ExponentialComparison
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.exponential.pointwise import normalisation
from pfverify.decide.outcome import CertifyResult, Directed, Enclosure, Verdict, round_inside
from pfverify.decide.routes import comparison
from pfverify.edge.names import distinct
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.decimals import decimal_text, enclosure_text
from pfverify.exact.no_truth import NoTruth
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.laplace import Laplace
from pfverify.model.notion import Bound
from pfverify.model.problem import Problem, discrete_priors

_ATOMS_ONLY = "--explain: only sums over atoms with Laplace noise are written out"
_NOISES: dict[type, str] = {
    Laplace: "1/(2 scale) e^(-|y-x|/scale)",
    DiscreteLaplace: "(1-t)/(1+t) t^(|y-x|/step), t = e^(-step/scale)",
}
_SHOWN = 12  # terms written out; the rest is given as one sum
_DIGITS = 10


@dataclass(frozen=True)
class Explanation(NoTruth, ask="read its attributes"):
    """The worst pair's inequality in lines, with its numbers."""

    lines: list[str]


def check_explainable(problem: Problem) -> None:
    """Raise InputError without noise, and where it is Gaussian or a prior has a density."""
    problem.require_noise("--explain")
    if problem.noise.adds_nothing:
        raise InputError("--explain: without noise (scale 0) there is no sum to write out")
    for item in problem.pairs_of_priors():
        discrete_priors(item, _ATOMS_ONLY, problem.noise)
    if type(problem.noise) not in _NOISES:
        raise InputError(f"{_ATOMS_ONLY}, the noise is {problem.noise.kind}")
    if problem.protection.extended:
        raise InputError("--explain: epsilon differs from pair to pair")


def explained(problem: Problem, result: CertifyResult) -> Explanation:
    """Write out the worst pair's inequality.

    For delta = 0 (and the pointwise form): both densities at the worst output, term by term. For
    events: the probabilities of the event under both laws. Raises InputError as
    `check_explainable`.
    """
    check_explainable(problem)
    worst = result.pairs[0]
    item = next(
        item
        for item in problem.pairs_of_priors()
        if item.belief == worst.belief and {item.first, item.second} == {worst.from_, worst.to}
    )
    reverse = worst.from_ != item.first
    compared = comparison(problem, item)[reverse]
    if not isinstance(compared, ExponentialComparison):
        raise InputError(_ATOMS_ONLY)
    with precision(128):
        return Explanation(_WRITTEN[compared.target.bound](compared, worst, result))


def _under(result: CertifyResult, worst: Directed) -> str:
    several = len({pair.belief for pair in result.pairs}) > 1
    return f" under belief {_names(worst)[worst.belief]}" if several else ""


def _names(worst: Directed) -> dict[str, str]:
    return distinct([worst.belief, worst.from_, worst.to])


def _number(value: Raw) -> str:
    """The number rounded down, or the decimal that it is next to on both sides: 0.1, not 0.0999."""
    found = enclosure_text(Ball(value), _DIGITS)
    if found is None:
        return "0"
    near = round_inside(Enclosure(*found))
    return found[0] if near is None else decimal_text(near, _DIGITS)


def _point_lines(
    compared: ExponentialComparison, worst: Directed, result: CertifyResult
) -> list[str]:
    pair, rate = compared.pair, compared.rate.ball().raw
    y = worst.worst_y
    if isinstance(y, str):  # the limit of a tail: sums over atoms attain their supremum
        raise InputError(_ATOMS_ONLY)
    front = normalisation(pair, compared.rate)
    first, second = (1, 0) if compared.reverse else (0, 1)
    named = _names(worst)
    first_name, second_name = named[worst.from_], named[worst.to]
    growth = compared.target.exp_epsilon()
    lines = [
        f"The worst output is y = {decimal_text(y)}, from {first_name} against {second_name}"
        f"{_under(result, worst)}.",
        f"Noise at distance |y-x|: {_NOISES[type(pair.noise)]}; in front: {_number(front)}.",
    ]
    values = []
    for name, which in ((first_name, first), (second_name, second)):
        total, terms = _terms(pair, which, y, rate)
        values.append(total * front)
        shown = " + ".join(terms[:_SHOWN])
        if len(terms) > _SHOWN:
            shown += f" + ({len(terms) - _SHOWN} smaller terms)"
        lines.append(f"p(y | {name}) = {_number(front)} * [ {shown} ]")
        lines.append(f"  = {_number(front)} * {_number(total)} = {_number(values[-1])}")
    bound = growth * values[1]
    lines.append(
        f"e^epsilon * p(y | {second_name}) = {_number(growth)} * {_number(values[1])} "
        f"= {_number(bound)}"
    )
    delta = compared.target.delta.ball().raw
    if worst.delta is not None:
        bound = bound + delta
        lines.append(f"  plus delta = {result.delta}: {_number(bound)}")
    sides = f"{_number(values[0])} {_relation(worst)} {_number(bound)}"
    lines.append(f"So {sides}: {worst.verdict.value} here.")
    if worst.rule and worst.rule.startswith("pointwise"):
        why = "Between atoms the excess is convex wherever it is positive"
    else:
        why = "Between atoms the ratio of the densities is monotone"
    lines.append(f"{why}, so no other output is worse.")
    return lines


def _terms(pair: Pair, which: int, y: Fraction, rate: Raw) -> tuple[Raw, list[str]]:
    """The weighted powers of one prior at y, largest first."""
    total = raw(0)
    parts: list[tuple[float, str]] = []
    for point, weight in zip(pair.points, pair.weights[which], strict=True):
        if not weight:
            continue
        atom = Fraction(point, pair.denominator)
        mass = Fraction(weight, pair.totals[which])
        power = (-rate * raw(abs(y - atom))).exp()
        term = raw(mass) * power
        total += term
        distance = decimal_text(abs(y - atom))
        text = f"{mass} e^(-{distance}/scale)" if y != atom else str(mass)
        parts.append((Ball(term).midpoint(), text))
    parts.sort(key=lambda part: -part[0])
    return total, [text for _, text in parts]


def _events_lines(
    compared: ExponentialComparison, worst: Directed, result: CertifyResult
) -> list[str]:
    del compared  # the verdict has all that is said
    loss = worst.delta.text if worst.delta is not None else "not enclosed"
    named = _names(worst)
    lines = [
        f"The worst order is from {named[worst.from_]} against {named[worst.to]}"
        f"{_under(result, worst)}.",
        "The worst event B is where p(y) > e^epsilon q(y); there P(B) - e^epsilon Q(B) is the "
        f"divergence: {loss}.",
    ]
    if worst.witness is not None and worst.witness.event:
        shown = worst.witness.event[:6]
        event = " or ".join(f"{low} <= Y <= {high}" for low, high in shown)
        more = len(worst.witness.event) - len(shown)
        lines.append(f"B: {event}{f' or {more} more intervals' if more else ''}")
        lines.append(f"P(B) - e^epsilon Q(B) - delta >= {worst.witness.margin} > 0")
    relation = _relation(worst)
    lines.append(f"So {loss} {relation} delta = {result.delta}: {worst.verdict.value}.")
    return lines


def _relation(worst: Directed) -> str:
    return "=" if worst.tie else _RELATIONS[worst.verdict]


_RELATIONS = {
    Verdict.CERTIFIED: "<=",
    Verdict.REFUTED: ">",
    Verdict.UNDECIDED: "against",
}
_WRITTEN = {
    Bound.RATIO: _point_lines,
    Bound.DIVERGENCE: _events_lines,
    Bound.EXCESS: _point_lines,
}

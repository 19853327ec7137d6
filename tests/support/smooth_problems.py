"""Problems of two secrets with densities, and what the oracle has against an answer to one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pfverify import GaussianNoise, Laplace, Mixture, Problem, certify, loss
from pfverify.answers.loss import LossResult
from pfverify.answers.outcome import CertifyResult, Directed
from support.problems import limited
from support.smooth_oracle import Gap, Noise, Part, Run, ctx, mpf, real

CLOSE = mpf(10) ** -45  # nearer than this the oracle has no opinion
_ROOM = mpf(10) ** -11  # relative; an enclosure of 12 digits is wider
_ROUNDED = Fraction(1, 10**11)


def parts_of(*parts: tuple[Any, Any, Any]) -> list[Part]:
    """A prior from (weight, mean, variance) as numbers or texts."""
    return [(Fraction(w), Fraction(m), Fraction(v)) for w, m, v in parts]


def normal(mean: Any, variance: Any) -> list[Part]:
    """One normal law."""
    return parts_of((1, mean, variance))


def laplace(scale: Any) -> Noise:
    return "laplace", Fraction(scale)


def gaussian(variance: Any) -> Noise:
    return "gaussian", Fraction(variance)


def smooth_problem(
    p: list[Part],
    q: list[Part],
    noise: Noise | Any,
    epsilon: Any = 1,
    delta: Any = 0,
    form: str = "events",
) -> Problem:
    """Secrets a and b; the noise as the oracle has it, or an object of the library."""
    priors = {
        name: Mixture([{"weight": w, "mean": m, "variance": v} for w, m, v in parts])
        for name, parts in (("a", p), ("b", q))
    }
    if isinstance(noise, tuple):
        kind, size = noise
        noise = Laplace(size) if kind == "laplace" else GaussianNoise(variance=size)
    return Problem(priors=priors, noise=noise, epsilon=epsilon, delta=delta, form=form)


def answered(problem: Problem, digits: int = 12, seconds: int = 30) -> CertifyResult:
    """The result of certify, which must come within seconds."""
    with limited(seconds):
        return certify(problem, digits=digits)


def lost(problem: Problem, digits: int = 12, seconds: int = 30) -> LossResult:
    """The result of loss, which must come within seconds."""
    with limited(seconds):
        return loss(problem, digits=digits)


def smooth_verdict(*args: Any, **kwargs: Any) -> str:
    """The verdict on `smooth_problem` as text."""
    return answered(smooth_problem(*args, **kwargs), digits=3).verdict.value


def value(text: str) -> Any:
    """A number of a problem as the oracle reads it: a rational, or the logarithm of one."""
    if text.startswith("log(") and text.endswith(")"):
        return ctx.log(real(text[4:-1]))
    return real(text)


def bound(end: object) -> Any:
    """An end of an enclosure; what is below 1e-2000 is 0 to the oracle."""
    text = str(end)
    if text == "inf":
        return ctx.inf
    if "e-" in text and int(text.split("e")[1]) < -2000:
        return mpf(0)
    return real(text)


def gap_of(problem: Problem, source: str, thorough: bool = True) -> Gap:
    """The oracle for the order that starts from one secret."""
    priors = next(iter(problem.beliefs.values()))
    target = next(name for name in priors if name != source)
    first, second = ([tuple(c) for c in priors[name].components] for name in (source, target))
    if problem.noise.kind == "gaussian":
        noise = gaussian(problem.noise.variance)
    else:
        noise = laplace(problem.scale().text)
    flat = value(problem.delta.text) if problem.form == "pointwise" else 0
    return Gap(first, second, noise, value(problem.epsilon.text), flat, thorough)


def event_of(found: Directed) -> list[Run]:
    """The event of a witness."""
    if found.witness is None or found.witness.event is None:
        return []
    return [
        (None if low == "-inf" else Fraction(low), None if high == "inf" else Fraction(high))
        for low, high in found.witness.event
    ]


def contradictions(problem: Problem, result: CertifyResult, thorough: bool = True) -> list[str]:
    """What the oracle knows that the answer denies; with `thorough` also ends that are too low."""
    wrong = []
    for found in result.pairs:
        gap = gap_of(problem, found.from_, thorough)
        wrong += [f"{found.from_}: {text}" for text in _against(problem, found, gap, thorough)]
    return wrong


def _against(problem: Problem, found: Directed, gap: Gap, thorough: bool) -> list[str]:
    wrong: list[str] = []
    delta = value(problem.delta.text)
    everywhere = delta == 0 or problem.form == "pointwise"
    ratios = [gap.log_ratio(y) for y in gap.places()]
    if isinstance(found.worst_y, Fraction):
        # it is rounded to 12 digits, which may be on the steep side of a corner
        ratios += [gap.log_ratio(found.worst_y * (1 + side * _ROUNDED)) for side in (-1, 0, 1)]
    if thorough:
        ratios.append(gap.largest_ratio())
    if everywhere:
        heights = [gap.excess_at(y) for y in gap.places()]
        if thorough:
            heights.append(gap.largest_excess())
        excess = max(heights)
    else:
        excess = gap.divergence()
    # the oracle's values are never too large
    if found.verdict.value == "certified":
        tight = CLOSE * (1 + abs(excess) + abs(delta))
        if delta > 0 and excess > delta + tight:
            wrong.append(f"certified, but the excess is {ctx.nstr(excess, 20)}")
        if delta == 0 and max(ratios) > ctx.log(gap.factor) + CLOSE:
            wrong.append(f"certified, but the loss is {ctx.nstr(max(ratios), 20)}")
    if found.verdict.value == "refuted":
        wrong += _against_witness(found, gap, delta, problem.form)
    known = (("loss", found.loss, max(ratios)), ("delta", found.delta, excess))
    for what, enclosure, best in known:
        if enclosure is None:
            continue
        lower, upper = bound(enclosure.lower), bound(enclosure.upper)
        if best > upper * (1 + CLOSE) + CLOSE**2:
            wrong.append(f"{what} {enclosure}, but it is {ctx.nstr(best, 20)}")
        if thorough and lower * (1 - _ROOM) > max(best, mpf(0)):
            wrong.append(f"{what} {enclosure}, but only {ctx.nstr(best, 20)} was found")
    return wrong


def _against_witness(found: Directed, gap: Gap, delta: Any, form: str) -> list[str]:
    if found.witness is None:
        return ["refuted without a witness"]
    margin, y = real(found.witness.margin), found.witness.y
    if y is None:
        true = gap.excess(event_of(found)) - delta
    else:
        y = Fraction(y)
        if form == "pointwise" and delta > 0:
            true = gap.excess_at(y) - delta
        else:
            true = gap.log_ratio(y) - ctx.log(gap.factor)
    if not 0 < margin <= true:
        return [f"the margin is {ctx.nstr(true, 20)}, not {found.witness.margin}"]
    return []

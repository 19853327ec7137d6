"""The least threshold, and the least bound of truncated noise, at the scale that a problem has.

A higher threshold at the end is a step after a lower one: what lies below it is hidden too, so that
no delta rises. On a lattice a threshold between two points acts as the next point where that stays
(at-least), and as the last one where it does not (above). For points apart delta falls as a bound
of truncated Laplace noise grows, from their distance on; below that one point alone reaches half of
its mass. So either is bracketed by a refuted value and a certified one, each decided as the problem
that has it.
Source: design facts F46c and F47b.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import expm1, log1p
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from pfverify.answers.certify import certify
from pfverify.answers.methods import Minimum
from pfverify.answers.outcome import Witness
from pfverify.answers.sized import SizedResult, asked_at_scale
from pfverify.answers.stated import stated_at_scale
from pfverify.decide.assumptions import assumed
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.published import Infinite
from pfverify.exact.simplify import simple_text
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.notion import EVENTS
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.stepped import Stepped
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.limits import Threshold
from pfverify.model.steps.places import Cut
from pfverify.model.steps.step import SUPPRESSED, Lattice, PostStep, common_lattice
from pfverify.results import DEFAULT_DIGITS
from pfverify.scales.search import Search

Size = Literal["threshold", "bound"]
SIZES: tuple[Size, ...] = get_args(Size)
_FAR = 1 << 20  # scales, or widths of all values, beyond which no threshold is tried
_CLOSER = 3  # times that a threshold near 0 is looked at more closely
_HALF = Fraction(1, 2)
_NO_THRESHOLD_NEEDED = "the release without this threshold already meets the target"
_NONE_IS_LEAST = (
    'post: with rest = "any" any number may be added to that of the user, so that no threshold is '
    'the least one; rest = "known" finds it for the laws of the others that are stated'
)
_OF_ONE_NUMBER = (
    "post: a least threshold is known behind one number that is published once; expected a file "
    "without releases, of one of the numbers"
)
_SAME_RATIO = (
    "above all values the two laws have one ratio, whatever is hidden, and it is above e^epsilon"
)
_BETWEEN = "what lies between is undecided"
_NO_BOUND_NEEDED = "the points of every pair are equal: every bound is private"
_NO_BOUND = (
    "with ever larger ones delta falls to that of laplace noise without a bound, which exceeds the "
    "target or is met by no bound"
)
_ALONE = "delta is 0, and outputs that one point alone reaches are always left"


@dataclass(frozen=True, repr=False, kw_only=True)
class LeastSizeResult(SizedResult, ask="read .minimum.lower or .minimum.upper"):
    """The least threshold, or bound of noise, for a target at one scale; `size` says which.

    `minimum` has `lower`, refuted, and `upper`, certified: neighbours on the lattice of the output,
    or decimals. Both are infinite where none is enough, and minus infinite where no threshold is
    needed. `exact` is the least bound in closed form, where it has one. `problem` is what was asked
    about, `found` the same with the certified value.
    """

    size: Size
    minimum: Minimum
    exact: str | None

    @property
    def verdict(self) -> Verdict:
        """Certified; refuted where none is enough; undecided where nothing could be decided."""
        if self.minimum.lower == "inf":
            return Verdict.REFUTED
        return Verdict.UNDECIDED if self.minimum.upper == "inf" else Verdict.CERTIFIED

    @property
    def told(self) -> str:
        """The value that a problem is written with, as its file has it."""
        return f"{self.size} = {self.minimum.upper}"

    @property
    def reason(self) -> str:
        """Why there is no such value, or none is known."""
        return self.minimum.reason or ""

    def _ends(self) -> str:
        return f"{self.size} {self.minimum.text}"


def least_size(
    problem: Problem | str | Path,
    size: Size,
    *,
    digits: int = DEFAULT_DIGITS,
    progress: Callable[[int, int], None] | None = None,
) -> LeastSizeResult:
    """Return the least threshold, or the least bound of truncated noise, at the problem's scale.

    The threshold is the last step of the problem, whose `keep` stays; the bound is that of
    truncated Laplace noise on priors of one point each, with no steps. What the file has for it is
    ignored. `progress(done, total)` is called once.
    `problem` may be the name of its file.
    Raises InputError for another problem, where every threshold is refused, for the pointwise
    form, which joining outputs does not keep, and for a bound where delta is not below 1/2.

    Example: ``least_size(problem, "threshold").minimum.upper`` raises without a threshold.
    Source: design facts F46c and F47b.
    """
    problem = asked_at_scale(problem, digits, progress)
    if size not in SIZES:
        raise InputError(f"size: {size!r} is unknown, expected {' or '.join(SIZES)}")
    if problem.notion != EVENTS:
        raise InputError(f'form: a least {size} is known for form = "events" alone')
    problem.scale()
    minimum, found, exact = (_threshold if size == "threshold" else _bound)(problem, digits)
    if progress:
        progress(1, 1)
    return LeastSizeResult(
        size=size,
        minimum=minimum,
        exact=exact,
        assumed=assumed(problem if found is None else found),
        found=found,
        **stated_at_scale(problem),
    )


class _Found(NamedTuple):
    minimum: Minimum
    problem: Problem | None = None  # with the upper end
    exact: str | None = None


# ---------------------------------------------------------------- thresholds


def _threshold(problem: Problem, digits: int) -> _Found:
    release = problem.release
    if isinstance(release, Processed):
        raise InputError(_NONE_IS_LEAST if release.of_a_part else _OF_ONE_NUMBER)
    last = release.steps[-1] if isinstance(release, Stepped) else None
    if not isinstance(release, Stepped) or not isinstance(last, Threshold):
        raise InputError("post: expected a threshold as the last step, to find the least one")
    before, keep = release.steps[:-1], last.keep
    laws = [law for table in problem.beliefs.values() for law in table.values()]
    hidden = any(isinstance(law, Nothing) for law in laws)
    if problem.delta.fraction == 1 or (not hidden and _without_threshold(problem, release)):
        return _Found(Minimum("-inf", "-inf", _NO_THRESHOLD_NEEDED))

    def at(value: Fraction) -> Problem:
        steps = [*before, Threshold(value, keep)]
        return problem.under(Stepped(release.noise, steps))

    refused: list[str] = []

    def decide(value: Fraction) -> Verdict:
        try:
            return certify(at(value), digits=1).verdict
        except InputError as error:
            refused.append(str(error))
            return Verdict.UNDECIDED

    search = Search("at threshold {}", decide)
    places = sorted({x for law in laws for x in _places(law)}) or [Fraction(0)]
    lattice, scale = _lattice(release, places), _near(problem)
    origin, unit = lattice or (Fraction(0), Grid(digits).step(scale))
    wide = max(places[-1] - places[0], scale, unit)
    start, most = ((places[-1] - origin) / unit).__ceil__(), (_FAR * wide / unit).__ceil__()
    beyond = origin + start * unit + 2 * wide
    if _fails_beyond(at(beyond), before, beyond, places[-1]):
        return _Found(Minimum("inf", "inf", _SAME_RATIO))
    low, high = search.integers(start, most, origin, unit)
    if low is None and high is None and refused:
        raise InputError(refused[0])
    for _ in range(_CLOSER):  # a number near 0 has fewer digits
        if lattice or low is None or not high or (finer := Grid(digits).step(high * unit)) >= unit:
            break
        start, unit = int(high * unit / finer), finer
        low, high = search.integers(start, most, Fraction(0), unit)

    def text(k: int) -> str:
        return decimal_text(origin + k * unit)

    lower = "-inf" if low is None else text(low)
    because = f": {refused[-1]}" if refused else ""
    if high is None:
        why = f"no threshold that was tried, up to {text(start + most)}, is certified{because}"
        return _Found(Minimum(lower, "inf", why))
    reason = None
    if low is None:
        reason = f"every lower threshold that was tried is certified, or undecided{because}"
    elif high - low > 1:
        reason = f"{_BETWEEN}{because}"
    return _Found(Minimum(lower, text(high), reason), at(origin + high * unit))


def _without_threshold(problem: Problem, release: Stepped) -> bool:
    """Whether the target is met before anything is hidden; then it is with every threshold."""
    before = release.steps[:-1]
    try:
        bare = problem.under(Stepped(release.noise, before) if before else release.noise)
        return certify(bare, digits=1).verdict is Verdict.CERTIFIED
    except InputError:
        return False


def _places(law: Prior) -> Sequence[Fraction]:
    """Where a law of X is: its atoms, or the means of its components."""
    match law:
        case Nothing():
            return [x for x, _ in law.atoms()]
        case Discrete():
            return law.atoms
        case _:
            return [part.mean for part in law.components]


def _lattice(release: Stepped, places: Sequence[Fraction]) -> Lattice:
    """A point and the step of a lattice of all numbers before the threshold; None: a line."""
    noise = release.noise
    found: Lattice = None
    if noise.step is not None:
        found = places[0], noise.step
    elif isinstance(noise, TableNoise):
        found = common_lattice([x + n for x in places for n in noise.of(x).mass])
    elif noise.adds_nothing:
        found = common_lattice(places)
    for step in release.steps[:-1]:
        found = step.lattice(found)
    return found


def _near(problem: Problem) -> Fraction:
    """About the scale; a number > 0."""
    middle = Fraction(problem.scale().ball().midpoint())
    return Grid(6).nearest(middle) if middle > 0 else Fraction(1)


def _fails_beyond(
    problem: Problem, before: Sequence[PostStep], far: Fraction, last: Fraction
) -> bool:
    """Whether every threshold from `far` on fails as this one does, at what is not hidden.

    Behind all atoms exponential noise has one ratio (F45d), which delta = 0 bounds.
    """
    if problem.delta.sign() != 0 or not problem.release.noise.exponential:
        return False
    chain = StepChain(before, [far])
    if chain.ends(1) or any(step.wraps for step in before):
        return False
    low, _ = chain.cell(chain.place(Cut(far))).limits
    if low is None or low <= last:
        return False
    witnesses = [pair.witness for pair in certify(problem, digits=1).pairs]
    return any(one is not None and _stays(one, last) for one in witnesses)


def _stays(witness: Witness, last: Fraction) -> bool:
    """Whether a target fails at outputs alone that are not hidden, and lie behind all atoms."""
    if witness.event is not None:
        low = witness.event[0][0]
        if isinstance(low, Infinite) or low < last:
            return False
        return SUPPRESSED not in (witness.outputs or [])
    outputs = [witness.output] if witness.outputs is None else witness.outputs
    return not {None, SUPPRESSED} & set(outputs)


# ---------------------------------------------------------------- bounds


def _bound(problem: Problem, digits: int) -> _Found:
    noise = problem.release
    if not isinstance(noise, TruncatedLaplace) or not noise.has_size:
        raise InputError(
            "noise.kind: expected truncated-laplace, with no steps, to find the least bound"
        )
    gap = max(_distance(item) for item in problem.questions())
    if gap == 0:
        return _Found(Minimum("0", "0", _NO_BOUND_NEEDED))
    if problem.delta.sign() == 0:
        return _Found(Minimum("inf", "inf", _ALONE))
    if (problem.delta - Number.of_rational(_HALF)).sign() != -1:
        raise InputError("delta: a least bound is known where delta is below 1/2")
    scale = noise.stated_scale()
    bare = certify(problem.under(Laplace(scale.text)), digits=1)
    if bare.verdict is Verdict.REFUTED or any(pair.tie for pair in bare.pairs):
        return _Found(Minimum("inf", "inf", _NO_BOUND))

    def at(bound: Fraction) -> Problem:
        return problem.under(TruncatedLaplace(scale.text, bound))

    def decide(bound: Fraction) -> Verdict:
        return certify(at(bound), digits=1).verdict

    reach = gap / _near(problem)
    tail = log1p(expm1(min(float(reach), 700.0)) / (2 * max(_float(problem.delta), 1e-300)))
    guess = max(gap, _near(problem) * Fraction(tail))
    grid = Grid(digits)
    lower, upper, between = Search("at bound {}", decide, grid.text).decimals(guess, grid)
    exact = _published(gap, scale, problem)
    if exact is not None and not _lies(lower, exact, upper):
        exact = None
    reason = None if between is None else _BETWEEN
    found = Minimum(grid.text(lower), grid.text(upper), reason)
    return _Found(found, at(upper), None if exact is None else simple_text(exact))


def _distance(item: Question) -> Fraction:
    """How far apart the points of a pair are; InputError for priors of several values."""
    points: list[Fraction] = []
    for secret, prior in ((item.first, item.first_prior), (item.second, item.second_prior)):
        if not isinstance(prior, Discrete) or len(prior.atoms) != 1:
            raise InputError(
                f"prior of {shorten(secret)!r}: a least bound is known between single points; of "
                "other priors a larger bound may be less private, and certify decides each"
            )
        points.append(prior.atoms[0])
    return abs(points[0] - points[1])


def _published(gap: Fraction, scale: Number, problem: Problem) -> Number | None:
    """The least bound in closed form, where the scale is at least the distance over epsilon."""
    reach = Number.of_rational(gap) / scale
    if problem.protection.extended or (problem.epsilon - reach).sign() not in (0, 1):
        return None
    one, two = Number.of_rational(Fraction(1)), Number.of_rational(Fraction(2))
    unit = (one + (reach.exp() - one) / (two * problem.delta)).log()
    return unit if scale.fraction == 1 else scale * unit


def _lies(lower: Fraction, value: Number, upper: Fraction) -> bool:
    """Whether a number is proved to be above one and at most another."""
    above = (value - Number.of_rational(lower)).sign() == 1
    return above and (Number.of_rational(upper) - value).sign() in (0, 1)


def _float(value: Number) -> float:
    return float(value.ball().midpoint())

"""Everything that a report says, worked out before a word of it is written."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from pfverify.answers.calibrate import estimate_scale, least_scale, scales_of
from pfverify.answers.certify import certify
from pfverify.answers.coupling import distances_of
from pfverify.answers.curves.numbers import growth_of
from pfverify.answers.curves.pair import KnownPair
from pfverify.answers.dummies import DummiesResult, calibrate_dummies
from pfverify.answers.error_bar import ErrorBar, error_bar
from pfverify.answers.footing import FEW, footing
from pfverify.answers.leaks import Leaks, leaks
from pfverify.answers.methods import CalibrateResult, Footing, Minimum
from pfverify.answers.outcome import CertifyResult, Directed
from pfverify.certificate.checking import CheckResult, check
from pfverify.decide.comparison import Comparison, Orders
from pfverify.decide.routes import comparison
from pfverify.edge.ordered import pair_of
from pfverify.edge.report.laws import Laws, drawn_laws
from pfverify.edge.report.sentences import words
from pfverify.errors import InputError, PfverifyError, UndecidedError
from pfverify.exact.enclosure import Enclosure, largest_of
from pfverify.exact.number import Number
from pfverify.model.channels.tupling import Tupling
from pfverify.model.digest import problem_digest
from pfverify.model.noises.none import NoNoise
from pfverify.model.noises.table import TableNoise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.model.protection import PUFFERFISH
from pfverify.model.question import Question
from pfverify.model.releases.composition import ComposedReleases
from pfverify.model.releases.repeated import Several
from pfverify.model.releases.stepped import Stepped
from pfverify.results import DEFAULT_DIGITS

Progress = Callable[[int, int], None]
CURVE_PLACES = 16  # decimal places of the values behind the curves
_MANY, _FEW, _FEWEST = 40, 5, 3  # points of a curve
_HEAVY_BITS = 1_000_000  # of all weights of a pair together from which few points are taken
_MOST_WORK = 150_000  # atoms of a pair, times points, up to which as many points are taken
_FARTHEST = 12.0  # epsilon up to which curves are drawn
_MOST_PAIRS = 60  # of all beliefs, whose recipes are all worked out: each takes a programme
_MOST_ATOMS = 2000  # of a prior whose plan is worked out


@dataclass(frozen=True)
class Missing:
    """Something that was not worked out, and why."""

    why: str


def _missing(why: str, /, **values: object) -> Missing:
    return Missing(words(f"missing.why.{why}", **values))


@dataclass(frozen=True)
class Drawn:
    """The pair that pictures show, the one that is closest to its bound (or beyond it).

    `compared` is the order of `order`, `reverse` the other one; `first` and `second` are the
    priors of the secrets from which and against which.
    """

    order: Directed
    item: Question
    compared: Comparison
    reverse: Comparison

    @property
    def epsilon(self) -> Number:
        """The epsilon to which this pair is held."""
        return self.compared.target.epsilon


@dataclass(frozen=True)
class PlanFacts:
    """The cheapest plan of a pair: (x, x', mass), its mean distance and its largest one."""

    moves: list[tuple[Fraction, Fraction, Fraction]]
    mean: Enclosure
    largest: Fraction


@dataclass(frozen=True)
class ScalesFacts:
    """The scales of the recipes and the least private scale of all pairs.

    `one_pair`: the recipes are about the drawn pair alone, as there are so many.
    """

    found: CalibrateResult
    minimum: Minimum
    one_pair: bool


@dataclass(frozen=True)
class CheckFacts:
    """What the kernel said about a certificate."""

    name: str
    result: CheckResult


@dataclass(frozen=True)
class Facts:
    """All facts of a report. `problem_name` is as the reader writes it in commands; `about` says
    what is published, "" where nobody does."""

    problem_name: str
    problem: Problem
    digest: str
    decided: CertifyResult
    loss: Enclosure
    drawn: Drawn
    error: ErrorBar | Missing
    laws: Laws | Missing
    plan: PlanFacts | Missing
    scales: ScalesFacts | DummiesResult | Missing
    curves: KnownPair | Missing
    checked: CheckFacts | None
    rests_on: Footing
    leaks: Leaks | None
    about: str = ""

    @property
    def proved_by(self) -> str | None:
        """The certificate of this very verdict that the kernel accepts, where one was checked."""
        checked = self.checked
        if checked is None or checked.result.word != self.decided.verdict.value:
            return None
        return checked.name


def gathered(
    name: str, problem: Problem, checked: CheckFacts | None, progress: Progress, few: int = FEW
) -> Facts:
    """Work out everything that a report says about a problem, whose noise has a scale.

    Raises InputError as `certify`, and PfverifyError where a valid certificate and the search
    contradict each other.
    """
    if problem.release.noise.scale is None:
        raise InputError(
            "noise.scale: missing, and a report is about one scale; pfverify calibrate --write "
            "FILE writes the problem with the least"
        )
    verdict = certify(problem, progress=progress)
    _agree(verdict, checked)
    drawn = _drawn(problem, verdict)
    try:
        scales = _scales(problem, drawn, progress)
    except InputError as error:  # no fact by which a scale could be found
        scales = Missing(str(error).removeprefix("calibrate: "))
    minimum = scales.minimum if isinstance(scales, ScalesFacts) else None
    if isinstance(problem.release.noise, NoNoise) and verdict.certified:
        minimum = Minimum("0", "0", None)
    progress(0, 0)  # how long the pictures take is not known
    return Facts(
        name, problem, problem_digest(problem), verdict, largest_loss(verdict), drawn,
        _error(problem), _laws(problem, drawn), _plan(problem, drawn), scales,
        _curves(drawn, verdict), checked, footing(problem, minimum, few), leaks(problem),
    )  # fmt: skip


def largest_loss(verdict: CertifyResult) -> Enclosure:
    """Return the largest loss of all ordered pairs; one that is not enclosed may be any number.

    Example: ``largest_loss(certify("example:census")) < 1`` is True.
    """
    anything = Enclosure("0", "inf")
    return largest_of([anything if pair.loss is None else pair.loss for pair in verdict.pairs])


def checked_facts(problem: Path, certificate: Path, name: str) -> CheckFacts:
    """Let the kernel check a certificate that the report calls `name`, in a fresh interpreter.

    Raises InputError for a file that cannot be read or is no certificate.
    """
    found = check(problem, certificate, trusts=True)
    if found.word == "malformed":
        raise InputError(f"{name}: it is no certificate: {found.message}")
    return CheckFacts(name, found)


def _agree(verdict: CertifyResult, checked: CheckFacts | None) -> None:
    """Refuse a valid certificate of the contrary: one of both programs is wrong."""
    if checked is None:
        return
    found = checked.result
    if (found.certified and verdict.refuted) or (found.refuted and verdict.certified):
        raise PfverifyError(
            f"{checked.name}: the kernel proves {found.word} and the search {verdict.verdict}; "
            "one of them is wrong, please report it"
        )


def _drawn(problem: Problem, verdict: CertifyResult) -> Drawn:
    worst = verdict.pairs[0]
    item, reverse = pair_of(problem, worst)
    orders: Orders = comparison(item)
    return Drawn(worst, item.turned(), *orders[::-1]) if reverse else Drawn(worst, item, *orders)


def _error(problem: Problem) -> ErrorBar | Missing:
    if named := names_kind(problem):
        return _missing("steps-distance" if named == "steps" else "no-distance")
    if problem.release.noise.adds_nothing:
        return _missing("no-noise")
    if not problem.release.noise.has_size:
        return _missing("no-error")
    if not problem.release.has_one_scale:
        return _missing("own-errors")
    try:
        return error_bar(problem.release.noise, problem.scale())
    except (InputError, UndecidedError) as error:
        return Missing(str(error))


def names_kind(problem: Problem) -> str:
    """Return how sentences about releases of names are called; "" where numbers are released.

    "steps": what steps, or a choice, leave of noisy numbers.
    """
    if isinstance(problem.release, ComposedReleases):
        return "parts"
    if not problem.release.named:
        return ""
    return "steps" if problem.release.named_kind == Stepped.kind else "channel"


def _laws(problem: Problem, drawn: Drawn) -> Laws | Missing:
    if many_numbers(problem):
        return _missing("many-numbers")
    priors = drawn.item.first_prior, drawn.item.second_prior
    try:
        return drawn_laws(drawn.item.release, *priors, drawn.order.worst_y)
    except OverflowError:
        return _missing("too-far")
    except InputError as error:
        return Missing(str(error))


def many_numbers(problem: Problem) -> bool:
    """Return whether more than one number is released."""
    return isinstance(problem.release, Several) or bool(problem.numbers)


def _plan(problem: Problem, drawn: Drawn) -> PlanFacts | Missing:
    if named := names_kind(problem):
        return _missing("steps-plan" if named == "steps" else "named-inputs")
    if problem.numbers:
        return _missing("many-numbers")
    priors = drawn.item.first_prior, drawn.item.second_prior
    sizes = [prior.size for prior in priors if isinstance(prior, Discrete)]
    if len(sizes) < len(priors):
        return _missing("density")
    if max(sizes) > _MOST_ATOMS:
        return _missing("many-values", count=max(sizes), most=_MOST_ATOMS)
    pair = distances_of(drawn.item)
    largest = pair.infinity.distance.value
    if largest is None:
        return _missing("irrational")
    moves = [
        (Fraction(str(x)), Fraction(str(y)), mass)
        for (x, y), mass in pair.one.plan.masses().items()
    ]
    if max(abs(x) for move in moves for x in move[:2]) > sys.float_info.max:
        return _missing("too-far")
    return PlanFacts(moves, Enclosure(str(pair.one.lower), str(pair.one.upper)), largest)


def _scales(
    problem: Problem, drawn: Drawn, progress: Progress
) -> ScalesFacts | DummiesResult | Missing:
    if isinstance(problem.release, Tupling):
        return calibrate_dummies(problem, progress=progress)
    if named := names_kind(problem):
        return _missing(f"{named}-scale", kind=problem.release.named_kind)
    if isinstance(problem.release.noise, NoNoise):
        return _missing("none-scale")
    if isinstance(problem.release.noise, TableNoise):
        return _missing("no-scale", kind=problem.release.noise.kind)
    few = len(problem.pairs) * len(problem.beliefs) <= _MOST_PAIRS
    if problem.release.more_scale is None or few or problem.protection != PUFFERFISH:
        found = scales_of(problem, progress=progress)
        return ScalesFacts(found, found.minimum, one_pair=False)
    item = drawn.item
    alone = Problem(
        {item.first: item.first_prior, item.second: item.second_prior},
        noise=problem.release.noise, epsilon=problem.epsilon, delta=problem.delta,
        form=problem.form,
    ).under(problem.release)  # fmt: skip
    minimum = least_scale(problem, DEFAULT_DIGITS)
    found = replace(scales_of(alone), estimate=estimate_scale(problem, DEFAULT_DIGITS))
    return ScalesFacts(found, minimum, one_pair=True)


def _curves(drawn: Drawn, verdict: CertifyResult) -> KnownPair | Missing:
    """Both orders of the pair, known at growths up to where nothing exceeds any more."""
    item, orders = drawn.item, (drawn.compared, drawn.reverse)
    if drawn.compared.equal:
        return _missing("same-law")
    pair = KnownPair((item.belief, item.first, item.second), lambda positive: orders, CURVE_PLACES)
    top, points = _farthest(drawn, verdict), _points(item)
    steps = [Fraction(top) * k / (points - 1) for k in range(points)]
    growths = {growth_of(Number.of_rational(step), up=True) for step in steps}
    if len(growths) < _FEWEST:
        return _missing("close-laws")
    try:
        for growth in growths:
            pair.find(0, growth)
            pair.find(1, growth)
    except UndecidedError as error:
        return Missing(str(error))
    return pair


def _farthest(drawn: Drawn, verdict: CertifyResult) -> float:
    """The epsilon that curves go to: what both losses are at most, where that is not far away."""
    item, own = drawn.item, drawn.epsilon.ball().midpoint()
    names = item.belief, {item.first, item.second}
    losses = [pair.loss for pair in verdict.pairs if (pair.belief, {pair.from_, pair.to}) == names]
    ends = [math.inf if loss is None else float(loss.upper) for loss in losses]
    return max(ends) if max(ends) <= _FARTHEST else min(_FARTHEST, max(4.0, 2 * own))


def _points(item: Question) -> int:
    """How many points a curve has: each takes as long as the pair has atoms with long weights."""
    laws = [prior for prior in (item.first_prior, item.second_prior) if isinstance(prior, Discrete)]
    if sum(weight.bit_length() for prior in laws for weight in prior.weights) > _HEAVY_BITS:
        return _FEW
    return max(_FEW, min(_MANY, _MOST_WORK // max(1, sum(prior.size for prior in laws))))

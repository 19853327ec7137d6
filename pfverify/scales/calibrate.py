"""All the scales of a problem, side by side, each with its verdict."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from pfverify.decide.assumptions import assumed
from pfverify.decide.certify import certify
from pfverify.decide.outcome import (
    DEFAULT_DIGITS,
    Verdict,
    checked_digits,
    checked_progress,
    joined,
)
from pfverify.decide.routes import at_any_scale
from pfverify.errors import InputError
from pfverify.exact.decimals import decimal_text
from pfverify.exact.search import UndecidedError, least_decimal, polished
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem, as_problem, discrete_priors, is_smooth
from pfverify.scales.bernoulli import bernoulli_scale
from pfverify.scales.closed_form import NO_FINITE, Proposal, Value, distance_over, largest_upper
from pfverify.scales.coupling.best import CouplingPair
from pfverify.scales.coupling.candidates import least_scale
from pfverify.scales.gaussian import gaussian_recipes
from pfverify.scales.minimum import minimum_scale, verdict_at, without_noise
from pfverify.scales.outcome import (
    CalibrateResult,
    Method,
    MethodWitness,
    Minimum,
    MinimumMethod,
    spread,
    waste_text,
)
from pfverify.scales.relaxed import Line, RelaxedPair
from pfverify.transport.line import LinePlan, monotone_plan


class _Scales:
    """Works out the scale of every method for one problem."""

    def __init__(self, problem: Problem, digits: int) -> None:
        self.problem = problem
        self.digits = digits
        self.items = list(problem.pairs_of_priors())
        self.nothing_moves = all(i.first_prior == i.second_prior for i in self.items)

    @cached_property
    def discrete(self) -> list[tuple[Discrete, Discrete]]:
        """The priors of every pair; InputError where one has a density."""
        if isinstance(self.problem.noise, GaussianNoise):
            raise InputError("the noise is gaussian: this recipe is for Laplace noise")
        return [discrete_priors(item, "this recipe is about atoms") for item in self.items]

    @cached_property
    def plans(self) -> list[LinePlan]:
        return [monotone_plan(first, second) for first, second in self.discrete]

    @cached_property
    def relaxed_pairs(self) -> list[RelaxedPair]:
        return [RelaxedPair(plan, self.problem.epsilon) for plan in self.plans]

    def l1(self) -> Proposal:
        """Largest distance between an atom of one prior and an atom of the other, / epsilon."""
        return self._over_epsilon(max(_reach(*priors) for priors in self.discrete))

    def wasserstein(self) -> Proposal:
        """Largest distance in the support of the monotone plan (W-infinity), / epsilon."""
        return self._over_epsilon(max(plan.w_infinity() for plan in self.plans))

    def relaxed_columns(self) -> Proposal:
        return self._least(
            lambda r, s: r.all_hold(r.columns, s),
            lambda r: (r.column_scale, r.columns),
        )

    def relaxed_rows(self) -> Proposal:
        return self._least(
            lambda r, s: r.all_hold(r.rows, s), lambda r: (r.row_scale, r.rows)
        )

    def relaxed(self) -> Proposal:
        """Per pair the smaller of columns and rows; the largest over pairs (fact F9)."""
        return self._least(
            lambda r, s: r.all_hold(r.columns, s) or r.all_hold(r.rows, s),
            lambda r: min((r.column_scale, r.columns), (r.row_scale, r.rows), key=_first),
        )

    def relaxed_published(self) -> Proposal:
        """Per pair the larger of columns and rows, as the paper's Table 4 reports."""
        return self._least(
            lambda r, s: r.all_hold(r.columns, s) and r.all_hold(r.rows, s),
            lambda r: max((r.column_scale, r.columns), (r.row_scale, r.rows), key=_first),
        )

    def bernoulli(self) -> Proposal:
        """Exact least pure scale of two-point pairs, the largest over pairs."""
        if self.problem.epsilon.sign() == 0 and not self.nothing_moves:
            raise InputError(NO_FINITE)
        scales: list[Value] = []
        for first, second in self.discrete:
            found = bernoulli_scale(first, second, self.problem.epsilon)
            if found is None:
                raise InputError("not every pair of priors lives on the same two points")
            if found.scale is not None:
                scales.append(Value.of(found.scale))
        return largest_upper(scales, self.digits) if scales else ("0", None)

    def coupling_lp(self) -> Proposal:
        """Per pair the better side of the best coupling (a linear programme); largest over pairs.

        The monotone plan is a candidate too, so this never exceeds `relaxed`.
        """
        pairs = [
            CouplingPair(first, second, self.problem.epsilon) for first, second in self.discrete
        ]
        if self.nothing_moves:
            return "0", None
        candidates = [
            pair.candidates("columns") + pair.candidates("rows")
            for pair in pairs
            if not pair.equal
        ]
        upper = least_scale(candidates, self.problem.epsilon, self.digits)
        return decimal_text(upper, self.digits), None

    def _over_epsilon(self, distance: Fraction) -> Proposal:
        if distance == 0:
            return "0", "0"
        if self.problem.epsilon.sign() == 0:
            raise InputError(NO_FINITE)
        return largest_upper([distance_over(distance, self.problem.epsilon)], self.digits)

    def _least(
        self,
        holds: Callable[[RelaxedPair, Fraction], bool],
        propose: Callable[[RelaxedPair], tuple[Fraction, list[Line]]],
    ) -> Proposal:
        pairs = self.relaxed_pairs
        if self.nothing_moves:
            return "0", "0"
        if self.problem.epsilon.sign() == 0:
            raise InputError(NO_FINITE)
        ordered = sorted(pairs, key=lambda r: -propose(r)[0])
        scale, lines = propose(ordered[0])
        line = ordered[0].tightest(lines)
        if line is not None:
            tight, unit = line, ordered[0].unit
            scale = polished(
                lambda s: tight.log_gap(s, self.problem.epsilon, unit), scale, self.digits
            )
        upper = least_decimal(
            lambda s: all(holds(pair, s) for pair in ordered), scale, self.digits
        )[1]
        exact = None
        if line is not None:
            form = line.closed_form(self.problem.epsilon, ordered[0].unit)
            if form is not None:
                rounded, text = largest_upper([Value.of(form)], self.digits)
                exact = text if Fraction(rounded) == upper else None
        return decimal_text(upper, self.digits), exact


def calibrate(
    problem: Problem | str | Path,
    *,
    digits: int = DEFAULT_DIGITS,
    progress: Callable[[int, int], None] | None = None,
) -> CalibrateResult:
    """Return every applicable noise scale with its verdict, and the bracketed minimum.

    `problem` may be the name of its file; its own scale is ignored. `scale` of each method is a
    decimal of `digits` significant digits, rounded up, and the verdict is about exactly that
    decimal; a refuted one comes with a `witness`. `progress(done, total)` is called after every
    method. Where the minimum cannot be decided its verdict is undecided, with the reason, and the
    other scales are there.
    Raises InputError for noise of kind none.

    Example: ``calibrate(problem).minimum.upper``.
    Source: noise-reduction paper (4), (13), (26); Gaussian-priors paper (5), (6), (13), (15),
    (22), (23); design facts F2, F8, F9.
    """
    checked_progress(progress)
    problem, digits = as_problem(problem), checked_digits(digits)
    if isinstance(problem.noise, NoNoise):
        raise InputError(
            "noise.kind: none has no scale to find; name a kind of noise: laplace, "
            "discrete-laplace or gaussian"
        )
    scales = _Scales(problem, digits)
    recipes: dict[str, Callable[[], Proposal]] = {
        "l1": scales.l1,
        "wasserstein": scales.wasserstein,
        "relaxed_columns": scales.relaxed_columns,
        "relaxed_rows": scales.relaxed_rows,
        "relaxed": scales.relaxed,
        "relaxed_published": scales.relaxed_published,
        "bernoulli": scales.bernoulli,
        "coupling_lp": scales.coupling_lp,
    }
    if any(is_smooth(item, problem.noise) for item in scales.items):
        recipes |= gaussian_recipes(
            scales.items, problem.epsilon, problem.delta, digits, noise=problem.noise.kind
        )
    total = len(recipes) + 1
    minimum = _minimum(problem, digits)
    if progress:
        progress(1, total)
    methods: dict[str, Method] = {}
    not_applicable: dict[str, str] = {}
    known: dict[str, tuple[Verdict, MethodWitness | None]] = {}
    for done, (name, recipe) in enumerate(recipes.items(), 2):
        try:
            scale, exact = recipe()
        except (InputError, UndecidedError) as error:
            not_applicable[name] = str(error)
        else:
            if scale not in known:
                known[scale] = _decided(problem, scale)
            methods[name] = _method(problem, scale, exact, known[scale], minimum, digits)
        if progress:
            progress(done, total)
    methods["minimum"] = _minimum_method(problem, minimum, digits)
    return CalibrateResult(
        epsilon=problem.epsilon.text,
        delta=problem.delta.text,
        form=problem.form,
        noise=problem.noise.kind,
        methods=methods,
        minimum=minimum,
        not_applicable=not_applicable,
        assumed=assumed(problem),
    )


def _minimum(problem: Problem, digits: int) -> Minimum:
    try:
        bracket = minimum_scale(problem, digits)
    except UndecidedError as error:
        return Minimum("0", "inf", str(error))
    if bracket.upper is None:
        return Minimum("inf", "inf", bracket.reason)
    lower, upper = decimal_text(bracket.lower, digits), decimal_text(bracket.upper, digits)
    return Minimum(lower, upper, bracket.reason)


def _minimum_method(problem: Problem, minimum: Minimum, digits: int) -> MinimumMethod:
    sd, mean = spread(problem.noise, minimum.upper, digits)
    return MinimumMethod(
        scale=minimum.upper,
        exact=None,
        verdict=minimum.verdict,
        waste=waste_text(minimum.upper, minimum.upper),
        sd=sd,
        mean_abs=mean,
        lower=minimum.lower,
        upper=minimum.upper,
        reason=minimum.reason,
    )


def _method(
    problem: Problem,
    scale: str,
    exact: str | None,
    decided: tuple[Verdict, MethodWitness | None],
    minimum: Minimum,
    digits: int,
) -> Method:
    sd, mean = spread(problem.noise, scale, digits)
    verdict, witness = decided
    waste = waste_text(scale, minimum.upper)
    return Method(scale, exact, verdict, waste, sd, mean, witness=witness)


def _decided(problem: Problem, scale: str) -> tuple[Verdict, MethodWitness | None]:
    """Decide the whole problem at one decimal scale, with the worst pair's witness if it fails."""
    verdict = _verdict(problem, scale)
    if verdict is not Verdict.REFUTED:
        return verdict, None
    worst = certify(problem.replaced(scale=scale)).pairs[0]
    if worst.witness is None:
        return verdict, None
    return verdict, MethodWitness(
        **vars(worst.witness), belief=worst.belief, from_=worst.from_, to=worst.to
    )


def _verdict(problem: Problem, scale: str) -> Verdict:
    """Decide the whole problem at one decimal scale; scale 0 means no noise."""
    pairs = (at_any_scale(problem, item) for item in problem.pairs_of_priors())
    if scale == "0":
        return joined([without_noise(pair) for pair in pairs])
    return joined([verdict_at(pair, Fraction(scale)) for pair in pairs])


def _reach(one: Discrete, other: Discrete) -> Fraction:
    first, second = one.atoms, other.atoms
    return max(abs(first[-1] - second[0]), abs(second[-1] - first[0]))


def _first(item: tuple[Fraction, list[Line]]) -> Fraction:
    return item[0]

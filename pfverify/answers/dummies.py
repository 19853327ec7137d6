"""The least number of dummies with which the tupling mechanism meets a target.

Privacy never falls in the number of dummies: dropping one at random is post-processing. With more
and more of them the divergence falls to that of what dummies cannot hide: the outputs that are no
dummies, and that the value is one of the others. So the search knows when to give up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from pfverify.answers.outcome import checked_progress, target_text
from pfverify.decide.assumptions import assumed
from pfverify.decide.targets import target_of
from pfverify.decide.tupling.compared import TuplingPair
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Real, real
from pfverify.laws.kinds import forms_of
from pfverify.laws.masses import Tuples
from pfverify.model.channels.entries import total
from pfverify.model.channels.tupling import Tupling
from pfverify.model.notion import Bound
from pfverify.model.problem import Problem, as_problem
from pfverify.results import UNSAID, Shown
from pfverify.scales.search import Search, verdict_of_orders

_NEVER = (
    "no number of dummies is enough: with ever more of them the divergence falls to what they "
    "cannot hide, which exceeds delta or never quite reaches it"
)
_PURE = (
    "no number of dummies is enough: with delta = 0 a tuple of one output alone loses as much as "
    "that output does without dummies"
)
_HIDDEN = "any dummy"
_NONE_NEEDED = "the outputs without dummies already meet the target: no dummies are needed"


@dataclass(frozen=True)
class LeastDummies(NoTruth, ask="compare .lower or .upper"):
    """The least number of dummies lies in (lower, upper]: lower refuted, upper certified.

    0 dummies publish the value's output itself; where they are enough both ends are 0. `upper` is
    None where no number works, or where none was found; `reason` says why, or why the ends are not
    neighbours.
    """

    lower: int
    upper: int | None
    reason: str | None = None

    @property
    def verdict(self) -> Verdict:
        """Certified; refuted where no number works; undecided where neither was found."""
        if self.upper is not None:
            return Verdict.CERTIFIED
        return Verdict.REFUTED if self.reason in (_NEVER, _PURE) else Verdict.UNDECIDED


def least_dummies(
    problem: Problem | str | Path, *, progress: Callable[[int, int], None] | None = None
) -> LeastDummies:
    """Bracket the least number of dummies that meets the target for every belief and pair.

    The problem's channel is a tupling mechanism, whose own number of dummies is ignored.
    `progress(done, total)` is called after every pair.
    Raises InputError for another channel, and for dummies whose law is not rational.

    Example: ``least_dummies(problem).upper`` raises.
    Source: distribution-privacy paper, Theorem 3 (how privacy grows with the dummies).
    """
    checked_progress(progress)
    problem = as_problem(problem)
    if not isinstance(problem.release, Tupling):
        raise InputError("channel.kind: dummies belong to tupling")
    items = list(problem.questions())
    found = LeastDummies(0, 0, _NONE_NEEDED)
    for done, item in enumerate(items, 1):
        first, second = forms_of(item)
        if not (isinstance(first, Tuples) and isinstance(second, Tuples)):
            raise TypeError("expected laws of tuples")
        pair = TuplingPair.of(first, second, target_of(item))
        found = _continued(pair, found)
        if progress:
            progress(done, len(items))
        if found.upper is None:
            break
    return found


@dataclass(frozen=True, repr=False)
class DummiesResult(Shown, NoTruth, ask="compare .dummies.lower or .dummies.upper"):
    """The least number of dummies for a target, with what the answer takes for granted."""

    dummies: LeastDummies
    epsilon: Real
    delta: Real
    form: str
    channel: str
    notion: str
    assumed: list[str]
    problem: Problem | None = field(default=None, metadata=UNSAID, repr=False, compare=False)

    @property
    def minimum(self) -> LeastDummies:
        """The least number of dummies, by the name of the least scale in other answers."""
        return self.dummies

    def _line(self) -> str:
        low, high = self.dummies.lower, self.dummies.upper
        return f"dummies in [{low}, {high}] for {target_text(self.epsilon, self.delta)}"


def calibrate_dummies(
    problem: Problem | str | Path, *, progress: Callable[[int, int], None] | None = None
) -> DummiesResult:
    """Return `least_dummies` with the target and the assumptions, as a command reports it.

    Raises InputError as `least_dummies`.
    """
    problem = as_problem(problem)
    return dummies_result(problem, least_dummies(problem, progress=progress))


def dummies_result(problem: Problem, dummies: LeastDummies) -> DummiesResult:
    """Return what a command reports of a problem of which the least number of dummies is known."""
    return DummiesResult(
        dummies=dummies,
        epsilon=real(problem.epsilon),
        delta=real(problem.delta),
        form=problem.form,
        channel=Tupling.kind,
        notion=problem.protection.notion,
        assumed=assumed(problem, bare=True),
        problem=problem,
    )


def _continued(pair: TuplingPair, before: LeastDummies) -> LeastDummies:
    """The bracket for a pair of laws and for those of a bracket that has an upper end.

    Doubles the number of dummies until they are enough, then halves the bracket. A number that is
    undecided, or too large to decide, ends the search: more dummies take ever longer.
    """
    low, reason = before.upper or 0, None

    def decide(number: Fraction) -> Verdict:
        if number == low:
            return verdict_of_orders(pair.orders(low))
        try:
            return verdict_of_orders(pair.orders(int(number)))
        except InputError as error:
            raise UndecidedError(f"with {number} dummies: {error}") from error

    search = Search("with {} dummies", decide)
    try:
        if search.holds(Fraction(low)):
            return before
        reason = _never(pair)
        if reason is None:
            search.integers_until_undecided(low or 1, first=low or 1)
    except UndecidedError as error:
        reason = str(error)
    lower, upper = search.ends()
    return LeastDummies(
        before.lower if lower is None else int(lower),
        None if upper is None else int(upper),
        reason,
    )


def _never(pair: TuplingPair) -> str | None:
    """Return why no number of dummies meets the target, None where some number does.

    An order that one dummy does not settle has tuples on both sides of e**epsilon, or an
    excess that stays: its divergence then is above its limit for every number of dummies.
    """
    hidden = [k for k, mass in enumerate(pair.dummy) if mass]
    shown = [k for k, mass in enumerate(pair.dummy) if not mass]
    first, second = (
        [*(law[k] for k in shown), total(law[k] for k in hidden)]
        for law in (pair.first, pair.second)
    )
    in_the_limit = TuplingPair(
        [*(pair.names[k] for k in shown), _HIDDEN],
        first,
        second,
        [Fraction(0)] * len(shown) + [Fraction(1)],
        pair.target,
    )
    for order, limit in zip(pair.orders(1), in_the_limit.orders(0), strict=True):
        if order.settled().sign != 1:
            continue
        sign = limit.settled().sign
        if order.target.bound is Bound.RATIO:
            return _NEVER if sign == 1 else _PURE
        if sign in (0, 1):
            return _NEVER
    return None

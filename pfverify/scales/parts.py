"""The parts of a problem about many noisy numbers: each one number, under one release.

What their losses sum to is what adding would say, which is a bound of the loss of all together only
where a fact says so. Source: design fact F43.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from typing import NamedTuple

from pfverify.decide.routes import comparison
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.exact.refined import End, ends_of
from pfverify.exact.rising import rising
from pfverify.exact.search import float_root, least_decimal
from pfverify.model.priors.joint import Joint
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Budget, Repeated

_FIRST_BITS, _LAST_BITS = 64, 1024
_FAR = 1e12  # times the scale that a search begins at


class NumberPart(NamedTuple):
    """One number of a problem under one release, and how many releases there are of it.

    `name` is that of its coordinate, None where there is one number.
    """

    name: str | None
    problem: Problem
    times: int


def parts_of(problem: Problem) -> list[NumberPart]:
    """Return the parts of a problem at the scale that it states, coordinates inside releases.

    Example: ``[part.times for part in parts_of(problem)]`` is ``[1]``.
    """
    release = problem.release
    if isinstance(release, Budget):
        return parts_of(problem.under(release.collapsed))
    if isinstance(release, Repeated):
        return [
            NumberPart(part.name, part.problem, part.times * share.times)
            for share in release.shares for part in parts_of(problem.under(share.release))
        ]  # fmt: skip
    return list(_coordinates(problem))


def _coordinates(problem: Problem) -> Iterator[NumberPart]:
    release = problem.release
    names = problem.numbers
    if not names:
        yield NumberPart(None, problem, 1)
        return
    if not isinstance(release, Coordinates | Noise):
        raise InputError(f"parts: {release.kind} is no noise by coordinate")
    for k, name in enumerate(names):
        own = release.noise
        if isinstance(release, Coordinates):
            own = own.with_scale(release.scales[k])
        yield NumberPart(name, marginal(problem, [k], own), 1)


def marginal(problem: Problem, chosen: list[int], noise: Noise | Coordinates) -> Problem:
    """Return the problem about some coordinates alone, under noise of theirs.

    Example: ``marginal(problem, [0], problem.noise)`` raises where X is one number.
    """
    beliefs = {
        belief: {
            secret: prior.one(chosen[0]) if len(chosen) == 1 else prior.marginal(chosen)
            for secret, prior in table.items() if isinstance(prior, Joint)
        }
        for belief, table in problem.beliefs.items()
    }  # fmt: skip
    return Problem(
        beliefs=beliefs, noise=noise.noise, epsilon=problem.epsilon, delta=problem.delta,
        pairs=problem.pairs, form=problem.form, protection=problem.protection,
    ).under(noise)  # fmt: skip


def reaches_of(problem: Problem) -> list[Number]:
    """Return of every pair what its loss is at most whatever the joint law of the parts.

    That is the sum over the parts of the largest distance between a value under one secret and a
    value under the other, over the scale. Raises InputError where a prior has a density.
    Example: ``reaches_of(problem)[0].sign()`` is ``1``.
    Source: design fact F43.
    """
    found: list[Number] = []
    for part in parts_of(problem):
        scale = part.problem.release.noise.stated_scale() / Number.of_rational(part.times)
        own = [Number.of_rational(_distance(item)) / scale for item in part.problem.questions()]
        found = [a + b for a, b in zip(found, own, strict=True)] if found else own
    return found


def _distance(item: Question) -> Fraction:
    laws = item.discrete_priors("only atoms have a largest distance")
    first, second = (law.atoms for law in laws)
    return max(first[-1] - second[0], second[-1] - first[0], Fraction(0))


def summed_loss(problem: Problem, bits: int = _FIRST_BITS) -> tuple[End, End]:
    """Return two exact numbers around the sum of the parts' losses, each over all its pairs.

    Example: ``summed_loss(problem)[1]``.
    """
    low: End = Fraction(0)
    high: End = Fraction(0)
    for part in parts_of(problem):
        ends = [
            ends_of(order.loss().value, bits)
            for item in part.problem.questions() for order in comparison(item)
        ]  # fmt: skip
        low = _plus(low, max(end[0] for end in ends), part.times)
        high = _plus(high, max(end[1] for end in ends), part.times)
    return low, high


def _plus(total: End, value: End, times: int) -> End:
    return inf if inf in (total, value) else total + value * times


def sums_to(problem: Problem) -> bool | None:
    """Say whether the parts' losses sum to at most epsilon; None where no enclosure tells.

    Example: ``sums_to(problem)``.
    """
    epsilon = problem.epsilon
    for bits in rising(_FIRST_BITS, _LAST_BITS):
        low, high = summed_loss(problem, bits)
        if high != inf and (epsilon - Number.of_rational(Fraction(high))).sign() in (0, 1):
            return True
        if low == inf or (Number.of_rational(Fraction(low)) - epsilon).sign() == 1:
            return False
    return None


def least_summed(problem: Problem, guess: Fraction, grid: Grid) -> Fraction:
    """Return the least candidate of a grid at which the parts' losses sum to at most epsilon.

    Monotone in the scale, as every part's loss is (F2, F44). `guess` > 0 is where to look, and
    without noise the sum is larger than epsilon. Raises UndecidedError where that leads nowhere.
    """
    with_sum = problem.epsilon.at_most()

    def over(scale: float) -> float:
        low, high = summed_loss(problem.replaced(scale=Fraction(scale)))
        return inf if high == inf else float(low + high) / 2 - float(with_sum)

    def holds(scale: Fraction) -> bool:
        found = sums_to(problem.replaced(scale=scale))
        if found is None:
            raise UndecidedError("no enclosure of the sum of the losses tells it from epsilon")
        return found

    low = high = float(guess)
    while over(high) > 0 and high < _FAR * guess:
        high *= 2
    while over(low) <= 0 and low * _FAR > guess:
        low /= 2
    near = high if low == high else float_root(over, low, high)
    return least_decimal(holds, Fraction(near), grid)[1]

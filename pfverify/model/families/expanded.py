"""Which members of families decide a problem about all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import lcm
from typing import NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.model.families.balls import WInfinityBall
from pfverify.model.families.family import Members, Place
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Prior

FEW, MOST = 144, 40_000
"""Pairs of extreme laws: where there are few they are taken in any case; more than most, never."""
MOST_OUTPUTS = 3_000
"""At which members are chosen: the work is quadratic."""


class Expanded(NamedTuple):
    """Belief -> secret -> law, of pairs of members; `ratio_only`: they bound the ratio alone."""

    laws: dict[str, dict[str, Prior]]
    ratio_only: bool


class WorstOutputs(NamedTuple):
    """The outputs at which a ratio is largest, whatever the members are.

    `names`: what they are called; `near(members, k)` returns how near every place of some members
    is to the k-th: keys in the order of what a mass there adds to that output.
    """

    names: Sequence[str]
    near: Callable[[Members, int], Sequence[int]]


def of_noise(places: Sequence[Place]) -> WorstOutputs:
    """Return the outputs of (discrete) Laplace noise, or of none: the atoms of the file."""
    atoms = [place for place in places if isinstance(place, Fraction)]
    return WorstOutputs([*map(str, atoms)], lambda members, k: members.nearness(atoms[k]))


def of_channel(outputs: Sequence[str], rows: Mapping[str, Sequence[Fraction]]) -> WorstOutputs:
    """Return the outputs of a channel, whose masses are rational: input -> mass of each output."""
    whole = lcm(*(mass.denominator for row in rows.values() for mass in row))
    counts = {name: [int(mass * whole) for mass in row] for name, row in rows.items()}
    return WorstOutputs(outputs, lambda members, k: [counts[str(x)][k] for x in members.places])


def expanded(
    tables: Mapping[str, Mapping[str, Members]], outputs: WorstOutputs | None
) -> Expanded:
    """Return pairs of members, each under a belief of its own, that are private if all are.

    `tables`: belief -> secret -> members. All pairs of extreme laws decide everything (F61); with
    `outputs` and many of these, the pairs with most mass of one law and least of the other near
    each output decide whether the ratio is bounded (F60).

    Raises InputError where there are too many, and for two pairs of one name.
    """
    if outputs and len(outputs.names) > MOST_OUTPUTS:
        outputs = None
    laws: dict[str, dict[str, Prior]] = {}
    ratio_only = False
    for belief, table in tables.items():
        extreme: dict[str, list[Prior]] = {}
        for one, other in combinations(table, 2):
            first, second = table[one], table[other]
            count = first.corners * second.corners
            if count > FEW and outputs and first.ordered and second.ordered:
                ratio_only = True
                found = _by_output(one, first, other, second, outputs)
            elif count <= MOST:
                for secret in (one, other):
                    if secret not in extreme:
                        extreme[secret] = table[secret].extreme()
                found = _all(one, extreme[one], other, extreme[other])
            else:
                raise _too_many(one, other, count)
            for name, pair in found:
                said = name if len(tables) == 1 else f"{belief}: {name}"
                if said in laws:
                    raise InputError(
                        f"priors: two pairs of laws would be called {shorten(said)!r}; expected "
                        "other names of secrets"
                    )
                laws[said] = pair
    return Expanded(laws, ratio_only)


def _too_many(one: str, other: str, count: int) -> InputError:
    return InputError(
        f"priors of {shorten(one)!r} and {shorten(other)!r}: the families have too many pairs of "
        f"extreme laws (up to {shorten(count, 20)}, at most {MOST} are worked out); boxes and "
        f"balls on more atoms, up to {MOST_OUTPUTS}, are decided for delta = 0 and one release "
        "with laplace noise, discrete-laplace noise on one lattice or none, or through a channel "
        "with rational masses"
    )


def _all(
    one: str, first: list[Prior], other: str, second: list[Prior]
) -> Iterator[tuple[str, dict[str, Prior]]]:
    """Every pair of extreme laws, by their numbers."""
    for (i, p), (j, q) in product(enumerate(first, 1), enumerate(second, 1)):
        yield f"{one} #{i}, {other} #{j}", {one: _beside(p, q), other: _beside(q, p)}


def _beside(law: Prior, other: Prior) -> Prior:
    """A law as a ball without a radius, beside a ball that is taken whole."""
    if isinstance(other, WInfinityBall) and isinstance(law, Discrete):
        return WInfinityBall(law.mass, 0)
    return law


def _by_output(
    one: str, first: Members, other: str, second: Members, outputs: WorstOutputs
) -> Iterator[tuple[str, dict[str, Prior]]]:
    """Of every output: the law of one with most mass near it, and of the other with least."""
    for k, name in enumerate(outputs.names):
        near = outputs.near(first, k), outputs.near(second, k)
        for least in (False, True):
            way = ("least", "most") if least else ("most", "least")
            pair = first.fullest(near[0], least=least), second.fullest(near[1], least=not least)
            yield f"{one} {way[0]}, {other} {way[1]} at {name}", {one: pair[0], other: pair[1]}

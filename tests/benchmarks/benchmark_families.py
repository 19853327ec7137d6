"""Speed of verdicts on families of priors: boxes of many atoms, decided by output."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from benchmark_measure import Row, ratio_row, times

from pfverify import Discrete, Laplace, MassIntervals, Problem, certify
from pfverify.answers.calibrate import least_scale

PER_PAIR, VERDICTS = 2, 10  # times as many plain verdicts as there are pairs; of a minimum
SCALE = 50
_UNIT = 10**9


@dataclass(frozen=True)
class FamilySizes:
    """Atoms of each box."""

    atoms: int = 200


def boxes(sizes: FamilySizes) -> tuple[Problem, Problem]:
    """Two boxes around random laws, the same ones in every run, and the laws alone."""
    rng, families, laws = Random(sizes.atoms), {}, {}
    for name in ("a", "b"):
        counts = {x: rng.randint(20, 60) for x in range(sizes.atoms)}
        total = sum(counts.values())
        laws[name] = Discrete(counts=counts)
        families[name] = MassIntervals({
            str(x): [Fraction(_UNIT * n * 4 // (5 * total), _UNIT),
                     Fraction(_UNIT * n * 6 // (5 * total), _UNIT)]
            for x, n in counts.items()
        })  # fmt: skip
    return (
        Problem(families, noise=Laplace(SCALE), epsilon=1),
        Problem(laws, noise=Laplace(SCALE), epsilon=1),
    )


def family_rows(sizes: FamilySizes, repeats: int) -> list[Row]:
    """A verdict on two boxes beside those on as many plain pairs, and their least scale."""
    family, plain = boxes(sizes)
    pairs = len(family.beliefs)

    def many() -> None:
        for _ in range(pairs):
            certify(plain)

    verdict, alone = times(lambda: certify(family), many, repeats=repeats)
    least, again = times(
        lambda: least_scale(family, 12), lambda: certify(family), repeats=repeats
    )
    size = f"2 boxes of {sizes.atoms:,} atoms, {pairs:,} pairs of members"
    return [
        ratio_row(
            "verdict on all members, certify()", size, verdict, "as many plain verdicts", alone,
            f"<= {PER_PAIR}x", verdict <= PER_PAIR * alone,
        ),
        ratio_row(
            "minimum scale of all members", size, least, "one verdict on them", again,
            f"<= {VERDICTS}x", least <= VERDICTS * again,
        ),
    ]  # fmt: skip

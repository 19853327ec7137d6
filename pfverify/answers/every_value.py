"""The scale that hides every value that one record may add to a sum, whatever is believed of it.

The law of a value between two bounds is an average of points there, two of which are hardest to
tell apart at the bounds, and what independent others add comes after the noise: the problem of two
points, with nothing known of the others, is the worst of all (F61, post-processing).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pfverify.answers.calibrate import least_scale
from pfverify.answers.methods import EveryValue
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError
from pfverify.exact.number import rational
from pfverify.model.counted import needs_no_law
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.model.provenance import Provenance
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Repeated
from pfverify.model.sources.users import Users
from pfverify.model.systems.laws import ABSENT
from pfverify.model.systems.system import System

_DIGITS = 4


def every_value(problem: Problem) -> EveryValue | None:
    """Return the scale for two points at the bounds, of a system that is counted from records.

    Of a histogram: for two categories. None where the smallest scale is for such points already,
    where nothing bounds the values, or no scale is known for them.
    Example: ``every_value(Problem.load("example:census"))`` is None.
    """
    source, release = problem.source, problem.release
    if not isinstance(source, Users) or not problem.tells_records:
        return None
    system = source.system
    roles = {case.role for case in system.user.values()}
    if system.protect is not None or not isinstance(system.release, str):
        return None
    if not isinstance(release, Noise | Coordinates | Repeated) or release.more_scale is None:
        return None
    fresh = isinstance(release, Repeated) and release.fresh
    if fresh or isinstance(release, NoNoise) or problem.form != "events":
        return None
    if needs_no_law(problem):
        return None
    found = _ends(problem, system, absent=ABSENT in roles)
    if found is None:
        return None
    (low, high), stated = found
    user: dict[str, Any] = {"low": {"point": low}, "high": {"point": high}}
    others = [{"point": low, "count": system.size - 1}] if system.size > 1 else []
    try:
        asked = Problem(
            system=System(
                others, user | ({"none": ABSENT} if ABSENT in roles else {}), system.release,
                rest="any", categories=system.categories or None,
            ),
            noise=release, epsilon=problem.epsilon, delta=problem.delta, form=problem.form,
        )  # fmt: skip
        least = least_scale(asked, _DIGITS)
    except InputError:  # bounds that are on no lattice, say
        return None
    if least.verdict is not Verdict.CERTIFIED:
        return None
    told = problem.provenance or Provenance()
    return EveryValue(
        None if system.categories else (low, high), least, stated=stated, absent=ABSENT in roles,
        rest=system.rest, regions=told.region is not None,
    )  # fmt: skip


def hides_every_value(problem: Problem) -> bool:
    """Return whether the noise of a problem hides every value that a record may add.

    Example: ``hides_every_value(Problem.load("example:census"))`` is False.
    """
    found, scale = every_value(problem), problem.release.noise.scale
    if found is None or not found.stated or scale is None or scale.fraction is None:
        return False
    return Fraction(found.least.upper) <= scale.fraction


def _ends(
    problem: Problem, system: System, *, absent: bool
) -> tuple[tuple[str, str], bool] | None:
    """The two points, and whether they are bounds of all values there may be."""
    if system.categories:
        two = system.categories[:2]
        if len(two) < 2 or isinstance(problem.release, Coordinates):
            return None
        return (two[0], two[1]), True
    told = problem.provenance or Provenance()
    laws = [case.law for case in system.user.values() if case.role != ABSENT]
    if not all(isinstance(law, Discrete) for law in laws):
        return None
    values = [x for law in laws if isinstance(law, Discrete) for x in law.atoms]
    stated = told.low is not None and told.high is not None
    bounds = [rational(end, "provenance") for end in (told.low, told.high) if end is not None]
    ends = [*values, *bounds]
    low, high = min(ends), max(ends)
    return None if low == high else ((str(low), str(high)), stated)

"""What several releases are judged by: the goals that theirs follow from.

Of one X what is proved of the one release that they are made of is proved of them all, and what
fails for one of them alone fails for all; nothing else follows from one release.  Of fresh draws
they are independent parts.  With a delta both may leave the truth open, which sums on a grid close
for a few releases: those of one X are points (X, .., X), those of fresh draws of X points
(X_1, .., X_k), each coordinate with the noise of a release.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product as products
from typing import Any

from core.coordinates import Point, Rows, marginal, place_of
from core.grammar import Number
from core.kinds import CHARTS, DIVERGE, DIVERGENCE, DIVERGENCES, EVENTS, Kind, Rule, law_kind
from core.reduce import under
from core.rules import Facts, Goal, Rejected, Step
from core.shapes import integer
from core.work import TooMuchWork, spend
from reader.noise import Noise
from reader.noises import require_law
from reader.several import Several

OF_ONE_X = ("releases", "repeated")
MOST = 4  # releases on a grid
MOST_ROWS = 1 << 16


class Together:
    """Several releases of a goal."""

    named = False

    def __init__(self, goal: Goal[Any, Any]) -> None:
        self.goal, self.release = goal, goal.release

    def whole(self, step: Step) -> tuple[Goal[Any, Any], Facts]:
        """The goal of the one release; for sums on a grid that of all as one of points, and where
        that is enough, and there are cuts for no more coordinates, of the one as one of points."""
        rule, release = step["rule"], self.release
        if not isinstance(release, Several):  # at every scale
            return self._under(release), set()
        if rule in ("grid-upper", "grid-event-refuted"):
            cuts, size = step["cuts"], len(self._rows(self.goal.P)[0][0])
            one_will_do = release.kind == "releases" and rule == "grid-upper"
            if one_will_do and type(cuts) is list and len(cuts) == size:
                return self._points([release.one]), release.by
            if release.size > MOST:
                raise Rejected(f"a grid is for at most {MOST} releases")
            places = release.listed or [0] * release.size
            return self._points([release.parts[k][0] for k in places]), set()
        return self._under(release.one), set() if rule == "no-noise" else release.by

    def fails_with(self, step: Step) -> Facts:
        """As it is that of all of them, as points."""
        return set()

    def part(self, named: Any, epsilon: Number, delta: Number) -> tuple[Goal[Any, Any], Facts]:
        """The goal of one of the releases, by the number of its scale, or of one coordinate of all
        of them, by its name."""
        parts = self.release.parts
        if self.goal.form != "events" and delta != 0:
            raise Rejected("the pointwise form with a delta does not add")
        if type(named) is list:
            return self._coordinate(named)._replace(epsilon=epsilon, delta=delta), set()
        noise = parts[integer(named, "release", 0, len(parts) - 1)][0]
        return self._under(noise)._replace(epsilon=epsilon, delta=delta), set()

    def _coordinate(self, named: Any) -> Goal[Any, Any]:
        laws = self.goal.P, self.goal.Q
        if any(law_kind(law) != "joint" for law in laws):
            raise Rejected("a part that is named is a coordinate")
        place = place_of(named, laws[0])
        p, q = (marginal(law, place) for law in laws)
        return under(self.goal, p, q, self.release.coordinates([place], self.release.delta))

    def parts(self) -> list[tuple[Any, int]]:
        """The different scales, of fresh draws, or of releases of a point."""
        if self.shared:
            raise Rejected("releases of one X are independent where it is a point")
        return self.parts_of_x()

    @property
    def shared(self) -> bool:
        """Whether X is drawn once, and no point."""
        laws = (getattr(law, "rows", law) for law in (self.goal.P, self.goal.Q))
        points = all(type(law) in (dict, tuple) and len(law) == 1 for law in laws)
        return self.release.kind in OF_ONE_X and not points

    def parts_of_x(self) -> list[tuple[Any, int]]:
        """The different scales."""
        return [(k, n) for k, (_, n) in enumerate(self.release.parts)]

    def atoms(self) -> list[tuple[Any, Fraction, Fraction]]:
        """The atoms of X."""
        from core.values import atoms_of

        return atoms_of(self.goal.P, self.goal.Q)

    def part_of_x(self, named: Any, values: list[Any]) -> tuple[Goal[Any, Any], Facts, list[Any]]:
        """One of the releases, and of each atom."""
        goal, facts = self.part(named, self.goal.epsilon, Fraction(1))
        points = (Together(self.between(x, x)) for x in values)
        laws = [point.part(named, self.goal.epsilon, Fraction(1))[0].P for point in points]
        return goal, facts, laws

    def between(self, x: Any, y: Any) -> Goal[Any, Any]:
        """The goal of two points."""
        from core.values import point_of

        return self.goal.about(point_of(self.goal.P, x), point_of(self.goal.Q, y))

    def alike(self, x: Any, y: Any) -> Any:
        """Their difference, where noise of any X is the same."""
        moved = all(noise.same_for_all for noise, _ in self.release.parts)
        if not moved:
            return x, y
        return y - x if isinstance(x, Fraction) else tuple(b - a for a, b in zip(x, y, strict=True))

    def _under(self, noise: Any) -> Goal[Any, Any]:
        p, q = self.goal.P, self.goal.Q
        if self.release.kind == "drawn":
            if self.goal.form == "pointwise":
                require_law(noise.kind, p, q)
            noise = noise.at(None if noise.amount is None else Fraction(0))
        if noise.made_of_x:
            belief, first, second = self.goal.names
            laws = noise.laws({belief: {first: p, second: q}}, [(first, second)])[belief]
            p, q = laws[first], laws[second]
        return under(self.goal, p, q, noise)

    def _points(self, noises: list[Noise]) -> Goal[Any, Any]:
        """The goal of what these are added to, as one of points."""
        from core.box import Boxed
        from core.grid import KIND

        if any(noise.kind not in ("laplace", "discrete-laplace") for noise in noises):
            raise Rejected("a grid is for (discrete) Laplace noise")
        laws = [self._drawn(self._rows(law), len(noises)) for law in (self.goal.P, self.goal.Q)]
        size = len(laws[0][0][0]) // len(noises)
        rates = tuple(rate for noise in noises for rate in noise.rates(size))
        p, q = (Boxed(rows, rates, self.release.step) for rows in laws)
        return self.goal._replace(P=p, Q=q, kind=KIND)

    def _rows(self, law: Any) -> Rows:
        kind = law_kind(law)
        if kind not in ("atoms", "joint"):
            raise Rejected("a grid is for laws of atoms")
        return law.rows if kind == "joint" else tuple(((x,), m) for x, m in law.items())

    def _drawn(self, rows: Rows, count: int) -> Rows:
        """The law of what so many releases add noise to."""
        if self.release.kind == "releases":
            return tuple((x * count, m) for x, m in rows)
        if len(rows) ** count > MOST_ROWS:
            raise TooMuchWork("too much work: a grid of so many draws")
        spend(64 * count * len(rows) ** count)
        found = []
        for drawn in products(rows, repeat=count):
            point, mass = Point(), Fraction(1)
            for x, m in drawn:
                point, mass = point + x, mass * m
            found.append((point, mass))
        return tuple(found)


PROVED, ANY_FORM = Rule("reduce", EVENTS), Rule("reduce")
COMPOSED = {"composed": Rule("composition", EVENTS)}
COUPLED = {**COMPOSED, "composed-coupled": Rule("composition", EVENTS)}
NOT_COMPOSED = {"composed-refuted": Rule("composition", EVENTS)}
FAILS = Rule("reduce-refuted", measures=True)
ON_GRID = {"grid-event-refuted": Rule("reduce-refuted", EVENTS)}
SAME = Kind(
    {
        **dict.fromkeys(("pure", "delta-upper"), PROVED._replace(measures=True)),
        **dict.fromkeys(("delta-tie", "grid", "grid-upper"), PROVED),
        **COUPLED,
        "renyi": DIVERGENCE,
    },
    {"one-refuted": FAILS, "renyi-refuted": DIVERGENCE, **ON_GRID, **NOT_COMPOSED},
    "no such rule for several releases: what fails for the one that they are made of may hold",
    unscaled={"no-noise": ANY_FORM},
    no_scale="INJ",
    reduction=Together,
    moment="core.renyi_points",
)
SAME_DENSITIES = SAME._replace(
    certified=dict.fromkeys(sorted(CHARTS), PROVED),
    refuted={"one-refuted": FAILS},
    unscaled=dict.fromkeys(sorted(CHARTS), ANY_FORM),
    no_scale="INJS",
    moment=None,
)
DRAWN = Kind(
    {"product": ANY_FORM._replace(measures=True), **DIVERGENCES, **COMPOSED},
    {"one-refuted": FAILS, "product-refuted": FAILS, **DIVERGE, **NOT_COMPOSED},
    "no such rule for releases of fresh draws",
    reduction=Together,
    moment="core.renyi_product",
)
REPEATED = DRAWN._replace(  # of one X, with noise of which no one release stands for several
    certified={"product": ANY_FORM, **COUPLED},
    refuted={"one-refuted": FAILS, "product-refuted": FAILS, **NOT_COMPOSED,
             "part-refuted": Rule("reduce-refuted", EVENTS)},
    other="no such rule for releases of one X with such noise",
)
FRESH = DRAWN._replace(
    certified={**DRAWN.certified, "grid-upper": PROVED},
    refuted={**DRAWN.refuted, **ON_GRID},
    unscaled={name: DRAWN.certified[name] for name in ("product", *DIVERGENCES)},
)

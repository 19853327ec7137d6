"""Steps behind several noisy numbers, or behind many releases of one: judged without the steps.

What holds of the noisy numbers holds of whatever is made of them.  What fails for them fails after
the steps only where the steps do not hide it: at numbers that share their output with no others.
Of several numbers each step names its coordinate; what fails for some of the outputs alone fails
for all of them.  They are coordinates without steps, or one coordinate with its steps, or one
release with them.  They are independent where every release has a fresh draw of X, and where X is
one point under either secret.

Where the rest of a system is any, the noisy number may be one too: the laws are those of the user,
and the steps act on the sum, of which nothing else is known.  A part is then one release where the
rest is a number, which it may be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from core.coordinates import Joint, in_order
from core.grammar import Malformed, Number, bounded, shown
from core.kinds import EVENTS, LAWS, REFUTING, Beliefs, Enclosed, Kind, Pairs, Rule, module_of
from core.reduce import under
from core.rules import Facts, Goal, Rejected, Step
from core.shapes import array, canonical_rational, integer, string
from core.shapes import table as table_of
from core.work import TooMuchWork, spend
from reader.noise import Noise
from reader.several import Several
from reader.steps import Stage, image_of, parts_of, steps_of
from reader.tables import Row

if TYPE_CHECKING:
    from reader.protocols import Notion

COORDINATE = "coordinate"
# of a part: what is released, the steps behind it, and its law of that of X
Chosen = tuple[Any, list[Stage], Callable[[Any], Any]]
Behind = Goal[Any, "Unprocessed"]


class BehindSteps(NamedTuple):
    """A law of X, among all of the problem."""

    law: Any
    every: Beliefs
    pairs: Pairs


LAWS[BehindSteps] = "behind steps"


class Unprocessed(NamedTuple):
    """The noise, or the releases, before the steps."""

    kind: str  # that of the noise
    amount: Number | None
    step: Fraction | None
    before: Noise | Several
    steps: tuple[tuple[str | None, Stage], ...]  # each with its coordinate
    any_rest: bool  # whether the laws are of a part of X, to which anything may be added
    also: str = "the steps as stated and "
    own: frozenset[str] = frozenset()

    def at(self, amount: Number | None) -> Unprocessed:
        """The same, if that is its amount: what steps leave at another one is not said."""
        if amount != self.amount:
            raise Malformed("steps behind noise have no other amount")
        return self if amount is None else self._replace(kind="unprocessed")

    def of(self, name: str | None) -> list[Stage]:
        """The steps of a coordinate, or of the one number."""
        return [step for of, step in self.steps if of == name]

    def law(self, value: Any, what: str) -> Any:
        """The law of X that a table states."""
        return self.before.law(value, what)

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """The laws of X, before the steps; of several numbers each step names one of them."""
        every = self.before.laws(beliefs, pairs)
        for of in every.values():
            for law in of.values():
                if isinstance(law, Enclosed):
                    raise TooMuchWork("too much work: this needs exact priors, and they are long")
                names = getattr(law, "names", None)
                for name, _ in self.steps:
                    if (name is None) != (names is None) or (names and name not in names):
                        raise Malformed("a step must name its coordinate, where there are several")
        return {
            belief: {secret: BehindSteps(law, every, pairs) for secret, law in of.items()}
            for belief, of in every.items()
        }

    def seen(self, result: str) -> tuple[str, Facts]:
        """How many releases there are, in words, and the facts by which one stands for them."""
        return self.before.seen(result)

    def words(self, notion: Notion) -> str:
        """The noise and the steps, in a message."""
        return f"{self.before.words(notion)} post={','.join(step.key for _, step in self.steps)}"

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The noise and the steps as they go into a digest."""
        post = [
            {**({} if name is None else {COORDINATE: name}), step.key: step.written}
            for name, step in self.steps
        ]
        return {**self.before.canonical(notion), "post": post}


def release(value: Any) -> Unprocessed:
    """The noise, or the releases, and the steps of a problem."""
    entries: list[tuple[str | None, dict[str, Any]]] = []
    for entry in array(value["post"], "post"):
        if type(entry) is not dict:
            raise Malformed("a step of post must be a table")
        name = string(entry[COORDINATE], "a coordinate") if COORDINATE in entry else None
        entries.append((name, {key: x for key, x in entry.items() if key != COORDINATE}))
    for name in {name for name, _ in entries}:
        steps_of([entry for other, entry in entries if other == name])
    steps = tuple((name, step) for name, entry in entries for step in steps_of([entry]))
    if value.get("form", "events") != "events":
        raise Malformed("steps behind several numbers are judged by events")
    system = value.get("system")
    any_rest = type(system) is dict and system.get("rest") == "any"
    given = {"priors", "beliefs"} & value.keys() or any_rest
    if not given or value.get("notion", "distp") != "distp":
        raise Malformed("steps behind several numbers need given priors, at one epsilon")
    without = {key: x for key, x in value.items() if key != "post"}
    before: Noise | Several = Row("reader.noise", ()).reader("release")(without)
    if not before.amount and not (before.kind == "table" and before.how):
        raise Malformed("steps behind several numbers need noise of a scale above 0")
    return Unprocessed(before.kind, before.amount, before.step, before, steps, any_rest)


class Apart:
    """Steps of a goal, and the noisy numbers before them."""

    named = True

    def __init__(self, goal: Behind) -> None:
        self.goal, self.release = goal, goal.release
        self.P, self.Q = goal.P.law, goal.Q.law  # of X
        self.names: tuple[str, ...] | None = getattr(self.P, "names", None)

    def whole(self, step: Step) -> tuple[Goal[Any, Any], Facts]:
        """The goal of the noisy numbers; Rejected where the steps may hide the step's event."""
        release = self.release
        if step["rule"] in REFUTING and "y" not in step and not self._moved_past():
            raise Rejected("the steps may hide the event on which the noisy numbers fail")
        return under(self.goal, self.P, self.Q, release.before.at(release.amount)), {"DPI"}

    def _moved_past(self) -> bool:
        """Whether what the others may add moves each noisy number to where its steps leave it."""
        return self.release.any_rest and all(
            any(part.output is None and None in (part.low, part.high)
                for part in parts_of(self.release.of(name)))
            for name in {name for name, _ in self.release.steps}
        )  # fmt: skip

    def fails_with(self, step: Step) -> Facts:
        """F43i: the rest may be any number, and the steps leave all numbers beyond some number what
        they are, of each noisy number: then the goal fails where the others add enough.

        F43f, F43g: what fails is y (of releases of one X (y, .., y)), and what becomes of each y_i
        is made of it alone, or of the numbers beside it each by itself (`_own`)."""
        release = self.release
        if self._moved_past():
            return {"F43i"}
        places = step["y"] if type(step["y"]) is list else [step["y"]]
        for name, place in zip(self.names or (None,), places, strict=True):
            y, steps = canonical_rational(place, "the output"), release.of(name)
            if steps and not _own(steps, y, release.step):
                raise Rejected("the steps may hide the output at which the noisy numbers fail")
        return {"F43f" if release.step is None else "F43g"}

    def parts(self) -> list[tuple[Any, int]]:
        """Each coordinate by its name, or each different release by its number."""
        self._require_known()
        if self.shared:
            raise Rejected("losses add where draws are fresh, or X is a point under either secret")
        return self.parts_of_x()

    def _require_known(self) -> None:
        if self.release.any_rest:  # what is added to the part decides what the steps leave of it
            raise Rejected("the steps act on a sum of which the rest may be any number")

    @property
    def shared(self) -> bool:
        """Whether X is drawn once, and no point; or releases of it depend on each other."""
        how, laws = self.release.before.how, (getattr(law, "rows", law) for law in (self.P, self.Q))
        points = all(type(law) in (dict, tuple) and len(law) == 1 for law in laws)
        return how == "total" or not (how == "fresh" or points)

    def parts_of_x(self) -> list[tuple[Any, int]]:
        """As `parts`."""
        self._require_known()
        before = self.release.before
        if before.how == "total":
            raise Rejected("a total may be spent in any way")
        counts = [n for _, n in before.parts]
        if self.names is not None:
            return [([name], sum(counts) if self.release.of(name) else 1) for name in self.names]
        return [((before.listed or (0,)).index(k), n) for k, n in enumerate(counts)]

    def atoms(self) -> list[tuple[Any, Fraction, Fraction]]:
        """The values of X."""
        from core.values import atoms_of

        return atoms_of(self.P, self.Q)

    def between(self, x: Any, y: Any) -> Behind:
        """The goal of two points, whose outputs are those of the laws that they stand for."""
        from core.values import point_of

        _, first, second = self.goal.names
        p, q = point_of(self.P, x), point_of(self.Q, y)
        among = self._among({first: p, second: q, (first, ""): self.P, (second, ""): self.Q})
        pairs = [(first, second)]
        return self.goal.about(BehindSteps(p, among, pairs), BehindSteps(q, among, pairs))

    def alike(self, x: Any, y: Any) -> Any:
        """The two: steps are not the same everywhere."""
        return x, y

    def _among(self, more: dict[Any, Any]) -> dict[str, dict[Any, Any]]:
        """All laws of the problem, and others."""
        belief = self.goal.names[0]
        return {b: {**of, **(more if b == belief else {})} for b, of in self.goal.P.every.items()}

    def part(self, named: Any, epsilon: Number, delta: Number) -> tuple[Goal[Any, Any], Facts]:
        """The goal of some coordinates, or of one release.  All laws of the problem share their
        outputs; where the rest is any, those of the goal."""
        return self._part(named, epsilon, delta, [])[:2]

    def part_of_x(self, named: Any, values: list[Any]) -> tuple[Goal[Any, Any], Facts, list[Any]]:
        """One of them, and of each value of X, which share their outputs."""
        from core.values import point_of

        points = [point_of(self.P, x) for x in values]
        return self._part(named, self.goal.epsilon, Fraction(1), points)

    def _part(
        self, named: Any, epsilon: Number, delta: Number, points: list[Any]
    ) -> tuple[Goal[Any, Any], Facts, list[Any]]:
        release, steps, law_of = (
            self._coordinates(named, delta) if type(named) is list else self._one(named)
        )
        if steps:
            from reader.stepped import after

            release = after(release, steps)
        belief, first, second = self.goal.names
        more = {("point", k): law for k, law in enumerate(points)}  # no secret has such a name
        every: Any = self._among(more)
        pairs = self.goal.P.pairs
        if self.release.any_rest:
            p, q = (getattr(law, "atoms", law) for law in (self.P, self.Q))
            every, pairs = {belief: {first: p, second: q}}, [(first, second)]
        spend(sum(16 + 8 * len(getattr(law, "rows", law))
                  for of in every.values() for law in of.values()))  # fmt: skip
        every = {b: {secret: law_of(law) for secret, law in of.items()} for b, of in every.items()}
        laws: Any = release.laws(every, pairs)[belief]
        target = {"epsilon": epsilon, "delta": delta}
        released = release.at(release.amount)
        goal = under(self.goal, laws[first], laws[second], released, **target)
        of_points = [goal.kind.laws(laws[name], laws[name], released)[0] for name in more]
        return goal, self._facts(release.seen("certified")[1]), of_points

    def _facts(self, of_part: Facts) -> Facts:
        """Those of a part: atoms of Y have their masses by what they are listed by."""
        listed = getattr(self.release.before, "listed_by", "")
        return {listed} if listed and "X" in of_part else of_part

    def _one(self, named: Any) -> Chosen:
        """One release with the steps, by the number of its scale, also with a rest."""
        before, rest, any_rest = self.release.before, Fraction(0), self.release.any_rest
        if type(named) is dict:
            table_of(named, "a part", {"release", "rest"})
            rest, named = canonical_rational(named["rest"], "a rest"), named["release"]
            atoms = all(type(getattr(law, "atoms", law)) is dict for law in (self.P, self.Q))
            if not any_rest or not atoms:
                raise Rejected("a rest is added to atoms, where it may be any")
            any_rest = False
        if self.names is not None or before.each or before.how == "total":
            raise Rejected("a part must name coordinates")
        listed = before.listed or (0,)
        noise = before.parts[listed[integer(named, "a part", 0, len(listed) - 1)]][0]
        if noise is before and noise.listed_by:  # the laws are of what it has made of X
            noise = Noise("none", None, None)

        def moved(law: Any) -> Any:
            return {bounded(x + rest): m for x, m in law.items()} if rest else law

        if any_rest:
            release = self.release._replace(kind=noise.kind, before=noise, amount=noise.amount)
            return release, [], moved
        return noise, self.release.of(None), moved

    def _coordinates(self, part: list[Any], delta: Number) -> Chosen:
        """Some coordinates: one with its steps, or several without."""
        names = list(self.names or ())
        chosen = [string(name, "a coordinate") for name in part]
        if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= set(names):
            raise Rejected(f"a part must name different coordinates, of {shown(', '.join(names))}")
        places = [names.index(name) for name in chosen]
        steps = [step for name in chosen for step in self.release.of(name)]
        if steps and len(chosen) > 1:
            raise Rejected("a part of several coordinates is one without steps")
        before: Any = self.release.before.coordinates(places, delta)
        if steps and before.how == "total":
            raise Malformed("one of several releases has no scale where a total is stated")

        def marginal(law: Joint) -> Any:
            spend(32 * len(law.rows))
            found: dict[tuple[Fraction, ...], Fraction] = {}
            for point, mass in law.rows:
                at = tuple(point[k] for k in places)
                found[at] = found.get(at, Fraction(0)) + mass
            rows = in_order([*found.items()])
            return Joint(tuple(chosen), tuple(rows)) if places[1:] else {x: m for (x,), m in rows}

        return before.parts[0][0] if steps else before, steps, marginal


def _own(steps: Sequence[Stage], x: Fraction, lattice: Fraction | None) -> bool:
    """Whether what a number becomes is made of it alone; on a line, of the numbers on one side of
    it each by itself.

    Where no step decreases, a lattice point shares its output with a neighbour or with none, and an
    interval that stays what it is is all that becomes of it.
    """
    if any(step.key == "modulo" for step in steps):
        return False
    if lattice is None:
        return not steps or any(
            part.output is None
            and (part.low is None or part.low <= x)
            and (part.high is None or x <= part.high)
            for part in parts_of(steps)
        )
    return image_of(steps, x) not in (image_of(steps, x - lattice), image_of(steps, x + lattice))


def _laws(p: BehindSteps, q: BehindSteps, release: Unprocessed) -> tuple[Any, Any]:
    module_of(release.before.kind, p.law, q.law)
    return p, q


PROVED, FAILS = Rule("reduce", EVENTS), Rule("reduce-refuted", EVENTS)
COMPOSED = Rule("composition", EVENTS)
KIND = Kind(
    {
        **dict.fromkeys(
            ("pure", "delta-upper", "delta-tie", "equal", "components", "chart", "grid",
             "grid-upper", "kept", "product"), PROVED,
        ),
        **dict.fromkeys(("composed", "composed-coupled"), COMPOSED),
    },
    {
        **dict.fromkeys(
            ("part-refuted", "pure-refuted", "grid-refuted", "event-refuted", "one-refuted",
             "grid-event-refuted", "product-refuted"), FAILS,
        ),
        "composed-refuted": COMPOSED,
    },
    "no such rule for steps behind several numbers: they may hide what the noisy numbers tell",
    laws=_laws,
    reduction=Apart,
)  # fmt: skip
TABLED = KIND._replace(  # of a noise table, of which the rules of other noise know nothing
    certified={
        "product": PROVED,
        **dict.fromkeys(("composed", "composed-coupled"), COMPOSED),
    }
)

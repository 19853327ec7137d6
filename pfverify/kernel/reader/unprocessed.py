"""Steps behind several noisy numbers, or behind many releases of one: judged without the steps.

What holds of the noisy numbers holds of whatever is made of them.  What fails for them fails after
the steps only where the steps do not hide it: at numbers that share their output with no others.
Of several numbers each step names its coordinate; what fails for some of the outputs alone fails
for all of them.  They are coordinates without steps, or one coordinate with its steps, or one
release with them, and a problem of their own, which is made of the tables of this one.

Where the rest of a system is any, the noisy number may be one too: the laws are those of the user,
and the steps act on the sum, of which nothing else is known.  A part is then one release where the
rest is a number, which it may be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from core.grammar import Malformed, Number, bounded, canonical, shown
from core.judge import ABOVE, BELOW, apply, goals_of, shaped
from core.kinds import CERTIFYING, EVENTS, REFUTING, Beliefs, Kind, Pairs, Rule, kind_of
from core.rules import Facts, Goal, Rejected, Step
from core.shapes import array, canonical_rational, integer, string
from core.shapes import table as table_of
from reader.noise import SEVERAL, Noise
from reader.steps import own, parts_of, steps_of
from reader.tables import Row

if TYPE_CHECKING:
    from reader.protocols import Notion

Behind = Goal[Any, "Unprocessed"]
CERTIFIED = (
    "pure", "delta-upper", "delta-tie", "equal", "components", "chart", "grid", "grid-upper",
    "kept",
)  # fmt: skip
REFUTED = (
    "part-refuted", "pure-refuted", "grid-refuted", "event-refuted", "one-refuted",
    "grid-event-refuted",
)  # fmt: skip
KIND = Kind(
    {
        **{name: Rule("reader.unprocessed", EVENTS) for name in CERTIFIED},
        "product": Rule("reader.independent", EVENTS),
    },
    {
        **{name: Rule("reader.unprocessed", EVENTS) for name in REFUTED},
        "product-refuted": Rule("reader.independent", EVENTS),
    },
    "no such rule for steps behind several numbers: they may hide what the noisy numbers tell",
)
COORDINATE = "coordinate"
Entries = Sequence[tuple[str | None, dict[str, Any]]]  # of each step its coordinate, and the step


class Unprocessed(Noise):
    """The noise, or the releases, before the steps."""

    before = Noise("none", None, None)
    value: Mapping[str, Any] = MappingProxyType({})
    entries: Entries = ()
    also = "the steps as stated and "

    def at(self, amount: Number | None) -> Noise:
        """The same, if that is its amount: what steps leave at another one is not said."""
        if amount != self.amount:
            raise Malformed("steps behind noise have no other amount")
        return _made("unprocessed", self.before, self.value, self.entries)

    def law(self, value: Any, what: str) -> Any:
        """The law of X that a table states."""
        return self.before.law(value, what)

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """The laws of X, before the steps; of several numbers each step names one of them."""
        for of in beliefs.values():
            for law in of.values():
                names = getattr(law, "names", None)
                for name, _ in self.entries:
                    if (name is None) != (names is None) or (names and name not in names):
                        raise Malformed("a step must name its coordinate, where there are several")
        return self.before.laws(beliefs, pairs)

    def seen(self, result: str) -> tuple[str, Facts]:
        """How many releases there are, in words, and the facts by which one stands for them."""
        return self.before.seen(result)

    def words(self, notion: Notion) -> str:
        """The noise and the steps, in a message."""
        steps = ",".join(key for _, entry in self.entries for key in entry)
        return f"{self.before.words(notion)} post={steps}"

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The noise and the steps as they go into a digest."""
        post = []
        for name, entry in self.entries:
            (step,) = steps_of([entry])
            of = {} if name is None else {COORDINATE: name}
            post.append({**of, step.key: step.written})
        return {**self.before.canonical(notion), "post": post}

    def table(self) -> dict[str, Any]:
        """The tables of the problem without the steps."""
        return {key: x for key, x in self.value.items() if key != "post"}


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
    if value.get("form", "events") != "events":
        raise Malformed("steps behind several numbers are judged by events")
    given = {"priors", "beliefs"} & value.keys() or is_part(value)
    if not given or value.get("notion", "distp") != "distp":
        raise Malformed("steps behind several numbers need given priors, at one epsilon")
    without = {key: x for key, x in value.items() if key != "post"}
    before: Noise = Row("reader.noise", ()).reader("release")(without)
    if not before.amount:
        raise Malformed("steps behind several numbers need noise of a scale above 0")
    return _made(before.kind, before, value, entries)


def is_part(value: Any) -> bool:
    """Whether the laws of a problem are of a part of X, to which anything may be added."""
    system = value.get("system")
    return type(system) is dict and system.get("rest") == "any"


def _made(kind: str, before: Noise, value: Mapping[str, Any], entries: Entries) -> Unprocessed:
    found = Unprocessed(kind, before.amount, before.step)
    found.before, found.value, found.entries = before, value, entries
    return found


def _of_before(goal: Behind) -> Goal[Any, Any]:
    """The goal of the noisy numbers."""
    before = goal.release.before.at(goal.release.amount)
    kind = kind_of(before.kind, goal.P, goal.Q)
    p, q = kind.laws(goal.P, goal.Q, before)
    return goal.about(p, q, release=before, kind=kind)


def as_before(goal: Behind, step: Step) -> Facts:
    """
    the rule proves the goal of the noisy numbers
    --------------------------------------------- post-processing
    the goal holds of what the steps make of them
    """
    one, name = _of_before(goal), step["rule"]
    if name not in one.kind.certified:
        raise Rejected(one.kind.other)
    return one.kind.certified[name].load(name)(one, step) | {"DPI"}


pure = delta_upper = delta_tie = equal = components = chart = as_before
grid = grid_upper = kept = as_before


def far_out(goal: Behind, step: Step) -> Facts:
    """
    the rule refutes the goal of the noisy numbers     the rest may be any number
    the steps leave all numbers beyond some number what they are, of each noisy number
    ----------------------------------------------------------------------------- F43i
    the goal fails where the others add enough to the user's part
    """
    one, name = _of_before(goal), step["rule"]
    if name not in one.kind.refuted:
        raise Rejected(one.kind.other)
    if not _leaves_far(goal):
        raise Rejected("the steps may hide the event on which the noisy numbers fail")
    return one.kind.refuted[name].load(name)(one, step) | {"F43i"}


event_refuted = one_refuted = grid_event_refuted = far_out


def _leaves_far(goal: Behind) -> bool:
    """Whether what the others may add moves each noisy number to where its steps leave it."""
    stepped = {name for name, _ in goal.release.entries}
    return is_part(goal.release.value) and all(
        any(part.output is None and None in (part.low, part.high) for part in parts_of(
            steps_of([entry for of, entry in goal.release.entries if of == name])
        ))
        for name in stepped
    )  # fmt: skip


def _at_own(goal: Behind, step: Step) -> Facts:
    """
    the rule refutes the goal of the noisy numbers at y (of releases of one X, at (y, .., y))
    what becomes of each y_i is made of it alone, or of the numbers beside it each by itself (`own`)
    ----------------------------------------------------------------------------------- F43f, F43g
    the goal fails for what the steps make of y
    """
    if _leaves_far(goal):
        return far_out(goal, step)
    one, name = _of_before(goal), step["rule"]
    if name not in one.kind.refuted:
        raise Rejected(one.kind.other)
    facts = one.kind.refuted[name].load(name)(one, step)
    names = getattr(goal.P, "names", (None,))
    places = step["y"] if type(step["y"]) is list else [step["y"]]
    for coordinate, place in zip(names, places, strict=True):
        steps = [entry for of, entry in goal.release.entries if of == coordinate]
        y = canonical_rational(place, "the output")
        if steps and not own(steps_of(steps), y, goal.release.step):
            raise Rejected("the steps may hide the output at which the noisy numbers fail")
    return facts | {"F43f" if goal.release.step is None else "F43g"}


pure_refuted = grid_refuted = _at_own


def part_refuted(goal: Behind, step: Step) -> Facts:
    """
    the goal fails for a part of the outputs
    ---------------------------------------- post-processing
    it fails for all of them
    """
    target = canonical(goal.epsilon), canonical(goal.delta)
    rules = REFUTING - {"part-refuted"}
    return of_part(goal, step["part"], *target, step["step"], rules, fails=True)[0] | {"DPI"}


def of_part(
    goal: Behind, part: Any, epsilon: str, delta: str, value: Any, rules: Set[str] | None = None,
    *, fails: bool = False,
) -> tuple[Facts, Step]:  # fmt: skip
    """The facts by which a step settles the problem about a part of the outputs, and that step."""
    from reader.reader import problem_of, require_kinds, require_valid

    if type(part) is dict:
        stated = _of_rest(goal, part)
    else:
        stated = _of_coordinates(goal, part) if type(part) is list else _of_release(goal, part)
    problem = problem_of({**stated, "epsilon": epsilon, "delta": delta})
    require_valid(problem)
    require_kinds(problem)
    release = problem.release.at(problem.release.amount)
    names = dict(zip(("belief", "from", "to"), goal.names, strict=True))
    if type(value) is not dict or not names.keys().isdisjoint(value):
        raise Malformed("a step inside another must be a table that names no pair")
    inside = shaped({**value, **names}, rules or CERTIFYING[release.amount is None])
    for one in goals_of(problem, release, goal.check, BELOW if fails else ABOVE, goal.names):
        facts = apply(one, inside, one.kind.refuted if fails else one.kind.certified)
        return facts | release.seen("refuted" if fails else "certified")[1], inside
    raise Rejected("the part has no such goal")


def _of_coordinates(goal: Behind, part: list[Any]) -> dict[str, Any]:
    """The problem about some coordinates: one with its steps, or several without."""
    release, names = goal.release, list(getattr(goal.P, "names", ()))
    chosen = [string(name, "a coordinate") for name in part]
    if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= set(names):
        raise Rejected(f"a part must name different coordinates, of {shown(', '.join(names))}")
    places = [names.index(name) for name in chosen]
    steps = [entry for name, entry in release.entries if name in chosen]
    if steps and len(chosen) > 1:
        raise Rejected("a part of several coordinates is one without steps")
    table = release.table()
    noise = table["noise"]
    if type(noise.get("scale")) is list:
        scales = [noise["scale"][k] for k in places]
        table["noise"] = {**noise, "scale": scales if len(chosen) > 1 else scales[0]}
    if len(chosen) > 1:
        return _with_priors(goal, table, lambda prior: _marginal(prior, places))
    if steps:
        table["noise"] = {key: x for key, x in table["noise"].items() if key not in SEVERAL}
        table["post"] = steps
    return _with_priors(goal, table, lambda prior: _one(prior, places[0]))


def _of_release(goal: Behind, part: object) -> dict[str, Any]:
    """The problem about one release of X, with the steps."""
    release = goal.release
    table, noise = release.table(), release.table()["noise"]
    if hasattr(goal.P, "names") or type(noise.get("scale")) is list or "total" in noise:
        raise Rejected("a part must name coordinates")
    rest = {key: x for key, x in noise.items() if key not in SEVERAL}
    if "scales" in noise:
        k = integer(part, "a part", 0, len(noise["scales"]) - 1)
        rest["scale"] = noise["scales"][k]
    else:
        integer(part, "a part", 0, 0)
    return {**table, "noise": rest, "post": [entry for _, entry in release.entries]}


def _of_rest(goal: Behind, part: dict[str, Any]) -> dict[str, Any]:
    """The problem about one release of the user's part and a number, with the steps."""
    table_of(part, "a part", {"release", "rest"})
    rest = canonical_rational(part["rest"], "a rest")
    laws = [getattr(law, "atoms", law) for law in (goal.P, goal.Q)]
    if not is_part(goal.release.value) or any(type(law) is not dict for law in laws):
        raise Rejected("a rest is added to atoms, where it may be any")

    def moved(law: Any) -> dict[str, Any]:
        rows = getattr(law, "atoms", law).items()
        mass = {canonical(bounded(x + rest)): canonical(m) for x, m in rows}
        return {"kind": "discrete", "mass": mass}

    return _with_priors(goal, _of_release(goal, part["release"]), moved)


def _with_priors(goal: Behind, table: dict[str, Any], of: Any) -> dict[str, Any]:
    """The tables with other priors; where the rest is any with those of the goal, of the user."""
    from reader.joint import joint

    if is_part(table):
        kept = {key: x for key, x in table.items() if key not in ("system", "pairs")}
        return {**kept, "priors": {goal.names[1]: of(goal.P), goal.names[2]: of(goal.Q)}}

    def changed(priors: dict[str, Any]) -> dict[str, Any]:
        return {secret: of(joint(prior, "a prior")) for secret, prior in priors.items()}

    if "priors" in table:
        return {**table, "priors": changed(table["priors"])}
    beliefs = {name: {"priors": changed(one["priors"])} for name, one in table["beliefs"].items()}
    return {**table, "beliefs": beliefs}


def _summed(prior: Any, places: list[int]) -> dict[tuple[Fraction, ...], Fraction]:
    found: dict[tuple[Fraction, ...], Fraction] = {}
    for point, mass in prior.rows:
        part = tuple(point[k] for k in places)
        found[part] = found.get(part, Fraction(0)) + mass
    return found


def _marginal(prior: Any, places: list[int]) -> dict[str, Any]:
    rows = [[*map(canonical, x), canonical(m)] for x, m in _summed(prior, places).items()]
    return {"kind": "joint", "names": [prior.names[k] for k in places], "rows": rows}


def _one(prior: Any, place: int) -> dict[str, Any]:
    mass = {canonical(x): canonical(m) for (x,), m in _summed(prior, [place]).items()}
    return {"kind": "discrete", "mass": mass}

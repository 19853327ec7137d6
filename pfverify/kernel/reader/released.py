"""Problems about a channel: what is released is its output, of an input with a finite prior.

Without priors each input is a secret.  Laws of outputs are worked out when a goal asks for them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, Number, canonical, shown
from core.kinds import Beliefs, Pairs
from core.masses import mass_of_event, outputs_of
from core.shapes import array, integer, rational, string, table
from core.work import spend
from reader.channel_kinds import MAX_LISTED, REPORTS, Channel, read_channel
from reader.combined import Hidden, lifted
from reader.distances import Points, points_of
from reader.priors import Given, weights

if TYPE_CHECKING:
    from reader.protocols import Notion

OF_PLACES = ("euclidean", "manhattan")  # distances that symmetries of places keep
OWN = ("notion", "inputs_related", "points", "distance", "metric")  # keys that are no kind's own
MAX_DUMMIES = 10_000


class Channelled(NamedTuple):
    """The output of a channel; `places` are those of a planar channel's inputs."""

    stated: str  # the kind of channel
    channel: Channel
    hidden: Hidden | None
    table: dict[str, Any]
    places: Points | None
    post: tuple[dict[str, Any], ...] = ()  # steps as they go into a digest
    kind: str = "channel"
    amount: None = None
    step: None = None
    also: str = "channel and "
    alike: int = 0  # inputs of which every pair is one of few, or an image of it
    orbits: list[list[str]] | None = None  # these few, where they are not the first two inputs

    @property
    def own(self) -> Set[str]:
        """Keys of notions that are its own."""
        return {"points"} if self.places else set()

    def at(self, amount: Number | None) -> Channelled:
        """The same: there is no more or less of it."""
        if amount is not None:
            raise Malformed("a channel has no amount")
        return self

    def law(self, value: Any, what: str) -> dict[str, Fraction]:
        """The law of the input that a table states, with its zeros, in the order of the inputs."""
        if type(value) is not dict or value.get("kind") != "finite":
            raise Malformed(f"{what}: a channel needs priors of kind finite")
        found = weights(value, what)
        _require_known(found, self.channel.inputs, f"{what}: no input")
        return {x: found[x] for x in self.channel.inputs if x in found}

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """The laws of the output; every input must be in some prior."""
        priors = [law for of in beliefs.values() for law in of.values()]
        for x in set(self.channel.inputs).difference(*priors):
            raise Malformed(f"the input {shown(x)} is in no prior")
        inputs, outputs, rows = self.channel
        law_of = dict(zip(inputs, rows, strict=True))
        return {name: lifted(law_of, outputs, of, self.hidden) for name, of in beliefs.items()}

    def seen(self, result: str) -> tuple[str, set[str]]:
        """How many releases there are, in words, and the facts by which one stands for them."""
        by = {"F84", "F86"} if self.stated in REPORTS else {"F84"}
        return "one release", by if self.alike else set()

    def words(self, notion: Notion) -> str:
        """The channel and the notion, in a message."""
        steps = ",".join(key for step in self.post for key in step)
        how = "all alike" if self.orbits is None else "up to symmetry"
        alike = f" pairs={comb(self.alike, 2)}, {how}" if self.alike else ""
        return f"channel={self.stated} {notion.words()}{steps and f' post={steps}'}{alike}"

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The channel and the notion as they go into a digest, beside noise of kind none."""
        noise = {"kind": "none", "scale": None, "step": None}
        post = {"post": [*self.post]} if self.post else {}
        return {"noise": noise, "channel": {**self.table, **notion.written}, **post}


def source(value: Any, release: Channelled) -> Given:
    """The single inputs of a channel, each a secret."""
    inputs, stated = release.channel.inputs, value["channel"].get("inputs_related", "all")
    if "pairs" in value:
        raise Malformed("the pairs of single inputs are inputs_related")
    asked = {} if stated == "all" else {"pairs": stated}
    if release.orbits is not None:
        asked = {"pairs": release.orbits}
    for pair in array(asked.get("pairs", []), "inputs_related"):
        names = [string(x, "an input of inputs_related") for x in array(pair, "a pair")]
        _require_known(names, inputs, "inputs_related: no input")
    spend(len(inputs))
    laws = {x: {x: Fraction(1)} for x in inputs}
    return Given({"default": laws}, asked, "the channel as given", "inputs", "dp")


def _tupling(value: Any) -> tuple[Channel, Hidden, dict[str, Any]]:
    """The channel that is hidden among dummies, the dummies, and the table for a digest."""
    table(value, "channel", {"kind", "base", "dummies"}, {"dummy"})
    channel, base = read_channel(value["base"], "channel: base")
    dummies = integer(value["dummies"], "channel: dummies", 1, MAX_DUMMIES)
    written, outputs = {"kind": "tupling", "base": base, "dummies": dummies}, channel.outputs
    stated = value.get("dummy", "uniform")
    if stated == "uniform":
        masses = dict.fromkeys(outputs, Fraction(1, len(outputs)))
        written |= {"dummy": stated} if "dummy" in value else {}
    else:
        masses = weights({"kind": "finite", "mass": stated}, "channel: dummy")
        _require_known(masses, outputs, "channel: dummy: no output")
        written["dummy"] = {name: canonical(mass) for name, mass in masses.items()}
    return channel, (dummies, tuple(masses.get(y, Fraction(0)) for y in outputs)), written


def _require_known(names: Iterable[str], known: Collection[str], what: str) -> None:
    for name in names:
        if name not in known:
            raise Malformed(f"{what} {shown(name)}")


def _merged(channel: Channel, value: Any) -> tuple[Channel, tuple[dict[str, Any], ...]]:
    """The channel with steps behind outputs that are numbers, of which equal ones are one output,
    and the steps for a digest."""
    from reader.steps import image_of, steps_of

    steps, places = steps_of(value), dict[str, list[int]]()
    for k, name in enumerate(channel.outputs):
        image = image_of(steps, rational(name, "an output before steps"))
        places.setdefault(image, []).append(k)
    spend(16 * len(channel.inputs) * len(channel.outputs))
    laws = tuple(
        outputs_of([mass_of_event(law, found) for found in places.values()]) for law in channel.laws
    )
    written = tuple({step.key: step.written} for step in steps)
    return Channel(channel.inputs, tuple(places), laws), written


def _compares_all(problem: Any, value: Any) -> str | None:
    """The form in which all pairs of single inputs are compared, by one epsilon, where no steps or
    priors stand beside the channel; None where they are not."""
    if {"priors", "beliefs", "post"} & problem.keys() or {"metric", "distance"} & value.keys():
        return None
    if (value.get("notion", "dp"), value.get("inputs_related", "all")) != ("dp", "all"):
        return None
    return "pointwise" if problem.get("form") == "pointwise" else "events"  # or of all together


def _orbits(problem: Any, value: Any, places: Points) -> list[list[str]] | None:
    """Of many places the pairs that stand for all under their symmetries, where all are compared,
    by one epsilon or by their distances; None where there is no such thing."""
    if {"priors", "beliefs", "post"} & problem.keys():
        return None
    if value.get("inputs_related", "all") != "all":
        return None
    plain = value.get("notion", "dp") == "dp" and not {"metric", "distance"} & value.keys()
    apart = value.get("notion") == "xdp" and value.get("metric", "distance") == "distance"
    if not plain and not (apart and value.get("distance", "euclidean") in OF_PLACES):
        return None
    if len(places) <= MAX_LISTED:
        return None
    from reader.symmetry import pairs_up_to_symmetry

    return pairs_up_to_symmetry(places, points_of(value.get("grid", value["points"]), "grid"))


def release(problem: Any) -> Channelled:
    """The channel of a problem."""
    value = problem["channel"]
    if type(value) is not dict:
        raise Malformed("channel must be a table")
    kind = string(value.get("kind"), "channel: kind")
    planar = kind == "planar"  # its points are its own
    own = {key: x for key, x in value.items() if key not in OWN or (planar and key == "points")}
    hidden: Hidden | None = None
    if kind == "tupling":
        if problem.get("form", "events") != "events":
            raise Malformed("tuples are judged by events")
        channel, hidden, written = _tupling(own)
    else:
        channel, written = read_channel(own, "channel", pairs=_compares_all(problem, value))
    places = points_of(own["points"], "points") if planar else None
    orbits = _orbits(problem, value, places) if places is not None else None
    many = own.get("inputs")  # which `read_channel` has looked at
    count = len(many) if isinstance(many, list) and len(channel.inputs) < len(many) else 0
    count = count if orbits is None else len(channel.inputs)
    post: tuple[dict[str, Any], ...] = ()
    if "post" in problem:
        if hidden is not None:
            raise Malformed("steps follow outputs that are numbers, and tuples are none")
        channel, post = _merged(channel, problem["post"])
    return Channelled(kind, channel, hidden, written, places, post, alike=count, orbits=orbits)

"""Problems about a channel: what is released is its output, of an input with a finite prior.

Without priors each input is a secret.  Laws of outputs are worked out when a goal asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, Number, canonical, shown
from core.kinds import Beliefs, Pairs
from core.masses import Outputs, Tuples
from core.shapes import array, integer, string, table
from core.work import spend
from reader.by_secret import BySecret
from reader.channel_kinds import Channel, read_channel
from reader.combined import mixed
from reader.distances import Points, points_of
from reader.priors import Given, weights

if TYPE_CHECKING:
    from reader.protocols import Notion

OWN = ("notion", "inputs_related", "points", "distance", "metric")  # keys that are no kind's own
KEPT = 4_000_000  # masses of laws that are kept
MAX_DUMMIES = 10_000


class Tupled(NamedTuple):
    """How tuples are made of the outputs of a channel."""

    dummies: int
    dummy: tuple[Fraction, ...]

    def law(self, base: Outputs) -> Tuples:
        """The law of the tuple."""
        return Tuples(base, *self)


class Lifted(BySecret):
    """Secret -> the law of the channel's output when the input has the secret's prior."""

    def __init__(
        self, channel: Channel, priors: Mapping[str, Mapping[str, Fraction]], tupled: Tupled | None
    ) -> None:
        super().__init__(priors)
        self._channel, self._priors, self._tupled = channel, priors, tupled
        self._rows = dict(zip(channel.inputs, channel.laws, strict=True))
        self._kept: dict[str, Outputs] = {}

    def __getitem__(self, secret: str) -> Outputs | Tuples:
        if secret not in self._kept:
            used = {x: m for x, m in self._priors[secret].items() if m}
            found = mixed([*used.values()], [self._rows[x] for x in used])
            if (len(self._kept) + 1) * len(self._channel.outputs) > KEPT:
                self._kept.clear()
            self._kept[secret] = found._replace(names=self._channel.outputs)
        found = self._kept[secret]
        return found if self._tupled is None else self._tupled.law(found)


class Channelled(NamedTuple):
    """The output of a channel; `places` are those of a planar channel's inputs."""

    stated: str  # the kind of channel
    channel: Channel
    tupled: Tupled | None
    table: dict[str, Any]
    places: Points | None
    post: tuple[dict[str, Any], ...] = ()  # steps as they go into a digest
    kind: str = "channel"
    amount: None = None
    step: None = None
    also: str = "channel and "

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
        for x in found.keys() - set(self.channel.inputs):
            raise Malformed(f"{what}: no input {shown(x)}")
        return {x: found[x] for x in self.channel.inputs if x in found}

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """The laws of the output; every input must be in some prior."""
        priors = [law for of in beliefs.values() for law in of.values()]
        for x in set(self.channel.inputs).difference(*priors):
            raise Malformed(f"the input {shown(x)} is in no prior")
        return {name: Lifted(self.channel, of, self.tupled) for name, of in beliefs.items()}

    def seen(self, result: str) -> tuple[str, set[str]]:
        """How many releases there are, in words, and the facts by which one stands for them."""
        return "one release", set()

    def words(self, notion: Notion) -> str:
        """The channel and the notion, in a message."""
        steps = ",".join(key for step in self.post for key in step)
        return f"channel={self.stated} {notion.words()}{steps and f' post={steps}'}"

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
    for pair in array(asked.get("pairs", []), "inputs_related"):
        for name in array(pair, "a pair of inputs_related"):
            if string(name, "an input of inputs_related") not in inputs:
                raise Malformed(f"inputs_related: no input {shown(name)}")
    spend(len(inputs))
    laws = {x: {x: Fraction(1)} for x in inputs}
    return Given({"default": laws}, asked, "the channel as given", "inputs", "dp")


def _tupling(value: Any) -> tuple[Channel, Tupled, dict[str, Any]]:
    """The channel that is hidden among dummies, the dummies, and the table for a digest."""
    table(value, "channel", {"kind", "base", "dummies"}, {"dummy"})
    channel, base = read_channel(value["base"], "channel: base")
    dummies = integer(value["dummies"], "channel: dummies", 1, MAX_DUMMIES)
    written = {"kind": "tupling", "base": base, "dummies": dummies}
    outputs = channel.outputs
    stated = value.get("dummy", "uniform")
    if stated == "uniform":
        masses = dict.fromkeys(outputs, Fraction(1, len(outputs)))
        written |= {"dummy": stated} if "dummy" in value else {}
    else:
        masses = weights({"kind": "finite", "mass": stated}, "channel: dummy")
        for name in masses.keys() - set(outputs):
            raise Malformed(f"channel: dummy: no output {shown(name)}")
        written["dummy"] = {name: canonical(mass) for name, mass in masses.items()}
    return channel, Tupled(dummies, tuple(masses.get(y, Fraction(0)) for y in outputs)), written


def release(problem: Any) -> Channelled:
    """The channel of a problem."""
    value = problem["channel"]
    if type(value) is not dict:
        raise Malformed("channel must be a table")
    kind = string(value.get("kind"), "channel: kind")
    planar = kind == "planar"  # its points are its own
    own = {key: x for key, x in value.items() if key not in OWN or (planar and key == "points")}
    tupled = None
    if kind == "tupling":
        if problem.get("form", "events") != "events":
            raise Malformed("tuples are judged by events")
        channel, tupled, written = _tupling(own)
    else:
        channel, written = read_channel(own, "channel")
    places = points_of(own["points"], "points") if planar else None
    post: tuple[dict[str, Any], ...] = ()
    if "post" in problem:
        from reader.merged import merged

        if tupled is not None:
            raise Malformed("steps follow outputs that are numbers, and tuples are none")
        channel, post = merged(channel, problem["post"])
    return Channelled(kind, channel, tupled, written, places, post)

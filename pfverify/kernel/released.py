"""Problems about a channel: what is released is its output, of an input with a finite prior.

Everything comes from the table `channel` and the priors.  Laws of outputs are worked out when a
goal asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from channel_kinds import Channel, Names, read_channel
from distances import points_of
from files import array, integer, string, table
from grammar import Malformed, canonical, shown
from kinds import Beliefs, Outputs, Tuples
from masses import mixed
from priors import require_name, weights
from protection import Priors, Protection, of_channel
from work import spend

NOTIONS = {"distp": True, "xdistp": True, "dp": False, "xdp": False}  # whether of priors
ABOUT = {"notion", "inputs_related", "points", "distance", "metric"}  # keys that are no kind's own
KEPT = 4_000_000  # masses of laws that are kept
MAX_DUMMIES = 10_000


class Released(NamedTuple):
    """A parsed channel and what is known of its inputs; `asked` is the table that tells the
    pairs."""

    kind: str
    channel: Channel
    protection: Protection
    table: dict[str, Any]
    priors: Priors | None  # of inputs, with zeros; None: each input is a secret
    beliefs: Beliefs
    asked: dict[str, Any]

    def words(self) -> str:
        """The channel and the notion, in a message."""
        return f"channel={self.kind} {self.protection.words()}"

    def canonical(self) -> list[Any]:
        """The beliefs as they go into a digest."""
        inputs = self.channel.inputs
        if self.priors is None:
            return [["default", [[x, [[x, "1"]]] for x in inputs]]]
        return [
            [belief, [[s, [[x, canonical(law[x])] for x in inputs if law.get(x)]]
                      for s, law in priors.items()]]
            for belief, priors in self.priors.items()
        ]  # fmt: skip

    def given(self) -> str:
        """What is taken for granted, in words."""
        return "the channel as given" if self.priors is None else "channel and beliefs as given"


class Tupled(NamedTuple):
    """How tuples are made of the outputs of a channel."""

    dummies: int
    dummy: tuple[Fraction, ...]

    def law(self, base: Outputs) -> Tuples:
        """The law of the tuple."""
        return Tuples(base, *self)


class Lifted(Mapping[str, Outputs | Tuples]):
    """Secret -> the law of the channel's output when the input has the secret's prior."""

    def __init__(
        self, channel: Channel, priors: Mapping[str, Mapping[str, Fraction]], tupled: Tupled | None
    ) -> None:
        self._channel, self._priors, self._tupled = channel, priors, tupled
        self._kept: dict[str, Outputs] = {}

    def __getitem__(self, secret: str) -> Outputs | Tuples:
        if secret not in self._kept:
            law, channel = self._priors[secret], self._channel
            found = mixed([law.get(x, Fraction(0)) for x in channel.inputs], channel.laws)
            if (len(self._kept) + 1) * len(channel.outputs) > KEPT:
                self._kept.clear()
            self._kept[secret] = found
        found = self._kept[secret]
        return found if self._tupled is None else self._tupled.law(found)

    def __iter__(self) -> Iterator[str]:
        return iter(self._priors)

    def __len__(self) -> int:
        return len(self._priors)


def _priors(value: Any, inputs: Names) -> Priors:
    """The priors of inputs, of every belief and secret."""
    stated = {"default": {"priors": value["priors"]}} if "priors" in value else value["beliefs"]
    if type(stated) is not dict or not stated:
        raise Malformed("beliefs must be a table of at least one belief")
    found: dict[str, dict[str, dict[str, Fraction]]] = {}
    known, covered = set(inputs), set[str]()
    for belief, entry in stated.items():
        what = f"belief {shown(belief)}"
        priors = table(entry, what, {"priors"})["priors"]
        if type(priors) is not dict:
            raise Malformed(f"{what}: priors must be a table")
        for name in (belief, *priors):
            require_name(name)
        found[belief] = {s: _finite(p, f"{what}, secret {shown(s)}") for s, p in priors.items()}
        for secret, law in found[belief].items():
            for x in law.keys() - known:
                raise Malformed(f"{what}, secret {shown(secret)}: no input {shown(x)}")
            covered |= law.keys()
    for x in inputs:
        if x not in covered:
            raise Malformed(f"the input {shown(x)} is in no prior")
    return found


def _finite(value: Any, what: str) -> dict[str, Fraction]:
    if type(value) is not dict or value.get("kind") != "finite":
        raise Malformed(f"{what}: a channel needs priors of kind finite")
    return weights(value, what)


def _related(value: Any, inputs: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The table that tells the pairs of inputs, and the key as it goes into a digest."""
    if "inputs_related" not in value:
        return {}, {}
    stated = value["inputs_related"]
    if stated == "all":
        return {}, {"inputs_related": "all"}
    known = set(inputs)
    for pair in array(stated, "inputs_related"):
        for name in array(pair, "a pair of inputs_related"):
            if string(name, "an input of inputs_related") not in known:
                raise Malformed(f"inputs_related: no input {shown(name)}")
    return {"pairs": stated}, {"inputs_related": stated}


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


def released(problem: Any) -> Released:
    """The channel of a problem with what belongs to it."""
    value = problem["channel"]
    if type(value) is not dict:
        raise Malformed("channel must be a table")
    kind = string(value.get("kind"), "channel: kind")
    planar = kind == "planar"  # its points are its own
    own = {key: x for key, x in value.items() if key not in ABOUT or (planar and key == "points")}
    of_priors = bool(problem.keys() & {"priors", "beliefs"})
    notion = string(value.get("notion", "distp" if of_priors else "dp"), "notion")
    if notion not in NOTIONS:
        raise Malformed(f"the notion {shown(notion)} is not known to this kernel")
    if NOTIONS[notion] != of_priors:
        raise Malformed(f"the notion {notion} has {'no ' if of_priors else ''}priors")
    tupled = None
    if kind == "tupling":
        if problem.get("form", "events") != "events":
            raise Malformed("tuples are judged by events")
        channel, tupled, written = _tupling(own)
    else:
        channel, written = read_channel(own, "channel")
    places = points_of(own["points"], "points") if planar else None
    priors = _priors(problem, channel.inputs) if of_priors else None
    protection = of_channel(value, notion, channel.inputs, priors, places)
    beliefs: Beliefs
    if priors is None:
        if "pairs" in problem:
            raise Malformed(f"the pairs of the notion {notion} are inputs_related")
        asked, related = _related(value, channel.inputs)
        laws = channel.laws if tupled is None else [tupled.law(law) for law in channel.laws]
        beliefs = {"default": dict(zip(channel.inputs, laws, strict=True))}
    elif "inputs_related" in value:
        raise Malformed(f"the notion {notion} has pairs of secrets, not of inputs")
    else:
        asked, related = problem, {}
        beliefs = {belief: Lifted(channel, of, tupled) for belief, of in priors.items()}
    spend(len(channel.inputs))
    full = {**written, **protection.written, **related}
    return Released(kind, channel, protection, full, priors, beliefs, asked)

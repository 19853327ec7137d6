"""What a kind of channel says of itself; `pfverify.model.channels.kinds` lists the kinds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, ClassVar, NoReturn

from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.argument import Number as AnyNumber
from pfverify.model.channels.entries import Entry, OutputLaw
from pfverify.model.keys import Key, Keyed, check_needed, table_of_keys
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior
from pfverify.model.protection import Protection
from pfverify.model.releases.release import Laws, Noise, Release
from pfverify.model.words import check_keys, meant

MAX_ENTRIES = 4_000_000
"""Most entries of a channel that is written out."""
MAX_PAIRS = 1_000_000
"""Of inputs that are compared."""
MOST_STATES = 1_000_000
"""Inputs of a channel whose rows are not written out."""
MOST_LISTED = 100
"""Inputs that are all alike, of which every pair is decided by itself; of more one is, for all."""
MAX_IRRATIONAL = 1_000_000
"""Most entries where they are not rational, and each is an expression of its own."""


_NOTHING = NoNoise()


class Channel(Keyed, Release):
    """A finite channel: for each input, a law on the outputs, in exact numbers.

    Attributes: `keys`, what its table may have besides the kind; `inputs` and `outputs`, their
    names; `rows`, per input the mass of each output, which sum to exactly 1: Fractions wherever the
    exact forms show a rational value, else `Number`. `written_out` is False for a kind that has no
    `rows`; `depth` counts the channels inside each other; `alike`: whether some permutation of the
    inputs, with one of the outputs, takes any two inputs to any two, and leaves the rows as they
    are.

    Example: ``Channel.of({"kind": "randomized-response", "inputs": ["yes", "no"], "truth":
    "3/4"}).rows[0]`` is ``(Fraction(3, 4), Fraction(1, 4))``.
    """

    named = True
    plain = True
    more_scale = None
    written_out: ClassVar[bool] = True
    alike: ClassVar[bool] = False
    depth: int = 1
    inputs: tuple[str, ...]
    _outputs: tuple[str, ...]

    @staticmethod
    def of(table: object) -> Channel:
        """Return the channel of a table of any kind, as `[channel]` in a problem file.

        Raises InputError that begins with the key, as in "channel.rows[0]: ...".
        """
        return read_channel("channel", table)

    @classmethod
    @cache  # every file is held to it
    def schema(cls) -> dict[str, Any]:
        """Return the definition of its table in the published schema, without its name."""
        return table_of_keys(cls.keys, cls.together())

    @classmethod
    def must_have(cls, table: Mapping[str, Any]) -> Sequence[Key]:
        """Return the keys that say what such a table must have."""
        del table
        return cls.keys

    def canonical(self) -> dict[str, Any]:
        """Return its table with every number as canonical text: what goes into the digest."""
        return super().to_table()

    def to_table(self) -> dict[str, Any]:
        """Return the table that `from_table` reads as this channel."""
        return self.canonical()

    @property
    def outputs(self) -> tuple[str, ...]:
        """Their names; InputError for a kind that has too many to be named."""
        return self._outputs

    @cached_property
    def rows(self) -> tuple[tuple[Entry, ...], ...]:
        """Per input the mass of each output; InputError for a kind that has no rows."""
        return self.worked_out()

    @abstractmethod
    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Work the rows out; `rows` keeps them."""

    def row(self, name: str) -> tuple[Entry, ...]:
        """Return the law of the outputs given an input; KeyError for a name that is no input."""
        return self.rows[self._place[name]]

    @cached_property
    def laws(self) -> dict[Finite, OutputLaw]:
        """What it releases under the priors that were asked about: pairs share them."""
        return {}

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: k for k, name in enumerate(self.inputs)}

    @property
    def noise(self) -> Noise:
        """None: nothing is added."""
        return _NOTHING

    def notion(self, *, with_priors: bool) -> str:
        """Return the notion between priors where there are any, else the one between inputs."""
        return "distp" if with_priors else "dp"

    def over(self, laws: Laws) -> Laws:
        """Return priors in the order of the inputs.

        Raises InputError for a prior that is not over named inputs, one that names an unknown
        input, and an input that no prior names.
        """
        found = {
            belief: {secret: self._ordered(prior, secret) for secret, prior in table.items()}
            for belief, table in laws.items()
        }
        covered = {
            name for table in found.values() for prior in table.values() for name in prior.mass
        }
        for name in self.inputs:
            if name not in covered:
                raise InputError(
                    f"priors: no prior covers the input {shorten(name, 30)!r} of the channel; give "
                    "it a mass, which may be 0"
                )
        return found

    def _ordered(self, prior: Prior, secret: str) -> Finite:
        if not isinstance(prior, Finite):
            raise InputError(
                f"prior of {shorten(secret)!r}: a channel takes priors over its named inputs, of "
                f"kind finite, not {prior.kind}"
            )
        with told_at(f"prior of {shorten(secret)!r}: "):
            return prior.in_order_of(self.inputs)

    def all_alike(self, protection: Protection) -> bool:
        """Say whether one pair of inputs stands for all that are compared. Source: F84."""
        many = self.alike and len(self.inputs) > MOST_LISTED
        return many and protection.related is None and not protection.extended

    def inputs_compared(self, protection: Protection) -> tuple[str, ...]:
        """Return the inputs; InputError where nothing is compared, or far too much.

        Of many that are all alike the first two, which stand for all.
        """
        if self.all_alike(protection):
            return self.inputs[:2]
        if len(self.inputs) < 2:
            raise InputError("channel: it has one input, expected at least two to compare")
        if protection.related is None:
            check_pairs(len(self.inputs))
        return self.inputs

    def check_protection(self, protection: Protection) -> None:
        """Raise InputError unless distances of inputs are between this channel's inputs.

        A file states the channel's inputs and places once: a protection that is made elsewhere must
        not know others.
        """
        ground = protection.ground
        if ground is None:
            if isinstance(protection.metric, str):
                raise InputError("protection: it was made without inputs, expected the channel's")
            return
        names = {name for pair in ground.table for name in pair} | ground.places.keys()
        if not names <= set(self.inputs) or (ground.places and len(names) < len(self.inputs)):
            raise InputError("protection: it was made for other inputs than the channel's")

    def check_priors(self, beliefs: Laws, pairs: Iterable[tuple[str, str]]) -> None:
        """Accept: `over` has looked at them."""

    def released(self, *, bare: bool) -> str:
        """Return that the channel is taken as it is."""
        del bare
        return "the channel is exactly the one given, with ideal random numbers"

    def tables(self, protection: Protection) -> dict[str, Any]:
        """Return `channel`, with what it protects."""
        return {"channel": {**protection.to_table(), **self.to_table()}}

    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        """Return `channel`, with what it protects, and that there is no noise."""
        channel = {**protection.to_table(), **self.canonical()}
        return {"noise": self.noise.canonical(), "channel": channel}

    def key(self) -> object:
        """Return the channel, which compares by its canonical form."""
        return self

    def require_scale(self, what: str) -> None:
        """Refuse: nothing is added."""
        raise self._no_scale(what)

    def _no_scale(self, what: str) -> InputError:
        return InputError(
            f"{what}: the problem releases through a channel ({self.named_kind}), to which no "
            "noise is added; certify and loss decide it"
        )

    def with_scale(self, scale: AnyNumber) -> NoReturn:
        """Refuse: there is no scale."""
        del scale
        raise self._no_scale("scale")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.canonical() == other.canonical()

    def __hash__(self) -> int:
        return hash((self.kind, self.inputs))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.inputs)} inputs, {len(self.outputs)} outputs)"


CHANNELS: dict[str, type[Channel]] = {}
"""Name -> class; `pfverify.model.channels.kinds` enters every kind."""


def read_channel(where: str, table: object) -> Channel:
    """Return the channel of a table of any kind; InputError that begins with its place and key."""
    if not isinstance(table, Mapping):
        raise InputError(f"{where}: expected a table of a channel, got {type(table).__name__}")
    if "kind" not in table:
        raise InputError(f"{where}: missing key 'kind', expected one of {', '.join(CHANNELS)}")
    name = table["kind"]
    if not isinstance(name, str) or name not in CHANNELS:
        near = meant(name, CHANNELS) if isinstance(name, str) else None
        hint = f"; did you mean {near!r}?" if near else ""
        known = ", ".join(CHANNELS)
        raise InputError(f"{where}.kind: {shorten(name)!r} is unknown, expected {known}{hint}")
    kind = CHANNELS[name]
    check_keys(table, kind.known_keys(), f"{where}: ")
    check_needed(table, kind.must_have(table), f"{where}: ", f" of a channel of kind {name}")
    try:
        return kind.from_table(table)
    except InputError as error:
        raise InputError(f"{where}.{error}") from None
    except RecursionError:
        raise InputError(f"{where}: the table is nested too deeply") from None


def exact_channel(value: object, where: str) -> Channel:
    """Return a channel whose class is exactly one of the kinds: a derived one may be about others.

    Raises InputError that begins with `where`. Example: ``exact_channel(1, "channel")`` raises.
    """
    if isinstance(value, Channel) and any(type(value) is kind for kind in CHANNELS.values()):
        return value
    raise InputError(f"{where}: expected a channel, got {type(value).__name__}")


def check_pairs(inputs: int) -> None:
    """Raise InputError where all pairs of so many inputs are too many to be compared one by one."""
    if inputs**2 > 2 * MAX_PAIRS:
        raise InputError(
            f"channel.inputs_related: all pairs of {inputs} inputs are more than {MAX_PAIRS}; list "
            "the related ones"
        )


def check_size(inputs: int, outputs: int, where: str) -> None:
    """Raise InputError where a channel would have too many entries to be written out."""
    if inputs * outputs > MAX_ENTRIES:
        raise InputError(
            f"{where}: {inputs} inputs and {outputs} outputs are {inputs * outputs} entries, at "
            f"most {MAX_ENTRIES} are written out"
        )


def check_irrational_size(inputs: int, outputs: int, where: str) -> None:
    """Raise InputError where a channel has too many entries for them not to be rational."""
    if inputs * outputs > MAX_IRRATIONAL:
        raise InputError(
            f"{where}: {inputs} inputs and {outputs} outputs are {inputs * outputs} entries that "
            f"are not all rational, at most {MAX_IRRATIONAL} of these are written out"
        )

"""A privacy question as exact data: priors under each belief, noise, target, pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Unpack

from pfverify.door import outward
from pfverify.errors import InputError, require, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.number import Number
from pfverify.files import write_text
from pfverify.model.channelled import (
    channel_to_table,
    check_distances,
    read_channelled,
)
from pfverify.model.channels.channel import Channel
from pfverify.model.checked import DEFAULT_BELIEF as DEFAULT_BELIEF
from pfverify.model.checked import (
    checked_delta,
    checked_epsilon,
    resolved_pairs,
    stated_priors,
    what_releases,
)
from pfverify.model.fixed import Fixed
from pfverify.model.kinds import NOTIONS, read_noise, read_priors
from pfverify.model.lattices import lattice_noise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.noise import Noise
from pfverify.model.notion import Notion
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Prior
from pfverify.model.problem_file import read_table, table_of_text, to_json
from pfverify.model.protection import PUFFERFISH, Protection
from pfverify.model.provenance import Provenance
from pfverify.model.schema import SCHEMA, check_shape
from pfverify.model.systems.system import System
from pfverify.model.target import Target
from pfverify.model.toml import toml_text

if TYPE_CHECKING:
    from pfverify.model.records.asked import RecordOptions

EXAMPLE = "example:"
"""What the names of packaged problems begin with."""
_SHOWN = 3  # secrets in a repr


@dataclass(frozen=True)
class PairOfPriors:
    """One unordered pair of secrets under one belief, with both priors."""

    belief: str
    first: str
    second: str
    first_prior: Prior
    second_prior: Prior


def is_smooth(item: PairOfPriors, noise: Noise) -> bool:
    """Say whether more than sums over atoms is needed, for the noise or a prior with a density.

    Example: ``is_smooth(pair, GaussianNoise(1))`` is ``True`` for every pair.
    """
    sums = noise.exponential or noise.has_masses
    return not sums or item.first_prior.has_density or item.second_prior.has_density


def discrete_priors(
    item: PairOfPriors, why: str, noise: Noise | None = None
) -> tuple[Discrete, Discrete]:
    """Return both priors of a pair, for work that is about atoms alone.

    Raises InputError that begins with `why` and names the secret whose prior has a density, or,
    where `noise` is given, noise that is not a Laplace noise.
    Example: ``discrete_priors(pair, "coupling: plans are about atoms")``.
    """
    if noise is not None and not noise.exponential:
        raise InputError(f"{why}; the noise is {noise.kind}")
    first, second = item.first_prior, item.second_prior
    if isinstance(first, Discrete) and isinstance(second, Discrete):
        return first, second
    secret = item.second if isinstance(first, Discrete) else item.first
    raise InputError(f"{why}; the prior of {shorten(secret)!r} has a density")


class Problem(Fixed):
    """Priors for each secret, noise, and the target (epsilon, delta).

    Parameters
    - priors: secret -> prior (`Discrete`, `Gaussian` or `Mixture`), for one adversary (the belief
      named "default"). A mixture of atoms alone becomes the equal `Discrete`.
    - beliefs: belief -> {secret -> prior}, for several adversaries.
    - system: independent users whose sum is released: secrets, pairs and priors come from it.
      Exactly one of priors, beliefs and system.
    - noise: `Laplace`, `DiscreteLaplace` (for atoms alone) or `GaussianNoise`; its scale may be
      missing (calibrate finds it) or 0 (X itself is released, as with `NoNoise`).
    - channel: a finite channel (`Channel.of`) that releases Y = A(X) instead of X + noise; its
      priors are `Finite`, and `noise` is then `NoNoise`: nothing is added.
    - protection: the notion (which laws are compared, and whether epsilon is per unit of
      distance); default the priors, or the single inputs of a channel without priors.
    - epsilon: number >= 0; delta: number in [0, 1].
    - pairs: pairs of secrets; default every pair. Both orders are always meant.
    - form: "events" (hockey-stick divergence <= delta) or "pointwise" (densities or masses).
    - provenance: where the numbers come from. It decides nothing: neither equality of problems nor
      their digest look at it.

    Raises InputError naming what was wrong.

    Example: ``Problem(priors={"a": Discrete({0: 1}), "b": Discrete({1: 1})},
    noise=Laplace(1), epsilon=1)``.
    Source: noise-reduction paper (1); Gaussian-priors paper, Definition 1.
    """

    beliefs: Mapping[str, Mapping[str, Prior]]
    system: System | None
    channel: Channel | None
    protection: Protection
    noise: Noise
    epsilon: Number
    delta: Number
    form: str
    pairs: tuple[tuple[str, str], ...]
    provenance: Provenance | None

    def __init__(
        self,
        priors: Mapping[str, Prior] | None = None,
        *,
        noise: Noise | None = None,
        epsilon: AnyNumber,
        delta: AnyNumber = 0,
        pairs: Iterable[tuple[str, str]] | None = None,
        form: str = "events",
        beliefs: Mapping[str, Mapping[str, Prior]] | None = None,
        system: System | None = None,
        channel: Channel | None = None,
        protection: Protection | None = None,
        provenance: Provenance | None = None,
    ) -> None:
        sources = sum(source is not None for source in (priors, beliefs, system))
        noise = what_releases(noise, channel)
        if protection is None:
            protection = PUFFERFISH if channel is None or sources else Protection("dp")
        if type(protection) is not Protection:
            raise InputError(f"protection: expected Protection, got {type(protection).__name__}")
        if provenance is not None:
            require(provenance, Provenance, "provenance")
        check_distances(channel, protection)
        if sources != (0 if protection.of_inputs else 1):
            if protection.of_inputs:
                raise InputError(
                    f"priors: the notion {protection.notion} compares inputs, expected no priors, "
                    "beliefs or system"
                )
            raise InputError("a problem takes exactly one of priors, beliefs and system")
        checked, chosen = stated_priors(channel, protection, priors, beliefs, system, pairs)
        target = {"epsilon": checked_epsilon(epsilon), "delta": checked_delta(delta)}
        if not isinstance(form, str) or form not in NOTIONS:
            offered = " or ".join(NOTIONS)
            raise InputError(f"form: {shorten(form)!r} is unknown, expected {offered}")
        compared = resolved_pairs(checked, chosen)
        noise.check_priors(checked, compared)
        protection.check(checked, compared, channel is not None)
        self._keep(
            beliefs=checked, system=system, channel=channel, protection=protection, noise=noise,
            form=form, pairs=compared, provenance=provenance, **target,
        )  # fmt: skip

    @classmethod
    def load(cls, path: str | Path) -> Problem:
        """Read a problem file (TOML, or JSON by its suffix), or a packaged one by its name.

        Raises InputError with the file, the key and what was expected.
        Example: ``Problem.load("census.toml")``; ``Problem.load("example:census").form`` is
        ``"events"``.
        """
        require(path, (str, PurePath), "the problem file")
        place = Path(path)
        if isinstance(path, str) and path.startswith(EXAMPLE):
            place = outward("example_path")(path.removeprefix(EXAMPLE))
        try:
            return cls.from_table(read_table(place))
        except InputError as error:
            raise InputError(f"{shorten(place, 200)}: {error}") from None

    @classmethod
    def from_text(cls, text: str, *, json_format: bool = False) -> Problem:
        """Read the text of a problem file in TOML, or in JSON.

        Raises InputError naming the key and what was expected.
        Example: ``Problem.from_text('epsilon = 1')`` raises: there is no schema.
        """
        return cls.from_table(table_of_text(text, json_format=json_format))

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Problem:
        """Read a table in the shape of a problem file.

        Raises InputError naming the key and what was expected.
        Example: ``Problem.from_table({"epsilon": 1})`` raises: there is no schema.
        """
        check_shape(table)
        told = table.get("provenance")
        priors, beliefs, system, channel = None, None, None, None
        noise = read_noise(table["noise"]) if "noise" in table else None
        protection = _read_protection(table)
        if "channel" in table:
            with_priors = not table.keys().isdisjoint(("priors", "beliefs", "system"))
            channel, protection = read_channelled(table["channel"], with_priors=with_priors)
        if "priors" in table:
            priors = read_priors("priors", table["priors"])
        elif "system" in table:
            system = _read_system(table["system"])
        elif "beliefs" in table:
            beliefs = {
                name: read_priors(f"beliefs.{shorten(name, 30)}.priors", belief["priors"])
                for name, belief in table["beliefs"].items()
            }
        return cls(
            priors,
            noise=noise,
            epsilon=table["epsilon"],
            delta=table.get("delta", 0),
            pairs=table.get("pairs"),
            form=table.get("form", "events"),
            beliefs=beliefs,
            system=system,
            channel=channel,
            protection=protection,
            provenance=None if told is None else Provenance.from_table(told),
        )

    @classmethod
    def from_records(
        cls,
        rows: Iterable[object],
        *,
        epsilon: AnyNumber,
        secret: str | None = None,
        public: str | None = None,
        delta: AnyNumber = 0,
        noise: Noise | None = None,
        **options: Unpack[RecordOptions],
    ) -> Problem:
        """Count records: each row is a mapping, or a pair (secret, value).

        `secret` and `public` name the keys of mappings; the secrets of the problem are then called
        secret=value, else by the value alone. `public` may be COLUMN=VALUE: 1 for that value, else
        0. `noise` is `Laplace()` by default: its scale is left
        to calibrate. The other options are those of `RecordOptions`, as of the command
        `pfverify prior`. Cells are text, numbers (floats only if whole, or as `floats` says) or
        days; spaces around text are cut.

        Raises InputError naming the row, the column or the option.
        Example: ``Problem.from_records([("a", 0), ("a", 1), ("b", 1)],
        epsilon=1).beliefs["default"]["a"] == Discrete({0: "1/2", 1: "1/2"})`` is ``True``.
        """
        from pfverify.model.records.rows import table_of_rows

        if secret is None:
            options = {"short_names": True, **options}
        names = ("secret" if secret is None else secret, "value" if public is None else public)
        return cls._counted(table_of_rows, rows, *names, epsilon, delta, noise, options)

    @classmethod
    def from_frame(
        cls,
        frame: object,
        *,
        epsilon: AnyNumber,
        secret: str,
        public: str,
        delta: AnyNumber = 0,
        noise: Noise | None = None,
        **options: Unpack[RecordOptions],
    ) -> Problem:
        """Count the rows of a data frame of pandas, polars or pyarrow; as `from_records`.

        Raises InputError naming the column or the option.
        Example: ``Problem.from_frame([], secret="a", public="b", epsilon=1)`` raises.
        """
        from pfverify.model.records.rows import table_of_frame

        return cls._counted(table_of_frame, frame, secret, public, epsilon, delta, noise, options)

    @classmethod
    def _counted(
        cls,
        table_of: Callable[..., dict[str, Any]],
        rows: object,
        secret: str,
        public: str,
        epsilon: AnyNumber,
        delta: AnyNumber,
        noise: Noise | None,
        options: RecordOptions,
    ) -> Problem:
        require(secret, str, "secret")
        require(public, str, "public")
        noise = Laplace() if noise is None else what_releases(noise, None)
        target = {
            "epsilon": checked_epsilon(epsilon).text,
            "delta": checked_delta(delta).text,
            "noise": noise.to_table(),
        }
        from pfverify.model.records.callers import named_arguments

        with named_arguments():
            return cls.from_table(table_of(rows, secret, public, options, target))

    def to_table(self) -> dict[str, Any]:
        """Return the problem in the shape of a problem file, every number as exact text.

        Example: ``Problem.from_table(problem.to_table()) == problem`` is ``True``.
        """
        pairs = {"pairs": [list(pair) for pair in self.pairs]}
        given = self.protection.of_inputs or (
            self.system is not None and self.system.pair_set is not None
        )
        return {
            "schema": SCHEMA,
            "epsilon": self.epsilon.text,
            "delta": self.delta.text,
            "form": self.form,
            **({} if given else pairs),
            **self._release(),
            **self._source(),
            **({} if self.provenance is None else {"provenance": self.provenance.to_table()}),
        }

    def _release(self) -> dict[str, Any]:
        """What is released, in the shape of a problem file."""
        if self.channel is not None:
            return {"channel": channel_to_table(self.channel, self.protection)}
        notion = {} if self.protection == PUFFERFISH else self.protection.to_table()
        return {**notion, "noise": self.noise.to_table()}

    def _source(self) -> dict[str, Any]:
        """Where the priors come from, in the shape of a problem file."""
        if self.protection.of_inputs:
            return {}
        if self.system is not None:
            return {"system": self.system.to_table()}
        beliefs = {
            belief: {"priors": {secret: prior.to_table() for secret, prior in table.items()}}
            for belief, table in self.beliefs.items()
        }
        alone = list(beliefs) == [DEFAULT_BELIEF]
        return beliefs[DEFAULT_BELIEF] if alone else {"beliefs": beliefs}

    def to_toml(self) -> str:
        """Return the text of a problem file in TOML.

        Example: ``Problem.from_text(problem.to_toml()) == problem`` is ``True``.
        """
        return toml_text(self.to_table())

    def save(self, path: str | Path) -> None:
        """Write a problem file, in TOML or JSON by its suffix; it is complete or not there.

        Raises InputError for another suffix, for a file that cannot be written, and for a problem
        that could not be read again (a number of more than 4096 digits).
        Example: ``problem.save("mine.toml")``.
        """
        require(path, (str, PurePath), "the problem file")
        place = Path(path)
        as_json = place.suffix.lower() == ".json"
        try:
            if not as_json and place.suffix.lower() != ".toml":
                raise InputError("expected a name that ends in .toml or .json")
            text = to_json(self.to_table()) if as_json else self.to_toml()
            if Problem.from_text(text, json_format=as_json) != self:
                raise InputError("the problem would be read as another one")
            write_text(place, text)
        except InputError as error:
            raise InputError(f"{shorten(place, 200)}: {error}") from None
        except OSError as error:
            raise InputError(f"{shorten(place, 200)}: cannot write: {error.strerror}") from None
        except ValueError:  # a null byte
            raise InputError(f"{shorten(place, 200)}: no file can have this name") from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        """What the canonical form is made of: equal keys and equal digests are the same thing."""
        return (
            self.epsilon.text,
            self.delta.text,
            self.form,
            tuple(self.noise.canonical().items()),
            self.channel,
            self.protection,
            self.system
            or tuple((belief, *table.items()) for belief, table in self.beliefs.items()),
            self.pairs,
        )

    def _repr_latex_(self) -> str:
        text: str = outward("latex_of_problem")(self)
        return text

    def _repr_html_(self) -> str:
        text: str = outward("html_of_problem")(self)
        return text

    def __repr__(self) -> str:
        secrets = list(dict.fromkeys(name for table in self.beliefs.values() for name in table))
        shown = ", ".join(repr(shorten(name, 16)) for name in secrets[:_SHOWN])
        more = f", ... {len(secrets)} secrets" if len(secrets) > _SHOWN else ""
        beliefs = f" under {len(self.beliefs)} beliefs" if len(self.beliefs) > 1 else ""
        target = f"epsilon={shorten(self.epsilon.text, 24)}, delta={shorten(self.delta.text, 24)}"
        noise = shorten(repr(self.channel or self.noise), 60)
        return f"<Problem {shown}{more}{beliefs}; {noise}; {target}, {self.form}>"

    @property
    def tells_records(self) -> bool:
        """Whether the problem says how many records its priors come from."""
        return self.provenance is not None and self.provenance.records is not None

    def pairs_of_priors(self) -> Iterator[PairOfPriors]:
        """Yield every pair under every belief, in the order of the problem."""
        for belief, table in self.beliefs.items():
            for first, second in self.pairs:
                yield PairOfPriors(belief, first, second, table[first], table[second])

    @property
    def notion(self) -> Notion:
        """The privacy notion that `form` names."""
        return NOTIONS[self.form]()

    @property
    def named_notion(self) -> str | None:
        """The notion, None where priors with noise are compared at one epsilon."""
        plain = self.channel is None and self.protection == PUFFERFISH
        return None if plain else self.protection.notion

    def target(self, source: str, to: str) -> Target:
        """Return what the law under one secret is held to, against the law under another.

        Raises InputError where epsilon is per unit of distance: `decide.targets` works that out.
        Example: ``problem.target("a", "b").epsilon == problem.epsilon`` is True, whatever the pair.
        """
        del source, to  # one epsilon for all pairs
        return Target(self.one_epsilon, self.delta, self.notion)

    @property
    def one_epsilon(self) -> Number:
        """The epsilon of every pair; InputError where it is multiplied by a distance."""
        if self.protection.extended:
            raise InputError(
                f"notion: with {self.protection.notion} epsilon is multiplied by a distance, and "
                "differs from pair to pair"
            )
        return self.epsilon

    def replaced(
        self,
        *,
        epsilon: AnyNumber | None = None,
        delta: AnyNumber | None = None,
        scale: AnyNumber | None = None,
    ) -> Problem:
        """Return the same problem with another epsilon, delta or scale."""
        if scale is not None:
            self.require_noise("scale")
        return self._again(
            noise=self.noise if scale is None else self.noise.with_scale(scale),
            epsilon=self.epsilon if epsilon is None else epsilon,
            delta=self.delta if delta is None else delta,
        )

    def on_lattice(self, step: AnyNumber) -> Problem:
        """Return the same problem with discrete Laplace noise on multiples of `step`.

        The scale stays; the noise can then be drawn exactly, and the problem is another one, to be
        decided anew.
        Raises InputError for noise that is not Laplace noise, priors with a density, and atoms that
        are not on one lattice of this step, with the largest step that works.
        Example: ``problem.on_lattice("1/4").noise`` is ``DiscreteLaplace('2', step='1/4')``.
        Source: design fact F12.
        """
        self.require_noise("lattice")
        return self._again(noise=lattice_noise(self.noise, step, self.beliefs, self.pairs))

    def with_channel(self, channel: Channel) -> Problem:
        """Return the same problem about another channel with the same inputs.

        Raises InputError for a problem that has no channel.
        """
        if self.channel is None:
            raise InputError("the problem has no channel")
        return self._again(channel=channel)

    def _again(self, **changes: Any) -> Problem:
        """The same problem, but for these arguments."""
        made = self.protection.of_inputs or (
            self.system is not None and self.system.pair_set is not None
        )
        kept = {
            "beliefs": self.beliefs if self.system is None and not self.protection.of_inputs
            else None,
            "system": self.system,
            "noise": self.noise,
            "channel": self.channel,
            "protection": self.protection,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "pairs": None if made else self.pairs,
            "form": self.form,
            "provenance": self.provenance,
        }  # fmt: skip
        return Problem(**kept | changes)

    def for_any_rest(self) -> Problem:
        """Return the same problem about the user's own laws, whatever the others add.

        Raises InputError for a problem that states no system.
        Source: post-processing; multi-user paper, Theorems 1, 2 and 4.
        """
        if self.system is None:
            raise InputError("the problem states priors, and no system of users")
        return self._again(system=self.system.for_any_rest())

    def secrets_in_no_pair(self) -> list[str]:
        """Return the secrets that have a prior but are compared with nothing."""
        compared = {name for pair in self.pairs for name in pair}
        names = dict.fromkeys(name for table in self.beliefs.values() for name in table)
        return [name for name in names if name not in compared]

    def require_noise(self, what: str) -> None:
        """Raise InputError that begins with `what` where a channel releases, and no noise."""
        if self.channel is not None:
            raise InputError(
                f"{what}: the problem releases through a channel ({self.channel.kind}), to which "
                "no noise is added; certify and loss decide it"
            )

    def scale(self) -> Number:
        """Return the scale of the noise; InputError if the problem has none."""
        if self.noise.scale is None:
            raise InputError(
                "noise.scale: missing, expected a number >= 0 (or use --scale; pfverify calibrate "
                "finds the smallest)"
            )
        return self.noise.scale


def as_problem(problem: Problem | str | Path) -> Problem:
    """Return a problem as it is, or read the file of that name.

    Raises InputError for anything else. Example: ``as_problem("census.toml")``.
    """
    require(problem, (Problem, str, PurePath), "the problem")
    return problem if isinstance(problem, Problem) else Problem.load(problem)


def _read_protection(table: Mapping[str, Any]) -> Protection:
    """Return the notion of a problem with noise, whose priors are compared."""
    given = [key for key in ("notion", "metric") if key in table]
    if "channel" in table and given:
        raise InputError(f"{given[0]}: a channel has its own; put it in the table [channel]")
    notion = table.get("notion", PUFFERFISH.notion)
    return Protection(notion, metric=table.get("metric"))


def _read_system(table: Mapping[str, Any]) -> System:
    try:
        return System.from_table(table)
    except InputError as error:
        raise InputError(f"system.{error}") from None

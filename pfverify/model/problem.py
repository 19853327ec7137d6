"""A privacy question as exact data: where the laws come from, what is released and required."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Unpack

from pfverify.errors import InputError, require, shorten, told_at
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.number import Number
from pfverify.files import save_text
from pfverify.model.chains.chain import Chain
from pfverify.model.channels.channel import Channel
from pfverify.model.closed import check_closed
from pfverify.model.fixed import Fixed
from pfverify.model.named_files import folder_of, located
from pfverify.model.networks.network import Network
from pfverify.model.notion import Bound, Notion, stated_notion
from pfverify.model.pairs import resolved_pairs
from pfverify.model.parts import read_stated
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.prior import Prior
from pfverify.model.problem_file import read_table, table_of_text, to_json
from pfverify.model.protection import PUFFERFISH, Protection
from pfverify.model.provenance import Provenance
from pfverify.model.question import Question
from pfverify.model.releases.kinds import beside, followed, given_release
from pfverify.model.releases.release import Laws, Noise, Release
from pfverify.model.releases.repeated import AnyNoise
from pfverify.model.requirement import Requirement
from pfverify.model.schema import SCHEMA, check_shape
from pfverify.model.sources.inputs import SingleInputs
from pfverify.model.sources.kinds import SOURCES, given_sources, offered
from pfverify.model.sources.source import Source
from pfverify.model.sources.users import Users
from pfverify.model.steps.step import AnyStep, PostStep
from pfverify.model.systems.system import System
from pfverify.outward import outward

if TYPE_CHECKING:
    from pfverify.model.record_options import RecordOptions

EXAMPLE = "example:"
"""What the names of packaged problems begin with."""
_SHOWN = 3  # secrets in a repr


class Problem(Fixed):
    """Priors for each secret, noise, and the target (epsilon, delta).

    Parameters
    - priors: secret -> prior (`Discrete`, `Gaussian`, `Mixture`, `Joint`; or a Series of pandas or
      polars, a frozen law of scipy.stats), for one adversary (the belief "default").
    - beliefs: belief -> {secret -> prior}, for several adversaries.
    - system: independent users whose sum is released: secrets, pairs and priors come from it.
    - chain, network: of records, or belief -> one; the same.
    - lists: the numbers of each secret, for sure: ``{"names": [...], "rows": {secret: [...]}}``.
      Exactly one of these six is given.
    - noise: its scale may be missing (calibrate finds it) or 0 (X itself is released, `NoNoise`).
      `Coordinates`, `Repeated` and `Budget` are more of it.
    - pre, post: steps that act on X before the noise, and on the noisy number, in this order.
    - channel: a finite channel (`Channel.of`) that releases Y = A(X) instead of X + noise; its
      priors are `Finite`, and `noise` is then `NoNoise`: nothing is added.
    - protection: the notion (which laws are compared, and whether epsilon is per unit of
      distance); default the priors, or the single inputs of a channel without priors.
    - epsilon: number >= 0; delta: number in [0, 1].
    - pairs: pairs of secrets; default every pair. Both orders are always meant.
    - form: "events" (hockey-stick divergence <= delta), "pointwise" (densities or masses), or
      `Renyi` of an order (the Renyi divergence <= epsilon, delta 0).
    - provenance: where the numbers come from. Neither equality nor digest of problems look at it.

    Raises InputError naming what was wrong.
    Example: ``Problem(priors={"a": Discrete({0: 1}), "b": Discrete({1: 1})},
    noise=Laplace(1), epsilon=1)``.
    Source: noise-reduction paper (1); Gaussian-priors paper, Definition 1.
    """

    source: Source
    release: Release
    requirement: Requirement
    pairs: tuple[tuple[str, str], ...]
    provenance: Provenance | None

    def __init__(
        self,
        priors: Mapping[str, Prior] | None = None,
        *,
        noise: AnyNoise | None = None,
        pre: Sequence[AnyStep | Mapping[str, Any]] | None = None,
        post: Sequence[PostStep | Mapping[str, Any]] | None = None,
        epsilon: AnyNumber,
        delta: AnyNumber = 0,
        pairs: Iterable[tuple[str, str]] | None = None,
        form: str | Mapping[str, Any] | Notion = "events",
        beliefs: Mapping[str, Mapping[str, Prior]] | None = None,
        system: System | None = None,
        chain: Chain | Mapping[str, Chain] | None = None,
        network: Network | Mapping[str, Network] | None = None,
        lists: Mapping[str, Any] | None = None,
        channel: Channel | None = None,
        protection: Protection | None = None,
        provenance: Provenance | None = None,
    ) -> None:
        release = given_release(noise=noise, channel=channel)
        release = release if post is None else followed(release, post)
        modelled = {"system": system, "chain": chain, "network": network, "lists": lists}
        stated = {"priors": priors, "beliefs": beliefs, **modelled}
        with_priors = any(value is not None for value in stated.values())
        if protection is None:
            protection = Protection(release.notion(with_priors=with_priors))
        required = Requirement(epsilon, delta, form, protection)
        sources = given_sources(pre, **stated)
        self._state(sources, release, required, pairs, provenance)

    @classmethod
    def of(
        cls,
        source: Source | None,
        release: Release,
        requirement: Requirement,
        pairs: Iterable[tuple[str, str]] | None = None,
        provenance: Provenance | None = None,
    ) -> Problem:
        """Return the problem of these parts; `source` is None for a notion of single inputs.

        Raises InputError as `Problem`.
        Example: ``Problem.of(Given.to_one(priors), Laplace(1), Requirement(1, 0, "events",
        Protection("distp"))).form`` is ``"events"``.
        """
        made = cls.__new__(cls)
        made._state([] if source is None else [source], release, requirement, pairs, provenance)
        return made

    def _state(
        self,
        sources: Sequence[Source],
        release: Release,
        required: Requirement,
        pairs: object,
        provenance: object,
    ) -> None:
        """Keep the parts, after they are checked against each other."""
        protection = required.protection
        if provenance is not None:
            require(provenance, Provenance, "provenance")
        release.check_protection(protection)
        if len(sources) != (0 if protection.of_inputs else 1):
            if protection.of_inputs:
                *others, last = SOURCES
                raise InputError(
                    f"priors: the notion {protection.notion} compares inputs, expected no "
                    f"{', '.join(others)} or {last}"
                )
            raise InputError(f"a problem takes exactly one of {offered()}")
        stated = SingleInputs(release, protection) if protection.of_inputs else sources[0]
        release = stated.taking(release)
        source = stated.for_release(release, required)
        compared = resolved_pairs(source.laws, source.pairs(pairs), partial=source.partial)
        release.check_priors(source.laws, compared)
        check_closed(source, release, required)
        protection.check(source.laws, compared, release.named)
        self._keep(
            source=source, release=release, requirement=required, pairs=compared,
            provenance=provenance,
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
        with told_at(f"{shorten(place, 200)}: "):
            return cls.from_table(located(read_table(place), folder_of(place)))

    @classmethod
    def from_text(cls, text: str, *, json_format: bool = False) -> Problem:
        """Read the text of a problem file in TOML, or in JSON.

        Raises InputError naming the key and what was expected.
        Example: ``Problem.from_text('epsilon = 1')`` raises: there is no schema.
        """
        return cls.from_table(table_of_text(text, json_format=json_format))

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Problem:
        """Read a table in the shape of a problem file; it names files from the working directory.

        Raises InputError naming the key and what was expected.
        Example: ``Problem.from_table({"epsilon": 1})`` raises: there is no schema.
        """
        check_shape(table)
        told = table.get("provenance")
        source, release, protection = read_stated(table)
        return cls.of(
            source, release,
            Requirement(
                table["epsilon"], table.get("delta", 0), stated_notion(table), protection
            ),
            table.get("pairs"), None if told is None else Provenance.from_table(told),
        )  # fmt: skip

    @classmethod
    def from_records(
        cls,
        rows: Iterable[object],
        *,
        epsilon: AnyNumber,
        secret: str | None = None,
        public: str | Sequence[str] | None = None,
        delta: AnyNumber = 0,
        noise: Noise | None = None,
        **options: Unpack[RecordOptions],
    ) -> Problem:
        """Count records: each row is a mapping, or a pair (secret, value).

        `secret` and `public` name the keys of mappings; the secrets of the problem are then called
        secret=value, else by the value alone. `public` may be COLUMN=VALUE: 1 for that value, else
        0; or a list of columns that are released together. `noise` is `Laplace()` by default: its
        scale is left to calibrate. The other options are those of `RecordOptions`, as of the
        command `pfverify prior`. Cells are text, numbers (floats only if whole, or as `floats`
        says) or days; spaces around text are cut.

        Raises InputError naming the row, the column or the option.
        Example: ``Problem.from_records([("a", 0), ("a", 1), ("b", 1)],
        epsilon=1).beliefs["default"]["a"] == Discrete({0: "1/2", 1: "1/2"})`` is ``True``.
        """
        if secret is None:
            options = {"short_names": True, **options}
        names = ("secret" if secret is None else secret, "value" if public is None else public)
        made: Problem = outward("problem_of_rows")(rows, *names, epsilon, delta, noise, options)
        return made

    @classmethod
    def from_frame(
        cls,
        frame: object,
        *,
        epsilon: AnyNumber,
        secret: str,
        public: str | Sequence[str],
        delta: AnyNumber = 0,
        noise: Noise | None = None,
        **options: Unpack[RecordOptions],
    ) -> Problem:
        """Count the rows of a data frame of pandas, polars or pyarrow; as `from_records`.

        Raises InputError naming the column or the option.
        Example: ``Problem.from_frame([], secret="a", public="b", epsilon=1)`` raises.
        """
        made: Problem = outward("problem_of_frame")(
            frame, secret, public, epsilon, delta, noise, options
        )
        return made

    def to_table(self) -> dict[str, Any]:
        """Return the problem in the shape of a problem file, every number as exact text.

        Example: ``Problem.from_table(problem.to_table()) == problem`` is ``True``.
        """
        pairs = {"pairs": [list(pair) for pair in self.pairs]}
        return {
            "schema": SCHEMA,
            "epsilon": self.epsilon.text,
            "delta": self.delta.text,
            **self.notion.to_table(),
            **({} if self.source.names_pairs else pairs),
            **beside(self.release.tables(self.protection), self.source.tables()),
            **({} if self.provenance is None else {"provenance": self.provenance.to_table()}),
        }

    def to_toml(self) -> str:
        """Return the text of a problem file in TOML, which reads back as this problem."""
        from pfverify.model.toml import toml_text

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
        with told_at(f"{shorten(place, 200)}: "):
            if not as_json and place.suffix.lower() != ".toml":
                raise InputError("expected a name that ends in .toml or .json")
            text = to_json(self.to_table()) if as_json else self.to_toml()
            if Problem.from_text(text, json_format=as_json) != self:
                raise InputError("the problem would be read as another one")
        save_text(place, text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        """What the canonical form is made of: equal keys and equal digests are the same thing."""
        return (
            self.epsilon.text,
            self.delta.text,
            self.notion,
            self.release.key(),
            self.protection,
            self.source.key(),
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
        noise = shorten(repr(self.release), 60)
        return f"<Problem {shown}{more}{beliefs}; {noise}; {target}, {self.form}>"

    @property
    def tells_records(self) -> bool:
        """Whether the problem says how many records its priors come from."""
        return self.provenance is not None and self.provenance.records is not None

    def questions(self) -> Iterator[Question]:
        """Yield every pair under every belief, in the order of the problem; both orders are meant.

        Laws are shared: the same secret has the same object in all its pairs.
        """
        single = self.notion.exceeding is Bound.EXCESS
        release, beliefs = self.release.resolved(self.beliefs, single=single)
        for belief, table in beliefs.items():
            for first, second in self.pairs:
                if first in table and second in table:  # else a partial source rules it out
                    yield Question(
                        belief, first, second, table[first], table[second], release,
                        self.requirement,
                    )  # fmt: skip

    @property
    def beliefs(self) -> Laws:
        """The priors: belief -> secret -> law of X."""
        return self.source.laws

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the numbers that X is, none where it is one number."""
        first = next(iter(next(iter(self.beliefs.values())).values()))
        return first.names if isinstance(first, Joint) else ()

    @property
    def noise(self) -> Noise:
        """The noise that is added to X, which may be none.

        InputError where something follows it: what asks here is about the noise alone.
        """
        if not self.release.plain:
            raise InputError(f"{self.release.kind}: expected one noise, once, that nothing follows")
        return self.release.noise

    @property
    def epsilon(self) -> Number:
        """The epsilon that is required, per unit of distance where the notion has one."""
        return self.requirement.epsilon

    @property
    def delta(self) -> Number:
        """The delta that is required."""
        return self.requirement.delta

    @property
    def protection(self) -> Protection:
        """What is kept apart."""
        return self.requirement.protection

    @property
    def notion(self) -> Notion:
        """The privacy notion."""
        return self.requirement.notion

    @property
    def form(self) -> str:
        """The name of the privacy notion, with its parameters."""
        return self.notion.text

    @property
    def named_notion(self) -> str | None:
        """The notion, None where priors with noise are compared at one epsilon."""
        usual = self.release.usual_between_priors and self.protection == PUFFERFISH
        return None if usual else self.protection.notion

    def replaced(
        self,
        *,
        epsilon: AnyNumber | None = None,
        delta: AnyNumber | None = None,
        scale: AnyNumber | None = None,
    ) -> Problem:
        """Return the same problem with another epsilon, delta or scale."""
        required = self.requirement
        return self._again(
            release=self.release if scale is None else self.release.with_scale(scale),
            requirement=Requirement(
                required.epsilon if epsilon is None else epsilon,
                required.delta if delta is None else delta,
                required.notion,
                required.protection,
            ),
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
        from pfverify.model.lattices import on_lattice

        self.release.require_scale("lattice")
        found = on_lattice(self.release, step, self.beliefs, self.pairs)
        return self._again(release=found)

    def under(self, release: Release) -> Problem:
        """Return the same problem about another release.

        Raises InputError where the laws are not for that one.
        """
        return self._again(release=release)

    def _again(
        self,
        *,
        source: Source | None = None,
        release: Release | None = None,
        requirement: Requirement | None = None,
    ) -> Problem:
        """The same problem, but for these parts."""
        required = self.requirement if requirement is None else requirement
        kept = self.source if source is None else source
        return Problem.of(
            None if required.protection.of_inputs else kept,
            self.release if release is None else release,
            required,
            None if self.source.names_pairs else self.pairs,
            self.provenance,
        )

    def for_any_rest(self) -> Problem:
        """Return the same problem about the user's own laws, whatever the others add.

        Raises InputError for a problem that states no system.
        Source: post-processing; multi-user paper, Theorems 1, 2 and 4.
        """
        if not isinstance(self.source, Users):
            raise InputError(
                "steps before the noise act on the sum, not on what one user adds"
                if self.source.steps else "the problem states priors, and no system of users"
            )  # fmt: skip
        return self._again(source=Users(self.source.system.for_any_rest()))

    def secrets_in_no_pair(self) -> list[str]:
        """Return the secrets that have a prior but are compared with nothing."""
        compared = {name for pair in self.pairs for name in pair}
        names = dict.fromkeys(name for table in self.beliefs.values() for name in table)
        return [name for name in names if name not in compared]

    def scale(self) -> Number:
        """Return the scale of the noise; InputError if the problem has none."""
        return self.release.noise.stated_scale()


def as_problem(problem: Problem | str | Path) -> Problem:
    """Return a problem as it is, or read the file of that name.

    Raises InputError for anything else. Example: ``as_problem("census.toml")``.
    """
    require(problem, (Problem, str, PurePath), "the problem")
    return problem if isinstance(problem, Problem) else Problem.load(problem)

"""Laws that come from a model of correlated records, of which one record is secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any, ClassVar, NamedTuple

from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.number import rational
from pfverify.model.chains.chain import Chain, chain_schema
from pfverify.model.chains.enclosed import UNCERTIFIED, LongChain, laws_of
from pfverify.model.chains.paths import ChainLaws
from pfverify.model.networks.elimination import NetworkLaws
from pfverify.model.networks.network import Network, network_schema
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Release
from pfverify.model.requirement import Requirement
from pfverify.model.sources.given import check_name
from pfverify.model.sources.source import DEFAULT_BELIEF, Source, tables_of

MAX_CHAINS = 10_000
"""Of one grid."""


class Correlated(Source):
    """Models of correlated records: belief -> model, or one model.

    Attributes: `model`, their class; `group`, their key in a digest; `one`, what each is called.
    Raises InputError for what is no such model, and for models with other secrets.
    """

    worked_out = True
    partial = True
    model: ClassVar[type[Chain | Network]]
    group: ClassVar[str]
    one: ClassVar[str]
    made: ClassVar[type[ChainLaws | NetworkLaws]]
    models: dict[str, Any]

    def __init__(self, models: object) -> None:
        table = models if isinstance(models, Mapping) else {DEFAULT_BELIEF: models}
        if not table:
            raise InputError(f"{self.law_word}: there is none, expected at least one")
        found: dict[str, Any] = {}
        for name, model in table.items():
            check_name("beliefs: the belief", name)
            if type(model) is not self.model:
                raise InputError(
                    f"{self.law_word}: expected {self.model.__name__}, got {type(model).__name__}"
                )
            found[name] = model
        if len({tuple(model.pairs()) for model in found.values()}) > 1:
            raise InputError(
                f"{self.law_word}: those of several beliefs must have the same secrets"
            )
        self._keep(models=found)

    def for_release(self, release: Release, required: Requirement) -> Correlated:
        """Return the same models with their laws.

        Raises InputError for a release of named inputs, and a notion between priors that are given.
        """
        if release.named and release.plain:
            raise InputError(
                f"{self.law_word}: a channel takes priors over its inputs, not a {self.law_word}"
            )
        protection = required.protection
        if protection.extended:
            raise InputError(
                f"notion: {protection.notion} is between priors that are given, and those of a "
                f"{self.law_word} are worked out"
            )
        found = type(self)(self.models)
        with told_at(f"{self.law_word}: "):
            laws = {belief: self._laws_of(model, release) for belief, model in self.models.items()}
        enclosed = any(isinstance(of, LongChain) for of in laws.values())
        found._keep(laws=laws, uncertified=UNCERTIFIED if enclosed else None)
        return found

    def _laws_of(self, model: Any, release: Release) -> Mapping[str, Prior]:
        """The laws of a model, as a release takes them."""
        del release
        return self.made(model)

    def pairs(self, stated: object) -> object:
        """Return the pairs that are possible under some belief, or those that the problem states.

        Raises InputError where none is possible, and for one that is stated and not.
        """
        every = next(iter(self.models.values())).pairs()
        possible = [
            (a, b) for a, b in every if any(a in laws and b in laws for laws in self.laws.values())
        ]
        if stated is None or [tuple(pair) for pair in _listed(stated)] == possible:
            if not possible:
                raise InputError(
                    f"{self.law_word}: no record can be two things, nothing is to be told apart"
                )
            return possible
        for name in {name for pair in _listed(stated) for name in pair}:
            for belief, laws in self.laws.items():
                if name not in laws and any(name in pair for pair in every):
                    raise InputError(
                        f"pairs: under belief {belief!r} the secret {shorten(name)!r} has "
                        "probability 0, and pufferfish privacy speaks of possible secrets only"
                    )
        return stated

    @property
    def names_pairs(self) -> bool:
        """False: a problem may state some of them."""
        return False

    def assumed(self) -> list[str]:
        """Return that the model is as given, and which secrets are impossible."""
        words = [f"the records are a {self.one}, exactly as given"]
        if len(self.models) > 1:
            words[0] = f"the records are one of these {len(self.models)} {self.one}s, exactly"
        for belief, laws in self.laws.items():
            names = {name for pair in self.models[belief].pairs() for name in pair}
            if absent := sorted(names - {*laws}):
                of = "" if len(self.models) == 1 else f" under belief {shorten(belief, 30)}"
                told = ", ".join(shorten(name, 30) for name in absent[:3])
                more = f" and {len(absent) - 3} more" if len(absent) > 3 else ""
                words.append(f"left out{of}, since they have probability 0: {told}{more}")
        return words

    def stated(self) -> list[tuple[str, str, str]]:
        """Return every model."""
        return [(belief, "", repr(model)) for belief, model in self.models.items()]

    def laws_of_records(self) -> Mapping[str, Prior]:
        """Return nothing: a record alone says little."""
        return {}

    def said(self, *, sized: bool = True) -> str:
        """Return what X is."""
        del sized
        words = next(iter(self.models.values())).words
        return f"X is {words}, worked out from the {self.law_word}."

    def tables(self) -> dict[str, Any]:
        """Return the table of the model, or `beliefs` where there are several."""
        return tables_of({
            belief: {model.table_name: model.to_table()} for belief, model in self.models.items()
        })  # fmt: skip

    def canonical_tables(self) -> dict[str, Any]:
        """Return belief and model as plain data."""
        return {self.group: [[name, model.canonical()] for name, model in self.models.items()]}

    def key(self) -> object:
        """Return belief and model."""
        return tuple(self.models.items())


class Chains(Correlated):
    """Markov chains, seen or hidden.

    Raises InputError for what is no chain, and for chains with other secrets.
    Example: ``Chains(chain).models["default"].length`` is ``5``.
    Source: Song, Wang and Chaudhuri, SIGMOD 2017, section 4.4.
    """

    law_word = "chain"
    remedy = "; fewer records, or fewer times in `at`, are less work"
    model, group, one, made = Chain, "chains", "Markov chain", ChainLaws
    models: dict[str, Chain]

    def _laws_of(self, model: Chain, release: Release) -> Mapping[str, Prior]:
        return laws_of(model, swept=type(release) is Laplace and release.has_size)


class Networks(Correlated):
    """Bayesian networks.

    Raises InputError for what is no network, and for networks with other secrets.
    Source: Song, Wang and Chaudhuri, SIGMOD 2017, section 4.1.
    """

    law_word = "network"
    remedy = "; fewer nodes, or `secret = false` for some, are less work"
    model, group, one, made = Network, "networks", "Bayesian network", NetworkLaws
    models: dict[str, Network]


def read_chains(word: str, table: Mapping[str, Any]) -> dict[str, Chain]:
    """Return belief -> chain of a table; InputError that begins with `word` and names the key.

    A `grid` gives a belief for each of its points, named as in ``p=1/10``.
    """
    with told_at(f"{word}."):
        grid = table.get("grid")
        if grid is None:
            return {DEFAULT_BELIEF: Chain.from_table(table)}
        axes = [[(name, value) for value in _axis(name, axis)] for name, axis in grid.items()]
        count = 1
        for axis in axes:
            count *= len(axis)
        if count > MAX_CHAINS:
            raise InputError(f"grid: {count} chains, expected at most {MAX_CHAINS}")
        rest = {key: value for key, value in table.items() if key != "grid"}
        found = {}
        for point in product(*axes):
            cells = {name: str(value) for name, value in point}
            cells |= {f"1-{name}": str(1 - value) for name, value in point}
            stated = rest | {"transition": _filled(rest.get("transition"), cells)}
            name = ", ".join(f"{name}={value}" for name, value in point)
            if name in found:
                raise InputError(f"grid: the point {shorten(name)} occurs twice")
            found[name] = Chain.from_table(stated)
        return found


def _axis(name: str, stated: Any) -> list[Any]:
    where = f"grid.{shorten(name, 20)}"
    first, last = (rational(x, where) for x in stated[:2])
    count = stated[2]
    if not name.isidentifier():
        raise InputError(f"{where}: no name of letters and digits")
    if isinstance(count, bool) or not isinstance(count, int) or count < 2:
        raise InputError(f"{where}: expected first, last and how many, at least 2")
    return [first + (last - first) * k / (count - 1) for k in range(count)]


def _filled(stated: Any, cells: Mapping[str, str]) -> Any:
    """Tables of transitions with numbers in place of the names of a grid."""
    if isinstance(stated, Mapping):
        return {key: _filled(value, cells) for key, value in stated.items()}
    if isinstance(stated, list):
        return [_filled(one, cells) for one in stated]
    return cells.get("".join(stated.split()), stated) if isinstance(stated, str) else stated


def _listed(pairs: Any) -> list[Any]:
    return [pair for pair in pairs if isinstance(pair, list | tuple)] if pairs else []


def read_networks(word: str, table: Mapping[str, Any]) -> dict[str, Network]:
    """Return belief -> network of a table; InputError that begins with `word`."""
    with told_at(f"{word}."):
        return {DEFAULT_BELIEF: Network.from_table(table)}


class ModelTable(NamedTuple):
    """A table that states a model: its source, what reads it, its part of the schema."""

    source: type[Correlated]
    read: Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
    definitions: Callable[[], dict[str, Any]]


MODELS = {
    "chain": ModelTable(Chains, read_chains, chain_schema),
    "hmm": ModelTable(Chains, read_chains, chain_schema),
    "network": ModelTable(Networks, read_networks, network_schema),
}
"""Name of a table of a problem file -> what it states."""


def read_models(
    word: str, tables: Mapping[str, Mapping[str, Any]]
) -> Correlated:
    """Return the source of belief -> table, all named `word`; InputError naming where.

    Example: ``read_models("chain", {})`` raises: there is none.
    """
    row, found = MODELS[word], {}
    for belief, table in tables.items():
        alone = belief == DEFAULT_BELIEF and len(tables) == 1
        where = word if alone else f"beliefs.{shorten(belief, 30)}.{word}"
        for point, model in row.read(where, table).items():
            name = belief if point == DEFAULT_BELIEF else point if alone else f"{belief}, {point}"
            if name in found:
                raise InputError(f"{where}: two beliefs would be called {shorten(name)!r}")
            found[name] = model
    return row.source(found)

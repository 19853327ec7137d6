"""Laws that come from a Markov chain of records, of which one record is secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.model.chains.chain import Chain
from pfverify.model.chains.paths import ChainLaws
from pfverify.model.priors.prior import Prior
from pfverify.model.protection import Protection
from pfverify.model.releases.release import Release
from pfverify.model.sources.given import check_name
from pfverify.model.sources.source import DEFAULT_BELIEF, Source

MAX_CHAINS = 10_000
"""Of one grid."""


class Chains(Source):
    """Chains of records: belief -> chain, or one chain.

    Raises InputError for what is no chain, and for chains with other secrets.
    Example: ``Chains(chain).chains["default"].length`` is ``5``.
    Source: Song, Wang and Chaudhuri, SIGMOD 2017, section 4.4.
    """

    law_word = "chain"
    remedy = "; fewer records, or fewer times in `at`, are less work"
    worked_out = True
    partial = True
    chains: dict[str, Chain]

    def __init__(self, chains: object) -> None:
        table = chains if isinstance(chains, Mapping) else {DEFAULT_BELIEF: chains}
        if not table:
            raise InputError("chain: there is none, expected at least one")
        found: dict[str, Chain] = {}
        for name, chain in table.items():
            check_name("beliefs: the belief", name)
            if type(chain) is not Chain:
                raise InputError(f"chain: expected Chain, got {type(chain).__name__}")
            found[name] = chain
        if len({tuple(chain.pairs()) for chain in found.values()}) > 1:
            raise InputError("chain: the chains of several beliefs must have the same secrets")
        self._keep(chains=found)

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Chains:
        """Return the chains of the table of a problem file, of a grid as a list of them."""
        return cls(read_chains("chain", table))

    @classmethod
    def from_hidden(cls, table: Mapping[str, Any]) -> Chains:
        """Return the same of the table `hmm`."""
        return cls(read_chains("hmm", table))

    def for_release(self, release: Release, protection: Protection) -> Chains:
        """Return the same chains with their laws, which are worked out when asked for.

        Raises InputError for a release of named inputs, and a notion between priors that are given.
        """
        if release.named and release.plain:
            raise InputError("chain: a channel takes priors over its inputs, not a chain")
        if protection.extended:
            raise InputError(
                f"notion: {protection.notion} is between priors that are given, and those of a "
                "chain are worked out"
            )
        found = Chains(self.chains)
        try:
            found._keep(laws={belief: ChainLaws(chain) for belief, chain in self.chains.items()})
        except InputError as error:
            raise InputError(f"chain: {error}") from None
        return found

    def pairs(self, stated: object) -> object:
        """Return the pairs that are possible under some belief, or those that the problem states.

        Raises InputError where none is possible, and for one that is stated and not.
        """
        every = next(iter(self.chains.values())).pairs()
        possible = [
            (a, b) for a, b in every if any(a in laws and b in laws for laws in self.laws.values())
        ]
        if stated is None or [tuple(pair) for pair in _listed(stated)] == possible:
            if not possible:
                raise InputError("chain: no record can be two things, nothing is to be told apart")
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
        """Return that the chain is as given, and which secrets are impossible."""
        words = ["the records are a Markov chain, exactly as given"]
        if len(self.chains) > 1:
            words[0] = f"the records are one of these {len(self.chains)} Markov chains, exactly"
        for belief, laws in self.laws.items():
            names = {name for pair in self.chains[belief].pairs() for name in pair}
            if absent := sorted(names - {*laws}):
                of = "" if len(self.chains) == 1 else f" under belief {shorten(belief, 30)}"
                told = ", ".join(shorten(name, 30) for name in absent[:3])
                more = f" and {len(absent) - 3} more" if len(absent) > 3 else ""
                words.append(f"left out{of}, since they have probability 0: {told}{more}")
        return words

    def stated(self) -> list[tuple[str, str, str]]:
        """Return every chain."""
        return [(belief, "", repr(chain)) for belief, chain in self.chains.items()]

    def laws_of_records(self) -> Mapping[str, Prior]:
        """Return nothing: a record alone says little."""
        return {}

    def said(self, *, sized: bool = True) -> str:
        """Return what X is."""
        del sized
        return f"X is {next(iter(self.chains.values())).words}, worked out from the chain."

    def tables(self) -> dict[str, Any]:
        """Return `chain` or `hmm`, or `beliefs` where there are several."""
        tables = {
            belief: {"chain" if chain.observation is None else "hmm": chain.to_table()}
            for belief, chain in self.chains.items()
        }
        alone = list(tables) == [DEFAULT_BELIEF]
        return tables[DEFAULT_BELIEF] if alone else {"beliefs": tables}

    def canonical_tables(self) -> dict[str, Any]:
        """Return belief and chain as plain data."""
        return {"chains": [[name, chain.canonical()] for name, chain in self.chains.items()]}

    def key(self) -> object:
        """Return belief and chain."""
        return tuple(self.chains.items())


def read_chains(word: str, table: Mapping[str, Any]) -> dict[str, Chain]:
    """Return belief -> chain of a table; InputError that begins with `word` and names the key.

    A `grid` gives a belief for each of its points, named as in ``p=1/10``.
    """
    try:
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
            found[name] = Chain.from_table(stated)
        return found
    except InputError as error:
        raise InputError(f"{word}.{error}") from None


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


READ: dict[str, Callable[[Mapping[str, Any]], Chains]] = {
    "chain": Chains.from_table, "hmm": Chains.from_hidden
}  # fmt: skip

"""A Bayesian network of records: what its nodes are, and what they add to the released sum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from typing import Any

from pfverify.errors import InputError, listed, shorten, told_at
from pfverify.exact.number import rational
from pfverify.model.fixed import Fixed
from pfverify.model.keys import AMOUNTS, Key, table_of_keys
from pfverify.model.sources.given import check_name
from pfverify.model.sums import check_law
from pfverify.model.words import check_keys

MAX_NODES = 1_000
MAX_PARENTS = 16
States = tuple[str, ...]
_NODE = (
    Key("parents", "the nodes that it depends on", {"type": "array", "items": {"type": "string"}}),
    Key(
        "table", "state -> mass; with parents nested by their states",
        {"type": "object", "minProperties": 1}, needed=True,
    ),
    Key("value", "state -> what it adds to X; default 0", AMOUNTS),
    Key("secret", "default true", {"type": "boolean"}),
)  # fmt: skip


@dataclass(frozen=True)
class NetworkNode:
    """One record: the chances of its states given those of its parents, and what a state adds."""

    parents: tuple[str, ...]
    states: tuple[str, ...]
    chances: dict[States, tuple[Fraction, ...]]
    values: tuple[Fraction, ...]
    secret: bool


class Network(Fixed):
    """A Bayesian network, the sum of whose values is released.

    Parameters: node -> a table of `table`, state -> mass, or with `parents` (a list of nodes) such
    tables nested by the states of the parents, in their order; `value`, state -> what it adds to X
    (0 where none is stated); `secret`, whether the node's state is to be hidden, default true.

    Raises InputError naming the node and the key.
    Example: ``Network({"rain": {"table": {"yes": "1/4", "no": "3/4"}, "value": {"yes": 1}},
    "wet": {"parents": ["rain"], "table": {"yes": {"yes": 1}, "no": {"no": "9/10", "yes": "1/10"}},
    "value": {"yes": 1}}}).names`` is ``("rain", "wet")``.
    Source: Song, Wang and Chaudhuri, SIGMOD 2017, section 4.1.
    """

    table_name = "network"
    nodes: dict[str, NetworkNode]

    def __init__(self, nodes: object) -> None:
        if not isinstance(nodes, Mapping) or not 0 < len(nodes) <= MAX_NODES:
            raise InputError(f"expected a table of 1 to {MAX_NODES} nodes")
        graph = {name: _parents(name, one, nodes) for name, one in nodes.items()}
        try:
            order = list(TopologicalSorter(graph).static_order())
        except CycleError as error:
            cycle = " -> ".join(shorten(name, 20) for name in error.args[1])
            raise InputError(f"the nodes {cycle} are a cycle") from None
        made: dict[str, NetworkNode] = {}
        for name in order:
            with told_at(f"{shorten(name, 30)}."):
                made[name] = _node(nodes[name], graph[name], made)
        self._keep(nodes={name: made[name] for name in nodes})
        secrets = [
            f"{name}:{state}" for name, one in made.items() if one.secret for state in one.states
        ]
        if len(set(secrets)) < len(secrets):
            raise InputError("two secrets would be called the same; expected no : in names")

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes, in their order."""
        return tuple(self.nodes)

    def pairs(self) -> list[tuple[str, str]]:
        """Return one state against another of every secret node, possible or not."""
        return [
            (f"{name}:{a}", f"{name}:{b}")
            for name, node in self.nodes.items() if node.secret
            for a, b in combinations(node.states, 2)
        ]  # fmt: skip

    @property
    def words(self) -> str:
        """What X is, in words."""
        return f"the sum over the {len(self.nodes)} nodes of a Bayesian network"

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Network:
        """Read the table of a problem file; InputError naming the node and the key."""
        return cls(table)

    def to_table(self) -> dict[str, Any]:
        """Return the table that `from_table` reads as this network."""
        return {name: self._node_table(node) for name, node in self.nodes.items()}

    def _node_table(self, node: NetworkNode) -> dict[str, Any]:
        found: dict[str, Any] = {
            **({"parents": list(node.parents)} if node.parents else {}),
            "table": _nested(node, [self.nodes[name].states for name in node.parents], ()),
            "value": {s: str(x) for s, x in zip(node.states, node.values, strict=True)},
        }
        return found if node.secret else found | {"secret": False}

    def canonical(self) -> list[Any]:
        """Return the one form of the network that goes into the digest of a problem."""
        return [
            [
                name, list(node.parents), list(node.states),
                [[list(given), [str(x) for x in row]] for given, row in node.chances.items()],
                [str(x) for x in node.values], node.secret,
            ]
            for name, node in self.nodes.items()
        ]  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Network) and self.nodes == other.nodes and (
            self.names == other.names
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash(repr(self.canonical()))

    def __repr__(self) -> str:
        return f"<Network of {len(self.nodes)} nodes>"


def network_schema() -> dict[str, Any]:
    """Return the definitions of a network and its nodes, for the published schema."""
    return {
        "network": {
            "type": "object", "minProperties": 1,
            "additionalProperties": {"$ref": "#/$defs/node"},
        },
        "node": table_of_keys(_NODE),
    }


def _nested(node: NetworkNode, left: Sequence[States], given: States) -> dict[str, Any]:
    if left:
        return {state: _nested(node, left[1:], (*given, state)) for state in left[0]}
    row = zip(node.states, node.chances[given], strict=True)
    return {state: str(mass) for state, mass in row}


def _parents(name: object, one: object, nodes: Mapping[Any, object]) -> tuple[str, ...]:
    check_name("the node", name)
    where = shorten(name, 30)
    if not isinstance(one, Mapping):
        raise InputError(f"{where}: expected a table with the key table, got {shorten(one)!r}")
    check_keys(one, [key.name for key in _NODE], f"{where}: ")
    parents = listed(one.get("parents", ()), f"{where}.parents", "a list of nodes")
    for parent in parents:
        if parent not in nodes:
            raise InputError(f"{where}.parents: {shorten(parent)!r} is no node")
    if len(set(parents)) < len(parents) or len(parents) > MAX_PARENTS:
        raise InputError(f"{where}.parents: expected at most {MAX_PARENTS}, all different")
    return tuple(parents)


def _node(
    one: Mapping[str, Any], parents: tuple[str, ...], made: Mapping[str, NetworkNode]
) -> NetworkNode:
    if "table" not in one:
        raise InputError("table: missing")
    rows = dict(_rows(one["table"], [made[name].states for name in parents], (), "table"))
    states = tuple(dict.fromkeys(state for row in rows.values() for state in row))
    for state in states:
        check_name("table: the state", state)
    chances = {}
    for given, row in rows.items():
        where = ".".join(["table", *(shorten(state, 20) for state in given)])
        masses = tuple(rational(row.get(state, 0), f"{where}.{shorten(state, 20)}")
                       for state in states)  # fmt: skip
        check_law(masses, where)
        chances[given] = masses
    value, secret = one.get("value", {}), one.get("secret", True)
    if not isinstance(value, Mapping):
        raise InputError("value: expected a table state -> number")
    check_keys(value, states, "value: ")
    if not isinstance(secret, bool):
        raise InputError(f"secret: expected true or false, got {shorten(secret)!r}")
    values = tuple(rational(value.get(s, 0), f"value.{shorten(s, 20)}") for s in states)
    return NetworkNode(parents, states, chances, values, secret)


def _rows(
    stated: object, left: Sequence[States], given: States, where: str
) -> Iterator[tuple[States, Mapping[str, Any]]]:
    """The tables of masses, by the states of the parents, which nest in their order."""
    if not isinstance(stated, Mapping) or not stated:
        raise InputError(f"{where}: expected a table, got {shorten(stated)!r}")
    if not left:
        yield given, stated
        return
    if {*stated} != {*left[0]}:
        raise InputError(
            f"{where}: expected a table for each state of the parent: "
            f"{shorten(', '.join(left[0]), 60)}"
        )
    for state in left[0]:
        yield from _rows(stated[state], left[1:], (*given, state), f"{where}.{shorten(state, 20)}")

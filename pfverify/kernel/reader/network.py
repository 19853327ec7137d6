"""Bayesian networks of records: their secrets, and the laws of the sum of their values.

Everything comes from the problem's table, nothing from the certificate.  With integers for chances
the joint weight of all nodes is the product of one factor for each node, w(node | parents) B^(what
its state adds); B is a power of 2 above the sum of all weights, so that sums over states are sums
of integers, and the digits in base B of a sum over all nodes but one are the weights of X given
that node.  Nodes are summed out one by one, each time the product of the factors that have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from math import gcd, prod
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, canonical, shown
from core.shapes import array, common_denominator, exact_sum, rational, string, table
from core.work import TooMuchWork, product, spend
from reader.correlated import Correlated, correlated, stated_models
from reader.crowd import Places, Points, over
from reader.priors import require_name

if TYPE_CHECKING:
    from reader.protocols import Release

MAX_NODES, MAX_PARENTS, MAX_ENTRIES, MAX_BITS = 1_000, 16, 1 << 16, 1 << 26
States = tuple[str, ...]
Factor = tuple[tuple[str, ...], dict[States, int]]  # nodes, and a weight of their states


class Node(NamedTuple):
    """One record: its chances given the states of its parents, what its states add, and whether it
    is secret."""

    parents: list[str]
    states: list[str]
    chances: dict[States, list[Fraction]]
    values: list[Fraction]
    secret: bool


class Network(NamedTuple):
    """The nodes, in the order of the file."""

    nodes: dict[str, Node]

    def every(self) -> list[tuple[str, str]]:
        """One state against another of every secret node."""
        spend(sum(4 * len(node.states) ** 2 for node in self.nodes.values()))
        return [
            (f"{name}:{a}", f"{name}:{b}")
            for name, node in self.nodes.items() if node.secret
            for a, b in combinations(node.states, 2)
        ]  # fmt: skip

    def secrets(self) -> dict[str, tuple[str, str]]:
        """Those that are possible: node and state."""
        found: dict[str, tuple[str, str]] = {}
        sums = self.sums()
        for name, node in self.nodes.items():
            for state in node.states if node.secret else ():
                if sums.given(name, state):
                    found[f"{name}:{state}"] = name, state
        return found

    def sums(self) -> Sums:
        """What works out the laws."""
        return Sums(self)

    def canonical(self) -> list[Any]:
        """The network as it goes into a digest."""
        return [
            [
                name, node.parents, node.states,
                [[list(given), [canonical(x) for x in row]] for given, row in node.chances.items()],
                [canonical(x) for x in node.values], node.secret,
            ]
            for name, node in self.nodes.items()
        ]  # fmt: skip


def source(value: Any, release: Release) -> Correlated:
    """The networks of a problem, of one belief or of several."""
    networks = {
        name or "default": network(stated)
        for name, _, stated in stated_models(value, {"network"})
    }
    return correlated(value, networks, "networks", "a Bayesian network")


def network(stated: Any) -> Network:
    """The network of a table."""
    if type(stated) is not dict or not 0 < len(stated) <= MAX_NODES:
        raise Malformed(f"a network must be a table of 1 to {MAX_NODES} nodes")
    graph = {}
    for name, one in stated.items():
        require_name(name)
        table(one, f"node {shown(name)}", {"table"}, {"parents", "value", "secret"})
        parents = [string(p, "a parent") for p in array(one.get("parents", []), "parents")]
        if len(set(parents)) < len(parents) or not stated.keys() >= {*parents}:
            raise Malformed(f"node {shown(name)}: parents must be different nodes")
        if len(parents) > MAX_PARENTS:
            raise Malformed(f"node {shown(name)} has more than {MAX_PARENTS} parents")
        graph[name] = parents
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError:
        raise Malformed("the network has a cycle") from None
    nodes: dict[str, Node] = {}
    for name in order:
        nodes[name] = _node(name, stated[name], graph[name], nodes)
    secrets = [f"{name}:{s}" for name, node in nodes.items() if node.secret for s in node.states]
    if len(set(secrets)) < len(secrets):
        raise Malformed("two secrets have the same name")
    return Network({name: nodes[name] for name in stated})


def _node(name: str, stated: Any, parents: list[str], nodes: dict[str, Node]) -> Node:
    what = f"node {shown(name)}"
    rows = dict(_rows(stated["table"], [nodes[p].states for p in parents], what))
    states = list(dict.fromkeys(state for row in rows.values() for state in row))
    for state in states:
        require_name(state)
    chances = {}
    for given, row in rows.items():
        masses = [rational(row.get(state, 0), what) for state in states]
        if any(mass < 0 for mass in masses) or exact_sum(masses, what) != 1:
            raise Malformed(f"{what}: masses must be at least 0 and sum to 1")
        chances[given] = masses
    value = stated.get("value", {})
    table(value, f"{what}: value", set(), set(states))
    secret = stated.get("secret", True)
    if type(secret) is not bool:
        raise Malformed(f"{what}: secret must be true or false")
    values = [rational(value.get(state, 0), f"{what}: value") for state in states]
    return Node(parents, states, chances, values, secret)


def _rows(stated: Any, left: list[list[str]], what: str) -> Iterator[tuple[States, dict[str, Any]]]:
    """The tables of masses, by the states of the parents, which nest in their order."""
    spend(16)
    if not left:
        if type(stated) is not dict or not stated:
            raise Malformed(f"{what}: a table of masses is missing")
        yield (), stated
        return
    table(stated, what, set(left[0]))
    for state in left[0]:
        for given, row in _rows(stated[state], left[1:], what):
            yield (state, *given), row


class Sums:
    """The laws of a network, a node at a time."""

    def __init__(self, network: Network) -> None:
        nodes = network.nodes
        self.places = Places([({x: Fraction(1) for x in one.values}, 1) for one in nodes.values()])
        at = {name: [over(x, self.places.means) for x in one.values] for name, one in nodes.items()}
        self.origin = sum(min(places) for places in at.values())
        gaps = {k - min(places) for places in at.values() for k in places}
        self.step = gcd(*gaps) or 1
        scales = {
            name: common_denominator((m for row in one.chances.values() for m in row), "a node")
            for name, one in nodes.items()
        }
        self.bits = sum(scale.bit_length() for scale in scales.values()) + 1
        self.length = 1 + sum(max(places) - min(places) for places in at.values()) // self.step
        if self.bits * self.length > MAX_BITS:
            raise TooMuchWork("too much work: a network with too many sums of values")
        self.sizes = {name: len(one.states) for name, one in nodes.items()}
        self.factors: list[Factor] = []
        for name, one in nodes.items():
            shifts = [self.bits * ((k - min(at[name])) // self.step) for k in at[name]]
            spend(len(one.chances) * sum(4 + (shift >> 5) for shift in shifts))  # as they are long
            self.factors.append(((*one.parents, name), {
                (*given, state): over(mass, scales[name]) << shift
                for given, row in one.chances.items()
                for state, mass, shift in zip(one.states, row, shifts, strict=True) if mass
            }))  # fmt: skip
        self.known: dict[str, dict[States, int]] = {}

    def given(self, node: str, state: str) -> Points:
        """The weights of the sum given that a node has a state; [] where it never has."""
        if node not in self.known:
            self.known[node] = self._summed(node)
        digits = self.known[node].get((state,), 0)
        data = digits.to_bytes((self.bits * self.length >> 3) + 1, "little")
        spend(4 * self.length + len(data) // 64)
        found = []
        for k in range(self.length):
            low, high = self.bits * k, self.bits * (k + 1)
            part = int.from_bytes(data[low >> 3 : (high >> 3) + 1], "little") >> (low & 7)
            if weight := part & ((1 << self.bits) - 1):
                found.append((self.origin + k * self.step, weight))
        return found

    def _summed(self, kept: str) -> dict[States, int]:
        factors, left = list(self.factors), self.sizes.keys() - {kept}
        while left:
            scopes = {
                name: {n for nodes, _ in factors if name in nodes for n in nodes} for name in left
            }
            spend(8 * len(left) * len(factors))
            sizes = {name: prod(self.sizes[n] for n in scope) for name, scope in scopes.items()}
            node = min(left, key=lambda name: (sizes[name], name))
            if sizes[node] > MAX_ENTRIES:
                raise TooMuchWork("too much work: a network that is too tangled")
            with_it = [factor for factor in factors if node in factor[0]]
            factors = [factor for factor in factors if node not in factor[0]]
            factors.append(_without(reduce(self._joined, with_it), node))
            left = left - {node}
        return reduce(self._joined, factors)[1]

    def _joined(self, one: Factor, other: Factor) -> Factor:
        """The product of two factors."""
        shared = [name for name in other[0] if name in one[0]]
        more = [name for name in other[0] if name not in one[0]]
        places, rest = ([other[0].index(name) for name in names] for names in (shared, more))
        own = [one[0].index(name) for name in shared]
        groups: dict[States, list[tuple[States, int]]] = {}
        for states, weight in other[1].items():
            key = tuple(states[k] for k in places)
            groups.setdefault(key, []).append((tuple(states[k] for k in rest), weight))
        found: dict[States, int] = {}
        for states, weight in one[1].items():
            for tail, factor in groups.get(tuple(states[k] for k in own), ()):
                spend(8 + product(max(weight.bit_length(), factor.bit_length())))
                found[states + tail] = weight * factor
        return (*one[0], *more), found


def _without(factor: Factor, node: str) -> Factor:
    """A factor with one node summed out."""
    at = factor[0].index(node)
    found: dict[States, int] = {}
    for states, weight in factor[1].items():
        spend(4 + (weight.bit_length() >> 9))
        key = states[:at] + states[at + 1 :]
        found[key] = found.get(key, 0) + weight
    return factor[0][:at] + factor[0][at + 1 :], found

"""Bayesian networks of records, whose values are summed, as a table states them.

Everything comes from the problem's table, nothing from the certificate.  The states of a node are
those that its table of masses names.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

from core.grammar import Malformed, canonical, shown
from core.shapes import array, rational, string, table
from reader.correlated import Asked, Model, correlated, masses_of, record, stated_models
from reader.places import ZERO
from reader.priors import Given, require_name
from reader.records import Name, Record

if TYPE_CHECKING:
    from reader.protocols import Release

MAX_NODES, MAX_PARENTS = 1_000, 16


def source(value: Any, release: Release) -> Given:
    """The networks of a problem, of one belief or of several."""
    networks = {
        name or "default": network(stated)
        for name, _, stated in stated_models(value, {"network"})
    }
    return correlated(value, networks, "networks", "a Bayesian network")


def network(stated: Any) -> Model:
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
    records: dict[Name, Record] = {}
    written = {}
    for name in order:
        one, what = stated[name], f"node {shown(name)}"
        left = [[*records[parent].adds] for parent in graph[name]]
        rows = masses_of(one["table"], what, left)
        states = list(dict.fromkeys(state for row in rows.values() for state in row))
        for state in states:
            require_name(state)
        value, secret = one.get("value", {}), one.get("secret", True)
        table(value, f"{what}: value", set(), set(states))
        if type(secret) is not bool:
            raise Malformed(f"{what}: secret must be true or false")
        adds = {state: rational(value.get(state, 0), f"{what}: value") for state in states}
        records[name] = record(graph[name], rows, adds)
        written[name] = [
            name, graph[name], states,
            [[list(given), [canonical(row.get(state, ZERO)) for state in states]]
             for given, row in rows.items()],
            [canonical(x) for x in adds.values()], secret,
        ]  # fmt: skip
    asked = [
        Asked(name, name, [*records[name].adds]) for name in stated if written[name][-1]
    ]
    secrets = [f"{one.name}:{state}" for one in asked for state in one.states]
    if len(set(secrets)) < len(secrets):
        raise Malformed("two secrets have the same name")
    return Model(
        {name: records[name] for name in stated}, asked, [written[name] for name in stated]
    )

"""The laws of the sum of a network's values, given one node: all others are summed out, exactly.

With integer weights for masses, the joint weight of all nodes is a product of factors, one for each
node: its weight given its parents, times z to the power of what its state adds. A node is summed
out of the product of the factors that have it; the order takes the smallest table first.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from math import lcm, prod

from pfverify.errors import InputError
from pfverify.exact.common import common_step
from pfverify.exact.polynomials import Polynomial
from pfverify.model.networks.network import Network, NetworkNode, States
from pfverify.model.priors.by_secret import BySecret
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Prior
from pfverify.model.sums import check_bits

MAX_ENTRIES = 1 << 16
"""Of one table that an elimination makes."""
_REMEDY = "; expected fewer nodes, or values on a coarser lattice"
_Table = dict[States, Polynomial]
_Factor = tuple[tuple[str, ...], _Table]


class NetworkLaws(BySecret):
    """Secret -> law of the sum; secrets that are impossible are left out.

    Raises InputError for a network whose tables, or whose sums, would be too large.
    Example: ``NetworkLaws(Network({"rain": {"table": {"yes": "1/4", "no": "3/4"}, "value":
    {"yes": 1}}}))["rain:yes"].atoms[0]`` is ``1``.
    """

    def __init__(self, network: Network) -> None:
        lows = {name: min(one.values) for name, one in network.nodes.items()}
        gaps = [x - lows[name] for name, one in network.nodes.items() for x in one.values]
        step = common_step(gaps) or Fraction(1)
        width = sum(max(one.values) - lows[name] for name, one in network.nodes.items())
        bits = sum(_scale(one).bit_length() for one in network.nodes.values())
        check_bits("the sum", int(width / step) + 1, bits, _REMEDY)
        factors = [_factor(name, one, lows[name], step) for name, one in network.nodes.items()]
        sizes = {name: len(one.states) for name, one in network.nodes.items()}
        least = sum(lows.values(), Fraction(0))
        self._laws: dict[str, Discrete] = {}
        super().__init__(self._laws)
        for name, one in network.nodes.items():
            if one.secret:
                found = _summed_out(factors, sizes, name)
                for state in one.states:
                    if (state,) in found:
                        weights = found[state,].coefficients()
                        law = Discrete.on_lattice(least, step, weights)
                        self._laws[f"{name}:{state}"] = law

    def __getitem__(self, name: str) -> Prior:
        return self._laws[name]


def _scale(node: NetworkNode) -> int:
    return lcm(*(mass.denominator for row in node.chances.values() for mass in row))


def _factor(name: str, node: NetworkNode, low: Fraction, step: Fraction) -> _Factor:
    scale = _scale(node)
    places = [int((x - low) / step) for x in node.values]
    return (*node.parents, name), {
        (*given, state): Polynomial([*[0] * place, int(mass * scale)])
        for given, row in node.chances.items()
        for state, place, mass in zip(node.states, places, row, strict=True) if mass
    }  # fmt: skip


def _summed_out(factors: list[_Factor], sizes: Mapping[str, int], kept: str) -> _Table:
    """The factor of one node alone: all others are summed out."""
    left = sizes.keys() - {kept}
    while left:
        scopes = {
            name: {other for nodes, _ in factors if name in nodes for other in nodes}
            for name in left
        }
        entries = {name: prod(sizes[n] for n in scope) for name, scope in scopes.items()}
        node = min(left, key=lambda name: (entries[name], name))
        if entries[node] > MAX_ENTRIES:
            raise InputError(
                f"the network is too tangled: a table of {entries[node]} entries would be needed, "
                f"expected at most {MAX_ENTRIES}"
            )
        having = [factor for factor in factors if node in factor[0]]
        factors = [factor for factor in factors if node not in factor[0]]
        factors.append(_without(reduce(_product, having), node))
        left = left - {node}
    return reduce(_product, factors)[1]


def _product(one: _Factor, other: _Factor) -> _Factor:
    shared = [name for name in other[0] if name in one[0]]
    more = [name for name in other[0] if name not in one[0]]
    places = [other[0].index(name) for name in shared]
    rest = [other[0].index(name) for name in more]
    own = [one[0].index(name) for name in shared]
    groups: dict[States, list[tuple[States, Polynomial]]] = {}
    for states, weight in other[1].items():
        key = tuple(states[k] for k in places)
        groups.setdefault(key, []).append((tuple(states[k] for k in rest), weight))
    return (*one[0], *more), {
        states + tail: weight * factor
        for states, weight in one[1].items()
        for tail, factor in groups.get(tuple(states[k] for k in own), ())
    }


def _without(factor: _Factor, node: str) -> _Factor:
    at = factor[0].index(node)
    found: _Table = {}
    for states, weight in factor[1].items():
        key = states[:at] + states[at + 1 :]
        found[key] = found[key] + weight if key in found else weight
    return factor[0][:at] + factor[0][at + 1 :], found

"""The tables of what this kernel reads: sources, releases, notions and kinds of noise.

`protocols` says how one is added.  What no row names is refused.  The modules named here are loaded
when a problem first needs them, so that an answer rests on no others.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from core.grammar import Malformed, shown


class Row(NamedTuple):
    """What the name of a table, or of a notion, stands for."""

    module: str  # with the function that reads it: `source`, `release` or `notion`
    goes: tuple[str, ...]
    own: tuple[str, ...] = ()  # of a notion: its keys, which the others have not

    def reader(self, what: str) -> Callable[..., Any]:
        """That function."""
        read: Callable[..., Any] = getattr(import_module(self.module), what)
        return read


SOURCES = {  # a table that laws of X come from: the tables that it may stand beside
    "priors": Row("reader.priors", ("noise", "channel", "post")),
    "beliefs": Row("reader.beliefs", ("noise", "channel", "post")),
    "lists": Row("reader.lists", ("noise", "post")),
    "system": Row("reader.system", ("noise", "post")),
    **dict.fromkeys(("chain", "hmm"), Row("reader.chain", ("noise", "post"))),
    "network": Row("reader.network", ("noise", "post")),
    "channel": Row("reader.released", ("channel",)),  # its inputs, where none of these is stated
    "parts": Row("reader.composition", ("parts",)),
}
RELEASES = {  # a table that says what becomes of X: what may stand beside it; no notion: in it
    "parts": Row("reader.composition", ("notion",)),  # each a source and a release
    "channel": Row("reader.released", ("post",)),
    "post": Row("reader.post", ("notion", "noise", "pre")),  # steps after that noise
    "noise": Row("reader.noise", ("notion", "metric", "pre")),  # steps on X before it
}
METRIC, RELATED = ("metric", "distance", "points"), ("inputs_related",)
NOTIONS = {  # a notion of privacy: whose laws it is about
    "distp": Row("reader.reader", ("priors", "users", "steps", "parts")),
    "xdistp": Row("reader.protection", ("priors",), METRIC),
    "dp": Row("reader.reader", ("inputs",), RELATED),
    "xdp": Row("reader.protection", ("inputs",), METRIC + RELATED),
}


class NoiseKind(NamedTuple):
    """What holds of one kind of noise whatever the priors."""

    amount: str | None  # what a problem states of it
    monotone: str | None  # the fact by which more of it is as private
    dense: bool  # whether it promises densities of every prior
    lattice: bool  # whether it lives on the multiples of a step, which a problem states
    stated: bool = True  # whether a table `noise` states it
    by: str | None = None  # the module whose `noise` reads it, where it has more than an amount


NOISES = {
    "laplace": NoiseKind("scale", "F2", dense=True, lattice=False),
    "discrete-laplace": NoiseKind("scale", "F40k", dense=False, lattice=True),
    "gaussian": NoiseKind("variance", "F2G", dense=True, lattice=False),
    "discrete-gaussian": NoiseKind("variance", None, dense=False, lattice=True),
    "truncated-laplace": NoiseKind("scale", None, dense=True, lattice=False, by="reader.truncated"),
    "truncated-discrete-laplace": NoiseKind(
        "scale", None, dense=False, lattice=True, by="reader.truncated_lattice"
    ),
    "bounded-laplace": NoiseKind("scale", None, dense=True, lattice=False, by="reader.bounded"),
    **dict.fromkeys(  # before a choice alone, which reads it
        ("exponential", "gumbel"),
        NoiseKind("scale", None, dense=True, lattice=False, stated=False),
    ),
    "none": NoiseKind(None, None, dense=False, lattice=False),
    "table": NoiseKind(None, None, dense=False, lattice=False, by="reader.tabled"),
    "channel": NoiseKind(None, None, dense=False, lattice=False, stated=False),  # has outputs
    "kept": NoiseKind(None, None, dense=True, lattice=False, stated=False),  # what steps leave
    "releases": NoiseKind("scale", "F2", dense=True, lattice=False, stated=False),  # of one X
    "fresh": NoiseKind("scale", "F2", dense=True, lattice=False, stated=False),  # of fresh draws
    "repeated": NoiseKind(None, None, dense=True, lattice=False, stated=False),  # of one X, others
    "unprocessed": NoiseKind("scale", None, dense=True, lattice=False, stated=False),  # then steps
    "composition": NoiseKind(None, None, dense=False, lattice=False, stated=False),  # of parts
    "drawn": NoiseKind(None, None, dense=False, lattice=False, stated=False),  # without noise
}


def noise_kind(noise: str) -> NoiseKind:
    """What holds of a noise, or Malformed."""
    if noise not in NOISES:
        raise Malformed(f"noise of kind {shown(noise)} is not known to this kernel")
    return NOISES[noise]

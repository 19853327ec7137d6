"""The tables of what this kernel reads and judges, and the laws and rules that they speak of.

Sources, releases and notions (`protocols` says how one is added), kinds of noise and of laws, their
goals and rules.  What no row names is refused.  The modules named here are loaded when a problem, a
goal or a step first needs them, so that an answer rests on no others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple

from grammar import Malformed, shown

FORMS = ("events", "pointwise")
EVENTS, POINTWISE = ("events",), ("pointwise",)


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
    "priors": Row("priors", ("noise", "channel", "post")),
    "beliefs": Row("beliefs", ("noise", "channel", "post")),
    "system": Row("system", ("noise", "post")),
    **dict.fromkeys(("chain", "hmm"), Row("chain", ("noise", "post"))),
    "network": Row("network", ("noise", "post")),
    "channel": Row("released", ("channel",)),  # its inputs, where none of these is stated
}
RELEASES = {  # a table that says what becomes of X: what may stand beside it; no notion: in it
    "channel": Row("released", ("post",)),
    "post": Row("stepped", ("notion", "noise", "pre")),  # steps after that noise
    "noise": Row("noise", ("notion", "metric", "pre")),  # pre: steps on X before it, of any source
}
METRIC, RELATED = ("metric", "distance", "points"), ("inputs_related",)
NOTIONS = {  # a notion of privacy: whose laws it is about
    "distp": Row("target", ("priors", "users", "steps")),
    "xdistp": Row("protection", ("priors",), METRIC),
    "dp": Row("target", ("inputs",), RELATED),
    "xdp": Row("protection", ("inputs",), METRIC + RELATED),
}


class NoiseKind(NamedTuple):
    """What holds of one kind of noise whatever the priors."""

    amount: str | None  # what a problem states of it
    monotone: str | None  # the fact by which more of it is as private
    dense: bool  # whether it promises densities of every prior
    lattice: bool  # whether it lives on the multiples of a step, which a problem states
    stated: bool = True  # whether a table `noise` states it
    module: str | None = None  # that reads it, where it has more than an amount

    def reader(self) -> Callable[[Any], Any]:
        """What reads it."""
        read: Callable[[Any], Any] = import_module(str(self.module)).noise
        return read


NOISES = {
    "laplace": NoiseKind("scale", "F2", dense=True, lattice=False),
    "discrete-laplace": NoiseKind("scale", "F40k", dense=False, lattice=True),
    "gaussian": NoiseKind("variance", "F2G", dense=True, lattice=False),
    "discrete-gaussian": NoiseKind("variance", None, dense=False, lattice=True),
    "truncated-laplace": NoiseKind("scale", None, dense=True, lattice=False, module="truncated"),
    "none": NoiseKind(None, None, dense=False, lattice=False),
    "table": NoiseKind(None, None, dense=False, lattice=False, module="tabled"),
    "channel": NoiseKind(None, None, dense=False, lattice=False, stated=False),  # has outputs
    "kept": NoiseKind(None, None, dense=True, lattice=False, stated=False),  # what steps leave
    "releases": NoiseKind("scale", "F2", dense=True, lattice=False, stated=False),  # of one X
    "fresh": NoiseKind("scale", "F2", dense=True, lattice=False, stated=False),  # of fresh draws
    "unprocessed": NoiseKind("scale", None, dense=True, lattice=False, stated=False),  # then steps
    "drawn": NoiseKind(None, None, dense=False, lattice=False, stated=False),  # without noise
}
Prior = dict[Fraction, Fraction]  # atom -> mass > 0


class Mixture(NamedTuple):
    """Normal laws (variance 0: atoms), at least one with a positive variance.  The components are
    (mean, variance, weight > 0), sorted, and no mean and variance occur twice."""

    components: tuple[tuple[Fraction, Fraction, Fraction], ...]


class Enclosed(NamedTuple):
    """A prior of atoms too long to be used: every mass lies between those of two measures."""

    low: Prior
    high: Prior


# of an output: a fraction, or {D: N}, the sum of N/D, exponential sums as in `zero`
Parts = dict[frozenset[Any], dict[Any, Fraction]]
Mass = Fraction | Parts


Beliefs = Mapping[str, Mapping[str, Any]]  # belief -> secret -> prior, or released law
Pairs = list[tuple[str, str]]

# ---------------------------------------------------------------- steps

GOAL = {"rule", "belief", "from", "to"}
POINT = GOAL | {"bits", "y", "margin"}
STEPS = {  # the keys of a step about a goal, by its rule
    "pure": GOAL | {"bits", "ties"},
    "delta-upper": GOAL | {"bits"},
    "delta-tie": GOAL | {"bits"},
    "pointwise": GOAL | {"bits", "ties"},
    "equal": GOAL,
    "components": GOAL | {"plan"},
    "chart": GOAL | {"bits", "density", "points"},
    "no-noise": GOAL,
    "pure-refuted": POINT,
    "event-refuted": GOAL | {"bits", "event", "margin"},
    "pointwise-refuted": POINT,
    "moment": GOAL | {"bits", "t", "log"},
    "channel": GOAL,
    "output-refuted": GOAL | {"bits", "output", "margin"},
    "mass-refuted": GOAL | {"bits", "output", "margin"},
    "outputs-refuted": GOAL | {"bits", "outputs", "margin"},
    "tupling": GOAL,
    "kept": GOAL,
    "tupling-refuted": GOAL | {"bits", "growth", "margin"},
    "grid": GOAL | {"bits", "ties"},
    "grid-refuted": POINT,
    "grid-upper": GOAL | {"bits", "cuts"},
    "grid-event-refuted": GOAL | {"bits", "cuts", "margin"},
    "one-refuted": GOAL | {"release", "step"},
    "spread": GOAL | {"bits", "ties"},
    "spread-refuted": POINT,
    "part-refuted": GOAL | {"part", "step"},
    "product": GOAL | {"parts"},
    "product-refuted": GOAL | {"parts", "margin"},
}


class Rule(NamedTuple):
    """Where a rule is found, under its own name, the forms that it proves or refutes, and whether
    it takes P and Q as positive measures of any total, so that bounds of them do."""

    module: str
    forms: tuple[str, ...] = FORMS
    measures: bool = False

    def load(self, name: str) -> Callable[[Any, dict[str, Any]], set[str]]:
        """The function of the rule's name, from a goal and a step to the facts it used."""
        function: Callable[[Any, dict[str, Any]], set[str]]
        function = getattr(import_module(self.module), name.replace("-", "_"))
        return function


Rules = Mapping[str, Rule]
NO_RULES: Rules = {}


def _as_they_are(p: Any, q: Any) -> tuple[Any, Any]:
    return p, q


class Kind(NamedTuple):
    """How one kind of release with one kind of laws is judged."""

    certified: Rules
    refuted: Rules
    other: str  # what is said of a rule for another kind
    laws: Callable[[Any, Any], tuple[Any, Any]] = _as_they_are  # P and Q as the rules want them
    unscaled: Rules = NO_RULES  # that prove a goal at every scale above 0
    hopeless: Rules = NO_RULES  # that show that it fails at every scale
    no_scale: str | None = None  # the module whose `no_scale` shows that one of several does


KINDS = {  # release and laws -> the module with their KIND
    ("laplace", "atoms"): "laplace",
    ("discrete-laplace", "atoms"): "laplace",
    ("gaussian", "atoms"): "smooth",
    ("none", "atoms"): "bare",
    ("table", "atoms"): "bare",  # the atoms of Y
    ("laplace", "densities"): "smooth",
    ("gaussian", "densities"): "smooth",
    ("none", "densities"): "smooth",
    ("channel", "outputs"): "channel",
    ("channel", "tuples"): "tupling",
    ("channel", "cells"): "cells",
    ("discrete-gaussian", "atoms"): "gaussian_lattice",
    ("kept", "kept"): "kept",
    ("kept", "celled"): "gaussian_steps",
    ("truncated-laplace", "kept"): "kept",
    ("truncated-laplace", "atoms"): "truncated",  # so much as nothing
    **{(kind, "behind"): "smooth_steps" for kind in ("channel", "kept")},
    **{(kind, "joint"): "grid" for kind in ("laplace", "discrete-laplace")},
    ("none", "joint"): "points",
    ("laplace", "spread"): "spread",
    **{("unprocessed", law): "unprocessed" for law in ("atoms", "densities", "joint", "kept")},
    **{("releases", law): "many" for law in ("atoms", "joint")},
    ("releases", "densities"): "many_smooth",
    **{(kind, law): kind for kind in ("fresh", "drawn") for law in ("atoms", "densities")},
}

# the rules that may certify goals, with an amount of noise (False) or without (True), that may
# prove them at every scale or at none, and that refute them
CHARTS = {"equal", "components", "chart"}
CERTIFYING = {
    False: CHARTS | {"pure", "delta-upper", "delta-tie", "pointwise", "kept", "grid", "grid-upper",
                     "product", "spread"},
    True: CHARTS | {"no-noise", "channel", "tupling", "kept", "product"},
}  # fmt: skip
UNSCALED, HOPELESS = CHARTS | {"no-noise", "product"}, {"moment"}
REFUTING = {rule for rule in STEPS if rule.endswith("-refuted")}
LAWS = {"dict": "atoms", "Mixture": "densities", "Outputs": "outputs", "Tuples": "tuples"}
LAWS |= {"Kept": "kept", "Celled": "celled", "Cells": "cells", "Behind": "behind",
         "Joint": "joint", "Spread": "spread"}  # fmt: skip


def noise_kind(noise: str) -> NoiseKind:
    """What holds of a noise, or Malformed."""
    if noise not in NOISES:
        raise Malformed(f"noise of kind {shown(noise)} is not known to this kernel")
    return NOISES[noise]


def module_of(noise: str, p: object, q: object) -> str:
    """The module that judges goals of two laws under a noise, or Malformed.  Atoms are densities of
    the variance 0."""
    laws = {LAWS.get(type(law).__name__, "unknown") for law in (p, q)}
    law = "densities" if laws == {"atoms", "densities"} else "unknown"
    law = "spread" if laws == {"atoms", "spread"} else law
    law = laws.pop() if len(laws) == 1 else law
    if (noise, law) not in KINDS:
        raise Malformed(f"no rules for priors of {law} with noise of kind {shown(noise)}")
    return KINDS[noise, law]


def kind_of(noise: str, p: object, q: object) -> Kind:
    """How such goals are judged."""
    kind: Kind = import_module(module_of(noise, p, q)).KIND
    return kind

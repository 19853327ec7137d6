"""The one table of what this kernel judges: kinds of noise and of priors, their goals and rules.

A combination, a form or a rule that is not named here is refused.  The modules named here are
loaded when a goal or a step first needs them, so that an answer rests on no others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple

from grammar import Malformed, shown

FORMS = ("events", "pointwise")


class NoiseKind(NamedTuple):
    """What holds of one kind of noise whatever the priors."""

    amount: str | None  # what a problem states of it
    monotone: str | None  # the fact by which more of it is as private
    dense: bool  # whether it promises densities of every prior
    lattice: bool  # whether it lives on the multiples of a step, which a problem states
    stated: bool = True  # whether a table `noise` states it


NOISES = {
    "laplace": NoiseKind("scale", "F2", dense=True, lattice=False),
    "discrete-laplace": NoiseKind("scale", "F2", dense=False, lattice=True),
    "gaussian": NoiseKind("variance", "F2G", dense=True, lattice=False),
    "none": NoiseKind(None, None, dense=False, lattice=False),
    "channel": NoiseKind(None, None, dense=False, lattice=False, stated=False),  # has outputs
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


class Outputs(NamedTuple):
    """A law of the named outputs of a channel, in their order: integers over a common denominator,
    or, where `whole` is 0, masses."""

    whole: int
    counts: tuple[int, ...]
    masses: tuple[Mass, ...]


class Tuples(NamedTuple):
    """A law of tuples: an output of a law and so many dummies, at places that are all alike."""

    base: Outputs
    dummies: int
    dummy: tuple[Fraction, ...]  # the masses of a dummy


Law = Prior | Mixture | Enclosed | Outputs | Tuples
Beliefs = Mapping[str, Mapping[str, Law]]  # belief -> secret -> prior, or released law

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
    "tupling-refuted": GOAL | {"bits", "growth", "margin"},
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


class Kind(NamedTuple):
    """How one kind of noise with one kind of priors is judged."""

    goals: str  # the module whose `goals` makes its goals
    certified: Rules
    refuted: Rules
    unscaled: Rules  # that prove a goal at every scale above 0
    hopeless: Rules  # that show that it fails at every scale
    other: str  # what is said of a rule for another kind

    def maker(self) -> Callable[..., Callable[..., Any]]:
        """From a problem and an amount of noise to what makes its goals."""
        make: Callable[..., Callable[..., Any]] = import_module(self.goals).goals
        return make


EVENTS, POINTWISE = ("events",), ("pointwise",)
FOR_ATOMS = "the rule is for priors of atoms with (discrete) Laplace noise"
FOR_DENSITIES = "the rule is for priors with densities, or gaussian noise"
FOR_OTHERS = "the rule is not for what this channel releases"
EXPONENTIAL = Kind(
    "laplace",
    {
        "pure": Rule("pure", measures=True),
        "delta-upper": Rule("divergence", EVENTS, measures=True),
        "delta-tie": Rule("divergence_tie", EVENTS),
        "pointwise": Rule("pointwise", POINTWISE, measures=True),
    },
    {
        "pure-refuted": Rule("pure", measures=True),
        "event-refuted": Rule("event", measures=True),
        "pointwise-refuted": Rule("pointwise", measures=True),
    },
    {"no-noise": Rule("every_scale")},
    {},
    FOR_DENSITIES,
)
CHARTS = {"equal": Rule("chart"), "components": Rule("chart"), "chart": Rule("chart")}
NORMAL = Kind(
    "smooth",
    CHARTS,
    {name: Rule("chart") for name in EXPONENTIAL.refuted},
    CHARTS,
    {"moment": Rule("moment")},
    FOR_ATOMS,
)
BARE = Kind(
    "bare",
    {"no-noise": Rule("bare")},
    {name: Rule("bare") for name in EXPONENTIAL.refuted},
    {},
    {},
    FOR_DENSITIES,
)
REFUTED_OUTPUTS = {name: Rule("channel") for name in ("output-refuted", "outputs-refuted")}
REFUTED_OUTPUTS["mass-refuted"] = Rule("channel", POINTWISE)
CHANNEL = Kind("channel", {"channel": Rule("channel")}, REFUTED_OUTPUTS, {}, {}, FOR_OTHERS)
REFUTED_TUPLES = {"tupling-refuted": Rule("tupling", EVENTS)}
TUPLING = Kind(
    "tupling", {"tupling": Rule("tupling", EVENTS)}, REFUTED_TUPLES, {}, {}, FOR_OTHERS
)
KINDS = {
    ("laplace", "atoms"): EXPONENTIAL,
    ("discrete-laplace", "atoms"): EXPONENTIAL,
    ("gaussian", "atoms"): NORMAL,
    ("none", "atoms"): BARE,
    ("laplace", "densities"): NORMAL,
    ("gaussian", "densities"): NORMAL,
    ("none", "densities"): NORMAL,
    ("channel", "outputs"): CHANNEL,
    ("channel", "tuples"): TUPLING,
}


# the rules that certify goals of some kind, without an amount of noise (True) or with it, and that
# refute them
CERTIFYING = {
    bare: {
        rule
        for (noise, _), kind in KINDS.items()
        if (NOISES[noise].amount is None) == bare
        for rule in kind.certified
    }
    for bare in (True, False)
}
REFUTING = {rule for kind in KINDS.values() for rule in kind.refuted}
LAWS: dict[tuple[type, type], str] = {  # of two priors: atoms are densities of the variance 0
    (dict, dict): "atoms",
    (dict, Mixture): "densities",
    (Mixture, dict): "densities",
    (Mixture, Mixture): "densities",
    (Outputs, Outputs): "outputs",
    (Tuples, Tuples): "tuples",
}


def noise_kind(noise: str) -> NoiseKind:
    """What holds of a noise, or Malformed."""
    if noise not in NOISES:
        raise Malformed(f"noise of kind {shown(noise)} is not known to this kernel")
    return NOISES[noise]


def kind_of(noise: str, p: Law, q: Law) -> Kind:
    """How goals of two priors under a noise are judged, or Malformed."""
    law = LAWS.get((type(p), type(q)), "unknown")
    if (noise, law) not in KINDS:
        raise Malformed(f"no rules for priors of {law} with noise of kind {shown(noise)}")
    return KINDS[noise, law]

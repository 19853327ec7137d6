"""The tables of what this kernel judges: laws, their goals and rules.

What no row names is refused.  The modules named here are loaded when a goal or a step first needs
them, so that an answer rests on no others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, shown

if TYPE_CHECKING:
    from core.interfaces import Difference, Profile

FORMS = ("events", "pointwise")  # that bound P - e^epsilon Q: a rule proves these, or those it says
EVENTS, POINTWISE, RENYI, ZCDP = ("events",), ("pointwise",), ("renyi",), ("zcdp",)


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


class Chance(NamedTuple):
    """A mass that is no sum that is written out (`chances`)."""

    terms: Any
    enclosed: Callable[[Any], tuple[int, int, int]]
    total: Callable[[Any, Any], Chance]  # of a fraction and products, some of which are such


Mass = Fraction | Parts | Chance


Beliefs = Mapping[str, Mapping[str, Any]]  # belief -> secret -> prior, or released law
Pairs = list[tuple[str, str]]

# ---------------------------------------------------------------- steps

GOAL = {"rule", "belief", "from", "to"}
COMPOSED = {"grid", "digits", "window", "parts"}
STEPS = {  # the keys of a step about a goal, by its rule
    **dict.fromkeys(("equal", "no-noise", "channel", "tupling", "kept"), GOAL),
    **dict.fromkeys(("delta-upper", "delta-tie", "renyi"), GOAL | {"bits"}),
    **dict.fromkeys(("pure", "pointwise", "grid", "spread"), GOAL | {"bits", "ties"}),
    "grid-upper": GOAL | {"bits", "cuts"},
    "components": GOAL | {"plan"},
    "chart": GOAL | {"bits", "density", "points"},
    "moment": GOAL | {"bits", "t", "log"},
    "product": GOAL | {"parts"},
    "composed": GOAL | COMPOSED,
    "composed-coupled": GOAL | COMPOSED | {"plan"},
    **dict.fromkeys(("pure-refuted", "pointwise-refuted", "grid-refuted", "spread-refuted"),
                    GOAL | {"bits", "y", "margin"}),
    **dict.fromkeys(("output-refuted", "mass-refuted"), GOAL | {"bits", "output", "margin"}),
    "outputs-refuted": GOAL | {"bits", "outputs", "margin"},
    "renyi-refuted": GOAL | {"bits", "margin"},
    "zcdp": GOAL | {"bits", "orders", "beyond"},
    "zcdp-refuted": GOAL | {"bits", "order", "margin"},
    "event-refuted": GOAL | {"bits", "event", "margin"},
    "grid-event-refuted": GOAL | {"bits", "cuts", "margin"},
    "tupling-refuted": GOAL | {"bits", "growth", "margin"},
    "one-refuted": GOAL | {"release", "step"},
    "part-refuted": GOAL | {"part", "step"},
    "product-refuted": GOAL | {"parts", "margin"},
    "composed-refuted": GOAL | COMPOSED | {"margin"},
}  # fmt: skip


RULES = {  # the rules of this kernel: a module, and after a colon a name, else that of the step
    "signs": "core.calculus:signs",
    "area": "core.calculus:area",
    "tie": "core.line_ties",
    "coupling": "core.components",
    "reduce": "core.reduce:reduce",
    "extreme members": "reader.families:source",
    "place": "core.refutations:place",
    "event": "core.refutations:event",
    "reduce-refuted": "core.reduce:reduce_refuted",
    "composition": "core.composed",
    "divergence": "core.renyi",
    "concentrated": "core.zcdp",
    "every-scale": "core.every_scale:no_noise",
    "no-scale": "core.every_scale:no_scale",
    "moment": "core.moment",
    "moment of a line": "core.normal_points:moment",
    "minimum": "core.scales:minimum",
    "curve": "reader.curves:curve",
    "plan": "core.couplings",
    "Hall": "core.couplings",
    "dual": "core.couplings",
}


class Rule(NamedTuple):
    """One of the rules as a kind of goal has it: its name in RULES, the forms that it proves or
    refutes, and whether it takes P and Q as positive measures of any total, so that bounds of them
    do."""

    name: str
    forms: tuple[str, ...] = FORMS
    measures: bool = False

    def load(self, step: str) -> Callable[[Any, dict[str, Any]], set[str]]:
        """The rule of a step of this name, from a goal and the step to the facts it used."""
        function: Callable[[Any, dict[str, Any]], set[str]]
        module, _, name = RULES[self.name].partition(":")
        function = getattr(import_module(module), (name or step).replace("-", "_"))
        return function


Rules = Mapping[str, Rule]
NO_RULES: Rules = {}


def _as_they_are(p: Any, q: Any, release: Any) -> tuple[Any, Any]:
    return p, q


class Kind(NamedTuple):
    """How one kind of release with one kind of laws is judged."""

    certified: Rules
    refuted: Rules
    other: str  # what is said of a rule for another kind
    laws: Callable[[Any, Any, Any], tuple[Any, Any]] = _as_they_are  # P, Q under a release, as the
    # rules want them
    unscaled: Rules = NO_RULES  # that prove a goal at every scale above 0
    hopeless: Rules = NO_RULES  # that show that it fails at every scale
    no_scale: str | None = None  # the fact by which no two laws have one release, at any scale
    outgrows: Callable[[Any], bool] | None = None  # whether P outgrows e^epsilon Q at every scale
    tail: frozenset[str] = frozenset({"TAIL"})  # the facts by which it does
    difference: Callable[[Any, dict[str, Any]], Difference] | None = None  # of a goal and a step
    masses: bool = False  # whether every output has a mass
    reduction: Callable[[Any], Any] | None = None  # of a goal: a `reduce.Reduction`
    profile: str | None = None  # the module of its `interfaces.Profile`, if it composes
    moment: str | None = None  # that of its `interfaces.Moment`, if a divergence is known

    def load_profile(self) -> Callable[[Any, Any], Profile] | None:
        """What makes the profile of a goal, at a precision."""
        if self.profile is None:
            return None
        found: Callable[[Any, Any], Profile] = import_module(self.profile).profile
        return found

    def load_moment(self, name: str = "moment") -> Callable[..., Any] | None:
        """What makes the `interfaces.Moment` of a goal; by another name, what else is known of its
        divergences: of all orders a `near_law` of P, or whether P is `wider` than Q."""
        made = None if self.moment is None else import_module(self.moment)
        return None if made is None else getattr(made, name, None)


DIVERGENCE = Rule("divergence", RENYI)
DIVERGENCES = {"renyi": DIVERGENCE, "zcdp": Rule("concentrated", ZCDP)}
DIVERGE = {f"{name}-refuted": rule for name, rule in DIVERGENCES.items()}
KINDS = {  # release and laws -> the module with their KIND, or after a colon its name
    ("laplace", "atoms"): "core.laplace",
    ("discrete-laplace", "atoms"): "core.laplace",
    ("gaussian", "atoms"): "core.normals",
    ("none", "atoms"): "core.finite:ATOMS",
    ("table", "atoms"): "core.finite:ATOMS",  # the atoms of Y
    **{(kind, "densities"): "core.normals" for kind in ("laplace", "gaussian", "none")},
    ("channel", "outputs"): "core.finite:CHANNEL",
    ("channel", "tuples"): "core.tupling",
    ("channel", "kept"): "core.in_parts:CELLS",
    ("discrete-gaussian", "atoms"): "core.gaussian_lattice",
    ("kept", "kept"): "core.in_parts:KEPT",
    ("kept", "celled"): "core.gaussian_lattice:STEPPED",
    ("truncated-laplace", "kept"): "core.in_parts:KEPT",
    ("bounded-laplace", "kept"): "core.in_parts:WINDOW",
    ("bounded-laplace", "atoms"): "reader.bounded",  # so much as nothing
    ("truncated-laplace", "atoms"): "reader.truncated",  # so much as nothing
    **{(kind, "behind"): "core.normals:BEHIND" for kind in ("channel", "kept")},
    **{(kind, "joint"): "core.grid" for kind in ("laplace", "discrete-laplace")},
    **{(kind, "joint"): "core.finite:POINTS" for kind in ("none", "table")},  # those of Y
    ("truncated-discrete-laplace", "atoms"): "core.finite:LISTED",
    ("gaussian", "joint"): "core.normal_points",
    ("discrete-gaussian", "joint"): "core.by_coordinate",
    ("laplace", "spread"): "core.spread",
    **{(kind, "behind steps"): "reader.unprocessed"  # the noise, then as what it is judged
       for kind in ("laplace", "discrete-laplace", "gaussian", "discrete-gaussian",
                    "truncated-laplace", "truncated-discrete-laplace", "unprocessed")},
    ("table", "behind steps"): "reader.unprocessed:TABLED",
    **{("releases", law): "reader.releases:SAME" for law in ("atoms", "joint")},
    ("releases", "densities"): "reader.releases:SAME_DENSITIES",
    **{("repeated", law): "reader.releases:REPEATED" for law in ("atoms", "joint")},
    ("composition", "parts"): "reader.composition",
    **{(kind, law): f"reader.releases:{kind.upper()}"
       for kind in ("fresh", "drawn") for law in ("atoms", "densities")},
}  # fmt: skip

# the rules that may certify goals, with an amount of noise (False) or without (True), that may
# prove them at every scale or at none, and that refute them
CHARTS = {"equal", "components", "chart"}
CERTIFYING = {
    False: CHARTS | {"pure", "delta-upper", "delta-tie", "pointwise", "channel", "kept", "grid",
                     "grid-upper", "product", "spread", "composed", "composed-coupled", "renyi",
                     "zcdp"},
    True: CHARTS | {"no-noise", "renyi", "zcdp", "channel", "tupling", "kept", "product",
                    "composed", "composed-coupled"},
}  # fmt: skip
UNSCALED, HOPELESS = CHARTS | {"no-noise", "product", "renyi", "zcdp"}, {"moment"}
REFUTING = {rule for rule in STEPS if rule.endswith("-refuted")}
# what a law is, by its type: each other module that has one adds it
LAWS: dict[type, str] = {dict: "atoms", Mixture: "densities"}


def law_kind(law: object) -> str:
    """What a law is, for KINDS."""
    return LAWS.get(type(law), "unknown")


def module_of(noise: str, p: object, q: object) -> str:
    """The module that judges goals of two laws under a noise, or Malformed.  Atoms are densities of
    the variance 0."""
    laws = {law_kind(law) for law in (p, q)}
    law = "densities" if laws == {"atoms", "densities"} else "unknown"
    law = "spread" if laws == {"atoms", "spread"} else law
    law = laws.pop() if len(laws) == 1 else law
    if (noise, law) not in KINDS:
        raise Malformed(f"no rules for priors of {law} with noise of kind {shown(noise)}")
    return KINDS[noise, law]


def kind_of(noise: str, p: object, q: object) -> Kind:
    """How such goals are judged."""
    return kind_at(module_of(noise, p, q))


def kind_at(row: str) -> Kind:
    """What a row of the table names."""
    module, _, name = row.partition(":")
    kind: Kind = getattr(import_module(module), name or "KIND")
    return kind

"""From a problem file to the problem it states; the digest of a problem.

Everything here either returns what it promises or raises Malformed.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from files import MAX_PAIRS, array, canonical_json, number, parse_file, rational, string, table
from grammar import Malformed, Number, canonical, combine, shown
from kinds import FORMS, NOISES, Beliefs, Mixture, Prior
from priors import canonical_prior, prior, require_name
from ranges import decided_sign
from value import require_defined
from work import spend

if TYPE_CHECKING:
    from protection import Protection
    from released import Released
    from system import System


class Problem(NamedTuple):
    """A parsed problem; `scale` (gaussian noise: `variance`) is None where the file leaves it to
    calibration."""

    epsilon: Number
    delta: Number
    form: str
    noise: str
    scale: Number | None
    step: Fraction | None
    beliefs: Beliefs
    pairs: list[tuple[str, str]]
    variance: Fraction | None
    system: System | None = None  # of users, which the priors come from
    released: Released | None = None  # a channel's outputs, whose laws the `beliefs` then are
    protection: Protection | None = None  # None: one epsilon for all pairs

    def given(self) -> str:
        """What is taken for granted about the priors, in words."""
        if self.released is not None:
            return self.released.given()
        if self.system is None:
            return "beliefs as given"
        masses = self.form == "pointwise" and self.noise in ("none", "discrete-laplace")
        unsaid = masses and self.delta != 0 and self.system.choices["rest"] == "any"
        return self.system.given() + (", none of them with a density" if unsaid else "")


def _beliefs(value: Any) -> Beliefs:
    found = {"default": value["priors"]} if "priors" in value else value["beliefs"]
    if type(found) is not dict or not found:
        raise Malformed("beliefs must be a table of at least one belief")
    beliefs: dict[str, dict[str, Prior | Mixture]] = {}
    for name, belief in found.items():
        what = f"belief {shown(name)}"
        priors = belief if "priors" in value else table(belief, what, {"priors"})["priors"]
        if type(priors) is not dict:
            raise Malformed(f"{what}: priors must be a table")
        for text in (name, *priors):
            require_name(text)
        beliefs[name] = {s: prior(p, f"{what}, secret {shown(s)}") for s, p in priors.items()}
    return beliefs


def _pairs(value: Any, beliefs: Beliefs) -> list[tuple[str, str]]:
    first = list(next(iter(beliefs.values())))
    if "pairs" in value:
        named: list[tuple[str, str]] = []
        for entry in array(value["pairs"], "pairs"):
            names = [string(s, "a secret of a pair") for s in array(entry, "a pair")]
            if len(names) != 2 or names[0] == names[1]:
                raise Malformed("a pair must name two different secrets")
            named.append((names[0], names[1]))
    else:
        if len(first) ** 2 > 2 * MAX_PAIRS:
            raise Malformed("too many pairs")
        if any(priors.keys() != set(first) for priors in beliefs.values()):
            raise Malformed("without pairs, every belief must have the same secrets")
        spend(8 * len(first) ** 2)
        named = [(a, b) for i, a in enumerate(first) for b in first[i + 1 :]]
    pairs: dict[tuple[str, str], None] = {}
    for a, b in named:
        if (b, a) not in pairs:
            pairs[a, b] = None
    if not pairs or len(pairs) > MAX_PAIRS:
        raise Malformed("no pairs: nothing to decide" if not pairs else "too many pairs")
    for belief, priors in beliefs.items():
        for s in {s for pair in pairs for s in pair} - priors.keys():
            raise Malformed(f"belief {shown(belief)} has no secret {shown(s)}")
    return list(pairs)


def _target(value: Any) -> tuple[Number, Number, str]:
    """epsilon, delta and the form.  Where the numbers come from decides nothing: it is not read."""
    if value["schema"] != "pfverify/problem/1":
        raise Malformed("the problem's schema is not supported by this kernel")
    if type(value.get("provenance", {})) is not dict:
        raise Malformed("the provenance must be a table")
    epsilon, delta = number(value["epsilon"], "epsilon"), number(value.get("delta", 0), "delta")
    form = string(value.get("form", "events"), "form")
    if form not in FORMS:
        raise Malformed(f"the form {shown(form)} is not supported by this kernel")
    return epsilon, delta, form


def _channel_problem(value: Any) -> Problem:
    """The problem of a file with a channel."""
    optional = {"delta", "form", "pairs", "priors", "beliefs", "provenance"}
    table(value, "the problem", {"schema", "epsilon", "channel"}, optional)
    if {"priors", "beliefs"} <= value.keys():
        raise Malformed("a problem must have priors or beliefs, not both")
    epsilon, delta, form = _target(value)
    _require_range(epsilon, delta, None, decide=False)
    from released import released

    found = released(value)
    pairs = _pairs(found.asked, found.beliefs)
    about = found.protection
    return Problem(
        epsilon, delta, form, "channel", None, None, found.beliefs, pairs, None, None, found, about
    )


def problem_of(value: Any) -> Problem:
    """The problem that a parsed file states."""
    if type(value) is dict and "channel" in value:
        return _channel_problem(value)
    optional = {"delta", "form", "pairs", "priors", "beliefs", "system", "notion", "metric"}
    table(value, "the problem", {"schema", "epsilon", "noise"}, optional | {"provenance"})
    if len(value.keys() & {"priors", "beliefs", "system"}) != 1:
        raise Malformed("a problem must have exactly one of priors, beliefs and system")
    epsilon, delta, form = _target(value)
    noise = table(value["noise"], "noise", {"kind"}, {"scale", "step", "variance"})
    kind = string(noise["kind"], "the noise's kind")
    if kind not in NOISES or not NOISES[kind].stated:
        raise Malformed(f"noise of kind {shown(kind)} is not supported by this kernel")
    if kind == "none" and len(noise) > 1:
        raise Malformed("noise of kind none has no scale, step or variance")
    if ("step" in noise) != NOISES[kind].lattice:
        raise Malformed("discrete-laplace noise needs a step, other noise has none")
    if "variance" in noise and (kind != "gaussian" or "scale" in noise):
        raise Malformed("a variance is for gaussian noise without a scale")
    variance = rational(noise["variance"], "variance") if "variance" in noise else None
    if variance is not None and variance < 0:
        raise Malformed("the variance must be at least 0")
    step = rational(noise["step"], "step") if "step" in noise else None
    scale = number(noise["scale"], "scale") if "scale" in noise else None
    if step is not None and step <= 0:
        raise Malformed("the step must be positive")
    _require_range(epsilon, delta, scale, decide=False)
    if kind == "gaussian" and scale is not None:
        _require_range(Fraction(0), Fraction(0), scale, decide=True)
        from noises import rational_square

        variance, scale = rational_square(scale), None
    system = None
    if "system" in value:
        from system import system_of

        system = system_of(value)
    beliefs = _beliefs(value) if system is None else {"default": system.priors}
    pairs = _pairs(value if system is None else system.asked, beliefs)
    if step is not None:
        from noises import require_lattice

        require_lattice(beliefs, pairs, step)
    about = None
    if value.keys() & {"notion", "metric"}:
        from protection import of_noise

        about = of_noise(value, beliefs)
        if about is not None and system is not None:
            raise Malformed("a system of users has no such notion")
    return Problem(
        epsilon, delta, form, kind, scale, step, beliefs, pairs, variance, system, None, about
    )


def _require_range(epsilon: Number, delta: Number, scale: Number | None, decide: bool) -> None:
    """Malformed unless epsilon >= 0, delta is in [0, 1] and the scale > 0 or written as 0; without
    `decide` only of those that are fractions, since others may need work."""
    one = Fraction(1)
    numbers: list[tuple[str, Number]] = [("epsilon", epsilon), ("delta", delta)]
    for what, x in [*numbers, *([] if scale is None else [("scale", scale)])]:
        if not isinstance(x, Fraction):
            if not decide:
                continue
            try:
                require_defined(x)
            except Malformed as reason:
                raise Malformed(f"{what}: {reason}") from None
        s = decided_sign(x, what)
        if what == "epsilon" and s < 0:
            raise Malformed("epsilon must be at least 0")
        if what == "delta" and (s < 0 or decided_sign(combine("-", one, x), what) < 0):
            raise Malformed("delta must lie in [0, 1]")
        if what == "scale" and (s < 0 or (s == 0 and not isinstance(x, Fraction))):
            raise Malformed("the scale must be positive, or written as 0")


def require_valid(problem: Problem) -> None:
    """Malformed unless every number of a parsed problem is defined and in its range."""
    _require_range(problem.epsilon, problem.delta, problem.scale, decide=True)


def require_kinds(problem: Problem) -> None:
    """Malformed unless the rules know the noise and the form of the problem, whoever made it: they
    tell the two Laplace noises by the step, and so rely on this."""
    if problem.noise not in NOISES or problem.form not in FORMS:
        kinds = f"noise {shown(problem.noise)} and form {shown(problem.form)}"
        raise Malformed(f"{kinds} are not both known to this kernel")
    if (problem.step is not None) != NOISES[problem.noise].lattice:
        raise Malformed("discrete-laplace noise needs a step, other noise has none")


def parse_problem(data: bytes, is_json: bool) -> Problem:
    """The problem that the bytes of a JSON or TOML file state."""
    return problem_of(parse_file(data, is_json))


def digest(problem: Problem) -> str:
    """sha256 of the problem in canonical JSON: numbers exact, secrets in file order.  A prior is a
    list of [atom, mass] or of [mean, variance, weight]; gaussian noise has its variance only.  A
    system stands for the beliefs that come from it; a channel stands in its own key, beside noise
    of kind none, and the beliefs are about its inputs."""
    source: Any
    system, released, about = problem.system, problem.released, problem.protection
    more: dict[str, Any] = {} if about is None else about.written
    if released is not None:
        source, more = released.canonical(), {"channel": released.table}
    elif system is not None:
        source = system.canonical()
    else:
        source = [
            [name, [[secret, canonical_prior(prior)] for secret, prior in priors.items()]]
            for name, priors in problem.beliefs.items()
        ]
    scale, step, variance = problem.scale, problem.step, problem.variance
    gaussian = problem.noise == "gaussian"
    value = {
        "schema": "pfverify/problem/1",
        "epsilon": canonical(problem.epsilon),
        "delta": canonical(problem.delta),
        "form": problem.form,
        "noise": {
            "kind": problem.noise if released is None else "none",
            "scale": None if scale is None else canonical(scale),
            "step": None if step is None else canonical(step),
            **({"variance": None if variance is None else canonical(variance)} if gaussian else {}),
        },
        "beliefs" if system is None else "system": source,
        "pairs": [list(p) for p in problem.pairs],
        **more,
    }
    return hashlib.sha256(canonical_json(value)).hexdigest()

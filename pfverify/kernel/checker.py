"""From a problem and a certificate to one verdict.  The goals come from the problem alone; the
certificate only says how to prove them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import bare
import chart
import moment
from couplings import COUPLING
from enclose import Undecided
from grammar import Malformed, Number, canonical, combine, shown
from laplace import Goal
from reader import (
    Mixture,
    Problem,
    array,
    decimal,
    digest,
    parse_certificate,
    parse_problem,
    read_bytes,
    require_kinds,
    require_valid,
    string,
    table,
)
from rules import CERTIFIED, FACTS, FORMS, REFUTED, Bare, Facts, Rejected, no_noise, no_scale
from smooth import SmoothGoal, mixture_of, noise_of
from work import TooMuchWork, allow, spend, unbounded
from zero import rate_form, sign

__all__ = ["check", "check_bytes", "check_files", "digest"]

CODES = {"certified": 0, "refuted": 0, "scales": 0, "coupling": 0, "rejected": 1, "malformed": 2}
MAX_STEPS = 16  # about couplings of one pair of one belief
Table = Mapping[str, tuple[Callable[..., Facts], set[str]]]
Rules = tuple[Table, Table]  # for atomic and for smooth goals
Goals = Iterator[Goal | SmoothGoal] | Iterator[Bare | SmoothGoal]
MARGINS = {  # P, p: the law under the first secret; Q, q: under the second
    "pure-refuted": "log p(y)/q(y) - epsilon",
    "pointwise-refuted": "p(y) - e^epsilon q(y) - delta",
    "event-refuted": "P(B) - e^epsilon Q(B) - delta",
}
ASSUMED = "assuming ideal real-valued noise, one release, beliefs as given"
ASSUMED_BARE = "assuming one release, beliefs as given"


# ---------------------------------------------------------------- goals


def goals_of(problem: Problem, amount: Number | None) -> Iterator[Goal | SmoothGoal]:
    """Every belief, every pair, both orders, under noise of a given positive scale (gaussian noise:
    of a given variance); for None without noise, all of them as smooth goals."""
    require_kinds(problem)
    if amount is not None and (problem.noise == "none" or amount == 0):
        raise Rejected("no noise has no amount")
    rate = rate_form(Fraction(1) if amount is None else amount)
    noise, delta = None, _plain(problem.delta)
    for belief, priors in problem.beliefs.items():
        for a, b in problem.pairs:
            for source, target in ((a, b), (b, a)):
                spend(64)
                p, q = priors[source], priors[target]
                bounds = problem.epsilon, delta, delta == 0, problem.form
                atomic = amount is not None and problem.noise != "gaussian"
                if atomic and not isinstance(p, Mixture) and not isinstance(q, Mixture):
                    yield Goal(belief, source, target, p, q, *bounds, problem.step, rate)
                else:
                    noise = noise or noise_of(problem.noise, amount)
                    p, q = mixture_of(p), mixture_of(q)
                    yield SmoothGoal(belief, source, target, p, q, *bounds, noise)


def _plain(delta: Number) -> Number:
    """delta, as 0 or 1 where it is written otherwise and proved equal to one of them."""
    ends = (Fraction(0), Fraction(1))
    return next((end for end in ends if sign(combine("-", delta, end)) == 0), delta)


def released_goals(problem: Problem) -> Iterator[Bare | SmoothGoal]:
    """Every belief, every pair, both orders, of the release of X itself."""
    for goal in goals_of(problem, None):
        if not isinstance(goal, SmoothGoal):
            raise Rejected("a goal without noise is a smooth goal")
        priors = problem.beliefs[goal.belief]
        p, q = priors[goal.source], priors[goal.target]
        bare.require_law(problem, p, q)
        if isinstance(p, Mixture) or isinstance(q, Mixture):
            yield goal
        else:
            names, delta_is_zero = goal[:3], goal.delta_is_zero
            yield Bare(*names, p, q, goal.epsilon, goal.delta, delta_is_zero, goal.form)


def _questions(problem: Problem, amount: Number | None) -> tuple[Goals, Rules, Rules]:
    """The goals at an amount of noise (None: the release of X itself), and the rules that certify
    and that refute them."""
    if amount is None:
        rules = (bare.CERTIFIED, chart.CERTIFIED), (bare.REFUTED, chart.REFUTED)
        return released_goals(problem), *rules
    return goals_of(problem, amount), (CERTIFIED, chart.CERTIFIED), (REFUTED, chart.REFUTED)


def _amount(problem: Problem, scale: Fraction) -> Fraction:
    """What `goals_of` wants for a scale: of gaussian noise the scale is the standard deviation."""
    return scale * scale if problem.noise == "gaussian" else scale


def _where(step: dict[str, Any]) -> str:
    return f"{step['rule']} {shown(step['from'], 30)} -> {shown(step['to'], 30)}"


def _step(value: Any, rules: Mapping[str, tuple[Any, set[str]]]) -> dict[str, Any]:
    """A step in the shape that its rule demands."""
    if type(value) is not dict or type(value.get("rule")) is not str:
        raise Malformed("a step must be a table with a rule")
    if value["rule"] not in rules:
        raise Malformed(f"the rule {shown(value['rule'])} is not one for this place")
    table(value, "a step", rules[value["rule"]][1])
    for key in ("belief", "from", "to"):
        string(value[key], key)
    return dict(value)


def _apply(goal: Goal | Bare | SmoothGoal, step: dict[str, Any], rules: Rules) -> Facts:
    try:
        if (goal.belief, goal.source, goal.target) != (step["belief"], step["from"], step["to"]):
            wanted = f"{shown(goal.source, 30)} -> {shown(goal.target, 30)}"
            raise Rejected(f"the step due here is {wanted} of belief {shown(goal.belief, 30)}")
        atomic, smooth = rules
        if isinstance(goal, SmoothGoal):
            if step["rule"] not in smooth:
                raise Rejected("the rule is for priors of atoms with (discrete) Laplace noise")
            return smooth[step["rule"]][0](goal, step)
        if step["rule"] not in atomic:
            raise Rejected("the rule is for priors with densities, or gaussian noise")
        if FORMS.get(step["rule"], goal.form) != goal.form:
            raise Rejected(f"the rule does not prove the {goal.form} form")
        return atomic[step["rule"]][0](goal, step)
    except (Rejected, Undecided) as reason:
        raise Rejected(f"{_where(step)}: {reason}") from None


def _certified(problem: Problem, amount: Number | None, steps: list[Any]) -> Facts:
    """One step per goal, in order."""
    goals, rules, _ = _questions(problem, amount)
    shaped = [_step(s, {**rules[0], **rules[1]}) for s in steps]
    facts: Facts = set() if amount is not None else {"X"}
    count = 0
    for goal in goals:
        if count == len(shaped):
            raise Rejected(f"no step for {shown(goal.source, 30)} -> {shown(goal.target, 30)}")
        facts |= _apply(goal, shaped[count], rules)
        count += 1
    if count != len(shaped):
        raise Rejected("more steps than goals")
    return facts


def _refuted(problem: Problem, amount: Number | None, steps: list[Any]) -> dict[str, Any]:
    """One step that refutes one of the goals."""
    if len(steps) != 1:
        raise Malformed("a refutation has exactly one step")
    goals, _, rules = _questions(problem, amount)
    step = _step(steps[0], rules[0])  # of the same shapes for smooth goals
    for goal in goals:
        if (goal.belief, goal.source, goal.target) == (step["belief"], step["from"], step["to"]):
            _apply(goal, step, rules)
            return step
    raise Rejected(f"{_where(step)}: the problem has no such goal")


# ---------------------------------------------------------------- scales


def _bare_atoms(goal: Goal, step: dict[str, Any]) -> Facts:
    """`no_noise` as the step of one goal."""
    return no_noise(goal)


MOMENT: Table = {"moment": (moment.moment, moment.KEYS)}
BARE: Table = {"no-noise": (_bare_atoms, chart.KEYS)}


def _without_noise(problem: Problem, steps: list[Any]) -> Facts:
    """One step no-noise where every prior has atoms; else one step per goal, in order."""
    goals = list(goals_of(problem, Fraction(1)))
    if any(isinstance(goal, SmoothGoal) for goal in goals):
        shaped = [_step(s, {**BARE, **chart.CERTIFIED}) for s in steps]
        if len(shaped) != len(goals):
            raise Rejected(f"{len(shaped)} steps for {len(goals)} goals")
        facts = {"DPI"}
        for goal, released, step in zip(goals, goals_of(problem, None), shaped, strict=True):
            atomic = isinstance(goal, Goal)
            facts |= _apply(goal if atomic else released, step, (BARE, chart.CERTIFIED))
        return facts
    if len(steps) != 1 or steps[0] != {"rule": "no-noise"}:
        raise Malformed("the scale 0 needs the one step no-noise")
    facts = set()
    for goal in goals:
        if isinstance(goal, Goal):
            try:
                facts |= no_noise(goal)
            except (Rejected, Undecided) as reason:
                way = f"{shown(goal.source, 30)} -> {shown(goal.target, 30)}"
                raise Rejected(f"no-noise {way}: {reason}") from None
    return facts


def _no_scale(problem: Problem, steps: list[Any]) -> Facts:
    goals = list(goals_of(problem, Fraction(1)))
    if len(steps) != 1:
        raise Malformed("the upper end inf needs one step")
    if steps[0] != {"rule": "no-scale"}:
        step = _step(steps[0], MOMENT)
        for goal in goals:
            if (goal.belief, goal.source, goal.target) == tuple(
                step[key] for key in ("belief", "from", "to")
            ):
                return _apply(goal, step, ({}, MOMENT))
        raise Rejected(f"{_where(step)}: the problem has no such goal")
    atomic = [goal for goal in goals if isinstance(goal, Goal)]
    return no_scale(atomic) if len(atomic) == len(goals) else chart.no_scale(goals)


def _scale(problem: Problem, step: dict[str, Any]) -> tuple[str, Facts]:
    """A named scale with its own certified or refuted steps."""
    method, verdict = step["method"], step["verdict"]
    if not (type(method) is str and 0 < len(method) <= 64 and method.isascii()):
        raise Malformed("a method must be a short ASCII name")
    if not method.replace("_", "").replace("-", "").isalnum():
        raise Malformed("a method must be a short ASCII name")
    scale, steps = decimal(step["scale"], "scale"), array(step["steps"], "steps")
    if verdict not in ("certified", "refuted"):
        raise Malformed("the verdict of a scale must be certified or refuted")
    line = f"scale {shown(step['scale'])[1:-1]} (labelled {shown(method)}) {verdict}"
    if verdict == "refuted":
        _refuted(problem, _amount(problem, scale) if scale else None, steps)
        return line, set()
    if scale == 0:
        return line + _above_zero(problem), _without_noise(problem, steps)
    return line, _certified(problem, _amount(problem, scale), steps)


def _above_zero(problem: Problem) -> str:
    """What the scale 0 stands for where the form bounds densities, which atoms lack without
    noise."""
    bounds_densities = problem.form == "pointwise" and problem.noise in ("laplace", "gaussian")
    return " (every scale above 0; at 0 itself atoms have no density)" if bounds_densities else ""


def _minimum(problem: Problem, step: dict[str, Any]) -> tuple[str, Facts]:
    """
    lower = 0, or a goal fails at the scale lower
    the goals hold at the scale upper | upper = 0 and no-noise | upper = inf and no-scale or moment
    --------------------------------------------------------------------------- monotonicity, F2
    the smallest private scale lies in [lower, upper]
    """
    upper_steps = array(step["upper_steps"], "upper_steps")
    lower = decimal(step["lower"], "lower")
    line = f"minimum in [{shown(step['lower'])[1:-1]}, {shown(step['upper'])[1:-1]}]"
    if step["lower_step"] is None:
        if lower != 0:
            raise Rejected("a positive lower end needs a refuting step")
    elif lower == 0:
        raise Malformed("the lower end 0 has no step")
    else:
        _refuted(problem, _amount(problem, lower), [step["lower_step"]])
    if step["upper"] == "inf":
        return "minimum inf", _no_scale(problem, upper_steps)
    upper = decimal(step["upper"], "upper")
    if lower > upper:
        raise Rejected("the lower end exceeds the upper end")
    if upper == 0:
        return line + _above_zero(problem), _without_noise(problem, upper_steps)
    monotone = "F2G" if problem.noise == "gaussian" else "F2"
    return line, _certified(problem, _amount(problem, upper), upper_steps) | {monotone}


def _scales(problem: Problem, steps: list[Any]) -> tuple[list[str], Facts]:
    keys = {
        "scale": {"rule", "method", "scale", "verdict", "steps"},
        "minimum": {"rule", "lower", "upper", "lower_step", "upper_steps"},
    }
    if not steps:
        raise Rejected("a certificate of scales without a scale")
    lines: list[str] = []
    facts: Facts = set()
    for i, value in enumerate(steps):
        rule = value.get("rule") if type(value) is dict else None
        if type(rule) is not str or rule not in keys:
            raise Malformed(f"step {i + 1} of a scales certificate must be scale or minimum")
        step = table(value, "a step", keys[rule])
        try:
            line, used = (_scale if rule == "scale" else _minimum)(problem, step)
        except (Rejected, Undecided) as reason:
            raise Rejected(f"step {i + 1} ({rule}): {reason}") from None
        lines.append(line)
        facts |= used
    return lines, facts


# ---------------------------------------------------------------- couplings


def _couplings(problem: Problem, steps: list[Any]) -> list[str]:
    """What the steps prove of couplings of pairs of the problem, in words."""
    if not steps:
        raise Rejected("a certificate of couplings without a step")
    require_kinds(problem)
    lines: list[str] = []
    pairs, counts = set(problem.pairs), Counter[tuple[str, str, str]]()
    for value in steps:
        step = _step(value, COUPLING)
        where = _where(step)
        counts[step["belief"], step["from"], step["to"]] += 1
        try:
            if (step["from"], step["to"]) not in pairs:
                raise Rejected("the problem has no such pair")
            if step["belief"] not in problem.beliefs:
                raise Rejected("the problem has no such belief")
            if counts[step["belief"], step["from"], step["to"]] > MAX_STEPS:
                raise Rejected(f"more than {MAX_STEPS} steps about one pair")
            priors = problem.beliefs[step["belief"]]
            rule = COUPLING[step["rule"]][0]
            p, q = priors[step["from"]], priors[step["to"]]
            if isinstance(p, Mixture) or isinstance(q, Mixture):
                raise Rejected("the rule is for priors of atoms")
            if "scale" in step and problem.noise not in ("laplace", "discrete-laplace"):
                raise Rejected("the rule is for (discrete) Laplace noise")
            proved = rule(problem, p, q, step)
        except (Rejected, Undecided) as reason:
            raise Rejected(f"{where}: {reason}") from None
        way = f"{shown(step['from'], 30)} -> {shown(step['to'], 30)}"
        lines.append(f"{way} of belief {shown(step['belief'], 30)}: {proved}")
    return lines


# ---------------------------------------------------------------- the verdict


def _target(problem: Problem) -> str:
    numbers = {"epsilon": problem.epsilon, "delta": problem.delta, "step": problem.step}
    texts = [f"{name}={_text(x)}" for name, x in numbers.items() if x is not None]
    return f"{' '.join(texts)} form={problem.form} noise={problem.noise}"


def _text(x: Number) -> str:
    return shown(canonical(x), 100)[1:-1]


def _failure(step: dict[str, Any]) -> str:
    """Where a refuting step shows that its goal fails, and of what its margin is a lower bound."""
    if step["rule"] == "event-refuted":
        spans = [f"{'(' if a == '-inf' else '['}{a}, {b}{')' if b == 'inf' else ']'}"
                 for a, b in step["event"]]
        at = f"on B={shown(' or '.join(spans), 200)[1:-1]}"
    else:
        at = f"at y={shown(step['y'])[1:-1]}"
    return f"fails {at}: {MARGINS[step['rule']]} >= {shown(step['margin'])[1:-1]}"


def check(problem: Problem, certificate: Any) -> tuple[str, str]:
    """The word and the message of a parsed problem and a parsed certificate."""
    keys = {"schema", "problem", "produced_by", "result", "steps"}
    table(certificate, "the certificate", keys, {"created"})
    if certificate["schema"] != "pfverify/certificate/1":
        raise Malformed("the certificate's schema is not supported by this kernel")
    producers = certificate["produced_by"]
    if type(producers) is not dict or any(type(v) is not str for v in producers.values()):
        raise Malformed("produced_by must map names to versions")
    string(certificate.get("created", ""), "created")
    result, steps = string(certificate["result"], "result"), array(certificate["steps"], "steps")
    if result not in ("certified", "refuted", "scales", "coupling"):
        raise Malformed("the result must be certified, refuted, scales or coupling")
    identity = digest(problem)
    if string(certificate["problem"], "problem") != identity:
        raise Rejected("the certificate belongs to another problem (digest)")
    require_valid(problem)
    about = f"problem={identity} {_target(problem)}"
    if result == "coupling":
        return result, f"{'; '.join(_couplings(problem, steps))}; {about}; beliefs as given"
    if result == "scales":
        if problem.noise == "none":
            raise Rejected("noise of kind none has no scales")
        lines, facts = _scales(problem, steps)
        unit = " (scales are standard deviations)" if problem.noise == "gaussian" else ""
        return result, f"{'; '.join(lines)}; {about}{unit}; {_cited(facts)}"
    name, amount = "scale", problem.scale
    if problem.noise == "gaussian":
        name, amount = "variance", problem.variance
    if amount is not None:
        about += f" {name}={_text(amount)}"
    elif problem.noise != "none":
        raise Rejected("the problem has no scale, so nothing is to be certified or refuted")
    amount = None if amount == 0 else amount  # 0: like noise of kind none
    if result == "refuted":
        step = _refuted(problem, amount, steps)
        text = f"{_where(step)} of belief {shown(step['belief'], 30)} {_failure(step)}"
        return result, f"{text}; {about}; {_cited(set() if amount is not None else {'X'})}"
    facts = _certified(problem, amount, steps)
    count = f"every belief ({len(problem.beliefs)}), pair ({len(problem.pairs)}) and order"
    return result, f"{count}, every output; {about}; {_cited(facts)}"


def _cited(facts: Facts) -> str:
    known = FACTS | chart.FACTS | moment.FACTS | bare.FACTS
    named = [text for key, text in known.items() if key in facts]
    assumed = ASSUMED_BARE if "X" in facts else ASSUMED
    return f"{'by ' + ', '.join(named) + '; ' if named else ''}{assumed}"


def check_bytes(problem: bytes, is_json: bool, certificate: bytes) -> tuple[str, str]:
    """(word, message): certified, refuted, scales, rejected or malformed.  Never raises on input:
    an error that is not foreseen is reported as malformed, which accepts nothing."""
    try:
        allow(len(problem) + len(certificate))
        return check(parse_problem(problem, is_json), parse_certificate(certificate))
    except (Rejected, TooMuchWork) as reason:
        return "rejected", str(reason)
    except Malformed as reason:
        return "malformed", str(reason)
    except Undecided as reason:
        return "rejected", f"cannot decide: {reason}"
    except Exception as reason:  # a last resort, on the safe side
        return "malformed", f"beyond this kernel ({type(reason).__name__})"
    finally:
        unbounded()


def check_files(problem_path: str, certificate_path: str) -> tuple[str, str]:
    """`check_bytes` of two files; a problem whose name ends in .json is JSON, else TOML."""
    try:
        problem, certificate = read_bytes(problem_path), read_bytes(certificate_path)
    except Malformed as reason:
        return "malformed", str(reason)
    return check_bytes(problem, problem_path.lower().endswith(".json"), certificate)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        word, message = "malformed", "usage: python -I -S pfverify/kernel PROBLEM CERTIFICATE"
    else:
        word, message = check_files(arguments[0], arguments[1])
    print(f"{word}: {message}".encode("ascii", "backslashreplace").decode().replace("\n", " "))
    return CODES[word]

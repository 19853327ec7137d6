"""From a problem and a certificate to one verdict.  The goals come from the problem alone; the
certificate only says how to prove them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from couplings import COUPLING
from enclose import Undecided
from grammar import Malformed, Number, canonical, shown
from laplace import Goal
from reader import (
    Problem,
    array,
    decimal,
    digest,
    parse_certificate,
    parse_problem,
    read_bytes,
    string,
    table,
)
from rules import CERTIFIED, FACTS, FORMS, REFUTED, Facts, Rejected, no_noise, no_scale
from zero import rate_form, sign

__all__ = ["check", "check_bytes", "check_files", "digest"]

CODES = {"certified": 0, "refuted": 0, "scales": 0, "coupling": 0, "rejected": 1, "malformed": 2}
MAX_STEPS = 16  # about couplings of one pair of one belief
ASSUMED = "assuming ideal real-valued noise, one release, beliefs as given"


# ---------------------------------------------------------------- goals


def goals_of(problem: Problem, scale: Number) -> Iterator[Goal]:
    """Every belief, every pair, both orders, under noise of a given positive scale."""
    rate, delta_is_zero = rate_form(scale), sign(problem.delta) == 0
    for belief, priors in problem.beliefs.items():
        for a, b in problem.pairs:
            for source, target in ((a, b), (b, a)):
                yield Goal(
                    belief, source, target, priors[source], priors[target],
                    problem.epsilon, problem.delta, delta_is_zero, problem.form,
                    problem.step, rate,
                )  # fmt: skip


def _where(step: dict[str, Any]) -> str:
    return f"{step['rule']} {shown(step['from'], 30)} -> {shown(step['to'], 30)}"


def _step(value: Any, rules: dict[str, Any]) -> dict[str, Any]:
    """A step in the shape that its rule demands."""
    if type(value) is not dict or type(value.get("rule")) is not str:
        raise Malformed("a step must be a table with a rule")
    if value["rule"] not in rules:
        raise Malformed(f"the rule {shown(value['rule'])} is not one for this place")
    table(value, "a step", rules[value["rule"]][1])
    for key in ("belief", "from", "to"):
        string(value[key], key)
    return dict(value)


def _apply(goal: Goal, step: dict[str, Any], rules: dict[str, Any]) -> Facts:
    try:
        if (goal.belief, goal.source, goal.target) != (step["belief"], step["from"], step["to"]):
            wanted = f"{shown(goal.source, 30)} -> {shown(goal.target, 30)}"
            raise Rejected(f"the step due here is {wanted} of belief {shown(goal.belief, 30)}")
        if FORMS.get(step["rule"], goal.form) != goal.form:
            raise Rejected(f"the rule does not prove the {goal.form} form")
        facts: Facts = rules[step["rule"]][0](goal, step)
        return facts
    except (Rejected, Undecided) as reason:
        raise Rejected(f"{_where(step)}: {reason}") from None


def _certified(problem: Problem, scale: Number, steps: list[Any]) -> Facts:
    """One step per goal, in order."""
    shaped = [_step(s, CERTIFIED) for s in steps]
    facts: Facts = set()
    count = 0
    for goal in goals_of(problem, scale):
        if count == len(shaped):
            raise Rejected(f"no step for {shown(goal.source, 30)} -> {shown(goal.target, 30)}")
        facts |= _apply(goal, shaped[count], CERTIFIED)
        count += 1
    if count != len(shaped):
        raise Rejected("more steps than goals")
    return facts


def _refuted(problem: Problem, scale: Number, steps: list[Any]) -> dict[str, Any]:
    """One step that refutes one of the goals."""
    if len(steps) != 1:
        raise Malformed("a refutation has exactly one step")
    step = _step(steps[0], REFUTED)
    for goal in goals_of(problem, scale):
        if (goal.belief, goal.source, goal.target) == (step["belief"], step["from"], step["to"]):
            _apply(goal, step, REFUTED)
            return step
    raise Rejected(f"{_where(step)}: the problem has no such goal")


# ---------------------------------------------------------------- scales


def _without_noise(problem: Problem, steps: list[Any]) -> Facts:
    if len(steps) != 1 or steps[0] != {"rule": "no-noise"}:
        raise Malformed("the scale 0 needs the one step no-noise")
    facts: Facts = set()
    for goal in goals_of(problem, Fraction(1)):
        try:
            facts |= no_noise(goal)
        except (Rejected, Undecided) as reason:
            way = f"{shown(goal.source, 30)} -> {shown(goal.target, 30)}"
            raise Rejected(f"no-noise {way}: {reason}") from None
    return facts


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
    line = f"{method} {shown(step['scale'])[1:-1]} {verdict}"
    if verdict == "refuted":
        if scale == 0:
            raise Rejected("the scale 0 cannot be refuted by this kernel")
        _refuted(problem, scale, steps)
        return line, set()
    if scale == 0:
        return line, _without_noise(problem, steps)
    return line, _certified(problem, scale, steps)


def _minimum(problem: Problem, step: dict[str, Any]) -> tuple[str, Facts]:
    """
    lower = 0, or a goal fails at the scale lower
    the goals hold at the scale upper | upper = 0 and no-noise | upper = inf and no-scale
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
        _refuted(problem, lower, [step["lower_step"]])
    if step["upper"] == "inf":
        if len(upper_steps) != 1 or upper_steps[0] != {"rule": "no-scale"}:
            raise Malformed("the upper end inf needs the one step no-scale")
        return "minimum inf", no_scale(list(goals_of(problem, Fraction(1))))
    upper = decimal(step["upper"], "upper")
    if lower > upper:
        raise Rejected("the lower end exceeds the upper end")
    if upper == 0:
        return line, _without_noise(problem, upper_steps)
    return line, _certified(problem, upper, upper_steps) | {"F2"}


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
            proved = rule(problem, priors[step["from"]], priors[step["to"]], step)
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
    about = f"problem={identity} {_target(problem)}"
    if result == "coupling":
        return result, f"{'; '.join(_couplings(problem, steps))}; {about}; beliefs as given"
    if result == "scales":
        lines, facts = _scales(problem, steps)
        return result, f"{'; '.join(lines)}; {about}; {_cited(facts)}"
    if problem.scale is None:
        raise Rejected("the problem has no scale, so nothing is to be certified or refuted")
    if result == "refuted":
        step = _refuted(problem, problem.scale, steps)
        at = "an event" if "event" in step else f"y={shown(step['y'])[1:-1]}"
        margin = shown(step["margin"])[1:-1]
        belief = shown(step["belief"], 30)
        text = f"{_where(step)} of belief {belief} fails at {at} by at least {margin}"
        return result, f"{text}; {about} scale={_text(problem.scale)}; {ASSUMED}"
    facts = _certified(problem, problem.scale, steps)
    count = f"every belief ({len(problem.beliefs)}), pair ({len(problem.pairs)}) and order"
    return result, f"{count}, every output; {about} scale={_text(problem.scale)}; {_cited(facts)}"


def _cited(facts: Facts) -> str:
    named = [text for key, text in FACTS.items() if key in facts]
    return f"{'by ' + ', '.join(named) + '; ' if named else ''}{ASSUMED}"


def check_bytes(problem: bytes, is_json: bool, certificate: bytes) -> tuple[str, str]:
    """(word, message): certified, refuted, scales, rejected or malformed.  Never raises on input:
    an error that is not foreseen is reported as malformed, which accepts nothing."""
    try:
        return check(parse_problem(problem, is_json), parse_certificate(certificate))
    except Rejected as reason:
        return "rejected", str(reason)
    except Malformed as reason:
        return "malformed", str(reason)
    except Undecided as reason:
        return "rejected", f"cannot decide: {reason}"
    except Exception as reason:  # a last resort, on the safe side
        return "malformed", f"beyond this kernel ({type(reason).__name__})"


def check_files(problem_path: str, certificate_path: str) -> tuple[str, str]:
    """`check_bytes` of two files; a problem whose name ends in .json is JSON, else TOML."""
    try:
        problem, certificate = read_bytes(problem_path), read_bytes(certificate_path)
    except Malformed as reason:
        return "malformed", str(reason)
    return check_bytes(problem, problem_path.endswith(".json"), certificate)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        word, message = "malformed", "usage: python -I -S pfverify/kernel PROBLEM CERTIFICATE"
    else:
        word, message = check_files(arguments[0], arguments[1])
    print(f"{word}: {message}".encode("ascii", "backslashreplace").decode().replace("\n", " "))
    return CODES[word]

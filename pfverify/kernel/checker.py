"""From a problem and a certificate to one verdict, in one line."""

from __future__ import annotations

import json
from typing import Any

from enclose import Undecided
from facts import FACTS
from files import array, parse_certificate, parse_file, read_bytes, string, table
from grammar import Malformed, Number, canonical, shown
from judge import USED, certified, refuted, where
from kinds import noise_kind
from reader import Problem, digest, problem_of, require_kinds, require_valid
from rules import Facts, Rejected, Step
from work import TooMuchWork, allow, unbounded

CODES = {"certified": 0, "refuted": 0, "scales": 0, "coupling": 0, "rejected": 1, "malformed": 2}
MARGINS = {  # P, p: the law under the first secret; Q, q: under the second
    "pure-refuted": "log p(y)/q(y) - epsilon",
    "pointwise-refuted": "p(y) - e^epsilon q(y) - delta",
    "event-refuted": "P(B) - e^epsilon Q(B) - delta",
    "output-refuted": "log P(y)/Q(y) - epsilon",
    "mass-refuted": "P(y) - e^epsilon Q(y) - delta",
    "outputs-refuted": "P(B) - e^epsilon Q(B) - delta",
    "tupling-refuted": "P(B) - e^epsilon Q(B) - delta",
}
ASSUMED = "assuming ideal real-valued noise, one release"
ASSUMED_BARE = "assuming one release"


def _target(problem: Problem) -> str:
    numbers = {"epsilon": problem.epsilon, "delta": problem.delta, "step": problem.step}
    texts = [f"{name}={_text(x)}" for name, x in numbers.items() if x is not None]
    texts.append(f"form={problem.form}")
    about = problem.released or problem.protection
    texts += [] if problem.released is not None else [f"noise={problem.noise}"]
    texts += [] if about is None else [about.words()]
    return " ".join(texts)


def _text(x: Number) -> str:
    return shown(canonical(x), 100)[1:-1]


def _failure(step: Step) -> str:
    """Where a refuting step shows that its goal fails, and of what its margin is a lower bound."""
    if step["rule"] == "event-refuted":
        spans = [f"{'(' if a == '-inf' else '['}{a}, {b}{')' if b == 'inf' else ']'}"
                 for a, b in step["event"]]
        at = f"on B={shown(' or '.join(spans), 200)[1:-1]}"
    elif step["rule"] == "outputs-refuted":
        outputs = step["outputs"]
        more = f" and {len(outputs) - 5} more" if len(outputs) > 5 else ""
        at = f"on B={{{', '.join(shown(y, 30) for y in outputs[:5])}{more}}}"
    elif "output" in step:
        at = f"at y={shown(step['output'])}"  # a name, in quotes: it may look like other words
    elif step["rule"] == "tupling-refuted":
        at = f"on B={{tuples with P > {shown(step['growth'])[1:-1]} Q}}".replace("inf Q", "0 = Q")
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
    require_kinds(problem)
    return result, _proved(problem, result, steps, f"problem={identity} {_target(problem)}")


def _proved(problem: Problem, result: str, steps: list[Any], about: str) -> str:
    """What the steps prove, as the result says, in words."""
    if result == "coupling":
        from couplings import couplings

        return f"{'; '.join(couplings(problem, steps))}; {about}; {problem.given()}"
    noise = noise_kind(problem.noise)
    if result == "scales":
        from scales import scales

        if noise.amount is None:
            raise Rejected(f"noise of kind {problem.noise} has no scales")
        lines, facts = scales(problem, steps)
        unit = " (scales are standard deviations)" if noise.amount == "variance" else ""
        return f"{'; '.join(lines)}; {about}{unit}; {_cited(problem, facts)}"
    amounts = {None: None, "scale": problem.scale, "variance": problem.variance}
    amount: Number | None = amounts[noise.amount]
    if amount is not None:
        about += f" {noise.amount}={_text(amount)}"
    elif noise.amount is not None:
        raise Rejected("the problem has no scale, so nothing is to be certified or refuted")
    amount = None if amount == 0 else amount  # 0: like noise of kind none
    if result == "refuted":
        step = refuted(problem, amount, steps)
        text = f"{where(step)} of belief {shown(step['belief'], 30)} {_failure(step)}"
        bare = amount is None and problem.released is None
        return f"{text}; {about}; {_cited(problem, {'X'} if bare else set())}"
    if result != "certified":
        raise Malformed("the result must be certified, refuted, scales or coupling")
    facts = certified(problem, amount, steps)
    count = f"every belief ({len(problem.beliefs)}), pair ({len(problem.pairs)}) and order"
    return f"{count}, every output; {about}; {_cited(problem, facts)}"


def _cited(problem: Problem, facts: Facts) -> str:
    named = [text for key, text in FACTS.items() if key in facts]
    assumed = ASSUMED_BARE if "X" in facts or problem.released is not None else ASSUMED
    return f"{'by ' + ', '.join(named) + '; ' if named else ''}{assumed}, {problem.given()}"


def _read(value: Any, data: bytes) -> int:
    """The bytes of a file that a check reads: no spaces, no comments, not where it comes from."""
    if type(value) is dict:
        value = {key: value[key] for key in {*value} - {"provenance", "produced_by", "created"}}
    return min(len(data), len(json.dumps(value, default=str, separators=(",", ":"))))


def check_bytes(problem: bytes, is_json: bool, certificate: bytes) -> tuple[str, str]:
    """(word, message): certified, refuted, scales, rejected or malformed.  Never raises on input:
    an error that is not foreseen is reported as malformed, which accepts nothing."""
    USED.clear()
    try:
        stated, claimed = parse_file(problem, is_json), parse_certificate(certificate)
        allow(_read(stated, problem) + _read(claimed, certificate))
        return check(problem_of(stated), claimed)
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
    """Print the verdict on two files, after --trusts also what it rests on; the exit code."""
    asked = len(arguments) == 3 and arguments[0] == "--trusts"
    arguments = arguments[1:] if asked else arguments
    if len(arguments) != 2:
        word, message = "malformed", "usage: python -I -S pfverify/kernel PROBLEM CERTIFICATE"
    else:
        word, message = check_files(arguments[0], arguments[1])
    print(f"{word}: {message}".encode("ascii", "backslashreplace").decode().replace("\n", " "))
    if asked:
        from trusts import report

        print("\n".join(report(USED)))
    return CODES[word]

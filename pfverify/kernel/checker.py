"""From a problem and a certificate to one verdict, in one line."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from core.enclose import Undecided
from core.facts import FACTS
from core.grammar import Malformed, Number, canonical, shown
from core.judge import where
from core.kinds import FORMS
from core.rules import Facts, Rejected
from core.shapes import array, string, table
from core.work import Check, TooMuchWork, checking
from reader.files import parse_certificate, parse_file, read_bytes
from reader.goals import certified, refuted
from reader.reader import Problem, digest, problem_of, require_kinds, require_valid
from reader.tables import noise_kind

CODES = dict.fromkeys(("certified", "refuted", "scales", "coupling", "curve"), 0)
CODES |= {"rejected": 1, "malformed": 2}
ASSUMED, ASSUMED_BARE = "assuming ideal real-valued noise, ", "assuming "


def _target(problem: Problem, *, asked: bool) -> str:
    notion, epsilon, delta, form, order = problem.target
    target = {"epsilon": epsilon, "delta": delta} if asked else {}
    numbers = target | {"step": problem.release.step}
    texts = [f"{name}={_text(x)}" for name, x in numbers.items() if x is not None]
    if order is not None:
        form += f" order={order}"
    return " ".join([*texts, f"form={form}", problem.release.words(notion)])


def _text(x: Number) -> str:
    return shown(canonical(x), 100)[1:-1]


def answer(problem: Problem, certificate: Any, check: Check) -> tuple[str, str]:
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
    if result not in CODES or CODES[result]:
        raise Malformed("the result must be certified, refuted, scales, coupling or curve")
    identity = digest(problem)
    if string(certificate["problem"], "problem") != identity:
        raise Rejected("the certificate belongs to another problem (digest)")
    require_valid(problem)
    require_kinds(problem)
    about = f"problem={identity} {_target(problem, asked=result != 'curve')}"
    return result, _proved(problem, result, steps, about, check)


def _proved(problem: Problem, result: str, steps: list[Any], about: str, check: Check) -> str:
    """What the steps prove, as the result says, in words."""
    given = problem.source.given(problem)
    if result == "coupling":
        from reader.asked import coupled

        return f"{coupled(problem, steps, check)}; {about}; {given}"
    release, noise = problem.release, noise_kind(problem.release.kind)
    times, by = release.seen(result)
    if by:
        check.held("releases", by)
    one, stand = problem.source.seen()
    if stand and result != "refuted":
        check.held("system" if problem.source.of == "users" else "families", stand)
        by = by | stand
    if problem.target.form not in FORMS:
        from core.renyi import require_own

        require_own(by | stand)
    if result == "scales":
        from reader.asked import scaled

        text, facts = scaled(problem, steps, check)
        unit = " (scales are standard deviations)" if noise.amount == "variance" else ""
        return f"{text}; {about}{unit}; {_cited(facts | by, ASSUMED + times)}, {given}"
    if release.amount is not None:
        about += f" {noise.amount}={_text(release.amount)}"
    elif noise.amount is not None:
        raise Rejected("the problem has no scale, so nothing is to be certified or refuted")
    release = release.at(release.amount)
    assumed = ASSUMED if release.amount is not None else ASSUMED_BARE
    if result == "refuted":
        from core.failures import failure

        step, facts = refuted(problem, release, steps, check)
        behind = "post" in release.canonical(problem.target.notion)
        fails = failure(step, behind=behind, collapsed="F40" in facts | by)
        text = f"{where(step)} of belief {shown(step['belief'], 30)} {fails}"
    elif result == "certified":
        facts = certified(problem, release, steps, check)
        count = f"every {one} ({len(problem.beliefs)}), pair ({len(problem.pairs)}) and order"
        if len(steps) < 2 * len(problem.beliefs) * len(problem.pairs):  # each step proves a goal
            count += f" ({len(steps)} goals, as not every {one} has every secret)"
        text = f"{count}, every output"
    else:
        from reader.curves import curved

        (text, facts), by = curved(problem, steps, check), set()
    return f"{text}; {about}; {_cited(facts | by, assumed + times)}, {given}"


def _cited(facts: Facts, assumed: str) -> str:
    named = [text for key, text in FACTS.items() if key in facts]
    return f"{'by ' + ', '.join(named) + '; ' if named else ''}{assumed}"


def _read(value: Any, data: bytes) -> int:
    """The bytes of a file that a check reads: no spaces, no comments, not where it comes from."""
    if type(value) is dict:
        value = {key: value[key] for key in {*value} - {"provenance", "produced_by", "created"}}
    return min(len(data), len(json.dumps(value, default=str, separators=(",", ":"))))


class Checked(NamedTuple):
    """An answer, and the check that gave it, where one began."""

    word: str  # a key of CODES
    message: str
    check: Check | None = None


def checked(problem: bytes, is_json: bool, certificate: bytes, folder: str = "") -> Checked:
    """The answer to two files, the first in this folder.  Never raises on input: an error that is
    not foreseen is reported as malformed, which accepts nothing."""
    check: Check | None = None
    try:
        stated, claimed = parse_file(problem, is_json), parse_certificate(certificate)
        size = _read(stated, problem) + _read(claimed, certificate)
        with checking(size, folder) as check:
            return Checked(*answer(problem_of(stated), claimed, check), check)
    except (Rejected, TooMuchWork) as reason:
        return Checked("rejected", str(reason), check)
    except Malformed as reason:
        return Checked("malformed", str(reason), check)
    except Undecided as reason:
        return Checked("rejected", f"cannot decide: {reason}", check)
    except Exception as reason:  # a last resort, on the safe side
        return Checked("malformed", f"beyond this kernel ({type(reason).__name__})", check)


def check_bytes(
    problem: bytes, is_json: bool, certificate: bytes, folder: str = ""
) -> tuple[str, str]:
    """(word, message) of `checked`."""
    return checked(problem, is_json, certificate, folder)[:2]


def check_files(problem_path: str, certificate_path: str, folder: str | None = None) -> Checked:
    """`checked` of two files; a problem whose name ends in .json is JSON, else TOML.  What it names
    is in its folder, or in one that is said."""
    folder = os.path.dirname(problem_path) if folder is None else folder
    try:
        problem, certificate = read_bytes(problem_path), read_bytes(certificate_path)
    except Malformed as reason:
        return Checked("malformed", str(reason))
    return checked(problem, problem_path.lower().endswith(".json"), certificate, folder)


def main(arguments: list[str]) -> int:
    """Print the verdict on two files, after --trusts also what it rests on; the exit code."""
    asked = len(arguments) in (3, 5) and arguments[0] == "--trusts"
    arguments = arguments[1:] if asked else arguments
    folder = None
    if len(arguments) == 4 and arguments[0] == "--folder":
        folder, arguments = arguments[1], arguments[2:]
    if len(arguments) != 2:
        usage = "usage: python -I -S pfverify/kernel PROBLEM CERTIFICATE"
        found = Checked("malformed", usage)
    else:
        found = check_files(arguments[0], arguments[1], folder)
    line = f"{found.word}: {found.message}".encode("ascii", "backslashreplace").decode()
    print(line.replace("\n", " "))
    if asked:
        from trusts import report

        print("\n".join(report(found.check.rules if found.check else {})))
    return CODES[found.word]

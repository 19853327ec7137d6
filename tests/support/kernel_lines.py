"""How much code of the kernel answers rest on, and the facts that it names: for the reference.

Short accepted cases of the corpus, one for each kind and set of rules, are checked with the
kernel's modules loaded anew, in one process of their own.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pfverify.edge.coq.statements import TAKEN
from pfverify.kernel.core import facts as kernel_facts
from pfverify.kernel.core.facts import FACTS

ROOT = Path(__file__).parents[2]
KERNEL, CORPUS = ROOT / "pfverify/kernel", ROOT / "tests/certificates/accept"
DESIGN = ROOT / "proofs/design"
CHECKS = """
import json, sys
sys.path.insert(0, sys.argv[1])
import trusts  # whose count of a file's lines is kept
counted = {}
begun = trusts.code_lines(open(sys.argv[1] + "/__main__.py", encoding="utf-8").read())
def own(name):
    path = str(getattr(sys.modules[name], "__file__", ""))
    return path if path.startswith(sys.argv[1]) and not path.endswith("trusts.py") else ""
for line in sys.stdin:
    for name in [name for name in sys.modules if own(name) or name in ("core", "reader")]:
        del sys.modules[name]
    import checker
    problem, is_json, certificate = json.loads(line)
    word, _ = checker.check_bytes(problem.encode(), is_json, certificate.encode())
    found = {own(name) for name in sys.modules} - {""}
    for path in found - counted.keys():
        counted[path] = trusts.code_lines(open(path, encoding="utf-8").read())
    print(word, begun + sum(counted[path] for path in found))
"""
SHORT = 2500  # bytes of a case
SOURCES = {"channel", "system", "chain", "hmm", "network"}
MANY = ("\"joint\"", "\"releases\"", "\"scales\"", "\"total\"", "\"draws\"")
FAMILIES = ("intervals", "confidence", "tv", "w1", "winf", "hull", "ball", "any")


def kind_of(problem: dict[str, Any], result: str) -> str:
    """What a certificate is about, in words."""
    text = json.dumps(problem)
    priors = [problem.get("priors", {}), *problem.get("beliefs", {}).values()]
    told = problem.keys() & {*SOURCES, "post"}
    if result == "coupling":
        return "plans and distances"
    if "post" in told and "channel" not in told:
        return "steps after the noise"
    if any(f'"{one}"' in json.dumps(priors) for one in FAMILIES):
        return "families of priors"
    if "channel" in told:
        return "a channel"
    if told:
        return "users, or correlated records"
    if any(word in text for word in MANY) or '"scale": [' in text:
        return "points of several numbers, or many releases"
    if any(word in text for word in ("gaussian", "mixture")):
        return "normal laws, or Gaussian noise"
    return "atoms, with Laplace noise, a noise table or none"


def counted() -> dict[str, list[int]]:
    """Kind of a certificate -> the lines of code of the kernel that its cases need, in order."""
    kinds, lines, met = [], [], set()
    for path in sorted(CORPUS.glob("*.json")):
        case = json.loads(path.read_text("utf-8"))
        problem, certificate = case["problem"], case["certificate"]
        if type(problem) is not dict or type(certificate) is not dict:
            continue  # a text, to be read byte by byte
        kind = kind_of(problem, certificate["result"])
        texts = json.dumps(problem), json.dumps(
            certificate, sort_keys=True, separators=(",", ":"))  # fmt: skip
        about = sorted(problem.keys() & SOURCES), problem.get("noise", {}).get("kind")
        rules = kind, str(about), *sorted({*re.findall(r'"rule": *"([a-z-]+)"', texts[1])})
        if rules in met or len(texts[0]) + len(texts[1]) > SHORT:
            continue
        met.add(rules)
        kinds.append(kind)
        lines.append(json.dumps([texts[0], case["problem_suffix"] == ".json", texts[1]]))
    answers = subprocess.run(
        [sys.executable, "-I", "-S", "-c", CHECKS, str(KERNEL)], input="\n".join(lines),
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    found: dict[str, list[int]] = {}
    for kind, answer in zip(kinds, answers, strict=True):
        word, count = answer.split()
        if word in ("rejected", "malformed"):
            raise ValueError(f"a case that should be accepted is {word}")
        found.setdefault(kind, []).append(int(count))
    return {kind: sorted(found[kind]) for kind in sorted(found)}


RULES_OF = """
import json, sys
sys.path.insert(0, sys.argv[1])
from importlib import import_module
from core import couplings, kinds, scales
words = {name: {} for name in kinds.RULES}
for row in kinds.KINDS.values():
    kind = kinds.kind_at(row)
    for rules in (kind.certified, kind.refuted, kind.unscaled, kind.hopeless):
        for word, rule in rules.items():
            words[rule.name][word] = rule.load(word)
for word, asked in couplings.COUPLING.items():
    words[asked.rule][word] = asked.function
for name in ("minimum", "no-scale", "curve"):
    module, _, function = kinds.RULES[name].partition(":")
    words[name][name] = getattr(import_module(module), function)
module, _, function = kinds.RULES["extreme members"].partition(":")
words["extreme members"][""] = getattr(import_module(module), function)
for name, found in words.items():
    one = found[sorted(found)[0]]
    file = one.__code__.co_filename.removeprefix(sys.argv[1] + "/")
    print(json.dumps([name, file, sorted(found), one.__doc__]))
"""


def rules() -> str:
    """The table of the rules: where each is, the words of steps that ask for it, its conclusion."""
    answers = subprocess.run(
        [sys.executable, "-I", "-S", "-c", RULES_OF, str(KERNEL)], capture_output=True, text=True,
        check=True,
    ).stdout.splitlines()  # fmt: skip
    rows = []
    for name, file, words, figure in map(json.loads, answers):
        said = ", ".join(f"`{word}`" for word in words if word)
        rows.append(f"| {name} | `{file}` | {said} | {_concluded(figure)} |")
    head = ["\n| rule | file | steps | what it concludes |", "|---|---|---|---|"]
    return "\n".join([*head, *rows, "", ""])


def _concluded(figure: str) -> str:
    """What stands below the line of an inference figure, or the sentence that stands for it."""
    lines = [line.strip() for line in figure.strip().splitlines()]
    bars = [k for k, line in enumerate(lines) if line[:4] == "----"]
    found = lines[bars[0] + 1 :] if bars else lines
    end = found.index("") if "" in found else len(found)
    text = " ".join(" ".join(found[:end]).split()).removesuffix(".")
    return text.replace("|", "/").replace("<", "\\<").replace("*", "\\*")


FORMS_OF = """
import json, sys
sys.path.insert(0, sys.argv[1])
from core import kinds
for row in dict.fromkeys(kinds.KINDS.values()):
    kind, module = kinds.kind_at(row), row.partition(":")[0]
    judge = kind.difference or kind.reduction
    laws = [key for key, found in kinds.KINDS.items() if found == row]
    print(json.dumps([module.replace(".", "/") + ".py", judge and judge.__name__, laws]))
"""


def forms() -> str:
    """The table of normal forms: what judges each noise with each kind of laws, and where."""
    answers = subprocess.run(
        [sys.executable, "-I", "-S", "-c", FORMS_OF, str(KERNEL)], capture_output=True, text=True,
        check=True,
    ).stdout.splitlines()  # fmt: skip
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for file, judge, rows in map(json.loads, answers):
        if judge is None:  # nothing to judge: laws as they are before they are read
            continue
        of = found.setdefault((judge, file), {})
        for noise, law in rows:
            of.setdefault(law, []).append(noise)
    head = ["\n| judged by | file | laws, with the noise |", "|---|---|---|"]
    rows = []
    for (judge, file), of in found.items():
        said = "; ".join(f"{law}: {', '.join(noises)}" for law, noises in of.items())
        rows.append(f"| `{judge}` | `{file}` | {said} |")
    return "\n".join([*head, *rows, "", ""])


def kernel_lines() -> str:
    """The table of these lines."""
    rows = [f"| {kind} | {_between(counts)} |" for kind, counts in counted().items()]
    return "\n".join(["\n| a certificate about | lines of code |", "|---|---|", *rows, "", ""])


def _between(counts: list[int]) -> str:
    low, high = f"{counts[0]:,}", f"{counts[-1]:,}"
    return low if low == high else f"{low} to {high}"


def alone() -> dict[str, str]:
    """The facts that stand without a proof file, each with the reason that facts.py gives."""
    lines = (kernel_facts.__doc__ or "").splitlines()
    rows = (line.strip().partition(": ") for line in lines if line[:4] == "    ")
    return {name: why for name, _, why in rows}


def left_open(name: str) -> str:
    """What the proof file of a fact says that it leaves open."""
    tree = ast.parse((DESIGN / f"{name}.py").read_text("utf-8"))
    (claim,) = (node for node in ast.walk(tree) if isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name) and node.func.id == "Claim")  # fmt: skip
    found = {one.arg: one.value for one in claim.keywords}
    return str(ast.literal_eval(found["open"])) if "open" in found else ""


def fact_rows() -> Iterator[str]:
    """Of each fact what an answer says, and on what it stands."""
    for name, said in FACTS.items():
        on = f"no proof file: {alone()[name]}" if name in alone() else f"`proofs/design/{name}.py`"
        opened = "" if name in alone() else left_open(name)
        on += f"; open: {opened}" if opened else ""
        yield f"| `{name}` | {said} | {on} |".replace("<", "\\<").replace("*", "\\*")


def facts() -> str:
    """The table of the facts."""
    return "\n".join(["\n| fact | what an answer says | it stands on |", "|---|---|---|",
                      *fact_rows(), "", ""])  # fmt: skip


def taken_for_coq() -> str:
    """What exported theorems may take from pfverify without a proof."""
    return "\n".join(["", *(f"- {' '.join(one.split())};" for one in TAKEN.values()), "", ""])

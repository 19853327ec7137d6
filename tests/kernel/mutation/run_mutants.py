"""Mutation testing of the kernel with cosmic-ray: python tests/kernel/mutation/run_mutants.py

Mutates each module in a throw-away copy (cosmic-ray edits in place), runs battery.py against every
mutant and writes the dated result: result.json beside this file, and MUTATION.md for reading.  A
survivor that survivors.toml does not explain is printed and makes the exit code 1.  Half an hour or
so on one processor; --folder keeps the copy, from which an interrupted run continues.  --since REV
tries the mutants of those lines only that the revision lacks; the others keep their outcome.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import asdict, dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from textwrap import fill
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
EXPLAINED = HERE / "survivors.toml"
RESULT = HERE / "result.json"
PARTS = ("pfverify/kernel", "tests/kernel", "tests/support", "tests/certificates")
SUMMARY = HERE.parent / "MUTATION.md"
KINDS = ("equivalent", "precision", "speed", "annotation")  # of reasons
# whose survivors must all be explained
MODULES = ("enclose", "event", "every_scale", "excess", "moment", "pointwise", "pure")
MODULES += ("spans", "target", "witness", "work")


@dataclass(frozen=True, order=True)
class Mutant:
    """One change, named without line numbers: the text of the line, the operator, and which of the
    operator's changes of that line in that function it is."""

    module: str
    within: str
    line: str
    operator: str
    occurrence: int


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant; `becomes` is the changed line."""

    mutant: Mutant
    survived: bool
    becomes: str


def explained() -> dict[Mutant, str]:
    """The survivors with a known reason."""
    entries = tomllib.loads(EXPLAINED.read_text())["survivor"]
    keys = ("module", "within", "line", "operator", "occurrence")
    return {Mutant(*(entry[key] for key in keys)): entry["reason"] for entry in entries}


def source_of(module: str) -> str:
    return (ROOT / "pfverify" / "kernel" / f"{module}.py").read_text()


def digest_of(module: str) -> str:
    """Tells whether a result belongs to the module as it is now."""
    return hashlib.sha256(source_of(module).encode()).hexdigest()


def copy_tree(folder: Path) -> None:
    """The kernel and its tests, without compiled files (they may hide a change of the source)."""
    for part in PARTS:
        shutil.rmtree(folder / part, ignore_errors=True)
        hidden = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, folder / part, ignore=hidden)


def named(module: str, items: list[Any], source: list[str]) -> Iterator[tuple[str, Mutant]]:
    """(job, mutant) of every work item of one module."""
    seen: Counter[tuple[str, str, str]] = Counter()
    specs = [(item.job_id, item.mutations[0]) for item in items]
    for job, spec in sorted(specs, key=lambda x: (x[1].operator_name, x[1].occurrence)):
        operator = spec.operator_name.removeprefix("core/")
        place = (spec.definition_name or "", source[spec.start_pos[0] - 1].strip(), operator)
        if place[1].startswith("spend("):  # what is charged decides nothing: test_kernel_work
            continue
        if "BinaryOperator_BitOr" in operator and any(s in place[1] for s in ("def ", " | None")):
            continue  # a type, which is never evaluated
        yield job, Mutant(module, *place, seen[place])
        seen[place] += 1


def changed_line(diff: str) -> str:
    """The added lines of a diff in one."""
    added = (line[1:].strip() for line in diff.splitlines() if line.startswith("+"))
    return " ".join(line for line in added if not line.startswith("++"))


Place = tuple[str, str]  # function and line


def places(module: str, revision: str) -> set[Place]:
    """The lines of a module as it was at a revision, each with its innermost function."""
    path = f"{revision}:pfverify/kernel/{module}.py"
    source = subprocess.run(
        ["git", "show", path], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    lines = source.splitlines()
    within = [""] * len(lines)
    for node in ast.walk(ast.parse(source)):  # breadth first: inner functions come later
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            for at in range(node.lineno - 1, node.end_lineno or node.lineno):
                within[at] = node.name
    return {(name, line.strip()) for name, line in zip(within, lines, strict=True)}


def run(
    module: str,
    folder: Path,
    sample: int | None = None,
    seed: int = 0,
    old: Set[Place] = frozenset(),
) -> list[Outcome]:
    """All mutants of a module but those of old lines, or a sample drawn by the seed, in a copy in
    `folder`.  A folder that holds an earlier unfinished run is continued."""
    from cosmic_ray.work_db import WorkDB, use_db
    from cosmic_ray.work_item import WorkerOutcome, WorkResult

    def call(*arguments: str | Path) -> None:
        command = [sys.executable, "-m", *map(str, arguments)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")

    copy_tree(folder)
    config, session = folder / f"{module}.toml", folder / f"{module}.sqlite"
    text = (HERE / "cosmic-ray.toml").read_text()
    config.write_text(text.replace("MODULE", module).replace("PYTHON", f"'{sys.executable}'"))
    if not session.exists():
        call("cosmic_ray.cli", "init", config, session)
        call("cosmic_ray.tools.filters.operators_filter", session, config)
        with use_db(session, WorkDB.Mode.open) as db:
            pending = sorted(db.pending_work_items, key=lambda x: _order(x.mutations[0]))
            result = WorkResult(worker_outcome=WorkerOutcome.SKIPPED)
            names = dict(named(module, pending, source_of(module).splitlines()))
            unnamed = [item.job_id for item in pending if item.job_id not in names]
            db.set_multiple_results(unnamed, result)
            pending = [item for item in pending if item.job_id in names]
            skipped = [] if sample is None else random.Random(seed).sample(pending, len(pending))
            db.set_multiple_results([item.job_id for item in skipped[sample:]], result)
            kept = [job for job, mutant in names.items() if (mutant.within, mutant.line) in old]
            db.set_multiple_results(kept, result)
            (folder / f"{module}.count").write_text(str(len(pending)))
    call("cosmic_ray.cli", "baseline", config)  # the battery must pass on the unchanged kernel
    call("cosmic_ray.cli", "exec", config, session)
    return results(module, folder)


def _order(spec: Any) -> tuple[str, int]:
    return spec.operator_name, spec.occurrence


def results(module: str, folder: Path) -> list[Outcome]:
    """The mutants that were tried so far."""
    from cosmic_ray.work_db import WorkDB, use_db
    from cosmic_ray.work_item import TestOutcome, WorkerOutcome

    source = source_of(module).splitlines()
    with use_db(folder / f"{module}.sqlite", WorkDB.Mode.open) as db:
        names = dict(named(module, db.work_items, source))
        found = []
        for job, result in db.results:
            if result.worker_outcome == WorkerOutcome.SKIPPED:
                continue
            if result.worker_outcome != WorkerOutcome.NORMAL:
                raise RuntimeError(f"{names[job]}: {result.worker_outcome} {result.output}")
            survived = result.test_outcome == TestOutcome.SURVIVED
            found.append(Outcome(names[job], survived, changed_line(result.diff or "")))
    return sorted(found, key=lambda outcome: outcome.mutant)


def entry(outcome: Outcome) -> str:
    """A survivor in the form of survivors.toml, its reason to be filled in."""
    fields = {**asdict(outcome.mutant), "becomes": outcome.becomes, "reason": ""}
    lines = (f"{key} = {json.dumps(value)}" for key, value in fields.items())
    return "\n".join(["[[survivor]]", *lines]) + "\n"


def summary(score: dict[str, Any]) -> str:
    """MUTATION.md."""
    rows, kinds = [], Counter(reason.partition(":")[0] for reason in explained().values())
    for module, of in score["modules"].items():
        share = f"{100 * of['killed'] / of['mutants']:.1f} %"
        left = of["mutants"] - of["killed"]
        cells = (f"`{module}.py`", of["date"], of["mutants"], of["killed"], left, share)
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    versions = ", ".join(f"{name} {number}" for name, number in score["versions"].items())
    files = sorted(p.stem for p in (ROOT / "pfverify" / "kernel").glob("*.py"))
    left = ", ".join(f"`{name}.py`" for name in files if name not in score["modules"])
    untried = fill(f"Not tried since the kernel has these files: {left}.", 100)
    groups = "\n".join(f"- {count} `{kind}`" for kind, count in kinds.most_common())
    return f"""# Mutation testing of the kernel

Written by `python tests/kernel/mutation/run_mutants.py` (`pip install -e '.[test,mutation]'`;
{versions}).

Each mutant is one change of a number, an operator, a comparison, a condition, a sign or a loop; it
is killed when the battery of the kernel's tests in `mutation/battery.py` notices it.  Which
replacements are tried is set in `mutation/cosmic-ray.toml`.

| module | date | mutants | killed | survivors | score |
|---|---|---|---|---|---|
{chr(10).join(rows)}

{untried}

Every survivor is listed with its own reason in `mutation/survivors.toml`, which also keeps the
reasons of modules that are to be tried again:

{groups}

`equivalent` means that no input tells the mutant from the kernel; `precision` that a bound moves,
outward still, or is computed with more or fewer guard bits: an answer is never wrong for it, at
worst undecided; `speed` that only the time changes; `annotation` that only a type is written
differently.
`pytest -m long tests/kernel/mutation` tries a sample of the mutants anew.
"""


def _kept(module: str, score: dict[str, Any], old: Set[Place]) -> set[Mutant]:
    """The recorded survivors of the old lines that the module still has."""
    recorded = {Mutant(**mutant) for mutant in score["modules"][module]["survivors"]}
    lines = {line.strip() for line in source_of(module).splitlines()}
    return {m for m in recorded if (m.within, m.line) in old and m.line in lines}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="*", default=list(MODULES))
    parser.add_argument("--sample", type=int, help="try that many mutants of each module only")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--since", metavar="REV", help="the revision of the recorded result")
    parser.add_argument("--folder", type=Path, help="keep the copy there, and continue from it")
    parser.add_argument("--show", action="store_true", help="only list the survivors in --folder")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    score: dict[str, Any] = json.loads(RESULT.read_text()) if RESULT.exists() else {"modules": {}}
    score["versions"] = {"python": python_version(), "cosmic-ray": version("cosmic-ray")}
    known, unexplained = explained(), 0
    try:
        for module in options.modules:
            done = results if options.show else run
            old = places(module, options.since) if options.since else set[Place]()
            more = {"sample": options.sample, "seed": options.seed, "old": old}
            outcomes = done(module, folder, **({} if options.show else more))
            survivors = [outcome for outcome in outcomes if outcome.survived]
            lasting = {outcome.mutant for outcome in survivors}
            count = len(outcomes)
            if options.since:
                count = int((folder / f"{module}.count").read_text())
                lasting |= _kept(module, score, old)
            killed = count - len(lasting)
            score["modules"][module] = {
                "date": date.today().isoformat(),
                "sha256": digest_of(module),
                "mutants": count,
                "killed": killed,
                "survivors": [asdict(mutant) for mutant in sorted(lasting)],
            }
            for outcome in survivors:
                if module in MODULES and outcome.mutant not in known:
                    unexplained += 1
                    print(entry(outcome))
            share = 100 * killed / max(1, count)
            print(f"# {module}: {count} mutants, {killed} killed ({share:.1f} %)")
    finally:
        if options.folder is None:
            shutil.rmtree(folder)
    if options.sample is None and not options.show:
        RESULT.write_text(json.dumps(score, indent=2) + "\n")
        SUMMARY.write_text(summary(score))
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())

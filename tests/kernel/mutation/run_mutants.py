"""Mutation testing of the kernel: python tests/kernel/mutation/run_mutants.py [MODULE ...]

Tries the mutants of each module (of all by default) against the kernel's tests, as `trials` says,
and writes the dated result after each: result.json beside this file, and MUTATION.md for reading.
A survivor that survivors.toml does not explain is printed, and makes the exit code 1 unless its
module is in OPEN.  --seconds says how long a mutant is tried; --again tries the recorded survivors
only, for longer.  --kept FILE keeps what each test reaches, which takes some minutes to find.
--tests FILE ... tries them against these tests only and writes no result: to see what new tests do.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import tomllib
from collections import Counter
from dataclasses import asdict
from datetime import date
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from textwrap import fill
from typing import Any

from mutants import HERE, Change, Mutant, changes, paths, source_of
from trials import Bench, shared, with_bench

EXPLAINED = HERE / "survivors.toml"
RESULT = HERE / "result.json"
SUMMARY = HERE.parent / "MUTATION.md"
KINDS = ("equivalent", "precision", "speed", "annotation")  # of reasons
OPEN: tuple[str, ...] = (  # the modules with survivors that are not explained yet
    "asked", "before", "combined", "coordinates", "defined", "enclose", "expressions",
    "failures", "files", "first_look", "masses", "mixtures", "network", "protection", "regions",
    "symbols", "tabled", "terms", "trusts", "vectors", "work",
)  # fmt: skip


def explained() -> dict[Mutant, str]:
    """The survivors with a known reason."""
    entries = tomllib.loads(EXPLAINED.read_text())["survivor"]
    keys = ("module", "within", "line", "operator", "occurrence")
    return {Mutant(*(entry[key] for key in keys)): entry["reason"] for entry in entries}


def digest_of(module: str) -> str:
    """Tells whether a result belongs to the module as it is now."""
    return hashlib.sha256(source_of(module).encode()).hexdigest()


def modules() -> list[str]:
    """All modules of the kernel."""
    return sorted(paths())


def sampled(module: str, size: int | None, seed: int = 0) -> list[Change]:
    """All mutants of a module, or some drawn by the seed."""
    found = list(changes(module))
    return found if size is None else random.Random(seed).sample(found, min(size, len(found)))


def entry(change: Change, note: str) -> str:
    """A survivor in the form of survivors.toml, its reason to be filled in."""
    fields = {**asdict(change.mutant), "becomes": change.becomes, "reason": ""}
    lines = (f"{key} = {json.dumps(value)}" for key, value in fields.items())
    return "\n".join([f"[[survivor]]{note}", *lines]) + "\n"


def summary(score: dict[str, Any]) -> str:
    """MUTATION.md."""
    rows, reasons = [], explained()
    kinds = Counter(reason.partition(":")[0] for reason in reasons.values())
    for module, of in sorted(score["modules"].items()):
        share = f"{100 * of['killed'] / of['mutants']:.1f} %" if of["mutants"] else ""
        left = [Mutant(**mutant) for mutant in of["survivors"]]
        open_ = sum(mutant not in reasons for mutant in left)
        numbers = of["seconds"], of["mutants"], of["killed"], len(left), open_
        cells = (f"`{module}.py`", of["date"], *numbers, share)
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    versions = ", ".join(f"{name} {number}" for name, number in score["versions"].items())
    left_out = ", ".join(f"`{name}.py`" for name in modules() if name not in score["modules"])
    untried = fill(f"Not tried since the kernel has these files: {left_out or 'none'}.", 100)
    groups = "\n".join(f"- {count} `{kind}`" for kind, count in kinds.most_common())
    return f"""# Mutation testing of the kernel

Written by `python tests/kernel/mutation/run_mutants.py` (`pip install -e '.[test,mutation]'`;
{versions}).

Each mutant is one change of a number, an operator, a comparison, a condition, a sign or a loop; it
is killed when a quick test in `tests/kernel` notices it (one that `pytest` runs by default), of
those that run the changed statement at all and together take no longer than the seconds below (of
processor time): those in its module's own file first, then those in files that import the module,
the quickest first (`mutation/trials.py`).  What is charged, and what functions remember, is left as
it is; which replacements are tried is set in `mutation/cosmic-ray.toml`.  With `--seconds 0.8` the
whole is about an hour of processor time, shared by the cores: 14 minutes to see what each test
runs, which `--kept FILE` keeps, and 36 for 10,000 mutants (29 November 2026).

| module | date | seconds | mutants | killed | survivors | not explained | score |
|---|---|---|---|---|---|---|---|
{chr(10).join(rows)}

{untried}

The survivors that are explained are listed with their own reasons in `mutation/survivors.toml`,
which also keeps the reasons of modules that are to be tried again:

{groups}

`equivalent` means that no input tells the mutant from the kernel; `precision` that a bound moves,
outward still, or is computed with more or fewer guard bits: an answer is never wrong for it, at
worst undecided; `speed` that only the time changes; `annotation` that only a type is written
differently.
`pytest -m long tests/kernel/mutation` tries a sample of the mutants anew.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="*", default=modules())
    parser.add_argument("--sample", type=int, help="try that many mutants of each module only")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=Path, metavar="FILE", help="what each test reaches")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--tests", nargs="+", type=Path, default=[], metavar="FILE")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    score: dict[str, Any] = json.loads(RESULT.read_text()) if RESULT.exists() else {"modules": {}}
    score["versions"] = {"python": python_version(), "cosmic-ray": version("cosmic-ray")}
    known, unexplained = explained(), 0

    def work(bench: Bench) -> None:
        nonlocal unexplained
        bench.look(options.kept, options.jobs)
        bench.limit = options.seconds
        for module in options.modules:
            before = score["modules"].get(module, {"survivors": [], "mutants": 0})
            tried = sampled(module, options.sample, options.seed)
            count = len(tried)
            if options.again:
                lasting = [Mutant(**mutant) for mutant in before["survivors"]]
                tried = [change for change in tried if change.mutant in lasting]
            fates = shared(tried, bench.kills, options.jobs)
            survivors = sorted(
                (change for change, killer in fates if killer is None), key=lambda c: c.mutant
            )
            for change in survivors:
                if change.mutant not in known:
                    unexplained += module not in OPEN
                    print(entry(change, "" if bench.checks(change) else "  # not reached"))
            print(f"# {module}: {len(survivors)} of {len(tried)} survive", flush=True)
            if options.sample is None and not options.tests:
                score["modules"][module] = {
                    "date": date.today().isoformat(),
                    "sha256": digest_of(module),
                    "seconds": options.seconds,
                    "mutants": count,
                    "killed": count - len(survivors),
                    "survivors": [asdict(m) for m in sorted(c.mutant for c in survivors)],
                }
                RESULT.write_text(json.dumps(score, indent=2) + "\n")
                SUMMARY.write_text(summary(score))

    with_bench(work, options.tests)
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())

"""The compiler of Coq in tests: always with a time limit, on a theory that is compiled once."""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

THEORY = Path(__file__).resolve().parents[2] / "proofs/coq"
LIBRARIES = ("Interval", "Coquelicot")
AXIOMS = {  # what Print Assumptions may list, and nothing else
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}

HEAD = """\
From Coq Require Import Reals ZArith List.
Import ListNotations.
From Pfverify Require Import Release Numbers Problems Check.
"""


@cache
def missing() -> str | None:
    """Why Coq cannot check the theory on this machine, None if it can."""
    if shutil.which("coqc") is None:
        return "coqc is not installed"
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, timeout=20)
    libraries = Path(where.stdout.strip(), "user-contrib")
    absent = [name for name in LIBRARIES if not (libraries / name).is_dir()]
    return f"Coq has no library {', '.join(absent)}" if absent else None


def compile_theory(limit: int = 240) -> None:
    """Compile what is stale of the theory, one process at a time. Raises RuntimeError."""
    script = THEORY / "compile"
    with script.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(["sh", str(script)], capture_output=True, text=True, timeout=limit)
    if done.returncode:
        raise RuntimeError(f"the theory does not compile: {done.stdout}{done.stderr}")


def run(
    folder: Path, text: str, limit: int = 60, *, theory: Path = THEORY, name: str = "claim.v"
) -> subprocess.CompletedProcess[str]:
    """Run coqc on a text as claim.v of a folder, with a theory. Raises TimeoutExpired."""
    file = folder / name
    file.write_text(text, "utf-8")
    command = ["coqc", "-q", "-R", str(theory), "Pfverify", file.name]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit)


def assumptions(folder: Path, text: str, limit: int = 60) -> list[set[str]]:
    """The axioms that each Print Assumptions of a text lists; RuntimeError if it is refused."""
    done = run(folder, text, limit)
    if done.returncode:
        raise RuntimeError(done.stderr)
    answers = re.split(r"^(?=Axioms:|Closed under the global context)", done.stdout, flags=re.M)[1:]
    return [{*re.findall(r"^([\w.']+)(?= :|$)", answer, re.M)} for answer in answers]

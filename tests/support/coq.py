"""The compiler of Coq in tests: always with a time limit, on a theory that is compiled once."""

from __future__ import annotations

import fcntl
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


def coqc(file: Path, limit: int = 60) -> subprocess.CompletedProcess[str]:
    """Run coqc on a file of its own folder, with the theory. Raises TimeoutExpired."""
    command = ["coqc", "-q", "-R", str(THEORY), "Pfverify", file.name]
    return subprocess.run(command, cwd=file.parent, capture_output=True, text=True, timeout=limit)


def accepted(folder: Path, text: str, name: str = "claim", limit: int = 60) -> bool:
    """Whether coqc accepts a text, as a file of a folder. Raises TimeoutExpired."""
    file = folder / f"{name}.v"
    file.write_text(text, "utf-8")
    return coqc(file, limit).returncode == 0

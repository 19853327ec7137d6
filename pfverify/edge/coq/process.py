"""Coq's programs, each in a process group of its own that ends with this one, and in time."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pfverify.errors import InputError

REMEDY = "apt-get install coq libcoq-interval libcoq-coquelicot"
"""What installs Coq and the libraries of the theory, on Debian and its like."""


@dataclass(frozen=True)
class Done:
    """How a program ended: its exit code (negative: the signal), and what it printed."""

    code: int
    out: str
    err: str


def require_coq() -> None:
    """Raise InputError where Coq is not installed."""
    for program in ("coqc", "coqdep"):
        if shutil.which(program) is None:
            raise InputError(f"--coq: {program} is not installed; {REMEDY}")


def run(command: Sequence[str], folder: Path, seconds: float) -> Done | None:
    """Run a program in a folder; None where it had not ended in time.

    Whatever happens, nothing of its process group is left. Raises OSError where there is none.
    Example: ``run(["true"], Path("."), 9).code`` is ``0``.
    """
    with _interrupted_by_sigterm(), _later() as free, subprocess.Popen(
        command, cwd=folder, process_group=0, text=True, errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            free()
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return Done(process.returncode, out, err)


@contextmanager
def _later() -> Iterator[Callable[[], object]]:
    """Signals that end come when what is yielded is called: a program that starts is known then.

    One that came before would leave it running, with nobody who knows of it.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    free = partial(signal.pthread_sigmask, signal.SIG_SETMASK, before)
    try:
        yield free
    finally:
        free()


@contextmanager
def _interrupted_by_sigterm() -> Iterator[None]:
    """SIGTERM (of `timeout`, say) interrupts: what is begun is ended and removed."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set it
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def first_error(done: Done) -> str:
    """Return Coq's first error on one line, or how the program ended.

    Example: ``first_error(Done(-9, "", ""))`` is ``"coqc ended with signal 9"``.
    """
    if done.code < 0:
        return f"coqc ended with signal {-done.code}"
    _, found, text = done.err.partition("Error:")
    return " ".join(text.split()) if found else f"coqc ended with code {done.code}"

"""How a run ends: one line on standard error, and an exit code that says what happened.

1 is a verdict (refuted, rejected, invalid, a failed proof) and nothing else: a pipeline may act on
it. Whatever keeps an answer from being found or read has a code of its own.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable

import click

from pfverify.edge import encoding
from pfverify.errors import PfverifyError, UndecidedError, shorten

EXIT_REFUTED, EXIT_USAGE, EXIT_UNDECIDED = 1, 2, 3
EXIT_INTERNAL = 70  # EX_SOFTWARE of sysexits.h
EXIT_INTERRUPTED, EXIT_CLOSED_PIPE = 130, 141  # 128 + SIGINT, 128 + SIGPIPE
TRACEBACK = "PFVERIFY_TRACEBACK"  # the environment variable that asks for one


def fail(message: str, code: int = EXIT_USAGE) -> int:
    """Print one line on standard error (if anybody reads it) and return the code."""
    warn(" ".join(message.split()))
    return code


def warn(line: str) -> None:
    """Print a line on standard error, if anybody reads it."""
    try:
        click.echo(f"pfverify: {line}", err=True)
    except (OSError, ValueError):  # standard error is closed or full: the exit code is enough
        _discard(sys.stderr)


def coded(command: Callable[[], object]) -> int:
    """Run a command and return its exit code; every error is one line.

    Example: ``coded(lambda: 0)`` is 0; a command that raises InputError gives 2.
    """
    try:
        code = command()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        return fail(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        return fail("interrupted; no unfinished file was left", EXIT_INTERRUPTED)
    except BrokenPipeError:  # the reader has seen enough: no error, and no verdict either
        return EXIT_CLOSED_PIPE
    except MemoryError:
        return fail("out of memory: nothing was decided", EXIT_INTERNAL)
    except BaseException as error:  # SystemExit of a library too
        if isinstance(error, OSError) and not error.filename and (reason := _unwritten()):
            return fail(f"standard output: cannot write: {reason}")
        found = expected(error)
        return _internal(error) if found is None else fail(*found)
    return code if isinstance(code, int) else 0


def expected(error: BaseException) -> tuple[str, int] | None:
    """Return the line and the exit code of an error about input or files, None of any other.

    Example: ``expected(PfverifyError("no such file"))`` is ``("no such file", 2)``.
    """
    if isinstance(error, BrokenPipeError):
        return None
    if isinstance(error, UndecidedError):
        return f"undecided: {error}", EXIT_UNDECIDED
    if isinstance(error, PfverifyError):
        return str(error), EXIT_USAGE
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}cannot read or write: {error.strerror or error}", EXIT_USAGE
    return None


def finished(code: int) -> int:
    """Flush standard output and return the exit code, which tells when that fails."""
    try:
        reason = _unwritten()
    except BrokenPipeError:
        code, reason = EXIT_CLOSED_PIPE, "nobody reads"
    if reason is not None:
        if code in (0, EXIT_REFUTED, EXIT_UNDECIDED):  # else its line is already there
            code = fail(f"standard output: cannot write: {reason}")
        _discard(sys.stdout)
    return code


def _unwritten() -> str | None:
    """Why standard output does not take what was printed, None where it does."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return None


def require_output() -> None:
    """Make standard output fit for an answer; PfverifyError where it is closed.

    What its encoding lacks is written in ASCII. Without a buffer (PYTHONUNBUFFERED) Python drops
    the rest of a write that is cut short, without an error, so it gets one.
    """
    if sys.stdout is None:
        raise PfverifyError("standard output is closed, expected a place for the answer")
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        number, written = sys.stdout.fileno(), sys.stdout.encoding
        sys.stdout = open(number, "w", encoding=written, closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors=encoding.register())


def _discard(stream: object) -> None:
    """Point a stream that cannot be written at nothing: Python flushes once more at exit."""
    try:
        number = stream.fileno()  # type: ignore[attr-defined]
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)
    except (AttributeError, OSError, ValueError):  # a stream without a file
        pass


def _internal(error: BaseException) -> int:
    if os.environ.get(TRACEBACK):
        import traceback

        traceback.print_exception(error)
    what = f"{type(error).__name__}: {shorten(error, 200)}".removesuffix(": ")
    return fail(
        f"internal error, nothing was decided: {what} (set {TRACEBACK}=1 to see where, and please "
        "report it)",
        EXIT_INTERNAL,
    )

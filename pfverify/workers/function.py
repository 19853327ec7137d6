"""Somebody's function in a process of its own: asked over a pipe, ended when it takes too long."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from pfverify.errors import InputError, require, shorten
from pfverify.workers import wire
from pfverify.workers.place import Place
from pfverify.workers.process import Frame, GoneError, SilentError, Worker

_LOADING = 120.0  # seconds in which a module is imported
_LONGEST = 1e6  # seconds of a timeout: days
_WORDS = 300


@dataclass(frozen=True)
class Limits:
    """What a call may take: `timeout` seconds, and `memory` MiB of address space (0: any).

    Raises InputError for numbers that limit nothing.
    """

    timeout: float = 10.0
    memory: int = 4096

    def __post_init__(self) -> None:
        require(self.timeout, (int, float), "timeout")
        require(self.memory, int, "memory")
        if not 0 < self.timeout <= _LONGEST:
            shown = shorten(self.timeout)
            raise InputError(f"timeout: {shown} is not a number of seconds > 0 (most {_LONGEST:g})")
        if not 0 <= self.memory < 1 << 40:
            shown = shorten(self.memory)
            raise InputError(f"memory: {shown} is not a number of MiB, or 0 for no limit")

    def options(self) -> list[str]:
        """Return them as options of the command, those that are not the default."""
        given = {"--timeout": self.timeout, "--memory": self.memory}
        usual = vars(Limits())
        return [
            word for name, value in given.items() if value != usual[name[2:]]
            for word in (name, str(value).removesuffix(".0"))
        ]  # fmt: skip


class FunctionProcess:
    """A function in another process, which is started again after it ended.

    Use it in a ``with`` block: at the end of it no process is left. `takes` are the optional
    keywords that the function has; `unlimited` says why its memory is not limited, if so.
    """

    def __init__(
        self,
        serve: str,
        place: Place,
        positional: Sequence[str],
        *,
        optional: Sequence[str] = (),
        expected: str,
        limits: Limits,
    ) -> None:
        """Take the statement that serves, where the function is, its arguments, and the limits.

        `expected` is the signature as people read it.
        """
        self._serve, self._place, self._limits = serve, place, limits
        self._arguments = {"positional": list(positional), "optional": list(optional)}
        self._expected = expected
        self._process: Worker | None = None
        self.takes: tuple[str, ...] = ()
        self.unlimited: str | None = None
        self._asked = 0

    def __enter__(self) -> Self:
        """Start the process. Raises InputError for a function that cannot be used."""
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def asked(self, head: dict[str, Any], body: bytes) -> Frame:
        """Return what answers a request.

        Raises SilentError where that takes too long, and GoneError where the process ended or wrote
        over its own answer, each with words about it: the next request has a new process.
        """
        try:
            process = self._process or self._start()
        except InputError as error:
            self.close()
            raise GoneError(f"it could not be started again ({error})") from None
        self._asked += 1
        try:
            found = process.asked({**head, "id": self._asked}, body, self._limits.timeout)
            if found[0].get("id") != self._asked:
                raise wire.BrokenFrameError("an answer to nothing that was asked")
            return found
        except SilentError:
            self.close()
            raise SilentError(f"no answer within {self._limits.timeout:g} s") from None
        except GoneError:
            raise GoneError(f"its process {self._ended(process)}") from None
        except wire.BrokenFrameError as error:
            raise self.overwritten(error) from None

    def overwritten(self, error: wire.BrokenFrameError) -> GoneError:
        """End the process, whose answer is none; return that as an error to raise."""
        self.close()
        return GoneError(f"its process wrote over its own answer ({error})")

    def close(self) -> None:
        """End the process, if there is one, and what it started in its group."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _ended(self, process: Worker) -> str:
        self._process = None
        return _how(process.exit_code())

    def _start(self) -> Worker:
        process = self._process = Worker(self._serve)
        place = {name: getattr(self._place, name) for name in ("module", "file", "function")}
        head = {**place, **self._arguments, "memory": self._limits.memory}
        what = self._place.text
        try:
            found, _ = process.asked(head, b"", _LOADING)
            self._use(found)
        except SilentError:
            raise InputError(f"{what}: importing it took more than {_LOADING:g} s") from None
        except (GoneError, wire.BrokenFrameError):
            said = self._ended(process)
            raise InputError(f"{what}: while it was imported its process {said}") from None
        return process

    def _use(self, found: dict[str, Any]) -> None:
        """Take what a function that was imported is; InputError for one that cannot be used.

        Raises BrokenFrameError for what says nothing of the kind.
        """
        what = self._place.text
        if "signature" in found:
            called = words_of(found["signature"])
            raise InputError(f"{what}: wrong signature, expected {self._expected}; {called}")
        if "refused" in found:
            raise InputError(f"{what}: {words_of(found['refused'])}")
        takes, unlimited = found.get("takes"), found.get("unlimited")
        if not isinstance(takes, list):
            raise wire.BrokenFrameError("a function that takes nothing")
        self.takes = tuple(map(words_of, takes))
        self.unlimited = None if unlimited is None else words_of(unlimited)


def _how(code: int | None) -> str:
    """Return words on how a process ended, as `Worker.exit_code` says it."""
    if code is None:
        return "closed its standard streams and went on"
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def words_of(said: object) -> str:
    """Return words from another process in one line, with nothing that a terminal obeys.

    Raises BrokenFrameError for what is no text.
    Example: ``words_of("\\x1b[31m red")`` is ``"?[31m red"``.
    """
    if not isinstance(said, str):
        raise wire.BrokenFrameError("words that are no text")
    return "".join(mark if mark.isprintable() else "?" for mark in shorten(said, _WORDS))

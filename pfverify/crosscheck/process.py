"""A subject in a process of its own: asked over a pipe, ended when it takes too long."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pfverify.crosscheck.reply import End, Reply, reply_of, words_of
from pfverify.crosscheck.signature import Place
from pfverify.errors import InputError, require, shorten
from pfverify.workers import wire
from pfverify.workers.process import Frame, GoneError, SilentError, Worker

_SERVE = "from pfverify.crosscheck.child import serve; serve()"
_LOADING = 120.0  # seconds in which a module is imported
_LONGEST = 1e6  # seconds of a timeout: days


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


class SubjectProcess:
    """A function in another process, which is started again after it ended.

    Use it in a ``with`` block: at the end of it no process is left. `takes` are the optional
    keywords that the function has; `unlimited` says why its memory is not limited, if so.
    """

    def __init__(
        self,
        place: Place,
        positional: Sequence[str],
        *,
        expected: str,
        limits: Limits,
    ) -> None:
        """Take where the function is, what it is called with, and what a call may take.

        `expected` is the signature as people read it.
        """
        self._place, self._limits = place, limits
        self._positional, self._expected = list(positional), expected
        self._process: Worker | None = None
        self.takes: tuple[str, ...] = ()
        self.unlimited: str | None = None
        self._asked = 0

    def __enter__(self) -> SubjectProcess:
        """Start the process. Raises InputError for a function that cannot be used."""
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, values: list[Any], named: dict[str, float]) -> Reply:
        """Return what comes of calling the function, whatever it does."""
        try:
            process = self._process or self._start()
        except InputError as error:
            self.close()
            return Reply(End.DIED, words=f"it could not be started again ({error})")
        self._asked += 1
        arrays = [np.asarray(value, dtype="<f8") for value in [*values, *named.values()]]
        head = {"id": self._asked, "shapes": [a.shape for a in arrays], "named": list(named)}
        body = b"".join(array.tobytes() for array in arrays)
        try:
            found = process.asked(head, body, self._limits.timeout)
            return _reply(found, self._asked)
        except SilentError:
            self.close()
            return Reply(End.TIMEOUT, words=f"no answer within {self._limits.timeout:g} s")
        except GoneError:
            return Reply(End.DIED, words=f"its process {self._ended(process)}")
        except wire.BrokenFrameError as error:
            self.close()
            return Reply(End.DIED, words=f"its process wrote over its own answer ({error})")

    def close(self) -> None:
        """End the process, if there is one, and what it started in its group."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _ended(self, process: Worker) -> str:
        self._process = None
        return _how(process.exit_code())

    def _start(self) -> Worker:
        process = self._process = Worker(_SERVE)
        place = {name: getattr(self._place, name) for name in ("module", "file", "function")}
        head = {**place, "positional": self._positional, "memory": self._limits.memory}
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


def _reply(found: Frame, number: int) -> Reply:
    """Return a frame as a reply; BrokenFrameError for one that answers another request."""
    head, body = found
    if head.get("id") != number:
        raise wire.BrokenFrameError("an answer to nothing that was asked")
    return reply_of(head, body)

"""A subject in a process of its own: called with numbers, whatever it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pfverify.crosscheck.calling import KEYWORDS
from pfverify.crosscheck.reply import End, Reply, reply_of
from pfverify.workers.function import FunctionProcess, Limits
from pfverify.workers.place import Place
from pfverify.workers.process import GoneError, SilentError
from pfverify.workers.wire import BrokenFrameError

_SERVE = "from pfverify.crosscheck.child import serve; serve()"


class SubjectProcess(FunctionProcess):
    """A function of numbers in another process."""

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
        super().__init__(
            _SERVE, place, positional, optional=KEYWORDS, expected=expected, limits=limits
        )

    def call(self, values: list[Any], named: dict[str, float]) -> Reply:
        """Return what comes of calling the function, whatever it does."""
        arrays = [np.asarray(value, dtype="<f8") for value in [*values, *named.values()]]
        head = {"shapes": [a.shape for a in arrays], "named": list(named)}
        try:
            found = self.asked(head, b"".join(array.tobytes() for array in arrays))
            return reply_of(*found)
        except SilentError as error:
            return Reply(End.TIMEOUT, words=str(error))
        except GoneError as error:
            return Reply(End.DIED, words=str(error))
        except BrokenFrameError as error:
            return Reply(End.DIED, words=str(self.overwritten(error)))

"""One question answered: plain data in, plain data out, in whatever process this is called."""

from __future__ import annotations

import threading
import traceback
from functools import lru_cache
from pathlib import Path

from pfverify.answers.calibrate import calibrate
from pfverify.answers.certify import certify, decided_pairs
from pfverify.answers.loss import loss, measured_pairs
from pfverify.answers.outcome import checked_digits
from pfverify.errors import PfverifyError, UndecidedError
from pfverify.many.plain import plain_pairs, plain_result
from pfverify.many.question import VERSIONS, CommandQuestion, Data, ProblemText
from pfverify.model.digest import problem_digest
from pfverify.model.problem import Problem

_TURN = threading.Lock()  # of the threads that a cluster's worker may have
_KEPT = 2  # problems that are not read again for the next of their pairs


def answer(data: Data) -> Data:
    """Return the answer to the data of a question.

    That is the result (or the pairs of a part) with what proves it, or an `error` with its `kind`:
    "input" or "undecided" where nothing can be decided; "versions" where this process runs others
    than the question was asked with; "lost" where memory ran out; "internal" for a defect.
    One thread of a process works at a time: the precision of python-flint is one global.
    Example: ``answer({})["kind"]`` is ``"versions"``.
    """
    if data.get("versions") != VERSIONS:
        said = [" ".join(map(str, pair)) for pair in VERSIONS.items()]
        return _error("versions", f"it runs {' and '.join(said)}")
    with _TURN:
        try:
            return _answer(CommandQuestion.of_data(data))
        except UndecidedError as error:
            return _error("undecided", str(error))
        except PfverifyError as error:
            return _error("input", str(error))
        except MemoryError:
            return _error("lost", "out of memory")
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            return _error("internal", f"{type(error).__name__}: {error} ({where})")


def _error(kind: str, message: str) -> Data:
    return {"error": message, "kind": kind}


def _answer(question: CommandQuestion) -> Data:
    problem, digits = _read(question.stated), checked_digits(question.digits)
    if problem_digest(problem) != question.digest:
        raise ValueError("the question names the digest of another problem")
    part = question.part
    if part is None:
        match question.command:
            case "certify":
                return plain_result(certify(problem, digits=digits))
            case "loss":
                return plain_result(loss(problem, digits=digits))
            case "calibrate":
                return plain_result(calibrate(problem, digits=digits))
    items = list(problem.questions())
    if len(items) != part.of:
        raise ValueError("the question counts the pairs of another problem")
    mine = items[part.first - 1 : part.last]
    match question.command:
        case "certify":
            return plain_pairs(decided_pairs(problem, mine, digits))
        case "loss":
            return plain_pairs(measured_pairs(problem, mine, digits))
        case _:
            raise ValueError(f"{question.command} is not answered pair by pair")


@lru_cache(maxsize=_KEPT)
def _read(stated: ProblemText) -> Problem:
    return stated.problem()

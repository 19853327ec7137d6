"""Problems and questions that several tests of many questions at once ask."""

from __future__ import annotations

from typing import Any

from pfverify import Discrete, Laplace, Problem
from pfverify.many.question import Command, CommandQuestion, NamedProblem, ProblemText, questions


def many_pairs(count: int, **more: Any) -> Problem:
    """Return a problem about so many secrets, each against each."""
    priors = {f"s{k}": Discrete(counts={0: 3 + k % 4, 1: 5, 2: 1 + k % 3}) for k in range(count)}
    return Problem(priors, **{"noise": Laplace("3"), "epsilon": "1/2"} | more)


def asking(command: Command, problem: Problem, digits: int = 12) -> list[CommandQuestion]:
    """Return what to ask about a problem under the name p."""
    return questions(command, NamedProblem("p", problem, ProblemText.of(problem)), digits)

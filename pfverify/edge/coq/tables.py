"""Priors of atoms as tables of integers, as `proofs/coq/Problems.v` has them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from math import lcm

from pfverify.edge.coq.names import CoqNames, commented
from pfverify.edge.coq.numbers import integer
from pfverify.model.priors.discrete import Discrete
from pfverify.model.question import Question
from pfverify.model.sources.source import DEFAULT_BELIEF

WIDTH = 100
_CHUNK = 500  # rows of one list: Coq's parser overflows on longer ones
_MOST = 400_000  # characters of all rows, which Coq reads in some seconds


class Tables:
    """The tables of the priors that are compared, each under one identifier.

    Atoms are multiples of one unit, which all tables share.
    """

    def __init__(self, items: Iterable[Question], names: CoqNames) -> None:
        self._names = names
        self._called: dict[tuple[str, str], str] = {}
        self._priors: dict[tuple[str, str], Discrete] = {}
        for item in items:
            for secret, prior in ((item.first, item.first_prior), (item.second, item.second_prior)):
                if not isinstance(prior, Discrete):
                    raise TypeError(f"a table of {type(prior).__name__}")
                if (item.belief, secret) not in self._called:
                    whose = secret if item.belief == DEFAULT_BELIEF else f"{item.belief} {secret}"
                    self._called[item.belief, secret] = names.new("prior", whose)
                    self._priors[item.belief, secret] = prior
        self.unit = lcm(*(prior.denominator for prior in self._priors.values()))

    @property
    def too_long(self) -> str | None:
        """Why the tables are too long for Coq to be read, None where they are not."""
        rows = sum(prior.size for prior in self._priors.values())
        digits = sum(_digits(prior, self.unit) for prior in self._priors.values())
        if digits <= _MOST:
            return None
        return (
            f"the priors are {rows} atoms of {digits} digits in all; Coq can be given tables of at "
            f"most {_MOST}"
        )

    def name(self, belief: str, secret: str) -> str:
        """Return the identifier of a table."""
        return self._called[belief, secret]

    def lines(self) -> Iterator[str]:
        """Yield the definitions, each below a comment that says whose prior it is."""
        for key, prior in self._priors.items():
            belief, secret = key
            under = "" if belief == DEFAULT_BELIEF else f", under the belief '{commented(belief)}'"
            yield f"(* '{commented(secret)}'{under} *)"
            yield from table_lines(self._called[key], prior, self.unit, self._names)


def table_lines(name: str, prior: Discrete, unit: int, names: CoqNames) -> Iterator[str]:
    """Yield the definition of a table of this unit, with those of its parts where it is long."""
    factor = unit // prior.denominator
    rows = [
        f"({integer(point * factor)}, {integer(weight)})"
        for point, weight in zip(prior.points, prior.weights, strict=True)
    ]
    parts = [rows[k : k + _CHUNK] for k in range(0, len(rows), _CHUNK)]
    head = f"Definition {name} : table := Table {integer(unit)} {integer(prior.total)}"
    listed = f"[{'; '.join(rows)}]%Z."
    if len(parts) > 1:
        called = []
        for part in parts:
            called.append(names.new(name, "rows"))
            yield f"Definition {called[-1]} :="
            yield from folded(f"[{'; '.join(part)}]%Z.", "  ", "   ")
        listed = f"({' ++ '.join(called)})."
    elif len(f"{head} {listed}") <= WIDTH:
        yield f"{head} {listed}"
        return
    yield from folded(head)
    yield from folded(listed, "  ", "   ")


def _digits(prior: Discrete, unit: int) -> int:
    """About how many characters the rows of a table have."""
    factor = unit // prior.denominator
    numbers = (*(point * factor for point in prior.points), *prior.weights)
    return sum(max(1, number.bit_length() * 3 // 10) for number in numbers)


def folded(text: str, first: str = "", then: str = "  ") -> list[str]:
    """Return a text over lines of at most `WIDTH` characters, broken at spaces, each set in.

    Example: ``folded("a b")`` is ``["a b"]``.
    """
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=then,
                         break_long_words=False, break_on_hyphens=False)  # fmt: skip

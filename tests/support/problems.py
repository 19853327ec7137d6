"""Short ways to build problems of two secrets from plain dictionaries."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from pfverify import Discrete, DiscreteLaplace, Laplace, Problem, certify
from pfverify.answers.outcome import CertifyResult, Directed

Table = dict[Any, Any]


@contextmanager
def limited(seconds: int = 10) -> Iterator[None]:
    """Fail with TimeoutError after so much processor time, however busy the machine is."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"no answer within {seconds} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def prior(table: Table) -> Discrete:
    """A prior from atom -> mass."""
    return Discrete(table)


def point(atom: Any) -> Discrete:
    """All mass on one atom."""
    return Discrete({atom: 1})


def problem(
    p: Table | Discrete,
    q: Table | Discrete,
    scale: Any = 1,
    epsilon: Any = 1,
    delta: Any = 0,
    form: str = "events",
    step: Fraction | int | None = None,
) -> Problem:
    """Secrets a and b with these priors."""
    priors = {
        name: table if isinstance(table, Discrete) else Discrete(table)
        for name, table in (("a", p), ("b", q))
    }
    noise = Laplace(scale) if step is None else DiscreteLaplace(scale, step)
    return Problem(priors=priors, noise=noise, epsilon=epsilon, delta=delta, form=form)


def verdict(*args: Any, **kwargs: Any) -> str:
    """The verdict of `problem` as text."""
    return decided(problem(*args, **kwargs)).verdict.value


def decided(asked: Problem, digits: int = 12) -> CertifyResult:
    """The result of certify, which must come within seconds."""
    with limited():
        return certify(asked, digits=digits)


def order(result: CertifyResult, first: str) -> Directed:
    """The outcome whose first secret is `first`."""
    return next(found for found in result.pairs if found.from_ == first)

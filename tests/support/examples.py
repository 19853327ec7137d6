"""The packaged problems, by what they are about."""

from __future__ import annotations

from functools import cache

from pfverify.edge.packaged import example_names, load_example
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_laplace import TruncatedLaplace
from pfverify.model.releases.selected import Selected
from pfverify.model.releases.stepped import Stepped
from pfverify.model.sources.correlated import Correlated
from pfverify.model.sources.families import Families


@cache
def _group(name: str) -> str:
    problem = load_example(name)
    if isinstance(problem.source, Families):
        return "families"
    if isinstance(problem.source, Correlated):
        return "correlated"
    if isinstance(problem.release, Stepped):
        return "stepped"
    if isinstance(problem.release, Selected):
        return "choice"
    if isinstance(problem.release, TableNoise):
        return "table"
    if isinstance(problem.release, TruncatedLaplace):
        return "truncated"
    if problem.named_notion is not None:
        return "channel"
    if problem.release.several is not None or problem.numbers:
        return "several"
    if all(item.first_prior == item.second_prior for item in problem.questions()):
        return "several"  # one of the numbers alone
    smooth = any(item.is_smooth for item in problem.questions())
    return "smooth" if smooth else "discrete"


def _of(group: str) -> list[str]:
    return [name for name in example_names() if _group(name) == group]


def discrete_examples() -> list[str]:
    """Names of the packaged problems about priors of atoms, with noise that is not Gaussian."""
    return _of("discrete")


def small_examples(most: int = 20) -> list[str]:
    """Those of `discrete_examples` whose priors have at most so many atoms, for work by pairs."""
    return [
        name for name in discrete_examples()
        if all(
            len(prior.components) <= most
            for item in load_example(name).questions()
            for prior in (item.first_prior, item.second_prior)
        )
    ]  # fmt: skip


def smooth_examples() -> list[str]:
    """Names of the packaged problems with normal priors or Gaussian noise."""
    return _of("smooth")


def channel_examples() -> list[str]:
    """Names of the packaged problems with a finite channel, or whose epsilon is per distance."""
    return _of("channel")


def stepped_examples() -> list[str]:
    """Names of the packaged problems with steps after the noise."""
    return _of("stepped")


def choice_examples() -> list[str]:
    """Names of the packaged problems of which the name of one noisy number is published."""
    return _of("choice")


def family_examples() -> list[str]:
    """Names of the packaged problems with families of priors."""
    return _of("families")


def correlated_examples() -> list[str]:
    """Names of the packaged problems about chains, or networks, of records."""
    return _of("correlated")


def several_examples() -> list[str]:
    """Names of the packaged problems with several numbers, or several releases."""
    return _of("several")

"""The view of a problem, as a notebook shows it: what is asked, and of which laws."""

from __future__ import annotations

from pfverify.edge.document import counted
from pfverify.edge.views.view import View
from pfverify.edge.words import inequality
from pfverify.errors import shorten
from pfverify.model.problem import Problem
from pfverify.model.releases.selected import Selected
from pfverify.model.releases.stepped import Stepped
from pfverify.model.sources.users import Users

_LONG = 200  # characters of a law


class ProblemView(View[Problem]):
    """The target, what releases, and the priors (of a system the laws that its user may have)."""

    of = "problem"

    def target(self) -> str:
        """Return the target in words."""
        problem = self.result
        epsilon, delta = problem.epsilon.text, problem.delta.text
        return inequality(problem.form, epsilon, delta, problem.named_notion)

    def laws(self) -> list[tuple[str, ...]]:
        """Return the laws, each under its belief and secret."""
        return [tuple(shorten(text, _LONG) for text in law)
                for law in self.result.source.stated()]  # fmt: skip

    def several(self) -> bool:
        """Say whether there are several beliefs."""
        return len({belief for belief, _, _ in self.result.source.stated()}) > 1

    def release(self) -> str:
        """Return what releases, of which X, and how many pairs there are."""
        problem = self.result
        release = problem.release
        channel = release.named and not isinstance(release, Stepped | Selected)
        of = f"Channel: {release.named_kind}, " if channel else "Noise: "
        words = [f"{of}{release!r}"]
        if problem.named_notion is not None:
            words.append(f"notion: {problem.named_notion}")
        if isinstance(problem.source.origin, Users):
            words.append(f"X: {problem.source.origin.system!r}")
        if problem.source.steps:
            words.append(f"before the noise: {'; '.join(x.words for x in problem.source.steps)}")
        words.append(f"{counted(len(problem.pairs), 'pair')} of secrets, both orders")
        return "; ".join(words)

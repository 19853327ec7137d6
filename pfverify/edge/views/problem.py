"""The view of a problem, as a notebook shows it: what is asked, and of which laws."""

from __future__ import annotations

from pfverify.edge.views.view import Column, Section, Sentence, Table, View, and_more, say
from pfverify.edge.words import inequality
from pfverify.errors import shorten
from pfverify.model.problem import DEFAULT_BELIEF, Problem

_ROWS = 20  # laws that are shown
_LONG = 200  # characters of a law


class ProblemView(View[Problem]):
    """The target, what releases, and the priors (of a system the laws that its user may have)."""

    def sections(self) -> list[Section]:
        """Return the target in words, the release, and a table of laws."""
        problem = self.result
        target = inequality(
            problem.form, problem.epsilon.text, problem.delta.text, problem.named_notion
        )
        laws = self._laws()
        several = len({belief for belief, _, _ in laws}) > 1
        names = ["belief"] * several + ["secret", "prior" if problem.system is None else "user"]
        rows = [
            [(shorten(text, _LONG),) for text in (belief, secret, law)[not several :]]
            for belief, secret, law in laws[:_ROWS]
        ]
        return [
            Section(
                said=[say(target), self._release()],
                tables=[Table([Column(name) for name in names], rows)] if rows else [],
                notes=and_more(len(laws) - _ROWS, "laws", ".beliefs has all"),
            )
        ]

    def _release(self) -> Sentence:
        problem = self.result
        words = [f"Noise: {problem.noise!r}"]
        if problem.channel is not None:
            words = [f"Channel: {problem.channel.kind}, {problem.channel!r}"]
        if problem.named_notion is not None:
            words.append(f"notion: {problem.named_notion}")
        if problem.system is not None:
            words.append(f"X: {problem.system!r}")
        count = len(problem.pairs)
        words.append(f"{count} {'pair' if count == 1 else 'pairs'} of secrets, both orders")
        return say("; ".join(words))

    def _laws(self) -> list[tuple[str, str, str]]:
        """Belief, secret and law in words; single inputs have none."""
        problem = self.result
        if problem.system is not None:
            user = problem.system.to_table().get("user", {})
            return [(DEFAULT_BELIEF, name, _case(case)) for name, case in user.items()]
        if problem.protection.of_inputs:
            return []
        return [
            (belief, secret, repr(prior))
            for belief, table in problem.beliefs.items()
            for secret, prior in table.items()
        ]


def _case(case: object) -> str:
    if isinstance(case, dict):
        return ", ".join(f"{key} {value}" for key, value in case.items())
    return str(case)

"""The page that says what each rule of a step asks for: its inference figure."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from pfverify.edge.document import Block, Paragraph
from pfverify.edge.pages import Heading, Listing, Page
from pfverify.edge.sentences import sentence
from pfverify.proof.claim import Claim, Proved
from pfverify.proof.rules import Rule

RULES = "rules.html"


def rule_place(name: str) -> str:
    """Return the id of a rule on the page."""
    return f"rule-{name}"


def page(claims: Sequence[Claim]) -> Page:
    """Return the page of the rules that the steps of these claims use."""
    used: dict[str, type[Rule]] = {}
    for claim in claims:
        for _, part in claim.parts():
            if isinstance(part, Proved):
                used |= {step.rule.name: type(step.rule) for step in part.all_steps()}
    blocks: list[Block] = [Paragraph((sentence("book.rules"),))]
    for name in sorted(used):
        figure = inspect.getdoc(used[name]) or ""
        blocks += [Heading((name,), 2, rule_place(name)), Listing(figure, f"The rule {name}")]
    return Page(RULES, "The rules of steps", blocks)

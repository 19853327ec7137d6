"""A report that may leave the house: the verdict and its proof, and nothing of the priors.

It is built from what it may say, and never by leaving out: two problems with the same secrets,
noise, target and verdict have the same page, but for their digests.
"""

from __future__ import annotations

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import (
    Block,
    Code,
    Item,
    Listed,
    Paragraph,
    Report,
    Text,
    say,
    simple_table,
    toned,
)
from pfverify.edge.report.action import action
from pfverify.edge.report.commands import check_commands
from pfverify.edge.report.facts import Facts
from pfverify.edge.report.labels import Names
from pfverify.edge.report.odds import stated_meaning
from pfverify.edge.report.sections import error_block, lead_of, made_of, proved_blocks
from pfverify.edge.report.sentences import entry, paragraph, sentence, titled
from pfverify.edge.report.stated import released_words, target_blocks
from pfverify.edge.report.told import word_list

_PAIRS = 200  # in the table


def redacted_report(facts: Facts) -> Report:
    """Return what a report says without its priors and whatever was worked out from them."""
    names = Names(name for pair in facts.problem.pairs for name in pair)
    refuted = facts.decided.refuted
    lead = sentence("lead.refuted-redacted") if refuted else lead_of(facts, names)
    meant = stated_meaning(facts, names, redacted=True)
    parts = [
        titled("meaning", [Paragraph(text) for text in meant]),
        titled("problem", _asked(facts)),
        titled("error", [error_block(facts)]),
        titled("proved", proved_blocks(facts, "some output or event", _assumed(facts))),
        titled("pairs", [_pairs(facts, names)]),
        titled("redacted", _left_out()),
        titled("check", [*_data_digest(facts), *check_commands(facts)]),
        titled("words", [word_list()]),
    ]
    return made_of(facts, lead, parts, action(facts, least=False))


def _asked(facts: Facts) -> list[Block]:
    released = say(*released_words(facts, sized=False))
    return [released, paragraph("problem.target-redacted"), *target_blocks(facts)]


def _assumed(facts: Facts) -> list[str]:
    """What is assumed, without the number of users, which is a count of records."""
    unit = facts.problem.source.unit
    return [text.replace(f"by {unit}, the", "by the") for text in facts.decided.assumed]


def _pairs(facts: Facts, names: Names) -> Block:
    """The verdict of every pair, in the order of the problem and of both orders the worse one."""
    worst: dict[frozenset[str], Verdict] = {}
    rank = (Verdict.CERTIFIED, Verdict.UNDECIDED, Verdict.REFUTED)
    for pair in facts.decided.pairs:
        key = frozenset((pair.from_, pair.to))
        worst[key] = max(worst.get(key, Verdict.CERTIFIED), pair.verdict, key=rank.index)
    rows: list[list[Text]] = [
        [(names.plain(a),), (names.plain(b),), (toned(worst[frozenset((a, b))]),)]
        for a, b in facts.problem.pairs[:_PAIRS]
    ]
    more = len(facts.problem.pairs) - len(rows)
    caption = "Pairs of secrets" + (f" (the first {_PAIRS}; {more} more)" if more else "")
    return simple_table(caption, ["secret", "against", "verdict"], rows)


def _left_out() -> list[Block]:
    items = Listed([Item((text,)) for text in entry("redacted.items")])
    return [paragraph("redacted.left-out"), items, paragraph("redacted.still-told")]


def _data_digest(facts: Facts) -> list[Block]:
    told = facts.problem.provenance
    if told is None or told.sha256 is None:
        return []
    return [paragraph("check.data-digest", digest=Code(told.sha256))]

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
    part,
    simple_table,
    toned,
)
from pfverify.edge.report.action import action
from pfverify.edge.report.commands import check_commands
from pfverify.edge.report.facts import Facts
from pfverify.edge.report.labels import Names
from pfverify.edge.report.odds import stated_meaning
from pfverify.edge.report.sections import (
    accepted,
    error_blocks,
    foot,
    lead_of,
    proved_blocks,
    title_of,
)
from pfverify.edge.report.stated import formula, released_words, target_numbers
from pfverify.edge.report.told import word_list

_PAIRS = 200  # in the table

_LEFT_OUT = (
    "the priors, their values, and how many records there are",
    "every loss, smallest scale, output, witness and picture: each is worked out from the priors",
    "how the data were read, beside the digest of the file",
)
_STILL = (
    "What is still told: the verdict itself, the target, the noise and its scale, and the names of "
    "the secrets. If the scale was worked out from confidential records, it is itself a function "
    "of them. The digests hold no frequency, but whoever can guess a small table whole can check "
    "the guess against them."
)


def redacted_report(facts: Facts) -> Report:
    """Return what a report says without its priors and whatever was worked out from them."""
    found = facts.decided.verdict
    names = Names(name for pair in facts.problem.pairs for name in pair)
    parts = [
        part("meaning", "What it means",
             [Paragraph(text) for text in stated_meaning(facts, names, redacted=True)]),
        part("problem", "What was asked", _asked(facts)),
        part("error", "How far the published number is off", [error_blocks(facts)]),
        part("proved", "What was proved, and what is assumed",
             proved_blocks(facts, "some output or event", _assumed(facts))),
        part("pairs", "Every pair", [_pairs(facts, names)]),
        part("redacted", "What is left out here", _left_out()),
        part("check", "Check it yourself", [*_data_digest(facts), *check_commands(facts)]),
        part("words", "Words", [word_list()]),
    ]  # fmt: skip
    lead = (*_lead(facts, names), *accepted(facts))
    return Report(
        title_of(facts.problem_name), found, toned(found), lead, parts, foot(),
        action=action(facts, least=False),
    )  # fmt: skip


def _lead(facts: Facts, names: Names) -> Text:
    if facts.decided.refuted:
        return ("Not private: this release does not meet its target. Where it fails is left out.",)
    return lead_of(facts, names)


def _asked(facts: Facts) -> list[Block]:
    return [
        Paragraph(released_words(facts, sized=False)),
        Paragraph(("The target, for every pair of secrets below, in both orders:",)),
        formula(facts),
        Listed([Item((f"{name}: {value}",)) for name, value in target_numbers(facts)]),
    ]


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
    return [
        Paragraph(("This report was written to be handed on (pfverify report --redact). Left out "
                   "is:",)),
        Listed([Item((text,)) for text in _LEFT_OUT]),
        Paragraph((_STILL,)),
    ]  # fmt: skip


def _data_digest(facts: Facts) -> list[Block]:
    told = facts.problem.provenance
    if told is None or told.sha256 is None:
        return []
    return [Paragraph(("The data's digest (sha256 of the file): ", Code(told.sha256)))]

"""A report that may leave the house: the verdict and its proof, and nothing of the priors.

It is built from what it may say, and never by leaving out: two problems with the same secrets,
noise, target and verdict have the same page, but for their digests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Block, Paragraph, Table, Text, say, simple_table, toned
from pfverify.edge.pages import Code, Hidden, Item, Listed, Report
from pfverify.edge.report.action import action
from pfverify.edge.report.commands import check_without_file
from pfverify.edge.report.facts import Facts
from pfverify.edge.report.labels import Names
from pfverify.edge.report.named import release_words
from pfverify.edge.report.odds import stated_meaning
from pfverify.edge.report.sections import (
    error_block,
    lead_of,
    made_of,
    proved_blocks,
    scope_words,
    target_words,
)
from pfverify.edge.report.sentences import entry, paragraph, sentence, titled
from pfverify.edge.report.stated import released_words, target_blocks, what_blocks
from pfverify.edge.report.told import word_list
from pfverify.edge.views.pairs import named_pairs
from pfverify.exact.decimals import decimal_text
from pfverify.model.counted import exact_counts
from pfverify.model.problem import Problem
from pfverify.model.provenance import without_intervals

_MERGED = "counted in intervals: "
_SHOWN, _LISTED = 10, 5000  # pairs that each have a row, and in the table of all


def redacted_report(facts: Facts) -> Report:
    """Return what a report says without its priors and whatever was worked out from them."""
    facts = _without_folders(facts)
    names = Names(name for pair in facts.problem.pairs for name in pair)
    lead = lead_of(facts, names) if not facts.decided.refuted else sentence(
        "lead.refuted-redacted", release=release_words(facts), target=target_words(facts),
        scope=scope_words(facts, names),
    )  # fmt: skip
    meant = stated_meaning(facts, names, redacted=True)
    parts = [
        titled("meaning", [Paragraph(text) for text in meant]),
        titled("problem", _asked(facts)),
        titled("error", [error_block(facts)]),
        titled("proved", proved_blocks(facts, "some output or event", _assumed(facts))),
        titled("pairs", _pairs(facts, names)),
        titled("redacted", _left_out(facts)),
        titled("checked", [*_data_digest(facts), *check_without_file(facts)]),
        titled("words", [word_list()]),
    ]
    return made_of(facts, lead, parts, action(facts, least=False))


def _without_folders(facts: Facts) -> Facts:
    """The same facts with files called by their names alone."""
    checked = facts.checked
    if checked is not None:
        checked = replace(checked, name=Path(checked.name).name)
    return replace(facts, problem_name=Path(facts.problem_name).name, checked=checked)


def _asked(facts: Facts) -> list[Block]:
    released = [*what_blocks(facts), say(*released_words(facts, sized=False))]
    return [*released, paragraph("problem.target-redacted"), *target_blocks(facts)]


def _assumed(facts: Facts) -> list[str]:
    """What is assumed, without the number of users, which is a count of records."""
    unit = facts.problem.source.unit
    told = [text.replace(f"by {unit}, the", "by the") for text in facts.decided.assumed]
    bins = facts.problem.provenance.bins if facts.problem.provenance else None
    kept = without_intervals(bins or "")
    if kept != (bins or ""):
        told = [f"{text.partition(': ')[0]}: {kept}" if _MERGED in text else text for text in told]
    return [*told, *exact_counts(facts.problem)]


def _pairs(facts: Facts, names: Names) -> list[Block]:
    """The verdict of every pair, of both orders the worse one; of many pairs those of one verdict
    are one row.
    """
    worst: dict[frozenset[str], Verdict] = {}
    rank = (Verdict.CERTIFIED, Verdict.UNDECIDED, Verdict.REFUTED)
    for pair in facts.decided.pairs:
        key = frozenset((pair.from_, pair.to))
        worst[key] = max(worst.get(key, Verdict.CERTIFIED), pair.verdict, key=rank.index)
    pairs = facts.problem.pairs
    every = _grid([[pair] for pair in pairs[:_LISTED]], worst, names)
    if len(pairs) <= _SHOWN:
        return [every]
    alike: dict[Verdict, list[tuple[str, str]]] = {}
    for a, b in pairs:
        alike.setdefault(worst[frozenset((a, b))], []).append((a, b))
    found = sorted(alike.items(), key=lambda one: -rank.index(one[0]))
    which = "All" if len(pairs) <= _LISTED else f"The first {_LISTED} of"
    whole = Hidden(f"{which} {len(pairs)} pairs", [every], printed=False)
    return [_grid([pairs for _, pairs in found], worst, names), whole]


def _grid(
    rows: Sequence[Sequence[tuple[str, str]]], worst: Mapping[frozenset[str], Verdict], names: Names
) -> Table:
    """A table of pairs, each row of pairs of one verdict."""
    cells: list[list[Text]] = []
    for pairs in rows:
        first, second = named_pairs([(names.plain(a), names.plain(b)) for a, b in pairs])
        cells.append([(first,), (second,), (toned(worst[frozenset(pairs[0])]),)])
    return simple_table("Pairs of secrets", ["secret", "against", "verdict"], cells)


def _left_out(facts: Facts) -> list[Block]:
    items = Listed([Item((text,)) for text in entry("redacted.items")])
    source = sentence(f"redacted.source.{_source(facts.problem)}")
    return [paragraph("redacted.left-out"), items, paragraph("redacted.still-told", source=source)]


def _source(problem: Problem) -> str:
    """Where the scale comes from, as the file tells it."""
    told = problem.provenance
    if told is None:
        return "unknown"
    if told.tells_program:
        return "program"
    if told.calibrated is None:
        return "counted"
    scale = problem.release.noise.scale
    exact = None if scale is None else scale.fraction
    if exact is None or not told.gives(decimal_text(exact)):
        return "other-scale"
    return "no-record" if told.used_no_record else "from-records"


def _data_digest(facts: Facts) -> list[Block]:
    told = facts.problem.provenance
    if told is None or told.sha256 is None:
        return []
    return [paragraph("check.data-digest", digest=Code(told.sha256))]

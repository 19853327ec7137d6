"""What a report says, part by part, in the order in which it is read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from pfverify.answers.dummies import DummiesResult
from pfverify.answers.methods import CalibrateResult
from pfverify.answers.outcome import Directed
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import (
    Block,
    Paragraph,
    Section,
    Table,
    Text,
    Tone,
    Toned,
    say,
    simple_table,
    toned,
)
from pfverify.edge.footing_words import footing_words
from pfverify.edge.glossary.entries import FAMILIES, entries, entry
from pfverify.edge.leak_words import leak_words
from pfverify.edge.pages import Code, Hidden, Item, Listed, Listing, Report
from pfverify.edge.region_words import region_words
from pfverify.edge.report import drawings
from pfverify.edge.report.action import action
from pfverify.edge.report.commands import check_commands, explore_command
from pfverify.edge.report.facts import CheckFacts, Facts, Missing, many_numbers
from pfverify.edge.report.labels import ALPHA, Names
from pfverify.edge.report.named import pairs_words, release_words, size_axis
from pfverify.edge.report.odds import meaning, of_masses
from pfverify.edge.report.sentences import paragraph, sentence, titled, words
from pfverify.edge.report.stated import problem_blocks
from pfverify.edge.report.told import grid_or_fold, provenance_blocks, word_list
from pfverify.edge.views.calibrate import CalibrateView
from pfverify.edge.views.pairs import ALIKE, Cells, pair_rows
from pfverify.edge.views.sized import DummiesView
from pfverify.edge.words import (
    closed_form,
    excess_word,
    failure_formula,
    failure_place,
    is_event,
    is_nowhere,
    output_words,
    place_header,
    plain,
    size_word,
    witness_words,
)
from pfverify.exact.decimals import decimal_lower, decimal_text, decimal_upper
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.published import Infinite
from pfverify.model.counted import exact_counts
from pfverify.model.digest import problem_digest
from pfverify.model.noises.none import NoNoise
from pfverify.model.notion import Bound
from pfverify.model.problem import Problem
from pfverify.model.provenance import CONFIDENTIAL
from pfverify.model.sources.source import DEFAULT_BELIEF
from pfverify.version import __version__

_SHOWN, _LISTED = 10, 5000  # ordered pairs in the first table, and in the whole one
_PRINTED = 100  # ordered pairs up to which the whole table is on paper too
_LONGEST = 60  # characters of a closed form that are shown
_FEW_DIGITS = 10
_DIGITS = 3  # of a loss in a table


def report_of(facts: Facts) -> Report:
    """Return what a report says."""
    names = Names(
        name for pair in facts.decided.pairs for name in (pair.belief, pair.from_, pair.to)
    )
    proved = proved_blocks(
        facts, "the output or event above",
        [*facts.decided.assumed, *exact_counts(facts.problem)], _kernel_line(facts),
    )
    parts = [
        titled("meaning", [Paragraph(text) for text in meaning(facts, names)]),
        titled("problem", problem_blocks(facts, names)),
        titled("data", provenance_blocks(facts.problem)),
        titled("error", [error_block(facts)]),
        titled("proved", proved),
        titled("pairs", _pairs(facts, names)),
        *_leaks(facts),
        titled("laws", _laws(facts, names)),
        titled("plan", _plan(facts, names)),
        titled("scales", _scales(facts)),
        titled("curves", _curves(facts, names)),
        titled("check", check_commands(facts)),
        titled("words", [word_list()]),
    ]
    made = made_of(facts, lead_of(facts, names), parts, action(facts, least=True))
    told = facts.problem.provenance
    public = told is None or told.tells_program
    return made if public else replace(made, banner=(CONFIDENTIAL,))


def made_of(facts: Facts, lead: Text, parts: Sequence[Section], what_to_do: Text) -> Report:
    """Return the report of a verdict: its lead, its parts, and what to do."""
    found = facts.decided.verdict
    accepted = () if facts.proved_by is None else (" ", *sentence("lead.accepted"))
    return Report(
        _title_of(facts.problem_name), found, toned(found), (*lead, *accepted), parts, _foot(),
        action=what_to_do,
    )  # fmt: skip


def rejected_report(
    name: str, problem: Problem, checked: CheckFacts, *, redacted: bool = False
) -> Report:
    """Return what is said of a certificate that the kernel rejects, and nothing else.

    `redacted`: without the kernel's own words, which may name outputs.
    """
    result = checked.result
    said = f"{result.word}." if redacted else f"{result.word}: {result.message}"
    blocks = [
        paragraph("rejected.kernel", said=said),
        paragraph("rejected.usual"),
        paragraph("check.digest", digest=Code(problem_digest(problem))),
    ]
    lead = sentence("rejected.lead", name=Code(checked.name))
    badge = Toned("rejected", Tone.BAD)
    parts = [titled("rejected", blocks)]
    return Report(_title_of(name), None, badge, lead, parts, _foot())


def _title_of(name: str) -> str:
    return words("lead.title", name=Names([name]).plain(name))


def _foot() -> str:
    return words("lead.foot", version=__version__)


def lead_of(facts: Facts, names: Names) -> Text:
    """Return the verdict in one sentence; KeyError for a verdict that no report is about."""
    verdict, target, scope = facts.decided.verdict, target_words(facts), scope_words(facts, names)
    if verdict is Verdict.CERTIFIED:
        return _certified(facts, target, scope)
    failure = _failure(facts, names) if verdict is Verdict.REFUTED else ()
    return sentence(f"lead.{verdict.value}", release=release_words(facts), target=target,
                    scope=scope, failure=failure)  # fmt: skip


def target_words(facts: Facts) -> str:
    """Return the target of a verdict: its epsilon and delta."""
    verdict = facts.decided
    distance = " per unit of distance" if facts.problem.protection.extended else ""
    return f"ε = {plain(verdict.epsilon)}{distance} and δ = {plain(verdict.delta)}"


def scope_words(facts: Facts, names: Names) -> str:
    """Return the pairs that a verdict is about, and under which beliefs."""
    beliefs = len(facts.problem.beliefs)
    scope = f"in both orders of {pairs_words(facts.problem, names)}"
    if facts.problem.source.pairs_stand_for is not None:
        scope += f", {facts.problem.source.pairs_stand_for}"
    if facts.problem.source.stands_for is not None:
        scope += f", for {facts.problem.source.stands_for}"
    elif beliefs > 1:
        scope += f", under each of {beliefs} beliefs"
    return scope


def _certified(facts: Facts, target: str, scope: str) -> Text:
    """What is private, and by which bound."""
    held_to = facts.drawn.compared.target
    if held_to.bound is Bound.DIVERGENCE and held_to.allows_everything:
        return sentence("lead.everything-allowed")
    everywhere = sentence(f"lead.everywhere.{held_to.bound.value}")
    # under a bound on single outputs an event may tell two secrets apart all the same
    said = "lead.pointwise" if held_to.bound is Bound.EXCESS else "lead.certified"
    release = release_words(facts)
    noise = facts.problem.release.noise
    bare = not facts.problem.release.named and noise.adds_nothing
    return (
        *sentence(said, release=release, target=target, everywhere=everywhere, scope=scope),
        *((" ", *sentence("lead.no-noise")) if bare else ()),
    )


def _failure(facts: Facts, names: Names) -> Text:
    """Where the target fails and by how much: in words, then as a formula."""
    worst = next(pair for pair in facts.decided.pairs if pair.refuted)
    witness, delta = worst.witness, facts.decided.delta
    belief = "" if worst.belief == DEFAULT_BELIEF else f", of belief {names.of(worst.belief)},"
    extended = facts.problem.protection.extended
    power, far_apart = ("ε d", ", d apart from it") if extended else ("ε", "")
    growth = f"e^({power})" if extended else f"e^{power}"
    more = "" if delta == "0" else ", plus δ"
    most = f"{growth} times that under {names.of(worst.to)}{far_apart}{more}"
    from_ = names.of(worst.from_)
    if witness is None:
        return sentence("lead.likelier", from_=from_, belief=belief, most=most)
    if is_nowhere(witness):
        return sentence("lead.diverges", from_=from_, belief=belief, to=names.of(worst.to),
                        formula=failure_formula(witness, delta))  # fmt: skip
    event = is_event(witness)
    of_events = event or any(map(is_event, witness.parts or ()))
    far = f" by {witness.margin}" if event or delta != "0" else (
        f": the logarithm of their ratio exceeds {power} by {witness.margin}"
    )  # fmt: skip
    return sentence(
        "lead.exceeds",
        where=f"{'For the event' if of_events else 'At the output'} {failure_place(witness)}",
        what="probability" if of_events or of_masses(facts.problem) else "density",
        from_=from_, belief=belief, most=most, far=far, formula=failure_formula(witness, delta),
    )  # fmt: skip


# ---------------------------------------------------------------- accuracy and proof


def error_block(facts: Facts) -> Block:
    """Return how far the published number is off, which the noise alone decides."""
    error = facts.error
    return _missing("error", error) if isinstance(error, Missing) else (
        paragraph(f"error.bar{'-of-each' * many_numbers(facts.problem)}", error=error)
    )  # fmt: skip


def proved_blocks(
    facts: Facts, breaking: str, assumed: Iterable[str], more: Sequence[Block] = ()
) -> list[Block]:
    """Return what was proved and what is assumed; `breaking` is what breaks a target.

    `more`: what the kernel said besides.
    """
    return [
        paragraph(f"proved.{facts.decided.verdict.value}", breaking=breaking),
        *_certificate_said(facts),
        *more,
        paragraph("proved.assumed"),
        Listed([Item((f"{text[0].upper()}{text[1:]}",)) for text in assumed]),
    ]


def _certificate_said(facts: Facts) -> list[Block]:
    """What the kernel proved, without its own line, which may name outputs."""
    if facts.checked is None:
        return [paragraph("proved.without-certificate")]
    said, name = facts.checked.result, facts.checked.name
    # a valid certificate of scales is neither good nor bad
    tones = {"certified": Tone.GOOD, "refuted": Tone.BAD}
    word = Toned(said.word, tones.get(said.word, Tone.OPEN))
    blocks: list[Block] = [paragraph("proved.checked", name=Code(name), word=word)]
    if said.word not in tones:
        blocks.append(paragraph("proved.of-scales", word=said.word))
    if said.trusts is not None:
        named = sorted({fact for rule in said.trusts.rules.values() for fact in rule})
        told = {one.term: one.sentence for one in entries() if one.family == FAMILIES["facts"]}
        used = "; ".join(f"{fact} ({told[fact].rstrip('.')})" for fact in named)
        blocks.append(paragraph(
            "proved.trusted", count=len(said.trusts.files), lines=said.trusts.lines,
            facts=f": {used}" if used else "",
        ))  # fmt: skip
    return blocks


def _kernel_line(facts: Facts) -> list[Block]:
    if facts.checked is None:
        return [paragraph("proved.below")]
    said = facts.checked.result
    line = Listing(f"{said.word}: {said.message}", words("proved.line-printed"))
    return [Hidden(words("proved.line"), [line])]


# ---------------------------------------------------------------- the pairs


def _pairs(facts: Facts, names: Names) -> list[Block]:
    pairs = facts.decided.pairs
    grid, left = _pair_grid(facts, _SHOWN, names)
    blocks: list[Block] = [grid, *[paragraph("pairs.more", count=left)] * (left > 0)]
    if len(grid.rows) < len(pairs):
        every, beyond = _pair_grid(facts, _LISTED, names, alike=len(pairs) + 1)
        blocks.append(Hidden(
            f"All {len(pairs)} ordered pairs",
            [every, *[paragraph("pairs.unlisted", count=beyond)] * (beyond > 0)],
            printed=len(pairs) <= _PRINTED,
        ))  # fmt: skip
    excess = f"{excess_word(facts.decided.form)}, then the largest "
    by = f"{'' if facts.decided.delta == '0' else excess}loss"  # as `certify` sorts them
    return [*blocks, _all_digits(facts, names), paragraph("pairs.order", by=by)]


def _pair_grid(
    facts: Facts, most: int, names: Names, alike: int = ALIKE
) -> tuple[Table, int]:
    """The table of the first pairs, their losses rounded up to a few digits; and how many it lacks.
    """
    verdict, named = facts.decided, facts.problem.release.named
    columns: Cells[Directed] = {
        "epsilon": lambda pair: None if pair.epsilon is None else plain(pair.epsilon),
        "verdict": lambda pair: toned(pair.verdict, f"{pair.verdict}{' (tie)' * pair.tie}"),
        **_sizes(facts, _brief),
        place_header(verdict.form, verdict.delta): lambda pair: output_words(
            pair.worst_y, named=named
        ),
        "witness": lambda pair: witness_words(pair.witness, verdict.delta) or None,
    }
    header, rows, left = pair_rows(verdict.pairs, columns, names.plain, most, alike)
    return simple_table("Ordered pairs", header, rows), left


def _sizes(facts: Facts, text: Callable[[Enclosure], str]) -> Cells[Directed]:
    """Columns of what is enclosed of a pair, each number as `text` writes it."""
    def told(size: Enclosure | None) -> str | None:
        return None if size is None else text(size)

    loose = facts.decided.delta != "0"
    return {
        "divergence": lambda pair: told(pair.divergence),
        "loss": lambda pair: told(pair.loss),
        excess_word(facts.decided.form): lambda pair: told(pair.delta) if loose else None,
    }


def _brief(enclosure: Enclosure) -> str:
    """The upper end of an enclosure, rounded up to a few digits."""
    end = enclosure.upper
    return str(end) if isinstance(end, Infinite) else decimal_upper(end, _DIGITS)


def _all_digits(facts: Facts, names: Names) -> Hidden:
    """The losses as they were proved, for who asks."""
    pairs = facts.decided.pairs
    columns = _sizes(facts, lambda enclosure: f"{enclosure.lower} to {enclosure.upper}")
    header, rows, _ = pair_rows(pairs, columns, names.plain, _LISTED, len(pairs) + 1)
    grid = simple_table("What is proved of each", header, rows)
    return Hidden("The losses with all digits", [grid], printed=False)


def _leaks(facts: Facts) -> list[Section]:
    """What the coordinates or releases lose alone, where there is more than one."""
    lines = [say(line) for line in leak_words(facts.leaks)]
    return [titled("leaks", lines)] if lines else []


# ---------------------------------------------------------------- pictures


def _laws(facts: Facts, names: Names) -> list[Block]:
    order = facts.drawn.order
    which = paragraph(
        "laws.drawn", **names.both(order),
        under="" if order.belief == DEFAULT_BELIEF else f" under belief {names.of(order.belief)}",
        others=words("laws.others-unknown") if facts.problem.source.part_alone else "",
    )  # fmt: skip
    laws = facts.laws
    if isinstance(laws, Missing):
        return [which, _missing("laws", laws)]
    return [
        which,
        drawings.densities(facts, laws, names),
        drawings.log_ratio(facts, laws, names),
        *_output_table(facts, names),
        paragraph("laws.explore", command=Code(explore_command(facts))),
    ]


def _output_table(facts: Facts, names: Names) -> list[Block]:
    """Which output of a channel stands at which number."""
    laws = facts.laws
    if isinstance(laws, Missing) or not laws.names:
        return []
    shown = Names(laws.names)
    rows = [
        ((str(int(y)),), (shown.plain(name),), (_chance(p),), (_chance(q),))
        for y, name, p, q in zip(laws.y, laws.names, laws.first, laws.second, strict=True)
    ]
    order = facts.drawn.order
    header = ["number", "output", f"under {names.of(order.from_)}", f"under {names.of(order.to)}"]
    return [grid_or_fold("Outputs and their chances", header, rows)]


def _chance(log: float) -> str:
    return f"{math.exp(log):.4g}"


def _plan(facts: Facts, names: Names) -> list[Block]:
    order, plan = facts.drawn.order, facts.plan
    if isinstance(plan, Missing):
        return [_missing("plan", plan)]
    moved = paragraph(
        "plan.moved", **names.both(order),
        mean=_about(plan.mean), largest=decimal_text(plan.largest),
    )  # fmt: skip
    return [moved, drawings.plan(facts, plan, names)]


def _about(enclosure: Enclosure) -> str:
    """A number inside an enclosure of fractions, to read."""
    lower = Fraction(enclosure.lower)
    exact = decimal_text(lower)
    if lower == enclosure.upper and len(exact) <= _FEW_DIGITS:
        return exact
    return f"about {decimal_lower(lower, 6)}"


# ---------------------------------------------------------------- scales


def _scales(facts: Facts) -> list[Block]:
    scales = facts.scales
    if isinstance(scales, Missing):
        bare = isinstance(facts.problem.release.noise, NoNoise)
        rests = footing_words(facts.rests_on, "scale") if bare else []
        return [_missing("scales", scales), *map(say, rests)]
    if isinstance(scales, DummiesResult):
        return [*map(say, DummiesView(scales).found())]
    found, size = scales.found, size_word(scales.found.noise)
    everywhere = CalibrateView(replace(found, minimum=scales.minimum))
    scale = facts.problem.scale().fraction if facts.problem.release.has_one_scale else None
    blocks: list[Block] = [
        *map(say, everywhere.minimum()), *map(say, everywhere.estimate()),
        *map(say, region_words(facts.rests_on.region, size, scale)),
        *map(say, footing_words(facts.rests_on, size)),
    ]
    if scales.one_pair:
        members = facts.problem.source.stands_for is not None
        count = len(facts.problem.pairs)
        blocks.append(paragraph(
            "scales.one-pair",
            of="That is of the one pair." if count == 1 else f"That is of all {count} pairs.",
            others=words(f"scales.{'members' if members else 'others'}"),
        ))  # fmt: skip
    drawn = drawings.ladder(found, size, size_axis(facts.problem, size))
    blocks += [drawn] if drawn is not None else []
    blocks += _ladder_grids(found, size)
    if found.not_applicable:
        rows = [((name,), (why,)) for name, why in found.not_applicable.items()]
        grid = simple_table("Recipes that do not apply here", ["recipe", "why"], rows)
        blocks.append(Hidden(f"Recipes that do not apply here ({len(rows)})", [grid]))
    return blocks


def _ladder_grids(scales: CalibrateResult, size: str) -> list[Block]:
    """The table of recipes; where many ask for one scale they share a row, and each is told below.
    """
    view, rows, every = CalibrateView(scales), [], []
    for names, row in view.rows_of_recipes().items():
        told = [[*view.cells(name, scales.methods[name])[:-1], (_told(scales, name),)]
                for name in names]  # fmt: skip
        every += told
        alike = words("scales.alike", names=", ".join(names))
        rows += told if len(names) == 1 else [[*row[:-1], (alike,)]]
    header = ["recipe", size, "verdict", "waste", "noise sd", "what it is"]
    blocks: list[Block] = [simple_table(f"Each recipe's {size}, rounded up", header, rows)]
    if len(rows) < len(every):
        grid = simple_table("Each recipe by itself", header, every)
        blocks.append(Hidden(f"Each recipe by itself ({len(every)})", [grid], printed=False))
    return blocks


def _told(scales: CalibrateResult, name: str) -> str:
    """What a recipe is, and its closed form here where that is short."""
    exact, what = closed_form(scales.methods[name].exact or ""), entry(name).sentence
    return f"{what} Here: {exact}." if 0 < len(exact) <= _LONGEST else what


# ---------------------------------------------------------------- curves


def _curves(facts: Facts, names: Names) -> list[Block]:
    pair = facts.curves
    if isinstance(pair, Missing):
        return [_missing("curves", pair)]
    return [drawings.delta_curve(facts, pair, names), drawings.trade_off(facts, pair, names)]


def _missing(what: str, missing: Missing) -> Paragraph:
    why = f"{missing.why[0].upper()}{missing.why[1:]}"
    return paragraph("missing.sentence", what=words(f"missing.{what}", alpha=ALPHA), why=why)

"""What a report says, part by part, in the order in which it is read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from pfverify.answers.dummies import DummiesResult
from pfverify.answers.methods import CalibrateResult
from pfverify.answers.outcome import Directed
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import (
    Block,
    Code,
    Hidden,
    Item,
    Listed,
    Listing,
    Paragraph,
    Report,
    Table,
    Text,
    Tone,
    Toned,
    part,
    simple_table,
    toned,
)
from pfverify.edge.footing_words import footing_words
from pfverify.edge.glossary.entries import entry
from pfverify.edge.report import drawings
from pfverify.edge.report.action import action
from pfverify.edge.report.commands import check_commands
from pfverify.edge.report.facts import Facts, Missing, RejectedFacts
from pfverify.edge.report.labels import ALPHA, Names
from pfverify.edge.report.odds import meaning, of_masses
from pfverify.edge.report.stated import others_unknown, problem_blocks
from pfverify.edge.report.told import grid_or_fold, provenance_blocks, word_list
from pfverify.edge.views.calibrate import CalibrateView
from pfverify.edge.views.dummies import DummiesView
from pfverify.edge.views.numbers import rounded_up, times
from pfverify.edge.words import (
    closed_form,
    excess_word,
    failure_formula,
    failure_place,
    is_event,
    output_words,
    place_header,
    plain,
    size_word,
    witness_words,
)
from pfverify.exact.decimals import decimal_lower, decimal_text, decimal_upper
from pfverify.exact.enclosure import Enclosure
from pfverify.model.notion import Bound
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
    parts = [
        part("meaning", "What it means", [Paragraph(text) for text in meaning(facts, names)]),
        part("problem", "What was asked", problem_blocks(facts, names)),
        part("data", "Where the numbers come from", provenance_blocks(facts.problem)),
        part("error", "How far the published number is off", [error_blocks(facts)]),
        part("proved", "What was proved, and what is assumed", proved_blocks(
            facts, "the output or event above", facts.decided.assumed, _kernel_line(facts))),
        part("pairs", "Every pair", _pairs(facts, names)),
        part("laws", "What is published under either secret", _laws(facts, names)),
        part("plan", "How far the two priors are apart", _plan(facts, names)),
        part("scales", "How much noise would do", _scales(facts)),
        part("curves", "Other targets, and tests", _curves(facts, names)),
        part("check", "Check it yourself", check_commands(facts)),
        part("words", "Words", [word_list()]),
    ]
    found = facts.decided.verdict
    lead = (*lead_of(facts, names), *accepted(facts))
    banner = () if facts.problem.provenance is None else (CONFIDENTIAL,)
    return Report(
        title_of(facts.problem_name), found, toned(found), lead, parts, foot(), banner,
        action(facts, least=True),
    )  # fmt: skip


def rejected_report(facts: RejectedFacts, *, redacted: bool = False) -> Report:
    """Return what is said of a certificate that the kernel rejects, and nothing else.

    `redacted`: without the kernel's own words, which may name outputs.
    """
    said = facts.checked.result
    lead = (
        "Rejected: the certificate ", Code(facts.checked.name), " proves nothing about this "
        "problem. This page says nothing about its privacy.",
    )  # fmt: skip
    blocks: list[Block] = [
        Paragraph((f"The kernel says: {said.word}{'.' if redacted else f': {said.message}'}",)),
        Paragraph(("A problem that changed after its certificate was made is the usual reason. "
                   "Make the certificate again, and then the report.",)),
        Paragraph(("The problem's digest (sha256 of its canonical form): ", Code(facts.digest))),
    ]  # fmt: skip
    parts = [part("rejected", "What the kernel says", blocks)]
    badge = Toned("rejected", Tone.BAD)
    return Report(title_of(facts.problem_name), None, badge, lead, parts, foot())


def title_of(name: str) -> str:
    """Return the title of the report about a problem."""
    return f"Privacy report: {Names([name]).plain(name)}"


def foot() -> str:
    """Return the last line of a report."""
    return f"Made by pfverify {__version__}. This page is one file: it loads nothing."


_VERDICTS = {
    Verdict.CERTIFIED: "Private: this release meets",
    Verdict.REFUTED: "Not private: this release does not meet",
    Verdict.UNDECIDED: "Not decided: it is neither proved nor disproved that this release meets",
}
_SINGLE = "Bounded at single outputs, which alone is no privacy: this release meets"

_EVERYWHERE = {
    Bound.RATIO: "at every output",
    Bound.DIVERGENCE: "for every event of outputs",
    Bound.EXCESS: "at every single output",
}


def lead_of(facts: Facts, names: Names) -> Text:
    """Return the verdict in one sentence."""
    verdict = facts.decided
    count, beliefs = len(facts.problem.pairs), len(facts.problem.beliefs)
    scope = "in both orders of its one pair" if count == 1 else (
        f"in both orders of all {count} pairs compared"
    )  # fmt: skip
    scope += f", under each of {beliefs} beliefs" if beliefs > 1 else ""
    distance = " per unit of distance" if facts.problem.protection.extended else ""
    target = f"ε = {plain(verdict.epsilon)}{distance} and δ = {plain(verdict.delta)}"
    said = f"{_VERDICTS[verdict.verdict]} {target} "
    held_to = facts.drawn.compared.target
    if verdict.certified and held_to.bound is Bound.DIVERGENCE and held_to.allows_everything:
        return ("This target keeps nothing private: with δ = 1 every release meets it.",)
    if verdict.certified:
        if held_to.bound is Bound.EXCESS:  # an event may tell two secrets apart all the same
            said = f"{_SINGLE} {target} in the pointwise form "
        return (f"{said}{_EVERYWHERE[held_to.bound]}, {scope}.",)
    if verdict.refuted:
        return (f"{said.rstrip()}. {_failure(facts, names)}",)
    return (f"{said}{scope}.",)


def accepted(facts: Facts) -> Text:
    """Return that a certificate of this verdict was checked, where one was."""
    if facts.checked is None or facts.checked.result.word != facts.decided.verdict.value:
        return ()
    return (" The kernel checked its certificate first, and accepts it.",)


def _failure(facts: Facts, names: Names) -> str:
    """Where the target fails and by how much: in words, then as a formula."""
    worst = next(pair for pair in facts.decided.pairs if pair.refuted)
    witness, delta = worst.witness, facts.decided.delta
    belief = "" if worst.belief == DEFAULT_BELIEF else f", of belief {names.of(worst.belief)},"
    extended = facts.problem.protection.extended
    power, far_apart = ("ε d", ", d apart from it") if extended else ("ε", "")
    growth = f"e^({power})" if extended else f"e^{power}"
    more = "" if delta == "0" else ", plus δ"
    most = f"{growth} times that under {names.of(worst.to)}{far_apart}{more}"
    if witness is None:
        return f"Under {names.of(worst.from_)}{belief} something is likelier than {most}."
    event = is_event(witness)
    where = f"For the event {failure_place(witness)}" if event else (
        f"At the output {failure_place(witness)}"
    )  # fmt: skip
    what = "probability" if event or of_masses(facts.problem) else "density"
    far = f" by {witness.margin}" if event or delta != "0" else (
        f": the logarithm of their ratio exceeds {power} by {witness.margin}"
    )  # fmt: skip
    return (
        f"{where}, the {what} under {names.of(worst.from_)}{belief} exceeds what the target "
        f"allows ({most}){far}. In symbols: {failure_formula(witness, delta)}."
    )


# ---------------------------------------------------------------- accuracy and proof


def error_blocks(facts: Facts) -> Block:
    """Return how far the published number is off, which the noise alone decides."""
    error = facts.error
    if isinstance(error, Missing):
        return _missing("The error bar", error)
    return Paragraph((
        f"95 times out of 100 the published number is within ±{error.within} of the true one. The "
        f"noise has the standard deviation {error.sd} and the mean absolute value "
        f"{error.mean_abs}, in the unit of what is published. All three are proved, and rounded "
        "up.",
    ))  # fmt: skip


_STATED = {
    Verdict.CERTIFIED: "Proved: the target holds for all outputs, and not only on a grid of them.",
    Verdict.REFUTED: "Proved: the target does not hold; {} breaks it.",
    Verdict.UNDECIDED: "Neither was proved, the target or its contrary.",
}


def proved_blocks(
    facts: Facts, breaking: str, assumed: Iterable[str], more: Sequence[Block] = ()
) -> list[Block]:
    """Return what was proved and what is assumed; `breaking` is what breaks a target.

    `more`: what the kernel said besides.
    """
    return [
        Paragraph((_STATED[facts.decided.verdict].format(breaking),)),
        *_certificate_said(facts),
        *more,
        Paragraph(("Assumed, and not proved:",)),
        Listed([Item((f"{text[0].upper()}{text[1:]}",)) for text in assumed]),
    ]


def _certificate_said(facts: Facts) -> list[Block]:
    """What the kernel proved, without its own line, which may name outputs."""
    if facts.checked is None:
        return [Paragraph(("This verdict was found by exact arithmetic and proved enclosures; "
                           "no certificate was checked for this page. Below is how to write one "
                           "and have it checked.",))]  # fmt: skip
    said, name = facts.checked.result, facts.checked.name
    blocks: list[Block] = [Paragraph((
        "The certificate ", Code(name),
        " was checked first, by the kernel in a fresh interpreter. It says: ",
        toned_word(said.word), ".",
    ))]  # fmt: skip
    if said.word not in ("certified", "refuted"):
        blocks.append(Paragraph((
            f"That certificate proves {said.word}; it says nothing about the scale of this "
            "release, whose verdict here is that of the search alone.",
        )))  # fmt: skip
    if said.trusts is not None:
        facts_used = sorted({fact for used in said.trusts.rules.values() for fact in used})
        what = f": {'; '.join(facts_used)}" if facts_used else ""
        blocks.append(Paragraph((
            f"To trust it is to trust {len(said.trusts.files)} files of the kernel "
            f"({said.trusts.lines} lines) and the facts that it names{what}.",
        )))  # fmt: skip
    return blocks


def _kernel_line(facts: Facts) -> list[Block]:
    if facts.checked is None:
        return []
    said = facts.checked.result
    line = Listing(f"{said.word}: {said.message}", "The line that the kernel printed")
    return [Hidden("The kernel's own line", [line])]


def toned_word(word: str) -> Toned:
    """Return the kernel's word in its tone; a valid certificate of scales is neither."""
    tones = {"certified": Tone.GOOD, "refuted": Tone.BAD}
    return Toned(word, tones.get(word, Tone.OPEN))


# ---------------------------------------------------------------- the pairs


def _pairs(facts: Facts, names: Names) -> list[Block]:
    pairs = facts.decided.pairs
    blocks: list[Block] = [_pair_grid(facts, pairs[:_SHOWN], names)]
    if len(pairs) > _SHOWN:
        more = len(pairs) - _SHOWN
        beyond = len(pairs) - _LISTED
        tail = [Paragraph(((
                    f"... and {beyond} more; pfverify certify --json lists them."
                ),))] if beyond > 0 else []  # fmt: skip
        blocks += [
            Paragraph((f"... and {more} more ordered pairs, farther down in that order.",)),
            Hidden(f"All {len(pairs)} ordered pairs",
                   [_pair_grid(facts, pairs[:_LISTED], names), *tail],
                   printed=len(pairs) <= _PRINTED),
        ]  # fmt: skip
    blocks.append(_all_digits(facts, pairs[:_LISTED], names))
    blocks.append(Paragraph((
        f"{_order_of(facts)} The loss is the largest log ratio of the two laws of the output, "
        "rounded up: the odds change by at most e to the loss.",
    )))  # fmt: skip
    return blocks


def _order_of(facts: Facts) -> str:
    """By what the pairs are sorted, as `certify` sorts them."""
    excess = f"{excess_word(facts.decided.form)}, then the largest "
    by = f"{'' if str(facts.decided.delta) == '0' else excess}loss"
    return f"Refuted pairs come first, then undecided ones; among them the largest {by}."


def _pair_grid(facts: Facts, pairs: Sequence[Directed], names: Names) -> Table:
    """The table of pairs, its losses rounded up to a few digits."""
    verdict = facts.decided
    several, named = len({pair.belief for pair in verdict.pairs}) > 1, facts.problem.release.named
    own = any(pair.epsilon is not None for pair in verdict.pairs)
    excess = verdict.delta != "0"
    where = place_header(verdict.form, verdict.delta)
    witnesses = any(pair.witness is not None for pair in verdict.pairs)
    header = [*["belief"] * several, "from", "against", *["epsilon"] * own, "verdict", "loss",
              *[excess_word(verdict.form)] * excess, where, *["witness"] * witnesses]  # fmt: skip
    rows: list[list[Text]] = []
    for pair in pairs:
        tie = " (tie)" if pair.tie else ""
        cells: list[Text] = [(names.plain(pair.belief),)] if several else []
        cells += [(names.plain(pair.from_),), (names.plain(pair.to),)]
        if own:
            cells.append((plain(pair.epsilon) if pair.epsilon is not None else "",))
        cells.append((toned(pair.verdict, f"{pair.verdict.value}{tie}"),))
        cells.append((_brief(pair.loss),))
        if excess:
            cells.append((_brief(pair.delta),))
        cells.append((output_words(pair.worst_y, named=named),))
        if witnesses:
            cells.append((witness_words(pair.witness, verdict.delta),))
        rows.append(cells)
    return simple_table("Ordered pairs", header, rows)


def _brief(enclosure: Enclosure | None) -> str:
    """The upper end of an enclosure, rounded up to a few digits."""
    if enclosure is None:
        return ""
    text = str(enclosure.upper)
    return text if text in ("inf", "-inf") else decimal_upper(Fraction(text), _DIGITS)


def _all_digits(facts: Facts, pairs: Sequence[Directed], names: Names) -> Hidden:
    """The losses as they were proved, for who asks."""
    form, excess = facts.decided.form, facts.decided.delta != "0"
    header = ["from", "against", "loss", *[excess_word(form)] * excess]
    several = len({pair.belief for pair in facts.decided.pairs}) > 1
    rows: list[list[Text]] = []
    for pair in pairs:
        belief = f" ({names.plain(pair.belief)})" if several else ""
        ends = [pair.loss, *[pair.delta] * excess]
        rows.append([
            (f"{names.plain(pair.from_)}{belief}",), (names.plain(pair.to),),
            *(("" if one is None else f"{one.lower} to {one.upper}",) for one in ends),
        ])  # fmt: skip
    grid = simple_table("What is proved of each", header, rows)
    return Hidden("The losses with all digits", [grid], printed=False)


# ---------------------------------------------------------------- pictures


def _laws(facts: Facts, names: Names) -> list[Block]:
    order = facts.drawn.order
    under = "" if order.belief == DEFAULT_BELIEF else f" under belief {names.of(order.belief)}"
    which = (
        f"Drawn, here and below, is the first pair of the table: {names.of(order.from_)} against "
        f"{names.of(order.to)}{under}."
    )
    if others_unknown(facts.problem):
        which += (
            " As nothing is known of the other users, the laws here are those for somebody who "
            "knows what all of them add, which is taken as 0; nobody sees more."
        )
    if isinstance(facts.laws, Missing):
        return [Paragraph((which,)), _missing("The picture", facts.laws)]
    pictures = [drawings.densities(facts, facts.laws, names),
                drawings.log_ratio(facts, facts.laws, names)]  # fmt: skip
    return [Paragraph((which,)), *pictures, *_output_table(facts, names)]


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
    if isinstance(facts.plan, Missing):
        return [_missing("The plan", facts.plan)]
    order, plan = facts.drawn.order, facts.plan
    words = (
        f"To turn the prior of {names.of(order.from_)} into that of {names.of(order.to)}, "
        f"probability is moved along the line. On average it moves {_about(plan.mean)} "
        f"(W1), and the farthest move is {decimal_text(plan.largest)} (W-infinity): no plan does "
        "with less. The shorter the moves, the less noise hides them."
    )
    return [Paragraph((words,)), drawings.plan(facts, plan, names)]


def _about(enclosure: Enclosure) -> str:
    """A number inside an enclosure of fractions, to read."""
    lower, upper = Fraction(str(enclosure.lower)), Fraction(str(enclosure.upper))
    exact = decimal_text(lower)
    if lower == upper and len(exact) <= _FEW_DIGITS:
        return exact
    return f"about {decimal_lower(lower, 6)}"


# ---------------------------------------------------------------- scales


def _scales(facts: Facts) -> list[Block]:
    scales = facts.scales
    if isinstance(scales, Missing):
        return [_missing("The scales of the published recipes", scales)]
    if isinstance(scales, DummiesResult):
        return [Paragraph((DummiesView(scales).number(),))]
    found, size = scales.found, size_word(scales.found.noise)
    everywhere = replace(found, minimum=scales.minimum)
    blocks: list[Block] = [Paragraph(said.text) for said in CalibrateView(everywhere).minimum()]
    blocks += [Paragraph((words,)) for words in footing_words(facts.rests_on, size)]
    if scales.one_pair:
        blocks.append(Paragraph((
            f"That is of all {len(facts.problem.pairs)} pairs. The recipes, and their waste, are "
            "shown for the pair that is drawn above alone; pfverify calibrate finds them for all.",
        )))  # fmt: skip
    drawn = drawings.ladder(found, size)
    blocks += [drawn] if drawn is not None else []
    blocks.append(_ladder_grid(found, size))
    if found.not_applicable:
        rows = [((name,), (why,)) for name, why in found.not_applicable.items()]
        grid = simple_table("Recipes that do not apply here", ["recipe", "why"], rows)
        blocks.append(Hidden(f"Recipes that do not apply here ({len(rows)})", [grid]))
    return blocks


def _ladder_grid(scales: CalibrateResult, size: str) -> Table:
    rows: list[list[Text]] = []
    for name, row in scales.methods.items():
        never = str(row.scale) == "inf" and row.verdict is Verdict.REFUTED
        exact = closed_form(row.exact or "")
        sentence = entry(name).sentence
        rows.append([
            (name,), (rounded_up(str(row.scale), 4),),
            (f"no {size} works" if never else toned(row.verdict),),
            (times(None if row.waste is None else str(row.waste), ""),),
            (rounded_up(str(row.sd), 4),),
            (f"{sentence} Here: {exact}." if 0 < len(exact) <= _LONGEST else sentence,),
        ])  # fmt: skip
    header = ["recipe", size, "verdict", "waste", "noise sd", "what it is"]
    return simple_table(f"Each recipe's {size}, rounded up", header, rows)


# ---------------------------------------------------------------- curves


def _curves(facts: Facts, names: Names) -> list[Block]:
    if isinstance(facts.profile, Missing):
        return [_missing(f"The curves δ(ε) and f({ALPHA})", facts.profile)]
    return [
        drawings.delta_curve(facts, facts.profile, names),
        drawings.trade_off(facts, facts.profile, names),
    ]


def _missing(what: str, missing: Missing) -> Paragraph:
    return Paragraph((f"{what}: not worked out. {missing.why[0].upper()}{missing.why[1:]}.",))

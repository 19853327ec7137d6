"""Results for people: words first, numbers second."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pfverify.decide.grid import GridResult
from pfverify.decide.loss import LossResult
from pfverify.decide.outcome import CertifyResult, Verdict
from pfverify.edge.coupling import Couplings, PlanCheck, Property
from pfverify.edge.demo import METHODS, DemoResult
from pfverify.edge.leave import Output
from pfverify.edge.names import distinct
from pfverify.edge.words import (
    between,
    closed_form,
    inequality,
    noise_words,
    place_words,
    plain,
    size_word,
    witness_words,
)
from pfverify.exact.decimals import decimal_upper
from pfverify.model.noises.none import NoNoise
from pfverify.model.problem import DEFAULT_BELIEF
from pfverify.proof.outcome import Outcome
from pfverify.scales.outcome import CalibrateResult


class _Ordered(Protocol):
    """What names an ordered pair of secrets under a belief."""

    @property
    def belief(self) -> str: ...
    @property
    def from_(self) -> str: ...
    @property
    def to(self) -> str: ...


STYLES = {
    Verdict.CERTIFIED: "green",
    Verdict.REFUTED: "bold red",
    Verdict.UNDECIDED: "yellow",
    Verdict.OBSERVED: "yellow",
}
_WIDE = 150  # columns when the output is not a terminal
_NAMES = ("belief", "from", "against", "witness")
_MARK = " [bold red](!)[/]"  # a printed value that does not recompute
_ROWS = 40  # ordered pairs shown in a table


def console() -> Console:
    """Return the console for results: colours on a terminal, wide plain text elsewhere."""
    probe = Output(highlight=False)
    if probe.is_terminal or "COLUMNS" in os.environ:
        return probe
    return Output(highlight=False, width=_WIDE)


def _colour(verdict: Verdict, text: str | None = None) -> str:
    return f"[{STYLES[verdict]}]{text or verdict.value}[/]"


def _say(out: Console, line: str) -> None:
    """Print one sentence as one line: the reader's terminal wraps it."""
    out.print(line, soft_wrap=True)


def _assumed(out: Console, assumed: list[str]) -> None:
    _say(out, f"  Assumed: {escape('; '.join(assumed))}")


def print_certify(out: Console, name: str, result: CertifyResult) -> None:
    """Print a verdict: what was decided, what was assumed, then the pairs, worst first."""
    formula = escape(inequality(result.form, result.epsilon, result.delta))
    beliefs = {pair.belief for pair in result.pairs}
    count = len(result.pairs) // 2
    scope = f"{count} pair{'s' if count > 1 else ''}, both orders"
    if len(beliefs) > 1:
        scope += f", {len(beliefs)} beliefs"
    out.print(f"[bold]{escape(name)}[/]: {_colour(result.verdict)}", soft_wrap=True)
    shown = _shown(result.pairs)
    words = {
        Verdict.CERTIFIED: "Proved, for all outputs",
        Verdict.REFUTED: "Disproved",
        Verdict.UNDECIDED: "Neither proved nor disproved",
    }[result.verdict]
    _say(out, f"  {words}: {formula}  ({scope})")
    if result.refuted:
        _say(out, f"  It fails {escape(_failure(result, shown))}")
    _say(out, f"  Noise: {result.noise}, {escape(noise_words(result.noise, result.scale))}")
    _assumed(out, result.assumed)
    for reason in dict.fromkeys(result.reasons):
        _say(out, f"  Undecided because {escape(reason)}")
    excess = {"events": "delta", "pointwise": "largest excess"}[result.form]
    shows_delta = result.delta != "0"
    table = _table(beliefs, "from", "against", "verdict", "loss", *[excess] * shows_delta,
                   _where_column(result), "witness")
    for pair in result.pairs[:_ROWS]:
        verdict = _colour(pair.verdict, f"{pair.verdict.value}{' (tie)' if pair.tie else ''}")
        rest = [pair.loss.upper if pair.loss is not None else ""]
        rest += [pair.delta.upper if pair.delta is not None else "0"] * shows_delta
        rest += [place_words(pair.worst_y), witness_words(pair.witness, result.delta)]
        names = [pair.belief] * (len(beliefs) > 1) + [pair.from_, pair.to]
        table.add_row(*(escape(shown[n]) for n in names), verdict, *map(escape, rest))
    _show(out, table)
    _say(out, "  loss: the largest log ratio of the two laws of the output, rounded up.")
    _more_rows(out, len(result.pairs))


def _shown(pairs: Sequence[_Ordered]) -> dict[str, str]:
    """Return what to print for each belief and secret of ordered pairs."""
    return distinct(name for pair in pairs for name in (pair.belief, pair.from_, pair.to))


def _failure(result: CertifyResult, shown: dict[str, str]) -> str:
    """Where a refuted problem fails, and by how much of what."""
    worst = next(pair for pair in result.pairs if pair.refuted)
    words = witness_words(worst.witness, result.delta) or "at an output or event"
    belief = "" if worst.belief == DEFAULT_BELIEF else f" under belief {shown[worst.belief]}"
    return f"from {shown[worst.from_]} against {shown[worst.to]}{belief} at {words}"


def _table(beliefs: set[str], *columns: str) -> Table:
    """A plain table of ordered pairs; with several beliefs their name comes first."""
    table = Table(show_edge=False, pad_edge=False)
    for column in ["belief"] * (len(beliefs) > 1) + list(columns):
        # on a narrow terminal names fold; numbers are never cut
        names = column in _NAMES
        table.add_column(column, overflow="fold", no_wrap=not names, min_width=8 * names or None)
    return table


def _show(out: Console, table: Table) -> None:
    """Print a table, or on a narrow terminal each row as lines of its own."""
    if table.__rich_measure__(out, out.options.update(max_width=10_000)).minimum <= out.width:
        out.print(table)
        return
    columns = [(column.header, list(column.cells)) for column in table.columns]
    for row in range(table.row_count):
        out.print("")
        for header, cells in columns:
            if cells[row]:
                out.print(f"  {header}: {cells[row]}", soft_wrap=True)


def _where_column(result: CertifyResult) -> str:
    pointwise = result.form == "pointwise" and result.delta != "0"
    return "y of excess" if pointwise else "y of loss"


def _more_rows(out: Console, count: int) -> None:
    if count > _ROWS:
        out.print(f"  ({count - _ROWS} more ordered pairs, all less close; --json lists them)")


def print_grid(out: Console, name: str, result: GridResult) -> None:
    """Print what a grid saw, and that it proves nothing."""
    _say(out, f"[bold]{escape(name)}[/]: {_colour(result.verdict)}")
    _say(
        out,
        f"  {result.points} points were looked at, in floating point. This proves nothing about "
        "the outputs between them; run certify without --grid for a proof.",
    )
    beliefs = {pair.belief for pair in result.pairs}
    table = _table(beliefs, "from", "against", "largest log ratio", "at y",
                   "largest p - e^epsilon p'", "at y ")
    shown = _shown(result.pairs)
    for pair in result.pairs[:_ROWS]:
        cells = [pair.belief] * (len(beliefs) > 1)
        cells = [shown[cell] for cell in [*cells, pair.from_, pair.to]]
        cells += [pair.log_ratio, pair.y, pair.excess, pair.excess_y]
        table.add_row(*map(escape, cells))
    _show(out, table)


def print_loss(out: Console, name: str, result: LossResult) -> None:
    """Print enclosed losses, largest first."""
    worst = result.worst
    beliefs = {pair.belief for pair in result.pairs}
    shown = _shown(result.pairs)
    under = f" under belief {escape(shown[worst.belief])}" if len(beliefs) > 1 else ""
    bare = result.noise == NoNoise.kind
    size = "without noise" if bare else f"at {noise_words(result.noise, result.scale)}"
    where = place_words(worst.y)
    if not where.startswith("in"):
        where = f"reached at y = {where}"
    _say(
        out,
        f"[bold]{escape(name)}[/]: {escape(size)} the privacy loss is "
        f"{between(result.epsilon_star)}, {where}, from {escape(shown[worst.from_])} against "
        f"{escape(shown[worst.to])}{under}.",
    )
    what = "largest excess" if result.form == "pointwise" else "delta"
    _say(
        out,
        f"  At epsilon = {escape(plain(result.epsilon))} the {what} is {between(result.delta)}.",
    )
    if result.epsilon_at_delta is not None:
        _say(
            out,
            f"  For delta = {escape(plain(result.delta_target))} the smallest epsilon is "
            f"{between(result.epsilon_at_delta)}.",
        )
    _assumed(out, result.assumed)
    table = _table(beliefs, "from", "against", "epsilon*", what,
                   *["epsilon at delta"] * (result.epsilon_at_delta is not None), "y of loss")
    for pair in result.pairs[:_ROWS]:
        cells = [pair.belief] * (len(beliefs) > 1)
        cells = [shown[cell] for cell in [*cells, pair.from_, pair.to]]
        cells += [pair.epsilon_star.text, pair.delta.text]
        cells += [pair.epsilon_at_delta.text] if pair.epsilon_at_delta is not None else []
        table.add_row(*map(escape, [*cells, place_words(pair.y)]))
    _show(out, table)
    _more_rows(out, len(result.pairs))


def rounded_up(scale: str, places: int) -> str:
    """Return a decimal rounded up to a number of places, with trailing zeros, for tables.

    Example: ``rounded_up("0.556756", 4)`` is ``"0.5568"``.
    """
    if scale == "inf":
        return scale
    value = Fraction(scale)
    units = (value * 10**places).__ceil__()
    if value and units < 10:  # too small for this many places
        return decimal_upper(value, places)
    return f"{units // 10**places}.{units % 10**places:0{places}d}"


def print_calibrate(out: Console, name: str, result: CalibrateResult) -> None:
    """Print every scale with its verdict, and the minimum."""
    formula = escape(inequality(result.form, result.epsilon, result.delta))
    size = size_word(result.noise)
    kind = result.noise if size == "scale" else f"{result.noise}: {size}"
    _say(out, f"[bold]{escape(name)}[/]: noise scales ({kind}) for {formula}")
    low, high = result.minimum.lower, result.minimum.upper
    if result.minimum.verdict == "undecided":
        _say(out, f"  The smallest private {size} is undecided: "
                  f"{escape(result.minimum.reason or '')}.")
    elif high == "inf":
        _say(out, f"  No {size} works: {escape(result.minimum.reason or '')}.")
    elif high == "0":
        _say(out, f"  The smallest private {size} is 0: {escape(result.minimum.reason or '')}.")
    else:
        _say(out, f"  The smallest private {size} is above {low} (refuted) and at most {high} "
                  "(certified).")
        if result.minimum.reason:
            _say(out, f"  {escape(result.minimum.reason)}.")
    _assumed(out, result.assumed)
    table = Table(show_edge=False, pad_edge=False)
    widest = max(len(name) for name in result.methods)
    for column, width in (("method", widest), (size, 8), ("verdict", 9), ("waste", 6),
                          ("noise sd", 8), ("closed form", None)):
        table.add_column(column, no_wrap=True, min_width=width)  # only the closed form is cut
    for method, row in result.methods.items():
        waste = f"{float(row.waste):.2f}x" if row.waste else ""
        exact = closed_form(row.exact or "")
        never = row.scale == "inf" and row.verdict == "refuted"
        table.add_row(
            method,
            rounded_up(row.scale, 4),
            f"no {size} works" if never else _colour(row.verdict),
            waste,
            rounded_up(row.sd, 4),
            escape(exact if len(exact) <= 60 else f"{exact[:57]}..."),
        )
    _show(out, table)
    for methods, scale, words in _failures(result):
        _say(out, f"  [bold red]{methods}[/] at {size} {scale}: {escape(words)}")
    _say(out, "  Scales and sd are rounded up; waste is the scale over the minimum. --json has all "
              "digits and whole closed forms.")
    for reason in dict.fromkeys(result.not_applicable.values()):
        names = [name for name, why in result.not_applicable.items() if why == reason]
        _say(out, f"  {', '.join(names)}: not applicable: {escape(reason)}")


def _failures(result: CalibrateResult) -> list[tuple[str, str, str]]:
    """Return (refuted methods, their scale, where it fails) for every refuted scale."""
    found: dict[tuple[str, str], list[str]] = {}
    shown = _shown([row.witness for row in result.methods.values() if row.witness is not None])
    for name, row in result.methods.items():
        if row.witness is not None:
            words = f"{shown[row.witness.from_]} -> {shown[row.witness.to]}"
            if row.witness.belief != DEFAULT_BELIEF:
                words += f" (belief {shown[row.witness.belief]})"
            words += f", {witness_words(row.witness, result.delta)}"
            found.setdefault((row.scale, words), []).append(name)
    return [
        (f"{', '.join(names)} {'fail' if len(names) > 1 else 'fails'}", scale, words)
        for (scale, words), names in found.items()
    ]


def print_demo(out: Console, result: DemoResult) -> None:
    """Print the recomputed Table 4, one table per data set."""
    out.print("[bold]Table 4 of the noise-reduction paper, recomputed from the priors[/]")
    state = "certified" if result.all_certified else "NOT all certified"
    _say(
        out,
        "  Every scale of ours below was decided exactly, for all outputs and both orders: all "
        f"{state}. `ours` is what the printed relaxed scale should be, `smaller side` what already "
        "suffices, `minimum` the smallest private scale (0: no noise is needed, against the listed "
        "secrets and exactly these priors; the value itself is published), `waste` the "
        "printed scale over it.\n",
    )
    for data in result.tables:
        table = Table(title=f"{data.title}  (example:{data.example})", title_justify="left",
                      show_edge=False, pad_edge=False)
        for column in ("epsilon", "l1", "W1", "relaxed, printed", "ours", "smaller side",
                       "minimum", "waste"):
            table.add_column(column, justify="right")
        for row in data.rows:
            l1, w1, relaxed = (f"[{STYLES[cell.verdict]}]{rounded_up(cell.scale, 4)}[/]"
                               + ("" if cell.recomputes else _MARK) for cell in row.cells)
            printed = row.cells[-1].published + ("" if row.cells[-1].recomputes else _MARK)
            waste = f"{float(row.waste):.2f}x" if row.waste else "no noise"
            table.add_row(row.epsilon, l1, w1, printed, relaxed.removesuffix(_MARK),
                          rounded_up(row.relaxed, 4), rounded_up(row.minimum.upper, 4), waste)
        out.print(table)
        out.print()
    count = len(result.tables) * len(result.tables[0].rows)
    wrong = [m for m in result.mismatches if f", {METHODS['relaxed_published']}:" in m]
    out.print(f"{count - len(wrong)} of {count} printed relaxed scales recompute.")
    for mismatch in result.mismatches:
        _say(out, f"  [bold red](!) does not recompute[/]: {escape(mismatch)}")


def print_proofs(
    out: Console, outcomes: list[Outcome], *, steps: bool = False, change: str | None = None
) -> None:
    """Print what checking claims gave: words, results and, where one fails, the step and why."""
    table = Table(box=None, pad_edge=False)
    for name in ("id", "source", "claim", "result"):
        table.add_column(name, overflow="fold", no_wrap=name in ("id",))
    table.add_column("s", justify="right")
    for o in outcomes:
        style = "bold red" if o.failure else "green"
        result = f"[{style}]{escape(o.result or 'FAILED')}[/]"
        table.add_row(o.id, escape(o.source), escape(o.words), result, f"{o.seconds:.1f}")
    if change is None:
        out.print(table)
    for o in outcomes:
        if steps:
            out.print(f"\n[bold]{o.id}[/]: {escape(o.words)}")
            for part in o.stated:
                words = f": {part.words}" if part.words else ""
                out.print(f"  {part.part} ({part.kind}{escape(words)})", soft_wrap=True)
                for name, formula in part.given.items():
                    out.print(f"    if    {escape(f'{formula}    [{name}]')}", soft_wrap=True)
                out.print(f"    claim {escape(part.statement)}", soft_wrap=True)
                word = "fails in" if part.kind == "refuted" else "holds in"
                for instance in filter(None, part.instances):
                    out.print(f"    {word} {escape(instance)}", soft_wrap=True)
            if o.uses:
                out.print(f"  it uses {', '.join(o.uses)}")
            if o.comparison:
                out.print(f"  what is corrected is {o.comparison}")
            for line in o.steps:
                out.print(f"  {escape(line)}", soft_wrap=True)
        if o.failure:
            out.print(f"\n[bold red]{o.id} fails[/] at: {escape(o.failed_step or 'the file')}")
            out.print(f"  because: {escape(o.failure)}", soft_wrap=True)
            if o.counterexample:
                out.print(f"  for example where: {escape(o.counterexample)}", soft_wrap=True)
        elif change is not None:
            out.print(f"{o.id} still checks with this change: {escape(o.result)}")
    if change is None:
        failed = sum(bool(o.failure) for o in outcomes)
        out.print(f"\n{len(outcomes)} claims, {len(outcomes) - failed} with the result declared"
                  + (f", [bold red]{failed} failed[/]" if failed else ""))


_EDGES = 12  # edges of a plan shown for one pair


def print_couplings(
    out: Console, name: str, result: Couplings, output: str | None
) -> None:
    """Print each pair's plan, distances, and what its best coupling allows."""
    out.print(f"Assumed: {'; '.join(result.assumed)}", soft_wrap=True)
    shown = _shown(result.pairs)
    for r in result.pairs:
        belief = "" if r.belief == DEFAULT_BELIEF else f" (belief {shown[r.belief]})"
        way = escape(f"{shown[r.from_]} -> {shown[r.to]}")
        out.print(f"[bold]{way}[/]{escape(belief)} in {escape(name)}")
        w_1 = r.w_1["lower"] if r.w_1["lower"] == r.w_1["upper"] else (
            f"in [{r.w_1['lower']}, {r.w_1['upper']}]"
        )
        if r.w_infinity == "0":
            out.print("  The priors are equal: no mass has to move, W1 = W-infinity = 0")
        else:
            out.print(f"  Some mass has to move by {r.w_infinity}, none has to move farther: "
                      f"W-infinity = {r.w_infinity}")
        if r.hall is not None:
            event = ", ".join(r.hall["event"][:8]) + (", ..." if len(r.hall["event"]) > 8 else "")
            out.print(f"    because {{{event}}} has mass {r.hall['mass']}, all that is nearer has "
                      f"{r.hall['reachable']}", soft_wrap=True)
        if "/" in w_1:
            w_1 += f" (about {float(Fraction(r.w_1['upper'])):.4g})"
        out.print(f"  The cheapest coupling moves mass by {w_1} on average: W1", soft_wrap=True)
        if r.coupling_lp is not None and r.coupling_lp["upper"] != "0":
            lower = r.coupling_lp["lower"]  # 0 where the search found no proof of a lower end
            tight = "no smaller scale is excluded" if lower == "0" else (
                f"at {lower} no coupling's do"
            )
            fit = f"its {r.coupling_lp['side']} fit; {tight}"
            out.print(f"  A coupling makes both orders private at scale {r.coupling_lp['upper']}, "
                      f"epsilon = {plain(result.epsilon)} ({fit})", soft_wrap=True)
        elif r.coupling_lp_not_applicable:
            out.print(f"  Best coupling: {escape(r.coupling_lp_not_applicable)}")
        if r.lifting is not None:
            word = "is" if r.lifting["related"] else "is not"
            out.print(f"  The pair {word} in the lifted relation")
            if r.lifting["hall"]:
                hall = r.lifting["hall"]
                out.print(f"    because {{{', '.join(hall['event'][:8])}}} has mass {hall['mass']},"
                          f" all that is related has {hall['reachable']}", soft_wrap=True)
        table = Table(box=None, pad_edge=False)
        for column in ("from", "to", "mass"):
            table.add_column(column, justify="right")
        for edge in r.plan[:_EDGES]:
            table.add_row(edge["from"], edge["to"], edge["mass"])
        out.print(table)
        if len(r.plan) > _EDGES:
            out.print(f"  ... {len(r.plan)} edges in all (--json shows them)")
        _print_properties(out, r.properties)
    if output is not None:
        out.print(f"wrote {escape(output)}; check it: pfverify check {escape(name)} "
                  f"{escape(output)} --expect coupling", soft_wrap=True)


def print_plan_check(out: Console, name: str, result: PlanCheck, repair: object) -> None:
    """Print the judgement on a given plan."""
    word = "[green]valid[/]" if result.valid else "[bold red]invalid[/]"
    shown = _shown([result])
    way = escape(f"{shown[result.from_]} -> {shown[result.to]}")
    out.print(f"{escape(name)}: {word} for {way}")
    if result.failed:
        out.print(f"  failed: {', '.join(result.failed)}")
    if result.floats:
        out.print(f"  the masses are floats; the largest defect of a marginal is {result.defect}")
    _print_properties(out, result.properties)
    if repair is not None:
        out.print(f"  wrote the nearest exact plan on the same support to {escape(str(repair))}")


def _print_properties(out: Console, properties: list[Property]) -> None:
    for p in properties:
        if p.verdict != "not asked":
            detail = f": {p.detail}" if p.detail else ""
            out.print(f"  {p.name} {p.verdict}{escape(detail)}", soft_wrap=True)

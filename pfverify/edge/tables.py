"""Results for people: words first, numbers second."""

from __future__ import annotations

from fractions import Fraction

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pfverify.decide.grid import GridResult
from pfverify.decide.loss import LossResult
from pfverify.decide.outcome import CertifyResult, Verdict
from pfverify.edge.demo import METHODS, DemoResult
from pfverify.exact.decimals import decimal_text, decimal_upper
from pfverify.exact.number import number
from pfverify.scales.outcome import CalibrateResult

STYLES = {
    Verdict.CERTIFIED: "green",
    Verdict.REFUTED: "bold red",
    Verdict.UNDECIDED: "yellow",
    Verdict.OBSERVED: "yellow",
}
_WIDE = 150  # columns when the output is not a terminal
_ROWS = 40  # ordered pairs shown in a table


def console() -> Console:
    """Return the console for results: colours on a terminal, wide plain text elsewhere."""
    probe = Console(highlight=False)
    return probe if probe.is_terminal else Console(highlight=False, width=_WIDE)


def _colour(verdict: Verdict, text: str | None = None) -> str:
    return f"[{STYLES[verdict]}]{text or verdict.value}[/]"


def plain(text: str) -> str:
    """Return the text of an exact number as people write it: 23/20 as 1.15."""
    value = number(text).fraction
    return unwrapped(text) if value is None else decimal_text(value)


def unwrapped(text: str) -> str:
    """Return an expression without parentheses around the whole of it."""
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth = 0
    for index, mark in enumerate(text):
        depth += (mark == "(") - (mark == ")")
        if depth == 0 and index < len(text) - 1:
            return text
    return text[1:-1]


def inequality(form: str, epsilon: str, delta: str) -> str:
    """Return the target as a formula."""
    extra = "" if delta == "0" else f" + {plain(delta)}"
    shown = plain(epsilon)
    growth = f"e^{shown}" if shown.replace(".", "").isdigit() else f"e^({shown})"
    if form == "pointwise":
        return f"p(y|s) <= {growth} p(y|s'){extra} at every output y"
    return f"P(Y in B|s) <= {growth} P(Y in B|s'){extra} for every event B"


def print_certify(out: Console, name: str, result: CertifyResult) -> None:
    """Print a verdict: what was decided, what was assumed, then the pairs, worst first."""
    formula = escape(inequality(result.form, result.epsilon, result.delta))
    beliefs = {pair.belief for pair in result.pairs}
    count = len(result.pairs) // 2
    scope = f"{count} pair{'s' if count > 1 else ''}, both orders"
    if len(beliefs) > 1:
        scope += f", {len(beliefs)} beliefs"
    out.print(f"[bold]{escape(name)}[/]: {_colour(result.verdict)}")
    words = {
        Verdict.CERTIFIED: "Proved, for all outputs",
        Verdict.REFUTED: "Disproved, it fails at the output or event shown below",
        Verdict.UNDECIDED: "Neither proved nor disproved",
    }[result.verdict]
    out.print(f"  {words}: {formula}  ({scope})")
    out.print(f"  Noise: {result.noise}, scale {escape(plain(result.scale))}")
    out.print(f"  Assumed: {'; '.join(result.assumed)}")
    for reason in dict.fromkeys(result.reasons):
        out.print(f"  Undecided because {escape(reason)}")
    shows_delta = result.delta != "0"
    columns = ["belief"] * (len(beliefs) > 1) + ["from", "against", "verdict", "loss"]
    columns += ["delta"] * shows_delta + ["worst y", "witness"]
    table = Table(*columns, show_edge=False, pad_edge=False)
    for pair in result.pairs[:_ROWS]:
        cells = [pair.belief] if len(beliefs) > 1 else []
        witness = ""
        if pair.witness and pair.witness.event:
            spans = [f"[{low}, {high}]" for low, high in pair.witness.event[:2]]
            more = len(pair.witness.event) - 2
            extra = f" and {more} more" if more > 0 else ""
            witness = f"{' '.join(spans)}{extra}, excess >= {pair.witness.margin}"
        elif pair.witness:
            witness = f"y = {pair.witness.y}, excess >= {pair.witness.margin}"
        cells += [pair.from_, pair.to]
        verdict = _colour(pair.verdict, f"{pair.verdict.value}{' (tie)' if pair.tie else ''}")
        rest = [pair.loss.upper if pair.loss else ""]
        rest += [pair.delta.upper if pair.delta else "0"] * shows_delta
        rest += [decimal_text(pair.worst_y), witness]
        table.add_row(*map(escape, cells), verdict, *map(escape, rest))
    out.print(table)
    out.print("  loss: the largest log ratio of the two densities, rounded up.")
    _more_rows(out, len(result.pairs))


def _more_rows(out: Console, count: int) -> None:
    if count > _ROWS:
        out.print(f"  ({count - _ROWS} more ordered pairs, all less close; --json lists them)")


def print_grid(out: Console, name: str, result: GridResult) -> None:
    """Print what a grid saw, and that it proves nothing."""
    out.print(f"[bold]{escape(name)}[/]: {_colour(result.verdict)}")
    out.print(
        f"  {result.points} points were looked at, in floating point. This proves nothing about "
        "the outputs between them; run certify without --grid for a proof."
    )
    table = Table("from", "against", "largest log ratio", "at y", "largest excess", "at y ",
                  show_edge=False, pad_edge=False)
    for pair in result.pairs[:_ROWS]:
        cells = (pair.from_, pair.to, pair.log_ratio, pair.y, pair.excess, pair.excess_y)
        table.add_row(*map(escape, cells))
    out.print(table)


def print_loss(out: Console, name: str, result: LossResult) -> None:
    """Print enclosed losses, largest first."""
    worst = result.worst
    out.print(
        f"[bold]{escape(name)}[/]: at scale {escape(plain(result.scale))} the privacy loss is at "
        f"most [bold]{result.epsilon_star.upper}[/] (and not below {result.epsilon_star.lower}), "
        f"reached at y = {escape(worst.y)} from {escape(worst.from_)} against {escape(worst.to)}."
    )
    what = "largest excess" if result.form == "pointwise" else "delta"
    out.print(
        f"  At epsilon = {escape(plain(result.epsilon))} the {what} is between "
        f"{result.delta.lower} and {result.delta.upper}."
    )
    if result.epsilon_at_delta:
        out.print(
            f"  For delta = {escape(plain(result.problem_delta))} the smallest epsilon is between "
            f"{result.epsilon_at_delta.lower} and {result.epsilon_at_delta.upper}."
        )
    out.print(f"  Assumed: {'; '.join(result.assumed)}")
    table = Table("from", "against", "epsilon*", what, "epsilon at delta", "worst y",
                  show_edge=False, pad_edge=False)
    for pair in result.pairs[:_ROWS]:
        cells = (pair.from_, pair.to, pair.epsilon_star.text, pair.delta.text,
                 pair.epsilon_at_delta.text if pair.epsilon_at_delta else "", pair.y)
        table.add_row(*map(escape, cells))
    out.print(table)
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
    out.print(f"[bold]{escape(name)}[/]: noise scales ({result.noise}) for {formula}")
    low, high = result.minimum.lower, result.minimum.upper
    if high == "inf":
        out.print(f"  No scale works: {escape(result.minimum.reason or '')}.")
    elif high == "0":
        out.print(f"  The least private scale is 0: {escape(result.minimum.reason or '')}.")
    else:
        out.print(f"  The least private scale is above {low} (refuted) and at most {high} "
                  "(certified).")
    out.print(f"  Assumed: {'; '.join(result.assumed)}")
    table = Table("method", "scale (rounded up)", "verdict", "waste", "noise sd", "closed form",
                  show_edge=False, pad_edge=False)
    for method, row in result.methods.items():
        waste = f"{float(row.waste):.2f}x" if row.waste else ""
        exact = unwrapped(row.exact or "")
        table.add_row(
            method,
            rounded_up(row.scale, 4),
            "no scale works" if row.scale == "inf" else _colour(row.verdict),
            waste,
            rounded_up(row.sd, 4),
            escape(exact if len(exact) <= 60 else f"{exact[:57]}..."),
        )
    out.print(table)
    for method, reason in result.not_applicable.items():
        out.print(f"  {method}: not applicable: {escape(reason)}")


def print_demo(out: Console, result: DemoResult) -> None:
    """Print the recomputed Table 4, one table per data set."""
    out.print("[bold]Table 4 of the noise-reduction paper, recomputed from the priors[/]")
    state = "certified" if result.all_certified else "NOT all certified"
    out.print(
        "  Every scale of ours below was decided exactly, for all outputs and both orders: all "
        f"{state}. `waste` is the printed relaxed scale over the least private one.\n"
    )
    for data in result.tables:
        table = Table(title=f"{data.title}  (example:{data.example})", title_justify="left",
                      show_edge=False, pad_edge=False)
        for column in ("epsilon", "l1 printed", "ours", "W1 printed", "ours",
                       "relaxed printed", "ours", "smaller side", "minimum", "waste"):
            table.add_column(column, justify="right")
        for row in data.rows:
            cells = [row.epsilon]
            for cell in row.cells:
                mark = "" if cell.recomputes else " [bold red]does not recompute[/]"
                cells += [f"{cell.published}{mark}",
                          f"[{STYLES[cell.verdict]}]{rounded_up(cell.scale, 4)}[/]"]
            waste = f"{float(row.waste):.2f}x" if row.waste else "no noise needed"
            cells += [rounded_up(row.relaxed, 4), rounded_up(row.minimum.upper, 4), waste]
            table.add_row(*cells)
        out.print(table)
        out.print()
    printed = len(result.tables) * len(result.tables[0].rows)
    relaxed = [m for m in result.mismatches if f", {METHODS['relaxed_published']}:" in m]
    out.print(f"{printed - len(relaxed)} of {printed} printed relaxed scales recompute.")
    for mismatch in result.mismatches:
        out.print(f"  [bold red]Does not recompute[/]: {escape(mismatch)}")

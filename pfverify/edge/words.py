"""Numbers, targets, noises and witnesses in words, for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from pfverify.answers.outcome import Place, Witness
from pfverify.answers.released import Released, has_names, of_parts
from pfverify.edge.names import marked
from pfverify.errors import shorten
from pfverify.exact.decimals import decimal_lower, decimal_text, decimal_upper
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import number
from pfverify.exact.published import Extended, Real, extended
from pfverify.model.kinds import NOISES
from pfverify.model.noises.none import NoNoise
from pfverify.model.notion import Bound, Renyi, Zcdp, exact_notion
from pfverify.model.protection import KINDS
from pfverify.model.releases.stepped import Stepped

_RATIO = re.compile(r"\d+/\d+")
_LISTED = re.compile(r"\bscales ")  # of words that say every scale
_WHOLE = 60  # characters up to which epsilon, delta and scale are whole
_LONG = 24  # characters from which a number is cut
_DIGITS = 12  # that are left of it
_EXCESS = {
    Bound.DIVERGENCE: "delta", Bound.EXCESS: "largest excess", Bound.RENYI: "delta",
    Bound.ZCDP: "delta",
}  # fmt: skip
_COMPARED = {
    Bound.DIVERGENCE: ("P(Y in B", "for every event B"),
    Bound.EXCESS: ("p(y", "at every output y"),
}
_PLACES = {
    Bound.RATIO: "y of loss",
    Bound.DIVERGENCE: "y of loss",
    Bound.EXCESS: "y of excess",
    Bound.RENYI: "y of loss",
    Bound.ZCDP: "y of loss",
}
PLACE_HEADERS = frozenset(_PLACES.values())
"""What the columns are called that say where, and not how much."""
_INTERVALS = 2  # of an event that are shown
_EVENT = "P(B) - e^epsilon Q(B) above delta"
_OUTPUTS = 4  # of a channel's event that are shown


def plain(expression: str | Real) -> str:
    """Return the text of an exact number as people write it: 23/20 as 1.15.

    A long one is cut, and then its digest (of the canonical text, as the kernel prints it) tells
    it from others.
    """
    text = str(expression)
    value = number(text).fraction
    whole = unwrapped(text) if value is None else decimal_text(value)
    if len(whole) <= _WHOLE:
        return whole
    return marked(text, f"{whole[:_WHOLE]}..." if value is None else brief(whole))


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


def closed_form(text: str) -> str:
    """Return an exact number as a screen shows it: with root signs (files and --json have sqrt).

    Example: ``closed_form("(1+sqrt(7))/2")`` is ``"(1+√7)/2"``.
    """
    return re.sub(r"sqrt\((\d+)\)", r"√\1", unwrapped(text)).replace("sqrt(", "√(")


def brief(rational: str | Extended) -> str:
    """Return a rational number's text; a long one is cut, with dots (--json has all of it).

    Example: ``brief("12345678901234567890123/8")`` is ``"1.54320986265...e21"``.
    """
    text = str(rational)
    if len(text) <= _LONG:
        return text
    value = Fraction(text)
    digits, mark, power = decimal_lower(abs(value), _DIGITS).partition("e")
    return f"{'-' if value < 0 else ''}{digits}...{mark}{power}"


def inequality(
    form: str, epsilon: str | Real, delta: str | Real, notion: str | None = None
) -> str:
    """Return the target as a formula; epsilon of an extended notion is per unit of distance."""
    extra = "" if delta == "0" else f" + {plain(delta)}"
    shown = plain(epsilon)
    if notion is not None and KINDS[notion].metric is not None:
        shown += " d(s,s')"
    asked = exact_notion(form)
    if isinstance(asked, Renyi):
        of = f"the Renyi divergence of order {asked.order}"
        return f"D(P(Y|s) : P(Y|s')) <= {shown} for {of}"
    if isinstance(asked, Zcdp):
        return f"D_a(P(Y|s) : P(Y|s')) <= {shown} a for Renyi divergences of every order a > 1"
    growth = f"e^{shown}" if shown.replace(".", "").isdigit() else f"e^({shown})"
    probability, place = _COMPARED[asked.stated]
    return f"{probability}|s) <= {growth} {probability}|s'){extra} {place}"


def noise_words(kind: str, scale: str | Real) -> str:
    """Return the size of a noise: "scale 2"; for gaussian noise "sigma 1.5" or "variance 2".

    Gaussian noise is named by whichever of the two is rational, sigma first. Noise of kind none
    has no size: "the value itself is published".
    """
    name, size = NOISES[kind].size_words(str(scale))
    return name if size is None else f"{name} {plain(size)}"


def release_words(result: Released) -> str:
    """Return what releases."""
    if result.channel == Stepped.kind:
        size = sizes_words(result.noise, result.scale, result.several)
        if result.noise == NoNoise.kind and result.several is not None:
            size = result.several
        return f"Noise: {result.noise}, {size}, then the steps in post"
    if of_parts(result):
        return f"Parts: {result.several}"
    if has_names(result):
        return f"Channel: {result.channel}"
    return f"Noise: {result.noise}, {sizes_words(result.noise, result.scale, result.several)}"


def sizes_words(kind: str, scale: str | Real, several: str | None) -> str:
    """Return the size of a noise and what is said of several numbers, each scale once.

    Example: ``sizes_words("laplace", "1", "scales 1, 2 by coordinate")`` is
    ``'scales 1, 2 by coordinate'``.
    """
    if several is not None and _LISTED.search(several):
        return _RATIO.sub(lambda found: plain(found[0]), several)
    return noise_words(kind, scale) + ("" if several is None else f"; {several}")


def notion_words(notion: str | None) -> str:
    """Return what is kept apart where that is not the plain case; "" where it is."""
    if notion is None:
        return ""
    kind = KINDS[notion]
    compared = "single inputs" if kind.of_inputs else "priors"
    scaled = ", epsilon per unit of distance" if kind.metric is not None else ""
    return f". Notion: {notion}, {kind.words} ({compared} are compared{scaled})"


def output_words(y: Fraction | Place, *, named: bool) -> str:
    """Return an output for a table: its name where outputs have names, else as `place_words`."""
    return repr(shorten(y, _LONG)) if named else place_words(y)


def excess_word(form: str) -> str:
    """Return what the number that delta bounds is called under a notion of privacy."""
    return _EXCESS[exact_notion(form).stated]


def place_header(form: str, delta: str | Real) -> str:
    """Return what the place is called that a verdict gives for every pair."""
    return _PLACES[exact_notion(form).bound(number(str(delta)))]


def size_word(kind: str) -> str:
    """Return what the number that sets the size of a noise is called."""
    return NOISES[kind].size_name


def place_words(y: Fraction | Place) -> str:
    """Return an output for a table: a number, a point of several, or the limit in a tail."""
    if isinstance(y, str) and y.startswith("("):
        return shorten(y, _LONG)
    text = str(extended(y))
    return f"in the limit y -> {text}" if text.endswith("inf") else brief(text)


def between(enclosure: Enclosure) -> str:
    """Return "exactly x", "between x and x'" or "infinite"; a short fraction is written as one.

    Example: ``between(Enclosure("0.5", "0.5"))`` is ``"exactly 1/2"``.
    """
    if enclosure.lower == enclosure.upper:
        if enclosure.lower == "inf":
            return "infinite"
        fraction = str(Fraction(enclosure.lower))
        return f"exactly {min(fraction, str(enclosure.lower), key=len)}"
    return f"between {enclosure.lower} and {enclosure.upper}"


def interval(low: str | Extended, high: str | Extended, *, closed: bool = True) -> str:
    """Return an interval of outputs; an infinite end is open, and others where it is not closed."""
    left, right = "(" if low == "-inf" else "[", ")" if high == "inf" else "]"
    if not closed:
        left, right = "(", ")"
    return f"{left}{brief(low)}, {brief(high)}{right}"


def witness_words(witness: Witness | None, delta: str | Real) -> str:
    """Return where the bound fails, and by how much of what; "" without a witness."""
    if witness is None:
        return ""
    if is_nowhere(witness):
        return failure_formula(witness, delta)
    return f"{failure_place(witness)}: {failure_formula(witness, delta)}"


def order_words(order: str | Real | None) -> str:
    """Return which Renyi divergence is meant: of one order, or of each, over its order.

    Example: ``order_words(None)`` is ``"over its order"``.
    """
    return "over its order" if order is None else f"of order {order}"


def failure_words(witness: Witness, delta: str | Real) -> str:
    """Return the same as it goes on after "it fails": at a place, or by a divergence.

    Example: ``failure_words(Witness("0.1"), "0")`` is ``"by its divergence above epsilon by 0.1"``.
    """
    way = "by its" if is_nowhere(witness) else "at"
    return f"{way} {witness_words(witness, delta)}"


def is_nowhere(witness: Witness) -> bool:
    """Say whether a witness is no place: of a divergence, which is of all outputs together.

    Example: ``is_nowhere(Witness("0.1", y="2"))`` is False.
    """
    places = witness.y, witness.output, witness.point, witness.parts
    return not is_event(witness) and all(place is None for place in places)


def failure_place(witness: Witness) -> str:
    """Return the output or the event at which the bound fails: "y = 2", "B = [0, 1]"."""
    place = _place(witness)
    return place if witness.about is None else f"{place} of {witness.about}"


def _place(witness: Witness) -> str:
    if witness.parts is not None:
        found: dict[str, list[str]] = {}
        for part in witness.parts:
            found.setdefault(_place(part), []).append(shorten(part.about or "", 24))
        return ", ".join(f"{place} of {', '.join(names)}" for place, names in found.items())
    if witness.event is None and witness.outputs is not None:
        return f"B = {_set_words(witness.outputs)}"
    if witness.growth is not None:
        return f"B = the tuples of a ratio above {brief(witness.growth)}"
    if witness.event is not None:
        closed = witness.outputs is None
        spans = [interval(*ends, closed=closed) for ends in witness.event[:_INTERVALS]]
        more = len(witness.event) - _INTERVALS
        names = f" and {_set_words(witness.outputs)}" if witness.outputs else ""
        return f"B = {' '.join(spans)}{f' and {more} more' if more > 0 else ''}{names}"
    if witness.cells is not None:
        return f"B = the union of {witness.cells} boxes of outputs"
    if witness.loss_step is not None:
        return "B = the outputs whose losses add up to more than epsilon"
    if witness.y is None and witness.point is None and witness.output is None:
        return "those"
    place = "" if witness.y is None else brief(witness.y)
    if witness.point is not None:
        place = f"({', '.join(map(brief, witness.point))})"
    if witness.output is not None:
        place = repr(shorten(witness.output, _LONG))
    return f"y = {place}"


def failure_formula(witness: Witness, delta: str | Real) -> str:
    """Return what is above its bound at a witness, and by how much."""
    if is_nowhere(witness):
        infinite = witness.margin == "inf"
        what = "divergence"
        if witness.order is not None:
            if witness.order == "inf":
                what = "divergence over its order, for large orders,"
                return f"{what} above epsilon by {witness.margin}"
            order = brief(witness.order)
            what = f"divergence of order {order}" if infinite else (
                f"divergence of order {order}, over the order,"
            )
        return f"{what}, which is infinite" if infinite else (
            f"{what} above epsilon by {witness.margin}"
        )
    what = "log ratio above epsilon" if delta == "0" else "p - e^epsilon q above delta"
    return f"{_EVENT if is_event(witness) else what} by {witness.margin}"


def is_event(witness: Witness) -> bool:
    """Say whether a witness is an event, and no single output.

    Example: ``is_event(Witness("0.1", y="2"))`` is False.
    """
    parts = witness.outputs, witness.growth, witness.event, witness.cells, witness.loss_step
    return any(part is not None for part in parts)


def _set_words(names: Sequence[str]) -> str:
    """A set of named outputs."""
    shown = ", ".join(repr(shorten(name, _LONG)) for name in names[:_OUTPUTS])
    more = f" and {len(names) - _OUTPUTS} more" if len(names) > _OUTPUTS else ""
    return f"{{{shown}{more}}}"


def rounded_up(scale: str | Extended, places: int) -> str:
    """Return a decimal rounded up to a number of places, with trailing zeros, for tables.

    Example: ``rounded_up("0.556756", 4)`` is ``"0.5568"``.
    """
    if scale == "inf":
        return "inf"
    value = Fraction(scale)
    units = (value * 10**places).__ceil__()
    if value and units < 10 ** (places - 1):  # below 0.1: so many digits, not places
        return decimal_upper(value, places)
    return f"{units // 10**places}.{units % 10**places:0{places}d}"


def brief_upper(end: str | Extended) -> str:
    """Return an upper end rounded up to four places, for the table of a sweep.

    Example: ``brief_upper("0.556756")`` is ``"0.5568"``.
    """
    return "0" if end == "0" else rounded_up(end, 4)


def times(ratio: str | Extended | None, nothing: str = "") -> str:
    """Return a ratio as "1.25x", `nothing` without one."""
    return nothing if ratio is None else f"{float(ratio):.2f}x"


def target(result: Any) -> str:
    """Return what an answer holds a problem to, as a formula.

    Example: ``target(certify(problem))[:8]`` is ``"P(Y in B"``.
    """
    notion = getattr(result, "notion", None)  # of several problems together there is none
    return inequality(result.form, result.epsilon, result.delta, notion)


FORMS: dict[str, Callable[..., str]] = {
    "plain": plain, "between": between, "closed": closed_form, "brief_upper": brief_upper,
    "target": target, "times": times, "excess_word": excess_word,
}  # fmt: skip
"""The forms of numbers in descriptions of views."""

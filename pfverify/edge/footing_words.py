"""What a smallest scale rests on, in words: for the terminal and for reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from pfverify.answers.footing import hangs
from pfverify.answers.methods import EveryValue, Footing, Minimum, RecordCell
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import counted
from pfverify.edge.names import distinct
from pfverify.edge.sentences import sentence
from pfverify.edge.views.data import as_data
from pfverify.exact.decimals import decimal_lower, decimal_text, decimal_upper

_SHOWN = 3  # cells
_FEW_DIGITS, _EXACT = 3, 9


def footing_words(found: Footing, size: str) -> list[str]:
    """Return the sentences about what the smallest scale of a problem rests on; none for none.

    `size` is what the noise's scale is called.
    Example: ``footing_words(Footing(20), "scale")`` is ``[]``.
    """
    if found.least is not None and found.least.verdict is Verdict.REFUTED:
        return []  # no scale works, whatever is left out
    cells = [*found.rare[:_SHOWN], *(cell for cell, _ in found.alone[:_SHOWN])]
    secrets = {cell.secret for cell in cells} | {other for _, other in found.alone[:_SHOWN]}
    if found.closest is not None:
        secrets |= {found.closest.cell.secret, found.closest.other.secret}
    names = distinct(sorted(secrets | set(found.odd)))
    return [
        *(sentence("footing.odd", name=names[name]) for name in found.odd),
        *_every(found.every_value, size),
        *_few(found, size, names), *_alone(found, size, names), *_zero(found, size, names),
    ]


def _every(found: EveryValue | None, size: str) -> Iterator[str]:
    """The scale that needs no law of a record's value, and what a smaller one rests on."""
    if found is None:
        return
    hidden = sentence("every.category")
    if found.bounds is not None:
        low, high = (decimal_text(Fraction(end)) for end in found.bounds)
        only = "" if found.stated else sentence("every.only")
        hidden = sentence("every.values", low=low, high=high, only=only)
    laws = "laws-regions" if found.regions else "laws-known" if found.rest == "known" else "laws"
    yield sentence(
        "every.scale", size=size, least=decimal_upper(Fraction(str(found.least.upper)), 4),
        hidden=hidden, there=sentence("every.there") if found.absent else "",
        laws=sentence(f"every.{laws}"),
    )  # fmt: skip


def _few(found: Footing, size: str, names: dict[str, str]) -> Iterator[str]:
    """The cells of few records, and the scale without them."""
    if not found.rare:
        return
    rare, count, rows = found.rare, found.cells, found.rows
    shown = [f"value {c.value} of {names[c.secret]}: {c.records}" for c in rare[:_SHOWN]]
    cells = f"{counted(count, 'cell')} {'has' if count == 1 else 'have'}"
    yield sentence("footing.few", cells=cells, few=found.few, shown=_listed(shown, count))
    if found.why is not None:
        yield sentence("footing.few-open", size=size, why=found.why)
    elif found.least is not None:
        every = "" if found.rarest >= count else sentence(
            "footing.few-all", count=count, records=_records(rows),
            without=scale_words(found.without_rare),
        )  # fmt: skip
        these = "this one record" if rows == 1 else f"these {rows} records"
        turned = hangs(found)
        yield sentence(
            "footing.few-least", size=size, least=scale_words(found.least),
            rarest=_records((rare[0].records or 0) * found.rarest, found.rarest),
            without=scale_words(found.without_rarest), all=every,
            hung=sentence("footing.few-hung", these=these, turn=_turn(turned)) if turned else "",
        )  # fmt: skip


def _turn(larger: Sequence[bool]) -> str:
    """What leaving out the cells does to the scale."""
    if not any(larger):
        return sentence("footing.turn-lower")
    rarest, *others = ("raises" if one else "lowers" for one in larger)
    out = sentence("footing.turn-one", rarest=rarest)
    if not all(larger):
        out = sentence("footing.turn-two", rarest=rarest, all=others[0])
    return sentence("footing.turn", out=out)


def _listed(shown: Sequence[str], count: int) -> str:
    """The first of so many, and how many there are more."""
    return "; ".join([*shown, *([f"and {count - _SHOWN} more"] if count > _SHOWN else [])])


def _records(rows: int, cells: int = 1) -> str:
    words = counted(rows, "record")
    return words if cells == 1 else f"{words} in {cells} cells"


def scale_words(least: Minimum | None) -> str:
    """Return what a smallest scale is, as the end of a sentence, rounded up.

    Example: ``scale_words(None)`` is ``"has no meaning, as a secret has no other records"``.
    """
    if least is None:
        return "has no meaning, as a secret has no other records"
    if least.upper == 0:
        return "is 0: the value itself is published"
    if least.upper == "inf":
        return "is undecided" if least.lower == 0 else "does not exist: no scale works"
    return f"is {decimal_upper(Fraction(str(least.upper)), 4)} (rounded up)"


def _alone(found: Footing, size: str, names: dict[str, str]) -> Iterator[str]:
    """The values that only one of two secrets has, where the scale rests on them."""
    if not found.alone or found.without_alone is None:
        return
    shown = [
        sentence(
            "footing.alone-value", value=cell.value, name=names[cell.secret], share=_share(cell),
            other=names[other],
        )
        for cell, other in found.alone[:_SHOWN]
    ]  # fmt: skip
    listed, without = _listed(shown, len(found.alone)), scale_words(found.without_alone)
    yield sentence("footing.alone", size=size, shown=listed, without=without)


def _zero(found: Footing, size: str, names: dict[str, str]) -> Iterator[str]:
    """What a scale of 0 rests on."""
    if found.least is None or found.least.upper != 0:
        return
    closest = ""
    if found.closest is not None:
        one, other = found.closest.cell, found.closest.other
        closest = sentence(
            "footing.closest", value=one.value, one=_share(one), name=names[one.secret],
            two=_share(other), other=names[other.secret], ratio=_short(found.closest.ratio),
        )  # fmt: skip
    yield sentence("footing.zero", size=size, closest=closest)


def _share(cell: RecordCell) -> str:
    if cell.records is not None:
        return f"{cell.records} of {cell.of} records"
    return f"probability {_short(cell.mass)}"


def _short(value: Fraction) -> str:
    text = decimal_text(value)
    return text if len(text) <= _EXACT else f"about {decimal_lower(value, _FEW_DIGITS)}"


def footing_data(found: Footing, size: str) -> dict[str, object]:
    """Return the same as data, for JSON.

    Example: ``footing_data(Footing(20), "scale")["few"]`` is ``20``.
    """
    return {
        "few": found.few,
        "rare_cells": [
            {"secret": cell.secret, "value": cell.value, "records": cell.records, "of": cell.of}
            for cell in found.rare
        ],
        "without_rarest": as_data(found.without_rarest),
        "without_rare": as_data(found.without_rare),
        "words": footing_words(found, size),
    }

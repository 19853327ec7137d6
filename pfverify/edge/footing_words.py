"""What a smallest scale rests on, in words: for the terminal and for reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from pfverify.answers.footing import hangs
from pfverify.answers.methods import EveryValue, Footing, Minimum, RecordCell
from pfverify.decide.verdict import Verdict
from pfverify.edge.names import distinct
from pfverify.edge.views.data import as_data
from pfverify.edge.words import counted
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
        *(f"[provenance] tells of records of {names[name]} that its prior cannot come from."
          for name in found.odd),
        *_every(found.every_value, size),
        *_few(found, size, names), *_alone(found, size, names), *_zero(found, size, names),
    ]  # fmt: skip


def _every(found: EveryValue | None, size: str) -> Iterator[str]:
    """The scale that needs no law of a record's value, and what a smaller one rests on."""
    if found is None:
        return
    hidden = "its category is"
    if found.bounds is not None:
        low, high = (decimal_text(Fraction(end)) for end in found.bounds)
        only = "" if found.stated else " (the least and the largest here: nothing bounds others)"
        hidden = f"every value from {low} to {high}{only} is"
    there = ", and whether it is there" if found.absent else ""
    laws = "the laws of one record's value in this file"
    if found.regions:
        laws = "one record's value having a law in the confidence regions"
    elif found.rest == "known":
        laws = "the laws in this file, those of the others too"
    least = decimal_upper(Fraction(str(found.least.upper)), 4)
    yield (
        f"From {size} {least} (rounded up) on {hidden} hidden{there}, whatever is believed of the "
        f"record, and of the others if they are independent of it. A smaller {size} rests on "
        f"{laws}. To take it: pfverify calibrate FILE --write NEW --method every-value."
    )


def _few(found: Footing, size: str, names: dict[str, str]) -> Iterator[str]:
    """The cells of few records, and the scale without them."""
    if not found.rare:
        return
    rare, count, rows = found.rare, found.cells, found.rows
    shown = [f"value {c.value} of {names[c.secret]}: {c.records}" for c in rare[:_SHOWN]]
    cells = f"{counted(count, 'cell')} {'has' if count == 1 else 'have'}"
    yield f"{cells} fewer than {found.few} records: {_listed(shown, count)}."
    if found.why is not None:
        yield f"What the {size} becomes without them is not worked out: {found.why}."
    elif found.least is not None:
        least = f"The smallest {size} {scale_words(found.least)}"
        rarest = _records((rare[0].records or 0) * found.rarest, found.rarest)
        parts = [f"without the rarest ({rarest}) it {scale_words(found.without_rarest)}"]
        if found.rarest < count:
            without = scale_words(found.without_rare)
            parts.append(f"without all {count} ({_records(rows)}) it {without}")
        these = "this one record" if rows == 1 else f"these {rows} records"
        hung = f" It hangs on {these}. {_turn(hangs(found))}" if hangs(found) else ""
        yield f"{least}; {'; '.join(parts)}.{hung}"


def _turn(larger: Sequence[bool]) -> str:
    """What leaving out the cells does to the scale."""
    if not any(larger):
        return "Leaving them out lowers it."
    turns = ["raises" if one else "lowers" for one in larger]
    out = f"Leaving them out {turns[0]} it"
    if not all(larger):
        out = f"Leaving out the rarest {turns[0]} it and leaving out all {turns[1]} it"
    return (
        f"{out}: a value that is left to one secret alone points to it. Merge such values with "
        "their neighbours instead (pfverify prior --merge-rare, --bins)."
    )


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
        f"{cell.value} under {names[cell.secret]} ({_share(cell)}), never under {names[other]}"
        for cell, other in found.alone[:_SHOWN]
    ]
    without = scale_words(found.without_alone)
    yield (
        f"The smallest {size} rests on values that only one secret of a pair has: "
        f"{_listed(shown, len(found.alone))}. Without them it {without}. An output near such a "
        "value points to one secret, and one record more or fewer can make or end it."
    )


def _zero(found: Footing, size: str, names: dict[str, str]) -> Iterator[str]:
    """What a scale of 0 rests on."""
    if found.least is None or found.least.upper != 0:
        return
    closest = ""
    if found.closest is not None:
        one, other = found.closest.cell, found.closest.other
        closest = (
            f" Closest to the bound is value {one.value}: {_share(one)} under "
            f"{names[one.secret]} against {_share(other)} under {names[other.secret]}, a ratio of "
            f"{_short(found.closest.ratio)}, where e^epsilon is allowed."
        )
    yield (
        f"The smallest {size} is 0, so that the value itself is published. This rests on the "
        "priors, or the families of them, being exactly these: whoever believes something else, or "
        f"knows of one more record, is not covered.{closest}"
    )


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

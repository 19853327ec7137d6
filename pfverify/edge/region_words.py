"""The smallest scale for all laws that counts leave possible, in words and as data."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pfverify.answers.methods import MergedScales, RegionScale, WideCell
from pfverify.edge.footing_words import scale_words
from pfverify.edge.names import distinct
from pfverify.edge.views.data import as_data
from pfverify.edge.words import counted
from pfverify.exact.decimals import decimal_text, decimal_upper
from pfverify.model.families.confidence import percent

REGION, COUNTS, EVERY = "region", "minimum", "every-value"
"""The methods of calibrate that name the scales of what was counted."""
_DIGITS = 3


def region_words(
    found: RegionScale | None, size: str, scale: Fraction | None = None
) -> list[str]:
    """Return what the smallest scale takes for granted, and what it is for the region of counts.

    `size` is what the noise's scale is called; `scale`: that of the file, which is compared.
    Example: ``region_words(None, "scale")`` is ``[]``.
    """
    if found is None:
        return []
    taken = f"The smallest {size} takes the counts of the records as exact"
    if found.least is None:
        more = f"; calibrate --write FILE --method {REGION} works it out" if found.long else ""
        none = f"{taken}. None is worked out for all laws that they leave possible: "
        return [f"{none}{found.why}{more}.", *_merged(found.merged, size)]
    how = f"--method {REGION}; prior --confidence {decimal_text(found.level)} writes them"
    said = (
        f"{taken} (--method {COUNTS}). For all laws that they leave possible at "
        f"{percent(found.level)} ({how}) it {scale_words(found.least)}."
    )
    return [said, *_enough(found, size, scale), *_cells(found.cells), *_merged(found.merged, size)]


def _enough(found: RegionScale, size: str, scale: Fraction | None) -> Iterator[str]:
    """Whether a scale is private for these laws too."""
    if found.least is None or scale is None:
        return
    if found.least.upper <= scale:
        yield f"The {size} of the file, {decimal_text(scale)}, is private for all of them."
    elif scale <= found.least.lower:
        yield f"The {size} of the file, {decimal_text(scale)}, is not private for all of them."


def _cells(cells: tuple[WideCell, ...]) -> Iterator[str]:
    """The values that make the region wide."""
    if not cells:
        return
    names = distinct(sorted({name for cell in cells for name in (cell.secret, cell.other)}))
    said = [
        f"{_percent(cell.most)} of {names[cell.secret]} may have value {cell.value} "
        f"({cell.records} of {cell.of} records) and only {_percent(cell.least)} of "
        f"{names[cell.other]} ({cell.other_records} of {cell.other_of})"
        for cell in cells
    ]
    yield f"What makes it so large: {'; '.join(said)}."


def _percent(share: Fraction) -> str:
    text = decimal_text(100 * share)
    return f"{text if len(text) <= _DIGITS + 1 else decimal_upper(100 * share, _DIGITS)} %"


def _merged(merged: MergedScales | None, size: str) -> Iterator[str]:
    """What merging does about it."""
    if merged is None:
        return
    how = (
        f"With neighbouring values merged until each has {counted(merged.records, 'record')} of "
        "every secret "
        f"(pfverify prior --merge-rare {merged.records}; or --bins)"
    )
    if merged.values == 1:
        yield f"{how}, one value would be left, which tells nothing."
    else:
        yield (
            f"{how}, {merged.values} values are left. For the laws that this leaves possible the "
            f"smallest {size} {scale_words(merged.region)}; for the counts as exact it "
            f"{scale_words(merged.counts)}."
        )


def region_data(found: RegionScale, size: str) -> dict[str, object]:
    """Return the same as data, for JSON.

    Example: ``region_data(RegionScale(Fraction(19, 20)), "scale")["level"]`` is ``"0.95"``.
    """
    return {
        "level": decimal_text(found.level),
        "minimum": as_data(found.least),
        "words": region_words(found, size),
    }

"""The smallest scale for all laws that counts leave possible, in words and as data."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pfverify.answers.methods import Footing, MergedScales, RegionScale, WideCell
from pfverify.edge.document import counted
from pfverify.edge.footing_words import footing_data, scale_words
from pfverify.edge.names import distinct
from pfverify.edge.sentences import sentence
from pfverify.edge.views.data import as_data
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
    taken = sentence("region.taken", size=size)
    if found.least is None:
        more = sentence("region.more") if found.long else ""
        none = sentence("region.none", taken=taken, why=found.why, more=more)
        return [none, *_merged(found.merged, size)]
    least = sentence(
        "region.least", taken=taken, percent=percent(found.level), level=decimal_text(found.level),
        least=scale_words(found.least),
    )  # fmt: skip
    return [least, *_enough(found, size, scale), *_cells(found.cells), *_merged(found.merged, size)]


def _enough(found: RegionScale, size: str, scale: Fraction | None) -> Iterator[str]:
    """Whether a scale is private for these laws too."""
    if found.least is None or scale is None:
        return
    if found.least.upper <= scale:
        yield sentence("region.private", size=size, scale=decimal_text(scale))
    elif scale <= found.least.lower:
        yield sentence("region.not-private", size=size, scale=decimal_text(scale))


def _cells(cells: tuple[WideCell, ...]) -> Iterator[str]:
    """The values that make the region wide."""
    if not cells:
        return
    names = distinct(sorted({name for cell in cells for name in (cell.secret, cell.other)}))
    shown = [
        sentence(
            "region.cell", cell=cell, most=_percent(cell.most), least=_percent(cell.least),
            name=names[cell.secret], other=names[cell.other],
        )
        for cell in cells
    ]  # fmt: skip
    yield sentence("region.cells", cells="; ".join(shown))


def _percent(share: Fraction) -> str:
    text = decimal_text(100 * share)
    return f"{text if len(text) <= _DIGITS + 1 else decimal_upper(100 * share, _DIGITS)} %"


def _merged(merged: MergedScales | None, size: str) -> Iterator[str]:
    """What merging does about it."""
    if merged is None:
        return
    left = sentence("region.merged-one") if merged.values == 1 else sentence(
        "region.merged-more", values=merged.values, size=size,
        region=scale_words(merged.region), counts=scale_words(merged.counts),
    )  # fmt: skip
    records = counted(merged.records, "record")
    yield sentence("region.merged", records=records, count=merged.records, left=left)


def rests_data(found: Footing | None, size: str, *, records: bool) -> dict[str, object]:
    """Return what a smallest scale rests on as data, for JSON: records, and the region of counts.

    Example: ``[*rests_data(Footing(20), "scale", records=True)]`` is ``["rests_on"]``.
    """
    if found is None:
        return {}
    data: dict[str, object] = {"rests_on": footing_data(found, size)} if records else {}
    if found.region is not None:
        data["region"] = {
            "level": decimal_text(found.region.level),
            "minimum": as_data(found.region.least),
            "words": region_words(found.region, size),
        }
    return data

"""The keyword options of what counts records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict


class RecordOptions(TypedDict, total=False):
    """Keyword options of `Problem.from_records` and `Problem.from_frame`.

    - codes: category -> number, text such as "no=0,yes=1", or "order" (sorted: 0, 1, 2, ...).
    - missing: what becomes of rows without a value: "error" (default), "drop" or "category" (a
      secret of its own, or the category "(missing)", which needs a code).
    - missing_values: further texts that stand for no value, such as ["?", "NA"].
    - rare, rare_do: secrets of fewer records are an "error" (default), or "drop", or "merge" them.
    - pairs: pairs of values of the secret; default all. Other secrets are then left out.
    - bins (edges that rise) or bin_width, and bin_at: the "lower", "middle" (default) or "upper"
      point stands for an interval [low, high).
    - merge_rare: neighbouring values are merged until each has so many records of every secret.
    - clip: two bounds (LOW, HIGH); a value outside them counts as the nearer one. Where several
      columns are public, bins, bin_width and clip are tables: column -> what is said of it.
    - fit: "gaussian" writes the normal law of the exact mean and variance, rounded.
    - floats: "whole" (default: others are an error), "shortest" decimal, or "exact" fraction.
    - date_format: of dates that are not written 2024-02-29, as strptime has it.
    - decimal_comma: texts such as "3,5" are 3.5.
    - confidence: a level such as "0.95": the counts become confidence regions, which hold together
      with this probability; alphabet: all values that there are (default: those that some row has).
    - release: "value" (default), or "count", "sum" or "mean" over all rows, or the "histogram" of
      how many have each value.
    - rest: "known" (default: the others have the law of all rows), "any": nothing is known of them;
      or "fitting": known where the exact law of their sum is small, else any.
    - absent: the name of one more secret of what is over all rows: not being there at all.
    - short_names: call secrets by their value alone, instead of column=value.
    """

    codes: Mapping[str, object] | str | None
    missing: str
    missing_values: Iterable[str]
    rare: int
    rare_do: str
    pairs: Iterable[tuple[str, str]] | None
    bins: Sequence[object] | Mapping[str, Sequence[object]] | None
    bin_width: object
    bin_at: str | None
    merge_rare: int
    clip: Sequence[object] | Mapping[str, Sequence[object]] | None
    fit: str | None
    floats: str
    date_format: str | None
    decimal_comma: bool
    confidence: object
    alphabet: Sequence[object] | None
    release: str
    rest: str
    absent: str | None
    short_names: bool

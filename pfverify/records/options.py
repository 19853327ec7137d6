"""What is asked of a table of records: how it is read, and which problem comes out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from pfverify.errors import InputError, listed, require, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import rational
from pfverify.model.priors.joint import MAX_COORDINATES
from pfverify.model.record_options import RecordOptions
from pfverify.model.schema import SCHEMA
from pfverify.model.systems.system import MAX_USERS
from pfverify.model.words import meant
from pfverify.records.bins import Bins, Clip, EdgedBins, read_bins, read_clip
from pfverify.records.cells import Cell, text_from, text_of
from pfverify.records.coding import FLOATS, MISSING, ORDER, read_codes
from pfverify.records.laws import (
    CategoryLaw,
    CountedLaw,
    EmpiricalLaw,
    FittedNormal,
    PointLaw,
)

HISTOGRAM = "histogram"
RELEASES = ("value", "count", "sum", "mean", HISTOGRAM)
POLICIES = ("error", "drop", "category")
RARE = ("error", "drop", "merge")
FITTING = "fitting"
"""As `rest`: known where the exact law of the others' sum is small, else any."""
RESTS = ("known", "any", FITTING)
NO_VALUES = frozenset({"?", "na", "n/a", "nan", "null", "none", "missing", "unknown", "-", "."})
"""What many files write where there is no value, in small letters."""
MERGED = "(rare)"
"""The secret that stands for all that have too few records."""
PublicColumn = tuple[str, str | None]
"""A column, and the value that counts 1 while all others count 0, if one is named."""
OF_COLUMN = {"bins": "EDGES", "bin_width": "NUMBER", "clip": "LOW,HIGH"}
"""What is said of one public column, by its name where there are several: how it is written."""


@dataclass(frozen=True)
class CheckedOptions:
    """The checked options, and the columns: `one` is the value of the public column that counts 1
    while all others count 0, None where the column's own numbers are meant; `parts`: where several
    are public, what is asked of each."""

    secret: str
    public: str
    one: str | None = None
    codes: dict[str, Fraction] | str | None = None
    missing: str = "error"
    missing_values: frozenset[str] = frozenset({""})
    rare: int = 0
    rare_do: str = "error"
    pairs: tuple[tuple[str, str], ...] | None = None
    bins: Bins | None = None
    merge_rare: int = 0
    clip: Clip | None = None
    law: Callable[[], EmpiricalLaw] = CountedLaw
    floats: str = "whole"
    date_format: str | None = None
    decimal_comma: bool = False
    release: str = "value"
    rest: str = "known"
    absent: str | None = None
    short_names: bool = False
    confidence: Fraction | None = None
    alphabet: tuple[Fraction, ...] | None = None
    parts: tuple[CheckedOptions, ...] = ()

    def clipped(self, number: int | Fraction) -> int | Fraction:
        """Return a number moved into the bounds, where there are any."""
        return number if self.clip is None else self.clip.within(number)

    def point(self, number: int | Fraction) -> int | Fraction:
        """Return what a number counts as: clipped, then the point of its interval."""
        number = self.clipped(number)
        return number if self.bins is None else self.bins.point(number)

    @property
    def bounds(self) -> tuple[int | Fraction, int | Fraction] | None:
        """The least and the largest number that a record can add, where no data say it."""
        return None if self.release in ("value", HISTOGRAM) else self._ends()

    def _ends(self) -> tuple[int | Fraction, int | Fraction] | None:
        if self.one is not None or self.release == "count":
            return 0, 1
        if isinstance(self.bins, EdgedBins):
            return self.bins.ends_of_points()
        if self.clip is not None:
            return self.point(self.clip.low), self.point(self.clip.high)
        if isinstance(self.codes, Mapping):
            found = [self.point(code) for code in self.codes.values()]
            return min(found), max(found)
        return None

    @property
    def width(self) -> int | Fraction | None:
        """How far the released numbers are apart at most, where no data say it."""
        return None if (ends := self._ends()) is None else ends[1] - ends[0]

    @property
    def same_column(self) -> bool:
        """Whether the secret is what is released."""
        return self.secret == self.public

    def name(self, value: str) -> str:
        """Return the name of the secret that is this value of its column."""
        if self.short_names or value == MERGED:
            return value
        return f"{self.secret}={value}"


LAWS: dict[str, Callable[[], EmpiricalLaw]] = {"gaussian": FittedNormal}
"""The fits that need no library, by name."""


def asked_of_columns(
    secret: str,
    public: Sequence[PublicColumn],
    options: Mapping[str, object],
    laws: Mapping[str, Callable[[], EmpiricalLaw]] = LAWS,
    target: Mapping[str, Any] | None = None,
) -> CheckedOptions:
    """Return checked options of one public column, or of several that are released together.

    `target`: epsilon, delta and noise, of the problem file that an error may name.
    Raises InputError naming the option; for several those that are about one number.
    Example: ``asked_of_columns("a", [("b", None), ("c", "x")], {}).public`` is ``"b,c=x"``.
    """
    if len(public) == 1:
        ((column, one),) = public
        return asked(secret, column, options, one=one, laws=laws, target=target)
    names = [column if one is None else f"{column}={one}" for column, one in public]
    for key in ("merge_rare", "fit", "release", "confidence"):
        if options.get(key) not in (None, "value"):
            raise InputError(
                f"--{key.replace('_', '-')}: it is for one column, and --public names "
                f"{len(names)}"
            )
    for key, value in (("codes", ORDER), ("missing", "category")):
        if options.get(key) == value:
            raise InputError(
                f"--{key} {value}: it is for one column, and --public names {len(names)}"
            )
    if len(set(names)) < len(names):
        raise InputError("--public: a column occurs twice, expected different ones")
    if len(names) > MAX_COORDINATES:
        raise InputError(f"--public: {len(names)} columns, expected at most {MAX_COORDINATES}")
    if secret in (column for column, _ in public):
        raise InputError(
            f"--secret and --public: the same column {shorten(secret)!r}, whose value would be "
            "published; name another one"
        )
    known, binned = [column for column, _ in public], _one_of(options, "bins", "bin_width")
    parts = []
    for column, one in public:
        own = of_column(options, column, known)
        if one is not None and (column, None) in public:  # what is said is about its numbers
            own = {key: value for key, value in own.items() if key not in OF_COLUMN}
        if binned and not _one_of(own, "bins", "bin_width"):
            own.pop("bin_at", None)  # it is about the columns with intervals
        parts.append(asked(secret, column, own, one=one, laws=laws))
    whole = {key: options[key] for key in options.keys() - {*OF_COLUMN, "bin_at"}}
    found = asked(secret, ",".join(names), whole, laws=laws)
    return replace(found, parts=tuple(parts), law=partial(PointLaw, names))


def of_column(
    options: Mapping[str, object], column: str, known: Sequence[str]
) -> dict[str, Any]:
    """Return the options of one public column, where they may name those that are `known`.

    Raises InputError for another name, and for several columns of which none is named.
    Example: ``of_column({"clip": {"a": (0, 5)}}, "b", ["a", "b"])`` is ``{}``.
    """
    found = dict(options)
    for key, form in OF_COLUMN.items():
        value, option = found.get(key), f"--{key.replace('_', '-')}"
        if isinstance(value, Mapping):
            for name in value:
                if name not in known:
                    near = meant(name, known) if isinstance(name, str) else None
                    hint = f"did you mean {near!r}?" if near else f"it names {', '.join(known)}"
                    raise InputError(
                        f"{option}: {shorten(name)!r} is no column of --public; {shorten(hint)}"
                    )
            del found[key]
            if column in value:
                found[key] = value[column]
        elif value is not None and len(known) > 1:
            raise InputError(
                f"{option}: say of which column of --public, such as {option} "
                f"'{shorten(known[0], 30)}={form}'"
            )
    return found


def _one_of(options: Mapping[str, object], *keys: str) -> bool:
    return any(options.get(key) is not None for key in keys)


def asked(
    secret: str,
    public: str,
    options: Mapping[str, object],
    *,
    one: str | None = None,
    laws: Mapping[str, Callable[[], EmpiricalLaw]] = LAWS,
    target: Mapping[str, Any] | None = None,
) -> CheckedOptions:
    """Return checked options. `laws`: name of a fit -> what makes its laws; `target` as above.

    Raises InputError naming the option and what was expected.
    Example: ``asked("a", "b", {"release": "median"})`` raises.
    """
    unknown = set(options) - set(RecordOptions.__annotations__)
    if unknown:
        raise InputError(f"{min(unknown)}: there is no such option")
    given = of_column(options, public, [public])
    fit = given.pop("fit", None)
    bins = read_bins(*(given.pop(key, None) for key in ("bins", "bin_width", "bin_at")))
    clip = read_clip(given.pop("clip", None))
    if bins is not None and clip is not None and options.get("absent") is None:
        _require_two_places(bins, clip)
    codes = read_codes(given.pop("codes", None))
    confidence, alphabet = (given.pop(key, None) for key in ("confidence", "alphabet"))
    _choice(options, "release", RELEASES)
    _choice(options, "rest", RESTS)
    _choice(options, "missing", POLICIES)
    _choice(options, "rare_do", RARE)
    _choice(options, "floats", FLOATS)
    rare = _records(options, "rare")
    if "rare_do" in options and not rare:
        raise InputError("--rare-do: say with --rare which secrets are rare")
    if secret == public and options.get("release", "value") == "value":
        raise InputError(
            f"--secret and --public: the same column {shorten(secret)!r}, whose value would be "
            "published; name another one, publish a --release count, sum or mean, or to hide the "
            f"value {two_points(clip if one is None else Clip(0, 1), 'value', target)}"
        )
    for key in ("fit", "absent", "date_format"):
        if options.get(key) is not None:
            require(options[key], str, f"--{key.replace('_', '-')}")
    for key in ("decimal_comma", "short_names"):
        require(options.get(key, False), bool, f"--{key.replace('_', '-')}")
    if fit is not None and fit not in laws:
        raise InputError(f"--fit: {shorten(fit)!r}, expected {' or '.join(laws)}")
    law: Callable[[], EmpiricalLaw] = CountedLaw if fit is None else laws[fit]
    if fit is not None and bins is not None:
        raise InputError("--fit: a fitted law has no intervals; leave out --bins and --bin-width")
    if fit is not None and clip is not None:
        raise InputError("--fit: a fitted law has no bounds; leave out --clip, or --fit")
    if one is not None and (codes, bins, fit, clip) != (None,) * 4:
        raise InputError(
            f"--public {public}={one} is 0 or 1 already, expected no codes, bins, clip or fit"
        )
    if options.get("release") == HISTOGRAM:
        counted = (one, codes, fit, options.get("bin_at"), None if bins is not None else clip)
        if counted != (None,) * 5:
            raise InputError(
                "--release histogram: it counts the categories of a column, or its numbers in "
                "intervals (--bins or --bin-width, with or without --clip), expected no value, "
                "codes, bin-at or fit"
            )
        law = CategoryLaw
    if _records(options, "merge_rare"):
        whole = options.get("release", "value") != "value"
        if one is not None or whole or (codes, fit, alphabet) != (None,) * 3:
            raise InputError(
                "--merge-rare: it merges neighbouring numbers that one record has, expected no "
                "--public COL=VALUE, --release, --codes, --fit or --alphabet"
            )
    if options.get("release", "value") == "value":
        for key in ("absent", "rest"):
            if options.get(key) is not None:
                raise InputError(
                    f"--{key}: only a --release count, sum or mean, or histogram, has others"
                )
    level = None if confidence is None else rational(confidence, "--confidence")
    if level is not None and not 0 < level < 1:
        raise InputError(f"--confidence: {shorten(level)} is not between 0 and 1, such as 0.95")
    if level is not None and fit is not None:
        raise InputError("--confidence: is of counts, and a fitted law has none; leave out --fit")
    if level is not None and options.get("release", "value") != "value":
        if options.get("rest", FITTING) == "known":
            raise InputError(
                "--confidence: goes with --rest any, which assumes nothing of the others; their "
                "law would be known as little as that of the one record"
            )
        given["rest"] = "any"
    if alphabet is not None and level is None:
        raise InputError("--alphabet: goes with --confidence LEVEL")
    values = None if alphabet is None else listed(alphabet, "--alphabet", "a list of numbers")
    tokens = given.pop("missing_values", ())
    texts = listed(tokens, "--missing-values", "a list of texts")
    pairs = given.pop("pairs", None)
    return CheckedOptions(
        secret, public, one, codes, bins=bins, clip=clip, law=law,
        missing_values=frozenset({"", *(text_from(text, "--missing-values") for text in texts)}),
        pairs=None if pairs is None else _pairs(pairs), confidence=level,
        alphabet=None if values is None else tuple(rational(x, "--alphabet") for x in values),
        **given,
    )  # fmt: skip


def _require_two_places(bins: Bins, clip: Clip) -> None:
    """Raise InputError where all values that are clipped fall into one interval."""
    try:
        place, last = bins.place(clip.low), bins.place(clip.high)
    except InputError:  # a bound outside all intervals, where no value need be
        return
    if place == last:
        low, high = (decimal_text(Fraction(end)) for end in (clip.low, clip.high))
        raise InputError(
            f"--clip: from {low} to {high} every value is in one interval ({bins.label(place)}), "
            "which tells nothing; expected bounds in two intervals or more, or no --clip"
        )


def two_points(
    clip: Clip | None, release: str, target: Mapping[str, Any] | None = None, others: int = 0
) -> str:
    """Return how to hide a number itself: its two bounds as secrets, which a problem file states.

    Any two values between them are told apart less. `target`: epsilon, delta and noise; `others`:
    how many more there are. Example: ``"LOW" in two_points(None, "sum")``.
    """
    low, high = ("LOW", "HIGH") if clip is None else (
        decimal_text(Fraction(end)) for end in (clip.low, clip.high)
    )  # fmt: skip
    points = {"low": low, "high": high}
    body: dict[str, Any]
    if release == "value":
        laws = {name: {"kind": "discrete", "mass": {x: 1}} for name, x in points.items()}
        body = {"priors": laws}
    else:
        user = {name: {"point": x} for name, x in points.items()}
        crowd = [{"point": 0, "count": others}] if others else []
        kind = "mean" if release == "mean" else "sum"
        body = {"system": {"release": kind, "rest": "any", "others": crowd, "user": user}}
    asked = {"epsilon": 1, "noise": {"kind": "laplace"}} if target is None else target
    text = json.dumps({"schema": SCHEMA, **asked, **body}, default=str)
    chosen = "" if clip else ", LOW and HIGH, chosen without the data"
    return f"write a problem file bounds.json of its two bounds{chosen}: {text}"


def _records(options: Mapping[str, object], key: str) -> int:
    found = options.get(key, 0)
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= MAX_USERS:
        option = key.replace("_", "-")
        raise InputError(f"--{option}: {shorten(found)!r}, expected a number of records")
    return found


def _choice(options: Mapping[str, object], key: str, known: Sequence[str]) -> None:
    value = options.get(key, known[0])
    if not isinstance(value, str) or value not in known:
        option = key.replace("_", "-")
        raise InputError(f"--{option}: {shorten(value)!r}, expected {', '.join(known)}")


def _pairs(pairs: object) -> tuple[tuple[str, str], ...]:
    found = []
    for pair in listed(pairs, "--pairs", "pairs of values of the secret"):
        names = listed(pair, "--pairs", "two values of the secret")
        if len(names) != 2:
            raise InputError(f"--pairs: {shorten(pair)!r} is no pair of values of the secret")
        first, second = (text_from(name, "--pairs") for name in names)
        found.append((first, second))
    return tuple(found)


def is_missing(cell: Cell, wanted: CheckedOptions) -> bool:
    """Say whether a cell stands for no value.

    Example: ``is_missing("", CheckedOptions("a", "b"))`` is ``True``.
    """
    if cell is None or isinstance(cell, str):
        return not cell or cell in wanted.missing_values or cell == MISSING
    return len(wanted.missing_values) > 1 and text_of(cell) in wanted.missing_values

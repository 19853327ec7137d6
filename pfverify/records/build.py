"""From rows by secret to the table of a problem file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.decimals import decimal_text
from pfverify.model.counted import MOST_PAIRS, MOST_VALUES, merged_values
from pfverify.model.families.confidence import percent
from pfverify.model.kinds import read_priors
from pfverify.model.priors.discrete import Discrete
from pfverify.model.provenance import (
    CONFIDENTIAL,
    OF_REGIONS,
    WARNING,
    Provenance,
    merged_words,
)
from pfverify.model.schema import SCHEMA
from pfverify.model.sources.families import Families, given_to_one
from pfverify.model.systems.laws import ABSENT
from pfverify.model.words import LIKE, meant
from pfverify.records.bins import Bins, Clip
from pfverify.records.laws import CategoryLaw, CountedLaw, EmpiricalLaw, PointLaw
from pfverify.records.options import FITTING, HISTOGRAM, MERGED, CheckedOptions
from pfverify.records.source import RecordSource
from pfverify.records.tally import Tally

_KNOWN_CELLS = 8  # of a histogram, of which the others' joint law is worked out
_REGION = (
    "the laws given are the extreme ones of the {level} confidence regions of the counts, and "
    "stand for all others in them; all regions hold together with that probability if the rows are "
    "a random sample, independent draws from the law of each secret, which has no other values"
)
KNOWN_BITS = 1 << 22
"""Of the exact law of the others' sum (512 KiB), up to which it is decided in seconds."""


_KINDS = {"names": "joint", "counts": "discrete", "mean": "gaussian", "components": "mixture"}
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")
_ENDLESS = 8 << 50  # bits of 1024 TiB


def problem_table(
    tally: Tally, target: Mapping[str, Any], source: RecordSource | None = None
) -> dict[str, Any]:
    """Return the problem of all rows, in the shape of a problem file.

    `target` has the keys epsilon, delta and noise of the file. Raises InputError where the secret
    has one value, or too few records.
    Example: ``problem_table(Tally(CheckedOptions("a", "b")), {})`` raises "there are no rows".
    """
    wanted = tally.wanted
    tally.finish(target)
    laws, merged = _without_rare_values(_compared(tally), wanted)
    counted = list((laws if wanted.release == "value" else tally.laws).values())
    used = sum(law.rows for law in counted)
    pairs = None if wanted.pairs is None else _named_pairs(wanted, laws)
    why = region = None
    if wanted.release == "value":
        body = _priors(laws, wanted)
    else:
        everybody = _merged(counted, wanted)
        cells = tally.cells(everybody.counts) if isinstance(everybody, CategoryLaw) else []
        rest, why = _rest(everybody, wanted, len(cells))
        user: dict[str, Any] = {wanted.name(x): _case(law, wanted) for x, law in laws.items()}
        if wanted.confidence is not None:
            if wanted.same_column and all("point" in case for case in user.values()):
                why = f"{why}; the secrets are the values themselves, of which nothing is counted"
            else:
                user, pairs = _regions(laws, pairs, wanted)
                region = _REGION.format(level=percent(wanted.confidence))
        body = _system(user, everybody, rest, cells, wanted)
    told = _provenance(tally, laws, used, (why, region), source or RecordSource(), body)
    told = replace(told, bins="; ".join([*([told.bins] if told.bins else []), *merged]) or None)
    stated = {} if pairs is None else {"pairs": pairs}
    return {"schema": SCHEMA, **target, **stated, **body, "provenance": told.to_table()}


def _without_rare_values(
    laws: dict[str, EmpiricalLaw], wanted: CheckedOptions
) -> tuple[dict[str, EmpiricalLaw], list[str]]:
    """The laws with neighbouring values merged, as is asked for, and what was merged, in words."""
    tables = [law.counts for law in laws.values() if isinstance(law, CountedLaw)]
    if not wanted.merge_rare or len(tables) < len(laws):
        return laws, []
    with told_at(f"--merge-rare {wanted.merge_rare}: "):
        meant = merged_values([{Fraction(x): n for x, n in one.items()} for one in tables],
                              wanted.merge_rare)  # fmt: skip
    if len(set(meant.values())) < 2:
        raise InputError(
            f"--merge-rare {wanted.merge_rare}: all values would become one, which tells nothing; "
            "expected a smaller number"
        )
    merged = {name: wanted.law() for name in laws}
    for name, table in zip(laws, tables, strict=True):
        for x, rows in table.items():
            merged[name].add(meant[Fraction(x)], rows)
    groups: dict[Fraction, list[Fraction]] = {}
    for x, point in meant.items():
        groups.setdefault(point, []).append(x)
    said = [
        f"{decimal_text(min(group))} to {decimal_text(max(group))} as {decimal_text(point)}"
        for point, group in groups.items() if len(group) > 1
    ]  # fmt: skip
    if not said:
        return laws, []
    return merged, [merged_words(wanted.merge_rare, said)]


def _merged(laws: Iterable[EmpiricalLaw], wanted: CheckedOptions) -> EmpiricalLaw:
    whole = wanted.law()
    for law in laws:
        whole.merge(law)
    return whole


def _compared(tally: Tally) -> dict[str, EmpiricalLaw]:
    """The laws of the secrets that are compared, by the value of the secret."""
    wanted, laws = tally.wanted, tally.laws
    column = shorten(wanted.secret)
    if wanted.pairs is not None:
        named = dict.fromkeys(chain.from_iterable(wanted.pairs))
        for name in named:
            _require_secret(_value(name, wanted, laws), wanted, laws)
        kept = dict.fromkeys(_value(name, wanted, laws) for name in named)
        laws = {name: laws[name] for name in kept if name in laws}
    rare = {name: law.rows for name, law in laws.items() if law.rows < wanted.rare}
    if rare and wanted.rare_do == "drop" and wanted.pairs is None:
        laws = {name: law for name, law in laws.items() if name not in rare}
        if wanted.release == "value":
            tally.dropped["rare"] += sum(rare.values())
    elif rare:
        name, rows = min(rare.items(), key=lambda item: item[1])
        also = " even together" if name == MERGED else ""
        raise InputError(
            f"--rare: {shorten(name)!r} of column {column!r} has {rows} records{also}, fewer than "
            f"{wanted.rare}; leave rare secrets out with --rare-do drop, or --rare-do merge"
        )
    if wanted.pairs is not None and wanted.release == "value":
        others = sum(law.rows for name, law in tally.laws.items() if name not in laws)
        if others:
            tally.dropped["other secrets"] += others
    if len(laws) + (wanted.absent is not None) < 2:
        if not laws:
            left = ", ".join(f"{why}: {rows}" for why, rows in tally.dropped.items() if rows)
            why = f"every row is left out ({left})" if left else "there are no rows"
            raise InputError(f"column {column!r} has no value: {why}")
        only = next(iter(laws))
        raise InputError(
            f"column {column!r} has one value ({shorten(only)!r}): a secret needs two or more"
        )
    return laws


def _value(name: str, wanted: CheckedOptions, laws: Mapping[str, EmpiricalLaw]) -> str:
    """The value of the secret that a pair means, by the value or by the secret's name."""
    prefix = f"{wanted.secret}="
    if name not in laws and name.startswith(prefix):
        return name.removeprefix(prefix)
    return name


def _require_secret(name: str, wanted: CheckedOptions, laws: Mapping[str, EmpiricalLaw]) -> None:
    if name not in laws and name != wanted.absent:
        near = meant(name, laws, LIKE)
        hint = f"; did you mean {near!r}?" if near else f"; it has {shorten(', '.join(laws))}"
        raise InputError(
            f"--pairs: column {shorten(wanted.secret)!r} has no value {shorten(name)!r}{hint}"
        )


def _named_pairs(wanted: CheckedOptions, laws: Mapping[str, EmpiricalLaw]) -> list[list[str]]:
    def named(name: str) -> str:
        value = _value(name, wanted, laws)
        return wanted.name(value) if value in laws else name

    return [[named(name) for name in pair] for pair in wanted.pairs or ()]


def _priors(laws: Mapping[str, EmpiricalLaw], wanted: CheckedOptions) -> dict[str, Any]:
    priors = {}
    for name, law in laws.items():
        table = law.table()
        kind = next(kind for key, kind in _KINDS.items() if key in table)
        if wanted.confidence is not None:
            kind, table = "confidence", table | {"level": decimal_text(wanted.confidence)}
            if wanted.alphabet is not None:
                table["alphabet"] = [decimal_text(value) for value in wanted.alphabet]
        priors[wanted.name(name)] = {"kind": kind, **table}
    return {"priors": priors}


def _rest(everybody: EmpiricalLaw, wanted: CheckedOptions, cells: int) -> tuple[str, str | None]:
    """What is assumed of the others, and why where nobody said it."""
    others = everybody.rows - 1
    if wanted.confidence is not None:
        return "any", (
            f"any: of the {others} others only independence is assumed, whatever their laws, so "
            "that no region of theirs is needed"
        )
    if wanted.rest != FITTING:
        return wanted.rest, None
    if cells > _KNOWN_CELLS:
        return "any", (
            f"any: of the {others} others only independence is assumed, whatever their laws; their "
            f"joint law of {cells} categories is not worked out"
        )
    bits = everybody.sum_bits(others)
    if bits <= KNOWN_BITS:
        return "known", (
            f"known: the {others} others have the law of all rows, an assumption; any assumes only "
            "that they are independent"
        )
    size = "more memory than any machine has"
    if bits < _ENDLESS:
        size = (
            f"some {size_text(bits)} of memory, more than the {size_text(KNOWN_BITS)} up to which "
            "it is worked out unasked"
        )
    return "any", (
        f"any: of the {others} others only independence is assumed, whatever their laws; the exact "
        f"law of their sum would take {size}. Nothing need be done: what holds for any law holds "
        "for theirs"
    )


def size_text(bits: float) -> str:
    """Return a size in memory, in words. Example: ``size_text(3 << 33)`` is ``"3.0 GiB"``."""
    size, unit = bits / 8, 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.1f} {_UNITS[unit]}"


def _regions(
    laws: Mapping[str, EmpiricalLaw], pairs: list[list[str]] | None, wanted: CheckedOptions
) -> tuple[dict[str, Any], list[list[str]]]:
    """The extreme laws of the confidence region of each secret, as secrets; and which are compared.

    All laws of a region are averages of them, and so is what is released of one record whatever the
    others add: pairs of averages meet what all pairs of extreme laws meet (F61).
    """
    stated = _priors(laws, wanted)["priors"]
    if any(not isinstance(law, CountedLaw) for law in laws.values()):
        raise InputError(
            "--confidence: a region is of one number, and --release histogram has a cell for each "
            "category; make the category itself the secret (--secret and --public the same "
            f"column), which hides {shorten(wanted.secret)} too and needs no counts"
        )
    values = {x for law in laws.values() if isinstance(law, CountedLaw) for x in law.counts}
    values |= {*(wanted.alphabet or ())}
    if len(values) > MOST_VALUES:
        raise InputError(_too_many(f"{len(values)} values", MOST_VALUES, wanted))
    regions = given_to_one(read_priors("priors", stated))
    corners = regions.corners() if isinstance(regions, Families) else {}
    names = {x: [f"{x} #{k}" for k in range(1, len(found) + 1)] for x, found in corners.items()}
    user = {
        name: {"mass": {decimal_text(x): decimal_text(mass) for x, mass in law.mass.items()}}
        for x, found in corners.items() for name, law in zip(names[x], found, strict=True)
        if isinstance(law, Discrete)
    }  # fmt: skip
    if wanted.absent is not None:
        _require_new(wanted.absent, names)
        names[wanted.absent] = [wanted.absent]
    asked = [*map(list, combinations(names, 2))] if pairs is None else pairs
    found = [[a, b] for one, other in asked for a in names[one] for b in names[other]]
    if len(found) > MOST_PAIRS:
        raise InputError(_too_many(f"{len(found)} pairs of extreme laws", MOST_PAIRS, wanted))
    return user, found


def _too_many(what: str, most: int, wanted: CheckedOptions) -> str:
    return (
        f"--confidence: the regions of {shorten(wanted.public, 40)!r} have {what}, expected at "
        f"most {most} beside --release: say fewer values (--bins, or --public COL=VALUE), or leave "
        "--confidence out and choose bounds (--clip LOW,HIGH): prior and calibrate tell from which "
        "scale on every value within them is hidden, whatever its law"
    )


def _require_new(absent: str, names: Iterable[str]) -> None:
    if absent in names:
        raise InputError(f"--absent: {shorten(absent)!r} is the name of a secret already")


def _system(
    user: dict[str, Any], everybody: EmpiricalLaw, rest: str, cells: list[str],
    wanted: CheckedOptions,
) -> dict[str, Any]:
    """The system of all rows, one of whom is protected; the others have the law of all.

    Where nothing is known of them nothing is told of them: they add 0, which decides as any law.
    """
    if wanted.release == "count" and not _is_0_or_1(everybody):
        raise InputError(
            f"--release count: column {shorten(wanted.public)!r} is not 0 or 1 in every row; count "
            f"the rows of one value with --public '{shorten(wanted.public, 30)}=VALUE'"
        )
    others = everybody.rows - 1
    law = {"point": cells[0] if cells else 0} if rest == "any" else _short_table(everybody)
    crowd = [{**law, "count": others}] if others else []
    if wanted.absent is not None:
        _require_new(wanted.absent, user)
        user[wanted.absent] = ABSENT
    release = "sum" if wanted.release == "count" else wanted.release
    stated: dict[str, Any] = {"categories": cells} if cells else {}
    stated |= {} if rest == "known" else {"rest": rest}
    return {"system": {"release": release, **stated, "others": crowd, "user": user}}


def _is_0_or_1(law: EmpiricalLaw) -> bool:
    return isinstance(law, CountedLaw) and law.counts.keys() <= {0, 1}


def _case(law: EmpiricalLaw, wanted: CheckedOptions) -> dict[str, Any]:
    if wanted.same_column and isinstance(law, CountedLaw) and len(law.counts) == 1:
        (value,) = law.counts
        return {"point": decimal_text(Fraction(value))}
    if isinstance(law, CategoryLaw) and len(law.counts) == 1:
        return {"point": next(iter(law.counts))}
    return _short_table(law)


def _short_table(law: EmpiricalLaw) -> dict[str, Any]:
    """The law of a user; of 0 and 1 as the chance of 1."""
    if isinstance(law, CountedLaw) and _is_0_or_1(law):
        return {"bernoulli": str(Fraction(law.counts[1], law.rows))}
    return law.table()


def _provenance(
    tally: Tally,
    laws: Mapping[str, EmpiricalLaw],
    used: int,
    of_others: tuple[str | None, str | None],
    source: RecordSource,
    body: Mapping[str, Any],
) -> Provenance:
    wanted = tally.wanted
    rest, region = of_others
    low, high = wanted.bounds or (None, None)
    regions = region is not None or (wanted.release == "value" and wanted.confidence is not None)
    smallest, empty = _cells(laws, wanted, tally.coding.codes)
    public = wanted.public if wanted.one is None else f"{wanted.public}={wanted.one}"
    codes = {name: decimal_text(code) for name, code in tally.coding.codes.items()}
    return Provenance(
        data=source.data,
        sha256=source.sha256,
        rows_read=tally.rows_read,
        rows_used=used,
        records={wanted.name(name): law.rows for name, law in laws.items()},
        dropped=dict(sorted(tally.dropped.items())) or None,
        smallest_cell=smallest,
        empty_cells=empty,
        secret=wanted.secret,
        public=public,
        unit=tally.unit,
        codes=codes or None,
        where=source.where,
        bins=_words(wanted, "bins"),
        clip=_words(wanted, "clip"),
        fit=next(iter(laws.values())).fit,
        release=wanted.release,
        rest=rest,
        region=region,
        low=None if low is None else decimal_text(Fraction(low)),
        high=None if high is None else decimal_text(Fraction(high)),
        warning=" ".join([*[OF_REGIONS if regions else WARNING] * _estimates(body), CONFIDENTIAL]),
    )


def _estimates(body: Mapping[str, Any]) -> bool:
    """Whether some law was counted: of points, among others of whom nothing is known, none is."""
    system = body.get("system", {})
    cases = system.get("user", {}).values()
    points = all(case == ABSENT or "point" in case for case in cases)
    return not (system.get("rest") == "any" and points)


def _words(wanted: CheckedOptions, key: str) -> str | None:
    """What is done to values before they are counted, of each column where there are several."""
    told = []
    for part in wanted.parts or (wanted,):
        how: Bins | Clip | None = getattr(part, key)
        if how is not None:
            words = how.words()
            if isinstance(how, Bins) and wanted.release == HISTOGRAM:
                words = how.intervals()
            told.append(f"{part.public}: {words}" if wanted.parts else words)
    return "; ".join(told) or None


def _cells(
    laws: Mapping[str, EmpiricalLaw], wanted: CheckedOptions, codes: Mapping[str, Fraction]
) -> tuple[dict[str, Any] | None, int | None]:
    """The cell of the fewest records, and how many have none; None for a fitted law."""
    tables: dict[str, Counter[Any]] = {
        name: law.counts for name, law in laws.items()
        if isinstance(law, CountedLaw | PointLaw | CategoryLaw)
    }  # fmt: skip
    if len(tables) < len(laws):
        return None, None
    written: dict[int | Fraction, str] = {code: name for name, code in codes.items()}
    cells = [
        (rows, name, value) for name, counts in tables.items() for value, rows in counts.items()
    ]
    rows, name, value = min(cells, key=lambda cell: (cell[0], cell[1], cell[2]))
    if isinstance(value, tuple):
        text = f"({', '.join(decimal_text(Fraction(x)) for x in value)})"
    else:
        text = value if isinstance(value, str) else decimal_text(Fraction(value))
    shown = f"{written[value]} ({text})" if value in written else text
    values = set(chain.from_iterable(tables.values()))
    cell = {"records": rows, "secret": wanted.name(name), "value": shown}
    return cell, None if wanted.same_column else len(values) * len(tables) - len(cells)



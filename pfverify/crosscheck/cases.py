"""The stream of cases that an implementation is asked: curated ones first, then generated."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count, islice

from pfverify.crosscheck import composed
from pfverify.crosscheck.case import Case
from pfverify.crosscheck.curated import curated
from pfverify.crosscheck.generated import generated
from pfverify.crosscheck.settings import Settings
from pfverify.errors import InputError, shorten

COUNT = 200


def cases(
    settings: Settings, *, number: int = COUNT, seed: int = 0, large: bool = False
) -> Iterator[Case]:
    """Yield cases, always the same ones for the same settings, number and seed.

    The first ones are curated; with `large` one of them has 10**5 atoms.
    Raises InputError for a number or a seed that is no whole number.
    Example: ``len(list(cases(Settings("loss"), number=3)))`` is 3.
    """
    for name, value, least in (("cases", number, 1), ("seed", seed, 0)):
        if type(value) is not int or value < least:
            raise InputError(f"{name}: {shorten(value)!r} is not a whole number >= {least}")
    if settings.kind == "accountant":
        chosen = composed.curated(settings)
        drawn = (composed.generated(settings, seed, index) for index in count())
        return islice(filter(settings.asks, chain(chosen, drawn)), number)
    drawn = (generated(settings, seed, index) for index in count())
    return islice(chain(filter(settings.asks, curated(settings, large=large)), drawn), number)

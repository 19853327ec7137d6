"""What a notion that is not closed under post-processing cannot be asked of."""

from __future__ import annotations

from itertools import islice

from pfverify.errors import InputError
from pfverify.model.notion import Bound
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.release import Release
from pfverify.model.releases.repeated import Several
from pfverify.model.releases.selected import Selected
from pfverify.model.requirement import Requirement
from pfverify.model.sources.given import Given
from pfverify.model.sources.source import Source


def check_closed(source: Source, release: Release, required: Requirement) -> None:
    """Raise InputError where several numbers are bounded output by output, which proves nothing.

    Steps behind several numbers are for priors that are given, and for a user's with rest = any.

    Example: ``check_closed(problem.source, problem.release, problem.requirement)`` is None.
    """
    given = isinstance(source, Given) or source.part_alone
    if isinstance(release, Processed) and not given:
        before = release.before
        behind = "several numbers"
        if isinstance(before, Several) and not source.numbers:
            behind = f"one number that is published again and again ({before.several})"
        raise InputError(
            f"post: steps behind {behind} are for priors that are given, and for a system with "
            'rest = "any"; expected one of these, or no post: what is private without the steps '
            "is private with them"
        )
    if required.notion.exceeding is not Bound.EXCESS or isinstance(release, Selected):
        return  # of a choice single names are bounded
    firsts = (prior for table in source.laws.values() for prior in islice(table.values(), 1))
    several = isinstance(release, Several | Coordinates | Processed) or any(
        isinstance(prior, Joint) for prior in firsts
    )
    if several:
        raise InputError(
            "form: pointwise says nothing of several numbers together: with delta = 0 it is the "
            "same as events, with delta > 0 it is not closed under post-processing; expected form "
            '= "events"'
        )

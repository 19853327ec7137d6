"""What a notion that is not closed under post-processing cannot be asked of."""

from __future__ import annotations

from itertools import islice

from pfverify.errors import InputError
from pfverify.model.notion import Bound
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Laws, Release
from pfverify.model.releases.repeated import Several
from pfverify.model.requirement import Requirement


def check_closed(laws: Laws, release: Release, required: Requirement) -> None:
    """Raise InputError where several numbers are bounded output by output, which proves nothing.

    Example: ``check_closed(problem.source.laws, problem.release, problem.requirement)`` is None.
    """
    if required.notion.exceeding is not Bound.EXCESS:
        return
    several = isinstance(release, Several | Coordinates) or any(
        isinstance(prior, Joint) for table in laws.values() for prior in islice(table.values(), 1)
    )
    if several:
        raise InputError(
            "form: pointwise says nothing of several numbers together: with delta = 0 it is the "
            "same as events, with delta > 0 it is not closed under post-processing; expected form "
            '= "events"'
        )

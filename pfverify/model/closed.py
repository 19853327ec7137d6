"""What a notion that is not closed under post-processing cannot be asked of."""

from __future__ import annotations

from itertools import islice

from pfverify.errors import InputError
from pfverify.model.notion import Bound
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.release import Laws, Release
from pfverify.model.releases.repeated import Several
from pfverify.model.requirement import Requirement


def check_closed(laws: Laws, release: Release, required: Requirement) -> None:
    """Raise InputError where several numbers are bounded output by output, which proves nothing.

    Example: ``check_closed(problem.source.laws, problem.release, problem.requirement)`` is None.
    """
    if required.notion.exceeding is not Bound.EXCESS or required.delta.sign() == 0:
        return
    several = isinstance(release, Several) or any(
        isinstance(prior, Joint) for table in laws.values() for prior in islice(table.values(), 1)
    )
    if several:
        raise InputError(
            "form: pointwise with delta > 0 is not closed under post-processing, so it says "
            'nothing of several numbers together; expected form = "events"'
        )

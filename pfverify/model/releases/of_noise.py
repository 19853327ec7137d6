"""A release that is made of noise: what it leaves to that noise."""

from __future__ import annotations

from pfverify.errors import InputError
from pfverify.model.protection import Protection
from pfverify.model.releases.release import Noise, Release


class OfNoise(Release):
    """A release around noise, which it leaves everything to that it does not say itself."""

    named = False
    plain = False
    _noise: Noise

    @property
    def noise(self) -> Noise:
        """The noise that this release is made of."""
        return self._noise

    def notion(self, *, with_priors: bool) -> str:
        """Return the notion between priors."""
        return self._noise.notion(with_priors=with_priors)

    def inputs_compared(self, protection: Protection) -> tuple[str, ...]:
        """Refuse: there are no inputs."""
        return self._noise.inputs_compared(protection)

    def check_protection(self, protection: Protection) -> None:
        """Raise InputError for distances of inputs."""
        self._noise.check_protection(protection)

    def require_scale(self, what: str) -> None:
        """Raise InputError where the noise has no scale."""
        self._noise.require_scale(what)


def checked_noise(given: object, within: str) -> Noise:
    """Return noise on one number as it is; InputError for anything else in a kind of release.

    Also for noise that is decided by itself alone.
    Example: ``checked_noise(Laplace(1), "Budget").kind`` is ``"laplace"``.
    """
    if isinstance(given, Noise):
        check_together(given)
        return given
    raise InputError(
        f"noise: {within} takes noise on one number, such as Laplace(1), not "
        f"{type(given).__name__}"
    )


def check_together(noise: Noise) -> None:
    """Raise InputError for noise that is decided by itself alone.

    Example: ``check_together(Laplace(1))`` is None.
    """
    if noise.alone:
        raise InputError(
            f"noise: {noise.kind} noise on several numbers, in many releases or before steps is "
            "not worked out; expected one release of one number, and nothing after it"
        )

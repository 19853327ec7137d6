"""What cases are asked for: the kind, the noise, the shape of the laws, and delta."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from pfverify.crosscheck.case import Case, Floats, Law, parameters
from pfverify.crosscheck.kinds import kind_of
from pfverify.errors import InputError, shorten


@dataclass(frozen=True)
class Settings:
    """What cases are about.

    Attributes: `kind`; `noise` ("" for a plan, which has none: any other is taken as that);
    `laws`, "atoms" or "normal"; `delta`, whether the function takes ``delta=`` (half of the
    questions about a scale then have one); `epsilons`, the least and the largest epsilon to ask
    about, None for any.
    Raises InputError for a combination that is no question.
    """

    kind: str
    noise: str = "laplace"
    laws: str = "atoms"
    delta: bool = False
    epsilons: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        kind = kind_of(self.kind)
        if kind.noises == ("",):
            object.__setattr__(self, "noise", "")
        for name, value, options in (
            ("noise", self.noise, kind.noises), ("laws", self.laws, kind.laws),
        ):  # fmt: skip
            if value not in options:
                offered = ", ".join(options)
                raise InputError(
                    f"{name}: {shorten(value)!r} is none for a {kind.name}, expected {offered}"
                )
        if self.laws == "normal" and self.lattice:
            raise InputError(f"noise: {self.noise} is for atoms, expected laplace or gaussian")
        if self.delta and not kind.takes_delta:
            raise InputError(f"delta: a {kind.name} is not asked with one")
        if self.epsilons is not None:
            if "epsilon" not in parameters(self.kind, self.laws):
                raise InputError(f"epsilons: a {kind.name} is not asked with an epsilon")
            object.__setattr__(self, "epsilons", _range(self.epsilons))
        if self.must_have_delta and not self.delta:
            raise InputError(
                f"a scale of gaussian noise needs a delta: expected {kind.signature(self.laws)}"
            )

    @property
    def must_have_delta(self) -> bool:
        """Whether no scale would be private without delta."""
        return self.kind == "scale" and self.noise == "gaussian"

    @property
    def lattice(self) -> bool:
        """Whether atoms and outputs have to be whole numbers."""
        return self.noise in ("discrete-laplace", "discrete-gaussian", "none")

    def case(
        self,
        p: Law,
        q: Law,
        *,
        epsilon: float,
        scale: float,
        delta: float | None,
        y: Floats,
        origin: str,
    ) -> Case:
        """Return the question about two laws, with those of the numbers that its kind takes.

        Example: ``Settings("loss").case(case.p, case.q, epsilon=1.0, scale=2.0, delta=None, y=(),
        origin="").epsilon`` is None.
        """
        names = parameters(self.kind, self.laws)
        return Case(
            self.kind,
            self.noise,
            p,
            q if "q" in names else None,
            epsilon=epsilon if "epsilon" in names else None,
            delta=delta if self.delta or self.must_have_delta else None,
            scale=scale if "scale" in names else None,
            y=y if "y" in names else None,
            origin=origin,
        )

    def asks(self, case: Case) -> bool:
        """Whether the epsilon of a case is one to ask about.

        Example: ``Settings("scale").asks(case)`` is ``True``, as it is of any case.
        """
        if self.epsilons is None or case.epsilon is None:
            return True
        return self.epsilons[0] <= case.epsilon <= self.epsilons[1]

    @property
    def text(self) -> str:
        """All of it, to draw by."""
        return f"{self.kind}/{self.noise}/{self.laws}/{self.delta}"


def _range(given: tuple[float, float]) -> tuple[float, float]:
    """Return two ends as floats; InputError for what is no range above 0."""
    try:
        low, high = map(float, given)
    except (TypeError, ValueError, OverflowError):
        low, high = inf, 0.0
    if not 0 < low <= high < inf:
        raise InputError(
            f"epsilons: {shorten(given)} is no range, expected two numbers, 0 < LOW <= HIGH"
        )
    return low, high

"""What cases are asked for: the kind, the noise, the shape of the laws, and delta."""

from __future__ import annotations

from dataclasses import dataclass

from pfverify.crosscheck.case import Case, Floats, Law, parameters
from pfverify.crosscheck.kinds import kind_of
from pfverify.errors import InputError, shorten


@dataclass(frozen=True)
class Settings:
    """What cases are about.

    Attributes: `kind`; `noise` ("" for a plan, which has none: any other is taken as that);
    `laws`, "atoms" or "normal"; `delta`, whether the function takes ``delta=`` (half of the
    questions about a scale then have one).
    Raises InputError for a combination that is no question.
    """

    kind: str
    noise: str = "laplace"
    laws: str = "atoms"
    delta: bool = False

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
        if self.laws == "normal" and self.noise == "discrete-laplace":
            raise InputError("noise: discrete-laplace is for atoms, expected laplace or gaussian")
        if self.delta and not kind.takes_delta:
            raise InputError(f"delta: a {kind.name} is not asked with one")
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
        return self.noise == "discrete-laplace"

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

    @property
    def text(self) -> str:
        """All of it, to draw by."""
        return f"{self.kind}/{self.noise}/{self.laws}/{self.delta}"

"""Mixtures of normal laws fitted to the values of a column: by floats, then frozen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import comb, lcm
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.records.laws import DIGITS, EmpiricalLaw, short, short_mean
from pfverify.records.options import LAWS

MAX_ROWS = 2_000_000
"""Rows under one secret that a mixture is fitted to."""
COMPONENTS = 3
"""Of a mixture, where nothing else is said."""
SETTINGS: dict[str, Any] = {
    "init_params": "kmeans",
    "n_init": 10,
    "random_state": 0,
    "tol": 1e-10,
    "max_iter": 20_000,
}
"""Those of scikit-learn's fits: the same values give the same mixture in every run."""
_MOST = 20  # components
_WEIGHT_BITS = 64  # of a component's weight, and what its normal law costs beside


class MixtureLaw(EmpiricalLaw):
    """A mixture of normal laws fitted by maximum likelihood; weights, means and variances rounded.

    A component's variance is at least that of rounding to the lattice of the values (its step
    squared over 12), as in `tests/support/fit_mixtures.py`.
    """

    def __init__(self, components: int) -> None:
        """Start without any row."""
        super().__init__()
        self._components = components
        self.fit = f"mixture of {components} normal laws, of maximum likelihood, rounded"
        self._counts: Counter[int | Fraction] = Counter()

    def _take(self, value: int | Fraction, rows: int) -> None:
        self._counts[value] += rows
        if self.rows > MAX_ROWS:
            raise InputError(
                f"--fit mixture: more than {MAX_ROWS} rows under one secret; narrow them with "
                "--where, or choose --fit gaussian"
            )

    def merge(self, other: EmpiricalLaw) -> None:
        """Take all rows of another law."""
        if not isinstance(other, MixtureLaw):
            raise TypeError(f"a mixture takes no {type(other).__name__}")
        self.rows += other.rows
        self._counts.update(other._counts)

    def sum_bits(self, count: int) -> float:
        """Return the number of normal laws in the sum, times the bits of their weights."""
        return comb(count + self._components - 1, count) * count * _WEIGHT_BITS

    def table(self) -> dict[str, Any]:
        """Fit, and return the components, sorted by mean; their weights sum to exactly 1."""
        if len(self._counts) < 2 * self._components:
            raise InputError(
                f"--fit mixture: {len(self._counts)} different values under one secret are too few "
                f"for {self._components} components"
            )
        step = Fraction(1, lcm(*(value.denominator for value in self._counts)))
        values = [float(value) for value in sorted(self._counts.elements())]
        found = fitted(values, self._components, float(step**2 / 12))
        weights = whole([weight for weight, _, _ in found])
        return {
            "components": [
                {
                    "weight": str(weight),
                    "mean": short_mean(Fraction(mean), Fraction(variance)),
                    "variance": short(Fraction(variance)),
                }
                for weight, (_, mean, variance) in zip(weights, found, strict=True)
                if weight
            ]
        }


def laws(components: int | None) -> dict[str, Callable[[], EmpiricalLaw]]:
    """Return the fits that there are, by name; InputError for a wrong number of components.

    Example: ``sorted(laws(2))`` is ``['gaussian', 'mixture']``.
    """
    count = COMPONENTS if components is None else components
    if not 1 <= count <= _MOST:
        raise InputError(f"--components: {shorten(count)}, expected 1 to {_MOST}")
    return {**LAWS, "mixture": lambda: MixtureLaw(count)}


def fitted(
    values: Sequence[float], components: int, floor: float
) -> list[tuple[float, float, float]]:
    """Return weight, mean and variance of each component that was fitted, sorted by mean.

    `floor` is added to every variance. Raises InputError where scikit-learn is missing, or does
    not come to an end.
    """
    try:
        from sklearn.mixture import GaussianMixture
    except ImportError:
        raise InputError("scikit-learn is missing: in the checkout, pip install '.[fit]'") from None
    import numpy as np

    model = GaussianMixture(components, reg_covar=floor, **SETTINGS)
    model.fit(np.array(values, dtype=float)[:, None])
    if not model.converged_:
        raise InputError(f"the fit did not converge in {SETTINGS['max_iter']} steps")
    found = zip(model.weights_, model.means_[:, 0], model.covariances_[:, 0, 0], strict=True)
    return sorted(((float(w), float(m), float(v)) for w, m, v in found), key=lambda part: part[1])


def whole(weights: Sequence[float]) -> list[Decimal]:
    """Round weights to `DIGITS` places so that they sum to exactly 1 (largest remainders)."""
    units = 10**DIGITS
    cut = [int(w * units) for w in weights]
    by_remainder = sorted(range(len(cut)), key=lambda k: cut[k] - weights[k] * units)
    for k in by_remainder[: units - sum(cut)]:
        cut[k] += 1
    return [Decimal(c).scaleb(-DIGITS) for c in cut]

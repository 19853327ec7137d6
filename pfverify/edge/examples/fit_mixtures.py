"""Fit the Gaussian mixtures of `education.toml` and `cholesterol.toml`, and print those files.

Run it on a folder with UCI's `adult.data` (or `adult.csv.gz`: a header line, then the lines of
`adult.data`, then those of `adult.test`) and `processed.hungarian.data`; it needs scikit-learn::

    pip install '.[fit]'
    python -m pfverify.edge.examples.fit_mixtures FOLDER             # both files
    python -m pfverify.edge.examples.fit_mixtures FOLDER education   # one of them

The same folder gives the same bytes in every run. Another version of scikit-learn may differ in the
last digit.

Rows. The Gaussian-priors paper speaks of 32652 records of Adult. UCI's `adult.data` has 32561, the
nearest count of any part (`adult.test` has 16281, both have 48842), so these are used: 3124 and
1039 records of the two races. For the heart data the paper speaks of 293 patients; the file has 294
lines. All are used but the 23 without a cholesterol level: 74 women and 197 men. (293 lines are
left without the one that occurs twice, or when the first one is taken for a header.)

Variance floor. Both columns hold whole numbers, so the likelihood of a mixture is unbounded: a
component may shrink onto one of them. With scikit-learn's floor `reg_covar` of 1e-6 the best of 20
random starts puts a component of sd 0.001 on 9, 10 or 13 years of education, and two of 20 k-means
starts do; for cholesterol some seeds put one on 230 or on 268 mg/dl. Such a spike describes the
rounding, not the people. Here the floor is 1/12, the variance of the error of rounding to whole
numbers; scikit-learn adds it to every variance. Ten single k-means starts (random_state 0 to 9)
then all reach the same maximum of the likelihood, well above the floor. It is a local one: random
starts also find others, somewhat more likely, with a very broad or a very narrow component.

The weights are rounded to 4 decimal places, and still sum to exactly 1; means and variances to 4
significant digits. The scale is that of Theorem 2, (13), rounded up to 3.

Source: Approximation of Pufferfish Privacy for Gaussian Priors (Ding), section V. The paper gives
neither its settings nor its parameters: these fits are ours.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

from pfverify.errors import InputError

COMPONENTS = 3
SETTINGS: dict[str, Any] = {
    "n_components": COMPONENTS,
    "init_params": "kmeans",
    "n_init": 10,
    "random_state": 0,
    "reg_covar": 1 / 12,
    "tol": 1e-10,
    "max_iter": 20_000,
}
DIGITS = 4  # significant digits of a mean or variance, decimal places of a weight
SCALE_DIGITS = 3
EPSILON, DELTA = Fraction(1), Fraction(1, 2)

Component = tuple[Decimal, Decimal, Decimal]  # weight, mean, variance

ADULT_ROWS = 32561
RACE, EDUCATION_NUM = 8, 4
SEX, CHOL = 1, 4
_ADULT = "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"
_HUNGARIAN = "d1ad108f785768cd3d7e82dc522e6f5a61eea93cccfb3a46ee8076f73fc3d796"


@dataclass(frozen=True)
class Example:
    """What one packaged file is fitted to: secret -> values, and the comment on top."""

    values: dict[str, list[int]]
    header: str


def adult_rows(folder: Path) -> list[list[str]]:
    """Return the records of `adult.data`; InputError unless they are UCI's, byte for byte."""
    plain, packed = folder / "adult.data", folder / "adult.csv.gz"
    if packed.exists() and not plain.exists():
        lines = _bytes(packed).splitlines(keepends=True)[1 : ADULT_ROWS + 1]
        content = b"".join([*lines, b"\n"])  # UCI's file ends with a blank line
    else:
        content = _bytes(plain)
    return _rows("adult.data", content, _ADULT)


def hungarian_rows(folder: Path) -> list[list[str]]:
    """Return the records of `processed.hungarian.data`; InputError unless they are UCI's."""
    name = "processed.hungarian.data"
    return _rows(name, _bytes(folder / name), _HUNGARIAN)


def _bytes(path: Path) -> bytes:
    try:
        return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot read it ({reason}), expected UCI's file") from None


def _rows(name: str, content: bytes, expected: str) -> list[list[str]]:
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        raise InputError(f"{name}: sha256 {found[:12]}..., expected UCI's file, {expected[:12]}...")
    lines = content.decode("ascii").splitlines()
    return [[cell.strip() for cell in line.split(",")] for line in lines if line]


def education(folder: Path) -> Example:
    """Years of education given race, from Adult."""
    rows = adult_rows(folder)
    values = {
        f"race={race}": [int(row[EDUCATION_NUM]) for row in rows if row[RACE] == race]
        for race in ("Black", "Asian-Pac-Islander")
    }
    return Example(values, EDUCATION)


def cholesterol(folder: Path) -> Example:
    """Serum cholesterol given sex, from the Hungarian heart data."""
    rows = [row for row in hungarian_rows(folder) if row[CHOL] != "?"]
    values = {
        f"sex={name}": [int(row[CHOL]) for row in rows if row[SEX] == code]
        for name, code in (("female", "0"), ("male", "1"))
    }
    return Example(values, CHOLESTEROL)


def fit(values: Sequence[int]) -> list[Component]:
    """Return the frozen mixture of the values: three (weight, mean, variance), sorted by mean.

    Weights sum to exactly 1. Means have the unit of the values, variances its square. Raises
    InputError where scikit-learn is missing.
    """
    weights, means, variances = zip(*parameters(values), strict=True)
    return list(
        zip(whole(weights), [short(m) for m in means], [short(v) for v in variances], strict=True)
    )


def parameters(
    values: Sequence[float], components: int = COMPONENTS, floor: float = 1 / 12
) -> list[tuple[float, float, float]]:
    """Return weight, mean and variance of each fitted component, sorted by mean.

    `floor` is added to every variance. Raises InputError where scikit-learn is missing, or does
    not come to an end.
    """
    try:
        from sklearn.mixture import GaussianMixture
    except ImportError:
        raise InputError("scikit-learn is missing: in the checkout, pip install '.[fit]'") from None
    import numpy as np

    settings = {**SETTINGS, "n_components": components, "reg_covar": floor}
    model = GaussianMixture(**settings).fit(np.array(values, dtype=float)[:, None])
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


def short(value: float) -> Decimal:
    """Round to `DIGITS` significant digits."""
    return Decimal(f"{value:.{DIGITS - 1}e}")


def published_scale(first: Sequence[Component], second: Sequence[Component]) -> Decimal:
    """Return the scale of Theorem 2, (13), rounded up to `SCALE_DIGITS` significant digits.

    The weights are the plan that is cheapest for the squared distances of (mean, sd).
    """
    from scipy.optimize import linprog

    means = [[abs(float(p[1]) - float(q[1])) for q in second] for p in first]
    sds = [[abs(sqrt(p[2]) - sqrt(q[2])) for q in second] for p in first]
    cells = [(i, j) for i in range(len(first)) for j in range(len(second))]
    margins = [[float(i == k) for i, _ in cells] for k in range(len(first))]
    margins += [[float(j == k) for _, j in cells] for k in range(len(second))]
    cost = [means[i][j] ** 2 + sds[i][j] ** 2 for i, j in cells]
    plan = linprog(cost, A_eq=margins, b_eq=[float(c[0]) for c in (*first, *second)]).x
    tau = NormalDist().inv_cdf(1 - float(DELTA) / 2)
    scale = Decimal(
        sum(w * (means[i][j] + tau * sds[i][j]) for w, (i, j) in zip(plan, cells, strict=True))
        / float(EPSILON)
    )
    unit = Decimal(1).scaleb(scale.adjusted() - SCALE_DIGITS + 1)
    return scale.quantize(unit, rounding=ROUND_CEILING)


def problem_text(example: Example) -> str:
    """Return the problem file: header, target, published scale, fitted priors."""
    priors = {secret: fit(values) for secret, values in example.values.items()}
    first, second = priors
    lines = [
        example.header.strip(),
        'schema  = "pfverify/problem/1"',
        f"epsilon = {EPSILON}",
        f'delta   = "{DELTA}"',
        f'pairs   = [["{first}", "{second}"]]',
        "",
        "[noise]",
        'kind  = "laplace"',
        f'scale = "{published_scale(priors[first], priors[second])}"',
    ]
    for secret, components in priors.items():
        lines += ["", f'[priors."{secret}"]', 'kind = "mixture"', "components = ["]
        lines += [
            f'  {{ weight = "{w:f}", mean = "{m:f}", variance = "{v:f}" }},'
            for w, m, v in components
        ]
        lines.append("]")
    return "\n".join(lines) + "\n"


EDUCATION = """
# Is a person Black, or Asian or Pacific Islander? Released: education-num, the years of education.
# Priors: three normal laws each, fitted by pfverify/edge/examples/fit_mixtures.py to 3124 and 1039
# records of adult.data. These are parameters of fits, no records. Adult, B. Becker and R. Kohavi,
# 1996, UCI Machine Learning Repository, DOI 10.24432/C5XW20, CC BY 4.0.
# Scale: Approximation of Pufferfish Privacy for Gaussian Priors (Ding), (13), rounded up.
# Shows: at these epsilon and delta no noise is needed. The priors alone stay below delta = 0.08.
"""
CHOLESTEROL = """
# Is a patient female or male? Released: the serum cholesterol in mg/dl.
# Priors: three normal laws each, fitted by pfverify/edge/examples/fit_mixtures.py to 74 and 197
# patients of processed.hungarian.data. These are parameters of fits, no records. Heart Disease,
# A. Janosi, W. Steinbrunn, M. Pfisterer and R. Detrano, 1988, UCI Machine Learning Repository,
# DOI 10.24432/C52P4X, CC BY 4.0. Principal investigator: Andras Janosi, M.D., Hungarian Institute
# of Cardiology, Budapest.
# Scale: Approximation of Pufferfish Privacy for Gaussian Priors (Ding), (13), rounded up.
# Shows: at these epsilon and delta no noise is needed. The priors alone stay below delta = 0.04.
"""
EXAMPLES = {"education": education, "cholesterol": cholesterol}


def main(arguments: Sequence[str]) -> int:
    """Print the files; 2 and one line on standard error for bad input."""
    if len(arguments) not in (1, 2) or arguments[-1].startswith("-"):
        print(f"usage: fit_mixtures FOLDER [{'|'.join(EXAMPLES)}]", file=sys.stderr)
        return 2
    folder, names = Path(arguments[0]), list(arguments[1:]) or list(EXAMPLES)
    try:
        if names[0] not in EXAMPLES:
            raise InputError(f"{names[0]!r}: expected one of {', '.join(EXAMPLES)}")
        texts = [problem_text(EXAMPLES[name](folder)) for name in names]
    except InputError as error:
        print(f"fit_mixtures: {error}", file=sys.stderr)
        return 2
    for name, text in zip(names, texts, strict=True):
        print(text if len(names) == 1 else f"##### {name}.toml\n{text}", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

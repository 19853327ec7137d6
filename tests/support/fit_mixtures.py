"""Fit the Gaussian mixtures of `education.toml` and `cholesterol.toml`, and print those files.

Run it on a folder with UCI's `adult.data` (or `adult.csv.gz`: a header line, then the lines of
`adult.data`, then those of `adult.test`) and `processed.hungarian.data`; it needs scikit-learn::

    pip install '.[fit]'
    python tests/support/fit_mixtures.py FOLDER             # both files
    python tests/support/fit_mixtures.py FOLDER education   # one of them

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
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from pfverify.answers.calibrate import calibrate
from pfverify.edge.packaged import example_text
from pfverify.errors import InputError
from pfverify.exact.decimals import decimal_upper
from pfverify.model.problem import Problem
from pfverify.records.mixtures import COMPONENTS, fitted, whole

DIGITS = 4  # significant digits of a mean or variance
SCALE_DIGITS = 3

ADULT_ROWS = 32561
RACE, EDUCATION_NUM = 8, 4
SEX, CHOL = 1, 4
_ADULT = "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"
_HUNGARIAN = "d1ad108f785768cd3d7e82dc522e6f5a61eea93cccfb3a46ee8076f73fc3d796"



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


@dataclass(frozen=True)
class Example:
    """The records that one packaged file is fitted to.

    Its priors are of the numbers in the column `public`, one for each name in `secrets`, which
    stands for a text in the column `secret`.
    """

    rows: Callable[[Path], list[list[str]]]
    secret: int
    secrets: dict[str, str]
    public: int

    def values(self, folder: Path) -> dict[str, list[int]]:
        """Return secret -> the numbers of its records; those without a number are left out."""
        rows = [row for row in self.rows(folder) if row[self.public] != "?"]
        return {
            name: [int(row[self.public]) for row in rows if row[self.secret] == text]
            for name, text in self.secrets.items()
        }


EXAMPLES = {
    "education": Example(
        adult_rows,
        RACE,
        {f"race={race}": race for race in ("Black", "Asian-Pac-Islander")},
        EDUCATION_NUM,
    ),
    "cholesterol": Example(hungarian_rows, SEX, {"sex=female": "0", "sex=male": "1"}, CHOL),
}


def fit(values: Sequence[int]) -> list[str]:
    """Return the components of the frozen mixture of the values, as lines of a problem file.

    They are sorted by mean; their weights sum to exactly 1. Means have the unit of the values,
    variances its square. Raises InputError where scikit-learn is missing.
    """
    weights, means, variances = zip(*fitted(values, COMPONENTS, 1 / 12), strict=True)
    parts = zip(whole(weights), map(short, means), map(short, variances), strict=True)
    return [
        f'  {{ weight = "{weight:f}", mean = "{mean:f}", variance = "{variance:f}" }},'
        for weight, mean, variance in parts
    ]


def short(value: float) -> Decimal:
    """Round to `DIGITS` significant digits."""
    return Decimal(f"{value:.{DIGITS - 1}e}")


def problem_text(name: str, folder: Path) -> str:
    """Return a problem file: comment of the packaged one, target, published scale, fitted priors.
    """
    values = EXAMPLES[name].values(folder)
    comment = [line for line in example_text(name).splitlines() if line.startswith("#")]
    target = [
        'schema  = "pfverify/problem/1"',
        "epsilon = 1",
        'delta   = "1/2"',
        f"pairs   = [{json.dumps(list(values))}]",
        "",
        "[noise]",
        'kind  = "laplace"',
    ]
    priors = []
    for secret, numbers in values.items():
        head = ["", f'[priors."{secret}"]', 'kind = "mixture"', "components = ["]
        priors += [*head, *fit(numbers), "]"]
    scale = f'scale = "{published_scale(_lines(target + priors))}"'
    return _lines([*comment, *target, scale, *priors])


def _lines(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def published_scale(text: str) -> str:
    """Return the scale of Theorem 2, (13), rounded up to `SCALE_DIGITS` significant digits."""
    found = calibrate(Problem.from_text(text)).methods["mixture_published"].scale
    return decimal_upper(Fraction(str(found)), SCALE_DIGITS)


def main(arguments: Sequence[str]) -> int:
    """Print the files; 2 and one line on standard error for bad input."""
    if len(arguments) not in (1, 2) or arguments[-1].startswith("-"):
        print(f"usage: fit_mixtures FOLDER [{'|'.join(EXAMPLES)}]", file=sys.stderr)
        return 2
    folder, names = Path(arguments[0]), list(arguments[1:]) or list(EXAMPLES)
    try:
        if names[0] not in EXAMPLES:
            raise InputError(f"{names[0]!r}: expected one of {', '.join(EXAMPLES)}")
        texts = [problem_text(name, folder) for name in names]
    except InputError as error:
        print(f"fit_mixtures: {error}", file=sys.stderr)
        return 2
    for name, text in zip(names, texts, strict=True):
        print(text if len(names) == 1 else f"##### {name}.toml\n{text}", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

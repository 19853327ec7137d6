"""The packaged fits: where they come from, and the published scale that belongs to them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import mpmath
import pytest
from support import fit_mixtures

from pfverify.edge.packaged import example_text
from pfverify.errors import InputError

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
NAMES = ("education", "cholesterol")
TOLERANCE = Fraction(1, 100)  # relative: other versions of scikit-learn stop at another step

Parts = list[tuple[Fraction, Fraction, Fraction]]
Plan = dict[tuple[int, int], Fraction]


def parts(text: str) -> dict[str, Parts]:
    """Secret -> (weight, mean, variance) of each component, exact."""
    priors = tomllib.loads(text)["priors"]
    return {
        secret: [
            (Fraction(c["weight"]), Fraction(c["mean"]), Fraction(c["variance"]))
            for c in prior["components"]
        ]
        for secret, prior in priors.items()
    }


@cache
def refit(name: str) -> str:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed (extra: fit)")
    if not DATA.exists():
        pytest.skip("the data files are not beside the project")
    return fit_mixtures.problem_text(name, DATA)


@pytest.mark.parametrize("name", ["education", pytest.param("cholesterol", marks=pytest.mark.long)])
def test_fitting_again_gives_the_packaged_file(name: str) -> None:
    text = refit(name)
    kept, again = tomllib.loads(example_text(name)), tomllib.loads(text)
    assert {k: v for k, v in again.items() if k not in ("noise", "priors")} == {
        k: v for k, v in kept.items() if k not in ("noise", "priors")
    }
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in example_text(name).splitlines() if line.startswith("#")
    ]
    found, packaged = parts(text), parts(example_text(name))
    assert list(found) == list(packaged)
    for secret, components in packaged.items():
        for old, new in zip(components, found[secret], strict=True):
            for a, b in zip(old, new, strict=True):
                assert abs(a - b) <= TOLERANCE * a, (secret, a, b)


@pytest.mark.long
def test_two_runs_give_the_same_bytes() -> None:
    assert refit("education") == refit.__wrapped__("education")


@pytest.mark.parametrize("name", NAMES)
def test_the_fits_are_mixtures_without_spikes(name: str) -> None:
    for components in parts(example_text(name)).values():
        assert len(components) == 3
        assert sum(weight for weight, _, _ in components) == 1
        # the floor of 1/12 does not bind: no component sits on one whole number
        assert min(variance for _, _, variance in components) > Fraction(1, 4)


def vertices(first: list[Fraction], second: list[Fraction]) -> list[Plan]:
    """Every vertex of the polytope of plans: one per spanning tree of cells, solved by leaves."""
    cells = list(product(range(len(first)), range(len(second))))
    found = []
    for tree in combinations(cells, len(first) + len(second) - 1):
        rows, columns, left = list(first), list(second), list(tree)
        plan: Plan = {}
        while left:
            leaves = [
                (i, j)
                for i, j in left
                if sum(a == i for a, _ in left) == 1 or sum(b == j for _, b in left) == 1
            ]
            if not leaves:
                break
            i, j = leaves[0]
            mass = rows[i] if sum(a == i for a, _ in left) == 1 else columns[j]
            plan[i, j] = mass
            rows[i], columns[j] = rows[i] - mass, columns[j] - mass
            left.remove((i, j))
        if not left and not any(rows) and not any(columns) and min(plan.values()) >= 0:
            found.append(plan)
    return found


def published_scale(first: Parts, second: Parts, epsilon: int, delta: Fraction) -> mpmath.mpf:
    """Theorem 2, (13): all vertices tried, at 40 digits, independent of the fit script."""

    def real(value: Fraction) -> mpmath.mpf:
        return mpmath.mpf(value.numerator) / value.denominator

    def move(i: int, j: int) -> tuple[mpmath.mpf, mpmath.mpf]:
        (_, m, v), (_, n, w) = first[i], second[j]
        return abs(real(m - n)), abs(mpmath.sqrt(real(v)) - mpmath.sqrt(real(w)))

    def cost(plan: Plan) -> mpmath.mpf:
        return sum(real(mass) * (move(*e)[0] ** 2 + move(*e)[1] ** 2) for e, mass in plan.items())

    plans = sorted(vertices([w for w, _, _ in first], [w for w, _, _ in second]), key=cost)
    best = plans[0]
    others = [plan for plan in plans if {k: v for k, v in plan.items() if v} !=
              {k: v for k, v in best.items() if v}]  # fmt: skip
    assert not others or cost(others[0]) > cost(best) + mpmath.mpf(10) ** -30, "not unique"
    tau = mpmath.sqrt(2) * mpmath.erfinv(1 - real(delta))
    return sum(real(m) * (move(*e)[0] + tau * move(*e)[1]) for e, m in best.items()) / epsilon


@pytest.mark.parametrize("name", [*NAMES, "theorem-2-fails"])
def test_the_scale_is_the_published_one_rounded_up(name: str) -> None:
    data = tomllib.loads(example_text(name))
    if name == "theorem-2-fails":  # one prior is written as a single normal law
        together, apart = data["priors"].values()
        one = (Fraction(1), Fraction(together["mean"]), Fraction(together["variance"]))
        laws = [[one], [tuple(map(Fraction, c.values())) for c in apart["components"]]]
    else:
        laws = list(parts(example_text(name)).values())
    with mpmath.workdps(40):
        scale = Fraction(data["noise"]["scale"])
        exact = published_scale(*laws, data["epsilon"], Fraction(data["delta"]))
        unit = Fraction(0) if name == "theorem-2-fails" else scale / 100  # three digits
        assert 0 <= mpmath.mpf(scale.numerator) / scale.denominator - exact <= float(unit)


def script(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(fit_mixtures.__file__), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_errors_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "adult.data").write_text("39, State-gov\n")
    for arguments, word in (
        (["nowhere"], "adult.data"),
        ([str(tmp_path)], "sha256"),
        ([str(tmp_path), "educ"], "education"),
        ([], "usage"),
    ):
        assert fit_mixtures.main(arguments) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert word in err
    done = script()
    assert (done.returncode, done.stdout, done.stderr) == (2, "", err)


def test_one_changed_byte_of_the_data_is_refused(tmp_path: Path) -> None:
    source = DATA / "processed.hungarian.data"
    if not source.exists():
        pytest.skip("the data files are not beside the project")
    cholesterol = fit_mixtures.EXAMPLES["cholesterol"]
    assert len(cholesterol.values(DATA)["sex=male"]) == 197
    copy = tmp_path / source.name
    shutil.copyfile(source, copy)
    copy.write_bytes(copy.read_bytes().replace(b"237", b"238", 1))
    with pytest.raises(InputError, match="sha256"):
        cholesterol.values(tmp_path)

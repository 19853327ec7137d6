"""A hypothesis strategy of cases: curated ones, small ones that shrink, and generated ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pfverify.crosscheck.case import AtomLaw, Case, Floats, Law, Normals
from pfverify.crosscheck.curated import curated
from pfverify.crosscheck.draw import normalised
from pfverify.crosscheck.generated import generated
from pfverify.crosscheck.settings import Settings
from pfverify.errors import InputError

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_ATOMS = 8  # at most, of a case that is built
_ROWS = 3
_WEIGHTS = 100
_OUTPUTS = 4
_FAR = 10**6


def cases(
    kind: str,
    *,
    noise: str = "laplace",
    laws: str = "atoms",
    delta: bool = False,
    epsilons: tuple[float, float] | None = None,
) -> SearchStrategy[Case]:
    """Return a hypothesis strategy of the cases of a kind.

    With `delta` half of those of a scale have one, for functions that take ``delta=``; `epsilons`
    are the least and the largest. Call a function with ``case.arguments()``, and give what it
    returns to `judge`.
    Raises InputError for a combination that is no question, and without hypothesis.
    Example: ``cases("loss").map(lambda case: case.scale)``.
    """
    settings = Settings(kind, noise, laws, delta, epsilons)
    st = _strategies()
    built = st.composite(_built)(settings)
    numbered = st.builds(
        generated, st.just(settings), st.integers(0, 2**32), st.integers(0, 2**16)
    )
    strategy: SearchStrategy[Case] = st.one_of(
        st.sampled_from(list(filter(settings.asks, curated(settings)))), built, numbered
    )
    return strategy


def _strategies() -> Any:
    try:
        from hypothesis import strategies
    except ModuleNotFoundError:
        raise InputError(
            "cases: hypothesis is not installed: in the checkout, pip install '.[testing]'"
        ) from None
    return strategies


def _built(draw: DrawFn, settings: Settings) -> Case:
    """Draw a case of a few numbers, which hypothesis makes smaller by itself."""
    st = _strategies()
    wholes = st.integers(-_FAR, _FAR).map(float)
    places = wholes if settings.lattice else st.one_of(wholes, st.floats(-_FAR, _FAR))
    if settings.laws == "atoms":
        p, q = _two_laws(draw, places)
    else:
        p, q = (_rows(draw, places) for _ in range(2))
    return settings.case(
        p,
        q,
        epsilon=draw(st.floats(*(settings.epsilons or (1e-3, 20.0)))),
        scale=draw(st.floats(1e-6, _FAR)),
        delta=draw(st.floats(1e-12, 0.5) if settings.must_have_delta else _delta()),
        y=tuple(draw(st.lists(places, min_size=1, max_size=_OUTPUTS))),
        origin="drawn by hypothesis",
    )


def _delta() -> Any:
    st = _strategies()
    return st.one_of(st.none(), st.floats(1e-12, 0.5))


def _two_laws(draw: DrawFn, places: Any) -> tuple[Law, Law]:
    st = _strategies()
    # + 0.0: -0.0 is the same place as 0.0
    some = st.lists(places.map(lambda x: x + 0.0), min_size=1, max_size=_ATOMS, unique=True)
    atoms = tuple(sorted(draw(some)))
    return AtomLaw(atoms, _masses(draw, len(atoms))), AtomLaw(atoms, _masses(draw, len(atoms)))


def _rows(draw: DrawFn, places: Any) -> Normals:
    st = _strategies()
    count = draw(st.integers(1, _ROWS))
    variance = st.one_of(st.integers(1, 9).map(float), st.floats(0.01, 100))
    return Normals(
        tuple(
            (weight, draw(places) % 100, draw(variance)) for weight in _masses(draw, count)
        )
    )


def _masses(draw: DrawFn, count: int) -> Floats:
    st = _strategies()
    weights = st.lists(st.integers(0, _WEIGHTS), min_size=count, max_size=count)
    return normalised([float(weight) for weight in draw(weights.filter(any))])

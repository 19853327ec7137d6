"""What a verdict takes for granted, and what the pointwise form cannot be asked of."""

from __future__ import annotations

from pfverify.errors import InputError, shorten
from pfverify.model.noises.table import KEYS, TableNoise
from pfverify.model.notion import Bound
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.releases.composition import ComposedReleases
from pfverify.model.releases.processed import Processed
from pfverify.model.releases.repeated import Repeated
from pfverify.model.releases.selected import Selected
from pfverify.model.releases.stepped import Stepped

_LISTED = 200  # characters


def assumed(problem: Problem, *, bare: bool = False) -> list[str]:
    """Return what a verdict on this problem takes for granted, in words.

    `bare`: the verdict is about a release without noise.
    """
    extra = problem.release.assumed(bare=bare) + problem.source.assumed()
    if problem.numbers and not bare:
        extra.append("the noise of each number is drawn independently of that of the others")
    if isinstance(problem.release, Repeated) and not bare:
        extra.append("the noise of each release is drawn independently of that of the others")
    if _has_keys(problem):
        extra.append(KEYS)
    extra += _counted(problem) + _enumerated(problem)
    missing = problem.secrets_in_no_pair()
    if missing and problem.source.pairs_stand_for is None:
        shown = ", ".join(repr(name) for name in missing[:5]) + (", ..." if missing[5:] else "")
        extra.append(f"secrets in no pair are not compared ({shown})")
    if problem.delta.fraction == 1:
        extra.append("delta = 1 bounds nothing: every release meets this target")
    counted = bare or isinstance(problem.release, TableNoise | Stepped | Selected)
    masses = problem.release.step is not None or (counted and _only_atoms(problem))
    alone = problem.source.part_alone and masses
    if alone and problem.notion.exceeding is Bound.EXCESS and problem.delta.sign():
        extra.append("none of the others has a density: delta bounds a mass")
    extra += problem.notion.assumed(masses=masses)
    if problem.source.uncertified is not None:
        extra.append(f"no certificate is written for this: {problem.source.uncertified}")
    return extra


def _has_keys(problem: Problem) -> bool:
    """Whether several noisy numbers are drawn from a noise table."""
    release = problem.release
    parts = release.releases if isinstance(release, ComposedReleases) else [release]
    tabled = any(isinstance(part.noise, TableNoise) for part in parts)
    several = problem.numbers or isinstance(release, Repeated | ComposedReleases | Processed)
    return tabled and bool(several)


def _counted(problem: Problem) -> list[str]:
    """What the values that were counted are in place of: the release is made of these."""
    told = problem.provenance
    if told is None:
        return []
    ways = {"clipped": told.clip, "counted in intervals": told.bins}
    regions = [] if told.region is None else [shorten(told.region, 300)]
    return regions + [f"what is released is {way}: {_whole(how)}"
                      for way, how in ways.items() if how is not None]  # fmt: skip


def _whole(how: str) -> str:
    """What was done, and of a long list its beginning, and where it is whole."""
    kept = how[:_LISTED].rpartition("; ")[0]
    if len(how) <= _LISTED or not kept:
        return shorten(how, _LISTED)
    return f"{shorten(kept, _LISTED)}; ... (the whole list is in the file, under [provenance])"


def _enumerated(problem: Problem) -> list[str]:
    """What stands for a program: the verdict is about the table of its paths."""
    told = problem.provenance
    if told is None or told.program is None:
        return []
    table = f"the channel is the table enumerated from {shorten(told.program, 200)}"
    return [f"{table}; that the program keeps to it is not proved"]


def _only_atoms(problem: Problem) -> bool:
    return problem.release.named or all(
        isinstance(prior, Discrete) for item in problem.questions() for prior in item.priors
    )


def check_pointwise(problem: Problem) -> None:
    """Raise InputError where the pointwise form asks for a density that there is not.

    Without noise the release of atoms has masses: those are meant by noise of kind none and on a
    lattice. Laplace and Gaussian noise promise densities, and atoms have none at scale 0.
    """
    if problem.notion.exceeding is not Bound.EXCESS:
        return
    if isinstance(problem.release, Stepped) and problem.release.kept is not None:
        raise InputError(
            "form: what these steps publish has densities beside single outputs, which the "
            'pointwise form does not bound together; expected form = "events"'
        )
    if not problem.release.noise.adds_nothing:
        return
    if problem.release.named:  # its outputs have masses
        return
    for item in problem.questions():
        priors = {item.first: item.first_prior, item.second: item.second_prior}
        atoms = [name for name, prior in priors.items() if _has_atoms(prior)]
        densities = [name for name, prior in priors.items() if prior.has_density]
        if atoms and (densities or not problem.release.noise.has_masses):
            how = 'form = "events"' if densities else 'form = "events", or noise of kind none'
            raise InputError(
                f"form: without noise the release under secret {shorten(atoms[0])!r} has atoms "
                f"and so no density, which the pointwise form is about; expected {how}"
            )


def _has_atoms(prior: Prior) -> bool:
    return any(part.variance == 0 for part in prior.components)

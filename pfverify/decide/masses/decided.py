"""Decisions without noise: the value itself is published (scale 0, or noise of kind none)."""

from __future__ import annotations

from pfverify.decide.exponential.pair import Pair, Target
from pfverify.decide.masses.order import BareOrder
from pfverify.decide.outcome import Directed, Enclosure, Verdict, Witness, verdict_of
from pfverify.errors import InputError, shorten
from pfverify.exact.decimals import decimal_lower, decimal_text
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import PairOfPriors, Problem

_NO_MARGIN = "the excess is too small to be written as a decimal"


def is_bare(problem: Problem, item: PairOfPriors) -> bool:
    """Say whether a pair of priors of atoms is released without noise.

    Example: ``is_bare(problem, pair)`` is true for every pair of a problem of counts at scale 0.
    """
    if not problem.noise.adds_nothing:
        return False
    return isinstance(item.first_prior, Discrete) and isinstance(item.second_prior, Discrete)


def check_pointwise(problem: Problem) -> None:
    """Raise InputError where the pointwise form asks for a density that there is not.

    Without noise the release of atoms has masses: those are meant by noise of kind none and on a
    lattice. Laplace and Gaussian noise promise densities, and atoms have none at scale 0.
    """
    if problem.form != "pointwise" or not problem.noise.adds_nothing:
        return
    masses = isinstance(problem.noise, NoNoise | DiscreteLaplace)
    for item in problem.pairs_of_priors():
        priors = {item.first: item.first_prior, item.second: item.second_prior}
        atoms = [name for name, prior in priors.items() if _has_atoms(prior)]
        densities = [name for name, prior in priors.items() if prior.has_density]
        if atoms and (densities or not masses):
            how = 'form = "events"' if densities else 'form = "events", or noise of kind none'
            raise InputError(
                f"form: without noise the release under secret {shorten(atoms[0])!r} has atoms "
                f"and so no density, which the pointwise form is about; expected {how}"
            )


def _has_atoms(prior: object) -> bool:
    components = getattr(prior, "components", ())
    return any(part.variance == 0 for part in components)


def bare_order(problem: Problem, item: PairOfPriors, reverse: bool) -> BareOrder:
    """Return one order of a pair for which `is_bare` holds."""
    first, second = item.first_prior, item.second_prior
    if not (isinstance(first, Discrete) and isinstance(second, Discrete)):
        raise TypeError("only priors of atoms have masses")
    target = Target(problem.epsilon, problem.delta)
    return BareOrder(Pair(first, second, problem.noise), target, reverse)


def decided_bare(problem: Problem, item: PairOfPriors, digits: int) -> list[Directed]:
    """Decide both orders of a pair of priors of atoms that are released without noise.

    Example: point masses at different places are refuted by the event of the first one.
    Source: design, section 2 (the definition itself: nothing is released but X).
    """
    return [_directed(problem, item, reverse, digits) for reverse in (False, True)]


def _directed(problem: Problem, item: PairOfPriors, reverse: bool, digits: int) -> Directed:
    order = bare_order(problem, item, reverse)
    witness: Witness | None = None
    delta: Enclosure | None = None
    reason: str | None = None
    ties: tuple[int, ...] = ()
    worst, refuting = order.worst, "event-refuted"
    if problem.delta.sign() == 0:
        sign = order.pure_sign()
        if sign == 1:
            witness, refuting = _pure_witness(order)
        elif sign == 0:
            ties = order.ties()
        elif sign is None:
            reason = "the loss may equal epsilon, and the tie is outside the exact classes"
    else:
        found = order.events(digits) if problem.form == "events" else order.pointwise(digits)
        sign, delta, reason = found.sign, found.amount, found.reason
        if problem.form == "pointwise":
            worst, refuting = found.atoms[0], "pointwise-refuted"
        if sign == 1 and found.margin is not None:
            witness = _witness(order, found.atoms, found.margin, problem.form)
    verdict = verdict_of(sign)
    if verdict is Verdict.REFUTED and witness is None:
        verdict, reason = Verdict.UNDECIDED, _NO_MARGIN
    rules = {Verdict.CERTIFIED: "no-noise", Verdict.REFUTED: refuting, Verdict.UNDECIDED: None}
    return Directed(
        belief=item.belief,
        from_=item.second if reverse else item.first,
        to=item.first if reverse else item.second,
        verdict=verdict,
        loss=order.loss(digits),
        delta=delta,
        tie=sign == 0,
        worst_y=order.pair.atom(worst),
        witness=witness,
        reason=reason,
        rule=rules[verdict],
        ties=tuple(order.pair.atom(k) for k in ties),
    )


def _pure_witness(order: BareOrder) -> tuple[Witness | None, str]:
    """Return a witness for delta = 0 with its rule: an output, or an event of one atom (q = 0)."""
    if order.ratio is not None:
        margin = order.pure_margin()
        y = decimal_text(order.pair.atom(order.worst))
        return (None if margin is None else Witness(margin=margin, y=y)), "pure-refuted"
    p, _ = order.masses(order.worst)
    margin = decimal_lower(p, 6)
    return _witness(order, (order.worst,), margin, "events"), "event-refuted"


def _witness(order: BareOrder, atoms: tuple[int, ...], margin: str, form: str) -> Witness:
    places = [decimal_text(order.pair.atom(k)) for k in atoms]
    if form == "pointwise":
        return Witness(margin=margin, y=places[0])
    return Witness(margin=margin, event=[[y, y] for y in places])

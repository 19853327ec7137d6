"""The sum over independent users: priors with and without one of them, and published scales."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pfverify.decide.outcome import checked_digits
from pfverify.errors import InputError, listed, shorten
from pfverify.exact.number import number, rational
from pfverify.model.problem import checked_epsilon
from pfverify.scales.closed_form import NO_FINITE, Proposal, largest_upper
from pfverify.scales.normal_tail import tau_star
from pfverify.scales.reach import Quantile, Reach, Spread

_MAX_USERS = 10**9
Law = tuple[Fraction, Fraction]
"""Mean and variance of a normal law, in the unit of the released quantity and its square."""


def presence_priors(users: Sequence[tuple[object, object]]) -> dict[str, Law]:
    """Return secret -> (mean, variance) of the sum over independent users.

    `users` lists (mean, variance) of what each user adds when present. Secrets are "user k
    present" (everybody's sum) and "user k absent" (the sum of the others), k = 1, ..., K; the
    pairs to compare are `presence_pairs`. Normal laws by the paper's own assumption on beliefs.
    Raises InputError for no user, or a variance that is negative.
    Example: ``presence_priors([(1, 1), (2, 1)])["user 1 absent"]`` is ``(2, 1)``.
    Source: Gaussian-priors paper, (7) and Corollary 1.
    """
    laws = _checked_users(users)
    mean, variance = (sum(parts, Fraction(0)) for parts in zip(*laws, strict=True))
    table: dict[str, Law] = {}
    for k, (m, v) in enumerate(laws, 1):
        table[f"user {k} present"] = mean, variance
        table[f"user {k} absent"] = mean - m, variance - v
    return table


def presence_pairs(count: int) -> list[tuple[str, str]]:
    """Return the pairs of secrets of `presence_priors` for `count` users.

    Source: Gaussian-priors paper, the pair set of Corollary 1(a).
    """
    _check_count(count)
    return [(f"user {k} present", f"user {k} absent") for k in range(1, count + 1)]


def corollary_1_scale(
    users: Sequence[tuple[object, object]], epsilon: object, delta: object, digits: int = 12
) -> Proposal:
    """Return the largest (|mu_k| + tau* dsd_k) / epsilon over users, rounded up.

    dsd_k is the standard deviation of everybody's sum minus that of the others' sum.
    Raises InputError for no user, a negative variance, epsilon = 0, or delta outside (0, 1].
    Example: ``corollary_1_scale([(0, 1)], 1, "1/100", 5)[0]`` is ``"2.5759"``.
    Source: Gaussian-priors paper, Corollary 1, (9).
    """
    laws = _checked_users(users)
    total = sum((variance for _, variance in laws), Fraction(0))
    return _users_scale(
        ((abs(mean), total - variance, total) for mean, variance in dict.fromkeys(laws)),
        epsilon,
        delta,
        digits,
    )


def identical_users_scale(
    user: tuple[object, object], count: int, epsilon: object, delta: object, digits: int = 12
) -> Proposal:
    """Return (|mu| + (sqrt(K) - sqrt(K-1)) sigma tau*) / epsilon, rounded up.

    `user` is (mean, variance) of each of the `count` = K users. Raises as `corollary_1_scale`.
    Source: Gaussian-priors paper, (11). For every K the tail of the release needs more noise at
    delta = 0 than the limit mu/epsilon (audit row G21).
    """
    _check_count(count)
    ((mean, variance),) = _checked_users([user])
    rows = [(abs(mean), (count - 1) * variance, count * variance)]
    return _users_scale(rows, epsilon, delta, digits)


def _users_scale(
    rows: Iterable[tuple[Fraction, Fraction, Fraction]],
    epsilon: object,
    delta: object,
    digits: int,
) -> Proposal:
    """Take the largest over (|mean|, variance without, variance with)."""
    epsilon, digits = checked_epsilon(epsilon), checked_digits(digits)
    tau = Quantile(tau_star, number(delta, "delta"))
    tau.require()
    reaches = {
        Reach(mean, () if low == high else (Spread(Fraction(1), low, high),))
        for mean, low, high in rows
    }
    moving = [reach for reach in reaches if reach.distance or reach.spreads]
    if not moving:
        return "0", "0"
    if epsilon.sign() == 0:
        raise InputError(NO_FINITE)
    return largest_upper([tau.over(reach, epsilon) for reach in moving], digits)


def _check_count(count: object) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise InputError(f"count: {shorten(count)} is not a number of users, expected >= 1")
    if count > _MAX_USERS:
        raise InputError(f"count: {shorten(count)} users, expected at most {_MAX_USERS}")


def _checked_users(users: Sequence[tuple[object, object]]) -> list[Law]:
    what = "a list of (mean, variance), one for each user"
    entries = listed(users, "users", what)
    if not entries:
        raise InputError("users: there is none, expected at least one (mean, variance)")
    laws = []
    for k, user in enumerate(entries, 1):
        both = listed(user, f"user {k}", "(mean, variance)")
        if len(both) != 2:
            raise InputError(f"user {k}: expected (mean, variance), got {len(both)} numbers")
        mean, variance = both
        law = rational(mean, f"user {k}: mean"), rational(variance, f"user {k}: variance")
        if law[1] < 0:
            raise InputError(f"user {k}: variance {shorten(law[1])} is negative, expected >= 0")
        laws.append(law)
    return laws

"""Normal users in a sum, each protected in turn: what Corollary 1 of the Gaussian paper asks."""

from __future__ import annotations

from pfverify import Laplace, Problem, System
from pfverify.answers.methods import closed_text
from pfverify.exact.grid import Grid
from pfverify.scales.closed_form import Proposal
from pfverify.scales.recipes.asked import RecipeProblem
from pfverify.scales.recipes.normal_laws import gaussian_tau

User = tuple[object, object]
"""Mean and variance of what a user adds."""


def users_problem(users: list[User], epsilon: object, delta: object, count: int = 1) -> Problem:
    """Every user against absence; `count` users of each law."""
    others = [{"mean": m, "variance": v, "count": count} for m, v in users]
    system = System(others=others, protect="each", pair_set="laws-absent")
    return Problem(system=system, noise=Laplace(), epsilon=epsilon, delta=delta)


def users_scale(
    users: list[User], epsilon: object, delta: object, digits: int = 12, count: int = 1
) -> tuple[str, str | None]:
    """The published scale (9), or (11) for one law, as it is written."""
    grid = Grid(digits)
    return as_text(
        gaussian_tau(RecipeProblem.of(users_problem(users, epsilon, delta, count), grid)), grid
    )


def as_text(proposal: Proposal, grid: Grid) -> tuple[str, str | None]:
    """A scale and its closed form as they are written."""
    scale, exact = proposal
    return grid.text(scale), None if exact is None else closed_text(exact)

"""Every loop and every rising precision of the kernel is charged to its budget, or has a cap."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

import kernel_builder as kb
import pytest
from core.work import AT_LEAST

# what bounds each `while`: a charge inside it or before it, or what it consumes
LOOPS = {
    "places.py:__getitem__": "self._kept.pop(",
    "couplings.py:no_coupling": "k += 1",
    "records.py:_order": "heappop(rows)",  # charged for each row that is pushed
    "records.py:_message": "spend(",
    "enclose.py:_atanh_of_inverse": "power //= n * n",  # charged in log_of_2
    "enclose.py:_exp_lower": "term * s >> v",  # charged in exp_point
    "enclose.py:_exp_upper": "-(-(term * s) >> v)",
    "enclose.py:_atanh_lower": "power * square >> v",  # charged in log_point
    "enclose.py:_atanh_upper": "-(-(power * square) >> v)",
    "expressions.py:__init__": "position = match.end()",  # of at most MAX_TEXT characters
    "expressions.py:sum": "self.take()",
    "expressions.py:product": "self.take()",
    "spans.py:walk": "left.pop()",
    "gaussian_lattice.py:_edge": "distance *= 2",
    "steps.py:_multiples": "spend(",
    "steps.py:image": "spend(",
    "cells.py:single": "spend(",
    "spans.py:at": "left.pop()",
    "tupling.py:_joined": "at += 1",
    "distances.py:on_numbers": "i += 1",  # of two laws, or j += 1
    "distances.py:w_infinity": "(low + high) // 2",
    "distances.py:has_full_flow": "-= amount",  # each path takes at least 1 of what is left
    "distances.py:_path": "came[path[-1]]",  # nodes in the order in which they came
    "line_ties.py:_last_index": "(low + high) // 2",  # bisection of at most 2 MAX_BITS steps
    "line_exact.py:mass_between": "sides.next()",  # each turn once
    "sides.py:pass_by": "self.next()",
    "special.py:_arctan_of_inverse": "power //=",
    "special.py:_series": "spend(",
    "special.py:_erfc_far": "spend(",
    "logarithms.py:_small_base": "spend(",
    "logarithms.py:_root": "y >= x",  # Newton's iteration from above, charged in without_power
    "logarithms.py:without_power": "spend(",
    "logarithms.py:coprime_base": "spend(",
    "logarithms.py:powers_over": "spend(",
    "irrational.py:_over_one_denominator": "left.pop()",  # the nodes of a tree
    "coverage.py:_end": "(low + high) // 2",  # between 0 and UNIT
    "several.py:_inverse_sum": "spend(",  # half as many in each round
    "normal_chances.py:_integral": "ar.add(",  # each of which is charged
    "curve.py:_highest": "top.pop()",
    "renyi_mixtures.py:enclosed": "seen > MOST",
    "renyi_normals.py:_farthest": "rows.pop()",  # or columns.pop()
    "renyi_points.py:_corner": "k += 1",  # or what is left of one row is moved
    "chances.py:fall": "self._falls.append(",  # each one is charged as a power
}
RISING = {  # over SIGN_BITS, which ends
    "irrational.py:sign",
    "masses.py:excess_sign",
    "gaussian_lattice.py:_edge",
    "signs.py:decided_sign",
}
ARITHMETICS = {  # where a precision comes from
    "chances.py:__init__",  # that of its caller, and what cancels
    "normal_chances.py:__init__",  # the same, and rounding
    "composed.py:_grid",
    "box.py:_sheet",
    "first_look.py:first_look",
    "box.py:factor_of",
    "box.py:range_bits",
    "in_parts.py:require_area",
    "in_parts.py:__init__",
    "grid_sums.py:_sums",
    "moment.py:moment",
    "rules.py:arithmetic",
    "channel_kinds.py:_kept",  # fixed, and where it decides nothing all of them
    "normals.py:outgrows",  # fixed
    "coverage.py:_tail",  # fixed, three
    "finite.py:_looks",
    "tupling.py:require_area",
    "gaussian_lattice.py:__init__",
    "signs.py:decided_sign",
    "gaussian_lattice.py:_edge",
    "enclose.py:finer",  # what its callers add is charged by the operations at that precision
    "noises.py:_square",
    "masses.py:excess_sign",
    "zero.py:exp_form",
    "irrational.py:sign",
    "renyi.py:require_above",  # that of its caller, and a smaller one before it
    "renyi_mixtures.py:_least",  # fixed, of what nothing is decided by
}


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function of the kernel by file and name."""
    for path in kb.files():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield f"{path.name}:{node.name}", node


def test_every_endless_looking_loop_is_known_and_names_its_end() -> None:
    found = {
        name: node
        for name, node in functions()
        if any(isinstance(inner, ast.While) for inner in ast.walk(node))
    }
    assert set(found) == set(LOOPS)
    for name, node in found.items():
        assert LOOPS[name] in ast.unparse(node), name


def test_every_rising_precision_ends_with_the_list_of_precisions() -> None:
    rising, made = set(), set()
    for name, node in functions():
        for inner in ast.walk(node):
            if isinstance(inner, ast.For) and "SIGN_BITS" in ast.unparse(inner.iter):
                rising.add(name)
            if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "Arithmetic":
                made.add(name)
    assert rising == RISING
    assert made == ARITHMETICS


HALF = {"0": 1, "1": 1}


@pytest.mark.parametrize(
    ("delta", "word"),
    [
        ("log(3)/log(3)", "certified"),
        ("log(3)/log(9)", "certified"),  # 1/2, which the excess is
        ("1/2*log(3)/log(3)", "certified"),
        ("log(3)/log(9)+exp(-300)", "certified"),
        ("log(3)/log(9)-exp(-300)", "rejected"),
        ("log(3)/log(log(9))/20", "rejected"),
        ("log(2)*log(3)/(log(4)*log(3))", "certified"),
        ("log(3)*(1+log(2))/(log(9)*(1+log(2)))", "rejected"),  # true, not proved
        ("log(3)*exp(log(2)*log(3))/(log(9)*exp(log(3)*log(2)))", "certified"),
    ],
)
@pytest.mark.parametrize("epsilon", ["1/log(2)", 1, "log(2)*log(3)"])
def test_a_bound_that_is_met_exactly_is_decided_or_given_up(
    delta: str, word: str, epsilon: object
) -> None:
    """No noise, {0: 1/2, 1: 1/2} against {1: 1}: the excess is 1/2, whatever epsilon is."""
    value = kb.problem(HALF, {"1": 1}, epsilon, delta, 1)
    steps = [{"rule": "minimum", "lower": "0", "upper": "0", "lower_step": None}]
    steps[0]["upper_steps"] = [{"rule": "no-noise"}]
    found = kb.checked(value, kb.certificate(value, "scales", steps))
    assert found.word in ({"scales"} if word == "certified" else {"rejected"})
    assert found.check is not None
    assert found.check.spent < 2 * AT_LEAST
    value["noise"] = {"kind": "none"}
    steps = [kb.step("no-noise", *way) for way in (("a", "b"), ("b", "a"))]
    for step in steps:
        del step["bits"]
    data = json.loads(json.dumps(kb.certificate(value, "certified", steps)))
    assert kb.run(value, data)[0] == word

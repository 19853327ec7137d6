"""What a mutant must survive: python -B tests/kernel/mutation/battery.py MODULE

The kernel's tests that are quick in one process, the cheapest and most telling for the mutated
module first.  Exit code 0 only when all pass; endless loops and swollen integers end by limits.
"""

from __future__ import annotations

import contextlib
import io
import json
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parents[n]) for n in (1, 2)]

MEMORY = 2 << 30
FIRST, ALL = 4, 60  # seconds of processor time: many times what the kernel itself needs
Check = Callable[[], Any]


def parametrised(test: Callable[..., Any]) -> Iterator[Check]:
    """The cases of a test with one parametrize mark."""
    for arguments in getattr(test, "pytestmark")[0].args[1]:  # noqa: B009  (mypy knows no marks)
        values = arguments if isinstance(arguments, tuple) else (arguments,)
        yield lambda values=values: test(*values)


def marked_quick(module: ModuleType) -> Iterator[Check]:
    """The tests of a module without marks and without arguments."""
    for name, test in vars(module).items():
        if name.startswith("test_") and not getattr(test, "pytestmark", []):
            yield test


def series() -> Iterator[Check]:
    """The roundings and series by themselves: an endless loop is found here."""
    import test_kernel_enclose as enclose

    yield enclose.test_shifts
    yield enclose.test_series_for_log_of_2
    yield enclose.test_series_of_exp_and_atanh
    yield lambda: enclose.run(100, 1)
    yield lambda: enclose.wide(30, 3)


def enclosures() -> Iterator[Check]:
    """Interval arithmetic and functions."""
    import test_kernel_enclose as enclose

    slow = {
        "test_exp_log_sqrt_against_arb",
        "test_interval_operations_against_arb",
        "test_high_precision",
    }
    yield from (t for t in marked_quick(enclose) if t.__name__ not in slow)
    yield lambda: enclose.run(2000, 5)
    yield lambda: enclose.wide(300, 7)
    yield enclose.test_high_precision


def case(path: Path) -> None:
    """A stored case: the word, and no unforeseen error."""
    import kernel_builder as kb

    case = json.loads(path.read_text())
    word, message = kb.run(case["problem"], case["certificate"], case["problem_suffix"])
    if word != case["expect"] or "beyond this kernel" in message:
        raise ValueError(path.stem)


def corpus() -> Iterator[Check]:
    """The stored cases."""
    import test_kernel_corpus as cases

    for path in cases.CASES:
        yield lambda path=path: case(path)
    yield cases.test_the_minimum_names_its_theorem


def about(*words: str) -> Callable[[], Iterator[Check]]:
    """The stored cases with one of these words in them."""

    def chosen() -> Iterator[Check]:
        import test_kernel_corpus as cases

        for path in cases.CASES:
            if any(word in path.read_text() for word in words):
                yield lambda path=path: case(path)

    return chosen


def decisions() -> Iterator[Check]:
    """The rules on small problems, near the edge and on it."""
    import test_kernel_rules as rules

    slow = {
        "test_every_search_result_is_confirmed",
        "test_values_near_the_edge",
        "test_exact_values_of_delta",
        "test_decisions_are_reached",
    }
    yield from (t for t in marked_quick(rules) if t.__name__ not in slow)
    for seed in range(40):
        yield lambda seed=seed: rules.near_the_edge(seed)
    for seed in range(60):
        yield lambda seed=seed: rules.exact_edge(seed)
    yield rules.test_decisions_are_reached


def zeros() -> Iterator[Check]:
    """Signs and zero tests."""
    import test_kernel_roots as roots
    import test_kernel_zero as zero

    for test in (
        roots.test_equal_numbers_are_found_equal,
        roots.test_no_other_sum_is_called_zero,
        zero.test_signs,
        zero.test_undefined_numbers,
        zero.test_not_numbers,
        zero.test_canonical_texts,
    ):
        yield from parametrised(test)
    for text in zero.LINEAR:
        yield lambda text=text: zero.test_forms_and_rates_have_the_value_of_the_number(text)
    for text in zero.SUMS:
        yield lambda text=text: zero.test_sums_have_the_value_of_the_number(text)


def zeros_at_length() -> Iterator[Check]:
    """The random sums, which only mutants of zero.py need."""
    import test_kernel_roots as roots
    import test_kernel_zero as zero

    yield roots.test_forms_have_the_value_of_the_number
    yield zero.test_coprime_base
    yield zero.test_radicals
    yield zero.test_quotient_powers
    yield zero.test_quotient_identities
    yield zero.test_random_sums_are_never_called_zero_wrongly


def moments() -> Iterator[Check]:
    """No scale of gaussian noise."""
    import test_kernel_moment as moment

    yield from marked_quick(moment)


def events() -> Iterator[Check]:
    """Masses of events."""
    import test_kernel_event as event

    yield from marked_quick(event)


def without_noise() -> Iterator[Check]:
    """The rules without noise."""
    import test_kernel_bare as bare

    yield from marked_quick(bare)
    for test in (
        bare.test_an_output_has_the_mass_of_its_atom_or_none,
        bare.test_a_density_that_there_is_not_is_never_bounded,
    ):
        yield from parametrised(test)


def outputs() -> Iterator[Check]:
    """Channels against all events, one by one."""
    import test_kernel_channels as channels

    for seed in range(12):
        yield lambda seed=seed: channels.test_the_worst_of_all_events_decides(seed)
        yield lambda seed=seed: channels.test_pure_bounds_and_single_masses(seed)
    for seed in range(10):
        yield lambda seed=seed: channels.test_all_kinds_near_the_edge(seed)
    yield from parametrised(channels.test_ties_with_roots_in_the_exponents)
    yield channels.test_a_fraction_beside_a_mass_that_is_none
    yield channels.test_long_numbers_beside_an_irrational_delta


def intervals() -> Iterator[Check]:
    """Intervals of steps."""
    import test_kernel_rules as rules
    import test_kernel_spans as walks

    yield from marked_quick(walks)
    yield rules.test_shapes_of_events


def words() -> Iterator[Check]:
    """What a refutation says."""
    import test_kernel_words as said

    yield from parametrised(said.test_a_refutation_names_its_place_and_its_kind_of_margin)
    yield from parametrised(said.test_events_of_tuples_are_said)
    yield said.test_every_refuting_rule_says_what_its_margin_is
    yield said.test_a_notion_is_said_beside_noise_unless_it_is_the_usual_one
    yield said.test_a_negative_scale_is_no_scale


def toys() -> Iterator[Check]:
    """Tables that state what no row names."""
    import test_toy_kernel_source as toy

    yield toy.test_a_problem_without_a_release


def kinds() -> Iterator[Check]:
    """Unknown kinds behind the reader."""
    import test_kernel_kinds as unknown

    yield from marked_quick(unknown)
    for path in unknown.ACCEPTED[::8]:
        for change in unknown.CHANGES:
            yield lambda path=path, change=change: (
                unknown.test_an_unknown_kind_behind_the_reader_raises(path, change)
            )


def budget() -> Iterator[Check]:
    """What is charged, and when it is too much."""
    import test_kernel_budget as charges

    yield from marked_quick(charges)


def leaves() -> Iterator[Check]:
    """Changed certificates: whatever is accepted is true."""
    import test_kernel_mutation as mutation

    yield lambda: mutation.battery(0.03)


RULES = [corpus, decisions, zeros, leaves]
OUTPUTS = [without_noise, about("none", "no-noise", "channel"), outputs]
READING = [corpus, kinds, toys, words]
ORDER: dict[str, list[Callable[[], Iterator[Check]]]] = {
    "enclose": [series, enclosures, corpus, zeros, decisions],
    "zero": [zeros, corpus, zeros_at_length, decisions, leaves],
    "irrational": [zeros, corpus, zeros_at_length, decisions, leaves],
    "symbols": [zeros, corpus, zeros_at_length, decisions],
    "value": [zeros, corpus, decisions],
    "work": [budget, corpus],
    "moment": [moments, corpus, leaves],
    "event": [events, intervals, about("event-refuted"), leaves],
    "spans": [intervals, about("event-refuted", "chart"), events, without_noise],
    **dict.fromkeys(("bare", "witness", "finite", "masses", "channel"), OUTPUTS),
    **dict.fromkeys(("noise", "noises", "target", "reader"), READING),
    "failures": [about("refuted"), words],
    "kinds": [kinds, corpus],
    **dict.fromkeys(("rules", "laplace", "pure", "ties", "divergence", "divergence_tie"), RULES),
    **dict.fromkeys(("pointwise", "lattice", "excess", "every_scale"), RULES),
    "logarithms": [corpus, zeros, zeros_at_length, decisions],
}


def main() -> None:
    import kernel_builder  # noqa: F401  (puts the kernel on the path)

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (FIRST, ALL))
    for group in ORDER[sys.argv[1]]:
        if group is not series:
            resource.setrlimit(resource.RLIMIT_CPU, (ALL, ALL))
        for check in group():
            with contextlib.redirect_stdout(io.StringIO()):
                check()


if __name__ == "__main__":
    main()

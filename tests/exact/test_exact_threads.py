"""Several threads at once: the same answers as one after the other, and the precision restored."""

import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.problems import limited, problem

from pfverify import certify
from pfverify.exact import ball
from pfverify.exact.ball import Ball, current_precision, precision, rising_sign


def hard_problems():
    """Ties of all kinds, each of which needs the zero test at more than one precision."""
    for k in range(1, 5):
        yield problem({0: 1}, {k: 1}, k, 1)
        yield problem({0: 1}, {k: 1}, f"{k}/log(3)", "log(3)")
        yield problem({0: 1}, {k: 1}, k, 1, delta="1/10")
        yield problem({0: "1/2", 1: "1/2"}, {0: "1/4", 1: "3/4"},
                      "1/log((2*exp(1)-1)/(3-2*exp(-1)))", f"1/{k}")
        yield problem({0: 1}, {k: 1}, k, 0, delta="1-exp(-1/2)")


@pytest.mark.filterwarnings("ignore:several threads")
def test_six_threads_answer_as_one_does():
    with limited(120):
        problems = list(hard_problems())
        alone = [repr(certify(p)) for p in problems]
        assert current_precision() == 53
        with ThreadPoolExecutor(6) as pool:
            together = list(pool.map(lambda p: repr(certify(p)), problems * 6))
        assert together == alone * 6
        assert current_precision() == 53


def test_another_thread_waits_for_its_turn_and_is_told_so_once(monkeypatch):
    monkeypatch.setattr(ball._Turn, "said", False)
    with pytest.warns(RuntimeWarning, match="take turns.*use processes: --jobs") as told:
        wait_for_a_turn(times=2)
    assert len(told) == 1


def test_a_thread_alone_is_told_nothing(monkeypatch, recwarn):
    monkeypatch.setattr(ball._Turn, "said", False)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(rising_sign, lambda: Ball(1), 64, 64).result()
    with precision(64), precision(65):
        assert current_precision() == 65
    assert not recwarn.list


def wait_for_a_turn(times):
    for _ in range(times):
        hold_and_come()


def hold_and_come():
    seen, inside, leave = [], threading.Event(), threading.Event()

    def hold():
        with precision(777):
            inside.set()
            leave.wait(10)
            seen.append(current_precision())

    def come():
        with precision(111):
            seen.append(current_precision())

    threads = [threading.Thread(target=hold), threading.Thread(target=come)]
    threads[0].start()
    inside.wait(10)
    threads[1].start()
    threads[1].join(0.2)
    assert seen == []
    leave.set()
    for thread in threads:
        thread.join(10)
    assert seen == [777, 111]
    assert current_precision() == 53


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, GeneratorExit])
def test_the_precision_is_restored_after_an_error(error):
    def broken():
        raise error

    with pytest.raises(error), precision(100), precision(200):
        rising_sign(broken, 300, 1000)
    assert current_precision() == 53


def test_a_block_that_an_interrupt_lets_end_too_late_sets_nothing():
    outer, inner = precision(100), precision(200)
    outer.__enter__()
    inner.__enter__()
    outer.__exit__(None, None, None)
    assert current_precision() == 53
    inner.__exit__(None, None, None)
    assert current_precision() == 53


def test_the_precision_is_restored_after_an_interrupt():
    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    stopped = 0
    try:
        for k in range(40):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.001 + 0.0007 * k)
                for p in hard_problems():
                    certify(p)
            except KeyboardInterrupt:
                stopped += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            assert current_precision() == 53
            free = []  # the next thread gets its turn
            thread = threading.Thread(
                target=lambda free=free: free.append(rising_sign(lambda: Ball(1), 64, 64))
            )
            thread.start()
            thread.join(10)
            assert free == [1]
    finally:
        signal.signal(signal.SIGALRM, before)
    assert stopped > 20

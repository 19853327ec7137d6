"""Questions answered by the workers of a Dask cluster, as plain data.

Dask asks again where a worker is lost. A worker's threads take turns (`answering`), since the
precision of python-flint is one global of a process: workers with one thread are what is wanted.
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pfverify.errors import InputError, PfverifyError
from pfverify.many.answering import answer
from pfverify.many.processes import Arrived
from pfverify.many.question import Data

if TYPE_CHECKING:
    from distributed import Client, Future

_TIMEOUT = 10  # seconds for a scheduler to answer, and for it to have a worker
_RETRIES = 3


def answered(
    questions: Sequence[Data], address: str, say: Callable[[str], None]
) -> Generator[Arrived]:
    """Yield the answer to every question as it arrives from the workers of a scheduler.

    A question on which several workers were lost has an error of the kind "lost". `say` is called
    with what is known of the workers.
    Raises InputError where Dask is not installed, and where the scheduler does not answer, has no
    workers, or has workers that cannot answer; PfverifyError where it is lost.
    Example: ``list(answered([], "tcp://127.0.0.1", print))`` raises: there is no port.
    """
    kind = _client_type()
    with _quiet(), _connected(kind, address) as client:
        _say_threads(client, say)
        yield from _arriving(client, questions, address)


def _client_type() -> Any:
    """The class of clients."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            "scheduler: Dask is not installed: in the checkout, pip install '.[dask]'"
        ) from None
    return Client


@contextmanager
def _quiet() -> Generator[None]:
    """Keep what Dask logs out of the output: it is said here in one line."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    before = {name: logging.getLogger(name).level for name in names}
    try:
        for name in names:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@contextmanager
def _connected(client_type: Any, address: str) -> Generator[Client]:
    try:
        with ThreadPoolExecutor(1) as waiting:  # a notebook has a loop in its own thread
            kind = waiting.submit(asyncio.run, _kind_of(address)).result()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # versions of other packages
            client = None
            if kind == "Scheduler":
                client = client_type(address, timeout=_TIMEOUT, set_as_default=False)
    except (OSError, ValueError):
        raise InputError(
            f"scheduler: {address} does not answer within {_TIMEOUT} s; start one with: dask "
            "scheduler"
        ) from None
    if client is None:
        raise InputError(f"scheduler: at {address} there is a {kind} of Dask, and no scheduler")
    try:
        try:
            client.wait_for_workers(1, timeout=_TIMEOUT)
        except TimeoutError:
            raise InputError(
                f"scheduler: {address} has no workers; start some with: dask worker {address} "
                "--nthreads 1"
            ) from None
        yield client
    finally:
        client.close(timeout=_TIMEOUT)


async def _kind_of(address: str) -> str:
    """What a server of Dask says that it is; OSError for one that does not answer in time.

    A client would wait for ever for what takes a connection and then is silent.
    """
    from distributed.core import connect

    async def asked() -> str:
        comm = await connect(address, timeout=_TIMEOUT)
        try:
            await comm.write({"op": "identity"})
            return str((await comm.read())["type"])
        finally:
            comm.abort()

    return await asyncio.wait_for(asked(), _TIMEOUT)


def _say_threads(client: Client, say: Callable[[str], None]) -> None:
    """Say which workers have threads that only wait for each other."""
    threads: dict[str, int] = client.nthreads()
    if waiting := sum(number > 1 for number in threads.values()):
        say(
            f"{waiting} of {len(threads)} workers have several threads, of which one works at a "
            "time: start them with --nthreads 1, and more of them with --nworkers"
        )


def _arriving(client: Client, questions: Sequence[Data], address: str) -> Generator[Arrived]:
    from distributed import as_completed
    from distributed.client import ClosedClientError

    def asked(place: int) -> Future:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Sending large graph")
            return client.submit(answer, questions[place], pure=False, retries=_RETRIES)

    places = {asked(place): place for place in range(len(questions))}
    arriving = as_completed(list(places), loop=client.loop, raise_errors=False)
    lost: Counter[int] = Counter()
    for future in arriving:
        place = places.pop(future)
        found = _answer_of(future)
        if found is not None:
            yield place, found
            future.release()
            continue
        # its worker or the connection was lost, and the answer with it: ask again
        lost[place] += 1
        gone = PfverifyError(f"scheduler: {address} is gone, with what was not answered yet")
        if lost[place] > _RETRIES or not _answers(address):
            raise gone
        try:
            again = asked(place)
        except ClosedClientError:
            raise gone from None
        places[again] = place
        arriving.add(again)


def _answers(address: str) -> bool:
    """Whether there still is a scheduler at an address."""
    try:
        with ThreadPoolExecutor(1) as waiting:
            return waiting.submit(asyncio.run, _kind_of(address)).result() == "Scheduler"
    except (OSError, ValueError):
        return False


def _answer_of(future: Future) -> Data | None:
    """The answer of a future, or None where it is lost."""
    from distributed import KilledWorker

    match future.status:
        case "finished":
            try:
                found: Any = future.result()
            except (OSError, CancelledError):  # a connection has broken
                return None
        case "error":
            error = future.exception()
            if not isinstance(error, KilledWorker):
                said = f"{type(error).__name__}: {error}"
                raise InputError(f"scheduler: a worker cannot answer: {said}")
            found = {"error": "the workers that worked on it were lost", "kind": "lost"}
        case "lost" | "cancelled" | "pending":
            return None
        case other:
            raise PfverifyError(f"scheduler: a question is {other}, which is not known")
    if not isinstance(found, dict):
        raise InputError("scheduler: a worker's answer is no table")
    return found

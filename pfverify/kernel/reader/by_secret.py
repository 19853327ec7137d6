"""The laws of many secrets, each worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from core.kinds import Enclosed, Mixture

KEPT = 1 << 30  # bits of laws that are kept, some 130 MB


class BySecret(Mapping[str, Any]):
    """Secret -> law; a subclass says with `__getitem__` how one is worked out."""

    def __init__(self, secrets: Collection[Any]) -> None:
        self._names = secrets

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Kept(BySecret):
    """Secret -> law by a function; of the laws of before as many are kept as there is room for."""

    def __init__(self, secrets: Collection[Any], law: Callable[[str], Any]) -> None:
        super().__init__(secrets)
        self._law = law
        self._kept: dict[str, tuple[Any, int]] = {}
        self._size = 0

    def __getitem__(self, secret: str) -> Any:
        if secret not in self._kept:
            law = self._law(secret)
            size = _size(law)
            self._size += size
            while self._kept and self._size > KEPT:
                self._size -= self._kept.pop(next(iter(self._kept)))[1]
            self._kept[secret] = law, size
        return self._kept[secret][0]


def _size(law: Any) -> int:
    """Of a law in memory, about, in bits."""
    if isinstance(law, Enclosed):
        law = law.high
    parts = law.components if isinstance(law, Mixture) else getattr(law, "rows", None)
    masses = law.values() if parts is None else (row[-1] for row in parts)
    return sum(4000 + 2 * mass.denominator.bit_length() for mass in masses)

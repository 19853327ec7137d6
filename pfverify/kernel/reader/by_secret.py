"""The laws of many secrets, each worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any


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


class Made(BySecret):
    """Secret -> what a function makes of it; so many of them are kept, since a secret is in several
    goals."""

    def __init__(self, secrets: Collection[Any], make: Callable[[str], Any], most: int) -> None:
        super().__init__(secrets)
        self._make, self._most, self._kept = make, most, dict[str, Any]()

    def __getitem__(self, secret: str) -> Any:
        if secret not in self._kept:
            if len(self._kept) >= self._most:
                self._kept.clear()
            self._kept[secret] = self._make(secret)
        return self._kept[secret]

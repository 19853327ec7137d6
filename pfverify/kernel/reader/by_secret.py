"""The laws of many secrets, each worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
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

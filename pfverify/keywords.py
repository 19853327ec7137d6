"""Functions that take the same keywords: each shows them, and names itself where one is wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


def taking(options: Callable[..., Any]) -> Callable[[F], F]:
    """Return a decorator for a function whose keywords are what another takes with a default.

    They are shown as its own; an unknown one is a TypeError that names the function.
    Example: ``taking(sorted)(len)([1])`` is ``1``.
    """
    keywords = [
        one.replace(kind=Parameter.KEYWORD_ONLY)
        for one in signature(options).parameters.values() if one.default is not Parameter.empty
    ]  # fmt: skip

    def shown(function: F) -> F:
        own = signature(function)
        kept = [one for one in own.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
        told = own.replace(parameters=[*kept, *keywords])

        @wraps(function)
        def called(*arguments: Any, **given: Any) -> Any:
            try:
                told.bind(*arguments, **given)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function(*arguments, **given)

        vars(called)["__signature__"] = told
        return cast(F, called)

    return shown

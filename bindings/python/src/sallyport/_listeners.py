"""Calls what the game gave: an error of one listener stops neither the client nor the other listeners."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, Callable, Generic, List, Set, TypeVar

Value = TypeVar("Value")

# Keeps the tasks of listeners that are coroutines: the loop alone does not.
_running: "Set[asyncio.Task[Any]]" = set()


def _ended(task: "asyncio.Task[Any]") -> None:
    _running.discard(task)
    if not task.cancelled() and task.exception() is not None:
        _report(task.exception(), task)


def _report(error: object, source: object) -> None:
    context = {"message": "a listener of the Sallyport client failed", "exception": error, "listener": source}
    asyncio.get_running_loop().call_exception_handler(context)


async def _awaited(result: Any) -> None:
    await result


def notify(listener: Callable[..., object], *values: object) -> None:
    """Calls a listener, which may be a coroutine function."""
    try:
        result = listener(*values)
        if inspect.isawaitable(result):
            task = asyncio.get_running_loop().create_task(_awaited(result))
            _running.add(task)
            task.add_done_callback(_ended)
    except Exception as error:
        _report(error, listener)


class Listeners(Generic[Value]):
    def __init__(self) -> None:
        self._listeners: List[Callable[[Value], object]] = []

    def add(self, listener: Callable[[Value], object]) -> Callable[[], None]:
        """Returns what removes the listener."""
        self._listeners.append(listener)

        def remove() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return remove

    def notify(self, value: Value) -> None:
        for listener in tuple(self._listeners):
            if listener in self._listeners:
                notify(listener, value)

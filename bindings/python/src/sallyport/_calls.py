"""A method for each command and each event. The stub beside has their types."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, FrozenSet

from .protocol import COMMANDS, EVENTS


class _Named:
    _names: FrozenSet[str] = frozenset()

    def __init__(self, do: Callable[..., Any]) -> None:
        self._do = do

    def __getattr__(self, name: str) -> Any:
        if name.upper() not in self._names or name != name.lower():
            raise AttributeError(f"the protocol has no {name}")
        return partial(self._do, name.upper())

    def __dir__(self) -> Any:
        return sorted(name.lower() for name in self._names)


class AsyncCommands(_Named):
    _names = COMMANDS


class Commands(_Named):
    _names = COMMANDS


class AsyncEvents(_Named):
    _names = EVENTS


class Events(_Named):
    _names = EVENTS

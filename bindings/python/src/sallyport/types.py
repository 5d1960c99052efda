"""The values of the protocol are dictionaries while a program runs. The stub beside has the fields of each, for checkers and editors."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    return dict

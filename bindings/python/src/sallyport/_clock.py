"""The clock of a client: one that tests advance has the same two methods."""

from __future__ import annotations

import asyncio
import time
from typing import Callable, Protocol

Cancel = Callable[[], None]


class Clock(Protocol):
    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        ...

    def after(self, delay: float, task: Callable[[], None]) -> Cancel:
        """Calls the task once, on the loop that runs now. Returns what prevents it."""
        ...


class SystemClock:
    def now(self) -> float:
        return time.monotonic()

    def after(self, delay: float, task: Callable[[], None]) -> Cancel:
        return asyncio.get_running_loop().call_later(delay, task).cancel

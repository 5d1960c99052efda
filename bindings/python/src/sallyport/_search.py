"""The search for a server (as RFC 8305): tries candidates in order, starts the next when one fails or is slow, and prefers a bridge."""

from __future__ import annotations

import asyncio
from typing import Awaitable, Callable, Dict, List, Optional, Sequence, Set

from ._clock import Cancel, Clock
from ._discovery import Candidate
from ._server import ServerConnection
from .errors import ForeignServerError, SallyportError, ServerClosedError, ServerNotFoundError

# After which the next candidate starts while the one before is still open.
_HEAD_START_S = 0.25

Open = Callable[[Candidate], Awaitable[ServerConnection]]


def _not_found(candidates: Sequence[Candidate], errors: Sequence[BaseException], others: int) -> SallyportError:
    for error in errors:
        if isinstance(error, ServerClosedError):
            return error
    foreign = next((error for error in errors if isinstance(error, ForeignServerError)), None)
    if others > 0:
        sentence = "a server of the protocol was found, but it is not a Sallyport bridge"
    elif foreign is not None:
        sentence = f"no trusted server was found: {foreign}"
    else:
        sentence = "no server was found"
    first = candidates[0].path if candidates else "no candidate"
    found = ServerNotFoundError(f"{sentence} (searched from {first}); start one with: sallyport run")
    found.__cause__ = foreign if foreign is not None or not errors else errors[0]
    return found


class Search:
    def __init__(self, candidates: Sequence[Candidate], skipped: int, open_: Open, accept_others: bool, clock: Clock) -> None:
        """`skipped`: how many candidates were left out because what listens there is no bridge."""
        self._candidates = candidates
        self._skipped = skipped
        self._open = open_
        self._accept_others = accept_others
        self._clock = clock
        self._started = 0
        self._running: "Set[asyncio.Task[None]]" = set()
        self._others: Dict[Candidate, ServerConnection] = {}
        self._errors: List[BaseException] = []
        self._found: "asyncio.Future[Optional[ServerConnection]]" = asyncio.get_running_loop().create_future()
        self._cancel_head_start: Cancel = lambda: None

    async def run(self) -> ServerConnection:
        """Returns the first bridge that answers; or, when all have ended, the first other server if those are accepted. Closes the rest."""
        self._start_next()
        selected: Optional[ServerConnection] = None
        try:
            selected = await self._found
            if selected is None:
                raise _not_found(self._candidates, self._errors, self._skipped + len(self._others))
            return selected
        finally:
            self._cancel_head_start()
            for task in self._running:
                task.cancel()
            closing = [other.close() for other in self._others.values() if other is not selected]
            await asyncio.gather(*self._running, *closing, return_exceptions=True)

    def _finish(self, connection: Optional[ServerConnection]) -> None:
        if not self._found.done():
            self._found.set_result(connection)

    def _start_next(self) -> None:
        self._cancel_head_start()
        if self._found.done():
            return
        if self._started == len(self._candidates):
            if not self._running:
                self._finish(next((self._others[one] for one in self._candidates if one in self._others), None) if self._accept_others else None)
            return
        candidate = self._candidates[self._started]
        self._started += 1
        self._cancel_head_start = self._clock.after(_HEAD_START_S, self._start_next)
        task = asyncio.get_running_loop().create_task(self._try(candidate))
        self._running.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._running.discard(task)
        if not task.cancelled():
            self._start_next()

    async def _try(self, candidate: Candidate) -> None:
        try:
            connection = await self._open(candidate)
        except (SallyportError, OSError) as error:
            self._errors.append(error)
            return
        if connection.server.bridge is None:
            self._others[candidate] = connection
        elif self._found.done():
            await connection.close()
        else:
            self._finish(connection)

"""The calls that wait: each ends exactly once, by its response, its time limit, its cancellation, or the end of the connection."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Dict, NamedTuple, Union

from ._clock import Cancel, Clock
from ._messages import Refusal, Response
from .errors import CallError, CallTimeoutError


class _Pending(NamedTuple):
    command: str
    future: "asyncio.Future[Any]"
    cancel_limit: Cancel


class PendingCalls:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._pending: Dict[str, _Pending] = {}
        # Never reset, so that an answer to a call of an earlier connection matches no later call.
        self._last = 0

    def open(self, command: str, timeout: float, send: Callable[[str], None]) -> "asyncio.Future[Any]":
        """Registers a call, and sends it. Raises what `send` raises."""
        self._last += 1
        nonce = str(self._last)
        future: "asyncio.Future[Any]" = asyncio.get_running_loop().create_future()

        def expire() -> None:
            self._fail(nonce, CallTimeoutError(f"{command} timed out after {timeout:g} s; the server may still execute it"))

        self._pending[nonce] = _Pending(command, future, self._clock.after(timeout, expire))
        # A call that the game cancels ends here too.
        future.add_done_callback(lambda _: self._remove(nonce))
        try:
            send(nonce)
        except BaseException:
            future.cancel()
            raise
        return future

    def settle(self, message: Union[Response, Refusal]) -> None:
        """Ends the call with this nonce. Ignores late answers to calls that ended before."""
        call = None if message.nonce is None else self._pending.get(message.nonce)
        if call is None or call.future.done():
            return
        if isinstance(message, Response):
            call.future.set_result(message.data)
        else:
            call.future.set_exception(CallError(call.command, message.data))

    def fail_all(self, error: Exception) -> None:
        for nonce in tuple(self._pending):
            self._fail(nonce, error)

    def _fail(self, nonce: str, error: Exception) -> None:
        call = self._pending.get(nonce)
        if call is not None and not call.future.done():
            call.future.set_exception(error)

    def _remove(self, nonce: str) -> None:
        call = self._pending.pop(nonce, None)
        if call is not None:
            call.cancel_limit()

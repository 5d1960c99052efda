"""The calls that wait: each ends exactly once, by its response, its time limit, its cancellation, or the end of the connection.

One with a key may wait for the next connection instead.
"""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Dict, Optional, Union

from ._clock import Cancel, Clock
from ._keyed import KeyedCall, Repeat
from ._messages import Refusal, Response
from .errors import CallError, CallTimeoutError

Send = Callable[[str], None]


class _Pending:
    def __init__(self, command: str, keyed: Optional[KeyedCall], send: Optional[Send]) -> None:
        self.command = command
        self.keyed = keyed
        # What sends it again.
        self.send = send
        self.nonce = ""
        # Its connection ended, and it waits for the next.
        self.is_held = False
        self.future: "asyncio.Future[Any]" = asyncio.get_running_loop().create_future()
        self.cancel_limit: Cancel = lambda: None

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class PendingCalls:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # In the order in which they were made.
        self._pending: Dict[str, _Pending] = {}
        # Never reset, so that an answer to a call of an earlier connection matches no later call.
        self._last = 0

    def open(self, command: str, timeout: float, send: Send, keyed: Optional[KeyedCall] = None) -> "asyncio.Future[Any]":
        """Registers a call, and sends it by `send`, which gets the nonce. Raises what `send` raises."""
        call = _Pending(command, keyed, None if keyed is None else send)

        def expire() -> None:
            call.fail(CallTimeoutError(f"{command} timed out after {timeout:g} s; the server may still execute it"))

        self._register(call)
        call.cancel_limit = self._clock.after(timeout, expire)
        # A call that the game cancels ends here too.
        call.future.add_done_callback(lambda _: self._remove(call))
        try:
            send(call.nonce)
        except BaseException:
            call.future.cancel()
            raise
        return call.future

    def settle(self, message: Union[Response, Refusal]) -> None:
        """Ends the call with this nonce. Ignores late answers to calls that ended before."""
        call = None if message.nonce is None else self._pending.get(message.nonce)
        if call is None or call.future.done():
            return
        if isinstance(message, Response):
            call.future.set_result(message.data)
        else:
            call.fail(CallError(call.command, message.data))

    def fail_all(self, error: Exception) -> None:
        for call in tuple(self._pending.values()):
            call.fail(error)

    def hold(self, error: Exception) -> None:
        """The connection ended, and another one follows: those with a key wait for it."""
        for call in tuple(self._pending.values()):
            if call.keyed is None:
                call.fail(error)
            else:
                call.is_held = True

    def send_held(self, decide: Callable[[KeyedCall], Repeat], lost: Exception) -> None:
        """Sends those that wait again, in their order; those that may not be repeated end."""
        for call in tuple(self._pending.values()):
            if not call.is_held or call.keyed is None or call.send is None or call.future.done():
                continue
            decision = decide(call.keyed)
            if decision is Repeat.NEVER:
                call.fail(lost)
            if decision is not Repeat.NOW:
                continue
            self._pending.pop(call.nonce)
            call.is_held = False
            self._register(call)
            try:
                call.send(call.nonce)
            except CallError:
                # The first call may have been executed.
                call.fail(lost)

    def _register(self, call: _Pending) -> None:
        self._last += 1
        call.nonce = str(self._last)
        self._pending[call.nonce] = call

    def _remove(self, call: _Pending) -> None:
        if self._pending.pop(call.nonce, None) is not None:
            call.cancel_limit()

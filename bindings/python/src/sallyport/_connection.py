"""A connection that comes back: searches, restores what its owner wants, and waits between attempts."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from typing import Any, Callable, Deque, Dict, Mapping, Optional, Protocol
from collections import deque

from ._backoff import Backoff
from ._clock import Cancel, Clock
from ._discovery import Candidate, Discovery, candidates
from ._keyed import KeyedCall, Repeat
from ._listeners import Listeners
from ._messages import Event, Message, Refusal
from ._pending import PendingCalls
from ._search import Search
from ._server import Server, ServerConnection, open_connection
from ._states import Restored, State, after_failure
from .errors import (
    CallTimeoutError,
    ClientClosedError,
    ConnectionLostError,
    ForeignServerError,
    NotSentError,
    SallyportError,
    ServerClosedError,
)

# For so long a lost bridge may come back before another server is taken.
_BRIDGE_RETURN_S = 10.0
# Between handshakes with a server that is no bridge, because each delays those of other games there.
_OTHERS_RETRY_S = 60.0


class Owner(Protocol):
    async def restore(self) -> Restored:
        """Restores what is wanted; may send calls at once. Raises ConnectionLostError."""
        ...

    def on_event(self, event: str, data: Any) -> None: ...

    def on_lost(self, error: SallyportError) -> None: ...


class ReconnectingConnection:
    def __init__(
        self,
        discovery: Callable[[], Discovery],
        application_id: str,
        sdk_version: str,
        require_bridge: bool,
        backoff: Optional[Backoff],
        clock: Clock,
        random: Callable[[], float],
        owner: Owner,
    ) -> None:
        """`backoff` is None for a client that does not reconnect."""
        self._discovery = discovery
        self._application_id = application_id
        self._sdk_version = sdk_version
        self._require_bridge = require_bridge
        self._backoff = backoff
        self._clock = clock
        self._random = random
        self._owner = owner
        self._calls = PendingCalls(clock)
        self._listeners: Listeners[State] = Listeners()
        self._untold: Deque[State] = deque()
        self._is_telling = False
        self._state = State()
        self._connection: Optional[ServerConnection] = None
        self._task: "Optional[asyncio.Task[None]]" = None
        self._closing: "Optional[asyncio.Task[None]]" = None
        self._cancel_wait: Cancel = lambda: None
        self._was_bridge = False
        # The end of the last connection, for calls with a key that are not repeated.
        self._lost = ConnectionLostError("the connection was lost before the response")
        # Servers that are no bridge, with the time of the last handshake.
        self._others: Dict[str, float] = {}

    @property
    def state(self) -> State:
        return self._state

    @property
    def server(self) -> Optional[Server]:
        return None if self._connection is None else self._connection.server

    def on_state(self, listener: Callable[[State], object]) -> Callable[[], None]:
        return self._listeners.add(listener)

    async def connect(self, timeout: float) -> Server:
        now = self._clock.now()
        if self._state.name == "offline":
            self._find(State("connecting", since=now, give_up_at=now + timeout))
        elif self._state.name == "waiting":
            self._retry()
        return await self.wait_ready(None)

    async def wait_ready(self, timeout: Optional[float]) -> Server:
        """Raises CallTimeoutError, or why the client is offline, or ClientClosedError."""
        loop = asyncio.get_running_loop()
        done: "asyncio.Future[Server]" = loop.create_future()

        def look(_: object = None) -> None:
            # The state now, which may differ from the one that is told.
            state = self._state
            if done.done():
                return
            if state.name == "ready" and state.server is not None:
                done.set_result(state.server)
            elif state.name == "closed":
                done.set_exception(ClientClosedError("the client was closed"))
            elif state.name == "offline":
                done.set_exception(state.error or NotSentError("the client is offline; call connect() first"))

        def expire() -> None:
            if not done.done():
                done.set_exception(CallTimeoutError(f"not connected within {timeout:g} s"))

        remove = self.on_state(look)
        cancel: Cancel = (lambda: None) if timeout is None else self._clock.after(timeout, expire)
        try:
            look()
            return await done
        finally:
            remove()
            cancel()

    def send(
        self, command: str, args: Optional[Mapping[str, Any]], event: Optional[str], timeout: float, keyed: Optional[KeyedCall] = None
    ) -> "asyncio.Future[Any]":
        """Sends a call in any state. Raises NotSentError if there is no connection, CallError for a call over the limit."""
        if self._connection is None:
            raise NotSentError(f"{command} was not sent: there is no connection")
        message: Dict[str, Any] = {"cmd": command, "args": args or {}}
        if event is not None:
            message["evt"] = event
        if keyed is not None:
            message["key"] = keyed.key

        def send(nonce: str) -> None:
            if self._connection is not None:
                self._connection.send(command, {**message, "nonce": nonce})

        return self._calls.open(command, timeout, send, keyed)

    def send_held(self, account: Optional[str], may_change: bool) -> None:
        """Sends the calls with a key again that an earlier connection left without an answer. When it is ready."""
        now, server = self._clock.now(), self.server
        keeps_keys = server is not None and server.keeps_keys
        self._calls.send_held(lambda call: call.repeat_as(account, may_change, now) if keeps_keys else Repeat.NEVER, self._lost)

    async def close(self) -> None:
        if self._state.name != "closed":
            self._enter(State("closed"))
            self._disconnect()
            self._calls.fail_all(ClientClosedError("the client was closed before the response"))
            self._tell()
        if self._closing is not None:
            await asyncio.shield(self._closing)

    def on_message(self, message: Message) -> None:
        if isinstance(message, Event):
            self._owner.on_event(message.name, message.data)
        elif isinstance(message, Refusal) and message.nonce is None:
            self._owner.on_event("ERROR", message.data)
        else:
            self._calls.settle(message)

    def on_end(self, error: SallyportError) -> None:
        self._owner.on_lost(error)
        self._fail(error)

    def _enter(self, state: State) -> None:
        self._state = state
        self._untold.append(state)
        self._cancel_wait()

    def _tell(self) -> None:
        """All listeners hear of one state before the next, so that each hears them in order."""
        if self._is_telling:
            return
        self._is_telling = True
        try:
            while self._untold:
                self._listeners.notify(self._untold.popleft())
        finally:
            self._is_telling = False

    def _find(self, state: State) -> None:
        self._enter(state)
        self._task = asyncio.get_running_loop().create_task(self._run())
        self._tell()

    def _retry(self) -> None:
        self._find(replace(self._state, name="connecting", error=None, delay=0.0))

    async def _run(self) -> None:
        """One attempt: finds a server and restores."""
        try:
            connection = await self._search()
        except SallyportError as error:
            self._fail(error)
            return
        self._connection = connection
        self._others.clear()
        server = connection.server
        self._was_bridge = server.bridge is not None
        connection.attach(self)
        if self._connection is not connection:
            return
        self._owner.on_event("READY", server.ready)
        try:
            restored = await self._owner.restore()
        except SallyportError as error:
            # A lost connection was reported before.
            if self._connection is connection:
                self._fail(error)
            return
        if self._connection is connection:
            self._enter(replace(self._state, name="ready", server=server, restored=restored, ready_at=self._clock.now(), give_up_at=None))
            self._tell()

    async def _search(self) -> ServerConnection:
        discovery = self._discovery()
        accepts = not self._require_bridge and not self._waits_for_bridge()
        every = candidates(discovery)
        now = self._clock.now()
        chosen = [one for one in every if accepts or now - self._others.get(one.path, -_OTHERS_RETRY_S) >= _OTHERS_RETRY_S]

        async def open_one(candidate: Candidate) -> ServerConnection:
            if candidate.is_packaged and not (accepts and discovery.allow_packaged_client):
                raise _left_out(candidate)
            connection = await open_connection(candidate, self._application_id, self._sdk_version, self._clock)
            if connection.server.bridge is None:
                self._others[candidate.path] = self._clock.now()
            elif candidate.is_packaged:
                await connection.close()
                raise ForeignServerError(f"the server at {candidate.path} says that it is a bridge, where contained programs can listen")
            return connection

        return await Search(chosen, len(every) - len(chosen), open_one, accepts, self._clock).run()

    def _waits_for_bridge(self) -> bool:
        return self._was_bridge and self._clock.now() - self._state.since < _BRIDGE_RETURN_S

    def _fail(self, error: SallyportError) -> None:
        if self._state.name not in ("connecting", "ready"):
            return
        detail = f": {error}" if isinstance(error, ServerClosedError) else ""
        self._lost = ConnectionLostError(f"the connection was lost before the response{detail}")
        self._lost.__cause__ = error
        state = after_failure(self._state, error, self._clock.now(), self._random(), self._backoff)
        self._enter(state)
        self._disconnect()
        if state.name == "waiting":
            self._calls.hold(self._lost)
            self._cancel_wait = self._clock.after(state.delay, self._retry)
        else:
            self._calls.fail_all(self._lost)
        self._tell()

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        task, self._task = self._task, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()
        if connection is not None:
            self._closing = asyncio.get_running_loop().create_task(connection.close())


def _left_out(candidate: Candidate) -> Exception:
    if not os.path.exists(candidate.path):
        return FileNotFoundError(f"{candidate.path} does not exist")
    return ForeignServerError(
        f"contained programs can listen at {candidate.path}; the client uses the platform's own client there only with allow_packaged_client"
    )

"""The blocking client: for games with a loop of their own, and for scripts. It runs an AsyncClient on a thread of its own."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Sequence, TypeVar

from ._calls import Commands, Events
from ._server import Server
from ._session import Presence
from ._states import State
from ._subscriptions import Listener
from ._subscriptions import Subscription as AsyncSubscription
from .aio import AsyncClient
from .errors import ClientClosedError, SallyportError
from .protocol import DEFAULT_PRESENCE_SCOPES

Result = TypeVar("Result")


class Subscription:
    """A listener of one event, which `poll` calls. `close` removes it."""

    def __init__(self, inner: AsyncSubscription, run: Callable[[Callable[[], Awaitable[None]]], None]) -> None:
        self._inner = inner
        self._run = run

    @property
    def event(self) -> str:
        return self._inner.event

    @property
    def status(self) -> str:
        """waiting, active, refused or closed."""
        return self._inner.status

    @property
    def error(self) -> Optional[SallyportError]:
        """The error of the last refusal."""
        return self._inner.error

    def wait_active(self) -> None:
        """Returns when the server has confirmed it. Raises the error of a refusal, or ClientClosedError."""
        self._run(self._inner.active)

    def close(self) -> None:
        async def close() -> None:
            self._inner.close()

        self._run(close)


class Client:
    """Each method waits for its result. Listeners run in `poll`, on the thread that calls it.

    Takes the options of AsyncClient. `commands` and `events` have a typed method for each command and event.
    """

    def __init__(self, application_id: str, **options: Any) -> None:
        self._heard: "queue.SimpleQueue[Callable[[], object]]" = queue.SimpleQueue()
        self._is_closed = False
        self._loop = asyncio.new_event_loop()
        # Made before the thread starts: a wrong option is an error here.
        self._client = AsyncClient(application_id, **options)
        self._thread = threading.Thread(target=self._serve, name="sallyport", daemon=True)
        self._thread.start()
        self.commands = Commands(self.call)
        self.events = Events(self.on)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def state(self) -> State:
        return self._client.state

    @property
    def account(self) -> str:
        """signed-out, signed-in, or revoked: the player or the platform took the permission back."""
        return self._client.account

    @property
    def current_user(self) -> Optional[Dict[str, Any]]:
        """The signed-in user; None while signed out or disconnected."""
        return self._client.current_user

    @property
    def server(self) -> Optional[Server]:
        return self._client.server

    def connect(self, timeout: float = 0.0) -> Server:
        """As AsyncClient.connect."""
        return self._run(lambda: self._client.connect(timeout))

    def start(self) -> None:
        """Begins to search for a server, without an end, and returns at once."""

        async def start() -> None:
            task = asyncio.ensure_future(self._client.connect(threading.TIMEOUT_MAX))
            task.add_done_callback(lambda done: None if done.cancelled() else done.exception())

        self._run(start)

    def wait_ready(self, timeout: Optional[float] = None) -> Server:
        """As AsyncClient.wait_ready."""
        return self._run(lambda: self._client.wait_ready(timeout))

    def call(
        self, command: str, args: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None, key: Optional[str] = None
    ) -> Any:
        """As AsyncClient.call."""
        return self._run(lambda: self._client.call(command, args, timeout=timeout, key=key))

    def on(self, event: str, listener: Listener, args: Optional[Mapping[str, Any]] = None) -> Subscription:
        """Adds a listener, kept across connections. `poll` calls it."""

        async def add() -> AsyncSubscription:
            return self._client.on(event, lambda data: self._heard.put(lambda: listener(data)), args)

        return Subscription(self._run(add), self._run)

    def on_state(self, listener: Callable[[State], object]) -> Callable[[], None]:
        """`poll` calls the listener for every change of `state`. Returns what removes it."""
        return self._client.on_state(lambda state: self._heard.put(lambda: listener(state)))

    def on_account(self, listener: Callable[[str], object]) -> Callable[[], None]:
        """`poll` calls the listener for every change of `account`. Returns what removes it."""
        return self._client.on_account(lambda account: self._heard.put(lambda: listener(account)))

    def on_presence(self, listener: Callable[[Presence], object]) -> Callable[[], None]:
        """`poll` calls the listener once for a presence that was set without a connection, when it is shown or refused."""
        return self._client.on_presence(lambda presence: self._heard.put(lambda: listener(presence)))

    def poll(self, timeout: float = 0.0) -> int:
        """Calls the listeners of what came since; waits at most so many seconds for the first. Returns how many it called."""
        until = time.monotonic() + timeout
        called = 0
        while True:
            try:
                call = self._heard.get(timeout=max(0.0, until - time.monotonic())) if called == 0 and timeout > 0 else self._heard.get_nowait()
            except queue.Empty:
                return called
            called += 1
            call()

    def sign_in(self, scopes: Sequence[str] = DEFAULT_PRESENCE_SCOPES, *, timeout: Optional[float] = None) -> Dict[str, Any]:
        """As AsyncClient.sign_in."""
        return self._run(lambda: self._client.sign_in(scopes, timeout=timeout))

    def sign_in_silently(self, *, timeout: Optional[float] = None) -> Dict[str, Any]:
        """As AsyncClient.sign_in_silently."""
        return self._run(lambda: self._client.sign_in_silently(timeout=timeout))

    def ask_to_sign_in(self, scopes: Sequence[str], *, timeout: Optional[float] = None) -> Dict[str, Any]:
        """As AsyncClient.ask_to_sign_in."""
        return self._run(lambda: self._client.ask_to_sign_in(scopes, timeout=timeout))

    def sign_out(self) -> None:
        """As AsyncClient.sign_out."""
        self._run(self._client.sign_out)

    def set_activity(self, activity: Mapping[str, Any], *, pid: Optional[int] = None) -> Optional[Dict[str, Any]]:
        """As AsyncClient.set_activity."""
        return self._run(lambda: self._client.set_activity(activity, pid=pid))

    def clear_activity(self, *, pid: Optional[int] = None) -> None:
        """As AsyncClient.clear_activity."""
        self._run(lambda: self._client.clear_activity(pid=pid))

    def close(self) -> None:
        """Closes the client and ends its thread; may be called twice."""
        if self._is_closed:
            return
        self._run(self._client.close)
        self._is_closed = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    def _run(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Runs it on the loop of the client and waits. An interrupt cancels it."""
        if self._is_closed:
            raise ClientClosedError("the client was closed")

        async def run() -> Result:
            return await work()

        future = asyncio.run_coroutine_threadsafe(run(), self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

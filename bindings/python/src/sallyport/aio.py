"""The client for asyncio: a connection of one application to a local server of the protocol, restored after every loss."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from typing import Any, Callable, Dict, Mapping, Optional, Sequence

from ._backoff import Backoff
from ._calls import AsyncCommands, AsyncEvents
from ._clock import Clock, SystemClock
from ._connection import ReconnectingConnection
from ._discovery import Discovery
from ._keyed import KeyedCall, check_key
from ._server import Server
from ._session import Presence, Session
from ._sign_in import authorize
from ._states import State
from ._subscriptions import Listener, Subscription
from ._trust import is_contained, own_folder
from .errors import CallError, NotSentError
from .protocol import DEFAULT_PRESENCE_SCOPES

SDK_VERSION = "sallyport-python/0.1.0"
# The bridge's own limit for a call, and what is added so that its error, which says more, comes first.
_BRIDGE_CALL_S = 30.0
_MARGIN_S = 5.0


class AsyncClient:
    """Everything runs on one event loop. `commands` and `events` have a typed method for each command and event."""

    def __init__(
        self,
        application_id: str,
        *,
        runtime_dir: Optional[str] = None,
        slot: Optional[int] = None,
        ipc_prefix: str = "discord-ipc",
        require_bridge: bool = False,
        allow_packaged_client: bool = False,
        reconnect: bool = True,
        call_timeout: Optional[float] = None,
        sdk_version: str = SDK_VERSION,
        clock: Optional[Clock] = None,
    ) -> None:
        """Does not connect. README.md has the options. Raises ValueError for an id that is not decimal text."""
        if not (application_id.isascii() and application_id.isdecimal()):
            raise ValueError(f"application_id must be decimal text, not {application_id!r}")
        self._application_id = application_id
        self._call_timeout = call_timeout
        used = clock or SystemClock()

        def discovery() -> Discovery:
            return Discovery(
                platform=sys.platform,
                env=os.environ,
                own_folder=own_folder,
                is_contained=is_contained(),
                runtime_dir=runtime_dir,
                slot=slot,
                ipc_prefix=ipc_prefix,
                allow_packaged_client=allow_packaged_client,
            )

        self._session = Session(self._send, lambda *now: self._connection.send_held(*now), used, random.random)
        backoff = Backoff() if reconnect else None
        self._connection = ReconnectingConnection(
            discovery, application_id, sdk_version, require_bridge, backoff, used, random.random, self._session
        )
        self._connection.on_state(self._session.on_state)
        self.commands = AsyncCommands(self.call)
        self.events = AsyncEvents(self.on)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def state(self) -> State:
        return self._connection.state

    @property
    def account(self) -> str:
        """signed-out, signed-in, or revoked: the player or the platform took the permission back."""
        return self._session.account

    @property
    def current_user(self) -> Optional[Dict[str, Any]]:
        """The signed-in user; None while signed out or disconnected."""
        return self._session.current_user

    @property
    def server(self) -> Optional[Server]:
        return self._connection.server

    async def connect(self, timeout: float = 0.0) -> Server:
        """Searches for so many seconds (0: looks once), and connects again after each loss until `close`.

        Raises ServerNotFoundError, or ServerClosedError if a server refused.
        """
        return await self._connection.connect(timeout)

    async def wait_ready(self, timeout: Optional[float] = None) -> Server:
        """Returns when calls can be made. Raises CallTimeoutError, or why the client is offline."""
        return await self._connection.wait_ready(timeout)

    async def call(
        self, command: str, args: Optional[Mapping[str, Any]] = None, *, timeout: Optional[float] = None, key: Optional[str] = None
    ) -> Any:
        """Makes one call; `commands` has the same with types.

        A call of `protocol.KEYED_COMMANDS` whose connection was lost is repeated on the next one, and takes effect at most once: after
        UNKNOWN_OUTCOME it may have done so or not. `key` is one of `new_key` that the game stored before; a game that was killed repeats
        within five minutes of the first call. Raises CallError (the server refused it), CallTimeoutError, NotSentError (no connection),
        KeyNotKeptError (the server does not keep the key of the game), ConnectionLostError (the connection ended before the response; the
        server may have executed the call), ValueError (a key of another form, or for a command that takes none).
        """
        check_key(command, key)
        state = self.state
        if state.name != "ready":
            self._session.keep(command, args)
            raise NotSentError(f"{command} was not sent: the client is {state.name}; await wait_ready() first")
        return await self._session.call(command, args, timeout, key)

    def on(self, event: str, listener: Listener, args: Optional[Mapping[str, Any]] = None) -> Subscription:
        """Adds a listener, kept across connections; it may be a coroutine function. `events` has the same with types."""
        return self._session.listen(event, args, listener)

    def on_state(self, listener: Callable[[State], object]) -> Callable[[], None]:
        """Calls the listener on every change of `state`. Returns what removes it."""
        return self._connection.on_state(listener)

    def on_account(self, listener: Callable[[str], object]) -> Callable[[], None]:
        """Calls the listener on every change of `account`. Returns what removes it."""
        return self._session.on_account(listener)

    def on_presence(self, listener: Callable[[Presence], object]) -> Callable[[], None]:
        """Calls the listener once for a presence that was set without a connection, when it is shown or refused."""
        return self._session.on_presence(listener)

    async def sign_in(self, scopes: Sequence[str] = DEFAULT_PRESENCE_SCOPES, *, timeout: Optional[float] = None) -> Dict[str, Any]:
        """Signs in silently; asks the player only if nothing valid is stored. Raises CallError; OAUTH2_ERROR if the player declines."""
        try:
            return await self.sign_in_silently()
        except CallError as error:
            # A rate limit, an unreachable platform or a refusal is no reason to open a page.
            if error.name != "INVALID_TOKEN":
                raise
        return await self.ask_to_sign_in(scopes, timeout=timeout)

    async def sign_in_silently(self, *, timeout: Optional[float] = None) -> Dict[str, Any]:
        """Signs in with what is stored for this program. Raises CallError INVALID_TOKEN if there is nothing."""
        result: Dict[str, Any] = await self.call("AUTHENTICATE", {}, timeout=timeout)
        return result

    async def ask_to_sign_in(self, scopes: Sequence[str], *, timeout: Optional[float] = None) -> Dict[str, Any]:
        """Asks the player for these scopes, also if something is stored; for other scopes, or another account."""

        async def request(command: str, args: Mapping[str, Any], limit: Optional[float]) -> Any:
            return await self.call(command, args, timeout=limit)

        return await authorize(request, self._application_id, scopes, timeout)

    async def sign_out(self) -> None:
        """Signs out: the bridge forgets the tokens of this program."""
        await self.call("FORGET_TOKENS")

    async def set_activity(self, activity: Mapping[str, Any], *, pid: Optional[int] = None) -> Optional[Dict[str, Any]]:
        """Sets the presence of this process, now and on later connections. Returns it as it is shown.

        Returns None if there is no connection: the client keeps it, shows it later, and then tells `on_presence`. Raises CallError.
        """
        return await self._show({"pid": os.getpid() if pid is None else pid, "activity": activity})

    async def clear_activity(self, *, pid: Optional[int] = None) -> None:
        """Clears the presence, now or, if there is no connection, on the next one."""
        await self._show({"pid": os.getpid() if pid is None else pid})

    async def close(self) -> None:
        """Closes the client; may be called twice. Pending calls end with ClientClosedError."""
        await self._connection.close()

    async def _show(self, args: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
        try:
            shown: Optional[Dict[str, Any]] = await self.call("SET_ACTIVITY", args)
            return shown
        except NotSentError:
            if self.state.name == "closed":
                raise
            return None

    def _send(
        self,
        command: str,
        args: Optional[Mapping[str, Any]],
        event: Optional[str],
        timeout: Optional[float],
        keyed: Optional[KeyedCall],
    ) -> "asyncio.Future[Any]":
        if timeout is None:
            timeout = self._call_timeout
        if timeout is None:
            timeout = max(_BRIDGE_CALL_S, self._session.call_timeout or 0.0) + _MARGIN_S
        return self._connection.send(command, args, event, timeout, keyed)

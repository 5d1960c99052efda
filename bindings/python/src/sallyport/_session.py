"""Keeps account, subscriptions and presence of a game across connections, and restores them in the order that the platform needs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Set

from ._backoff import Backoff
from ._clock import Cancel, Clock
from ._desired import Credential, Desired, Grant, credential_of
from ._fields import fields_of
from ._keyed import Account, KeyedCall, keyed_call
from ._listeners import Listeners
from ._states import Restored, State
from ._subscriptions import Entry, Listener, Subscription, Subscriptions
from ._wire import decode_json, encode_json
from .errors import CallError, ConnectionLostError, NotSentError, SallyportError, ServerClosedError
from .protocol import CloseCode

# A server may delay the answer to a subscription, for example until it has loaded a guild.
_RESTORE_S = 1.0
_SIGN_IN = ("AUTHENTICATE", "UPDATE_TOKEN")
_RESUBSCRIBE = Backoff(first=1.0, early_cap=60.0, cap=60.0)
_AGAIN = Backoff()

Send = Callable[[str, Optional[Mapping[str, Any]], Optional[str], Optional[float], Optional[KeyedCall]], "asyncio.Future[Any]"]
# Repeats the writes of an account that earlier connections left; those of another one wait while the account may change.
SendHeld = Callable[[Optional[str], bool], None]


@dataclass(frozen=True)
class Presence:
    """The end of a presence that was set without a connection: shown or cleared (`activity` as the server shows it), or refused."""

    activity: Optional[Dict[str, Any]]
    error: Optional[SallyportError]


def _none() -> None:
    pass


class Session:
    def __init__(self, send: Send, send_held: SendHeld, clock: Clock, random: Callable[[], float]) -> None:
        """`send` sends a call on the current connection, with a time limit in seconds or that of the client."""
        self._send_raw = send
        self._send_held_raw = send_held
        self._clock = clock
        self._random = random
        self._subscriptions = Subscriptions()
        self._desired = Desired()
        self._account_listeners: Listeners[str] = Listeners()
        self._presence_listeners: Listeners[Presence] = Listeners()
        self.account = "signed-out"
        self._key_account = Account(self._send_held)
        self._keeps_keys = False
        self._user: Optional[Dict[str, Any]] = None
        self._is_ready = False
        self._cancel_sign_in: Cancel = _none
        self._cancel_resubscribe: Optional[Cancel] = None
        self._resubscribe_attempt = 0
        self._tasks: "Set[asyncio.Future[Any]]" = set()

    @property
    def call_timeout(self) -> Optional[float]:
        """Seconds that calls may take at the server, if the game has set that."""
        return self._desired.call_timeout

    @property
    def current_user(self) -> Optional[Dict[str, Any]]:
        return self._user if self._is_ready and self.account == "signed-in" else None

    def on_account(self, listener: Callable[[str], object]) -> Callable[[], None]:
        return self._account_listeners.add(listener)

    def on_presence(self, listener: Callable[[Presence], object]) -> Callable[[], None]:
        return self._presence_listeners.add(listener)

    def listen(self, event: str, args: Optional[Mapping[str, Any]], listener: Listener) -> Subscription:
        def on_subscribe() -> None:
            if self._is_ready:
                self._subscribe_pending()

        def on_unsubscribe(entry: Entry) -> None:
            # Also while the rest is being restored, because it may be subscribed already.
            self._start(self._subscribe("UNSUBSCRIBE", entry))

        return self._subscriptions.add(event, args, listener, on_subscribe, on_unsubscribe)

    async def call(self, command: str, args: Optional[Mapping[str, Any]], timeout: Optional[float], key: Optional[str]) -> Any:
        """Makes a call of the game, and learns from it what to restore. Without a key the client makes one if the command takes one."""
        keyed = keyed_call(command, key, self._keeps_keys, self._key_account.id, self._clock.now())
        if keyed is not None:
            # A copy, because games change and reuse their own, and a repeat must have the same.
            args = decode_json(encode_json(args or {}))
        is_presence = command == "SET_ACTIVITY" and args is not None
        undo = self._desired.set_presence(args) if is_presence and args is not None else _none
        try:
            data = await self._send(command, args, None, timeout, keyed)
        except NotSentError:
            self.keep(command, args)
            raise
        except CallError:
            undo()
            raise
        if command in _SIGN_IN:
            self._signed_in(credential_of(args, data))
        elif command == "FORGET_TOKENS":
            self._signed_out("signed-out")
        elif command == "SET_HTTP_REQUEST_TIMEOUT" and args is not None:
            self._desired.call_timeout = args["timeout_ms"] / 1000
        return data

    def keep(self, command: str, args: Optional[Mapping[str, Any]]) -> None:
        """A call could not be sent. A presence is shown later."""
        if command == "SET_ACTIVITY" and args is not None:
            self._desired.keep_presence(args)

    async def restore(self) -> Restored:
        """AUTHORIZE_REQUEST, the sign-in, the other subscriptions, the presence. Raises ConnectionLostError."""
        self._key_account.connected()
        # Before the sign-in, which can take half a minute if the platform cannot be reached.
        first = self._start(self._subscriptions.subscribe_first(self._subscribe))
        if self._desired.call_timeout is not None:
            milliseconds = round(self._desired.call_timeout * 1000)
            self._start(self._send("SET_HTTP_REQUEST_TIMEOUT", {"timeout_ms": milliseconds}))
        sign_in = await self._restore_sign_in()
        await self._within(first)
        if sign_in == "done":
            self._set_account("signed-in")
            self._subscriptions.requeue_refused()
        elif self.account == "signed-in":
            self._set_account("signed-out")
        subscribed = self._start(self._subscriptions.subscribe_all(self._subscribe))
        subscribed.add_done_callback(lambda _: self._schedule_resubscribe())
        shown = self._restore_presence()
        presence = "none" if shown is None else await self._presence_outcome(shown)
        await self._within(subscribed)
        return Restored(sign_in, self._subscriptions.count("active"), self._subscriptions.count("refused"), presence)

    def on_state(self, state: State) -> None:
        self._is_ready = state.name == "ready"
        self._cancel_sign_in()
        self._stop_resubscribe()
        if state.name == "closed":
            self._subscriptions.close()
        elif state.name in ("waiting", "offline"):
            self._subscriptions.reset()
        elif state.name == "ready":
            self._keeps_keys = state.server is not None and state.server.keeps_keys
            self._send_held()
            # What changed while the rest was being restored.
            self._resubscribe_attempt = 0
            self._subscribe_pending()
            if self._desired.unsent_presence is not None:
                self._restore_presence()
            if state.restored.sign_in == "failed":
                self._schedule_sign_in(0)

    def on_event(self, event: str, data: Any) -> None:
        if event == "TOKEN_REVOKED":
            self._signed_out("revoked")
        self._subscriptions.deliver(event, data)

    def on_lost(self, error: SallyportError) -> None:
        if isinstance(error, ServerClosedError) and error.close_code == CloseCode.TOKEN_REVOKED:
            self._signed_out("revoked")

    def _send(
        self,
        command: str,
        args: Optional[Mapping[str, Any]],
        event: Optional[str] = None,
        timeout: Optional[float] = None,
        keyed: Optional[KeyedCall] = None,
    ) -> Awaitable[Any]:
        """Sends a call at once: calls keep their order."""
        try:
            answer = self._send_raw(command, args, event, timeout, keyed)
        except SallyportError as error:
            failed: "asyncio.Future[Any]" = asyncio.get_running_loop().create_future()
            failed.set_exception(error)
            return failed
        self._key_account.watch(command, answer)
        return self._with_user(answer) if command in _SIGN_IN else answer

    def _send_held(self) -> None:
        signs_in = self._desired.credential is not None and self.account != "signed-in"
        if self._is_ready:
            self._send_held_raw(self._key_account.id, signs_in or self._key_account.is_changing)

    async def _with_user(self, answer: Awaitable[Any]) -> Any:
        data = await answer
        self._user = fields_of((fields_of(data) or {}).get("user"))
        return data

    def _subscribe(self, command: str, entry: Entry) -> Awaitable[Any]:
        return self._send(command, entry.args, entry.event)

    def _start(self, work: Awaitable[Any]) -> "asyncio.Future[Any]":
        """Goes on without it; its error is that of the call, which is reported elsewhere."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda done: None if done.cancelled() else done.exception())
        return task

    async def _within(self, task: "asyncio.Future[Any]") -> bool:
        """Waits a second for it. False if it goes on. Raises ConnectionLostError."""
        late = asyncio.Event()
        cancel = self._clock.after(_RESTORE_S, late.set)
        waiting = asyncio.ensure_future(late.wait())
        try:
            await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            cancel()
            waiting.cancel()
        if task.done() and isinstance(task.exception(), ConnectionLostError):
            task.result()
        return task.done()

    def _restore_presence(self) -> "Optional[asyncio.Future[Any]]":
        unsent = self._desired.unsent_presence
        presence = self._desired.take_presence() or unsent
        if presence is None:
            return None
        task = self._start(self._send("SET_ACTIVITY", presence))
        if unsent is not None:
            args = unsent
            task.add_done_callback(lambda done: self._tell_presence(args, done))
        return task

    def _tell_presence(self, args: Dict[str, Any], task: "asyncio.Future[Any]") -> None:
        error = None if task.cancelled() else task.exception()
        if task.cancelled() or isinstance(error, ConnectionLostError):
            self._desired.keep_again(args)
        elif self._desired.end_kept(args, isinstance(error, CallError)):
            if error is None:
                self._presence_listeners.notify(Presence(task.result(), None))
            elif isinstance(error, SallyportError):
                self._presence_listeners.notify(Presence(None, error))

    async def _presence_outcome(self, shown: "asyncio.Future[Any]") -> str:
        is_done = await self._within(shown)
        return "done" if is_done and shown.exception() is None else "failed"

    async def _restore_sign_in(self) -> str:
        credential = self._desired.credential
        if credential is None:
            return "none"
        try:
            try:
                await self._send("AUTHENTICATE", credential.args)
            except CallError as error:
                # Bridges of earlier versions do not take the user.
                if not isinstance(credential, Grant) or error.name != "INVALID_PAYLOAD":
                    raise
                await self._send("AUTHENTICATE", {})
            return "done"
        except ConnectionLostError:
            raise
        except CallError as error:
            if not error.is_retryable:
                self._desired.credential = None
            return "failed"
        except SallyportError:
            return "failed"

    def _subscribe_pending(self) -> None:
        task = self._start(self._subscriptions.subscribe_all(self._subscribe))
        task.add_done_callback(lambda _: self._schedule_resubscribe())

    def _schedule_resubscribe(self) -> None:
        """Refused subscriptions whose reason may pass are tried again, with growing delays."""
        if not self._is_ready or not self._subscriptions.has_transient_refusals:
            self._stop_resubscribe()
            return
        # New subscriptions must not put it off.
        if self._cancel_resubscribe is not None:
            return

        def retry() -> None:
            self._cancel_resubscribe = None
            self._resubscribe_attempt += 1
            self._subscriptions.requeue_refused(only_transient=True)
            self._subscribe_pending()

        self._cancel_resubscribe = self._clock.after(_RESUBSCRIBE.delay(self._resubscribe_attempt, 0, self._random()), retry)

    def _stop_resubscribe(self) -> None:
        if self._cancel_resubscribe is not None:
            self._cancel_resubscribe()
            self._cancel_resubscribe = None

    def _signed_in(self, credential: Credential) -> None:
        self._desired.credential = credential
        self._cancel_sign_in()
        self._set_account("signed-in")
        self._send_held()
        self._subscriptions.requeue_refused()
        self._subscribe_pending()

    def _signed_out(self, account: str) -> None:
        self._key_account.signed_out()
        self._desired.credential = None
        self._cancel_sign_in()
        self._set_account(account)
        self._send_held()

    def _schedule_sign_in(self, attempt: int) -> None:
        """Signs in again while there is a credential, because the platform may not be reachable."""
        if self._desired.credential is None:
            self._send_held()
            return
        credential: Credential = self._desired.credential

        async def retry() -> None:
            try:
                outcome = await self._restore_sign_in()
            except ConnectionLostError:
                return
            if not self._is_ready or self.account == "signed-in":
                return
            if outcome == "done":
                self._signed_in(credential)
            elif outcome == "failed":
                self._schedule_sign_in(attempt + 1)

        delay = _AGAIN.delay(attempt + 3, _AGAIN.early, self._random())
        self._cancel_sign_in = self._clock.after(delay, lambda: None if self._start(retry()) else None)

    def _set_account(self, account: str) -> None:
        if account != self.account:
            self.account = account
            self._account_listeners.notify(account)

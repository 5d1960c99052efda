"""The subscriptions of the game: one entry for each event and its arguments, shared by its listeners and kept across connections."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Optional, Tuple

from ._fields import fields_of
from ._listeners import notify
from .errors import CallError, ClientClosedError, ConnectionLostError, SallyportError
from .protocol import AUTOMATIC_EVENTS

Listener = Callable[[Any], object]

# Subscribed first on every connection, because the platform needs it to offer account linking.
_FIRST = "AUTHORIZE_REQUEST"

# Only a sign-in resolves these, and after a sign-in every refused subscription is tried again.
_NEEDS_SIGN_IN = ("INVALID_PERMISSIONS", "INVALID_TOKEN")

_PUBLIC = {"unsent": "waiting", "sent": "waiting", "active": "active", "refused": "refused"}


class Handle:
    """One listener, and whether it is closed."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.is_closed = False
        self.changed = asyncio.Event()

    def close(self) -> None:
        self.is_closed = True
        self.changed.set()


class Entry:
    """`status` is that of this connection: unsent, sent, active or refused. An automatic event is always active."""

    def __init__(self, event: str, args: Optional[Mapping[str, Any]]) -> None:
        self.event = event
        # A copy, because the game may change its own.
        self.args = None if args is None else dict(args)
        self.status = "active" if event in AUTOMATIC_EVENTS else "unsent"
        self.error: Optional[SallyportError] = None
        self.was_active = False
        self.handles: List[Handle] = []

    @property
    def may_be_active(self) -> bool:
        """Whether the server may have it; also after a time limit."""
        return self.status in ("sent", "active") or (self.status == "refused" and not isinstance(self.error, CallError))

    @property
    def is_transient(self) -> bool:
        """Whether a refusal may pass: a restarted server may not know everything yet."""
        if not isinstance(self.error, CallError):
            return True
        return self.error.is_retryable or (self.was_active and self.error.name not in _NEEDS_SIGN_IN)


class Subscription:
    """A listener of one event. `close` removes it; the last one unsubscribes."""

    def __init__(self, entry: Entry, handle: Handle, close: Callable[[], None]) -> None:
        self._entry = entry
        self._handle = handle
        self._close = close

    @property
    def event(self) -> str:
        return self._entry.event

    @property
    def status(self) -> str:
        """waiting (not confirmed on this connection, or no connection), active, refused (`error` is the reason) or closed."""
        return "closed" if self._handle.is_closed else _PUBLIC[self._entry.status]

    @property
    def error(self) -> Optional[SallyportError]:
        """The error of the last refusal."""
        return None if self._handle.is_closed else self._entry.error

    async def active(self) -> None:
        """Returns when the server has confirmed it. Raises the error of a refusal, or ConnectionLostError if it is closed before."""
        while self.status == "waiting":
            self._handle.changed.clear()
            await self._handle.changed.wait()
        if self.status == "refused" and self.error is not None:
            raise self.error
        if self.status == "closed":
            raise ClientClosedError(f"the subscription to {self.event} was closed before it was confirmed")

    def close(self) -> None:
        """Removes the listener; may be called twice."""
        if not self._handle.is_closed:
            self._handle.close()
            self._close()


Send = Callable[[str, Entry], Awaitable[Any]]


def _key(event: str, args: Optional[Mapping[str, Any]]) -> str:
    """As at the server, None equals a missing argument, and order does not matter."""
    given = {name: value for name, value in (args or {}).items() if value is not None}
    return f"{event} {json.dumps(given, sort_keys=True)}"


def _matches(args: Optional[Mapping[str, Any]], data: Any) -> bool:
    """Whether the event can belong to a subscription with these arguments. An event without that field matches every one."""
    given = fields_of(data)
    if args is None or given is None:
        return True
    fields = given

    def actual(name: str) -> Any:
        if fields.get(name) is not None or not name.endswith("_id"):
            return fields.get(name)
        return (fields_of(fields.get(name[: -len("_id")])) or {}).get("id")

    return all(value is None or actual(name) in (None, value) for name, value in args.items())


class Subscriptions:
    def __init__(self) -> None:
        self._entries: Dict[str, Entry] = {}
        # Number of the connection, to ignore answers of earlier ones.
        self._connection = 0

    def add(
        self,
        event: str,
        args: Optional[Mapping[str, Any]],
        listener: Listener,
        on_subscribe: Callable[[], None],
        on_unsubscribe: Callable[[Entry], None],
    ) -> Subscription:
        key = _key(event, args)
        entry = self._entries.setdefault(key, Entry(event, args))

        handle = Handle(listener)
        entry.handles.append(handle)

        def close() -> None:
            entry.handles.remove(handle)
            if entry.handles:
                return
            del self._entries[key]
            if entry.may_be_active and event not in AUTOMATIC_EVENTS:
                on_unsubscribe(entry)

        if entry.status == "refused":
            entry.status = "unsent"
        if entry.status == "unsent":
            on_subscribe()
        return Subscription(entry, handle, close)

    def reset(self) -> None:
        """The connection was lost."""
        self._connection += 1
        for entry in self._entries.values():
            if entry.event not in AUTOMATIC_EVENTS:
                entry.status = "unsent"

    def requeue_refused(self, only_transient: bool = False) -> None:
        for entry in self._entries.values():
            if entry.status == "refused" and (entry.is_transient or not only_transient):
                entry.status = "unsent"

    @property
    def has_transient_refusals(self) -> bool:
        return any(entry.status == "refused" and entry.is_transient for entry in self._entries.values())

    def count(self, status: str) -> int:
        return sum(entry.status == status and entry.event not in AUTOMATIC_EVENTS for entry in self._entries.values())

    def subscribe_first(self, send: Send) -> Awaitable[None]:
        """Subscribes AUTHORIZE_REQUEST at once, if it has a listener. The result raises ConnectionLostError."""
        return self._subscribe([entry for entry in self._unsent() if entry.event == _FIRST], send)

    def subscribe_all(self, send: Send) -> Awaitable[None]:
        """Subscribes all that is unsent, at once. The result ends when the server has answered all, and raises ConnectionLostError."""
        return self._subscribe(sorted(self._unsent(), key=lambda entry: entry.event != _FIRST), send)

    def deliver(self, event: str, data: Any) -> None:
        for entry in tuple(self._entries.values()):
            if entry.event == event and _matches(entry.args, data):
                for handle in tuple(entry.handles):
                    if not handle.is_closed:
                        notify(handle.listener, data)

    def close(self) -> None:
        for entry in self._entries.values():
            for handle in entry.handles:
                handle.close()
        self._entries.clear()

    def _unsent(self) -> List[Entry]:
        return [entry for entry in self._entries.values() if entry.status == "unsent"]

    def _subscribe(self, entries: List[Entry], send: Send) -> Awaitable[None]:
        sent = [(entry, self._sent(entry, send)) for entry in entries]
        return self._settle_all(sent, self._connection)

    def _sent(self, entry: Entry, send: Send) -> Awaitable[Any]:
        entry.status = "sent"
        return send("SUBSCRIBE", entry)

    async def _settle_all(self, sent: List[Tuple[Entry, Awaitable[Any]]], connection: int) -> None:
        results = await asyncio.gather(*(self._settle(entry, answer, connection) for entry, answer in sent), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result

    async def _settle(self, entry: Entry, answer: Awaitable[Any], connection: int) -> None:
        try:
            await answer
        except ConnectionLostError:
            # Sent after the connection was lost, so that `reset` did not see it.
            if connection == self._connection:
                entry.status = "unsent"
            raise
        except SallyportError as error:
            if connection != self._connection:
                return
            entry.status, entry.error = "refused", error
        else:
            if connection != self._connection:
                return
            entry.status, entry.error, entry.was_active = "active", None, True
        for handle in entry.handles:
            handle.changed.set()

"""Sallyport: what the player does, friends, lobbies and invites, through the bridge on the player's machine."""

from ._keyed import new_key
from ._server import Server
from ._session import Presence
from ._states import Restored, State
from ._subscriptions import Subscription
from .aio import AsyncClient
from .client import Client
from .errors import (
    CallError,
    CallTimeoutError,
    ClientClosedError,
    ConnectionLostError,
    ForeignServerError,
    KeyNotKeptError,
    NotSentError,
    ProtocolError,
    SallyportError,
    ServerClosedError,
    ServerNotFoundError,
)
from .protocol import DEFAULT_COMMUNICATION_SCOPES, DEFAULT_PRESENCE_SCOPES, ErrorCode

__all__ = [
    "AsyncClient",
    "CallError",
    "CallTimeoutError",
    "Client",
    "ClientClosedError",
    "ConnectionLostError",
    "DEFAULT_COMMUNICATION_SCOPES",
    "DEFAULT_PRESENCE_SCOPES",
    "ErrorCode",
    "ForeignServerError",
    "KeyNotKeptError",
    "NotSentError",
    "Presence",
    "ProtocolError",
    "Restored",
    "SallyportError",
    "Server",
    "ServerClosedError",
    "ServerNotFoundError",
    "State",
    "Subscription",
    "new_key",
]

"""The names of the library pypresence, over the clients of this package: `from sallyport.pypresence import Presence`.

docs/from-pypresence.md says what differs.
"""

from __future__ import annotations

import os
from enum import IntEnum
from typing import Any, Dict, List, Optional

from .aio import AsyncClient
from .client import Client
from .errors import CallError, ConnectionLostError, SallyportError, ServerClosedError, ServerNotFoundError

# Errors by the names that programs catch.
PyPresenceException = SallyportError
DiscordNotFound = ServerNotFoundError
DiscordError = ServerClosedError
InvalidID = ServerClosedError
PipeClosed = ConnectionLostError
ServerError = CallError


class ActivityType(IntEnum):
    PLAYING = 0
    LISTENING = 2
    WATCHING = 3
    COMPETING = 5


def _without_none(fields: Dict[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None and value != {}}


def activity_of(
    activity_type: Optional[int] = None,
    state: Optional[str] = None,
    details: Optional[str] = None,
    start: Optional[int] = None,
    end: Optional[int] = None,
    large_image: Optional[str] = None,
    large_text: Optional[str] = None,
    small_image: Optional[str] = None,
    small_text: Optional[str] = None,
    party_id: Optional[str] = None,
    party_size: Optional[List[int]] = None,
    join: Optional[str] = None,
    spectate: Optional[str] = None,
    match: Optional[str] = None,
    buttons: Optional[List[Dict[str, str]]] = None,
    instance: bool = True,
    name: Optional[str] = None,
    state_url: Optional[str] = None,
    details_url: Optional[str] = None,
    large_url: Optional[str] = None,
    small_url: Optional[str] = None,
) -> Dict[str, Any]:
    """The activity of SET_ACTIVITY for the arguments of `update`."""
    assets = {
        "large_image": large_image,
        "large_text": large_text,
        "large_url": large_url,
        "small_image": small_image,
        "small_text": small_text,
        "small_url": small_url,
    }
    return _without_none(
        {
            "type": None if activity_type is None else int(activity_type),
            "name": name,
            "state": state,
            "state_url": state_url,
            "details": details,
            "details_url": details_url,
            "timestamps": _without_none({"start": start, "end": end}),
            "assets": _without_none(assets),
            "party": _without_none({"id": party_id, "size": party_size}),
            "secrets": _without_none({"join": join, "spectate": spectate, "match": match}),
            "buttons": buttons,
            "instance": instance,
        }
    )


class Presence:
    """The presence of a program. Unlike that of pypresence, it comes back by itself after a restart of the server."""

    def __init__(self, client_id: str, *, pipe: Optional[int] = None, connection_timeout: float = 0.0) -> None:
        """`pipe`: the only slot to try. `connection_timeout`: seconds to search."""
        self._timeout = connection_timeout
        self._client = Client(str(client_id), slot=pipe)

    def connect(self) -> None:
        """Raises DiscordNotFound if there is no server, and InvalidID if it refuses the application."""
        self._client.connect(self._timeout)

    def update(self, *, pid: Optional[int] = None, **fields: Any) -> Optional[Dict[str, Any]]:
        """Sets the presence; the arguments are those of `activity_of`. None if it is shown later. Raises ServerError."""
        return self._client.set_activity(activity_of(**fields), pid=os.getpid() if pid is None else pid)

    def clear(self, pid: Optional[int] = None) -> None:
        self._client.clear_activity(pid=os.getpid() if pid is None else pid)

    def close(self) -> None:
        self._client.close()


class AioPresence:
    """The same for asyncio."""

    def __init__(self, client_id: str, *, pipe: Optional[int] = None, connection_timeout: float = 0.0) -> None:
        self._timeout = connection_timeout
        self._client = AsyncClient(str(client_id), slot=pipe)

    async def connect(self) -> None:
        await self._client.connect(self._timeout)

    async def update(self, *, pid: Optional[int] = None, **fields: Any) -> Optional[Dict[str, Any]]:
        return await self._client.set_activity(activity_of(**fields), pid=os.getpid() if pid is None else pid)

    async def clear(self, pid: Optional[int] = None) -> None:
        await self._client.clear_activity(pid=os.getpid() if pid is None else pid)

    async def close(self) -> None:
        await self._client.close()

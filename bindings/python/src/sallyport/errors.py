"""The errors of the client. Each message says what happened and, if possible, what to do."""

from __future__ import annotations

from typing import Any, Dict, Optional

from ._fields import number_of
from .protocol import RETRYABLE_ERRORS, ErrorCode


class SallyportError(Exception):
    """Every error of this package is one of these."""


class CallError(SallyportError):
    """The server answered a call with ERROR."""

    def __init__(self, command: str, data: Dict[str, Any]) -> None:
        super().__init__(data["message"])
        self.command = command
        self.code: int = data["code"]
        self.data = data

    @property
    def name(self) -> str:
        """Name of the code in the table of errors; UNKNOWN_ERROR for a code that is not in it."""
        return _known(self.code).name

    @property
    def is_retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return _known(self.code) in RETRYABLE_ERRORS

    @property
    def retry_after(self) -> Optional[float]:
        """Seconds to wait before the next attempt, if the server said so."""
        return number_of(self.data.get("retry_after"))

    def __str__(self) -> str:
        return f"{self.command}: {self.data['message']} ({self.name}, {self.code})"


class ConnectionLostError(SallyportError):
    """There is no connection, or it ended before the response. The server may or may not have executed the call.

    A call of KEYED_COMMANDS that was sent ends so only if it cannot be repeated, for example because another user is signed in.
    """


class NotSentError(ConnectionLostError):
    """Nothing was sent: there was no connection."""


class KeyNotKeptError(SallyportError):
    """The game gave a key, and this server would ignore it. Nothing was sent."""


class ClientClosedError(ConnectionLostError):
    """The game closed the client."""


class CallTimeoutError(SallyportError):
    """No response came in time. The server may still execute the call."""


class ServerNotFoundError(SallyportError):
    """No usable server was found."""


class ForeignServerError(SallyportError):
    """The server may belong to another user of the system or to a contained program; the client does not use it."""


class ServerClosedError(SallyportError):
    """The server refused the handshake or closed the connection with a code."""

    def __init__(self, close_code: int, reason: str) -> None:
        super().__init__(reason or f"the server closed the connection with code {close_code}")
        self.close_code = close_code


class ProtocolError(SallyportError):
    """The server broke the rules of frames or messages; the connection is unusable."""


def _known(code: int) -> ErrorCode:
    try:
        return ErrorCode(code)
    except ValueError:
        return ErrorCode.UNKNOWN_ERROR

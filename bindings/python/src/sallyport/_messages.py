"""Reads incoming messages: responses, errors, events and closes. Only this file handles unknown shapes."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Tuple, Union

from .protocol import CloseCode, ErrorCode


class Response(NamedTuple):
    nonce: str
    data: Any


class Refusal(NamedTuple):
    nonce: Optional[str]
    data: Dict[str, Any]


class Event(NamedTuple):
    name: str
    data: Any


Message = Union[Response, Refusal, Event]


def _is_code(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _error_data(data: object) -> Dict[str, Any]:
    fields = data if isinstance(data, dict) else {}
    code, message = fields.get("code"), fields.get("message")
    return {
        **fields,
        "code": code if _is_code(code) else int(ErrorCode.UNKNOWN_ERROR),
        "message": message if isinstance(message, str) else "the server sent no error message",
    }


def parse_message(value: object) -> Optional[Message]:
    """None for a message that the client does not know, because a newer server may send more."""
    if not isinstance(value, dict):
        return None
    given = value.get("nonce")
    nonce = given if isinstance(given, str) else None
    event = value.get("evt")
    if value.get("cmd") == "DISPATCH":
        return Event(event, value.get("data")) if isinstance(event, str) else None
    if event == "ERROR":
        return Refusal(nonce, _error_data(value.get("data")))
    return None if nonce is None else Response(nonce, value.get("data"))


def parse_close(value: object) -> Tuple[int, str]:
    """The code and the reason of a CLOSE."""
    fields = value if isinstance(value, dict) else {}
    code, message = fields.get("code"), fields.get("message")
    return (
        code if isinstance(code, int) and not isinstance(code, bool) else int(CloseCode.CLOSE_ABNORMAL),
        message if isinstance(message, str) else "",
    )

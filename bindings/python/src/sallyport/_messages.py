"""Reads incoming messages: responses, errors, events and closes."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Tuple, Union

from ._fields import fields_of, integer_of, text_of
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


def _error_data(data: object) -> Dict[str, Any]:
    fields = fields_of(data) or {}
    code, message = integer_of(fields.get("code")), text_of(fields.get("message"))
    return {
        **fields,
        "code": int(ErrorCode.UNKNOWN_ERROR) if code is None else code,
        "message": "the server sent no error message" if message is None else message,
    }


def parse_message(value: object) -> Optional[Message]:
    """None for a message that the client does not know, because a newer server may send more."""
    fields = fields_of(value)
    if fields is None:
        return None
    nonce, event = text_of(fields.get("nonce")), fields.get("evt")
    if fields.get("cmd") == "DISPATCH":
        return Event(event, fields.get("data")) if isinstance(event, str) else None
    if event == "ERROR":
        return Refusal(nonce, _error_data(fields.get("data")))
    return None if nonce is None else Response(nonce, fields.get("data"))


def parse_close(value: object) -> Tuple[int, str]:
    """The code and the reason of a CLOSE."""
    fields = fields_of(value) or {}
    code = integer_of(fields.get("code"))
    return int(CloseCode.CLOSE_ABNORMAL) if code is None else code, text_of(fields.get("message")) or ""

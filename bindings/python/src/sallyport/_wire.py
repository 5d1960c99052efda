"""Frames with bounded memory, and the JSON in them."""

from __future__ import annotations

import json
import struct
from typing import Any, Iterator, NamedTuple

from .errors import ProtocolError
from .protocol import HEADER_BYTES, Opcode

_HEADER = struct.Struct("<II")
_FROM_SERVERS = frozenset(Opcode) - {Opcode.HANDSHAKE}


class Frame(NamedTuple):
    opcode: Opcode
    payload: bytes


def encode_frame(opcode: int, payload: bytes) -> bytes:
    return _HEADER.pack(opcode, len(payload)) + payload


def encode_json(value: object) -> bytes:
    """Raises TypeError or ValueError if the value cannot be JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def decode_json(payload: bytes) -> Any:
    """Raises ProtocolError if the bytes are not JSON."""
    try:
        return json.loads(payload.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ProtocolError("the server sent a payload that is not JSON") from error


class FrameDecoder:
    """Turns what arrives into frames. It checks a length before it keeps the payload."""

    def __init__(self, max_payload_bytes: int) -> None:
        self._max = max_payload_bytes
        self._buffer = bytearray()

    def push(self, chunk: bytes) -> Iterator[Frame]:
        """Yields the frames that this chunk completes. Raises ProtocolError if the stream is broken; it must be closed then."""
        self._buffer += chunk
        offset = 0
        try:
            while len(self._buffer) - offset >= HEADER_BYTES:
                opcode, length = self._header(offset)
                end = offset + HEADER_BYTES + length
                if len(self._buffer) < end:
                    break
                payload = bytes(self._buffer[offset + HEADER_BYTES : end])
                offset = end
                yield Frame(opcode, payload)
        finally:
            del self._buffer[:offset]

    def _header(self, offset: int) -> "tuple[Opcode, int]":
        opcode, length = _HEADER.unpack_from(self._buffer, offset)
        if opcode not in _FROM_SERVERS:
            raise ProtocolError(f"the server sent a frame of type {opcode}")
        if length > self._max:
            raise ProtocolError(f"the server announced a frame of {length} bytes; at most {self._max} are accepted")
        return Opcode(opcode), length

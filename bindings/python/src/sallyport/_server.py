"""One connection to a server: the handshake, then messages. It answers PING, and reports its end exactly once."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Protocol, cast

from ._clock import Clock
from ._discovery import Candidate
from ._fields import fields_of, text_of
from ._messages import Event, Message, parse_close, parse_message
from ._trust import check_peer, socket_mark
from ._wire import Frame, FrameDecoder, decode_json, encode_frame, encode_json
from .errors import CallError, ConnectionLostError, ProtocolError, SallyportError, ServerClosedError
from .protocol import CONTRACT_VERSION, PROTOCOL_VERSION, CloseCode, ErrorCode, Limits, Opcode

# Until READY. The platform's own client delays handshakes when there are many.
HANDSHAKE_S = 5.0
# So that a server that does not read cannot hold up the end of a game.
_CLOSE_S = 1.0


@dataclass(frozen=True)
class Server:
    """The server of a connection, as READY describes it."""

    path: str
    slot: int
    ready: Mapping[str, Any]

    @property
    def user(self) -> Optional[Dict[str, Any]]:
        """The user of the server, if it sent one."""
        user = fields_of(self.ready.get("user"))
        return None if user is None or text_of(user.get("id")) is None else user

    @property
    def bridge(self) -> Optional[Dict[str, Any]]:
        """Name and version, if the server is a Sallyport bridge."""
        return fields_of(self.ready.get("bridge"))

    @property
    def contract(self) -> Optional[str]:
        """The version of the contract that the server speaks, MAJOR.MINOR."""
        return text_of(self.ready.get("contract"))

    @property
    def keeps_keys(self) -> bool:
        """Whether it makes a call with a key once, also if the call is repeated."""
        return self.ready.get("call_keys") is True


class Receiver(Protocol):
    def on_message(self, message: Message) -> None: ...

    def on_end(self, error: SallyportError) -> None: ...


def _handshake(application_id: str, sdk_version: str) -> bytes:
    return encode_json(
        {
            "v": PROTOCOL_VERSION,
            "client_id": application_id,
            "contract": CONTRACT_VERSION,
            "encoding": "json",
            "max_frame_bytes": Limits.CONTRACT_FRAME_BYTES,
            "streams": True,
            "sdk_version": sdk_version,
        }
    )


class ServerConnection(asyncio.Protocol):
    def __init__(self, candidate: Candidate, handshake: bytes, clock: Clock) -> None:
        self._candidate = candidate
        self._handshake = handshake
        self._clock = clock
        self._decoder = FrameDecoder(Limits.CONTRACT_FRAME_BYTES)
        self._transport: Optional[asyncio.Transport] = None
        self._is_blocked = False
        self._ended = False
        self._gone: "asyncio.Future[None]" = asyncio.get_running_loop().create_future()
        self._greeted: "asyncio.Future[Server]" = asyncio.get_running_loop().create_future()
        self._receiver: Optional[Receiver] = None
        # What came before there was a receiver. Nothing is read meanwhile, so it is one chunk at most.
        self._early: List[Callable[[Receiver], None]] = []

    @property
    def server(self) -> Server:
        return self._greeted.result()

    async def greeted(self) -> Server:
        """Returns the server when READY came. Raises ServerClosedError, ProtocolError or ConnectionLostError."""

        def expire() -> None:
            self._fail(ConnectionLostError(f"{self._candidate.path} accepted the connection but did not complete the handshake in time"))

        cancel = self._clock.after(HANDSHAKE_S, expire)
        try:
            return await self._greeted
        finally:
            cancel()

    def attach(self, receiver: Receiver) -> None:
        """Delivers messages and the end, first those that came before."""
        self._receiver = receiver
        early, self._early = self._early, []
        for deliver in early:
            deliver(receiver)
        if self._transport is not None and not self._ended:
            self._transport.resume_reading()

    def send(self, command: str, message: Mapping[str, Any]) -> None:
        """Raises CallError INVALID_PAYLOAD for a call over the limit of the server, which would close the connection."""
        payload = encode_json(message)
        limit = Limits.OUTGOING_PAYLOAD_BYTES if self.server.contract is None else Limits.CONTRACT_FRAME_BYTES
        if len(payload) > limit:
            text = f"the call has {len(payload)} bytes; this server accepts at most {limit}"
            raise CallError(command, {"code": int(ErrorCode.INVALID_PAYLOAD), "message": text})
        self._write(Opcode.FRAME, payload)

    async def close(self) -> None:
        """Sends CLOSE and ends the connection; waits a second at most for a server that does not read."""
        if self._ended or self._transport is None:
            return
        self._write(Opcode.CLOSE, encode_json({"code": CloseCode.CLOSE_NORMAL, "message": ""}))
        self._ended = True
        if not self._greeted.done():
            self._greeted.cancel()
        transport = self._transport
        if self._is_blocked:
            transport.abort()
        else:
            transport.close()
        cancel = self._clock.after(_CLOSE_S, transport.abort)
        try:
            await asyncio.shield(self._gone)
        finally:
            cancel()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._write(Opcode.HANDSHAKE, self._handshake)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        if not self._gone.done():
            self._gone.set_result(None)
        error = ConnectionLostError("the server closed the connection" if exc is None else f"the connection to the server failed: {exc}")
        error.__cause__ = exc
        self._fail(error)

    def pause_writing(self) -> None:
        self._is_blocked = True

    def resume_writing(self) -> None:
        self._is_blocked = False

    def data_received(self, data: bytes) -> None:
        if self._ended:
            return
        try:
            for frame in self._decoder.push(data):
                self._on_frame(frame)
                if self._ended:
                    return
        except SallyportError as error:
            self._fail(error)

    def _on_frame(self, frame: Frame) -> None:
        if frame.opcode == Opcode.PING:
            # Not while the server does not read.
            if not self._is_blocked:
                self._write(Opcode.PONG, frame.payload)
        elif frame.opcode == Opcode.CLOSE:
            raise ServerClosedError(*parse_close(decode_json(frame.payload) if frame.payload else None))
        elif frame.opcode == Opcode.FRAME:
            message = parse_message(decode_json(frame.payload))
            if self._greeted.done():
                self._deliver(message)
            elif isinstance(message, Event) and message.name == "READY":
                self._greet(message.data)
            else:
                raise ProtocolError("the first message of the server is not READY")

    def _deliver(self, message: Optional[Message]) -> None:
        if message is not None:
            known = message
            self._pass(lambda receiver: receiver.on_message(known))

    def _greet(self, data: Any) -> None:
        self._greeted.set_result(Server(self._candidate.path, self._candidate.slot, fields_of(data) or {}))
        if self._transport is not None:
            self._transport.pause_reading()

    def _pass(self, deliver: Callable[[Receiver], None]) -> None:
        if self._receiver is None:
            self._early.append(deliver)
        else:
            deliver(self._receiver)

    def _write(self, opcode: Opcode, payload: bytes) -> None:
        if not self._ended and self._transport is not None:
            self._transport.write(encode_frame(opcode, payload))

    def _fail(self, error: SallyportError) -> None:
        if self._ended:
            return
        self._ended = True
        if self._transport is not None:
            self._transport.abort()
        if not self._greeted.done():
            self._greeted.set_exception(error)
        elif not self._greeted.cancelled():
            self._pass(lambda receiver: receiver.on_end(error))


async def _open_socket(candidate: Candidate, make: Callable[[], ServerConnection]) -> ServerConnection:
    before = socket_mark(candidate.path)
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    loop = asyncio.get_running_loop()
    try:
        connected.setblocking(False)
        await loop.sock_connect(connected, candidate.path)
        check_peer(candidate.path, before, connected)
        _, connection = await loop.create_unix_connection(make, sock=connected)
        return connection
    except BaseException:
        connected.close()
        raise


async def _open_pipe(candidate: Candidate, make: Callable[[], ServerConnection]) -> ServerConnection:
    # Only the loop of Windows has it, and its types say so nowhere.
    loop: Any = asyncio.get_running_loop()
    if not hasattr(loop, "create_pipe_connection"):
        raise ConnectionLostError("named pipes need asyncio's ProactorEventLoop, which is the usual one on Windows")
    _, connection = await loop.create_pipe_connection(make, candidate.path)
    return cast(ServerConnection, connection)


async def open_connection(candidate: Candidate, application_id: str, sdk_version: str, clock: Clock) -> ServerConnection:
    """Connects and greets. Raises OSError if nothing listens, ForeignServerError, and what `greeted` raises."""

    def make() -> ServerConnection:
        return ServerConnection(candidate, _handshake(application_id, sdk_version), clock)

    connection = await (_open_pipe if candidate.path.startswith("\\\\") else _open_socket)(candidate, make)
    try:
        await connection.greeted()
    except asyncio.CancelledError:
        await connection.close()
        raise
    return connection

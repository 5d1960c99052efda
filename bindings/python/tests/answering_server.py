"""A server of the protocol on a thread, for tests: it greets, and answers each call with what it was told, or with the arguments."""

from __future__ import annotations

import os
import socket
import tempfile
import threading
from typing import Any, Callable, Dict, List, Optional

from sallyport._wire import FrameDecoder, decode_json, encode_frame, encode_json
from sallyport.protocol import Opcode

READY: Dict[str, Any] = {"v": 1, "contract": "1.0", "bridge": {"name": "test", "version": "0"}, "user": {"id": "7", "username": "ada"}}
Answer = Callable[[Dict[str, Any]], Optional[Dict[str, Any]]]


class AnsweringServer:
    """`answer` maps a call to `{"data": …}` or `{"evt": "ERROR", "data": …}`; None leaves it without an answer."""

    def __init__(self, answer: Optional[Answer] = None, folder: Optional[str] = None, ready: Dict[str, Any] = READY) -> None:
        self._ready = ready
        self._answer: Answer = answer or (lambda call: {"data": call.get("args")})
        self._own = tempfile.TemporaryDirectory() if folder is None else None
        self.runtime = folder or (self._own.name if self._own else "")
        os.chmod(self.runtime, 0o700)
        self.calls: List[Dict[str, Any]] = []
        self._connections: List[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX)
        path = os.path.join(self.runtime, "discord-ipc-0")
        if os.path.exists(path):
            os.unlink(path)
        self._listener.bind(path)
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def dispatch(self, event: str, data: Any) -> None:
        self._write(self._connections[-1], {"cmd": "DISPATCH", "evt": event, "data": data, "nonce": None})

    def reply(self, call: Dict[str, Any], answer: Dict[str, Any]) -> None:
        """Answers a call that was left without one, on the last connection."""
        self._write(self._connections[-1], {"cmd": call["cmd"], "nonce": call["nonce"], "evt": None, **answer})

    def drop(self) -> None:
        """Ends the connections without a word."""
        for connection in self._connections:
            connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.close()
        self.drop()
        if self._own is not None:
            self._own.cleanup()

    @staticmethod
    def _write(connection: socket.socket, message: Dict[str, Any]) -> None:
        connection.sendall(encode_frame(Opcode.FRAME, encode_json(message)))

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        # The handshake is a frame that servers do not send, so its head is read here.
        head = connection.recv(8, socket.MSG_WAITALL)
        if len(head) < 8:
            return
        connection.recv(int.from_bytes(head[4:], "little"), socket.MSG_WAITALL)
        self._write(connection, {"cmd": "DISPATCH", "evt": "READY", "data": self._ready, "nonce": None})
        decoder = FrameDecoder(1 << 20)
        while True:
            try:
                chunk = connection.recv(65_536)
            except OSError:
                return
            if not chunk:
                return
            for frame in decoder.push(chunk):
                if frame.opcode == Opcode.FRAME:
                    self._take(connection, decode_json(frame.payload))

    def _take(self, connection: socket.socket, call: Dict[str, Any]) -> None:
        self.calls.append(call)
        answer = self._answer(call)
        if answer is not None:
            self._write(connection, {"cmd": call["cmd"], "nonce": call["nonce"], "evt": None, **answer})

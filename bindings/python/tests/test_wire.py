from __future__ import annotations

import random
import unittest
from typing import Any, List

from sallyport._messages import Event, Refusal, Response, parse_close, parse_message
from sallyport._wire import Frame, FrameDecoder, decode_json, encode_frame, encode_json
from sallyport.errors import ProtocolError
from sallyport.protocol import CloseCode, ErrorCode, Opcode

MAX = 4096


def decoded(stream: bytes, rng: random.Random) -> List[Frame]:
    """What a decoder makes of a stream in random pieces."""
    decoder, at = FrameDecoder(MAX), 0
    frames: List[Frame] = []
    while at < len(stream):
        size = rng.choice((1, 2, 7, 8, 9, 64, 5000))
        frames += decoder.push(stream[at : at + size])
        at += size
    return frames


class Frames(unittest.TestCase):
    def test_come_whole_from_any_pieces(self) -> None:
        rng = random.Random(7)
        for _ in range(300):
            frames = [
                Frame(rng.choice((Opcode.FRAME, Opcode.CLOSE, Opcode.PING, Opcode.PONG)), rng.randbytes(rng.randrange(200)))
                for _ in range(rng.randrange(1, 8))
            ]
            stream = b"".join(encode_frame(frame.opcode, frame.payload) for frame in frames)
            self.assertEqual(decoded(stream, rng), frames)

    def test_of_random_bytes_are_frames_or_a_protocol_error(self) -> None:
        rng = random.Random(8)
        for _ in range(2000):
            try:
                for frame in decoded(rng.randbytes(rng.randrange(400)), rng):
                    self.assertLessEqual(len(frame.payload), MAX)
            except ProtocolError:
                pass

    def test_a_length_over_the_limit_is_refused_before_its_payload(self) -> None:
        with self.assertRaisesRegex(ProtocolError, "at most 4096"):
            list(FrameDecoder(MAX).push(encode_frame(Opcode.FRAME, b"")[:4] + (MAX + 1).to_bytes(4, "little")))

    def test_a_handshake_and_unknown_types_are_refused(self) -> None:
        for opcode in (Opcode.HANDSHAKE, 9, 0xFFFF_FFFF):
            with self.assertRaises(ProtocolError):
                list(FrameDecoder(MAX).push(encode_frame(opcode, b"{}")))


class Json(unittest.TestCase):
    def test_text_survives(self) -> None:
        empty: List[str] = []
        value: Any = {"text": 'é"\\\n😀', "list": [1, -2.5, None, True, {"a": empty}]}
        self.assertEqual(decode_json(encode_json(value)), value)

    def test_what_is_not_json_is_a_protocol_error(self) -> None:
        for payload in (b"", b"{", b'"\xff"', b"NaN", b"[" * 100_000, b"[1,]"):
            with self.subTest(payload=payload[:8]), self.assertRaises(ProtocolError):
                decode_json(payload)

    def test_what_cannot_be_json_is_not_sent(self) -> None:
        for value in (float("nan"), {1j: 1}, object(), "\ud800"):
            with self.assertRaises((TypeError, ValueError)):
                encode_json(value)


class Messages(unittest.TestCase):
    def test_are_told_apart(self) -> None:
        self.assertEqual(parse_message({"cmd": "DISPATCH", "evt": "X", "data": 1}), Event("X", 1))
        self.assertEqual(parse_message({"cmd": "X", "nonce": "1", "data": 2}), Response("1", 2))
        refusal = Refusal("1", {"code": 4000, "message": "No."})
        self.assertEqual(parse_message({"cmd": "X", "evt": "ERROR", "nonce": "1", "data": {"code": 4000, "message": "No."}}), refusal)

    def test_of_odd_shapes_are_ignored_or_get_a_code(self) -> None:
        odd_ones: List[Any] = [None, 1, "x", [], {}, {"cmd": 7}, {"cmd": "DISPATCH"}, {"cmd": "DISPATCH", "evt": 7}, {"nonce": {}}]
        for value in odd_ones:
            self.assertIsNone(parse_message(value))
        odd = parse_message({"evt": "ERROR", "nonce": 7, "data": {"code": True, "message": 1}})
        self.assertEqual(odd, Refusal(None, {"code": ErrorCode.UNKNOWN_ERROR, "message": "the server sent no error message"}))
        self.assertEqual(parse_close([]), (CloseCode.CLOSE_ABNORMAL, ""))


if __name__ == "__main__":
    unittest.main()

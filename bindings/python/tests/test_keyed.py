"""Calls with a key: which are repeated, when, and for whom."""

from __future__ import annotations

import asyncio
import threading
import unittest
from typing import Any, Callable, Dict, List, Optional

from answering_server import READY, AnsweringServer
from sallyport import AsyncClient, Client, ConnectionLostError, KeyNotKeptError, new_key
from sallyport._clock import SystemClock
from sallyport._keyed import Account, KeyedCall, check_key
from sallyport._messages import Response
from sallyport._pending import PendingCalls
from sallyport.errors import CallError, CallTimeoutError
from sallyport.protocol import ErrorCode

SOON_S = 20.0
LONG_S = 0.2
KEY = "0123456789abcdef0123456789abcdef"
COMMAND = "SEND_LOBBY_MESSAGE"


class ShortClock(SystemClock):
    """Longer times never end: the client connects again, and does not sign in by itself."""

    def after(self, delay: float, task: Callable[[], None]) -> Callable[[], None]:
        return super().after(delay, task) if delay < LONG_S else lambda: None


class Keys(unittest.TestCase):
    def test_are_made_in_their_form_and_those_of_the_game_are_checked(self) -> None:
        self.assertNotEqual(new_key(), new_key())
        check_key(COMMAND, new_key())
        check_key("GET_LOBBY", None)
        for wrong in ("", "a" * 31, "a" * 33, "A" * 32, "g" * 32, "a" * 31 + "\n", "٤" * 32):
            with self.assertRaisesRegex(ValueError, "32 hexadecimal digits"):
                check_key(COMMAND, wrong)
        with self.assertRaisesRegex(ValueError, "GET_LOBBY takes no key"):
            check_key("GET_LOBBY", KEY)


class Accounts(unittest.TestCase):
    def test_are_uncertain_while_a_sign_in_has_no_answer(self) -> None:
        async def run() -> None:
            answers: List[None] = []
            account = Account(lambda: answers.append(None))

            async def ends(command: str, data: Any = None, error: Optional[Exception] = None) -> None:
                answer: "asyncio.Future[Any]" = asyncio.get_running_loop().create_future()
                account.watch(command, answer)
                self.assertEqual(account.id is None, command != "GET_LOBBY")
                self.assertEqual(account.is_changing, command != "GET_LOBBY")
                if error is None:
                    answer.set_result(data)
                else:
                    answer.set_exception(error)
                    answer.exception()
                await asyncio.sleep(0)

            self.assertEqual(account.id, "")
            await ends("AUTHENTICATE", {"user": {"id": "7"}})
            self.assertEqual(account.id, "7")
            await ends("FORGET_TOKENS", None, CallError("FORGET_TOKENS", {"code": 1000, "message": "No."}))
            self.assertEqual(account.id, "7")
            await ends("FORGET_TOKENS")
            self.assertEqual(account.id, "")
            account.connected()
            await ends("GET_LOBBY", {})
            self.assertEqual(account.id, "")
            # The server may still execute it.
            await ends("UPDATE_TOKEN", None, CallTimeoutError("late"))
            self.assertIsNone(account.id)
            self.assertTrue(account.is_changing)
            self.assertEqual(len(answers), 3)
            # A server that is no bridge names no user, and that stays so.
            account.connected()
            await ends("AUTHENTICATE", {})
            self.assertIsNone(account.id)
            self.assertFalse(account.is_changing)
            account.connected()
            self.assertEqual(account.id, "")

        asyncio.run(run())


class Pending(unittest.TestCase):
    def test_calls_are_repeated_in_order_unless_the_account_or_the_time_forbids_it(self) -> None:
        async def run() -> None:
            calls = PendingCalls(SystemClock())
            sent: List[str] = []
            ended: Dict[str, Any] = {}

            def open_call(name: str, keyed: Optional[KeyedCall]) -> None:
                def end(done: "asyncio.Future[Any]") -> None:
                    ended[name] = done.exception() or done.result()

                calls.open(name, 1000, lambda nonce: sent.append(name + nonce), keyed).add_done_callback(end)

            open_call("a", KeyedCall(KEY, "7", 0))
            open_call("b", None)
            open_call("c", KeyedCall(KEY, "7", 0))
            open_call("d", KeyedCall(KEY, "8", 0))
            open_call("e", KeyedCall(KEY, None, 0))
            open_call("f", KeyedCall(KEY, "7", -1))
            lost = ConnectionLostError("lost")
            calls.hold(lost)
            open_call("g", KeyedCall(KEY, "7", 0))
            await asyncio.sleep(0)
            self.assertEqual(ended, {"b": lost})
            sent.clear()
            calls.send_held(lambda call: call.repeat_as("", True, 300), lost)
            await asyncio.sleep(0)
            self.assertEqual((sent, ended), ([], {name: lost for name in "bef"}))
            # Once on each connection.
            for _ in range(2):
                calls.send_held(lambda call: call.repeat_as("7", False, 300), lost)
            await asyncio.sleep(0)
            self.assertEqual((sent, ended), (["a8", "c9"], {name: lost for name in "bdef"}))
            calls.settle(Response("1", "old"))
            calls.settle(Response("8", "new"))
            calls.fail_all(lost)
            await asyncio.sleep(0)
            self.assertEqual(ended, {"a": "new", **{name: lost for name in "bcdefg"}})

        asyncio.run(run())


class Served(unittest.TestCase):
    def test_a_write_is_repeated_with_the_arguments_that_it_had(self) -> None:
        def answer(call: Dict[str, Any]) -> Optional[Dict[str, Any]]:
            return None if len(server.calls) == 1 else {"data": call["args"]}

        server = AnsweringServer(answer, ready={**READY, "call_keys": True})
        self.addCleanup(server.close)

        async def run() -> None:
            async with AsyncClient("42", runtime_dir=server.runtime) as client:
                await client.connect(SOON_S)
                args: Dict[str, Any] = {"lobby_id": "7", "content": "Ahoy", "flags": [1]}
                call = asyncio.ensure_future(client.call(COMMAND, args))
                while not server.calls:
                    await asyncio.sleep(0)
                args["flags"].append(2)
                server.drop()
                self.assertEqual(await asyncio.wait_for(call, SOON_S), {"lobby_id": "7", "content": "Ahoy", "flags": [1]})

        asyncio.run(run())
        first, again = server.calls
        self.assertEqual((first["key"], first["args"]), (again["key"], again["args"]))
        self.assertNotEqual(first["nonce"], again["nonce"])

    def test_the_blocking_client_waits_for_the_repeat_and_takes_a_key_of_the_game(self) -> None:
        is_first = threading.Event()

        def answer(call: Dict[str, Any]) -> Optional[Dict[str, Any]]:
            if is_first.is_set():
                return {"data": {"id": "9"}}
            is_first.set()
            threading.Thread(target=server.drop).start()
            return None

        server = AnsweringServer(answer, ready={**READY, "call_keys": True})
        self.addCleanup(server.close)
        with Client("42", runtime_dir=server.runtime) as client:
            client.connect(SOON_S)
            sent = client.commands.send_lobby_message({"lobby_id": "7", "content": "Ahoy"}, key=KEY)
        self.assertEqual(sent, {"id": "9"})
        self.assertEqual([call["key"] for call in server.calls], [KEY, KEY])

    def test_a_cancelled_write_is_not_repeated(self) -> None:
        server = AnsweringServer(lambda call: {"data": None} if call["cmd"] == "GET_LOBBY" else None, ready={**READY, "call_keys": True})
        self.addCleanup(server.close)

        async def run() -> None:
            async with AsyncClient("42", runtime_dir=server.runtime) as client:
                await client.connect(SOON_S)
                lost = asyncio.Event()
                client.on_state(lambda state: lost.set() if state.name == "waiting" else None)
                call = asyncio.ensure_future(client.call(COMMAND))
                while not server.calls:
                    await asyncio.sleep(0)
                server.drop()
                await lost.wait()
                call.cancel()
                await client.wait_ready(SOON_S)
                await client.call("GET_LOBBY")

        asyncio.run(run())
        self.assertEqual([call["cmd"] for call in server.calls], [COMMAND, "GET_LOBBY"])

    def test_without_reconnecting_a_write_is_lost(self) -> None:
        server = AnsweringServer(lambda _: None, ready={**READY, "call_keys": True})
        self.addCleanup(server.close)

        async def run() -> None:
            async with AsyncClient("42", runtime_dir=server.runtime, reconnect=False) as client:
                await client.connect(SOON_S)
                call = asyncio.ensure_future(client.call(COMMAND))
                while not server.calls:
                    await asyncio.sleep(0)
                server.drop()
                with self.assertRaises(ConnectionLostError):
                    await asyncio.wait_for(call, SOON_S)

        asyncio.run(run())

    def test_a_write_of_a_user_waits_while_the_sign_in_may_still_succeed(self) -> None:
        signed_in = {"data": {"user": {"id": "7", "username": "ada"}}}
        later = {"evt": "ERROR", "data": {"code": int(ErrorCode.RATE_LIMITED), "message": "Later."}}
        first: Dict[str, List[Optional[Dict[str, Any]]]] = {"AUTHENTICATE": [signed_in, later], COMMAND: [None]}

        def answer(call: Dict[str, Any]) -> Optional[Dict[str, Any]]:
            answers = first[call["cmd"]]
            return answers.pop(0) if answers else signed_in

        server = AnsweringServer(answer, ready={**READY, "call_keys": True})
        self.addCleanup(server.close)

        async def run() -> None:
            async with AsyncClient("42", runtime_dir=server.runtime) as client:
                await client.connect(SOON_S)
                await client.sign_in_silently()
                lost = asyncio.Event()
                client.on_state(lambda state: lost.set() if state.name == "waiting" else None)
                call = asyncio.ensure_future(client.call(COMMAND))
                while len(server.calls) < 2:
                    await asyncio.sleep(0)
                server.drop()
                await lost.wait()
                await client.wait_ready(SOON_S)
                await client.sign_in_silently()
                await asyncio.wait_for(call, SOON_S)

        asyncio.run(run())
        commands = [call["cmd"] for call in server.calls]
        self.assertEqual(commands[:3] + commands[-1:], ["AUTHENTICATE", COMMAND, "AUTHENTICATE", COMMAND])
        self.assertEqual(commands[3:-1].count("AUTHENTICATE"), len(commands[3:-1]))

    def test_a_write_waits_while_one_of_several_sign_ins_has_no_answer(self) -> None:
        signed_in = {"data": {"user": {"id": "7", "username": "ada"}}}
        later = {"evt": "ERROR", "data": {"code": int(ErrorCode.RATE_LIMITED), "message": "Later."}}
        first: Dict[str, List[Optional[Dict[str, Any]]]] = {"AUTHENTICATE": [signed_in, later, signed_in, None], COMMAND: [None]}

        def answer(call: Dict[str, Any]) -> Optional[Dict[str, Any]]:
            answers = first.get(call["cmd"])
            return answers.pop(0) if answers else {"data": call["cmd"]}

        server = AnsweringServer(answer, ready={**READY, "call_keys": True})
        self.addCleanup(server.close)

        async def run() -> None:
            async with AsyncClient("42", runtime_dir=server.runtime, clock=ShortClock()) as client:
                await client.connect(SOON_S)
                await client.sign_in_silently()
                lost = asyncio.Event()
                client.on_state(lambda state: lost.set() if state.name == "waiting" else None)
                call = asyncio.ensure_future(client.call(COMMAND))
                while len(server.calls) < 2:
                    await asyncio.sleep(0)
                server.drop()
                await lost.wait()
                await client.wait_ready(SOON_S)
                # The server may execute the second for another user.
                answered = asyncio.ensure_future(client.sign_in_silently())
                unanswered = asyncio.ensure_future(client.sign_in_silently())
                await answered
                await client.call("GET_LOBBY")
                self.assertEqual([one["cmd"] for one in server.calls[3:]], ["AUTHENTICATE", "AUTHENTICATE", "GET_LOBBY"])
                self.assertFalse(call.done())
                server.reply(server.calls[4], later)
                self.assertEqual(await asyncio.wait_for(call, SOON_S), COMMAND)
                with self.assertRaisesRegex(CallError, "Later"):
                    await unanswered

        asyncio.run(run())
        self.assertEqual(server.calls[-1]["cmd"], COMMAND)
        self.assertEqual(server.calls[-1]["key"], server.calls[1]["key"])

    def test_a_server_that_keeps_no_keys_gets_none(self) -> None:
        server = AnsweringServer()
        self.addCleanup(server.close)
        with Client("42", runtime_dir=server.runtime) as client:
            client.connect(SOON_S)
            client.call(COMMAND, {"content": "Ahoy"})
            with self.assertRaisesRegex(KeyNotKeptError, "keeps no keys") as refused:
                client.call(COMMAND, {"content": "Ahoy"}, key=KEY)
            # A game that waits for a connection after this error would wait for ever.
            self.assertNotIsInstance(refused.exception, ConnectionLostError)
            self.assertFalse(client.server is None or client.server.keeps_keys)
        self.assertEqual(["key" in call for call in server.calls], [False])


if __name__ == "__main__":
    unittest.main()

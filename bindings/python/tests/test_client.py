"""Both clients with a server on a socket."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import threading
import unittest
from typing import Any, Awaitable, Callable, Dict, List, Optional

from answering_server import AnsweringServer
from sallyport import AsyncClient, CallError, Client, ClientClosedError, NotSentError, Presence, ServerNotFoundError
from sallyport.pypresence import DiscordNotFound
from sallyport.pypresence import Presence as OldPresence

SOON_S = 20.0
USER = {"id": "7", "username": "ada"}


def refusing(code: int) -> Callable[[Dict[str, Any]], Dict[str, Any]]:
    def answer(call: Dict[str, Any]) -> Dict[str, Any]:
        if call["cmd"] == "AUTHENTICATE":
            return {"evt": "ERROR", "data": {"code": code, "message": "No."}}
        return {"data": {"code": "c", "redirect_uri": "r"}}

    return answer


class Blocking(unittest.TestCase):
    def setUp(self) -> None:
        self.server = AnsweringServer()
        self.addCleanup(self.server.close)

    def open(self) -> Client:
        client = Client("42", runtime_dir=self.server.runtime)
        self.addCleanup(client.close)
        client.connect(SOON_S)
        return client

    def poll_until(self, client: Client, holds: Callable[[], bool]) -> None:
        while not holds():
            self.assertGreater(client.poll(SOON_S), 0)

    def test_calls_return_their_response(self) -> None:
        client = self.open()
        self.assertEqual(client.commands.get_lobby({"lobby_id": "7"}), {"lobby_id": "7"})
        self.assertEqual(client.call("ANYTHING", {"a": [1]}), {"a": [1]})
        self.assertEqual(client.server and client.server.slot, 0)

    def test_listeners_run_in_poll_on_the_thread_that_calls_it(self) -> None:
        client = self.open()
        heard: List[Any] = []
        subscription = client.on("ACTIVITY_JOIN", lambda data: heard.append((data, threading.get_ident())))
        subscription.wait_active()
        self.server.dispatch("ACTIVITY_JOIN", {"secret": "s"})
        self.poll_until(client, lambda: len(heard) > 0)
        self.assertEqual(heard, [({"secret": "s"}, threading.get_ident())])
        subscription.close()
        self.assertEqual(subscription.status, "closed")

    def test_comes_back_after_a_loss_with_subscriptions_and_presence(self) -> None:
        client = self.open()
        states: List[str] = []
        client.on("ACTIVITY_JOIN", lambda _: None).wait_active()
        client.set_activity({"state": "old"})
        client.on_state(lambda state: states.append(state.name))
        self.server.drop()
        self.poll_until(client, lambda: "ready" in states)
        again = [(call["cmd"], call.get("evt")) for call in self.server.calls[-2:]]
        self.assertEqual(again, [("SUBSCRIBE", "ACTIVITY_JOIN"), ("SET_ACTIVITY", None)])

    def test_is_closed_for_good(self) -> None:
        client = self.open()
        client.close()
        client.close()
        with self.assertRaises(ClientClosedError):
            client.call("GET_LOBBY")

    def test_an_interrupt_cancels_the_call(self) -> None:
        client = self.open()
        with self.assertRaises(CallError) as refused:
            client.call("X", {"text": "x" * 1_100_000})
        self.assertEqual(refused.exception.name, "INVALID_PAYLOAD")

    def test_names_of_pypresence(self) -> None:
        os.environ["XDG_RUNTIME_DIR"] = self.server.runtime
        presence = OldPresence("42")
        presence.connect()
        shown: Any = presence.update(state="s", pid=3)
        self.assertEqual(shown, {"pid": 3, "activity": {"state": "s", "instance": True}})
        presence.clear(3)
        presence.close()
        with tempfile.TemporaryDirectory() as empty:
            os.environ["XDG_RUNTIME_DIR"] = empty
            other = OldPresence("42")
            with self.assertRaises(DiscordNotFound):
                other.connect()
            other.close()


class SigningIn(unittest.TestCase):
    def signed_in(self, answer: Callable[[Dict[str, Any]], Optional[Dict[str, Any]]]) -> "tuple[List[str], Optional[CallError]]":
        server = AnsweringServer(answer)
        self.addCleanup(server.close)
        with Client("42", runtime_dir=server.runtime) as client:
            client.connect(SOON_S)
            try:
                client.sign_in(["identify"])
                error = None
            except CallError as failure:
                error = failure
        return [call["cmd"] for call in server.calls], error

    def test_is_silent_where_something_is_stored(self) -> None:
        self.assertEqual(self.signed_in(lambda _: {"data": {"user": USER}})[0], ["AUTHENTICATE"])

    def test_asks_if_nothing_valid_is_stored(self) -> None:
        commands, _ = self.signed_in(refusing(4009))
        self.assertEqual(commands, ["AUTHENTICATE", "AUTHORIZE", "GET_TOKEN", "AUTHENTICATE"])

    def test_never_asks_for_another_reason(self) -> None:
        for code in (5009, 4006, 1000):
            commands, error = self.signed_in(refusing(code))
            self.assertEqual((commands, error and error.code), (["AUTHENTICATE"], code))


class Asynchronous(unittest.TestCase):
    def run_with(self, play: Callable[[AsyncClient, AnsweringServer], Awaitable[None]], **options: Any) -> None:
        server = AnsweringServer()
        self.addCleanup(server.close)

        async def run() -> None:
            async with AsyncClient("42", runtime_dir=server.runtime, **options) as client:
                await asyncio.wait_for(play(client, server), SOON_S)

        asyncio.run(run())

    def test_a_presence_without_a_connection_is_shown_later_and_told_once(self) -> None:
        async def play(client: AsyncClient, server: AnsweringServer) -> None:
            told: "asyncio.Queue[Presence]" = asyncio.Queue()
            client.on_presence(told.put_nowait)
            self.assertIsNone(await client.set_activity({"state": "early"}, pid=1))
            self.assertIsNone(await client.set_activity({"state": "kept"}, pid=1))
            await client.connect(SOON_S)
            self.assertEqual((await told.get()).activity, {"pid": 1, "activity": {"state": "kept"}})
            server.drop()
            await asyncio.sleep(0)
            await client.wait_ready()
            self.assertTrue(told.empty())

        self.run_with(play)

    def test_a_kept_presence_that_is_replaced_is_not_told_and_a_refused_one_once(self) -> None:
        may_answer = threading.Event()

        def answer(call: Dict[str, Any]) -> Dict[str, Any]:
            may_answer.wait()
            return {"evt": "ERROR", "data": {"code": 4000, "message": "no"}} if "bad" in str(call) else {"data": None}

        server = AnsweringServer(answer)
        self.addCleanup(server.close)
        self.addCleanup(may_answer.set)

        async def run() -> None:
            told: "asyncio.Queue[Presence]" = asyncio.Queue()
            async with AsyncClient("42", runtime_dir=server.runtime) as client:
                client.on_presence(told.put_nowait)
                await client.set_activity({"state": "replaced"}, pid=1)
                connecting = asyncio.ensure_future(client.connect(SOON_S))
                while not server.calls:
                    await asyncio.sleep(0)
                await client.set_activity({"state": "bad"}, pid=1)
                may_answer.set()
                await connecting
                self.assertEqual(str((await told.get()).error), "SET_ACTIVITY: no (INVALID_PAYLOAD, 4000)")
                lost = asyncio.Event()
                client.on_state(lambda state: lost.set() if state.name == "waiting" else None)
                server.drop()
                await lost.wait()
                await client.wait_ready()
                await client.call("GET_LOBBY")
                self.assertEqual([call["cmd"] for call in server.calls], ["SET_ACTIVITY", "SET_ACTIVITY", "GET_LOBBY"])
                self.assertTrue(told.empty())

        asyncio.run(run())

    def test_a_listener_that_fails_stops_nobody(self) -> None:
        failures: List[Any] = []

        async def play(client: AsyncClient, server: AnsweringServer) -> None:
            asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context["exception"]))
            heard: "asyncio.Queue[Any]" = asyncio.Queue()

            async def broken(_: object) -> None:
                raise ValueError("async")

            client.on("ACTIVITY_JOIN", lambda _: 1 / 0)
            client.on("ACTIVITY_JOIN", broken)
            client.on("ACTIVITY_JOIN", heard.put_nowait)
            await client.connect(SOON_S)
            await client.events.activity_join(lambda _: None).active()
            server.dispatch("ACTIVITY_JOIN", 7)
            self.assertEqual(await heard.get(), 7)
            await asyncio.sleep(0)

        self.run_with(play)
        self.assertEqual([type(one) for one in failures], [ZeroDivisionError, ValueError])

    def test_a_cancelled_call_leaves_nothing(self) -> None:
        server = AnsweringServer(lambda _: None)
        self.addCleanup(server.close)

        async def run() -> None:
            async with AsyncClient("42", runtime_dir=server.runtime) as client:
                await client.connect(SOON_S)
                call = asyncio.ensure_future(client.call("SLOW"))
                await asyncio.sleep(0)
                call.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await call
                await client.close()

        asyncio.run(run())

    def test_without_a_server_it_says_how_to_start_one(self) -> None:
        async def run() -> None:
            folder = tempfile.mkdtemp()
            try:
                client = AsyncClient("42", runtime_dir=folder)
                with self.assertRaisesRegex(NotSentError, "wait_ready"):
                    await client.call("GET_LOBBY")
                with self.assertRaisesRegex(ServerNotFoundError, "sallyport run"):
                    await client.connect()
                await client.close()
            finally:
                shutil.rmtree(folder)

        asyncio.run(run())

    def test_ids_are_checked(self) -> None:
        for wrong in ("", "abc", "4 2", "٤٢", "-1"):
            with self.assertRaises(ValueError):
                AsyncClient(wrong)

    def test_unknown_commands_have_no_method(self) -> None:
        client = AsyncClient("42")
        with self.assertRaises(AttributeError):
            getattr(client.commands, "no_such_command")
        self.assertIn("get_lobby", dir(client.commands))


if __name__ == "__main__":
    unittest.main()

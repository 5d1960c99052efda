"""The rules that need no server: where the client looks, how long it waits, what it subscribes, what it restores."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any, Dict, List, Mapping, Optional

from sallyport._backoff import Backoff
from sallyport._desired import Desired, Grant, Token, credential_of
from sallyport._discovery import Candidate, Discovery, candidates
from sallyport._server import open_connection
from sallyport._sign_in import create_proof_key
from sallyport._states import State, after_failure
from sallyport._clock import SystemClock
from sallyport._subscriptions import Entry, Subscriptions
from sallyport.errors import CallError, ConnectionLostError
from sallyport.pypresence import activity_of


def looked(platform: str = "linux", env: Optional[Mapping[str, str]] = None, **more: Any) -> List[Candidate]:
    return candidates(Discovery(platform=platform, env=env or {}, own_folder=lambda folder: folder, **more))


class Search(unittest.TestCase):
    def test_takes_the_first_variable_that_is_set(self) -> None:
        self.assertEqual(looked(env={"XDG_RUNTIME_DIR": "", "TMP": "/t", "TEMP": "/u"}, slot=0)[0].path, "/t/discord-ipc-0")
        self.assertEqual(looked(slot=3)[0].path, "/tmp/discord-ipc-3")

    def test_tries_all_slots_of_a_folder_before_the_next(self) -> None:
        paths = [one.path for one in looked(env={"TMP": "/t/"})]
        self.assertEqual(paths[:10], [f"/t/discord-ipc-{slot}" for slot in range(10)])
        self.assertEqual(paths[10], "/t/app/com.discordapp.Discord/discord-ipc-0")
        self.assertEqual(len(paths), 30)

    def test_believes_no_bridge_where_contained_programs_can_listen(self) -> None:
        packaged = [one.is_packaged for one in looked(env={"TMP": "/t"}, slot=0)]
        self.assertEqual(packaged, [False, True, True])
        self.assertFalse(any(one.is_packaged for one in looked(env={"TMP": "/t"}, slot=0, is_contained=True)))
        for folder in ("/run/user/1/app/com.example.Game", "/run//snap.game", "/x/.flatpak/7/xdg-run"):
            self.assertTrue(looked(runtime_dir=folder, slot=0)[0].is_packaged, folder)

    def test_uses_pipes_on_windows(self) -> None:
        self.assertEqual(looked("win32", slot=1), [Candidate(r"\\?\pipe\discord-ipc-1", 1)])

    def test_looks_below_a_folder_that_others_can_write_to(self) -> None:
        found = candidates(Discovery(platform="linux", env={}, own_folder=lambda folder: f"{folder}/sallyport-7", slot=0))
        self.assertEqual([one.path for one in found], ["/tmp/sallyport-7/discord-ipc-0"])


class Pipes(unittest.TestCase):
    """No Windows is needed: the loop is a stand-in. It proves the calls, not the pipe."""

    def test_are_opened_by_the_loop_of_windows(self) -> None:
        asked: List[str] = []
        protocol: Any = None

        class Transport(asyncio.Transport):
            def write(self, data: "bytes | bytearray | memoryview") -> None:
                protocol.data_received(b'\x01\x00\x00\x00\x2b\x00\x00\x00{"cmd":"DISPATCH","evt":"READY","data":{}}  ')

            def pause_reading(self) -> None:
                asked.append("paused")

        async def create_pipe_connection(make: Any, path: str) -> Any:
            nonlocal protocol
            protocol = make()
            asked.append(path)
            transport = Transport()
            protocol.connection_made(transport)
            return transport, protocol

        async def run() -> None:
            setattr(asyncio.get_running_loop(), "create_pipe_connection", create_pipe_connection)
            candidate = Candidate(r"\\?\pipe\discord-ipc-1", 1)
            connection = await open_connection(candidate, "42", "test", SystemClock())
            self.assertEqual(connection.server.slot, 1)

        asyncio.run(run())
        self.assertEqual(asked, [r"\\?\pipe\discord-ipc-1", "paused"])

    def test_need_that_loop(self) -> None:
        async def run() -> None:
            with self.assertRaisesRegex(ConnectionLostError, "ProactorEventLoop"):
                await open_connection(Candidate(r"\\?\pipe\discord-ipc-1", 1), "42", "test", SystemClock())

        asyncio.run(run())


class Waits(unittest.TestCase):
    def test_grow_and_stay_below_their_caps(self) -> None:
        delays = [Backoff().delay(attempt, 0.0, 1.0) for attempt in range(6)]
        self.assertEqual(delays, [0.1, 0.2, 0.4, 0.5, 0.5, 0.5])
        self.assertEqual(Backoff().delay(20, 61.0, 0.0), 2.5)

    def test_a_connection_that_ended_at_once_belongs_to_the_outage(self) -> None:
        error = ConnectionLostError("gone")
        ready = State("ready", attempt=3, since=5.0, ready_at=10.0)
        at_once = after_failure(ready, error, 11.0, 0.5, Backoff())
        self.assertEqual((at_once.name, at_once.attempt, at_once.since), ("waiting", 4, 5.0))
        later = after_failure(ready, error, 60.0, 0.5, Backoff())
        self.assertEqual((later.name, later.attempt, later.since), ("waiting", 1, 60.0))

    def test_the_first_search_gives_up_in_time(self) -> None:
        error = ConnectionLostError("none")
        searching = State("connecting", since=0.0, give_up_at=1.0)
        self.assertLessEqual(after_failure(searching, error, 0.95, 1.0, Backoff()).delay, 0.05 + 1e-9)
        self.assertEqual(after_failure(searching, error, 1.0, 1.0, Backoff()).name, "offline")

    def test_without_reconnecting_a_loss_is_the_end(self) -> None:
        self.assertEqual(after_failure(State("ready"), ConnectionLostError("gone"), 9.0, 0.5, None).name, "offline")


class Subscribing(unittest.TestCase):
    def test_equal_arguments_share_a_subscription(self) -> None:
        sent: List[str] = []

        async def run() -> None:
            subscriptions = Subscriptions()

            async def send(command: str, entry: Entry) -> None:
                sent.append(f"{command} {entry.event} {entry.args}")

            def unsubscribed(entry: Entry) -> None:
                sent.append(f"UNSUBSCRIBE {entry.event}")

            def add(args: Optional[Dict[str, Any]]) -> Any:
                return subscriptions.add("GUILD_STATUS", args, heard.append, lambda: None, unsubscribed)

            heard: List[Any] = []
            one, other = add({"guild_id": "1", "x": None}), add({"guild_id": "1"})
            add({"guild_id": "2"})
            await subscriptions.subscribe_all(send)
            subscriptions.deliver("GUILD_STATUS", {"guild": {"id": "1"}})
            self.assertEqual(len(heard), 2)
            one.close()
            one.close()
            self.assertEqual(other.status, "active")
            other.close()

        asyncio.run(run())
        self.assertEqual(len([line for line in sent if line.startswith("SUBSCRIBE")]), 2)
        self.assertEqual(sent[-1], "UNSUBSCRIBE GUILD_STATUS")

    def test_the_request_to_link_comes_first(self) -> None:
        order: List[str] = []

        async def run() -> None:
            subscriptions = Subscriptions()
            for event in ("ACTIVITY_JOIN", "AUTHORIZE_REQUEST"):
                subscriptions.add(event, None, lambda _: None, lambda: None, lambda _: None)

            async def answered(entry: Entry) -> None:
                pass

            def send(_: str, entry: Entry) -> Any:
                order.append(entry.event)
                return answered(entry)

            await subscriptions.subscribe_all(send)

        asyncio.run(run())
        self.assertEqual(order, ["AUTHORIZE_REQUEST", "ACTIVITY_JOIN"])


class Wanted(unittest.TestCase):
    def test_a_refused_presence_brings_back_the_one_before(self) -> None:
        desired = Desired()
        desired.set_presence({"pid": 1, "activity": {"state": "good"}})
        undo = desired.set_presence({"pid": 1, "activity": {"state": "bad"}})
        undo()
        self.assertEqual(desired.take_presence(), {"pid": 1, "activity": {"state": "good"}})

    def test_a_presence_is_a_copy(self) -> None:
        desired, activity = Desired(), {"state": "one"}
        desired.keep_presence({"pid": 1, "activity": activity})
        activity["state"] = "two"
        self.assertEqual(desired.unsent_presence, {"pid": 1, "activity": {"state": "one"}})

    def test_a_token_prints_itself_nowhere(self) -> None:
        credential = credential_of({"access_token": "s3cret"}, None)
        self.assertIsInstance(credential, Token)
        self.assertNotIn("s3cret", f"{credential} {credential!r}")
        self.assertEqual(credential.args, {"access_token": "s3cret"})
        grant = credential_of({}, {"user": {"id": "7"}})
        self.assertIsInstance(grant, Grant)
        self.assertEqual(grant.args, {"user_id": "7"})


class Values(unittest.TestCase):
    def test_proof_keys_differ_and_have_the_length_of_the_standard(self) -> None:
        keys = {create_proof_key() for _ in range(50)}
        self.assertEqual(len(keys), 50)
        for verifier, challenge in keys:
            self.assertRegex(verifier, r"^[\w-]{43}$")
            self.assertRegex(challenge, r"^[\w-]{43}$")

    def test_errors_say_code_name_and_time(self) -> None:
        error = CallError("GET_LOBBY", {"code": 4000, "message": "No.", "retry_after": 1.5})
        self.assertEqual((error.name, error.retry_after, error.is_retryable), ("INVALID_PAYLOAD", 1.5, False))
        self.assertEqual(str(error), "GET_LOBBY: No. (INVALID_PAYLOAD, 4000)")
        self.assertEqual(CallError("X", {"code": -3, "message": ""}).name, "UNKNOWN_ERROR")

    def test_arguments_of_pypresence_become_an_activity(self) -> None:
        given = activity_of(state="s", start=5, large_image="i", party_id="p", party_size=[1, 4], join="secret", activity_type=3)
        self.assertEqual(
            given,
            {
                "type": 3,
                "state": "s",
                "timestamps": {"start": 5},
                "assets": {"large_image": "i"},
                "party": {"id": "p", "size": [1, 4]},
                "secrets": {"join": "secret"},
                "instance": True,
            },
        )


if __name__ == "__main__":
    unittest.main()

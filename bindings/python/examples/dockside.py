"""Dockside, a small game that uses the bridge: it signs in, shows a presence, joins a lobby and chats there.

Restart the daemon while it runs: the game waits, reconnects, and continues.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Awaitable, Callable, List, Optional, TypeVar
from uuid import uuid4

from sallyport import DEFAULT_COMMUNICATION_SCOPES, AsyncClient, CallError, CallTimeoutError, ConnectionLostError, SallyportError, State

if TYPE_CHECKING:
    from sallyport.types import LobbyMessage, LobbyMessageCreateEvent

SHIPS = ("Copper Wren", "Patient Ada", "Salt Margin", "Northern Comma", "Quiet Quorum", "Second Breakfast")
CARGOES = ("oranges", "piano keys", "umbrellas", "printing ink", "snow globes", "bicycle bells")
Result = TypeVar("Result")
FIRST_WAIT_S = 30.0
HISTORY = 50

# Another program may read it.
say = partial(print, flush=True)


def landed_in(turn: int) -> int:
    """The tide swallows a few crates every third time."""
    return 8 + (turn * 7) % 9 - (1 + turn % 4 if turn % 3 == 2 else 0)


class Game:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.score = 0
        self.lobby: Optional[str] = None
        self.is_signed_in = False
        self.must_ask = False
        self.was_lost = False
        self.client = AsyncClient(
            options.application, runtime_dir=options.runtime_dir, require_bridge=True, sdk_version="dockside-python/0.1.0"
        )
        self.client.on_state(self.on_state)
        self.client.on_account(lambda account: say("  ~ your permission was revoked") if account == "revoked" else None)
        events = self.client.events
        events.activity_join(lambda _: say("  ~ a friend joins the pier"))
        events.authorize_request(self.on_authorize_request)
        events.lobby_message_create(self.on_message)

    def on_message(self, message: "LobbyMessageCreateEvent") -> None:
        author = message.get("author")
        say(f"  > {'somebody' if author is None else author['username']}: {message.get('content', '')}")

    def on_authorize_request(self, _: object) -> None:
        say("  ~ the platform requests to link your account")
        self.must_ask = True

    def on_state(self, state: State) -> None:
        if state.name == "waiting" and state.server is None and self.client.state.ready_at > 0 and not self.was_lost:
            self.was_lost = True
            # After a restart the lobby has a new id; the secret finds it again.
            self.lobby = None
            say("  ~ connection to the bridge lost, waiting")
        elif state.name == "ready" and self.was_lost:
            self.was_lost = False
            restored = state.restored
            sign_in = {"done": " signed in,", "failed": " sign-in refused,", "none": ""}[restored.sign_in]
            subscribed = " subscriptions refused" if restored.refused_subscriptions > 0 else " subscribed"
            presence = {"done": ", presence set", "failed": ", presence refused", "none": ""}[restored.presence]
            say(f"  ~ back after {state.ready_at - state.since:.1f} s:{sign_in}{subscribed}{presence}")

    async def pause(self) -> None:
        await asyncio.sleep(0.12 if self.options.fast else 0.75)

    async def sign_in(self) -> None:
        """With what the player allowed earlier; else it asks."""
        signed_in: Any = None
        if not self.must_ask:
            try:
                signed_in = await self.client.sign_in_silently()
            except CallError as error:
                if error.name != "INVALID_TOKEN":
                    raise
        if signed_in is None:
            say("asking for your permission (a browser page may open) ...")
            signed_in = await self.client.ask_to_sign_in(DEFAULT_COMMUNICATION_SCOPES)
        self.must_ask, self.is_signed_in = False, True
        say(f"signed in as {signed_in['user']['username']}")

    async def join(self) -> str:
        lobby = await self.client.commands.create_or_join_lobby({"secret": self.options.secret})
        say(f"the crew meets in lobby {lobby['id']}")
        return lobby["id"]

    async def persist(self, make: Callable[[str], Awaitable[Result]]) -> Result:
        """Repeats until it succeeds; after a lost connection and an unknown outcome too, so `make` must look before it writes again."""
        while True:
            await self.client.wait_ready()
            try:
                if self.must_ask or not self.is_signed_in:
                    await self.sign_in()
                if self.lobby is None:
                    self.lobby = await self.join()
                return await make(self.lobby)
            except CallError as error:
                if error.name in ("INVALID_TOKEN", "INVALID_PERMISSIONS"):
                    self.is_signed_in = False
                elif error.name == "INVALID_LOBBY":
                    self.lobby = None
                elif not error.is_retryable and error.name != "UNKNOWN_OUTCOME":
                    raise
                await self.pause()
            except (ConnectionLostError, CallTimeoutError):
                # A call with a key whose connection does not come back in time ends with the second.
                if self.client.state.name == "closed":
                    raise
                await self.pause()

    async def chat(self, content: str, mark: str) -> None:
        """Sends a line once: it has a mark, and the history is read before it is sent again."""
        is_uncertain = False

        async def send(lobby: str) -> None:
            nonlocal is_uncertain
            if is_uncertain and any((one.get("metadata") or {}).get("mark") == mark for one in await self.history(lobby)):
                return
            is_uncertain = True
            await self.client.commands.send_lobby_message({"lobby_id": lobby, "content": content, "metadata": {"mark": mark}})

        await self.persist(send)

    async def history(self, lobby: str) -> "List[LobbyMessage]":
        return await self.client.commands.get_lobby_messages({"lobby_id": lobby, "limit": HISTORY})

    async def play(self) -> None:
        server = await self.client.connect(FIRST_WAIT_S)
        say(f"Dockside - pier 9, via {server.path}")
        game = uuid4().hex
        for turn in range(self.options.rounds):
            ship, cargo = SHIPS[turn % 6], CARGOES[(turn * 5 + 2) % 6]
            activity = {"name": "Dockside", "details": f"Unloading the {ship}", "state": f"{self.score} crates ashore"}
            await self.persist(lambda _: self.client.set_activity(activity))
            say(f"\n[{turn + 1}/{self.options.rounds}] the {ship} comes alongside")
            await self.pause()
            content = f"{ship}: {landed_in(turn)} crates of {cargo} ashore"
            await self.chat(content, f"{game}-{turn}")
            self.score += landed_in(turn)
            await self.pause()
        say("\nthe lobby remembers:")
        for message in await self.persist(self.history):
            say(f"  {message['author']['username']}: {message['content']}")
        await self.persist(lambda _: self.client.clear_activity())
        say(f"\n{self.score} crates ashore. Fair winds!")


async def main() -> int:
    parser = argparse.ArgumentParser(description="Dockside, a small game that uses the bridge.")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--secret", default="dockside-pier-9")
    parser.add_argument("--application", default="1180000000000000042")
    parser.add_argument("--runtime-dir")
    game = Game(parser.parse_args())
    try:
        await game.play()
        return 0
    except SallyportError as error:
        say(f"Dockside failed: {error}")
        return 1
    finally:
        await game.client.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

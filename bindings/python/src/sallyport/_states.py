"""The states of a connection, and which of them follows a failure. Pure.

offline → connecting → ready → waiting → connecting …; every one → closed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Optional

from ._backoff import Backoff
from ._server import Server
from .errors import SallyportError


@dataclass(frozen=True)
class Restored:
    """What a connection restored before it was ready."""

    # none: the game was not signed in; done; failed: it was refused or failed.
    sign_in: str = "none"
    active_subscriptions: int = 0
    refused_subscriptions: int = 0
    # none, done or failed.
    presence: str = "none"


@dataclass(frozen=True)
class State:
    """`name` is offline, connecting, ready, waiting or closed. All times are seconds of the client's clock."""

    name: str = "offline"
    # Why it waits or is offline.
    error: Optional[SallyportError] = None
    # Seconds until the next attempt, while it waits.
    delay: float = 0.0
    server: Optional[Server] = None
    restored: Restored = Restored()
    # Attempts since the connection was lost, and the beginning of the outage or of the first search.
    attempt: int = 0
    since: float = 0.0
    ready_at: float = 0.0
    # The end of the first search; a client that was connected once never stops searching.
    give_up_at: Optional[float] = None

    def __str__(self) -> str:
        return self.name if self.error is None else f"{self.name} ({self.error})"


def after_failure(state: State, error: SallyportError, now: float, random: float, backoff: Optional[Backoff]) -> State:
    """`backoff` is None for a client that does not reconnect."""
    was_ready = state.name == "ready"
    has_given_up = state.give_up_at is not None and now >= state.give_up_at
    if (was_ready and backoff is None) or has_given_up:
        return State("offline", error)
    rule = backoff or Backoff()
    # A connection that ended at once belongs to the outage.
    was_stable = was_ready and now - state.ready_at >= rule.stable
    attempt, since = (0, now) if was_stable else (state.attempt, state.since)
    delay = rule.delay(attempt, now - since, random)
    if state.give_up_at is not None:
        delay = min(delay, state.give_up_at - now)
    return replace(state, name="waiting", error=error, delay=delay, server=None, attempt=attempt + 1, since=since)

"""Calls with a key, which a bridge makes once, and the account that a key belongs to."""

from __future__ import annotations

import asyncio
import re
import secrets
from dataclasses import dataclass
from enum import Enum
from typing import Any, Callable, Optional

from ._fields import fields_of, text_of
from .errors import CallError, KeyNotKeptError
from .protocol import KEYED_COMMANDS, Limits

_KEY_BYTES = 16
_KEY = re.compile("[0-9a-f]{32}")
# The bridge keeps keys for twice as long.
_REPEAT_S = Limits.MAX_DEADLINE_MS / 1000
_SIGN_OUT = "FORGET_TOKENS"
_CHANGES_ACCOUNT = frozenset(("AUTHENTICATE", "UPDATE_TOKEN", _SIGN_OUT))


def new_key() -> str:
    """A key of random bytes: 32 hexadecimal digits in lower case."""
    return secrets.token_hex(_KEY_BYTES)


def check_key(command: str, key: Optional[str]) -> None:
    """Raises ValueError for a key of the game that no bridge takes."""
    if key is None:
        return
    if command not in KEYED_COMMANDS:
        raise ValueError(f"{command} takes no key")
    if _KEY.fullmatch(key) is None:
        raise ValueError("a key is 32 hexadecimal digits in lower case; sallyport.new_key() makes one")


class Repeat(Enum):
    """When a call of an earlier connection is sent again."""

    NOW = 1
    # When the account is certain, or the user is signed in again.
    LATER = 2
    NEVER = 3


@dataclass(frozen=True)
class KeyedCall:
    """What the repeat of a call depends on."""

    key: str
    # None: it was not certain.
    account: Optional[str]
    made_at: float

    def repeat_as(self, account: Optional[str], may_change: bool, now: float) -> Repeat:
        """Under another account it would be another key, and the call would be made a second time. So it would with a forgotten key."""
        if self.account is None or now - self.made_at > _REPEAT_S:
            return Repeat.NEVER
        if self.account == account:
            return Repeat.NOW
        return Repeat.LATER if may_change else Repeat.NEVER


def keyed_call(command: str, key: Optional[str], is_kept: bool, account: Optional[str], now: float) -> Optional[KeyedCall]:
    """With the key of the game or a new one; None for a command that takes none, and where the server keeps none.

    Raises KeyNotKeptError if the server would ignore the key of the game.
    """
    if key is not None and not is_kept:
        raise KeyNotKeptError(f"{command} was not sent: this server keeps no keys, so a repeat could take effect twice")
    return KeyedCall(key or new_key(), account, now) if is_kept and command in KEYED_COMMANDS else None


class Account:
    """The account for which the server makes the calls of a connection."""

    def __init__(self, answered: Callable[[], None]) -> None:
        """`answered` is called after each answer that may have changed the account."""
        self._answered = answered
        self._id: Optional[str] = ""
        # Calls that change the account and have no answer. After a time limit the server may still execute one.
        self._unanswered = 0

    @property
    def id(self) -> Optional[str]:
        """The id of the user; empty without one; None while it is not certain."""
        return None if self.is_changing else self._id

    @property
    def is_changing(self) -> bool:
        """Whether a call that changes the account has no answer yet."""
        return self._unanswered > 0

    def connected(self) -> None:
        """A new connection has no user."""
        self._id, self._unanswered = "", 0

    def signed_out(self) -> None:
        self._id = ""

    def watch(self, command: str, answer: "asyncio.Future[Any]") -> None:
        """Learns from the answer of a call that was sent."""
        if command not in _CHANGES_ACCOUNT:
            return
        self._unanswered += 1

        def learn(done: "asyncio.Future[Any]") -> None:
            error = None if done.cancelled() else done.exception()
            if done.cancelled() or (error is not None and not isinstance(error, CallError)):
                return
            self._unanswered -= 1
            if error is None:
                self._id = "" if command == _SIGN_OUT else _user_id(done.result())
            self._answered()

        answer.add_done_callback(learn)


def _user_id(data: Any) -> Optional[str]:
    user = fields_of((fields_of(data) or {}).get("user"))
    return None if user is None else text_of(user.get("id"))

"""What every connection should have besides subscriptions: the sign-in, the presence, and the time limit of calls."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Mapping, Optional, Union

from ._fields import fields_of, text_of


class Grant:
    """The grant that the bridge stored for this program; of one user, because another instance may have signed in as another."""

    def __init__(self, user_id: Optional[str]) -> None:
        self.user_id = user_id

    @property
    def args(self) -> Dict[str, Any]:
        return {} if self.user_id is None else {"user_id": self.user_id}


class Token:
    """A token of the game. It prints itself nowhere."""

    def __init__(self, access_token: str) -> None:
        self._access_token = access_token

    @property
    def args(self) -> Dict[str, Any]:
        return {"access_token": self._access_token}


Credential = Union[Grant, Token]


def credential_of(args: Optional[Mapping[str, Any]], response: Any) -> Credential:
    """What AUTHENTICATE or UPDATE_TOKEN signed in with."""
    access_token = (args or {}).get("access_token")
    if isinstance(access_token, str):
        return Token(access_token)
    user = fields_of((fields_of(response) or {}).get("user")) or {}
    return Grant(text_of(user.get("id")))


class Desired:
    def __init__(self) -> None:
        self.credential: Optional[Credential] = None
        # Seconds that calls may take at the server; None: its own limit.
        self.call_timeout: Optional[float] = None
        # Arguments of the SET_ACTIVITY to repeat; None after a clear.
        self._presence: Optional[Dict[str, Any]] = None
        # Arguments of one that could not be sent yet.
        self._unsent: Optional[Dict[str, Any]] = None
        # Arguments of one that was set without a connection, until its end is told.
        self._kept: Optional[Dict[str, Any]] = None

    @property
    def unsent_presence(self) -> Optional[Dict[str, Any]]:
        return self._unsent

    def take_presence(self) -> Optional[Dict[str, Any]]:
        """What to send on a new connection; it counts as sent."""
        self._unsent = None
        return self._presence

    def keep_presence(self, args: Mapping[str, Any]) -> None:
        """It could not be sent."""
        self.set_presence(args)
        self._kept = self._unsent = self._presence or dict(args)

    def keep_again(self, args: Mapping[str, Any]) -> None:
        """It was sent, and the connection ended before the answer. Not if the game has set another one since."""
        if self._kept is args:
            self._unsent = self._kept

    def end_kept(self, args: Mapping[str, Any], is_refused: bool) -> bool:
        """The server judged it: refused, no later connection shows it. False if the game has set another one since."""
        if self._kept is not args:
            return False
        self._kept = None
        if is_refused:
            self._presence = None
        return True

    def set_presence(self, args: Mapping[str, Any]) -> Callable[[], None]:
        """It is being sent. Returns what brings the one before back, for the case that the server refuses it."""
        before = self._presence
        # A copy, because games change and reuse their own.
        now: Optional[Dict[str, Any]] = None if args.get("activity") is None else json.loads(json.dumps(dict(args)))
        self._presence, self._unsent, self._kept = now, None, None

        def undo() -> None:
            # Not if a newer one came.
            if self._presence is now:
                self._presence = before

        return undo

"""The sign-in with a proof key (RFC 7636): the player allows in the browser, the code is exchanged, the connection authenticates."""

from __future__ import annotations

import base64
import hashlib
import os
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Sequence, Tuple

from ._fields import fields_of, text_of
from .errors import SallyportError

# For the player's decision; the longest time limit of a call.
_CONSENT_S = 300.0

Request = Callable[[str, Mapping[str, Any], Optional[float]], Awaitable[Any]]


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def create_proof_key() -> Tuple[str, str]:
    """A new verifier, which is a secret until the exchange, and its challenge."""
    verifier = _base64url(os.urandom(32))
    return verifier, _base64url(hashlib.sha256(verifier.encode("ascii")).digest())


def _field(data: Any, name: str) -> str:
    value = text_of((fields_of(data) or {}).get(name))
    if value is None:
        raise SallyportError(f"the response to the authorization has no {name}; signing in needs a Sallyport bridge")
    return value


async def authorize(request: Request, application_id: str, scopes: Sequence[str], timeout: Optional[float]) -> Dict[str, Any]:
    """Returns the data of AUTHENTICATE; with `kept` False if the bridge could not store the tokens. Raises CallError."""
    verifier, challenge = create_proof_key()
    authorization = await request(
        "AUTHORIZE",
        {
            "client_id": application_id,
            "response_type": "code",
            "scopes": list(scopes),
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        },
        _CONSENT_S if timeout is None else timeout,
    )
    exchange = {
        "code": _field(authorization, "code"),
        "code_verifier": verifier,
        "redirect_uri": _field(authorization, "redirect_uri"),
    }
    tokens = await request("GET_TOKEN", exchange, None)
    facts = fields_of(tokens) or {}
    if facts.get("kept") is False:
        signed_in = await request("AUTHENTICATE", {"access_token": _field(tokens, "access_token")}, None)
        return {**signed_in, **{name: facts[name] for name in ("kept", "not_kept_reason") if name in facts}}
    result: Dict[str, Any] = await request("AUTHENTICATE", {}, None)
    return result

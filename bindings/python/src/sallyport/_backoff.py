"""How long to wait between attempts: short at first, because a restarted bridge is back within a second."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    # Seconds before the second attempt; also the longest before the first.
    first: float = 0.1
    # The longest wait in the first `early` seconds of an outage.
    early_cap: float = 0.5
    early: float = 60.0
    cap: float = 5.0
    # A connection that lasted less does not count as an end of the outage: a server may crash on each handshake.
    stable: float = 2.0

    def delay(self, attempt: int, outage: float, random: float) -> float:
        """Seconds before this attempt (0 is the first) of an outage of that age. `random`, from 0 to 1, spreads the upper half."""
        cap = self.early_cap if outage < self.early else self.cap
        full: float = min(cap, self.first * 2 ** min(attempt, 20))
        return full * (0.5 + random / 2)

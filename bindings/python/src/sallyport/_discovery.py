"""The discovery rule: where servers may listen, as a pure function of the environment."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, List, Mapping, Optional

from .protocol import SLOT_COUNT

# The first variable that is set names the directory; later ones are not tried.
_VARIABLES = ("XDG_RUNTIME_DIR", "TMPDIR", "TMP", "TEMP")

# Folders below it where packaged desktop clients put their sockets.
_PACKAGED_CLIENTS = ("app/com.discordapp.Discord", "snap.discord")

# Folders that Flatpaks and Snaps can write to: an application's own, and those that it may reach.
_CONTAINED = re.compile(r"/(?:app/[\w-]+(?:\.[\w-]+){2,}|\.flatpak/[^/]+/xdg-run|snap\.[^/]+)/$")


@dataclass(frozen=True)
class Candidate:
    path: str
    slot: int
    # Contained programs can listen there: what answers is not believed to be a bridge.
    is_packaged: bool = False


@dataclass(frozen=True)
class Discovery:
    platform: str
    env: Mapping[str, str]
    # The folder of this user below a directory that other users can write to.
    own_folder: Callable[[str], str]
    is_contained: bool = False
    runtime_dir: Optional[str] = None
    slot: Optional[int] = None
    ipc_prefix: str = "discord-ipc"
    allow_packaged_client: bool = False


def _within(directory: str, name: str) -> str:
    return f"{directory.rstrip('/')}/{name}"


def _is_packaged(directory: str, given: Discovery) -> bool:
    """In a container there is no other folder than these, so inside of one they count as any other."""
    if not given.platform.startswith("linux") or given.is_contained:
        return False
    return _CONTAINED.search(re.sub("/+", "/", f"/{directory}/")) is not None


def directories(given: Discovery) -> List[str]:
    """Directories that can hold sockets, best first. None on Windows, where pipes have no directory."""
    if given.platform == "win32":
        return []
    if given.runtime_dir is not None:
        return [given.runtime_dir]
    directory = next((given.env[name] for name in _VARIABLES if given.env.get(name)), "/tmp")
    own = given.own_folder(directory)
    if own != directory:
        return [own]
    packaged = _PACKAGED_CLIENTS if given.platform.startswith("linux") else ()
    return [directory, *(_within(directory, folder) for folder in packaged)]


def candidates(given: Discovery) -> List[Candidate]:
    """Every socket to try, in order: slots ascending in the best directory, then in the next."""
    slots = range(SLOT_COUNT) if given.slot is None else [given.slot]
    if given.platform == "win32":
        return [Candidate(rf"\\?\pipe\{given.ipc_prefix}-{slot}", slot) for slot in slots]
    return [
        Candidate(_within(directory, f"{given.ipc_prefix}-{slot}"), slot, _is_packaged(directory, given))
        for directory in directories(given)
        for slot in slots
    ]

"""Servers of this user only, and outside of containers.

Another user can listen first at the name that all clients try, and would get the user's data. So can a contained program.
The mount at the root and the users of the namespace tell where a process runs: the kernel writes both for every reader,
while the links in /proc/PID/ns can be read of few processes, and never of a bridge.
"""

from __future__ import annotations

import os
import select
import socket
import stat
import struct
from typing import Optional, Tuple

from .errors import ForeignServerError

_OTHERS_WRITE = 0o022
_ROOT = 0
# Files at the root of a Flatpak and of a Snap.
_CONTAINER_MARKS = ("/.flatpak-info", "/meta/snap.yaml")
_MOUNTS_LIMIT = 1_048_576
_PEER = struct.Struct("3i")
# Linux 6.5; Python does not name it.
_SO_PEERPIDFD = 77

Mark = Tuple[int, int, int]


def own_folder(directory: str) -> str:
    """The directory, or this user's private folder below it if other users can write to the directory."""
    if not hasattr(os, "getuid"):
        return directory
    try:
        is_shared = os.stat(directory).st_mode & _OTHERS_WRITE != 0
    except OSError:
        # Missing or not readable: the search finds no server there.
        return directory
    return f"{directory.rstrip('/')}/sallyport-{os.getuid()}" if is_shared else directory


def is_contained() -> bool:
    return any(os.path.exists(path) for path in _CONTAINER_MARKS)


def _folder_is_safe(facts: os.stat_result, uid: int) -> bool:
    is_owned = stat.S_ISDIR(facts.st_mode) and facts.st_uid in (uid, _ROOT)
    return is_owned and (facts.st_mode & _OTHERS_WRITE == 0 or facts.st_mode & stat.S_ISVTX != 0)


def socket_mark(path: str) -> Mark:
    """What identifies the socket file. Raises ForeignServerError if another user owns it or can replace it, and OSError."""
    uid = os.getuid()
    facts = os.lstat(path)
    if not stat.S_ISSOCK(facts.st_mode):
        raise OSError(f"{path} is not a socket")
    if facts.st_uid != uid:
        raise ForeignServerError(f"{path} belongs to another user of the system")
    folder = os.path.dirname(path)
    if not _folder_is_safe(os.stat(folder), uid):
        raise ForeignServerError(f"other users of the system can replace sockets in {folder}")
    return facts.st_dev, facts.st_ino, facts.st_ctime_ns


def check_peer(path: str, before: Mark, connected: socket.socket) -> None:
    """Raises ForeignServerError unless a process of this user, outside of containers, listens at the path as it was before."""
    if socket_mark(path) != before:
        raise ForeignServerError(f"{path} was replaced while the client connected")
    if not hasattr(socket, "SO_PEERCRED"):
        return
    pid, uid, _ = _PEER.unpack(connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    if uid != os.getuid():
        raise ForeignServerError(f"a process of another user of the system listens at {path}")
    if not _is_outside(pid, connected):
        raise ForeignServerError(f"a process in a container listens at {path}")


def _is_outside(pid: int, connected: socket.socket) -> bool:
    # A process without a number here is outside, because this one is in a container then.
    if is_contained() or pid == 0:
        return True
    place = _place(str(pid))
    # In a container that shows the processes of the system, the first process is outside, as a bridge is.
    return place is not None and place in (_place("self"), _place("1")) and _has_number(connected)


def _has_number(connected: socket.socket) -> bool:
    """Whether the process that began to listen still has its number. Before Linux 6.5 the system does not say."""
    try:
        descriptor = connected.getsockopt(socket.SOL_SOCKET, _SO_PEERPIDFD)
    except OSError:
        return True
    try:
        return select.select([descriptor], [], [], 0)[0] == []
    finally:
        os.close(descriptor)


def _place(process: str) -> Optional[Tuple[bytes, bytes]]:
    """The number of the mount at the root, which no two mount namespaces share, and the users of the namespace."""
    try:
        with open(f"/proc/{process}/mountinfo", "rb") as mounts, open(f"/proc/{process}/uid_map", "rb") as users:
            mount = next((line.split(b" ", 1)[0] for line in mounts.readlines(_MOUNTS_LIMIT) if line.split(b" ", 5)[4:5] == [b"/"]), None)
            return None if mount is None else (mount, users.read())
    except OSError:
        return None

"""What a store must know of the file system: that it is alone with its file, and that it is local."""

import os
import re
import sys
from pathlib import Path

from oddtrick_server.store.errors import StoreInUse, StoreUnusable

if sys.platform != "win32":
    import fcntl

NETWORK_FILE_SYSTEMS = frozenset(
    {"9p", "afs", "ceph", "cifs", "fuse.glusterfs", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs"}
)
"""Where locks and shared memory cannot be relied on, and with them SQLite's log cannot."""

MOUNTS = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(r"\\([0-7]{3})")


class FileLock:
    """A lock next to a file, held until `release` or the end of the process, however it ends.

    Raises StoreInUse if somebody holds it, StoreUnusable if it cannot be had at all.
    """

    def __init__(self, path: Path) -> None:
        if sys.platform == "win32":
            raise StoreUnusable(f"store {path}: needs file locks of a POSIX system; use memory")
        lock_path = path.with_name(path.name + ".lock")
        try:
            self._descriptor = os.open(lock_path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreUnusable(f"store {path}: cannot lock it: {error.strerror}") from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(self._descriptor, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._descriptor)
            raise StoreInUse(f"store {path}: process {holder} has it open; stop it first") from error
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, b"%d\n" % os.getpid())

    def release(self) -> None:
        """Let go. The lock's file stays: to delete it would open a race for the lock."""
        os.close(self._descriptor)


def file_system_of(path: Path, mounts: str) -> str:
    """The type of the file system a path is on, by a mountinfo(5) text; empty if it is not told."""
    best, found = -1, ""
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        mount_point = _ESCAPED.sub(lambda m: chr(int(m[1], 8)), fields.split(" ")[4])
        # Of two mounts on one point the later covers the earlier.
        if len(mount_point) >= best and path.is_relative_to(mount_point):
            best, found = len(mount_point), rest.split(" ")[0]
    return found


def refuse_network_file_system(path: Path) -> None:
    """Raise StoreUnusable if a path is on a file system that other machines share."""
    try:
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:  # not Linux: the operator is told in the handbook
        return
    kind = file_system_of(path.resolve(), mounts)
    if kind in NETWORK_FILE_SYSTEMS:
        raise StoreUnusable(f"store {path}: {kind} is a network file system; use a local disk")

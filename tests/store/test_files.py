from pathlib import Path

import pytest

from oddtrick_server.store import files
from oddtrick_server.store.errors import StoreInUse, StoreUnusable
from oddtrick_server.store.files import FileLock, file_system_of, refuse_network_file_system

MOUNTS = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
23 22 0:21 / /srv rw,relatime shared:2 - nfs4 nas:/export rw
24 22 0:22 / /srv/club rw,relatime - xfs /dev/vdb rw
25 22 0:23 / /club/our\\040caf\u00e9 rw - fuse.sshfs host: rw
26 22 0:24 / /over rw master:1 propagate_from:2 - nfs nas:/ rw
27 26 0:25 / /over rw - tmpfs tmpfs rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/club.db", "ext4"),
        ("/srv/club.db", "nfs4"),
        ("/srv/club/club.db", "xfs"),
        ("/srv/clubs/club.db", "nfs4"),
        ("/club/our café/club.db", "fuse.sshfs"),
        ("/over/club.db", "tmpfs"),
    ],
)
def test_the_file_system_of_a_path(path: str, kind: str) -> None:
    """The longest mount point that holds the path counts; of two on one point the later."""
    assert file_system_of(Path(path), MOUNTS) == kind


def test_a_network_file_system_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path on a network file system is one clear line; where mounts are not told, it is let be."""
    mounts = tmp_path / "mountinfo"
    mounts.write_text("22 1 254:0 / / rw - nfs4 nas:/export rw\n")
    monkeypatch.setattr(files, "MOUNTS", mounts)
    with pytest.raises(StoreUnusable, match=r"nfs4 is a network file system; use a local disk$"):
        refuse_network_file_system(tmp_path / "club.db")
    mounts.write_text("22 1 254:0 / / rw - ext4 /dev/vda rw\n")
    refuse_network_file_system(tmp_path / "club.db")
    mounts.unlink()
    refuse_network_file_system(tmp_path / "club.db")


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    """The second to lock is told who has it; when it is let go, the next may."""
    path = tmp_path / "club.db"
    lock = FileLock(path)
    holder = (tmp_path / "club.db.lock").read_text().strip()
    with pytest.raises(StoreInUse, match=rf"process {holder} has it open; stop it first$"):
        FileLock(path)
    lock.release()
    FileLock(path).release()


def test_a_lock_that_cannot_be_had(tmp_path: Path) -> None:
    """Where no lock can be made it is one clear line, not a traceback."""
    with pytest.raises(StoreUnusable, match=r"cannot lock it: No such file or directory$"):
        FileLock(tmp_path / "nowhere" / "club.db")

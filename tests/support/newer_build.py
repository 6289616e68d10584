"""The `oddtrick` command of a test build one minor version ahead: for a club in the middle of an upgrade.

Its welcome names a higher minor version, a build and a capability that nobody else knows; to other servers it writes fields and letters
that they have never heard of.
"""

from typing import Any

import msgspec

from oddtrick_cli.main import main
from oddtrick_protocol import version

BUILD = "0.2.0-test"
MINOR = version.MINOR + 1

version.MINOR = MINOR  # type: ignore[misc]
version.BUILD = BUILD  # type: ignore[misc]
version.CAPABILITIES = (*version.CAPABILITIES, "telepathy")  # type: ignore[misc,assignment]

from oddtrick_server.cluster import post  # noqa: E402 - after the version is another
from oddtrick_server.cluster.letters import Beat, Letter, encode_letter  # noqa: E402

put = post.Post.put


def put_with_more(self: post.Post, server: str, letter: Letter) -> None:
    """Send what this version sends, and what only the next one would."""
    put(self, server, letter)
    if isinstance(letter, Beat):
        self._waiting[server].append(
            msgspec.msgpack.encode({"type": "thought", "sender": letter.sender, "of": "hearts"})
        )


def encode_with_more(letter: Letter) -> bytes:
    """A letter with a field nobody knows yet."""
    fields: dict[str, Any] = msgspec.msgpack.decode(encode_letter(letter))
    return msgspec.msgpack.encode({**fields, "mood": "hopeful"})


post.Post.put = put_with_more  # type: ignore[method-assign]
setattr(post, "encode_letter", encode_with_more)  # noqa: B010 - where it is called, not where it is defined

if __name__ == "__main__":
    main()

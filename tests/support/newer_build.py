"""The `oddtrick` command of a test build one minor version ahead: for a club in the middle of an upgrade.

Its welcome names a higher minor version, a build and a capability that nobody else knows; to other servers it writes fields and letters
that they have never heard of, and it passes on a message that only it lets in: what a player chats that is `WAVE` alone. It is newer only when it is run: a test that imports it for its names stays what it was.
"""

import importlib
from typing import Any

import msgspec

from oddtrick_protocol import version

BUILD = "0.2.0-test"
MINOR = version.MINOR + 1
WAVE = "(waves)"


def become_newer() -> None:
    """Make this process the newer build; before anything else of the server is imported."""
    version.MINOR = MINOR  # type: ignore[misc]
    version.BUILD = BUILD  # type: ignore[misc]
    version.CAPABILITIES = (*version.CAPABILITIES, "telepathy")  # type: ignore[misc,assignment]
    post = importlib.import_module("oddtrick_server.cluster.post")
    letters = importlib.import_module("oddtrick_server.cluster.letters")
    put = post.Post.put

    def put_with_more(self: Any, server: str, letter: Any) -> None:
        """Send what this version sends, and what only the next one would."""
        put(self, server, letter)
        if isinstance(letter, letters.Beat):
            self._waiting[server].append(
                msgspec.msgpack.encode({"type": "thought", "sender": letter.sender, "of": "hearts"})
            )

    def encode_with_more(letter: Any) -> bytes:
        """A letter with a field nobody knows yet."""
        fields: dict[str, Any] = msgspec.msgpack.decode(letters.encode_letter(letter))
        return msgspec.msgpack.encode({**fields, "mood": "hopeful"})

    follower = importlib.import_module("oddtrick_server.cluster.follower")
    raw = follower.raw_message

    def raw_with_more(message: Any) -> Any:
        """A client's message, which may be of a kind that nobody knows yet."""
        if getattr(message, "text", "") == WAVE:
            return msgspec.Raw(msgspec.msgpack.encode({"t": "wave", "id": message.id, "table": message.table}))
        return raw(message)

    follower.raw_message = raw_with_more  # type: ignore[attr-defined]  # where it is called, not where it is defined
    post.Post.put = put_with_more
    post.encode_letter = encode_with_more  # type: ignore[attr-defined]  # where it is called, not where it is defined


if __name__ == "__main__":
    become_newer()
    importlib.import_module("oddtrick_cli.main").main()

import asyncio
from collections.abc import Sequence

from oddtrick_server.clock import VirtualClock
from oddtrick_server.cluster.letters import Gone, Letter, decode_letter
from oddtrick_server.cluster.post import RETRY_S, WAITING_MAX, Post
from oddtrick_server.store.errors import StoreBusy


class Box:
    """Mail that can be shut."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, list[bytes]]] = []
        self.shut = False
        self.inbox: asyncio.Queue[bytes] = asyncio.Queue()

    async def send(self, server: str, letters: Sequence[bytes]) -> None:
        await asyncio.sleep(0)
        if self.shut:
            raise StoreBusy("shut")
        self.sent.append((server, list(letters)))

    async def receive(self, server: str) -> list[bytes]:
        return [await self.inbox.get()]

    def numbers(self, server: str) -> list[int]:
        letters = [decode_letter(one) for to, some in self.sent for one in some if to == server]
        return [letter.number for letter in letters if isinstance(letter, Gone)]


def post_of(box: Box, clock: VirtualClock, got: list[Letter]) -> Post:
    return Post(box, "me", clock=clock, deliver=got.append)


async def turns() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_letters_leave_in_order_and_together() -> None:
    """What is put while others are on their way leaves with the next lot; each server has its own order."""
    box, clock = Box(), VirtualClock()
    post = post_of(box, clock, [])
    for number in range(3):
        post.put("one", Gone("me", "t", number))
        post.put("two", Gone("me", "t", 10 + number))
    await turns()
    assert box.numbers("one") == [0, 1, 2]
    assert box.numbers("two") == [10, 11, 12]
    assert len(box.sent) == 2
    await post.stop()


async def test_letters_wait_while_the_box_is_shut() -> None:
    """What cannot be sent now is sent later, before what came after it; of too many the oldest are dropped."""
    box, clock = Box(), VirtualClock()
    post = post_of(box, clock, [])
    box.shut = True
    for number in range(5):
        post.put("one", Gone("me", "t", number))
        await turns()
    box.shut = False
    clock.move(RETRY_S)
    await turns()
    assert box.numbers("one") == [0, 1, 2, 3, 4]
    box.shut = True
    box.sent.clear()
    for number in range(WAITING_MAX + 7):
        post.put("one", Gone("me", "t", number))
    await turns()
    box.shut = False
    clock.move(RETRY_S)
    await turns()
    assert box.numbers("one") == list(range(7, WAITING_MAX + 7))
    await post.stop()


async def test_a_letter_that_cannot_be_borne() -> None:
    """A fault with one letter, or one that is none, does not keep the next from being read."""
    box, clock = Box(), VirtualClock()
    got: list[Letter] = []

    def deliver(letter: Letter) -> None:
        if isinstance(letter, Gone) and letter.number == 1:
            raise ValueError("cannot be borne")
        got.append(letter)

    post = Post(box, "me", clock=clock, deliver=deliver)
    post.start()
    other = post_of(box, clock, [])
    for number in range(3):
        other.put("me", Gone("you", "t", number))
    await turns()
    for _, letters in box.sent:
        for letter in letters:
            box.inbox.put_nowait(letter)
    box.inbox.put_nowait(b"no letter")
    await turns()
    assert got == [Gone("you", "t", 0), Gone("you", "t", 2)]
    await post.stop()
    await other.stop()

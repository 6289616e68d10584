"""Who this is: guests known by a token, and the answers they were given, for ids sent again.

A session belongs to an identity, not to a connection: whichever line brings an id again gets the first answer. Sessions live in
memory; what must outlive a crash (acts accepted at a table) stands in the table's log.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import msgspec

from oddtrick_protocol.closing import Refuse
from oddtrick_protocol.messages import Ok, Refused
from oddtrick_server.accounts import Account, Accounts
from oddtrick_server.clock import Clock
from oddtrick_server.forgotten import FORGOTTEN, UNREADABLE, is_in_hands, take_out
from oddtrick_server.keyring import Keyring
from oddtrick_server.limits import Limits
from oddtrick_server.logs import Say, log
from oddtrick_server.names import clean_name
from oddtrick_server.person import Person
from oddtrick_server.rates import Bucket
from oddtrick_server.store.interface import Store
from oddtrick_server.tokens import CHANCE_BYTES, hash_of, new_identity

IDENTITIES: Final = "identities"
KNOWN_ANEW: Final = "known-anew"  # the identity an account came again with, by the one that was forgotten
IDENTITY_BYTES: Final = 15
SEEN_EVERY_MS: Final = 86_400_000
FORGET_SLICE: Final = 100  # identities looked at between two looks at the tables
JWT_BEGINS: Final = "ey"  # `{"` in base64
TOKENS_KEPT: Final = 4  # of one identity: an old tab may still hold the one before

Answer: TypeAlias = Ok | Refused


class Guest(msgspec.Struct):
    """What is kept of an identity."""

    name: str
    token_hashes: list[str]
    since_ms: int
    bot: bool = False
    account: bool = False  # somebody else knows who he is, and is asked again from time to time
    seen_ms: int = 0  # when he last said hello, to a day


@dataclass(slots=True)
class Session:
    """One identity while it is connected, and a while after."""

    person: Person
    token: str
    bucket: Bucket  # of its messages: a new connection is no new allowance
    joined: set[str] = field(default_factory=set)  # tables it may be at
    line: object | None = None  # its one connection: the newest
    left_at: float = 0.0
    answers: OrderedDict[str, Answer | None] = field(default_factory=OrderedDict)  # None: being worked out
    waiting: dict[str, list[Any]] = field(default_factory=dict)  # connections that sent such an id again

    def remember(self, id_: str, answer: Answer | None, *, at_most: int) -> None:
        """Keep the first answer to an id, or that it is being worked out."""
        self.answers[id_] = answer
        while len(self.answers) > at_most:
            self.answers.popitem(last=False)


class Sessions:
    """Everybody who is here, or was a moment ago."""

    def __init__(
        self,
        *,
        store: Store,
        keyring: Keyring,
        clock: Clock,
        limits: Limits,
        entropy: Callable[[int], bytes],
        accounts: Accounts | None = None,
        accounts_only: bool = False,
    ) -> None:
        self._store = store
        self._keyring = keyring
        self._refreshes = Bucket(per_s=1.0, burst=2)
        self._clock = clock
        self._limits = limits
        self._entropy = entropy
        self._accounts = accounts
        self._accounts_only = accounts_only
        self._sessions: dict[str, Session] = {}

    async def hello(
        self, name: str, token: str | None, *, bot: bool, account: Account | None = None
    ) -> Session | Refuse:
        """The session of who says hello: an account that was shown, the same one with a token, a new guest without."""
        try:
            cleaned = clean_name(name, chars_max=self._limits.name_chars_max)
        except ValueError:
            return Refuse.BAD_NAME
        if account is None and self._accounts is not None and token is not None and token.startswith(JWT_BEGINS):
            account = self._accounts.read(token, self._unix_s())
            if account is None:
                return Refuse.BAD_TOKEN
        if account is not None:
            return await self._of_account(account, cleaned, bot=bot)
        if token is None:
            return Refuse.BAD_TOKEN if self._accounts_only else await self._new(cleaned, bot=bot)
        return await self._known(cleaned, token)

    async def _new(self, name: str, *, bot: bool) -> Session:
        identity = new_identity(self._entropy(IDENTITY_BYTES))
        token = self._mint(identity, expires=self._unix_s() + self._limits.token_s)
        guest = Guest(name, [hash_of(token)], self._clock.unix_ms(), bot)
        await self._keep(identity, guest)
        return self._enter(Person(identity, name, bot), token)

    async def _of_account(self, account: Account, name: str, *, bot: bool) -> Session:
        """An account's session, with the name it bears with the issuer, if that can be shown."""
        with contextlib.suppress(ValueError):
            name = clean_name(account.name or "", chars_max=self._limits.name_chars_max)
        identity = await self._identity_of(account)
        guest = await self._guest(identity)
        if guest is None:
            guest = Guest(name, [], self._clock.unix_ms(), bot)
        token = self._mint(identity, expires=self._unix_s() + self._limits.account_token_s)
        guest.name, guest.account = name, True
        guest.token_hashes = [*guest.token_hashes, hash_of(token)][-TOKENS_KEPT:]
        await self._keep(identity, guest)
        return self._enter(Person(identity, name, guest.bot), token)

    async def _identity_of(self, account: Account) -> str:
        """Who an account is here: another after he was forgotten.

        What other servers have not yet heard, tables that nobody has in memory and hands in play go by the forgotten one: it
        stays noted, and they let go of it in their own time.
        """
        identity = account.identity
        while True:
            later = await self._store.get(KNOWN_ANEW, identity)
            if later is not None:
                identity = later.decode()
            elif await self._store.get(FORGOTTEN, identity) is None:
                return identity
            else:
                # Of two servers that he comes to at once one says who he is, and both go by it.
                anew = new_identity(self._entropy(IDENTITY_BYTES)).encode()
                await self._store.put(KNOWN_ANEW, identity, anew, only_new=True)

    async def _guest(self, identity: str) -> Guest | None:
        body = await self._store.get(IDENTITIES, identity)
        return None if body is None else msgspec.msgpack.decode(body, type=Guest)

    async def _known(self, name: str, token: str) -> Session | Refuse:
        if not self._keyring.mint.knows_key_of(token) and not self._refreshes.take(self._clock.now()):
            await self._keyring.refresh()  # another server on this store may have made a new key
        read = self._keyring.mint.read(token, self._unix_s())
        if read is None:
            return Refuse.BAD_TOKEN
        identity, expires = read
        guest = await self._guest(identity)
        if guest is None or (self._accounts_only and not guest.account):
            return Refuse.BAD_TOKEN
        if hash_of(token) not in guest.token_hashes:
            return Refuse.BAD_TOKEN
        late = not guest.account and expires - self._unix_s() < self._limits.token_renew_s
        renewed = late or not self._keyring.mint.is_signed_anew(token)
        if renewed:
            # An account's token lives no longer for it: then the issuer is asked again.
            until = expires if guest.account else self._unix_s() + self._limits.token_s
            shown, token = hash_of(token), self._mint(identity, expires=until)
            # The one he came with stays, however often he comes with it: the new one may be lost on its way to him.
            others = [one for one in guest.token_hashes if one != shown]
            guest.token_hashes = [*others, shown, hash_of(token)][-TOKENS_KEPT:]
        if guest.account:
            name = guest.name
        if renewed or guest.name != name or self._was_seen_long_ago(guest):
            guest.name = name
            await self._keep(identity, guest)
        return self._enter(Person(identity, name, guest.bot), token)

    def _mint(self, identity: str, *, expires: float) -> str:
        return self._keyring.mint.mint(identity, expires=expires, entropy=self._entropy(CHANCE_BYTES))

    def _enter(self, person: Person, token: str) -> Session:
        session = self._sessions.get(person.identity)
        if session is None:
            session = self._sessions[person.identity] = Session(
                person, token, Bucket(per_s=self._limits.messages_per_s, burst=self._limits.messages_burst)
            )
        session.person = person
        session.token = token
        return session

    def knows(self, identity: str) -> bool:
        """Whether somebody is here, or was a moment ago."""
        return identity in self._sessions

    def dismiss(self, identity: str) -> object | None:
        """Forget somebody's session at once; the line he is on, if he is on one."""
        session = self._sessions.pop(identity, None)
        return None if session is None else session.line

    def sweep(self) -> None:
        """Forget sessions without a connection for a while."""
        before = self._clock.now() - self._limits.session_s
        gone = [key for key, one in self._sessions.items() if one.line is None and one.left_at < before]
        for key in gone:
            del self._sessions[key]

    def __len__(self) -> int:
        return len(self._sessions)

    async def forget_unseen(self) -> int:
        """Delete identities that no token can bring back any more, and take guests among them out of their hands; how many."""
        count = 0
        before_ms = self._clock.unix_ms() - int(self._limits.token_s * 1000) - SEEN_EVERY_MS
        for number, identity in enumerate(await self._store.list_keys(IDENTITIES), 1):
            if number % FORGET_SLICE == 0:
                await asyncio.sleep(0)  # a store in memory answers at once, and there may be a hundred thousand
            guest = await self._guest(identity)
            if guest is None:
                continue
            if identity in self._sessions:
                # One hello may last for weeks: to other servers he must not look as if he had gone.
                if self._was_seen_long_ago(guest):
                    await self._keep(identity, guest)
                    if await self._store.get(FORGOTTEN, identity) is not None:  # since we looked
                        await self._store.delete(IDENTITIES, identity)
            elif max(guest.seen_ms, guest.since_ms) < before_ms:
                try:
                    # An account may come back for its hands at any time; a guest cannot.
                    if not guest.account:
                        await take_out(self._store, identity)
                except UNREADABLE as error:
                    log.warning(Say.HAND_UNREADABLE, why=str(error))
                else:
                    count += await self._store.delete(IDENTITIES, identity)
        await self._forget_who_was_who()
        return count

    async def _forget_who_was_who(self) -> None:
        """Delete what leads from a forgotten identity to the next, if there is nothing of either any more."""
        for identity in await self._store.list_keys(KNOWN_ANEW):
            found = await self._store.get(KNOWN_ANEW, identity)
            if found is None:
                continue  # another server was here
            anew = found.decode()
            pairs = ((FORGOTTEN, identity), (FORGOTTEN, anew), (IDENTITIES, anew), (KNOWN_ANEW, anew))
            is_needed = any([await self._store.get(*pair) is not None for pair in pairs])
            if not is_needed and not await is_in_hands(self._store, anew):
                await self._store.delete(KNOWN_ANEW, identity)

    def _was_seen_long_ago(self, guest: Guest) -> bool:
        return self._clock.unix_ms() - guest.seen_ms > SEEN_EVERY_MS

    async def _keep(self, identity: str, guest: Guest) -> None:
        guest.seen_ms = self._clock.unix_ms()
        await self._store.put(IDENTITIES, identity, msgspec.msgpack.encode(guest))

    def _unix_s(self) -> float:
        return self._clock.unix_ms() / 1000

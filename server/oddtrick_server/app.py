"""A server: the one place where its parts are chosen and joined.

    async with App(Settings(port=0, store="memory")) as app:
        ...  # app.url

A test gives `store`, `clock` and `entropy` of its own, and may start one app after another on the same store: that is a crash and
a restart, if the first was `kill`ed, and an upgrade if it was `stop`ped.
"""

from __future__ import annotations

import asyncio
import gc
import secrets
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Final, Self

from oddtrick_protocol.version import BUILD
from oddtrick_server import forgotten
from oddtrick_server.accounts import Accounts, accounts_of
from oddtrick_server.admin import Admin, read_key
from oddtrick_server.clock import Clock, RealClock
from oddtrick_server.cluster.lobby import ClusterLobby
from oddtrick_server.keyring import Keyring
from oddtrick_server.leftovers import drop_old_hands, drop_secrets_of_closed_tables
from oddtrick_server.listener import Listener
from oddtrick_server.lobby import Lobby
from oddtrick_server.logs import Say, log
from oddtrick_server.operating import Operating
from oddtrick_server.proxies import Proxies
from oddtrick_server.services import Services
from oddtrick_server.session import Sessions
from oddtrick_server.settings import BadSetting, Settings
from oddtrick_server.store.errors import StoreBusy, StoreError, StoreWriteFailed
from oddtrick_server.store.interface import Store
from oddtrick_server.store.opening import open_store

LAG_EVERY_S: Final = 0.5
FORGET_EVERY_S: Final = 86_400.0
FORGET_FIRST_S: Final = 3_600.0  # after the start
RETURNS_PER_S: Final = 500  # clients of a server that stops, who come back to others or to the one that replaces it
RETURN_MS_MAX: Final = 10_000  # the longest that one of them is asked to wait


class App:
    """One server process."""

    def __init__(
        self,
        settings: Settings,
        *,
        store: Store | None = None,
        clock: Clock | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.settings = settings
        self.clock: Clock = RealClock() if clock is None else clock
        self.store: Store = open_store(settings.store) if store is None else store
        self._owns_store = store is None
        self._entropy = entropy
        self._lobby: Lobby | None = None
        self._listener: Listener | None = None
        self._sessions: Sessions | None = None
        self._keyring: Keyring | None = None
        self._accounts: Accounts | None = None
        self._sweeper: asyncio.Task[None] | None = None
        self._operating = Operating(self)
        self._admin: Admin | None = None
        self._lag: asyncio.Task[None] | None = None
        self._ready = False
        self.name = ""  # towards the other servers on the store, and in the log
        self.port = 0
        self.admin_port = 0

    # --- what may be asked of a running server ---

    @property
    def url(self) -> str:
        """Where clients connect."""
        host = self.settings.host
        shown = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 -- compared, not bound
        return f"ws://[{shown}]:{self.port}" if ":" in shown else f"ws://{shown}:{self.port}"

    @property
    def page(self) -> str:
        """Where a browser has the table."""
        return self.url.replace("ws://", "http://", 1)

    @property
    def lobby(self) -> Lobby:
        """The tables."""
        assert self._lobby is not None, "the app has not started"
        return self._lobby

    @property
    def listener(self) -> Listener:
        """The port and its connections."""
        assert self._listener is not None, "the app has not started"
        return self._listener

    @property
    def sessions(self) -> Sessions:
        """Who is here."""
        assert self._sessions is not None, "the app has not started"
        return self._sessions

    @property
    def keyring(self) -> Keyring:
        """The keys that sign tokens."""
        assert self._keyring is not None, "the app has not started"
        return self._keyring

    @property
    def is_ready(self) -> bool:
        """Whether new clients are welcome."""
        return self._ready and self.lobby.is_reachable

    # --- life ---

    async def start(self) -> None:
        """Open the store and listen. OSError, StoreError or BadSetting if that cannot be."""
        settings, limits = self.settings, self.settings.limits
        key = read_key(settings.admin_key_file) if settings.admin_key_file else None
        admin = None if key is None else Admin(self._operating, key=key)
        await self.store.ping()
        self._keyring = Keyring(
            self.store,
            clock=self.clock,
            entropy=self._entropy,
            token_s=limits.token_s,
            file=settings.token_key_file,
        )
        await self._keyring.open()
        self._accounts = accounts_of(settings)
        self._sessions = Sessions(
            store=self.store,
            keyring=self._keyring,
            clock=self.clock,
            limits=limits,
            entropy=self._entropy,
            accounts=self._accounts,
            accounts_only=settings.accounts_only,
        )
        self.name = self._entropy(8).hex()
        lobby = ClusterLobby if hasattr(self.store, "mail") else Lobby
        self._lobby = lobby(
            store=self.store,  # type: ignore[arg-type]  # a shared one, if it has mail
            clock=self.clock,
            limits=limits,
            entropy=self._entropy,
            owner=self.name,
            allow_seeds=settings.allow_seeds,
        )
        await self._lobby.start()
        services = Services(
            store=self.store, clock=self.clock, limits=limits, sessions=self._sessions, lobby=self._lobby
        )
        self._listener = Listener(
            services,
            clock=self.clock,
            limits=limits,
            origins=settings.origins,
            proxies=Proxies(settings.trusted_proxies),
            accounts=self._accounts,
            is_ready=lambda: self.is_ready,
        )
        self.port = await self._listener.start(settings.host, settings.port)
        if admin is not None:
            try:
                self.admin_port = admin.start(settings.admin_port)
            except BadSetting:
                await self.stop()
                raise
            self._admin = admin
            self._lag = asyncio.create_task(self._watch_lag(), name="lag")
            log.info(Say.ADMIN_OPEN, port=self.admin_port)
        self._sweeper = asyncio.create_task(self._sweep(), name="sweeper")
        self._ready = True
        log.info(Say.STARTED, port=self.port, build=BUILD, server=self.name)

    async def stop(self) -> None:
        """Drain: take nothing new, let every table keep what it was asked, tell the clients to come back, close the store."""
        self._ready = False
        log.info(Say.STOPPING)
        for task in (self._sweeper, self._lag):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        if self._lobby is not None:
            self._lobby.draining = True
            await self._lobby.hand_over()
        if self._listener is not None:
            await self._listener.stop(after_ms=self._returning(len(self._listener.clients)))
        if self._lobby is not None:
            await self._lobby.stop()
        if self._admin is not None:
            await self._admin.stop()
        if self._owns_store:
            await self.store.close()
        log.info(Say.STOPPED)

    async def __aenter__(self) -> Self:
        try:
            await self.start()
        except BaseException:
            if self._owns_store:
                await self.store.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def _watch_lag(self) -> None:
        """Count how late the loop is, on its own clock: only where somebody may look at it."""
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(LAG_EVERY_S)
            self.lobby.metrics.lag.add(max(0.0, loop.time() - before - LAG_EVERY_S))

    def _returning(self, lines: int) -> Callable[[], int]:
        """After how many milliseconds a client may come back, by chance: few at once, many spread over as long as they need."""
        spread_ms = min(RETURN_MS_MAX, 1_000 * lines // RETURNS_PER_S)
        return lambda: int.from_bytes(self._entropy(4)) % (spread_ms + 1)

    async def _sweep(self) -> None:
        forget_at = self.clock.now() + FORGET_FIRST_S
        while True:
            await self.clock.sleep(self.settings.limits.sweep_s)
            assert self._lobby is not None
            assert self._sessions is not None
            assert self._keyring is not None
            self._sessions.sweep()
            await self._try(self._lobby.sweep)
            await self._try(self._operating.put_out)
            await self._try(self._keyring.refresh)
            await self._try(self._refresh_accounts)
            self.lobby.outage.worked()  # if nothing has failed for a while
            if self.clock.now() >= forget_at:
                forget_at = self.clock.now() + FORGET_EVERY_S
                await self._try(self._sessions.forget_unseen)
                await self._try(lambda: drop_secrets_of_closed_tables(self.store))
                await self._try(self._drop_old_hands)
                await self._try(self._tidy_forgotten)

    async def _try(self, step: Callable[[], Awaitable[object]]) -> None:
        """Do one step of a sweep. If it fails the others are done all the same, and the next sweep may do better."""
        try:
            await step()
        except BadSetting as error:
            log.warning(Say.SETTING_BAD, why=str(error))
        except (StoreBusy, StoreWriteFailed) as error:
            self.lobby.outage.failed(error)
        except StoreError as error:
            log.warning(Say.STORE_WAITS, why=str(error))
        except Exception:  # noqa: BLE001 -- the tables go on
            log.exception(Say.FAULT)

    async def _refresh_accounts(self) -> None:
        if self._accounts is not None:
            self._accounts.refresh()

    async def _drop_old_hands(self) -> None:
        kept_s = self.settings.limits.hands_s
        if kept_s:
            await drop_old_hands(self.store, before_ms=self.clock.unix_ms() - int(kept_s * 1000))

    async def _tidy_forgotten(self) -> None:
        token_ms = int(self.settings.limits.token_s * 1000)
        await forgotten.tidy(self.store, before_ms=self.clock.unix_ms() - token_ms)


def settle_memory() -> None:
    """After start: what lives as long as the process is left out of every later collection."""
    gc.collect()
    gc.freeze()
    # Lines and tables that end leave no circles, so little is ever found: young objects are looked through in small
    # lots, and all of them together, which stops every table meanwhile, hardly ever.
    gc.set_threshold(10_000, 5, 200)

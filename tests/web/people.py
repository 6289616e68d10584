"""People at the page, as a test drives them: what they click, type and see; and the server they are at."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, WebSocket, expect
from playwright.sync_api import TimeoutError as Impatience

STARTED_S = 20
PATIENCE_MS = 10_000
SERVE = "import sys; from oddtrick_cli.main import main; sys.exit(main(sys.argv[1:]))"


@dataclass
class Server:
    """`oddtrick serve` in a process of its own."""

    folder: Path
    port: int
    process: subprocess.Popen[str]

    @classmethod
    def started(cls, folder: Path, settings: str, *, port: int = 0) -> Server:
        """Start it; its port is the first free one unless given."""
        config = folder / "oddtrick.toml"
        config.write_text(settings.format(store=folder / "web.db"), encoding="utf-8")
        with (folder / "stderr.txt").open("a", encoding="utf-8") as said:
            process = subprocess.Popen(
                [sys.executable, "-c", SERVE, "serve", "--port", str(port), "--config", config],
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
            )
        assert process.stdout is not None
        line = ""
        while "ws://" not in line:
            line = process.stdout.readline()
            assert line, (folder / "stderr.txt").read_text(encoding="utf-8")
        return cls(folder, int(line.rsplit(":", 1)[1]), process)

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """As a crash would: at once, with nothing said."""
        self.process.kill()
        self.process.wait()
        self._close()

    def stop(self) -> None:
        """In an orderly way."""
        self.process.terminate()
        try:
            self.process.wait(STARTED_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self._close()

    def _close(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.close()


@dataclass
class Person:
    """Somebody with a browser."""

    name: str
    context: BrowserContext
    server: Server
    frames: list[str] = field(default_factory=list)
    sent: list[dict[str, Any]] = field(default_factory=list)
    wrongs: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.on("websocket", self._hears)
        self.page.on("pageerror", lambda error: self.wrongs.append(str(error)))
        self.page.on("console", lambda said: self.wrongs.append(said.text) if said.type == "error" else None)

    def _hears(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))

    # --- going about ---

    def opens(self, path: str = "/") -> Person:
        """Open the page at that address."""
        self.page.goto(self.server.url + path)
        self.page.wait_for_selector("html[data-ready]")
        return self

    def takes_the_name(self) -> None:
        self.page.fill("#name", self.name)

    def sits(self, table: str, seat: str) -> Person:
        """Come by the link and take that seat."""
        self.opens(f"/#/t/{table}")
        self.takes_the_name()
        self.page.click(f"[data-sit={seat}]")
        self.page.wait_for_selector(".table-page.seated")
        return self

    def watches(self, table: str) -> Person:
        """Come by the link and watch."""
        self.opens(f"/#/t/{table}")
        self.takes_the_name()
        self.page.click("[data-do=watch]")
        self.page.wait_for_selector(".table-page.watching")
        return self

    # --- seeing ---

    def sees(self, selector: str) -> Locator:
        found = self.page.locator(selector).first
        expect(found).to_be_visible(timeout=PATIENCE_MS)
        return found

    def reads(self, selector: str, text: str) -> None:
        """Wait until that text stands there."""
        expect(self.page.locator(selector).first).to_contain_text(text, timeout=PATIENCE_MS)

    def hand(self) -> list[str]:
        """The cards of one's own hand as they stand on the page."""
        cards: list[str] = self.page.eval_on_selector_all(
            ".hand.mine button.card", "cards => cards.map(card => card.dataset.card)"
        )
        return cards

    def score(self) -> dict[str, dict[str, str]]:
        """The score sheet, by row and side."""
        rows: dict[str, dict[str, str]] = self.page.eval_on_selector_all(
            ".sheet tr[data-row]",
            """rows => Object.fromEntries(rows.map(row => [row.dataset.row,
                Object.fromEntries([...row.querySelectorAll('td[data-side]')].map(cell => [cell.dataset.side, cell.textContent]))]))""",
        )
        return rows

    # --- acting ---

    def waits_for(self, kind: str) -> None:
        """Wait until the page asks that, and takes an answer; a partner who asks on the way to one's turn is told `none`."""
        if kind == "turn":
            while not self._turn_or_question():
                with contextlib.suppress(Impatience):  # the question may be gone: look again
                    self.page.locator("[data-prompt='question'].armed .button").first.press("Enter", timeout=2_000)
        else:
            self.page.wait_for_selector(f".status[data-status='{kind}']", timeout=PATIENCE_MS)
            self.page.wait_for_selector(".prompt.armed", timeout=PATIENCE_MS)

    def _turn_or_question(self) -> bool:
        """Wait for one's turn, or for a question that comes before it; whether it is one's turn."""
        found = self.page.wait_for_selector(
            ".status[data-status='turn'], .acts:has(.status[data-status='question']) .prompt.armed", timeout=PATIENCE_MS
        )
        assert found is not None
        return found.get_attribute("data-status") == "turn"

    def asked(self) -> str | None:
        """The number of the prompt that stands."""
        return self.page.get_attribute(".status", "data-asked")

    def plays(self, card: str) -> None:
        """Click the card when it is one's turn, and wait until it has left the hand and the turn is over."""
        self.waits_for("turn")
        turn = self.asked()
        place = self.page.locator(f".hand.mine [data-card='{card}']")
        gone = self._until(lambda: place.count() == 0 and self.asked() != turn, lambda: place.click(timeout=2_000))
        assert gone or self.is_asked("question"), f"{self.name}: {card}: {self.page.locator('.acts').inner_text()}"

    def plays_by_keys(self, card: str) -> None:
        """The same without a mouse: to the cards, along them, Enter."""
        self.waits_for("turn")
        turn = self.asked()
        place = self.page.locator(f".hand.mine [data-card='{card}']")

        def press() -> None:
            self.page.locator("main").focus()
            self.page.keyboard.press("c")
            self.page.keyboard.press("Home")
            cards = self.hand()
            for _ in range(cards.index(card) if card in cards else 0):
                self.page.keyboard.press("ArrowRight")
            self.page.keyboard.press("Enter")

        gone = self._until(lambda: place.count() == 0 and self.asked() != turn, press)
        assert gone or self.is_asked("question"), f"{self.name} could not play {card} by keys"

    def _until(self, done: Callable[[], bool], act: Callable[[], None]) -> bool:
        """Act, wait a little, and act again if a guard against taps in haste has held it back."""
        for _ in range(4):
            with contextlib.suppress(Impatience):  # what was to be clicked is gone: look again
                act()
            end = time.monotonic() + 2.5
            while time.monotonic() < end:
                if done():
                    return True
                self.page.wait_for_timeout(40)
        return False

    def goes_on(self) -> str:
        """Do the next thing one is asked, the plain way: follow suit, say `none`, be ready, cut; what it was."""
        kind = self.waits_to_be_asked()
        if kind == "turn":
            hand = self.hand()
            if hand:
                led = self.led()
                card = next((one for one in hand if one[0] == led), hand[0])
                place = self.page.locator(f".hand.mine [data-card='{card}']")
                self._until(lambda: place.count() == 0 or not self.is_asked("turn"), lambda: place.click(timeout=2_000))
        else:
            button = self.page.locator(f"[data-prompt='{kind}'].armed .button").first
            self._until(lambda: not self.is_asked(kind), lambda: button.click(timeout=2_000))
        return kind

    def waits_to_be_asked(self) -> str:
        """Wait until the page asks something; what it is."""
        self.page.wait_for_selector(".status:not([data-status='none'])", timeout=2 * PATIENCE_MS)
        return self.page.get_attribute(".status", "data-status") or ""

    def is_asked(self, kind: str) -> bool:
        """Whether that is what the page asks now."""
        return self.page.locator(f".status[data-status='{kind}']").count() > 0

    def led(self) -> str | None:
        """The suit led to the trick that lies open."""
        suit: str | None = self.page.evaluate(
            "() => document.querySelector('.trick:not(.done) .played ot-card')?.getAttribute('face')?.[0] ?? null"
        )
        return suit

    def does(self, what: str, *, within: str = "") -> None:
        """Click the button of an act."""
        self.page.locator(f"{within} [data-do='{what}']:not([aria-disabled='true'])").first.click()

    def turns_the_trick(self) -> None:
        self.page.locator("[data-do='quit'].open").click()

    def chooses(self, what: str, *, text: str | None = None) -> None:
        """Pick one of the weighty options, then confirm it in the other place."""
        option = self.page.locator(f".option[data-do='{what}']")
        if text is not None:
            option = option.filter(has_text=text)
        option.first.click()
        self.page.locator(".prompt .confirm:not([aria-disabled])").click()

    def picture(self, folder: Path, name: str) -> None:
        """Keep what the page looks like now."""
        folder.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=folder / f"{name}.png")

    def told(self) -> list[dict[str, Any]]:
        """Every message the page was sent."""
        return [json.loads(frame) for frame in self.frames]


def begin(first: Person, *others: Person) -> None:
    """The first begins the rubber, and all have their cards."""
    first.does("start")
    for person in (first, *others):
        person.sees(".hand.mine button.card")


def who_waits(north: Person, east: Person) -> Person:
    """Of two whose table has come to one of them, the one who is not to play."""
    north.page.wait_for_selector(".status[data-status='turn'], .plate.due[data-seat='E']")
    return east if north.is_asked("turn") else north

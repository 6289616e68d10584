"""Take the README's two pictures anew: `python tests/web/take_pictures.py` (it needs Chromium).

On the phone a player at a guided table has just revoked, and is alone told; on the desk the same trick goes on, mended, with the
log of what the laws made of it.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import sync_playwright

from oddtrick_rules import commands as c
from oddtrick_rules.seats import OTHER_SIDE, PARTNER, SEATS_OF, SIDE, Seat
from oddtrick_rules.state import Enforcement, Stage
from web.conftest import CHROMIUM, FLAGS, ROOT, SETTINGS, People
from web.dealt import open_table
from web.people import Server
from web.umpire import Umpire, name

SEED = "a picture"
FOLDER = ROOT / "deploy" / "screenshots"
NAMES = {Seat.N: "Anna", Seat.E: "Ben", Seat.S: "Clara", Seat.W: "Dev"}
CLOCKS = {"linger_ms": 15_000, "linger_min_ms": 0, "turn_ms": 60_000, "question_ms": 0, "choice_ms": 0}
PHONE = Seat.W


def main() -> None:
    """Play until the phone's owner can revoke, and take both pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        server = Server.started(Path(folder), SETTINGS)
        people = People(browser, server, [])
        table = open_table(server.url, SEED, code="english-1864", enforcement="guided", clocks=CLOCKS)
        seats = {
            seat: people.person(NAMES[seat], width=390 if seat is PHONE else 1280, height=844 if seat is PHONE else 800)
            for seat in Seat
        }
        for seat, person in seats.items():
            person.sits(table, seat.name)
        people.person("Eve").watches(table)
        seats[Seat.N].does("start")
        umpire = Umpire("english-1864", Enforcement.GUIDED, SEED)
        wrong = None
        while wrong is None:
            seat = umpire.turn()
            number = umpire.hand.tricks[-1].number if umpire.hand.tricks else 0
            fits = seat is PHONE and number > 2 and len(umpire.hand.tricks[-1].plays) == 2
            wrong = umpire.revoking(seat) if fits else None
            card = umpire.lawful(seat) if wrong is None else wrong
            seats[seat].plays(name(card))
            umpire.does(seat, c.Play(card))
            trick = umpire.hand.tricks[-1]
            if trick.stage is Stage.COMPLETE and wrong is None:
                assert trick.winner is not None
                seats[trick.winner].turns_the_trick()
                umpire.does(trick.winner, c.Quit())
        phone = seats[PHONE]
        phone.sees(".private")
        phone.page.mouse.move(5, 5)
        phone.page.wait_for_timeout(700)
        phone.page.screenshot(path=FOLDER / "phone.png")
        seats[PARTNER[PHONE]].sees("[data-do='ask'].open").click()
        phone.waits_for("question")
        phone.page.locator("[data-do='answer']").last.click()
        phone.sees("[data-do='withdraw'].open").click()
        chooser = SEATS_OF[OTHER_SIDE[SIDE[PHONE]]][0]
        seats[chooser].waits_for("choice")
        seats[chooser].page.locator(".option").nth(1).click()
        seats[chooser].page.mouse.move(5, 5)
        seats[chooser].page.wait_for_timeout(700)
        seats[chooser].page.screenshot(path=FOLDER / "table.png")
        server.stop()
        browser.close()


if __name__ == "__main__":
    main()

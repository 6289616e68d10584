"""A whole deal of short whist at a club table, by five people in five browsers: clicks, keys, and the law."""

import os
from pathlib import Path

import pytest

from oddtrick_rules import commands as c
from oddtrick_rules.seats import OTHER_SIDE, PARTNER, SEATS_OF, SIDE, Seat
from oddtrick_rules.state import Enforcement, Stage
from web.conftest import People
from web.dealt import open_table
from web.people import Person, Server
from web.umpire import Umpire, name

SEED = "odd trick 1"
CLOCKS = {
    "linger_ms": 15_000, "linger_min_ms": 0, "turn_ms": 0, "question_ms": 0, "choice_ms": 0, "election_ms": 0,
    "claims_ms": 0,
}  # fmt: skip
NAMES = {"N": "Anna", "E": "Ben", "S": "Cora", "W": "Dan"}


class Deal:
    """The deal as it goes on: every act once by a page and once by the engine."""

    def __init__(self, seats: dict[Seat, Person], watcher: Person, pictures: Path) -> None:
        self.seats = seats
        self.watcher = watcher
        self.pictures = pictures
        self.umpire = Umpire("english-1864", Enforcement.CLUB, SEED)
        self.corrected: Seat | None = None
        self.established: tuple[Seat, int] | None = None

    def everybody(self) -> list[Person]:
        return [*self.seats.values(), self.watcher]

    def puts(self, seat: Seat, card: int) -> None:
        person = self.seats[seat]
        (person.plays_by_keys if seat is Seat.E else person.plays)(name(card))  # type: ignore[arg-type]
        self.umpire.does(seat, c.Play(card))  # type: ignore[arg-type]

    def corrects(self, seat: Seat, wrong: int) -> None:
        """A revoke, the partner's question, the card taken back, the lowest called, the lowest played."""
        umpire, offender, partner = self.umpire, self.seats[seat], self.seats[PARTNER[seat]]
        self.puts(seat, wrong)
        partner.sees("[data-do='ask'].open").click()
        umpire.does(PARTNER[seat], c.Ask())
        offender.waits_for("question")
        offender.picture(self.pictures, "question")
        offender.page.locator("[data-do='answer']").last.click()
        umpire.does(seat, c.Answer(none=False))
        offender.sees("[data-do='withdraw'].open").click()
        umpire.does(seat, c.Withdraw())
        chooser = SEATS_OF[OTHER_SIDE[SIDE[seat]]][0]
        self.seats[chooser].waits_for("choice")
        self.seats[chooser].picture(self.pictures, "choice")
        self.seats[chooser].chooses("call", text="lowest")
        umpire.does(chooser, c.Call(c.Demand.LOWEST, seat))
        self.puts(seat, umpire.lawful(seat))
        self.corrected = seat

    def plays_one(self) -> None:
        umpire = self.umpire
        seat = umpire.turn()
        wrong = umpire.revoking(seat)
        number = umpire.hand.tricks[-1].number if umpire.hand.tricks else 0
        third = bool(umpire.hand.tricks) and len(umpire.hand.tricks[-1].plays) == 2
        if wrong is not None and self.corrected is None and third:
            self.corrects(seat, wrong)
        elif wrong is not None and self.established is None and self.corrected is not None and number > 2:
            if SIDE[seat] != SIDE[self.corrected]:
                self.puts(seat, wrong)
                self.established = (seat, number)
                return
            self.puts(seat, umpire.lawful(seat))
        else:
            self.puts(seat, umpire.lawful(seat))

    def turns(self) -> None:
        trick = self.umpire.hand.tricks[-1]
        if trick.stage is Stage.COMPLETE:
            assert trick.winner is not None
            if trick.number in {1, 7}:
                for person in self.everybody():
                    person.sees(".trick.done .winner")
                self.watcher.picture(self.pictures, f"trick-{trick.number}")
            self.seats[trick.winner].turns_the_trick()
            self.umpire.does(trick.winner, c.Quit())

    def claims(self) -> tuple[Seat, int]:
        """The charge, the search, the verdict, the penalty."""
        assert self.established is not None
        offender, trick = self.established
        claimant = SEATS_OF[OTHER_SIDE[SIDE[offender]]][0]
        person = self.seats[claimant]
        person.does("more")
        person.page.locator(".more-panel select").nth(0).select_option(offender.name)
        person.page.locator(".more-panel select").nth(1).select_option(str(trick))
        person.page.locator(".more-panel [data-do='claim_revoke']").click()
        person.picture(self.pictures, "charge")
        person.does("sure")
        self.umpire.does(claimant, c.ClaimRevoke(offender, trick))
        person.waits_for("search")
        person.does("search", within=".prompt")
        self.umpire.does(claimant, c.Search())
        for one in self.everybody():
            one.reads(".search .verdict", "proved")
            one.sees(".search td.wrong")
        person.page.wait_for_timeout(1_500)
        person.picture(self.pictures, "search")
        for one in self.everybody():
            one.page.locator(".search .close").click()
        person.waits_for("election")
        person.picture(self.pictures, "election")
        return claimant, trick

    def pays(self, claimant: Seat) -> None:
        person = self.seats[claimant]
        taken = self.umpire.hand.taken[SIDE[claimant]]
        option = person.page.locator(".option[data-do='elect']").first.inner_text()
        assert f"{taken} → {taken + 3}" in option
        person.chooses("elect", text="three tricks")
        self.umpire.does(claimant, c.Elect(c.Penalty.TRICKS, 1))

    def cuts(self) -> None:
        dealer = self.umpire.hand.dealer
        for seat, person in self.seats.items():
            if seat is not dealer:
                person.waits_for("claims")
                person.does("be_ready", within=".prompt")
                self.umpire.does(seat, c.BeReady())
        self.seats[dealer].waits_for("cut")
        self.seats[dealer].does("cut", within=".prompt")
        self.umpire.does(dealer, c.Cut())

    def agrees(self) -> None:
        """Every page shows the engine's score."""
        ns, ew = self.umpire.state.score
        for person in self.everybody():
            person.reads(".sheet tr[data-row='points'] td[data-side='NS']", str(ns))
            person.reads(".sheet tr[data-row='points'] td[data-side='EW']", str(ew))
            score = person.score()
            assert (score["points"]["NS"], score["points"]["EW"]) == (str(ns), str(ew)), person.name


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures go: ODDTRICK_PICTURES, to look at them, or a folder that is thrown away."""
    return Path(os.environ.get("ODDTRICK_PICTURES", tmp_path))


def test_a_deal_of_whist_in_five_browsers(people: People, server: Server, pictures: Path) -> None:
    """A deal played out by clicks and keys, one revoke asked and mended, another claimed, searched, proved and paid, scores right."""
    table = open_table(server.url, SEED, code="english-1864", enforcement="club", clocks=CLOCKS)
    seats = {seat: people.person(NAMES[seat.name]).sits(table, seat.name) for seat in Seat}
    watcher = people.person("Eve").watches(table)
    seats[Seat.N].does("start")
    deal = Deal(seats, watcher, pictures)
    for seat, person in seats.items():
        person.sees(".hand.mine button.card")
        held = {name(card) for card in range(52) if deal.umpire.hand.hands[seat] >> card & 1}  # type: ignore[arg-type]
        assert set(person.hand()) == held
    while not deal.umpire.hand.ended:
        deal.plays_one()
        deal.turns()
    assert deal.established is not None
    assert deal.corrected is not None
    claimant, _ = deal.claims()
    deal.pays(claimant)
    deal.cuts()
    deal.agrees()
    for person in deal.everybody():
        assert not person.wrongs, person.name

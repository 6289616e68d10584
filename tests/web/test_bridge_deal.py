"""A whole deal of bridge at a guided table, by five people in five browsers, and the leak walk over all they hold."""

import os
from pathlib import Path

import pytest

from oddtrick_rules import commands as c
from oddtrick_rules.cards import Suit
from oddtrick_rules.seats import PARTNER, SIDE, Seat
from oddtrick_rules.state import Enforcement, Phase, RevokeStage, Stage
from oddtrick_rules.turns import acting
from oddtrick_rules.views import Watcher
from web.conftest import People
from web.dealt import open_table
from web.people import Person, Server
from web.umpire import Umpire, name
from web.walk import leaks

SEED = "bridge 1904"
CLOCKS = {
    "linger_ms": 15_000, "linger_min_ms": 0, "turn_ms": 0, "question_ms": 0, "choice_ms": 0, "election_ms": 0,
    "claims_ms": 0,
}  # fmt: skip
NAMES = {"N": "Anna", "E": "Ben", "S": "Cora", "W": "Dan"}


class Deal:
    """Every act once by a page and once by the engine."""

    def __init__(self, seats: dict[Seat, Person], watcher: Person, pictures: Path) -> None:
        self.seats = seats
        self.watcher = watcher
        self.pictures = pictures
        self.umpire = Umpire("bridge-1904", Enforcement.GUIDED, SEED)
        self.mended = False

    def declares(self) -> None:
        """The dealer leaves it, his partner names the trump, the eldest hand doubles, and nobody doubles again."""
        umpire, dealer = self.umpire, self.umpire.hand.dealer
        self.seats[dealer].waits_for("declare")
        self.seats[dealer].picture(self.pictures, "declare")
        self.seats[dealer].chooses("leave_it")
        umpire.does(dealer, c.LeaveIt())
        maker = PARTNER[dealer]
        self.seats[maker].waits_for("declare")
        self.seats[maker].chooses("declare", text="hearts")
        umpire.does(maker, c.Declare(Suit.H))
        doubled = False
        while umpire.state.phase is Phase.DOUBLING:
            voice = umpire.hand.voice
            assert voice is not None
            self.seats[voice].waits_for("double")
            if not doubled:
                self.seats[voice].chooses("double")
                umpire.does(voice, c.Double())
                doubled = True
            else:
                self.seats[voice].chooses("be_satisfied")
                umpire.does(voice, c.BeSatisfied())

    def puts(self, seat: Seat, card: int) -> None:
        player = acting(self.umpire.hand, seat)
        person = self.seats[player]
        person.waits_for("turn")
        whose = ".hand.mine" if player is seat else ".dummy-hand"
        place = person.page.locator(f"{whose} [data-card='{name(card)}']")  # type: ignore[arg-type]
        assert person._until(lambda: place.count() == 0, lambda: place.click(timeout=2_000))
        self.umpire.does(player, c.Play(card, seat if player is not seat else None))  # type: ignore[arg-type]

    def mends(self, seat: Seat, wrong: int) -> None:
        """At a guided table the offender alone is told, takes the card back, and plays again as he is called to."""
        self.puts(seat, wrong)
        offender = self.seats[seat]
        offender.sees(".private")
        offender.picture(self.pictures, "only-you")
        for other, person in self.seats.items():
            assert (person.page.locator(".private").count() > 0) == (other is seat)
        assert self.watcher.page.locator(".private").count() == 0
        offender.sees("[data-do='withdraw'].open").click()
        self.umpire.does(seat, c.Withdraw())
        right = next(one for one in self.umpire.hand.rights if one.holds)
        chooser = right.holders[0]
        self.seats[chooser].waits_for("choice")
        self.seats[chooser].chooses("call", text="highest")
        self.umpire.does(chooser, c.Call(c.Demand.HIGHEST, seat))
        self.puts(seat, self.umpire.lawful(seat))
        self.mended = True

    def plays_out(self) -> None:
        umpire = self.umpire
        while not umpire.hand.ended:
            seat = umpire.turn()
            wrong = umpire.revoking(seat)
            defender = SIDE[seat] != SIDE[umpire.hand.dealer]
            if wrong is not None and defender and not self.mended:
                self.mends(seat, wrong)
            else:
                self.puts(seat, umpire.lawful(seat))
            trick = umpire.hand.tricks[-1]
            if trick.stage is Stage.COMPLETE:
                if trick.number in {1, 6}:
                    self.walks()
                    self.pictures_of_dummy(trick.number)
                assert trick.winner is not None
                winner = acting(umpire.hand, trick.winner)
                self.seats[winner].turns_the_trick()
                umpire.does(winner, c.Quit())

    def pictures_of_dummy(self, number: int) -> None:
        self.watcher.picture(self.pictures, f"bridge-{number}")
        self.seats[self.umpire.hand.dealer].picture(self.pictures, f"bridge-dealer-{number}")

    def walks(self) -> None:
        """Nothing any of the five browsers holds names a card that its viewer may not know."""
        for seat, person in self.seats.items():
            person.sees(".trick.done .winner")
            assert leaks(person, self.umpire.state, seat, frames_from=0) == set(), person.name
        self.watcher.sees(".trick.done .winner")
        assert leaks(self.watcher, self.umpire.state, Watcher.BYSTANDER, frames_from=0) == set()

    def cuts(self) -> None:
        dealer = self.umpire.hand.dealer
        for seat in Seat:
            if seat is not dealer:
                self.seats[seat].waits_for("claims")
                self.seats[seat].does("be_ready", within=".prompt")
                self.umpire.does(seat, c.BeReady())
        self.seats[dealer].waits_for("cut")
        self.seats[dealer].does("cut", within=".prompt")
        self.umpire.does(dealer, c.Cut())

    def agrees(self) -> None:
        """Every page shows the engine's score, above and below the line."""
        state = self.umpire.state
        for person in [*self.seats.values(), self.watcher]:
            for at, side in enumerate(("NS", "EW")):
                person.reads(f".sheet tr[data-row='points'] td[data-side='{side}']", str(state.score[at]))
                person.reads(f".sheet tr[data-row='above'] td[data-side='{side}']", str(state.above[at]))
            score = person.score()
            for row, pair in (("points", state.score), ("above", state.above), ("below", state.below)):
                assert (score[row]["NS"], score[row]["EW"]) == (str(pair[0]), str(pair[1])), (person.name, row)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures go: ODDTRICK_PICTURES, to look at them, or a folder that is thrown away."""
    return Path(os.environ.get("ODDTRICK_PICTURES", tmp_path))


def test_a_deal_of_bridge_in_five_browsers(people: People, server: Server, pictures: Path) -> None:
    """Left, declared, doubled, played with dummy on the table, a revoke told to its player alone and mended, scores right, nothing leaked."""
    table = open_table(server.url, SEED, code="bridge-1904", enforcement="guided", clocks=CLOCKS)
    seats = {seat: people.person(NAMES[seat.name]).sits(table, seat.name) for seat in Seat}
    watcher = people.person("Eve").watches(table)
    seats[Seat.N].does("start")
    deal = Deal(seats, watcher, pictures)
    deal.declares()
    deal.plays_out()
    assert deal.mended
    assert any(revoke.stage is RevokeStage.CORRECTED for revoke in deal.umpire.hand.revokes)
    deal.cuts()
    deal.agrees()
    for person in [*seats.values(), watcher]:
        assert not person.wrongs, person.name


def test_a_leak_planted_on_the_page_is_caught(people: People, server: Server) -> None:
    """A card put where its viewer could find it, as a mark, in words, or in a message, is found by the walk."""
    table = open_table(server.url, SEED, code="english-1864", bots=3)
    person = people.person("Anna").sits(table, "N")
    person.does("start")
    person.sees(".hand.mine button.card")
    umpire = Umpire("english-1864", Enforcement.GUIDED, SEED)
    person.waits_for("turn")
    start = len(person.frames)
    played = leaks(person, umpire.state, Seat.N, frames_from=start)  # the bots have begun
    held = {name(card) for card in range(52) if umpire.hand.hands[Seat.W] >> card & 1}  # type: ignore[arg-type]
    secret = max(held - played)
    person.page.evaluate("card => document.body.setAttribute('data-x', card)", secret)
    assert leaks(person, umpire.state, Seat.N, frames_from=start) == {*played, secret}
    person.page.evaluate("() => document.body.removeAttribute('data-x')")
    assert leaks(person, umpire.state, Seat.N, frames_from=start) == played
    person.frames.append(f'{{"t":"event","event":{{"t":"hand_dealt","hands":[["{secret}"]]}}}}')
    assert leaks(person, umpire.state, Seat.N, frames_from=start) == {*played, secret}

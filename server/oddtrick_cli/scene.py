"""A table as lines of text: who sits, what lies, the score, and what happened, for `watch` and `play`.

It shows what the mirror knows, and the mirror knows only what its viewer may.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from oddtrick_protocol import table_events as happened
from oddtrick_protocol.table_events import TableEvent
from oddtrick_protocol.table_info import Sitter, TableInfo
from oddtrick_rules.cards import CARD_NAMES, RANKS, SUIT_MASK, SUITS, Mask, cards_in
from oddtrick_rules.events import Event, Renounced, TrickCompleted
from oddtrick_rules.seats import SEATS, SIDES, Seat
from oddtrick_rules.state import Hand, Phase, State
from oddtrick_rules.telling import SEAT_WORDS, suit_words, tell_with_law
from oddtrick_sdk import Happened, Mirror, Missed, Offline, Online, Waits

SIGNS: Final = dict(zip(SUITS, "♠♥♦♣", strict=True))
QUIET: Final = (Renounced, TrickCompleted)  # both can be seen from the cards
CATCHING_UP: Final = "catching_up"
STANDS: Final = "-- the table waits for its server: nothing is lost, no clock runs, and what you do is answered later"
GOES_ON: Final = "-- the table goes on"
PHASES: Final = {
    Phase.TO_DEAL: "the cards are being dealt",
    Phase.DECLARING: "the trump is being declared",
    Phase.DOUBLING: "the value of a trick is being settled",
    Phase.PLAYING: "in play",
    Phase.CLAIMS: "the hand is over; claims, then the cut",
    Phase.OVER: "the rubber is over",
}


@dataclass
class Teller:
    """Tells the updates of one table, in their order."""

    mirror: Mirror
    stands: bool = False

    def lines(self, update: object) -> list[str]:
        """Return the lines for an update; none for one that is not worth a line."""
        match update:
            case Waits(clocks=clocks):
                return self._standing(stands=any(clock.kind == CATCHING_UP for clock in clocks))
            case Happened(event=event, by=by):
                line = told_event(event, self.mirror.info)
                said = [] if line is None else [line if by is None else f"{line} [{by}]"]
                # What happens has been kept: the table goes on, whatever came of the message that says so.
                return [*self._standing(stands=False), *said]
            case Missed(count=count):
                return [f"({count} lines were lost; the table below is up to date)"]
            case Offline(why=why, again_in_s=seconds):
                self.stands = False  # another server may have the table when the line is back: it will say
                return [f"-- offline: {why}; trying again in {seconds:.0f} s"]
            case Online():
                return ["-- online again"]
            case _:
                return []

    def _standing(self, *, stands: bool) -> list[str]:
        """Return the line for a table that begins or ceases to wait for its store."""
        if stands == self.stands:
            return []
        self.stands = stands
        return [STANDS if stands else GOES_ON]


def told_event(event: Event | TableEvent, info: TableInfo) -> str | None:
    """Return the line for an event."""
    if isinstance(event, TableEvent):
        line = _TABLE.get(type(event))
        return None if line is None else line(event, info)
    return None if isinstance(event, QUIET) else tell_with_law(event)


def scene(mirror: Mirror) -> list[str]:
    """Return the table as it stands, in a few lines."""
    lines = [seats_line(mirror.info)]
    state = mirror.state
    if state is None:
        return [*lines, "The rubber has not begun."]
    lines.append(score_line(state))
    if state.hand is None:
        return lines
    lines.append(deal_line(state, state.hand))
    lines += trick_lines(state.hand)
    exposed = [f"{seat.name}: {cards_text(state.hand.exposed[seat])}" for seat in SEATS if state.hand.exposed[seat]]
    if exposed:
        lines.append(f"May be called: {'; '.join(exposed)}")
    if mirror.seat is not None:
        lines.append(f"Your hand: {hand_text(state.hand.hands[mirror.seat])}")
    dummy = state.hand.dummy
    if dummy is not None and dummy != mirror.seat:
        lines.append(f"Dummy ({dummy.name}): {hand_text(state.hand.hands[dummy])}")
    return lines


def seats_line(info: TableInfo) -> str:
    """Return who sits where."""
    seats = ", ".join(f"{seat.name} {sitter_text(info.seats[seat])}" for seat in SEATS)
    watching = f"; watching: {', '.join(one.name for one in info.bystanders)}" if info.bystanders else ""
    return f"{info.code}, {info.enforcement}: {seats}{watching}"


def sitter_text(sitter: Sitter | None) -> str:
    """Return who has a seat, and whether he is there."""
    if sitter is None:
        return "(empty)"
    bot = " (bot)" if sitter.bot else ""
    away = " (away)" if sitter.away else ""
    substitute = f" ({sitter.substitute} plays)" if sitter.substitute else ""
    return f"{sitter.name}{bot}{away}{substitute}"


def score_line(state: State) -> str:
    """Return the rubber so far."""
    games = " ".join(f"{side.name} {len(state.games[side])}" for side in SIDES)
    score = " ".join(f"{side.name} {state.score[side]}" for side in SIDES)
    line = f"Games {games}; score {score}"
    if state.rubber is not None:
        return f"{line}; the rubber is {state.rubber.side.name}'s by {state.rubber.points}"
    return line


def deal_line(state: State, hand: Hand) -> str:
    """Return what is being played."""
    trump = "trump to be declared" if hand.trump is None else f"{suit_words(hand.trump)} are trumps"
    turned = f" ({CARD_NAMES[hand.turned]} turned up)" if hand.turned is not None else ""
    tricks = " ".join(f"{side.name} {hand.taken[side]}" for side in SIDES)
    return (
        f"Hand {hand.number}, {SEAT_WORDS[hand.dealer]} dealt, {trump}{turned}; tricks {tricks}; {PHASES[state.phase]}"
    )


def trick_lines(hand: Hand) -> list[str]:
    """Return the tricks that lie on the table."""
    lines = []
    for trick in hand.tricks[-2:]:
        if trick.stage.name != "QUITTED":
            plays = ", ".join(f"{seat.name} {CARD_NAMES[card]}" for seat, card in trick.plays)
            won = f" - {trick.winner.name}'s" if trick.winner is not None else ""
            lines.append(f"Trick {trick.number}: {plays or 'nobody has led'}{won}")
    return lines


def hand_text(mask: Mask) -> str:
    """Return a hand as a player holds it: `♠ AK7  ♥ Q5  ♦ -  ♣ T98`, highest first."""
    suits = []
    for suit in SUITS:
        cards = cards_in(mask & SUIT_MASK[suit])
        ranks = "".join(RANKS[card % 13] for card in reversed(cards))
        suits.append(f"{SIGNS[suit]} {ranks or '-'}")
    return "  ".join(suits)


def cards_text(mask: Mask) -> str:
    """Return cards as one types them."""
    return " ".join(CARD_NAMES[card] for card in cards_in(mask))


def _name(info: TableInfo, seat: Seat) -> str:
    sitter = info.seats[seat]
    return f"{sitter.name} ({seat.name})" if sitter is not None else SEAT_WORDS[seat]


def _away(event: happened.WentAway, info: TableInfo) -> str:
    if event.absence_ms is None:
        return f"{_name(info, event.seat)} is away."
    return f"{_name(info, event.seat)} is away; a substitute sits in {event.absence_ms / 1000:.0f} s."


def _said(event: happened.Said, _: TableInfo) -> str:
    who = event.name if event.seat is None else f"{event.name} ({event.seat.name})"
    return f"<{who}> {event.text}" if event.channel == "table" else f"<{who}, {event.channel}> {event.text}"


_TABLE: Final[dict[type, Callable[[Any, TableInfo], str]]] = {
    happened.Sat: lambda event, _: f"{event.name}{' (bot)' if event.bot else ''} sits {SEAT_WORDS[event.seat]}.",
    happened.Stood: lambda event, _: (
        f"{SEAT_WORDS[event.seat]}'s seat is empty{' (sent away)' if event.kicked else ''}."
    ),
    happened.WentAway: _away,
    happened.CameBack: lambda event, info: f"{_name(info, event.seat)} is back.",
    happened.SubstituteSat: lambda event, _: f"A substitute ({event.bot}) plays for {SEAT_WORDS[event.seat]} (R20).",
    happened.SubstituteStood: lambda event, info: f"{_name(info, event.seat)} has his seat again (R20).",
    happened.HostMoved: lambda event, _: f"{event.name or 'Nobody'} is the host.",
    happened.ClocksSet: lambda _event, _info: "The host has set the clocks.",
    happened.PauseAsked: lambda event, info: f"{_name(info, event.seat)} is for a pause.",
    happened.PauseBegan: lambda _event, _info: "The table is paused.",
    happened.UnpauseAsked: lambda event, info: f"{_name(info, event.seat)} is for going on.",
    happened.PauseEnded: lambda _event, _info: "The table goes on.",
    happened.AgainAsked: lambda event, info: f"{_name(info, event.seat)} is for another rubber.",
    happened.RubberBegan: lambda event, _: f"Rubber {event.rubber} begins; {SEAT_WORDS[event.dealer]} deals.",
    happened.Said: _said,
    happened.Phrased: lambda event, info: f"<{_name(info, event.seat)}> {event.phrase.replace('_', ' ')}",
    happened.BystanderCame: lambda event, _: f"{event.name} watches.",
    happened.BystanderLeft: lambda event, _: f"{event.name} watches no longer.",
    happened.DealRevealed: lambda event, _: (
        f"The secret of hand {event.hand} is told; `oddtrick verify` checks the deal."
    ),
    happened.TableClosed: lambda event, _: f"The table is closed: {event.reason}.",
}

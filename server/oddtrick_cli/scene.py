"""A table as lines of text: who sits, what lies, the score, and what happened, for `watch` and `play`.

It shows what the mirror knows, and the mirror knows only what its viewer may.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from oddtrick_protocol import table_events as happened
from oddtrick_protocol.table_events import TableEvent
from oddtrick_protocol.table_info import SUBSTITUTE, Bystander, Proposal, Sitter, TableInfo
from oddtrick_rules.cards import CARD_NAMES, RANKS, SUIT_MASK, SUITS, Mask, cards_in
from oddtrick_rules.code import Cites
from oddtrick_rules.events import Event, HandDealt, Renounced, TrickCompleted
from oddtrick_rules.seats import SEATS, SIDES, Seat
from oddtrick_rules.state import Hand, Phase, State
from oddtrick_rules.telling import SEAT_WORDS, card_words, law_words, suit_words, tell_with_law
from oddtrick_sdk import Happened, Mirror, Missed, Offline, Online, Waits

SIGNS: Final = dict(zip(SUITS, "♠♥♦♣", strict=True))
AT_PLAY: Final = frozenset({Phase.DECLARING, Phase.DOUBLING, Phase.PLAYING})
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
            case Happened(event=event, by=by, hand=hand):
                if isinstance(event, HandDealt):
                    # The rules count the hands of a rubber; records and proofs go by the table's number.
                    event = replace(event, number=hand)
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
        return None if line is None else _with_law(line(event, info), getattr(event, "cites", ()))
    return None if type(event) in UNTOLD else tell_with_law(event)


def _with_law(said: str, cites: Cites) -> str:
    law = law_words(cites)
    return f"{said} ({law})" if law else said


def scene(mirror: Mirror) -> list[str]:
    """Return the table as it stands, in a few lines."""
    lines = [seats_line(mirror.info)]
    if mirror.info.waiting:
        lines.append(_queue(mirror.info.waiting, mirror.info))
    if mirror.info.proposal is not None:
        lines.append(proposal_line(mirror.info.proposal, mirror.info))
    state = mirror.state
    if state is None:
        return [*lines, "The rubber has not begun."]
    lines.append(score_line(state))
    if state.hand is None:
        return lines
    lines.append(deal_line(state, state.hand, mirror.info))
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


def proposal_line(proposal: Proposal, info: TableInfo) -> str:
    """Return what is proposed, and who has still to agree."""
    missing = [_name(info, seat) for seat in proposal.asked if seat not in proposal.given]
    if not proposal.willing:
        missing.append(proposal.name)
    open_to = f"; still to agree: {', '.join(missing)}" if missing else ""
    return f"{_name(info, proposal.seat)} proposes {_matter(proposal.what, proposal.name)}{open_to}."


def score_line(state: State) -> str:
    """Return the rubber so far."""
    games = " ".join(f"{side.name} {len(state.games[side])}" for side in SIDES)
    score = " ".join(f"{side.name} {state.score[side]}" for side in SIDES)
    line = f"Games {games}; score {score}"
    if state.rubber is not None:
        return f"{line}; the rubber is {state.rubber.side.name}'s by {state.rubber.points}"
    return line


def deal_line(state: State, hand: Hand, info: TableInfo) -> str:
    """Return what is being played, with its number at this table while the deal that is published is its own."""
    number = f"Hand {info.deal.hand}, " if info.deal is not None and state.phase in AT_PLAY else ""
    trump = "trump to be declared" if hand.trump is None else f"{suit_words(hand.trump)} are trumps"
    turned = f" ({CARD_NAMES[hand.turned]} turned up)" if hand.turned is not None else ""
    tricks = " ".join(f"{side.name} {hand.taken[side]}" for side in SIDES)
    return f"{number}{SEAT_WORDS[hand.dealer]} dealt, {trump}{turned}; tricks {tricks}; {PHASES[state.phase]}"


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


def _matter(what: str, name: str) -> str:
    """Return what is proposed about a bystander of that name."""
    return {
        "substitute": f"that {name} plays for him until the rubber ends",
        "remark": f"that {name} pays for a remark",
        "referee": f"that questions of fact are left to {name}",
    }.get(what, f"{what}: {name}")


def _person(identity: str, info: TableInfo) -> str:
    """Return the name of somebody at the table."""
    people: tuple[Sitter | Bystander, ...] = (
        *(sitter for sitter in info.seats if sitter is not None),
        *info.bystanders,
    )
    return next((one.name for one in people if one.identity == identity), "somebody who has gone")


def _queue(identities: tuple[str, ...], info: TableInfo) -> str:
    if not identities:
        return "Nobody waits for a place."
    return f"Waiting for a place, in this order: {', '.join(_person(one, info) for one in identities)}."


def _cut(event: happened.CardsCut, _: TableInfo) -> str:
    aim = {"places": "for places", "leaving": "for who goes out", "partners": "for partners and the deal"}
    cut = ", ".join(f"{name} {card_words(card)}" for name, card in zip(event.names, event.cards, strict=False))
    return f"They cut {aim.get(event.purpose, f'for {event.purpose}')}: {cut}."


def _changed(_: happened.SeatsChanged, info: TableInfo) -> str:
    seats = ", ".join(f"{sitter_text(info.seats[seat])} {SEAT_WORDS[seat]}" for seat in SEATS)
    return f"They sit as they have cut: {seats}."


def _proposed(event: happened.Proposed, info: TableInfo) -> str:
    willing = event.what != SUBSTITUTE
    return proposal_line(
        Proposal(
            event.number, event.what, event.seat, event.identity, event.name, event.asked, event.given, willing=willing
        ),
        info,
    )


def _consented(event: happened.Consented, info: TableInfo) -> str:
    return "The substitute is willing." if event.seat is None else f"{_name(info, event.seat)} agrees to it."


def _owed(event: happened.CountersOwed, _: TableInfo) -> str:
    return f"{event.name} owes {event.counters} counter{'' if event.counters == 1 else 's'} more."


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
    happened.DeclaredIn: lambda event, _: f"{event.name} asks for a place in the next rubber.",
    happened.CardsCut: _cut,
    happened.QueueFormed: lambda event, info: _queue(event.identities, info),
    happened.SeatsChanged: _changed,
    happened.Proposed: _proposed,
    happened.Consented: _consented,
    happened.ProposalClosed: lambda event, _: f"{'It is agreed' if event.agreed else 'It is not agreed'}.",
    happened.SubstituteNamed: lambda event, info: (
        f"{_name(info, event.seat)} plays for {_person(event.owner, info)} until the rubber ends."
    ),
    happened.CountersOwed: _owed,
    happened.RefereeChosen: lambda event, _: f"Questions of fact are left to {event.name}.",
    happened.DealRevealed: lambda event, _: (
        f"The secret of hand {event.hand} is told; `oddtrick verify` checks the deal."
    ),
    happened.TableClosed: lambda event, _: f"The table is closed: {event.reason}.",
}
# Every other event is told; a test holds that none is forgotten.
_SEALED: Final = "the workings of the deal, for `oddtrick verify`"
UNTOLD: Final[dict[type, str]] = {
    Renounced: "it can be seen from the cards",
    TrickCompleted: "it can be seen from the cards",
    happened.TableOpened: "nobody is there yet",
    happened.DealCommitted: _SEALED,
    happened.SeatCommitted: _SEALED,
    happened.RevealsAsked: _SEALED,
    happened.SeatRevealed: _SEALED,
    happened.PackOffered: _SEALED,
    happened.PackOpened: _SEALED,
}

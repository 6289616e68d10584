"""Oddtrick for bot authors: one class with one method that matters, and `run` (client_sdk/README.md)."""

from oddtrick_rules.cards import Card, Suit, card_named
from oddtrick_rules.commands import (
    Answer,
    Ask,
    Call,
    Change,
    ClaimRevoke,
    Command,
    Demand,
    Elect,
    Object,
    Penalty,
    Play,
    Waive,
    Withdraw,
)
from oddtrick_rules.events import Event
from oddtrick_rules.seats import Seat, Side
from oddtrick_rules.state import Enforcement, Phase, Stage, State, Trick
from oddtrick_sdk.bot import Bot, house_bot
from oddtrick_sdk.client import Client, Options, Table
from oddtrick_sdk.driver import FOR_PEOPLE, Pace
from oddtrick_sdk.errors import Disconnected, OddtrickError, ProtocolViolation, Refused, Unreachable, Unwelcome
from oddtrick_sdk.mirror import Allowed, Asked, Happened, Mirror, Resynced, Waits
from oddtrick_sdk.player import Player, Result
from oddtrick_sdk.run import Wish, play, play_own_table, run
from oddtrick_sdk.transport import WithBearer
from oddtrick_sdk.updates import Left, Missed, Offline, Online
from oddtrick_sdk.view import View, lowest_of, name_of, rank_of, suit_of

__all__ = [
    # a bot
    "Bot",
    "View",
    "run",
    "play",
    "play_own_table",
    "house_bot",
    "Wish",
    "Pace",
    "FOR_PEOPLE",
    "Player",
    "Result",
    # cards
    "Card",
    "Suit",
    "Seat",
    "Side",
    "card_named",
    "name_of",
    "suit_of",
    "rank_of",
    "lowest_of",
    # acts
    "Command",
    "Play",
    "Ask",
    "Answer",
    "Withdraw",
    "Change",
    "Object",
    "Call",
    "Demand",
    "Waive",
    "ClaimRevoke",
    "Elect",
    "Penalty",
    # facts
    "Event",
    "State",
    "Phase",
    "Enforcement",
    "Trick",
    "Stage",
    # a client of one's own
    "Client",
    "Options",
    "WithBearer",
    "Table",
    "Mirror",
    "Happened",
    "Resynced",
    "Asked",
    "Allowed",
    "Waits",
    "Missed",
    "Offline",
    "Online",
    "Left",
    # errors
    "OddtrickError",
    "Refused",
    "ProtocolViolation",
    "Disconnected",
    "Unreachable",
    "Unwelcome",
]

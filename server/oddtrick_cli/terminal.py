"""A seat in a terminal: what happens is told, what is asked is shown, what is typed is done.

It neither reads a keyboard nor writes a screen: lines come in, lines go out.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, get_args

from oddtrick_cli.reading import whole_number
from oddtrick_cli.scene import Teller, scene
from oddtrick_protocol import messages as m
from oddtrick_protocol.limits import HAND_NUMBER_MAX
from oddtrick_protocol.table_events import Proposed
from oddtrick_protocol.table_info import Bystander, Sitter, TableInfo
from oddtrick_rules.commands import Command, Play
from oddtrick_rules.notation.acts import act_text, parse_act, parse_seat_act
from oddtrick_rules.notation.errors import NotationError, quoted
from oddtrick_rules.seats import PARTNER, Seat
from oddtrick_rules.telling import SEAT_WORDS
from oddtrick_sdk import Allowed, Asked, Happened, Refused, Resynced, Table, name_of
from oddtrick_sdk.player import answers

HELP: Final = """\
An act is typed as in a record: a card (SA, HT, D9, C2), or
  asks · answers none · answers some · withdraws · objects · changes SJ · gathers · quits
  calls H3 from S · calls highest from S · calls suit D from S · waives · consults
  claims revoke S 4 · searches · elects tricks 1 · claims honours · ready · cuts
  throws down · claims game · claims rest · agrees · declines · may I lead · declares H · doubles
An empty line shows the table. And:
  /acts          what you may do now            /law 73        read a law of this table, or a ruling (R5)
  /start         host: begin the rubber         /again         another rubber
  /bot [SEAT]    host: seat a house bot         /unbot SEAT    host: send a house bot away
  /kick WHO      host: send somebody away, by seat or name
  /say WORDS     between deals, to the table    /partner WORDS to your partner, when the law lets you
  /phrase NAME   one_moment, well_played, sorry
  /in            watching a table formed by cutting: ask for a place in the next rubber
  /propose substitute WHO, /propose remark WHO, /propose referee WHO      put it to the players about a bystander
  /yes, /no      agree to what is proposed, or prevent it
  /pause, /on    ask for a pause, or to go on   /away, /back   let a substitute play
  /record [N]    the record of a hand           /stand         give up your seat
  /quit          end (your seat stays yours for a while)   /leave   leave the table
"""

PHRASED: Final = {
    "turn": "Your turn",
    "question": "Your partner asks whether you have none",
    "choice": "You may choose a penalty",
    "election": "Choose the penalty for the revoke",
    "search": "You may search the tricks",
    "claims": "The hand is over: anything to claim?",
    "cut": "You cut the pack",
    "declare": "Declare the trump",
    "double": "It is your word",
    "offer": "Do you agree?",
    "new cards": "Take a pack",
}
ACTS_SHOWN_MAX: Final = 24
Wish: TypeAlias = tuple[type[m.TableMessage], dict[str, Any]]
RULING: Final = "ruling"


@dataclass
class Terminal:
    """One seat at one table."""

    table: Table
    show: Callable[[str], None]

    async def run(self, lines: AsyncIterator[str]) -> None:
        """Tell and do until the lines end, the table is left, or `/quit`."""
        tasks = [asyncio.create_task(self._tell()), asyncio.create_task(self._type(lines))]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    # --- telling ---

    async def _tell(self) -> None:
        teller = Teller(self.table.mirror)
        seat: Seat | None = None
        async for update in self.table:
            match update:
                case Resynced():
                    self._show_scene()
                    # Whose seat has changed by a cut is shown the table anew instead of what has happened.
                    if self.table.mirror.seat != seat:
                        seat = self.table.mirror.seat
                        self.show("You watch." if seat is None else f"You sit {SEAT_WORDS[seat]}.")
                case Asked():
                    self._show_asked(update)
                case Allowed(acts=acts) if acts:
                    self.show(f"   You may: {acts_text(acts)}")
                case _:
                    for line in teller.lines(update):
                        self.show(line)
                    if isinstance(update, Happened) and isinstance(update.event, Proposed):
                        self._show_proposed()

    def _show_scene(self) -> None:
        for line in scene(self.table.mirror):
            self.show(line)

    def _show_asked(self, asked: Asked) -> None:
        if asked.kind == "turn":
            self._show_scene()
        left = "" if asked.deadline_ms is None else f" ({asked.deadline_ms / 1000:.0f} s)"
        said = PHRASED.get(asked.kind, asked.kind)
        if asked.kind == "turn":
            self.show(f">> {said}{left}: {' '.join(name_of(card) for card in asked.playable)}")
        else:
            self.show(f">> {said}{left}: {acts_text(asked.acts)}")

    def _show_proposed(self) -> None:
        """Show that what is proposed waits for us, if it does."""
        mirror = self.table.mirror
        proposal = mirror.info.proposal
        if proposal is None:
            return
        seated = mirror.seat in proposal.asked and mirror.seat not in proposal.given
        if seated or (not proposal.willing and proposal.identity == self.table.client.identity):
            self.show(">> Do you agree? /yes or /no")

    # --- typing ---

    async def _type(self, lines: AsyncIterator[str]) -> None:
        async for line in lines:
            if not await self.typed(line):
                return

    async def typed(self, line: str) -> bool:
        """Do what a line says; False if it ends the sitting."""
        line = line.strip()
        try:
            if not line:
                self._show_scene()
            elif line.startswith(("/", "?")):
                return await self._slash(line)
            else:
                for text in line.split(","):
                    await self._act(self.read(text))
        except NotationError as error:
            self.show(f"!! {error}")
        except Refused as refused:
            self.show(f"!! refused: {refused}")
        return True

    def read(self, text: str) -> Command:
        """Return the act of a text, with or without its seat; NotationError if it is none of ours."""
        words = text.split(maxsplit=1)
        seat = self.table.mirror.seat
        if len(words) < 2 or words[0].upper() not in Seat.__members__:
            return self._of_dummy(parse_act(text))
        who, command = parse_seat_act(text)
        if who == seat:
            return command
        if isinstance(command, Play) and who == self._dummy():
            return Play(command.card, who)
        raise NotationError(f"{who.name} is not your seat")

    def _of_dummy(self, command: Command) -> Command:
        """A card without a seat is dummy's when dummy holds it and we play for him."""
        state, dummy = self.table.mirror.state, self._dummy()
        if state is None or state.hand is None or dummy is None or not isinstance(command, Play):
            return command
        return Play(command.card, dummy) if state.hand.hands[dummy] >> command.card & 1 else command

    def _dummy(self) -> Seat | None:
        """Return dummy's seat, if we are the dealer who plays for it."""
        mirror = self.table.mirror
        hand = None if mirror.state is None else mirror.state.hand
        if hand is None or hand.dummy is None or mirror.seat != PARTNER[hand.dummy]:
            return None
        return hand.dummy

    async def _act(self, command: Command) -> None:
        asked = self.table.mirror.asked
        await self.table.act(command, asked=asked if asked is not None and answers(command, asked) else None)

    async def _slash(self, line: str) -> bool:
        name, _, rest = line.lstrip("/?").partition(" ")
        rest = rest.strip()
        if name == "quit":
            return False
        if name == "leave":
            await self.table.leave()
            return False
        if name in {"help", "h", ""}:
            for text in HELP.splitlines():
                self.show(text)
        elif name == "acts":
            self._show_acts()
        elif name in _PLAIN:
            await self.table.ask(_PLAIN[name])
        elif name in _WITH_TEXT:
            kind, values = _WITH_TEXT[name](rest, self.table.mirror.info)
            await self.table.ask(kind, **values)
        elif name == "law":
            await self._law(rest)
        elif name == "record":
            await self._record(rest)
        else:
            self.show(f"!! no command /{name}: /help lists them")
        return True

    def _show_acts(self) -> None:
        mirror = self.table.mirror
        acts = (*(mirror.asked.acts if mirror.asked is not None else ()), *mirror.acts)
        self.show(f"   You may: {acts_text(acts, most=200) or 'nothing but wait'}")

    async def _law(self, number: str) -> None:
        law = await self.table.client.law(self.table.mirror.info.code, number)
        what = f"Ruling {law.number}" if law.lives == RULING else f"Law {law.number} ({law.code})"
        self.show(f"   {what}: {law.gist}")

    async def _record(self, number: str) -> None:
        if number:
            hand = whole_number(number, most=HAND_NUMBER_MAX)
            none = f"no hand has the number {number}"
        else:
            hand = max((line.hand for line in await self.table.client.hands(self.table.id)), default=None)
            none = "no hand is finished"
        if hand is None:
            self.show(f"!! {none}")
            return
        record = await self.table.client.record(self.table.id, hand)
        for text in record.splitlines():
            self.show(text)


def acts_text(acts: tuple[Command, ...], *, most: int = ACTS_SHOWN_MAX) -> str:
    """Return acts as one types them, a long list cut short."""
    texts = [text for text in map(_text_of, acts) if text is not None]
    more = f" · ... {len(texts) - most} more (/acts)" if len(texts) > most else ""
    return " · ".join(texts[:most]) + more


def _text_of(command: Command) -> str | None:
    try:
        return act_text(Play(command.card) if isinstance(command, Play) else command)
    except ValueError:
        return None


_PLAIN: Final[dict[str, type[m.TableMessage]]] = {
    "start": m.Start,
    "again": m.Again,
    "pause": m.Pause,
    "on": m.Unpause,
    "away": m.Away,
    "back": m.Back,
    "stand": m.Stand,
    "in": m.DeclareIn,
}


def _consent(info: TableInfo, *, agreed: bool) -> Wish:
    if info.proposal is None:
        raise NotationError("nothing is proposed")
    return m.Consent, {"proposal": info.proposal.number, "agreed": agreed}


def _propose(text: str, info: TableInfo) -> Wish:
    what, _, who = text.partition(" ")
    if what not in get_args(m.Matter) or not who.strip():
        raise NotationError(f"propose what, about whom: {', '.join(get_args(m.Matter))}, and the name of a bystander")
    return m.Propose, {"what": what, "who": _identity(who.strip(), info.bystanders)}


def _kick(text: str, info: TableInfo) -> Wish:
    seat = text.upper()
    if seat in Seat.__members__:
        return m.Kick, {"who": seat}
    seated = tuple(sitter for sitter in info.seats if sitter is not None and sitter.bot is None)
    return m.Kick, {"who": _identity(text, (*seated, *info.bystanders))}


def _identity(who: str, people: Iterable[Sitter | Bystander]) -> str:
    """Return the identity of whom a name or an identity means; NotationError if that is nobody, or more than one."""
    found = {one.identity for one in people if who in {one.name, one.identity}}
    if len(found) != 1:
        raise NotationError(f"{len(found) or 'nobody'} of that name: {quoted(who)}" if who else "say whom")
    return found.pop()


def _bot(text: str, _: TableInfo) -> Wish:
    return m.AddBot, {"seat": _seat(text) if text else "any"}


def _unbot(text: str, _: TableInfo) -> Wish:
    return m.RemoveBot, {"seat": _seat(text)}


def _seat(text: str) -> str:
    if text.upper() not in Seat.__members__:
        raise NotationError("a seat is N, E, S or W")
    return text.upper()


_WITH_TEXT: Final[dict[str, Callable[[str, TableInfo], Wish]]] = {
    "say": lambda text, _: (m.Chat, {"channel": "table", "text": text}),
    "partner": lambda text, _: (m.Chat, {"channel": "partner", "text": text}),
    "phrase": lambda text, _: (m.Phrase, {"phrase": text}),
    "propose": _propose,
    "yes": lambda _, info: _consent(info, agreed=True),
    "no": lambda _, info: _consent(info, agreed=False),
    "kick": _kick,
    "bot": _bot,
    "unbot": _unbot,
}

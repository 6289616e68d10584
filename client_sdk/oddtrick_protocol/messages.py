"""Every message of the wire, by direction, as msgspec structs.

`FromClient` and `FromServer` are the two closed unions; `t`, the tag, is the struct's name in snake case. Messages of
clients refuse unknown fields and bound every string, list and number; clients ignore what they do not know of a
server's.

How to use it: `codec.decode_client(data)` gives a `FromClient`, `codec.encode(message)` the bytes. What is nested is
plain: `act`, `acts`, `event` and `view` are maps made and read by `facts.py`. Optional fields are left out when they
have their default.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from oddtrick_protocol import limits

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=limits.ID_CHARS_MAX)]
TableId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=limits.TABLE_CHARS_MAX)]
Invite: TypeAlias = Annotated[str, Meta(max_length=limits.INVITE_CHARS_MAX)]
CodeId: TypeAlias = Annotated[str, Meta(max_length=limits.CODE_CHARS_MAX)]
BotKind: TypeAlias = Annotated[str, Meta(max_length=limits.BOT_CHARS_MAX)]
PromptId: TypeAlias = Annotated[str, Meta(max_length=limits.PROMPT_CHARS_MAX)]
Seq: TypeAlias = Annotated[int, Meta(ge=0, le=limits.SEQ_MAX)]
HandNumber: TypeAlias = Annotated[int, Meta(ge=0, le=limits.HAND_NUMBER_MAX)]
SeatName: TypeAlias = Literal["N", "E", "S", "W"]
SeatWish: TypeAlias = Literal["N", "E", "S", "W", "any"]
EnforcementName: TypeAlias = Literal["strict", "guided", "club"]
Watching: TypeAlias = Literal["all", "invited", "none"]
Forming: TypeAlias = Literal["seats", "cut"]
Matter: TypeAlias = Literal["substitute", "remark", "referee"]
Channel: TypeAlias = Literal["table", "partner", "bystanders"]
Format: TypeAlias = Literal["jsonl", "whist", "pbn"]

ActKey: TypeAlias = Annotated[str, Meta(max_length=limits.ACT_TEXT_CHARS_MAX)]
ActText: TypeAlias = Annotated[str, Meta(max_length=limits.ACT_TEXT_CHARS_MAX)]
ActNumber: TypeAlias = Annotated[int, Meta(ge=0, le=limits.ACT_NUMBER_MAX)]
ActCards: TypeAlias = Annotated[list[ActText], Meta(max_length=limits.ACT_CARDS_MAX)]
ActMap: TypeAlias = Annotated[
    dict[ActKey, ActText | ActNumber | bool | ActCards | None], Meta(max_length=limits.ACT_FIELDS_MAX)
]
"""A command as `facts.command_to_wire` makes it: flat, and bounded before anybody looks into it."""

Plain: TypeAlias = dict[str, Any]


class Clocks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The limits of a table in milliseconds (R32); 0 switches a clock off, None leaves it as it is (or the default)."""

    linger_ms: Annotated[int, Meta(ge=0, le=limits.LINGER_MS[1])] | None = None
    linger_min_ms: Annotated[int, Meta(ge=0, le=limits.LINGER_MIN_MS[1])] | None = None
    turn_ms: Annotated[int, Meta(ge=0, le=limits.TURN_MS[1])] | None = None
    question_ms: Annotated[int, Meta(ge=0, le=limits.CHOICE_MS[1])] | None = None
    choice_ms: Annotated[int, Meta(ge=0, le=limits.CHOICE_MS[1])] | None = None
    election_ms: Annotated[int, Meta(ge=0, le=limits.CHOICE_MS[1])] | None = None
    claims_ms: Annotated[int, Meta(ge=0, le=limits.CHOICE_MS[1])] | None = None
    absence_ms: Annotated[int, Meta(ge=0, le=limits.ABSENCE_MS[1])] | None = None


# --- from clients ---


class ClientMessage(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="t", tag="?"
):
    """A message of a client. `id` is of the client's choosing; the same again gets the same first answer."""

    id: Id


class Hello(ClientMessage, tag="hello", frozen=True, kw_only=True):
    """The first message: who this is and what it speaks. Without a token a guest gets a new identity."""

    name: Annotated[str, Meta(max_length=limits.NAME_CHARS_MAX)]
    protocol: Annotated[int, Meta(ge=0, le=limits.ACT_NUMBER_MAX)]
    minor: Annotated[int, Meta(ge=0, le=limits.ACT_NUMBER_MAX)] = 0
    token: Annotated[str, Meta(max_length=limits.TOKEN_CHARS_MAX)] | None = None
    client: Annotated[str, Meta(max_length=limits.CLIENT_CHARS_MAX)] = ""
    build: Annotated[str, Meta(max_length=limits.CLIENT_CHARS_MAX)] = ""
    bot: bool = False


class Create(ClientMessage, tag="create", frozen=True, kw_only=True):
    """Open a table. `seed` makes its deals reproducible, where the operator allows that."""

    code: CodeId = "english-1864"
    enforcement: EnforcementName = "guided"
    clocks: Clocks | None = None
    private: bool = False
    watch: Watching = "all"
    open_hands: bool = False
    reasonable_time: bool = False
    bots: Annotated[int, Meta(ge=0, le=limits.BOTS_MAX)] = 0
    bot: BotKind = "courteous"
    seed: Annotated[str, Meta(max_length=limits.SEED_CHARS_MAX)] | None = None
    forming: Forming = "seats"
    stakes: Annotated[int, Meta(ge=0, le=limits.STAKES_MAX)] = 1


class Tables(ClientMessage, tag="tables", frozen=True, kw_only=True):
    """List the tables one may sit at or watch."""

    code: CodeId | None = None
    enforcement: EnforcementName | None = None


class Sit(ClientMessage, tag="sit", frozen=True, kw_only=True):
    """Take a seat: at that table, or at any that fits `code` and `enforcement` (one is opened if there is none)."""

    table: TableId = "any"
    seat: SeatWish = "any"
    invite: Invite | None = None
    code: CodeId | None = None
    enforcement: EnforcementName | None = None


class TableMessage(ClientMessage, frozen=True, kw_only=True):
    """A message about one table."""

    table: TableId


class Stand(TableMessage, tag="stand", frozen=True, kw_only=True):
    """Give up one's seat and stay as a bystander, if the table admits any."""


class Leave(TableMessage, tag="leave", frozen=True, kw_only=True):
    """Leave the table: the seat, or the place among the bystanders."""


class Watch(TableMessage, tag="watch", frozen=True, kw_only=True):
    """Watch the table."""

    invite: Invite | None = None


class DeclareIn(TableMessage, tag="declare_in", frozen=True, kw_only=True):
    """As a bystander of a table that is formed by cutting: ask for a place in the rubber that begins next."""


class Start(TableMessage, tag="start", frozen=True, kw_only=True):
    """Host: begin the rubber; empty seats get house bots."""


class Kick(TableMessage, tag="kick", frozen=True, kw_only=True):
    """Host: send somebody away, by seat letter or identity."""

    who: Annotated[str, Meta(min_length=1, max_length=limits.IDENTITY_CHARS_MAX)]


class SetClocks(TableMessage, tag="set_clocks", frozen=True, kw_only=True):
    """Host, before the rubber: set the limits (R32)."""

    clocks: Clocks


class AddBot(TableMessage, tag="add_bot", frozen=True, kw_only=True):
    """Host: seat a house bot."""

    seat: SeatWish = "any"
    bot: BotKind = "courteous"


class RemoveBot(TableMessage, tag="remove_bot", frozen=True, kw_only=True):
    """Host: send a house bot away."""

    seat: SeatName


class Pause(TableMessage, tag="pause", frozen=True, kw_only=True):
    """Ask for a pause, or consent to one: it begins when every seated person has."""


class Unpause(TableMessage, tag="unpause", frozen=True, kw_only=True):
    """Ask to go on, or consent to it; before the pause has begun, take one's consent back."""


class Again(TableMessage, tag="again", frozen=True, kw_only=True):
    """After a rubber: ask for another, or consent to one."""


class Propose(TableMessage, tag="propose", frozen=True, kw_only=True):
    """Put a matter about a bystander to the players: a substitute for oneself, a remark he shall pay for, a referee of fact."""

    what: Matter
    who: Annotated[str, Meta(min_length=1, max_length=limits.IDENTITY_CHARS_MAX)]


class Consent(TableMessage, tag="consent", frozen=True, kw_only=True):
    """Consent to what is proposed, or prevent it; who proposed it takes it back."""

    proposal: Annotated[int, Meta(ge=0, le=limits.ACT_NUMBER_MAX)]
    agreed: bool = True


class Act(TableMessage, tag="act", frozen=True, kw_only=True):
    """An act of the laws. An answer to a prompt names it; if that is no longer the one that stands: `superseded`."""

    act: ActMap
    prompt: PromptId | None = None


class Chat(TableMessage, tag="chat", frozen=True, kw_only=True):
    """Free words, where and when they are allowed (R15, R17, R31)."""

    channel: Channel
    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_CHARS_MAX)]


class Phrase(TableMessage, tag="phrase", frozen=True, kw_only=True):
    """One of the set phrases that tell nothing (R31)."""

    phrase: Annotated[str, Meta(max_length=limits.PHRASE_CHARS_MAX)]


class Away(TableMessage, tag="away", frozen=True, kw_only=True):
    """Step away: a substitute sits at once (R20)."""


class Back(TableMessage, tag="back", frozen=True, kw_only=True):
    """Come back: the seat is one's own again between tricks."""


class Resume(TableMessage, tag="resume", frozen=True, kw_only=True):
    """Go on after event `seq`: the missing run follows, or a snapshot. 0 asks for everything, as a snapshot."""

    seq: Seq


class Law(ClientMessage, tag="law", frozen=True, kw_only=True):
    """Read a law of a code, or one of the rulings (`R5`), which serve every code."""

    code: CodeId
    number: Annotated[str, Meta(max_length=limits.LAW_CHARS_MAX)]


class Hands(ClientMessage, tag="hands", frozen=True, kw_only=True):
    """List finished hands: of that table, or of all tables one sat at."""

    table: TableId | None = None


class Record(TableMessage, tag="record", frozen=True, kw_only=True):
    """Have a finished hand as events (`jsonl`), as a table record (`whist`) or as PBN."""

    hand: HandNumber
    format: Format = "whist"


class Commit(TableMessage, tag="commit", frozen=True, kw_only=True):
    """Commit to entropy of one's own for the next deal."""

    hand: HandNumber
    commitment: Annotated[str, Meta(pattern=f"^[0-9a-f]{{{limits.COMMITMENT_HEX_CHARS}}}\\Z")]


class Reveal(TableMessage, tag="reveal", frozen=True, kw_only=True):
    """Reveal that entropy."""

    hand: HandNumber
    entropy: Annotated[
        str,
        Meta(pattern=f"^([0-9a-f]{{2}}){{{limits.ENTROPY_HEX_CHARS_MIN // 2},{limits.ENTROPY_HEX_CHARS_MAX // 2}}}\\Z"),
    ]


class Ping(ClientMessage, tag="ping", frozen=True, kw_only=True):
    """Ask for a `pong`: for those who cannot see the WebSocket's own."""


FromClient: TypeAlias = (
    Hello
    | Create
    | Tables
    | Sit
    | Stand
    | Leave
    | Watch
    | DeclareIn
    | Start
    | Kick
    | SetClocks
    | AddBot
    | RemoveBot
    | Pause
    | Unpause
    | Again
    | Propose
    | Consent
    | Act
    | Chat
    | Phrase
    | Away
    | Back
    | Resume
    | Law
    | Hands
    | Record
    | Commit
    | Reveal
    | Ping
)


# --- from the server ---


class ServerMessage(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="t", tag="?"):
    """A message of the server."""


class TableLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table as the lobby lists it; `seats` are the names of N E S W, None where nobody sits."""

    table: str
    code: str
    enforcement: str
    seats: list[str | None]
    playing: bool = False
    private: bool = False
    watch: str = "all"
    bystanders: int = 0
    host: str = ""


class HandLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished hand as `hands` lists it; tricks are those of NS and EW."""

    table: str
    hand: int
    rubber: int = 1
    code: str = ""
    dealer: str = ""
    trump: str | None = None
    tricks: list[int] = []
    seats: list[str | None] = []


class LawText(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A law: its number, its gist, and how it lives at this table; of a ruling (`R5`) that is `ruling`."""

    code: str
    number: str
    gist: str
    lives: str = "enforced"
    why: str = ""


class Ok(ServerMessage, tag="ok", frozen=True, kw_only=True):
    """The message `id` was done; what else is set depends on what was asked (PROTOCOL.md)."""

    id: str
    table: str | None = None
    seat: str | None = None
    invite: str | None = None
    tables: list[TableLine] | None = None
    law: LawText | None = None
    hands: list[HandLine] | None = None
    record: str | None = None


class Refused(ServerMessage, tag="refused", frozen=True, kw_only=True):
    """The message `id` changed nothing: the code of `closing.refusal_codes`, the law it rests on first, a sentence."""

    id: str
    code: str
    text: str = ""
    law: str | None = None
    cites: list[str] = []
    retry_after_ms: int | None = None


class Welcome(ServerMessage, tag="welcome", frozen=True, kw_only=True):
    """The answer to `hello`: the identity, and the signed token that brings it back."""

    id: str
    token: str
    identity: str
    name: str
    protocol: int
    minor: int = 0
    build: str = ""
    caps: list[str] = []


class Pong(ServerMessage, tag="pong", frozen=True, kw_only=True):
    """The answer to `ping`."""

    id: str


class Item(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event in a run of them."""

    seq: int
    event: Plain
    hand: int = 0
    by: str | None = None


class Event(ServerMessage, tag="event", frozen=True, kw_only=True):
    """Something happened. `seq` is gap-free per table and viewer; `by`: `clock` or `substitute`, if that did it."""

    table: str
    seq: int
    event: Plain
    hand: int = 0
    by: str | None = None


class Events(ServerMessage, tag="events", frozen=True, kw_only=True):
    """Several events of one table in one frame, in order."""

    table: str
    events: list[Item]


class Snapshot(ServerMessage, tag="snapshot", frozen=True, kw_only=True):
    """All that the events up to `seq` come to: the table's `info`, and the viewer's `view` once a rubber has begun."""

    table: str
    seq: int
    info: Plain
    view: Plain | None = None
    seat: str | None = None


class Prompt(ServerMessage, tag="prompt", frozen=True, kw_only=True):
    """A choice put to this seat. It stands until the next `prompt` of the table; `kind` `none` takes it away.

    `acts` are the acts it may answer with, `playable` the cards by which every law is kept; `deadline_ms` is what is
    left of `limit_ms`.
    """

    table: str
    prompt: str
    kind: str
    acts: list[Plain] = []
    playable: list[str] = []
    deadline_ms: int | None = None
    limit_ms: int | None = None
    right: int | None = None


class May(ServerMessage, tag="may", frozen=True, kw_only=True):
    """The acts this seat may do now besides answering its prompt; the whole list whenever it changes."""

    table: str
    acts: list[Plain]


class Clock(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A limit that is running: for whom, of what kind, what is left of it."""

    kind: str
    seats: list[str]
    deadline_ms: int
    limit_ms: int


class Waiting(ServerMessage, tag="waiting", frozen=True, kw_only=True):
    """Everyone at the table: the limits now running, by public knowledge alone (R32, R4).

    All of them, whenever they change.
    """

    table: str
    clocks: list[Clock]


class Going(ServerMessage, tag="going", frozen=True, kw_only=True):
    """The server is about to close the connection; `retry` is `resume`, `later` or `stop`."""

    reason: str
    retry: str
    code: int = 1000
    after_ms: int | None = None


FromServer: TypeAlias = Ok | Refused | Welcome | Pong | Event | Events | Snapshot | Prompt | May | Waiting | Going


class Unknown(Struct, frozen=True, kw_only=True):
    """A server's message of a type this client does not know, to be ignored."""

    t: str

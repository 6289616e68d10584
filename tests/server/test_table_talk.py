"""Words at the table: who hears whom, and when (R15, R17, R31)."""

from dataclasses import replace

import pytest

from oddtrick_protocol import messages as m
from oddtrick_rules.cards import BIT, SUIT_MASK, SUIT_OF, cards_in
from oddtrick_rules.commands import Play
from oddtrick_rules.seats import LEFT, SEATS, Seat
from oddtrick_rules.state import Phase
from oddtrick_rules.turns import to_play
from oddtrick_server.limits import DEFAULT_LIMITS
from oddtrick_server.person import Done
from oddtrick_server.streams import BYSTANDER, Stream
from oddtrick_server.talking import PHRASES
from support.tables import ANNA, BEN, EVE, Seated, person

FAST = replace(DEFAULT_LIMITS, chats_burst=1_000)


def heard(table: Seated, stream: Stream) -> list[str]:
    items = table.table.book.streams.after(stream, 0)
    assert items is not None
    return [item.event["text"] for item in items if item.event["t"] == "said"]


def test_between_deals_everybody_at_the_table_hears_a_seat() -> None:
    """Before the rubber free words of a seat reach all seats and the bystanders (R31)."""
    table = Seated()
    table.sit_all()
    table.done(EVE, m.Watch)
    table.done(ANNA, m.Chat, channel="table", text="Good  evening\n")
    for stream in (*SEATS, BYSTANDER):
        assert heard(table, stream) == ["Good evening"]


def test_during_a_deal_a_seat_speaks_in_set_phrases_only() -> None:
    """While cards are played free words are refused, and the set phrases, which tell nothing, are not (R31)."""
    table = Seated(limits=FAST)
    table.play_on()
    assert table.refused(ANNA, m.Chat, channel="table", text="I have no spades") == "channel_closed"
    for phrase in PHRASES:
        table.done(ANNA, m.Phrase, phrase=phrase)
    assert table.refused(ANNA, m.Phrase, phrase="i_have_no_spades") == "no_such_phrase"


def test_partners_have_no_channel_during_play() -> None:
    """Without a choice of penalty open, partners cannot speak to each other alone (R15)."""
    table = Seated()
    table.play_on()
    assert table.refused(ANNA, m.Chat, channel="partner", text="psst") == "channel_closed"


def test_bystanders_reach_no_seat_until_the_cards_are_cut() -> None:
    """What bystanders say during a deal other bystanders hear at once, and the seats when the hand is over (R17; B34)."""
    table = Seated()
    table.play_on()
    table.done(EVE, m.Watch)
    table.done(EVE, m.Chat, channel="bystanders", text="North has revoked!")
    assert heard(table, BYSTANDER) == ["North has revoked!"]
    assert heard(table, Seat.N) == []
    while table.phase() is not Phase.TO_DEAL:
        assert heard(table, Seat.N) == []
        table.wait(1)
    assert heard(table, Seat.N) == ["North has revoked!"]
    table.done(EVE, m.Chat, channel="bystanders", text="A good hand")
    assert heard(table, Seat.S) == ["North has revoked!", "A good hand"]


def test_nobody_speaks_on_a_channel_that_is_not_his() -> None:
    """A bystander cannot use the table's or a side's channel, nor a seat the bystanders'."""
    table = Seated()
    table.sit_all()
    table.done(EVE, m.Watch)
    for channel in ("table", "partner"):
        assert table.refused(EVE, m.Chat, channel=channel, text="hello") == "channel_closed"
    assert table.refused(ANNA, m.Chat, channel="bystanders", text="hello") == "channel_closed"
    assert table.refused(person("Mallory"), m.Chat, channel="table", text="hello") == "not_at_table"


def test_words_without_anything_to_see_are_refused() -> None:
    """A text of controls alone is no text."""
    table = Seated()
    table.sit_all()
    assert table.refused(ANNA, m.Chat, channel="table", text="\u202e\x00") == "malformed_message"


def test_nobody_floods_the_table() -> None:
    """Words and phrases of one person are bounded in rate, and another's are not touched by it."""
    table = Seated()
    table.sit_all()
    codes = [table.ask(ANNA, m.Phrase, phrase="hello") for _ in range(8)]
    assert sum(isinstance(one, Done) for one in codes) == DEFAULT_LIMITS.chats_burst
    table.done(BEN, m.Phrase, phrase="hello")
    table.wait(3)
    table.done(ANNA, m.Phrase, phrase="hello")


def revoked(enforcement: str) -> tuple[Seated, Seat]:
    """A table where the second player to some trick has just revoked, and who that is."""
    for chance in range(200):
        table = Seated(chance=chance, enforcement=enforcement, limits=FAST)
        table.play_on()
        hand = table.state.hand
        assert hand is not None
        leader = to_play(table.state)
        assert leader is not None
        second = LEFT[leader]
        for card in cards_in(hand.hands[leader]):
            suit = SUIT_MASK[SUIT_OF[card]]
            others = hand.hands[second] & ~suit & ~(0 if hand.turned is None else BIT[hand.turned])
            if hand.hands[second] & suit and others:
                assert isinstance(table.act(leader, Play(card)), Done)
                assert isinstance(table.act(second, Play(cards_in(others)[0])), Done)
                return table, second
    raise AssertionError("nobody can revoke in any of these deals")


def test_a_word_to_the_partner_while_a_penalty_is_chosen_forfeits_it() -> None:
    """While a choice other than a revoke's is open, a message between the partners is a consultation (84, R15)."""
    table, offender = revoked("club")
    table.done(table.at(offender), m.Act, act={"do": "withdraw"})
    hand = table.state.hand
    assert hand is not None
    assert [right.offender for right in hand.rights] == [offender]
    chooser = LEFT[offender]
    assert table.refused(table.at(offender), m.Chat, channel="partner", text="oh") == "channel_closed"
    table.done(table.at(chooser), m.Chat, channel="partner", text="the highest?")
    hand = table.state.hand
    assert hand is not None
    assert hand.rights == ()
    assert heard(table, chooser) == heard(table, (chooser + 2) % 4) == ["the highest?"]
    for stream in (offender, (offender + 2) % 4, BYSTANDER):
        assert heard(table, stream) == []


@pytest.mark.parametrize("enforcement", ["club", "guided"])
def test_others_are_shown_the_same_whether_a_renounce_is_a_revoke(enforcement: str) -> None:
    """After a revoke the other seats' streams and the bystanders' hold no more than the card and the renounce (R4)."""
    table, offender = revoked(enforcement)
    for stream in (*SEATS, BYSTANDER):
        items = table.table.book.streams.after(stream, 0)
        assert items is not None
        kinds = [item.event["t"] for item in items]
        told = stream == offender and enforcement == "guided"
        assert ("revoke_made" in kinds) == told
        assert "renounced" in kinds

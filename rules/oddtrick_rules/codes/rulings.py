"""The rulings: what the codes leave open, and how their laws meet a table that is a server. They serve every code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling: its number (`R4`) and its gist, for a player to read."""

    number: str
    gist: str


def _rulings_in(text: str) -> tuple[Ruling, ...]:
    rulings: list[str] = []
    for line in text.strip().splitlines():
        if line.startswith(" "):
            rulings[-1] += " " + line.strip()
        else:
            rulings.append(line)
    return tuple(Ruling(*ruling.split(" | ", 1)) for ruling in rulings)


RULINGS: Final[tuple[Ruling, ...]] = _rulings_in("""
R1 | To take the hand from a trick takes an act, by either of the two who won it or, after the linger, by the clock.
    It waits for questions, corrections and elections, and cannot be done in haste.
R2 | One may lead before the last trick is quitted. That settles a revoke of the leader's own side in it, and none
    of the other's; if that is then corrected, the cards led meanwhile go back.
R3 | A table is strict, guided or club. Strict refuses every irregular act; guided lets a revoke happen and tells
    the offender alone; club lets everything happen that the law provides for, and tells nobody.
R4 | Whether a card was a revoke, a true renounce or neither, the other seats and the bystanders are told exactly
    the same.
R5 | Only the partner asks, once for each renounce. "Some" keeps his question's shield, "none" gives it up, and
    silence says nothing either way.
R6 | A card taken back lies face up, and play waits until an adversary has called highest or lowest or has waived
    it. Waived, the card can be called at any later trick.
R7 | To disobey a call, where the code counts it a revoke, is a revoke from that moment. Where it does not, other
    cards are simply refused, as they are for an exposed card that is called.
R8 | A revoke may be charged from the card until the cut, and is judged when the hand is over. A charge without
    proof costs nothing, but may not be made again.
R9 | Each revoke is paid for by a choice of its own. Whichever partner chooses first has chosen; at bridge only the
    dealer does for his side. If nobody chooses in time, three tricks are taken.
R10 | Penalties are marked in the order chosen, then tricks, then honours. At whist a penalty that makes the game
    ends the counting; the cap holds back the side that revoked, whatever brings the points.
R11 | Revokes on both sides are both paid for in the codes of 1864 and 1904, and cancel each other in that of 1900.
    Neither side wins the game by that hand.
R12 | To throw one's hand down or to claim the game is to play on, and settles a revoke of one's own side. At bridge
    only a general throwing down does.
R13 | The cut ends all claims. The player on the next dealer's right cuts when all are ready or the time for claims
    is over, with nothing left to judge or choose.
R14 | Everybody sees the trump card as long as it lies there. Once the dealer has it in his hand the suit is told
    and the card is not. The last trick may be seen again under the code of 1864 only.
R15 | Two partners who speak to each other while a penalty is to be chosen have consulted, and lose it; over a
    revoke they may speak. At other times in play they have no way to.
R16 | A demand for a penalty which the offence does not carry loses every penalty under the code of 1900. Under the
    others it is refused and costs nothing.
R17 | Bystanders talk among themselves and reach no seat during a deal. One whose remark bears on the score owes the
    stakes, and the four may make one their referee.
R18 | Bets and stakes are kept in counters that are worth no money, and are settled when the penalty has been paid.
R19 | For new cards called before the cut the house seals two shuffles, with different backs and a commitment to
    each. The dealer takes one, and the caller pays.
R20 | A substitute plays for an empty seat with all that it may do and owes. The owner comes back between two
    tricks.
R21 | At whist, though not at bridge, a card is exposed when its holder names it. The trump card, once it is taken
    up, comes under its own law alone.
R22 | All hands thrown down end the deal. Tricks not played are given to whichever side had claimed them, and
    failing that to the adversaries of the first to throw down.
R23 | Under the code of 1900 a trick quitted by the offender's own side settles his revoke, even when he was asked
    and has answered that he has one.
R24 | An exposed card called before its owner can play is lost for that trick under the code of 1900; under the
    others the call is kept for him.
R25 | Whoever has corrected a revoke and then does not play the highest or lowest called has revoked afresh. If a
    leader takes his card back because another suit was called, those who followed take theirs back freely.
R26 | Tricks mixed before any charge can be searched no more: a charge must then name its trick, and is judged by
    the umpire's record.
R27 | Doubling ends at a hundred points a trick, and a double that would go past it makes it a hundred.
R28 | No charge of revoke against dummy is ever proved.
R29 | Nobody can look at a trick that was quitted, for none is shown; the penalty the code of 1900 sets on it is
    listed all the same.
R30 | The next player who follows a lead out of turn accepts it, if nobody has objected before. A card that the
    rightful leader puts down is the lead, and the false card lies exposed.
R31 | During a deal seats speak by acts, or by a few set phrases without meaning for the play, since no server can
    judge talk. The laws about words are applied to the acts.
R32 | Everything that a player is waited for has a limit of time, which all can see and the host can set; when it is
    over the clock does what the law makes of silence.
R33 | One person or bot has one seat at a table, though it may sit at many tables.
""")

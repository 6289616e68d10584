"""Bets in counters on the odd trick and on the game (80, R18)."""

import pytest

from support.law_table import Row, law_table

# East follows suit and wins the last trick, or ruffs the first though he has a spade: the odd trick is East and West's.
ENDING = """
    Code: english-1864
    Dealer: W
    Trump: H
    Leader: N
    Deal: N:K.2.. E:4.9.. S:7..2. W:3...4
    Tricks: NS 5 EW 6
"""
RUFFED = "N SK, E H9, S S7, W S3, E quits, E S4, S D2, W C4, N H2, N quits"
FOLLOWED = "N SK, E S4, S S7, W S3, N quits, N H2, E H9, S D2, W C4, E quits"
PROVED = f"{RUFFED}, N claims revoke E, N searches"

BETS = law_table(
    ENDING
    + f"""
    case                                        | law | score     | acts                                                            | then
    on the odd trick, by who has it             | 80  | NS 0 EW 0 | E bets 2 odd trick EW, S takes bet 1, {FOLLOWED}, W cuts        | law 80, law R18, bet 1 E
    or by who has not                           | 80  | NS 0 EW 0 | N bets 2 odd trick NS, W takes bet 1, {FOLLOWED}, W cuts        | bet 1 W
    as it is when the penalty is paid           | 80  | NS 0 EW 0 | E bets 2 odd trick NS, S takes bet 1, {PROVED}, N elects tricks 1, W cuts | bet 1 E
    and not as it was before                    | 80  | NS 0 EW 0 | S bets 2 odd trick EW, W takes bet 1, {PROVED}, N elects tricks 1, W cuts | bet 1 W
    on the score, by who wins the game          | 80  | NS 0 EW 4 | N bets 1 score NS, E takes bet 1, {FOLLOWED}, W cuts            | law 80, game EW treble, bet 1 E
    by a penalty, if it comes to that           | 80  | NS 2 EW 0 | W bets 1 score EW, S takes bet 1, {PROVED}, N elects add 1, W cuts | game NS treble, bet 1 S
    it stands till a game is won                | 80  | NS 0 EW 0 | N bets 1 score NS, E takes bet 1, {FOLLOWED}, W cuts            | score NS 0 EW 1, may not W takes bet 1
    it is another who takes it                  | 80  | NS 0 EW 0 | N bets 1 odd trick NS, N takes bet 1                            | refused 80, may S takes bet 1, may E takes bet 1
    and one                                     | 80  | NS 0 EW 0 | N bets 1 odd trick NS, E takes bet 1, W takes bet 1             | refused 80
    nobody takes a bet that was not offered     | 80  | NS 0 EW 0 | N bets 1 odd trick NS, E takes bet 2                            | refused 80
    nor when the hand is over                   | 80  | NS 0 EW 0 | N bets 1 odd trick NS, {FOLLOWED}, E takes bet 1                | refused 80
    nor is one offered then                     | 80  | NS 0 EW 0 | {FOLLOWED}, N bets 1 odd trick NS                               | refused 80
    a thousand counters are enough              | 80  | NS 0 EW 0 | N bets 1001 odd trick NS                                        | refused 80, may N bets 1000 odd trick NS
    """
)


@pytest.mark.law("english-1864", "80", "R18")
@pytest.mark.parametrize("row", BETS, ids=str)
def test_bets(row: Row) -> None:
    """Bets are decided by how things stand when the penalty has been paid."""
    row.check()

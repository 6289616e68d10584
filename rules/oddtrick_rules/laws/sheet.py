"""The score sheet where the players keep it, at a `club` table: wrong marks, and wrong marks put right (11, 12 · 56, 57 · 12, 13).

The table enters every hand at the cut as the law has it. Until the next deal any player may then mark something else, and what
stands on the sheet counts, unless a player marks what ought to stand there while there is time: points of the game until that
game is concluded, which the next deal does; the value of a game, and points above the line at bridge, until the rubber is over.
A game itself is entered by the table alone.
"""

from __future__ import annotations

from typing import Final

from oddtrick_rules import events as e
from oddtrick_rules.code import Code, Rule
from oddtrick_rules.commands import Mark, Sheet
from oddtrick_rules.laws.common import Answer, Answers, Consequences, irregular, refuse, the_hand
from oddtrick_rules.laws.scoring import game_value
from oddtrick_rules.refusals import Why
from oddtrick_rules.seats import OTHER_SIDE, SIDES, Actor, Seat, Side
from oddtrick_rules.state import Pair, Phase, State

RULES: Final = {Sheet.SCORE: Rule.SCORE_WRONG, Sheet.ABOVE: Rule.ABOVE_WRONG, Sheet.GAME: Rule.VALUE_WRONG}
GAME_VALUES: Final = (1, 2, 3)
ABOVE_POINTS_MAX: Final = 9999


def owed(state: State, sheet: Sheet) -> Pair:
    """Return what ought to stand on that sheet, per side; of the games, the value of each side's last."""
    slips = state.slips
    if sheet is Sheet.SCORE:
        return slips.score if slips.score is not None else state.score
    if sheet is Sheet.ABOVE:
        return (state.above[0] - slips.above[0], state.above[1] - slips.above[1])
    ns, ew = slips.games if slips.games is not None else state.games
    return (ns[-1] if ns else 0, ew[-1] if ew else 0)


def marked(state: State, sheet: Sheet) -> Pair:
    """Return what stands on that sheet, per side."""
    if sheet is Sheet.SCORE:
        return state.score
    if sheet is Sheet.ABOVE:
        return state.above
    ns, ew = state.games
    return (ns[-1] if ns else 0, ew[-1] if ew else 0)


def mark(state: State, actor: Actor, command: Mark) -> Answer:
    """Mark a side's score: what ought to stand whenever there is time for it, anything else between two deals only."""
    code, sheet, side = state.code, command.sheet, command.side
    rule = RULES[sheet]
    cites = code.cites(rule)
    if not code.has(rule):
        return refuse(Why.NOT_IN_CODE)
    if not isinstance(actor, Seat):
        return refuse(Why.NOT_YOURS, cites)
    if (no := irregular(state, rule)) is not None:
        return no
    if state.phase is Phase.OVER:
        return refuse(Why.TOO_LATE, cites)
    hand = state.hand
    if hand is None or not _possible(state, code, command):
        return refuse(Why.MALFORMED, cites)
    if sheet is Sheet.SCORE and hand.game_won and state.phase is Phase.TO_DEAL:
        return _game_put_right(state, actor, command)
    if marked(state, sheet)[side] == command.points:
        return refuse(Why.ALREADY_DONE, cites)
    if owed(state, sheet)[side] != command.points and (state.phase is not Phase.TO_DEAL or not hand.ended):
        return refuse(Why.NOT_NOW, cites)
    return (e.ScoreMarked(actor, sheet, side, command.points, cites),)


def _possible(state: State, code: Code, command: Mark) -> bool:
    """Tell whether such a figure can stand there at all: points short of the game, or what a side is owed; a game's value."""
    points, side = command.points, command.side
    if command.sheet is Sheet.GAME:
        return points in GAME_VALUES and bool(state.games[side])
    if command.sheet is Sheet.ABOVE:
        return 0 <= points <= ABOVE_POINTS_MAX
    return 0 <= points < code.game_points or points == owed(state, Sheet.SCORE)[side]


def _game_put_right(state: State, actor: Seat, command: Mark) -> Answer:
    """A game entered by a score that was wrong is no game, or one of another value, if that is seen before the next deal."""
    cites = state.code.cites(Rule.SCORE_WRONG)
    right, hand = state.slips.score, the_hand(state)
    if right is None or right[command.side] != command.points or hand.game_score[command.side] == command.points:
        return refuse(Why.TOO_LATE if right is None else Why.NOT_NOW, cites)
    winner = Side.NS if hand.game_score[0] >= state.code.game_points else Side.EW
    return (e.GameAnnulled(actor, winner, right, cites),)


def reached(state: State, event: e.ScoreMarked | e.GameAnnulled) -> tuple[e.Event, ...]:
    """A score put right may be the game."""
    hand = the_hand(state)
    if hand.game_won:
        return ()
    code = state.code
    for side in SIDES:
        if state.score[side] >= code.game_points:
            return (e.GameWon(side, game_value(state, state.score[OTHER_SIDE[side]]), code.cites(Rule.GAME_VALUE)),)
    return ()


ANSWERS: Answers = {Mark: mark}
CONSEQUENCES: Consequences = {e.ScoreMarked: (reached,), e.GameAnnulled: (reached,)}

"""What happened at the table, in the past tense: the facts that `evolve` folds.

An offence at law is an event. Every event carries `cites`, the numbers of the laws and rulings it rests on in the code in
force (`("73",)`, `("76", "R6")`; empty where it rests on none). Facts that only some may know are marked in `views.py`,
nowhere else.
"""

from __future__ import annotations

from typing import TypeAlias

from oddtrick_rules.events_play import (
    Answered,
    Asked,
    Called,
    CallLost,
    CallsRestored,
    CardChanged,
    CardNamed,
    CardPlayed,
    CardReturned,
    Cards,
    CardsExposed,
    CardsPickedUp,
    CardsShown,
    CardWithdrawn,
    DutyEnded,
    GameClaimed,
    HandDealt,
    LaidTogether,
    LeadCondoned,
    LedOn,
    LedOutOfTurn,
    LedTogether,
    OfferAgreed,
    OfferClosed,
    OfferMade,
    Placed,
    QuestionLapsed,
    Renounced,
    RestClaimed,
    Reviewed,
    RevokeBarred,
    RevokeCorrected,
    RevokeEstablished,
    RevokeLifted,
    RevokeMade,
    RightClosed,
    RightKept,
    RightOpened,
    SaidMine,
    ThrewDown,
    TrickCompleted,
    TrickGathered,
    TrickQuitted,
    TrumpForgotten,
    TrumpLeft,
    TrumpTakenUp,
)
from oddtrick_rules.events_score import (
    BecameReady,
    BetOffered,
    BetSettled,
    BetTaken,
    ChargeJudged,
    ClaimKilled,
    Consulted,
    DealVoided,
    DeclarationLeft,
    Doubled,
    DoublingLost,
    DummyLaid,
    GameAnnulled,
    GameReached,
    GameUndone,
    GameWon,
    HandEnded,
    HonoursCalled,
    LeadAsked,
    LedEarly,
    Mixed,
    NewCardsCalled,
    PackCut,
    PackTaken,
    PenaltyExacted,
    PenaltyForfeited,
    PlayOutRequired,
    Points,
    RevokeCharged,
    RevokeProved,
    RevokesCancelled,
    RubberWon,
    Satisfied,
    Score,
    Scored,
    ScoredAbove,
    ScoreMarked,
    Searched,
    SpokenOutOfTurn,
    TrumpDeclared,
    Word,
)

Event: TypeAlias = (
    HandDealt
    | CardPlayed
    | LedOutOfTurn
    | LeadCondoned
    | CardReturned
    | Renounced
    | RevokeMade
    | RevokeLifted
    | RevokeEstablished
    | RevokeBarred
    | TrickCompleted
    | TrickGathered
    | TrickQuitted
    | Asked
    | Answered
    | QuestionLapsed
    | CardWithdrawn
    | RevokeCorrected
    | CardChanged
    | CardsExposed
    | CardsShown
    | CardsPickedUp
    | LedOn
    | LedTogether
    | LaidTogether
    | RightOpened
    | RightKept
    | RightClosed
    | Called
    | DutyEnded
    | CallLost
    | CallsRestored
    | Placed
    | Reviewed
    | SaidMine
    | CardNamed
    | TrumpForgotten
    | TrumpTakenUp
    | TrumpLeft
    | ThrewDown
    | GameClaimed
    | RestClaimed
    | OfferMade
    | OfferAgreed
    | OfferClosed
    | RevokeCharged
    | ClaimKilled
    | Searched
    | ChargeJudged
    | RevokeProved
    | RevokesCancelled
    | Mixed
    | PlayOutRequired
    | PenaltyExacted
    | PenaltyForfeited
    | Consulted
    | HandEnded
    | BecameReady
    | HonoursCalled
    | PackCut
    | Scored
    | ScoredAbove
    | GameReached
    | GameUndone
    | GameWon
    | ScoreMarked
    | GameAnnulled
    | RubberWon
    | TrumpDeclared
    | DeclarationLeft
    | Doubled
    | LeadAsked
    | Satisfied
    | SpokenOutOfTurn
    | DoublingLost
    | LedEarly
    | DealVoided
    | DummyLaid
    | BetOffered
    | BetTaken
    | BetSettled
    | NewCardsCalled
    | PackTaken
)

__all__ = [
    "Answered",
    "Asked",
    "BecameReady",
    "BetOffered",
    "BetSettled",
    "BetTaken",
    "CallLost",
    "Called",
    "CallsRestored",
    "CardChanged",
    "CardNamed",
    "CardPlayed",
    "CardReturned",
    "CardWithdrawn",
    "Cards",
    "CardsExposed",
    "CardsPickedUp",
    "CardsShown",
    "ChargeJudged",
    "ClaimKilled",
    "Consulted",
    "DealVoided",
    "DeclarationLeft",
    "Doubled",
    "DoublingLost",
    "DummyLaid",
    "DutyEnded",
    "Event",
    "GameAnnulled",
    "GameClaimed",
    "GameReached",
    "GameUndone",
    "GameWon",
    "HandDealt",
    "HandEnded",
    "HonoursCalled",
    "LaidTogether",
    "LeadAsked",
    "LeadCondoned",
    "LedEarly",
    "LedOn",
    "LedOutOfTurn",
    "LedTogether",
    "Mixed",
    "NewCardsCalled",
    "OfferAgreed",
    "OfferClosed",
    "OfferMade",
    "PackCut",
    "PackTaken",
    "PenaltyExacted",
    "PenaltyForfeited",
    "Placed",
    "PlayOutRequired",
    "Points",
    "QuestionLapsed",
    "Renounced",
    "RestClaimed",
    "Reviewed",
    "RevokeBarred",
    "RevokeCharged",
    "RevokeCorrected",
    "RevokeEstablished",
    "RevokeLifted",
    "RevokeMade",
    "RevokeProved",
    "RevokesCancelled",
    "RightClosed",
    "RightKept",
    "RightOpened",
    "RubberWon",
    "SaidMine",
    "Satisfied",
    "Score",
    "ScoreMarked",
    "Scored",
    "ScoredAbove",
    "Searched",
    "SpokenOutOfTurn",
    "ThrewDown",
    "TrickCompleted",
    "TrickGathered",
    "TrickQuitted",
    "TrumpDeclared",
    "TrumpForgotten",
    "TrumpLeft",
    "TrumpTakenUp",
    "Word",
]

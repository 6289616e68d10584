"""The lawbook of `english-1864`: English short whist by the clubs' code of 1864, 91 laws in our own words."""

from __future__ import annotations

from typing import Final

from oddtrick_rules.code import Law
from oddtrick_rules.codes.book import laws_in

LAWS: Final[tuple[Law, ...]] = laws_in("""
1 | enforced | Two games win the rubber, so a third is played only when each side has one.
2 | enforced | Each trick beyond six scores its winners one point, and five points are game.
3 | enforced | A side that was dealt all four of the ace, king, queen and knave of trumps has four points for
    honours; with three of them it has two points, and with two none.
4 | enforced | Honours do not help a side that already stood at four when the cards were dealt.
5 | enforced | Three things are marked at the end of a hand, and in this order: what revokes cost, what the tricks
    bring, what the honours bring.
6 | clock | Honours must be called before the next deal's trump card is turned; after that they are lost.
7 | act | A side speaks up for its honours when the hand is over. Once it has spoken it may mark them as long as
    that game lasts.
8 | enforced | The winners of a game get three points towards the rubber from losers with nothing, two from losers
    with one or two, one from losers with three or four.
9 | enforced | Whoever wins the rubber gets two points for it on top of his games.
10 | enforced | When the losers took a game, its points come off what the winners have.
11 | act | A wrong mark can be put right while its game lasts, and a game lasts until the next trump card is
    up.
12 | act | Whether a game was single, double or treble can be put right until the rubber is over.
13 | enforced | For cutting, the ace is the lowest card of its suit.
14 | enforced | Everybody cuts from one and the same pack.
15 | cannot occur: the house draws one card for each candidate and no more | Who turns up two cards in cutting has
    to cut again.
16 | enforced | If more than four want to play, those first in the room come first and the cards decide between the
    rest. The four cut for partners, low two against high two, and the lowest deals with his choice of seat and
    pack.
17 | enforced | A table holds six at most: four who play and two who wait, the lower of them to have the first place
    that falls free.
18 | enforced | Two who cut alike cut again, unless theirs are the two highest cards. When theirs are the lowest
    they cut only for the deal.
19 | enforced | Three who cut alike cut again. The fourth, if he was highest, gets the two lowest of the new cut as
    his opponents; if he was lowest he deals, and the two highest of it play together.
20 | enforced | After a rubber those who have played the most in a row make room for those who wait; if that does
    not decide, the highest cards go out.
21 | act | A newcomer says that he wants to play before anybody has cut for the next rubber or for going out.
22 | enforced | When a new table is made up, people who are at no other table come before people who are.
23 | act | A player who has to go in the middle of a rubber may name another to finish it, if all three others
    agree.
24 | enforced | Joining a second table costs a player his place in the queue at the first.
25 | enforced | If a player's leaving breaks up his table, those he left behind go before him at any other.
26 | cannot occur: the house shuffles, and nobody holds the pack | The pack is shuffled above the table and with no
    card's face in sight.
27 | cannot occur: no pack is on the table while another is in play | Nobody shuffles while a hand is being played.
28 | cannot occur: the house shuffles, and nobody holds the pack | Dealing the cards into heaps, or pushing them
    about on the table, is no way to shuffle.
29 | enforced | Every player has the right to one shuffle before the deal; here each adds chance of his own to it.
30 | enforced | It is for the dealer's partner to collect the other pack and to shuffle it first.
31 | cannot occur: no second pack lies on the table | The shuffled pack waits at the left hand of the player who
    deals next.
32 | cannot occur: the house shuffles, and shows no card in doing so | The dealer shuffles last. If the face of a
    card was seen meanwhile he can be made to do it over.
33 | enforced | The deal goes round to the left.
34 | act | The player on the dealer's right cuts the pack, leaving four cards or more in each part; after an
    exposure or confusion he cuts afresh.
35 | cannot occur: a cut is one act, done when it is received | With the pack once parted the cutter may not think
    better of it.
36 | cannot occur: the house shuffles before the cut and never after | Shuffling a pack that has been cut loses the
    dealer his deal.
37 | cannot occur: the house deals 52 different cards, all face down | If the pack is not whole, or a card in it
    lies the wrong way up, the same player must deal again.
38 | cannot occur: the house deals, and no card is seen in dealing | A card exposed in dealing lets the side that
    did not do it have a new deal, as long as it has touched nothing.
39 | cannot occur: all hands are dealt at one stroke | If one player handles his cards while they are being dealt,
    the other side may too and loses nothing.
40 | cannot occur: the house deals, and no card is seen in dealing | Turning the trump up in haste over an exposed
    card does not rob the other side of its time to object.
41 | cannot occur: nobody can look at a card before it is turned | If the dealer peeps at the trump card, his
    adversaries may see it as well and may have the cards dealt anew.
42 | cannot occur: there is no other pack to take a card from | If a card of the other pack gets into a hand, the
    adversaries may have a new deal.
43 | cannot occur: the house does not misdeal | A misdeal costs the dealer his deal, which goes to the next player.
44 | cannot occur: the house deals in order, thirteen to each, and turns the last card | A misdeal is a hand out of
    order or of a wrong number, a trump card that is not turned or not the dealer's, a counted pack or a pack not
    cut.
45 | cannot occur: nobody can touch the cards during the deal | A misdeal is forgiven when an adversary meddled with
    the cards first.
46 | cannot occur: each hand has the cards it was dealt, and the server counts them | Who plays on with a card too
    few lets the deal stand, and the card he lacks counts as his when it comes to revokes.
47 | cannot occur: the house deals 52 different cards | A pack found faulty spoils only the hand in which it is
    found; earlier scores are good, and the same player deals.
48 | cannot occur: the deal goes where the law sends it | A player who deals out of his turn or with the wrong pack
    can be stopped until the trump card is turned, and then no more.
49 | cannot occur: the house shuffles, and the cut is asked of one seat | To shuffle, cut or deal in one's partner's
    place one needs leave from the other side.
50 | cannot occur: nobody can interrupt a deal that is one act | A dealer whom the others stopped without reason may
    deal once more if he then goes wrong.
51 | cannot occur: no partner deals, and the house does not misdeal | A partner who deals and misdeals loses the
    deal, which goes to the adversary who comes after the rightful dealer.
52 | act | The dealer takes the trump card into his hand as he plays to the first trick. Left lying when that trick
    is quitted, it can be called like any exposed card.
53 | act | With the trump card taken up, anybody may ask the suit but nobody the card. Who names it can be made to
    play his highest or lowest trump.
54 | enforced | If the dealer picks the trump card up too early he must put it back, and any wrong card he shows for
    it may be called. Here it cannot be taken before his first card.
55 | act | A dealer who does not remember his trump card can be called on for his highest trump, or for his lowest,
    at any trick until the card is played; the call may be renewed but not changed.
56 | act | Two cards put down together, or a card let drop or shown face upwards, are exposed: they stay on the
    table and the adversaries may call them.
57 | act | If a player, sure of a trick, leads on before his partner has played to it, the partner can be told to
    win it if he is able, and the cards led on are exposed.
58 | act | When some throw their hands down but not all four, each hand thrown down is exposed to be called card by
    card; nobody else has to give up his own.
59 | act | When all four throw their hands down the hand is finished for good. Only a revoke can still be brought
    up, and it costs three points added or deducted.
60 | cannot occur: a card half drawn from a hand can be seen by nobody | A card held so that an adversary can name
    it may be called; if he names it wrongly a suit can be called from his own side.
61 | act | Playing another card when one's highest or lowest is lawfully called, or another suit when a suit is, is
    punished as a revoke.
62 | act | After a lead out of turn the adversaries may treat the card as exposed, or may call the suit when that
    side next has the lead.
63 | act | If all have followed a lead out of turn it stands. If only some have, they take their cards back freely
    and the leader alone is at fault.
64 | enforced | No call obliges a player to revoke.
65 | act | An exposed card that could not be played when called may be called again, trick after trick, until it is
    gone.
66 | enforced | A player who has none of the suit called may lead as he pleases, and the matter is closed.
67 | act | If third hand plays before second, fourth hand need not wait for his partner either.
68 | act | If fourth hand plays before his partner while third hand has still to play, that partner can be told to
    win the trick or not to.
69 | cannot occur: no trick is complete without a card from each player | When a player has missed a trick the
    others may have a new deal, or let the hand stand and give that trick his card too many.
70 | enforced | A trick takes one card from each player. Where two of one player's cards get into it he answers for
    every revoke that this leads to.
71 | act | To play another suit while holding the suit led is a revoke.
72 | act | For each revoke the adversaries choose at the end of the hand: three of that side's tricks, three points
    off its score, or three on to their own. It counts before all else, in that game only, and is not divided.
73 | act | A revoke is fixed once its trick is turned and quitted, or once the player or his partner has led or
    played to the next trick, in turn or not.
74 | act | A partner may ask whether the player has none of the suit. Asked before the trick is quitted, the
    question keeps the revoke open to correction, until it is denied or that side plays on.
75 | act | Those who claim a revoke may go through all the tricks when the hand is over.
76 | act | A player who sees in time that he has revoked takes his card back. The adversaries may call it later, or
    have his highest or lowest now; those who played after him may change their cards.
77 | act | If the side accused mixes the tricks before the claim has been looked into, the revoke counts as proved.
78 | clock | No revoke can be claimed once the pack has been cut for the following deal.
79 | act | The side that revoked can always insist that the hand be played to its end.
80 | act | Bets on the odd trick and on the score are decided by how things stand after the penalty.
81 | enforced | When there are revokes on both sides both are paid for, and the hand gives neither side the game.
82 | enforced | The game is closed to a side that revoked in the hand: its score stops at four.
83 | act | Until the pack is cut any player may order new cards at his own cost; two packs come and the dealer picks
    one.
84 | act | Partners who may choose between two penalties settle who shall choose, but must not discuss which. If
    they do they lose both; the first lawful demand is final.
85 | act | Until the four cards are touched to gather them, anybody may have each card laid before its player.
86 | act | If a player draws notice to a trick before his partner has played, the partner may be ordered to play his
    highest or lowest of the suit, or to win the trick or lose it.
87 | clock | The adversaries of an offender are allowed a fair time to make up their minds.
88 | act | A bystander who lets out that something was missed in the score pays the stakes.
89 | act | A bystander may settle a dispute about facts if the players agree on him.
90 | cannot occur: these cards neither tear nor take marks | A card that is torn or marked is replaced.
91 | act | Any player may look at the trick last quitted, and at none before it.
""")

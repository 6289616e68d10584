"""The lawbook of `whist-1900`: English short whist by the revised code of 1900, 94 laws and 12a in our own words."""

from __future__ import annotations

from typing import Final

from oddtrick_rules.code import Law
from oddtrick_rules.codes.book import laws_in

LAWS: Final[tuple[Law, ...]] = laws_in("""
1 | cannot occur: each deal comes from a pack of its own, of which no one has charge | The table has two packs, and
    each side keeps one.
2 | cannot occur: these cards neither tear nor take marks | For a card that is torn or marked another is found by
    consent, or the table buys new packs.
3 | act | Until the cut for the deal any player may have two new packs at his own expense; the choice is the
    dealer's.
4 | enforced | Whether one cuts or draws, the ace counts lowest.
5 | enforced | All draw from one pack.
6 | cannot occur: the house draws one card for each candidate and no more | Who draws two cards and shows both has
    to draw afresh.
7 | enforced | The first in the room have the first right to play. Six fill a table; if more than four are there,
    the lowest cards play, and those who drew alike draw again.
8 | enforced | The four draw for partners, the two lowest together; the lowest of all deals and picks his cards and
    the seats.
9 | enforced | Two equal cards are drawn over unless they are the highest two: the higher of the new pair joins the
    highest card. Equal lowest draw over for the deal alone.
10 | enforced | Of three equal cards drawn over, the two lowest are partners if the fourth card was the highest, and
    the two highest if it was the lowest and has the deal.
11 | enforced | When others wait, those who have played the most rubbers on end leave after a rubber; equals draw,
    and high cards leave.
12 | act | One who wants to come in says so before a card has been drawn for the new rubber.
12a | act | At a table with room to spare one may put one's name down at any moment, and goes before all who do so
    later.
13 | enforced | A new table is filled with people who have no other before it is filled by drawing.
14 | act | With the leave of his three companions a player who goes away may put another in his place until the
    rubber ends.
15 | enforced | A player who joins a second table comes last of all at his first.
16 | enforced | Whoever breaks up a table by leaving it has to let its other members in before him elsewhere.
17 | cannot occur: the house shuffles, and there is no pack to choose | For the first deal an adversary shuffles the
    pack the dealer chose, and the dealer's side the other one.
18 | cannot occur: the house shuffles, and nobody holds the pack | Shuffling is done above the table, without any
    face showing.
19 | cannot occur: no pack is on the table while another is in play | While a hand is in play no pack is shuffled.
20 | cannot occur: the house shuffles, and nobody holds the pack | The cards are not to be dealt out into heaps by
    way of shuffling.
21 | enforced | Each of the four may shuffle once before a deal; here each one's own chance goes into it.
22 | enforced | Collecting the cards, and shuffling them first, is the business of the dealer's partner.
23 | cannot occur: no second pack lies on the table | The pack when shuffled is put down to the left of him who has
    the next deal.
24 | cannot occur: the house shuffles, and shows no card in doing so | The last shuffle is the dealer's, and he
    repeats it if a face was seen.
25 | enforced | He who drew lowest deals first, and then each player in turn to the left through the whole rubber.
26 | act | The pack is offered to the player on the dealer's right to be cut, four cards or more to a part; it is
    cut over again if a card shows or there is any doubt.
27 | cannot occur: a cut is one act, done when it is received | The one who cuts may not alter a cut that he has
    begun.
28 | cannot occur: the house shuffles before the cut and never after | The dealer who shuffles after the cut has no
    deal.
29 | cannot occur: the house deals a whole pack, and each hand goes to its owner alone | The same player has to deal
    over again for a faulty pack, a card faced in it, or a hand that another player took up.
30 | cannot occur: the house deals, and no card is seen in dealing | Whichever side did not expose the card, and has
    not touched its own, may ask for a fresh deal.
31 | cannot occur: all hands are dealt at one stroke | What one side touches during the deal the other may touch
    too, and keeps its claims.
32 | cannot occur: the house deals, and no card is seen in dealing | A trump card turned in haste leaves the other
    side time for its claim.
33 | cannot occur: nobody can look at a card before it is turned | A trump card seen early by the dealer may be seen
    by his adversaries, either of whom may require a fresh deal.
34 | cannot occur: the deal goes where the law sends it | Until the trump is up, anybody may stop the wrong dealer
    or the wrong pack.
35 | cannot occur: the house shuffles, and the cut is asked of one seat | No one does his partner's shuffling,
    cutting or dealing unless the adversaries let him.
36 | cannot occur: nobody can interrupt a deal that is one act | A misdeal after a mistaken interruption is dealt
    again by the same player.
37 | cannot occur: the house deals in order, thirteen to each, and turns the last card | The list of misdeals:
    order, number, trump card, counting or an uncut pack. An adversary who caused the fault takes the blame off the
    dealer.
38 | cannot occur: no partner deals, and the house does not misdeal | When a misdeal was the partner's, the deal
    passes on from the proper dealer.
39 | cannot occur: the house does not misdeal | A misdeal takes the deal away, unless one of the other side had
    touched his cards first.
40 | cannot occur: each hand has the cards it was dealt, and the server counts them | A hand that is short, and goes
    unnoticed until the first trick is quitted, is played on; its owner answers for revokes as though it were full.
41 | cannot occur: the house deals 52 different cards | A pack that proves imperfect ends the present hand and
    touches no other.
42 | act | A trump card still on the table when the second trick has been quitted may be called.
43 | act | The suit of the turn-up may be asked for all through the hand. Naming or asking for the card, once it is
    in the dealer's hand, gives one call of highest or lowest trump.
44 | enforced | Picked up too soon, the trump card may be ordered back, and cards shown in its stead may be called.
    Here it stays until the dealer plays.
45 | act | When the dealer has forgotten the card he turned, his highest or else his lowest trump may be called
    until it comes out.
46 | enforced | It takes two games of three to win a rubber.
47 | enforced | A trick above the sixth is a point, and five make the game.
48 | enforced | Of the four honours in trumps all four bring the side that was dealt them four points, and three
    bring two.
49 | enforced | With four points on its score at the beginning of a deal, a side gets nothing for honours.
50 | enforced | Revokes are paid for first, then come tricks, and honours come after tricks.
51 | clock | The time for claiming honours is over when the trump card of the deal that follows is up.
52 | act | Honours have to be claimed when the hand ends. The word "game" is claim enough when they and the tricks
    together make the game.
53 | enforced | A game counts treble, three, against nothing; double, two, against one or two; single, one, against
    three or four.
54 | enforced | There are two more points for winning the rubber.
55 | enforced | In a rubber of three games the value of the one lost is subtracted.
56 | act | A mistake in the score is mended before the game is over, that is before the next trump card is
    turned.
57 | act | A mistake in a game's worth is mended at any moment of the rubber.
58 | act | Exposed are: two cards or more laid face up together, a card that falls or is shown face up, and any card
    that its own holder names.
59 | act | An exposed card stays face up and may be called. Called before it is its owner's turn, it is safe for
    that trick.
60 | act | A player who runs on with winning cards before his partner has played exposes them, and the partner can
    be ordered to win one of the tricks if he can.
61 | act | Hands that some players throw down are exposed. A player who keeps his cards cannot be made to stop.
62 | act | Four hands thrown down are out of play. Revokes may still be claimed, each for three points one way or
    the other, and the side at fault cannot go out.
63 | cannot occur: a card half drawn from a hand can be seen by nobody | A card an adversary can see in a hand and
    name at once, and rightly, is exposed; to name it wrongly costs him a call of suit.
64 | act | For a lead out of turn a card may be called or a suit, at the next lead of either partner. The suit may
    be called although the card has since been played, and when it is called the card goes back.
65 | act | Two partners who lead at the same moment: the one in error may have to play his highest or lowest of the
    right suit, or has an exposed card.
66 | act | The lead out of turn is good once all have played to it. Sooner than that the others take back their
    cards unharmed.
67 | enforced | Nobody need obey a call that would make him revoke.
68 | act | Until an exposed card is played the call of it may be made anew at each trick.
69 | enforced | When the suit called is not in his hand the leader leads what he will, and has paid.
70 | act | Fourth hand may play before his partner if third hand did so before second.
71 | act | When fourth hand is too early and third has not played, second hand may be told to take the trick or to
    let it go.
72 | cannot occur: no trick is complete without a card from each player | If somebody passed over a trick his
    adversaries choose between a fresh deal and a hand with one card to spare, which is no revoke.
73 | enforced | No trick may hold two cards of one player. If it did, he pays for any revoke that follows, and
    otherwise the card given back to him is an exposed one.
74 | act | A player revokes when he has the suit led and plays a different one.
75 | act | Each revoke costs, as the adversaries decide and after talk if they wish: three tricks, three points
    lost, or three points given. One may be punished in one way and the next in another, before any other mark is
    made.
76 | act | It is punished like a revoke not to play one's highest or lowest when called, not to win or lose a trick
    when told and able, or to lead some other suit than the one called.
77 | act | A revoke becomes final by the quitting of its trick, or by that side's playing on; and to throw down
    one's cards or to claim the game is to play on.
78 | act | The partner may ask about the suit, or whether a call has been obeyed. Then quitting by the adversaries
    does no harm; quitting by his own side before the answer does.
79 | act | Every trick may be searched for the revoke that was claimed, after the last has been played.
80 | act | Seen in time, a wrong card is taken back: it may be called at leisure, or the highest or lowest is called
    at once. Cards played after it may be changed without penalty.
81 | act | Mixing the tricks after a claim concedes it. Mixing them earlier makes it hard to prove and no more.
82 | clock | A revoke is past claiming when the pack has been duly cut for the next deal.
83 | act | Though a revoke has been found out, the side at fault may have the whole hand played.
84 | act | A bet on the odd trick or the score looks to what stands after the revoke is paid for.
85 | enforced | If each side has revoked, nobody pays, and nobody wins the game by that hand.
86 | enforced | The game is out of reach, in that hand, for a side that revoked, and so is any score above four.
87 | act | Two partners may agree who names the penalty but not confer on its choice: conferring forfeits it. What
    is first demanded, if lawful, holds. For a revoke they may confer.
88 | act | To ask for a penalty that the law does not give for the offence is to lose the one it gives.
89 | act | Before the trick is gathered anybody may have the four cards sorted to their players.
90 | act | For words or signs about a trick before his partner plays, a player's partner can be called on for the
    highest or lowest of the suit, or to win, or not to.
91 | clock | Penalties may be considered for a reasonable time.
92 | act | A looker-on who speaks of a slip in the score before the stakes are paid has to pay them himself.
93 | act | If they all wish it, the players may take a looker-on's word for what happened.
94 | enforced | For looking at a trick that was quitted a suit may be called. Here no such trick is ever shown.
""")

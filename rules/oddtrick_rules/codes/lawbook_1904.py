"""The lawbook of `bridge-1904`: bridge by the code of the Portland and Turf clubs, 108 laws in our own words."""

from __future__ import annotations

from typing import Final

from oddtrick_rules.code import Law
from oddtrick_rules.codes.book import laws_in

LAWS: Final[tuple[Law, ...]] = laws_in("""
1 | enforced | The rubber goes to the side with two games, and ends there.
2 | enforced | A game is thirty points, and only tricks count towards it.
3 | enforced | Every hand is played to its thirteenth trick, and points beyond thirty are kept.
4 | enforced | A trick above the sixth is worth two in spades, four in clubs, six in diamonds, eight in hearts and
    twelve at no trumps.
5 | enforced | With a trump suit the honours are its five top cards down to the ten; without one they are the aces.
6 | enforced | Honours in trumps bring the side that has three, four or all five of them twice, four or five times a
    plain trick. Four in one hand bring eight times, nine with the partner's fifth, and five in one hand ten times.
7 | enforced | At no trumps three aces bring thirty and four forty, or a hundred when one hand holds them all.
8 | enforced | A player who was dealt no trump earns his side twice the plain value of a trick for chicane.
9 | enforced | All thirteen tricks earn forty more and twelve earn twenty, tricks taken for a revoke left out.
10 | enforced | Honours, chicane and slams stand apart from the game and are added when the rubber ends.
11 | enforced | At the end each side adds up everything, the winners put on a hundred, and the difference is the
    result.
12 | act | Points for tricks can be corrected until the last card of the next deal is dealt; in the last game,
    until the score has been agreed.
13 | act | Points for honours and slams can be corrected until the score of the rubber has been agreed.
14 | enforced | Aces are low when one cuts.
15 | enforced | One pack serves for everybody's cut.
16 | cannot occur: the house draws one card for each candidate and no more | Two cards shown in cutting make it a
    cut to be repeated.
17 | enforced | Where more than four would play, first come have first right, and low cards play. They cut once
    more: two low against two high, with deal and choice to the lowest.
18 | enforced | No more than six belong to a table, and the next lowest has the first vacancy.
19 | enforced | Equal cuts by two are made again, except of the two highest; of the two lowest it is for the deal
    only.
20 | enforced | Equal cuts by three are made again; the lowest two are partners if the odd card was highest, and the
    highest two if it was lowest.
21 | enforced | The longest at the table without a pause go out when others come in; high cuts decide among equals.
22 | act | Whoever wants to join an incomplete table says so before any card is cut.
23 | enforced | Those who belong nowhere are the first to make up a new table.
24 | act | During a rubber a player may give his place to a substitute whom the three others accept.
25 | enforced | By going to another table one gives up one's turn at the first.
26 | enforced | Those left without a game by one who went away have precedence over him at other tables.
27 | cannot occur: the house shuffles, and nobody holds the pack | No shuffling under the table, and no face in
    view.
28 | cannot occur: no pack is on the table while another is in play | There is no shuffling as long as a hand goes
    on.
29 | cannot occur: the house shuffles, and nobody holds the pack | Neither dealing into heaps nor pushing cards
    across the table counts as shuffling.
30 | enforced | All four have a right to shuffle; here each adds his own chance to the deal.
31 | enforced | The dealer's partner sees to gathering the pack, and to its first shuffle.
32 | cannot occur: no second pack lies on the table | The other pack belongs on the left of whoever deals next.
33 | cannot occur: the house shuffles, and shows no card in doing so | The dealer has the last shuffle, which he
    must repeat if a card was seen.
34 | enforced | Each deals in his turn, which moves to the left.
35 | act | His right-hand neighbour cuts for the dealer, with no part smaller than four, and again after any
    exposure or confusion.
36 | cannot occur: a cut is one act, done when it is received | A cut once begun must be finished as it is.
37 | cannot occur: the house shuffles before the cut and never after | If the dealer shuffles a pack already cut, it
    is cut once more, and he deals.
38 | enforced | All 52 cards are dealt face down, and no fault in it can cost the dealer his deal.
39 | cannot occur: the house deals a whole pack, in order, thirteen to each | A wrong pack, order or number of
    cards, or a card faced in the pack, makes a new deal.
40 | cannot occur: the house deals, and no card is seen in dealing | After a card was exposed in dealing, those of
    the other side who have not looked at theirs may ask for a new deal.
41 | cannot occur: all hands are dealt at one stroke | Dealing fast at the end takes away nobody's right to a new
    deal.
42 | cannot occur: nobody can look at a card before all are dealt | A dealer who looks before 51 cards are out shows
    the card to his adversaries, and they may have a new deal.
43 | cannot occur: each hand has the cards it was dealt, and the server counts them | He who plays without his full
    number lets the deal stand, and is answerable for the missing card.
44 | cannot occur: the house deals 52 different cards | A faulty pack annuls the hand in play and none before it.
45 | cannot occur: the deal goes where the law sends it | The wrong dealer, or the wrong pack, may be stopped up to
    the last card.
46 | cannot occur: the house shuffles, and the cut is asked of one seat | One needs the other side's leave to
    shuffle, cut or deal for one's partner.
47 | act | After the deal it is for the dealer to name a trump suit, or no trumps.
48 | act | A dealer who would rather not leaves it to his partner, and the partner has no choice but to declare.
49 | act | If dealer's partner declares without being asked, the eldest hand may let it stand or have a new deal,
    until somebody speaks of doubling.
50 | act | If dealer's partner hands the declaration back, the eldest hand may insist on one from him or have a
    new deal.
51 | act | If an adversary declares, the dealer may ignore it or deal again.
52 | enforced | What has been declared stands.
53 | enforced | Doubling multiplies by two what a trick is worth, redoubling by two again, and touches nothing above
    the line.
54 | act | The eldest hand may double, or asks his partner for leave to lead; the partner gives it or doubles
    himself.
55 | act | A doubled declaration may be redoubled, first by whoever made the trump and then by his partner.
56 | act | After a redoubling the word is again with the doublers, first with the one who doubled.
57 | act | If the eldest hand's partner doubles unasked, it is for the maker of the trump to say whether it stands.
58 | act | Doubling goes to and fro until somebody is content, or until a trick is worth a hundred. Out of turn it
    needs the leave of the last doubler, or all doubling is over. Partners who consult give the others a new deal.
59 | act | If the eldest hand leads while the doubling goes on, his partner may redouble only by leave of the
    adversary who doubled last.
60 | act | When the eldest hand has been told that he may lead, or all are content, play begins.
61 | enforced | The doubling over, too, the declaration is not to be changed.
62 | act | At the first lead dummy's hand goes down. The dealer alone plays it, and he alone exacts what penalties
    his side is owed.
63 | act | Dummy may ask the dealer whether he has none of a suit. To point out an offence in any other way kills
    the penalty for it.
64 | act | If dummy hints at a card, either adversary may order it played or kept, without consulting the other.
65 | enforced | A card of dummy's that the dealer touches is not played until he lets go of it. Here a card is
    played when it is sent.
66 | enforced | A card the dealer has played, or named for dummy, stays played, save to mend a revoke.
67 | enforced | Dummy may not see the adversaries' hands. Here he is shown no more than before.
68 | enforced | Dummy's hand never pays for a revoke, and when the trick is quitted the wrong card stands.
69 | enforced | The dealer pays for no slip from which he could not gain; his cards may lie open.
70 | act | A card shown by the dealer's side before the trump is made lets the eldest hand have a new deal.
71 | act | A card shown before the lead bars that player's partner from doubling. If it is the leader's partner's,
    the dealer may forbid its suit to the leader instead of calling it.
72 | act | An exposed card of the dealer's adversaries is left face up for the dealer to call.
73 | act | Two cards laid at once, or a card dropped or shown, are exposed if they are an adversary's of the dealer.
74 | act | If an adversary goes on leading winners without his partner, the dealer may have the partner win a trick,
    and calls the cards led on.
75 | act | A dealer who claims the other tricks can be made to lay his hand open, and nothing in it can be called.
76 | act | If one adversary of the dealer throws his hand down, the dealer may call all its cards.
77 | act | When all have thrown down, the hand is scored as it was claimed and admitted; the cards are searched for
    a revoke only.
78 | cannot occur: a card half drawn from a hand can be seen by nobody | The dealer may call a card that an
    adversary has half drawn, if he can name it; a wrong guess gives them a suit to call.
79 | act | To disobey a lawful call of highest or lowest, of winning or losing, or of a suit, costs as much as a
    revoke.
80 | act | If an adversary leads out of turn the dealer may call that card, or may call a suit when next it is the
    turn of one of the two to lead.
81 | enforced | The dealer pays nothing for leading from the wrong hand, and may not mend it once second hand has
    played.
82 | act | A false lead to which all four have played is good. Before that cards are taken back, and only an
    adversary of the dealer pays.
83 | enforced | No player can be called upon to revoke.
84 | act | A card that may be called may be called until it is played.
85 | enforced | With none of the suit that was called, one leads freely and owes no more.
86 | act | If fourth hand, an adversary of the dealer, plays before his partner and third hand, the dealer decides
    whether the partner shall try for the trick or keep from it.
87 | cannot occur: no trick is complete without a card from each player | The side of a player who left out a trick
    leaves the others the choice of a new deal; otherwise his last card is added to it and is no revoke.
88 | enforced | A trick has one card of each player. One who put two to it answers for his revokes, and the tricks
    are counted to give the card back.
89 | act | Any player but dummy who can follow suit and does not has revoked.
90 | act | For each revoke: three tricks, or the value of three taken from one score or added to the other. That
    side makes neither game nor slam in the hand, and stops at twenty-eight.
91 | act | Quitting the trick establishes a revoke in it, and so does anything the revoker or his partner plays to
    the next.
92 | act | The partner, dummy too, may ask about the suit while the trick is there. No quitting then harms, unless
    the answer is no or that side plays on.
93 | act | The claimants may turn over every trick when all are played.
94 | act | When a revoke is corrected in time, all who played later may change. From an adversary the dealer may
    call the wrong card, or now the highest or lowest.
95 | act | When the dealer corrects himself only the eldest hand may call his highest or lowest, and only if both
    adversaries had played; never if he was last, and never from dummy.
96 | act | To mix the tricks after a claim admits it. Mixed earlier, they are merely harder to search.
97 | clock | With the cut for the next deal all claims of revoke are over.
98 | act | Bets are settled by the score as the penalty has left it.
99 | enforced | Revokes on both sides are each paid for, and that hand gives the game to neither.
100 | act | A player may pay for two new packs before the cut, and the dealer uses the one he likes.
101 | act | One may have the cards drawn apart to see who played which, until they are touched.
102 | act | If an adversary of the dealer speaks of the trick before his partner has played, the dealer may call the
    partner's highest or lowest, or have him win or lose.
103 | act | When one player alone may exact a penalty and his partner suggests it, it is gone.
104 | clock | A player has time enough to decide on a penalty.
105 | act | If a bystander reveals what was overlooked in the score he owes stakes and bets.
106 | act | The players may together leave a disputed fact to a bystander.
107 | cannot occur: these cards neither tear nor take marks | A torn card is made good, or new packs are brought.
108 | enforced | A trick that is quitted is not to be looked at until the hand is over. Here no such trick is shown.
""")

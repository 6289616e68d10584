"""Records that tests of the notation share: one ending, told in more than one way."""

ENDING = """\
Title: South revokes in the last trick but one
Code: english-1864
Dealer: W
Trump: H
Leader: E
Deal: N:4..9. E:K...9 S:7.2.. W:3..8.
Tricks: NS 5 EW 6
"""

REVOKE = (
    ENDING
    + """
E SK, S H2, W S3, N S4, S quits
= revoke S 12 established
= tricks NS 6 EW 6
S S7, W D8, N D9, E C9, S quits
E claims revoke S 12, E searches
= claim proved
E elects tricks 1
= tricks NS 4 EW 9
W cuts
= score NS 0 EW 3
"""
)

BRIDGE_DEAL = """\
Code: bridge-1904
Enforcement: guided
Dealer: S
Deal: N:86543.A95.T75.75 E:K97.J83.QJ9.T642 S:AT2.KQ764.K3.K98 W:QJ.T2.A8642.AQJ3
"""

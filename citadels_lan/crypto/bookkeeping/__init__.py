"""The public bookkeeping: gold, cards, cities, turns and scores, as they follow from the events of a log.

    books = Bookkeeping(header, seat)               # seat is None for a spectator
    books.follow(n, entry, public, own)             # Mismatch if the entry contradicts the books
    books.state                                     # the viewer's view after it

A client keeps these books during the game, and `verify` keeps them for a game that is not open. They do not guess
hidden cards and do not play the rules: the replay of an open game does that (docs/protocol.md, section 7).

    books     Bookkeeping: the view after each entry, and whose turn it is
    checks    offers, uncalled characters, copies of cards, final scores
"""

from .books import Bookkeeping, followed

__all__ = ["Bookkeeping", "followed"]

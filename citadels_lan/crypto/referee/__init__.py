"""The public referee: judges what a host says came of an entry from what is public, and from what one viewer was
told, while the game goes on (docs/decisions/0013-the-public-referee.md).

    referee = Referee(header, seat)                 # seat is None for a spectator
    referee.follow(n, entry, public, own)           # Mismatch where no honest host can have written it
    referee.state                                   # the viewer's view after it
    referee.judge()                                 # Mismatch, too: the rules are asked

    judge         Referee: the entries one by one
    following     the view after an entry, if there can be such a one
    completing    a full state that the view and the told events allow
    told          the engine plays on that state, and each of its events must be the one told
    hidden_moves  the move behind a commitment, as far as what came of it shows it
    counting      what no rule says by itself: offers, copies of cards, characters that were never called
"""

from .judge import Referee

__all__ = ["Referee"]

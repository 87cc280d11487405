"""Matches between bots: how strong is a bot, and how certain is the result?

    contest = Contest(config, (Contender("sensible"), Contender("random")), "any text")
    pairing = (0, 1, 1, 1)                         # the bot under test (the hero), three opponents
    with Workers.here(jobs=2) as workers:
        deals = tuple(play(contest, [pairing], 100, workers))
    Outcome(contest, (pairing,), deals).strengths()

Every deal is played once for each rotation of the seats, with the same deck, crown, cast and shuffles, and a
bot has the same seed in the same seat. So luck and seats cancel, and the strength of the bots remains. The
deals do not depend on each other; the intervals and the sequential test require that.
"""

from citadels_lan.bots.arena.match import Contender, Contest, Pairing, PlayedDeal, play
from citadels_lan.bots.arena.results import Outcome, Question, WinningShare

from .plugins import Plugin, PluginFault, PluginMemory, read_plugin
from .workers import Workers, WorkersLost

__all__ = [
    "Contender", "Contest", "Outcome", "Pairing", "PlayedDeal", "Plugin", "PluginFault", "PluginMemory",
    "Question", "WinningShare", "Workers", "WorkersLost", "play", "read_plugin",
]  # fmt: skip

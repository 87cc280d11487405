"""An example bot: builds the most expensive district it can, gathers what it lacks, and plays the rest at
random.

citadels-lan arena example_bot,random --plugin extras/bots/example_bot.py"""

from collections.abc import Sequence
from random import Random

from citadels_lan.bots.arena import PluginMemory
from citadels_lan.engine import Action, Choice, State, edition_of, expand
from citadels_lan.engine.actions import Build, Gather


def choose(view: State, seat: int, choices: Sequence[Choice], memory: PluginMemory, random: Random) -> Action:
    """Return one of the actions that `choices` allow for `seat`. `view` is what the seat may know."""
    me = view.players[seat]
    costs = edition_of(view).costs
    actions = list(expand(choices))
    builds = [action for action in actions if isinstance(action, Build)]
    if builds:
        return max(builds, key=lambda action: costs[action.card])
    for action in actions:
        if isinstance(action, Gather) and action.what == ("gold" if me.hand else "cards"):
            return action
    return random.choice(actions)

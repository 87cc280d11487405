"""The cards of the 2016/2021 edition under short names, for tests that play it."""

from citadels_lan.engine import EDITIONS, District, Edition, State, TableConfig, from_scenario, new_table
from citadels_lan.engine.rules_digests import RULES as DIGESTS
from citadels_lan.net.wire.messages import Settings

E2016 = EDITIONS["2016"]
RULES = DIGESTS["2016"]
"""The rules digest of the 2016/2021 edition."""
BASICS = E2016.basics
CHARACTERS = E2016.characters
DISTRICTS = E2016.districts
RANK = E2016.ranks
SCENARIOS = E2016.scenarios
TYPE = E2016.types
UNIQUES = E2016.uniques
FIRST_GAME = SCENARIOS["first_game"].cast
FIRST_GAME_UNIQUES = SCENARIOS["first_game"].districts


def first_game(players: int) -> TableConfig:
    """Return the rulebook's first game for this many players."""
    return from_scenario("first_game", players)


def first_table(players: int, bots: int = 0) -> Settings:
    """Return the rulebook's first game in the form of the settings of a lobby."""
    return Settings(first_game(players), bots)


def known_table(config: TableConfig, crown: int | None = None) -> State:
    """Return a sealed table at which the picks of the draft are known. No real program knows them during the
    game."""
    state = new_table(config, crown, sealed=True)
    state.draft = config.draft
    return state


def standing(key: str, played: Edition = E2016) -> District:
    """Return a district as it is in a city after it was built."""
    return District(key, played.costs[key])

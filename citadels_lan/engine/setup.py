"""Setting up a table: scenarios, checks, and the state before the deal."""

from itertools import product

from citadels_lan.engine.edition import edition_named

from .config import DEFAULT, RANDOM, Options, TableConfig, Unplayable
from .state import Player, State


def from_scenario(
    key: str, players: int, *, rank_nine: bool = False, edition_key: str = DEFAULT, options: Options = ()
) -> TableConfig:
    """Return the configuration of the scenario `key` with the substitutions that the rulebook makes for this
    many players (R008 to R011).

    `rank_nine`: add a character of rank 9 where it is optional. The scenario "random" leaves cast and
    districts to chance. Raises Unplayable.
    """
    played = edition_named(edition_key, options)
    if key == RANDOM:
        drawn = TableConfig(players, (), (), edition_key, options)
        check(drawn)
        return drawn
    if key not in played.scenarios:
        raise Unplayable("unknown_scenario", scenario=key)
    scenario = played.scenarios[key]
    # A scenario may name its rank 9; otherwise the edition has a usual one.
    ninth = scenario.rank_nine or played.casting.ninth
    cast = (*scenario.cast, ninth) if rank_nine else scenario.cast
    config = TableConfig(
        players, played.casting.substituted(cast, players, ninth), scenario.districts, edition_key, options
    )
    check(config)
    return config


def scenario_of(config: TableConfig) -> tuple[str, bool] | None:
    """Return the key of the scenario that `config` uses, and whether it adds an optional rank 9. None if
    `config` equals no scenario."""
    if not config.cast and not config.districts:
        return RANDOM, False
    # Try all scenarios: substitutions may make the casts of two of them equal.
    for key, nine in product(edition_named(config.edition, config.options).scenarios, (False, True)):
        try:
            named = from_scenario(
                key, config.players, rank_nine=nine, edition_key=config.edition, options=config.options
            )
        except Unplayable:
            continue
        if (named.cast, set(named.districts)) == (config.cast, set(config.districts)):
            return key, nine
    return None


def check(config: TableConfig) -> None:
    """Raise Unplayable if the rules do not allow a table with this configuration."""
    played = edition_named(config.edition, config.options)
    if config.players not in played.players:
        raise Unplayable(
            "how_many_players", players=config.players, least=min(played.players), most=max(played.players)
        )
    if config.draft == "sealed" and not played.flow.drafts:
        raise Unplayable("no_draft")
    played.casting.check(played, config)


def new_table(config: TableConfig, crown: int | None = None, *, sealed: bool = False) -> State:
    """Return the state of a table before the deal; `advance` deals.

    If `crown` is None, chance decides which seat begins (R004). If `sealed`, the table does not know which
    warrant is signed and which threat has the flower until their owner reveals it. In a sealed draft it does
    not know the picks either. Raises Unplayable.
    """
    check(config)
    if crown is not None and not 0 <= crown < config.players:
        raise Unplayable("no_such_seat", seat=crown)
    played = edition_named(config.edition, config.options)
    # Cards without a choice are filled in here, so that the state always names them.
    config = played.casting.filled(played, config)
    return State(
        edition=config.edition,
        options=config.options,
        cast=config.cast,
        districts=config.districts,
        players=[Player(gold=played.gold) for _ in range(config.players)],
        deck=played.deck(config.districts),
        crown=-1 if crown is None else crown,
        sealed=sealed,
        draft="blind" if config.draft == "sealed" and sealed else config.draft,
    )

"""The castings of the editions: which characters and unique districts a table may play with."""

from collections.abc import Sequence

from msgspec.structs import replace

from citadels_lan.engine.config import TableConfig, Unplayable
from citadels_lan.engine.edition import Casting, Edition
from citadels_lan.engine.table import Chance, label_of


class OnePerRank(Casting):
    """One character of each rank, and 14 unique districts (2016, rulebook p. 2, 8 and 9)."""

    chosen: int | None = 14
    ninth = "queen"
    ninth_needed: Sequence[int] = (3, 8)

    def check(self, edition: Edition, config: TableConfig) -> None:
        """Raise Unplayable if the cast or the districts of `config` violate R001 to R009."""
        if config.cast:
            self._check_cast(edition, config.players, config.cast)
        if config.districts:
            self._check_districts(edition, config.districts)

    def _check_cast(self, edition: Edition, players: int, cast: Sequence[str]) -> None:
        for character in cast:
            if character not in edition.characters:
                raise Unplayable("unknown_character", character=character)
            least, _ = edition.characters[character].players
            # Rank 9 with two players has its own, clearer reason below.
            if players < least and not (edition.ranks[character] == 9 and players == 2):
                raise Unplayable("too_few_players_for", character=character, players=players, least=least)
        if [edition.ranks[character] for character in cast] not in ([*range(1, 9)], [*range(1, 10)]):
            raise Unplayable("one_character_per_rank")
        if players == 2 and len(cast) == 9:
            raise Unplayable("no_rank_nine", players=players)
        if players in self.ninth_needed and len(cast) == 8:
            raise Unplayable("rank_nine_needed", players=players)

    def _check_districts(self, edition: Edition, districts: Sequence[str]) -> None:
        for key in districts:
            if key not in edition.uniques:
                raise Unplayable("unknown_unique", card=key)
        twice = len(set(districts)) != len(districts)
        if self.chosen is None:
            if twice:
                raise Unplayable("unique_twice")
        elif twice or len(districts) != self.chosen:
            raise Unplayable("uniques_needed", count=self.chosen)

    def draw(self, edition: Edition, config: TableConfig, chance: Chance) -> TableConfig:
        """Return `config` with a drawn cast, if it has none, and drawn unique districts, if it has none. If
        rank 9 is optional for this number of players, chance decides about it."""
        cast = config.cast or self._draw_cast(edition, config.players, chance)
        if config.districts:
            return replace(config, cast=cast)
        # Sorted, because the order of the draw must not matter for the deck.
        districts = tuple(sorted(chance.shuffle(label_of("uniques", 0), edition.uniques)[: self.chosen]))
        return replace(config, cast=cast, districts=districts)

    def _draw_cast(self, edition: Edition, players: int, chance: Chance) -> tuple[str, ...]:
        # Three and eight players always need rank 9, two players never use it.
        nine = players in self.ninth_needed or (players > 2 and chance.pick(label_of("nine", 0), (1, 0)))
        return tuple(
            chance.pick(label_of("cast", 0, use=rank - 1), allowed(edition, rank, players))
            for rank in range(1, 10 if nine else 9)
        )

    def substituted(self, cast: Sequence[str], players: int, ninth: str = "") -> tuple[str, ...]:
        """Apply the substitutions of R008 to R011."""
        if players in self.ninth_needed and len(cast) == 8:
            cast = (*cast, ninth or self.ninth)
        # With two players the Emperor is replaced by the King (R009).
        if players == 2:
            cast = ["king" if character == "emperor" else character for character in cast[:8]]
        return tuple("artist" if character == "queen" and players < 5 else character for character in cast)


def allowed(edition: Edition, rank: int, players: int) -> tuple[str, ...]:
    """Return the characters of `rank` that may be used with this number of players."""
    return tuple(
        key
        for key, card in edition.characters.items()
        if card.rank == rank and card.players[0] <= players <= card.players[1]
    )


class AnyPurples(OnePerRank):
    """One character of each rank; rank 9 is only required with eight players. The unique districts are all
    purple ones of the edition, or any that the configuration names (Dark City, R455 to R460)."""

    chosen: int | None = None
    ninth = "artist"
    ninth_needed: Sequence[int] = (8,)

    def filled(self, edition: Edition, config: TableConfig) -> TableConfig:
        return replace(config, districts=config.districts or edition.uniques)


class AlwaysTheSame(Casting):
    """All characters and all unique districts of the edition. Nothing is chosen or drawn."""

    chooses_cast = False

    def check(self, edition: Edition, config: TableConfig) -> None:
        """Raise Unplayable if `config` names other characters or districts than those of the edition."""
        filled = self.filled(edition, config)
        if config.cast not in ((), filled.cast):
            raise Unplayable("cast_is_fixed")
        if config.districts and sorted(config.districts) != sorted(filled.districts):
            raise Unplayable("districts_are_fixed")

    def filled(self, edition: Edition, config: TableConfig) -> TableConfig:
        cast = tuple(sorted(edition.characters, key=edition.ranks.__getitem__))
        return replace(config, cast=cast, districts=edition.uniques)

    def draw(self, edition: Edition, config: TableConfig, chance: Chance) -> TableConfig:
        return self.filled(edition, config)

"""The commands `games` and `people`. `games` lists the games of this computer, or prints statistics about
them. `people` lists the people in finished games, gives one of them a nickname, or forgets one."""

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from citadels_lan.cli.console import DONE, UNREADABLE, Console
from citadels_lan.cli.preferences import Profiles, transcripts_folder
from citadels_lan.crypto.log import NAME
from citadels_lan.crypto.words import heard, key_words
from citadels_lan.net.wire.clean import clean_name
from citadels_lan.people import Known, People, PeopleFile, Person, forgotten, nickname, of_name
from citadels_lan.platform.files import data_folder
from citadels_lan.presenter.archive import PastGame, result, transcripts, unfinished
from citadels_lan.presenter.known_players import badge, known_players
from citadels_lan.presenter.statistics import own_games, statistics, statistics_lines
from citadels_lan.presenter.symbols import suitable
from citadels_lan.texts import Texts, msg


def games(console: Console, options: argparse.Namespace) -> int:
    """Print the games, or the statistics of the finished ones."""
    out = transcripts_folder() if options.out is None else Path(options.out).expanduser()
    past = [*unfinished(data_folder() / "tables", handed=True), *transcripts(out)]
    if options.statistics:
        counted = statistics(own_games(past))
        as_json = [json.dumps(asdict(counted), ensure_ascii=False)]
        for line in as_json if options.json else statistics_lines(console.texts, counted, suitable()):
            console.line(line)
    elif options.json:
        console.line(json.dumps([_game_figures(game) for game in past], ensure_ascii=False))
    elif not past:
        console.say(msg("No games yet."))
    else:
        for game in past:
            names = ", ".join(game.names) or "?"
            console.line(f"{game.date}  {names}: {result(console.texts, game)}  {game.path}")
    return DONE


def _game_figures(game: PastGame) -> dict[str, object]:
    return {
        "date": game.when.isoformat(timespec="seconds"), "game": game.game, "players": list(game.names),
        "winners": list(game.winners), "round": game.round, "over": game.over, "ended": game.ended,
        "hosted": game.hosted, "file": str(game.path),
    }  # fmt: skip


def people(console: Console, options: argparse.Namespace) -> int:
    """List or change the people, and return the exit code. Raises Failure."""
    name = " ".join(options.name).strip()
    if (options.nickname is not None or options.forget) and not name:
        raise console.failure(msg("Give a name, or the first words of a key, before --nickname or --forget."))
    file = PeopleFile(data_folder())
    acquainted = known_players(file.path.parent)
    if acquainted.trouble is not None:
        raise console.failure(acquainted.trouble.text, UNREADABLE, **dict(acquainted.trouble.values))
    all_people = acquainted.people or {}
    if not name:
        home = data_folder()  # There may be no key yet.
        own = [key for folder, key in Profiles(home).known() if folder == home and key]
        _list(console, all_people, own, as_json=options.json)
        return DONE
    key = _key_of(console, all_people, name)
    if options.forget:
        _change(console, file, lambda now: forgotten(now, key))
        console.say(msg("{name} is no longer in the list."), name=all_people[key].name)
    elif options.nickname is not None:
        called = options.nickname.strip()
        if clean_name(options.nickname) != called:
            raise console.failure(msg("--nickname can have at most {most} visible characters."), most=NAME)
        _change(console, file, lambda now: nickname(now, key, called) if key in now else now)
        text = msg("{name} is now called {nickname}.") if called else msg("The nickname of {name} was removed.")
        console.say(text, name=all_people[key].name, nickname=called)
    else:
        _list(console, {key: all_people[key]}, (), as_json=options.json)
    return DONE


def _change(console: Console, file: PeopleFile, how: Callable[[People], People]) -> None:
    try:
        file.change(how)
    except OSError as error:
        text, reason = msg("Cannot write {path}: {reason}."), error.strerror or error
        raise console.failure(text, UNREADABLE, path=file.path, reason=reason) from None


def _key_of(console: Console, people: People, name: str) -> bytes:
    """Return the key of the one person who has or had `name`, or whose key words begin with `name`. Raises
    Failure if there is none, or more than one."""
    keys = of_name(people, name)
    if not keys and isinstance(words := heard(name), str) and words:
        keys = [key for key in people if f"{' '.join(key_words(key))} ".startswith(f"{words} ")]
    if not keys:
        raise console.failure(
            msg("You have not played with anyone named {name}. Run `citadels-lan people` for the list."), name=name
        )
    if len(keys) > 1:
        each = console.texts.alternatives([" ".join(key_words(key)[:3]) for key in keys])
        text = msg("Several players had the name {name}. Type the first words of the key: {words}.")
        raise console.failure(text, name=name, words=each)
    return keys[0]


def _list(console: Console, people: People, own: Sequence[bytes], *, as_json: bool) -> None:
    """Print the people by name, as text or as JSON. The player at this computer comes first; `own` has that
    player's keys."""
    ordered = sorted(people.items(), key=lambda item: (item[1].name.casefold(), item[0]))
    if as_json:
        mine = [{"key": key.hex(), "key_words": list(key_words(key))} for key in own]
        console.line(json.dumps({"own": mine, "people": [_figures(key, person) for key, person in ordered]}))
        return
    for key in own:
        console.say(msg("Your own key: {words}"), words=" ".join(key_words(key)))
    if not ordered:
        console.say(msg("The list is empty. Players appear here after you finish a game with them."))
    for key, person in ordered:
        console.line(f"{person.name or '?'}{f' ({person.nickname})' if person.nickname else ''}")
        console.line(f"  {' '.join(key_words(key))}")
        console.line(f"  {_history(console.texts, person)}")


def _history(texts: Texts, person: Person) -> str:
    """Return a text about a person: known since which day, from how many games, and under which other
    names."""
    since = "" if person.since is None else badge(texts, Known(person.since, len(person.games)))
    others = [name for name in person.names if name != person.name]
    also = texts.say(msg("also called {names}"), names=texts.listing(others)) if others else ""
    return " · ".join(filter(None, (since, also))) or "-"


def _figures(key: bytes, person: Person) -> dict[str, Any]:
    return {
        "key": key.hex(), "key_words": list(key_words(key)), "name": person.name,
        "names": to_builtins(person.names), "since": None if person.since is None else str(person.since),
        "games": len(person.games), "nickname": person.nickname,
    }  # fmt: skip

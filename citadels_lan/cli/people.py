"""`people`: list the people of finished games, give one a nickname, or forget one."""

import argparse
import json
from collections.abc import Callable, Sequence
from typing import Any

from citadels_lan.cli.console import DONE, UNREADABLE, Console, Failure
from citadels_lan.crypto.identity import BadKey, Identity
from citadels_lan.crypto.log import NAME
from citadels_lan.crypto.words import heard, key_words
from citadels_lan.net.wire.clean import clean_name
from citadels_lan.people import Known, People, PeopleFile, Person, forgotten, nickname, of_name
from citadels_lan.platform.files import data_folder
from citadels_lan.presenter.known_players import badge, known_players
from citadels_lan.texts import Texts, msg


def people(console: Console, options: argparse.Namespace) -> int:
    """List or change the people, and return the exit code. Raises Failure."""
    name = " ".join(options.name).strip()
    if (options.nickname is not None or options.forget) and not name:
        raise console.wrong(msg("Give a name, or the first words of a key, before --nickname or --forget."))
    file = PeopleFile(data_folder())
    acquainted = known_players(file.path.parent)
    if acquainted.trouble is not None:
        raise Failure(UNREADABLE, console.texts.say(acquainted.trouble.text, **dict(acquainted.trouble.values)))
    all_people = acquainted.people or {}
    if not name:
        _list(console, all_people, _own_keys(), as_json=options.json)
        return DONE
    key = _key_of(console, all_people, name)
    if options.forget:
        _change(console, file, lambda now: forgotten(now, key))
        console.say(msg("{name} is forgotten."), name=all_people[key].name)
    elif options.nickname is not None:
        called = _nickname(console, options.nickname)
        _change(console, file, lambda now: nickname(now, key, called) if key in now else now)
        text = msg("{name} is called {nickname} now.") if called else msg("{name} has no nickname now.")
        console.say(text, name=all_people[key].name, nickname=called)
    else:
        _list(console, {key: all_people[key]}, (), as_json=options.json)
    return DONE


def _own_keys() -> Sequence[bytes]:
    """Return the key of the player at this computer, if there is one."""
    try:
        return (Identity.load(data_folder() / "identity.key").public,)
    except (BadKey, OSError):
        return ()


def _change(console: Console, file: PeopleFile, how: Callable[[People], People]) -> None:
    try:
        file.change(how)
    except OSError as error:
        reason = error.strerror or error
        text = console.texts.say("{path} cannot be written: {reason}.", path=file.path, reason=reason)
        raise Failure(UNREADABLE, text) from None


def _nickname(console: Console, text: str) -> str:
    if clean_name(text) != text.strip():
        raise console.wrong(
            msg("--nickname has at most {most} characters, and only such as can be shown."), most=NAME
        )
    return text.strip()


def _key_of(console: Console, people: People, name: str) -> bytes:
    """Return the key of the person who has had a name, or whose key begins with these words. Raises Failure."""
    keys = of_name(people, name)
    if not keys and isinstance(words := heard(name), str) and words:
        keys = [key for key in people if f"{' '.join(key_words(key))} ".startswith(f"{words} ")]
    if not keys:
        raise console.wrong(
            msg("You have not played with anyone named {name}. Run `citadels-lan people` for the list."), name=name
        )
    if len(keys) > 1:
        each = console.texts.alternatives([" ".join(key_words(key)[:3]) for key in keys])
        text = msg("More than one had the name {name}. Say the first words of the key: {words}.")
        raise console.wrong(text, name=name, words=each)
    return keys[0]


def _list(console: Console, people: People, own: Sequence[bytes], *, as_json: bool) -> None:
    """Print people by name, after `own`, the key of the player at this computer."""
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
    """Return since when a person is known, from how many games, and under which other names."""
    since = "" if person.since is None else badge(texts, Known(person.since, len(person.games)))
    others = [name for name in person.names if name != person.name]
    also = texts.say(msg("also called {names}"), names=texts.listing(others)) if others else ""
    return " · ".join(filter(None, (since, also))) or "-"


def _figures(key: bytes, person: Person) -> dict[str, Any]:
    days = {name: {"first": str(seen.first), "last": str(seen.last)} for name, seen in person.names.items()}
    return {
        "key": key.hex(), "key_words": list(key_words(key)), "name": person.name, "names": days,
        "since": None if person.since is None else str(person.since), "games": len(person.games),
        "nickname": person.nickname,
    }  # fmt: skip

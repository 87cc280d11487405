"""`people`: whom one has played with; a nickname for somebody, or forgetting them."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import DONE, UNREADABLE, Console, Failure
from citadels_lan.texts import Texts, msg

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from citadels_lan.people import People, PeopleFile, Person


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.arguments.add_argument(
        "name", nargs="*", metavar=say("NAME"), help=say("a name, a nickname, or the first words of a key")
    )
    parser.options.add_argument("--json", action="store_true", help=say("the list as one JSON object"))
    parser.options.add_argument(
        "--nickname", metavar=say("TEXT"), help=say('call somebody so; "" takes the nickname away')
    )
    parser.options.add_argument("--forget", action="store_true", help=say("forget somebody"))
    parser.epilog = say(
        "Whoever finishes a game with you is remembered by their key. The six words stand for it:\n"
        "ask a friend for those on their own screen (keys in the lobby, or `citadels-lan verify`)."
    )


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.people import PeopleFile, forgotten, nickname
    from citadels_lan.systems.files import data_folder

    name = " ".join(options.name).strip()
    changes = options.nickname is not None or options.forget
    if options.nickname is not None and options.forget:
        raise console.wrong(msg("--nickname and --forget do not go together."))
    if changes and not name:
        raise console.wrong(msg("Say whom: a name or the first words of a key, before --nickname or --forget."))
    file = PeopleFile(data_folder())
    people = _load(console, file)
    keys = [_find(console, people, name)] if name else list(people)
    if options.forget:
        _change(console, file, lambda now: forgotten(now, keys[0]))
        console.say(msg("{name} is forgotten."), name=people[keys[0]].name)
    elif options.nickname is not None:
        called = _nickname(console, options.nickname)
        _change(console, file, lambda now: nickname(now, keys[0], called) if keys[0] in now else now)
        said = msg("{name} is called {nickname} now.") if called else msg("{name} has no nickname now.")
        console.say(said, name=people[keys[0]].name, nickname=called)
    else:
        own = () if name else _own(file.path.parent)
        _show(console, {key: people[key] for key in keys}, own, as_json=options.json)
    return DONE


def _own(folder: "Path") -> tuple[bytes, ...]:
    """The key of whoever asks, where there is one."""
    from citadels_lan.crypto.identity import BadKey, Identity

    try:
        return (Identity.load(folder / "identity.key").public,)
    except (BadKey, OSError):
        return ()


def _load(console: Console, file: "PeopleFile") -> "People":
    from citadels_lan.front.acquaintances import acquaintances

    known = acquaintances(file.path.parent)
    if known.trouble is not None:
        text = console.texts.say(known.trouble.text, **dict(known.trouble.values))
        raise Failure(UNREADABLE, text)
    return known.people or {}


def _change(console: Console, file: "PeopleFile", how: "Callable[[People], People]") -> None:
    try:
        file.change(how)
    except OSError as error:
        reason = error.strerror or str(error)
        text = console.texts.say("{path} cannot be written: {reason}.", path=file.path, reason=reason)
        raise Failure(UNREADABLE, text) from None


def _nickname(console: Console, text: str) -> str:
    from citadels_lan.crypto.log import NAME
    from citadels_lan.net.wire.clean import clean_name

    if clean_name(text) != text.strip():
        raise console.wrong(
            msg("--nickname has at most {most} characters, and only such as can be shown."), most=NAME
        )
    return text.strip()


def _find(console: Console, people: "People", name: str) -> bytes:
    """The key of whoever has had a name, or whose key begins with these words."""
    from citadels_lan.crypto.words import heard, key_words
    from citadels_lan.people import of_name

    found: Sequence[bytes] = of_name(people, name)
    if not found and isinstance(words := heard(name), str) and words:
        found = [key for key in people if f"{' '.join(key_words(key))} ".startswith(f"{words} ")]
    if not found:
        raise console.wrong(
            msg("Nobody here was ever called {name}: `citadels-lan people` lists everybody."), name=name
        )
    if len(found) > 1:
        each = console.texts.alternatives([" ".join(key_words(key)[:3]) for key in found])
        raise console.wrong(
            msg("More than one had the name {name}. Say the first words of the key: {words}."),
            name=name,
            words=each,
        )
    return found[0]


def _show(console: Console, people: "People", own: "Sequence[bytes]", *, as_json: bool) -> None:
    """The people by name; before them `own`, the key of the person who asks."""
    from citadels_lan.crypto.words import key_words

    ordered = sorted(people.items(), key=lambda one: (one[1].name.casefold(), one[0]))
    if as_json:
        mine = [{"key": key.hex(), "key_words": list(key_words(key))} for key in own]
        console.line(json.dumps({"own": mine, "people": [_figures(key, person) for key, person in ordered]}))
        return
    for key in own:
        console.say(msg("Your own key: {words}"), words=" ".join(key_words(key)))
    if not ordered:
        console.say(msg("Nobody yet: whoever finishes a game with you is remembered."))
    for key, person in ordered:
        console.line(f"{person.name or '?'} ({person.nickname})" if person.nickname else person.name or "?")
        console.line(f"  {' '.join(key_words(key))}")
        console.line(f"  {_history(console.texts, person)}")


def _history(texts: Texts, person: "Person") -> str:
    """Since when somebody is known, from how many games, and under which other names."""
    from citadels_lan.front.acquaintances import badge
    from citadels_lan.people import Known

    since = person.since
    known = "" if since is None else badge(texts, Known(since, len(person.games)))
    others = [name for name in person.names if name != person.name]
    also = texts.say(msg("also called {names}"), names=texts.listing(others)) if others else ""
    return " · ".join(filter(None, (known, also))) or "-"


def _figures(key: bytes, person: "Person") -> dict[str, Any]:
    from citadels_lan.crypto.words import key_words

    return {
        "key": key.hex(),
        "key_words": list(key_words(key)),
        "name": person.name,
        "names": {
            name: {"first": seen.first.isoformat(), "last": seen.last.isoformat()}
            for name, seen in person.names.items()
        },
        "since": None if person.since is None else person.since.isoformat(),
        "games": len(person.games),
        "nickname": person.nickname,
    }

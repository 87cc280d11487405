"""Finding and reading ruling files."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from msgspec import Struct, ValidationError, convert

from .schema import Ruling

NOT_RULINGS = "not_executable.yaml"
"""The YAML file in this folder that contains no rulings."""


MAY_BE_EMPTY = ("covers", "when", "then")
"""Parts of a ruling that may be present and empty."""


class Case(Struct, frozen=True):
    """A ruling of a file. `ruling` is None if it is invalid; then `problem` says why."""

    id: str
    path: Path
    ruling: Ruling | None
    problem: str = ""


MERGE = "tag:yaml.org,2002:merge"
"""The YAML tag of the key `<<`, which copies the keys of another mapping."""


if TYPE_CHECKING or not yaml.__with_libyaml__:
    from yaml import SafeLoader
else:
    from yaml import CSafeLoader as SafeLoader  # the same, but faster in some cases


class StrictLoader(SafeLoader):
    """A YAML loader that rejects repeated keys."""


def _mapping(loader: StrictLoader, node: yaml.MappingNode) -> dict[Hashable, Any]:
    said: list[Any] = []
    for key_node, _ in node.value:
        if key_node.tag == MERGE:
            continue
        key = loader.construct_object(key_node, deep=True)
        if key in said or not isinstance(key, Hashable):
            why = f"the key {key!r} is said twice" if key in said else "a key is no plain word"
            raise yaml.constructor.ConstructorError(None, None, why, key_node.start_mark)
        said.append(key)
    loader.flatten_mapping(node)
    return dict(loader.construct_pairs(node, deep=True))


StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def load_yaml(text: str) -> Any:
    """Return the data of a YAML text. Raises yaml.YAMLError."""
    return yaml.load(text, Loader=StrictLoader)


def find_files(name: str) -> list[Path]:
    """Return the file `name`, or every YAML file of the folder `name`."""
    path = Path(name)
    if not path.is_dir():
        return [path]
    found = (*path.rglob("*.yaml"), *path.rglob("*.yml"))
    return sorted(file for file in found if file.name != NOT_RULINGS)


def load(names: Iterable[str]) -> list[Case]:
    """Return every ruling in these files and folders. An invalid ruling is a case with a problem."""
    cases: list[Case] = []
    paths: dict[Path, None] = {}
    for name in names:
        found = find_files(name)
        paths.update(dict.fromkeys(found))
        if not found:
            cases.append(Case(name, Path(name), None, "holds no rulings"))
    for path in paths:
        cases.extend(_read(path))
    return _once(cases)


def _read(path: Path) -> Iterator[Case]:
    try:
        entries = load_yaml(path.read_text(encoding="utf-8"))
    except OSError as error:
        yield Case(str(path), path, None, f"cannot be read: {error.strerror}")
        return
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        yield Case(str(path), path, None, f"is no YAML: {' '.join(str(error).split())}")
        return
    if not isinstance(entries, list):
        yield Case(str(path), path, None, "is no list of rulings")
        return
    for number, entry in enumerate(entries, start=1):
        yield _case(path, number, entry)


def _case(path: Path, number: int, entry: Any) -> Case:
    said = entry.get("id") if isinstance(entry, dict) else None
    name = said if isinstance(said, str) else f"{path}#{number}"
    if isinstance(entry, dict):  # `when:` without a value means no moves
        entry = {key: part for key, part in entry.items() if part is not None or key not in MAY_BE_EMPTY}
    try:
        return Case(name, path, convert(entry, Ruling))
    except ValidationError as error:
        return Case(name, path, None, str(error))


def _once(cases: Sequence[Case]) -> list[Case]:
    """Return the cases. One whose id was used before becomes a case with a problem."""
    first: dict[str, Path] = {}
    checked = []
    for case in cases:
        if case.id in first:
            checked.append(Case(case.id, case.path, None, f"this id stands in {first[case.id]} already"))
        else:
            first[case.id] = case.path
            checked.append(case)
    return checked

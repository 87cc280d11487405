"""A hook of MkDocs (`mkdocs.yml`): pages that are not in docs/, and links that leave it.

The landing page is the README. The help of the commands and the cards come from the program, in both languages."""

import os
import re
from pathlib import Path
from typing import Any, Final

from citadels_lan.cli.commands import program
from citadels_lan.cli.parser import argparse_speaks
from citadels_lan.doctor.checks import ADVICE, PORTS
from citadels_lan.platform.system import NAMES
from citadels_lan.texts.language import Texts, load
from citadels_lan.texts.topics import all_topics, page, title
from tools.release.placeholders import known

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = {
    "README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md", "tools/README.md": "tools.md",
    ".github/CODE_OF_CONDUCT.md": "code-of-conduct.md",
}  # fmt: skip
"""The files of the repository outside docs/, and their paths on the site."""
TITLES: Final = {
    "commands.md": ("Commands and options", "Comandi e opzioni"),
    "cards.md": ("Rules and cards", "Regole e carte"),
}  # fmt: skip
LINK: Final = re.compile(r"(\]\()(?!\w+:|#)([^)#\s]+)")


def on_config(config: Any) -> Any:
    """Read the addresses from release/publisher.toml. Without them the site has no links to the repository."""
    values = known()
    config.site_url, config.repo_url = values["SITE"] or None, values["REPOSITORY"] or None
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are not in docs/."""
    from mkdocs.structure.files import File  # in the extra `site`; tests read the other functions without it

    for source, target in PAGES.items():
        if (ROOT / source).exists():
            text = (ROOT / source).read_text(encoding="utf-8")
            files.append(File.generated(config, target, content=_linked(text, ROOT / source, config)))
    for language, folder in (("en", ""), ("it", "it/")):
        texts = load(language)
        for name, made in (("commands.md", commands_page), ("cards.md", _cards)):
            files.append(File.generated(config, folder + name, content=made(texts)))
    files.append(File.generated(config, "it/problemi.md", content=_advice(load("it"))))
    return files


def on_page_markdown(markdown: str, /, *, page: Any, config: Any, **_: Any) -> str:
    """Let links that leave docs/ lead to a page of the site, or to the repository."""
    if page.file.abs_src_path is None:
        return markdown
    return _linked(markdown, Path(page.file.abs_src_path), config)


def _linked(text: str, path: Path, config: Any) -> str:
    return LINK.sub(lambda link: link[1] + _target(path, link[2], config), text)


def _target(path: Path, link: str, config: Any) -> str:
    docs = Path(config.docs_dir)
    there = Path(os.path.normpath(path.parent / link))
    name = there.relative_to(ROOT).as_posix() if there.is_relative_to(ROOT) else ""
    start = path.parent if path.is_relative_to(docs) else docs
    if name in PAGES:
        return os.path.relpath(docs / PAGES[name], start)
    if there.is_relative_to(docs) and not there.is_dir():
        return os.path.relpath(there, start)
    if not there.exists():
        return link  # MkDocs reports it.
    return f"{config.repo_url or 'https://example.org'}/blob/main/{name}"


def commands_page(texts: Texts) -> str:
    """Return the help of every command."""
    os.environ |= {"COLUMNS": "100", "NO_COLOR": "1"}
    with argparse_speaks(texts):
        parser, commands = program(texts)
        parts = [f"# {TITLES['commands.md'][texts.language == 'it']}"]
        for name, each in {"citadels-lan": parser, **commands}.items():
            parts += [f"## {name}", f"```text\n{each.format_help().rstrip()}\n```"]
    return "\n\n".join(parts) + "\n"


def _cards(texts: Texts) -> str:
    """Return every page of the rules and every card, as `citadels-lan rules` explains them."""
    parts = [f"# {TITLES['cards.md'][texts.language == 'it']}"]
    for topic in all_topics():
        parts.append(f"## {title(texts, topic)}")
        parts += [f"```text\n{part}\n```" if "\n" in part else part for part in page(texts, topic)]
    # Markdown needs the items of a list on consecutive lines.
    return re.sub(r"(?m)^(- .*)\n\n(?=- )", r"\1\n", "\n\n".join(parts)) + "\n"


def _advice(texts: Texts) -> str:
    """Return docs/troubleshooting.md in another language."""
    parts = ["# Problemi di rete", "    citadels-lan doctor"]
    names: dict[str, str] = {"any": ""}
    names |= {kind: f"{name}: " for kind, name in NAMES.items()}
    for advice in ADVICE.values():
        parts += [f"## {texts.say(advice['title'])}", texts.say(advice["why"])]
        remedies = (f"- {names[key]}{texts.say(advice[key], **PORTS)}" for key in names if key in advice)
        parts.append("\n".join(remedies))
    return "\n\n".join(parts) + "\n"

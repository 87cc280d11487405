"""The texts of the program, in each language. Knows nothing of screens, sockets or proofs.

    texts = load("it")                            # or load(default_language())
    texts.district("market")                      # Mercato; also character, the, type, letter, short_district …
    texts.say("Hello {name}", name=name)          # values are never parsed
    texts.plural("{count} table", "{count} tables", 3)

The other modules need the engine:

    log.sentence(texts, event, names, viewer)           a line of the log, or None
    log.score_lines(texts, names, scores, winners)      the final scores
    moves.describe(texts, choice, view, seat, names)    the label of a choice
    moves.describe_part(texts, deal, part, names)       the purpose of a part of a bounded choice
    moves.verb(texts, word)                             the meaning of a verb of the notation
    log.question(texts, view, seat, names)              the status line
    refusals.message(texts, code, details)              why a move, a setup or a connection is rejected
    topics.facts, topics.summary, topics.explanation    a card in words
    topics.find_topic(name), topics.page(…)             the rules, by card and by page
    terms.name, terms.option, terms.value               names of editions and their options

English texts are where they are used, in a call of `say` or `plural` or marked with `msg`, `msgs` or `msg_in`, or
in a TOML file (`tables`).
`python -m tools.texts` collects them into the `texts.po` of every language. Results are plain text:
names in them can contain anything, so they must be shown without reading markup.
"""

from .language import LANGUAGES, InContext, Message, Plural, Texts, default_language, load, msg, msg_in, msgs

__all__ = [
    "LANGUAGES", "InContext", "Message", "Plural", "Texts", "default_language", "load", "msg", "msg_in",
    "msgs",
]  # fmt: skip

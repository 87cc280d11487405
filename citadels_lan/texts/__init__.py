"""Everything the program says, in Italian and English. Texts know nothing of screens, sockets or proofs.

A `Texts` is a language; functions take one, and switching the language is passing another:

    texts = load("it")                            # or load(default_language())
    texts.district("market")                      # Mercato; also character, the, type, letter, short_district …
    texts.say("Hello {name}", name=name)          # a text of your own; values are never parsed
    texts.plural("{count} table", "{count} tables", 3)

Beside it, in modules of their own because they need the engine:

    sentences.sentence.sentence(texts, event, names, viewer)        a line of the log, or None
    choices.describe.describe(texts, choice, view, seat, names)     the label of a choice
    choices.describe.describe_part(texts, deal, part, names)        what a part of a bounded choice is for
    questions.question(texts, view, seat, names)           the status line
    refusals.refusal(texts, code, details)                 why a move is refused
    sentences.reasons.score_reason(texts, reason)          what points are for
    messages.message(texts, code, params)                  what another layer says by a code
    cards.facts, cards.summary, cards.explanation          each (texts, key): a card in words
    topics.find_topic(name), topics.page(texts, topic, edition)     the rules, card by card and page by page
    topics.topics_of(edition)                              all that can be explained of it
    editions.name, editions.option, editions.value         what editions and their options are called
    verbs.verb(texts, word)                                what a verb of the notation means

Texts are written in English where they are used, in a call of `say` or `plural`, or in a table marked with
`msg`, `msgs` or `msg_in` (see `marks`). `python -m citadels_lan.texts.update` collects those of the whole package
into the `texts.po` of every language (`languages/it/texts.po`), and names what is not translated yet.
All results are plain text: names in them may hold anything, so they are shown without reading markup.
"""

from .language import Texts
from .loading import LANGUAGES, default_language, load
from .marks import InContext, Message, Plural, msg, msg_in, msgs

__all__ = [
    "LANGUAGES",
    "InContext",
    "Message",
    "Plural",
    "Texts",
    "default_language",
    "load",
    "msg",
    "msg_in",
    "msgs",
]

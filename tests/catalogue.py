"""Look up messages by key, so that tests name what they expect without repeating the sentence."""

from __future__ import annotations

import re

from nimmt_lab.boards.words import board_words
from nimmt_lab.commands.words import PACKAGE as COMMANDS
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.explain import words
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.lessons.words import words as lesson_words
from nimmt_lab.screens.words import screen_words


def pattern(template: str, **values: object) -> re.Pattern[str]:
    """A regular expression for a message: given values are filled in, other placeholders match any text.

    >>> bool(pattern("{who} takes {heads}", who="A").fullmatch("A takes 7"))
    True
    >>> bool(pattern("{who:|Winner|Winners}: {who:and}.").search("Your turn: choose a card."))
    False
    """
    regex = ""
    for part in re.split(r"(\{\w+[^}]*\})", template):
        if not part.startswith("{"):
            regex += re.escape(part)
        elif (name := part[1:-1]) in values:
            regex += re.escape(str(values[name]))
        elif ":|" in part:  # a word in several forms, such as {who:|Winner|Winners}
            forms = [re.escape(form).replace(re.escape("#"), ".*?") for form in part[1:-1].split("|")[1:]]
            regex += f"(?:{'|'.join(forms)})"
        else:
            regex += ".*?"
    return re.compile(regex)


def _message(say: Words, key: str, values: dict[str, object]) -> re.Pattern[str]:
    return pattern(say.catalogue.message(key), **values)


def on_board(key: str, lang: str = "en", **values: object) -> re.Pattern[str]:
    """A message of the boards."""
    return _message(board_words(lang), key, values)


def on_screen(key: str, lang: str = "en", **values: object) -> re.Pattern[str]:
    """A message of Home's screens."""
    return _message(screen_words(lang), key, values)


def printed(key: str, lang: str = "en", **values: object) -> re.Pattern[str]:
    """A message of the command line."""
    return _message(words(lang, package=COMMANDS), key, values)


def in_lesson(key: str, lang: str = "en", **values: object) -> re.Pattern[str]:
    """A message of lessons and exercises."""
    return _message(lesson_words(lang), key, values)


def explained(key: str, lang: str = "en", **values: object) -> re.Pattern[str]:
    """A message of hints and reviews."""
    return _message(words(lang), key, values)


def in_error(key: str, /, **values: object) -> re.Pattern[str]:
    """The English sentence of an error."""
    return pattern(sentence(key, values))

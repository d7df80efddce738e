"""The files of a class set: pages, PDF or Moodle XML, and a deck of cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown

from .classroom import Ref, find, label_of
from .deck import deck_html
from .moodle import moodle_xml
from .paper import pdf
from .worksheet import Sheet, pages

FORMATS: Final = ("html", "pdf", "moodle")


def files_of(
    lesson: Ref, of: Sequence[Sheet], lang: str = "en", *, form: str = "html", deck: bool = False
) -> dict[str, str | bytes]:
    """Every file by name. The PDF format has one file for the class and one for the key.

    >>> from nimmt_lab.lessons.worksheet import class_set
    >>> list(files_of(2, class_set(pupils=30, seed=7), form="moodle"))
    ['lesson-2-moodle.xml']
    """
    if form not in FORMATS:
        raise RulesError("lessons.no_format", form=shown(form), known=", ".join(FORMATS))
    made: dict[str, str | bytes] = {}
    stem = f"lesson-{label_of(find(lesson))}"
    if form == "moodle":
        made[f"{stem}-moodle.xml"] = moodle_xml(lesson, of, lang)
    elif form == "html":
        made |= pages(lesson, of, lang)
    else:
        web = pages(lesson, of, lang)
        made |= {f"{stem}-{part}.pdf": pdf(web[f"{stem}-{part}.html"]) for part in ("sheets", "key")}
    if deck:
        cards = deck_html(lang)
        made |= {"deck.pdf": pdf(cards)} if form == "pdf" else {"deck.html": cards}
    return made

"""Narration of the open draft of advanced mode."""

from __future__ import annotations

from nimmt_lab.explain.assess import HINTS
from nimmt_lab.explain.teller import Teller, tells
from nimmt_lab.games.classic.tell import hints

from .rules import Advanced, CardPicked, DraftStarted

# Rules 1 to 4 are the classic ones; the view lists the cards the others may have.
HINTS.provide(Advanced, hints)


@tells(DraftStarted)
def draft_started(tell: Teller, event: DraftStarted) -> str:
    return tell.say(
        "table.draft", round=event.round + 1, who=tell.who(event.first), cards=f"{event.cards[0]}–{event.cards[-1]}"
    )


@tells(CardPicked)
def picked(tell: Teller, event: CardPicked) -> str:
    return tell.say("table.picked", who=tell.who(event.seat), card=event.card)

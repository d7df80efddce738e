"""The tutor's reply as plain data: a wrong answer played out, three hints, the solution.

Every host draws the same frames. They are the engine's own moments: those of the proof, up to the one that settles the
question, or those of the turn that the answer itself leads to.

>>> from nimmt_lab import Classic
>>> from nimmt_lab.lessons import Spot, ask
>>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
>>> question = ask("row", Spot(state, {0: 14, 1: 15}, card=15))
>>> reply = answered(question, "2", misses=1)
>>> reply["right"], reply["why"], len(reply["frames"]), "answers" in reply
(False, "Row 2 ends in 37, so 15 can't go there.", 1, False)
>>> hints(question, words("en"))[2]
'It is one of these two: row 1 or row 2.'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.record import Step
from nimmt_lab.explain.teller import rule_text

from .question import Question
from .words import Words, words

#: After this many wrong answers the solution is shown.
MISSES: Final = 3


def film_for(question: Question, lang: str = "en", names: Mapping[Seat, str] | None = None) -> Film:
    """An empty film of the question's table, showing only the hands that the question needs."""
    seats = (question.seat,) if question.asked.open_hand else question.open
    return Film(question.state.game, lang=lang, names=names, seats=seats)


def hints(question: Question, say: Words) -> tuple[str, ...]:
    """Three hints: where to look, the rule that settles it (if a single one does), and all but the answer."""
    rule = question.asked.rule_hint(question, say)
    return tuple(text for text in (question.hint(say), rule, question.asked.nearly(question, say)) if text)


def answered(
    question: Question,
    answer: str,
    misses: int,
    *,
    lang: str = "en",
    names: Mapping[Seat, str] | None = None,
    say: Words | None = None,
) -> Obj:
    """The reply to an answer. `misses` counts wrong answers including this one; the last brings the solution. The words
    `say` may be a lesson's own."""
    say = say or words(lang, film_for(question, lang, names).words.names)
    if answer in question.right:
        return {"right": True, "choice": answer, "why": question.why(answer, say), **solution(question, lang, names)}
    met = question.refute(answer, say)
    reply: Obj = {
        "right": False,
        "choice": answer,
        "why": met.said,
        "rule": "" if met.rule is None else rule_text(met.rule, say, question.state.game),
        **frames_of(question, met.steps, met.until, lang, names),
    }
    if misses < MISSES:
        return reply
    right = {"why": question.why(min(question.right), say), **solution(question, lang, names)}
    return {**reply, "answers": right["answers"], "solution": right}


def solution(question: Question, lang: str = "en", names: Mapping[Seat, str] | None = None) -> Obj:
    """The right answers, the play that proves them, and the sentence of that play that settles the question."""
    answers: list[Json] = [*sorted(question.right)]
    return {
        "answers": answers,
        "told": _told(question, lang, names),
        **frames_of(question, question.proof, None, lang, names),
    }


def _told(question: Question, lang: str, names: Mapping[Seat, str] | None) -> str:
    at = question.asked.settled(question)
    if at is None:
        return ""
    film = film_for(question, lang, names)
    for number, step in enumerate(question.proof):
        film.step(step, 0, earlier=question.proof[:number])
    frame = film.frames[at]
    assert isinstance(frame, dict)
    return str(frame["text"])


def frames_of(
    question: Question, steps: Sequence[Step], until: int | None, lang: str, names: Mapping[Seat, str] | None
) -> Obj:
    film = film_for(question, lang, names)
    for at, step in enumerate(steps):
        film.step(step, 0, earlier=steps[:at])
    scene = film.scene()
    frames = scene["frames"]
    assert isinstance(frames, list)
    # If the cards are already revealed, the first frame shows nothing new.
    revealed = bool(steps) and question.state == steps[0].moments[0].state
    return {"pool": scene["pool"], "frames": frames[int(revealed) : until]}

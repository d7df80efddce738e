"""What the tutor answers, as plain data: how a wrong answer is played out, three hints, the solution.

Every host draws the same frames. The frames are the engine's own moments: of the proof, up to what settles the
question, or of the turn to which the answer itself leads.

>>> from nimmt_lab import Classic
>>> from nimmt_lab.lessons import Spot, ask
>>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
>>> question = ask("row", Spot(state, {0: 14, 1: 15}, card=15))
>>> said = answered(question, "2", misses=1)
>>> said["right"], said["why"], len(said["frames"]), "answers" in said
(False, 'Row 2 ends in 37, so 15 may not go there.', 1, False)
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

#: With so many wrong answers the solution is shown.
MISSES: Final = 3


def film_for(question: Question, lang: str = "en", names: Mapping[Seat, str] | None = None) -> Film:
    """An empty film of the question's table. What lies open is what it needs: the own hand, or the table alone."""
    seats = (question.seat,) if question.asked.open_hand else question.open
    return Film(question.state.game, lang=lang, names=names, seats=seats)


def hints(question: Question, say: Words) -> tuple[str, ...]:
    """What to look at; the rule; all but the answer. Where no single rule settles it, the second is left out."""
    rule = question.asked.rule_hint(question, say)
    return tuple(text for text in (question.hint(say), rule, question.asked.nearly(question, say)) if text)


def answered(
    question: Question, said: str, misses: int, *, lang: str = "en", names: Mapping[Seat, str] | None = None
) -> Obj:
    """The reply to an answer. `misses` counts the wrong ones, this one too: with the last the solution comes along."""
    say = words(lang, film_for(question, lang, names).words.names)
    if said in question.right:
        return {"right": True, "choice": said, "why": question.why(said, say), **solution(question, lang, names)}
    met = question.refute(said, say)
    reply: Obj = {
        "right": False,
        "choice": said,
        "why": met.said,
        "rule": "" if met.rule is None else rule_text(met.rule, say),
        **_frames(question, met.steps, met.until, lang, names),
    }
    if misses >= MISSES:
        right = {"why": question.why(min(question.right), say), **solution(question, lang, names)}
        return {**reply, "answers": right["answers"], "solution": right}
    return reply


def solution(question: Question, lang: str = "en", names: Mapping[Seat, str] | None = None) -> Obj:
    """The right answers, and the play that proves them."""
    answers: list[Json] = [*sorted(question.right)]
    return {"answers": answers, **_frames(question, question.proof, None, lang, names)}


def _frames(
    question: Question, steps: Sequence[Step], until: int | None, lang: str, names: Mapping[Seat, str] | None
) -> Obj:
    film = film_for(question, lang, names)
    for at, step in enumerate(steps):
        film.step(step, 0, earlier=steps[:at])
    scene = film.scene()
    frames = scene["frames"]
    assert isinstance(frames, list)
    # Where the cards lie revealed already, the first frame shows nothing new.
    revealed = bool(steps) and question.state == steps[0].moments[0].state
    return {"pool": scene["pool"], "frames": frames[int(revealed) : until]}

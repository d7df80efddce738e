"""A review as plain data for screens: an evaluation strip with the mistakes marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.events import Json
from nimmt_lab.explain import words
from nimmt_lab.explain.judgement import Judgement, Z, lost_line

from .luck import Split
from .searched import Searched

if TYPE_CHECKING:
    from .reviews import Review, ReviewedStep


def plain(review: Review, lang: str = "en") -> dict[str, Json]:
    """`players` with results, accuracy and luck; `moments` with every choice, its verdict, and the value of each
    option.

    >>> from nimmt_lab import Classic, Record
    >>> from nimmt_lab.study import review
    >>> start = "12 14 15 16 18 | 37 | 43 | 58 61 ; A: 19 104 ; B: 3 103 ; C: 4 102"
    >>> record = Record(Classic(players=3, rounds=1), ({0: 19, 1: 103, 2: 102},), start=start)
    >>> data = plain(review(record, seat=0, playouts=2000, progress=False))
    >>> data["moments"][0]["choices"][0]["verdict"]
    'mistake'
    """
    game, say = review.record.game, words(lang, review.record.names)
    return {
        "game": game.name,
        "method": review.method,
        "points": game.more_is_better,
        "complete": review.is_complete,
        "time_is_up": review.time_is_up,
        "text": review.to_text(lang),
        "players": [_player(review, seat, lang) for seat in review.seats],
        "moments": [
            {
                "ply": step.ply,
                "label": step.label,
                "choices": [
                    {**_choice(judgement, step), "name": say.who(judgement.seat), "text": judgement.text(say)}
                    for judgement in step.judgements
                ],
            }
            for step in review.steps
        ],
    }


def _player(review: Review, seat: Seat, lang: str) -> Json:
    say, record = words(lang, review.record.names), review.record
    accuracy, split = review.accuracy(seat), review.splits.get(seat)
    least, most = review.lost(seat)
    return {
        "seat": seat,
        "letter": seat_letter(seat),
        "name": say.who(seat),
        "total": record.final.totals[record.game.pile_of(seat)],
        "won": None if record.outcome is None else seat in record.outcome.winners,
        "accuracy": None if accuracy is None else round(accuracy, 1),
        "verdicts": {**review.verdicts(seat)},
        "lost": [round(least, 3), round(most, 3)],
        "lost_text": lost_line(seat, review.of_seat(seat), say),
        "split": None if split is None else _split(split),
    }


def _split(split: Split) -> Json:
    data: dict[str, Json] = {"rounds": split.rounds, "result": split.result}
    parts = {
        "share": split.expected,
        "deal": split.deal,
        "turns": split.turns,
        "luck": split.luck,
        "skill": split.skill,
    }
    for name, part in parts.items():
        data[name] = {"value": round(part.value, 3), "margin": round(Z * part.error, 3)}
    return data


def _choice(judgement: Judgement, step: ReviewedStep) -> dict[str, Json]:
    searched = step.searched.get(judgement.seat)
    return {
        "seat": judgement.seat,
        "letter": seat_letter(judgement.seat),
        "kind": judgement.kind,
        "choice": judgement.choice,
        "best": judgement.best,
        "verdict": judgement.verdict,
        "method": judgement.method,
        "lost": round(judgement.loss, 3),
        "least": round(judgement.least, 3),
        "most": round(judgement.most, 3),
        # The seat's prospects before the choice: the value of its best option.
        "wins": None if searched is None else searched.advice.of(searched.most_wins).wins,
        "promise": None if searched is None else round(searched.advice.of(searched.best).points, 3),
        "options": [] if searched is None else _options(searched),
    }


def _options(searched: Searched) -> list[Json]:
    return [
        {
            "option": searched.advice.decision.write(promise.option),
            "points": round(promise.points, 3),
            "points_margin": round(Z * promise.points_error, 3),
            "wins": None if promise.wins is None else round(promise.wins, 4),
            "wins_margin": None if promise.wins_error is None else round(Z * promise.wins_error, 4),
        }
        for promise in searched.advice
    ]

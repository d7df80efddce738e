"""A review as plain data: what a screen needs for an evaluation strip with the mistakes marked. No data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.events import Json
from nimmt_lab.explain import words
from nimmt_lab.explain.judgement import Judgement, Z, lost_line

from .luck import Part, Split
from .searched import Searched

if TYPE_CHECKING:
    from .reviews import Review, ReviewedStep


def plain(found: Review, lang: str = "en") -> dict[str, Json]:
    """`players` with results, accuracy and luck; `moments` with every choice, its name, and what each option promised.

    >>> from nimmt_lab import Classic, Record
    >>> from nimmt_lab.study import review
    >>> start = "12 14 15 16 18 | 37 | 43 | 58 61 ; A: 19 104 ; B: 3 103 ; C: 4 102"
    >>> record = Record(Classic(players=3, rounds=1), ({0: 19, 1: 103, 2: 102},), start=start)
    >>> data = plain(review(record, seat=0, playouts=2000, progress=False))
    >>> data["moments"][0]["choices"][0]["verdict"]
    'mistake'
    """
    game, say = found.record.game, words(lang, found.names)
    return {
        "game": game.name,
        "method": found.method,
        "points": game.more_is_better,
        "complete": found.is_complete,
        "time_is_up": found.time_is_up,
        "text": found.to_text(lang),
        "players": [_player(found, seat, lang) for seat in found.seats],
        "moments": [
            {
                "ply": reviewed.ply,
                "label": reviewed.label,
                "choices": [
                    {**_choice(said, reviewed), "name": say.who(said.seat), "text": said.text(say)}
                    for said in reviewed.judgements
                ],
            }
            for reviewed in found.steps
        ],
    }


def _player(found: Review, seat: Seat, lang: str) -> Json:
    say = words(lang, found.names)
    mine = [judgement for judgement in found.judgements if judgement.seat == seat]
    kept, one = found.accuracy(seat), found.splits.get(seat)
    least, most = found.lost(seat)
    outcome = found.record.outcome
    side = found.record.game.pile_of(seat)
    return {
        "seat": seat,
        "letter": seat_letter(seat),
        "name": say.who(seat),
        "total": found.record.final.totals[side],
        "won": None if outcome is None else seat in outcome.winners,
        "accuracy": None if kept is None else round(kept, 1),
        "verdicts": {**found.verdicts(seat)},
        "lost": [round(least, 3), round(most, 3)],
        "lost_text": lost_line(seat, mine, say),
        "split": None if one is None else _split(one),
    }


def _split(one: Split) -> Json:
    parts: dict[str, Part] = {
        "share": one.share, "deal": one.deal, "turns": one.turns, "luck": one.luck, "skill": one.skill,
    }  # fmt: skip
    shown: dict[str, Json] = {
        name: {"value": round(part.value, 3), "margin": round(Z * part.error, 3)} for name, part in parts.items()
    }
    return {"rounds": one.rounds, "result": one.result, **shown}


def _choice(said: Judgement, reviewed: ReviewedStep) -> dict[str, Json]:
    searched = reviewed.searched.get(said.seat)
    return {
        "seat": said.seat,
        "letter": seat_letter(said.seat),
        "kind": said.kind,
        "choice": said.choice,
        "best": said.best,
        "verdict": said.verdict,
        "method": said.method,
        "lost": round((said.least + said.most) / 2 if said.about is None else said.about, 3),
        "least": round(said.least, 3),
        "most": round(said.most, 3),
        # How the seat stood before it chose: what its best option promised.
        "wins": None if searched is None else searched.advice.of(searched.most_wins).wins,
        "promise": None if searched is None else round(searched.advice.of(searched.best).points, 3),
        "options": [] if searched is None else _options(searched),
    }


def _options(searched: Searched) -> list[Json]:
    return [
        {
            "option": searched.advice.decision.write(one.option),
            "points": round(one.points, 3),
            "points_margin": round(Z * one.points_error, 3),
            "wins": None if one.wins is None else round(one.wins, 4),
            "wins_margin": None if one.wins_error is None else round(Z * one.wins_error, 4),
        }
        for one in searched.advice
    ]

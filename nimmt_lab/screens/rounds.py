"""What a round brought: the scores between two rounds, and the moments worth remembering."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film
from nimmt_lab.boards.tell import happened
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.events import Json, RoundEnded, RowTaken
from nimmt_lab.engine.record import Record, Step

#: The moments shown of a round.
MOST_MOMENTS = 3


def rounds(record: Record, film: Film, people: Sequence[Seat] = ()) -> list[Obj]:
    """The finished rounds of a record, in order.

    >>> from nimmt_lab import Classic
    >>> record = Record.from_play(Classic(players=2, rounds=1, hand_size=1), 7, [])
    >>> choices = {seat: decision.options[0] for seat, decision in record.final.pending.items()}
    >>> [one] = rounds(record.then(choices), Film(record.game))
    >>> one["ply"], len(one["rows"])
    (1, 2)
    """
    say = film.describe
    found: list[Obj] = []
    before = dict.fromkeys(say.seats(), 0)
    first = 0
    for ply, step in enumerate(record.steps, 1):
        for moment in step.moments:
            if not isinstance(moment.event, RoundEnded):
                continue
            points = {seat: say.points(moment.state, seat, True) for seat in say.seats()}
            rows = _ranked(record, film, {seat: now for seat, now in points.items() if now is not None}, before, people)
            found.append(
                {
                    "ply": ply,
                    "round": moment.event.round + 1,
                    "title": _title(film, moment.event.round + 1, rows),
                    "rows": [*rows],
                    "moments": [*moments(film, record.steps[first:ply], people)],
                }
            )
            before = {seat: now or 0 for seat, now in points.items()}
            first = ply
    return found


def moments(film: Film, steps: Sequence[Step], people: Sequence[Seat]) -> list[Json]:
    """The takes that cost (or brought) most among these steps, a person's own first, in the order they happened."""
    takes: list[tuple[bool, int, int, Obj]] = []
    for at, step in enumerate(steps):
        told: list[Obj] | None = None
        for number, event in enumerate(step.events):
            if not isinstance(event, RowTaken):
                continue
            told = happened(step, steps[:at], film.words) if told is None else told
            turn = film.words("turn_only", turn=step.before.turn + 1, turns=film.game.turns)
            mine = event.seat in people and len(people) == 1
            parts = {"who": film.words.who(event.seat), "row": event.row + 1, "card": event.card}
            text = film.words("moment_you" if mine else "moment_took", **parts)
            moment: Obj = {"turn": turn, "card": event.card, "text": text, "why": told[number]["text"]}
            moment |= {"heads": event.heads, "mine": mine}
            takes.append((not mine, -abs(event.heads), len(takes), moment))
    best = sorted(takes, key=lambda take: take[:3])[:MOST_MOMENTS]
    return [moment for _, _, _, moment in sorted(best, key=lambda take: take[2])]


def _ranked(
    record: Record, film: Film, points: dict[Seat, int], before: dict[Seat, int], people: Sequence[Seat]
) -> list[Obj]:
    words, sign = film.words, -1 if record.game.more_is_better else 1
    rows: list[Obj] = []
    for seat in sorted(points, key=lambda seat: (sign * points[seat], seat)):
        you = tuple(people) == (seat,)
        rows.append(
            {
                "seat": seat,
                "place": 1 + sum(sign * other < sign * points[seat] for other in points.values()),
                "name": words("you_name") if you else words.who(seat),
                "you": you,
                "gained": points[seat] - before.get(seat, 0),
                "points": points[seat],
            }
        )
    return rows


def _title(film: Film, number: int, rows: Sequence[Obj]) -> str:
    mine = next((row for row in rows if row["you"]), None)
    words = film.words
    if mine is None:
        return words("round_over", round=number)
    return words("round_you", round=number, place=mine["place"], count=len(rows))

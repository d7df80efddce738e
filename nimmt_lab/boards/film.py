"""A game as frames: one plain-JSON picture of the board per event, with its sentence.

The browser steps through them without Python. Unchanged rows, seats and panels are pooled and referenced by number,
which keeps long games small and shows the board what to redraw.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from nimmt_lab.engine.cards import EMPTY, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.events import GameEnded, Json, RoundEnded
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Choices, Record, Step
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import Moment

from .describe import Obj, describer
from .tell import happened, opening
from .words import board_words

__all__ = ["Film", "film_of"]


class Film:
    """Frames of one game as `seats` see it together (all seats if None).

    >>> from nimmt_lab import Classic, Record
    >>> film = Film(Classic(players=2))
    >>> film.opening(Record(film.game, seed=1))
    >>> scene = film.scene()
    >>> len(scene["frames"]), scene["seats"][0]["letter"]
    (1, 'A')
    """

    def __init__(
        self,
        game: Game,
        *,
        lang: str = "en",
        names: Mapping[Seat, str] | None = None,
        seats: Iterable[Seat] | None = None,
    ) -> None:
        self.game = game
        self.describe = describer(game, board_words(lang, names))
        self.words = self.describe.words
        everybody = frozenset(self.describe.seats())
        self.open = everybody if seats is None else frozenset(seats)
        self.frames: list[Json] = []
        self._pool: list[Json] = []
        self._index: dict[str, int] = {}
        self._zones: dict[tuple[object, object], int] = {}

    def opening(self, record: Record, chosen: Choices | None = None) -> None:
        """Add the deal, up to the first question."""
        moments = record.opening_moments
        events = tuple(moment.event for moment in moments if moment.event is not None)
        self._add(moments, opening(events, self.words, self.game), self.words("start"), 0, chosen)

    def position(self, state: GameState) -> None:
        """Add one table with its pending decisions."""
        self._add((Moment(None, state),), [], self.words("start"), 0, None)

    def still(self, moment: Moment, text: str = "") -> None:
        """Add one table without pending decisions, for exercises with their own question and for pictures."""
        self.frames.append(self._table(moment) | {"group": "", "text": text})

    def step(self, step: Step, ply: int, chosen: Choices | None = None, earlier: Sequence[Step] = ()) -> None:
        """Add a step. `ply` counts steps up to the question at its end, `chosen` answers it, `earlier` are steps
        before."""
        group = self.game.line_label(step.before)
        told = happened(step, earlier, self.words)
        self._add(step.moments, told, group, ply, chosen, step)

    def _add(
        self,
        moments: tuple[Moment, ...],
        told: Sequence[Obj],
        group: str,
        ply: int,
        chosen: Choices | None,
        step: Step | None = None,
    ) -> None:
        number = 0
        for at, moment in enumerate(moments):
            last = at == len(moments) - 1
            frame = self._table(moment)
            frame |= {"group": group, "text": ""}
            if moment.event is not None:
                frame["focus"] = self.describe.focus(moment.event)
                frame |= told[number]
                number += 1
            elif step is not None:
                frame["text"] = self.said(step)
            if last:
                frame |= {"ply": ply, "asked": self._put(self.asked(moment.state, chosen))}
            self.frames.append(frame)

    def said(self, step: Step) -> str:
        """The choices of a step that had no effect yet."""
        sentences = []
        for seat, choice in step.choices.items():
            decision = step.before.pending[seat]
            label = self.describe.option(step.before, seat, decision, choice).get("label")
            sentences.append(self.words("chose", who=self.words.who(seat), what=label or decision.write(choice)))
        return " ".join(sentences)

    def _table(self, moment: Moment) -> Obj:
        state, say = moment.state, self.describe
        scored = state.is_over or isinstance(moment.event, (RoundEnded, GameEnded))
        return {
            "round": state.round + 1,
            "turn": state.turn + 1,
            "rows": [self._put(say.row(state, row)) for row in range(len(state.rows))],
            "seats": [self._put(self._seat(state, seat, scored)) for seat in say.seats()],
            "queue": self._put([dict(play.to_json()) for play in state.queue]),
            "panels": self._put(say.panels(state, self.open)),
            "zones": self._put_zones(state),
            "over": state.is_over,
            "winners": [] if state.outcome is None else list(state.outcome.winners),
        }

    def _seat(self, state: GameState, seat: Seat, scored: bool) -> Obj:
        say = self.describe
        hand = say.hand(state, seat)
        shown = (seat in self.open or not self.game.hidden_hands) and not say.face_down(seat)
        return {
            "hand": list(hand) if shown else None,
            "count": len(hand),
            "pile": [EMPTY if say.face_down(seat) else card for card in say.pile(state, seat)],
            "points": say.points(state, seat, scored),
            "badges": say.badges(state, seat),
        }

    def asked(self, state: GameState, chosen: Choices | None = None) -> list[Json]:
        """Pending decisions of the visible seats: options, where each card would go, and the choice made."""
        asked: list[Json] = []
        for seat, decision in state.pending.items():
            if seat < 0 or seat in self.open or not self.game.hidden_hands:
                asked.append(self._question(state, seat, decision, None if chosen is None else chosen.get(seat)))
        return asked

    def _question(self, state: GameState, seat: Seat, decision: Decision, chosen: Choice | None) -> Obj:
        say = self.describe
        listed = say.listed(decision)
        aims: Obj = {}
        for choice in listed:
            if (aim := say.aim(state, seat, choice)) is not None:
                aims[decision.write(choice)] = aim
        first = decision.options[0] if decision.default is None else decision.default
        return {
            "seat": seat,
            "who": self.words.who(seat),
            "prompt": say.prompt(state, seat, decision),
            "options": [say.option(state, seat, decision, choice) for choice in listed],
            "composers": say.composers(decision),
            "aims": aims,
            "first": decision.write(first),
            "chosen": None if chosen is None else decision.write(chosen),
        }

    def _put(self, item: Json) -> int:
        key = json.dumps(item, sort_keys=True)
        if key not in self._index:
            self._index[key] = len(self._pool)
            self._pool.append(item)
        return self._index[key]

    def _put_zones(self, state: GameState) -> int:
        # Each new table tries about a hundred cards, so cache it.
        key = (state.rows, state.extra)
        if key not in self._zones:
            zones = self.describe.zones(state)
            if not zones and state.rows and self.frames:
                # Between a take and the card that restarts the row, keep the line as it was.
                last = self.frames[-1]
                assert isinstance(last, dict) and isinstance(last["zones"], int)
                return last["zones"]
            self._zones[key] = self._put(zones)
        return self._zones[key]

    def scene(self) -> Obj:
        """Everything the browser needs, as plain JSON."""
        game = self.game
        return {
            "lang": self.words.lang,
            "labels": self.describe.labels(),
            "game": {
                "name": game.name,
                "title": self.describe.title(),
                "turns": game.turns,
                "rounds": self.describe.several_rounds,
                "unit": self.describe.points_are_heads,
                "limit": self.describe.limit,
                "scale": self.describe.scale,
                "more": game.more_is_better,
            },
            "seats": [
                {"seat": seat, "letter": seat_letter(seat), "name": self.words.who(seat), "open": seat in self.open}
                for seat in self.describe.seats()
            ],
            "deck": [min(game.deck), max(game.deck)],
            "faces": self.describe.faces(),
            "signs": self.describe.signs(),
            "pool": self._pool,
            "frames": self.frames,
        }


def film_of(
    record: Record, *, lang: str = "en", seats: Iterable[Seat] | None = None, names: Mapping[Seat, str] | None = None
) -> Film:
    """Film a whole record."""
    film = Film(record.game, lang=lang, names=record.names | dict(names or {}), seats=seats)
    steps = record.steps
    choices: list[Choices | None] = [*(step.choices for step in steps), None]
    film.opening(record, choices[0])
    for ply, step in enumerate(steps, 1):
        film.step(step, ply, choices[ply], steps[: ply - 1])
    return film

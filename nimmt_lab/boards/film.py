"""A game as frames: one per event, each a plain-JSON picture of the board with the sentence that belongs to it.

The browser steps through them without asking Python for anything. Frames share what did not change: rows, seats and
panels stand in a pool once and are named by their number, which keeps a long game small and tells the board at a glance
what it has to draw again.
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

__all__ = ["Film", "film_of", "names_of"]


class Film:
    """Frames of one game, as `seats` see it together (all of them, if None).

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

    # Adding frames ---------------------------------------------------------------------------------------

    def opening(self, record: Record, chosen: Choices | None = None) -> None:
        """The deal, up to the first question."""
        moments = record.opening_moments
        events = tuple(moment.event for moment in moments if moment.event is not None)
        self._add(moments, opening(events, self.words), self.words("start"), 0, chosen)

    def position(self, state: GameState) -> None:
        """One table, and what is asked on it."""
        self._add((Moment(None, state),), [], self.words("start"), 0, None)

    def still(self, moment: Moment) -> None:
        """One table without what is asked on it: an exercise asks its own question."""
        self.frames.append(self._table(moment) | {"group": "", "text": ""})

    def step(self, step: Step, ply: int, chosen: Choices | None = None, earlier: Sequence[Step] = ()) -> None:
        """Everything one step did. `ply` counts the steps up to the question at its end; `chosen` answers that one;
        `earlier` are the steps before it."""
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
        """What was chosen, where nothing came of it yet."""
        return " ".join(
            self.words("chose", who=self.words.who(seat), what=self._option_words(step.before, seat, choice))
            for seat, choice in step.choices.items()
        )

    def _option_words(self, state: GameState, seat: Seat, choice: Choice) -> str:
        decision = state.pending[seat]
        return str(self.describe.option(state, seat, decision, choice).get("label") or decision.write(choice))

    # One table -------------------------------------------------------------------------------------------

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
        """What is asked of the seats we look at: options, where each card would go, and what was chosen."""
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
        # A hundred cards are tried for every new table, so the same table is not tried twice.
        key = (state.rows, state.extra)
        if key not in self._zones:
            zones = self.describe.zones(state)
            if not zones and state.rows and self.frames:
                # Between a take and the card that starts the row again the line stays as it was.
                last = self.frames[-1]
                assert isinstance(last, dict) and isinstance(last["zones"], int)
                return last["zones"]
            self._zones[key] = self._put(zones)
        return self._zones[key]

    # The whole -------------------------------------------------------------------------------------------

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
    """A whole record, frame by frame."""
    film = Film(record.game, lang=lang, names=names_of(record) | dict(names or {}), seats=seats)
    steps = record.steps
    choices: list[Choices | None] = [*(step.choices for step in steps), None]
    film.opening(record, choices[0])
    for ply, step in enumerate(steps, 1):
        film.step(step, ply, choices[ply], steps[: ply - 1])
    return film


def names_of(record: Record) -> dict[Seat, str]:
    """The names a record gives its players, by seat."""
    named = {seat: record.tags.get(seat_letter(seat), "") for seat in range(record.game.players)}
    return {seat: name for seat, name in named.items() if name}

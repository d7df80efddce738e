"""A table for any game of the family: people at one screen, and bots."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film
from nimmt_lab.boards.tell import foretold, happened, hints, opening
from nimmt_lab.engine.cards import TEAM, Seat, seat_letter, seat_of_letter
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NimmtError, NotationError, RulesError, Unsupported
from nimmt_lab.engine.events import Json, RoundEnded, RowTaken
from nimmt_lab.engine.record import Choices, Record, Step
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .base import Work, as_object, at_once
from .board import BoardScreen
from .interrupt import worth_asking
from .rounds import rounds

if TYPE_CHECKING:
    from nimmt_lab.bots import Bot

#: A policy: a bot of `nimmt_lab.bots`, its name, or a function from a view to a choice.
Player: TypeAlias = "Bot | str | Callable[[View], Choice]"
_Chooser: TypeAlias = Callable[[View, Rng], Choice]
#: The default bot.
USUAL_BOT = "least-risk"
#: Playouts of each option for a hint, and the most options that get any.
HINT_PLAYOUTS = 300
MOST_PROMISED = 12


class TableScreen(BoardScreen):
    """A game to play on from a record. `people` are the seats at this screen; `bots` are the others in seat order (one
    for all is enough), and `levels` their strengths in words.

    With several people, a hand is shown only when its owner asks for it. Forced choices are made for them, and usual
    ones where another would change nothing in this turn, unless the table `asks` every time. `kept` is called with each
    change of the record, `left` when the table is left.
    """

    module: ClassVar[str] = "table"

    def __init__(
        self,
        record: Record,
        bots: Player | Sequence[Player] = USUAL_BOT,
        *,
        people: Sequence[Seat] = (0,),
        names: Mapping[Seat, str] | None = None,
        levels: Mapping[Seat, str] | None = None,
        hints: bool = False,
        asks: bool = False,
        lang: str = "en",
        kept: Callable[[Record], None] | None = None,
        left: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(live=True)
        game = record.game
        if not people:
            raise RulesError("screens.nobody_sits")
        for seat in people:
            if seat not in range(game.players):
                raise RulesError(
                    "shared.no_seat_to", who=seat, last=seat_letter(game.players - 1), most=game.players - 1
                )
        others = [other for other in range(game.players) if other not in people]
        named = [bots] * len(others) if isinstance(bots, str) or not isinstance(bots, Sequence) else bots
        if len(named) != len(others):
            raise RulesError("screens.players_bots_needed", players=game.players, count=len(others), got=len(named))
        self.people = tuple(people)
        self._players = {other: _chooser(bot) for other, bot in zip(others, named, strict=True)}
        self._names = dict(names or {})
        self.levels = dict(levels or {})
        self._lang = lang
        self._hints = hints
        self._asks = asks
        self._kept, self._left = kept, left
        self._given: dict[Seat, Choice] = {}
        self._looking: Seat | None = None
        self.begin(record)

    def receive(self, message: Obj) -> None:
        """`choose`, `run`, `ready`, `undo`, `hints`, `asks`, `leave` or `new`."""
        kind = message.get("type")
        if kind in ("choose", "run"):
            # Ignore a second click that was on its way while the first one was answered.
            if message.get("ply") == len(self.record.choices) and message.get("given") in (None, len(self._given)):
                if self.asked is None:  # do not stop the bots
                    raise NotationError("screens.not_you")
                self.work(self._choose(str(message.get("choice"))) if kind == "choose" else self._run())
        elif kind == "ready":
            self._looking = self.asked
            self._still()
        elif kind == "undo":
            self.undo()
        elif kind == "hints":
            self._hints = bool(message.get("on"))
            self._aside()
        elif kind == "asks":
            self._asks = bool(message.get("on"))
            self._aside()
        elif kind == "leave" and self._left is not None:
            self._left()
        elif kind == "new":
            self.begin(Record(self.record.game, seed=self.record.seed + 1, tags=self.record.tags))
        else:
            super().receive(message)

    def _aside(self) -> None:
        """Show the same table with other things beside it."""
        told: list[Json] = [line for lines in self._lines for line in lines]
        scene: Obj = {**self.scene, **self._asides(), "film": False, "log": told, "rounds": []}
        self.show(scene=scene)

    def begin(self, record: Record) -> None:
        """Play on from a record."""
        self.stop()
        self.record = record
        self._given, self._looking = {}, None
        self._tell_again()
        film = self._film()
        if record.choices:
            self._forced()
            if self.asked is None and not record.final.is_over:
                at_once(self._play_on(film))
            else:
                film.position(record.final)
                self._show(film, moving=False)
        else:
            film.opening(record)
            at_once(self._play_on(film))

    def play(self, choice: str) -> None:
        """Choose for the person (or the team) to move, in notation; then the bots play on."""
        self.stop()
        at_once(self._choose(choice))

    def run(self) -> None:
        """Let the turn run with default choices, up to a card that takes a row."""
        self.stop()
        at_once(self._run())

    def undo(self) -> None:
        """Take back the last choice of a person, and everything since."""
        self.stop()
        if self._given:
            self._given, self._looking = {}, None
            self._forced()
        elif (at := self._last_choice()) is not None:
            self.record = replace(self.record, choices=self.record.choices[:at], comments={})
            self._given, self._looking = {}, None
            del self._lines[at + 1 :]
            self._forced()
            self._keep()
        self._still()

    def switch(self, lang: str) -> None:
        self._lang = lang
        self._tell_again()
        self._still()

    @property
    def asked(self) -> Seat | None:
        """The next person (or the team) to choose."""
        pending = self.record.final.pending
        return next((seat for seat in (*self.people, TEAM) if seat in pending and seat not in self._given), None)

    @property
    def covered(self) -> bool:
        """Whether the next person has to ask for their hand first."""
        asked = self.asked
        return len(self.people) > 1 and asked is not None and asked >= 0 and asked != self._looking

    @property
    def given(self) -> dict[str, str]:
        """What people at this screen have chosen already, while others still choose, as notation by seat."""
        pending = self.record.final.pending
        return {seat_letter(seat): pending[seat].write(choice) for seat, choice in self._given.items() if seat >= 0}

    def give(self, given: Mapping[str, str]) -> None:
        """Choose for people what they had chosen before the page was left; what cannot be read is asked again."""
        for letter, text in given.items():
            with contextlib.suppress(NimmtError):
                seat = seat_of_letter(letter)
                decision = self.record.final.pending.get(seat)
                if decision is not None and seat in self.people and len(self.people) > 1:
                    self._given[seat] = decision.accept(seat, decision.read(text))
        if self.asked is None and not self.record.final.is_over:
            self._given = {}
        self._still()

    def _last_choice(self) -> int | None:
        for at in reversed(range(len(self.record.steps))):
            pending = self.record.steps[at].before.pending
            if any(seat in pending and len(pending[seat].options) > 1 for seat in (*self.people, TEAM)):
                step = self.record.steps[at]
                usual = all(step.choices[seat] == decision.default for seat, decision in pending.items())
                if not usual or not self._passes(step.before):
                    return at
        return None

    def _passes(self, state: GameState) -> bool:
        """Whether a team has only its usual answer here, for all that happens in this turn, so that nobody is asked."""
        decision = state.pending.get(TEAM)
        if self._asks or decision is None or decision.default is None or len(state.pending) > 1:
            return False
        return not worth_asking(state, TEAM, self._film().describe)

    def _forced(self) -> None:
        """What leaves no choice is chosen."""
        for seat, decision in self.record.final.pending.items():
            if seat not in self._players and len(decision.options) == 1:
                self._given[seat] = decision.options[0]
        if self.asked is not None and self._passes(self.record.final):
            for seat, decision in self.record.final.pending.items():
                if decision.default is not None:
                    self._given.setdefault(seat, decision.default)

    def _choose(self, text: str) -> Work:
        mine = self.asked
        if mine is None:
            raise NotationError("screens.not_you")
        decision = self.record.final.pending[mine]
        self._given[mine] = decision.accept(mine, decision.read(text))
        if self.asked is not None:
            self._keep()
            self._still()  # for the next person at this screen
            return
        film = self._film()
        yield from self._step(film)
        yield from self._play_on(film)

    def _run(self) -> Work:
        film = self._film()
        state = self.record.final
        turn, first = (state.round, state.turn), True
        while (seat := self.asked) is not None and (state.round, state.turn) == turn:
            default = state.pending[seat].default
            if default is None:
                break
            if not first and set(state.pending) <= {*self._given, seat}:
                step = Step.of(state, {**self._given, seat: default})
                if any(isinstance(event, RowTaken) for event in step.events):
                    break  # stop before a row is taken
            self._given[seat] = default
            yield from self._step(film)
            self._forced()
            state, first = self.record.final, False
        if first:
            raise NotationError("screens.nothing_to_run")
        yield from self._play_on(film)

    def _step(self, film: Film) -> Work:
        """Let the bots choose, and make the step."""
        state = self.record.final
        choices: dict[Seat, Choice] = dict(self._given)
        for seat in state.pending:
            if seat not in choices:
                stream = 16 * (len(self.record.choices) + 1) + seat
                choices[seat] = self._players[seat](state.view(seat), Rng.from_seed(self.record.seed, stream))
                yield
        self._advance(film, choices)

    def _advance(self, film: Film, choices: Choices) -> None:
        self.record = self.record.then(choices)
        self._given = {}
        *earlier, step = self.record.steps
        shown = len(film.frames)
        film.step(step, len(self.record.choices), earlier=earlier)
        self._lines.append(_lines(film.frames[shown:]))

    def _play_on(self, film: Film) -> Work:
        """Let the bots play until a person has a choice, or the game is over."""
        self._forced()
        while not self.record.final.is_over and self.asked is None:
            yield from self._step(film)
            self._forced()
        if len(self.people) > 1:
            self._looking = None
        self._keep()
        self._show(film, moving=True)

    def _keep(self) -> None:
        if self._kept is not None:
            self._kept(self.record)

    def _tell_again(self) -> None:
        """Rebuild the log: the lines of the opening and of every step."""
        film = self._film()
        words, game = film.words, self.record.game
        self._lines: list[list[Json]] = [_lines(opening(self.record.opening[1], words, game), words("start"))]
        for at, step in enumerate(self.record.steps):
            told = happened(step, self.record.steps[:at], words)
            group = game.line_label(step.before)
            lines = [
                line | {"focus": film.describe.focus(event)} for line, event in zip(told, step.events, strict=True)
            ]
            self._lines.append(_lines(lines if step.events else [{"text": film.said(step)}], group))

    def _still(self) -> None:
        film = self._film()
        film.position(self.record.final)
        self._show(film, moving=False)

    @property
    def names(self) -> dict[Seat, str]:
        return self.record.names | self._names

    def _film(self) -> Film:
        if len(self.people) == 1:
            seats: tuple[Seat, ...] = self.people
        else:
            # Only its owner may see a hand: it stays hidden while the screen is passed on and while a team decides.
            mine = self._looking is not None and self._looking == self.asked
            seats = (self._looking,) if mine and self._looking is not None else ()
        return Film(self.record.game, lang=self._lang, names=self.names, seats=seats)

    def _show(self, film: Film, *, moving: bool) -> None:
        # The log must not run ahead of the frames.
        steps = {frame["ply"] for frame in film.frames if isinstance(frame, dict) and "ply" in frame}
        told = [line for at, lines in enumerate(self._lines) if not (moving and at in steps) for line in lines]
        ended = [one for one in self._rounds(film) if one["ply"] in steps] if moving else []
        scene: Obj = {**film.scene(), "film": moving, "log": told, "rounds": [*ended], **self._asides()}
        for seat in scene["seats"]:  # type: ignore[union-attr]
            assert isinstance(seat, dict) and isinstance(seat["seat"], int)
            seat["you"] = seat["seat"] in self.people and len(self.people) == 1
            seat["level"] = self.levels.get(seat["seat"], "")
        self.show(scene=scene)

    def _rounds(self, film: Film) -> list[Obj]:
        """The rounds that are over, if one ends in this film: the scores in order, and what happened."""
        kinds = {as_object(as_object(frame).get("focus")).get("type") for frame in film.frames}
        return rounds(self.record, self._film(), self.people) if RoundEnded.__name__ in kinds else []

    def _foretells(self, seat: Seat) -> bool:
        """Whether to say what could change a card's way. Where cards can be played as other numbers the proof takes
        seconds, so there it comes with the hints."""
        plain = all(isinstance(option, int) for option in self.record.final.pending[seat].options)
        return not self.covered and (plain or self._hints)

    def _promises(self, seat: Seat) -> dict[str, tuple[float, float]]:
        """Points and margin of each option by a quick search from what the seat may know; none in a draft, with very
        many options, or for a forced choice."""
        state = self.record.final
        decision = state.pending[seat]
        if not state.rows or not 1 < len(decision.options) <= MOST_PROMISED:
            return {}
        from nimmt_lab.bots import bot
        from nimmt_lab.bots.advice import Z

        try:
            advice = bot(f"best:playouts={HINT_PLAYOUTS},goal=heads").advise(state.view(seat))
        except Unsupported:
            return {}
        return {decision.write(each.option): (each.points, Z * each.points_error) for each in advice}

    def _asides(self) -> Obj:
        """The scene's data beside the frames."""
        state = self.record.final
        seat, words = self.asked, self._film().words
        shown: dict[str, Json] = {}
        if self._hints and seat is not None and not self.covered:
            shown = hints(self._promises(seat), words, points=state.game.more_is_better)
        decision = None if seat is None else state.pending[seat]
        alone = len(self.people) == 1
        prompt = ""
        if alone and seat is not None and decision is not None and seat >= 0:
            prompt = self._film().describe.prompt(state, seat, decision, you=True)
        return {
            "ply": len(self.record.choices),
            "given": len(self._given),
            "seat": self.people[0] if alone or seat is None or seat < 0 else seat,
            "asked": seat,
            "prompt": prompt,
            "cover": words("pass_to", who=words.who(seat)) if self.covered and seat is not None else "",
            "runs": self._asks and decision is not None and decision.default is not None,
            "asks": self._asks,
            "foretold": foretold(state, seat, words) if seat is not None and self._foretells(seat) else {},
            "hinting": self._hints,
            "hints": shown,
            "over": state.is_over,
            "leads": self._left is not None,
            "undoable": bool(self._given) or self._last_choice() is not None,
        }


def _lines(told: Iterable[object], group: str = "") -> list[Json]:
    """The lines of the log for frames or narrated events."""
    return [
        {
            "group": line.get("group", group),
            "text": line["text"],
            "trap": bool(line.get("trap")),
            "focus": as_object(line.get("focus")) or None,
        }
        for line in told
        if isinstance(line, dict) and line.get("text")
    ]


def _chooser(player: Player) -> _Chooser:
    from nimmt_lab.bots import Bot, bot

    if isinstance(player, str):
        return bot(player).choose
    if isinstance(player, Bot):
        return player.choose
    return lambda view, _rng: player(view)

"""A table to play at: any game of the family, people at one screen and bots around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film, names_of
from nimmt_lab.boards.tell import happened, hints, opening, with_promises
from nimmt_lab.engine.cards import TEAM, Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NotationError, RulesError, Unsupported
from nimmt_lab.engine.events import Json, RowTaken
from nimmt_lab.engine.record import Choices, Record, Step
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View

from .base import Screen, Work, at_once

if TYPE_CHECKING:
    from nimmt_lab.bots import Bot

#: Whoever looks at a view and says what to choose: a bot of `nimmt_lab.bots`, its name, or a function.
Player: TypeAlias = "Bot | str | Callable[[View], Choice]"
_Chooser: TypeAlias = Callable[[View, Rng], Choice]
#: The bot that sits down where none is named.
USUAL_BOT = "least-risk"
#: Hints are given at once: so many playouts for an option, and none where there are more options than that.
HINT_PLAYOUTS = 300
MOST_PROMISED = 12


class TableScreen(Screen):
    """A game to play, from wherever its record has come. `people` sit at this screen; `bots` are the others, in the
    order of their seats (one for all is enough), and `levels` says what they are called besides their names.

    With several people, nobody sees a hand before its owner says to be the one who looks. What leaves no choice passes
    by itself. `kept` is called whenever the record has changed; `left`, where there is something to go back to.
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
                raise RulesError("shared.no_seat_to", who=seat, most=game.players - 1)
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
        self._kept, self._left = kept, left
        self._given: dict[Seat, Choice] = {}
        self._looking: Seat | None = None
        self.begin(record)

    # What the browser may ask for ------------------------------------------------------------------------

    def receive(self, message: Obj) -> None:
        """`choose`, `run`, `ready`, `undo`, `hints` or `new`."""
        kind = message.get("type")
        if kind in ("choose", "run"):
            # A second click may be on its way when the first one was answered: it was meant for another moment.
            if message.get("ply") == len(self.record.choices) and message.get("given") in (None, len(self._given)):
                if self.asked is None:  # the bots are thinking: what they are doing must not be given up
                    raise NotationError("screens.not_you")
                self.work(self._choose(str(message.get("choice"))) if kind == "choose" else self._run())
        elif kind == "ready":
            self._looking = self.asked
            self._still()
        elif kind == "undo":
            self.undo()
        elif kind == "hints":
            self._hints = bool(message.get("on"))
            scene = self.data["scene"]
            assert isinstance(scene, dict)
            self.show(scene={**scene, **self._asides(), "film": False})
        elif kind == "leave" and self._left is not None:
            self._left()
        elif kind == "new":
            self.begin(Record(self.record.game, seed=self.record.seed + 1, tags=self.record.tags))
        else:
            super().receive(message)

    def begin(self, record: Record) -> None:
        """Sit down at the table of a record."""
        self.stop()
        self.record = record
        self._given, self._looking = {}, None
        self._tell_again()
        film = self._film()
        if record.choices:
            film.position(record.final)
            self._forced()
            self._show(film, moving=False)
        else:
            film.opening(record)
            at_once(self._play_on(film))

    def play(self, choice: str) -> None:
        """Choose for the person who is asked (or the team), as notation writes it; the bots choose and play on."""
        self.stop()
        at_once(self._choose(choice))

    def run(self) -> None:
        """Let the turn run: what may be left alone is left alone, up to a card that takes a row."""
        self.stop()
        at_once(self._run())

    def undo(self) -> None:
        """Take the last choice of a person back, and what happened since."""
        self.stop()
        if self._given:
            self._given, self._looking = {}, None
            self._forced()
        elif (at := self._last_choice()) is not None:
            record = self.record
            self.record = Record(record.game, record.choices[:at], record.seed, record.start, record.tags)
            self._given, self._looking = {}, None
            del self._lines[at + 1 :]
            self._forced()
            self._keep()
        self._still()

    def switch(self, lang: str) -> None:
        """Say everything in another language."""
        self._lang = lang
        self._tell_again()
        self._still()

    # Who is asked ----------------------------------------------------------------------------------------

    @property
    def asked(self) -> Seat | None:
        """The person (or the team) who is asked and has not chosen yet."""
        pending = self.record.final.pending
        return next((seat for seat in (*self.people, TEAM) if seat in pending and seat not in self._given), None)

    @property
    def covered(self) -> bool:
        """Whether the next person has to say so before any hand is shown."""
        asked = self.asked
        return len(self.people) > 1 and asked is not None and asked >= 0 and asked != self._looking

    def _last_choice(self) -> int | None:
        """The last step in which a person had a choice."""
        for at in reversed(range(len(self.record.steps))):
            pending = self.record.steps[at].before.pending
            if any(seat in pending and len(pending[seat].options) > 1 for seat in (*self.people, TEAM)):
                return at
        return None

    def _forced(self) -> None:
        """What leaves no choice is chosen."""
        for seat, decision in self.record.final.pending.items():
            if seat not in self._players and len(decision.options) == 1:
                self._given[seat] = decision.options[0]

    # Playing ---------------------------------------------------------------------------------------------

    def _choose(self, text: str) -> Work:
        mine = self.asked
        if mine is None:
            raise NotationError("screens.not_you")
        decision = self.record.final.pending[mine]
        self._given[mine] = decision.accept(mine, decision.read(text))
        if self.asked is not None:
            self._still()  # the next one at this screen
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
                    break  # this one takes: look before it does
            self._given[seat] = default
            yield from self._step(film)
            self._forced()
            state, first = self.record.final, False
        if first:
            raise NotationError("screens.nothing_to_run")
        yield from self._play_on(film)

    def _step(self, film: Film) -> Work:
        """Everybody has chosen: the bots do, too, and it happens."""
        state = self.record.final
        choices: dict[Seat, Choice] = dict(self._given)
        for seat in state.pending:
            if seat not in choices:
                stream = 16 * (len(self.record.choices) + 1) + seat
                choices[seat] = self._players[seat](state.view(seat), Rng.from_seed(self.record.seed, stream))
                yield
        self._go_on(film, choices)

    def _go_on(self, film: Film, choices: Choices) -> None:
        self.record = self.record.then(choices)
        self._given = {}
        *earlier, step = self.record.steps
        shown = len(film.frames)
        film.step(step, len(self.record.choices), earlier=earlier)
        self._lines.append(_lines(film.frames[shown:]))

    def _play_on(self, film: Film) -> Work:
        """The bots go on alone until somebody has a choice, or the game is over."""
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

    # Showing ---------------------------------------------------------------------------------------------

    def _tell_again(self) -> None:
        """The log from the beginning: a list of lines for the opening and for every step."""
        film = self._film()
        words, game = film.words, self.record.game
        self._lines: list[list[Json]] = [_lines(opening(self.record.opening[1], words), words("start"))]
        for at, step in enumerate(self.record.steps):
            told = happened(step, self.record.steps[:at], words)
            group = game.line_label(step.before)
            self._lines.append(_lines(told if step.events else [{"text": film.said(step)}], group))

    def _still(self) -> None:
        film = self._film()
        film.position(self.record.final)
        self._show(film, moving=False)

    @property
    def names(self) -> dict[Seat, str]:
        """What the players are called."""
        return names_of(self.record) | self._names

    def _film(self) -> Film:
        if len(self.people) == 1:
            seats: tuple[Seat, ...] = self.people
        else:
            # A hand lies open to its owner alone: not while the screen is passed on, nor while a team decides.
            mine = self._looking is not None and self._looking == self.asked
            seats = (self._looking,) if mine and self._looking is not None else ()
        return Film(self.record.game, lang=self._lang, names=self.names, seats=seats)

    def _show(self, film: Film, *, moving: bool) -> None:
        # What the frames tell is not told before they are shown.
        steps = {frame["ply"] for frame in film.frames if isinstance(frame, dict) and "ply" in frame}
        told = [line for at, lines in enumerate(self._lines) if not (moving and at in steps) for line in lines]
        scene = {**film.scene(), "film": moving, "log": told, **self._asides()}
        for seat in scene["seats"]:  # type: ignore[union-attr]
            assert isinstance(seat, dict) and isinstance(seat["seat"], int)
            seat["you"] = seat["seat"] in self.people and len(self.people) == 1
            seat["level"] = self.levels.get(seat["seat"], "")
        self.show(scene=scene)

    def _promises(self, seat: Seat) -> dict[str, tuple[float, float]]:
        """What a quick search finds about each option, from what the seat may know: points, and their margin. Nothing
        of a draft, of very many options, or where there is no choice."""
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
        return {decision.write(one.option): (one.points, Z * one.points_error) for one in advice}

    def _asides(self) -> Obj:
        """What stands around the frames: how far the game is, who is asked, hints, and whether it is over."""
        state = self.record.final
        seat, words = self.asked, self._film().words
        found: dict[str, Json] = {}
        if self._hints and seat is not None and not self.covered:
            found = with_promises(
                hints(state, seat, words), self._promises(seat), words, points=state.game.more_is_better
            )
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
            "runs": decision is not None and decision.default is not None,
            "hinting": self._hints,
            "hints": found,
            "over": state.is_over,
            "leads": self._left is not None,
            "undoable": bool(self._given) or self._last_choice() is not None,
        }


def _lines(told: Iterable[object], group: str = "") -> list[Json]:
    """What the log keeps of frames, or of what was told about events."""
    found: list[Json] = []
    for line in told:
        if isinstance(line, dict) and line.get("text"):
            found.append({"group": line.get("group", group), "text": line["text"], "trap": bool(line.get("trap"))})
    return found


def _chooser(player: Player) -> _Chooser:
    """What every kind of player can do."""
    from nimmt_lab.bots import Bot, bot

    if isinstance(player, str):
        return bot(player).choose
    if isinstance(player, Bot):
        return player.choose
    return lambda view, _rng: player(view)

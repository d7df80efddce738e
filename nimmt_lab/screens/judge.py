"""The values of a position's options: exact odds, a search, or the exact solution.

The work runs in slices: the figures narrow meanwhile, and stopping keeps them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import sqrt
from typing import TYPE_CHECKING, ClassVar, Final

from nimmt_lab.boards.describe import Obj, describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.catalogue import number as written
from nimmt_lab.explain.judgement import NOTHING, Z, number

from .base import Screen, Work
from .words import labels, screen_words

if TYPE_CHECKING:
    from nimmt_lab.bots import Advice
    from nimmt_lab.solver.exact import Searcher

#: Playouts of an option in one slice, and the number of slices.
PLAYOUTS: Final = 100
SLICES: Final = 40
#: Seconds of a solver slice, the number of slices, and the memory of the tables.
SECONDS: Final = 0.4
SOLVES: Final = 60
MEMORY: Final = 1 << 27


class Mean:
    """The mean of several equally large runs, with its standard error.

    >>> mean = Mean()
    >>> for value in (1.0, 3.0): mean.add(value, 0.3)
    >>> mean.value, round(mean.error, 3)
    (2.0, 0.212)
    """

    def __init__(self) -> None:
        self._runs, self._sum, self._squares = 0, 0.0, 0.0

    def add(self, value: float, error: float) -> None:
        self._runs += 1
        self._sum += value
        self._squares += error * error

    @property
    def value(self) -> float:
        return self._sum / self._runs

    @property
    def error(self) -> float:
        return sqrt(self._squares) / self._runs


class JudgeScreen(Screen):
    """One position; the cards of `hidden` seats are unknown.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=4).deal(seed=7)
    >>> judge = JudgeScreen(state)
    >>> judge.data["ways"]
    ['odds', 'search']
    >>> judge.receive({"type": "ask", "way": "odds", "seat": 0})
    >>> [(line["option"], line["figures"]) for line in judge.data["lines"]][:1]
    [('3', ['93.4%', '0.93'])]
    """

    module: ClassVar[str] = "screens/judge"

    def __init__(
        self,
        state: GameState,
        *,
        names: Mapping[Seat, str] | None = None,
        hidden: Sequence[Seat] = (),
        lang: str = "en",
    ) -> None:
        self._state, self._lang = state, lang
        self._searcher: Searcher | None = None
        self.say = screen_words(lang)
        self._words = board_words(lang, names)
        self._describe = describer(state.game, self._words)
        unknown = frozenset(hidden)
        self._seats = [seat for seat in state.pending if seat not in unknown]
        seats: list[Json] = [{"seat": seat, "name": self._describe.words.who(seat)} for seat in self._seats]
        super().__init__(
            labels={**labels(lang, "judge")},
            seats=seats,
            seat=self._seats[0] if self._seats else None,
            ways=[*self._ways(unknown)],
            way="",
            head=[],
            lines=[],
            text="",
            told="",
            running=False,
        )

    def _ways(self, unknown: frozenset[Seat]) -> list[str]:
        """The methods that know this position."""
        from nimmt_lab.solver.open_position import OpenPosition, two_player_game

        if not self._seats:
            return []
        ways = ["search"]
        with suppress(NimmtError):
            self._odds(self._seats[0])
            ways.insert(0, "odds")
        if not unknown:
            with suppress(NimmtError):
                two_player_game(self._state)
                if not self._state.queue:
                    OpenPosition.of(self._state)
                ways.append("solve")
        return ways

    def receive(self, message: Obj) -> None:
        """`ask` a method about a seat, or `stop`."""
        kind = message.get("type")
        if kind == "stop":
            self.stop()
            self.show(running=False)
            return
        if kind != "ask":
            super().receive(message)
            return
        way, seat = message.get("way"), message.get("seat", self.data["seat"])
        ways = self.data["ways"]
        assert isinstance(ways, list)
        if way not in ways or not isinstance(way, str):
            raise NotationError("screens.cannot_asked_here", way=shown(way), known=", ".join(map(str, ways)))
        if not isinstance(seat, int) or seat not in self._seats:
            raise NotationError("screens.nothing_asked_seat", who=shown(seat))
        self.show(way=way, seat=seat, lines=[], text="", head=[], told="")
        self.work({"odds": self._ask_odds, "search": self._search, "solve": self._solve}[way](seat))

    def known(self, seat: Seat, advice: Advice) -> None:
        """Show what a review has found about the options, so that both say the same."""
        points: dict[Choice, Mean] = {}
        wins: dict[Choice, Mean] = {}
        for promise in advice:
            points.setdefault(promise.option, Mean()).add(promise.points, promise.points_error)
            if promise.wins is not None and promise.wins_error is not None:
                wins.setdefault(promise.option, Mean()).add(promise.wins, promise.wins_error)
        self.show(way="search", seat=seat)
        self._promises(seat, advice, points, wins, max(promise.playouts for promise in advice))

    def _odds(self, seat: Seat) -> dict[int, tuple[float, float]]:
        from nimmt_lab.solver.turn_odds import odds

        cards = odds(self._state.view(seat))
        return {card: (float(each.p_take), float(each.expected_heads)) for card, each in cards.items()}

    def _ask_odds(self, seat: Seat) -> Work:
        cards = self._odds(seat)
        best = min(heads for _, heads in cards.values())
        lines: list[Json] = [
            self._line(seat, card, [self._percent(take), number(heads, self._words)], heads, heads - best < NOTHING)
            for card, (take, heads) in cards.items()
        ]
        head: list[Json] = [self.say("judge.take"), self.say("judge.heads")]
        self.show(head=head, lines=lines, text=self.say("judge.odds_text"), running=False)
        yield

    def _search(self, seat: Seat) -> Work:
        from nimmt_lab.bots import BestBot

        bot, view = BestBot(PLAYOUTS, "heads"), self._state.view(seat)
        points: dict[Choice, Mean] = {}
        wins: dict[Choice, Mean] = {}
        self.show(running=True)
        yield
        for run in range(SLICES):
            advice = bot.advise(view, seed=run, also=tuple(points))
            for promise in advice:
                points.setdefault(promise.option, Mean()).add(promise.points, promise.points_error)
                if promise.wins is not None and promise.wins_error is not None:
                    wins.setdefault(promise.option, Mean()).add(promise.wins, promise.wins_error)
            self._promises(seat, advice, points, wins, (run + 1) * PLAYOUTS)
            yield
            if advice.is_exact:
                break
        self.show(running=False)

    def _promises(
        self, seat: Seat, advice: Advice, points: Mapping[Choice, Mean], wins: Mapping[Choice, Mean], playouts: int
    ) -> None:
        more = self._state.game.more_is_better
        order = sorted(points, key=lambda option: points[option].value, reverse=more)
        lines: list[Json] = []
        for option in order:
            mean = points[option]
            figures = [f"{number(mean.value, self._words)} ± {number(Z * mean.error, self._words)}"]
            if option in wins:
                figures.append(f"{self._percent(wins[option].value)} ± {self._percent(Z * wins[option].error)}")
            line = self._line(seat, option, figures, mean.value, option == order[0])
            lines.append({**line, "error": Z * mean.error})
        unit = self.say("judge.points" if more else "judge.heads_round")
        head: list[Json] = [unit, self.say("judge.wins")] if wins else [unit]
        text = self.say("judge.search_text", playouts=playouts) if playouts else ""
        left = self.say("judge.left_out", count=advice.left_out) if advice.left_out else ""
        self.show(head=head, lines=lines, text=f"{text} {left}".strip())

    def _solve(self, seat: Seat) -> Work:
        from nimmt_lab.solver.exact import Searcher
        from nimmt_lab.solver.two_players import solve

        from .solver_panel import Teller

        searcher, tell = self._searcher or Searcher(MEMORY), Teller(self._words)
        self._searcher = searcher  # continue from the proved bounds when asked again
        detail = "bounds" if self._state.queue else "regrets"
        self.show(running=True, text=self.say("judge.solving"))
        yield
        for _ in range(SOLVES):
            solution = solve(self._state, seconds=SECONDS, detail=detail, searcher=searcher)
            moment = tell.moment(self._state, {}, solution, False)
            lines: list[Json] = [
                {
                    "option": f"{side['who']} {option['text']}",
                    "card": option["card"],
                    "figures": [option["percent"], option["loses"]],
                    "size": option["chance"],
                    "error": 0.0,
                    "best": not option["loses"] and solution.exact,
                }
                for side in moment["seats"]
                for option in side["options"]
            ]
            head: list[Json] = [self.say("judge.mix"), self.say("judge.loses")]
            self.show(head=head, lines=lines, text=moment["text"])
            yield
            if solution.exact:
                break
        self.show(running=False)

    def _line(self, seat: Seat, choice: Choice, figures: list[str], size: float, best: bool) -> Obj:
        decision = self._state.pending[seat]
        said = self._describe.option(self._state, seat, decision, choice)
        card = said.get("card") if isinstance(decision, ChooseCard) else None
        option = said.get("label") or decision.write(choice)
        return {"option": option, "card": card, "figures": [*figures], "size": size, "error": 0.0, "best": best}

    def _percent(self, chance: float) -> str:
        return written(chance, ".1%", self._words.lang)

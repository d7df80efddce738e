"""Odds: play many rounds and watch the figures settle, or get the odds of a hand on a table.

The rounds are those of `nimmt_lab.study.simulate` (for the policies it knows) or of bots of a level, from one seed: the
same number of rounds gives the same figures there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from nimmt_lab.boards.describe import Obj, describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notes import one_round
from nimmt_lab.engine.state import GameState

from .base import Work, as_object, whole_number
from .desk import Desk, DeskScreen
from .judge import JudgeScreen
from .rules import Own, forms, game_of
from .setup import SetupScreen, usual_setup
from .words import labels

if TYPE_CHECKING:
    from nimmt_lab.native.outcomes import Totals

#: The limit of rounds: in the compiled core, and by bots and the engine, which are far slower.
MOST = 1_000_000
MOST_SLOW = 20_000
#: Results are sent again once they rest on this share of rounds more.
STEP: Final = 0.01
#: Points of the running mean that are drawn.
POINTS: Final = 120
#: The number of settings to compare.
SETTINGS: Final = 2
#: The deal to look at on a first visit.
SAMPLE: Final = 7
LARGEST_SEED: Final = 2**53 - 1


class Rounds(Protocol):
    """Plays `rounds` rounds of a setting from number `first` on."""

    def count(self, seed: int, first: int, rounds: int) -> Totals: ...


class BotRounds:
    """Rounds between bots: round r of a seed is their game from the deal seed + r.

    >>> from nimmt_lab import Classic
    >>> BotRounds(Classic(players=2, rounds=1), ["level-1", "level-4"]).count(5, 0, 3).rounds
    3
    """

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        from nimmt_lab.bots import bot

        self.game = one_round(game)
        self._bots = [bot(name) for name in names]

    def count(self, seed: int, first: int, rounds: int) -> Totals:
        from nimmt_lab.bots.base import play
        from nimmt_lab.native.outcomes import FIELDS, Totals
        from nimmt_lab.native.work import CREDIT

        totals = Totals.nothing(len(self.game.pile_seats))
        for number in range(first, first + rounds):
            state = play(self.game, self._bots, seed + number)
            assert state.outcome is not None
            winners = {self.game.pile_of(seat) for seat in state.outcome.winners if seat in self.game.pile_seats}
            sides = range(len(self.game.pile_seats))
            credit = [CREDIT // len(winners) if side in winners else 0 for side in sides]
            totals += Totals(
                len(sides),
                1,
                tuple(((state.totals[side], 1),) for side in sides),
                tuple((*(0 for _ in FIELDS[1:]), credit[side]) for side in sides),
            )
        return totals


class Setting:
    """A game with its players, and the totals so far."""

    def __init__(self, setup: dict[str, Json], mine: str, others: str, own: Own | None = None) -> None:
        from nimmt_lab.bots import levels
        from nimmt_lab.study.rounds import Simulator

        self.setup, self.mine, self.others = setup, mine, others
        self.game = one_round(game_of(setup, own))
        names = [mine, *[others] * (self.game.players - 1)]
        known = {level.name for level in levels()}
        if any(name in known for name in names):
            if not all(name in known for name in names):
                raise NotationError("screens.levels_mixed")
            self.rounds: Rounds = BotRounds(self.game, names)
            self.size = 1
        else:
            simulator = Simulator.of(self.game, names)
            self.rounds = simulator
            self.size = 100 if simulator.compiled else 2
        self.most = MOST if self.size >= 100 else MOST_SLOW
        self.totals: Totals | None = None
        self.path: list[list[Json]] = []

    def play(self, seed: int) -> None:
        """Play another slice of rounds."""
        done = 0 if self.totals is None else self.totals.rounds
        size = min(self.size, self.most - done)
        if size <= 0:
            return
        totals = self.rounds.count(seed, done, size)
        self.totals = totals if self.totals is None else self.totals + totals
        if self.size >= 100 and done >= 4 * self.size and self.size < 10_000:
            self.size *= 2  # the first points come soon, later ones stand for many rounds
        self.path.append([self.totals.rounds, self.totals.mean_heads[0], self.totals.error_heads[0]])
        if len(self.path) > 2 * POINTS:
            self.path = [*self.path[1::2]]


class OddsScreen(DeskScreen):
    """Many rounds of one or two settings, and the odds of a hand.

    >>> odds = OddsScreen(Desk(None))
    >>> odds.settings[0] = Setting({"game": "classic", "players": 2, "options": {}}, "random", "random")
    >>> for _ in range(5): odds.settings[0].play(1)
    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.study import simulate
    >>> simulated = simulate(Classic(players=2, rounds=1), rounds=500, seed=1, progress=False)
    >>> simulated.totals == odds.settings[0].totals
    True
    """

    module: ClassVar[str] = "screens/odds"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        kept = desk.memory.get("odds")
        saved = kept.get("forms")
        self.forms = [_form(form) for form in (saved if isinstance(saved, list) else [])[:SETTINGS]] or [_form(None)]
        seed = whole_number(kept.get("seed"), 0, LARGEST_SEED)
        self.seed = 1 if seed is None else seed
        self.settings: dict[int, Setting] = {}
        # On a first visit there is a dealt hand to look at.
        self._label("rounds" if kept.get("mode") == "rounds" or (kept and kept.get("mode") != "odds") else "odds")

    def receive(self, message: Obj) -> None:
        """`mode`, the `form` of a setting, `compare` two settings, `seed`, `run`, `stop`."""
        kind = message.get("type")
        if kind == "mode":
            mode = message.get("mode")
            if mode not in ("rounds", "odds") or not isinstance(mode, str):
                raise NotationError("screens.no_mode", mode=shown(mode))
            self.stop()
            self._label(mode)
        elif kind == "form":
            at = whole_number(message.get("at"), 0, len(self.forms) - 1)
            if at is None:
                raise NotationError("screens.no_setting", at=shown(message.get("at")))
            changed = self.forms[at] | as_object(message.get("form"))
            self._setting(changed)  # refused before anything is lost
            self.forms[at] = changed
            self._begin()
        elif kind == "compare":
            self.forms = [self.forms[0], dict(self.forms[0])] if message.get("on") else self.forms[:1]
            self._begin()
        elif kind == "seed":
            seed = whole_number(message.get("seed"), 0, LARGEST_SEED)
            if seed is None:
                raise NotationError("screens.seed_whole_to", most=LARGEST_SEED, got=shown(message.get("seed")))
            self.seed = seed
            self._begin()
        elif kind == "run":
            for at, form in enumerate(self.forms):
                if at not in self.settings:
                    self.settings[at] = self._setting(form)
            self.work(self._run())
        elif kind == "stop":
            self.stop()
            self._results(running=False)
        else:
            super().receive(message)

    def _setting(self, form: dict[str, Json]) -> Setting:
        return Setting(form, str(form["mine"]), str(form["others"]), self.desk.own)

    def _begin(self) -> None:
        """Drop the results, because the settings have changed."""
        self.stop()
        self.settings = {}
        self._label("rounds")

    def _run(self) -> Work:
        self._results(running=True)
        shown = 0
        yield
        while any(each.totals is None or each.totals.rounds < each.most for each in self.settings.values()):
            for setting in self.settings.values():
                setting.play(self.seed)
            played = sum(each.totals.rounds for each in self.settings.values() if each.totals)
            # Bots that play round by round would send more results than a slow browser can draw before a click on Stop.
            if played >= shown * (1 + STEP):
                shown = played
                self._results(running=True)
            yield
        self._results(running=False)

    def _odds(self, state: GameState, hidden: tuple[Seat, ...]) -> None:
        judge = JudgeScreen(state, hidden=hidden, lang=self.desk.lang)
        ways = judge.data["ways"]
        assert isinstance(ways, list)
        self.put("judge", judge if ways else None)
        if "odds" in ways:
            judge.receive({"type": "ask", "way": "odds"})

    def _label(self, mode: str) -> None:
        from nimmt_lab.bots import levels
        from nimmt_lab.native.kernel import POLICIES

        ways: list[Json] = [[name, self.say(f"policy.{name}")] for name in POLICIES]
        ladder: list[Json] = [[level.name, level.title(self.desk.lang)] for level in levels()]
        self.label(
            mode=mode,
            choose={**labels(self.desk.lang, "choose")},
            games=forms(self.desk.lang),
            forms=[*self.forms],
            ways=ways,
            levels=ladder,
            seed=self.seed,
        )
        self._results(running=False)
        if mode == "odds" and "editor" not in self.parts:
            kept = self.desk.memory.get("odds table")
            editor = SetupScreen(
                self._odds,
                setup=kept.get("setup"),
                text=kept.get("text"),
                lang=self.desk.lang,
                button="odds",
                kept=self._keep_table,
                own=self.desk.own,
            )
            self.put("editor", editor)
            if not kept:  # something to look at
                game = game_of(usual_setup(), self.desk.own)
                editor.receive({"type": "text", "text": str(game.position(game.deal(SAMPLE)))})
            with suppress(NimmtError):  # half a table has no odds yet
                editor.receive({"type": "done"})
        elif mode != "odds":
            self.put("editor", None)
            self.put("judge", None)
        self.desk.memory.put("odds", {"forms": [*self.forms], "seed": self.seed, "mode": mode})

    def _keep_table(self, what: dict[str, Json]) -> None:
        self.desk.memory.put("odds table", what)
        self.put("judge", None)  # it judged another table

    def _results(self, *, running: bool) -> None:
        results = [self._result(at, setting) for at, setting in self.settings.items()]
        self.show(running=running, results=[result for result in results if result is not None])

    def _result(self, at: int, setting: Setting) -> Json:
        totals, game = setting.totals, setting.game
        if totals is None:
            return None
        say = describer(game, board_words(self.desk.lang))
        everybody: Counter[int] = Counter()
        for histogram in totals.histograms:
            everybody.update(histogram)
        seats: list[Json] = [
            {
                "name": say.words.who(seat),
                "mean": totals.mean_heads[side],
                "error": totals.error_heads[side],
                "wins": totals.win_credit[side],
                "histogram": [[heads, count] for heads, count in totals.counts[side]],
            }
            for side, seat in enumerate(game.pile_seats)
        ]
        return {
            "name": str(at + 1),
            "rounds": totals.rounds,
            "unit": "heads" if say.points_are_heads else "points",
            "seats": seats,
            "all": [[heads, everybody[heads]] for heads in sorted(everybody)],
            "path": [*setting.path],
        }


def _form(given: object) -> dict[str, Json]:
    """A filled-in setting, or the default one."""
    known = as_object(given)
    form = {**usual_setup(known), "mine": known.get("mine", "random"), "others": known.get("others", "random")}
    try:
        Setting(form, str(form["mine"]), str(form["others"]))
    except NimmtError:
        return {**usual_setup(None), "mine": "random", "others": "random"}
    return form

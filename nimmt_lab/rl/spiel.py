"""OpenSpiel's games: every registered game, as `nimmt_<name>`, and our bots as OpenSpiel's.

>>> from nimmt_lab import Classic
>>> game = spiel_game(Classic(players=2, rounds=1), "12 | 37 | 43 | 58 ; A: 14 60 ; B: 15 70", open_hands=True)
>>> state = game.new_initial_state()
>>> state.is_simultaneous_node(), state.legal_actions(0)
(True, [14, 60])
>>> state.apply_actions([14, 15])
>>> state.apply_actions([60, 70])
>>> state.is_terminal(), state.returns()
(True, [0.0, 0.0])

Where everybody chooses at once it is a simultaneous node; where one seat is asked, that seat's. Players are the seats
in their order; a team that decides together is one more. Actions are those of `nimmt_lab.rl.actions`; who is asked
nothing in a simultaneous node has one, to wait (0). OpenSpiel's own `convert_to_turn_based` makes a game of it for
algorithms that want one player at a time.

**Parameters.** `rules`: the game's own plain data (`rules_text` writes it); none means the fewest players from two on.
`position`: where it starts, in our notation. `open`: hands lie face up. `utility`: `margin` (what a seat stands better
than the others on average; sums to nothing), `heads` or `win`, see `nimmt_lab.rl`; counted from the start of this game.
`deals`: without a position chance deals one of so many seeds, 0 and on.

**What players know.** `information_state_string` is what the seat sees now, and a digest of all it has seen and done:
made from views, so two states that a seat cannot tell apart have the same. `observation_tensor` is that of
`nimmt_lab.rl.observe`; where hands lie open there is none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from nimmt_lab.bots.base import Bot
from nimmt_lab.engine.cards import TEAM, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.encode import ENCODING
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.registry import all_games
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import NOTHING, GameState

from .actions import Actions
from .match import game_of
from .observe import Observer
from .rules_text import game_from_text, rules_text

with wanted("rl"):
    import numpy as np
    import pyspiel

__all__ = ["UTILITIES", "Setting", "SpielBot", "SpielGame", "SpielObserver", "SpielState", "seen_by", "spiel_game"]


UTILITIES = ("margin", "heads", "win")
#: No game has as many choices.
_LONGEST = 100_000
#: No seat wins or loses as much.
_MOST = 1_000_000.0
_DEFAULTS = {"rules": "", "position": "", "utility": "margin", "open": False, "deals": 1000}


class _Here:
    """A state, how it was reached, and who may know what of it. It never changes, so a copy is itself."""

    __slots__ = ("_known", "before", "made", "state", "tried")

    def __init__(self, state: GameState, before: _Here | None = None, made: Mapping[Seat, int] | None = None) -> None:
        self.state, self.before, self.made = state, before, made or {}
        self._known: dict[tuple[Seat, bool], str] = {}
        #: What choices led to from here, where that is kept: who solves a small position comes by many times.
        self.tried: dict[tuple[tuple[Seat, int], ...], _Here] = {}

    def __deepcopy__(self, memo: object) -> _Here:
        return self

    def known(self, seat: Seat, is_open: bool) -> str:
        """What that seat sees, and a digest of what it has seen and done before."""
        found = self._known.get((seat, is_open))
        if found is None:
            past = self.before.known(seat, is_open) if self.before is not None else ""
            sight = seen_by(self.state, seat, is_open)
            whole = hashlib.sha256(f"{past}|{self.made.get(seat)}|{sight}".encode()).hexdigest()[:16]
            found = self._known[seat, is_open] = f"{sight} #{whole}"
        return found


def seen_by(state: GameState, seat: Seat, is_open: bool = False) -> str:
    """What a seat sees now, in words for machines; `is_open`: all hands, too.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 60 ; B: 15 70")
    >>> seen_by(state, 1)
    'B rows 12 / 37 / 43 / 58 hand 15 70 of 2 2 heads 0 0 totals 0 0 round 1 turn 9 asked A B'
    """
    view = state.view(seat)
    hands = state.hands if is_open else view.hands
    parts = [
        seat_letter(seat),
        "rows", " / ".join(" ".join(map(str, row)) for row in view.rows),
        "hand", " ".join(map(str, view.hand)), "of", " ".join(map(str, view.hand_sizes)),
        "heads", " ".join(map(str, view.pile_heads)), "totals", " ".join(map(str, view.totals)),
        "round", str(view.round + 1), "turn", str(view.turn + 1), "asked", " ".join(map(seat_letter, view.asked)),
    ]  # fmt: skip
    others = {seat_letter(other): hand for other, hand in enumerate(hands) if hand is not None and other != seat}
    beside = {"others": others, "piles": any(view.piles) and view.piles, "stock": view.stock, "next": view.queue}
    parts += [f"{name} {what}" for name, what in beside.items() if what]
    if view.decision is not None and len(view.asked) == 1:
        parts.append(f"question {type(view.decision).__name__} of {len(view.decision.options)}")
    if view.extra != NOTHING:
        parts.append(f"beside {view.extra}")
    return " ".join(parts)


class Setting:
    """What is played: plain Python, shared by a game, its states and their copies. OpenSpiel makes and drops the Python
    side of its games as it likes, so nothing is kept there."""

    def __init__(self, system: str, params: Mapping[str, Any]) -> None:
        self.rules = game_from_text(params["rules"], system)
        self.position: str = params["position"]
        self.utility: str = params["utility"]
        self.is_open = bool(params["open"]) or not self.rules.hidden_hands
        if self.utility not in UTILITIES:
            raise RulesError("shared.must_one_of", what="utility", known=", ".join(UTILITIES), got=shown(self.utility))
        if not 1 <= params["deals"] <= 1 << 31:
            raise RulesError("shared.must_from_to", what="deals", least=1, most=1 << 31, got=params["deals"])
        #: How many deals chance has; 1: there is nothing to chance.
        self.deals: int = 1 if self.position or not _is_dealt(self.rules) else params["deals"]
        #: Where a game starts that has nothing to chance: read once, since OpenSpiel makes a new state for every copy.
        self.start = _Here(self.dealt(0)) if self.deals == 1 else None
        self.encoding, self.actions, self.observer = ENCODING.of(self.rules), Actions(self.rules), Observer(self.rules)
        self.has_team = TEAM in self.rules.pile_seats
        self.seats: tuple[Seat, ...] = (*range(self.rules.players), *([TEAM] if self.has_team else []))

    def __deepcopy__(self, memo: object) -> Setting:
        return self

    def dealt(self, seed: int) -> GameState:
        """The deal of a seed, or the position."""
        return self.rules.from_position(self.position, seed=seed) if self.position else self.rules.deal(seed)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game as OpenSpiel has it; `spiel_game` makes one."""

    #: Which registered game it is.
    system: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        self.setting = setting = Setting(self.system, given)
        in_wins = setting.utility == "win"
        super().__init__(
            _type_of(self.system, setting.utility, setting.is_open, setting.deals),
            pyspiel.GameInfo(
                num_distinct_actions=setting.actions.count,
                max_chance_outcomes=setting.deals if setting.deals > 1 else 0,
                num_players=len(setting.seats),
                min_utility=0.0 if in_wins else -_MOST,
                max_utility=1.0 if in_wins else _MOST,
                utility_sum=None if setting.has_team else {"margin": 0.0, "win": 1.0}.get(setting.utility),
                max_game_length=_LONGEST,
            ),
            dict(given),
        )

    @property
    def rules(self) -> Game:
        """The game itself."""
        return self.setting.rules

    def new_initial_state(self) -> SpielState:
        """The start: the position, or the node where chance deals."""
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: object | None = None, params: Mapping[str, Any] | None = None
    ) -> SpielObserver:
        """What players see."""
        if params:
            raise RulesError("rl.observers_have_no", got=shown(params))
        return SpielObserver(self.setting, bool(getattr(iig_obs_type, "perfect_recall", False)))


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of it. What happened is in the engine's state, `here`."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.setting = game.setting
        self._here = self._start = self.setting.start

    @property
    def here(self) -> GameState:
        """The engine's state; there is none before chance has dealt."""
        if self._here is None:
            raise RulesError("rl.chance_has_not")
        return self._here.state

    def seat(self, player: int) -> Seat:
        """The seat of a player."""
        return self.setting.seats[player]

    def current_player(self) -> int:
        """Who is asked: everybody, one, or chance."""
        if self._here is None:
            return int(pyspiel.PlayerId.CHANCE)
        pending = self._here.state.pending
        if not pending:
            return int(pyspiel.PlayerId.TERMINAL)
        if len(pending) == 1:
            return self.setting.seats.index(next(iter(pending)))
        return int(pyspiel.PlayerId.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._here is not None and self._here.state.is_over

    def _legal_actions(self, player: int) -> list[int]:
        return self.setting.actions.allowed(self.here.pending.get(self.seat(player)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal is as likely as the others."""
        deals = self.setting.deals
        return [(seed, 1 / deals) for seed in range(deals)]

    def _apply_action(self, action: int) -> None:
        if self._here is None:
            self._here = self._start = _Here(self.setting.dealt(action))
        else:
            (seat,) = self._here.state.pending
            self._choose({seat: action})

    def _apply_actions(self, actions: Sequence[int]) -> None:
        by_seat = dict(zip(self.setting.seats, actions, strict=True))
        self._choose({seat: by_seat[seat] for seat in self.here.pending})

    def _choose(self, chosen: Mapping[Seat, int]) -> None:
        here, choices = self.here, dict[Seat, Choice]()
        assert self._here is not None
        key = tuple(chosen.items())
        if key in self._here.tried:
            self._here = self._here.tried[key]
            return
        for seat, action in chosen.items():
            choice = self.setting.actions.choice(here.pending[seat], action, seat)
            assert choice is not None, "who is asked cannot wait"
            choices[seat] = choice
        after = _Here(here.choose(choices)[0], self._here, dict(chosen))
        if self.setting.position:
            self._here.tried[key] = after
        self._here = after

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        decision = self.here.pending.get(self.seat(player))
        choice = self.setting.actions.choice(decision, action, self.seat(player))
        who = seat_letter(self.seat(player))
        return f"{who} waits" if decision is None or choice is None else f"{who}{decision.write(choice)}"

    def returns(self) -> list[float]:
        """What everybody has got, once the game is over."""
        game, team = self.setting, self.setting.has_team
        if self._here is None or self._start is None or not self._here.state.is_over:
            return [0.0] * len(game.seats)
        here, start = self._here.state, self._start.state
        outcome = here.outcome
        assert outcome is not None
        if game.utility == "win":
            return [float(0 in outcome.winners) if team else outcome.credit(seat) for seat in game.seats]
        standing = game.encoding.standing
        gained = [float(standing(here, seat) - standing(start, seat)) for seat in game.seats]
        if game.utility == "heads" or team:
            return gained
        return [mine - (sum(gained) - mine) / (len(gained) - 1) for mine in gained]

    def known(self, player: int) -> str:
        """What a player sees, and a digest of what it has seen and done before."""
        if self._here is None:
            return ""
        return self._here.known(self.seat(player), self.setting.is_open)

    def __str__(self) -> str:
        return "before the deal" if self._here is None else str(self._here.state.position)


class SpielObserver:
    """What OpenSpiel asks for what players see."""

    def __init__(self, setting: Setting, recalls: bool) -> None:
        self._setting, self._recalls = setting, recalls
        self.tensor = np.zeros(setting.observer.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write down what the player sees."""
        self.tensor.fill(0)
        if state._here is not None:
            self.tensor[:] = self._setting.observer.see(state.here.view(state.seat(player)))

    def string_from(self, state: SpielState, player: int) -> str:
        """The same as text; with all that it remembers, where that is asked for."""
        if self._recalls or state._here is None:
            return state.known(player)
        return seen_by(state.here, state.seat(player), self._setting.is_open)


class SpielBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our bots, for a player of these games. It is given what its seat may know, and no more.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import bot
    >>> game = spiel_game(Classic(players=2, rounds=1))
    >>> bots = [SpielBot(bot("least-risk"), 0), SpielBot(bot("random"), 1, seed=3)]
    >>> len(pyspiel.evaluate_bots(game.new_initial_state(), bots, 5))
    2
    """

    def __init__(self, player: Bot, number: int, seed: int = 0) -> None:
        super().__init__()
        self._bot, self._number, self._seed, self._asked = player, number, seed, 0

    def restart_at(self, state: SpielState) -> None:
        """A new game; chance goes on as it was."""

    def restart(self) -> None:
        """A new game; chance goes on as it was."""

    def step(self, state: SpielState) -> int:
        """What it does now."""
        seat = state.seat(self._number)
        decision = state.here.pending.get(seat)
        if decision is None:
            return 0
        self._asked += 1
        choice = self._bot.choose(state.here.view(seat), Rng.from_seed(self._seed, self._asked))
        return state.setting.actions.number(decision, choice)


def spiel_game(
    game: Game | str,
    position: str = "",
    *,
    open_hands: bool = False,
    utility: str = "margin",
    deals: int = 1000,
    **options: object,
) -> SpielGame:
    """A game, or the registered one of that name with its options, as OpenSpiel's: from a position or with so many
    deals.

    >>> spiel_game("classic", players=3, rounds=1).num_players()
    3
    """
    chosen = game_of(game, options)
    found: SpielGame = pyspiel.load_game(
        f"nimmt_{chosen.name}",
        {
            "rules": rules_text(chosen),
            "position": str(position).replace(",", " "),
            "utility": utility,
            "open": open_hands,
            "deals": deals,
        },
    )
    return found


def _is_dealt(game: Game) -> bool:
    """Whether chance has a part in how the game starts."""
    one, other = game.deal(0), game.deal(1)
    return (one.hands, one.rows, one.extra) != (other.hands, other.rows, other.extra)


def _type_of(system: str, utility: str = "margin", is_open: bool = False, deals: int = 2) -> object:
    kind = pyspiel.GameType
    team = all_games()[system].extra_seats > 0
    sums = {"margin": kind.Utility.ZERO_SUM, "win": kind.Utility.CONSTANT_SUM, "heads": kind.Utility.GENERAL_SUM}
    fewest, most = all_games()[system].for_players
    hides = kind.Information.PERFECT_INFORMATION if is_open else kind.Information.IMPERFECT_INFORMATION
    return kind(
        short_name=f"nimmt_{system}",
        long_name=f"nimmt_lab {system}",
        dynamics=kind.Dynamics.SIMULTANEOUS,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if deals > 1 else kind.ChanceMode.DETERMINISTIC,
        information=hides,
        utility=kind.Utility.IDENTICAL if team else sums[utility],
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=most + team,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=not is_open,
        parameter_specification=_DEFAULTS,
    )


def _register() -> None:
    for name in all_games():
        label = f"Spiel_{name}"
        made = type(label, (SpielGame,), {"system": name, "__module__": __name__, "__qualname__": label})
        globals()[label] = made  # OpenSpiel pickles games, and looks for their classes here
        pyspiel.register_game(_type_of(name), made)


_register()

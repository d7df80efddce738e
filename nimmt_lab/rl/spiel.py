"""OpenSpiel games `nimmt_<name>` for every registered game, and our bots as OpenSpiel bots.

>>> import pyspiel
>>> game = pyspiel.load_game("nimmt_classic(players=3,rounds=1,utility=heads)")
>>> game.num_players(), game.max_game_length(), game.min_utility()
(3, 20, -97.0)
>>> from nimmt_lab import Classic
>>> game = spiel_game(Classic(players=2, rounds=1), "12 | 37 | 43 | 58 ; A: 14 60 ; B: 15 70", open_hands=True)
>>> state = game.new_initial_state()
>>> state.is_simultaneous_node(), state.legal_actions(0)
(True, [14, 60])
>>> state.apply_actions([14, 15])
>>> state.apply_actions([60, 70])
>>> state.is_terminal(), state.returns()
(True, [0.0, 0.0])

Import this module before you load a game by name. Simultaneous decisions are simultaneous nodes; a decision of one
seat is that player's node. Players are the seats in order, then a team that decides together. Actions are those of
`nimmt_lab.rl.actions`; players without a decision in a simultaneous node wait (0). Use OpenSpiel's
`convert_to_turn_based` for algorithms that need sequential play.

**Parameters.** Every option of the game: `players` (by default two, or the fewest allowed), `rounds`, `hand_size` and
so on. 0 stands for None, and several fan cards are joined by `+`. Options that are more than a word, such as a deck,
come in `rules` instead (`rules_text`). In addition:

- `position`: the start, in notation.
- `open`: whether hands are face up.
- `utility`: `margin` (lead over the mean of the others, zero-sum), `heads` or `win` (see `nimmt_lab.rl`), counted from
  the start of this game.
- `deals`: the number of seeds, from 0, among which chance chooses if there is no position.
- `horizon`: the most decisions; 0 for as many as the game needs. A game that reaches the horizon ends there: standings
  count as they are, and everybody shares the win.

**Bounds.** `min_utility`, `max_utility` and `max_game_length` are those of the chapter (`Encoding.bounds`), from any
deal or from the position. Rules allow games without end on a board that returns tiles to hands, and with tiny classic
hands unless a number of rounds is given; there the horizon is 1,000 decisions by default.

No game exceeds these bounds. Some are reached: 0 and 1 with `utility=win`; in one round of small classic tables, all of
them; 0 as the most in the classic family and in Bull Baron (where bulls are bad); the bottom of the board game's track;
and the length of a round of the classic game, of advanced mode and of Bull Baron for two, and of the board game without
luck cards on a board without double turns. The others are safe but perhaps not tight, because they add up extremes that
may exclude each other:

- heads: one seat takes all cards but one per row, and the heaviest ones of the deck were dealt;
- a game to 66 heads: every round takes the fewest heads possible, and the last one the most;
- `margin`: one seat has its worst result, and all others the best that their sum allows;
- Beat the Buffalo: every card asks for a row, and the team passes before every placement;
- the board game with luck or action cards: every tile is asked about every card;
- Bull Baron where bulls are good: each card returns to its owner as often as possible.

**Information.** `information_state_string` is the current view and a digest of the seat's history, made from views, so
that states a seat cannot distinguish have the same string. `information_state_tensor` contains the history itself
(`nimmt_lab.rl.recall`). `observation_tensor` is that of `nimmt_lab.rl.observe`, followed by the other hands if they are
open.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from nimmt_lab.bots.base import Bot, bot_of
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
from .match import acting_seats, game_of
from .observe import Observer
from .recall import Recall
from .rules_text import Parameter, default_parameters, game_from_parameters, game_from_text, parameters_of, rules_text

with wanted("rl"):
    import numpy as np
    import pyspiel

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "ENDLESS", "UTILITIES", "Setting", "SpielBot", "SpielGame", "SpielObserver", "SpielState", "seen_by", "spiel_bots",
    "spiel_game",
]  # fmt: skip

UTILITIES = ("margin", "heads", "win")
#: The horizon of games without a bound of their own.
ENDLESS = 1_000
_MOST_HORIZON = 1_000_000
_DEFAULTS: dict[str, Parameter] = {
    "rules": "", "position": "", "utility": "margin", "open": False, "deals": 1000, "horizon": 0
}  # fmt: skip


class _Node:
    """A node of the game tree: a state, its parent and the actions between them. Immutable, so a copy is itself."""

    __slots__ = ("_known", "_lines", "before", "depth", "made", "state", "tried")

    def __init__(self, state: GameState, before: _Node | None = None, made: Mapping[Seat, int] | None = None) -> None:
        self.state, self.before, self.made = state, before, made or {}
        #: Number of decisions since the start.
        self.depth: int = 0 if before is None else before.depth + 1
        self._known: dict[tuple[Seat, bool], str] = {}
        self._lines: dict[Seat, NDArray[np.float32]] = {}
        #: Children by actions, kept for small positions because solvers visit them many times.
        self.tried: dict[tuple[tuple[Seat, int], ...], _Node] = {}

    def __deepcopy__(self, memo: object) -> _Node:
        return self

    def known(self, seat: Seat, is_open: bool) -> str:
        """The seat's view and a digest of its history."""
        text = self._known.get((seat, is_open))
        if text is None:
            past = self.before.known(seat, is_open) if self.before is not None else ""
            sight = seen_by(self.state, seat, is_open)
            digest = hashlib.sha256(f"{past}|{self.made.get(seat)}|{sight}".encode()).hexdigest()[:16]
            text = self._known[seat, is_open] = f"{sight} #{digest}"
        return text

    def recall(self, seat: Seat, recall: Recall, history: NDArray[np.float32]) -> None:
        """Write everything that the seat has seen into a history."""
        node: _Node | None = self
        while node is not None:
            line = node._lines.get(seat)
            if line is None:
                line = node._lines[seat] = recall.line(node.state, seat, node.made.get(seat, 0))
            history[node.depth] = line
            node = node.before


def seen_by(state: GameState, seat: Seat, is_open: bool = False) -> str:
    """A seat's view as text; with all hands if `is_open`.

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
    if state.history:
        # Everybody saw who played which card, even if a new round has begun since.
        parts += ["last", *map(repr, state.history[-1].plays)]
    others = {seat_letter(other): hand for other, hand in enumerate(hands) if hand is not None and other != seat}
    beside = {"others": others, "piles": any(view.piles) and view.piles, "stock": view.stock, "next": view.queue}
    parts += [f"{name} {what}" for name, what in beside.items() if what]
    if view.decision is not None and len(view.asked) == 1:
        parts.append(f"question {type(view.decision).__name__} of {len(view.decision.options)}")
    if view.extra != NOTHING:
        parts.append(f"beside {view.extra}")
    return " ".join(parts)


class Setting:
    """The game and its parameters, shared by states and their copies. OpenSpiel recreates the Python side of its games
    at will, so they keep no data themselves."""

    def __init__(self, system: str, params: Mapping[str, Any]) -> None:
        # OpenSpiel may add the defaults of options that were not given.
        usual = default_parameters(system)
        options = {key: value for key, value in params.items() if key not in _DEFAULTS and value != usual.get(key)}
        if params["rules"] and options:
            raise RulesError("rl.has_options_already", game="rules", got=", ".join(sorted(options)))
        text = params["rules"]
        self.rules = game_from_text(text, system) if text else game_from_parameters(system, options)
        self.position: str = params["position"]
        self.utility: str = params["utility"]
        self.is_open = bool(params["open"]) or not self.rules.hidden_hands
        if self.utility not in UTILITIES:
            raise RulesError("shared.must_one_of", what="utility", known=", ".join(UTILITIES), got=shown(self.utility))
        for what, least, most in (("deals", 1, 1 << 31), ("horizon", 0, _MOST_HORIZON)):
            if not least <= params[what] <= most:
                raise RulesError("shared.must_from_to", what=what, least=least, most=most, got=params[what])
        #: Number of chance outcomes; 1: no chance node.
        self.deals: int = 1 if self.position or not _is_dealt(self.rules) else params["deals"]
        #: The initial node without chance, made once because OpenSpiel creates a state for every copy.
        self.start = _Node(self.dealt(0)) if self.deals == 1 else None
        self.encoding, self.actions = ENCODING.of(self.rules), Actions(self.rules)
        self.has_team = TEAM in self.rules.pile_seats
        self.seats = acting_seats(self.rules)
        self.bounds = self.encoding.bounds(self.rules, self.start.state if self.position and self.start else None)
        needed = self.bounds.decisions
        #: The most decisions.
        self.horizon: int = params["horizon"] or ENDLESS
        if needed is not None:
            self.horizon = min(params["horizon"] or needed, needed)
        self.recall = Recall(Observer(self.rules), self.horizon, bool(params["open"]))

    def utilities(self) -> tuple[float, float]:
        """The least and the most that a player can get."""
        if self.utility == "win":
            return 0.0, 1.0
        (least, most), others = self.bounds.gain, len(self.seats) - 1
        if self.utility == "heads" or self.has_team:
            return float(least), float(most)
        lowest, highest = self.bounds.sum
        worst = least - min(Fraction(most), Fraction(highest - least, others))
        best = most - max(Fraction(least), Fraction(lowest - most, others))
        return _outward(worst, -math.inf), _outward(best, math.inf)

    def __deepcopy__(self, memo: object) -> Setting:
        return self

    def dealt(self, seed: int) -> GameState:
        """The initial state: the deal of a seed, or the position."""
        return self.rules.from_position(self.position, seed=seed) if self.position else self.rules.deal(seed)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """An OpenSpiel game; created by `spiel_game`."""

    #: Name of the registered game.
    system: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        self.setting = setting = Setting(self.system, given)
        least, most = setting.utilities()
        super().__init__(
            _type_of(self.system, setting.utility, setting.is_open, setting.deals),
            pyspiel.GameInfo(
                num_distinct_actions=setting.actions.count,
                max_chance_outcomes=setting.deals if setting.deals > 1 else 0,
                num_players=len(setting.seats),
                min_utility=least,
                max_utility=most,
                utility_sum=None if setting.has_team else {"margin": 0.0, "win": 1.0}.get(setting.utility),
                max_game_length=setting.horizon,
            ),
            dict(params or {}),
        )

    @property
    def rules(self) -> Game:
        return self.setting.rules

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> SpielObserver | None:
        """What one player sees, with or without memory; None for other kinds of observation."""
        if params:
            raise RulesError("rl.observers_have_no", got=shown(params))
        if iig_obs_type is None:
            return SpielObserver(self.setting, recalls=False)
        single = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not single or not iig_obs_type.public_info:
            return None
        return SpielObserver(self.setting, iig_obs_type.perfect_recall)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """An OpenSpiel state; `here` is the engine's."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.setting = game.setting
        self._here = self._start = self.setting.start

    @property
    def here(self) -> GameState:
        """The engine's state, once chance has dealt."""
        if self._here is None:
            raise RulesError("rl.chance_has_not")
        return self._here.state

    def seat(self, player: int) -> Seat:
        seats = self.setting.seats
        if not 0 <= player < len(seats):
            raise RulesError("rl.no_player", most=len(seats) - 1, got=player)
        return seats[player]

    def current_player(self) -> int:
        if self._here is None:
            return int(pyspiel.PlayerId.CHANCE)
        pending = self._here.state.pending
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if len(pending) == 1:
            return self.setting.seats.index(next(iter(pending)))
        return int(pyspiel.PlayerId.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        return self._here is not None and (self._here.state.is_over or self._here.depth >= self.setting.horizon)

    def _legal_actions(self, player: int) -> list[int]:
        return self.setting.actions.allowed(self.here.pending.get(self.seat(player)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        deals = self.setting.deals
        return [(seed, 1 / deals) for seed in range(deals)]

    def _apply_action(self, action: int) -> None:
        if self._here is None:
            self._here = self._start = _Node(self.setting.dealt(action))
        else:
            (seat,) = self._here.state.pending
            self._choose({seat: action})

    def _apply_actions(self, actions: Sequence[int]) -> None:
        if len(actions) != len(self.setting.seats):
            raise RulesError("rl.joint_action", players=len(self.setting.seats), got=shown(list(actions)))
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
            assert choice is not None, "a pending seat cannot wait"
            choices[seat] = choice
        after = _Node(here.choose(choices)[0], self._here, dict(chosen))
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
        game, team = self.setting, self.setting.has_team
        if self._here is None or self._start is None or not self.is_terminal():
            return [0.0] * len(game.seats)
        here, start = self._here.state, self._start.state
        outcome = here.outcome
        if game.utility == "win":
            if outcome is None:  # at the horizon
                return [0.0 if team else 1 / len(game.seats)] * len(game.seats)
            return [float(0 in outcome.winners) if team else outcome.credit(seat) for seat in game.seats]
        standing = game.encoding.standing
        gained = [float(standing(here, seat) - standing(start, seat)) for seat in game.seats]
        if game.utility == "heads" or team:
            return gained
        return [mine - (sum(gained) - mine) / (len(gained) - 1) for mine in gained]

    def known(self, player: int) -> str:
        """A player's view and a digest of its history."""
        if self._here is None:
            return ""
        return self._here.known(self.seat(player), self.setting.is_open)

    def __str__(self) -> str:
        return "before the deal" if self._here is None else str(self._here.state.position)


class SpielObserver:
    """OpenSpiel's observer interface: an observation, followed by the history for one that recalls."""

    def __init__(self, setting: Setting, recalls: bool) -> None:
        self._setting, self._recalls = setting, recalls
        recall = setting.recall
        history = math.prod(recall.shape) if recalls else 0
        self.tensor: NDArray[np.float32] = np.zeros(recall.size + history, np.float32)
        self.dict = {"observation": self.tensor[: recall.size]}
        if recalls:
            self.dict["history"] = self.tensor[recall.size :].reshape(recall.shape)

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor.fill(0)
        if state._here is None:
            return
        seat = state.seat(player)
        self.dict["observation"][:] = self._setting.recall.see(state.here, seat)
        if self._recalls:
            state._here.recall(seat, self._setting.recall, self.dict["history"])

    def string_from(self, state: SpielState, player: int) -> str:
        if self._recalls or state._here is None:
            return state.known(player)
        return seen_by(state.here, state.seat(player), self._setting.is_open)


class SpielBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our bots as an OpenSpiel player. It sees only the view of its seat. (`spiel_bots` makes several by name.)

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

    def is_clonable(self) -> bool:
        return True

    def clone(self) -> SpielBot:
        """A copy that makes the same choices from here on."""
        copy = SpielBot(self._bot, self._number, self._seed)
        copy._asked = self._asked
        return copy

    def restart_at(self, state: SpielState) -> None:
        """Start a new game; the random stream continues."""

    def restart(self) -> None:
        """Start a new game; the random stream continues."""

    def step(self, state: pyspiel.State) -> int:
        """Choose an action in a state of `spiel_game` or in its turn-based form."""
        if isinstance(state, pyspiel.TurnBasedSimultaneousState):
            state = state.simultaneous_game_state()
        if not isinstance(state, SpielState):
            raise RulesError("rl.not_our_state", got=type(state).__name__)
        seat = state.seat(self._number)
        decision = state.here.pending.get(seat)
        if decision is None:
            return 0
        self._asked += 1
        choice = self._bot.choose(state.here.view(seat), Rng.from_seed(self._seed, self._asked))
        return state.setting.actions.number(decision, choice)


def spiel_bots(names: Sequence[str], seed: int = 0) -> list[SpielBot]:
    """A bot for each player, by name (`nimmt_lab.bots.bot_names`), for `pyspiel.evaluate_bots`.

    >>> state = spiel_game("classic", players=2, rounds=1).new_initial_state()
    >>> len(pyspiel.evaluate_bots(state, spiel_bots(["level-3", "random"]), 5))
    2
    """
    return [SpielBot(bot_of(name), number, seed) for number, name in enumerate(names)]


def spiel_game(
    game: Game | str,
    position: str = "",
    *,
    open_hands: bool = False,
    utility: str = "margin",
    deals: int = 1000,
    horizon: int = 0,
    **options: object,
) -> SpielGame:
    """Create the OpenSpiel game of a game, or of a registered one by name with its options: from a position, or with
    `deals` random deals. Its name contains everything that `pyspiel.load_game` needs.

    >>> game = spiel_game("classic", players=3, rounds=1, utility="win")
    >>> pyspiel.load_game(str(game)).rules
    Classic(players=3, rounds=1)
    """
    chosen = game_of(game, options)
    params: dict[str, Parameter] = {
        "position": str(position).replace(",", " "), "utility": utility, "open": open_hands, "deals": deals,
        "horizon": horizon,
    }  # fmt: skip
    params = {name: value for name, value in params.items() if value != _DEFAULTS[name]}
    plain = parameters_of(chosen)
    params |= {"rules": rules_text(chosen)} if plain is None else plain
    loaded: SpielGame = pyspiel.load_game(f"nimmt_{chosen.name}", params)
    return loaded


def _outward(bound: Fraction, to: float) -> float:
    """The nearest float that does not cut the bound short."""
    near = float(bound)
    return near if Fraction(near) == bound else math.nextafter(near, to)


def _is_dealt(game: Game) -> bool:
    """Whether deals differ by seed."""
    first, second = ((state.hands, state.rows, state.extra) for state in (game.deal(0), game.deal(1)))
    return first != second


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
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=default_parameters(system) | _DEFAULTS,
    )


def _register() -> None:
    for name in all_games():
        label = f"Spiel_{name}"
        made = type(label, (SpielGame,), {"system": name, "__module__": __name__, "__qualname__": label})
        globals()[label] = made  # OpenSpiel pickles games by class name
        pyspiel.register_game(_type_of(name), made)


_register()

"""Registry × capability: every registered game and fan card, with everything that another package may ask of it. A cell
answers or refuses with a typed error and a key. The refusals of the `LISTED` ones are written down here, so that neither
a new one nor a lost one goes unnoticed; a newcomer may refuse what is optional."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import nimmt_lab
from nimmt_lab import Advanced, Classic, Game, Record, all_games
from nimmt_lab.boards.film import film_of
from nimmt_lab.bots import bot, bot_names
from nimmt_lab.conformance import adapter
from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.errors import MissingPackage, Unsupported
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain import LANGUAGES, assess, explain, narrate, report, turns
from nimmt_lab.games.classic.fan_card import fan_cards
from nimmt_lab.lessons import generate
from nimmt_lab.rl import parallel_env
from nimmt_lab.solver import odds, solve
from nimmt_lab.study import review, simulate, tournament
from nimmt_lab.widgets import NumberLine, Replay, Table, kinds_of
from tests.support import random_record, refused

#: Every registered game with the fewest players, and every fan card with the classic game.
SYSTEMS: dict[str, Game] = {
    **{name: kind(players=2) for name, kind in all_games().items()},
    **{name: Classic(players=2, rounds=1, fan_cards=(name,)) for name in fan_cards()},
}


def played(game: Game) -> Record:
    """A game in which everybody chooses a card, one turn or more after the deal; with open hands only few cards are
    left."""
    record = random_record(game, seed=1, choices=116 if isinstance(game, Advanced) else 1)
    while set(record.final.pending) != set(range(game.players)):
        record = record.then({seat: one.options[0] for seat, one in record.final.pending.items()})
    return record


def is_told(record: Record) -> None:
    for lang in LANGUAGES:
        for step in record.steps[-3:]:
            said = narrate(step, lang)
            assert len(said) == len(step.events) and not any("{" in sentence for sentence in said)
    for turn in turns(record)[-2:]:
        assert all(placement.text() for placement in explain(turn))


def is_filmed(record: Record) -> None:
    scene = film_of(record).scene()
    assert scene["frames"] and json.loads(json.dumps(scene)) == scene
    assert Replay(record, at=-1).to_svg().startswith("<svg")


def is_played_at_the_table(record: Record) -> None:
    table = Table(record.game, [bot("random")] * (record.game.players - 1), seed=1)
    seat, decision = next(iter(table.record.final.pending.items()))
    assert seat <= 0
    table.play(decision.write(decision.options[0]))
    assert table.record.choices


def is_asked_about(record: Record) -> None:
    assert "row" in kinds_of(record.game)
    assert all(generate(record.game, kind, seed=1).right for kind in kinds_of(record.game))


def is_kept(record: Record) -> None:
    assert Record.from_text(record.to_text()) == Record.from_json(record.to_json()) == record


def is_guessed(record: Record) -> None:
    for seat in range(record.game.players):
        view = record.final.view(seat)
        assert guess(view, Rng.from_seed(3)).view(seat) == view


def is_advised(record: Record) -> None:
    assert len(bot("best:playouts=10").advise(record.final.view(0)))


def is_simulated(record: Record) -> None:
    assert simulate(record.game, rounds=3, progress=False).totals.rounds == 3


def is_reviewed(record: Record) -> None:
    assert review(record, playouts=4, seconds=0.01, progress=False).to_text()


def is_a_tournament(record: Record) -> None:
    assert tournament(record.game, ["random", "lowest"], deals=1, progress=False).summary is not None


def asked(question: Callable[[GameState], object]) -> Callable[[Record], object]:
    return lambda record: question(record.final)


#: What packages do with a game, by the words of this table.
DOORS: dict[str, Callable[[Record], object]] = {
    "tell": is_told,
    "report": lambda record: [report(record).to_text(lang) for lang in LANGUAGES],
    "film": is_filmed,
    "table": is_played_at_the_table,
    "exercise": is_asked_about,
    "keep": is_kept,
    "guess": is_guessed,
    "advise": is_advised,
    "simulate": is_simulated,
    "review": is_reviewed,
    "tournament": is_a_tournament,
    "environment": lambda record: parallel_env(record.game).reset(seed=1),
    "vectors": lambda record: adapter.VECTORS.of(record.game),
    "number line": asked(NumberLine),
    "assess": asked(lambda state: assess(state, 0)),
    "odds": asked(lambda state: odds(state.view(0))),
    "solve": asked(lambda state: solve(few_cards(state), seconds=1)),
    **{f"bot {name}": asked(lambda state, name=name: has_chosen(state, name)) for name in bot_names()},  # type: ignore[misc]
}


def few_cards(state: GameState) -> GameState:
    """The end of a round: the solver answers at once, or not at all."""
    while state.pending and max(map(len, state.hands)) > 2:
        state, _ = state.choose({seat: one.options[0] for seat, one in state.pending.items()})
    while state.queue:
        state, _ = state.choose({seat: one.options[0] for seat, one in state.pending.items()})
    return state


def has_chosen(state: GameState, name: str) -> None:
    view = state.view(0)
    searches = name in ("flat", "best") or name.startswith("best-")
    choice = bot(f"{name}:playouts=8" if searches else name).choose(view, Rng.from_seed(1))
    assert view.decision is not None and choice in view.decision.options


EVERY = {"classic", "advanced", "buffalo", "baron", "board"}
CARDS = {"even_odd", "mountain", "jumping_cow", "number_twister"}
#: Games and fan cards with everything they bring and refuse in the tables below. List yours too, once it is complete.
LISTED = EVERY | CARDS
#: Unsupported features, and for each the games without it and the key of the error.
REFUSED: dict[str, dict[str, str]] = {
    "number line": {"baron": "widgets.no_number_line"},
    "odds": dict.fromkeys(LISTED - {"classic"}, "solver.odds_known_classic"),
    "solve": dict.fromkeys(("buffalo", "baron", "board"), "solver.solver_plays_classic"),
}
#: What other games and cards may refuse: they need a file of their own for it, or nothing can be known about them.
OPTIONAL = {"assess", "environment", "number line", "odds", "solve", "vectors"}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_room_answers_or_refuses(name: str, door: str) -> None:
    record = played(SYSTEMS[name])
    refusal = REFUSED.get(door, {}).get(name)
    if name not in LISTED and door in OPTIONAL:
        with suppress(Unsupported):
            DOORS[door](record)
    elif refusal is None:
        try:
            DOORS[door](record)
        except Unsupported as error:
            pytest.fail(f"{name} does not answer {door!r}: {error}")
    else:
        with refused(Unsupported, refusal):
            DOORS[door](record)


# The capabilities themselves -----------------------------------------------------------------------------


def capabilities() -> dict[str, Capability[object]]:
    """Every capability that a module of the package declares, by its name there."""
    found: dict[str, Capability[object]] = {}
    for module in walk_packages(nimmt_lab.__path__, "nimmt_lab."):
        try:
            names = vars(import_module(module.name))
        except MissingPackage:  # OpenSpiel is not part of the inner ring, and declares none
            assert module.name == "nimmt_lab.rl.spiel"
            continue
        for name, thing in names.items():
            if isinstance(thing, Capability):
                assert found.setdefault(name, thing) is thing, f"two capabilities called {name}"
    return found


#: Optional features of games, and the games that have them. A game derived from one of these inherits the features that
#: subclasses inherit.
GAMES_BRING: dict[str, set[str]] = {
    "ASKS": EVERY - {"board"},
    "ASSESSES": {"baron", "board", "buffalo"},
    "BESIDE": {"buffalo", "baron", "board"},
    "BOARD": EVERY,
    "ENCODING": EVERY,
    "HINTS": {"classic", "advanced"},
    "KERNEL": EVERY,
    "LOSSES": EVERY,
    "MATERIAL": {"baron", "board"},
    "NUMBERS": {"classic"},
    "ROWS": EVERY - {"board"},
    "SEARCH": EVERY,
    "SEATING": EVERY - {"buffalo"},
    "STEPS": EVERY,
    "UNITS": {"baron", "board"},
    "VECTORS": EVERY,
    "WAYS": EVERY - {"board"},
    "WORTH": EVERY,
}
#: What a card that isn't listed may lack: a kernel, its marker for the solver and for training, words of its own.
MAY_LACK = {"CARD", "FAN_CARDS", "MARKER", "PACKED"}
#: Features of a fan card or its marker, and the listed cards without them.
CARDS_LACK: dict[str, set[str]] = {
    "CARD": set(),
    "FAN_CARDS": {"number_twister"},
    "INFLUENCES": set(),
    "LAID": set(),
    "LOOK": set(),
    "MARKER": set(),
    "PACKED": set(),
}
#: Optional features of an event or its rule.
EVENTS_BRING = {"LATER_TAKES", "PARTS", "TOLD"}


def test_no_capability_is_missing_here() -> None:
    assert set(capabilities()) == set(GAMES_BRING) | set(CARDS_LACK) | EVENTS_BRING


@pytest.mark.parametrize("room", ["bots", "study"])
def test_players_and_studies_know_no_game(room: str) -> None:
    """Packages ask for differences between chapters as capabilities: they import no chapter and look for no attribute
    of a kernel."""
    for path in (Path(nimmt_lab.__path__[0]) / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("nimmt_lab.games"), f"{path}:{node.lineno}"
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "hasattr":
                assert "kernel" not in ast.unparse(node.args[0]), f"{path}:{node.lineno}"


def test_what_is_listed_is_registered() -> None:
    assert set(all_games()) >= EVERY and set(fan_cards()) >= CARDS


@pytest.mark.parametrize("name", GAMES_BRING)
def test_what_a_game_does_not_bring_is_refused(name: str) -> None:
    capability, games = capabilities()[name], all_games()
    bring = tuple(games[game] for game in GAMES_BRING[name])
    heirs = {game for game, kind in games.items() if capability.inherited and issubclass(kind, bring)}
    check(capability, dict(games), GAMES_BRING[name] | heirs, set(games) - LISTED)


@pytest.mark.parametrize("name", CARDS_LACK)
def test_what_a_fan_card_does_not_bring_is_refused(name: str) -> None:
    of_marker = name == "LAID"
    kinds: dict[str, type] = {card: kind.marker if of_marker else kind for card, kind in fan_cards().items()}
    assert CARDS_LACK[name] <= set(kinds)
    check(
        capabilities()[name], kinds, set(kinds) - CARDS_LACK[name], set(kinds) - LISTED if name in MAY_LACK else set()
    )


def check(capability: Capability[object], kinds: dict[str, type], bring: set[str], may: set[str]) -> None:
    """These kinds bring a feature, some others may. Asking for one that is missing names the kind that lacks it."""
    found = {name for name, kind in kinds.items() if capability.find(kind) is not None}
    lacking, extra = bring - found - may, found - bring - may
    assert not lacking, f"{', '.join(sorted(lacking))}: provide {capability.name} in {capability.face}.py"
    assert not extra, f"{', '.join(sorted(extra))}: list here that {capability.face}.py provides {capability.name}"
    for name, kind in kinds.items():
        if name not in found:
            with refused(Unsupported, "engine.no_face", name=name, face_name=capability.name, face=capability.face):
                capability.of(kind)

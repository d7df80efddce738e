"""Vectorised Beat the Buffalo with numbers out of range in a record, in the settings or in an action: a refusal or an
answer, but never a crash (nor, with sanitizers, a complaint)."""

from __future__ import annotations

from array import array
from collections import Counter

import pytest

from nimmt_lab import Buffalo
from nimmt_lab.games.buffalo.kernel import BuffaloSteps
from nimmt_lab.native import Memory, core
from nimmt_lab.native.layout import layout_of
from nimmt_lab.rl.actions import Actions
from nimmt_lab.rl.observe import Observer

from .dice import Dice

GAMES = [
    Buffalo(players=1),
    Buffalo(players=3, between_turns=True),
    Buffalo(players=6),
    Buffalo(players=5, edition="003"),
]
#: The games, and extra arguments for each.
SETTINGS = (
    "players",
    "hand_size",
    "deck_size",
    "between",
    "takes_at",
    "wins",
    "policies",
    "lows",
    "card_heads",
    "risk",
)
COUNT = 3


def nonsense(dice: Dice, code: str) -> int:
    width = 8 * array(code).itemsize
    number: int = dice.choice((dice.bits(width), dice.below(110), dice.below(8), 2**width - 1))
    return number - 2**width if code in "hi" and number >= 2 ** (width - 1) else number


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_spoilt_games_are_refused_or_played(game: Buffalo) -> None:
    found, dice = core(), Dice(8)
    assert found is not None
    fields = layout_of(found, "nl_buffalo_game").fields
    several, seats = BuffaloSteps().games(found, game, False), game.players + 1
    size, width = several.record.size, Actions(game).count
    look = 4 * seats * Observer(game).size
    games, kept, actions, rewards, ends, masks, seen = (
        found.memory(COUNT * room) for room in (size, size, 2 * seats, 4 * seats, 1, seats * width, look)
    )
    work, settings = several.work, several.work.memory.get(0, several.work.size)
    several.start(kept, 5)
    answers: Counter[tuple[str, bool]] = Counter()
    for _ in range(1500):
        # Long games, so that every kind of decision occurs
        several.bound_sample(kept, actions)()
        several.bound_step(kept, actions, rewards, ends)()
        several.bound_sample(kept, actions)()
        games.put(0, kept.get(0, kept.size))
        for _ in range(dice.choice((1, 1, 2, 4))):
            name = dice.choice([*fields, "settings", "actions", "count"])
            if name == "settings":
                name = dice.choice(SETTINGS)
                field = work.layout.field(name)
                work.set(name, nonsense(dice, field.code), at=dice.below(field.count))
            elif name == "actions":
                actions.write("h", [nonsense(dice, "h")], at=2 * dice.below(COUNT * seats))
            elif name in fields:
                code, at, count = fields[name].code, fields[name].offset, fields[name].count
                place = dice.below(COUNT) * size + at + array(code).itemsize * dice.below(count)
                games.write(code, [nonsense(dice, code)], at=place)
        call = dice.choice(("step", "step", "sample", "choose", "masks", "observe", "check", "start"))
        room = dice.choice((games.size, games.size, games.size, games.size - 1, -1))
        rest = {
            "step": (actions, actions.size, rewards, rewards.size // 4, ends, ends.size, ends, 0, games, 0),
            "sample": (actions, actions.size),
            "choose": (actions, actions.size, ends, 0, -1, ends, 0),
            "masks": (0, seats, masks, masks.size, 0),
            "observe": (0, seats, seen, seen.size, 0),
            "check": (),
            "start": (),
        }[call]
        answer = found.ask(f"nl_buffalo_games_{call}", work.memory, games, room, *rest)
        assert answer in (0, -1, -2, -3)
        answers[call, answer < 0] += 1
        rng, first = work.get("rng"), work.get("first")
        work.memory.put(0, settings)
        work.set("rng", rng)
        work.set("first", first)
    assert all(answers[call, refused] > 10 for call in ("step", "sample", "masks") for refused in (True, False)), (
        answers
    )


def test_too_little_memory_is_refused() -> None:
    found, game = core(), Buffalo(players=2)
    assert found is not None
    several = BuffaloSteps().games(found, game, False)
    rooms_of = (2 * several.record.size, 12, 24, 2, 6 * Actions(game).count, 6 * 4 * Observer(game).size)
    games, actions, rewards, ends, masks, seen = map(found.memory, rooms_of)
    finals = found.memory(games.size)
    several.start(games, 1)
    rooms: dict[str, tuple[Memory | int, ...]] = {
        "step": (actions, 12, rewards, 6, ends, 2, ends, 2, finals, finals.size),
        "sample": (actions, 12),
        "choose": (actions, 12, ends, 2),
        "masks": (masks, masks.size),
        "observe": (seen, seen.size),
    }
    before: dict[str, tuple[int, ...]] = {"masks": (0, 3), "observe": (0, 3)}
    after: dict[str, tuple[Memory | int, ...]] = {"masks": (0,), "observe": (0,), "choose": (7, ends, 0)}
    for call, given in rooms.items():
        for at in range(1, len(given), 2):
            less = list(given)
            room = less[at]
            assert isinstance(room, int)
            less[at] = room - 1
            whole = (*before.get(call, ()), *less, *after.get(call, ()))
            assert found.ask(f"nl_buffalo_games_{call}", several.work.memory, games, games.size, *whole) == -3
        whole = (*before.get(call, ()), *given, *after.get(call, ()))
        assert found.ask(f"nl_buffalo_games_{call}", several.work.memory, games, games.size, *whole) == 0


def test_a_question_that_is_not_asked_is_refused() -> None:
    """Another phase, another seat to act, an impossible turn, other rules: each alone, at each kind of decision."""
    found, game = core(), Buffalo(players=5)
    assert found is not None
    fields = layout_of(found, "nl_buffalo_game").fields
    several, seats = BuffaloSteps().games(found, game, False), game.players + 1
    games, kept, actions, rewards, ends = (
        found.memory(room) for room in (several.record.size, several.record.size, 2 * seats, 4 * seats, 1)
    )
    several.start(kept, 5)
    met: Counter[int] = Counter()

    def one(name: str, memory: Memory) -> int:
        return int(memory.read(fields[name].code, 1, fields[name].offset)[0])

    def is_refused(name: str, number: int) -> bool:
        games.put(0, kept.get(0, kept.size))
        games.write(fields[name].code, [number], at=fields[name].offset)
        several.bound_sample(kept, actions)()
        given = (actions, actions.size, rewards, seats, ends, 1, ends, 0, games, 0)
        return found.ask("nl_buffalo_games_step", several.work.memory, games, games.size, *given) == -2

    while min(met[phase] for phase in (0, 1, 4, 5)) < 3:
        phase, asked = one("phase", kept), one("asked", kept)
        met[phase] += 1
        assert not is_refused("turn", one("turn", kept))
        assert is_refused("turn", game.hand_size) and is_refused("turn", 255)
        assert all(is_refused("phase", other) for other in (*range(7), 255) if other != phase)
        assert not phase or all(is_refused("asked", other) for other in (*range(8), 255) if other != asked)
        for name in ("players", "hand_size", "deck_size", "between", "takes_at"):
            assert is_refused(name, one(name, kept) ^ 1), name
        several.bound_sample(kept, actions)()
        several.bound_step(kept, actions, rewards, ends)()

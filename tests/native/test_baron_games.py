"""Bull Baron in step with nonsense in any field of a record or of the workspace: a refusal, or an answer, never a crash
or a byte beside the memory. `make check-native` lets the sanitizers look on."""

from __future__ import annotations

from array import array
from math import prod

import pytest

from nimmt_lab import Baron
from nimmt_lab.games.baron.kernel import LAYOUT, RECORD
from nimmt_lab.games.baron.rules import VARIANTS
from nimmt_lab.native import Core, Memory, core
from nimmt_lab.native.games import CoreGames
from nimmt_lab.native.kernel import STEPS
from nimmt_lab.rl.actions import Actions

from .dice import Dice

GAMES, MARK = 3, b"\xa5" * 64
#: Fields in which anything may stand: seeds, and what is only shown.
FREE = {"seed", "rng", "filler", "log", "when", "by", "lies", "rows", "logged"}
PLACES: dict[str, tuple[int, str, int]] = {}
at = 0
for name, (code, shape) in RECORD.items():
    PLACES[name] = (at, code, prod(shape))
    at += array(code).itemsize * prod(shape)


class Table:
    """Three games some steps after the deal, and all that a step needs, with marks behind it."""

    def __init__(self, found: Core, game: Baron, wins: bool, steps: int) -> None:
        self.found, self.several, n = found, STEPS.of(game).games(found, game, wins), game.players
        self.sizes = (GAMES * self.several.size, GAMES * n * 2, GAMES * n * 4, GAMES, GAMES * n * Actions(game).count)
        self.mark = b"" if "watched" in found.name else MARK
        self.blocks = [found.memory(size + len(self.mark)) for size in self.sizes]
        for block, size in zip(self.blocks, self.sizes, strict=True):
            block.put(size, self.mark)
        self.several.work.set("first", steps)
        assert self.ask("start") == 0
        for _ in range(steps):
            assert self.ask("sample") == 0 and self.ask("step") == 0

    def ask(self, name: str) -> int:
        games, actions, rewards, ends, masks = self.blocks
        size, bytes_, words, count, room = self.sizes
        more = {
            "start": (),
            "step": (actions, bytes_, rewards, words // 4, ends, count),
            "sample": (actions, bytes_),
            "masks": (masks, room),
        }[name]
        answer = self.found.ask(f"nl_baron_games_{name}", self.several.work.memory, games, size, *more)
        for block, size in zip(self.blocks, self.sizes, strict=True):
            assert block.get(size, len(self.mark)) == self.mark, f"{name} wrote beside its memory"
        return answer


def number_for(code: str, dice: Dice) -> int:
    """Any number of that type, rather one near an edge."""
    bits = 8 * array(code).itemsize
    number: int = dice.choice((dice.bits(bits), dice.below(130), dice.below(12), 0, 2**bits - 1, 2 ** (bits - 1)))
    return number - 2**bits if code.islower() and number >= 2 ** (bits - 1) else number


@pytest.mark.parametrize("variant", VARIANTS)
def test_records_that_cannot_be_are_refused_and_nothing_crashes(variant: str) -> None:
    found, dice = core(), Dice(9)
    assert found is not None
    refused = answered = 0
    for trial in range(700):
        players = dice.choice((2, 3, 10))
        table = Table(found, Baron(players=players, variant=variant, games=2), dice.below(2) == 0, dice.below(60))
        for _ in range(dice.choice((1, 1, 2, 6))):
            if trial % 4 == 3:
                name = dice.choice([name for name in LAYOUT if name not in ("key", "first", "rng", "stats")])
                code, count = LAYOUT[name]
                table.several.work.set(name, number_for(code, dice), at=dice.below(count))
            else:
                at, code, count = PLACES[dice.choice(list(PLACES))]
                at += table.several.size * dice.below(GAMES) + array(code).itemsize * dice.below(count)
                table.blocks[0].put(at, array(code, [number_for(code, dice)]).tobytes())
        for _ in range(4):
            answers = [
                table.ask(name) for name in dice.choice((("sample", "step"), ("masks", "step"), ("sample", "masks")))
            ]
            assert set(answers) <= {0, -1, -2, -3}
            refused += answers[-1] < 0
            answered += answers[-1] == 0
    assert refused > 500 and answered > 500


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_field_that_is_used_is_looked_at(variant: str) -> None:
    """The number that is furthest out, in each field of the first game: refused, but where anything may stand."""
    found = core()
    assert found is not None
    for steps in range(12):
        for name, (at, code, _) in PLACES.items():
            table = Table(found, Baron(players=3, variant=variant), wins=False, steps=steps)
            table.several.sample(table.blocks[0], table.blocks[1])
            phase = table.blocks[0].read("B", 1, PLACES["phase"][0])[0]
            bits = 8 * array(code).itemsize
            table.blocks[0].write(code, [2 ** (bits - code.islower()) - 1], at)
            unused = name in FREE or (name in ("queue", "seats", "asked") and phase == 0)
            assert (table.ask("step") < 0) == (not unused), (name, phase)


#: Numbers that can be, each in its field, but not together: by what is asked, the field, and what is written there.
TOGETHER = {
    "more options than cards": (0, "counts", 5),
    "fewer cards than options": (0, "held", 1),
    "rows asked while there is no card to place": (0, "phase", 1),
    "a phase of another game": (0, "phase", 2),
    "a card among the rows": (1, "options", 7),
    "somebody else is asked": (1, "asked", -1),
    "no card is left to place": (1, "placed", -2),
    "another number of players": (0, "players", 4),
    "another variant": (0, "variant", 1),
    "another draw pile": (0, "dealt", 8),
    "one game too many": (0, "round", 1),
}


@pytest.mark.parametrize("label", TOGETHER)
def test_what_does_not_go_together_is_refused(label: str) -> None:
    phase, field, number = TOGETHER[label]
    found = core()
    assert found is not None
    for steps in range(40):
        table = Table(found, Baron(players=3), wins=False, steps=steps)
        games, (at, code, _) = table.blocks[0], PLACES[field]

        def read(name: str, games: Memory = games) -> int:
            found: int = games.read(PLACES[name][1], 1, PLACES[name][0])[0]
            return found

        if read("phase") != phase:
            continue
        asked = read("asked")
        if field == "options":
            at += 5 * asked
        if number < 0:
            number = (asked + 1) % 3 if field == "asked" else read("queued")
        games.write(code, [number], at)
        assert table.ask("step") == -2
        return
    raise AssertionError("never asked")


@pytest.mark.parametrize("field", ["card_bulls", "card_lanes", "colours"])
def test_no_card_has_no_bulls(field: str) -> None:
    """Where nothing lies a record has a 0: that it is worth nothing is relied on."""
    found = core()
    assert found is not None
    table = Table(found, Baron(players=3), wins=False, steps=0)
    table.several.work.set(field, 1)
    assert {table.ask(name) for name in ("start", "sample", "masks", "step")} == {-2}


def test_there_must_be_room() -> None:
    found = core()
    assert found is not None
    table = Table(found, Baron(players=4), wins=False, steps=0)
    several: CoreGames = table.several
    games, actions, rewards, ends, masks = table.blocks
    size, bytes_, words, count, room = table.sizes
    work = several.work.memory
    for step in (
        (bytes_ - 1, words // 4, count),
        (bytes_, words // 4 - 1, count),
        (bytes_, words // 4, count - 1),
        (-1, words, count),
    ):
        assert (
            found.ask("nl_baron_games_step", work, games, size, actions, step[0], rewards, step[1], ends, step[2]) == -3
        )
    assert found.ask("nl_baron_games_sample", work, games, size, actions, bytes_ - 1) == -3
    assert found.ask("nl_baron_games_masks", work, games, size, masks, room - 1) == -3
    for name in ("start", "sample", "masks", "step"):
        more = {"start": (), "sample": (actions, bytes_), "masks": (masks, room)}.get(
            name, (actions, bytes_, rewards, words // 4, ends, count)
        )
        assert found.ask(f"nl_baron_games_{name}", work, games, -1, *more) == -1
    # A record cut short is left alone.
    before = games.get(0, size)
    assert found.ask("nl_baron_games_start", work, games, several.size - 1) == 0 and games.get(0, size) == before

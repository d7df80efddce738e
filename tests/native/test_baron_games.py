"""Vectorised Bull Baron with garbage in any field of a record or of the workspace: a refusal or an answer, but never a
crash or an access outside the memory. `make check-native` runs this under sanitizers."""

from __future__ import annotations

from array import array

import pytest

from nimmt_lab import Baron
from nimmt_lab.games.baron.rules import VARIANTS
from nimmt_lab.native import Core, Memory, core
from nimmt_lab.native.games import CoreGames
from nimmt_lab.native.kernel import STEPS
from nimmt_lab.native.layout import layout_of
from nimmt_lab.rl.actions import Actions
from nimmt_lab.rl.observe import Observer

from .dice import Dice

GAMES, MARK = 3, b"\xa5" * 64
#: Fields that may have any value: seeds, and fields that are only for display.
FREE = {"seed", "rng", "log", "when", "by", "lies", "rows", "logged"}


class Table:
    """Three games some steps after the deal, and everything that a step needs, with marks behind it."""

    def __init__(self, found: Core, game: Baron, wins: bool, steps: int) -> None:
        self.found, self.several, n = found, STEPS.of(game).games(found, game, wins), game.players
        self.sizes = (
            GAMES * self.several.record.size,
            GAMES * n * 2,
            GAMES * n * 4,
            GAMES,
            GAMES * n * Actions(game).count,
            GAMES * n * 4 * Observer(game).size,
        )
        self.seats = n
        self.mark = b"" if "watched" in found.name else MARK
        self.blocks = [found.memory(size + len(self.mark)) for size in self.sizes]
        for block, size in zip(self.blocks, self.sizes, strict=True):
            block.put(size, self.mark)
        self.several.work.set("first", steps)
        assert self.ask("start") == 0
        for _ in range(steps):
            assert self.ask("sample") == 0 and self.ask("step") == 0

    def ask(self, name: str) -> int:
        games, actions, rewards, ends, masks, seen = self.blocks
        size, bytes_, words, count, room, look = self.sizes
        more = {
            "start": (),
            "step": (actions, bytes_, rewards, words // 4, ends, count, ends, 0, games, 0),
            "sample": (actions, bytes_),
            "choose": (actions, bytes_, ends, 0, -1, ends, 0),
            "masks": (0, self.seats, masks, room, 0),
            "observe": (0, self.seats, seen, look, 0),
            "check": (),
        }[name]
        answer = self.found.ask(f"nl_baron_games_{name}", self.several.work.memory, games, size, *more)
        for block, size in zip(self.blocks, self.sizes, strict=True):
            assert block.get(size, len(self.mark)) == self.mark, f"{name} wrote beside its memory"
        return answer


def number_for(code: str, dice: Dice) -> int:
    """Any number of that type, preferably near an edge."""
    bits = 8 * array(code).itemsize
    number: int = dice.choice((dice.bits(bits), dice.below(130), dice.below(12), 0, 2**bits - 1, 2 ** (bits - 1)))
    return number - 2**bits if code.islower() and number >= 2 ** (bits - 1) else number


@pytest.mark.sampled(3)
@pytest.mark.parametrize("variant", VARIANTS)
def test_impossible_records_are_refused_without_a_crash(variant: str) -> None:
    found, dice = core(), Dice(9)
    assert found is not None
    refused = answered = 0
    for trial in range(700):
        players = dice.choice((2, 3, 10))
        table = Table(found, Baron(players=players, variant=variant, games=2), dice.below(2) == 0, dice.below(60))
        for _ in range(dice.choice((1, 1, 2, 6))):
            if trial % 4 == 3:
                work = table.several.work
                fields = work.layout.fields
                name = dice.choice([name for name in fields if name not in ("key", "first", "rng", "stats")])
                work.set(name, number_for(fields[name].code, dice), at=dice.below(fields[name].count))
            else:
                record = table.several.record
                field = record.fields[dice.choice(list(record.fields))]
                code = field.code
                at = field.offset + record.size * dice.below(GAMES) + array(code).itemsize * dice.below(field.count)
                table.blocks[0].put(at, array(code, [number_for(code, dice)]).tobytes())
        for _ in range(4):
            answers = [
                table.ask(name)
                for name in dice.choice(
                    (("sample", "step"), ("masks", "step"), ("choose", "observe"), ("check", "masks"))
                )
            ]
            assert set(answers) <= {0, -1, -2, -3}
            refused += answers[-1] < 0
            answered += answers[-1] == 0
    assert refused > 500 and answered > 500


@pytest.mark.exhaustive
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_field_that_is_used_is_looked_at(variant: str) -> None:
    """The core refuses the most extreme number in each field of the first game, except where any value is allowed."""
    found = core()
    assert found is not None
    fields = layout_of(found, "nl_baron_game").as_bytes("lanes").fields
    for steps in range(12):
        for name, field in fields.items():
            code, at = field.code, field.offset
            table = Table(found, Baron(players=3, variant=variant), wins=False, steps=steps)
            table.several.bound_sample(table.blocks[0], table.blocks[1])()
            phase = table.blocks[0].read("B", 1, fields["phase"].offset)[0]
            bits = 8 * array(code).itemsize
            table.blocks[0].write(code, [2 ** (bits - code.islower()) - 1], at)
            unused = name in FREE or (name in ("queue", "seats", "asked") and phase == 0)
            assert (table.ask("step") < 0) == (not unused), (name, phase)


#: Numbers that are possible in each field, but not together: by decision, the field, and what is written to it.
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
    fields = layout_of(found, "nl_baron_game").fields
    for steps in range(40):
        table = Table(found, Baron(players=3), wins=False, steps=steps)
        games, code, at = table.blocks[0], fields[field].code, fields[field].offset

        def read(name: str, games: Memory = games) -> int:
            found: int = games.read(fields[name].code, 1, fields[name].offset)[0]
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
    """Empty places of a record have a 0: other code relies on its being worth nothing."""
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
    games, actions, rewards, ends, masks, seen = table.blocks
    size, bytes_, words, count, room, look = table.sizes
    work = several.work.memory
    for step in (
        (bytes_ - 1, words // 4, count),
        (bytes_, words // 4 - 1, count),
        (bytes_, words // 4, count - 1),
        (-1, words, count),
    ):
        given = (actions, step[0], rewards, step[1], ends, step[2], ends, 0, games, 0)
        assert found.ask("nl_baron_games_step", work, games, size, *given) == -3
    for listed, kept in ((count - 1, 0), (0, size - 1), (0, -1)):
        short = (actions, bytes_, rewards, words // 4, ends, count, ends, listed, games, kept)
        assert found.ask("nl_baron_games_step", work, games, size, *short) == -3
    assert found.ask("nl_baron_games_sample", work, games, size, actions, bytes_ - 1) == -3
    assert found.ask("nl_baron_games_masks", work, games, size, 0, 4, masks, room - 1, 0) == -3
    assert found.ask("nl_baron_games_observe", work, games, size, 0, 4, seen, look - 1, 0) == -3
    for name in ("start", "sample", "masks", "observe", "check", "choose", "step"):
        more = {
            "start": (),
            "check": (),
            "sample": (actions, bytes_),
            "choose": (actions, bytes_, ends, 0, 1, ends, 0),
            "masks": (0, 4, masks, room, 0),
            "observe": (0, 4, seen, look, 0),
            "step": (actions, bytes_, rewards, words // 4, ends, count, ends, 0, games, 0),
        }[name]
        assert found.ask(f"nl_baron_games_{name}", work, games, -1, *more) == -1
    # Bytes after the last whole record stay unchanged.
    before = games.get(0, size)
    assert found.ask("nl_baron_games_start", work, games, several.record.size - 1) == 0 and games.get(0, size) == before

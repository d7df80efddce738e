"""Environments reject bad input with errors of ours, which have sentences."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

import nimmt_lab.rl
from nimmt_lab import Buffalo, Classic
from nimmt_lab.bots.base import Bot, bot_of
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import DataError, RulesError, UnknownOption
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.sentences import INTERNAL, sentence, sentences
from nimmt_lab.engine.view import View
from nimmt_lab.rl import parallel_env
from nimmt_lab.rl.gradient import Policy, main
from nimmt_lab.rl.gym import SeatEnv, SeatVectorEnv
from nimmt_lab.rl.vector import VectorEnv
from nimmt_lab.study import place, tournament
from tests.catalogue import in_error
from tests.support import refused

PAIR = Classic(players=2, rounds=1)
#: Parameters of the errors themselves, which sentences can't use.
ATTRIBUTES = {"line", "column", "source", "seat", "allowed"}
WRONG_SEEDS = (-1, 2**70, True, 1.0, "1", np.float64(1))


def raised() -> list[tuple[str, set[str]]]:
    """The keys of all errors that the environments raise, with their fields."""
    found = []
    for path in Path(nimmt_lab.rl.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                key = node.args[0].value
                if isinstance(key, str) and re.fullmatch(r"rl\.\w+", key):
                    found.append((key, {word.arg for word in node.keywords if word.arg is not None}))
    return found


def test_every_error_can_be_shown() -> None:
    catalogue = sentences("nimmt_lab.engine", INTERNAL)["rl"]
    errors = raised()
    assert len(errors) > 30
    for key, fields in errors:
        needed = {name for _, name, _, _ in Formatter().parse(catalogue[key.removeprefix("rl.")]) if name}
        assert needed == fields - ATTRIBUTES, key
        for number in (1, 2):
            text = sentence(key, dict.fromkeys(needed, number))
            assert text != key and "{" not in text


def no_actions(*_: object) -> None:
    return None


@pytest.mark.native
@pytest.mark.parametrize(
    "wrong",
    [no_actions, lambda *_: 3.5, lambda *_: [[1], [2, 3]], lambda *_: "abc", lambda seen, masks, games: games * 1.0],
)
def test_what_a_function_returns_must_be_actions(wrong: object) -> None:
    env = VectorEnv("classic", games=3, players=2, opponents={1: wrong})  # type: ignore[dict-item]
    env.reset()
    with refused(RulesError, "rl.function_actions", who="B", count=3) as info:
        env.step(env.sample())
    assert in_error("rl.function_actions", who="B", count=3).fullmatch(str(info.value))


@pytest.mark.native
@pytest.mark.parametrize("action", [0, -1, 105, 100_000, -(2**40)])
def test_a_function_that_chooses_an_illegal_action_is_named(action: int) -> None:
    def plays(seen: object, masks: NDArray[np.uint8], games: NDArray[np.intp]) -> NDArray[np.intp]:
        chosen: NDArray[np.intp] = masks.argmax(axis=1)
        chosen[games == 2] = action
        masks[:] = 1  # must not make it legal
        return chosen

    env = VectorEnv("classic", games=3, players=2, opponents={1: plays})
    env.reset()
    hand = env.games["hands"][2, 1].tolist()
    before = env.games["hands"].copy()
    with refused(UnknownOption, "rl.function_illegal", who="B", action=action, game=2, seat=1) as info:
        env.step(env.sample())
    assert list(info.value.allowed) == hand and str(action) in str(info.value)
    assert (env.games["hands"] == before).all()


@pytest.mark.native
def test_a_function_of_the_team_is_named() -> None:
    env = VectorEnv(Buffalo(players=2), games=4, opponents={TEAM: lambda seen, masks, games: games * 0 - 1})
    with refused(UnknownOption, "rl.function_illegal", who="team", seat=TEAM):
        env.reset(seed=1)
        for _ in range(50):
            env.step(env.sample())


@pytest.mark.native
@pytest.mark.parametrize("wrong", ["edges-first", ["random"], 3, no_actions])
def test_opponents_of_many_games_have_seats(wrong: object) -> None:
    with refused(RulesError, "rl.opponents_by_seat"):
        VectorEnv(PAIR, games=2, opponents=wrong)  # type: ignore[arg-type]


@pytest.mark.native
def test_seeds_of_any_integer_type() -> None:
    env, envs = VectorEnv(PAIR, games=4), SeatVectorEnv(PAIR, 4)
    one, zoo = SeatEnv(PAIR), parallel_env(PAIR)
    for kind in (np.int64, np.uint8, np.uint64):
        env.reset(kind(7))
        assert env.games["seed"].tolist() == [Rng.from_seed(7, stream=at).state for at in range(4)]
        assert (envs.reset(seed=kind(7))[0] == envs.reset(seed=7)[0]).all()
        assert (one.reset(seed=kind(7))[0] == one.reset(seed=7)[0]).all()
    for wrong in WRONG_SEEDS:
        with refused(RulesError, "engine.seed_range"):
            env.reset(wrong)  # type: ignore[arg-type]
        with refused(RulesError, "engine.seed_range"):
            one.reset(seed=wrong)  # type: ignore[arg-type]
        with refused(RulesError, "engine.seed_range"):
            zoo.reset(seed=wrong)  # type: ignore[arg-type]
    for number in (-1, 2**70, True):
        with refused(RulesError, "engine.seed_range"):
            envs.reset(seed=number)
    for text in ("1", 1.0, [1, 2]):
        with refused(RulesError, "rl.one_seed"):
            envs.reset(seed=text)  # type: ignore[arg-type]


@pytest.mark.native
def test_options_of_reset() -> None:
    env, envs = SeatEnv(PAIR), SeatVectorEnv(PAIR, 3)
    with refused(RulesError, "rl.reset_options", got="positon", known="position"):
        env.reset(options={"positon": "12 | 37 | 43 | 58 ; A: 14 60 ; B: 15 70"})
    env.reset(seed=1, options={})
    envs.reset(seed=1, options={})
    with refused(RulesError, "rl.no_reset_mask"):
        envs.reset(options={"reset_mask": np.ones(3, bool)})
    with refused(RulesError, "rl.no_reset_options", got="position"):
        envs.reset(options={"position": "12 | 37 | 43 | 58 ; A: 14 60 ; B: 15 70"})


@pytest.mark.parametrize("wrong", [1.0, "1", None, np.array([14]), np.float32(14), [14]])
def test_an_action_is_a_whole_number(wrong: object) -> None:
    env = SeatEnv(PAIR)
    env.reset(options={"position": "12 | 37 | 43 | 58 ; A: 14 60 ; B: 15 70"})
    with refused(RulesError, "rl.action_not_whole"):
        env.step(wrong)  # type: ignore[arg-type]
    env.step(np.array(14))
    env.step(np.int16(60))
    assert env.match.state.is_over


@pytest.mark.parametrize("wrong", [3, None, Policy, object()])
def test_a_player_must_be_a_bot(wrong: object) -> None:
    with refused(RulesError, "bots.not_bot"):
        SeatEnv(PAIR, opponents=wrong)  # type: ignore[arg-type]
    with refused(RulesError, "bots.not_bot"):
        tournament(PAIR, [wrong, "random"], deals=1, progress=False)  # type: ignore[list-item]
    with refused(RulesError, "bots.not_bot"):
        place(PAIR, wrong, deals=1, progress=False)  # type: ignore[arg-type]


class First(Bot):
    def choose(self, view: View, rng: Rng) -> Choice:
        assert view.decision is not None
        return view.decision.options[0]


class Called(First):
    name: ClassVar[str] = "mine"


class Alike:
    """Not a `Bot`, but it has the same method."""

    def __init__(self, name: str | None = None) -> None:
        if name is not None:
            self.name = name

    def choose(self, view: View, rng: Rng) -> Choice:
        return First().choose(view, rng)


def test_tables_show_the_name_of_a_bot() -> None:
    given = [First(), Called(), Alike(), Alike("other"), "random"]
    results = tournament(PAIR, given, deals=1, progress=False)  # type: ignore[arg-type]
    assert set(results.bots) == {"First", "mine", "Alike", "other", "random"}
    assert repr(bot_of(Alike("other"))) == "other"


@pytest.mark.parametrize("levels", [[9], [], [1, 1], [0]])
def test_levels_of_a_placement(levels: list[int]) -> None:
    with refused(RulesError, "study.place_levels", known=1, most=8) as info:
        place(PAIR, Called(), deals=1, levels=levels, progress=False)
    assert in_error("study.place_levels", known=1, most=8).fullmatch(str(info.value))


@pytest.mark.native
@pytest.mark.parametrize("wrong", ["abc", None, 3, ["a"]])
def test_only_bytes_are_loaded_and_only_arrays_are_written(wrong: object) -> None:
    env = VectorEnv(PAIR, games=2)
    env.reset()
    with refused(DataError, "rl.saved_not_bytes"):
        env.load(wrong)  # type: ignore[arg-type]
    env.load(env.save())
    if wrong is not None:
        for write in (env.observe, env.masks, env.bit_masks):
            with refused(RulesError, "rl.array_must_be"):
                write(0, wrong)  # type: ignore[arg-type]


def test_wrong_weights_are_named_with_their_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text("{}", encoding="utf-8")
    with refused(DataError, "rl.no_policy") as info:
        Policy.load(path)
    assert str(info.value).startswith(str(path)) and "{" not in str(info.value)


@pytest.mark.parametrize(
    "wrong",
    [("--iterations", "0"), ("--games", "-1"), ("--games", "1000001"), ("--deals", "1"), ("--seed", "-1"),
     ("--out", "no folder/policy.json"), ("--out", "."), ("--curve", "no folder/curve.svg")],
)  # fmt: skip
def test_the_command_refuses_before_it_trains(
    wrong: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("nimmt_lab.rl.gradient.train", lambda **_: pytest.fail("trained"))
    with pytest.raises(SystemExit) as info:
        main(["--out", "policy.json", *wrong])
    assert info.value.code == 2 and wrong[1 if wrong[0] in ("--out", "--curve") else 0] in capsys.readouterr().err


def test_the_command_explains_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    told = " ".join(capsys.readouterr().out.split())
    for default in (150, 1024, 1, 20000):
        assert f"(default: {default})" in told

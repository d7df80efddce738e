"""The eight levels: available in every game, described in every language, with the stated rate of oversights."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import LevelBot, bot, bot_names, levels, play
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain.catalogue import LANGUAGES
from tests.support import GAMES, refused


def test_eight_levels_are_bots_by_name() -> None:
    assert [level.number for level in levels()] == list(range(1, 9))
    for level in levels():
        assert level.name in bot_names()
        player = level.bot()
        assert isinstance(player, LevelBot) and repr(player) == level.name
        assert repr(pickle.loads(pickle.dumps(player))) == level.name
    with refused(RulesError, "bots.levels_to", most=8, got="9"):
        LevelBot(9)
    with refused(RulesError, "bots.bot_option", name="'level-3'"):
        bot("level-3:number=4")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_levels_are_told_in_every_language(lang: str) -> None:
    assert len({level.title(lang) for level in levels()}) == 8
    assert len({level.description(lang) for level in levels()}) == 8
    assert all(level.description(lang).endswith(".") for level in levels())


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_player_for_every_level(name: str) -> None:
    """Each level plays by a bot for that game, and levels differ in the bot or in the rate of oversights."""
    view = GAMES[name].deal(seed=1).view(next(iter(GAMES[name].deal(seed=1).pending)))
    assert view.decision is not None
    ways = [(level.plays(view.game), level.overlooks) for level in levels()]
    assert len(set(ways)) == 8
    for level in levels()[:6]:
        assert level.bot().choose(view, Rng.from_seed(2)) in view.decision.options
    for way, _ in ways:
        assert repr(bot(way))


@pytest.mark.parametrize("name", GAMES)
def test_the_highest_level_is_the_strongest_bot(name: str) -> None:
    assert levels()[7].plays(GAMES[name]) == "best"


def test_levels_overlook_as_often_as_they_say() -> None:
    """38 is the only card that takes nothing; a player who overlooks it plays any of the four."""
    game = Classic(players=2, rounds=1)
    state = game.from_position("12 14 15 16 18 | 37 | 43 44 45 46 47 | 58 59 60 61 62 ; A: 19 38 48 63 ; B: 1 2 3 4")
    view, times = state.view(0), 400
    for level in levels()[1:4]:
        chosen = Counter(level.bot().choose(view, Rng.from_seed(seed)) for seed in range(times))
        missed = 3 / 4 / level.overlooks if level.overlooks else 0
        assert abs((times - chosen[38]) / times - missed) < 0.08, level.name
        assert (len(chosen) > 1) == bool(level.overlooks)


def test_a_level_plays_a_game_to_its_end_and_repeats_itself() -> None:
    game = Classic(players=3, rounds=1)
    table = [bot("level-2"), bot("level-5"), bot("level-7")]
    assert play(game, table, seed=5).outcome == play(game, table, seed=5).outcome


def test_what_a_level_advises_is_what_its_way_to_play_advises() -> None:
    view = Classic(players=2, rounds=1).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30").view(0)
    mine = levels()[6].bot().advise(view, seed=3)
    assert mine.promises == bot(levels()[6].plays(view.game)).advise(view, seed=3).promises

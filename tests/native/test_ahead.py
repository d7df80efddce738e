"""Players that learned to end ahead: the core and Python agree, strengths are as stated, training is repeatable."""

from __future__ import annotations

import re
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import bot, record
from nimmt_lab.bots.second import _DOUBT, _MARGIN, SecondThoughtsBot
from nimmt_lab.engine.decisions import ChooseCard
from nimmt_lab.engine.errors import DataError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic import ahead
from nimmt_lab.games.classic.kernel import CLASSIC
from nimmt_lab.native import core
from nimmt_lab.native.kernel import search_of
from nimmt_lab.native.loader import NativeError
from nimmt_lab.native.tries import CoreTries
from nimmt_lab.native.work import CREDIT, Workspace
from tests.support import refused
from tools import train_ahead
from tools.train_ahead import School, go_on, lead_of, main, rounds_of, teach


def views(players: int, seed: int) -> list[View]:
    """What the seats see during a round."""
    game = Classic(players=players, rounds=1)
    played = record(game, [bot("random"), bot("closest-safe"), *[bot("ahead")] * (players - 2)], seed)
    seen = [step.before.view(seat) for step in played.steps for seat in step.before.pending]
    return [view for view in seen if isinstance(view.decision, ChooseCard)]


@pytest.mark.parametrize("name", ahead.NAMES)
@pytest.mark.parametrize("players", [2, 4, 10])
def test_the_core_and_python_like_the_same(players: int, name: str) -> None:
    found = core()
    assert found is not None
    mind = found.memory(ahead.SIZE)
    mind.put(0, ahead.packed(name))
    some = views(players, seed=5)[:: players + 1]
    assert len(some) >= 6
    for view in some:
        work = Workspace(found, "nl_classic")
        pick = work.call("nl_classic_ahead", CLASSIC.lay_ahead(work, view), mind)
        sight = ahead.sight_of(view)
        assert work.get("stats", len(view.hand)) == ahead.likes(ahead.kept(name), sight)
        assert view.hand[pick] == ahead.favourite(ahead.kept(name), sight)


def test_without_the_core_they_play_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    some = views(4, seed=9)[::7]
    chosen = [bot("ahead").choose(view, Rng(1)) for view in some]
    monkeypatch.setattr("nimmt_lab.games.classic.kernel.core", lambda: None)
    assert [bot("ahead").choose(view, Rng(1)) for view in some] == chosen


def test_elsewhere_they_play_like_the_trained_bot() -> None:
    for game in (Classic(players=3, fan_cards=("mountain",)), Classic(players=3, row_limit=4), Classic(players=5)):
        view = game.deal(seed=2).view(0)
        for name in ahead.NAMES:
            assert bot(name).choose(view, Rng(1)) == bot("trained").choose(view, Rng(1))


def test_what_a_card_may_cost_is_seen() -> None:
    """The signals of a card that certainly takes a row, and of one that is certainly safe."""
    view = Classic(players=2).from_position("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38 ; B: 2 3").view(0)
    _, cards = ahead._looks(ahead.sight_of(view))
    (_, _, full), (_, _, safe) = cards
    assert full[0] == 64 and full[2] == 4 * view.game.heads_in((12, 14, 15, 16, 18)) and full[9] == 64
    assert safe[0] == 0 and safe[1] == 0 and safe[5] == 64


#: A row of the table in docs/train.md: the bot, its opponents and their number, its wins and its lead.
ROW = re.compile(r"^\| `(\w+)` \| (\d) `([\w-]+)` \| (\d+) \| ([\d. ±]+) \| ([-+\d. ±]+) \|$", re.MULTILINE)


@pytest.mark.exhaustive
def test_strength_is_as_the_documentation_says() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "train.md").read_text(encoding="utf-8")
    rows = ROW.findall(page)
    assert len(rows) == 6
    for name, count, others, deals, wins, lead in rows:
        among = ahead.kept(others) if others in ahead.NAMES else others
        found = lead_of(ahead.kept(name), among, int(deals), seed=41, players=int(count) + 1)
        assert (wins, lead) == (f"{found[0]:.3f} ± {found[1]:.3f}", f"{found[2]:+.2f} ± {found[3]:.2f}")
        if name == "ahead":
            assert found[2] - found[3] > 0


def halves(view: View, seed: int) -> tuple[CoreTries, CoreTries]:
    found = search_of(view.game)
    assert found is not None
    first, second = (found[1].by_network(found[0], view, Rng.from_seed(seed, at)) for at in (1, 2))
    assert first is not None and second is not None
    return first, second


def test_second_thoughts_need_two_searches_that_agree() -> None:
    changed = kept = 0
    for view in views(3, seed=4)[::3]:
        if len(view.hand) == 1:
            continue
        stream = Rng.from_seed(7)
        tries = halves(view, stream.state)
        usual = tries[0].compare()
        assert usual is not None and tries[1].compare() == usual
        gains = [
            {each.option: ((each.gain or 0.0) - _DOUBT * each.gain_error) / CREDIT for each in one.run(view.hand, 30)}
            for one in tries
        ]
        assert gains[0][usual] == gains[1][usual] == 0
        sure = [card for card in view.hand if min(gain[card] for gain in gains) > _MARGIN]
        chosen = SecondThoughtsBot(60).choose(view, stream)
        assert chosen == (max(sure, key=lambda card: min(gain[card] for gain in gains)) if sure else usual)
        changed, kept = changed + (chosen != usual), kept + (chosen == usual)
    assert changed and kept


def test_playouts_add_up() -> None:
    """19 takes the full row, now or in the last turn."""
    view = Classic(players=2, rounds=1).from_position("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38 ; B: 60 61").view(0)
    first, again = halves(view, 1)[0], halves(view, 1)[0]
    assert first.compare() == again.compare()
    found = first.run([19, 38], 60)
    assert again.run([19, 38], 60) == found
    usual = next(each for each in found if each.option == first.usual)
    assert usual.gain == usual.gain_error == 0 and all(3 < each.heads < 12 for each in found)
    assert [each.playouts for each in first.run([19, 38], 20)] == [80, 80]


def test_a_wrong_network_is_refused() -> None:
    text = ahead.kept("gradient").to_text()
    with refused(DataError, "classic.expected_a_mind"):
        ahead.Mind.read(text.replace("nimmt-ahead/1", "nimmt-ahead/0"), "it")
    whole = ahead.kept("gradient")
    for wrong in (replace(whole, out=whole.out[1:]), replace(whole, base=(1001, *whole.base[1:]))):
        with refused(DataError, "classic.expected_mind_part"):
            ahead.Mind.read(wrong.to_text(), "it")
    found = core()
    assert found is not None
    view = Classic(players=2).deal(seed=1).view(0)
    work, mind = Workspace(found, "nl_classic"), found.memory(ahead.SIZE)
    mind.put(0, replace(whole, base=(1001, *whole.base[1:])).to_bytes())
    with pytest.raises(NativeError):
        work.call("nl_classic_ahead", CLASSIC.lay_ahead(work, view), mind)


def test_packaged_networks_are_small() -> None:
    assert all(len(ahead.kept(name).to_text()) < 100_000 for name in ahead.NAMES)
    assert not ahead.kept("gradient").lines and ahead.kept("ahead").lines


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_ahead, "STAGE", 2)
    monkeypatch.setattr(train_ahead, "DEALS", 10)
    monkeypatch.setattr(train_ahead, "ROUNDS", (((4, 3),), ((2, 3), (5, 2))))
    monkeypatch.setattr(train_ahead, "PLAIN_ROUNDS", (((4, 3),),))


@pytest.mark.exhaustive
@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("name", ahead.NAMES)
def test_a_run_is_repeatable_however_it_is_divided(name: str) -> None:
    once = teach(School(name, 5))
    apart = go_on(go_on(School(name, 5), 1), 4)
    assert once.state == apart.state and once.is_over and once.mind == apart.mind
    assert teach(School(name, 5, seed=2)).mind != once.mind
    start = array("f", go_on(School(name, 5), 0).state[train_ahead._NUMBERS :][: 4 * 1024])
    assert start != array("f", once.state[train_ahead._NUMBERS :][: 4 * 1024])  # it has learned


@pytest.mark.exhaustive
@pytest.mark.usefixtures("short")
def test_an_interrupted_run_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(school: School, **more: object) -> School:
        more["each"](go_on(school, 2))  # type: ignore[operator]
        raise KeyboardInterrupt

    whole, part, curve = tmp_path / "whole.json", tmp_path / "part.json", tmp_path / "curve.svg"
    main(["gradient", str(whole), "--steps", "4", "--curve", str(curve)])
    assert curve.read_text(encoding="utf-8").startswith("<svg")
    with monkeypatch.context() as patch:
        patch.setattr(train_ahead, "teach", stopped)
        main(["gradient", str(part), "--steps", "4"])
    kept = part.with_name("part.json.school")
    with pytest.raises(ValueError, match="seed: 1, not 2"):
        School("gradient", 4, seed=2).after(kept.read_bytes())
    with pytest.raises(ValueError, match=r"^checkpoint: "):
        School("gradient", 4).after(kept.read_bytes()[:-1])
    main(["gradient", str(part), "--steps", "4"])
    assert part.read_bytes() == whole.read_bytes() and not kept.exists()


def test_rounds_of_a_run() -> None:
    assert rounds_of(2600) == 2600 * 80 + 1300 * 32 + 1300 * 24
    assert rounds_of(2600, plain=True) == 260_000

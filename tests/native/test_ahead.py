"""Players that learned to end ahead: the core and Python agree, strengths are as stated, training is repeatable."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import bot, record, second
from nimmt_lab.bots.base import needed
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.errors import DataError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic import ahead
from nimmt_lab.games.classic.kernel import CLASSIC
from nimmt_lab.native import core
from nimmt_lab.native.kernel import search_of
from nimmt_lab.native.loader import NativeError
from nimmt_lab.native.tries import CoreTries, Estimate
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


@pytest.mark.parametrize("seed", range(4))
def test_they_like_the_same_with_the_largest_numbers(seed: int) -> None:
    """Sums that leave 16 bits, and units that end at their bounds."""
    found, dice = core(), Rng.from_seed(seed)
    assert found is not None

    def largest(count: int, most: int) -> tuple[int, ...]:
        nonlocal dice
        numbers = []
        for _ in range(count):
            sign, dice = dice.below(3)
            numbers.append((most, -most, 0)[sign])
        return tuple(numbers)

    parts = {name: largest(count, ahead.LARGEST) for name, count in ahead.PARTS.items() if name != "lines"}
    wild = ahead.Mind(**parts, lines=largest(ahead.PARTS["lines"], ahead.LARGEST_IN_LINE))
    mind = found.memory(ahead.SIZE)
    mind.put(0, wild.to_bytes())
    for view in views(3, seed)[::5]:
        work = Workspace(found, "nl_classic")
        work.call("nl_classic_ahead", CLASSIC.lay_ahead(work, view), mind)
        assert work.get("stats", len(view.hand)) == ahead.likes(wild, ahead.sight_of(view))


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
    assert len(rows) == 8
    for name, count, others, deals, wins, lead in rows:
        among = ahead.kept(others) if others in ahead.NAMES else others
        found = lead_of(ahead.kept(name), among, int(deals), seed=41, players=int(count) + 1)
        assert (wins, lead) == (f"{found[0]:.3f} ± {found[1]:.3f}", f"{found[2]:+.2f} ± {found[3]:.2f}")
        if others == "trained" and int(count) < ahead.MOST_PLAYERS:
            assert found[2] > found[3]
        elif others == "trained":
            assert found[2] < found[3], "then the bot could use it with so many players"
        else:
            # Among three of the other, `gradient` falls behind, and `ahead` does not.
            assert found[2] < -found[3] if name == "gradient" else found[2] > 0


def halves(view: View, seed: int) -> tuple[CoreTries, CoreTries]:
    found = search_of(view.game)
    assert found is not None
    first, second = (found[1].by_network(found[0], view, Rng.from_seed(seed, at)) for at in (1, 2))
    assert first is not None and second is not None
    return first, second


class Told(CoreTries):
    """Given gains, in wins: mean and error by option. The first option is the usual one."""

    def __init__(self, gains: dict[Choice, tuple[float, float]]) -> None:
        self.gains = gains
        self.runs: list[tuple[list[Choice], int]] = []

    def compare(self) -> Choice:
        return next(iter(self.gains))

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        self.runs.append(([*options], playouts))
        told = {option: (CREDIT * gain, CREDIT * error) for option, (gain, error) in self.gains.items()}
        return [Estimate(option, playouts, 0.0, 0.0, 0.0, 0.0, *told[option]) for option in options]


def test_second_thoughts_need_two_searches_that_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 19 38 59 60 61 62 ; B: 2 3 4 5 6 7").view(0)
    assert view.decision is not None

    def chosen(*gains: dict[Choice, tuple[float, float]]) -> tuple[Choice, list[Told]]:
        told = [Told({19: (0.0, 0.0), **dict.fromkeys(view.hand[1:], (-0.5, 0.01)), **each}) for each in gains]
        made = iter(told)
        monkeypatch.setattr(second, "_search", lambda *_: next(made))
        return second.second_thought(view, needed(view), Rng(1), 120), told  # type: ignore[return-value]

    clear: dict[Choice, tuple[float, float]] = {38: (0.1, 0.02)}
    choice, (first, again) = chosen(clear, clear)
    assert choice == 38
    # All options first; what looks hopeless is given up, and its playouts go to the others.
    assert first.runs == [([*view.hand], 20), ([19, 38], 120)] and again.runs == [([19, 38], 180)]
    assert chosen(clear, {})[0] == chosen({}, clear)[0] == 19
    assert chosen(clear, {38: (0.1, 0.17)})[0] == chosen({38: (0.1, 0.17)}, clear)[0] == 19  # within the error
    assert chosen({38: (0.021, 0.0)}, {38: (0.021, 0.0)})[0] == 38
    assert chosen({38: (0.019, 0.0)}, {38: (0.3, 0.0)})[0] == 19
    # The one whose lower promise is higher
    both: dict[Choice, tuple[float, float]] = {38: (0.3, 0.0), 59: (0.1, 0.0)}
    assert chosen(both, {38: (0.05, 0.0), 59: (0.1, 0.0)})[0] == 59
    many: dict[Choice, tuple[float, float]] = {card: (card / 1000, 0.0) for card in view.hand[1:]}
    assert chosen(many, many)[1][0].runs[1][0] == [19, 62, 61, 60]  # the usual one and the three most hopeful


def test_who_plays_at_random_is_found_out() -> None:
    """In playouts, seats that have played at random do so again; before anybody has played, all want to end ahead."""
    found = search_of(Classic(players=3))
    assert found is not None
    game = Classic(players=4, rounds=1)

    def at_random(view: View) -> float:
        tries = found[1].by_network(found[0], view, Rng.from_seed(1))
        assert tries is not None
        odds = tries.work.get("odds", 16)
        return sum(odds[0::4]) / max(1, sum(odds))

    shares = []
    for name in ("random", "ahead"):
        played = [record(game, [bot("ahead"), *[bot(name)] * 3], seed) for seed in range(5)]
        turns = [step.before for one in played for step in one.steps if not step.before.queue]
        assert all(at_random(before.view(0)) == 0 for before in turns if before.turn == 0)
        shares.append(fmean(at_random(before.view(0)) for before in turns if before.turn == 6))
    assert shares[0] > 0.5 > 0.3 > shares[1]


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
    kept = part.with_name("part.json.1.school")
    with pytest.raises(ValueError, match="seed: 1, not 2"):
        School("gradient", 4, seed=2).after(kept.read_bytes())
    with pytest.raises(ValueError, match=r"^checkpoint: "):
        School("gradient", 4).after(kept.read_bytes()[:-1])
    main(["gradient", str(part), "--steps", "4"])
    assert part.read_bytes() == whole.read_bytes() and not kept.exists()


def test_rounds_of_a_run() -> None:
    assert rounds_of(33_750) > 3_000_000  # as docs/train.md says of the packaged network
    thirds = 2600 // 6
    assert rounds_of(2600) == 2600 * 80 + 1300 * 48 + (thirds + 1) * 24 + thirds * 14 + thirds * 10
    assert rounds_of(2600, plain=True) == 260_000

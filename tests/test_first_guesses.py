"""What newcomers to the notebook tried first: it works, or the error names what does."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimmt_lab import Classic, Record, View, advise, bots, charts, ladder, odds, review, share, simulate, tournament
from nimmt_lab.bots.base import Player
from nimmt_lab.cli import main
from nimmt_lab.commands.review import seat_of
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NimmtError, NotationError, RulesError, Unsupported
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.share import read_shared
from nimmt_lab.explain import assess
from nimmt_lab.rl.gym import SeatEnv
from nimmt_lab.rl.vector import VectorEnv
from nimmt_lab.study import habits, ladders, mistakes, place, review_games
from nimmt_lab.study.ladders import Ladder, Rung
from nimmt_lab.study.own import TITLES
from nimmt_lab.widgets import Replay

from .support import refused

SIXTH = "12 14 15 16 18 | 37 | 43 | 58 61 ; A: 19 104 ; B: 3 103 ; C: 4 102"
NOTES = """
players: Ann, Bob, Cleo
rows: 84 69 24 3
hand A: 5 58 95
58 81 16
"""


def named(start: str = SIXTH) -> Record:
    tags = {"A": "Ann", "B": "Bob", "C": "Bob"}
    return Record(Classic(players=3), ({0: 19, 1: 103, 2: 102},), start=start, tags=tags)


# Players ---------------------------------------------------------------------------------------------


def test_charts_of_risk_count_players_like_everything_else() -> None:
    table = [(12, 14, 15), (37,), (43, 44, 47, 49, 50), (58, 61)]
    assert charts.card_risk(table, players=4).to_dict() == charts.card_risk(table, opponents=3).to_dict()
    assert charts.card_risk(table, players=4).to_dict() != charts.card_risk(table, 4).to_dict()
    few = range(0, 10, 5)
    assert charts.row_risk(players=3, gaps=few).to_dict() == charts.row_risk(2, few).to_dict()
    with refused(RulesError, "charts.how_many_players", got="None"):
        charts.row_risk()
    with refused(RulesError, "engine.players_differ", players="4", opponents=4):
        charts.card_risk(table, 4, players=4)


def test_a_player_of_a_record_goes_by_name() -> None:
    record = named()
    assert [record.seat_of(who) for who in ("Ann", "ann", "A", "b", 2)] == [0, 0, 0, 1, 2]
    for who in ("Anna", "Bob"):  # nobody, and two players
        with refused(RulesError, "engine.no_player_named", who=repr(who), names="Ann, Bob", last="C"):
            record.seat_of(who)
    with refused(RulesError, "shared.no_seat_to", who="'Ann'", last="C", most=2):
        Record(Classic(players=3), seed=1).seat_of("Ann")


@pytest.mark.native
def test_my_worst_choices_by_name() -> None:
    found = review(named(), seat="Ann", playouts=400, progress=False)
    assert found.of_seat("Ann") == found.of_seat("A") != []
    worst = found.worst("Ann")
    assert worst is not None and str(worst).startswith("Ann chose 19 in round 1")
    assert found.costliest("Ann", 3) == (worst,) and found.costliest("B") == ()
    (mistake,) = mistakes(found, "Ann")
    shown = mistakes(found, "Ann")._repr_mimebundle_()
    assert f"Kind: {TITLES['sixth_card']}" in shown["text/plain"] and "<svg" in shown["text/html"]
    assert str(mistake) == shown["text/plain"]
    assert ">1/9 Ann<" in found.sheet().to_html()


@pytest.mark.native
def test_the_costliest_choices_come_in_order() -> None:
    played = bots.record(Classic(players=3, rounds=1, hand_size=4), ["random"] * 3, seed=1)
    found = review(played, playouts=60, progress=False)
    several = found.costliest(count=9)
    sure = [max(0.0, each.judgement.least) for each in several]
    assert len(several) > 1 and sure == sorted(sure, reverse=True) and several[0] == found.worst()
    assert found.costliest(count=1) == several[:1]


@pytest.mark.native
def test_the_total_loss_is_the_same_in_text_and_html() -> None:
    played = bots.record(Classic(players=3, rounds=1, hand_size=6), ["random"] * 3, seed=1)
    found = review(played, playouts=60, progress=False)
    texts = re.findall(r"^[ABC]: about ([0-9.]+) lost", found.to_text(), re.MULTILINE)
    cells = [line.cells[2].split(" ")[0] for line in found.sheet().parts[0].lines]
    assert texts == cells and len(set(texts)) > 1


# Pictures --------------------------------------------------------------------------------------------


PICTURES: dict[str, Callable[[], object]] = {
    "view": lambda: Classic(players=3).deal(seed=1).view("B"),
    "state": lambda: Classic(players=3).deal(seed=1),
    "record": lambda: Record(Classic(players=3), seed=1),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_take_the_colours_of_the_notebook(name: str) -> None:
    """Nothing white behind them, and text beside the board in the colour of the page."""
    bundle = PICTURES[name]()._repr_mimebundle_()  # type: ignore[attr-defined]
    html = (bundle[0] if isinstance(bundle, tuple) else bundle)["text/html"]
    assert not re.search(r'<rect width="640" height="[0-9.]+" fill="#ffffff"/>', html)
    for text in ("Classic game", "A (0)"):
        assert re.search(rf'fill="currentColor"[^>]*>{re.escape(text)}', html)


def test_a_saved_picture_is_on_paper() -> None:
    """A file on a dark page, or printed, would be unreadable without."""
    drawn = Replay(Classic(players=3).deal(seed=1)).to_svg()
    assert re.search(r'<rect width="640" height="[0-9.]+" fill="#ffffff"/>', drawn) and "currentColor" not in drawn


def test_hands_that_nobody_saw_are_not_shown() -> None:
    game = Record.from_notes("rules: hand_size=3" + NOTES)
    assert sorted(game.hidden) == [1, 2]
    html = game._repr_mimebundle_()[0]["text/html"]
    assert isinstance(html, str) and "Ann (0)" in html and "Bob (0)" in html
    drawn = html.partition("<details>")[0]
    hands = game.final.hands
    assert all(re.search(rf">{card}<", drawn) for card in hands[0])
    assert not any(re.search(rf">{card}<", drawn) for card in (*hands[1], *hands[2]))
    seats = Replay(game).scene["pool"]
    assert all(not (isinstance(one, dict) and one.get("hand") == list(hands[1])) for one in seats)


# Bots ------------------------------------------------------------------------------------------------


def low(view: View) -> int:
    return min(view.hand)


def high(view: View) -> int:
    return max(view.hand)


class Weighed(bots.Bot):
    """A bot without a name of its own, with weights."""

    def __init__(self, weights: object) -> None:
        self.weights = weights

    def choose(self, view: View, rng: Rng) -> Choice:
        assert view.decision is not None
        return view.decision.options[0]


ONE = Classic(players=3, rounds=1, hand_size=2)


def test_two_bots_of_one_name_are_never_added_up() -> None:
    functions: list[Player] = [lambda view: min(view.hand), lambda view: max(view.hand), "random"]
    assert tournament(ONE, functions, deals=1, progress=False).bots == ("policy", "policy 2", "random")
    table = [Weighed([1]), Weighed([2]), Weighed([1])]
    assert tournament(ONE, table, deals=1, progress=False).bots == ("Weighed", "Weighed 2")
    arrays: list[Player] = [Weighed(np.zeros(2)), Weighed(np.ones(2)), low]
    assert tournament(ONE, arrays, deals=1, progress=False).bots == ("Weighed", "Weighed 2", "low")

    def random(view: View) -> int:
        return min(view.hand)

    assert tournament(ONE, [random, "random", "random"], deals=1, progress=False).bots == ("random", "random 2")


def test_equal_bots_stay_one_bot() -> None:
    table: list[Player] = [bots.bot("flat:playouts=2"), bots.bot("flat:playouts=2"), "flat:playouts=2"]
    assert tournament(ONE, table, deals=1, progress=False).bots == (repr(table[0]),)
    assert tournament(ONE, [low, low, high], deals=1, progress=False).bots == ("low", "high")


def test_a_mapping_names_the_bots_of_a_tournament() -> None:
    found = tournament(ONE, {"careful": low, "bold": high, "old": "random"}, deals=2, progress=False)
    assert found.bots == ("careful", "bold", "old")
    plain = tournament(ONE, [low, high, "random"], deals=2, progress=False)
    assert [one.mean_heads for one in found.standings] == [one.mean_heads for one in plain.standings]


def test_a_game_by_name_is_refused_with_an_example() -> None:
    calls: list[Callable[[Any], object]] = [
        lambda game: tournament(game, ["random"] * 3),
        lambda game: ladder(game),
        lambda game: place(game, "random"),
        lambda game: simulate(game),
        lambda game: bots.play(game, ["random"] * 3),
    ]
    for call in calls:
        with refused(RulesError, "engine.not_game", got="'classic'"):
            call("classic")


def test_simulations_say_which_policies_they_play() -> None:
    for policy in ("odds", "level-4", low):
        with refused(RulesError, "study.only_policies"):
            simulate(ONE, [policy, "random", "random"], rounds=1)  # type: ignore[list-item]
    with refused(RulesError, "study.no_such"):
        simulate(ONE, "nobody", rounds=1)


# Ladders ---------------------------------------------------------------------------------------------


def rung(below: int, credit: float, margin: float, deals: int = 50) -> Rung:
    return Rung(0, below, deals, credit, margin, 0.25, 0.0, 1.0)


def test_a_ladder_says_where_my_bot_stands() -> None:
    steps = (rung(1, 0.5, 0.1), rung(2, 0.4, 0.1), rung(3, 0.3, 0.1), rung(4, 0.1, 0.1), rung(5, 0.05, 0.05))
    text = str(Ladder(Classic(players=4), 0, 50, steps, "mine"))
    assert "mine: stronger than levels 1 and 2; weaker than levels 4 and 5; unclear against level 3" in text
    assert "mine" not in str(Ladder(Classic(players=4), 0, 50, steps))


def test_a_few_deals_that_end_alike_prove_nothing() -> None:
    assert [rung(1, 0.0, 0.0, deals).verdict for deals in (2, 19, 20)] == ["unclear", "unclear", "weaker"]
    assert rung(1, 0.0, 0.1, 2).verdict == "weaker"


def test_a_ladder_keeps_every_deal_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only at its end: a process may be killed."""
    path = tmp_path / "ladder.jsonl"
    game, seen = Classic(players=2, rounds=1, hand_size=2), []
    real = ladders._File.keep

    def keep(self: Any, portion: Any, outcome: Any) -> None:
        real(self, portion, outcome)
        seen.append(len(path.read_text().splitlines()))

    monkeypatch.setattr(ladders._File, "keep", keep)
    ladder(game, deals=3, levels=[1, 4], file=path, progress=False)
    assert seen == [2, 3, 4]  # and the line with the description


def test_a_line_that_was_being_written_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "ladder.jsonl"
    game = Classic(players=2, rounds=1, hand_size=2)
    whole = ladder(game, deals=3, levels=[1, 4], file=path, progress=False)
    path.write_text(path.read_text()[:-9])  # killed while the last deal was written
    assert len(ladders._File(path, game, 0).done) == 2
    assert ladder(game, deals=3, levels=[1, 4], file=path, progress=False).steps == whole.steps
    assert len(path.read_text().splitlines()) == 4


# My own games ----------------------------------------------------------------------------------------

SMALL = "rules: hand_size=3\nplayers: Ann Lee, Bob, Cleo\n"
HAND = "5 58 95"


@pytest.mark.parametrize(
    "text",
    [
        f"{SMALL}rows: 84 69 24 3\nhand A: {HAND}\n58 81 16",
        f"{SMALL}hand A: {HAND}\nrows: 84 69 24 3\n58 81 16",  # before the rows
        f"{SMALL}rows: 84 69 24 3\nhand Ann Lee: {HAND}\n58 81 16",  # by name
        f"{SMALL}hand ann lee: {HAND}\nrows: 84 69 24 3\nCleo 16, Bob: 81 Ann Lee 58",  # all of it, in any order
        f"{SMALL}rows: 84 69 24 3\nHAND a {HAND}\nC16 Bob 81 A58",
    ],
)
def test_notes_take_names_and_hands_anywhere(text: str) -> None:
    game = Record.from_notes(text)
    assert game.opening[0].hands[0] == (5, 58, 95) and sorted(game.hidden) == [1, 2]
    assert game.choices[0] == {0: 58, 1: 81, 2: 16} and game.names[0] == "Ann Lee"


def test_notes_with_names_take_rows_too() -> None:
    game = Record.from_notes("rules: hand_size=1\nplayers: Ann, Bob\nrows: 12 37 43 58\nBob 14 Ann 2@3")
    assert game.final.rows[2] == (2,) and game.choices[0] == {0: 2, 1: 14}


def test_hands_of_somebody_else_are_refused_by_line() -> None:
    with refused(NotationError, "shared.no_seat_to", who="'Dan'", last="B", most=1) as caught:
        Record.from_notes("players: Ann, Bob\nrows: 12 37 43 58\n14 15\nhand Dan: 1 2")
    assert caught.value.line == 4


CSV = "round,turn,player,card\n" + "".join(
    f"{number},0,,{row}\n" * (row > 0) for number in (1, 2) for row in (12, 37, 43, 58)
)


def test_plays_are_read_from_files(tmp_path: Path) -> None:
    plays = "".join(f"{number},1,Ann,{14 + number}\n{number},1,Bob,{60 + number}\n" for number in (1, 2))
    path = tmp_path / "two.csv"
    path.write_text(CSV + plays)
    game = Classic(players=2, hand_size=1, rounds=2)
    both = Record.rounds_from_csv(path, game=game)
    assert [sorted(map(str, one.choices[0].values())) for one in both] == [["15", "61"], ["16", "62"]]
    assert Record.rounds_from_csv(str(path), game=game) == Record.rounds_from_csv(path.read_text(), game=game) == both
    with refused(NotationError, "engine.notes_rounds", count=2, call="rounds_from_csv"):
        Record.from_csv(path, game=game)
    with refused(NotationError, "engine.cannot_read"):
        Record.from_csv("nothing.csv")
    with refused(RulesError, "engine.not_text", got="3"):
        Record.from_csv(3)  # type: ignore[arg-type]


def test_notes_and_logs_are_read_from_files(tmp_path: Path) -> None:
    notes, log = tmp_path / "game.notes", tmp_path / "my.log"
    notes.write_text("rows: 12 37 43 58\n14 15")
    assert Record.from_notes(notes) == Record.from_notes(notes.read_text())
    log.write_text("Players: Ann, Bob\nRows: 12 37 43 58\nAnn plays 14\nBob plays 60\n")
    assert Record.from_log(str(log)) == Record.from_log(log) == Record.from_log(log.read_text())


# Opponents -------------------------------------------------------------------------------------------


def heads_of(opponents: Any, deals: int = 20) -> list[float]:
    """What seat A takes while it plays its highest card."""
    env = VectorEnv("classic", games=deals, players=3, rounds=1, hand_size=3, opponents=opponents)
    env.reset(seed=5)
    total, live = np.zeros(deals), np.ones(deals, bool)
    while live.any():
        masks = env.masks(seat=0)
        rewards, ends = env.step(
            np.pad((masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))[:, None], ((0, 0), (0, 2)))
        )
        total += rewards[:, 0] * live
        live &= ends == 0
    return list(total)


@pytest.mark.native
def test_a_function_of_a_view_is_an_opponent_inside() -> None:
    def lowest_action(observations: object, masks: Any, games: object) -> Any:
        return masks.argmax(axis=1)

    expected = heads_of({1: bots.Bot.from_policy(low), 2: bots.Bot.from_policy(low)})
    assert heads_of({1: low, 2: lambda view, rng: min(view.hand)}) == expected
    assert heads_of({"B": low, "c": low}) == expected  # letters
    assert heads_of({1: high, 2: high}) != expected
    env = VectorEnv("classic", games=2, players=3, rounds=1, opponents={1: lowest_action, 2: low})
    assert env._opponents.kinds == {"1": "function", "2": "low"}


@pytest.mark.native
def test_opponents_of_vectorised_games_say_what_is_missing() -> None:
    with refused(RulesError, "rl.opponents_by_seat") as caught:
        VectorEnv("classic", games=2, players=3, opponents="edges-first")  # type: ignore[arg-type]
    assert "dict.fromkeys([1, 2], 'edges-first')" in str(caught.value)
    with refused(Unsupported, "rl.no_opponent") as other:
        VectorEnv("classic", games=2, players=2, opponents={1: "odds"})
    assert "bot('odds')" in str(other.value)


def test_gymnasium_takes_opponents_in_the_order_of_the_seats() -> None:
    env = SeatEnv("classic", players=3, rounds=1, seat="B", opponents=["odds", low])  # type: ignore[arg-type]
    assert {seat: repr(one) for seat, one in env.opponents.items()} == {0: "odds", 2: "low"}
    assert [*SeatEnv("classic", players=3, opponents={"B": "odds", 2: "random"}).opponents] == [1, 2]  # type: ignore[dict-item]
    with refused(RulesError, "rl.opponents_seats", known="1, 2", got="['odds']"):
        SeatEnv("classic", players=3, opponents=["odds"])


# Why -------------------------------------------------------------------------------------------------

TEXT = "12 14 | 37 | 43 44 | 58 ; A: 21 26 77"


@pytest.mark.native
def test_advice_says_why() -> None:
    found = advise(TEXT, players=5, playouts=200)
    first, second = (str(one.option) for one in [*found][:2])
    cards = assess(TEXT, players=5)
    expected = tuple(f"{card}: {cards[int(card)].text()}" for card in (first, second))
    assert found.reasons == expected and all(line in str(found) for line in expected)
    assert all(escape(line) in found.sheet().to_html() for line in expected)
    assert "search, 200 playouts each" in str(found)
    assert found.told("pl")[0] == f"{first}: {cards[int(first)].text('pl')}"


@pytest.mark.native
def test_the_command_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", TEXT, "--players", "5", "--playouts", "200"]) == 0
    told = capsys.readouterr().out.splitlines()
    cards = assess(TEXT, players=5)
    assert len([line for line in told if line in {f"{card}: {cards[card].text()}" for card in cards}]) == 2


def test_the_odds_of_one_card_are_a_table() -> None:
    one = odds(TEXT, players=5)[77]
    shown = one._repr_mimebundle_()
    assert str(one) == shown["text/plain"] and "Fraction(" not in str(one)
    for heads, chance in one.distribution.items():
        assert (f"{chance}" in str(one)) == (chance > 0) and f"{heads}" in str(one)


# Every week ------------------------------------------------------------------------------------------


@pytest.fixture
def week(tmp_path: Path) -> Path:
    """Two games in which Ann sits elsewhere, and a file that is not a game."""
    for name, names in (("1", "Ann, Bob"), ("2", "Bob, Ann"), ("3", "Bob, Cleo")):
        notes = f"rules: hand_size=2\nplayers: {names}\nrows: 12 37 43 58\n14 2@1\n60 70"
        (tmp_path / f"{name}.notes").write_text(notes)
    (tmp_path / "broken.nimmt").write_text("nimmt-game/2\nhello")
    return tmp_path


@pytest.mark.native
def test_only_my_games_wherever_i_sat(week: Path) -> None:
    found = review_games(week, seat="Ann", playouts=20, executor=1, progress=False)
    assert [(line.player, line.seat) for line in found.lines] == [("Ann", "A"), ("Ann", "B")]
    assert [Path(name).name for name, _ in found.problems] == ["3.notes", "broken.nimmt"]
    assert "'Ann'" in dict(found.problems)[found.problems[0][0]]
    assert str(found).count(f"{week / 'broken.nimmt'}") == 1  # not twice in its line


@pytest.mark.native
def test_results_over_time_are_a_table(week: Path) -> None:
    found = review_games(week, seat="Ann", playouts=20, executor=1, progress=False)
    over = found.over_time("Ann", every=1)
    assert len(over) == 2 and pickle.loads(pickle.dumps(over)) == over and over[0].games == 1
    assert "1.notes to 1.notes" in str(over) and "<table" in over._repr_mimebundle_()["text/html"]


def test_one_broken_file_does_not_hide_habits(week: Path) -> None:
    found = habits(week)
    assert found["Ann"].games == 2 and [name for name, _ in found.problems] == ["broken.nimmt"]
    assert "broken.nimmt" in str(found)
    with pytest.raises(NimmtError):
        habits([week / "broken.nimmt"])  # asked for by name


def test_a_position_is_shared_as_a_page_too(tmp_path: Path) -> None:
    page = tmp_path / "position.html"
    assert share(TEXT, players=5, html=page) == share(TEXT, players=5)
    content = page.read_text()
    assert content.lstrip().lower().startswith("<!doctype html>")
    hidden = read_shared(share(TEXT, players=5)).final.hands[1]
    assert str(list(hidden)).replace(" ", "") not in content.replace(" ", "") and "[21,26,77]" in content.replace(
        " ", ""
    )


def test_the_command_takes_names() -> None:
    assert [seat_of(named(), who) for who in ("Ann", "ann", "b", "team")] == [0, 0, 1, TEAM]
    with refused(RulesError, "commands.no_seat_of", who="'Bob'"):  # two players
        seat_of(named(), "Bob")

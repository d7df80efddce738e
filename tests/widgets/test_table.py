"""Playing in a browser: whole games by mouse and by keyboard, hints, undo, every play in order."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from nimmt_lab import Advanced, Classic, Record
from nimmt_lab.bots import bot
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import CardPlaced, RoundEnded
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.explain import Verdict, assess
from nimmt_lab.games.baron.rules import Baron
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.buffalo.rules import Buffalo
from nimmt_lab.games.buffalo.uses import Stop
from nimmt_lab.widgets import Replay, Table
from tests.catalogue import on_board
from tests.support import refused
from tools.browser import Stage

from .conftest import Open
from .games import SYSTEMS
from .test_replay import rows


def middle(view: View) -> Choice:
    """A bot for tests: what is usual, or the option in the middle."""
    assert view.decision is not None
    options = view.decision.options
    return options[len(options) // 2] if view.decision.default is None else view.decision.default


def mine(table: Table) -> list[str]:
    """What seat 0 (or its team) has chosen where there was a choice, as notation writes it."""
    return [
        step.before.pending[seat].write(step.choices[seat])
        for step in table.record.steps
        for seat in (0, TEAM)
        if seat in step.choices and len(step.before.pending[seat].options) > 1
    ]


def sent(opened: Stage) -> list[str]:
    return [message["choice"] for message in opened.clicks if message["type"] == "choose"]


def agrees(table: Table, page: Page) -> bool:
    return rows(page) == [[card for card in row if card] for row in table.record.final.rows]


@pytest.mark.smoke
@pytest.mark.browser
def test_a_full_classic_game_by_clicks(stage: Open) -> None:
    table = Table(Classic(players=3, rounds=1), middle, seed=2)
    opened = stage(table)
    page = opened.page
    plays = 0
    while not table.record.final.is_over:
        options = page.locator(".nl-option")
        options.nth(plays * 7 % options.count()).click()
        plays += 1
        opened.hear(plays)
        assert table.record.final.is_over or agrees(table, page)
    assert plays >= 9  # the last card plays itself
    assert mine(table) == sent(opened)
    assert on_board("winners").search(page.locator(".nl-prompt").inner_text())
    again = Record.from_text(table.record.to_text())
    assert len(Replay(again).scene["frames"]) > 40


@pytest.mark.browser
def test_a_full_classic_game_by_keys(stage: Open) -> None:
    table = Table(Classic(players=4, rounds=1), middle, seed=9)
    opened = stage(table)
    page = opened.page
    page.locator(".nl-option").first.focus()
    plays = 0
    while not table.record.final.is_over:
        for _ in range(plays % 3):
            page.keyboard.press("ArrowRight")
        wanted = page.evaluate("document.activeElement.dataset.option")
        page.keyboard.press("Enter")
        plays += 1
        opened.hear(plays)
        assert sent(opened)[-1] == wanted
    assert mine(table) == sent(opened)
    assert page.evaluate("document.querySelector('.nl').contains(document.activeElement)")


@pytest.mark.browser
def test_a_low_card_takes_the_row_that_is_clicked_on_the_board(stage: Open) -> None:
    table = Table(
        Classic(players=2), lambda view: max(view.hand) if isinstance(view.decision, ChooseCard) else 0, seed=1
    )
    start = "50 | 60 61 | 70 | 80 ; A: 3 99 100 ; B: 90 97 98"
    table.begin(Record(Classic(players=2), start=start))
    opened = stage(table)
    page = opened.page
    page.locator("[data-option='3']").click()
    opened.hear(1)
    assert page.locator(".nl-choosable").count() == 4
    page.locator(".nl-lane[data-row='1']").click(position={"x": 5, "y": 5})
    opened.hear(2)
    assert table.record.final.piles[0] == (60, 61)
    assert sent(opened) == ["3", "@2"]


@pytest.mark.browser
@pytest.mark.parametrize("how", ["clicks", "keys"])
def test_a_buffalo_turn_with_special_cards(stage: Open, how: str) -> None:
    table = Table(Buffalo(players=2), lambda view: max(view.hand), seed=1, asks=True)
    start = "10 12 14 16 18 | 20 22 | 60 | 70 ; A: 61 80 ; B: 71 81 ; buffalo: 25 90 ; specials: stop push"
    table.begin(Record(Buffalo(players=2), start=start))
    opened = stage(table)
    page = opened.page

    def choose(option: str) -> None:
        node = page.locator(f"[data-option='{option}']")
        if not node.is_visible():
            summary = page.locator("details", has=node).locator("summary")
            if how == "clicks":
                summary.click()
            else:
                summary.focus()
                page.keyboard.press("Enter")
        if how == "clicks":
            node.click()
        else:
            for _ in range(60):  # by arrow keys alone, from wherever the focus may stand
                if page.evaluate("document.activeElement.dataset.option") == option:
                    break
                if page.evaluate("document.activeElement.dataset.option") is None:
                    page.keyboard.press("Tab")
                else:
                    page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        opened.hear(len(opened.clicks) + (0 if opened.clicks and sent(opened)[-1] == option else 1))

    if how == "keys":
        page.locator(".nl-option").first.focus()
    choose("61")
    prompt = page.locator(".nl-prompt").inner_text()
    assert on_board("look.buffalo.ask_specials", card=25).search(prompt)
    choose("25!stop@2")
    note = page.locator(".nl-lane[data-row='1'] .nl-note")
    assert note.inner_text().strip() == "Stop!" and note.locator("[data-icon='stop']").count() == 1
    choose("25!pass")
    assert table.record.final.piles[1] == (10, 12, 14, 16, 18)  # sent to the full row by the Stop!
    choose("61!pass")
    assert sent(opened) == mine(table)
    assert Stop(1) in [step.choices.get(TEAM) for step in table.record.steps]


@pytest.mark.browser
def test_an_order_is_put_together_card_by_card(stage: Open) -> None:
    table = Table(Buffalo(players=3), lambda view: max(view.hand), seed=1, asks=True)
    start = "10 | 20 | 30 | 40 ; A: 55 1 ; B: 68 2 ; C: 78 3 ; buffalo: 72 4 ; specials: sort"
    table.begin(Record(Buffalo(players=3), start=start))
    opened = stage(table)
    page = opened.page
    page.locator("[data-option='55']").click()
    opened.hear(1)
    page.locator("summary").click()
    for card in (78, 55, 72, 68):
        page.locator(f".nl-compose[data-card='{card}']").click()
    opened.hear(2)
    assert sent(opened)[-1] == "55!sort:78-55-72-68"
    placed = [event.card for event in table.record.events if isinstance(event, CardPlaced)]
    assert placed == [78, 55, 72, 68]


@pytest.mark.browser
def test_two_tiles_are_chosen_one_after_the_other(stage: Open) -> None:
    game = BoardGame(players=2)
    row = next(row for row, fields in enumerate(game.layout.rows) if "two" in fields)
    tiles = ["" for _ in game.layout.rows]
    for at, place in enumerate([row, *(other for other in range(4) if other != row)][:4]):
        tiles[place] = str(20 + 10 * at)
    table = Table(game, middle, seed=1)
    table.begin(Record(game, start=f"{' | '.join(tiles)} ; A: 71 72 73 ; B: 91 92 93"))
    opened = stage(table)
    page = opened.page
    page.locator(".nl-compose[data-card='73']").click()
    page.locator(".nl-compose[data-card='71']").click()
    opened.hear(1)
    assert sent(opened) == ["73+71"]
    assert {play.card for event in table.record.events for play in getattr(event, "plays", ())} >= {71, 73}


@pytest.mark.browser
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_can_be_played_from_the_page(stage: Open, name: str) -> None:
    """Some choices of every kind the page offers, the last of each row of buttons first."""
    table = Table(SYSTEMS[name], seed=4, asks=True)
    opened = stage(table)
    page = opened.page
    for count in range(1, 7):
        composer = page.locator(".nl-compose:visible")
        if composer.count() >= 2 and page.locator(".nl-option:not(.nl-compose)").count() == 0:
            composer.nth(0).click()
            composer.nth(1).click()
        else:
            page.locator(".nl-option:visible").last.click()
        opened.hear(count)
        assert agrees(table, page)
    assert mine(table)[:6] == sent(opened) or name.startswith("board")
    assert [message["type"] for message in opened.clicks] == ["choose"] * 6


@pytest.mark.browser
def test_only_one_play_per_question_however_fast_the_clicks(stage: Open) -> None:
    table = Table(Classic(players=3, rounds=1), middle, seed=2)
    opened = stage(table)
    opened.page.evaluate("for (const button of document.querySelectorAll('.nl-option')) button.click()")
    opened.hear(1)
    opened.page.wait_for_timeout(50)
    assert len(opened.clicks) == 1
    # And were two on their way at once, the second was meant for the moment before.
    table.handle({"path": [], "message": {"type": "choose", "ply": 0, "choice": "1"}})
    assert len(table.record.choices) == 1


@pytest.mark.browser
def test_hints_are_bars_with_what_a_search_expects(stage: Open) -> None:
    table = Table(Classic(players=2), middle)
    table.begin(Record(Classic(players=2), start="12 | 20 | 41 | 35 36 38 40 42 ; A: 13 22 43 ; B: 44 50 60"))
    opened = stage(table)
    page = opened.page
    assert page.locator(".nl-hint").count() == 0
    page.locator(".nl-table").focus()
    page.keyboard.press("h")
    opened.hear(1)
    hints = table.scene["hints"]
    shown = {int(card): one["mean"] for card, one in hints.items()}
    assert min(shown, key=lambda card: shown[card]) != 43, "43 goes to the full row"
    for card in (13, 22, 43):
        under = page.locator(f".nl-hinted:has([data-option='{card}']) .nl-hint")
        assert under.inner_text() == f"{shown[card]:.1f}"
        assert on_board("promise_less").search(page.locator(f"[data-option='{card}']").get_attribute("title") or "")
    worst = page.locator(".nl-hinted:has([data-option='43']) .nl-hint")
    assert "nl-hint-high" in (worst.get_attribute("class") or "")
    page.locator("[data-do=hints]").click()
    opened.hear(2)
    assert page.locator(".nl-hint").count() == 0


@pytest.mark.browser
def test_one_sentence_says_what_will_happen_and_what_could_change_it(stage: Open) -> None:
    table = Table(Classic(players=2), middle)
    table.begin(Record(Classic(players=2), start="12 | 20 | 41 | 35 36 38 40 42 ; A: 13 22 43 ; B: 44 50 60"))
    page = stage(table).page
    page.locator("[data-option='13']").hover()
    told = page.locator(".nl-aim-text").inner_text()
    assert on_board("aim_to", card=13, row=1, place=2).match(told)
    assert on_board("foretold_nothing").search(told)
    assert assess(table.record.final.view(0))[13].verdict is Verdict.SAFE
    page.locator("[data-option='43']").hover()
    assert on_board("aim_takes", card=43).search(page.locator(".nl-aim-text").inner_text())


@pytest.mark.browser
def test_hints_leave_the_log_as_it_is(stage: Open) -> None:
    table = Table(Classic(players=3, rounds=1), middle, seed=2)
    opened = stage(table)
    page = opened.page
    for plays in (1, 2):
        page.locator(".nl-option").first.click()
        opened.hear(plays)
    page.locator("[data-do=log]").click()
    lines = page.locator(".nl-log-line:visible").all_inner_texts()
    page.keyboard.press("h")
    opened.hear(3)
    assert page.locator(".nl-log-line:visible").all_inner_texts() == lines and len(lines) >= 5


@pytest.mark.browser
@pytest.mark.parametrize("motion", [False, True])
def test_a_round_ends_with_its_scores_until_the_next_is_asked_for(stage: Open, motion: bool) -> None:
    game = Classic(players=3, hand_size=2)
    table = Table(game, middle, seed=2)
    opened = stage(table, motion=motion)
    page = opened.page
    plays = 0
    while page.locator("[data-do=next-round]").count() == 0:
        if page.locator(".nl-option").count():
            page.locator(".nl-option").first.click()
            plays += 1
            opened.hear(plays)
            page.keyboard.press("Escape")
    assert table.record.final.round == 1, "the engine has dealt"
    assert page.locator(".nl-option").count() == 0, "but nothing is asked before the scores are seen"
    ended = next(event for event in table.record.events if isinstance(event, RoundEnded))
    sums = [text.strip() for text in page.locator(".nl-scoreboard .nl-sum").all_inner_texts()]
    assert sorted(map(int, sums)) == sorted(ended.totals)
    assert page.evaluate("document.activeElement.dataset.do") == "next-round"
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.locator(".nl-option").first.wait_for()
    assert page.locator(".nl-scoreboard").count() == 0 and agrees(table, page)


@pytest.mark.browser
def test_undo_takes_the_last_choice_back(stage: Open) -> None:
    table = Table(Classic(players=3, rounds=1), middle, seed=2)
    opened = stage(table)
    page = opened.page
    start = rows(page)
    assert page.locator("[data-do=undo]").is_disabled()
    hand = table.record.final.hands[0]
    page.locator(".nl-option").nth(4).click()
    opened.hear(1)
    assert rows(page) != start
    page.keyboard.press("u")
    opened.hear(2)
    assert rows(page) == start
    assert table.record.choices == () and table.record.final.hands[0] == hand


@pytest.mark.browser
def test_others_cards_are_not_in_the_page(stage: Open) -> None:
    table = Table(Classic(players=4, rounds=1), middle, seed=2)
    opened = stage(table)
    page = opened.page
    for plays in range(1, 4):
        page.locator(".nl-option").first.click()
        opened.hear(plays)
    hidden = {card for hand in table.record.final.hands[1:] for card in hand}
    shown = page.evaluate("[...document.querySelectorAll('[data-card]')].map((node) => Number(node.dataset.card))")
    assert not hidden & set(shown)
    scene = page.evaluate("model.get('page').data.scene")
    hands = [scene["pool"][at]["hand"] for frame in scene["frames"] for at in frame["seats"]]
    assert all(hand is None or not hidden & set(hand) for hand in hands)


@pytest.mark.browser
def test_with_motion_the_turn_is_shown_step_by_step_and_can_be_skipped(stage: Open) -> None:
    table = Table(Classic(players=4, rounds=1), middle, seed=2)
    opened = stage(table, motion=True)
    page = opened.page
    page.locator(".nl-option").first.click()
    opened.hear(1)
    assert page.locator(".nl-option").count() == 0  # it is still being shown
    assert page.locator("[data-do=skip]").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(".nl-option").count() == 9
    assert agrees(table, page)


@pytest.mark.browser
def test_the_page_says_what_the_engine_refuses(stage: Open) -> None:
    opened = stage(Table(Classic(players=3, rounds=1), middle, seed=2))
    opened.page.mouse.move(0, 0)  # on no card
    opened.page.evaluate("model.send({path: [], message: {type: 'choose', ply: 0, choice: '105'}})")
    opened.hear(1)
    assert "105" in opened.page.locator(".nl-say").inner_text()


# Without a browser ---------------------------------------------------------------------------------------


def test_the_bots_play_as_they_would_among_themselves() -> None:
    game = Classic(players=3, rounds=1)
    table = Table(game, ["lowest", bot("random")], seed=6)
    while not table.record.final.is_over:
        (decision,) = [table.record.final.pending[0]]
        table.play(decision.write(decision.options[0]))
    for ply, step in enumerate(table.record.steps):
        if 2 in step.choices:
            rng = Rng.from_seed(6, 16 * (ply + 1) + 2)
            assert step.choices[2] == bot("random").choose(step.before.view(2), rng)


@pytest.mark.parametrize("game", [Advanced(players=2, rounds=1), Baron(players=2), Buffalo(players=2)])
def test_whole_games_against_the_usual_bot(game: Any) -> None:
    table = Table(game, seed=3)
    while not table.record.final.is_over:
        seat = 0 if 0 in table.record.final.pending else TEAM
        decision = table.record.final.pending[seat]
        choice = decision.options[0] if decision.default is None else decision.default
        table.play(decision.write(choice))
    assert table.record.outcome is not None


@pytest.mark.parametrize("asks", [False, True])
def test_r_b18_a_teams_table_shows_no_hand_but_the_own(asks: bool) -> None:
    """Two games that differ in what team mates hold, in the buffalo's cards and in its pile look the same."""
    game = Buffalo(players=3)
    start = (
        "10 12 | 20 22 | 60 | 70 ; A: 61 80 81 ; B: 71 {} ; C: 75 {} ; D+: {} ; buffalo: 25 {} ; specials: swap push"
    )
    scenes = []
    for hidden in (("5 6", "7 8", "33 1", "90 91"), ("98 99", "6 101", "44 2", "5 7")):
        table = Table(game, lambda view: 71 if 71 in view.hand else 75 if 75 in view.hand else view.hand[0], asks=asks)
        table.begin(Record(game, start=start.format(*hidden)))
        table.play("61")
        scenes.append(json.dumps(table.scene))
        if not asks:  # a swap could change nothing in this turn
            assert table.record.final.rows[2] == (60, 61) and table.record.final.pending[0].options == (80, 81)
            continue
        table.play("25!swap:A")
        scenes.append(json.dumps(table.scene))
        assert table.record.final.pending[0].options == (80, 81)
        assert "instead of 61" in scenes[-1]
    half = len(scenes) // 2
    assert scenes[:half] == scenes[half:]


def test_seats_and_bots_must_fit_the_game() -> None:
    with refused(RulesError, "shared.no_seat_to", who=3):
        Table(Classic(players=3), seat=3)
    with refused(RulesError, "screens.players_bots_needed", players=3, count=2, got=1):
        Table(Classic(players=3), ["random"])


@pytest.mark.parametrize(
    "message", [{}, {"type": "fly"}, {"type": "choose", "ply": 0}, {"type": "choose", "ply": 0, "choice": "@9"}]
)
def test_nonsense_from_the_browser_changes_nothing(message: dict[str, Any]) -> None:
    table = Table(Classic(players=3), middle)
    said: list[Any] = []
    table.send = lambda content, buffers=None: said.append(content)
    table._handle_custom_msg({"path": [], "message": message}, [])
    assert [answer["message"]["type"] for answer in said] == ["refused"]
    assert table.record.choices == ()

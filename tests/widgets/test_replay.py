"""Replay in a browser: stepping, scrubbing, the log, what-if, every system."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nimmt_lab import Classic, Record
from nimmt_lab.widgets import Replay
from tests.catalogue import explained, on_board
from tools.browser import Stage

from .conftest import Open
from .games import SYSTEMS, recorded

pytestmark = pytest.mark.browser


def rows(page: Page) -> list[list[int]]:
    """The cards on the board, row by row."""
    read = """() => [...document.querySelectorAll(".nl-lane")].map((lane) =>
      [...lane.querySelectorAll(".nl-slot [data-card]")].map((card) => Number(card.dataset.card)))"""
    found: list[list[int]] = page.evaluate(read)
    return found


def frame_rows(replay: Replay, at: int) -> list[list[int]]:
    scene = replay.scene
    return [[card for card in scene["pool"][row]["cards"] if card] for row in scene["frames"][at]["rows"]]


def place(page: Page) -> int:
    return int(page.locator(".nl-place").inner_text().split("/")[0]) - 1


def log_line(page: Page) -> int:
    marked = page.locator(".nl-log [aria-current]")
    assert marked.count() == 1
    return int(marked.get_attribute("data-at") or -1)


def in_step(opened: Stage, replay: Replay, at: int) -> None:
    """Board, log, sentence and controls all show frame `at`."""
    page = opened.page
    assert place(page) == at
    assert log_line(page) == at
    assert page.locator(".nl-scrub").input_value() == str(at)
    assert page.locator(".nl-say .nl-sentence").inner_text() == replay.scene["frames"][at]["text"]
    assert rows(page) == frame_rows(replay, at)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_replays_to_its_end(stage: Open, name: str) -> None:
    replay = Replay(recorded(name))
    opened = stage(replay)
    last = len(replay.scene["frames"]) - 1
    for at in {0, last // 3, last // 2, last - 1, last}:
        replay.at = at
        opened.settle()
        in_step(opened, replay, at)


@pytest.mark.smoke
def test_keys_step_and_jump(stage: Open) -> None:
    replay = Replay(recorded("classic"))
    opened = stage(replay)
    page = opened.page
    page.locator(".nl-replay").focus()
    last = len(replay.scene["frames"]) - 1
    for key, at in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("ArrowRight", last)]:
        page.keyboard.press(key)
        in_step(opened, replay, at)
    page.keyboard.press("Home")
    in_step(opened, replay, 0)
    groups = [frame["group"] for frame in replay.scene["frames"]]
    page.keyboard.press("ArrowDown")
    in_step(opened, replay, groups.index("1"))
    page.keyboard.press("ArrowDown")
    in_step(opened, replay, groups.index("2"))
    page.keyboard.press("ArrowUp")
    in_step(opened, replay, groups.index("1"))


def test_every_step_of_a_game_shows_its_frame(stage: Open) -> None:
    replay = Replay(recorded("jumping_cow"))
    opened = stage(replay)
    opened.page.locator(".nl-replay").focus()
    for at in range(1, 60):
        opened.page.keyboard.press("ArrowRight")
        assert rows(opened.page) == frame_rows(replay, at)
        assert log_line(opened.page) == at


def test_stepping_never_asks_python(stage: Open) -> None:
    replay = Replay(recorded("classic"))
    opened = stage(replay)
    # All in one go: between two calls of this test, a busy machine may let the page report where it is.
    opened.page.locator(".nl-replay").evaluate(
        """node => {
          node.focus();
          const init = { key: "ArrowRight", bubbles: true, cancelable: true };
          for (let press = 0; press < 30; press++) node.dispatchEvent(new KeyboardEvent("keydown", init));
        }"""
    )
    in_step(opened, replay, 30)
    opened.until(lambda: replay.at == 30)
    assert opened.clicks == [] and opened.received[1:] == [{"path": [], "data": {"at": 30}}]
    assert replay.at == 30


def test_buttons_scrub_bar_and_log_lead_to_the_same_place(stage: Open) -> None:
    replay = Replay(recorded("classic"))
    opened = stage(replay)
    page = opened.page
    page.locator("[data-do=next]").click()
    in_step(opened, replay, 1)
    page.locator("[data-do=last]").click()
    in_step(opened, replay, len(replay.scene["frames"]) - 1)
    page.locator("[data-do=first]").click()
    assert page.locator("[data-do=previous]").is_disabled()
    page.locator(".nl-scrub").fill("17")
    in_step(opened, replay, 17)
    page.locator(".nl-log [data-at='9']").click()
    in_step(opened, replay, 9)
    page.locator(".nl-scrub").fill("25")
    in_step(opened, replay, 25)
    page.locator(".nl-scrub").focus()
    page.keyboard.press("ArrowRight")
    in_step(opened, replay, 26)


def test_nothing_is_listed_before_it_happens(stage: Open) -> None:
    replay = Replay(recorded("classic"))
    opened = stage(replay)
    page = opened.page
    told = [frame["text"] for frame in replay.scene["frames"]]
    for at in (0, 7, 3):
        page.locator(".nl-scrub").fill(str(at))
        lines = page.locator(".nl-log-line:visible").all_inner_texts()
        assert len(lines) == at + 1 and lines[1:] == told[1 : at + 1]


def test_a_take_can_be_followed_card_by_card(stage: Open) -> None:
    replay = Replay(recorded("classic"))
    frames = replay.scene["frames"]
    at = next(at for at, frame in enumerate(frames) if (frame.get("focus") or {}).get("taken"))
    focus = frames[at]["focus"]
    page = stage(Replay(recorded("classic"), at=at)).page
    assert rows(page)[focus["rows"][0]] == [], "the row is being taken"
    leaving = page.locator(".nl-leaving")
    assert leaving.all_inner_texts() == [str(card) for card in focus["taken"]]
    assert page.locator(f".nl-queue [data-card='{focus['cards'][0]}']").count() == 1, "and its card is on its way"


def test_the_log_follows_without_scrolling_the_page(stage: Open) -> None:
    opened = stage(Replay(recorded("classic")))
    page = opened.page
    page.locator(".nl-replay").focus()
    page.keyboard.press("End")
    assert page.evaluate("window.scrollY") == 0
    box, line = page.locator(".nl-log").bounding_box(), page.locator(".nl-log [aria-current]").bounding_box()
    assert box and line
    assert box["y"] <= line["y"] and line["y"] + line["height"] <= box["y"] + box["height"] + 1


def test_space_plays_and_pauses(stage: Open) -> None:
    opened = stage(Replay(recorded("classic")))
    page = opened.page
    for _ in range(2):
        page.locator("[data-do=speed]").click()
    assert page.locator("[data-do=speed]").inner_text() == "4×"
    page.locator(".nl-replay").focus()
    page.keyboard.press(" ")
    assert page.locator("[data-do=play]").get_attribute("aria-label") == on_board("pause").pattern
    page.wait_for_function("document.querySelector('.nl-scrub').value >= 2")
    page.keyboard.press(" ")
    assert page.locator("[data-do=play]").get_attribute("aria-label") == on_board("play").pattern
    stopped = place(page)
    page.wait_for_timeout(400)
    assert place(page) == stopped


def test_movement_ends_where_the_frame_is(stage: Open) -> None:
    replay = Replay(recorded("classic"))
    opened = stage(replay, motion=True)
    page = opened.page
    page.locator(".nl-replay").focus()
    page.keyboard.press("ArrowRight")  # the reveal: cards glide from the hands
    assert page.evaluate("document.getAnimations().length") > 0
    for _ in range(12):  # faster than any movement
        page.keyboard.press("ArrowRight")
    page.wait_for_function("document.getAnimations().length === 0")
    in_step(opened, replay, 13)
    assert page.locator(".nl-flying").count() == 0
    page.keyboard.press("Home")  # until then, cards that moved last lie above the others
    assert page.locator(".nl-moving").count() == 0


def test_without_motion_a_ring_marks_what_changed(stage: Open) -> None:
    replay = Replay(recorded("classic"))
    placed = next(
        at for at, frame in enumerate(replay.scene["frames"]) if frame.get("focus", {}).get("kind") == "place"
    )
    opened = stage(Replay(recorded("classic"), at=placed))
    assert opened.page.evaluate("document.getAnimations().length") == 0
    ringed = opened.page.locator(".nl-rows .nl-ring").get_attribute("data-card")
    assert ringed == str(replay.scene["frames"][placed]["focus"]["cards"][0])


def test_a_trap_has_a_striped_ring_a_sign_and_the_tutors_sentence(stage: Open) -> None:
    replay = Replay(recorded("classic"))
    at = next(at for at, frame in enumerate(replay.scene["frames"]) if frame.get("trap"))
    opened = stage(Replay(recorded("classic"), at=at))
    page = opened.page
    assert page.locator(".nl-ring-trap").count() >= 1
    assert page.locator(".nl-ring-trap").first.evaluate("(node) => getComputedStyle(node).outlineStyle") == "dashed"
    assert "⚠" in page.locator(".nl-log [aria-current]").evaluate(
        "(node) => getComputedStyle(node, '::before').content"
    )
    assert explained("why.met").search(page.locator(".nl-say").inner_text())


def test_hidden_hands_are_not_in_the_page(stage: Open) -> None:
    opened = stage(Replay(recorded("classic"), seats=[1]))
    hands = opened.page.locator(".nl-hand")
    assert [hands.nth(seat).locator("[data-card]").count() for seat in range(4)] == [0, 10, 0, 0]
    assert hands.nth(0).locator(".nl-back").count() == 10


def test_pointing_at_a_hand_card_aims_it(stage: Open) -> None:
    state = Classic(players=2).from_position("12 | 37 | 41 | 35 36 38 40 42 ; A: 14 45 ; B: 15 30", ordered=False)
    opened = stage(Replay(state))
    page = opened.page
    page.locator(".nl-hand [data-card='45']").hover()
    chips = page.locator(".nl-lane").evaluate_all(
        "(lanes) => lanes.map((lane) => lane.querySelector('.nl-diff')?.textContent ?? null)"
    )
    assert chips == ["+33", "+8", "+4", "+3"]
    assert page.locator(".nl-target").get_attribute("data-row") == "3"
    taking = on_board("aim_takes", card=45, number=6, row=4, heads=8).pattern
    closest = on_board("aim", end=42, difference=3).pattern
    assert re.fullmatch(f"{taking} · {closest}", page.locator(".nl-aim-text").inner_text())
    page.locator(".nl-title").hover()
    expect(page.locator(".nl-diff")).to_have_count(0)


def decision(replay: Replay, ply: int) -> int:
    """The frame at which choice number `ply` is asked for."""
    return next(at for at, frame in enumerate(replay.scene["frames"]) if frame.get("ply") == ply)


def by_seat(opened: Stage) -> list[dict[str, str]]:
    found: list[dict[str, str]] = opened.clicks[-1]["choices"]
    return found


def test_what_if_goes_another_way_plays_on_and_comes_back(stage: Open) -> None:
    record = recorded("classic")
    replay = Replay(record)
    opened = stage(replay)
    page = opened.page
    at = decision(replay, 2)
    page.locator(".nl-scrub").fill(str(at))
    page.locator("[data-do=what-if]").click()
    state = record.steps[2].before
    played = record.steps[2].choices
    assert page.locator(".nl-question").count() == len(state.pending)
    pressed = page.locator(".nl-question[data-seat='0'] [aria-pressed=true]").get_attribute("data-option")
    assert pressed == str(played[0])  # what was played stands ready
    other = next(card for card in state.hands[0] if card != played[0])
    page.locator(f".nl-question[data-seat='0'] [data-option='{other}']").click()
    page.locator("[data-do=play-this]").click()
    opened.hear(1)
    assert by_seat(opened)[0]["0"] == str(other)
    after, events = state.choose({**played, 0: other})
    assert rows(page) == [list(row) for row in after.rows]
    assert page.locator(".nl-branching").count() == 1
    assert page.locator(".nl-log-branch").count() >= 1

    if page.locator("[data-do=what-if]").get_attribute("aria-expanded") == "false":
        page.locator("[data-do=what-if]").click()
    usual = page.locator(".nl-question[data-seat='1'] [aria-pressed=true]").get_attribute("data-option")
    assert usual == str(record.steps[3].choices[1])  # who still can plays as in the game
    page.locator("[data-do=play-this]").click()  # and continue from there
    opened.hear(2)
    assert len(by_seat(opened)) == 2
    further = {
        seat: after.pending[seat].read(text) for seat, text in ((int(s), t) for s, t in by_seat(opened)[1].items())
    }
    assert rows(page) == [list(row) for row in after.choose(further)[0].rows]

    page.locator("[data-do=back]").click()
    in_step(opened, replay, at)
    assert page.locator(".nl-branching").count() == 0
    page.keyboard.press("ArrowRight")
    in_step(opened, replay, at + 1)
    assert len(events) > 0


def test_what_if_by_keys_alone(stage: Open) -> None:
    replay = Replay(recorded("classic"))
    opened = stage(replay)
    page = opened.page
    page.locator("[data-do=what-if]").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    chosen = page.evaluate("document.activeElement.dataset.option")
    page.locator("[data-do=play-this]").focus()
    page.keyboard.press("Enter")
    opened.hear(1)
    assert by_seat(opened)[0]["0"] == chosen
    page.keyboard.press("Escape")
    in_step(opened, replay, 0)


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_if_works_in_every_system(stage: Open, name: str) -> None:
    record = recorded(name)
    replay = Replay(record)
    opened = stage(replay)
    page = opened.page
    for count, ply in enumerate((0, len(record.choices) // 2, len(record.choices) - 1), 1):
        at = decision(replay, ply)
        page.locator(".nl-scrub").fill(str(at))
        if page.locator("[data-do=play-this]").count() == 0:
            page.locator("[data-do=what-if]").click()
        page.locator("[data-do=play-this]").click()  # as it was played: the same must happen again
        opened.hear(count)
        step = record.steps[ply]
        assert rows(page) == [[card for card in row if card] for row in step.state.rows]
        page.keyboard.press("Escape")


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": "what_if"},
        {"type": "what_if", "ply": 999, "choices": [{}]},
        {"type": "what_if", "ply": 0, "choices": []},
        {"type": "what_if", "ply": 0, "choices": ["x"]},
        {"type": "what_if", "ply": 0, "choices": [{"0": "banana"}]},
        {"type": "what_if", "ply": 0, "choices": [{"0": "1"}]},
    ],
)
def test_nonsense_from_the_browser_is_refused_in_words(message: dict[str, Any]) -> None:
    replay = Replay(recorded("classic"))
    said: list[Any] = []
    replay.send = lambda content, buffers=None: said.append(content)
    replay._handle_custom_msg({"path": [], "message": message}, [])
    assert [answer["message"]["type"] for answer in said] == ["refused"]
    assert said[0]["message"]["text"]


def test_names_and_comments_never_become_markup(stage: Open) -> None:
    evil = '<img src=x onerror="window.hacked=1">'
    state = Classic(players=2, rounds=1).deal(seed=1)
    choices = ({seat: hand[0] for seat, hand in enumerate(state.hands)},)
    record = Record(state.game, choices, 1, tags={"A": evil, "B": "</script><script>window.hacked=1</script>"})
    opened = stage(Replay(record))
    page = opened.page
    page.locator(".nl-replay").focus()
    page.keyboard.press("End")
    assert evil in page.locator(".nl-name").first.inner_text()
    assert evil in page.locator(".nl-log").inner_text()
    assert page.locator("#holder img, #holder script").count() == 0
    assert page.evaluate("window.hacked") is None


def test_leaving_lets_go_of_everything(stage: Open) -> None:
    opened = stage(Replay(recorded("classic")))
    page = opened.page
    page.locator(".nl-replay").focus()
    page.keyboard.press(" ")
    assert page.evaluate("model.count()") == 1
    page.evaluate("cleanup()")
    assert page.evaluate("model.count()") == 0
    assert page.locator(".nl").count() == 0
    page.wait_for_timeout(1200)  # the play timer would have fired and failed by now


def test_the_buttons_step_both_ways_and_a_rule_is_said_when_it_is_clicked(stage: Open) -> None:
    replay = Replay(recorded("classic"))
    frames = replay.scene["frames"]
    opened = stage(replay)
    page = opened.page
    at = next(at for at, frame in enumerate(frames) if frame["rule_text"] and frame["focus"]["kind"] == "place")
    for _ in range(at + 1):
        page.locator("[data-do='next']").click()
    in_step(opened, replay, at + 1)
    page.locator("[data-do='previous']").click()
    in_step(opened, replay, at)
    rule = page.locator(".nl-rule")
    expect(rule).to_have_text(frames[at]["rule_name"])
    expect(page.locator(".nl-ruling")).to_be_hidden()
    rule.click()
    expect(page.locator(".nl-ruling")).to_have_text(frames[at]["rule_text"])
    expect(page.locator(".nl-ruling")).to_be_visible()


#: The board as it is drawn, without what movement and numbering leave behind.
DRAWN = """() => {
  const copy = document.querySelector(".nl-replay").cloneNode(true);
  for (const node of copy.querySelectorAll(".nl-log, .nl-ask, .nl-ask-bar")) node.remove();
  for (const node of [copy, ...copy.querySelectorAll("*")]) {
    node.setAttribute("class", [...node.classList].filter((name) => name !== "nl-moving").sort().join(" "));
    for (const name of ["id", "fill"]) {
      if (node.hasAttribute(name)) node.setAttribute(name, node.getAttribute(name).replace(/nl-strip-\\d+/, "strip"));
    }
    const sorted = [...node.attributes].map(({ name, value }) => [name, value]).sort();
    for (const [name] of sorted) node.removeAttribute(name);
    for (const [name, value] of sorted) node.setAttribute(name, value);
  }
  return copy.outerHTML.replaceAll(' class=""', "");
}"""

STEPS = """(steps) => {
  const board = document.querySelector(".nl-replay");
  for (let i = 0; i < steps; i += 1) board.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
}"""


@pytest.mark.parametrize("name", ["classic-10", "mountain", "buffalo", "baron", "board-advanced-luck"])
def test_a_frame_stepped_to_looks_as_one_opened(stage: Open, name: str) -> None:
    """Stepping draws only what differs from the frame before."""
    record = recorded(name)
    opened = stage(Replay(record))
    last = len(opened.widget.scene["frames"]) - 1
    wanted = sorted({last * part // 8 for part in range(9)})
    stepped, at = {}, 0
    for to in wanted:
        opened.page.evaluate(STEPS, to - at)
        stepped[to], at = opened.page.evaluate(DRAWN), to
    for at in wanted:
        assert stage(Replay(record, at=at)).page.evaluate(DRAWN) == stepped[at], at

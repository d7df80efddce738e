"""How the boards look and feel: contrast, themes, narrow cells, keyboard focus, what a screen reader hears."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect, Page

from nimmt_lab import Classic
from nimmt_lab.boards.words import board_words
from nimmt_lab.explain import LANGUAGES
from nimmt_lab.games.buffalo.rules import Buffalo
from nimmt_lab.widgets import Exercise, NumberLine, Replay, Table
from tests.catalogue import explained

from .conftest import Open
from .games import SYSTEMS, recorded

pytestmark = pytest.mark.browser

# Contrast of every text with what lies behind it, by the formula of the accessibility guidelines.
CONTRAST = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const linear = (part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = parse(getComputedStyle(node).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.5) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  const note = (node, ink, ground) => {
    const found = ratio(ink, ground);
    if (found < 4.5) poor.push(`${node.getAttribute("class")} "${node.textContent.slice(0, 20)}" ${found.toFixed(2)}`);
  };
  let texts = 0;
  for (const node of document.querySelectorAll(".nl *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!own || !node.getClientRects().length) continue;
    texts += 1;
    if (node instanceof SVGElement) {
      const ink = parse(getComputedStyle(node).fill);
      if (node.classList.contains("nl-band-text")) {
        for (const band of document.querySelectorAll("[class^=nl-fill-]")) note(node, ink, parse(getComputedStyle(band).fill));
      } else if (node.closest(".nl-coloured")) note(node, ink, parse(getComputedStyle(node.previousElementSibling).fill));
      else note(node, ink, behind(node.closest(".nl")));
    } else {
      const notch = node.closest(".nl-notch");
      const ground = notch ? parse(getComputedStyle(notch, "::before").backgroundColor) : behind(node);
      note(node, parse(getComputedStyle(node).color), ground);
    }
  }
  return [texts, [...new Set(poor)]];
}"""


def poor_contrast(page: Page) -> list[str]:
    texts, poor = page.evaluate(CONTRAST)
    assert texts > 20
    found: list[str] = poor
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_text_of_a_replay_can_be_read(stage: Open, name: str, theme: str) -> None:
    replay = Replay(recorded(name))
    opened = stage(replay, theme=theme)
    page = opened.page
    assert page.locator(".nl-replay").get_attribute("data-theme") == theme
    last = len(replay.scene["frames"]) - 1
    trap = next((at for at, frame in enumerate(replay.scene["frames"]) if frame.get("trap")), 1)
    for at in (trap, last // 2):
        replay.at = at
        opened.settle()
        assert poor_contrast(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_of_choosing_hinting_and_answering_can_be_read(stage: Open, theme: str) -> None:
    table = Table(Buffalo(players=4), seed=5, asks=True)
    opened = stage(table, theme=theme)
    opened.page.locator(".nl-option").nth(3).click()
    opened.hear(1)
    for summary in opened.page.locator("summary").all():
        summary.click()
        name = summary.locator("span").first.inner_text()
        texts = [one["text"] for one in table.scene["signs"] if one.get("name") == name]
        assert texts == summary.locator("xpath=..").locator(".nl-note-line").all_inner_texts()[: len(texts)] != []
    assert poor_contrast(opened.page) == []
    opened = stage(Table(Classic(players=4), seed=5, hints=True), theme=theme)
    opened.page.locator(".nl-option").nth(2).hover()
    assert [text for text in poor_contrast(opened.page) if "nl-number" not in text] == []
    exercise = Exercise(Classic(players=4), kinds=["takes"], seed=5, difficulty=2)
    opened = stage(exercise, theme=theme)
    for count, choice in enumerate(exercise.question.choices, 1):
        opened.page.locator(f"[data-option='{choice}']").click()
        opened.hear(count)
        assert poor_contrast(opened.page) == []
        if choice in exercise.question.right:
            break


def test_the_board_follows_a_change_of_theme(stage: Open) -> None:
    opened = stage(Replay(recorded("classic")), theme="light")
    page = opened.page
    page.evaluate("document.body.style.background = '#111'")
    page.wait_for_function("document.querySelector('.nl').dataset.theme === 'dark'")
    page.evaluate("document.body.style.background = '#fff'")
    page.wait_for_function("document.querySelector('.nl').dataset.theme === 'light'")


def overflow(page: Page) -> list[str]:
    """What sticks out of the page to the right."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".nl *")].filter((node) => !node.closest("svg") &&
             node.getClientRects().length && node.getBoundingClientRect().right > innerWidth + 0.5 &&
             !node.closest(".nl-strip")).map((node) => node.getAttribute("class"))"""
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    return found


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_cell_of_320_pixels_is_enough(stage: Open, name: str) -> None:
    replay = Replay(recorded(name), lang="pl")
    opened = stage(replay, width=320)
    for at in (0, len(replay.scene["frames"]) // 2, len(replay.scene["frames"]) - 1):
        replay.at = at
        opened.settle()
        assert overflow(opened.page) == []
    cards = opened.page.locator(".nl-rows .nl-card").first.bounding_box()
    assert cards is not None and cards["width"] >= 33.9


@pytest.mark.parametrize("name", ["classic-10", "buffalo", "baron", "board-advanced-luck"])
def test_playing_and_practising_fit_into_320_pixels(stage: Open, name: str) -> None:
    opened = stage(Table(SYSTEMS[name], seed=1, lang="cs"), width=320)
    assert overflow(opened.page) == []
    opened = stage(Exercise(SYSTEMS[name], kinds=["row"], seed=1), width=320)
    assert overflow(opened.page) == []


def test_the_log_is_beside_the_board_and_moves_below_it_when_narrow(stage: Open) -> None:
    def boxes(width: int) -> tuple[FloatRect, FloatRect]:
        page = stage(Replay(recorded("classic")), width=width).page
        board, log = page.locator(".nl-board").bounding_box(), page.locator(".nl-log").bounding_box()
        assert board and log
        return board, log

    board, log = boxes(640)
    assert log["x"] >= board["x"] + board["width"]
    board, log = boxes(540)
    assert log["y"] >= board["y"] + board["height"]


def test_focus_is_always_visible(stage: Open) -> None:
    opened = stage(Table(Classic(players=4), seed=5))
    page = opened.page
    look = "(node) => [getComputedStyle(node).outlineStyle, getComputedStyle(node).outlineWidth]"
    stops = 0
    while True:
        page.keyboard.press("Tab")
        if page.locator(".nl:focus, .nl :focus").count() == 0:
            break
        stops += 1
        assert page.locator(".nl:focus, .nl :focus").last.evaluate(look) == ["solid", "3px"]
    assert stops >= 3  # the board, the cards, the buttons


def test_looking_at_a_card_with_the_keyboard_shows_where_it_goes(stage: Open) -> None:
    opened = stage(Table(Classic(players=4), seed=5))
    page = opened.page
    page.locator(".nl-option").first.focus()
    seen = set()
    for _ in range(10):
        seen.add(page.locator(".nl-aim-text").inner_text())
        assert page.locator(".nl-mark").count() == 1  # and on the number line
        page.keyboard.press("ArrowRight")
    assert len(seen) == 10


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_step_is_told_to_who_listens(stage: Open, lang: str) -> None:
    opened = stage(Replay(recorded("classic"), lang=lang))
    page = opened.page
    say = page.locator(".nl-say")
    assert say.get_attribute("aria-live") == "polite" and say.get_attribute("role") == "status"
    board = page.locator(".nl-replay")
    assert board.get_attribute("lang") == lang
    board.focus()
    page.keyboard.press("ArrowRight")
    assert explained("table.revealed", lang, turn=1).search(say.inner_text())


def test_everything_that_can_be_used_has_a_name(stage: Open) -> None:
    for widget in (
        Replay(recorded("classic")),
        Table(Buffalo(players=3), seed=1, asks=True),
        Exercise(Classic(players=3), seed=1),
    ):
        page = stage(widget).page
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("button, input, [role=group], [role=img], nav, section")].filter((node) =>
                 !(node.getAttribute("aria-label") || node.textContent.trim())).map((node) => node.outerHTML.slice(0, 80))"""
        )
        assert nameless == []


@pytest.mark.parametrize("name", ["mountain", "jumping_cow", "buffalo", "baron", "board-basic", "board-advanced-luck"])
def test_every_sign_is_explained_by_keys_and_by_a_tap(stage: Open, name: str) -> None:
    replay = Replay(recorded(name))
    replay.at = 2 if name == "buffalo" else len(replay.scene["frames"]) // 2  # special cards are used up early
    page = stage(replay).page
    page.locator("[data-do='signs']").focus()
    page.keyboard.press("Enter")
    # A sign is a pictogram with what is written around it; a badge has a number too, which is not the sign.
    page.evaluate(
        """() => { window.signOf = (node, text = node.textContent) =>
             [node.querySelector("[data-icon]")?.dataset.icon, text].filter(Boolean).join(" "); }"""
    )
    lines = dict(
        page.evaluate(
            "[...document.querySelectorAll('.nl-signs li')].map((line) => [signOf(line.children[0]), line.children[1].textContent])"
        )
    )
    signs = page.evaluate(
        """() => [...document.querySelectorAll(".nl-field, .nl-lost, .nl-coloured text, .nl-item-special b")]
             .map((node) => [signOf(node), node.closest("[title]")?.title ?? ""]).filter(([sign]) => sign)"""
    )
    badges = page.evaluate("[...document.querySelectorAll('.nl-badge')].map((node) => signOf(node, ''))")
    assert signs or badges or name == "mountain"
    for sign, words in signs:
        assert len(lines[sign]) > 2 and words in lines[sign], sign
    assert set(badges) <= set(lines)
    page.keyboard.press("Escape")
    assert page.locator(".nl-signs:visible").count() == 0
    assert page.evaluate("document.activeElement.dataset.do") == "signs"
    assert page.locator(".nl-aim-text").inner_text() == ""
    titled = page.locator(".nl-rows [title]").first
    titled.click()
    assert page.locator(".nl-aim-text").inner_text() == titled.get_attribute("title")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_signs_are_told_apart_in_every_language(lang: str) -> None:
    for name in SYSTEMS:
        signs = Replay(recorded(name), lang=lang).scene["signs"]
        told = [(one["sign"], one.get("name", "")) for one in signs]
        assert len(set(told)) == len(told) >= 2 and all(one["text"] for one in signs), name
    special = {one.get("name"): one["text"] for one in Replay(recorded("buffalo")).scene["signs"]}
    say = board_words("en")
    assert special[say("special.swap")] == say("rule_text.buffalo.swap")


# The number line -----------------------------------------------------------------------------------------


def test_the_number_line_alone_is_walked_by_keys(stage: Open) -> None:
    state = Classic(players=2).from_position("12 | 37 | 43 | 35 36 38 40 58 ; A: 14 45 ; B: 15 30", ordered=False)
    line, say = NumberLine(state, value=45), board_words("en")
    opened = stage(line)
    page = opened.page
    strip = page.locator(".nl-strip")
    words = [f"45 → {say('row', row=3)}: 44–57", say("unseen_before", end=58, count=13), say("free", count=4)]
    assert strip.get_attribute("aria-valuetext") == " · ".join(words)
    strip.focus()
    page.keyboard.press("End")
    assert strip.get_attribute("aria-valuenow") == "104"
    assert say("place_taking", number=6) in page.locator(".nl-strip-words").inner_text()
    page.keyboard.press("Home")
    assert page.locator(".nl-strip-words").inner_text() == say("aim_low", card=1)
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowRight")
    opened.until(lambda: line.value == 12)
    line.value = 45
    opened.settle()
    assert strip.get_attribute("aria-valuenow") == "45"


def test_the_line_breaks_into_more_lines_when_narrow(stage: Open) -> None:
    state = Classic(players=2).deal(seed=1)
    lines = {}
    for width in (900, 320):
        page = stage(NumberLine(state), width=width).page
        page.wait_for_function(
            "() => document.querySelector('.nl-strip svg')?.getBoundingClientRect().width <= innerWidth"
        )
        lines[width] = page.locator(".nl-strip svg").evaluate("(svg) => svg.getBoundingClientRect().height")
    assert lines[320] > 2 * lines[900]


def test_own_cards_seen_cards_and_full_rows_show_on_the_line(stage: Open) -> None:
    state = Classic(players=2).from_position("12 | 37 | 43 | 35 36 38 40 58 ; A: 14 45 ; B: 15 30", ordered=False)
    page = stage(NumberLine(state)).page
    assert page.locator(".nl-tick").count() == 2
    assert page.locator(".nl-tick-text").all_text_contents() == ["14", "45"]
    assert page.locator(".nl-end-text").all_text_contents() == ["12", "37", "43", "58"]
    assert page.locator(".nl-legend-row.nl-full").count() == 1
    seen = page.locator(".nl-cell-seen").get_attribute("d") or ""
    assert seen.count("M") == 10  # eight on the table, two in the hand


@pytest.mark.parametrize("width", [320, 390, 640, 900])
@pytest.mark.parametrize(("rows", "places"), [(1, 1), (8, 5), (8, 9)])
def test_other_numbers_of_rows_and_places_fit(stage: Open, rows: int, places: int, width: int) -> None:
    """The board draws what the data say; here they say more (or fewer) than any game of ours."""
    replay = Replay(recorded("classic"), at=-1)
    scene = replay.scene
    first = len(scene["pool"])
    cards = [[100 - 10 * row + at for at in range(min(places, 9))] for row in range(rows)]
    row = scene["pool"][scene["frames"][-1]["rows"][0]]
    scene["pool"] += [{**row, "cards": held, "places": places, "takes": places + 1} for held in cards]
    for frame in scene["frames"]:
        frame |= {"rows": [first + at for at in range(rows)], "zones": scene["frames"][0]["zones"], "focus": None}
    replay.show(scene=scene)
    page = stage(replay, width=width).page
    assert page.locator(".nl-lane").count() == rows
    assert page.locator(".nl-slot").count() == rows * places
    assert overflow(page) == []
    inside = """() => [...document.querySelectorAll(".nl-lane")].every((lane) =>
      [...lane.children].every((node) => node.getBoundingClientRect().right <= lane.getBoundingClientRect().right + 1))"""
    assert page.evaluate(inside)


def test_many_hands_lie_below_the_board_in_lines(stage: Open) -> None:
    page = stage(Replay(recorded("classic-10")), width=900).page
    board, hands = page.locator(".nl-board").bounding_box(), page.locator(".nl-hands").bounding_box()
    assert board and hands and hands["y"] > board["y"] + board["height"] and hands["height"] < 400
    boxes = [box.bounding_box() for box in page.locator(".nl-hand").all()]
    assert len(boxes) == 10 and all(box and box["height"] < 60 for box in boxes), "a line each"

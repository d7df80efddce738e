"""Cards look the same on screen as on paper: photographs of both, side by side."""

from __future__ import annotations

import pytest

from nimmt_lab import Classic
from nimmt_lab.boards.picture import drawn_card
from nimmt_lab.engine.game import Game
from nimmt_lab.games.baron.rules import Baron
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.rl.pixels import decoded
from nimmt_lab.widgets import Replay
from tests.support import random_record

from .conftest import Open

pytestmark = pytest.mark.browser

#: The same card, once as the screen has it and once as paper has it, alone on the page and of one size.
ALONE = """([card, paper, width]) => {
  document.getElementById("alone")?.remove();
  const shown = document.querySelector(`.nl-rows [data-card="${card}"]`);
  const nl = document.createElement("div");
  nl.className = "nl";
  nl.style.cssText = `--cw: ${width}px; padding: 0; width: ${width}px; background: #ffffff;`;
  const copy = shown.cloneNode(true);
  copy.style.cssText = "box-shadow: none;";
  copy.className = [...shown.classList].filter((name) => !name.includes("ring")).join(" ");
  nl.append(copy);
  const other = document.createElement("div");
  other.style.cssText = `width: ${width}px; background: #ffffff; font-family: ${getComputedStyle(copy).fontFamily}`;
  other.innerHTML = `<svg viewBox="0 0 ${width} ${width * 1.4}" width="${width}" height="${width * 1.4}" style="display:block">${paper}</svg>`;
  const box = document.createElement("div");
  box.id = "alone";
  box.style.cssText = "position: fixed; left: 0; top: 0; z-index: 99; background: #ffffff;";
  box.append(nl, other);
  document.body.append(box);
  return copy.getBoundingClientRect().height;
}"""


@pytest.mark.parametrize(
    "game", [Classic(players=4, rounds=1), Baron(players=2), BoardGame(players=2)], ids=lambda g: g.name
)
def test_a_card_on_screen_is_the_card_on_paper(stage: Open, game: Game) -> None:
    record = random_record(game, seed=2, choices=6)
    replay = Replay(record, at=-1)
    opened = stage(replay)
    scene = replay.screen.scene
    width = 120
    cards = [card for at in scene["frames"][-1]["rows"] for card in scene["pool"][at]["cards"] if card]
    faces = scene["faces"]
    for card in cards[:4]:
        other = next(one for one in faces["heads"] if faces["heads"][one] != faces["heads"][str(card)])
        apart = []
        for drawn in (card, int(other)):
            height = opened.page.evaluate(ALONE, [card, drawn_card(scene, drawn, width=width), width])
            picture = decoded(opened.page.screenshot(clip={"x": 0, "y": 0, "width": width, "height": height * 2}))
            # Without the edges, where paper has a line and the screen a shadow.
            half = picture.shape[0] // 2
            screen, paper = picture[4 : half - 9, 4:-4], picture[half + 4 : -9, 4:-4]
            apart.append(abs(screen.astype(float) - paper).mean())
        same, different = apart
        assert same < 8 and same * 4 < different, (card, apart)

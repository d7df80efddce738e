"""Words on the boards: the same keys and placeholders in every language, none unused, none missing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import BoardGame, Buffalo, all_games
from nimmt_lab.boards.describe import describer
from nimmt_lab.boards.film import Film
from nimmt_lab.boards.words import PACKAGE as BOARDS
from nimmt_lab.boards.words import board_words, labels
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.registry import chapters
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain.catalogue import LANGUAGES, own_catalogue
from nimmt_lab.games.baron.deck import COLOURS
from nimmt_lab.games.board_game.describe import _TILE_LABELS
from nimmt_lab.games.classic.fan_card import fan_cards
from nimmt_lab.screens.solver_panel import STATUS, UNSOLVED
from tests.support import refused

PACKAGE = Path(__file__).resolve().parents[2] / "nimmt_lab"
#: Keys that are put together from what they speak of.
MADE = {
    *(f"look.baron.{what}_{colour}" for what in ("letter", "colour") for colour in COLOURS.values()),
    *(
        f"look.board.field_{name}"
        for name in ("plain", "g", "gg", "r", "rr", "two", "tile", "action", "take", "take_tiles")
    ),
    *(f"look.board.sign_{name}" for name in ("take", "take_tiles")),
    *(f"look.board.{name}" for name in _TILE_LABELS),
    *(f"title.{name}" for name in (*all_games(), *fan_cards())),
    *(f"look.board.{how}_{what}" for how in ("ask", "you") for what in ("cards", "luck", "new_row", "tile", "two")),
    *("first", "previous", "play", "pause", "next", "last"),
}


def used_keys() -> set[str]:
    """What the boards and the browser ask for."""
    screens = (
        "exercise",
        "replay",
        "rounds",
        "rules",
        "solver_panel",
        "table",
    )  # the other screens have words of their own
    paths = [
        *PACKAGE.glob("boards/*.py"),
        *PACKAGE.glob("games/*/describe.py"),
        *(PACKAGE / "screens" / f"{name}.py" for name in screens),
    ]
    python = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    script = "\n".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "screens" / "js").glob("*.js"))
    found = set(re.findall(r'(?:words|self|say|message|template)\(\s*"([\w.]+)"', python)) | set(
        re.findall(r'labels\["(\w+)"\]', python)
    )
    found |= set(re.findall(r'words\("[\w.]+" if .*? else "([\w.]+)"', python))
    found |= set(re.findall(r"\blabels\.(\w+)", script))
    return (found | MADE | {*UNSOLVED.values(), *STATUS.values()}) - {*LANGUAGES}


def shown_keys(lang: str) -> dict[str, str]:
    """The boards' own words, and what chapters say on boards."""
    found = dict(own_catalogue(BOARDS, lang).messages)
    for chapter in chapters():
        own = own_catalogue(chapter, lang).messages
        found |= {key: text for key, text in own.items() if key.startswith(("look.", "title."))}
    return found


def test_every_label_is_used_and_every_used_label_exists() -> None:
    tutors = own_catalogue("nimmt_lab.explain", "en").messages.keys()
    chapters_own = {key for chapter in chapters() for key in own_catalogue(chapter, "en").messages}
    assert shown_keys("en").keys() - used_keys() == set()
    assert used_keys() - shown_keys("en").keys() - tutors - chapters_own == set()


@pytest.mark.parametrize("lang", ["pl", "cs"])
def test_translations_have_the_same_keys_and_places(lang: str) -> None:
    english, other = shown_keys("en"), shown_keys(lang)
    assert english.keys() == other.keys()
    for key, text in english.items():
        places = set(re.findall(r"\{(\w+)[^}]*\}", text))
        assert set(re.findall(r"\{(\w+)[^}]*\}", other[key])) == places, key
        assert other[key].strip()


@pytest.mark.parametrize("lang", ["pl", "cs"])
def test_translations_are_not_the_english_text(lang: str) -> None:
    english, other = shown_keys("en"), shown_keys(lang)
    same = {
        key
        for key, text in english.items()
        if other[key] == text and re.search(r"[a-z]{3}", re.sub(r"\{\w+\}", "", text))
    }
    assert same <= {"look.board.field_minus", "look.board.field_plus"}


def test_no_two_rooms_or_chapters_say_the_same_key() -> None:
    for lang in LANGUAGES:
        assert board_words(lang)("row", row=1)  # merging them rejects a key that appears twice


def test_the_browser_is_told_the_boards_own_words_only() -> None:
    assert "row" in labels("en") and not any("." in key for key in labels("en"))


def test_an_unknown_language_is_refused() -> None:
    with refused(RulesError, "shared.no_language", lang="'de'"):
        board_words("de")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_is_asked_is_spoken_to(lang: str) -> None:
    """Whatever a single person at the table may be asked is said to them, not about them, in every game."""
    asked: set[tuple[str, str]] = set()
    games = [game(players=max(2, game.for_players[0])) for game in all_games().values()]
    games.append(BoardGame(players=3, mode="advanced", luck=True))
    games.append(Buffalo(players=2))
    for game in games:
        for seed in range(3):
            state, rng = game.deal(seed), Rng.from_seed(seed, 1)
            describe = Film(game, lang=lang, names=dict.fromkeys(range(game.players), "Zora")).describe
            while not state.is_over:
                for seat, decision in state.pending.items():
                    if seat >= 0:
                        said = describe.prompt(state, seat, decision, you=True)
                        assert said and "Zora" not in said, (game, decision)
                        assert "Zora" in describe.prompt(state, seat, decision), (game, decision)
                        asked.add((game.name, type(decision).__name__))
                choices, rng = random_choices(state, rng)
                state, _ = state.choose(choices)
    assert {("board", "ChooseTiles"), ("board", "ChooseLuck"), ("board", "UseCards"), ("baron", "ChooseRow")} <= asked


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("mode", ["basic", "advanced"])
def test_tiles_are_called_tiles(lang: str, mode: str) -> None:
    """No text on the tile board calls a tile a card; action cards are cards."""
    game = BoardGame(players=2, mode=mode)
    describe = describer(game, board_words(lang))
    state, card = game.deal(seed=1), {"en": r"\bcard", "pl": r"\bkart", "cs": r"\bkart"}[lang]
    shown: Any = describe.labels()
    said = [shown[name] for name in ("card", "hidden_card", "i_am", "keys_table", "sign_own")]
    said += [describe.prompt(state, 0, state.pending[0], you=you) for you in (True, False)]
    signs: Any = describe.signs()
    said += [sign["text"] for sign in signs[:2]]
    assert [text for text in said if re.search(card, re.sub(r"{\w+}", "", text), re.IGNORECASE)] == []
    assert shown.keys() == labels(lang).keys()

"""States as pictures and text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from nimmt_lab import Advanced, Classic, Record
from nimmt_lab.engine import draw
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.sentences import LANGUAGES, Phrase, sentence
from nimmt_lab.explain import words
from nimmt_lab.games.baron.deck import SAMPLE_DECK
from nimmt_lab.games.board_game.material import sample_board, sample_pieces
from tests.support import random_record


@pytest.mark.parametrize("game", [Classic(players=10, rounds=1), Advanced(players=6, rounds=1)], ids=repr)
def test_states_are_drawn_with_every_card(game: Classic) -> None:
    for choices in (0, 1, 3, 30, 400):
        state = random_record(game, seed=3, choices=choices).final
        picture = ElementTree.fromstring(state._repr_mimebundle_()["text/html"])[0]
        shown = [text for text in picture.itertext() if text.isdigit()]
        on_table = {card for cards in (*state.rows, *state.hands) for card in cards}
        on_table |= {play.card for play in state.queue}
        assert on_table <= {int(text) for text in shown}
        assert picture.get("role") == "img"
        assert all(" ".join(map(str, row)) in picture.get("aria-label", "") for row in state.rows)


def test_text_for_the_terminal() -> None:
    state = Classic(players=2).from_position("12 14 15 | 37 | 43 44 | 58 61 ; A: 3 26 ; B: 30 36 ; A+: 5 ; totals: 4 0")
    row, count = draw.row_label, words("cs").count
    assert state.game.text(state, "cs").splitlines() == [
        sentence("drawn.title", {"game": "classic", "round": 1, "when": draw.when_text(state, "cs", 10)}, "cs"),
        f"{row(0, 'cs')}   12  14  15   .   . |6  {count('heads', 4)}",
        f"{row(1, 'cs')}   37   .   .   .   . |6  {count('heads', 1)}",
        f"{row(2, 'cs')}   43  44   .   .   . |6  {count('heads', 6)}",
        f"{row(3, 'cs')}   58  61   .   .   . |6  {count('heads', 2)}",
        f"A ({count('heads', 6)}): 3 26",
        f"B ({count('heads', 0)}): 30 36",
    ]
    low, _ = state.choose({0: 3, 1: 30})
    to_place, chooses = str(low).splitlines()[-2:]
    assert to_place == str(Phrase("drawn.to_place", plays="A3 B30"))
    assert chooses == str(Phrase("drawn.chooses", who="A", options="@1, @2, @3, @4"))


GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.nimmt"))


#: Spelt the same in all languages.
SAME = {"STOP", "Stop"}


def words_in(text: str) -> set[str]:
    """The words of a table, without the letters of bulls on cards."""
    return set(re.findall(r"[^\W\d_]{3,}", re.sub(r"\d:\w+", "", text)))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_tables_have_no_english_word_in_other_languages(path: Path) -> None:
    """Sections and options are notation, the same in every language, and so are the names of games."""
    record = Record.load(path)
    lines = record.lines
    for state in (lines[0][1][0].before, lines[len(lines) // 2][1][0].before, record.final):
        sections = state.game.write_sections(state)
        options = [decision.write(option) for decision in state.pending.values() for option in decision.options]
        notation = words_in(" ".join([state.game.name, *sections, *sections.values(), *options]))
        english = words_in(str(state)) - notation
        assert len(english) > 3
        for lang in ("pl", "cs"):
            assert english & words_in(state.game.text(state, lang)) <= SAME, lang


@pytest.mark.parametrize("lang", ["pl", "cs"])
def test_our_own_titles_are_translated_and_those_of_others_are_not(lang: str) -> None:
    for ours in (SAMPLE_DECK, sample_board("basic"), sample_board("advanced"), sample_pieces()):
        assert ours.title_in("en") == ours.title == ours.full_title
        assert ours.title_in(lang) == ours.our_title.translate(lang) != ours.title
    mine = replace(SAMPLE_DECK, title="Babcine karty", is_sample=True)
    assert mine.title_in(lang) == sentence("drawn.sample", {"title": "Babcine karty"}, lang)
    assert replace(mine, is_sample=False).title_in(lang) == "Babcine karty"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_title_that_is_refused_names_its_kind_in_the_language(lang: str) -> None:
    for kind, key in ((SAMPLE_DECK, "baron.of_deck"), (sample_board("basic"), "board_game.of_board"),
                      (sample_pieces(), "board_game.of_pieces")):  # fmt: skip
        with pytest.raises(RulesError) as refused:
            replace(kind, title="two\nlines")
        assert refused.value.key == "engine.title_long"
        text = refused.value.translate(lang)
        assert f" {sentence(key, {}, lang)} " in text
        assert lang == "en" or not re.search(r"\b(deck|board|pieces)\b", text)

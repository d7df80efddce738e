"""Texts of the rules in every language are short and cover what happens in games of every kind."""

from __future__ import annotations

import pytest

from nimmt_lab import Classic, all_games
from nimmt_lab.bots import bot
from nimmt_lab.bots.base import record
from nimmt_lab.engine.registry import from_options
from nimmt_lab.explain import rule_name, rule_text, words
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.games.classic.rules import ClassicRule


@pytest.mark.parametrize("name", all_games())
def test_every_event_of_a_game_has_a_rule_one_can_read(name: str) -> None:
    game = from_options({"system": name, "players": max(2, all_games()[name].for_players[0])})
    played = record(game, [bot("random")] * game.players, 4)
    rules = {event.rule for event in played.events}
    assert len(rules) > 3
    for lang in LANGUAGES:
        say = words(lang)
        texts = {rule: rule_text(rule, say) for rule in rules}
        assert all(20 < len(text) <= 170 and text.endswith(".") for text in texts.values()), texts
        assert all(texts[rule] != rule_name(rule, say) for rule in rules)
        assert len(set(texts.values())) == len(rules), "no two rules say the same"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_with_a_name_has_a_text(lang: str) -> None:
    messages = words(lang).catalogue.messages
    named = {key.removeprefix("rule.") for key in messages if key.startswith("rule.")}
    said = {key.removeprefix("rule_text.") for key in messages if key.startswith("rule_text.")}
    assert named == said and len(named) > 80


@pytest.mark.parametrize(("limit", "polish"), [(1, "1 kartę"), (2, "2 karty"), (5, "5 kart"), (9, "9 kart")])
def test_numbers_of_other_tables_are_inflected_in_rule_texts(limit: int, polish: str) -> None:
    say, game = words("pl"), Classic(players=2, row_limit=limit, hand_size=limit)
    for rule in (ClassicRule.FULL_ROW, ClassicRule.SETUP):
        assert polish.replace(" ", "\N{NO-BREAK SPACE}") in rule_text(rule, say, game)

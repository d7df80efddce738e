"""Helpers for many tests: random play through the public API, a count of every card, errors by key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Game, GameState, Record
from nimmt_lab.engine.cards import EMPTY, Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.sentences import LANGUAGES, Phrase, Told, sentence
from nimmt_lab.games.classic.encode import MARKER
from nimmt_lab.games.classic.fan_card import fan_cards
from nimmt_lab.games.classic.kernel import CARD

E = TypeVar("E", bound=NimmtError)
FAN_CARDS = tuple(fan_cards())
#: The systems that the compiled core plays.
COMPILED_CARDS = tuple(name for name, card in fan_cards().items() if CARD.find(card))


def systems(cards: tuple[str, ...]) -> dict[str, Game]:
    """The rule systems with these fan cards, by their usual names."""
    return {
        "classic": Classic(players=4),
        "advanced": Advanced(players=2),
        **{name: Classic(players=3, fan_cards=(name,)) for name in cards},
        "all fan cards": Classic(players=3, fan_cards=cards, combine_fan_cards=True),
        "buffalo": Buffalo(players=3),
        "baron": Baron(players=3),
        "baron, colour counts": Baron(players=3, variant="colour_counts"),
        "baron, bulls are good": Baron(players=3, variant="bulls_are_good"),
        "board game": BoardGame(players=3),
        "board game with luck": BoardGame(players=3, luck=True),
        "board game, advanced": BoardGame(players=3, mode="advanced"),
        "board game, advanced with luck": BoardGame(players=3, mode="advanced", luck=True),
    }


#: Every rule system.
GAMES = systems(FAN_CARDS)
#: The systems that training environments show: a fan card may come without `encode.py`.
SHOWN = systems(tuple(name for name, card in fan_cards().items() if MARKER.find(card)))


def dig(data: Any, *path: str | int) -> Any:
    """The value at a path in JSON data; a wrong path fails the test.

    >>> dig({"rows": [{"label": "1"}]}, "rows", 0, "label")
    '1'
    """
    for key in path:
        data = data[key]
    return data


def random_record(game: Game, seed: int, choices: int | None = None) -> Record:
    """A random game, to its end or for the given number of choices."""
    rng = Rng.from_seed(seed, stream=1)
    record = Record(game, seed=seed)
    while record.final.pending and (choices is None or len(record.choices) < choices):
        made, rng = random_choices(record.final, rng)
        record = record.then(made)
    return record


def play(state: GameState, *choices: Mapping[Seat, Choice]) -> GameState:
    """The state after some choices."""
    for made in choices:
        state, _ = state.choose(made)
    return state


def cards_of(state: GameState) -> Counter[int]:
    """Every card on, under and beside the table, counted."""
    beside = state.game.seen_extra(state.extra)
    places = [*state.rows, *state.hands, *state.piles, state.stock, [play.card for play in state.queue], beside]
    return Counter(card for place in places for card in place if card != EMPTY)


@contextmanager
def refused(kind: type[E], told: str | Phrase, /, **fields: object) -> Iterator[pytest.ExceptionInfo[E]]:
    """Expect an error with that key and, at least, those fields.

    `line` and `column` are those of its place. Only the tests of the catalogues look at the sentence.
    """
    with pytest.raises(kind) as info:
        yield info
    check_told(info.value, Phrase(told, **fields) if isinstance(told, str) else told)


def check_told(got: Told, expected: Phrase) -> None:
    """Compare the key of an error or phrase, and the fields that `expected` names."""
    assert got.key == expected.key, repr(got)
    for name, value in expected.fields.items():
        actual = got.fields[name] if name in got.fields else getattr(got, name)
        if isinstance(value, Phrase):
            assert isinstance(actual, Told)
            check_told(actual, value)
        elif isinstance(value, Told):
            assert repr(actual) == repr(value)
        else:
            assert actual == value, f"{name} of {got!r}"


def check_translated(told: Told) -> None:
    """Check that an error and its parts have Polish and Czech sentences, and that no field inserts English words."""
    for lang in LANGUAGES[1:]:
        assert sentence(told.key, {}, lang) != sentence(told.key, {}), told.key
    for part in told.fields.values():
        if isinstance(part, Told):
            check_translated(part)
        elif isinstance(part, str):
            assert not {"a", "an", "the", "and", "or", "more"} & set(part.split()), repr(told)

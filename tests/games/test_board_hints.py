"""Hints for the board game: certain claims hold for every set of tiles, and predicted effects of cards are the
engine's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from nimmt_lab import BoardGame
from nimmt_lab.boards.film import film_of
from nimmt_lab.boards.tell import foretold
from nimmt_lab.bots import bot, record
from nimmt_lab.engine.cards import Cards
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.errors import PositionError
from nimmt_lab.engine.events import CardPlaced, Event, RowTaken
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.inflect import signed
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.ways import Needed
from nimmt_lab.explain import LANGUAGES, Verdict, assess, narrate, report, words
from nimmt_lab.games.board_game.events import PointsScored
from nimmt_lab.games.board_game.material import TAKES, points_of
from nimmt_lab.games.board_game.parts import Action, BoardExtra, Luck
from nimmt_lab.games.board_game.sweep import Fate, fates, is_open_to_proof, tiles_of_others
from nimmt_lab.games.board_game.uses import PASS, ChooseLuck, ChooseTiles, Tiles, Use, UseCards
from tests.catalogue import explained
from tests.support import refused


def some_table(number: int) -> tuple[BoardGame, list[Cards], list[Cards], BoardExtra, Cards]:
    """A small table with few unseen tiles."""
    rng = Rng.from_seed(number)
    advanced, more = number % 2 == 1, number % 3
    game = BoardGame(2 + more, mode="advanced" if advanced else "basic", luck=number % 5 == 0)
    tiles, rng = rng.shuffled(range(1, 101))
    at = 0
    order, rng = rng.shuffled(range(10))
    # Rarely a row with a "play two tiles" field, because it multiplies the sets of tiles.
    fits = [row for row in order if number % 4 == 0 or "two" not in game.layout.rows[row]][:4]
    rows: list[Cards] = [()] * 10
    for row in fits:
        longest = len(game.layout.rows[row]) - 1
        size, rng = rng.below(longest)
        size = longest if number % 7 < 3 else size + 1
        rows[row], at = tiles[at : at + size], at + size
    stops = tuple(sorted(fits[: number % 3])) if advanced else ()
    extra = BoardExtra(((),) * game.players, (0, 0), ((),) * game.players, stops=stops)
    table = LiveTable(game, rng)
    table.rows, table.extra = rows, extra
    each = 2 if game.plays_two(table) else 1
    hands = []
    for seat in range(game.players):
        size = each if seat else 3
        hands.append(tuple(sorted(tiles[at : at + size])))
        at += size
    unseen = tiles[at : at + (3 if each == 2 else 5)]
    return game, rows, hands, extra, unseen


def with_hands(game: BoardGame, rows: list[Cards], hands: list[Cards], extra: BoardExtra, out: Cards) -> GameState:
    table = LiveTable(game, Rng(0))
    table.rows, table.hands, table.extra = list(rows), list(hands), extra
    table.piles[0] = out
    return game._run(table)


def ends(state: GameState, choices: dict[int, Choice]) -> Iterator[list[Event]]:
    """The events of every course of the turn: any new row, no cards."""
    turn = state.turn
    after, events = state.choose(choices)
    if after.turn != turn or after.is_over:
        yield list(events)
        return
    ((seat, decision),) = after.pending.items()
    options = decision.options
    if isinstance(decision, (UseCards, ChooseLuck)):
        options = options[:1]
    for option in options:
        for rest in ends(after, {seat: option}):
            yield [*events, *rest]


def enumerated(state: GameState, tile: int, before: Cards) -> Fate:
    """The fates of a tile of seat 0 for every set of tiles of the others, by the engine."""
    game = state.game
    assert isinstance(game, BoardGame)
    view = state.view(0)
    each = [min(len(hand), 2 if game.plays_two(state) else 1) for hand in state.hands[1:]]
    own: Choice = Tiles.of(tile, before[0]) if before else tile
    if not before and game.plays_two(state):
        own = Tiles.of(tile, max(view.hand)) if tile != max(view.hand) else Tiles.of(tile, min(view.hand))
    ways: dict[bool, dict[int, set[int]]] = {True: {}, False: {}}
    points = set()
    for played in combinations(view.unseen, sum(each)):
        hands, left, choices = [state.hands[0]], list(played), dict[int, Choice]({0: own})
        for seat, size in enumerate(each, start=1):
            hand = tuple(sorted(left[:size]))
            left = left[size:]
            hands.append(hand)
            choices[seat] = Tiles.of(*hand) if size == 2 else hand[0]
        dealt = with_hands(game, list(state.rows), hands, BoardExtra.of(state), state.piles[0])
        lower = [other for other in played if other < tile]
        for events in ends(dealt, choices):
            placed = next(event for event in events if isinstance(event, CardPlaced) and event.card == tile)
            field = game.layout.rows[placed.row][placed.slot]
            takes = any(isinstance(event, RowTaken) and event.card == tile for event in events)
            assert takes == (field in TAKES)
            ways[takes].setdefault(len(lower), set()).update(lower)
            if not takes:
                points.add(points_of(field, game.box.heads(tile)) or 0)
    takes_row, safe = (
        None if not by else Needed(min(by), tuple(sorted(by[min(by)]))) for by in (ways[True], ways[False])
    )
    return Fate(takes_row, safe, tuple(sorted(points)))


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", range(48))
def test_what_is_proved_is_what_every_set_of_tiles_does(number: int) -> None:
    game, rows, hands, extra, unseen = some_table(number)
    there = {tile for part in (*rows, *hands, unseen) for tile in part}
    state = with_hands(game, rows, hands, extra, tuple(tile for tile in range(1, 101) if tile not in there))
    view = state.view(0)
    assert is_open_to_proof(view) and len(view.unseen) == len(unseen) + tiles_of_others(view)
    if game.plays_two(state):
        low, *higher = view.hand
        found = fates(view, tuple(higher), (low,))
        assert found == {tile: enumerated(state, tile, (low,)) for tile in higher}
        assert fates(view, (low,))[low] == enumerated(state, low, ())
    else:
        found = fates(view, view.hand)
        assert found == {tile: enumerated(state, tile, ()) for tile in view.hand}
    for option, told in assess(view).items():
        if isinstance(option, int):
            fate = found[option]
            wanted = Verdict.TAKES if not fate.spared else Verdict.SAFE if not fate.takes else Verdict.RISK
            assert told.verdict is wanted and told.proved
            assert told.needed == (fate.takes.needed if fate.takes and fate.spared else 0)


def test_the_tables_of_these_tests_have_all_verdicts() -> None:
    """The cases must be varied enough."""
    seen = set()
    for number in range(48):
        game, rows, hands, extra, unseen = some_table(number)
        there = {tile for part in (*rows, *hands, unseen) for tile in part}
        state = with_hands(game, rows, hands, extra, tuple(tile for tile in range(1, 101) if tile not in there))
        seen |= {(game.mode, game.plays_two(state), one.verdict) for one in assess(state, 0).values()}
    assert {(mode, False, verdict) for mode in ("basic", "advanced") for verdict in Verdict} <= seen
    assert {two for _, two, _ in seen} == {False, True}


def test_nothing_is_certain_while_others_hold_action_cards() -> None:
    state = BoardGame(3, mode="advanced").deal(seed=2)
    assert not is_open_to_proof(state.view(0))
    for one in assess(state, 0).values():
        assert one.verdict is Verdict.RISK and not one.proved and not one.risks
        assert words("en")("hint.cards") in one.text() and not explained("hint.certain").search(one.text())


def walks(seeds: int) -> Iterator[GameState]:
    for seed in range(seeds):
        for mode in ("basic", "advanced"):
            game = BoardGame(2 + seed % 5, mode=mode, luck=True)
            state, rng = game.deal(seed=seed), Rng.from_seed(seed, 1)
            while not state.is_over:
                yield state
                choices, rng = random_choices(state, rng)
                for seat, decision in state.pending.items():
                    if isinstance(decision, UseCards) and rng.state % 3:
                        choices[seat] = PASS  # otherwise all cards would be gone at once
                state, _ = state.choose(choices)


@pytest.mark.exhaustive
def test_what_a_card_would_change_is_what_it_changes() -> None:
    met: set[object] = set()
    for state in walks(5):
        ((seat, decision), *_) = state.pending.items()
        if not isinstance(decision, UseCards):
            continue
        before = state.totals[seat]
        for use, told in assess(state, seat).items():
            assert isinstance(use, Use)
            after, events = state.choose({seat: use})
            if use != PASS and after.pending and not any(isinstance(event, CardPlaced) for event in events):
                after, events = after.choose({seat: PASS})
            placed = next(event for event in events if isinstance(event, CardPlaced))
            takes = any(isinstance(event, RowTaken) and event.card == placed.card for event in events[:5])
            assert (placed.seat, placed.card, placed.row) == (seat, told.card, told.row_now)
            assert (told.verdict is Verdict.TAKES) == takes and told.settled
            scored = next((event for event in events if isinstance(event, PointsScored)), None)
            if (
                scored is not None
                and scored.seat == seat
                and scored.before == before
                and ("−" in told.text() or "+" in told.text())
            ):
                assert signed(scored.points) in told.text(), (use, told.text())
            met.add(use.kind)
    assert met >= {None, *Luck, *Action}


def test_every_choice_has_a_hint_in_every_language() -> None:
    kinds = set()
    for at, state in enumerate(walks(3)):
        for seat, decision in state.pending.items():
            if at % 7 and type(decision) in kinds:
                continue
            kinds.add(type(decision))
            told = assess(state, seat)
            assert list(told) == list(decision.options)
            for one in list(told.values())[:3]:
                said = {one.text(lang) for lang in LANGUAGES}
                assert len(said) == 3 and not any("{" in text for text in said)
    assert {ChooseCard, ChooseTiles, UseCards, ChooseLuck} <= kinds


def test_the_words() -> None:
    game = BoardGame(players=2)
    state = game.from_position("50 | 70 | 20 | 56 | | | | | | ; A: 57 1 ; B: 93 2")
    told = assess(state, 0)
    say = words("en")
    lands = say("hint.lands", row=4, place=2, what="+3")
    certain = f"{say('hint.certain', what='+3')} {say('assess.safe')}"
    assert told[57].text() == f"{lands} {say('hint.ahead', place=8)} {certain}"
    assert told[1].text().startswith(say("hint.too_low", row=2, place=2, what="+1"))
    full = game.from_position("50 55 60 | 70 | 20 | 56 | | | | | | ; A: 61 1 ; B: 93 2")
    assert assess(full, 0)[61].text() == (
        f"{say('hint.lands', row=1, place=4, what=say('hint.take', points='−6'))} {say('assess.takes')}"
    )


def test_the_table_shows_them() -> None:
    state = BoardGame(players=2).from_position("50 55 60 | 70 | 20 | 56 | | | | | | ; A: 61 57 ; B: 93 2")
    record = Record.from_play(state.game, 1, [])
    words = film_of(record).words
    found = foretold(state, 0, words)
    assert set(found) == {"57", "61"}
    assert found == {"61": words("foretold_takes"), "57": words("foretold_nothing")}
    cards = next(one for one in walks(2) if isinstance(next(iter(one.pending.values())), UseCards))
    ((seat, decision),) = cards.pending.items()
    assert set(foretold(cards, seat, words)) <= {decision.write(option) for option in decision.options}


def test_who_is_not_asked_has_no_hints() -> None:
    state = next(one for one in walks(2) if isinstance(next(iter(one.pending.values())), UseCards))
    other = next(seat for seat in range(state.game.players) if seat not in state.pending)
    with refused(PositionError, "explain.nothing_asked_seat"):
        assess(state, other)


@pytest.mark.parametrize("mode", ["basic", "advanced"])
def test_polish_counts_the_heads_of_tiles_in_the_words_of_the_rulebook(mode: str) -> None:
    played = record(BoardGame(3, mode=mode), [bot("random")] * 3, 4)
    text = " ".join(narrate(played.events, "pl")) + report(played).to_text("pl")
    assert re.search(r"\d\W(bycza głowa|bycze głowy|byczych głów)", text) and not re.search(r"\bbyk", text)
    film = film_of(played, lang="pl")
    assert "bycza głowa" in str(film.describe.labels()["heads"])

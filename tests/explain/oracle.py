"""Enumerate every possible turn with the engine, to check the tutor's claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import CardOption, Choice
from nimmt_lab.engine.errors import PositionError
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.explain.traps import Trap, trap_of
from nimmt_lab.games.classic.fan_card import Markers
from nimmt_lab.games.classic.rules import FULL_ROW, LOW_CARD, Classic
from nimmt_lab.games.jumping_cow.tell import CowTrap
from nimmt_lab.games.number_twister.rules import Twist, TwisterMarker

Fate = tuple[bool, Trap | None]


def play_of(choice: Choice, seat: Seat) -> Play:
    if isinstance(choice, CardOption):
        return choice.play(seat)
    assert isinstance(choice, int)
    return Play.of(seat, choice)


def all_turns(state: GameState, seat: Seat) -> Iterator[list[Play]]:
    """Every set of cards that the others may play, as far as `seat` knows: any unseen cards where hands are hidden."""
    others = [other for other in state.pending if other != seat]
    if not state.game.hidden_hands:
        for choices in product(*(state.pending[other].options for other in others)):
            yield [play_of(choice, other) for choice, other in zip(choices, others, strict=True)]
        return
    game = state.game
    assert isinstance(game, Classic)
    marker = Markers.of(state).find(TwisterMarker) if game.fan_cards else None
    twisters = [other for other in others if marker and other in marker.unused]
    for cards in combinations(state.view(seat).unseen, len(others)):
        two_digits = [card for card in cards if 10 <= card <= 99]
        for number in range(min(len(twisters), len(two_digits)) + 1):
            for twisted in combinations(two_digits, number):
                # The order of seats doesn't matter, except that only a seat with a twister can twist.
                seats = twisters[:number] + [other for other in others if other not in twisters[:number]]
                chosen: list[Choice] = [Twist(card) for card in twisted]
                chosen += [card for card in cards if card not in twisted]
                yield [play_of(choice, other) for choice, other in zip(chosen, seats, strict=True)]


def few_before(state: GameState, seat: Seat, mine: Play, at_most: int) -> Iterator[list[Play]]:
    """All sets of up to `at_most` untwisted cards, from different opponents, that are placed before `mine`."""
    others = [other for other in state.pending if other != seat]
    if state.game.hidden_hands:
        lower = [card for card in state.view(seat).unseen if Play.of(others[0], card) < mine]
        for number in range(min(at_most, len(others)) + 1):
            for cards in combinations(lower, number):
                yield [Play.of(other, card) for other, card in zip(others, cards, strict=False)]
    else:
        hands = [[None, *(card for card in state.hands[other] if Play.of(other, card) < mine)] for other in others]
        for chosen in product(*hands):
            yield [Play.of(other, card) for other, card in zip(others, chosen, strict=True) if card is not None]


def fates(state: GameState, seat: Seat, option: Choice, others: Sequence[Play]) -> set[Fate]:
    """The possible fates of an option when the others play these cards: whether the seat takes a row, and by which
    trap."""
    game = state.game
    assert isinstance(game, Classic)
    mine = play_of(option, seat)
    now = game.row_for(state, mine.value)
    found: set[Fate] = set()

    def looks_open(row: int) -> bool:
        end = state.rows[row][-1]
        return mine.value < end if game.descends(state, row) else mine.value > end

    def go(table: LiveTable, left: Sequence[Play], taken: frozenset[int]) -> None:
        play, rest = left[0], left[1:]
        row = game.row_for(table, play.value)
        still_open = now is not None and game.difference(table, now, play.value) is not None
        for chosen in range(game.rows) if row is None else (row,):
            after = LiveTable.of(table.freeze())
            full = row is not None and game.is_full(after, row)
            if row is None or full:
                game.take_and_start(after, play, chosen, FULL_ROW if full else LOW_CARD)
            else:
                after.put(play, row, Classic.joining_rule, 1)
                if game.fan_cards:
                    game.after_placing(after, play, row, took=False)
            takes = [event for event in after.events if isinstance(event, RowTaken)]
            if rest:
                go(after, rest, taken | {event.row for event in takes})
                continue
            trap = trap_of(
                row_now=now,
                was_full=now is not None and game.is_full(state, now),
                tempted=any(looks_open(r) and r != now and not game.is_full(state, r) for r in range(game.rows)),
                row=row,
                took=bool(takes),
                knock_on=CowTrap.COW_JUMP if takes and row is not None and not full else None,
                taken_before=now in taken,
                still_open=still_open,
            )
            found.add((bool(takes), trap))

    go(LiveTable.of(state), [*sorted(play for play in others if play < mine), mine], frozenset())
    return found


def random_position(game: Classic, hand: int, rng: Rng, low_rows: int | None = None) -> tuple[GameState, Rng]:
    """A table of long and short rows, markers anywhere, and hands of that size. With `low_rows`, rows have only cards
    up to that number."""
    while True:
        cards, rng = rng.shuffled(game.deck)
        if low_rows is not None:
            cards = tuple(sorted(cards, key=lambda card: card > low_rows))
        rows, at = [], 0
        limit, last = game.row_limit, game.rows - 1
        for _ in range(game.rows):
            which, rng = rng.below(5)
            size = (1, min(2, limit), max(1, limit - 1), limit, limit)[which]
            rows.append(" ".join(map(str, sorted(cards[at : at + size]))))
            at += size
        parts = [" | ".join(rows)]
        for seat in range(game.players):
            parts.append(f"{chr(65 + seat)}: " + " ".join(map(str, cards[at : at + hand])))
            at += hand
        row, rng = rng.below(game.rows)
        side, rng = rng.below(2)
        arrows = {0: "down", last: "up"}.get(row, ("up", "down")[side])
        users = " ".join(chr(65 + seat) for seat in range(game.players) if (row + 4 * side) >> seat & 1)
        sections = {
            "even_odd": f"{row + 1} {('even', 'odd')[side]}",
            "mountain": f"{row + 1} {arrows}",
            "jumping_cow": f"{row + 1}",
            "number_twister": users or "-",
        }
        # A marker that is not listed lies where a round would put it.
        parts += [f"{card.name}: {sections[card.name]}" for card in game.fan_cards if card.name in sections]
        try:
            return game.from_position(" ; ".join(parts)), rng
        except PositionError:
            continue  # too few cards for rows of this length, or the cow in a row of five

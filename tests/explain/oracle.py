"""Every possible turn, one by one, by the engine itself: what the tutor's claims are held against."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.traps import Trap, trap_of
from nimmt_lab.games.classic import Classic
from nimmt_lab.games.number_twister import Twist


def opponents_plays(state: GameState, seat: Seat) -> Iterator[dict[Seat, Choice]]:
    """All the others can play, as `seat` sees it: any unseen cards where hands are hidden."""
    view = state.view(seat)
    others = [other for other in state.pending if other != seat]
    twisters = [other for other in others if any(isinstance(option, Twist) for option in _ways(state, other))]
    if state.game.hidden_hands:
        for cards in combinations(view.unseen, len(others)):
            twistable = [card for card in cards if 10 <= card <= 99]
            for number in range(min(len(twisters), len(twistable)) + 1):
                for chosen in combinations(twistable, number):
                    # Who plays which card makes no difference, except that twisting needs a twister.
                    rest = [card for card in cards if card not in chosen]
                    seats = twisters[:number] + [other for other in others if other not in twisters[:number]]
                    choices: list[Choice] = [*(Twist(card) for card in chosen), *rest]
                    yield dict(zip(seats, choices, strict=True))
    else:
        options = [state.pending[other].options for other in others]
        for choices_ in product(*options):
            yield dict(zip(others, choices_, strict=True))


def _ways(state: GameState, seat: Seat) -> tuple[Choice, ...]:
    """What a seat with some two-digit card could play: the state's hands are only one deal of many."""
    game = state.game
    assert isinstance(game, Classic)
    from nimmt_lab.engine.table import Table

    return game.special_plays(Table.of(state), seat, (10,)) if game.fan_cards else ()


def fates(state: GameState, seat: Seat, option: Choice) -> Iterator[tuple[bool, Trap | None, tuple[Choice, ...]]]:
    """What can happen to that option of that seat: whether it takes, the trap, and what was played before it."""
    game = state.game
    assert isinstance(game, Classic)
    mine = game_play(option, seat)
    now = game.row_for(state, mine.value)
    was_full = now is not None and game.is_full(state, now)
    tempted = any(
        row != now
        and (mine.value < cards[-1] if game.descends(state, row) else mine.value > cards[-1])
        and not game.is_full(state, row)
        for row, cards in enumerate(state.rows)
    )
    for choices in opponents_plays(state, seat):
        plays = sorted([mine, *(game_play(choice, other) for other, choice in choices.items())])
        before = tuple(play for play in plays if play < mine)
        earlier = tuple(choices[play.seat] for play in before)
        for took, row, cow, taken, still_open in _place(game, state, [*before, mine], now):
            trap = trap_of(
                row_now=now, was_full=was_full, tempted=tempted, row=row, took=took, only_the_cow=cow,
                taken_before=taken, still_open=still_open,
            )  # fmt: skip
            yield took, trap, earlier


def game_play(choice: Choice, seat: Seat):  # type: ignore[no-untyped-def]
    from nimmt_lab.engine.decisions import CardOption
    from nimmt_lab.engine.play import Play

    return choice.play(seat) if isinstance(choice, CardOption) else Play.of(seat, choice)  # type: ignore[arg-type]


def _place(game: Classic, state: GameState, plays, now):  # type: ignore[no-untyped-def]
    """Place the plays on the engine's own table, through all choices of rows; the fate of the last one."""
    from nimmt_lab.engine.table import Table

    def go(table: Table, left, taken: frozenset[int]):  # type: ignore[no-untyped-def]
        play, rest = left[0], left[1:]
        row = game.row_for(table, play.value)
        open_now = now is not None and game.difference(table, now, play.value) is not None
        for chosen in [row] if row is not None else range(4):
            after = Table.of(table.freeze())
            after.queue = []
            full = row is not None and game.is_full(after, row)
            if row is None or full:
                from nimmt_lab.games.classic import FULL_ROW, LOW_CARD

                game.take_and_start(after, play, chosen, FULL_ROW if full else LOW_CARD)
            else:
                from nimmt_lab.games.classic import SMALLEST_DIFFERENCE

                after.put(play, row, SMALLEST_DIFFERENCE, 1)
                if game.fan_cards:
                    game.after_placing(after, play, row, took=False)
            takes = [event for event in after.events if isinstance(event, RowTaken)]
            if rest:
                yield from go(after, rest, taken | {event.row for event in takes})
            else:
                cow = bool(takes) and row is not None and not full
                yield bool(takes), row, cow, now in taken, open_now

    yield from go(Table.of(state), list(plays), frozenset())

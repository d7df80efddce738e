"""Who sat at a table, told from a whole game, and what they may then have held at any moment of it.

A way to play is a policy and how often a seat strays from it: one choice in so many is any card. At the end of a round
all hands have been seen, so each choice can be held against what a policy would have done with that hand. Who always
strays plays at random. What a seat does where something else is asked (a row to take, a card to play before a tile) is
told from what it did then.

Who plays by a policy hardly holds a card that it would have played before. Values of a view are only fair if the hidden
cards are dealt out with that in mind: `Company.tell` writes it into a workspace (`belief.h`).

Which policies and habits there are, and what they would have done, a chapter says (`SEATING`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.play import Turn
from nimmt_lab.engine.record import Record, Step
from nimmt_lab.engine.state import Extra
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import POLICIES, SEARCH, kernel_of
from nimmt_lab.native.loader import core
from nimmt_lab.native.seating import AT_RANDOM, PARTS, SEATING, Fields, Laid, Seating, Seen, Way, laid_beside
from nimmt_lab.native.work import Workspace

__all__ = ["AT_RANDOM", "Company", "Way", "company_of"]

#: How often a seat that has a policy may stray from it, in parts of `PARTS`, and how likely each is before anything is
#: seen: one in two never strays, of the others all as likely.
_STRAYS = {0: 0.5, **dict.fromkeys(range(8, PARTS, 16), 0.5 / 16)}
#: And one seat in three plays at random.
_AT_RANDOM = 1 / 3
#: Ways are told apart to this.
_STEP = 4
#: What is done otherwise than by habit.
_SELDOM = 5


class Company(NamedTuple):
    """The ways of everybody at a table, by seat; and what lay open beside the rows before each turn, where something
    does: (round, turn), extra."""

    ways: tuple[Way, ...]
    beside: tuple[tuple[tuple[int, int], Extra], ...] = ()

    def tell(self, work: Workspace, view: View) -> None:
        """How everybody plays on (the view's seat as the workspace has it), and what the others hardly hold."""
        self.sit_down(work, view.seat)
        if view.history and all(held is None for seat, held in enumerate(view.hands) if seat != view.seat):
            for field, values in _suspicions(self, view).items():
                work.set(field, values)

    def sit_down(self, work: Workspace, seat: Seat) -> None:
        """How everybody plays; that seat as the workspace has it."""
        for at, field in enumerate(("policies", "stray", "lows")):
            numbers = [way[at] for way in self.ways]
            numbers[seat] = work.get(field)[seat]
            work.set(field, numbers)

    def lay(self, view: View, turn: Turn) -> Laid:
        """The table before a turn of the view's round."""
        return Laid(turn.rows, dict(self.beside).get((turn.round, turn.number), view.extra))

    def minded(self, view: View) -> list[Seat]:
        """The others that have a policy."""
        return [s for s, way in enumerate(self.ways) if s != view.seat and way.policy != POLICIES["random"]]


@lru_cache(maxsize=64)  # luck and skill ask about the same view
def _suspicions(company: Company, view: View) -> Fields:
    """What speaks against cards in the hands of the others that have a policy."""
    found = core()
    assert found is not None
    ways = {seat: company.ways[seat] for seat in company.minded(view)}
    return SEATING.of(view.game).suspicions(found, view, ways, lambda turn: company.lay(view, turn))


def company_of(record: Record) -> Company | None:
    """How everybody played, from the finished rounds of a game; None where there is no core, or nothing is known of how
    its seats may play.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import bot, record
    >>> found = company_of(record(Classic(players=2, rounds=1), [bot("closest-safe"), bot("random")], seed=1))
    >>> found is None or found.ways[0].policy == POLICIES["closest-safe"]
    True
    """
    game, found = record.game, core()
    seating = _seating(game)
    if found is None or seating is None:
        return None
    seen: list[list[Seen]] = [[] for _ in range(game.players)]
    habits: list[list[Seen]] = [[] for _ in range(game.players)]
    beside, begun = list[tuple[tuple[int, int], Extra]](), 0
    for ply, step in enumerate(record.steps):
        if not step.state.is_past_round(step.before.round):
            continue
        steps, begun = record.steps[begun : ply + 1], ply + 1
        beside += laid_beside(game, steps)
        for choice in seating.seen(found, game, steps):
            seen[choice.seat].append(choice)
        for choice in _others(steps, seating):
            habits[choice.seat].append(choice)
    policies = seating.policies(game)
    return Company(
        tuple(
            _likeliest(choices, policies)._replace(habit=_habit(done, seating.habits))
            for choices, done in zip(seen, habits, strict=True)
        ),
        tuple(beside),
    )


def _seating(game: Game) -> Seating | None:
    """How the seats of a chapter may be found to play whose playouts the core knows, with all its options."""
    return SEATING.find(game) if SEARCH.find(game) is not None and kernel_of(game) is not None else None


def _others(steps: Sequence[Step], seating: Seating) -> Iterator[Seen]:
    """Whatever else than cards was chosen, where there was a choice, for each of the habits."""
    for step in steps:
        for seat, choice in step.choices.items():
            decision = step.before.pending[seat]
            if len(decision.options) > 1 and seating.cards(decision, choice) is None:
                view, ways = step.before.view(seat), len(decision.options)
                usual = [seating.by_habit(habit, view, decision) for habit in seating.habits]
                yield Seen(seat, ways, [1 / ways if one is None else float(one == choice) for one in usual])


def _likeliest(choices: Sequence[Seen], policies: Sequence[int]) -> Way:
    """The policy that a seat most likely has, with how often it strays from it on average, after what it has chosen:
    who may just as well play at random strays almost always.

    >>> found = _likeliest([Seen(0, 3, [1, 0])] * 9, (3, 5))
    >>> found.policy == POLICIES["closest-safe"], found.stray < 64
    (True, True)
    >>> _likeliest([Seen(0, 3, [0, 0])] * 6, (3, 5)).stray > 240
    True
    >>> _likeliest([Seen(0, 3, [0, 0])] * 60, (3, 5)) == AT_RANDOM
    True
    """
    # All against what playing at random makes of the same choices
    best, way = 0.0, AT_RANDOM
    for kind, policy in enumerate(policies):
        likely = {
            stray: before * prod(stray / PARTS + (1 - stray / PARTS) * one.ways * one.chances[kind] for one in choices)
            for stray, before in _STRAYS.items()
        }
        prior = (1 - _AT_RANDOM) / len(policies)
        has = prior * sum(likely.values())
        strays = prior * sum(stray * chance for stray, chance in likely.items()) + _AT_RANDOM * PARTS
        mean = max(_STEP, _STEP * round(strays / (has + _AT_RANDOM) / _STEP))
        if has > best:
            best, way = has, Way(policy, mean) if mean < PARTS else AT_RANDOM
    return way


def _habit(done: Sequence[Seen], habits: Sequence[int]) -> int:
    """The habit by which a seat most likely did what it did, if it did anything one time in `_SELDOM`; the first, where
    nothing tells.

    >>> row, other = Seen(0, 4, (1.0, 0.25)), Seen(0, 4, (0.0, 0.25))
    >>> _habit([row, row, other], (0, 1)), _habit([other], (0, 1)), _habit([], (0, 1))
    (0, 1, 0)
    """
    anything = 1 / _SELDOM
    likely = [prod(anything + (1 - anything) * one.ways * one.chances[at] for one in done) for at in range(len(habits))]
    return habits[likely.index(max(likely))]

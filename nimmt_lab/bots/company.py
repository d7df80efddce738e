"""Infer each seat's policy from a finished game, and the beliefs about hidden hands that follow.

The model of a seat is a policy and the rate at which the seat strays from it to a random card. At the end of a round
all hands are known, so every choice can be compared with what a policy would have done with that hand. A seat that
always strays plays at random. Its habit for other decisions (the row for a low card, say) is inferred the same way.

A seat that follows a policy is unlikely to hold a card that it would have played earlier. Values of a view are unbiased
only if hidden cards are dealt accordingly: `Company.configure` writes that belief into a workspace (`belief.h`).

Chapters list the policies and habits to consider (`SEATING`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.record import Record, Step
from nimmt_lab.engine.state import Extra
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import POLICIES, SEARCH, kernel_of
from nimmt_lab.native.loader import core
from nimmt_lab.native.seating import AT_RANDOM, PARTS, SEATING, Fields, Laid, Seating, SeatModel, Seen, laid_beside
from nimmt_lab.native.work import Workspace

__all__ = ["AT_RANDOM", "Company", "SeatModel", "company_of"]

#: Prior over the stray rate, in parts of `PARTS`: never with probability 1/2, otherwise uniform.
_STRAYS = {0: 0.5, **dict.fromkeys(range(8, PARTS, 16), 0.5 / 16)}
#: Prior probability of random play.
_AT_RANDOM = 1 / 3
#: Resolution of inferred stray rates.
_STEP = 4
#: Rate of choices that do not follow the habit.
_SELDOM = 1 / 5


class Company(NamedTuple):
    """How everybody at a table plays, by seat; and what lay beside the rows before each (round, turn)."""

    models: tuple[SeatModel, ...]
    beside: tuple[tuple[tuple[int, int], Extra], ...] = ()

    def configure(self, work: Workspace, view: View) -> None:
        """Write the policies of the others, and the belief about their hands, into a workspace."""
        self.set_policies(work, view.seat)
        if view.history and all(hand is None for seat, hand in enumerate(view.hands) if seat != view.seat):
            for field, values in _suspicions(self, view).items():
                work.set(field, values)

    def set_policies(self, work: Workspace, seat: Seat) -> None:
        """Write the policies of all seats but `seat` into a workspace."""
        for at, field in enumerate(("policies", "stray", "lows")):
            numbers = [model[at] for model in self.models]
            numbers[seat] = work.get(field)[seat]
            work.set(field, numbers)


@lru_cache(maxsize=64)  # luck and skill ask about the same view
def _suspicions(company: Company, view: View) -> Fields:
    """Evidence against cards in the hands of the others that follow a policy."""
    native = core()
    assert native is not None
    others = {seat: model for seat, model in enumerate(company.models) if seat != view.seat}
    models = {seat: model for seat, model in others.items() if model.policy != POLICIES["random"]}
    beside = dict(company.beside)
    return SEATING.of(view.game).suspicions(
        native, view, models, lambda turn: Laid(turn.rows, beside.get((turn.round, turn.number), view.extra))
    )


def company_of(record: Record) -> Company | None:
    """Infer how everybody played from the finished rounds of a game. None without the core, or where the chapter has
    no `SEATING` or compiled playouts.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import bot, record
    >>> company = company_of(record(Classic(players=2, rounds=1), [bot("closest-safe"), bot("random")], seed=1))
    >>> company is None or company.models[0].policy == POLICIES["closest-safe"]
    True
    """
    game, native = record.game, core()
    seating = SEATING.find(game) if SEARCH.find(game) is not None and kernel_of(game) is not None else None
    if native is None or seating is None:
        return None
    plays: list[list[Seen]] = [[] for _ in range(game.players)]
    others: list[list[Seen]] = [[] for _ in range(game.players)]
    beside, start = list[tuple[tuple[int, int], Extra]](), 0
    for ply, step in enumerate(record.steps):
        if not step.state.is_past_round(step.before.round):
            continue
        steps, start = record.steps[start : ply + 1], ply + 1
        beside += laid_beside(game, steps)
        for choice in seating.seen(native, game, steps):
            plays[choice.seat].append(choice)
        for choice in _other_choices(steps, seating):
            others[choice.seat].append(choice)
    policies = seating.policies(game)
    models = [
        _likeliest(cards, policies)._replace(habit=_habit(rest, seating.habits))
        for cards, rest in zip(plays, others, strict=True)
    ]
    return Company(tuple(models), tuple(beside))


def _other_choices(steps: Sequence[Step], seating: Seating) -> Iterator[Seen]:
    """Choices of something other than cards, with their likelihood under each habit."""
    for step in steps:
        for seat, choice in step.choices.items():
            decision = step.before.pending[seat]
            count = len(decision.options)
            if count > 1 and seating.cards(decision, choice) is None:
                view = step.before.view(seat)
                usual = [seating.by_habit(habit, view, decision) for habit in seating.habits]
                yield Seen(seat, count, [1 / count if each is None else float(each == choice) for each in usual])


def _likeliest(choices: Sequence[Seen], policies: Sequence[int]) -> SeatModel:
    """The most likely policy given the choices, with the posterior mean of its stray rate, which counts random play as
    straying always. Likelihoods are relative to random play.

    >>> model = _likeliest([Seen(0, 3, [1, 0])] * 9, (3, 5))
    >>> model.policy == POLICIES["closest-safe"], model.stray < 64
    (True, True)
    >>> _likeliest([Seen(0, 3, [0, 0])] * 60, (3, 5)) == AT_RANDOM
    True
    """
    best, model = 0.0, AT_RANDOM
    for kind, policy in enumerate(policies):
        likely = {
            stray: before
            * prod(stray / PARTS + (1 - stray / PARTS) * seen.options * seen.chances[kind] for seen in choices)
            for stray, before in _STRAYS.items()
        }
        prior = (1 - _AT_RANDOM) / len(policies)
        evidence = prior * sum(likely.values())
        strays = prior * sum(stray * chance for stray, chance in likely.items()) + _AT_RANDOM * PARTS
        mean = max(_STEP, _STEP * round(strays / (evidence + _AT_RANDOM) / _STEP))
        if evidence > best:
            best, model = evidence, SeatModel(policy, mean) if mean < PARTS else AT_RANDOM
    return model


def _habit(choices: Sequence[Seen], habits: Sequence[int]) -> int:
    """The most likely habit given the choices; the first of equals.

    >>> row, other = Seen(0, 4, (1.0, 0.25)), Seen(0, 4, (0.0, 0.25))
    >>> _habit([row, row, other], (0, 1)), _habit([other], (0, 1)), _habit([], (0, 1))
    (0, 1, 0)
    """
    likely = [
        prod(_SELDOM + (1 - _SELDOM) * seen.options * seen.chances[at] for seen in choices) for at in range(len(habits))
    ]
    return habits[likely.index(max(likely))]

"""Split the result of a seat into luck and skill.

Everything is measured by the yardstick (`nimmt_lab.bots.yardstick`), one reference policy for everybody.

- *Skill:* each choice of a seat against the yardstick's choice, given what the seat could know.
- *Luck:* the value of the seat's view after the deal, and its changes between the seat's choices: by revealed cards, by
  the others' choices, by the draw.
- *Share:* the expected result at this table before the deal. Strong opponents are not bad luck.

So `result = share + luck (deal + turns) + skill`. Luck and skill come from independent playouts: they add up to the
result within their errors, not by construction.

Luck has mean 0 if the value of a view is its expected result against these opponents. So playouts use the policies
inferred from the game (`nimmt_lab.bots.company`), and deal hidden cards accordingly; the share is then the yardstick's
expected result in that company before the deal (in an open game, after the draft). A team has no opponents at its
table; its share is the mean result of a round, plus what the partners' choices changed. Otherwise (without the core,
say) everybody plays by the yardstick in playouts, and the share is the mean luck of the table, which leaves each seat
luck with mean 0 among players who play alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import mean, variance
from typing import NamedTuple

from nimmt_lab.bots.company import Company, SeatModel
from nimmt_lab.bots.yardstick import Worth, apart, average, undealt, usual, worths
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View

#: Deals, and playouts per deal, for the mean result of a team's round.
DEALS = 300
_PLAYOUTS = 24
#: Rounds for the yardstick's expected result in a company.
ROUNDS = 40_000
#: Random streams for luck and skill, and the first one for shares.
_LUCK, _SKILL, _SHARE = 1, 2, 3


class Part(NamedTuple):
    """A part of the result in heads or points, with its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class Split:
    """The result of one seat over its finished rounds, in parts."""

    rounds: int
    #: Growth of the seat's total.
    result: int
    #: Expected result of these rounds at this table.
    expected: Part
    deal: Part
    turns: Part
    #: Deal and turns together.
    luck: Part
    #: Effect of the seat's choices, against the yardstick's.
    skill: Part
    #: Sum of the parts minus the result.
    gap: Part


class Measurement(NamedTuple):
    """The value of one decision to its seat, by the yardstick: before the choice and with it."""

    before: Worth
    chosen: Worth

    @property
    def change(self) -> Part:
        """Effect of the choice; 0 if it was the yardstick's own."""
        if self.before == self.chosen:
            return Part(0.0, 0.0)
        return Part(self.chosen.total - self.before.total, apart(self.before, self.chosen))


def measure(
    view: View, choice: Choice, playouts: int, seed: int, *, skill: bool = False, company: Company | None = None
) -> Measurement:
    """Measure a decision from what the seat can know, in that company. Luck and `skill` use independent playouts."""
    seed = Rng.from_seed(seed, _SKILL if skill else _LUCK).state
    if choice == usual(view):
        (worth,) = worths(view, [None], playouts, seed, company)
        return Measurement(worth, worth)
    return Measurement(*worths(view, [None, choice], playouts, seed, company))


class Round(NamedTuple):
    """A finished round of a seat: the plies of its choices, and its side's total before and after."""

    plies: tuple[int, ...]
    started: int
    ended: int


def rounds_of(record: Record, seat: Seat) -> list[Round]:
    """The finished rounds in which a seat made a choice. Drafts do not count."""
    side, rounds, plies, started = record.game.pile_of(seat), [], list[int](), 0
    for ply, step in enumerate(record.steps):
        if ply == 0 or step.before.round != record.steps[ply - 1].before.round:
            plies, started = [], step.before.totals[side]
        if seat in step.choices and step.before.rows:
            plies.append(ply)
        if plies and step.state.is_past_round(step.before.round):
            rounds.append(Round(tuple(plies), started, step.state.totals[side]))
            plies = []
    return rounds


class _Luck(NamedTuple):
    """A seat's luck before the share is subtracted; errors are squared."""

    deal: float
    turns: float
    deal_error: float
    turns_error: float
    error: float


def _luck(rounds: Sequence[Round], measured: Mapping[int, Measurement]) -> _Luck:
    deal = turns = deal_error = turns_error = error = 0.0
    for played in rounds:
        values = [measured[ply] for ply in played.plies]
        deal += values[0].before.total - played.started
        befores = [*(later.before.total for later in values[1:]), played.ended]
        turns += sum(after - now.chosen.total for after, now in zip(befores, values, strict=True))
        # Every value but the first and the last occurs twice, with opposite signs.
        changes = [now.change.error**2 for now in values]
        deal_error += values[0].before.error ** 2
        turns_error += values[0].chosen.error ** 2 + sum(changes[1:])
        error += sum(changes)
    return _Luck(deal, turns, deal_error, turns_error, error)


def split(
    record: Record,
    luck: Mapping[Seat, Mapping[int, Measurement]],
    skill: Mapping[Seat, Mapping[int, Measurement]],
    company: Company | None = None,
    *,
    rounds_in_company: int = ROUNDS,
    seed: int = 0,
) -> dict[Seat, Split]:
    """Split the results of the seats in `skill`, given measurements by seat and ply. Without a company, `luck` must
    have all seats that made choices."""
    game = record.game
    rounds = {seat: rounds_of(record, seat) for seat in luck}
    raw = {seat: _luck(rounds[seat], luck[seat]) for seat in luck if rounds[seat]}
    sides = {game.pile_of(seat) for seat in raw}
    splits = {}
    for seat in skill:
        if seat not in raw:
            continue
        own, count = raw[seat], len(rounds[seat])
        if company is not None or len(sides) == 1:
            if company is None:
                expected = [round_value(game)] * count
            else:
                expected = _shares(record, seat, rounds[seat], company, rounds_in_company, seed)
            base_deal, keep = sum(part.value for part in expected), 1.0
            # Partners' choices belong to the share: a weak partner is not bad luck.
            partners = [other for other in raw if company is None and other != seat]
            rest = [luck[other][ply].change for other in partners for played in rounds[other] for ply in played.plies]
            base_turns = sum(part.value for part in rest)
            # One estimate for all rounds or one each: the error is at most the sum.
            base_error = sum(part.error for part in expected) ** 2 + sum(part.error**2 for part in rest)
        else:
            base_deal, base_turns = (mean(getattr(other, part) for other in raw.values()) for part in ("deal", "turns"))
            others = [luck_of.error for other, luck_of in raw.items() if other != seat]
            base_error, keep = sum(others) / len(raw) ** 2, (1 - 1 / len(raw)) ** 2
        share = Part(base_deal + base_turns, sqrt(base_error))
        total_luck = Part(own.deal + own.turns - share.value, sqrt(keep * own.error + base_error))
        changes = [skill[seat][ply].change for played in rounds[seat] for ply in played.plies]
        total_skill = Part(sum(part.value for part in changes), sqrt(sum(part.error**2 for part in changes)))
        result = sum(played.ended - played.started for played in rounds[seat])
        splits[seat] = Split(
            count,
            result,
            share,
            Part(own.deal - base_deal, sqrt(keep * own.deal_error + base_error)),
            Part(own.turns - base_turns, sqrt(keep * own.turns_error + base_error)),
            total_luck,
            total_skill,
            # The error of the share cancels: it is in share and luck with opposite signs.
            Part(share.value + total_luck.value + total_skill.value - result, sqrt(own.error + total_skill.error**2)),
        )
    return splits


def _shares(
    record: Record, seat: Seat, rounds: Sequence[Round], company: Company, playouts: int, seed: int
) -> list[Part]:
    """The value of each round to a seat in that company, before the deal."""
    alike = in_company(record.game, seat, company.models, playouts, seed)
    if alike is not None:
        return [alike] * len(rounds)
    shares = []
    for played in rounds:
        first = played.plies[0]
        worth = undealt(
            record.steps[first].before.view(seat), company, playouts, Rng.from_seed(seed, first + _SHARE).state
        )
        shares.append(Part(worth.total - played.started, worth.error))
    return shares


@lru_cache(maxsize=512)
def in_company(
    game: Game, seat: Seat, models: tuple[SeatModel, ...], rounds: int = ROUNDS, seed: int = 0
) -> Part | None:
    """The expected result of a round for a seat that plays by the yardstick in that company; None if it depends on the
    first view of the round."""
    worth = average(game, seat, Company(models), rounds, seed)
    return None if worth is None else Part(*worth)


@lru_cache(maxsize=64)
def round_value(game: Game, deals: int = DEALS) -> Part:
    """The expected result of a round where everybody plays by the yardstick.

    >>> from nimmt_lab import Buffalo
    >>> value, error = round_value(Buffalo(players=1), 40)
    >>> value > 0 and 0 < error < 5
    True
    """
    values = []
    for number in range(deals):
        rng = Rng.from_seed(number, 5)
        state = game.deal(rng.state)
        begun, seat = state.totals, number % game.players
        while not state.rows or seat not in state.pending:
            choices, rng = habitual_choices(state, rng)
            state, _ = state.choose(choices)
        (worth,) = worths(state.view(seat), [None], _PLAYOUTS, number)
        values.append(worth.total - begun[game.pile_of(seat)])
    return Part(mean(values), sqrt(variance(values) / deals))

"""Luck and skill: the rounds of a game, taken apart.

Everything is measured by the yardstick (`nimmt_lab.bots.yardstick`), one way to play for everybody.

- *Skill:* each choice of a seat is compared with what the yardstick would have done, from what the seat could know.
- *Luck:* what the seat's view promises after the deal, and how that changes between its choices: by what everybody
  reveals, by the others' choices, by what lay face down.
- *Share:* what was to be expected at this table before the deal, luck and choices aside. Strong opponents are nobody's
  bad luck.

So `result = share + luck (deal + turns) + skill`. Luck and skill are estimated from playouts of their own: they add up
to the result within their errors, not by being made to.

Luck is 0 on average if what a view promises is what it brings on average, against these opponents. So where it can be
told how seats play (`nimmt_lab.bots.company`), playouts play the others so, and deal them what they may hold after what
they have played; the share is then what the yardstick takes in their company, before the deal (in an open game, after
the draft). A team has no others at its table; its share is what a round brings on average, with what a seat's partners
chose. Elsewhere (without a core, say) everybody plays as the yardstick in playouts, and luck is counted against the
table: what it brought all players alike is the share. That is 0 on average among players who play alike, because no
seat is better than another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import mean, variance
from typing import NamedTuple

from nimmt_lab.bots.company import Company, Way
from nimmt_lab.bots.yardstick import Worth, apart, average, undealt, usual, worths
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View

#: Deals from which it is found what a round brings a team on average, and playouts for each.
DEALS = 300
_PLAYOUTS = 24
#: Rounds from which it is found what the yardstick takes in some company.
ROUNDS = 40_000
#: Streams of random numbers for luck and for skill, and from where on for shares: none is the rest of the others.
_LUCK, _SKILL, _SHARE = 1, 2, 3


class Part(NamedTuple):
    """A part of the result, and its standard error. Below 0: so many heads (or points) fewer."""

    value: float
    error: float


@dataclass(frozen=True)
class Split:
    """The finished rounds of one seat, taken apart."""

    rounds: int
    #: What the seat's total grew by.
    result: int
    #: What was to be expected of so many rounds at this table, choices aside.
    share: Part
    deal: Part
    turns: Part
    #: The two together, with their common error.
    luck: Part
    #: What the seat's own choices brought, against the yardstick's.
    skill: Part
    #: What the parts miss the result by.
    gap: Part


class Measured(NamedTuple):
    """One decision of a seat by the yardstick: what it was worth before the choice and with it."""

    before: Worth
    chosen: Worth

    @property
    def change(self) -> Part:
        """What the choice changed: nothing, where it was the yardstick's own."""
        if self.before == self.chosen:
            return Part(0.0, 0.0)
        return Part(self.chosen.total - self.before.total, apart(self.before, self.chosen))


def measure(
    view: View, choice: Choice, playouts: int, seed: int, *, skill: bool = False, company: Company | None = None
) -> Measured:
    """One decision by the yardstick, from what the seat may know and in that company; other playouts for `skill` than
    for luck."""
    seed = Rng.from_seed(seed, _SKILL if skill else _LUCK).state
    if choice == usual(view):
        (worth,) = worths(view, [None], playouts, seed, company)
        return Measured(worth, worth)
    return Measured(*worths(view, [None, choice], playouts, seed, company))


class Round(NamedTuple):
    """A finished round of a seat: the plies at which it chose, and its side's total before and after."""

    plies: tuple[int, ...]
    started: int
    ended: int


def rounds_of(record: Record, seat: Seat) -> list[Round]:
    """The finished rounds in which a seat chose something, by number; drafts do not count."""
    side, found, plies, begun = record.game.pile_of(seat), [], list[int](), 0
    for ply, step in enumerate(record.steps):
        if ply == 0 or step.before.round != record.steps[ply - 1].before.round:
            plies, begun = [], step.before.totals[side]
        if seat in step.choices and step.before.rows:
            plies.append(ply)
        if plies and step.state.is_past_round(step.before.round):
            found.append(Round(tuple(plies), begun, step.state.totals[side]))
            plies = []
    return found


class _Luck(NamedTuple):
    """A seat's rounds before they are held against the table: what the views promised, and how that changed."""

    deal: float
    turns: float
    deal_error: float
    turns_error: float
    error: float


def _luck(rounds: Sequence[Round], measured: Mapping[int, Measured]) -> _Luck:
    deal = turns = deal_error = turns_error = error = 0.0
    for one in rounds:
        found = [measured[ply] for ply in one.plies]
        deal += found[0].before.total - one.started
        befores = [*(later.before.total for later in found[1:]), one.ended]
        turns += sum(after - now.chosen.total for after, now in zip(befores, found, strict=True))
        # Every value but the first and the last counts twice, once with each sign.
        changes = [now.change.error**2 for now in found]
        deal_error += found[0].before.error ** 2
        turns_error += found[0].chosen.error ** 2 + sum(changes[1:])
        error += sum(changes)
    return _Luck(deal, turns, deal_error, turns_error, error)


def split(
    record: Record,
    luck: Mapping[Seat, Mapping[int, Measured]],
    skill: Mapping[Seat, Mapping[int, Measured]],
    company: Company | None = None,
    *,
    rounds_in_company: int = ROUNDS,
    seed: int = 0,
) -> dict[Seat, Split]:
    """The seats in `skill` with their luck, from what was measured at every ply. Where it was not measured in the
    table's company, `luck` needs all seats that chose."""
    game = record.game
    rounds = {seat: rounds_of(record, seat) for seat in luck}
    raw = {seat: _luck(rounds[seat], luck[seat]) for seat in luck if rounds[seat]}
    sides = {game.pile_of(seat) for seat in raw}
    found = {}
    for seat in skill:
        if seat not in raw:
            continue
        own, count = raw[seat], len(rounds[seat])
        if company is not None or len(sides) == 1:
            if company is None:
                expected = [round_value(game)] * count
            else:
                expected = _shares(record, seat, rounds[seat], company, rounds_in_company, seed)
            base_deal, keep = sum(one.value for one in expected), 1.0
            # What the rest of the team chose is in this table's share: a weak partner is nobody's bad luck.
            rest = [
                luck[other][ply].change
                for other in raw
                if company is None and other != seat
                for one in rounds[other]
                for ply in one.plies
            ]
            base_turns = sum(one.value for one in rest)
            # The same estimate for every round, or one for each: at most the sum of their errors.
            base_error = sum(one.error for one in expected) ** 2 + sum(one.error**2 for one in rest)
        else:
            base_deal, base_turns = (mean(getattr(one, part) for one in raw.values()) for part in ("deal", "turns"))
            others = [one.error for other, one in raw.items() if other != seat]
            base_error, keep = sum(others) / len(raw) ** 2, (1 - 1 / len(raw)) ** 2
        share = Part(base_deal + base_turns, sqrt(base_error))
        brought = Part(own.deal + own.turns - share.value, sqrt(keep * own.error + base_error))
        changes = [skill[seat][ply].change for one in rounds[seat] for ply in one.plies]
        skilled = Part(sum(one.value for one in changes), sqrt(sum(one.error**2 for one in changes)))
        result = sum(one.ended - one.started for one in rounds[seat])
        found[seat] = Split(
            count,
            result,
            share,
            Part(own.deal - base_deal, sqrt(keep * own.deal_error + base_error)),
            Part(own.turns - base_turns, sqrt(keep * own.turns_error + base_error)),
            brought,
            skilled,
            # What the table brought is in share and luck with opposite signs.
            Part(share.value + brought.value + skilled.value - result, sqrt(own.error + skilled.error**2)),
        )
    return found


def _shares(
    record: Record, seat: Seat, rounds: Sequence[Round], company: Company, playouts: int, seed: int
) -> list[Part]:
    """What each round was worth to that seat in that company before the deal."""
    alike = in_company(record.game, seat, company.ways, playouts, seed)
    if alike is not None:
        return [alike] * len(rounds)
    found = []
    for one in rounds:
        view, own = record.steps[one.plies[0]].before.view(seat), Rng.from_seed(seed, one.plies[0] + _SHARE).state
        worth = undealt(view, company, playouts, own)
        found.append(Part(worth.total - one.started, worth.error))
    return found


@lru_cache(maxsize=512)
def in_company(game: Game, seat: Seat, ways: tuple[Way, ...], rounds: int = ROUNDS, seed: int = 0) -> Part | None:
    """What a round brings that seat on average where the others play so, and it as the yardstick; None where that is to
    be told from each round's first view."""
    found = average(game, seat, Company(ways), rounds, seed)
    return None if found is None else Part(*found)


@lru_cache(maxsize=64)
def round_value(game: Game, deals: int = DEALS) -> Part:
    """What a round brings a seat on average where everybody plays as the yardstick does.

    >>> from nimmt_lab import Buffalo
    >>> found = round_value(Buffalo(players=1), 40)
    >>> found.value > 0 and 0 < found.error < 5
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

"""Who sat at a table, told from a whole game, and what they may then have held at any moment of it.

A way to play is a policy and how often a seat strays from it: one choice in so many is any card. At the end of a round
all hands have been seen, so each choice can be held against what a policy would have done with that hand. Who always
strays plays at random. What a seat does where something else is asked (a row to take, a card to play before a tile) is
told from what it did then.

Who plays by a policy hardly holds a card that it would have played before. Values of a view are only fair if the hidden
cards are dealt out with that in mind: `Company.tell` writes it into a workspace (`belief.h`).

The classic family's policies are asked in the core, a network among them. Any other chapter says how its seats may be
found to play (`SEATING`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb, prod
from typing import NamedTuple

from nimmt_lab.engine.cards import TEAM, Card, Cards, Seat
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.play import Play, Turn
from nimmt_lab.engine.record import Record, Step
from nimmt_lab.engine.state import NOTHING, Extra, GameState
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import (
    LOW_CARDS,
    POLICIES,
    SEARCH,
    SEATING,
    Searching,
    Seating,
    kernel_of,
    searching_kernel,
)
from nimmt_lab.native.loader import Core, Memory, core
from nimmt_lab.native.work import CARDS, SEATS, Work, Workspace, card_set

from .kinds import LEARNED, PARTS, TRAINED

#: How often a seat that has a policy may stray from it, in parts of `PARTS`, and how likely each is before anything is
#: seen: one in two never strays, of the others all as likely.
_STRAYS = {0: 0.5, **dict.fromkeys(range(8, PARTS, 16), 0.5 / 16)}
#: And one seat in three plays at random.
_AT_RANDOM = 1 / 3
#: Ways are told apart to this.
_STEP = 4
#: Two cards change places so many times for each card that the others hold.
_SETTLE = 12
#: Hands in which a network's liking of a card is tried.
_SAMPLES = 5
#: What is done otherwise than by habit.
_SELDOM = 5
#: Habits of the classic family.
_LOW_CARDS: tuple[int, ...] = (LOW_CARDS["cheapest"], LOW_CARDS["random"])
#: Policies of the classic family: with a network, and where there is none.
_FAMILY = LEARNED[1:]
_SIMPLE = (POLICIES["closest-safe"], POLICIES["edges-first"], POLICIES["least-risk"])
#: To it many cards are as good as others: nothing to fear from any.
_OFTEN_EQUAL = POLICIES["least-risk"]
#: How much a card's code grows when it is played the other way.
_TWISTED = 128


class Way(NamedTuple):
    """How a seat plays: a policy of the kernel, how often it strays from it (in parts of `PARTS`), and what it does
    where something else is asked (in the classic game, the row that its low cards take)."""

    policy: int
    stray: int = 0
    habit: int = LOW_CARDS["cheapest"]


AT_RANDOM = Way(POLICIES["random"])


class Laid(NamedTuple):
    """A table as everybody saw it: rows, and what lay beside them."""

    rows: Sequence[Cards]
    extra: Extra


class Company(NamedTuple):
    """The ways of everybody at a table, by seat; and what lay open beside the rows before each turn, where something
    does: (round, turn), extra."""

    ways: tuple[Way, ...]
    beside: tuple[tuple[tuple[int, int], Extra], ...] = ()

    def tell(self, work: Workspace, view: View, own: Way | None = None) -> None:
        """How everybody plays on (the view's seat in its `own` way, or as the workspace has it), and what the others
        hardly hold."""
        self.sit_down(work, view.seat, own)
        if view.history and all(held is None for seat, held in enumerate(view.hands) if seat != view.seat):
            for field, values in _suspicions(self, view).items():
                work.set(field, values)

    def sit_down(self, work: Workspace, seat: Seat, own: Way | None = None) -> None:
        """How everybody plays, that seat in its own way."""
        for at, field in enumerate(("policies", "stray", "lows")):
            numbers = [way[at] for way in self.ways]
            numbers[seat] = work.get(field)[seat] if own is None else own[at]
            work.set(field, numbers)

    def lay(self, view: View, turn: Turn) -> Laid:
        """The table before a turn of the view's round."""
        return Laid(turn.rows, dict(self.beside).get((turn.round, turn.number), view.extra))

    def minded(self, view: View) -> list[Seat]:
        """The others that have a policy."""
        return [s for s, way in enumerate(self.ways) if s != view.seat and way.policy != POLICIES["random"]]


class _Suspicions:
    """What speaks against the others' holding cards, by the names of the workspace's fields."""

    def __init__(self) -> None:
        self.clash, self.clashed, self.doubt = [0] * (SEATS * CARDS), [0] * SEATS, [0] * (SEATS * SEATS)

    def note(self, seat: Seat, turn: int, better: Sequence[Card], later: Sequence[Card], way: Way, ways: int) -> None:
        """In that turn, out of so many ways to choose, the seat played something that its policy likes less than these
        cards. Those it has played later it held then: so it strayed, whatever else it holds."""
        for card in better:
            if card in later:
                self.clashed[seat] |= 1 << turn
            else:
                self.clash[CARDS * seat + card] |= 1 << turn
        anything = way.stray / ways
        self.doubt[SEATS * seat + turn] = max(1, int(65536 * anything / (PARTS - way.stray + anything)))

    def fields(self, hidden: int) -> dict[str, list[int] | int]:
        """With so many cards in the hands of those who have a policy."""
        settle = min(4096, _SETTLE * hidden)
        return {"clash": self.clash, "clashed": self.clashed, "doubt": self.doubt, "settle": settle}


@lru_cache(maxsize=64)  # luck and skill ask about the same view
def _suspicions(company: Company, view: View) -> dict[str, list[int] | int]:
    """Of every turn so far and every card: would that seat have played the card, if it had held it?"""
    found = searching_kernel(view.game)
    if found is not None:
        return _in_family(company, view, *found)
    seating, suspicions = SEATING.of(view.game), _Suspicions()
    seats, pool = company.minded(view), view.unseen
    later: dict[Seat, list[Card]] = {seat: [] for seat in seats}
    turns = seating.held(view)[-SEATS:]
    for number, turn in reversed(list(enumerate(turns if seats else ()))):
        table = company.lay(view, turn)
        for seat in seats:
            played = [play.card for play in turn.plays if play.seat == seat]
            held = view.hand_sizes[seat] + len(later[seat]) + len(played)
            if not played or held == len(played):
                continue
            costs = _costs(view.game, company.ways[seat].policy, table)
            most = max(costs[card] for card in played)
            better = [card for card in (*later[seat], *pool) if costs[card] < most]
            suspicions.note(seat, number, better, later[seat], company.ways[seat], comb(held, len(played)))
            later[seat] += played
    return suspicions.fields(sum(view.hand_sizes[seat] for seat in seats) if turns else 0)


@lru_cache(maxsize=512)  # the next views ask about the same turns
def _costs(game: Game, policy: int, table: Laid) -> Mapping[Card, int]:
    """Of every card, what that policy minimises."""
    seating = SEATING.of(game)
    return {card: seating.cost(game, policy, table, card) for card in game.deck}


def _in_family(company: Company, view: View, core: Core, kernel: Searching) -> dict[str, list[int] | int]:
    """The same by the classic family's kernel."""
    suspicions, seats = _Suspicions(), company.minded(view)
    later: dict[Seat, list[Card]] = {seat: [] for seat in seats}
    hidden, pool = {*view.unseen, *view.hand}, view.unseen
    asked = _asking(core, kernel, view.game)
    asked.set("pool", len(pool))
    for turn in reversed(view.history if seats else ()):
        left = view.game.turns - turn.number
        played = {play.seat: play for play in turn.plays}
        hidden |= {play.card for play in turn.plays}
        network = _about(asked, kernel, view.game, company.lay(view, turn), left, hidden)
        for seat in seats:
            way = company.ways[seat]
            samples = _SAMPLES if way.policy == TRAINED else 1
            asked.set("kinds", way.policy)
            asked.set("n_options", 1 + len(later[seat]))
            asked.set("cards", [_code(played[seat]), *later[seat], *pool])
            asked.call(kernel.clash, network, samples)
            better = [card for card, times in enumerate(asked.get("stats", CARDS)) if 2 * times > samples]
            suspicions.note(seat, turn.number, better, later[seat], way, left)
            later[seat].append(played[seat].card)
    return suspicions.fields(len(view.hand) * len(seats))


def _code(play: Play) -> int:
    return play.card if play.plain else play.card + _TWISTED


def _asking(core: Core, kernel: Searching, game: Game) -> Work:
    """A workspace to ask policies in."""
    work = Work(core)
    kernel.prepare(work, game, [POLICIES["random"]] * game.players, [0] * game.players)
    kernel.weigh(work, game)
    return work


def _about(work: Work, kernel: Searching, game: Game, table: Laid, left: int, hidden: set[int]) -> Memory:
    """The table of a turn laid in it; what the network knows then."""
    kernel.lay(work, game, table.rows, table.extra)
    work.set("turns", left)
    work.set("unseen", card_set(hidden))
    return kernel.network(work, game.players, len(hidden) - left, left) if kernel.has_network(game) else work.memory


class _Choice(NamedTuple):
    """A seat's choice: out of so many, and how likely each of some policies (or habits) would have made it: not at all
    if it likes another better, and one in so many if it likes so many best."""

    seat: Seat
    ways: int
    chances: Sequence[float]


def company_of(record: Record) -> Company | None:
    """How everybody played, from the finished rounds of a game; None where there is no core, or nothing is known of how
    its seats may play.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import bot, record
    >>> found = company_of(record(Classic(players=2, rounds=1), [bot("closest-safe"), bot("random")], seed=1))
    >>> found is None or found.ways[0].policy == POLICIES["closest-safe"]
    True
    """
    game = record.game
    family, seating = searching_kernel(game), _seating(game)
    if core() is None or (family is None and seating is None):
        return None
    seen: list[list[_Choice]] = [[] for _ in range(game.players)]
    habits: list[list[_Choice]] = [[] for _ in range(game.players)]
    beside, begun = list[tuple[tuple[int, int], Extra]](), 0
    for ply, step in enumerate(record.steps):
        if not step.state.is_past_round(step.before.round):
            continue
        steps, begun = record.steps[begun : ply + 1], ply + 1
        beside += _beside(game, steps)
        for choice in _in_round(game, steps, *family) if family else _by_seating(game, steps, seating):
            seen[choice.seat].append(choice)
        for choice in _rows(game, steps) if family else _others(steps, seating):
            habits[choice.seat].append(choice)
    if family is not None:
        policies, names = _policies(game, family[1]), _LOW_CARDS
    else:
        assert seating is not None
        policies, names = seating.policies, seating.habits
    return Company(
        tuple(
            _likeliest(choices, policies)._replace(habit=_habit(done, names))
            for choices, done in zip(seen, habits, strict=True)
        ),
        tuple(beside),
    )


def _seating(game: Game) -> Seating | None:
    """How the seats of a chapter may be found to play whose playouts the core knows, with all its options."""
    return SEATING.find(game) if SEARCH.find(game) is not None and kernel_of(game) is not None else None


def _policies(game: Game, kernel: Searching) -> tuple[int, ...]:
    """The policies of the classic family that a seat may be found to have, besides any card."""
    return _FAMILY if kernel.has_network(game) else _SIMPLE


def _beside(game: Game, steps: Sequence[Step]) -> Iterator[tuple[tuple[int, int], Extra]]:
    """What lay beside the rows before each turn, as far as everybody could see it."""
    for step in steps:
        before = step.before
        if before.rows and not before.queue and before.extra != NOTHING:
            yield (before.round, before.turn), game.public_extra(before.extra, TEAM)


def _rows(game: Game, steps: Sequence[Step]) -> Iterator[_Choice]:
    """The rows that low cards took, for each of the habits in `_LOW_CARDS`."""
    for step in steps:
        for seat, choice in step.choices.items():
            decision = step.before.pending[seat]
            if step.before.rows and isinstance(decision, ChooseRow):
                ways = len(decision.options)
                yield _Choice(seat, ways, (float(choice == game.low_card_row(step.before)), 1 / ways))


def _others(steps: Sequence[Step], seating: Seating | None) -> Iterator[_Choice]:
    """Whatever else than cards was chosen, where there was a choice, for each of the habits."""
    assert seating is not None
    for step in steps:
        for seat, choice in step.choices.items():
            decision = step.before.pending[seat]
            if len(decision.options) > 1 and seating.cards(decision, choice) is None:
                view, ways = step.before.view(seat), len(decision.options)
                usual = [seating.by_habit(habit, view, decision) for habit in seating.habits]
                yield _Choice(seat, ways, [1 / ways if one is None else float(one == choice) for one in usual])


def _by_seating(game: Game, steps: Sequence[Step], seating: Seating | None) -> Iterator[_Choice]:
    """The cards played in a round of which there was a choice."""
    assert seating is not None
    for step in steps:
        before: GameState = step.before
        table = Laid(tuple(before.rows), game.public_extra(before.extra, TEAM))
        for seat, choice in step.choices.items():
            played, hand = seating.cards(before.pending[seat], choice), before.hands[seat]
            if played is None or len(played) == len(hand):
                continue
            costs = [_costs(game, policy, table) for policy in seating.policies]
            chances = [_chance([by[card] for card in hand], [by[card] for card in played]) for by in costs]
            yield _Choice(seat, comb(len(hand), len(played)), chances)


def _chance(hand: Sequence[int], played: Sequence[int]) -> float:
    """How likely these are played of a hand by a policy to which its cards cost so much.

    >>> _chance([5, 7, 9], [5]), _chance([5, 7, 9], [9]), _chance([5, 5, 9], [5]), _chance([5, 7, 7, 8], [5, 7])
    (1.0, 0.0, 0.5, 0.5)
    """
    if sorted(played) != sorted(hand)[: len(played)]:
        return 0.0
    last = max(played)
    return 1 / comb(hand.count(last), played.count(last))


def _in_round(game: Game, steps: Sequence[Step], core: Core, kernel: Searching) -> Iterator[_Choice]:
    """The cards played in a round of the classic family, the last turn's first, of which there was a choice."""
    number = steps[-1].before.round
    turns = [turn for turn in steps[-1].state.history if turn.round == number]
    beside = dict(_beside(game, steps))
    hands: list[list[int]] = [[] for _ in range(game.players)]
    dealt = {play.card for turn in turns for play in turn.plays}
    gone = {card for turn in turns for row in turn.rows for card in row} - dealt
    never = set(game.deck) - dealt - gone
    work = _asking(core, kernel, game)
    for turn in reversed(turns):
        for play in turn.plays:
            hands[play.seat].insert(0, play.card)
        left = len(hands[0])
        hidden = {*never, *(card for hand in hands for card in hand)}
        if left == 1:
            continue
        table = Laid(turn.rows, beside.get((turn.round, turn.number), NOTHING))
        network = _about(work, kernel, game, table, left, hidden)
        work.set("n_options", left)
        played = {play.seat: play for play in turn.plays}
        for seat, hand in enumerate(hands):
            work.set("cards", [_code(played[seat]), *hand[1:]])
            chances = []
            for policy in _policies(game, kernel):
                work.set("kinds", [policy, 0, 0, 0])
                work.call(kernel.clash, network, 1)
                best = [] if any(work.get("stats")) else [hand[0]]
                for card in hand[1:] if best and policy == _OFTEN_EQUAL else ():
                    work.set("cards", [card, *(other for other in hand if other != card)])
                    work.call(kernel.clash, network, 1)
                    best += [] if any(work.get("stats")) else [card]
                work.set("cards", [_code(played[seat]), *hand[1:]])
                chances.append(1 / len(best) if best else 0.0)
            yield _Choice(seat, left, chances)


def _likeliest(choices: Sequence[_Choice], policies: Sequence[int]) -> Way:
    """The policy that a seat most likely has, with how often it strays from it on average, after what it has chosen:
    who may just as well play at random strays almost always.

    >>> found = _likeliest([_Choice(0, 3, [1, 0])] * 9, (3, 5))
    >>> found.policy == POLICIES["closest-safe"], found.stray < 64
    (True, True)
    >>> _likeliest([_Choice(0, 3, [0, 0])] * 6, (3, 5)).stray > 240
    True
    >>> _likeliest([_Choice(0, 3, [0, 0])] * 60, (3, 5)) == AT_RANDOM
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


def _habit(done: Sequence[_Choice], habits: Sequence[int]) -> int:
    """The habit by which a seat most likely did what it did, if it did anything one time in `_SELDOM`; the first, where
    nothing tells.

    >>> row, other = _Choice(0, 4, (1.0, 0.25)), _Choice(0, 4, (0.0, 0.25))
    >>> _habit([row, row, other], (0, 1)), _habit([other], (0, 1)), _habit([], (0, 1))
    (0, 1, 0)
    """
    anything = 1 / _SELDOM
    likely = [prod(anything + (1 - anything) * one.ways * one.chances[at] for one in done) for at in range(len(habits))]
    return habits[likely.index(max(likely))]

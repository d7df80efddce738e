"""Who sat at a table, told from a whole game, and what they may then have held at any moment of it.

A way to play is a policy and how often a seat strays from it: one choice in so many is any card. At the end of a round
all hands have been seen, so each choice can be held against what a policy would have done with that hand. Who always
strays plays at random.

Who plays by a policy hardly holds a card that it would have played before. Values of a view are only fair if the hidden
cards are dealt out with that in mind: `Company.tell` writes it into a workspace (`belief.h`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.play import Turn
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.state import Extra
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, Searching, searching_kernel
from nimmt_lab.native.loader import Core, Memory
from nimmt_lab.native.work import CARDS, SEATS, Work, card_set

from .kinds import LEARNED, PARTS, TRAINED

#: How often a seat that has a policy may stray from it, in parts of `PARTS`: before anything is seen, all as likely.
_STRAYS = range(4, PARTS, 16)
#: And one seat in two plays at random.
_AT_RANDOM = 0.5
#: Ways are told apart to this.
_STEP = 8
#: Two cards change places so many times for each card that the others hold.
_SETTLE = 12
#: Hands in which a network's liking of a card is tried.
_SAMPLES = 5


class Way(NamedTuple):
    """How a seat plays: a policy of the kernel, how often it strays from it (in parts of `PARTS`), and the row that its
    low cards take."""

    policy: int
    stray: int = 0
    low_card: int = LOW_CARDS["cheapest"]


AT_RANDOM = Way(POLICIES["random"])


class Company(NamedTuple):
    """The ways of everybody at a table, by seat."""

    ways: tuple[Way, ...]

    def tell(self, work: Work, kernel: Searching, view: View, own: Way) -> None:
        """How everybody plays on (the view's seat in its `own` way), and what the others hardly hold."""
        self.sit_down(work, kernel, view.game, view.seat, own)
        if view.history and all(held is None for seat, held in enumerate(view.hands) if seat != view.seat):
            for field, values in _suspicions(self, view).items():
                work.set(field, values)

    def sit_down(self, work: Work, kernel: Searching, game: Game, seat: Seat, own: Way) -> None:
        """How everybody plays, that seat in its own way."""
        ways = [own if at == seat else way for at, way in enumerate(self.ways)]
        kernel.weigh(work, game)
        work.set("policies", [way.policy for way in ways])
        work.set("stray", [way.stray for way in ways])
        work.set("lows", [way.low_card for way in ways])


@lru_cache(maxsize=64)  # luck and skill ask about the same view
def _suspicions(company: Company, view: View) -> dict[str, list[int] | int]:
    """Of every turn so far and every card: would that seat have played the card, if it had held it? By the names of
    the workspace's fields."""
    found = searching_kernel(view.game)
    assert found is not None, "a company is told by this kernel"
    core, kernel = found
    clash, clashed, doubt = [0] * (SEATS * CARDS), [0] * SEATS, [0] * (SEATS * SEATS)
    seats = [s for s, way in enumerate(company.ways) if s != view.seat and way.policy != POLICIES["random"]]
    later: dict[Seat, list[int]] = {seat: [] for seat in seats}
    hidden, pool = {*view.unseen, *view.hand}, view.unseen
    asked = _asking(core, kernel, view.game)
    asked.set("pool", len(pool))
    for turn in reversed(view.history if seats else ()):
        left, bit = view.game.turns - turn.number, 1 << turn.number
        played = {play.seat: play.card for play in turn.plays}
        hidden |= set(played.values())
        network = _about(asked, kernel, view.game, view.extra, turn, left, hidden)
        for seat in seats:
            policy, stray, _ = company.ways[seat]
            samples = _SAMPLES if policy == TRAINED else 1
            asked.set("kinds", policy)
            asked.set("n_options", 1 + len(later[seat]))
            asked.set("cards", [played[seat], *later[seat], *pool])
            asked.call(kernel.clash, network, samples)
            for card, times in enumerate(asked.get("stats", CARDS)):
                if 2 * times > samples and card in later[seat]:
                    clashed[seat] |= bit
                elif 2 * times > samples:
                    clash[CARDS * seat + card] |= bit
            any_card = stray / left
            doubt[SEATS * seat + turn.number] = max(1, int(65536 * any_card / (PARTS - stray + any_card)))
            later[seat].append(played[seat])
    settle = min(4096, _SETTLE * len(view.hand) * len(seats))
    return {"clash": clash, "clashed": clashed, "doubt": doubt, "settle": settle}


def _asking(core: Core, kernel: Searching, game: Game) -> Work:
    """A workspace to ask policies in."""
    work = Work(core)
    kernel.prepare(work, game, [POLICIES["random"]] * game.players, [0] * game.players)
    kernel.weigh(work, game)
    return work


def _about(
    work: Work, kernel: Searching, game: Game, extra: Extra, turn: Turn, left: int, hidden: set[int]
) -> Memory:
    """The table of a turn laid in it; what the network knows then."""
    kernel.lay(work, game, turn.rows, extra)
    work.set("turns", left)
    work.set("unseen", card_set(hidden))
    return kernel.network(work, game.players, len(hidden) - left, left)


def company_of(record: Record) -> Company | None:
    """How everybody played, from the finished rounds of a game with hidden hands; None where there is no core or no
    learned way to play.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import bot, record
    >>> found = company_of(record(Classic(players=2, rounds=1), [bot("closest-safe"), bot("random")], seed=1))
    >>> found is None or found.ways[0].policy == POLICIES["closest-safe"]
    True
    """
    found = searching_kernel(record.game)
    if found is None or not found[1].has_network(record.game) or not record.game.hidden_hands:
        return None
    seen: list[list[tuple[int, list[bool]]]] = [[] for _ in range(record.game.players)]
    rows: list[list[bool]] = [[] for _ in range(record.game.players)]
    for step in record.steps:
        before = step.before
        for seat, choice in step.choices.items():
            if before.rows and isinstance(before.pending[seat], ChooseRow):
                rows[seat].append(choice == record.game.low_card_row(before))
        if before.rows and step.state.is_past_round(before.round):
            turns = [turn for turn in step.state.history if turn.round == before.round]
            for seat, left, agree in _choices(record.game, before.extra, turns, *found):
                seen[seat].append((left, agree))
    return Company(tuple(_likeliest(choices, low) for choices, low in zip(seen, rows, strict=True)))


def _choices(
    game: Game, extra: Extra, turns: Sequence[Turn], core: Core, kernel: Searching
) -> Iterator[tuple[Seat, int, list[bool]]]:
    """The cards played in a round, the last turn's first, of which there was a choice: by whom, of how many, and
    whether each of the kinds in `LEARNED` liked none better."""
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
        network = _about(work, kernel, game, extra, turn, left, hidden)
        work.set("n_options", left)
        for seat, hand in enumerate(hands):
            work.set("cards", hand)
            agree = []
            for policy in LEARNED:
                work.set("kinds", [policy, 0, 0, 0])
                work.call(kernel.clash, network, 1)
                agree.append(policy == POLICIES["random"] or not any(work.get("stats")))
            yield seat, left, agree


def _likeliest(choices: Sequence[tuple[int, Sequence[bool]]], low: Sequence[bool]) -> Way:
    """The policy that a seat most likely has, with how often it strays from it on average, after what it has chosen:
    who may just as well play at random strays almost always.

    >>> found = _likeliest([(3, [False, True, False, False])] * 9, [])
    >>> found.policy == POLICIES["closest-safe"], found.stray < 64
    (True, True)
    >>> _likeliest([(3, [False] * 4)] * 6, [False]) == Way(POLICIES["random"], 0, LOW_CARDS["random"])
    True
    """
    # All against what playing at random makes of the same choices
    best, way = 0.0, AT_RANDOM
    for kind, policy in enumerate(LEARNED):
        if policy == POLICIES["random"]:
            continue
        likely = {
            stray: prod(stray / PARTS + (1 - stray / PARTS) * left * agree[kind] for left, agree in choices)
            for stray in _STRAYS
        }
        prior = (1 - _AT_RANDOM) / (len(LEARNED) - 1) / len(_STRAYS)
        has = prior * sum(likely.values())
        strays = prior * sum(stray * chance for stray, chance in likely.items()) + _AT_RANDOM * PARTS
        mean = max(_STEP, _STEP * round(strays / (has + _AT_RANDOM) / _STEP))
        if has > best:
            best, way = has, Way(policy, mean) if mean < PARTS else AT_RANDOM
    anything = len(low) > 0 and 2 * sum(low) < len(low) + 1
    return way._replace(low_card=LOW_CARDS["random" if anything else "cheapest"])

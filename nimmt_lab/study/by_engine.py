"""Rounds of any game played by the engine: the same rounds that the game's kernel, if it has one, would play."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.bots.by_engine import win_credit
from nimmt_lab.bots.simple import CARD_COSTS, ClosestSafeBot
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.events import CardPlaced, Event, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import any_option, habit
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.native.kernel import WAYS, Kernel
from nimmt_lab.native.outcomes import FIELDS, Outcomes, Totals, as_data
from nimmt_lab.native.work import CREDIT

_FULL, _LOW, _OTHER, _TURNS = 1, 2, 3, 4
#: Rounds summed at a time, to bound memory.
_PORTION = 1000


class EngineRounds:
    """Plays rounds of one game; `policies` and `low_cards` by seat. With a kernel it deals as the kernel does."""

    def __init__(
        self, game: Game, policies: Sequence[str], low_cards: Sequence[str], kernel: Kernel | None = None
    ) -> None:
        self.game = game
        self.policies = policies
        self.low_cards = low_cards
        self.kernel = kernel
        self.code = "i" if kernel is None else kernel.code
        self.ways = WAYS.find(game)

    def play(self, seed: int, first: int, rounds: int) -> Outcomes:
        """The outcome of every round, in the format of the core."""
        played = [self.round(seed, number) for number in range(first, first + rounds)]
        count = len(self.game.pile_seats)
        if self.code == "i":
            return Outcomes(count, first, rounds, as_data(played), "i")
        data = bytes(number for sides in played for side in sides for number in side[: len(FIELDS)])
        return Outcomes(count, first, rounds, data)

    def count(self, seed: int, first: int, rounds: int) -> Totals:
        """The totals of the same rounds."""
        totals = Totals.nothing(len(self.game.pile_seats))
        for at in range(first, first + rounds, _PORTION):
            totals += self.play(seed, at, min(_PORTION, first + rounds - at)).totals()
        return totals

    def round(self, seed: int, number: int) -> list[list[int]]:
        """Play one round: the fields of each side, then its win credit."""
        state, hands, rng = self._deal(seed, number)
        sides = [[0] * (len(FIELDS) + 1) for _ in self.game.pile_seats]
        before, round_ = state.totals, state.round
        takes: set[tuple[int, int]] = set()
        while not state.is_past_round(round_):
            choices: dict[Seat, Choice] = {}
            for seat, decision in state.pending.items():
                choices[seat], rng = self._choose(state, seat, decision, hands, rng)
            turn, asked = state.turn, state.pending
            state, events = state.choose(choices)
            self._note(events, {s for s, d in asked.items() if isinstance(d, ChooseRow)}, turn, sides, takes)
        for side, _turn in takes:
            sides[side][_TURNS] += 1
        for side, (then, now) in enumerate(zip(before, state.totals, strict=True)):
            sides[side][0] = now - then
            sides[side][-1] = round(CREDIT * win_credit(state, side))
        return sides

    def _deal(self, seed: int, number: int) -> tuple[GameState, list[list[int]] | None, Rng]:
        if self.kernel is not None:
            return self.kernel.deal(self.game, seed, number)
        stream = Rng.from_seed(seed, number)
        table = LiveTable(self.game, stream)
        self.game.start_round(table)
        # Choices have a stream of their own: games draw cards from theirs during play.
        return self.game._run(table), None, Rng.from_seed(stream.state, 1)

    def _choose(
        self, state: GameState, seat: Seat, decision: Decision, hands: list[list[int]] | None, rng: Rng
    ) -> tuple[Choice, Rng]:
        """A seat's choice, and the stream after it. A team plays by the policy of its first seat."""
        if isinstance(decision, ChooseRow):
            return self._row(state, seat, decision, rng)
        policy = self.policies[max(seat, 0)]
        own = None if self.ways is None else self.ways.choose(policy, state.view(seat), decision)
        if own is not None:
            return own, rng
        if not isinstance(decision, ChooseCard):
            usual = habit(state, decision)
            return any_option(decision, rng) if usual is None else (usual, rng)
        if policy == "random":
            return self._any_card(state, seat, decision, hands, rng)
        cards = [option for option in decision.options if isinstance(option, int)]
        if hands is not None:
            cards = [card for card in hands[seat] if card in cards]
        choice = self._by_cost(state, seat, decision, policy, cards)
        if hands is not None:
            _remove(hands[seat], _card_of(choice, seat))
        return choice, rng

    def _any_card(
        self, state: GameState, seat: Seat, decision: ChooseCard, hands: list[list[int]] | None, rng: Rng
    ) -> tuple[Choice, Rng]:
        """A uniform random option. Hands in random order are played in that order."""
        if hands is None:
            return any_option(decision, rng)
        hand = hands[seat]
        choice: Choice = hand[0]
        twisted = [option for option in decision.options if isinstance(option, CardOption)]
        if twisted or (self.kernel is not None and self.kernel.draws_card(state, seat)):
            twisted.sort(key=lambda option: hand.index(option.play(seat).card))
            pick, rng = rng.below(len(hand) + len(twisted))
            choice = hand[pick] if pick < len(hand) else twisted[pick - len(hand)]
        _remove(hand, _card_of(choice, seat))
        return choice, rng

    def _by_cost(self, state: GameState, seat: Seat, decision: ChooseCard, policy: str, cards: list[int]) -> Choice:
        """The policies of the bots with the same names; the first of equals."""
        if policy == "lowest":
            return min(cards)
        if policy == "highest":
            return max(cards)
        view = state.view(seat)
        if policy == "closest-safe":
            return ClosestSafeBot().card(view, decision, Rng(0))
        cost = CARD_COSTS[policy]
        return min(cards, key=lambda card: cost(view, card))

    def _row(self, state: GameState, seat: Seat, decision: ChooseRow, rng: Rng) -> tuple[Choice, Rng]:
        policy = self.low_cards[max(seat, 0)]
        rows = [row for row in decision.options if isinstance(row, int)]
        if policy == "random":
            pick, rng = rng.below(len(rows))
            return rows[pick], rng
        if policy == "shortest":
            fewest = min(len(state.rows[row]) for row in rows)
            rows = [row for row in rows if len(state.rows[row]) == fewest]
        return state.game.cheapest_row(state, rows), rng

    def _note(
        self,
        events: Sequence[Event],
        choosing: set[Seat],
        turn: int,
        sides: list[list[int]],
        takes: set[tuple[int, int]],
    ) -> None:
        """Count rows taken: by a low card, by a sixth card, or otherwise."""
        for at, event in enumerate(events):
            if isinstance(event, CardPlaced):
                choosing.discard(event.seat)  # the chosen row was another seat's
            if not isinstance(event, RowTaken):
                continue
            side = self.game.pile_of(event.seat)
            after = events[at + 1] if at + 1 < len(events) else None
            if event.seat in choosing:
                kind = _LOW
                choosing.discard(event.seat)
            elif isinstance(after, CardPlaced) and (after.seat, after.row) == (event.seat, event.row):
                kind = _FULL
            else:
                kind = _OTHER
            sides[side][kind] += 1
            takes.add((side, turn))


def _card_of(choice: Choice, seat: Seat) -> int:
    if isinstance(choice, CardOption):
        return choice.play(seat).card
    assert isinstance(choice, int)
    return choice


def _remove(hand: list[int], card: int) -> None:
    """Remove a card as the core does: the first card takes its place."""
    hand[hand.index(card)] = hand[0]
    hand.pop(0)

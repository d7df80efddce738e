"""Questions about a position, made by the engine: it knows the answer because it plays the position out.

A question is data: what is shown, what is asked, what may be answered, what is right, and the step that proves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from nimmt_lab.boards.describe import describer
from nimmt_lab.engine.cards import Card, Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.events import CardPlaced, Json, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain import Verdict, assess
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.games.baron.rules import Baron
from nimmt_lab.games.classic.rules import Classic

#: What can be asked: where a card goes, who takes, which card is safe, how likely something is, which row matches.
KINDS = ("row", "takes", "safe", "chance", "match")


@dataclass(frozen=True)
class Question:
    """One question. `right` are the answers that count, written as the options write them."""

    kind: str
    state: GameState
    seat: Seat
    choices: tuple[str, ...]
    right: frozenset[str]
    card: Card = 0
    #: What happens on the table shown; None where the answer needs no turn to be played.
    step: Step | None = None
    #: The cards that make it so (chance).
    cards: tuple[Card, ...] = ()

    def prompt(self, words: Words) -> str:
        """The question in words."""
        return words(_key("question", self.kind), card=self.card, who=words.who(self.seat), all=len(_unseen(self)))

    def hint(self, words: Words) -> str:
        """What to look at."""
        game = self.state.game
        # A fan card may close a row or turn it round, so that the closest end is not all.
        plain = isinstance(game, Classic) and not game.fan_cards
        family = "" if plain or self.kind != "row" else "_other"
        return words(_key("hint", f"{self.kind}{family}"), card=self.card, who=words.who(self.seat))

    def why(self, said: str, words: Words) -> str:
        """The tutor about an answer, where no turn is played out; about a wrong one only if it gives nothing away."""
        if self.kind == "safe":
            return assess(self.state.view(self.seat))[int(said)].text(words.lang)
        if said not in self.right:
            return ""
        if self.kind == "chance" and self.cards:
            return words("with_cards", cards=", ".join(map(str, self.cards)))
        if self.kind == "match":
            aim = describer(self.state.game, words).aim(self.state, self.seat, self.card)
            return "" if aim is None else f"{aim['text']}."
        return ""

    def options(self, words: Words) -> list[Json]:
        """What may be answered, in the form boards show options."""
        return [self._option(text, words) for text in self.choices]

    def _option(self, text: str, words: Words) -> Json:
        if self.kind in ("row", "match") and text != "-":
            return {"text": text, "row": int(text)}
        if self.kind == "safe":
            return {"text": text, "card": int(text)}
        if self.kind == "chance":
            return {"text": text, "label": words("chance_of", count=text, all=len(_unseen(self)))}
        if text == "-":
            return {"text": text, "label": words("look.baron.no_row" if self.kind == "match" else "takes_nobody")}
        seat, heads = text.split(":")
        return {"text": text, "label": words("takes_who", who=words.who(int(seat)), heads=heads)}


def _key(what: str, kind: str) -> str:
    return f"look.baron.{what}_match" if kind == "match" else f"{what}_{kind}"


def _unseen(question: Question) -> tuple[Card, ...]:
    return question.state.view(question.seat).unseen if question.kind == "chance" else ()


# One question of each kind -------------------------------------------------------------------------------


def which_row(state: GameState, choices: Mapping[Seat, Choice], card: Card) -> Question:
    """Everybody's cards are revealed: which row does this one go to?

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    >>> question = which_row(state, {0: 14, 1: 15}, 15)
    >>> question.right, question.choices
    (frozenset({'0'}), ('0', '1', '2', '3'))
    """
    step, shown = _revealed(state, choices)
    for event in step.events:
        if isinstance(event, CardPlaced) and event.card == card:
            rows = tuple(str(row) for row in range(len(shown.rows)))
            return Question("row", shown, event.seat, rows, frozenset({str(event.row)}), card, step)
    raise PositionError(f"{card} is not placed before something else is asked")


def who_takes(state: GameState, choices: Mapping[Seat, Choice]) -> Question:
    """Everybody's cards are revealed: who takes a row first, and how many heads?

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 | 20 | 35 | 36 38 40 41 42 ; A: 43 1 ; B: 80 99")
    >>> who_takes(state, {0: 43, 1: 80}).right
    frozenset({'0:7'})
    """
    step, shown = _revealed(state, choices)
    if step.state.pending and step.state.queue:
        raise PositionError("something is asked before all cards lie, so who takes is not settled")
    takes = [event for event in step.events if isinstance(event, RowTaken)]
    right = f"{takes[0].seat}:{takes[0].heads}" if takes else "-"
    # The wrong answers are what it would be if another card took, or another row were taken.
    seats = [play.seat for play in shown.queue]
    heads = sorted({state.game.heads_in(row) for row in shown.rows if row})
    near = [f"{seat}:{takes[0].heads if takes else heads[-1]}" for seat in seats]
    near += [f"{takes[0].seat if takes else seats[0]}:{count}" for count in heads]
    wrong = list(dict.fromkeys(text for text in near if text != right))[:4]
    choices_shown = sorted({right, "-", *wrong}, key=lambda text: (text == "-", text))
    return Question("takes", shown, seats[0], tuple(choices_shown), frozenset({right}), step=step)


def which_safe(state: GameState, seat: Seat) -> Question:
    """Which card of this hand takes nothing, whatever the others play?"""
    found = assess(state.view(seat))
    cards = {choice: said for choice, said in found.items() if isinstance(choice, int)}
    right = frozenset(str(card) for card, said in cards.items() if said.verdict is Verdict.SAFE)
    if not right or len(right) == len(cards):
        raise PositionError("some cards must be safe, and some not")
    return Question("safe", state, seat, tuple(map(str, cards)), right)


def chance(state: GameState, seat: Seat, card: Card) -> Question:
    """Two players: among the cards the other one may play, how many make `seat` take a row with `card`?

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2, deck_size=24).from_position("5 | 9 | 12 | 14 16 17 19 ; A: 22 1 ; B: 23 24")
    >>> chance(state, 0, 22).right  # 20 or 21 would come before it and fill row 4
    frozenset({'2'})
    """
    if state.game.players != 2 or not state.game.hidden_hands:
        raise RulesError("the chance of one hidden card is a question for two players with hidden hands")
    other = 1 - seat
    unseen = state.view(seat).unseen
    causes = tuple(unknown for unknown in unseen if _takes(state, seat, card, other, unknown))
    count = len(causes)
    most = len(unseen)
    spread = {count, 0, most, most - count, count // 2, (count + most) // 2, min(count + 3, most)}
    near = sorted(spread, key=lambda number: (number != count, abs(number - count), number))[:5]
    return Question("chance", state, seat, tuple(map(str, sorted(near))), frozenset({str(count)}), card, cards=causes)


def which_match(state: GameState, seat: Seat, card: Card) -> Question:
    """Bull Baron: which row may this card join? Any that shares a colour is right.

    >>> from nimmt_lab.games.baron.rules import Baron
    >>> question = generate(Baron(players=2), "match", seed=1)
    >>> question == which_match(question.state, question.seat, question.card)
    True
    """
    game = state.game
    if not isinstance(game, Baron):
        raise RulesError(f"colours decide in Bull Baron, not in {game.name}")
    rows = game.matching_rows(state, card)
    if len(rows) == len(state.rows):
        raise PositionError("every row matches")
    right = frozenset(map(str, rows)) or frozenset({"-"})
    return Question("match", state, seat, (*map(str, range(len(state.rows))), "-"), right, card)


def _takes(state: GameState, seat: Seat, card: Card, other: Seat, unknown: Card) -> bool:
    """Whether `seat` takes a row when the other one plays this card. A low card takes, whichever row it will be."""
    hands = list(state.hands)
    hands[other] = tuple(sorted((*hands[other][1:], unknown)))
    decision = state.pending[other]
    assert isinstance(decision, ChooseCard)
    pending = {**state.pending, other: replace(decision, options=hands[other])}
    after, events = replace(state, hands=tuple(hands), pending=pending).choose({seat: card, other: unknown})
    while True:
        if any(isinstance(event, RowTaken) and event.seat == seat for event in events):
            return True
        if not after.queue:
            return False
        (asked,) = after.pending
        if asked == seat:
            return True
        # The other one's low card: the cheapest row, as everybody advises (R-C4).
        assert isinstance(after.game, Classic)
        after, events = after.choose({asked: after.game.cheapest_row(after)})


def _revealed(state: GameState, choices: Mapping[Seat, Choice]) -> tuple[Step, GameState]:
    """The step, and the table when the cards are turned up and none is placed yet."""
    step = Step.of(state, choices)
    shown = step.moments[0].state
    if not shown.queue:
        raise PositionError("no card waits to be placed")
    return step, shown


# Making them ---------------------------------------------------------------------------------------------


def kinds_of(game: Game) -> tuple[str, ...]:
    """What can be asked about a game.

    >>> from nimmt_lab import Advanced, Classic
    >>> kinds_of(Classic(players=4)), kinds_of(Advanced(players=2))
    (('row', 'takes', 'safe'), ('row', 'takes', 'safe'))
    """
    if isinstance(game, Baron):  # so often is a row chosen there that few turns can be foretold
        return ("row", "match")
    kinds = ["row", "takes"]
    if isinstance(game, Classic):
        kinds.append("safe")
        if game.players == 2 and game.hidden_hands:
            kinds.append("chance")
    return tuple(kinds)


def generate(game: Game, kind: str, *, seed: int, difficulty: int = 1) -> Question:
    """A question of that kind about some game, always the same for the same seed.

    Difficulty 1 asks about calm turns, 2 about turns in which somebody takes, 3 about turns in which several do.

    >>> from nimmt_lab import Classic
    >>> question = generate(Classic(players=4), "takes", seed=1, difficulty=2)
    >>> question == generate(Classic(players=4), "takes", seed=1, difficulty=2), "-" in question.right
    (True, False)
    """
    if kind not in kinds_of(game):
        raise RulesError(f"{game.name} has no question {kind!r}; there are: {', '.join(kinds_of(game))}")
    if difficulty not in (1, 2, 3):
        raise RulesError(f"difficulty must be 1, 2 or 3, got {difficulty!r}")
    # To look at a position is quick, to make the question may not be: only those of the right level are made.
    others: list[_Position] = []
    for position in _positions(game, kind, seed):
        if position.level != difficulty:
            others.append(position)
        elif (question := _try(kind, position)) is not None:
            return question
    for position in sorted(others, key=lambda position: abs(position.level - difficulty)):
        if (question := _try(kind, position)) is not None:
            return question
    raise RulesError(f"{game.name}: no position for a question {kind!r} was found from seed {seed}")


class _Position(NamedTuple):
    """A state in which cards are chosen, what everybody chooses, how hard that is, and a number to pick by."""

    state: GameState
    choices: Mapping[Seat, Choice]
    level: int
    pick: int


#: How many positions are looked at for one question; to assess a hand takes longer than to play a turn.
TRIES = {"row": 600, "takes": 600, "safe": 60, "chance": 60, "match": 60}


def _positions(game: Game, kind: str, seed: int) -> Iterator[_Position]:
    """Positions of random games."""
    rng = Rng.from_seed(seed, stream=6)
    state = game.deal(seed)
    for attempt in range(TRIES[kind]):
        if state.is_over:
            state = game.deal(seed + attempt + 1)
        choices: dict[Seat, Choice] = {}
        for seat, decision in state.pending.items():
            at, rng = rng.below(len(decision.options))
            choices[seat] = decision.options[at]
        if state.rows and all(isinstance(decision, ChooseCard) for decision in state.pending.values()):
            pick, rng = rng.below(1 << 30)
            yield _Position(state, choices, _level(state, choices, kind), pick)
        state, _ = state.choose(choices)


def _try(kind: str, position: _Position) -> Question | None:
    """The question about a position, if it makes one."""
    try:
        return _question(kind, position.state, position.choices, position.pick)
    except PositionError:
        return None


def _question(kind: str, state: GameState, choices: Mapping[Seat, Choice], pick: int) -> Question:
    if kind == "takes":
        return who_takes(state, choices)
    if kind == "row":
        placed = [event.card for event in state.choose(choices)[1] if isinstance(event, CardPlaced)]
        if not placed:
            raise PositionError("a choice comes before the first card lies")
        return which_row(state, choices, placed[pick % len(placed)])
    seat = pick % state.game.players
    if kind == "safe":
        return which_safe(state, seat)
    hand = state.hands[seat]
    card = hand[pick // 7 % len(hand)]
    return chance(state, seat, card) if kind == "chance" else which_match(state, seat, card)


def _level(state: GameState, choices: Mapping[Seat, Choice], kind: str) -> int:
    if kind == "match":
        return 1
    if kind in ("safe", "chance"):
        full = sum(len(row) >= state.game.places_in_row - 1 for row in state.rows)
        return 1 + min(2, full)
    takes = sum(isinstance(event, RowTaken) for event in state.choose(choices)[1])
    return 1 + min(2, takes)

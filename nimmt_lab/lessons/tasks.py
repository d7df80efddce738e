"""What a question of a rules lesson may be answered, and what is right: the engine plays it out and tells.

>>> from nimmt_lab.lessons.rules import rules_lesson
>>> task = task_of(rules_lesson("first_turn").steps[1])
>>> task.kind, sorted(task.right) != [], len(task.options)
('row', True, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from nimmt_lab.engine.cards import TEAM, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, ChooseRow
from nimmt_lab.engine.errors import DataError, RulesError
from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.record import Step as Played
from nimmt_lab.engine.state import GameState

from .rules import Step, read_choices


@dataclass(frozen=True)
class Option:
    """One answer: how it is written, and what it points at on the board (a row or a card, from 0)."""

    text: str
    row: int | None = None
    card: int | None = None
    #: A choice of the game, for answers that are one.
    choice: Choice | None = None


@dataclass(frozen=True)
class Task:
    """A question worked out: the table shown, the answers offered, the right ones, and the play that proves it."""

    kind: str
    state: GameState
    seat: Seat
    options: tuple[Option, ...]
    right: frozenset[str]
    card: int = 0
    proof: tuple[Played, ...] = ()


# Playing a turn to its end -------------------------------------------------------------------------------


def usual_choice(state: GameState, seat: Seat) -> Choice:
    """What somebody does who is not the question's concern: nothing special, and the cheapest row (R-C4)."""
    decision = state.pending[seat]
    if decision.default is not None:
        return decision.default
    if isinstance(decision, ChooseRow):
        game = state.game
        return min(decision.options, key=lambda row: (game.heads_in(state.rows[row]), -state.rows[row][-1]))
    return decision.options[0]


def play_turn(state: GameState, choices: Mapping[Seat, Choice]) -> tuple[Played, ...]:
    """Make these choices and let the turn run to its end, everybody asked on the way doing the usual."""
    after, events = state.choose(choices)
    steps = [Played(state, dict(choices), events, after)]
    while after.queue and after.pending:
        before = after
        given = {seat: usual_choice(before, seat) for seat in before.pending}
        after, events = before.choose(given)
        steps.append(Played(before, given, events, after))
    return tuple(steps)


def points(steps: Iterable[Played], seat: Seat) -> int:
    """What a turn was worth to a seat: points won (the board game), or less the heads it took.

    A team counts the heads of the buffalo as won.
    """
    steps = tuple(steps)
    game = steps[0].before.game
    if game.name == "board":
        return steps[-1].state.totals[seat] - steps[0].before.totals[seat]
    good = getattr(game, "bulls_are_good", False)
    total = 0
    for step in steps:
        for event in step.events:
            if isinstance(event, RowTaken):
                ours = event.seat == seat or (seat == TEAM and event.seat < game.players)
                if ours:
                    total += event.heads if good else -event.heads
                elif seat == TEAM:
                    total += event.heads
    return total


# The kinds of questions ----------------------------------------------------------------------------------


def _revealed(step: Step) -> tuple[GameState, tuple[Played, ...]]:
    """The table with everybody's card revealed and none placed, and the turn."""
    if step.reveal is None:
        raise DataError(f"step {step.name} needs a reveal")
    state = step.state
    steps = play_turn(state, read_choices(state, step.reveal))
    return state, steps


def _rows(state: GameState) -> tuple[Option, ...]:
    return tuple(Option(str(row + 1), row=row) for row, cards in enumerate(state.rows) if cards)


def _row(step: Step) -> Task:
    """Which row does a card go to?"""
    state, steps = _revealed(step)
    for played in steps:
        for event in played.events:
            if isinstance(event, CardPlaced) and event.card == step.card:
                right = frozenset({str(event.row + 1)})
                # In the board game a tile that takes starts a row that was empty.
                rows = {row for row, cards in enumerate(state.rows) if cards} | {event.row}
                options = tuple(Option(str(row + 1), row=row) for row in sorted(rows))
                return Task("row", state, event.seat, options, right, step.card, steps)
    raise DataError(f"step {step.name}: {step.card} is not placed")


def _takes(step: Step) -> Task:
    """Who takes a row first, and how many heads?"""
    state, steps = _revealed(step)
    takes = [event for played in steps for event in played.events if isinstance(event, RowTaken)]
    right = f"{seat_letter(takes[0].seat)} {takes[0].heads}" if takes else "-"
    seats = [play.seat for play in _queue(steps)]
    heads = sorted({state.game.heads_in(row) for row in state.rows if row})
    near = [f"{seat_letter(seat)} {takes[0].heads if takes else heads[-1]}" for seat in seats]
    near += [f"{seat_letter(takes[0].seat if takes else seats[0])} {count}" for count in heads]
    wrong = list(dict.fromkeys(text for text in near if text != right))[:4]
    texts = sorted({right, *wrong} - {"-"})
    return Task("takes", state, seats[0], tuple(map(Option, [*texts, "-"])), frozenset({right}), 0, steps)


def _queue(steps: tuple[Played, ...]) -> tuple[CardPlaced, ...]:
    return tuple(event for played in steps for event in played.events if isinstance(event, CardPlaced))


def _best(step: Step) -> Task:
    """Which card (way to play it, use of a special card, row to take) costs least, the others' choices given?"""
    state = step.state
    decision = state.pending[step.seat]
    others = read_choices(state, step.reveal or {})
    texts = step.options or tuple(decision.write(option) for option in decision.options[:24])
    turns: dict[str, tuple[Played, ...]] = {}
    options = []
    for text in texts:
        choice = decision.read(text)
        turns[text] = play_turn(state, {**others, step.seat: choice})
        number = choice if isinstance(choice, int) else None
        is_row = isinstance(decision, ChooseRow)
        options.append(Option(text, number if is_row else None, None if is_row else number, choice))
    worth = {text: points(steps, step.seat) for text, steps in turns.items()}
    best = max(worth.values())
    right = frozenset(text for text, points in worth.items() if points == best)
    if len(right) == len(texts):
        raise DataError(f"step {step.name}: every answer is as good as the others")
    proof = turns[next(text for text in texts if text in right)]
    return Task("best", state, step.seat, tuple(options), right, step.card, proof)


def _marker(step: Step) -> Task:
    """Beside which row does a fan card lie after the turn?"""
    state, steps = _revealed(step)
    text = state.game.write_sections(steps[-1].state)[step.marker]
    return Task("row", state, step.seat, _rows(state), frozenset({text.split()[0]}), 0, steps)


def _heads(step: Step) -> Task:
    """How many heads are on a seat's cards? (Boards count up rows by themselves.)"""
    state = step.state
    cards = state.hands[step.seat]
    right = state.game.heads_in(cards)
    return Task("number", state, step.seat, _numbers(right, len(cards)), frozenset({str(right)}))


def _score(step: Step) -> Task:
    """How many points does a seat gain or lose this turn?"""
    state, steps = _revealed(step)
    right = points(steps, step.seat)
    return Task("number", state, step.seat, _numbers(right, 0, -right), frozenset({str(right)}), 0, steps)


def _numbers(right: int, *near: int) -> tuple[Option, ...]:
    numbers = {right, *near}
    for further in (right + 1, right - 1, right + 2, right - 2):
        if len(numbers) < 4 and (right < 0 or further >= 0):
            numbers.add(further)
    return tuple(Option(str(number)) for number in sorted(numbers))


def _winner(step: Step) -> Task:
    """Who wins when this last turn is over?"""
    state, steps = _revealed(step)
    outcome = steps[-1].state.outcome
    if outcome is None:
        raise DataError(f"step {step.name}: the game is not over")
    players = [seat_letter(seat) for seat in range(state.game.players)]
    right = " ".join(map(seat_letter, outcome.winners)) or "-"
    if state.game.extra_seats:  # a team wins together
        texts = [" ".join(players), seat_letter(state.game.players), "-"]
    else:
        texts = [*players, " ".join(players)]
    return Task("winner", state, 0, tuple(map(Option, dict.fromkeys(texts))), frozenset({right}), 0, steps)


def _goes_on(step: Step) -> Task:
    """Is the game over when this last turn of the round is over?"""
    state, steps = _revealed(step)
    right = "yes" if steps[-1].state.is_over else "no"
    return Task("yes_no", state, 0, (Option("yes"), Option("no")), frozenset({right}), 0, steps)


def _starts(step: Step) -> Task:
    """After the last pick of a draft: which card starts a row?"""
    state, steps = _revealed(step)
    (right, *_) = steps[-1].state.rows[step.row]
    options = tuple(Option(str(card), card=card) for card in state.stock)
    return Task("card", state, step.seat, options, frozenset({str(right)}), 0, steps)


KINDS: Mapping[str, Callable[[Step], Task]] = {
    "row": _row,
    "takes": _takes,
    "best": _best,
    "marker": _marker,
    "heads": _heads,
    "score": _score,
    "winner": _winner,
    "over": _goes_on,
    "starts": _starts,
}


def hint_key(lesson: str, step: Step, kind: str, has: Callable[[str], bool]) -> str:
    """The hint of a question of that kind: the step's own, else the lesson's (its rules may differ), else the usual."""
    usual = step.ask if step.ask == "marker" else kind
    own = (f"{lesson}.{step.name}_hint", f"{lesson}.{usual}_hint")
    return next((key for key in own if has(key)), f"hint.{usual}")


def task_of(step: Step) -> Task:
    """The question of a step, worked out by the engine."""
    if step.ask not in KINDS:
        raise RulesError(f"step {step.name} asks {step.ask!r}; there is: {', '.join(KINDS)}")
    task = KINDS[step.ask](step)
    if not task.right or not task.right <= {option.text for option in task.options}:
        raise DataError(f"step {step.name}: the right answer is not among those offered")
    return task

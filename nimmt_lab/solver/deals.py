"""Solved two-player deals: the data, and the command that recomputes it.

A *deal* is advanced mode after the draft: two hands and four rows of one card. Deals come from random drafts, numbered
by seed. For each, the file has the value, both strategies of the first turn, and the same for every position along the
main line (the likeliest cards of both strategies in each turn).

    python -m nimmt_lab.solver.deals --cards 10 --seed 1 --gigabytes 4 --threads 2 deals.json

solves deal 1 with ten cards a hand and adds it to ``deals.json``; with ``--seeds 1-50`` it solves fifty, one after the
other. Ten cards take minutes to over half an hour, nine a minute or two, eight seconds. Solved positions of the main
line are written at once. After an interruption the same command resumes with them and the bounds so far; the search
tables are not saved.

>>> deal = solved_deals()[0]
>>> deal.cards, deal.exact
(8, True)
>>> deal.state.position == deal.line[0].state.position
True
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from nimmt_lab.engine.cards import Seat, seat_letter, seat_of_letter
from nimmt_lab.engine.errors import NimmtError, RecordError
from nimmt_lab.engine.files import locked, parse_json, read_text, shown, write_file
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.advanced.rules import Advanced
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.solver.open_position import OpenPosition

__all__ = ["Deal", "SolvedDeal", "SolvedPosition", "random_deal", "random_state", "read_deals", "solved_deals"]


T = TypeVar("T")
FORMAT = "nimmt-deals/1"


@dataclass(frozen=True)
class SolvedPosition:
    """One position of a main line: value, bounds, strategies and the choices played (in notation)."""

    state: GameState
    value: float
    bounds: tuple[float, float]
    strategies: dict[Seat, dict[str, float]]
    chosen: dict[Seat, str]


@dataclass(frozen=True)
class SolvedDeal:
    """A complete deal with its main line."""

    seed: int
    cards: int
    exact: bool
    states: int
    #: Processor time of the search for the value; of the first deals (6 with ten cards, all others) time on the clock.
    seconds: float
    line: tuple[SolvedPosition, ...]
    #: Whether the main line reaches the end of the round.
    complete: bool = True

    @property
    def state(self) -> GameState:
        return self.line[0].state

    @property
    def value(self) -> float:
        """Expected heads of B minus heads of A; positive is good for A."""
        return self.line[0].value


def random_deal(seed: int, cards: int = 10) -> GameState:
    """Deal number ``seed`` of a random two-player draft with ``cards`` cards a hand.

    >>> print(random_deal(1, cards=3).position)
    1 | 2 | 5 | 6 ; A: 3 4 7 ; B: 8 9 10
    """
    return random_state(Advanced(players=2, hand_size=cards, rounds=1), cards, seed)


def random_state(game: Classic, left: int, seed: int) -> GameState:
    """A state between turns of the first round after random picks and plays, with ``left`` cards a hand.

    >>> len(random_state(Advanced(players=2), 4, seed=1).hands[0])
    4
    """
    state, rng = game.deal(seed=seed), Rng.from_seed(seed, stream=1)
    while not state.rows or state.queue or len(state.hands[0]) > left:
        choices, rng = random_choices(state, rng)
        state, _ = state.choose(choices)
    return state


def solved_deals() -> tuple[SolvedDeal, ...]:
    """The deals in the package, small ones first."""
    return read_deals((files("nimmt_lab.solver") / "data" / "deals.json").read_text(encoding="utf-8"))


def read_deals(text: str) -> tuple[SolvedDeal, ...]:
    """Parse a file of deals."""
    try:
        data: Any = parse_json(text, error=RecordError)
        if data["format"] != FORMAT:
            raise RecordError("shared.record_format", format=FORMAT, got=shown(data["format"]))
        deals = [_read_deal(entry) for entry in data["deals"]]
    except NimmtError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError) as problem:
        raise RecordError("solver.not_file_solved", problem=shown(str(problem))) from None
    return tuple(sorted(deals, key=lambda deal: (deal.cards, deal.seed)))


def _whole(value: object, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise TypeError(f"expected a whole number up to {most}, got {shown(value)}")
    return value


def _number(value: object) -> float:
    if type(value) not in (int, float):
        raise TypeError(f"expected a number, got {shown(value)}")
    return float(value)  # type: ignore[arg-type]


def _typed(value: object, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}, got {shown(value)}")
    return value


def _read_deal(entry: dict[str, object]) -> SolvedDeal:
    cards = _whole(entry["cards"], 99)
    game = Advanced(players=2, hand_size=cards, rounds=1)
    line = []
    steps = _typed(entry["line"], list)
    if not steps:
        raise TypeError("a line needs at least one position")
    for step in steps:
        line.append(
            SolvedPosition(
                game.from_position(step["position"]),
                _number(step["value"]),
                (_number(step["bounds"][0]), _number(step["bounds"][1])),
                {
                    seat_of_letter(who): {choice: _number(chance) for choice, chance in mix.items()}
                    for who, mix in step["strategies"].items()
                },
                {seat_of_letter(who): _typed(choice, str) for who, choice in step["chosen"].items()},
            )
        )
    return SolvedDeal(
        _whole(entry["seed"], 2**64 - 1),
        cards,
        _typed(entry["exact"], bool),
        _whole(entry["states"], 2**64 - 1),
        _number(entry["seconds"]),
        tuple(line),
        _typed(entry.get("complete", entry["exact"]), bool),
    )


class Deal:
    """A deal being solved; reports every result, so that stopping loses little.

    ``known`` is the entry of an earlier run. Its bounds and solved positions are reused, but unfinished searches start
    over because tables are not saved.
    """

    def __init__(self, seed: int, cards: int, known: dict[str, Any] | None = None) -> None:
        self.entry: dict[str, Any] = {
            "seed": seed, "cards": cards, "exact": False, "complete": False, "states": 0, "seconds": 0.0, "line": [],
        }  # fmt: skip
        if known is not None:
            self.entry.update(known)
            self.entry["complete"] = known.get("complete", bool(known["exact"]))

    def solve(
        self, memory: int | None, threads: int, progress: bool, tell: Callable[[dict[str, Any]], object] | None = None
    ) -> dict[str, Any]:
        """Solve the deal and every position of its main line: one entry of the file."""
        from nimmt_lab.solver.exact import Searcher
        from nimmt_lab.solver.two_players import solve

        searcher, entry = Searcher(memory, threads), self.entry
        state, line = random_deal(entry["seed"], entry["cards"]), entry["line"]
        if line and not entry["exact"]:  # only bounds so far
            searcher.remember(OpenPosition.of(state), (line[0]["bounds"][0], line[0]["bounds"][1]))
            line.clear()
        for step in line:
            chosen = {seat_of_letter(who): text for who, text in step["chosen"].items()}
            if step["position"] != str(state.position) or set(chosen) != set(state.pending):
                raise RecordError("solver.deal_line_file", entry=entry["seed"])
            state, _ = state.choose({seat: state.pending[seat].read(text) for seat, text in chosen.items()})
        while not entry["complete"]:
            started = time.process_time()
            solution = solve(state, searcher=searcher, progress=progress, detail="bounds")
            choices = {seat: best for seat in solution.strategies if (best := solution.best(seat)) is not None}
            answer = solution.to_json()
            step = {name: answer[name] for name in ("position", "value", "bounds", "strategies")}
            step["chosen"] = {seat_letter(seat): state.pending[seat].write(choice) for seat, choice in choices.items()}
            if not line:
                entry["exact"], entry["states"] = solution.exact, solution.states
                entry["seconds"] = round(entry["seconds"] + time.process_time() - started, 1)
                line.append(step)
            elif solution.exact:
                line.append(step)
            if solution.exact:
                after, _ = state.choose(choices)
                entry["complete"] = after.is_past_round(state.round)
                state = after
            if tell is not None:
                tell(entry)
            if not solution.exact:
                break
        return entry


def main(arguments: Sequence[str] | None = None) -> None:
    """Solve deals and add them to a file, resuming those that are already there."""
    options = argparse.ArgumentParser(description="Solve complete two-player deals and add them to a file.")
    options.add_argument("--cards", type=int, default=10, help="cards a hand (10)")
    which = options.add_mutually_exclusive_group(required=True)
    which.add_argument("--seed", type=_seeds, dest="seeds", metavar="N", help="number of the deal")
    which.add_argument("--seeds", type=_seeds, metavar="N-N", help="first and last number of several deals")
    options.add_argument("--gigabytes", type=float, help="memory for the tables (as the size needs, at most 3)")
    options.add_argument("--threads", type=int, default=1, help="threads on one table (1)")
    options.add_argument("file", type=Path)
    given = options.parse_args(arguments)
    if given.gigabytes is not None and not 0 < given.gigabytes < 1e6:
        options.error("--gigabytes must be a number above 0")
    memory = None if given.gigabytes is None else int(given.gigabytes * (1 << 30))
    try:
        for seed in given.seeds:
            solved = _solved(given, seed, memory)
            print(_result(solved), flush=True)
            if not solved.complete:
                break
        if len(given.seeds) > 1:
            print(_proven(_add(given.file), given.cards, given.seeds))
    except NimmtError as problem:
        options.error(str(problem))


def _seeds(text: str) -> range:
    """Numbers of deals: "7", or "1-50".

    >>> _seeds("7"), _seeds("1-50")
    (range(7, 8), range(1, 51))
    """
    first, dash, last = text.partition("-")
    numbers = range(int(first), int(last if dash else first) + 1)
    if not numbers:
        raise ValueError(text)
    return numbers


def _solved(given: argparse.Namespace, seed: int, memory: int | None) -> SolvedDeal:
    # Fail now rather than in half an hour if the file can't be read or written.
    deals = _add(given.file)
    same = [deal for deal in deals if (deal["cards"], deal["seed"]) == (given.cards, seed)]
    deal = Deal(seed, given.cards, same[0] if same else None)
    return _read_deal(deal.solve(memory, given.threads, sys.stderr.isatty(), lambda entry: _add(given.file, entry)))


def _result(solved: SolvedDeal) -> str:
    lo, hi = solved.line[0].bounds
    result = f"{solved.value:+.6f} exact" if solved.exact else f"not solved, between {lo:+.3f} and {hi:+.3f}"
    return f"deal {solved.seed}: {result}" + ("" if solved.complete else "; the same command continues from here")


def _proven(deals: Sequence[dict[str, Any]], cards: int, seeds: range) -> str:
    """How many of a series are solved so far.

    >>> _proven([{"cards": 10, "seed": 2, "exact": True}, {"cards": 10, "seed": 3, "exact": False}], 10, range(1, 51))
    '1 of 50 deals with 10 cards a hand solved'
    """
    solved = sum(deal["cards"] == cards and deal["seed"] in seeds and deal["exact"] for deal in deals)
    return f"{solved} of {len(seeds)} deals with {cards} cards a hand solved"


def _add(path: Path, *entries: dict[str, Any]) -> list[dict[str, Any]]:
    """Add deals to a file and return all its deals, under a lock, because other processes may add deals too."""
    with locked(path.parent, f".{path.name}.lock"):
        deals: list[dict[str, Any]] = []
        if path.exists():
            text = read_text(path, error=RecordError)
            read_deals(text)
            deals = json.loads(text)["deals"]
        new = {(entry["cards"], entry["seed"]) for entry in entries}
        deals = [deal for deal in deals if (deal["cards"], deal["seed"]) not in new]
        deals = sorted([*deals, *entries], key=lambda deal: (str(deal["cards"]).zfill(2), int(str(deal["seed"]))))
        lines = ",\n".join(json.dumps(deal) for deal in deals)
        write_file(path, f'{{"format": "{FORMAT}", "deals": [\n{lines}\n]}}\n')
    return deals


if __name__ == "__main__":
    main()

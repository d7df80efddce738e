"""Complete two-player deals, solved: the data, and the command that computes it again.

A *deal* is what advanced mode looks like when the draft is over: two hands and four rows of one card. Deals here come
from random drafts, numbered by their seed. For each one the file has the value, both strategies of the first turn, and
the same for every position along the main line (in each turn the likeliest cards of both strategies).

    python -m nimmt_lab.solver.deals --cards 10 --seed 1 --gigabytes 4 --threads 2 deals.json

solves deal 1 with ten cards a hand and adds it to ``deals.json``. Ten cards take a long time (minutes to half an hour
and more), nine a minute or two, eight seconds. Every solved position of the main line is written as it is found.
Interrupting it keeps those and the bounds found so far, and the same command goes on from there; the tables of the
search are not kept.

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from nimmt_lab.engine.cards import Seat, seat_letter, seat_of_letter
from nimmt_lab.engine.errors import NimmtError, RecordError
from nimmt_lab.engine.files import locked, parse_json, read_text, shown, write_file
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.advanced.rules import Advanced
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.solver.open_position import OpenPosition

__all__ = [
    "FORMAT",
    "Deal",
    "SolvedDeal",
    "SolvedPosition",
    "main",
    "random_deal",
    "random_state",
    "read_deals",
    "solved_deals",
]


FORMAT = "nimmt-deals/1"


@dataclass(frozen=True)
class SolvedPosition:
    """One position of a main line: value, bounds and strategies, and what was chosen to go on (as notation)."""

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
    seconds: float
    line: tuple[SolvedPosition, ...]
    #: Whether the main line goes to the end of the round.
    complete: bool = True

    @property
    def state(self) -> GameState:
        """The deal itself."""
        return self.line[0].state

    @property
    def value(self) -> float:
        """Expected heads of B minus heads of A; positive is good for A."""
        return self.line[0].value


def random_deal(seed: int, cards: int = 10) -> GameState:
    """Two players draft at random: deal number ``seed`` with so many cards a hand.

    >>> print(random_deal(1, cards=3).position)
    1 | 2 | 5 | 6 ; A: 3 4 7 ; B: 8 9 10
    """
    return random_state(Advanced(players=2, hand_size=cards, rounds=1), cards, seed)


def random_state(game: Classic, left: int, seed: int) -> GameState:
    """A state between two turns of the first round, reached by random picks and plays, with so many cards a hand left.

    >>> len(random_state(Advanced(players=2), 4, seed=1).hands[0])
    4
    """
    state, rng = game.deal(seed=seed), Rng.from_seed(seed, stream=1)
    while not state.rows or state.queue or len(state.hands[0]) > left:
        choices, rng = random_choices(state, rng)
        state, _ = state.choose(choices)
    return state


def solved_deals() -> tuple[SolvedDeal, ...]:
    """The deals that come with the package, small ones first."""
    return read_deals((files("nimmt_lab.solver") / "data" / "deals.json").read_text(encoding="utf-8"))


def read_deals(text: str) -> tuple[SolvedDeal, ...]:
    """Deals out of such a file."""
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


def _flag(value: object) -> bool:
    if type(value) is not bool:
        raise TypeError(f"expected true or false, got {shown(value)}")
    return value


def _text(value: object) -> str:
    if type(value) is not str:
        raise TypeError(f"expected a text, got {shown(value)}")
    return value


def _read_deal(entry: dict[str, object]) -> SolvedDeal:
    cards = _whole(entry["cards"], 99)
    game = Advanced(players=2, hand_size=cards, rounds=1)
    line = []
    steps = entry["line"]
    if not isinstance(steps, list) or not steps:
        raise TypeError("a line is a list of positions, one at least")
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
                {seat_of_letter(who): _text(choice) for who, choice in step["chosen"].items()},
            )
        )
    return SolvedDeal(
        _whole(entry["seed"], 2**64 - 1),
        cards,
        _flag(entry["exact"]),
        _whole(entry["states"], 2**64 - 1),
        _number(entry["seconds"]),
        tuple(line),
        _flag(entry.get("complete", entry["exact"])),
    )


class Deal:
    """A deal being solved: what is found of it is told at every step, so that a stop loses little.

    ``known`` is what an earlier run wrote. The tables of the search are not kept in a file, so what was only searched
    is searched again; bounds and solved positions of the main line are taken over.
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
            solution = solve(state, searcher=searcher, progress=progress, detail="bounds")
            choices = {seat: best for seat in solution.strategies if (best := solution.best(seat)) is not None}
            answer = solution.to_json()
            step = {name: answer[name] for name in ("position", "value", "bounds", "strategies")}
            step["chosen"] = {seat_letter(seat): state.pending[seat].write(choice) for seat, choice in choices.items()}
            if not line:
                entry["exact"], entry["states"] = solution.exact, solution.states
                entry["seconds"] = round(entry["seconds"] + solution.seconds, 1)
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
    """Solve one deal and add it to a file (going on with the same deal in it)."""
    options = argparse.ArgumentParser(description="Solve a complete two-player deal and add it to a file.")
    options.add_argument("--cards", type=int, default=10, help="cards a hand (10)")
    options.add_argument("--seed", type=int, required=True, help="number of the deal")
    options.add_argument("--gigabytes", type=float, help="memory for the tables (as the size needs, at most 3)")
    options.add_argument("--threads", type=int, default=1, help="threads on one table (1)")
    options.add_argument("file", type=Path)
    given = options.parse_args(arguments)
    if given.gigabytes is not None and not 0 < given.gigabytes < 1e6:
        options.error("--gigabytes must be a number above 0")
    memory = None if given.gigabytes is None else int(given.gigabytes * (1 << 30))
    try:
        said = _solved(given, memory)
    except NimmtError as problem:
        options.error(str(problem))
    print(said)


def _solved(given: argparse.Namespace, memory: int | None) -> str:
    # A file that cannot be read or written is better known now than in half an hour.
    deals = _add(given.file)
    same = [deal for deal in deals if (deal["cards"], deal["seed"]) == (given.cards, given.seed)]
    deal = Deal(given.seed, given.cards, same[0] if same else None)
    entry = deal.solve(memory, given.threads, sys.stderr.isatty(), lambda entry: _add(given.file, entry))
    found = _read_deal(entry)
    lo, hi = found.line[0].bounds
    said = f"{found.value:+.6f} exact" if found.exact else f"not solved, between {lo:+.3f} and {hi:+.3f}"
    return f"deal {given.seed}: {said}" + ("" if found.complete else "; the same command goes on from here")


def _add(path: Path, *entries: dict[str, Any]) -> list[dict[str, Any]]:
    """Put deals into a file; all that is in it then. It is read when they are written, and by nobody else meanwhile:
    another deal may have been solved into the same file."""
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

"""Train networks like those of `nimmt_lab/games/classic/ahead.py` by policy gradient in self-play (`train_ahead.c`).

    python -m tools.train_ahead ahead ahead.json --steps 33750 --like 45000 --cool 4500 --curve curve.svg
    python -m tools.train_ahead gradient gradient.json --steps 48000

These commands made the packaged networks; the second takes about ten minutes of a core. With `--runs 3` it would keep
the strongest of three.

A step of `ahead` plays 80 rounds of four players and some of two, three, six or ten; cards are drawn as the network
likes them.
A round is worth the seat's part of the win, and 4% of a win for each head fewer than the others' mean. A second
network sees all hands and says what to expect; a card that brought more than that is liked more (actor–critic,
generalised advantages, Adam). In six rounds of sixteen some seats are earlier selves, the `trained` network or rules
of thumb. `gradient` is plain: 100 rounds of four players a step, no lines, nobody else at the table, no second
network.

Training is deterministic. After each stage the command prints the lead over three `trained` players and stores its
state (`ahead.json.1.school`, by seed), so an interrupted run resumes. Compiler flags for the processor at hand make it
quicker and don't change a number (`NIMMT_EXTENDED_FLAGS`, `extended_core.py`): `-march=native` without contraction.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, pstdev

from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.engine.errors import DataError
from nimmt_lab.engine.files import name_of, parse_json, read_bytes, shown, write_file
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.classic import ahead, network
from nimmt_lab.games.classic.kernel import CLASSIC
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.native.kernel import POLICIES
from nimmt_lab.native.loader import Core, Memory
from nimmt_lab.native.work import Workspace
from nimmt_lab.rl.gradient import Point, curve_svg
from tools.extended_core import core_with

SOURCE = Path(__file__).with_suffix(".c")
#: The fewest steps between reports and checkpoints, after which the present player becomes an earlier self; the most of
#: these stages in a run.
STAGE = 400
STAGES = 20
EARLIER = 8
#: Deals of a point of the curve.
DEALS = 1000
#: Rounds of a step by number of players; of each group, one in turn.
PLAIN_ROUNDS = (((4, 100),),)
ROUNDS = (((4, 80),), ((2, 48), (3, 24), (2, 48), (6, 14), (2, 48), (10, 10)))
# Offsets in `nl_school`
_RATES, _REWARDS, _SETTINGS, _NUMBERS = 0, 24, 96, 112
_PARTS = ahead.WIDE * ahead.SIGNALS, ahead.WIDE * ahead.LATE, ahead.LATE, ahead.LATE, ahead.LINES * ahead.WIDE
_COUNT = sum(_PARTS)
_JUDGE = _NUMBERS + 16 * _COUNT
_JUDGE_LINES = (20 + 4 + 32 + 48 + 11 + 11 + 2 * 61 + 2 * 360) * ahead.WIDE
_JUDGE_COUNT = _JUDGE_LINES + ahead.WIDE + 1
#: The part that a checkpoint has.
_KEPT = _JUDGE + 16 * _JUDGE_COUNT + 4 * EARLIER * _COUNT
#: How widely numbers are spread at first, by part.
_SPREAD = (0.3, 0.4, 0.0, 0.4, 0.1)
_FORMAT = "nimmt-school/1"
_FILLED = 0.1
AHEAD, OTHER = 17, 18


@dataclass(frozen=True)
class School:
    """A training run: its settings, how far it is, its curve, and the state after that."""

    name: str
    steps: int
    seed: int = 1
    rate: float = 0.002
    judge_rate: float = 0.002
    calm: float = 0.01
    win: float = 1.0
    head: float = 0.04
    decay: float = 0.9
    #: The rate of learning falls as in a run of that many steps (0: of this one); in the last `cool` steps, to nothing.
    like: int = 0
    cool: int = 0
    done: int = 0
    curve: tuple[tuple[int, float, float], ...] = ()
    state: bytes = b""

    @property
    def plain(self) -> bool:
        return self.name == "gradient"

    @property
    def stage(self) -> int:
        """Steps of a stage: the earlier selves of a long run are further apart."""
        return max(STAGE, (self.like or self.steps) // STAGES)

    @property
    def is_over(self) -> bool:
        return self.done >= self.steps

    def pace(self, step: int) -> float:
        """How fast it learns at that step, relative to the beginning."""
        pace = 1 - 0.95 * step / (self.like or self.steps)
        left = self.steps - step
        return pace * left / self.cool if left < self.cool else pace

    def to_bytes(self) -> bytes:
        """Serialise: a header line, then the state."""
        head = {"format": _FORMAT, **asdict(replace(self, state=b"")), "check": hashlib.sha256(self.state).hexdigest()}
        return json.dumps({**head, "state": None}).encode() + b"\n" + self.state

    def after(self, content: bytes, source: str = "checkpoint") -> School:
        """Resume from a checkpoint.

        >>> School("ahead", 10, seed=2).after(School("ahead", 10, done=1, state=bytes(_KEPT)).to_bytes())
        Traceback (most recent call last):
        ValueError: checkpoint: this file contains another training run (seed: 1, not 2)
        """
        first, _, state = content.partition(b"\n")
        head = parse_json(first.decode("utf-8", "replace"), source=source, error=DataError)
        if not isinstance(head, dict) or head.get("format") != _FORMAT:
            raise ValueError(f"{source}: expected a training run ({_FORMAT})")
        for name in ("name", "steps", "seed", "rate", "judge_rate", "calm", "win", "head", "decay", "like", "cool"):
            if head.get(name) != getattr(self, name):
                raise ValueError(
                    f"{source}: this file contains another training run "
                    f"({name}: {shown(head.get(name))}, not {getattr(self, name)})"
                )
        done = head.get("done")
        if type(done) is not int or not 0 < done <= self.steps:
            raise ValueError(f"{source}: expected the number of steps made")
        if len(state) != _KEPT or hashlib.sha256(state).hexdigest() != head.get("check"):
            raise ValueError(f"{source}: the state of the training is incomplete")
        return replace(self, done=done, curve=tuple(tuple(point) for point in head["curve"]), state=state)

    @property
    def mind(self) -> ahead.Mind:
        """The network so far, in whole numbers."""
        numbers = array("f")
        numbers.frombytes(self.state[_NUMBERS : _NUMBERS + 4 * _COUNT])
        parts, at = [], 0
        for size in _PARTS:
            parts.append(numbers[at : at + size])
            at += size
        # The core multiplies a card's numbers with all weights of one unit after the other.
        signals, late = _turned(parts[0], ahead.WIDE), _turned(parts[1], ahead.LATE)
        one, two, three, four = (_whole(part, ahead.ONE, ahead.LARGEST) for part in (signals, late, *parts[2:4]))
        lines = () if self.plain else _whole(parts[4], ahead.ONE_IN_LINE, ahead.LARGEST_IN_LINE)
        return ahead.Mind(one, two, three, four, lines)


def _turned(numbers: Sequence[float], columns: int) -> list[float]:
    return [numbers[i] for column in range(columns) for i in range(column, len(numbers), columns)]


def _whole(numbers: Sequence[float], one: int, most: int) -> tuple[int, ...]:
    return tuple(max(-most, min(most, round(number * one))) for number in numbers)


def _begin(school: School, memory: Memory) -> None:
    """Small distinct numbers, since equal ones would stay equal."""
    dice = Rng.from_seed(school.seed, stream=1)

    def some(count: int, spread: float, middle: float = 0.0) -> list[float]:
        nonlocal dice
        found = []
        for _ in range(count):
            number, dice = dice.below(20_001)
            found.append(middle + spread * (number / 10_000 - 1))
        return found

    numbers = [number for size, spread in zip(_PARTS, _SPREAD, strict=True) for number in some(size, spread)]
    base = sum(_PARTS[:2])
    numbers[base : base + ahead.LATE] = [_FILLED] * ahead.LATE
    memory.write("f", numbers, _NUMBERS)
    memory.write("f", [*some(_JUDGE_LINES, 0.1), *some(ahead.WIDE, 0.3), 0.0], _JUDGE)
    memory.write("d", [school.win, school.head, school.decay], _REWARDS)
    memory.write("i", [int(not school.plain), int(not school.plain), 0 if school.plain else 6, 0], _SETTINGS)


class Tables:
    """A workspace and the chances of the turns for each number of players."""

    def __init__(self, core: Core, seed: int) -> None:
        self.core, self.seed = core, seed
        self.kept: dict[int, tuple[Workspace, Memory]] = {}

    def of(self, players: int) -> tuple[Workspace, Memory]:
        if players not in self.kept:
            work = Workspace(self.core, "nl_classic")
            CLASSIC.prepare(work, Classic(players=players), [POLICIES["edges-first"]] * players, [0] * players)
            work.set("key", Rng.from_seed(self.seed, stream=100 + players).state)
            unseen = LAST_CARD - network.HAND - 4
            self.kept[players] = work, CLASSIC.network(work, players, unseen, network.HAND)
        return self.kept[players]


def go_on(school: School, steps: int) -> School:
    """Up to `steps` more steps. How a run is divided has no effect on the result."""
    core = core_with(SOURCE)
    size = core.call("nl_classic_school")
    memory, tables = core.memory(size), Tables(core, school.seed)
    if school.state:
        memory.put(0, school.state)
    else:
        _begin(school, memory)
    upto = min(school.steps, school.done + steps)
    for step in range(school.done, upto):
        for group in PLAIN_ROUNDS if school.plain else ROUNDS:
            players, rounds = group[step % len(group)]
            work, chances = tables.of(players)
            work.set("first", step * rounds)
            work.call("nl_classic_rehearse", chances, memory, rounds)
        pace = school.pace(step)
        memory.write("d", [school.rate * pace, school.judge_rate * pace, school.calm * pace], _RATES)
        core.call("nl_classic_improve", memory)
        if (step + 1) % school.stage == 0:
            core.call("nl_classic_remember", memory, (step + 1) // school.stage % EARLIER)
    school = replace(school, done=upto, state=memory.get(0, _KEPT))
    lead, margin = lead_of(school.mind, "trained", DEALS, seed=school.seed + 1)[2:]
    return replace(school, curve=(*school.curve, (upto, lead, margin)))


def lead_of(
    mind: ahead.Mind, others: str | ahead.Mind, deals: int, seed: int, players: int = 4
) -> tuple[float, float, float, float]:
    """What one player makes among others of one kind, in each seat of each deal: its share of the wins with its 95%
    margin, and how many fewer heads than the others it takes, with that margin."""
    core = core_with(SOURCE)
    work, chances = Tables(core, seed).of(players)
    minds = core.memory(ahead.SIZE), core.memory(ahead.SIZE)
    minds[0].put(0, mind.to_bytes())
    minds[1].put(0, (mind if isinstance(others, str) else others).to_bytes())
    kind = OTHER if not isinstance(others, str) else {**POLICIES, "trained": network.TRAINED}[others]
    out = core.memory(deals * players)
    credits, leads = [0.0] * deals, [0.0] * deals
    for seat in range(players):
        work.set("policies", [AHEAD if other == seat else kind for other in range(players)])
        work.set("first", 0)
        work.call("nl_classic_meet", chances, *minds, deals, out, deals * players)
        found = out.get(0, deals * players)
        for deal in range(deals):
            heads = found[deal * players : (deal + 1) * players]
            best = min(heads)
            credits[deal] += (heads[seat] == best) / heads.count(best) / players
            leads[deal] += ((sum(heads) - heads[seat]) / (players - 1) - heads[seat]) / players
    return fmean(credits), _margin(credits), fmean(leads), _margin(leads)


def _margin(values: Sequence[float]) -> float:
    return float(1.96 * pstdev(values) / len(values) ** 0.5)


def teach(
    school: School, *, executor: Executor | None = None, each: Callable[[School], object] | None = None
) -> School:
    """Finish a run stage by stage, here or on an executor. `each` gets every stage, for progress and checkpoints."""
    while not school.is_over:
        # Stages end at multiples of their length, wherever the run was interrupted.
        left = school.stage - school.done % school.stage
        school = go_on(school, left) if executor is None else executor.submit(go_on, school, left).result()
        if each is not None:
            each(school)
    return school


def main(arguments: Sequence[str] | None = None, executor: Executor | None = None) -> None:
    """Train a network and write it."""
    parser = argparse.ArgumentParser(description="Train a player that wants to end ahead of the others.")
    parser.add_argument("name", choices=ahead.NAMES)
    parser.add_argument("file", type=Path)
    parser.add_argument("--steps", type=int, default=2600)
    parser.add_argument("--like", type=int, default=0, help="the rate of learning falls as in a run of that many steps")
    parser.add_argument("--cool", type=int, default=0, help="in that many last steps, it falls to nothing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=1, help="train with that many seeds and keep the strongest network")
    parser.add_argument("--curve", type=Path, help="the SVG file to draw the (last) learning curve in")
    given = parser.parse_args(arguments)
    schools = []
    try:
        for seed in range(given.seed, given.seed + given.runs):
            school = School(given.name, given.steps, seed, like=given.like, cool=given.cool)
            schools.append(_run(school, given.file, given.curve, executor))
    except KeyboardInterrupt:
        print("Stopped; the same command continues from here.", flush=True)
        return
    if len(schools) > 1:
        # Deals that none of the runs has seen
        leads = [lead_of(school.mind, "trained", 4 * DEALS, seed=given.seed + given.runs)[2] for school in schools]
        best = max(range(len(schools)), key=lambda at: leads[at])
        print(f"The strongest is that of seed {schools[best].seed}: lead {leads[best]:.2f}.", flush=True)
        write_file(given.file, schools[best].mind.to_text())
    for school in schools:
        _kept(given.file, school.seed).unlink()


def _kept(file: Path, seed: int) -> Path:
    return file.with_name(f"{file.name}.{seed}.school")


def _run(school: School, file: Path, curve: Path | None, executor: Executor | None) -> School:
    """Begin a run or resume it; write the network so far after each stage."""
    kept = _kept(file, school.seed)
    if kept.exists():
        school = school.after(read_bytes(kept, error=DataError), name_of(kept))

    def keep(school: School) -> None:
        write_file(kept, school.to_bytes())
        write_file(file, school.mind.to_text())
        done, lead, margin = school.curve[-1]
        print(
            f"{done:,} of {school.steps:,} steps: lead over three trained players {lead:.2f} ± {margin:.2f}", flush=True
        )
        if curve is not None:
            points = [Point(rounds_of(step, school.plain), lead, margin) for step, lead, margin in school.curve]
            write_file(curve, curve_svg(points, "Lead over three trained players, in heads a round"))

    return teach(school, executor=executor, each=keep)


def rounds_of(step: int, plain: bool = False) -> int:
    """Rounds played in a number of steps.

    >>> rounds_of(1), rounds_of(10), rounds_of(10, plain=True)
    (128, 1126, 1000)
    """
    groups = PLAIN_ROUNDS if plain else ROUNDS
    return sum(rounds * len(range(at, step, len(group))) for group in groups for at, (_, rounds) in enumerate(group))


if __name__ == "__main__":
    main()

"""Results of rounds (`Outcomes`) and their totals (`Totals`), by side: the seats, or a team and its opponent."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from nimmt_lab.engine.errors import RulesError

from .loader import core
from .work import BINS, CREDIT, TOTALS

#: Fields per side and round. `heads` is the score; `cow_rows` are neither full rows nor taken by low cards.
FIELDS = ("heads", "full_rows", "low_cards", "cow_rows", "turns_with_take")
#: An extra field of rounds played by the engine: the win credit, in units of 1/CREDIT.
WIN_CREDIT = "win_credit"


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Results by round, side and field: bytes (`B`) from the core, 32-bit integers (`i`) and win credit from the
    engine."""

    players: int
    first: int
    rounds: int
    data: bytes
    code: Literal["B", "i"] = "B"

    @property
    def fields(self) -> tuple[str, ...]:
        return FIELDS if self.code == "B" else (*FIELDS, WIN_CREDIT)

    def column(self, field: str) -> Sequence[int]:
        """One field of every round and side.

        >>> Outcomes(2, 0, 1, bytes([7, 0, 1, 0, 1, 3, 1, 0, 0, 1])).column("heads").tolist()
        [7, 3]
        """
        return memoryview(self.data).cast(self.code)[self.fields.index(field) :: len(self.fields)]

    def totals(self) -> Totals:
        native = core() if self.code == "B" else None
        if native is None or not self.rounds:
            return self._totals_here()
        data, totals = native.memory(len(self.data)), native.memory(8 * TOTALS * self.players)
        data.put(0, self.data)
        native.call("nl_tally", self.players, self.rounds, data, len(self.data), totals, TOTALS * self.players)
        return Totals.of_core(self.players, self.rounds, totals.read("q", TOTALS * self.players))

    def _totals_here(self) -> Totals:
        n = self.players
        columns = [list(self.column(field)) for field in FIELDS]
        credit = self._credit(columns[0]) if self.code == "B" else list(self.column(WIN_CREDIT))
        return Totals(
            n,
            self.rounds,
            tuple(tuple(sorted(Counter(columns[0][side::n]).items())) for side in range(n)),
            tuple(tuple(sum(column[side::n]) for column in (*columns[1:], credit)) for side in range(n)),
        )

    def _credit(self, heads: Sequence[int]) -> list[int]:
        """Fewest heads win; a tie is shared (R-C1)."""
        credit = []
        for at in range(0, len(heads), self.players):
            sides = heads[at : at + self.players]
            best = min(sides)
            credit += [CREDIT // sides.count(best) if taken == best else 0 for taken in sides]
        return credit


@dataclass(frozen=True, slots=True)
class Totals:
    """Running totals of rounds. Integers, so the order of addition doesn't matter."""

    players: int
    rounds: int
    #: Per side: (heads, number of rounds), ascending.
    counts: tuple[tuple[tuple[int, int], ...], ...]
    #: Per side: sums of the fields after `heads`, then the win credit in units of 1/CREDIT.
    sums: tuple[tuple[int, ...], ...]

    @classmethod
    def nothing(cls, players: int) -> Totals:
        return cls(players, 0, ((),) * players, ((0,) * len(FIELDS),) * players)

    @classmethod
    def of_core(cls, players: int, rounds: int, numbers: Sequence[int]) -> Totals:
        """Totals from the core's counters."""
        sides = [numbers[at : at + TOTALS] for at in range(0, TOTALS * players, TOTALS)]
        return cls(
            players,
            rounds,
            tuple(tuple((heads, count) for heads, count in enumerate(side[:BINS]) if count) for side in sides),
            tuple(tuple(side[BINS:]) for side in sides),
        )

    def __add__(self, other: Totals) -> Totals:
        if self.players != other.players:
            raise RulesError("native.totals_players_cannot", players=self.players, others=other.players)
        counts = [
            tuple(sorted((Counter(dict(a)) + Counter(dict(b))).items()))
            for a, b in zip(self.counts, other.counts, strict=True)
        ]
        sums = [tuple(x + y for x, y in zip(a, b, strict=True)) for a, b in zip(self.sums, other.sums, strict=True)]
        return Totals(self.players, self.rounds + other.rounds, tuple(counts), tuple(sums))

    @property
    def histograms(self) -> tuple[Mapping[int, int], ...]:
        """Per side: heads → number of rounds."""
        return tuple(dict(side) for side in self.counts)

    def _sums(self, field: int) -> tuple[int, ...]:
        return tuple(side[field] for side in self.sums)

    @property
    def heads(self) -> tuple[int, ...]:
        """Total heads per side."""
        return tuple(sum(value * count for value, count in side) for side in self.counts)

    @property
    def mean_heads(self) -> tuple[float, ...]:
        """Mean heads per round and side."""
        return tuple(heads / self.rounds for heads in self.heads)

    @property
    def error_heads(self) -> tuple[float, ...]:
        """Standard errors of those means (0 for a single round)."""
        errors = []
        for side, heads in zip(self.counts, self.heads, strict=True):
            squares = sum(value * value * count for value, count in side)
            spread = max(0.0, (squares - heads * heads / self.rounds) / max(1, self.rounds - 1))
            errors.append((spread / self.rounds) ** 0.5)
        return tuple(errors)

    @property
    def full_rows(self) -> tuple[int, ...]:
        """Full rows taken (rule 3), per side."""
        return self._sums(0)

    @property
    def low_cards(self) -> tuple[int, ...]:
        """Rows taken by low cards (rule 4), per side."""
        return self._sums(1)

    @property
    def cow_rows(self) -> tuple[int, ...]:
        """Rows taken because the cow jumped, per side."""
        return self._sums(2)

    @property
    def turns_with_take(self) -> tuple[int, ...]:
        """Turns in which a row was taken, per side."""
        return self._sums(3)

    @property
    def win_credit(self) -> tuple[float, ...]:
        """Share of rounds won, per side; ties are shared."""
        return tuple(credit / CREDIT / self.rounds for credit in self._sums(4))


def as_data(rounds: Sequence[Sequence[Sequence[int]]]) -> bytes:
    """Numbers by round, side and field as bytes for `Outcomes`."""
    return array("i", [number for sides in rounds for side in sides for number in side]).tobytes()

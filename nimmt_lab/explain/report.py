"""Turn-by-turn report of a game: traps met and avoided, points lost to each rule, best and worst luck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Card, Seat
from nimmt_lab.engine.events import Event, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.rule import Rule

from .catalogue import words
from .judgement import Judgement, lost_line
from .placement import Placement, Turn, explain, turns
from .rows import comparing
from .teller import Teller, rule_name, unit
from .traps import Trap, verdict_key

Losses: TypeAlias = Callable[[Game, Event], Iterable[tuple[Seat, Rule, int]]]

#: Points an event costs: (seat, rule, points). Without it, a report lists the cards taken, not as a loss.
LOSSES: Final[Capability[Losses]] = Capability("loss count", face="tell")


def heads_taken(game: Game, event: Event) -> Iterable[tuple[Seat, Rule, int]]:
    """Yield bull heads taken, the points of most games. Where heads are good, this is not a loss."""
    return () if game.heads_are_good else _taken(game, event)


def _taken(game: Game, event: Event) -> Iterable[tuple[Seat, Rule, int]]:
    if isinstance(event, RowTaken):
        yield event.seat, event.rule, event.heads


@dataclass(frozen=True)
class ReportRow:
    """One placement in a report. Rounds, turns, seats and rows count from 0."""

    round: int
    turn: int
    seat: Seat
    card: Card
    row: int | None
    rule: Rule
    heads: int
    trap: Trap | None
    #: True if the trap was met, False if it was avoided.
    met: bool
    #: Heads saved (negative: lost) relative to the table when the card was chosen.
    luck: int
    #: Cards in closest-row traps that stayed in hand.
    kept: tuple[Card, ...]
    #: Cost of the card and, for a low card, of the row, if the game was reviewed.
    judged: tuple[Judgement, ...] = ()

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        return tuple(cls.__dataclass_fields__)


@dataclass(frozen=True)
class Report:
    """Summary of a game. `rows` lists the placements in order.

    >>> from nimmt_lab import Classic, Record
    >>> game = Classic(players=2, hand_size=2)
    >>> start = "50 57 61 | 70 | 83 | 35 36 38 40 45 ; A: 62 99 ; B: 29 98"
    >>> found = report(Record(game, ({0: 62, 1: 29}, {1: 0}), start=start))
    >>> [(row.card, row.trap, row.met) for row in found.rows]
    [(29, None, False), (62, <RowTrap.VANISHED_ROW: 'vanished_row'>, True)]
    >>> found.unluckiest.card, found.unluckiest.luck
    (62, -9)
    """

    rows: tuple[ReportRow, ...]
    #: Points lost by seat and rule, largest first (heads taken if the chapter doesn't define losses).
    lost: Mapping[Seat, Mapping[Rule, int]]
    #: Player names, if recorded.
    names: Mapping[Seat, str]
    game: Game

    @property
    def luckiest(self) -> ReportRow | None:
        return max((row for row in self.rows if row.luck > 0), key=lambda row: row.luck, default=None)

    @property
    def unluckiest(self) -> ReportRow | None:
        return min((row for row in self.rows if row.luck < 0), key=lambda row: row.luck, default=None)

    def met(self, seat: Seat) -> dict[Trap, int]:
        """Count each trap that a seat met."""
        return dict(Counter(row.trap for row in self.rows if row.trap and row.seat == seat and row.met))

    def avoided(self, seat: Seat) -> dict[Trap, int]:
        """Count each trap that a seat avoided."""
        return dict(Counter(row.trap for row in self.rows if row.trap and row.seat == seat and not row.met))

    def to_text(self, lang: str = "en") -> str:
        """Format the report: one line per placement, then a summary."""
        say = words(lang, self.names)
        teller = Teller(say, game=self.game)
        counted = unit(self.game)
        lines = [say("report.title")]
        for row in self.rows:
            parts = {
                "turn": f"{row.round + 1}/{row.turn + 1}",
                "card": teller.card(row.seat, row.card),
                "row": "–" if row.row is None else row.row + 1,
                "rule": rule_name(row.rule, say, self.game),
                "heads": say.count(counted, row.heads),
            }
            line = say("report.line_heads" if row.heads else "report.line", **parts)
            if row.trap is not None:
                line += " " + say(verdict_key(row.trap, met=row.met), trap=say(f"trap.{row.trap.value}"))
            if row.kept:
                line += " " + say("report.kept", cards=say.list(row.kept))
            line += "".join(f" {judgement.text(say)}" for judgement in row.judged)
            lines.append(line)
        for seat, rules in self.lost.items():
            losses = say.list(f"{rule_name(rule, say, self.game)} {points}" for rule, points in rules.items())
            key = "report.took" if LOSSES.find(self.game) is None else "report.lost"
            lines.append(say(key, who=teller.who(seat), losses=losses))
        judged = [judgement for row in self.rows for judgement in row.judged]
        for seat in sorted({judgement.seat for judgement in judged}):
            lines.append(lost_line(seat, [judgement for judgement in judged if judgement.seat == seat], say))
        for key, moment in (("report.luckiest", self.luckiest), ("report.unluckiest", self.unluckiest)):
            if moment is not None:
                where = f"{moment.round + 1}/{moment.turn + 1}"
                heads = say.count(counted, abs(moment.luck))
                lines.append(say(key, turn=where, card=teller.card(moment.seat, moment.card), heads=heads))
        return "\n".join(lines)


def report(record: Record, judgements: Iterable[Judgement] = ()) -> Report:
    """Report on a record, finished or not, optionally with the `judgements` of `nimmt_lab.study.review`."""
    rows: list[ReportRow] = []
    judged: dict[tuple[int, int, Seat], tuple[Judgement, ...]] = {}
    for judgement in judgements:
        key = judgement.round, judgement.turn, judgement.seat
        judged[key] = (*judged.get(key, ()), judgement)
    lost: dict[Seat, dict[Rule, int]] = {}
    losses = LOSSES.find(record.game) or _taken
    for turn in turns(record):
        for placement in explain(turn):
            rows.append(_row(turn, placement, judged.get((turn.round, turn.turn, placement.seat), ())))
    for event in record.events:
        for seat, rule, points in losses(record.game, event):
            rules = lost.setdefault(seat, {})
            rules[rule] = rules.get(rule, 0) + points
    dearest = {
        seat: dict(sorted(lost[seat].items(), key=lambda item: (-item[1], item[0].key))) for seat in sorted(lost)
    }
    return Report(tuple(rows), dearest, record.names, record.game)


def _row(turn: Turn, placement: Placement, judged: tuple[Judgement, ...]) -> ReportRow:
    return ReportRow(
        turn.round,
        turn.turn,
        placement.seat,
        placement.card,
        placement.row,
        placement.rule,
        placement.heads,
        placement.trap,
        placement.met,
        placement.luck,
        _kept(turn, placement),
        judged,
    )


def _kept(turn: Turn, placement: Placement) -> tuple[Card, ...]:
    """The other cards of the hand that were in a closest-row trap when this card was chosen."""
    before = turn.before
    reader = comparing(before.game)
    if reader is None or not 0 <= placement.seat < len(before.hands):
        return ()
    kept = []
    for card in before.hands[placement.seat]:
        options = reader.options(before, card)
        row = reader.row_for(before, card)
        full = any(option.full for option in options if option.row == row)
        if card != placement.card and full and any(o.looks_open and not o.full and o.row != row for o in options):
            kept.append(card)
    return tuple(kept)

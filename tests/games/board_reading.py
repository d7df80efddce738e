"""A second implementation of the board game that plays one random turn and writes it as a rule vector.

It shares no code with the package and decides legal actions from the sentences of the rules page. If the engine can't
follow a vector or ends differently, the two readings differ.
"""

from __future__ import annotations

from typing import Any

PLAIN = [".", ".", ".", "g", "gg", "r", "rr", "+5", "-7", "+2", "-10"]
ACTIONS = ["stop", "swap", "skip", "start", "ascending", "play_two"]
LUCK = ["plus_five", "positive_heads"]


class Unclear(Exception):
    """The outcome depends on a shuffle, so no vector can state it."""


class BoardReading:
    def __init__(self, random: Any) -> None:
        self.random = random
        self.advanced, self.with_luck = random.random() < 0.6, random.random() < 0.6
        self.players = random.randint(2, 4)
        numbers = random.sample(range(1, 101), 100)
        self.board = [self.some_fields() for _ in range(random.choice([5, 6, 10]))]
        self.rows: list[list[int | None]] = [[] for _ in self.board]
        for at in random.sample(range(len(self.board)), 4):
            for slot in range(random.randint(1, len(self.board[at]) - 1)):
                gap = self.advanced and slot and self.rows[at][-1] is not None and random.random() < 0.15
                self.rows[at].append(None if gap else numbers.pop())
            while self.rows[at][-1] is None:
                self.rows[at].pop()
        self.hands = [[numbers.pop() for _ in range(random.randint(1, 4))] for _ in range(self.players)]
        self.heads = {tile: random.choice([1, 1, 2, 3, 5]) for tile in range(1, 101)}
        self.scores = [random.choice([0, random.randint(-44, 44), -42, 43]) for _ in range(self.players)]
        self.stock = [numbers.pop() for _ in range(random.randint(0, 2))] if self.advanced else []
        self.actions = [self.some(ACTIONS, 3) if self.advanced else [] for _ in range(self.players)]
        self.deck = self.some(ACTIONS, 2) if self.advanced else []
        self.discards: list[str] = []
        self.luck = [self.some(LUCK, 3) if self.with_luck else [] for _ in range(self.players)]
        self.stacks = {kind: random.randint(0, 3) if self.with_luck else 0 for kind in LUCK}
        self.clovers = sorted(random.sample(range(-44, 45), 25))
        active = [at for at, row in enumerate(self.rows) if row]
        self.stops = random.sample(active, random.randint(0, 2)) if self.advanced else []
        self.choices: list[dict[str, Any]] = []

    def some(self, kinds: list[str], most: int) -> list[str]:
        return [self.random.choice(kinds) for _ in range(self.random.randint(0, most))]

    def some_fields(self) -> list[str]:
        kinds = PLAIN + (["tile", "action"] if self.advanced else []) + (["two"] if self.random.random() < 0.1 else [])
        fields = [self.random.choice(kinds) for _ in range(self.random.randint(1, 5))]
        return [*fields, self.random.choice(["take", "take-tiles"]) if self.advanced else "take"]

    def vector(self, name: str) -> dict[str, Any]:
        """Play a turn and return its vector."""
        picked = {}
        for seat, hand in enumerate(self.hands):
            tiles = self.random.sample(hand, min(len(hand), 2 if self.two_tiles() else 1))
            picked[seat] = tiles
            for tile in tiles:
                hand.remove(tile)
        given = {"board": self.board, "tile_heads": {str(tile): heads for tile, heads in self.heads.items()},
                 "clovers": self.clovers, **self.facts()}  # fmt: skip
        self.queue = sorted((tile, seat) for seat, tiles in picked.items() for tile in tiles)
        spoken: set[int] = set()
        while self.queue:
            seat = self.queue[0][1]
            # A vector doesn't say for which of two tiles a card is used, so cards are only used for the first.
            self.next_tile(use_cards=seat not in spoken)
            spoken.add(seat)
        if self.advanced and not all(self.hands):
            for seat, hand in enumerate(self.hands):
                self.score(seat, -sum(self.heads[tile] for tile in hand), final=True)
                self.score(seat, len(self.actions[seat]), final=True)
        game = {"system": "board", "players": self.players, "mode": "advanced" if self.advanced else "basic",
                "luck": self.with_luck}  # fmt: skip
        reveal = {str(s + 1): tiles[0] if len(tiles) == 1 else tiles for s, tiles in picked.items()}
        return {
            "id": name,
            "game": game,
            "given": given,
            "reveal": reveal,
            "choices": self.choices,
            "expect": self.facts(),
        }

    def facts(self) -> dict[str, Any]:
        def each(items: list[Any]) -> dict[str, Any]:
            return {str(seat + 1): list(item) if isinstance(item, list) else item for seat, item in enumerate(items)}

        return {
            "tiles": {str(at + 1): list(row) for at, row in enumerate(self.rows) if row},
            "hands": each(self.hands), "scores": each(self.scores), "luck": each(self.luck), "actions": each(self.actions),
            "luck_stacks": dict(self.stacks), "action_deck": list(self.deck), "stock": list(self.stock),
            "stops": sorted(at + 1 for at in self.stops),
        }  # fmt: skip

    def two_tiles(self) -> bool:
        return any(
            row and field == "two" and (slot >= len(row) or row[slot] is None)
            for row, fields in zip(self.rows, self.board, strict=True)
            for slot, field in enumerate(fields)
        )

    def wants(self, cards: list[str], card: str) -> bool:
        return card in cards and self.random.random() < 0.5

    def say(self, seat: int, **what: Any) -> None:
        self.choices.append({"seat": seat + 1, **what})

    def play_action(self, seat: int, kind: str, **what: Any) -> None:
        self.actions[seat].remove(kind)
        self.discards.append(kind)
        self.say(seat, action=kind, **what)

    def row_by_rule(self, tile: int) -> int:
        able = [(row[-1], at) for at, row in enumerate(self.rows) if row and at not in self.stops]
        lower = [(end, at) for end, at in able if end is not None and end < tile]
        return max(lower or able)[1]

    def next_tile(self, use_cards: bool) -> None:
        tile, seat = self.queue[0]
        held = self.actions[seat] if use_cards else []
        if self.wants(held, "stop") and len(self.stops) < 2:
            at = self.random.choice([at for at, row in enumerate(self.rows) if row and at not in self.stops])
            self.play_action(seat, "stop", row=at + 1)
            self.stops.append(at)
        if self.wants(held, "swap") and self.hands[seat]:
            other = self.random.choice(self.hands[seat])
            self.play_action(seat, "swap", tile=other)
            self.hands[seat].remove(other)
            self.hands[seat].append(tile)
            self.queue[0] = (other, seat)
        if self.wants(held, "play_two") and self.hands[seat]:
            other = self.random.choice(self.hands[seat])
            self.play_action(seat, "play_two", tile=other)
            self.hands[seat].remove(other)
            own = sorted([(other, seat), *(play for play in self.queue if play[1] == seat)])
            self.queue = own + [play for play in self.queue if play[1] != seat]
        tile, seat = self.queue.pop(0)
        at, at_start, skipped = self.row_by_rule(tile), False, 0
        firsts = [n for n, row in enumerate(self.rows) if row and n not in self.stops and (row[0] or 0) > tile]
        lasts = [n for n, row in enumerate(self.rows) if row and n not in self.stops and (row[-1] or 0) < tile]
        if self.wants(held, "start") and firsts:
            at, at_start = self.random.choice(firsts), True
            self.play_action(seat, "start", row=at + 1)
        elif self.wants(held, "ascending") and lasts:
            at = self.random.choice(lasts)
            self.play_action(seat, "ascending", row=at + 1)
        row, last = self.rows[at], len(self.board[at]) - 1
        if self.wants(held, "skip") and not at_start and len(row) < last:
            self.play_action(seat, "skip")
            skipped = 1
        if at_start:
            covered = row.index(None) if None in row else len(row)
        else:
            covered = len(row) + skipped
        five, plus = False, []
        lucky = self.luck[seat] if use_cards else []
        if self.wants(lucky, "plus_five") and covered != last:
            five = True
            self.play_luck(seat, "plus_five")
        elif self.wants(lucky, "positive_heads") and covered == last:
            there = [other for other in row if other is not None]
            plus = self.random.sample(there, min(2, len(there)))
            self.play_luck(seat, "positive_heads", tiles=list(plus))
        if at_start:
            moved = row[covered - 1]
            assert moved is not None
            self.rows[at] = [tile, *row[:covered], *row[covered + 1 :]]
        else:
            moved = tile
            self.rows[at] = [*row, *[None] * skipped, tile]
        if five:
            self.score(seat, 5)
        else:
            self.field_acts(seat, at, covered, moved, tile, plus)

    def play_luck(self, seat: int, kind: str, **what: Any) -> None:
        self.luck[seat].remove(kind)
        self.stacks[kind] += 1
        self.say(seat, luck=kind, **what)

    def field_acts(self, seat: int, at: int, slot: int, shown: int, tile: int, plus: list[int]) -> None:
        field = self.board[at][slot]
        heads = self.heads[shown]
        points = {"g": heads, "gg": 2 * heads, "r": -heads, "rr": -2 * heads}
        if field in points:
            self.score(seat, points[field])
        elif field[0] in "+-":
            self.score(seat, int(field))
        elif field == "tile":
            self.hands[seat] += self.stock[:1]
            self.stock = self.stock[1:]
        elif field == "action":
            if not self.deck:
                if len(set(self.discards)) > 1:
                    raise Unclear
                self.deck, self.discards = self.discards, []
            self.actions[seat] += self.deck[:1]
            self.deck = self.deck[1:]
        elif field in ("take", "take-tiles"):
            others = [other for other in self.rows[at] if other not in (None, tile)]
            self.rows[at] = []
            self.stops = []
            good = sum(self.heads[other] for other in plus)
            if field == "take":
                self.score(seat, good - sum(self.heads[other] for other in others if other and other not in plus))
            else:
                self.score(seat, good)
                self.hands[seat] += [other for other in others if other]
            self.new_row(seat, at, tile)

    def new_row(self, seat: int, taken: int, tile: int) -> None:
        empty = [at for at, row in enumerate(self.rows) if not row]
        if self.advanced:
            at = self.random.choice(empty)
            if len(empty) > 1:
                self.say(seat, new_row=at + 1)
        else:
            at = ([at for at in empty if at > taken] or empty)[0]
        self.rows[at] = [tile]
        self.field_acts(seat, at, 0, tile, tile, [])

    def score(self, seat: int, points: int, final: bool = False) -> None:
        before = self.scores[seat]
        after = min(44, max(-44, before + points))
        self.scores[seat] = after
        clovers = 0 if final or not self.with_luck else sum(after <= clover < before for clover in self.clovers)
        fives, heads = self.stacks.values()
        clovers = min(clovers, fives + heads)
        ways = [n for n in range(clovers + 1) if n <= fives and clovers - n <= heads]
        taken = self.random.choice(ways)
        drawn = ["plus_five"] * taken + ["positive_heads"] * (clovers - taken)
        if len(ways) > 1:
            self.say(seat, draw_luck=drawn)
        for kind in drawn:
            self.stacks[kind] -= 1
            self.luck[seat].append(kind)

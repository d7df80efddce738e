"""A second implementation of Beat the Buffalo that plays one random turn and writes it as a rule vector.

It shares no code with the package and decides the team's legal actions from the sentences of the rules page. If the
engine can't follow a vector or ends differently, the two readings differ.
"""

from __future__ import annotations

from typing import Any

KINDS = ["seven_takes", "stop", "swap", "insert", "push", "first", "last", "sort"]


def heads_of(cards: list[int]) -> int:
    def heads(card: int) -> int:
        if card == 55:
            return 7
        return 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1

    return sum(map(heads, cards))


class BuffaloReading:
    def __init__(self, random: Any) -> None:
        self.random = random
        self.players = random.randint(1, 6)
        numbers = random.sample(range(1, 105), 104)
        self.rows = [sorted(numbers.pop() for _ in range(random.choice([1, 1, 2, 3, 4, 5, 5]))) for _ in range(4)]
        self.hands = [[numbers.pop() for _ in range(random.randint(0, 2))] for _ in range(self.players)]
        specials = random.sample(KINDS * 2, random.randint(0, 16)) if self.players > 1 else []
        out = [kind for kind in KINDS[:2] for _ in range(2 - specials.count(kind)) if self.players > 1]
        self.sevens = set(random.sample(range(4), random.randint(0, out.count("seven_takes"))))
        self.stops = set(random.sample(range(4), random.randint(0, out.count("stop"))))
        for at in self.sevens:
            if len(self.rows[at]) == 5 and random.random() < 0.5:
                self.rows[at] = sorted([*self.rows[at], numbers.pop()])
        self.up, self.deck = specials[:2], specials[2:]
        self.played = {seat: numbers.pop() for seat in range(self.players + 1)}  # the buffalo sits last
        self.piles: tuple[list[int], list[int]] = ([], [])
        self.placed: list[list[int]] = []
        self.choices: list[dict[str, Any]] = []
        self.empty: list[int] = []
        self.first: int | None = None
        self.last: int | None = None

    def vector(self, name: str) -> dict[str, Any]:
        """Play a turn and return its vector."""
        buffalo = self.played[self.players]
        reveal = {str(seat + 1): card for seat, card in self.played.items() if seat < self.players} | {
            "buffalo": buffalo
        }
        given = {"rows": [list(row) for row in self.rows], "specials_deck": list(self.deck), **self.facts()}
        self.queue = sorted((card, seat) for seat, card in self.played.items())
        while self.queue:
            placed = False
            while self.random.random() < 0.5 and not placed:
                placed = self.something()
            if not placed:
                self.place(*self.queue.pop(0))
        game = {"system": "buffalo", "players": self.players}
        expect = {"rows": self.rows, "placed": self.placed, "team_taken": self.piles[0], "buffalo_taken": self.piles[1]}
        return {"id": name, "game": game, "given": given, "reveal": reveal, "choices": self.choices,
                "expect": expect | self.facts()}  # fmt: skip

    def facts(self) -> dict[str, Any]:
        cards = {str(at + 1): ["seven_takes"] * (at in self.sevens) + ["stop"] * (at in self.stops) for at in range(4)}
        return {
            "specials_up": list(self.up), "row_cards": {row: there for row, there in cards.items() if there},
            "hands": {str(seat + 1): list(hand) for seat, hand in enumerate(self.hands)},
        }  # fmt: skip

    def pick(self, of: Any) -> Any:
        return self.random.choice(list(of))

    def something(self) -> bool:
        """Lift a Stop!, or use a special card if the rules let us; whether that placed the card now to be placed."""
        card, seat = self.queue[0]
        if self.stops and self.random.random() < 0.2:
            at = self.pick(self.stops)
            self.stops.remove(at)
            self.choices.append({"before": card, "lift_stop": at + 1})
            return False
        if not self.up:
            return False
        kind = self.pick(self.up)
        ours = [play for play in self.queue if play[1] < self.players]
        open_rows = [at for at in range(4) if at not in self.stops]
        if kind == "seven_takes":
            able = [at for at in range(4) if self.rows[at] and at not in self.sevens]
            if able:
                at = self.pick(able)
                self.use(kind, row=at + 1)
                self.sevens.add(at)
        elif kind == "stop":
            able = [at for at in open_rows if self.rows[at]]
            if able:
                at = self.pick(able)
                self.use(kind, row=at + 1)
                self.stops.add(at)
        elif kind == "swap":
            holding = [play for play in ours if self.hands[play[1]]]
            if holding:
                old, who = self.pick(holding)
                new = self.pick(self.hands[who])
                self.use(kind, seat=who + 1, card=new)
                self.queue.remove((old, who))
                self.forget(old)
                self.hands[who].remove(new)
                self.hands[who].append(old)
                self.place(new, who)
        elif kind == "insert":
            able = [at for at in open_rows if self.rows[at] and card < self.rows[at][-1]]
            if able and seat < self.players and not self.empty:
                at = self.pick(able)
                self.use(kind, row=at + 1, position=1 + sum(other < card for other in self.rows[at]))
                self.queue.pop(0)
                self.forget(card)
                self.placed.append([card, at + 1])
                self.put_between(card, at)
                return True
        elif kind == "push":
            source = self.pick(range(4))
            targets = [at for at in open_rows if at != source]
            if source in open_rows and self.rows[source] and targets:
                pushed, at = self.pick(self.rows[source]), self.pick(targets)
                self.use(kind, card=pushed, to_row=at + 1, position=1 + sum(c < pushed for c in self.rows[at]))
                self.rows[source].remove(pushed)
                if at in self.empty:
                    self.empty.remove(at)
                if not self.rows[source]:
                    self.empty.append(source)
                self.put_between(pushed, at)
        elif kind in ("first", "last") and ours:
            moved = self.pick(ours)
            mark = self.first if kind == "first" else self.last
            second = mark not in (None, moved[0]) and self.random.random() < 0.5
            self.use(kind, seat=moved[1] + 1, **({"second": True} if second else {}))
            self.queue.remove(moved)
            self.forget(moved[0])
            cards = [play[0] for play in self.queue]
            if kind == "first":
                self.queue.insert(cards.index(mark) + 1 if second else 0, moved)
                self.first = self.first if second else moved[0]
            else:
                self.queue.insert(cards.index(mark) if second else len(cards), moved)
                self.last = self.last if second else moved[0]
        elif kind == "sort":
            order = self.random.sample(self.queue, len(self.queue))
            self.use(kind, order=[play[0] for play in order])
            self.queue, self.first, self.last = order, None, None
        return not self.queue

    def use(self, kind: str, **how: Any) -> None:
        self.choices.append({"before": self.queue[0][0], "use": kind, **how})
        self.up.remove(kind)
        self.up += self.deck[:1]
        self.deck = self.deck[1:]

    def forget(self, card: int) -> None:
        self.first = None if self.first == card else self.first
        self.last = None if self.last == card else self.last

    def limit(self, at: int) -> int:
        return 6 if at in self.sevens else 5

    def put_between(self, card: int, at: int) -> None:
        self.rows[at] = sorted([*self.rows[at], card])
        if len(self.rows[at]) > self.limit(at):
            self.piles[0].extend(self.rows[at][:-1])
            self.rows[at] = self.rows[at][-1:]
            self.sevens.discard(at)

    def place(self, card: int, seat: int) -> None:
        self.forget(card)
        open_rows = [at for at in range(4) if at not in self.stops and self.rows[at]]
        able = [at for at in open_rows if self.rows[at][-1] < card]
        if self.empty:
            at = self.empty.pop(0)
        elif able:
            at = max(able, key=lambda at: self.rows[at][-1])
            if len(self.rows[at]) >= self.limit(at):
                self.take(at, seat)
        else:
            if seat == self.players:
                at = min(open_rows, key=lambda at: (heads_of(self.rows[at]), -self.rows[at][-1]))
            else:
                at = self.pick(open_rows)
                self.choices.append({"seat": seat + 1, "row": at + 1})
            self.take(at, seat)
        self.rows[at].append(card)
        self.placed.append([card, at + 1])

    def take(self, at: int, seat: int) -> None:
        self.piles[seat == self.players].extend(self.rows[at])
        self.rows[at] = []
        self.sevens.discard(at)

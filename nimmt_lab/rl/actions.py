"""The action encoding: every game has a fixed list of actions, some of which are legal at a time.

| actions | meaning |
|---|---|
| 0 | wait: this seat has no decision |
| 1 to *cards* | play (or, in a draft, pick) that card of the deck |
| then one per row | choose that row |
| then one per card | play that card the other way, where a fan card has one |
| the rest | other options of the decision (using a special card, say), in its order |

>>> from nimmt_lab import Classic
>>> game = Classic(players=2)
>>> actions = Actions(game)
>>> actions.count  # wait, 104 cards, 4 rows
109
>>> decision = game.deal(seed=1).pending[0]
>>> actions.allowed(decision) == list(decision.options)
True
>>> actions.choice(decision, decision.options[0]) == decision.options[0]
True
"""

from __future__ import annotations

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow, Decision, PickCard
from nimmt_lab.engine.encode import ENCODING
from nimmt_lab.engine.errors import UnknownOption, Unsupported
from nimmt_lab.engine.game import Game

__all__ = ["WAIT", "Actions"]

WAIT = 0


class Actions:
    """The action encoding of a game."""

    def __init__(self, game: Game) -> None:
        encoding = ENCODING.of(game)
        self.cards = tuple(game.deck)
        self._places = {card: 1 + at for at, card in enumerate(self.cards)}
        self.first_row = 1 + len(self.cards)
        self.first_turned = self.first_row + encoding.rows(game)
        self.first_way = self.first_turned + (len(self.cards) if encoding.turned(game) else 0)
        #: Number of actions.
        self.count = self.first_way + encoding.ways(game)

    def allowed(self, decision: Decision | None) -> list[int]:
        """The legal actions of a decision, ascending; only `WAIT` without one."""
        if decision is None:
            return [WAIT]
        if isinstance(decision, (ChooseCard, PickCard, ChooseRow)):
            return sorted(self.number(decision, option) for option in decision.options)
        last = self.first_way + len(decision.options)
        if last > self.count:
            raise Unsupported("rl.options_at_once", options=len(decision.options), actions=self.count)
        return list(range(self.first_way, last))

    def mask(self, decision: Decision | None) -> bytearray:
        """The legal actions as a vector of zeros and ones."""
        mask = bytearray(self.count)
        for action in self.allowed(decision):
            mask[action] = 1
        return mask

    def number(self, decision: Decision, choice: Choice) -> int:
        if isinstance(choice, int):
            return self.first_row + choice if isinstance(decision, ChooseRow) else self._places[choice]
        if isinstance(choice, CardOption):
            return self.first_turned + self._places[choice.play(0).card] - 1
        return self.first_way + decision.options.index(choice)

    def choice(self, decision: Decision | None, action: int, seat: Seat = 0) -> Choice | None:
        """Decode an action; None for waiting. Illegal actions raise `UnknownOption`."""
        if decision is None:
            if action == WAIT:
                return None
        elif isinstance(decision, (ChooseCard, PickCard, ChooseRow)):
            for option in decision.options:
                if self.number(decision, option) == action:
                    return option
        elif 0 <= action - self.first_way < len(decision.options):
            return decision.options[action - self.first_way]
        known, who = self.allowed(decision)[:24], seat_letter(seat)
        names = ", ".join(map(str, known))
        raise UnknownOption("rl.has_no_action", who=who, action=action, known=names, seat=seat, allowed=known)

    def meaning(self, action: int) -> str:
        """An action in notation; other options by number.

        >>> from nimmt_lab import Classic
        >>> actions = Actions(Classic(players=2, fan_cards=("number_twister",)))
        >>> [actions.meaning(action) for action in (0, 14, 105, 122)]
        ['wait', '14', '@1', '14~']
        """
        if not 0 <= action < self.count:
            raise UnknownOption("rl.there_no_action", action=action, most=self.count - 1)
        if action == WAIT:
            return "wait"
        if action < self.first_row:
            return str(self.cards[action - 1])
        if action < self.first_turned:
            return f"@{action - self.first_row + 1}"
        if action < self.first_way:
            return f"{self.cards[action - self.first_turned]}~"
        return f"option {action - self.first_way + 1}"

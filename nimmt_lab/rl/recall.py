"""Observations with memory: everything that a seat has seen since the start, as a tensor of fixed size.

`Recall` adds a history to the observation of `nimmt_lab.rl.observe`. The history has a line for every decision so far,
and lines of zeros for those to come:

- *place*: for each card of the deck, where this seat sees it: (number of the plane + value there / 8) / number of
  planes, with the planes of `Recall.places`; negative if the card counts as its twisted number
- *last turn*: for each card of the last turn, who played it: the seat relative to the observer, from 1, as a fraction
  of all seats; negative if twisted
- *numbers*: the parts `seats`, `piles`, `table` and `beside` of the observation
- *action*: this seat's action in the decision before, as a fraction of all actions

With `open_hands`, planes of the other hands follow the observation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.state import GameState

from .actions import Actions
from .observe import Observer

with wanted("rl"):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Recall"]

#: Larger than any value of a plane.
_VALUES = 8


class Recall:
    """Observations of a game, with all hands if `open_hands`, and a history of up to `decisions`.

    >>> from nimmt_lab import Classic
    >>> recall = Recall(Observer(Classic(players=2, rounds=1)), decisions=20)
    >>> recall.size, recall.shape  # a line for the start, and one after each decision
    (1370, (21, 227))
    """

    def __init__(self, observer: Observer, decisions: int, open_hands: bool = False) -> None:
        game = observer.game
        self._observer = observer
        self._cards = {card: at for at, card in enumerate(game.deck)}
        self._others = game.players - 1 if open_hands and game.hidden_hands else 0
        self._actions = Actions(game).count
        #: Length of an observation, with the planes of open hands.
        self.size = observer.size + self._others * len(self._cards)
        #: The planes that say where a card is.
        self.places = [name for name in observer.layout if name.split()[0] in ("hand", "row", "next", "pile", "stock")]
        starts = [observer.layout[name].start for name in self.places]
        starts += [observer.size + at * len(self._cards) for at in range(self._others)]
        self._planes = np.array(starts)[:, None] + np.arange(len(self._cards))
        self._turned = observer.layout["turned"]
        self._tail = slice(observer.layout["seats"].start, observer.layout["beside"].stop)
        width = 2 * len(self._cards) + (self._tail.stop - self._tail.start) + 1
        #: Lines of the history, and the length of a line.
        self.shape = (decisions + 1, width)

    def see(self, state: GameState, seat: Seat) -> NDArray[np.float32]:
        """The observation of a seat."""
        seen = np.zeros(self.size, np.float32)
        seen[: self._observer.size] = np.frombuffer(self._observer.see(state.view(seat)), np.float32)
        for step in range(self._others):
            first = self._observer.size + step * len(self._cards)
            for card in state.hands[(max(seat, 0) + step + 1) % state.game.players]:
                seen[first + self._cards[card]] = 1.0
        return seen

    def line(self, state: GameState, seat: Seat, action: int) -> NDArray[np.float32]:
        """A line of the history: what a seat sees after its action (0 for none)."""
        seen, cards = self.see(state, seat), len(self._cards)
        line = np.zeros(self.shape[1], np.float32)
        values = seen[self._planes]
        plane = values.argmax(axis=0)
        value = values.max(axis=0)
        line[:cards] = np.where(value > 0, (plane + value / _VALUES) / len(self._planes), 0)
        line[:cards] *= 1 - 2 * seen[self._turned]
        seats = state.game.players + state.game.extra_seats
        for play in state.history[-1].plays if state.history else ():
            step = (play.seat - max(seat, 0)) % state.game.players if play.seat < state.game.players else play.seat
            line[cards + self._cards[play.card]] = (step + 1) / seats * (1 if play.plain else -1)
        line[2 * cards : -1] = seen[self._tail]
        line[-1] = action / self._actions
        return line

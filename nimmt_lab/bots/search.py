"""Bots that search: deal the hidden cards out at random, play the round on, and see which card did best.

`flat` is the plain yardstick: every card gets equally many playouts, in which everybody plays at random. `best`
improves on it where it counts: in its playouts everybody plays as they have learned to (`games.classic.network`), or as
badly as they have been seen to (`kinds`); where a fan card changes the rows, it goes by rules of thumb. It
spends its playouts on the cards that are still in question, looks beyond the round where the game goes on, and also
searches for the row to take with a low card. Without the compiled core both make do with far fewer playouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, SEARCH, Searching, compiled_tries, searching_kernel
from nimmt_lab.native.loader import Argument, Core
from nimmt_lab.native.tries import CoreTries, Estimate, Tries
from nimmt_lab.native.work import KINDS, OPTIONS, Work, card_set

from .advice import Advice, Promise
from .base import Bot, needed, register
from .by_engine import EnginePlayouts, win_credit
from .kinds import LEARNED, TRAINED, suspected

GOALS = ("win", "heads")
#: What a head is worth to a bot that plays to win, in parts of a win: it decides between equal chances.
_HEAD = 0.005
#: Without a kernel a playout takes the engine milliseconds: so many times fewer of them, for a whole decision.
_ENGINE_SHARE = 10
#: What is not a card (a row, a special card) must not take longer than a card: so many times fewer again.
_OTHER_SHARE = 3
#: Advice looks at all options alike; without a kernel this part of the playouts is for each.
_ADVICE_SHARE = 50
#: Choosing one of four rows by the kernel must not take longer than choosing a card, either.
_ROW_SHARE = 6
#: Playouts without a network are so many times quicker.
_QUICK = 4
#: Of very many options, so many are looked at.
_MOST_OPTIONS = 24
#: Who leaves what is usual wants to see a gain of so many standard errors. Found by trying.
_DOUBT = 2.0
#: A decision with more options than this gets no more playouts than one with so many.
_MOST_AT_ONCE = 8
_MOST_ADVISED = 64
#: With so many the error of a mean is a few thousandths of a head: more would show nothing new, and take hours.
MOST_PLAYOUTS = 10_000_000
#: A full hand: a card that can be played in two ways is one card.
_MOST_CARDS = 10


class SearchBot(Bot):
    """What searching bots share. A game needs rules alone to be searched; what it keeps face down must be something
    that can be dealt out (`nimmt_lab.engine.guess`), or it is refused."""

    #: Whether everybody plays well in compiled playouts, or at random.
    skilled: ClassVar[bool] = True

    def __init__(self, playouts: int, goal: str) -> None:
        if goal not in GOALS:
            raise RulesError("shared.must_one_of", what="goal", known=", ".join(GOALS), got=shown(goal))
        check_count(playouts, "playouts", 1, MOST_PLAYOUTS)
        self.playouts = playouts
        self.goal = goal

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if len(decision.options) == 1:
            return decision.options[0]
        return max(self.estimates(view, decision, rng), key=self.worth).option

    def worth(self, estimate: Estimate) -> float:
        """What the bot maximises."""
        return estimate.credit - _HEAD * estimate.heads if self.goal == "win" else -estimate.heads

    def estimates(self, view: View, decision: Decision, rng: Rng) -> list[Estimate]:
        """The options that were looked at to the last, with their playouts.

        >>> from nimmt_lab import Classic
        >>> position = "12 14 15 16 18 | 37 | 43 44 | 58 ; A: 19 38 ; B: 2 3 ; C: 5 6"
        >>> view = Classic(players=3).from_position(position).view(0)
        >>> for estimate in FlatBot(playouts=200).estimates(view, view.decision, Rng.from_seed(1)):
        ...     print(estimate.option, estimate.playouts, estimate.heads > 2)
        19 200 True
        38 200 True
        """
        compiled = self._compiled(view, rng)
        if compiled is not None:
            options = looked_at(compiled, decision, _MOST_OPTIONS, rng)
            usual = self._usual(compiled)
            if usual is not None and usual not in options:
                options[-1] = usual
            return self._look(compiled, options, self.playouts * min(len(options), _MOST_AT_ONCE) // compiled.weight)
        tries = self._kernel(view, decision, rng)
        if tries is not None:
            return self._look(tries, decision.options, self.playouts * len(decision.options))
        options = some_options(decision, _MOST_OPTIONS, rng)
        share = _ENGINE_SHARE if isinstance(decision, ChooseCard) else _ENGINE_SHARE * _OTHER_SHARE
        return self._look(self._plain(view, rng), options, max(2 * len(options), self.playouts // share))

    def _usual(self, tries: CoreTries) -> Choice | None:
        """An option that is taken unless another is clearly better; None: none is."""
        return None

    def _look(self, tries: Tries, options: Sequence[Choice], budget: int) -> list[Estimate]:
        """Spend so many playouts on the options."""
        return tries.run(options, max(1, budget // len(options)))

    def advise(self, view: View, *, seed: int = 0, also: Sequence[Choice] = ()) -> Advice:
        """Every option with what it promises until the end of the round, all with equally many playouts, on the same
        hidden cards. Of very many options (orders of many cards, say) some are left out, and `left_out` says so; those
        in `also` are looked at in any case."""
        decision = needed(view)
        found, already = self._all(view, decision, Rng.from_seed(seed), also)
        found.sort(key=self.worth, reverse=True)
        sign = -1 if view.game.more_is_better else 1
        promises = tuple(
            Promise(one.option, sign * one.heads + already, one.error, one.credit, one.credit_error, one.playouts)
            for one in found
        )
        left_out = len(decision.options) - len(found)
        return Advice(view.game, view.seat, decision, promises, method="search", until="round", left_out=left_out)

    def _all(self, view: View, decision: Decision, rng: Rng, also: Sequence[Choice]) -> tuple[list[Estimate], int]:
        """All options, and what the seat has taken in this round that they do not count."""
        compiled = self._compiled(view, rng)
        if compiled is not None:
            options = looked_at(compiled, decision, _MOST_ADVISED, rng)
            options += [option for option in dict.fromkeys(also) if option not in options]
            return compiled.run(options, max(2, self.playouts // compiled.weight)), 0
        tries = self._kernel(view, decision, rng)
        if tries is not None:
            return tries.run(decision.options, self.playouts), _taken(view)
        options = some_options(decision, _MOST_ADVISED, rng)
        options += [option for option in dict.fromkeys(also) if option not in options]
        return EnginePlayouts(view, rng).run(options, max(2, self.playouts // _ADVICE_SHARE)), 0

    def _compiled(self, view: View, rng: Rng) -> CoreTries | None:
        """A chapter's own compiled playouts, where it brings them for what is asked."""
        return compiled_tries(view, rng, self.skilled)

    def _plain(self, view: View, rng: Rng) -> Tries:
        """Playouts by the rules alone."""
        return EnginePlayouts(view, rng)

    def _kernel(self, view: View, decision: Decision, rng: Rng) -> Tries | None:
        """Playouts by the classic family's kernel, where it knows game and decision."""
        found = self._searching(view)
        if found is None or not isinstance(decision, ChooseCard) or len(decision.options) > OPTIONS:
            return None
        return Playouts(view, *found, rng, self._own(found[1].has_network(view.game)))

    def _searching(self, view: View) -> tuple[Core, Searching] | None:
        """The kernel that can play on from there, if there is one."""
        return searching_kernel(view.game) if len(set(view.hand_sizes)) == 1 else None

    def _own(self, has_network: bool) -> int:
        """How the seat itself plays on in the kernel's playouts."""
        return RANDOM

    def __repr__(self) -> str:
        return f"{self.name}:playouts={self.playouts},goal={self.goal}"


def _taken(view: View) -> int:
    return view.game.heads_in(view.piles[view.game.pile_of(view.seat)])


def looked_at(tries: CoreTries, decision: Decision, most: int, rng: Rng) -> list[Choice]:
    """All options; of very many those that the chapter finds promising, or some."""
    if len(decision.options) > most:
        promising = tries.promising(decision.options, most)
        if promising:
            return promising
    return some_options(decision, most, rng)


def some_options(decision: Decision, most: int, rng: Rng) -> list[Choice]:
    """All options; of very many a random part, with what one may leave undone first."""
    if len(decision.options) <= most:
        return list(decision.options)
    numbers, _ = rng.shuffled(range(len(decision.options)), take=most)
    found = [decision.options[at] for at in sorted(numbers[:most])]
    default = decision.default
    return found if default is None or default in found else [default, *found[1:]]


#: How a searching seat can play on: at random, by a rule of thumb, or as it has learned to (`search.c`).
RANDOM, LEAST_RISK, EDGES_FIRST = POLICIES["random"], POLICIES["least-risk"], POLICIES["edges-first"]


class Playouts(CoreTries):
    """Playouts from one view by the classic family's kernel. `own` says how this seat plays on; the others play at
    random."""

    work: Work

    def __init__(self, view: View, core: Core, kernel: Searching, rng: Rng, own: int = RANDOM) -> None:
        work = Work(core)
        super().__init__(work, kernel.search, lambda option: _code(option, view.seat), most=OPTIONS)
        game, seats = view.game, range(view.game.players)
        kernel.prepare(
            work, game, [own if seat == view.seat else RANDOM for seat in seats], [LOW_CARDS["cheapest"]] * len(seats)
        )
        kernel.lay(work, game, view.rows, view.extra)
        is_open = all(hand is not None for hand in view.hands)
        theirs = [hand for seat, hand in enumerate(view.hands) if seat != view.seat]
        pool = [card for hand in theirs for card in hand or ()] if is_open else list(view.unseen)
        self.cards = [*view.hand, *pool]
        work.set("key", rng.state)
        work.set("me", view.seat)
        work.set("turns", len(view.hand))
        work.set("pool", len(pool))
        work.set("open", int(is_open))
        work.set("points", [view.totals[seat] + game.heads_in(view.piles[seat]) for seat in seats])
        work.set("unseen", card_set(pool))
        if own == TRAINED:
            self.network = kernel.network(work, game.players, len(pool), len(view.hand), "random")
        else:
            self.network = work.memory  # nobody looks at it

    def begin(self) -> tuple[Argument, ...]:
        # Each run starts from the same arrangement of the cards: results depend on the playouts' numbers alone.
        self.work.set("cards", self.cards)
        return (self.network,)


class SkilledPlayouts(Playouts):
    """The same with everybody playing as they may be thought to (`kinds`), this seat as it has learned against such
    players, and an eye on the rounds to come."""

    def __init__(self, view: View, core: Core, kernel: Searching, rng: Rng) -> None:
        super().__init__(view, core, kernel, rng, TRAINED)
        game, work = view.game, self.work
        kernel.weigh(work, game)
        kernel.goes_on(work, game, view.round)
        work.set("kinds", LEARNED)
        odds = suspected(view, core, kernel, rng)
        work.set("odds", [part for row in odds for part in row])
        if 2 * sum(row[0] for row in odds) <= sum(map(sum, odds)):
            # Most of the others know what they do: so does who has learned from players like itself.
            self.network = kernel.network(work, game.players, len(self.cards) - len(view.hand), len(view.hand))


class ThumbPlayouts(Playouts):
    """The same without a network: this seat plays on by a rule of thumb that goes well with the cards that lie. Where
    several do, every playout draws one: one alone makes the same mistake in all of them."""

    def __init__(self, view: View, core: Core, kernel: Searching, rng: Rng) -> None:
        super().__init__(view, core, kernel, rng, EDGES_FIRST)
        thumbs = kernel.thumbs(view.game)
        self.work.set("kinds", thumbs)
        self.work.set("odds", [1] * len(thumbs), at=KINDS * view.seat)


def _code(option: Choice, seat: int) -> int:
    """A card, plus 128 when twisted."""
    if isinstance(option, CardOption):
        return option.play(seat).card + 128
    assert isinstance(option, int)
    return option


@register
class FlatBot(SearchBot):
    """Flat Monte Carlo: hidden cards dealt out at random, random playouts, the same number for every option. Its low
    cards take the cheapest row (R-C4)."""

    name = "flat"
    skilled = False

    def __init__(self, playouts: int = 1000, goal: str = "win") -> None:
        super().__init__(playouts, goal)

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if isinstance(decision, ChooseRow):
            return view.game.cheapest_row(view, decision.options)
        return super().choose(view, rng)


@register
class FirstBestBot(SearchBot):
    """The first `best` bot, kept as a yardstick: in its playouts the others play at random, and it plays on as it has
    learned to. `playouts` is for each card of the hand; it is spent in rounds, after each of which the less promising
    half of the options is given up. Games that had no kernel then are searched with the engine: by as many playouts as
    it has time for, whoever plays them (a kernel whose random play is the engine's is only quicker)."""

    name = "best-1"

    def __init__(self, playouts: int = 3000, goal: str = "win") -> None:
        super().__init__(playouts, goal)

    def estimates(self, view: View, decision: Decision, rng: Rng) -> list[Estimate]:
        if isinstance(decision, ChooseRow) and self._searching(view) is not None:
            quick = type(self)(max(1, self.playouts // _ROW_SHARE), self.goal)
            return [quick._row(view, row, rng) for row in decision.options]
        return super().estimates(view, decision, rng)

    def _all(self, view: View, decision: Decision, rng: Rng, also: Sequence[Choice]) -> tuple[list[Estimate], int]:
        if isinstance(decision, ChooseRow) and self._searching(view) is not None:
            return [self._row(view, row, rng) for row in decision.options], _taken(view)
        return super()._all(view, decision, rng, also)

    def _row(self, view: View, row: int, rng: Rng) -> Estimate:
        """What taking that row promises: the cards revealed are placed, then the best card of the next turn is played.
        (The hands are guessed, but nothing hidden takes part in placing the cards that lie open.)"""
        game, seat = view.game, view.seat
        state, _ = guess(view, rng).choose({seat: row})
        while state.queue and not state.is_past_round(view.round):
            state, _ = state.choose(habitual_choices(state, rng)[0])
        before = view.totals[seat] + game.heads_in(view.piles[seat])
        if state.is_past_round(view.round):
            return Estimate(row, 1, state.totals[seat] - before, win_credit(state, seat))
        after = state.view(seat)
        assert isinstance(after.decision, ChooseCard)
        promise = max(self.estimates(after, after.decision, rng), key=self.worth)
        taken = view.totals[seat] + game.heads_in(after.piles[seat]) - before
        return promise._replace(option=row, heads=promise.heads + taken)

    def _compiled(self, view: View, rng: Rng) -> CoreTries | None:
        return None

    def _plain(self, view: View, rng: Rng) -> Tries:
        search = SEARCH.find(view.game)
        found = compiled_tries(view, rng, False) if search is not None and search.is_plain else None
        return super()._plain(view, rng) if found is None else found

    def _searching(self, view: View) -> tuple[Core, Searching] | None:
        found = super()._searching(view)
        return found if found is not None and found[1].is_first else None

    def _own(self, has_network: bool) -> int:
        return TRAINED if has_network else LEAST_RISK

    def _look(self, tries: Tries, options: Sequence[Choice], budget: int) -> list[Estimate]:
        left = list(options)
        stages = max(1, (len(left) - 1).bit_length())
        while True:
            ranked = sorted(tries.run(left, max(1, budget // stages // len(left))), key=self.worth, reverse=True)
            if len(left) <= 2:
                return ranked
            left = [estimate.option for estimate in ranked[: (len(left) + 1) // 2]]


@register
class BestBot(FirstBestBot):
    """The strongest player here. Everybody in its playouts plays as well as what they have played lets it think.

    Where a chapter says what is usual in its playouts, it does that, unless another option is better beyond doubt: of
    many options with few playouts each the one that seems best mostly was lucky, and its playouts count on the usual
    ways of all."""

    name = "best"

    def __init__(self, playouts: int = 2000, goal: str = "win") -> None:
        super().__init__(playouts, goal)

    def _compiled(self, view: View, rng: Rng) -> CoreTries | None:
        return SearchBot._compiled(self, view, rng)

    def _searching(self, view: View) -> tuple[Core, Searching] | None:
        return SearchBot._searching(self, view)

    def _usual(self, tries: CoreTries) -> Choice | None:
        return tries.compare() if self.goal == "win" else None

    def worth(self, estimate: Estimate) -> float:
        if estimate.gain is None:
            return super().worth(estimate)
        return estimate.gain - _DOUBT * estimate.gain_error

    def _kernel(self, view: View, decision: Decision, rng: Rng) -> Tries | None:
        found = self._searching(view)
        if found is None or not isinstance(decision, ChooseCard) or len(decision.options) > OPTIONS:
            return None
        if found[1].has_network(view.game):
            return SkilledPlayouts(view, *found, rng)
        return ThumbPlayouts(view, *found, rng)

    def _look(self, tries: Tries, options: Sequence[Choice], budget: int) -> list[Estimate]:
        if isinstance(tries, CoreTries):
            if tries.usual is not None:
                return _against(tries, tries.usual, options, budget)
            preferred = tries.deepen(options, budget) if self.goal == "win" else None
            if preferred is not None:
                return preferred
        if isinstance(tries, ThumbPlayouts):
            # Playouts in which nobody thinks much are quick. Cards that can be twisted must not take twice as long.
            budget = budget * _QUICK * min(len(options), _MOST_CARDS) // len(options)
        return super()._look(tries, options, budget)


def _against(tries: CoreTries, usual: Choice, options: Sequence[Choice], budget: int) -> list[Estimate]:
    """What is usual, and what seems to gain most by it, if anything does: after each round of playouts what gained
    nothing so far is given up, and at least the less promising half."""
    left, count = list(options), len(options)
    stages = max(1, (count - 1).bit_length())
    while True:
        found = tries.run(left, max(2, budget // stages // count))
        if count <= 2:
            return found
        count = (count + 1) // 2
        better = [one for one in found if one.gain is not None and one.gain > 0]
        better.sort(key=lambda one: one.gain or 0.0, reverse=True)
        left = [usual, *(one.option for one in better[: count - 1])]
        if len(left) == 1:
            return [one for one in found if one.option == usual]

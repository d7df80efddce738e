"""Classroom lessons 1, 2, 3 and 6: counting, safe cards, what one learns by looking, risk. Answers are exact."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

from nimmt_lab.engine.cards import LAST_CARD, Cards, cards_text, heads
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.classic.rules import Classic

from .problem import Chart, Problem, Trial
from .tables import DECK, HAND, Spot, spot, streams, took, turn_trial

CARDS = range(1, LAST_CARD + 1)


def _heads_of_one(cards: tuple[int, ...] | range) -> Trial:
    def trial(rng: Rng) -> tuple[float | None, Rng]:
        at, rng = rng.below(len(cards))
        return float(heads(cards[at])), rng

    return trial


def counting(seed: int) -> tuple[Problem, ...]:
    """Lesson 1: counting and expected value. What is a card worth?"""
    rng = streams(seed, 1)
    at, rng = rng.below(3)
    number = (2, 3, 5)[at]
    state = Classic(players=2, rounds=1).deal(seed)
    hand = state.hands[0]
    low, rng = rng.below(60)
    low, high = low + 1, low + 40
    rows, rng = rng.shuffled(CARDS, take=5)
    row = tuple(sorted(rows[:5]))
    part = range(low, high + 1)
    dear = sum(heads(card) >= 3 for card in part)

    more, rng = rng.below(7)
    deck = range(1, 44 + 10 * more + 1)  # 1 to 44, 54, … or 104
    few, rng = rng.below(6)
    draws = few + 3

    def several(rng: Rng) -> tuple[float | None, Rng]:
        drawn, rng = rng.shuffled(deck, take=draws)
        return float(sum(map(heads, drawn[:draws]))), rng

    def at_least_3(rng: Rng) -> tuple[float | None, Rng]:
        at, rng = rng.below(len(part))
        return float(heads(part[at]) >= 3), rng

    total = sum(map(heads, deck))
    count = sum(heads(card) == number for card in CARDS)
    sum_hand = sum(map(heads, hand))
    return (
        Problem("p1.count", Fraction(count), {"number": number}, working={"count": count, "number": number}),
        Problem("p1.row", Fraction(sum(map(heads, row))), {"cards": cards_text(row)}, working={
            "sum": " + ".join(str(heads(card)) for card in row)}),
        Problem("p1.deck", Fraction(total, len(deck)), {"cards": len(deck)}, trial=_heads_of_one(deck),
                working={"total": total, "cards": len(deck)}),
        Problem("p1.hand", Fraction(sum_hand, len(hand)), {"cards": cards_text(hand)}, trial=_heads_of_one(hand),
                working={"total": sum_hand, "cards": len(hand)}),
        Problem("p1.dear", Fraction(dear, len(part)), {"low": low, "high": high}, trial=at_least_3,
                probability=True, working={"count": dear, "cards": len(part)}),
        Problem("p1.several", Fraction(draws * total, len(deck)), {"draws": draws, "cards": len(deck)}, trial=several,
                working={"draws": draws, "total": total, "cards": len(deck)}),
    )  # fmt: skip


def _exact(table: Spot, opponents: int, *, gone: Cards = (), given: Callable[[int], bool] | None = None) -> Fraction:
    """Chance that A's card takes, from the odds module (an independent count, not the formula of the answer key)."""
    from nimmt_lab.solver.turn_odds import odds

    seen = [*(card for card in table.hand if card != table.card), *gone]
    found = odds(table.rows, [table.card], opponents, seen=seen, given=given, deck=range(1, DECK + 1))
    return found[table.card].p_take


def _expected(table: Spot, card: int) -> Fraction:
    from nimmt_lab.solver.turn_odds import odds

    seen = [other for other in table.hand if other != card]
    return odds(table.rows, [card], 1, seen=seen, deck=range(1, DECK + 1))[card].expected_heads


def safe(seed: int) -> tuple[Problem, ...]:
    """Lesson 2: is my card safe? Hypergeometric probabilities, exact against simulated."""
    four, rng = spot(streams(seed, 2), held=4, at_least=4)
    three, rng = spot(rng, held=3, at_least=4)
    one = four.state(1)
    t, n = len(four.between), len(four.unseen)
    t3, n3 = len(three.between), len(three.unseen)
    parts = {"card": four.card, "end": four.end, "row": four.home + 1, "unseen": n}
    # A second opponent helps A once n/2 + 1 of n unseen cards or more lie between: half of the sheets ask about such a
    # table. It is told in words, since no other question is about it.
    crowded, rng = rng.below(2)
    many, rng = rng.below(n // 2 - 4)
    many += n // 2 + 2 if crowded else 3
    alone, both = Fraction(many, n), Fraction(many * (n - many), comb(n, 2))
    parts3 = {"card": three.card, "end": three.end, "row": three.home + 1, "unseen": n3}
    return (
        Problem("p2.between", Fraction(t), parts, state=one,
                working={"cards": cards_text(four.between), "count": t}),
        Problem("p2.one", _exact(four, 1), parts, state=one, trial=turn_trial(four, 1, of=took),
                probability=True, a_run="turn", working={"t": t, "n": n}),
        Problem("p2.heads", _expected(four, four.card), parts, state=one, trial=turn_trial(four, 1, of=float),
                a_run="turn", working={"row": sum(map(heads, four.rows[four.home])), "t": t, "n": n,
                         "sum": sum(map(heads, four.between))}),
        Problem("p2.two", _exact(four, 2), parts, state=four.state(2), trial=turn_trial(four, 2, of=took),
                probability=True, a_run="turn", working={"t": t, "rest": n - t, "pairs": comb(n, 2)}),
        Problem("p2.more", "more" if alone < both else "fewer", {"unseen": n, "between": many},
                choices=("more", "fewer"), working={"one": alone, "two": both}),
        Problem("p2.three", _exact(three, 3), parts3, state=three.state(3), trial=turn_trial(three, 3, of=took),
                probability=True, a_run="turn",
                working={"pairs": comb(t3, 2), "rest": n3 - t3, "triples": comb(n3, 3)}),
    )  # fmt: skip


#: How likely B is a careful player, before she has played.
PRIORS = (Fraction(1, 4), Fraction(1, 3), Fraction(2, 5), Fraction(1, 2), Fraction(3, 5), Fraction(2, 3))


def conditional(seed: int) -> tuple[Problem, ...]:
    """Lesson 3: conditional probability and card counting."""
    table, rng = spot(streams(seed, 3), held=4, at_least=5)
    state = table.state(1)
    t, n = len(table.between), len(table.unseen)
    below, rng = rng.below(table.end - 3)
    limit = below + 2
    above = tuple(card for card in table.unseen if card > limit)
    drawn, rng = rng.shuffled(table.between)
    others = [card for card in table.unseen if card not in table.between]
    more, rng = rng.shuffled(others)
    gone = tuple(sorted(drawn[:2] + more[:4]))
    parts = {"card": table.card, "end": table.end, "row": table.home + 1, "unseen": n}
    holds = 1 - Fraction(comb(n - t, HAND), comb(n, HAND))
    one = _exact(table, 1)
    # Bayes: B is careful with some probability, and a card that is not between is what was seen.
    # The prior is told, so it is not an answer of the sheet.
    told = [Fraction(t, len(above)), Fraction(t - 2, n - len(gone)), one, holds]
    priors = [prior for prior in PRIORS if prior not in told]
    which, _ = Rng.from_seed(seed, stream=203).below(len(priors))
    prior = priors[which]
    when_careful = 1 - Fraction(comb(t, HAND), comb(n, HAND))
    when_random = Fraction(n - t, n)
    seen_so = prior * when_careful + (1 - prior) * when_random
    type_now = prior * when_careful / seen_so
    joint = prior * (when_careful - Fraction(comb(n - t, HAND), comb(n, HAND)))
    joint += (1 - prior) * when_random * (1 - Fraction(comb(n - t - 1, HAND - 1), comb(n - 1, HAND - 1)))
    still = joint / seen_so
    story = {**parts, "hand": HAND, "prior": prior}
    return (
        Problem("p3.base", one, parts, state=state, trial=turn_trial(table, 1, of=took),
                probability=True, a_run="turn", working={"t": t, "n": n}),
        Problem("p3.above", _exact(table, 1, given=lambda card: card > limit), {**parts, "limit": limit}, state=state,
                trial=turn_trial(table, 1, of=took, given=lambda played, _: played[0] > limit),
                probability=True, a_run="turn", working={"t": t, "n": len(above)}),
        Problem("p3.seen", _exact(table, 1, gone=gone), {**parts, "cards": cards_text(gone)}, state=state,
                trial=turn_trial(table, 1, of=took, gone=gone),
                probability=True, a_run="turn", working={"t": t - 2, "n": n - len(gone)}),
        Problem("p3.holds", holds, {**parts, "hand": HAND}, state=state, trial=_holds(table),
                probability=True, a_run="deal", working={"none": comb(n - t, HAND), "all": comb(n, HAND)}),
        Problem("p3.bayes", type_now, story, state=state, trial=_careful(table, prior, lambda careful, _: careful),
                probability=True, a_run="deal",
                working={"prior": prior, "rest": 1 - prior, "one": when_careful, "other": when_random}),
        Problem("p3.still", still, story, state=state, rests_on=("p3.bayes",),
                trial=_careful(table, prior, lambda _, left: bool({*left} & {*table.between})),
                probability=True, a_run="deal", working={"both": joint, "seen": seen_so}),
    )  # fmt: skip


def _careful(table: Spot, prior: Fraction, of: Callable[[bool, Cards], bool]) -> Trial:
    """B is careful with that probability: then she plays a card that is not between if she has one. It counts only if
    her card is not between; `of` says what is asked, from her kind and the cards she has left."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        cards, rng = rng.shuffled(table.unseen, take=HAND)
        drawn, rng = rng.below(prior.denominator)
        careful, hand = drawn < prior.numerator, cards[:HAND]
        apart = [card for card in hand if card not in table.between]
        played = apart[0] if careful and apart else hand[0]
        if played in table.between:
            return None, rng
        return float(of(careful, tuple(card for card in hand if card != played))), rng

    return trial


def _holds(table: Spot) -> Trial:
    """Whether B has a card between at all."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        cards, rng = rng.shuffled(table.unseen, take=HAND)
        return float(bool({*cards[:HAND]} & {*table.between})), rng

    return trial


def _outcomes(table: Spot, card: int) -> dict[int, Fraction]:
    from nimmt_lab.solver.turn_odds import odds

    seen = [other for other in table.hand if other != card]
    return dict(odds(table.rows, [card], 1, seen=seen, deck=range(1, DECK + 1))[card].distribution)


def _same_mean(seed: int) -> tuple[Spot, int, int]:
    """A table with two cards of equal expected heads and different spread: searched for, deal by deal."""
    rng = streams(seed, 6)
    while True:
        cards, rng = rng.shuffled(range(2, DECK + 1), take=9 + HAND)
        sizes, rng = rng.shuffled((4, 3, 1, 1))
        at, rows = 0, []
        for size in sizes:
            rows.append(tuple(sorted(cards[at : at + size])))
            at += size
        hand = tuple(sorted(cards[at : at + HAND]))
        table = Spot(tuple(rows), hand, hand[0], 0)
        found = {card: _outcomes(table, card) for card in hand}
        means = {card: sum(value * chance for value, chance in found[card].items()) for card in hand}
        for one in hand:
            for other in hand:
                if means[one] == means[other] != 0 and _variance(found[one]) < _variance(found[other]):
                    return table, one, other


def _variance(outcomes: dict[int, Fraction]) -> Fraction:
    middle = sum((value * chance for value, chance in outcomes.items()), Fraction(0))
    return sum((value * value * chance for value, chance in outcomes.items()), Fraction(0)) - middle**2


def risk(seed: int) -> tuple[Problem, ...]:
    """Lesson 6: risk. Two cards with the same mean."""
    table, calm, wild = _same_mean(seed)
    state = table.state(1)
    first, second = sorted((calm, wild))
    found = {card: _outcomes(table, card) for card in (calm, wild)}
    middle = sum((value * chance for value, chance in found[calm].items()), Fraction(0))
    # Chances of "so many or more" add up to the mean, and the means are equal: each card is better for some limit.
    rng = Rng.from_seed(seed, stream=206)
    side, rng = rng.below(2)
    better = (calm, wild)[side]
    worse = (wild, calm)[side]
    limits = [value for value in range(1, 1 + max(max(found[calm]), max(found[wild])))
              if _at_least(found[better], value) < _at_least(found[worse], value)]  # fmt: skip
    at, _ = rng.below(len(limits))
    limit = limits[at]
    listed = {card: [f"{value}: {chance}" for value, chance in sorted(found[card].items())] for card in found}
    lines = tuple((str(card), *listed[card]) for card in (first, second))
    width = max(map(len, lines))
    chart = Chart(("",) * width, tuple(line + ("",) * (width - len(line)) for line in lines))
    parts = {"first": first, "second": second, "unseen": len(table.unseen), "limit": limit}
    names = (str(first), str(second))

    def trial(card: int) -> Trial:
        return turn_trial(table, 1, of=float, card=card)

    return (
        Problem("p6.mean", middle, {**parts, "card": first}, state=state, chart=chart, trial=trial(first),
                a_run="turn", working={"card": first, "mean": middle}),
        Problem("p6.other", middle, {**parts, "card": second}, state=state, chart=chart, trial=trial(second),
                a_run="turn", working={"card": second, "mean": middle}),
        Problem("p6.spread", str(wild), parts, choices=names, state=state, chart=chart,
                working={"calm": calm, "wild": wild, "small": float(_variance(found[calm])),
                         "large": float(_variance(found[wild]))}),
        Problem("p6.variance", _variance(found[first]), {**parts, "card": first}, state=state, chart=chart,
                working={"card": first, "mean": middle}),
        Problem("p6.limit", str(better), parts, choices=names, state=state, chart=chart,
                working={"first": first, "second": second, "one": _at_least(found[first], limit),
                         "two": _at_least(found[second], limit), "limit": limit}),
    )  # fmt: skip


def _at_least(outcomes: dict[int, Fraction], limit: int) -> Fraction:
    return sum((chance for value, chance in outcomes.items() if value >= limit), Fraction(0))

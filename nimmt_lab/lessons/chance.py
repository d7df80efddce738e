"""Classroom lessons 1, 2, 3 and 6: counting, safe cards, conditional probability, risk. Answers are exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Final

from nimmt_lab.engine.cards import LAST_CARD, Cards, cards_text, heads
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.classic.rules import Classic

from .problem import Chart, Problem, Trial, bracketed, decimal, mean, root, show, wrong_ideas
from .tables import DECK, HAND, Scenario, scenario, streams, took, turn_trial

if TYPE_CHECKING:
    from nimmt_lab.solver.turn_odds import CardOdds

CARDS = range(1, LAST_CARD + 1)


def _draw_one(cards: Sequence[int], of: Callable[[int], float]) -> Trial:
    """Draw a card; the result is a function of it."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        at, rng = rng.below(len(cards))
        return float(of(cards[at])), rng

    return trial


def _draw(cards: Sequence[int], count: int, of: Callable[[Sequence[int]], float]) -> Trial:
    """Draw `count` cards without replacement; the result is a function of them."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        drawn, rng = rng.shuffled(cards, take=count)
        return float(of(drawn[:count])), rng

    return trial


def counting(seed: int) -> tuple[Problem, ...]:
    """Lesson 1: counting and expected value. What does a card cost?"""
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

    total = sum(map(heads, deck))
    count = sum(heads(card) == number for card in CARDS)
    sum_hand = sum(map(heads, hand))
    return (
        Problem("p1.count", Fraction(count), {"number": number}, working={"count": count, "number": number},
                # 55 would be among those with 2 as a multiple of 5, among those with 5 as one of 11.
                slips={} if number == 3 else wrong_ideas(Fraction(count), with_55=Fraction(count + 1))),
        Problem("p1.row", Fraction(sum(map(heads, row))), {"cards": cards_text(row)}, working={
            "sum": " + ".join(str(heads(card)) for card in row), "total": sum(map(heads, row))},
                slips=wrong_ideas(Fraction(sum(map(heads, row))), cards_not_heads=Fraction(len(row)))),
        Problem("p1.deck", Fraction(total, len(deck)), {"cards": len(deck)}, trial=_draw_one(deck, heads),
                working={"total": total, "cards": len(deck)},
                slips=wrong_ideas(Fraction(total, len(deck)), sum_not_mean=Fraction(total),
                                  kinds_alike=mean(sorted({*map(heads, deck)})))),
        Problem("p1.hand", Fraction(sum_hand, len(hand)), {"cards": cards_text(hand)}, trial=_draw_one(hand, heads),
                working={"sum": " + ".join(str(heads(card)) for card in hand), "total": sum_hand, "cards": len(hand)},
                slips=wrong_ideas(Fraction(sum_hand, len(hand)), sum_not_mean=Fraction(sum_hand))),
        Problem("p1.dear", Fraction(dear, len(part)), {"low": low, "high": high},
                trial=_draw_one(part, lambda card: heads(card) >= 3), probability=True,
                working={"count": dear, "cards": len(part), "low": low, "high": high},
                slips=wrong_ideas(Fraction(dear, len(part)), one_short=Fraction(dear, high - low),
                                  not_equal=Fraction(sum(heads(card) > 3 for card in part), len(part)),
                                  whole_deck=Fraction(dear, LAST_CARD))),
        Problem("p1.several", Fraction(draws * total, len(deck)), {"draws": draws, "cards": len(deck)},
                trial=_draw(deck, draws, lambda cards: sum(map(heads, cards))), working={"draws": draws, "total": total,
                "cards": len(deck)},
                slips=wrong_ideas(Fraction(draws * total, len(deck)), one_card=Fraction(total, len(deck)))),
    )  # fmt: skip


def _odds(
    table: Scenario, card: int, opponents: int = 1, *, gone: Cards = (), given: Callable[[int], bool] | None = None
) -> CardOdds:
    """The odds of a card of A's, counted by the odds module independently of the formulas in the answer key."""
    from nimmt_lab.solver.turn_odds import odds

    seen = [*(other for other in table.hand if other != card), *gone]
    return odds(table.rows, [card], opponents, seen=seen, given=given, deck=range(1, DECK + 1))[card]


def safe(seed: int) -> tuple[Problem, ...]:
    """Lesson 2: is my card safe? Hypergeometric probabilities, exact and simulated."""
    four, rng = scenario(streams(seed, 2), held=4, at_least=4)
    three, rng = scenario(rng, held=3, at_least=4)
    one = four.state(1)
    t, n = len(four.between), len(four.unseen)
    t3, n3 = len(three.between), len(three.unseen)
    parts = {"card": four.card, "end": four.end, "row": four.home + 1, "unseen": n}
    # A second opponent helps A if at least n/2 + 1 of the n unseen cards lie between; half of the sheets ask about such
    # a table. It is described in words, because no other question uses it.
    crowded, rng = rng.below(2)
    many, rng = rng.below(n // 2 - 4)
    many += n // 2 + 2 if crowded else 3
    alone, both = Fraction(many, n), Fraction(many * (n - many), comb(n, 2))
    parts3 = {"card": three.card, "end": three.end, "row": three.home + 1, "unseen": n3}
    row, between = sum(map(heads, four.rows[four.home])), sum(map(heads, four.between))
    p_one, p_two = _odds(four, four.card).p_take, _odds(four, four.card, 2).p_take
    p_three = _odds(three, three.card, 3).p_take
    cost, p3 = Fraction(t * row + between, n), Fraction(t3, n3)
    at_least = 1 - Fraction(comb(n3 - t3, 3) + t3 * comb(n3 - t3, 2), comb(n3, 3))
    return (
        Problem("p2.between", Fraction(t), parts, state=one,
                working={"cards": cards_text(four.between), "count": t},
                slips=wrong_ideas(Fraction(t), seen_ones_too=Fraction(four.card - four.end - 1),
                                  ends_too=Fraction(four.card - four.end + 1),
                                  difference=Fraction(four.card - four.end))),
        Problem("p2.one", p_one, parts, state=one, trial=turn_trial(four, 1, of=took),
                probability=True, a_run="turn", working={"t": t, "n": n},
                slips=wrong_ideas(p_one, of_deck=Fraction(t, DECK), odds_not_chance=Fraction(t, n - t))),
        Problem("p2.heads", cost, parts, state=one,
                trial=turn_trial(four, 1, of=float), a_run="turn",
                working={"row": row, "t": t, "n": n, "sum": between, "all": t * row + between},
                slips=wrong_ideas(cost, forgot_card=Fraction(t * row, n),
                                  forgot_chance=Fraction(t * row + between, t))),
        Problem("p2.two", p_two, parts, state=four.state(2),
                trial=turn_trial(four, 2, of=took), probability=True, a_run="turn", working={"t": t, "rest": n - t,
                "pairs": comb(n, 2), "ways": t * (n - t)},
                slips=wrong_ideas(p_two, added=Fraction(2 * t, n), at_least=1 - Fraction(comb(n - t, 2), comb(n, 2)),
                                  replaced=Fraction(2 * t * (n - t), n * n),
                                  one_order=Fraction(t * (n - t), n * (n - 1)),
                                  both_between=Fraction(comb(t, 2), comb(n, 2)))),
        Problem("p2.more", "more" if alone < both else "fewer", {"unseen": n, "between": many},
                choices=("more", "fewer"),
                working={"one": alone, "two": both, "ways": many * (n - many), "rest": n - many, "pairs": comb(n, 2),
                         "alone": show(alone), "both": show(both)}),
        Problem("p2.three", p_three, parts3, state=three.state(3),
                trial=turn_trial(three, 3, of=took), probability=True, a_run="turn",
                working={"pairs": comb(t3, 2), "rest": n3 - t3, "triples": comb(n3, 3),
                         "ways": comb(t3, 2) * (n3 - t3)},
                slips=wrong_ideas(p_three, at_least=at_least, replaced=3 * p3 * p3 * (1 - p3),
                                  one_order=Fraction(t3 * (t3 - 1) * (n3 - t3), n3 * (n3 - 1) * (n3 - 2)),
                                  one_between=Fraction(t3 * comb(n3 - t3, 2), comb(n3, 3)))),
    )  # fmt: skip


#: The probabilities that B spares A, before anything is seen.
PRIORS: Final = (Fraction(1, 4), Fraction(1, 3), Fraction(2, 5), Fraction(1, 2), Fraction(3, 5), Fraction(2, 3))
#: How many cards are gone in question 3, and how many of them at most lay between.
GONE: Final = 6
MOST_BETWEEN: Final = 4


def conditional(seed: int) -> tuple[Problem, ...]:
    """Lesson 3: conditional probability and card counting."""
    table, limit, gone, between_gone = counted(seed)
    state = table.state(1)
    t, n = len(table.between), len(table.unseen)
    above = tuple(card for card in table.unseen if card > limit)
    parts = {"card": table.card, "end": table.end, "row": table.home + 1, "unseen": n}
    none, hands = comb(n - t, HAND), comb(n, HAND)
    holds = 1 - Fraction(none, hands)

    def holds_one(hand: Sequence[int]) -> bool:
        return not {*hand}.isdisjoint(table.between)

    one = _odds(table, table.card).p_take
    given = _odds(table, table.card, given=lambda card: card > limit).p_take
    seen = _odds(table, table.card, gone=gone).p_take
    # Bayes: B spares A with a prior probability, and has played a card that is not between.
    # The sheet states the prior, so it must not equal an answer.
    priors = [prior for prior in PRIORS if prior not in (given, seen, one, holds)]
    which, _ = Rng.from_seed(seed, stream=203).below(len(priors))
    prior = priors[which]
    when_spared = 1 - Fraction(comb(t, HAND), hands)
    when_random = Fraction(n - t, n)
    seen_so = prior * when_spared + (1 - prior) * when_random
    type_now = prior * when_spared / seen_so
    spared_and_left = when_spared - Fraction(none, hands)
    keeps = 1 - Fraction(comb(n - t - 1, HAND - 1), comb(n - 1, HAND - 1))
    random_and_left = when_random * keeps
    joint = prior * spared_and_left + (1 - prior) * random_and_left
    still = joint / seen_so
    story = {**parts, "hand": HAND, "prior": prior}
    branches = {"prior": prior, "rest": 1 - prior, "one": when_spared, "other": when_random,
                "first": prior * when_spared, "second": (1 - prior) * when_random, "seen": seen_so}  # fmt: skip
    rest = n - len(gone)
    return (
        Problem("p3.base", one, parts, state=state, trial=turn_trial(table, 1, of=took),
                probability=True, a_run="turn", working={"t": t, "n": n},
                slips=wrong_ideas(one, of_deck=Fraction(t, DECK), odds_not_chance=Fraction(t, n - t))),
        Problem("p3.above", given, {**parts, "limit": limit}, state=state,
                trial=turn_trial(table, 1, of=took, given=lambda played, _: played[0] > limit),
                probability=True, a_run="turn", working={"t": t, "n": len(above), "out": n - len(above)},
                slips=wrong_ideas(given, not_ruled_out=one, of_deck=Fraction(t, DECK - limit))),
        Problem("p3.seen", seen, {**parts, "cards": cards_text(gone)},
                state=state, trial=turn_trial(table, 1, of=took, gone=gone),
                probability=True, a_run="turn",
                working={"between": between_gone, "left": t - between_gone, "n": rest, "gone": GONE},
                slips=wrong_ideas(seen, not_ruled_out=Fraction(t - between_gone, n), only_all=Fraction(t, rest),
                                  unchanged=one)),
        Problem("p3.holds", holds, {**parts, "hand": HAND}, state=state, trial=_draw(table.unseen, HAND, holds_one),
                probability=True, a_run="deal", working={"none": none, "all": hands, "rest": n - t, "n": n,
                                                         "hand": HAND},
                slips=wrong_ideas(holds, complement=Fraction(none, hands), replaced=1 - Fraction(n - t, n) ** HAND,
                                  added=Fraction(HAND * t, n), exactly=Fraction(t * comb(n - t, HAND - 1), hands))),
        Problem("p3.bayes", type_now, story, state=state, trial=_sparing(table, prior, lambda spares, _: spares),
                probability=True, a_run="deal", working=branches,
                slips=wrong_ideas(type_now, transposed=when_spared, joint=prior * when_spared, prior=prior)),
        Problem("p3.still", still, story, state=state, rests_on=("p3.bayes",),
                trial=_sparing(table, prior, lambda _, left: holds_one(left)),
                probability=True, a_run="deal",
                working={**branches, "left": spared_and_left, "keeps": keeps, "both": joint},
                slips=wrong_ideas(still, joint=joint, before=holds)),
    )  # fmt: skip


def counted(seed: int) -> tuple[Scenario, int, Cards, int]:
    """The table of lesson 3, the limit of its second question, the cards that are gone in its third, and how many of
    these lay between."""
    table, rng = scenario(streams(seed, 3), held=4, at_least=MOST_BETWEEN + 1)
    below, rng = rng.below(table.end - 3)
    drawn, rng = rng.shuffled(table.between)
    others = [card for card in table.unseen if card not in table.between]
    more, rng = rng.shuffled(others)
    count, _ = rng.below(MOST_BETWEEN + 1)
    return table, below + 2, tuple(sorted(drawn[:count] + more[: GONE - count])), count


def _sparing(table: Scenario, prior: Fraction, of: Callable[[bool, Cards], bool]) -> Trial:
    """Deal B a hand. With the prior probability she spares A: she avoids cards between if she can. Trials count only
    if her card is not between; the result is a function of whether she spares A and of the cards she has left."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        cards, rng = rng.shuffled(table.unseen, take=HAND)
        drawn, rng = rng.below(prior.denominator)
        spares, hand = drawn < prior.numerator, cards[:HAND]
        apart = [card for card in hand if card not in table.between]
        played = apart[0] if spares and apart else hand[0]
        if played in table.between:
            return None, rng
        return float(of(spares, tuple(card for card in hand if card != played))), rng

    return trial


def _same_mean(seed: int) -> tuple[Scenario, int, int]:
    """Search for a table with two cards of equal expected heads and different variance."""
    rng = streams(seed, 6)
    while True:
        cards, rng = rng.shuffled(range(2, DECK + 1), take=9 + HAND)
        sizes, rng = rng.shuffled((4, 3, 1, 1))
        at, rows = 0, []
        for size in sizes:
            rows.append(tuple(sorted(cards[at : at + size])))
            at += size
        hand = tuple(sorted(cards[at : at + HAND]))
        table = Scenario(tuple(rows), hand, hand[0], 0)
        outcomes = {card: _odds(table, card).distribution for card in hand}
        means = {card: _mean(outcomes[card]) for card in hand}
        for one, other in product(hand, repeat=2):
            if means[one] == means[other] != 0 and _variance(outcomes[one]) < _variance(outcomes[other]):
                return table, one, other


def _mean(outcomes: Mapping[int, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in outcomes.items()), Fraction(0))


def _variance(outcomes: Mapping[int, Fraction]) -> Fraction:
    return sum((value * value * chance for value, chance in outcomes.items()), Fraction(0)) - _mean(outcomes) ** 2


def risk(seed: int) -> tuple[Problem, ...]:
    """Lesson 6: risk. Two cards with the same mean."""
    table, calm, wild = _same_mean(seed)
    state = table.state(1)
    first, second = sorted((calm, wild))
    outcomes = {card: _odds(table, card).distribution for card in (calm, wild)}
    middle = _mean(outcomes[calm])
    # The probabilities of "at least n heads" sum to the mean. The means are equal, so each card is better for some n.
    rng = Rng.from_seed(seed, stream=206)
    side, rng = rng.below(2)
    better = (calm, wild)[side]
    worse = (wild, calm)[side]
    limits = [value for value in range(1, 1 + max(max(outcomes[calm]), max(outcomes[wild])))
              if _at_least(outcomes[better], value) < _at_least(outcomes[worse], value)]  # fmt: skip
    at, _ = rng.below(len(limits))
    limit = limits[at]
    listed = {card: [f"{value}: {chance}" for value, chance in sorted(outcomes[card].items())] for card in outcomes}
    lines = tuple((str(card), *listed[card]) for card in (first, second))
    width = max(map(len, lines))
    chart = Chart(("",) * width, tuple(line + ("",) * (width - len(line)) for line in lines))
    parts = {"first": first, "second": second, "unseen": len(table.unseen), "limit": limit}
    names = (str(first), str(second))
    variance = _variance(outcomes[first])
    squares = variance + middle**2

    def trial(card: int) -> Trial:
        return turn_trial(table, 1, of=float, card=card)

    def plain_mean(card: int) -> Fraction:
        return mean(sorted(outcomes[card]))

    def worked(card: int) -> dict[str, object]:
        return {"card": card, "mean": middle, "terms": _terms(outcomes[card], 1)}

    return (
        Problem("p6.mean", middle, {**parts, "card": first}, state=state, chart=chart, trial=trial(first),
                a_run="turn", working=worked(first), slips=wrong_ideas(middle, not_weighted=plain_mean(first))),
        Problem("p6.other", middle, {**parts, "card": second}, state=state, chart=chart, trial=trial(second),
                a_run="turn", working=worked(second), slips=wrong_ideas(middle, not_weighted=plain_mean(second))),
        Problem("p6.spread", str(wild), parts, choices=names, state=state, chart=chart,
                working={"calm": calm, "wild": wild, "small": decimal(_variance(outcomes[calm]), 2),
                         "large": decimal(_variance(outcomes[wild]), 2)}),
        Problem("p6.variance", variance, {**parts, "card": first}, state=state, chart=chart,
                working={"card": first, "mean": bracketed(middle), "terms": _terms(outcomes[first], 2),
                         "squares": squares, "square": middle**2, "variance": variance},
                slips=wrong_ideas(variance, not_subtracted=squares, not_squared=squares - middle,
                                  deviation=root(variance))),
        Problem("p6.limit", str(better), parts, choices=names, state=state, chart=chart,
                working={"first": first, "second": second, "one": _at_least(outcomes[first], limit),
                         "two": _at_least(outcomes[second], limit), "limit": limit}),
    )  # fmt: skip


def _terms(outcomes: Mapping[int, Fraction], power: int) -> str:
    """A sum of numbers of heads, or their squares, times their probabilities: 6² × 1/4 + 2² × 1/4."""
    sign = "²" if power == 2 else ""
    return " + ".join(f"{value}{sign} × {chance}" for value, chance in sorted(outcomes.items()) if value) or "0"


def _at_least(outcomes: Mapping[int, Fraction], limit: int) -> Fraction:
    return sum((chance for value, chance in outcomes.items() if value >= limit), Fraction(0))

"""The worked examples of the probability lessons, computed again, and what pupils try by machine beside them."""

from __future__ import annotations

import math
import re
import statistics
from fractions import Fraction
from html import unescape
from itertools import combinations, islice, pairwise, product

import pytest

from nimmt_lab import Classic
from nimmt_lab.engine.cards import LAST_CARD, heads
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.lessons.classroom import CLASSROOM, find, problems
from nimmt_lab.lessons.problem import read_number, run
from nimmt_lab.lessons.sampling import BETWEEN, COINS, COSTS, MATRIX, MIX, REJECTS, UNSEEN, WINS, Sampling, sampling
from nimmt_lab.lessons.skill import by_the_rule
from nimmt_lab.lessons.slides import slides_html
from nimmt_lab.lessons.tables import closest_card
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.lessons.worksheet import localised
from nimmt_lab.screens.sampling import SamplingScreen

READ = ("hook", "try", "meaning", "example", "box")


def text(number: int, step: str, lang: str = "en") -> str:
    """A text with decimal points, plain spaces and one minus sign."""
    said = words(lang)(f"p{number}.{step}").replace("\N{NO-BREAK SPACE}", " ").replace("−", "-")
    return said if lang == "en" else re.sub(r"(?<=\d),(?=\d)", ".", said)


def numbers(number: int, step: str, lang: str) -> list[str]:
    return sorted(re.findall(r"\d+(?:\.\d+)?", text(number, step, lang)))


@pytest.mark.parametrize("number", CLASSROOM)
def test_every_lesson_teaches_before_it_asks(number: int) -> None:
    steps = find(number).steps
    asked = [at for at, step in enumerate(steps) if step.ask]
    read = {step.name: at for at, step in enumerate(steps) if not step.ask}
    assert tuple(read) == READ and asked == [*range(4, len(steps) - 1)]
    assert sampling(f"p{number}") is not None


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", CLASSROOM)
def test_the_examples_have_the_same_numbers_in_every_language(number: int, lang: str) -> None:
    for step in ("example", "try"):
        ours, english = numbers(number, step, lang), numbers(number, step, "en")
        if step == "example":
            assert {*ours} == {*english}
        else:  # a small number may be a word in one language
            assert {said for said in english if len(said) > 1} <= {*ours}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", CLASSROOM)
def test_every_equation_of_an_example_is_true(number: int, lang: str) -> None:
    """Chains such as `2/8 = 1/4 = 0.25`, read by the parser that reads answers."""
    checked = 0
    for fragment in arithmetic(text(number, "example", lang)):
        sides = [side_of(side) for side in re.split("[=≈]", fragment)]
        for one, other in pairwise(sides):
            if one is not None and other is not None:
                # A rounded number has the places that it shows.
                assert abs(one[0] - other[0]) <= max(one[1], other[1]), (number, lang, fragment)
                checked += 1
    assert checked


def arithmetic(said: str) -> list[str]:
    """The parts of a text that have signs of equality and no words in between."""
    bare = " ".join("|" if re.search(r"[^\W\d_]", re.sub(r"^C\(", "", word)) else word for word in said.split())
    return [part for part in re.split(r"[|;:]|\. |\.$", bare) if re.search("[=≈]", part)]


def side_of(side: str) -> tuple[Fraction, Fraction] | None:
    """The value of a side, and half a unit of its last place; None if words belong to it."""
    said = side.strip().replace("2¹²", "4096").replace("·", "*")
    try:
        value = read_number(said).value
    except NotationError:
        return None
    places = re.fullmatch(r"-?\d+\.(\d+)", said)
    return value, Fraction(1, 2 * 10 ** len(places[1])) if places else Fraction(0)


def test_what_the_examples_count() -> None:
    """The figures of the examples that no equation states, counted again by other means."""
    worth = [heads(card) for card in range(1, LAST_CARD + 1)]
    assert worth.count(1) > LAST_CARD / 2 and worth.count(7) == 1, "p1.hook"
    assert " + ".join(str(heads(card)) for card in range(1, 11)) + " = 13" in text(1, "example")
    pairs = [*combinations(range(UNSEEN), 2)]
    between = [sum(card < BETWEEN for card in pair) for pair in pairs]
    assert (between.count(1), between.count(2), len(pairs)) == (144, 15, 435)
    # p3: what the parts of Bayes' formula add up to, hand by hand of two kinds of players.
    kinds = [(spares, card) for spares in range(4) for card in range(UNSEEN)]  # the first of four players spares
    seen = [(spares, card) for spares, card in kinds if spares == 0 or card >= BETWEEN]
    assert Fraction(sum(spares == 0 for spares, _ in seen), len(seen)) == Fraction(5, 17)
    error = math.sqrt(0.2 * 0.8 / 40)
    assert abs(0.15 - 0.2) < 2 * error and abs(0.3 - 0.2) < 2 * error, "p4.example: neither need be a mistake"
    sample = [0, 5, 8, 11, 26]
    assert (statistics.mean(sample), statistics.median(sample)) == (10, 8)
    assert (statistics.mean([*sample[:4], 46]), statistics.median([*sample[:4], 46])) == (14, 8)
    assert {name: (statistics.mean(costs), statistics.pvariance(costs)) for name, costs in COSTS.items()} == {
        "calm": (3, 1), "wild": (3, 27),
    }  # fmt: skip
    (w, x), (y, z) = MATRIX
    assert MIX * w + (1 - MIX) * y == MIX * x + (1 - MIX) * z == 1 and max(min(w, x), min(y, z)) == -1
    assert min(max(w, y), max(x, z)) == 3 > -1, "no saddle point"
    tossed = [sum(coins) for coins in product((0, 1), repeat=COINS)]
    counts = [sum(count >= least for count in tossed) for least in (8, 9, 10)]
    assert counts == [794, 299, 79] and 79 / 4096 <= 0.05 < 299 / 4096 and REJECTS == 10
    power = sum(math.comb(12, k) * WINS**k * (1 - WINS) ** (12 - k) for k in range(10, 13))
    assert f"{float(power):.3f}" == "0.391" and "0.391" in text(8, "example")


def test_what_the_definitions_of_lesson_4_and_9_say() -> None:
    """p4.meaning: about two in three within one standard error, about 19 in 20 within two. p9.meaning: on average luck
    is 0, and the spread of a sum grows while that of a mean falls."""
    turns = sampling("p4")
    assert turns is not None
    for way in turns.ways[1:]:
        assert way.mean is not None and way.spread is not None
        values = [*run(way.trial, 3000, 5)]
        for errors, share in ((1, 2 / 3), (2, 19 / 20)):
            inside = sum(abs(value - way.mean) <= errors * way.spread + 1e-9 for value in values) / len(values)
            assert abs(inside - share) < 0.07
    lucks = [float(one.luck) for one in by_the_rule()]
    assert abs(statistics.mean(lucks)) < 2.5 * statistics.stdev(lucks) / math.sqrt(len(lucks))
    luck = sampling("p9")
    assert luck is not None
    spreads = {way.name: way.spread for way in luck.ways}
    one, few, many, added = (spreads[name] or 0 for name in ("one", "few", "many", "sum"))
    assert math.isclose(few, one / 2) and math.isclose(many, one / 4) and math.isclose(added, 2 * one)


def test_what_all_cards_are_worth() -> None:
    """p1.example: the same mean by its values, and an unseen card costs more than 1 bull head."""
    worth = [heads(card) for card in range(1, LAST_CARD + 1)]
    assert (LAST_CARD, sum(worth)) == (104, 171) and "171/104" in text(1, "example") and sum(worth) > LAST_CARD
    few = worth[:10]
    by_value = " + ".join(f"{value} × {few.count(value)}/10" for value in sorted({*few}))
    assert f"{by_value} = 1.3" in text(1, "example")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_events_are_not_named_like_players(lang: str) -> None:
    """p3: the players are A and B, the events E and F."""
    for step in ("meaning", "box"):
        assert "P(E | F)" in text(3, step, lang) and not re.search(r"P\((?:A|B)\b", text(3, step, lang))
    assert "P(F) > 0" in text(3, "meaning", lang)


def test_estimates_from_many_turns_are_close() -> None:
    """p4.meaning: with enough turns it is as good as certain that an estimate is close to p."""
    turns = 20_000
    close = sum(math.exp(log_binomial(turns, 0.2, at)) for at in range(3800, 4201))
    assert close > 0.999, "within 0.01 of 0.2"


def log_binomial(runs: int, chance: float, at: int) -> float:
    ways_ = math.lgamma(runs + 1) - math.lgamma(at + 1) - math.lgamma(runs - at + 1)
    return ways_ + at * math.log(chance) + (runs - at) * math.log(1 - chance)


def test_an_outlier_hardly_moves_the_median() -> None:
    """p5.meaning, p5.box: hardly, for one more round may move it to the next value; the mean moves much further."""
    moved = []
    for seed in range(60):
        made = {problem.key: problem for problem in problems(5, seed)}
        assert made["p5.mean"].chart is not None
        rounds = sorted(int(cell) for line in made["p5.mean"].chart.lines for cell in line)
        worse = [*rounds, 44]
        moved.append(
            (statistics.median(worse) - statistics.median(rounds), statistics.mean(worse) - statistics.mean(rounds))
        )
    assert any(median for median, _ in moved), "a question asks about this"
    assert statistics.mean(median for median, _ in moved) < statistics.mean(mean for _, mean in moved) / 2


@pytest.mark.parametrize("number", [5, 8])
def test_what_the_closest_card_rule_does_without_such_a_card(number: int) -> None:
    """p5.try, p8.activity: then it plays the highest card."""
    state = Classic(players=2).from_position("20 21 22 23 24 | 37 | 43 | 58 ; A: 3 9 26 ; B: 15 30 31")
    assert closest_card(state.view(0), Rng.from_seed(1))[0] == 26, number
    said = text(5, "try") if number == 5 else words("en")("p8.activity")
    assert "the highest" in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_bar_is_explained_where_it_is_seen_first(lang: str) -> None:
    """p4.try says what ± is before SE uses it; the bars of p6 fit on their axis."""
    spread = words(lang)("sampling.spread")
    assert "±" in spread and spread in text(4, "try", lang) and spread in text(6, "meaning", lang)
    risks = sampling("p6")
    assert risks is not None
    for way in risks.ways:
        assert way.mean is not None and way.spread is not None
        assert risks.low <= way.mean - way.spread and way.mean + way.spread <= risks.high


def test_mixing_in_a_table_of_two_by_two() -> None:
    """p7.meaning: without a saddle point each side is sure of a better average, and B's choice no longer matters."""
    checked = 0
    for w, x, y, z in product(range(-3, 4), repeat=4):
        floor, ceiling = max(min(w, x), min(y, z)), min(max(w, y), max(x, z))
        if floor == ceiling:  # a saddle point
            continue
        p = Fraction(z - y, w - x - y + z)
        value = p * w + (1 - p) * y
        assert 0 < p < 1 and value == p * x + (1 - p) * z and floor < value < ceiling
        checked += 1
    assert checked > 500


def test_the_luck_of_the_rounds_that_were_played() -> None:
    """p9.try, p9.example: 40 rounds, their mean luck, and why it is not 0."""
    lucks = [-float(one.luck) for one in by_the_rule()]
    middle, spread = statistics.mean(lucks), statistics.stdev(lucks)
    error = spread / math.sqrt(len(lucks))
    assert (len(lucks), f"{middle:.2f}", f"{spread:.1f}", abs(middle) < 2 * error) == (40, "-1.75", "6.0", True)
    assert "-1.75" in text(9, "example") and "6.0/√40" in text(9, "example") and "40" in text(9, "try")
    luck = sampling("p9")
    assert luck is not None and luck.ways[0].mean is not None and f"{float(luck.ways[0].mean):.2f}" == "-1.75"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", CLASSROOM)
def test_slides_teach_before_they_ask(number: int, lang: str) -> None:
    shown = unescape(slides_html(number, 7, lang))
    say = words(lang)
    lines = [line for step in ("meaning", "example") for line in say(f"p{number}.{step}").split("\n")]
    places = [shown.index(f"<p>{line}</p>") for line in lines]
    assert places == sorted(places) and places[-1] < shown.index("<h2>1</h2>")


def ways() -> list[tuple[str, int]]:
    made = []
    for number in CLASSROOM:
        sampled = sampling(f"p{number}")
        assert sampled is not None
        made += [(f"p{number}", at) for at in range(len(sampled.ways))]
    return made


def value_of(sampled: Sampling, result: float) -> float:
    return float(sampled.cells[int(result)]) if sampled.cells else result


@pytest.mark.parametrize(("lesson", "at"), ways())
def test_dots_have_the_mean_and_spread_that_are_marked(lesson: str, at: int) -> None:
    sampled = sampling(lesson)
    assert sampled is not None
    way = sampled.ways[at]
    times = 300 if lesson == "p5" else 1500
    values = [value_of(sampled, result) for result in run(way.trial, times, seed=11)]
    middle, spread = statistics.mean(values), statistics.pstdev(values)
    if way.mean is not None:
        assert abs(middle - way.mean) <= 5 * spread / math.sqrt(times) + 1e-9
    if way.spread is not None:
        assert abs(spread / way.spread - 1) < 0.15
    if way.in_tail is not None:
        assert way.tail is not None
        share = sum(value >= way.tail for value in values) / times
        assert abs(share - way.in_tail) <= 5 * math.sqrt(way.in_tail * (1 - way.in_tail) / times)


def test_the_chances_of_lesson_2_by_enumeration() -> None:
    """Every set of cards that one, two or three opponents can play."""
    for sampled, cases in ((sampling("p2"), [(30, 6, 1), (30, 6, 2), (30, 6, 3)]),
                           (sampling("p3"), [(30, 6, 1), (20, 6, 1), (24, 3, 1)])):  # fmt: skip
        assert sampled is not None
        for way, (unseen, between, opponents) in zip(sampled.ways, cases, strict=True):
            drawn = [*combinations(range(unseen), opponents)]
            hits = sum(sum(card < between for card in cards) == 1 for cards in drawn)
            assert way.mean == Fraction(hits, len(drawn)), way.name


def test_the_closest_card_costs_less_than_a_random_one() -> None:
    """p5.try: the shape changes, to the left."""
    sampled = sampling("p5")
    assert sampled is not None
    at_random, closest = ([*run(way.trial, 400, 3)] for way in sampled.ways)
    gain = statistics.mean(at_random) - statistics.mean(closest)
    assert gain > 2 * math.sqrt((statistics.variance(at_random) + statistics.variance(closest)) / 400)


def test_nobody_answers_a_mix_better_than_with_either_card() -> None:
    """p7.try: B answers as well as possible; with the mix both cards are as good."""
    sampled = sampling("p7")
    assert sampled is not None
    for way, reply in zip(sampled.ways, ({1}, {0}, {0, 1}), strict=True):
        cells = {int(result) for result in islice(run(way.trial, 200, 3), 200)}
        assert {cell % 2 for cell in cells} == reply, way.name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_dots_grow_and_another_way_begins_again(lang: str) -> None:
    sampled = sampling("p8")
    assert sampled is not None
    screen = SamplingScreen("p8", sampled, words(lang), seed=3)
    assert screen.data["mean"] is None and screen.data["told"] == words(lang)("sampling.start")
    screen.run(200)
    stacks = screen.data["stacks"]
    assert isinstance(stacks, list) and sum(int(str(stack).rsplit(", ")[1][:-1]) for stack in stacks) == 200
    assert abs(screen.mean - 6) < 1 and abs(screen.spread - math.sqrt(3)) < 0.5
    share = sum(value >= REJECTS for value in screen.values) / 200
    assert localised(f"{share:.3f}", lang) in str(screen.data["told"])
    first = screen.values
    screen.receive({"type": "way", "at": 1})
    assert screen.data["way"] == 1 and screen.data["stacks"] == []
    screen.run(10)
    assert screen.values != first[:10] and screen.mean > 7
    with pytest.raises(NotationError):  # no such way
        screen.receive({"type": "way", "at": 9})
    assert screen.data["way"] == 1
    again = SamplingScreen("p8", sampled, words(lang), seed=3)
    again.run(200)
    assert again.values == first, "from the seed alone"


def test_each_lesson_lights_up_or_marks_what_it_teaches() -> None:
    rng = Rng.from_seed(1)
    for number in CLASSROOM:
        sampled = sampling(f"p{number}")
        assert sampled is not None and rng
        screen = SamplingScreen(f"p{number}", sampled, words("en"), seed=1)
        screen.run(10)
        data = screen.data
        assert (data["median"] is not None) == (number == 5)
        assert (data["spread"] is not None) == (number in (4, 6, 9)), "where it is taught, or has been"
        assert (data["tail"] is not None) == (number == 8)
        assert (data["cells"] is not None) == (number == 7)
        if isinstance(cells := data["cells"], dict):
            counts = cells["counts"]
            assert isinstance(counts, list) and sum(map(int, map(str, counts))) == 10

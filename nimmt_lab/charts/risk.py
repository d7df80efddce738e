"""Charts of exact odds: which cards take rows, and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import altair as alt

from nimmt_lab.engine.asked import how_many
from nimmt_lab.engine.cards import LAST_CARD, Seat, seat_letter, seat_number
from nimmt_lab.engine.decisions import ChooseCard
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.limits import is_whole
from nimmt_lab.engine.record import Record
from nimmt_lab.solver.turn_odds import odds

from .style import COLOURS, Chart, table, titled
from .words import speech


def card_risk(
    rows: Sequence[Sequence[int]],
    opponents: int | None = None,
    *,
    players: int | None = None,
    seen: Iterable[int] = (),
    measure: str = "p_take",
    lang: str = "en",
) -> Chart:
    """The exact probability that each unseen card takes a row this turn, or with `measure="expected_heads"` its
    expected heads. Rules mark the ends of the rows. `opponents` is `players` - 1: give one of them.

    >>> chart = card_risk([(12, 14, 15), (37,), (43, 44, 47, 49, 50), (58, 61)], players=4)
    """
    opponents = _others(players, opponents)
    forms = {"p_take": "%", "expected_heads": ".1f"}
    if measure not in forms:
        raise RulesError("shared.must_one_of", what="measure", known=", ".join(forms), got=shown(measure))
    say = speech(lang)
    title, axis, form = say(f"chart_risk.{measure}"), say(f"chart_risk.{measure}_axis"), forms[measure]
    gone = set(seen).union(*rows)
    cards = [card for card in range(1, LAST_CARD + 1) if card not in gone]
    # Each card by itself, in a hand of one.
    values = [odds(rows, [card], opponents, seen=gone)[card] for card in cards]
    data = table(
        ["card", "p_take", "expected_heads"],
        [(card, float(each.p_take), float(each.expected_heads)) for card, each in zip(cards, values, strict=True)],
    )
    labels = [
        say("chart_risk.row_end", row=at, end=row[-1], count=len(row), places=5) for at, row in enumerate(rows, start=1)
    ]
    ends = table(["end", "row"], [(row[-1], label) for row, label in zip(rows, labels, strict=True)])
    bars = (
        alt.Chart(data)
        .mark_bar(size=4, color=COLOURS[0])
        .encode(
            x=alt.X("card:Q", title=say("chart_risk.card"), scale=alt.Scale(domain=[0, LAST_CARD + 1], nice=False)),
            y=alt.Y(f"{measure}:Q", title=axis, axis=alt.Axis(format=form)),
            tooltip=["card:Q", alt.Tooltip("p_take:Q", format=".2%"), alt.Tooltip("expected_heads:Q", format=".3f")],
        )
    )
    marks = (
        alt.Chart(ends).mark_rule(strokeDash=[4, 3], color=COLOURS[3], strokeWidth=2).encode(x="end:Q", tooltip="row:N")
    )
    text = alt.Chart(ends).mark_text(align="left", dx=3, dy=-4, baseline="top", color=COLOURS[3])
    text = text.encode(x="end:Q", y=alt.value(8), text="end:Q")
    return titled(bars + marks + text, title, say("chart_risk.against", opponents=opponents), lang=lang)


def row_risk(
    opponents: int | None = None,
    gaps: Iterable[int] = range(0, 60, 2),
    *,
    players: int | None = None,
    lang: str = "en",
) -> Chart:
    """The probability of taking a row, by the number of its cards and of unseen cards between its end and mine.
    `opponents` is `players` - 1: give one of them.

    >>> chart = row_risk(players=4, gaps=range(0, 10, 5))
    """
    opponents = _others(players, opponents)
    say = speech(lang)
    rows = []
    for count in range(1, 6):
        # The other rows end at the highest cards, so that only the gap matters.
        table_rows = [tuple(range(1, count + 1)), (LAST_CARD,), (LAST_CARD - 1,), (LAST_CARD - 2,)]
        for gap in gaps:
            card = count + gap + 1
            rows.append((count, gap, float(odds(table_rows, [card], opponents)[card].p_take)))
    base = alt.Chart(table(["cards", "gap", "p"], rows)).encode(
        x=alt.X("gap:O", title=say("chart_risk.gap")),
        y=alt.Y("cards:O", title=say("chart_risk.cards_in_row"), sort="descending"),
    )
    scale, legend = alt.Scale(scheme="viridis"), alt.Legend(format="%")
    heat = base.mark_rect().encode(
        color=alt.Color("p:Q", title=say("chart_risk.chance"), scale=scale, legend=legend),
        tooltip=["cards:O", "gap:O", alt.Tooltip("p:Q", format=".2%")],
    )
    about = say("chart_risk.against_exact", opponents=opponents)
    return titled(heat, say("chart_risk.by_row"), about, height=160, lang=lang)


def _others(players: int | None, opponents: int | None) -> int:
    """The number of opponents, from either number."""
    count = how_many(players, opponents)
    if not is_whole(count, 1):
        raise RulesError("charts.how_many_players", got=shown(players))
    return count - 1


def hand_risk(record: Record, seat: Seat | str, *, lang: str = "en") -> Chart:
    """The expected heads of every card in a seat's hand, turn by turn; rings mark the cards played.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import bot, record
    >>> chart = hand_risk(record(Classic(players=3, rounds=1), [bot("random")] * 3, seed=1), seat=0)
    """
    game, say = record.game, speech(lang)
    seat = seat_number(seat, game.players)
    rows = []
    for step in record.steps:
        view = step.before.view(seat)
        if not isinstance(view.decision, ChooseCard):
            continue
        turn = view.round * game.turns + view.turn + 1
        for card, each in odds(view).items():
            rows.append((turn, card, float(each.expected_heads), float(each.p_take), step.choices[seat] == card))
    base = alt.Chart(table(["turn", "card", "heads", "p_take", "played"], rows)).encode(
        x=alt.X("turn:O", title=say("chart_risk.turn")),
        y=alt.Y("card:O", title=say("chart_risk.card_in_hand"), sort="descending"),
    )
    tooltip = [alt.Tooltip("heads:Q", format=".2f"), alt.Tooltip("p_take:Q", format=".1%")]
    heat = base.mark_rect().encode(
        color=alt.Color("heads:Q", title=say("chart_risk.heads"), scale=alt.Scale(scheme="viridis", zero=True)),
        tooltip=["turn:O", "card:O", *tooltip, "played:N"],
    )
    rings = base.transform_filter("datum.played").mark_point(size=120, color="white", strokeWidth=2.5)
    letter, players = say("chart.seat", seat=seat_letter(seat)), say("chart.players", count=game.players)
    about = say("chart_risk.hand_about", seat=letter, players=players)
    height = max(160, 18 * len({card for _, card, *_ in rows}))
    return titled(heat + rings, say("chart_risk.hand"), about, height=height, lang=lang)

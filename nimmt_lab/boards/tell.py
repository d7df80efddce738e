"""What the tutor says: about each event of a step, and about the cards in a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import PositionError, Unsupported
from nimmt_lab.engine.events import CardsRevealed, Event, Json, RowTaken
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain import Verdict, assess, explain, narrate, rule_name, rule_text
from nimmt_lab.explain import words as tutor_words
from nimmt_lab.explain.catalogue import Words

from .describe import Obj

__all__ = ["happened", "hints", "opening", "with_promises"]


def opening(events: tuple[Event, ...], words: Words) -> list[Obj]:
    """The sentence about each event of dealing."""
    return _told(events, narrate(events, lang=words.lang, names=words.names), words)


def happened(step: Step, earlier: Sequence[Step], words: Words) -> list[Obj]:
    """By number of the event: the sentence about it, the name of its rule, and whether somebody met a trap.

    `earlier` are the steps before, of which those of the same turn matter: a trap is sprung by the turn's other cards.
    """
    told = _told(step.events, narrate(step, lang=words.lang, names=words.names), words)
    if not any(isinstance(event, RowTaken) for event in step.events):
        return told
    turn = _same_turn(earlier, step)
    before = sum(len(other.events) for other in turn[:-1])
    for placement in explain(turn):
        # The whole story stands where the board shows it; what comes after that is told by the frames after it.
        at = placement.shown_at - before
        if placement.met and at >= 0:
            told[at] |= {"trap": True, "text": placement.text(words.lang, words.names, whole=False)}
    return told


def _told(events: tuple[Event, ...], sentences: tuple[str, ...], words: Words) -> list[Obj]:
    say = tutor_words(words.lang, words.names)
    return [
        {"text": sentence, "rule_name": rule_name(event.rule, say), "rule_text": rule_text(event.rule, say)}
        for event, sentence in zip(events, sentences, strict=True)
    ]


def _same_turn(earlier: Sequence[Step], step: Step) -> list[Step]:
    """The steps of the turn up to this one, the reveal first."""
    turn = [step]
    for other in reversed(earlier):
        if any(isinstance(event, CardsRevealed) for event in turn[0].events):
            break
        turn.insert(0, other)
    return turn


def with_promises(
    hinted: Mapping[str, Json], promises: Mapping[str, tuple[float, float]], words: Words, *, points: bool
) -> dict[str, Json]:
    """Hints with what a search promises besides: by option, heads (or points) in this round and half the width of the
    95 % interval. What nothing is proved about has the promise alone.

    >>> from nimmt_lab.boards.words import board_words
    >>> with_promises({}, {"@2": (3.25, 0.5)}, board_words("en"), points=False)["@2"]["text"]
    'By search, 3.2 in this round on average (± 0.5): less is better.'
    """
    found = dict(hinted)
    for option, (mean, margin) in promises.items():
        parts = {"mean": _number(mean, words), "margin": _number(margin, words)}
        said = words("promise_more", **parts) if points else words("promise_less", **parts)
        known = found.get(option)
        if isinstance(known, dict):
            found[option] = {**known, "text": f"{known['text']} {said}"}
        else:
            found[option] = {"verdict": "promise", "word": _number(mean, words), "text": said}
    return found


def _number(value: float, words: Words) -> str:
    shown = f"{value:.1f}".replace("-", "−")
    return shown if words.lang == "en" else shown.replace(".", ",")


def hints(state: GameState, seat: Seat, words: Words) -> dict[str, Json]:
    """By option: whether that card is safe, risky, a trap, or takes as the table stands, and why."""
    decision = state.pending.get(seat)
    if decision is None:
        return {}
    try:
        assessed = assess(state.view(seat))
    except (Unsupported, PositionError):
        return {}  # nothing is proved about this game, about something in it, or about this choice: no hints
    said: dict[str, Json] = {}
    for choice, found in assessed.items():
        verdict = found.verdict.value
        if found.verdict is not Verdict.SAFE and found.needed == 0:
            # Nothing needs to happen for it to take; that another row looks open makes it a trap.
            verdict = "trap" if found.full and found.tempting else "takes"
        word = words(verdict)
        if state.game.heads_are_good:
            # Who takes is glad of it: what is shown as good and bad changes places, what is said does not.
            word = words("takes_nothing") if verdict == "safe" else word
            verdict = {"safe": "risk", "takes": "safe", "trap": "safe"}.get(verdict, verdict)
        said[decision.write(choice)] = {"verdict": verdict, "word": word, "text": found.text(words.lang)}
    return said

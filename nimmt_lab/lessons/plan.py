"""The plan of a lesson for the teacher: level, minutes, tiers and marks.

>>> from .classroom import find
>>> from .words import words
>>> [title for title, _ in planned(find(2), words("en"))][:2]
['Level', 'Minutes']
"""

from __future__ import annotations

from html import escape
from typing import Final

from .rules import Lesson
from .words import Words

#: A question is for everybody, for most, or for those who want more; its tier is also its marks.
TIERS: Final = (1, 2, 3)


def planned(lesson: Lesson, say: Words) -> list[tuple[str, str]]:
    """Titles and texts of the plan; nothing about what the lesson does not say."""
    name, marks = lesson.name, [step.marks for step in lesson.questions]
    by_tier = {tier: [str(at) for at, own in enumerate(marks, 1) if min(own, max(TIERS)) == tier] for tier in TIERS}
    tiers = [say(f"plan.tier{tier}", questions=", ".join(numbers)) for tier, numbers in by_tier.items() if numbers]
    found: list[tuple[str, str]] = []
    if lesson.plan is not None:
        activity, questions, talk = lesson.plan.minutes
        if lesson.plan.levels:
            found.append((say("plan.level"), " · ".join(lesson.plan.levels)))
        text = say("plan.minutes_text", activity=activity, questions=questions, talk=talk)
        found.append((say("plan.minutes"), text))
    for part in ("needs", "misconception"):
        if say.has(f"{name}.{part}"):
            found.append((say(f"plan.{part}"), say(f"{name}.{part}")))
    if len(set(marks)) > 1:
        found.append((say("plan.tiers"), " ".join(tiers)))
    return [*found, (say("plan.marks"), say("plan.marks_text", all=sum(marks)))]


def plan_html(lesson: Lesson, say: Words) -> str:
    return "".join(f"<h2>{escape(title)}</h2><p>{escape(text)}</p>" for title, text in planned(lesson, say))

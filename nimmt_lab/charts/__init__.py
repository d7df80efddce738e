"""Charts of simulations, odds, tournaments and reviewed games: titled, with units and 95 % intervals; no network.

Importing this package tells Altair to draw in notebooks with the code that is installed here. Any chart can be saved:
`chart.save("heads.svg")` (or .png, .html). `lang` gives a chart the words and the decimal comma of Polish or Czech.
"""

from __future__ import annotations

from nimmt_lab.engine.extras import wanted

with wanted("lab"):
    import altair as alt

    from .course import course
    from .intervals import intervals
    from .risk import card_risk, hand_risk, row_risk
    from .rounds import convergence, heads_distribution, heads_ecdf, mean_heads
    from .standings import standings
    from .words import in_language

# Altair's usual renderers fetch their code from the network.
alt.renderers.enable("jupyter", offline=True)

__all__ = [
    "card_risk",
    "convergence",
    "course",
    "hand_risk",
    "heads_distribution",
    "heads_ecdf",
    "in_language",
    "intervals",
    "mean_heads",
    "row_risk",
    "standings",
]

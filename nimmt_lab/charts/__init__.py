"""Charts of simulations, odds, tournaments and reviewed games, with 95% intervals. They need no network.

Save a chart with `chart.save("heads.svg")` (or .png, .html). `lang` selects the language of its texts and numbers.

Our charts draw themselves without the network, unless you have enabled a renderer. Your own Altair charts are left as
they are; `use_offline()` makes them work without the network, too.
"""

from nimmt_lab.engine.extras import wanted

with wanted("lab"):
    from .course import course
    from .curves import curves
    from .explored import explored
    from .intervals import intervals
    from .risk import card_risk, hand_risk, row_risk
    from .rounds import convergence, heads_distribution, heads_ecdf, mean_heads
    from .standings import standings
    from .style import use_offline
    from .words import in_language

__all__ = [
    "card_risk",
    "convergence",
    "course",
    "curves",
    "explored",
    "hand_risk",
    "heads_distribution",
    "heads_ecdf",
    "in_language",
    "intervals",
    "mean_heads",
    "row_risk",
    "standings",
    "use_offline",
]

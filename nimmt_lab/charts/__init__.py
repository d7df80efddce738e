"""Charts of simulations, odds, tournaments and reviewed games: titled, with units and 95 % intervals; no network.

Importing this package tells Altair to draw in notebooks with the code that is installed here. Any chart can be saved:
`chart.save("heads.svg")` (or .png, .html). `lang` gives a chart the words and the decimal comma of Polish or Czech.
"""

from __future__ import annotations

from importlib.util import find_spec

from nimmt_lab.engine.extras import wanted

with wanted("lab"):
    import altair as alt

    from .course import course
    from .intervals import intervals
    from .risk import card_risk, hand_risk, row_risk
    from .rounds import convergence, heads_distribution, heads_ecdf, mean_heads
    from .standings import standings
    from .style import drawn_by_the_lab
    from .words import in_language

# Altair's usual renderers fetch their code from the network. Ours brings it along; where that is not to be had (in a
# page), JupyterLab's own draws.
if find_spec("vl_convert"):
    alt.renderers.enable("jupyter", offline=True)
else:
    alt.renderers.register("nimmt-lab", drawn_by_the_lab)
    alt.renderers.enable("nimmt-lab")

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

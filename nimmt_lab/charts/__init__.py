"""Charts of simulations, odds, tournaments and reviewed games, with 95% intervals. They need no network.

Save a chart with `chart.save("heads.svg")` (or .png, .html). `lang` selects the language of its texts and numbers.
"""

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

# Altair's default renderers load scripts from the network. Use the installed ones, or in a web page JupyterLab's own.
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

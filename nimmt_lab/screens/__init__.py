"""What a person sees and clicks: one controller per screen, plain data out, plain messages in.

A screen is Python that holds plain data and an ES module (`js/`) that draws it. It knows nothing of what carries the
two to each other: a notebook's widget, a page of its own, a worker in a browser. Nothing here needs more than the
standard library, starts a thread, or waits.
"""

__all__: list[str] = []

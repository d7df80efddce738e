"""The screens: one controller each, plain data out, messages in.

A screen is a Python object with plain data and an ES module (`js/`) that draws them. The same messages carry it in a
notebook's widget, in Home and on the web page. Nothing here needs more than the standard library, starts a thread, or
blocks.
"""

__all__: list[str] = []

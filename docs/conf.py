"""How the documentation is built. `tools/docs.py` puts its pages together and calls Sphinx with this file."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from docutils import nodes  # noqa: E402

from nimmt_lab import __version__  # noqa: E402
from nimmt_lab.engine.inflect import typeset  # noqa: E402

project = "nimmt_lab"
author = "the nimmt_lab authors"
release = version = __version__
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc"]
html_show_copyright = False
html_show_sphinx = False
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# tools/docs.py executes notebooks, if asked to: their stored output is shown.
nb_execution_mode = "off"
# Pages load nothing from elsewhere: no scripts for widgets or formulas, no fonts.
nb_ipywidgets_js = {}
html_math_renderer = None
# Several packages may have the same short name; a link in a signature then goes to the first.
suppress_warnings = ["ref.python"]

# Docstrings write code in single backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 90
add_module_names = False
toc_object_entries = False  # each page lists its names itself

html_theme = "furo"
html_title = "nimmt_lab"
html_static_path = ["_static"]
html_css_files = ["docs.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}


def _tables_are_lists(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """A docstring's table in Markdown becomes a list: `first: the rest`."""
    made: list[str] = []
    rows = 0
    for line in lines:
        if not line.startswith("|"):
            rows = 0
            made.append(line)
            continue
        rows += 1
        if rows > 2:  # after the heading and its line
            first, *rest = (cell.strip() for cell in line.strip("|").split("|"))
            made.append(f"- {first}: {', '.join(rest)}")
    lines[:] = made


def _indented_is_literal(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Text indented by four spaces in a docstring is an example, not a quotation."""
    made: list[str] = []
    inside = False
    for line in lines:
        if line.startswith("    ") and made and not made[-1] and not inside:
            made += ["::", ""]
            inside = True
        elif line and not line.startswith("    "):
            inside = False
        made.append(line)
    lines[:] = made


def _language_of_page(app: object, name: str, template: str, context: dict[str, object], doctree: object) -> None:
    """Screen readers read a page in its own language."""
    folder = name.split("/")[0]
    if folder in ("pl", "cs"):
        context["language"] = folder


def _typeset_page(app: object, doctree: nodes.document) -> None:
    """Polish and Czech pages get non-breaking spaces; code is left alone."""
    lang = app.env.docname.split("/")[0]  # type: ignore[attr-defined]
    if lang not in ("pl", "cs"):
        return
    for text in list(doctree.findall(nodes.Text)):
        if text.parent is not None and not isinstance(text.parent, (nodes.literal, nodes.FixedTextElement)):
            # The full stop stands for the link or emphasis that may follow: "v [hře](…)".
            text.parent.replace(text, nodes.Text(typeset(f"{text}.", lang)[:-1]))


def setup(app: object) -> None:
    """Called by Sphinx."""
    app.connect("doctree-read", _typeset_page)  # type: ignore[attr-defined]
    app.connect("html-page-context", _language_of_page)  # type: ignore[attr-defined]
    app.connect("autodoc-process-docstring", _tables_are_lists)  # type: ignore[attr-defined]
    app.connect("autodoc-process-docstring", _indented_is_literal)  # type: ignore[attr-defined]

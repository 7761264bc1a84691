"""Sphinx's settings. No page fetches anything from elsewhere, and the search works from files."""

project = "gpclass"
author = "The gpclass developers"
copyright = "the gpclass developers; MIT or Apache-2.0"  # noqa: A001 - Sphinx's name
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
# Summaries of what is found are fetched, which browsers refuse for files on a disk.
html_show_search_summary = False
html_theme = "furo"
html_title = "gpclass"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5fa8", "color-brand-content": "#1f5fa8"},
    "dark_css_variables": {"color-brand-primary": "#7db4f0", "color-brand-content": "#7db4f0"},
}
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}
napoleon_numpy_docstring = True
napoleon_use_ivar = True
copybutton_exclude = ".linenos, .gp, .go"
copybutton_selector = "div:not(.output) > div.highlight > pre"
pygments_style = "friendly"
pygments_dark_style = "github-dark"

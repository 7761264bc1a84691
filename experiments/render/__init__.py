"""Tables and figures of the results, in Markdown, HTML, CSV and SVG."""

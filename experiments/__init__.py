"""The tables and figures of the papers, and comparisons with what people use today."""

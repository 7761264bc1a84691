"""Which paper a table or figure belongs to."""

from __future__ import annotations

#: By the short names with which names of tables and figures begin (docs/REFERENCES.md), in the order of the page.
PAPERS = {
    "EMEP": "EMEP: Kim and Ghahramani, The EM-EP Algorithm for Gaussian Process Classification (2003)",
    "TAN": "TAN: Tan, Expectation Propagation of Gaussian Process Classification and Its Application to Gene Expression "
    "Analysis",
    "EPCV": "EPCV: Sundararajan and Keerthi, Predictive Approaches For Gaussian Process Classifier Model Selection (2008)",
    "ROBUST": "ROBUST: Kim and Ghahramani, Outlier Robust Gaussian Process Classification (2008)",
}
BEYOND = "Beyond the papers"


def paper_of(name: str) -> str:
    """`EPCV` of `EPCV Table 4`; the rest is beyond the papers."""
    return next((paper for paper in PAPERS if name.startswith(paper)), BEYOND)


def heading_of(paper: str) -> str:
    return PAPERS.get(paper, paper)


def title_of(name: str, title: str) -> str:
    """A title that names its paper."""
    paper = paper_of(name)
    return title if paper == BEYOND or title.startswith(paper) else f"{name}: {title}"


def in_order(papers) -> list[str]:
    """Each once, the papers first."""
    order = [*PAPERS, BEYOND]
    return sorted(set(papers), key=order.index)

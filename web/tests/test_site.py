"""The documentation site as files on a disk: read, searched and left for the page that is a part of it, without a network."""

import pytest
from conftest import SITE, Watched
from waiting import until


@pytest.fixture
def site(browser):
    """Opens files of the site, which may ask for nothing but files of the site."""
    if not (SITE / "index.html").is_file():
        pytest.skip("there is no site to open: make test-docs builds it, with Python 3.11 or later, which its generator asks for")
    watched = Watched(browser)
    yield lambda name, **settings: watched.open(f"{SITE.as_uri()}/{name}", **settings)
    watched.close(lambda url: url.startswith(f"{SITE.as_uri()}/"))


def test_the_search_works_from_files(site):
    page = site("search.html?q=cavity")
    until(page, "document.querySelectorAll('#search-results li').length > 0")
    page.locator("#search-results li a").first.click()
    # Words are found by their stems: cavities too.
    assert "cavit" in page.text_content("article").lower()


def test_home_leads_to_the_page_that_computes(site):
    page = site("index.html")
    page.locator("article").get_by_role("link", name="in your browser").click()
    page.get_by_role("link", name="the playground").click()
    page.wait_for_selector("html[data-ready=yes]")
    until(page, "/ms\\.$/.test(document.getElementById('play-status').textContent)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_a_phone(site, scheme):
    page = site("index.html", viewport={"width": 390, "height": 800}, color_scheme=scheme)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert dark == (scheme == "dark")
    names = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if path.parent.name != "app")
    wide = []
    for name in names:
        page.goto(f"{SITE.as_uri()}/{name}")
        if page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") > 0:
            wide.append(name)
    assert len(names) > 30 and wide == []

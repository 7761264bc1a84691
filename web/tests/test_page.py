"""The page as a page: its policy, its size, as a saved file, on phones, in the dark and without a mouse."""

import gzip

import pytest
from conftest import PAGE
from table_steps import fit, ready_to_fit, saved_numbers
from waiting import until


def test_it_is_one_small_file():
    files = [path for path in PAGE.rglob("*") if path.is_file()]
    assert [path.name for path in files] == ["index.html"]
    assert len(gzip.compress(files[0].read_bytes(), 9)) < 3_000_000


def test_it_works_as_a_saved_file(open_page):
    page = open_page((PAGE / "index.html").as_uri())
    page.click("#example")
    page.select_option("#effort", "one")
    fit(page)
    numbers = saved_numbers(page)
    assert numbers["summary"]["rows"] == 160 and numbers["provenance"]["source"] == "patients.csv"
    page.click("#to-playground")
    until(page, "/ms\\.$/.test(document.getElementById('play-status').textContent)")


def test_licences_are_in_it(page):
    page.get_by_text("Licences of gpclass").click()
    until(page, "document.querySelector('#licences pre').textContent.length > 0")
    told = page.text_content("#licences pre")
    assert all(words in told for words in ("Permission is hereby granted", "Apache License", "  faer ", "  ruzstd ", "  wasm-bindgen "))
    assert "proptest" not in told


@pytest.mark.parametrize(
    "attempt",
    [
        "() => fetch('/')",
        "() => new Promise((done, failed) => { const s = new WebSocket('ws://' + location.host); s.onopen = done; s.onerror = failed; })",
        "() => { if (!navigator.sendBeacon('/', 'x')) throw new Error('refused'); return new Promise((_, failed) => setTimeout(failed, 500)); }",
        "() => new Promise((done, failed) => { const i = new Image(); i.onload = done; i.onerror = failed; i.src = '/x.png'; })",
    ],
)
def test_nothing_can_be_sent(browser, address, attempt):
    page = browser.new_page()
    page.goto(address)
    sent = []
    page.on("request", lambda request: sent.append(request) if request.failure is None else None)
    page.on("requestfinished", lambda request: sent.append(request.url))
    with pytest.raises(Exception):
        page.evaluate(attempt)
    assert not [request for request in sent if isinstance(request, str)]
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("room", ["#table", "#playground"])
def test_it_fits_a_phone_in_light_and_dark(open_page, address, room, scheme):
    page = open_page(address + room, viewport={"width": 390, "height": 800}, color_scheme=scheme)
    if room == "#table":
        page.click("#example")
        ready_to_fit(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 28)"}[scheme]


def test_everything_has_a_name_and_the_keyboard_gets_everywhere(open_page, address):
    page = open_page(address)
    page.click("#example")
    ready_to_fit(page)
    nameless = """() => [...document.querySelectorAll('button, select, textarea, input, canvas[tabindex], iframe, [role=group], progress')]
        .filter((e) => !(e.labels?.length || e.textContent.trim() || e.ariaLabel || e.title || e.getAttribute('aria-labelledby')))
        .map((e) => e.outerHTML)"""
    assert page.evaluate(nameless) == []
    reached = set()
    page.focus("#to-table")
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    assert {"file", "example", "label", "positive", "effort", "decimal-comma", "start"} <= reached
    page.goto(address + "#playground")
    page.wait_for_selector("#plane")
    assert page.evaluate(nameless) == []

"""A real browser, the page served and as a file, and the command-line tool beside it."""

import functools
import http.server
import json
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright
from waiting import PATIENCE

ROOT = Path(__file__).parents[2]
# The folder of the page, and of the site that it is a part of.
PAGE = Path(os.environ.get("GPCLASS_PAGE", ROOT / "dist" / "web"))
SITE = Path(os.environ.get("GPCLASS_SITE", ROOT / "dist" / "site"))


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address():
    """The folder behind a plain server of files."""
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=PAGE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def open_page(browser):
    """Opens addresses; afterwards no page may have complained, or asked for anything but itself."""
    contexts, complaints, requests = [], [], []

    def open_at(url, **settings):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, "accept_downloads": True, **settings})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1_000 * PATIENCE)
        page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(url)
        page.wait_for_selector("html[data-ready=yes]")
        expected.add(url.split("#")[0])
        return page

    expected = set()
    yield open_at
    cookies = [cookie for context in contexts for cookie in context.cookies()]
    for context in contexts:
        context.close()
    assert complaints == []
    foreign = [url for url in requests if url.split("#")[0] not in expected and not url.startswith(("blob:", "data:", "about:"))]
    assert foreign == [] and cookies == []


@pytest.fixture
def page(open_page, address):
    return open_page(address)


class Tool:
    """The command-line tool."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *arguments):
        done = subprocess.run([os.environ["GPCLASS_BIN"], *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json"))


@pytest.fixture
def tool(tmp_path):
    return Tool(tmp_path)

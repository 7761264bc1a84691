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


class Watched:
    """Pages of a browser, with all that they complained of and asked for."""

    def __init__(self, browser):
        self.browser, self.contexts, self.complaints, self.requests = browser, [], [], []

    def open(self, url, **settings):
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 900}, "accept_downloads": True, **settings})
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1_000 * PATIENCE)
        page.on("console", lambda message: self.complaints.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(url)
        return page

    def close(self, own):
        """No page may have complained, kept a cookie, or asked for anything but what is its own."""
        cookies = [cookie for context in self.contexts for cookie in context.cookies()]
        for context in self.contexts:
            context.close()
        assert self.complaints == [] and cookies == []
        assert [url for url in self.requests if not own(url) and not url.startswith(("blob:", "data:", "about:"))] == []


@pytest.fixture
def open_page(browser):
    """Opens addresses, which may ask for nothing but themselves."""
    watched, expected = Watched(browser), set()

    def open_at(url, **settings):
        page = watched.open(url, **settings)
        page.wait_for_selector("html[data-ready=yes]")
        expected.add(url.split("#")[0])
        return page

    yield open_at
    watched.close(lambda url: url.split("#")[0] in expected)


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

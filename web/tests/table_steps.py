"""What a person does with "Your table"."""

import base64
import json

from waiting import until


def drop(page, name, content, zone="#drop"):
    """Drops a file of these bytes onto the page."""
    script = """([name, packed]) => {
        const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], name));
        return transfer;
    }"""
    transfer = page.evaluate_handle(script, [name, base64.b64encode(content).decode()])
    page.dispatch_event(zone, "drop", {"dataTransfer": transfer})


def ready_to_fit(page):
    page.wait_for_selector("#start:enabled")


def fit(page):
    """Starts the fit and waits for the report."""
    ready_to_fit(page)
    page.click("#start")
    page.wait_for_selector("#result:not([hidden])")
    until(page, "document.getElementById('report').contentDocument?.querySelector('footer') !== null")


def saved(page, button):
    """The bytes that a button gives to save, and their name."""
    with page.expect_download() as caught:
        page.click(button)
    return caught.value.path().read_bytes(), caught.value.suggested_filename


def saved_numbers(page):
    return json.loads(saved(page, "#save-numbers")[0])

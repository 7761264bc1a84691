"""Waiting for what a page shows."""

import time

# Seconds for anything that computes; a test fails by what it sees, not by how long that took.
PATIENCE = 120


def until(page, condition, value=None):
    """Waits until an expression or function of JavaScript holds. The driver's own way of waiting is forbidden by the page's policy, because
    it has the page evaluate a text again and again."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(condition, value):
        assert time.monotonic() < end, f"never came: {condition} {value}"
        page.wait_for_timeout(20)

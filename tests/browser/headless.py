"""A headless Chromium that reaches this machine only; tests skip loudly where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser, started."""
    playwright = pytest.importorskip("playwright.sync_api", reason="NO PLAYWRIGHT: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("NO BROWSER: apt-get install chromium")
    with playwright.sync_playwright() as started:
        # As root there is no sandbox; every other host resolves to nothing.
        flags = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]
        browser = started.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield browser
        browser.close()

"""The page in a real browser, without a screen: opened from a file, no word on its console.

Skipped where Chromium or Selenium are not installed (group `browser` of cmake/packages.txt).
"""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

import pytest

from logs import mixed_jobs, simulated
from somnus_program import FINE, each, expect, expect_equal, somnus

pytest.importorskip("selenium")
from selenium import webdriver  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

pytestmark = pytest.mark.skipif(not (shutil.which("chromium") and shutil.which("chromedriver")),
                                reason="no chromium and chromium-driver")
WIDTHS = {"wide": 1280, "narrow": 320}


@functools.cache
def browser() -> webdriver.Chrome:
    """Opened once for all tests, and closed at their end."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--no-first-run"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.chrome.service.Service(shutil.which("chromedriver"))
    opened = webdriver.Chrome(options=options, service=service)
    atexit.register(opened.quit)
    return opened


class Opened:
    """A page in the browser that all tests share."""

    def __init__(self, page: Path, width: int = 1280, dark: bool = False):
        self.driver = browser()
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.driver.get(page.as_uri())
        self.until("document.body.dataset.ready === 'yes'")

    def says(self, script: str):
        return self.driver.execute_script(f"return {script}")

    def until(self, script: str) -> None:
        WebDriverWait(self.driver, 20, 0.02).until(lambda _: self.says(script))

    def find(self, selector: str):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def picture(self) -> str:
        return self.says("document.getElementById('canvas').toDataURL()")

    def status(self) -> str:
        return self.find("#timeline-status").text

    def press(self, selector: str, *keys: str) -> None:
        """Each key changes the picture."""
        for key in keys:
            before = self.picture()
            self.find(selector).send_keys(key)
            expect(self.picture() != before, f"{key!r} changes nothing on {selector}")

    def expect_silence(self) -> None:
        expect_equal(self.driver.get_log("browser"), [], "what stands on the console")


@functools.cache
def page_of(*policies: str) -> Path:
    """Made once for all tests."""
    folder = Path(tempfile.mkdtemp(prefix="somnus-test-"))
    atexit.register(shutil.rmtree, folder)
    logs = [simulated(folder, jobs=mixed_jobs(30), log=f"{policy}.h5", policy=policy, nodes=6)
            for policy in policies]
    somnus(folder, "report", *logs, "-o", "page.html", "--force", "--quiet").expect(FINE)
    return folder / "page.html"


@each({f"{name}, {'dark' if dark else 'light'}": (width, dark)
       for name, width in WIDTHS.items() for dark in (False, True)})
def test_no_word_on_the_console_and_no_page_wider_than_the_screen(folder, how):
    page = Opened(page_of("fifo", "cfq"), *how)
    inside, room = page.says("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    expect(inside <= room <= how[0], f"a page of {inside} pixels on a screen of {room}")
    page.expect_silence()


def test_tables_are_filled_and_sorted_by_their_heads(folder):
    page = Opened(page_of("fifo", "cfq"))
    sizes = page.says("[...document.querySelectorAll('table:not(.u-legend)')].map(t => "
                      "[t.caption.textContent, t.tBodies[0].rows.length, "
                      "[...t.tBodies[0].querySelectorAll('td')].filter(d => !d.textContent.trim() && "
                      "!d.querySelector('.bar')).length])")
    expect(len(sizes) >= 8, f"tables: {sizes}")
    for caption, rows, empty in sizes:
        expect(rows > 0 and empty == 0, f"{caption}: {rows} rows, {empty} empty cells")
    head = page.find("table.sortable thead th:nth-child(5) button")
    head.send_keys(Keys.ENTER)
    column = "[...document.querySelector('table.sortable').tBodies[0].rows].map(r => Number(r.cells[4].dataset.value))"
    values = page.says(column)
    expect(values == sorted(values, reverse=True) and len(set(values)) > 1, f"sorted to {values}")
    head.send_keys(Keys.ENTER)
    expect_equal(page.says(column), sorted(values), "sorted the other way")
    page.expect_silence()


def test_the_timeline_goes_from_all_slots_to_a_jobs_tasks_by_keys(folder):
    page = Opened(page_of("cfq"))
    page.until("document.getElementById('timeline-status').textContent.includes('Slots 1 to 12 of 12')")
    page.press("#canvas", "+", Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.ARROW_DOWN, "i", "o", "-")
    page.find("#canvas").send_keys("+", "+", Keys.ENTER)
    page.until("document.getElementById('timeline-status').textContent.startsWith('Job ')")
    page.until("document.querySelector('#job h3')?.textContent.startsWith('Job j')")
    page.press("#canvas", "+", Keys.ESCAPE, Keys.ESCAPE)
    page.until("document.getElementById('timeline-status').textContent.startsWith('Slots ')")
    page.expect_silence()


def test_a_job_is_chosen_by_its_name_in_a_table_or_a_field(folder):
    page = Opened(page_of("fifo", "cfq"))
    button = page.find("button.job")
    name = button.text
    button.send_keys(Keys.ENTER)
    page.until(f"document.querySelector('#job h3')?.textContent === 'Job {name}'")
    expect_equal(page.says("document.activeElement.id"), "canvas", "where the keys go")
    field = page.find("#job-name")
    field.clear()
    field.send_keys("j7", Keys.TAB)
    page.until("document.querySelector('#job h3').textContent === 'Job j7'")
    shares = page.says("[...document.querySelectorAll('#job tbody td:last-child')].map(c => parseFloat(c.textContent))")
    expect(not shares or abs(sum(shares) - 100) < 0.5, f"shares of its wait: {shares}")
    page.expect_silence()


def test_another_run_is_chosen_everywhere_at_once(folder):
    page = Opened(page_of("fifo", "cfq"))
    page.find("#timeline select.run").send_keys("cfq")
    page.until("[...document.querySelectorAll('.run-name')].every(n => n.textContent === 'cfq')")
    expect_equal(page.says("[...document.querySelectorAll('select.run')].map(s => s.value)"),
                 ["1", "1", "1"], "choices")
    captions = "[...document.querySelectorAll('[data-of-run]')].filter(p => !p.hidden).map(p => p.dataset.ofRun)"
    expect_equal(page.says(captions), ["1"], "tables that are seen")
    page.expect_silence()


def test_figures_zoom_by_keys(folder):
    page = Opened(page_of("fifo", "cfq"))
    span = "(({min, max}) => max - min)(document.getElementById('plot-response').plot.scales.x)"
    whole = page.says(span)
    page.find("#plot-response").send_keys("+")
    page.until(f"{span} < {whole} * 0.6")
    page.find("#plot-response").send_keys(Keys.ESCAPE)
    page.until(f"Math.abs({span} - {whole}) < 1e-6")
    page.find("#plot-response .u-series:nth-child(2) th").send_keys(Keys.ENTER)
    page.until("!document.getElementById('plot-response').plot.series[1].show")
    page.expect_silence()

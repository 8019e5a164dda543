# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The page in Chromium: it loads without an error, filters filter, a hover says what the record says, it fits a phone."""
import os
import pathlib
import sys
import tempfile
import time
import unittest

import records

from onepass.report import pictures

try:
    import plotly
    MISSING = pictures.why_no_browser()
except ImportError:
    MISSING = "Plotly is missing (Debian package python3-plotly)"
if MISSING:
    sys.exit(print(f"left out: {MISSING}"))

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

OWN_MAP = "A-Device-gemv-s-N-cold-mesh-efficiency-Onepass"


class InChromium(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.page = pathlib.Path(cls.folder.name) / "report.html"
        done = records.make_page(*records.write(cls.folder.name), "-o", cls.page)
        assert done.returncode == 0, done.stderr
        cls.driver = pictures.browser()
        cls.addClassCleanup(cls.driver.quit)

    def setUp(self):
        self.open()

    def open(self, width=1280, height=900, scheme="light", mobile=False):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})
        self.driver.get(self.page.as_uri())
        self.until(lambda: self.drawn(OWN_MAP))
        self.shot(f"{width}-{scheme}")

    def shot(self, name):
        """SHOTS=folder keeps what the browser showed, to be looked at."""
        if os.environ.get("SHOTS"):
            time.sleep(0.5)
            self.driver.save_screenshot(str(pathlib.Path(os.environ["SHOTS"]) / f"{name}.png"))

    def until(self, condition):
        return WebDriverWait(self.driver, 20).until(lambda _: condition())

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def drawn(self, name):
        return self.script("return document.getElementById(arguments[0]).dataset.drawn === 'yes'", name)

    def shown(self):
        return self.script("return [...document.querySelectorAll('#pictures figure')].filter((f) => !f.hidden).map((f) => f.id)")

    def choose(self, name, value):
        Select(self.driver.find_element(By.ID, f"filter-{name}")).select_by_value(value)

    def errors(self):
        return [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def test_loads_without_an_error(self):
        self.assertEqual(self.errors(), [])
        self.assertIn(OWN_MAP, self.shown())

    def test_every_picture_can_be_drawn(self):
        self.driver.set_script_timeout(60)
        failed = self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1], figures = [...document.querySelectorAll('figure')];
            figures.forEach((f) => { f.hidden = false; });
            Promise.all(figures.map((f) => draw(f))).then(() => done([]), (error) => done([String(error)]));""")
        self.assertEqual(failed, [])
        self.assertEqual(self.errors(), [])

    def test_filters_choose_pictures_and_rows(self):
        self.assertTrue(all("-s-N-cold" in name for name in self.shown()))
        self.choose("type", "d")
        self.assertTrue(self.shown() and all("-d-T-cold" in name for name in self.shown()))  # d has no other op
        self.assertFalse(self.script("return [...document.querySelectorAll('.points tr[data-type=s]')].some((r) => !r.hidden)"))
        self.assertTrue(self.script("return [...document.querySelectorAll('.points tr[data-routine=gemv][data-type=d]')].every((r) => !r.hidden)"))
        self.choose("type", "b")
        self.assertEqual(self.script("return [...document.querySelectorAll('.points tbody tr')].filter((r) => !r.hidden).length"), 2)
        self.choose("type", "s")
        self.until(lambda: self.drawn(OWN_MAP))
        self.assertEqual(self.errors(), [])

    def test_reductions_are_a_routine_of_the_filters(self):
        self.choose("routine", "sytrd")
        self.assertEqual(self.shown(), ["A-Device-sytrd-d-columns"])
        self.until(lambda: self.drawn("A-Device-sytrd-d-columns"))
        rows = self.script("return [...document.querySelectorAll('.points tbody tr')].filter((r) => !r.hidden).map((r) => r.cells[0].textContent)")
        self.assertEqual(rows, ["sytrd d 100", "sytrd d 1000"])
        self.assertEqual(self.errors(), [])

    def test_hover_says_what_the_record_says(self):
        x, y = self.script("""
            const plot = document.querySelector(`#${arguments[0]} .plot`), layout = plot._fullLayout, box = plot.getBoundingClientRect();
            return [box.left + layout.xaxis._offset + layout.xaxis.c2p(2), box.top + layout.yaxis._offset + layout.yaxis.c2p(1)]""",
                           OWN_MAP)
        actions = ActionChains(self.driver)
        for step in (-3, 0):  # two moves: the first only enters the plot
            actions.w3c_actions.pointer_action.move_to_location(int(x) + step, int(y))
        actions.perform()
        text = self.until(lambda: self.script("return [...document.querySelectorAll('.hoverlayer text')].map((t) => t.textContent).join(' ')"))
        for part in ("s N 64x256", "Onepass: 2 us, 32.77 GB/s, efficiency 0.50", "cuBLAS: 4 us", "gemv_t threads 256"):
            self.assertIn(part, text)
        self.shot("hover")

    def test_fits_a_phone(self):
        self.open(width=390, height=800, mobile=True)
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390)
        self.assertEqual(self.script("return getComputedStyle(document.getElementById('pictures')).gridTemplateColumns.split(' ').length"), 1)

    def test_follows_the_dark(self):
        self.open(scheme="dark")
        self.assertEqual(self.script("return getComputedStyle(document.body).backgroundColor"), "rgb(13, 17, 23)")
        self.assertEqual(self.script(f"return document.querySelector('#{OWN_MAP} .plot')._fullLayout.font.color"), "#e6edf3")

    def test_pictures_become_files(self):
        folder = pathlib.Path(self.folder.name)
        small = folder / "small.html"
        self.assertEqual(records.make_page(folder / "sweep.json", "-o", small).returncode, 0)
        count = pictures.export(small, folder / "figures")
        self.assertEqual(count, 2 * len(list((folder / "figures").glob("*.svg"))))
        self.assertTrue(all(path.read_bytes().startswith(b"\x89PNG") for path in (folder / "figures").glob("*.png")))
        self.assertTrue(all(path.read_text().startswith("<svg") for path in (folder / "figures").glob("*.svg")))


if __name__ == "__main__":
    unittest.main()

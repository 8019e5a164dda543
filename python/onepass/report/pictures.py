# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Each picture of a page as an SVG and a PNG, drawn by Chromium from the page itself."""
import base64
import pathlib
import shutil
import urllib.parse

SIZE = {"width": 760, "height": 480}
SCRIPT = """
const [index, format, size, done] = [arguments[0], arguments[1], arguments[2], arguments[arguments.length - 1]];
const picture = report.pictures[index];
const plain = Object.assign(themed(picture.layout), {paper_bgcolor: "#ffffff", font: {color: "#1f2328", size: 12},
  title: {text: picture.title, font: {size: 14}}, margin: {l: 10, r: 10, t: 50, b: 10}});
Plotly.toImage({data: picture.data.map(expanded), layout: plain}, Object.assign({format: format}, size))
  .then(done, (error) => done("error: " + error));
"""


def why_no_browser():
    """Empty, or what is missing."""
    try:
        import selenium
    except ImportError:
        return "Selenium is missing: apt install python3-selenium, or pip install selenium"
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        return "Chromium is missing: apt install chromium chromium-driver"
    return ""


def browser(width=1280, height=900, *arguments):
    """A headless Chromium. A page of a file needs no sandbox, and in a container there is none."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--window-size={width},{height}", *arguments):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def export(page, folder, formats=("svg", "png")):
    """Writes every picture of a page; returns how many files."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    driver = browser()
    try:
        driver.get(pathlib.Path(page).resolve().as_uri())
        driver.set_script_timeout(60)
        names = driver.execute_script("return report.pictures.map((p) => p.name)")
        for index, name in enumerate(names):
            for kind in formats:
                url = driver.execute_async_script(SCRIPT, index, kind, SIZE)
                head, _, text = url.partition(",")
                if not head.startswith("data:"):
                    raise RuntimeError(f"{name}: {url}")
                data = base64.b64decode(text) if head.endswith("base64") else urllib.parse.unquote(text).encode()
                (folder / f"{name}.{kind}").write_bytes(data)
        return len(names) * len(formats)
    finally:
        driver.quit()

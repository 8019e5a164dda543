# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""`python -m onepass.report record.json ... -o report.html`: one page, readable offline."""
import argparse
import pathlib
import sys

from . import page, pictures
from .record import read


def plotly_js():
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        sys.exit("onepass.report needs Plotly: apt install python3-plotly (for Debian's /usr/bin/python3), or pip install plotly")
    return get_plotlyjs()


def place(path, record):
    """GPUs first, and of a machine the mesh."""
    return record.data["backend"] != "cuda", record.device, record.selection != "mesh", path.name


def main():
    parser = argparse.ArgumentParser(prog="python -m onepass.report", description=__doc__,
                                     epilog="example: python -m onepass.report records/*.json records/sytrd/*.json -o report.html --pictures figures")
    parser.add_argument("records", nargs="+", type=pathlib.Path, help="files that `onepass bench --json` wrote")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("report.html"), help="default: %(default)s")
    parser.add_argument("--pictures", type=pathlib.Path, metavar="FOLDER",
                        help="also write each picture as SVG and PNG; needs Chromium and Selenium")
    options = parser.parse_args()
    for path in options.records:
        if not path.is_file():
            parser.error(f"{path}: no such file; `onepass bench --json {path}` would write it")
    records = sorted(((path, read(path)) for path in options.records), key=lambda pair: place(*pair))
    for path, record in records:
        if not record.rows and not record.times and not record.data.get("ceilings"):
            print(f"report: {path} has no measured points")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(page.html_page(records, plotly_js()), encoding="utf-8")
    size = options.output.stat().st_size / 1e6
    print(f"report: {len(records)} records, {size:.1f} MB: {options.output.resolve().as_uri()}")
    if options.pictures:
        missing = pictures.why_no_browser()
        if missing:
            sys.exit(missing)
        print(f"report: {pictures.export(options.output, options.pictures)} pictures in {options.pictures}")


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Puts pictures, tables and Plotly into one HTML page that needs nothing else."""
import json
import pathlib

from . import cards, lines, maps, tables

FOLDER = pathlib.Path(__file__).parent


def pictures_of(record, hovers):
    if record.selection == "sweep":
        yield from lines.of_sweep(record)
    elif record.selection == "batched":
        yield from maps.of_batches(record, hovers)
    elif record.selection == "reduction":
        yield from lines.of_reductions(record)
    else:
        if record.selection == "mesh":
            yield from maps.of_mesh(record, hovers)
        if record.rows:
            yield from lines.of_footprint(record, hovers)
            yield from lines.of_time(record, hovers)
            yield from lines.of_roofline(record, hovers)
    yield from lines.of_ceilings(record)


def content(records):
    """All that the page shows. Records: [(path, Record)]."""
    hovers = cards.Hovers()
    made = [picture for _, record in records for picture in pictures_of(record, hovers)]
    # Two records of a device may hold the same picture: names of files must differ.
    seen = {}
    for picture in made:
        seen[picture["name"]] = count = seen.get(picture["name"], 0) + 1
        if count > 1:
            picture["name"] += f"-{count}"
    # The device that a reader sees first is that of the first record.
    values = {name: list(dict.fromkeys(p["where"][name] for p in made if name in p["where"])) for name in cards.FILTERS}
    return {"filters": values, "pictures": made, "hovers": hovers.texts}


def html_page(records, plotly_js):
    data = json.dumps(content(records), separators=(",", ":")).replace("</", "<\\/")
    script = plotly_js.replace("</script", "<\\/script")
    parts = {"style": (FOLDER / "page.css").read_text(encoding="utf-8"), "code": (FOLDER / "page.js").read_text(encoding="utf-8"),
             "sections": "\n".join(tables.section(path, record) for path, record in records), "data": data, "plotly": script}
    page = (FOLDER / "page.html").read_text(encoding="utf-8")
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text, 1)
    return page

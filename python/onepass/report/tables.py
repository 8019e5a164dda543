# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the page: the summary of each record, and every point where points are few."""
import html

from . import cards


def cell(word, tag="td"):
    return f"<{tag}>{html.escape(str(word))}</{tag}>"


def table(head, rows):
    """rows: (attributes of the row, words)."""
    lines = ["<div class='scroll'><table><thead><tr>", *(cell(word, "th") for word in head), "</tr></thead><tbody>"]
    for attributes, words in rows:
        text = "".join(f" data-{key}='{html.escape(value)}'" for key, value in attributes.items())
        lines.append(f"<tr{text}>{''.join(map(cell, words))}</tr>")
    return "".join([*lines, "</tbody></table></div>"])


def number(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def worst(value):
    return ("-", "-") if value is None else (number(value["value"]), value["at"])


def summary(record):
    groups = record.data.get("summary", [])
    if not groups:
        return ""
    providers = [name for name in record.data["providers"] if any(name in group["efficiency"] for group in groups)]
    head = ["efficiency, geometric means", "points", *providers, "lowest", "at", "time of best peer / time", "lowest", "at",
            "below 0.97"]
    rows = [({}, (group["group"], group["points"], *(number(group["efficiency"].get(name)) for name in providers),
                  *worst(group["worst_efficiency"]), number(group["ratio"]), *worst(group["worst_ratio"]), group["slower"]))
            for group in groups]
    return table(head, rows)


def points(record):
    """Every point, with the filters it belongs to."""
    providers = cards.providers_of(record.rows)
    head = ["problem", "bytes", "floor us", *(f"{name} us" for name in providers), "GB/s", "efficiency", "vs best peer", "plan"]
    rows = []
    for row in record.rows:
        times = {p.name: p for p in row.providers}
        rows.append((cards.where_of(record, row),
                     (row.label, cards.bytes_text(row.point["bytes"]), number(row.point["floor"]),
                      *(number(times[name].us) if name in times else "-" for name in providers),
                      number(row.own.gb_per_second, 0), number(row.own.efficiency), number(row.ratio), row.point.get("plan", "-"))))
    return table(head, rows)


def reductions(record):
    """Every time of a reduction, with the filters it belongs to."""
    providers = list(record.times[0].times)
    head = ["problem", *(f"{name} ms" for name in providers), "us a column", "of the floor", "vs peer"]
    rows = []
    for time in record.times:
        own, *peers = time.times.values()
        rows.append(({"device": record.device, "routine": time.routine, "type": time.type},
                     (time.label, *(number(ms, 3) for ms in time.times.values()), number(time.us_per_column(own)),
                      number(time.floor / own if time.floor else None), number(peers[0] / own if peers else None))))
    return table(head, rows)


MOST_POINTS = 1500  # a page should open at once


def section(path, record):
    """What the page says of one record in words and tables."""
    data = record.data
    parts = [f"<h3>{html.escape(path.name)}</h3>",
             f"<p>{html.escape(record.source)}; backend {html.escape(data['backend'])}, selection {html.escape(record.selection)}</p>"]
    parts += [f"<p class='remark'>Note: {html.escape(remark)}</p>" for remark in data.get("remarks", [])]
    if data.get("ceilings"):
        rows = [({}, (c["name"], f"{c['value']:.4g}", c["unit"])) for c in data["ceilings"]]
        parts.append(f"<details><summary>Limits of the machine</summary>{table(['what', 'value', 'unit'], rows)}</details>")
    parts.append(summary(record))
    if 0 < len(record.rows) <= MOST_POINTS:
        opened = " open" if record.selection == "inference" else ""
        parts.append(f"<details class='points'{opened}><summary>Every point that the filters let through</summary>"
                     f"{points(record)}</details>")
    if record.times:
        parts.append(f"<details class='points' open><summary>Every time that the filters let through</summary>{reductions(record)}</details>")
    return f"<section data-device='{html.escape(record.device)}'>{''.join(parts)}</section>"

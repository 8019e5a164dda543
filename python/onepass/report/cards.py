# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""What all pictures of the page share: cards with filters, the text of a hover, colours, sizes in words."""
import html
import math

OWN = "#1f6feb"
PEERS = ("#d9822b", "#8250df", "#2da44e", "#cf222e", "#6e7781")
FLOOR = "#8c959f"

FILTERS = ("device", "routine", "type", "op", "cache", "threads")


def card(name, title, where, data, layout, note=""):
    """One picture. `where`: the value of each filter that it belongs to; a filter that is not there leaves it alone."""
    return {"name": name, "title": title, "note": note, "where": where, "data": data, "layout": layout}


def where_of(record, row):
    point = row.point
    threads = point.get("threads")
    return {"device": record.device, "routine": row.routine, "type": point["type"], "op": row.op, "cache": point["cache"],
            "threads": str(threads) if threads else "device"}


def groups(record):
    """The rows of a record by the filters that they belong to: [(where, rows)], in the order of the points."""
    found = {}
    for row in record.rows:
        where = where_of(record, row)
        found.setdefault(tuple(where.items()), (where, []))[1].append(row)
    return list(found.values())


def slug(record, where, *words):
    """A file name of a picture: "nvidia-h200-gemv-s-N-cold-efficiency"."""
    parts = [record.device, where["routine"], where["type"], where["op"], where["cache"]]
    if where["threads"] != "device":
        parts.append(f"{where['threads']}-threads")
    text = "-".join([*parts, *words])
    return "".join(c if c.isalnum() else "-" for c in text).replace("--", "-")


def kind_of(where):
    """Of a title: calls of a GPU are timed in a queue or alone."""
    if where["threads"] == "device":
        threads = "" if where["cache"] == "alone" else ", queue"
    else:
        threads = f", {where['threads']} thread" + ("s" if where["threads"] != "1" else "")
    return f"{where['routine']} {where['type']} {where['op']} {where['cache']}{threads}"


def colours(providers):
    return {name: OWN if i == 0 else PEERS[(i - 1) % len(PEERS)] for i, name in enumerate(providers)}


def providers_of(rows):
    """The libraries that served any of these points, Onepass first."""
    return list(dict.fromkeys(provider.name for row in rows for provider in row.providers))


def short(size):
    """1048576 -> 1.0M."""
    for unit, name in ((10 ** 6, "M"), (10 ** 3, "k")):
        if size >= unit:
            return f"{size / unit:.1f}{name}" if size < 10 * unit else f"{size / unit:.0f}{name}"
    return str(size)


def bytes_text(count):
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} B"


def hover(row):
    """All that the record says of a point."""
    point = row.point
    lines = [f"<b>{html.escape(row.label)}</b>, {row.timed}, {bytes_text(point['bytes'])}"]
    for p in row.providers:
        lines.append(f"{html.escape(p.name)}: {p.us:.4g} us, {p.gb_per_second:.4g} GB/s, efficiency {p.efficiency:.2f}")
    lines.append(f"floor: {point['floor']:.4g} us, from {point.get('level', 'memory')}")
    if row.ratio:
        lines.append(f"speed-up over the best peer: {row.ratio:.2f}")
    if row.plan:
        lines.append("plan: " + "<br>  ".join(wrapped(html.escape(point["plan"]), 60)))
    return "<br>".join(lines)


class Hovers:
    """The texts of all points, each once: pictures refer to them by number."""

    def __init__(self):
        self.texts = []
        self.numbers = {}

    def __call__(self, row):
        number = self.numbers.setdefault(id(row), len(self.texts))
        if number == len(self.texts):
            self.texts.append(hover(row))
        return number


def wrapped(text, width):
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += word + " "
    return [line.strip() for line in lines]


def mean(values):
    """Geometric; None of nothing."""
    values = [value for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None

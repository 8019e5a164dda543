# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""docs/figures.md: an overview of the records of records/, then each with its tables and pictures."""
import math

import curve_picture
import mesh_picture
from readme_picture import draw
from readme_table import table

MOST_SHAPES = 200  # that the page lists one by one
HEAD = """# Figures

Every record in [records/](../records), in tables and pictures: an overview of each device, then record by record.
`make figures` writes this page; what the figures mean is in [benchmarking](benchmarking.md). Efficiency is the time floor
that a run measured over the time taken: 1 is the limit of the memory. On a GPU a time is that of a call in a *queue* of its
like, unless it says *alone*: then another kernel lay between any two calls. For a closer look, `make report` makes an interactive
page of the same records.
"""


def mean(values):
    """The geometric mean; "-" of nothing."""
    values = [value for value in values if value]
    return f"{math.exp(sum(map(math.log, values)) / len(values)):.2f}" if values else "-"


def markdown(head, rows):
    """A table whose first column is words and whose others are figures, but for those under "at"."""
    rule = ["---" if i == 0 or word == "at" else "---:" for i, word in enumerate(head)]
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "|" + "|".join(rule) + "|", *lines[1:]])


def kind(row):
    words = [row.point["type"], row.op, row.timed]
    if "threads" in row.point:
        words.append(f"{row.point['threads']} thread" + ("s" if row.point["threads"] > 1 else ""))
    return " ".join(words)


def figures_of(rows):
    """Points, means of efficiency, mean of the ratio, the lowest ratio and its row: of any set of points."""
    compared = [row for row in rows if row.ratio]
    worst = min(compared, key=lambda row: row.ratio, default=None)
    return [len(rows), mean(row.own.efficiency for row in rows), mean(row.peer.efficiency for row in compared),
            mean(row.ratio for row in compared), f"{worst.ratio:.2f}" if worst else "-"], worst


def summary_of_shapes(rows):
    """A line for each type, op, cache and number of threads: geometric means, and the shape with the lowest ratio."""
    kinds = {}
    for row in rows:
        kinds.setdefault(kind(row), []).append(row)
    lines = []
    for name, group in kinds.items():
        figures, worst = figures_of(group)
        lines.append([name, *figures, f"{worst.point['m']}x{worst.point['n']}" if worst else "-"])
    return markdown(["type, op, cache", "shapes", "efficiency", "best peer's", "time of best peer / time", "lowest", "at"],
                    lines)


def summary_of_record(data):
    """The summary that `onepass bench` ended with."""
    groups = data["summary"]
    providers = [name for name in data["providers"] if any(name in group["efficiency"] for group in groups)]

    def number(value):
        return "-" if value is None else f"{value:.2f}"

    def worst(value):
        return ["-", "-"] if value is None else [f"{value['value']:.2f}", value["at"]]

    rows = [[group["group"], group["points"], *(number(group["efficiency"].get(name)) for name in providers),
             number(group["large_efficiency"]), *worst(group["worst_efficiency"]), number(group["ratio"]),
             *worst(group["worst_ratio"]), group["slower"]] for group in groups]
    return markdown(["efficiency, geometric means", "points", *providers, "Onepass over 64 MB", "lowest", "at",
                     "time of best peer / time", "lowest", "at", "below 0.97"], rows)


def dips(data):
    """What a sweep says of sizes that are slower than their neighbours."""
    rows = [[group["group"], group["sizes"], len(group["dips"]), *(map(str, max(group["dips"], key=lambda dip: dip[1])) if group["dips"] else "--")]
            for group in data.get("dips", [])]
    return [markdown(["dips: over 10 % slower than both neighbours at +-64", "sizes", "dips", "at", "slowdown"],
                     [[name, sizes, count, size, slowdown] for name, sizes, count, size, slowdown in rows])] if rows else []


def pictures(stem, record):
    """File name -> SVG. Dots for random shapes, curves for orders, maps for a mesh, bars for a list of shapes; batches have tables alone."""
    if record.selection == "random":
        return {f"{stem}.svg": draw(record, record.rows)}
    if curve_picture.has_curves(record):
        return {f"{stem}.svg": curve_picture.draw(record)}
    if record.selection in ("sweep", "batched"):
        return {}
    made = {f"{stem}-speed-up.svg": mesh_picture.draw_ratios(record)} if record.selection == "mesh" else {}
    return made | {f"{stem}-{type_}-{op}.svg": draw(record, record.rows_of(type_, op)) for type_, op in record.kinds()}


def command_of(record):
    words = ["onepass bench", record.rows[0].routine]
    if record.selection not in ("standard", "quick"):
        words.append(f"--{record.selection}")
    if record.selection == "random":
        caches = {row.point["cache"] for row in record.rows}
        words += [str(len(record.rows) // len(caches)), f"--cache {','.join(sorted(caches))}" if caches != {"cold"} else ""]
    if record.selection == "mesh":
        points = len({row.point["m"] for row in record.rows})  # in each direction
        words.append(f"--mesh-points {points}" if points != 24 else "")
    if record.selection == "sweep":
        sizes = sorted({row.point["n"] for row in record.rows})
        step = min((after - before for before, after in zip(sizes, sizes[1:])), default=1)
        words.append(f"{sizes[0]}:{sizes[-1]}:{step}")
        caches = {row.point["cache"] for row in record.rows}
        words.append(f"--cache {caches.pop()}" if len(caches) == 1 else "")
        words.append("" if any(row.peers for row in record.rows) else "--no-peers")
    return " ".join(filter(None, words))


def overview(records):
    """A table for each device, with a line for each of its records."""
    devices = {}
    for path, record in records:
        devices.setdefault((record.device, record.data["backend"]), []).append((path, record))
    parts = []
    for (device, backend), group in devices.items():
        lines = []
        for path, record in group:
            figures, worst = figures_of(record.rows)
            partial = "" if record.data["complete"] else ", a partial run"
            lines.append([f"[`{command_of(record)}`](../records/{path.name}){partial}", *figures, worst.label if worst else "-",
                          record.data["commit"][:7]])
        parts += [f"## {device}, backend `{backend}`",
                  markdown(["record", "points", "efficiency", "best peer's", "time of best peer / time", "lowest", "at", "commit"], lines),
                  f"Geometric means over the points of each record: {group[0][1].machine}."]
    return parts


def section(path, record, names):
    """What the page says of one record. The pictures of its first type are shown, at most two, and the others linked."""
    first = record.rows[0].point["type"]
    shown = [name for name in names if not name.startswith(f"{path.stem}-") or name.endswith("-speed-up.svg")]
    shown += [name for name in names if name.startswith(f"{path.stem}-{first}-")][:2]
    of_shapes = record.selection in ("standard", "quick") and len(record.rows) <= MOST_SHAPES
    parts = [f"## {record.device}: `{command_of(record)}`",
             summary_of_shapes(record.rows) if of_shapes else summary_of_record(record.data), *dips(record.data),
             f"Geometric means over the points of [{path.name}](../records/{path.name}): {record.source}."]
    parts += [f"Note: {remark}." for remark in record.data.get("remarks", [])]
    parts += [f"![Efficiency of Onepass and its best peer](figures/{name})" for name in shown]
    others = [f"[{name[len(path.stem) + 1:-4].replace('-', ' ')}](figures/{name})" for name in names if name not in shown]
    if others:
        parts.append("Other types and ops: " + ", ".join(others) + ".")
    if of_shapes:
        parts += ["<details><summary>Every shape</summary>", table(record), "</details>"]
    return "\n\n".join(parts)


def page(records, drawn):
    """records: [(path, Record)]; drawn: path -> names of its pictures."""
    sections = (section(path, record, drawn[path]) for path, record in records)
    return "\n\n".join([HEAD.rstrip(), *overview(records), *sections]) + "\n"

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures with axes of numbers: throughput against footprint, sweeps with their dips, time and floor, the roofline,
time per column of reductions."""
from . import cards

FLOOR_LINE = {"color": cards.FLOOR, "dash": "dash", "width": 1.5}


def series(hovers, rows, name, x, y, colour, **more):
    """The points of one library, by x. `more` has the last word."""
    found = sorted(((x(row), y(row, p), hovers(row)) for row in rows for p in row.providers if p.name == name),
                   key=lambda point: point[0])
    return {"type": "scatter", "mode": "markers", "name": name, "x": [f[0] for f in found], "y": [f[1] for f in found],
            "text": [f[2] for f in found], "hoverinfo": "text", "marker": {"color": colour, "size": 5}} | more


def log_axis(title):
    return {"title": {"text": title}, "type": "log", "exponentformat": "SI"}


def digits(value):
    return float(f"{value:.4g}")


# Which shapes a picture has: rows over columns.
SHAPES = {"tall": lambda ratio: ratio >= 8, "square": lambda ratio: 0.5 <= ratio <= 2, "wide": lambda ratio: ratio <= 1 / 8}


def of_footprint(record, hovers):
    """GB/s against bytes, for tall, square and wide matrices, under what the memory gives."""
    for where, rows in cards.groups(record):
        for shape, fits in SHAPES.items():
            chosen = [row for row in rows if fits(row.point["m"] / row.point["n"])]
            if len(chosen) < 3:
                continue
            colour = cards.colours(cards.providers_of(chosen))
            data = [series(hovers, chosen, name, lambda row: row.point["bytes"], lambda _, p: digits(p.gb_per_second), colour[name])
                    for name in colour]
            roof = sorted({(row.point["bytes"], digits(row.point["bytes"] / row.point["floor"] / 1e3)) for row in chosen})
            data.append({"type": "scatter", "mode": "lines", "name": "the floor", "x": [r[0] for r in roof],
                         "y": [r[1] for r in roof], "line": FLOOR_LINE, "hoverinfo": "skip"})
            yield cards.card(cards.slug(record, where, record.selection, "footprint", shape),
                             f"Throughput of {shape} matrices, {cards.kind_of(where)}", where, data,
                             {"xaxis": log_axis("bytes"), "yaxis": log_axis("GB/s")})


def sweep_series(rows, name, **more):
    """A sweep has so many points that texts of their own would fill the page: the hover is made of numbers."""
    found = sorted(((row.point["n"], p) for row in rows for p in row.providers if p.name == name), key=lambda pair: pair[0])
    return {"type": "scatter", "mode": "lines", "name": name, "x": [n for n, _ in found],
            "y": [digits(p.gb_per_second) for _, p in found], "customdata": [[p.us, digits(p.efficiency)] for _, p in found],
            "hovertemplate": "%{x} x %{x}: %{customdata[0]} us, %{y} GB/s, efficiency %{customdata[1]}"} | more


def of_sweep(record):
    """GB/s at each size; the dips of the record are marked."""
    dips = {group["group"]: dict(group["dips"]) for group in record.data.get("dips", [])}
    for where, rows in cards.groups(record):
        colour = cards.colours(cards.providers_of(rows))
        data = [sweep_series(rows, name, line={"color": colour[name], "width": 1.2}) for name in colour]
        kind = cards.kind_of(where).replace("gemv ", "").replace(", queue", "").replace(",", "")
        found = dips.get(kind, {})
        marks = sweep_series([row for row in rows if row.point["n"] in found], "Onepass", mode="markers",
                             marker={"color": "#cf222e", "size": 7, "symbol": "circle-open"})
        data.append(marks | {"name": "dips"})
        note = f"{len(found)} dips: sizes over 10 % slower than both neighbours at +-64"
        yield cards.card(cards.slug(record, where, "sweep"), f"Every square, {cards.kind_of(where)}", where, data,
                         {"xaxis": {"title": {"text": "rows = columns"}}, "yaxis": {"title": {"text": "GB/s"}, "rangemode": "tozero"}},
                         note)


def of_time(record, hovers):
    """Time against bytes, above the floor."""
    for where, rows in cards.groups(record):
        colour = cards.colours(cards.providers_of(rows))
        data = [series(hovers, rows, name, lambda row: row.point["bytes"], lambda _, p: p.us, colour[name]) for name in colour]
        floor = sorted({(row.point["bytes"], row.point["floor"]) for row in rows})
        data.append({"type": "scatter", "mode": "lines", "name": "the floor", "x": [f[0] for f in floor],
                     "y": [f[1] for f in floor], "line": FLOOR_LINE, "hoverinfo": "skip"})
        yield cards.card(cards.slug(record, where, record.selection, "time"), f"Time and its floor, {cards.kind_of(where)}", where,
                         data, {"xaxis": log_axis("bytes"), "yaxis": log_axis("microseconds")})


def of_roofline(record, hovers):
    """GFLOP/s against FLOP per byte, under the bandwidth of the memory and the peak of the arithmetic."""
    bandwidth = record.ceiling("read bandwidth, memory")
    for where, rows in cards.groups(record):
        memory = bandwidth or max(row.point["bytes"] / row.point["floor"] / 1e3 for row in rows)
        precision = "double" if where["type"] in "dz" else "single"
        peak = record.ceiling(f"peak arithmetic, {precision} precision")
        colour = cards.colours(cards.providers_of(rows))
        data = [series(hovers, rows, name, lambda row: digits(row.flops / row.point["bytes"]), lambda row, p: digits(row.flops / p.us / 1e3),
                       colour[name]) for name in colour]
        knee = peak / memory if peak else 16
        roof = [(x, min(memory * x, peak or memory * x)) for x in (1 / 16, knee, 4 * knee if peak else knee)]
        data.append({"type": "scatter", "mode": "lines", "name": f"the roof: {memory:.0f} GB/s", "x": [r[0] for r in roof],
                     "y": [r[1] for r in roof], "line": FLOOR_LINE, "hoverinfo": "skip"})
        yield cards.card(cards.slug(record, where, record.selection, "roofline"), f"Roofline, {cards.kind_of(where)}", where, data,
                         {"xaxis": log_axis("FLOP per byte"), "yaxis": log_axis("GFLOP/s")},
                         "the roof is the measured bandwidth of the memory" + (", then the device's peak" if peak else ""))


def of_reductions(record):
    """Microseconds per column of square matrices against their order, above what the bytes take."""
    for routine, type_ in dict.fromkeys((time.routine, time.type) for time in record.times):
        times = sorted((t for t in record.times if (t.routine, t.type) == (routine, type_) and t.m == t.n), key=lambda t: t.n)
        if not times:
            continue
        colour = cards.colours(times[0].times)
        orders = [time.n for time in times]
        data = [{"type": "scatter", "mode": "lines+markers", "name": name, "x": orders, "line": {"color": colour[name]},
                 "y": [digits(time.us_per_column(time.times[name])) for time in times],
                 "hovertemplate": "n = %{x}: %{y} us a column"} for name in colour]
        if all(time.floor for time in times):
            data.append({"type": "scatter", "mode": "lines", "name": "the floor", "x": orders, "line": FLOOR_LINE, "hoverinfo": "skip",
                         "y": [digits(time.us_per_column(time.floor)) for time in times]})
        where = {"device": record.device, "routine": routine, "type": type_}
        name = "".join(c if c.isalnum() else "-" for c in "-".join([*where.values(), "columns"]))
        yield cards.card(name, f"Time per column, {routine} {type_}", where, data,
                         {"xaxis": log_axis("n"), "yaxis": log_axis("microseconds a column")})


def of_ceilings(record):
    """Read and copy bandwidth by working set."""
    found = {}
    for constant in record.data.get("ceilings", []):
        words = constant["name"].replace(",", "").split()
        if words[0] in ("read", "copy") and "KiB" in words and constant["unit"] == "GB/s":
            threads = " ".join(words[words.index("KiB") + 1:][2:])
            found.setdefault(" ".join([words[0], threads]).strip(), []).append((int(words[1]) * 1024, digits(constant["value"])))
    if not found:
        return
    data = [{"type": "scatter", "mode": "lines+markers", "name": name, "x": [p[0] for p in points], "y": [p[1] for p in points]}
            for name, points in found.items()]
    yield cards.card("".join(c if c.isalnum() else "-" for c in f"{record.device}-ceilings"), "Bandwidth by working set",
                     {"device": record.device}, data, {"xaxis": log_axis("bytes"), "yaxis": {"title": {"text": "GB/s"}, "rangemode": "tozero"}})

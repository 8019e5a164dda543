# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Maps over rows and columns: efficiency of each library, speed-up, and what the plan chose where."""
import math

from . import cards

# Red where Onepass is slower, grey where the two are equal, blue where it is faster.
RATIO_SCALE = [[0, "#a50f15"], [0.3, "#ef6548"], [0.5, "#bdbdbd"], [0.7, "#6baed6"], [1, "#08306b"]]
CHOICES = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#994455", "#117733", "#332288",
           "#88ccee", "#ddcc77")
PARAMETERS = ("kernel", "threads", "lanes", "splits", "panels")
RATIO_LIMIT = 2  # a factor of four both ways


class Grid:
    """The points of one kind, as a matrix: rows downwards, columns to the right."""

    def __init__(self, rows, across=lambda row: row.point["n"], down=lambda row: row.point["m"]):
        self.columns = sorted({across(row) for row in rows})
        self.lines = sorted({down(row) for row in rows})
        self.at = {(down(row), across(row)): row for row in rows}

    def matrix(self, figure):
        """figure: row -> value or None."""
        return [[figure(self.at[d, a]) if (d, a) in self.at else None for a in self.columns] for d in self.lines]

    def values(self, figure):
        return [value for row in self.at.values() if (value := figure(row)) is not None]


def heat_map(grid, figure, hovers, **more):
    """A trace."""
    return {"type": "heatmap", "x": [cards.short(n) for n in grid.columns], "y": [cards.short(m) for m in grid.lines],
            "z": grid.matrix(figure), "text": grid.matrix(hovers), "hoverinfo": "text", "xgap": 0.5, "ygap": 0.5} | more


def layout(across="columns", down="rows"):
    return {"xaxis": {"title": {"text": across}, "type": "category", "tickangle": 0, "nticks": 7},
            "yaxis": {"title": {"text": down}, "type": "category", "autorange": "reversed", "nticks": 10}}


def rounded(value, digits=3):
    return None if value is None else round(value, digits)


def efficiency(name):
    def figure(row):
        return next((rounded(p.efficiency) for p in row.providers if p.name == name), None)
    return figure


def log2_ratio(row):
    return rounded(math.log2(row.ratio)) if row.ratio else None


def note(values):
    return f"geometric mean {cards.mean(values):.2f}, lowest {min(values):.2f}, {len(values)} shapes" if values else ""


def efficiency_maps(record, where, grid, hovers, axes):
    for name in cards.providers_of(grid.at.values()):
        figure = efficiency(name)
        trace = heat_map(grid, figure, hovers, colorscale="Viridis", zmin=0, zmax=1, colorbar={"thickness": 14, "title": {"text": "floor / time"}})
        yield cards.card(cards.slug(record, where, record.selection, "efficiency", name),
                         f"{name}: efficiency, {cards.kind_of(where)}", where, [trace], axes, note(grid.values(figure)))


def ratio_map(record, where, grid, hovers, axes):
    ticks = [-2, -1, -0.5, 0, 0.5, 1, 2]
    trace = heat_map(grid, log2_ratio, hovers, colorscale=RATIO_SCALE, zmin=-RATIO_LIMIT, zmax=RATIO_LIMIT,
                     colorbar={"thickness": 14, "title": {"text": "time / time"}, "tickvals": ticks,
                               "ticktext": [f"{2 ** t:.2g}x" for t in ticks]})
    return cards.card(cards.slug(record, where, record.selection, "speed-up"),
                      f"Speed-up over the best peer, {cards.kind_of(where)}", where, [trace], axes,
                      note(grid.values(lambda row: row.ratio)))


def choice_map(record, where, grid, hovers, axes, parameter):
    """Which value of a parameter the plan has where; None if it is the same everywhere."""
    def order(word):
        return (int(word), "") if word.isdigit() else (0, word)

    choices = sorted(set(grid.values(lambda row: row.plan.get(parameter))), key=order)
    if len(choices) < (1 if parameter == "kernel" else 2):
        return None
    index = {word: i for i, word in enumerate(choices)}
    count = len(choices)
    scale = [[edge / count, CHOICES[i % len(CHOICES)]] for i in range(count) for edge in (i, i + 1)]
    trace = heat_map(grid, lambda row: index.get(row.plan.get(parameter)), hovers, colorscale=scale, zmin=-0.5, zmax=count - 0.5,
                     colorbar={"thickness": 14, "title": {"text": parameter}, "tickvals": list(range(count)), "ticktext": choices})
    return cards.card(cards.slug(record, where, record.selection, "plan", parameter),
                      f"The plan's {parameter}, {cards.kind_of(where)}", where, [trace], axes,
                      "what won at each shape, by table, rule or model")


def of_mesh(record, hovers):
    for where, rows in cards.groups(record):
        grid = Grid(rows)
        yield from of_grid(record, where, grid, hovers, layout())


def of_batches(record, hovers):
    """Shapes downwards, batch sizes to the right; strided batches and arrays of pointers are two maps."""
    for where, rows in cards.groups(record):
        for pointers in (False, True):
            chosen = [row for row in rows if row.point.get("pointers", False) == pointers]
            if not chosen:
                continue
            shapes = sorted({(row.point["m"], row.point["n"]) for row in chosen}, key=lambda s: (s[0] * s[1], s))
            place = {shape: i for i, shape in enumerate(shapes)}
            grid = Grid(chosen, lambda row: row.point["batch"], lambda row: place[row.point["m"], row.point["n"]])
            axes = layout("products in the batch", "rows x columns")
            word = "pointers" if pointers else "strided"
            for made in of_grid(record, where, grid, hovers, axes):
                made["name"] += f"-{word}"
                made["title"] += f", batches, {word}"
                made["data"][0]["y"] = [f"{m}x{n}" for m, n in shapes]
                yield made


def of_grid(record, where, grid, hovers, axes):
    yield from efficiency_maps(record, where, grid, hovers, axes)
    if grid.values(log2_ratio):
        yield ratio_map(record, where, grid, hovers, axes)
    for parameter in PARAMETERS:
        made = choice_map(record, where, grid, hovers, axes, parameter)
        if made:
            yield made

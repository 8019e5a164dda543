#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a tuning table as an SVG: which value of each parameter is the fastest where."""
import argparse
import json
import pathlib
import re
import sys

from mesh_picture import CELL, GAP, LEFT, LEGEND, MARGIN, TOP, Panel, short
from svg import page, text

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "tuning" / "schema.json"
COLOURS = ("#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725", "#ff9f40")
GEMV = re.compile(r"(\d+)/(\d+)/(\d+)(f?)(p?)$")
SYMV = re.compile(r"(\d+)/(\d+)/(c?)(\d+)$")
UNDECIDED = {"-": "", "?": "rule"}  # too large; left to the model or the rule


def of_gemv(entry):
    """The parameters of an entry such as 256/16/384fp."""
    threads, lanes, split, few_loads, prefetch = GEMV.match(entry).groups()
    return {"Threads of a block": int(threads), "Lanes along a column": int(lanes), "Threads of a split on an SM": int(split),
            "Loads in flight": "few" if few_loads else "many", "Prefetches A": "yes" if prefetch else "no"}


def of_symv(entry):
    """Likewise for 256/4/512 and 256/1/c2."""
    threads, panels, columns, blocks = SYMV.match(entry).groups()
    return {"Threads of a block": int(threads), "Panels of a strip": int(panels),
            "Blocks": f"{blocks} columns a warp" if columns else f"{blocks} threads an SM"}


class Map(Panel):
    """One map of a parameter: a colour for each of its values."""

    def __init__(self, sizes, left, title, values):
        super().__init__(sizes, left, title, (pick(len(values)), list(range(1, len(values)))))
        self.names = values

    def figures(self, values):
        return ""

    def legend(self, side):
        step, y = side / len(self.names), TOP + side + 38
        parts = []
        for i, (colour, name) in enumerate(zip(self.colours, self.names)):
            parts += [f'<rect x="{self.left + step * i:.1f}" y="{y}" width="{step:.1f}" height="9" fill="{colour}"/>',
                      text(self.left + step * (i + 0.5), y + 21, str(name), "middle", 10)]
        return parts


def pick(count):
    """Colours as far apart as they can be."""
    return [COLOURS[round(i * (len(COLOURS) - 1) / max(count - 1, 1))] for i in range(count)]


def source(table):
    where = ", ".join(table[key] for key in ("commit", "date") if key in table)
    return f"{table['device']}, driver {table.get('driver', 'unknown')}, {where}"


def draw_mesh(table, name):
    """The maps of a mesh of gemv: rows of A downwards, columns to the right."""
    cells = {}
    for rows, line in zip(table["rows"], table["gemv"][name]):
        for cols, entry in zip(table["cols"], line.split()):
            if entry not in UNDECIDED:
                cells[rows, cols] = of_gemv(entry)
    sizes = sorted({size for cell in cells for size in cell})
    titles = list(next(iter(cells.values())))
    side = CELL * len(sizes)
    title = f"gemv {name}: the fastest launch of each shape"
    parts = [text(MARGIN, 22, title, size=14)]
    for i, parameter in enumerate(titles):
        values = sorted({cell[parameter] for cell in cells.values()})
        drawn = {at: values.index(cell[parameter]) for at, cell in cells.items()}
        parts += Map(sizes, LEFT + i * (side + GAP), parameter, values).draw(drawn)
    width, height = LEFT + len(titles) * (side + GAP) - GAP + MARGIN, TOP + side + LEGEND + 20
    return page(width, height, title, parts + [text(MARGIN, height - 8, source(table), size=10)])


def draw_orders(table):
    """All meshes of symv: a line each, the order of A to the right, an entry in words."""
    names, title, label, column, step = sorted(table["symv"]), "symv: the fastest launch of each order", 90, 64, 16
    parts = [text(MARGIN, 22, title, size=14)]
    entries = {name: table["symv"][name].split() for name in names}
    values = sorted({entry for line in entries.values() for entry in line if entry not in UNDECIDED},
                    key=lambda entry: tuple(str(v) for v in of_symv(entry).values()))
    for j, order in enumerate(table["n"]):
        parts.append(text(MARGIN + label + column * (j + 0.5), 46, short(order), "middle", 10))
    for i, name in enumerate(names):
        y = 54 + step * i
        parts.append(text(MARGIN, y + 11, name, size=11))
        for j, entry in enumerate(entries[name]):
            x = MARGIN + label + column * j
            if entry in UNDECIDED:
                parts.append(text(x + 8, y + 11, UNDECIDED[entry], size=9))
            else:
                colour = COLOURS[values.index(entry) * (len(COLOURS) - 1) // max(len(values) - 1, 1)]
                parts += [f'<rect x="{x}" y="{y}" width="5" height="{step - 2}" fill="{colour}"/>', text(x + 8, y + 11, entry, size=9)]
    width, height = 2 * MARGIN + label + column * len(table["n"]), 54 + step * len(names) + 40
    parts.append(text(MARGIN, height - 22, "threads of a block / panels of a strip / threads on an SM, or c and columns of a warp",
                      size=10))
    return page(width, height, title, parts + [text(MARGIN, height - 8, source(table), size=10)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", help="a file of tuning/, or one that `onepass tune` wrote")
    parser.add_argument("picture", help="SVG file to write")
    parser.add_argument("--mesh", help='such as "s N any"; default: the first one')
    parser.add_argument("--symv", action="store_true", help="the triangles instead")
    options = parser.parse_args()
    with open(options.table, encoding="utf-8") as file:
        table = json.load(file)
    version = json.loads(SCHEMA.read_text(encoding="utf-8"))["properties"]["onepass_tuning"]["const"]
    if table.get("onepass_tuning") != version:
        sys.exit(f"{options.table} is no tuning table of version {version}")
    routine = "symv" if options.symv else "gemv"
    meshes = table.get(routine, {})
    if not meshes or (options.mesh and options.mesh not in meshes):
        sys.exit(f"{options.table} has no such mesh of {routine}; it has {', '.join(meshes) or 'none'}")
    with open(options.picture, "w", encoding="utf-8") as file:
        file.write(draw_orders(table) if options.symv else draw_mesh(table, options.mesh or next(iter(meshes))))


if __name__ == "__main__":
    main()

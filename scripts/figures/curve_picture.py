# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Curves of square and symmetric matrices: efficiency over the order, a panel for each type, the dips of a sweep marked."""
import math

from svg import curve, line, page, ring, text

WIDTH, HEIGHT, LEFT, TOP, GAP_X, GAP_Y, MARGIN, COLUMNS = 400, 150, 48, 62, 56, 62, 16, 2
DIP = "#cf222e"
# Onepass and its best peer, for the first op or triangle, the second, the third.
OWN, PEER = ("#1f6feb", "#0b8a6f", "#8250df"), ("#d9822b", "#b8860b", "#9aa4b2")


def has_curves(record):
    """Whether its points are orders, not shapes and batches: enough of them for a curve."""
    rows = record.rows
    return len({row.point["n"] for row in rows}) >= 8 and all(row.point["m"] == row.point["n"] and "batch" not in row.point for row in rows)


class Panel:
    """The curves of one type: orders to the right, by their logarithm unless they are a sweep; efficiency upwards."""

    def __init__(self, rows, left, top, linear, most):
        self.rows, self.left, self.top, self.linear, self.most = rows, left, top, linear, most
        orders = [self.scale(row.point["n"]) for row in rows]
        self.low, self.high = min(orders), max(orders)

    def scale(self, n):
        return n if self.linear else math.log2(n)

    def at(self, n, efficiency):
        return (self.left + WIDTH * (self.scale(n) - self.low) / (self.high - self.low), self.top + HEIGHT * (1 - efficiency / self.most))

    def axes(self, title):
        parts = [text(self.left, self.top - 8, title, size=13)]
        for tick in range(int(self.most / 0.2 + 1e-9) + 1):
            y = self.top + HEIGHT * (1 - 0.2 * tick / self.most)
            parts += [line(self.left, y, self.left + WIDTH, y), text(self.left - 6, y + 4, f"{0.2 * tick:.1f}", "end", 10)]
        for n in self.ticks():
            x, _ = self.at(n, 0)
            parts += [line(x, self.top, x, self.top + HEIGHT), text(x, self.top + HEIGHT + 14, str(n), "middle", 10)]
        return parts

    def ticks(self):
        if self.linear:
            power = 10 ** math.floor(math.log10(self.high))
            step = max(1, power if self.high >= 4 * power else power // 2)
            return range(step, int(self.high) + 1, step)
        return [2 ** i for i in range(math.ceil(self.low), math.floor(self.high) + 1, 2)]

    def curve(self, points, colour, dash=""):
        """points: [(order, efficiency)]. Where several share a pixel, the lowest and the highest of them are drawn."""
        pixels = {}
        for n, efficiency in sorted(points):
            pixels.setdefault(round(self.at(n, 0)[0]) if len(points) > WIDTH else n, []).append((n, efficiency))
        kept = [p for group in pixels.values() for p in sorted({min(group, key=lambda p: p[1]), max(group, key=lambda p: p[1])})]
        return curve([self.at(*p) for p in kept], colour, 1.2 if len(points) > WIDTH else 1.8, dash)


def panels_of(rows):
    """Type and cache -> rows, in the order of the record."""
    found = {}
    for row in rows:
        threads = f", {row.point['threads']} threads" if row.point.get("threads", 0) > 1 else ""
        found.setdefault(f"{row.routine} {row.point['type']}, {row.point['cache']}{threads}", []).append(row)
    return found


def dips_of(record, rows):
    """(op, order) of the dips of these rows."""
    found = set()
    for group in record.data.get("dips", []):
        for op in dict.fromkeys(row.op for row in rows):
            own = [row for row in rows if row.op == op]
            threads = own[0].point.get("threads")
            words = ([own[0].routine] if own[0].routine != "gemv" else []) + [own[0].point["type"], op, own[0].point["cache"]]
            name = " ".join(words) + (f" {threads} thread" + ("s" if threads > 1 else "") if threads else "")
            if group["group"] == name:
                found |= {(op, n) for n, _ in group["dips"]}
    return found


def draw_panel(panel, record, title):
    rows, parts = panel.rows, []
    dips = dips_of(record, rows)
    count = f", {len(dips)} dip" + ("s" if len(dips) != 1 else "") if "dips" in record.data else ""
    parts += panel.axes(title + count)
    for i, op in enumerate(dict.fromkeys(row.op for row in rows)):
        own = [row for row in rows if row.op == op]
        compared = [(row.point["n"], row.peer.efficiency) for row in own if row.peer]
        if compared:
            parts.append(panel.curve(compared, PEER[i % len(PEER)], "4 3"))
        parts.append(panel.curve([(row.point["n"], row.own.efficiency) for row in own], OWN[i % len(OWN)]))
        parts += [ring(*panel.at(row.point["n"], row.own.efficiency), DIP) for row in own if (op, row.point["n"]) in dips]
    return parts


def legend(rows):
    ops = list(dict.fromkeys(row.op for row in rows))
    peers = sorted({row.peer.name for row in rows if row.peer})
    entries = [(f"Onepass {op}", OWN[i % len(OWN)], "") for i, op in enumerate(ops)]
    entries += [(f"best of {', '.join(peers)}, {op}" if len(peers) > 1 else f"{peers[0]} {op}", PEER[i % len(PEER)], "4 3")
                for i, op in enumerate(ops) if peers]
    parts, x = [], MARGIN
    for words, colour, dash in entries:
        parts += [curve([(x, 38), (x + 22, 38)], colour, 2, dash), text(x + 27, 42, words)]
        x += 42 + 7 * len(words)
    return parts


def draw(record):
    panels = panels_of(record.rows)
    linear = record.selection == "sweep"
    highest = max(p.efficiency for row in record.rows for p in (row.own, row.peer) if p)
    most = max(1.0, math.ceil(5 * highest) / 5)
    title = "Efficiency over the order of the matrix: time floor over time taken"
    parts = [text(MARGIN, 22, title, size=14), *legend(record.rows)]
    for i, (name, rows) in enumerate(panels.items()):
        left = LEFT + i % COLUMNS * (WIDTH + GAP_X)
        top = TOP + 20 + i // COLUMNS * (HEIGHT + GAP_Y)
        parts += draw_panel(Panel(rows, left, top, linear, most), record, name)
    lines = math.ceil(len(panels) / COLUMNS)
    width = LEFT + min(COLUMNS, len(panels)) * (WIDTH + GAP_X) - GAP_X + MARGIN
    height = TOP + 20 + lines * (HEIGHT + GAP_Y)
    parts.append(text(MARGIN, height - 10, record.source, size=10))
    return page(width, height, title, parts)

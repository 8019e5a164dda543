# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of reductions and solvers: time per column or per matrix over the order, and what a solver spends its time on."""
import math

from svg import bar, curve, line, page, text

WIDTH, HEIGHT, LEFT, TOP, GAP, MARGIN = 250, 220, 50, 84, 52, 16
OWN, PEER, FLOOR = "#1f6feb", "#d9822b", "#9aa4b2"
STAGES = ("#1f6feb", "#0b8a6f", "#8250df")


def legend(entries, x=MARGIN, y=44):
    parts = []
    for words, colour, dash in entries:
        parts += [curve([(x, y - 4), (x + 22, y - 4)], colour, 2.5, dash), text(x + 27, y, words)]
        x += 46 + 7 * len(words)
    return parts


def panel(title, times, us, left, lowest, highest, width=WIDTH):
    """Curves of one routine or type, both axes logarithmic: microseconds of Onepass, of its peer, of the bytes alone.
    us: what they are of a time and its milliseconds."""
    orders = [t.n for t in times]
    first, last = math.log2(min(orders)), math.log2(max(orders))
    low, high = math.log10(lowest), math.log10(highest)

    def at(n, value):
        return (left + width * (math.log2(n) - first) / (last - first), TOP + HEIGHT * (1 - (math.log10(value) - low) / (high - low)))

    parts = [text(left, TOP - 12, title, size=13)]
    for power in range(math.ceil(low), math.floor(high) + 1):
        _, y = at(min(orders), 10.0 ** power)
        parts += [line(left, y, left + width, y), text(left - 6, y + 4, f"{10.0 ** power:g}", "end", 10)]
    for n in (n for n in orders if n & (n - 1) == 0):
        x, _ = at(n, lowest)
        parts += [line(x, TOP, x, TOP + HEIGHT), text(x, TOP + HEIGHT + 14, str(n), "middle", 10)]
    floors = [(t.n, us(t, t.floor)) for t in times if t.floor and us(t, t.floor) >= lowest]
    for points, colour, dash in ((floors, FLOOR, "2 3"), ([(t.n, us(t, t.peer)) for t in times if t.peer], PEER, "4 3"),
                                 ([(t.n, us(t, t.own)) for t in times], OWN, "")):
        if len(points) > 1:
            parts.append(curve([at(*point) for point in points], colour, 2, dash))
    return parts


def panels(title, entries, of_name, us, lowest, source, width=WIDTH):
    """of_name: {name of a panel: [times, n rising]}; lowest: of the axis."""
    parts = [text(MARGIN, 22, title, size=14), *legend(entries)]
    highest = 10 ** math.ceil(math.log10(max(us(t, ms) for times in of_name.values() for t in times for ms in (t.own, t.peer) if ms)))
    for i, (name, times) in enumerate(of_name.items()):
        parts += panel(name, times, us, LEFT + i * (width + GAP), lowest, highest, width)
    parts.append(text(MARGIN, TOP + HEIGHT + 44, source, size=10))
    return page(LEFT + len(of_name) * (width + GAP) - GAP + MARGIN, TOP + HEIGHT + 56, title, parts)


def per_column(routines, source):
    """routines: {name: [times of one type, n rising]}."""
    return panels("Microseconds a column over the order n, double precision",
                  [("Onepass", OWN, ""), ("cuSOLVER", PEER, "4 3"), ("the bytes alone", FLOOR, "2 3")], routines,
                  lambda t, ms: 1e3 * ms / t.n, 1.0, source)


def per_matrix(types, source):
    """types: {letter: [times of batches, n rising]}."""
    words = {"s": "float", "d": "double", "c": "complex float", "z": "complex double"}
    return panels("Microseconds a matrix over the order n, eigenvalues and eigenvectors of a batch",
                  [("Onepass", OWN, ""), ("cuSOLVER's XsyevBatched", PEER, "4 3")],
                  {f"{letter}, {words[letter]}": times for letter, times in types.items()},
                  lambda t, ms: 1e3 * ms / t.matrices, 0.001, source, width=200)


def stages(title, names, rows, source):
    """What a solver spends: a bar for each order, as a share of its peer's time. rows: (time of all of it, ms of each stage)."""
    width, step, left = 560, 34, 64
    parts = [text(MARGIN, 22, title, size=14), *legend([(name, colour, "") for name, colour in zip(names, STAGES)])]
    bottom = 66 + step * len(rows)
    for tenth in range(0, 11, 2):
        x = left + width * tenth / 10
        parts += [line(x, 58, x, bottom), text(x, bottom + 14, f"{10 * tenth} %", "middle", 10)]
    for i, (whole, spent) in enumerate(rows):
        y, x = 66 + step * i, left
        parts.append(text(left - 8, y + 15, str(whole.n), "end"))
        for ms, colour in zip(spent, STAGES):
            parts.append(bar(x, y, width * ms / whole.peer, 20, colour))
            x += width * ms / whole.peer
        parts.append(text(x + 8, y + 15, f"{whole.own:.3g} ms of {whole.peer:.3g}"))
    parts.append(text(MARGIN, bottom + 36, source, size=10))
    return page(left + width + MARGIN + 20, bottom + 48, title, parts)

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of reductions and eigenproblems: time per column over the order, and what an eigenproblem spends its time on."""
import math

from svg import bar, curve, line, page, text

WIDTH, HEIGHT, LEFT, TOP, GAP, MARGIN = 250, 220, 50, 84, 52, 16
OWN, PEER, FLOOR = "#1f6feb", "#d9822b", "#9aa4b2"
STAGES = (("sytrd", "#1f6feb"), ("eigenvectors of T", "#0b8a6f"), ("ormtr", "#8250df"))


def legend(entries, x=MARGIN, y=44):
    parts = []
    for words, colour, dash in entries:
        parts += [curve([(x, y - 4), (x + 22, y - 4)], colour, 2.5, dash), text(x + 27, y, words)]
        x += 46 + 7 * len(words)
    return parts


def panel(routine, times, left, lowest, highest):
    """The curves of one routine, both axes logarithmic: us a column of Onepass, of its peer, of the bytes alone."""
    orders = [t.n for t in times]
    first, last = math.log2(min(orders)), math.log2(max(orders))
    low, high = math.log10(lowest), math.log10(highest)

    def at(n, us):
        return (left + WIDTH * (math.log2(n) - first) / (last - first), TOP + HEIGHT * (1 - (math.log10(us) - low) / (high - low)))

    parts = [text(left, TOP - 12, routine, size=13)]
    for power in range(math.ceil(low), math.floor(high) + 1):
        _, y = at(min(orders), 10.0 ** power)
        parts += [line(left, y, left + WIDTH, y), text(left - 6, y + 4, f"{10 ** power:g}", "end", 10)]
    for n in (n for n in orders if n & (n - 1) == 0):
        x, _ = at(n, lowest)
        parts += [line(x, TOP, x, TOP + HEIGHT), text(x, TOP + HEIGHT + 14, str(n), "middle", 10)]
    floors = [(t.n, t.floor) for t in times if t.floor and 1e3 * t.floor / t.n >= lowest]
    for points, colour, dash in ((floors, FLOOR, "2 3"), ([(t.n, t.peer) for t in times if t.peer], PEER, "4 3"),
                                 ([(t.n, t.own) for t in times], OWN, "")):
        if len(points) > 1:
            parts.append(curve([at(n, 1e3 * ms / n) for n, ms in points], colour, 2, dash))
    return parts


def per_column(routines, source):
    """routines: {name: [times of one type, n rising]}."""
    title = "Microseconds a column over the order n, double precision"
    parts = [text(MARGIN, 22, title, size=14),
             *legend([("Onepass", OWN, ""), ("cuSOLVER", PEER, "4 3"), ("the bytes alone", FLOOR, "2 3")])]
    every = [1e3 * ms / t.n for times in routines.values() for t in times for ms in (t.own, t.peer) if ms]
    for i, (routine, times) in enumerate(routines.items()):
        parts += panel(routine, times, LEFT + i * (WIDTH + GAP), 1.0, 10 ** math.ceil(math.log10(max(every))))
    parts.append(text(MARGIN, TOP + HEIGHT + 44, source, size=10))
    return page(LEFT + len(routines) * (WIDTH + GAP) - GAP + MARGIN, TOP + HEIGHT + 56, title, parts)


def stages(whole, reduced, applied, source):
    """What an eigenproblem with vectors spends: a bar for each order, as a share of cuSOLVER's time. Lists of the same orders."""
    title = "Eigenvalues and eigenvectors: Onepass's time as a share of cuSOLVER's"
    width, step, left = 560, 34, 64
    parts = [text(MARGIN, 22, title, size=14), *legend([(name, colour, "") for name, colour in STAGES])]
    bottom = 66 + step * len(whole)
    for tenth in range(0, 11, 2):
        x = left + width * tenth / 10
        parts += [line(x, 58, x, bottom), text(x, bottom + 14, f"{10 * tenth} %", "middle", 10)]
    for i, (all_of_it, before, behind) in enumerate(zip(whole, reduced, applied)):
        y, x = 66 + step * i, left
        parts.append(text(left - 8, y + 15, str(all_of_it.n), "end"))
        for ms, (_, colour) in zip((before.own, all_of_it.own - before.own - behind.own, behind.own), STAGES):
            parts.append(bar(x, y, width * ms / all_of_it.peer, 20, colour))
            x += width * ms / all_of_it.peer
        parts.append(text(x + 8, y + 15, f"{all_of_it.own:.3g} ms of {all_of_it.peer:.3g}"))
    parts.append(text(MARGIN, bottom + 36, source, size=10))
    return page(left + width + MARGIN + 20, bottom + 48, title, parts)

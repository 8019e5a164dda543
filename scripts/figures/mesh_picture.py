# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Maps of a mesh of shapes: efficiency of Onepass and of its best peer on one scale, and the ratio of their times."""
import bisect
import math

from svg import page, text

CELL, LEFT, TOP, GAP, LEGEND, MARGIN = 11, 58, 64, 62, 66, 16

# From dark to bright as from 0 to 1, in the order of viridis.
EFFICIENCY = (("#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6dcd59", "#b4de2c", "#fde725"),
              (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9))
# Red where Onepass is slower, grey where the two are equal but for noise, blue where it is faster.
RATIO = (("#a50f15", "#ef6548", "#a9a9a9", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#084594"),
         (0.8, 0.97, 1.03, 1.2, 1.5, 2, 4))


def short(size):
    """1048576 -> 1.0M."""
    for unit, name in ((10 ** 6, "M"), (10 ** 3, "k")):
        if size >= unit:
            return f"{size / unit:.1f}{name}" if size < 10 * unit else f"{size / unit:.0f}{name}"
    return str(size)


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


class Panel:
    """One map: n to the right, m downwards."""

    def __init__(self, sizes, left, title, scale, top=TOP, cell=CELL):
        self.index = {size: i for i, size in enumerate(sizes)}
        self.sizes, self.left, self.title, self.top, self.cell = sizes, left, title, top, cell
        self.colours, self.bounds = scale

    def draw(self, values, legend=True):
        """values: (m, n) -> number."""
        cell, top = self.cell, self.top
        side, cells = cell * len(self.sizes), [[] for _ in self.colours]
        for (m, n), value in values.items():
            at = f"M{self.left + cell * self.index[n]} {top + cell * self.index[m]}h{cell}v{cell}h-{cell}z"
            cells[bisect.bisect_right(self.bounds, value)].append(at)
        parts = [text(self.left, top - 24, self.title, size=13),
                 text(self.left, top - 8, self.figures(values), size=11),
                 f'<rect class="none" x="{self.left}" y="{top}" width="{side}" height="{side}"/>']
        parts += [f'<path fill="{colour}" d="{"".join(at)}"/>' for colour, at in zip(self.colours, cells) if at]
        for i in sorted({round(k * (len(self.sizes) - 1) / 4) for k in range(5)}):
            centre, label = cell * i + cell / 2, short(self.sizes[i])
            parts += [text(self.left + centre, top + side + 14, label, "middle", 10),
                      text(self.left - 5, top + centre + 4, label, "end", 10)]
        if not legend:
            return parts
        parts += [text(self.left + side / 2, top + side + 28, "columns", "middle", 11),
                  text(self.left - 34, top - 8, "rows", "middle", 11)]
        return parts + self.legend(side)

    def figures(self, values):
        return f"geometric mean {mean(values.values()):.2f}, lowest {min(values.values()):.2f}" if values else "no points"

    def legend(self, width):
        step, y = width / len(self.colours), self.top + self.cell * len(self.sizes) + 38
        parts = [f'<rect x="{self.left + step * i:.1f}" y="{y}" width="{step:.1f}" height="9" fill="{colour}"/>'
                 for i, colour in enumerate(self.colours)]
        return parts + [text(self.left + step * (i + 1), y + 21, f"{bound:g}", "middle", 10)
                        for i, bound in enumerate(self.bounds)]


def draw(rows, source):
    """rows: of one type and op."""
    point = rows[0].point
    peers = sorted({row.peer.name for row in rows if row.peer})
    peer = peers[0] if len(peers) == 1 else "the better of " + " and ".join(peers) if peers else "no peer"
    sizes = sorted({row.point[side] for row in rows for side in ("m", "n")})

    def values(figure):
        return {(row.point["m"], row.point["n"]): figure(row) for row in rows if figure(row) is not None}

    maps = [("Onepass: efficiency", EFFICIENCY, lambda row: row.own.efficiency),
            (f"{peer}: efficiency", EFFICIENCY, lambda row: row.peer.efficiency if row.peer else None),
            ("Speed-up: its time / Onepass's time", RATIO, lambda row: row.ratio)]
    side = CELL * len(sizes)
    title = f"gemv {point['type']} {point['op']}, {point['cache']}: efficiency is the time floor over the time taken"
    parts = [text(MARGIN, 22, title, size=14)]
    for i, (name, scale, figure) in enumerate(maps):
        parts += Panel(sizes, LEFT + i * (side + GAP), name, scale).draw(values(figure))
    width, height = LEFT + len(maps) * (side + GAP) - GAP + MARGIN, TOP + side + LEGEND + 20
    parts.append(text(MARGIN, height - 8, source, size=10))
    return page(width, height, f"{title}; Onepass and {peer}", parts)


SMALL, ACROSS = 7, 5  # pixels of a cell, maps in a row


def draw_ratios(record):
    """The speed-up over the best peer, a small map for each type and op."""
    kinds = [(kind, record.rows_of(*kind)) for kind in record.kinds()]
    sizes = sorted({row.point[side] for row in record.rows for side in ("m", "n")})
    side = SMALL * len(sizes)
    title = "Speed-up: time of the best peer over that of Onepass, for every shape of the mesh (rows downwards, columns to the right)"
    parts = [text(MARGIN, 22, title, size=14)]
    for i, ((type_, op), rows) in enumerate(kinds):
        left, top = LEFT + i % ACROSS * (side + GAP - 10), TOP + 14 + i // ACROSS * (side + GAP + 4)
        panel = Panel(sizes, left, f"{type_} {op}", RATIO, top, SMALL)
        parts += panel.draw({(row.point["m"], row.point["n"]): row.ratio for row in rows if row.ratio}, legend=False)
    lines, across = math.ceil(len(kinds) / ACROSS), min(ACROSS, len(kinds))
    bottom = TOP + 14 + lines * (side + GAP + 4) - 20
    width = LEFT + across * (side + GAP - 10)
    parts += Panel(sizes, LEFT, "", RATIO, bottom - side - 38, SMALL).legend(min(width - LEFT - MARGIN, 480))
    parts.append(text(MARGIN, bottom + 46, record.source, size=10))
    return page(width, bottom + 54, title, parts)

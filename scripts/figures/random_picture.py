# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Random shapes as dots: efficiency of Onepass and of its best peer over the bytes, with the median of each along the way."""
import math
import statistics

from svg import curve, dots, line, page, text

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, MARGIN = 760, 320, 48, 62, 54, 16
OWN, PEER = "#1f6feb", "#d9822b"
PARTS_OF_A_DECADE = 4  # each has a median


def size_name(power):
    """10^power bytes: 100 KB, 1 MB."""
    unit = min(power // 3, 4)
    return f"{10 ** (power - 3 * unit)} {('B', 'KB', 'MB', 'GB', 'TB')[unit]}"


def medians(points):
    """points: [(bytes, efficiency)] -> a point for each part of a decade, in the middle of what it has."""
    parts = {}
    for size, efficiency in points:
        parts.setdefault(math.floor(PARTS_OF_A_DECADE * math.log10(size)), []).append((math.log10(size), efficiency))
    return [(10 ** statistics.mean(x for x, _ in part), statistics.median(y for _, y in part)) for _, part in sorted(parts.items())]


def draw(rows, source):
    own = [(row.point["bytes"], row.own.efficiency) for row in rows]
    peer = [(row.point["bytes"], row.peer.efficiency) for row in rows if row.peer]
    peers = sorted({row.peer.name for row in rows if row.peer})
    low, high = math.log10(min(own)[0]), math.log10(max(own)[0])
    most = max(1.0, math.ceil(10 * max(y for _, y in own + peer)) / 10)

    def at(size, efficiency):
        return LEFT + WIDTH * (math.log10(size) - low) / max(high - low, 1e-9), TOP + HEIGHT * (1 - efficiency / most)

    title = "Efficiency of random shapes over their bytes: time floor over time taken; lines are medians"
    parts = [text(MARGIN, 22, title, size=14)]
    for tick in range(int(most / 0.2 + 1e-9) + 1):
        _, y = at(min(own)[0], 0.2 * tick)
        parts += [line(LEFT, y, LEFT + WIDTH, y), text(LEFT - 6, y + 4, f"{0.2 * tick:.1f}", "end", 10)]
    for power in range(math.ceil(low), math.floor(high) + 1):
        x, _ = at(10 ** power, 0)
        parts += [line(x, TOP, x, TOP + HEIGHT), text(x, TOP + HEIGHT + 16, size_name(power), "middle", 11)]
    for points, colour in ((peer, PEER), (own, OWN)):
        parts.append(dots([at(*point) for point in points], colour))
    x = MARGIN
    for points, colour, name in ((own, OWN, "Onepass"), (peer, PEER, f"best of {', '.join(peers)}" if len(peers) > 1 else "".join(peers))):
        if points:
            parts += [curve([at(*point) for point in medians(points)], colour, 2.5), curve([(x, 41), (x + 16, 41)], colour, 2.5), text(x + 22, 45, name)]
            x += 46 + 7 * len(name)
    parts.append(text(MARGIN, TOP + HEIGHT + 42, source, size=10))
    return page(LEFT + WIDTH + MARGIN, TOP + HEIGHT + BOTTOM, title, parts)

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of records, in Markdown."""


def markdown(heads, lines):
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---", *["---:"] * (len(heads) - 1)], *lines])


def times_as_fast(head, points, column):
    """A row for each function and type, a column for each value of column(point), in the order of the points."""
    ratios = {}
    for point in points:
        ratios.setdefault((point["function"], point["type"]), {})[column(point)] = point["plain"]["ms"] / point["onepass"]["ms"]
    columns = list(dict.fromkeys(map(column, points)))
    lines = [[f"`{function}` {type_}", *((f"{found[at]:.2f}" if found[at] < 10 else f"{found[at]:.0f}") if at in found else "-"
                                         for at in columns)]
             for (function, type_), found in sorted(ratios.items())]
    return markdown([head, *map(str, columns)], lines)

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a record of `onepass bench --json record.json` as an SVG: efficiency of Onepass and of its best peer."""
import argparse
import html

from record import Record

ROW, LABEL, PLOT, TOP, BOTTOM, MARGIN = 30, 190, 480, 52, 46, 16
OWN, PEER, INK, GRID = "#1f6feb", "#9aa4b2", "#24292f", "#d8dee4"


def text(x, y, words, anchor="start", size=12, colour=INK):
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">'
            f"{html.escape(words)}</text>")


def bar(x, y, width, height, colour):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" rx="2" fill="{colour}"/>'


def draw(record):
    rows = record.rows
    height, width = TOP + ROW * len(rows) + BOTTOM, LABEL + PLOT + 2 * MARGIN + 40
    peers = sorted({row.peer["name"] for row in rows if row.peer})
    peer = peers[0] if len(peers) == 1 else f"the best of {', '.join(peers)}" if peers else "no peer"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" role="img" '
             f'aria-label="Efficiency of Onepass and {peer}">', f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
             text(MARGIN, 22, "Efficiency: time floor over time taken; 1 is the memory bus at its limit", size=14)]
    parts += [bar(MARGIN, 32, 12, 10, OWN), text(MARGIN + 18, 41, "Onepass"), bar(MARGIN + 90, 32, 12, 10, PEER),
              text(MARGIN + 108, 41, peer)]
    left = MARGIN + LABEL
    # A hot cache can pass the floor by a little: the axis ends where the longest bar does.
    most = max(1.0, *(p["efficiency"] for row in rows for p in (row.own, row.peer) if p))
    for tick in range(0, 6):
        x = left + PLOT * tick / 5 / most
        parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{height - BOTTOM}" stroke="{GRID}"/>')
        parts.append(text(x, height - BOTTOM + 16, f"{tick / 5:.1f}", "middle", 11))
    for i, row in enumerate(rows):
        y = TOP + ROW * i
        parts.append(text(left - 8, y + 18, row.label, "end"))
        for offset, provider, colour in ((4, row.own, OWN), (16, row.peer, PEER)):
            if provider:
                length = PLOT * provider["efficiency"] / most
                parts += [bar(left, y + offset, length, 10, colour),
                          text(left + length + 4, y + offset + 9, f"{provider['efficiency']:.2f}", size=10)]
    parts += [text(MARGIN, height - 10, record.source, size=10), "</svg>"]
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", help="file that `onepass bench --json` wrote")
    parser.add_argument("picture", help="SVG file to write")
    parser.add_argument("--type", help="only this type")
    parser.add_argument("--op", help="only this op")
    options = parser.parse_args()
    record = Record(options.record)
    record.rows = [row for row in record.rows if (options.type or row.point["type"]) == row.point["type"]
                   and (options.op or row.point["op"]) == row.point["op"]]
    if not record.rows:
        parser.error("no point of the record has that type and op")
    with open(options.picture, "w", encoding="utf-8") as file:
        file.write(draw(record))


if __name__ == "__main__":
    main()

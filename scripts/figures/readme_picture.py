#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a record of `onepass bench --json record.json` as an SVG: efficiency of Onepass and of its best peer."""
import argparse

import mesh_picture
import random_picture
from record import Record
from svg import bar, line, page, text

ROW, LABEL, PLOT, TOP, BOTTOM, MARGIN = 30, 190, 480, 52, 46, 16
OWN, PEER = "#1f6feb", "#9aa4b2"


def draw_bars(rows, source):
    height, width = TOP + ROW * len(rows) + BOTTOM, LABEL + PLOT + 2 * MARGIN + 40
    peers = sorted({row.peer.name for row in rows if row.peer})
    peer = peers[0] if len(peers) == 1 else f"the best of {', '.join(peers)}" if peers else "no peer"
    parts = [text(MARGIN, 22, "Efficiency: time floor over time taken; 1 is the memory bus at its limit", size=14),
             bar(MARGIN, 32, 12, 10, OWN), text(MARGIN + 18, 41, "Onepass"), bar(MARGIN + 90, 32, 12, 10, PEER),
             text(MARGIN + 108, 41, peer)]
    left = MARGIN + LABEL
    # A hot cache can pass the floor by a little: the axis ends where the longest bar does.
    most = max(1.0, *(p.efficiency for row in rows for p in (row.own, row.peer) if p))
    for tick in range(0, 6):
        x = left + PLOT * tick / 5 / most
        parts += [line(x, TOP, x, height - BOTTOM), text(x, height - BOTTOM + 16, f"{tick / 5:.1f}", "middle", 11)]
    for i, row in enumerate(rows):
        y = TOP + ROW * i
        parts.append(text(left - 8, y + 18, row.label, "end"))
        for offset, provider, colour in ((4, row.own, OWN), (16, row.peer, PEER)):
            if provider:
                length = PLOT * provider.efficiency / most
                parts += [bar(left, y + offset, length, 10, colour),
                          text(left + length + 4, y + offset + 9, f"{provider.efficiency:.2f}", size=10)]
    parts.append(text(MARGIN, height - 10, source, size=10))
    return page(width, height, f"Efficiency of Onepass and {peer}", parts)


def draw(record, rows):
    """A mesh as maps, random shapes as dots, other points as bars."""
    return {"mesh": mesh_picture.draw, "random": random_picture.draw}.get(record.selection, draw_bars)(rows, record.source)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", help="file that `onepass bench --json` wrote")
    parser.add_argument("picture", help="SVG file to write")
    parser.add_argument("--type", help="only this type; default: the first one of the record")
    parser.add_argument("--op", help="only this op; default: the first one of that type")
    options = parser.parse_args()
    record = Record(options.record)
    kinds = [kind for kind in record.kinds() if options.type in (None, kind[0]) and options.op in (None, kind[1])]
    if not kinds:
        parser.error("no point of the record has that type and op")
    with open(options.picture, "w", encoding="utf-8") as file:
        file.write(draw(record, record.rows_of(*kinds[0])))


if __name__ == "__main__":
    main()

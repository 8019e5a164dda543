#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a record of `onepass bench --json record.json` as a Markdown table."""
import argparse

from record import Record


def cell(provider):
    if provider is None:
        return "-", "-", "-"
    return f"{provider.us:.2f}", f"{provider.gb_per_second:.0f}", f"{provider.efficiency:.2f}"


def table(record):
    lines = ["| problem | cache | floor, us | Onepass, us | GB/s | efficiency | best peer | us | GB/s | efficiency | ratio |",
             "|---|---|---:|---:|---:|---:|---|---:|---:|---:|---:|"]
    for row in record.rows:
        words = [row.label, row.timed, f"{row.point['floor']:.2f}", *cell(row.own),
                 row.peer.name if row.peer else "-", *cell(row.peer), f"{row.ratio:.2f}" if row.ratio else "-"]
        lines.append("| " + " | ".join(words) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", help="file that `onepass bench --json` wrote")
    record = Record(parser.parse_args().record)
    if not record.rows:
        parser.error("the record has no measured points")
    print(table(record))
    print(f"\nMeasured on {record.source}. Efficiency: the time floor that this run measured over the time taken.")


if __name__ == "__main__":
    main()

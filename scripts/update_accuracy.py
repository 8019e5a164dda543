#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of errors in docs/accuracy.md from records/accuracy/*.json, which accuracy.py wrote; --check only looks whether
they are."""
import argparse
import json
import pathlib
import sys

from document_block import replace_block


def table(record):
    """A row for each setting, a column for each condition, and how near the bound the largest error came."""
    points = record["points"]
    powers = sorted({point["power"] for point in points})
    settings = list(dict.fromkeys((point["type"], point["setting"]) for point in points))
    lines = ["| condition | " + " | ".join(f"10^{power}" for power in powers) + " | of its bound |", "|---|" + "---:|" * (len(powers) + 1)]
    for type_, setting in settings:
        own = [point for point in points if (point["type"], point["setting"]) == (type_, setting)]
        errors = [f"{point['error']:.0e}" if point["error"] < 0.5 else "all" for point in sorted(own, key=lambda p: p["power"])]
        words = "x and y as head and tail" if setting == "tails" else setting
        lines.append(f"| `{type_}` {words} | " + " | ".join(errors) + f" | {max(point['of_bound'] for point in own):.1g} |")
    about = (f"{record['device']}, onepass at {record['commit']}, {record['date'][:10]}: the largest relative error of {record['sums']} sums "
             f"of {record['terms']} terms, by their condition; *all*: no digit is right.")
    return "\n".join([*lines, "", about])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    page = options.root / "docs" / "accuracy.md"
    before = page.read_text(encoding="utf-8")
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((options.root / "records" / "accuracy").glob("*.json"))]
    after = replace_block(page, before, "errors", "\n\n".join(map(table, records)))
    if options.check:
        return 0 if after == before else "docs/accuracy.md is not what records/accuracy says: run make figures"
    page.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

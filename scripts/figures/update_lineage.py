#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of docs/lineage.md from the records in records/lineage/; --check only looks whether they are."""
import argparse
import json
import pathlib
import sys

from document_block import replace_block

PRODUCTS = {("gemv", "N"): "`y = A x`", ("gemv", "T"): "`y = A^T x`", ("symv", "N"): "`y = A x`, A symmetric"}
TYPES = {"s": "single", "d": "double"}
SPACE = "best of Tx, Ty, U, M"


def rows_of(point):
    """The results of a product by name, those of the space as one: the best of them."""
    rows, space = {}, []
    for result in point["results"]:
        if result.get("space"):
            space.append(result)
            if len(space) == 1:
                rows[SPACE] = None
        else:
            rows[result["name"]] = result
    if space:
        timed = [result for result in space if "us" in result]
        rows[SPACE] = min(timed, key=lambda result: result["us"]) if timed else space[0]
    return rows


def markdown(heads, lines):
    rows = [heads, ["---", *["---:"] * (len(heads) - 1)], *lines]
    return "\n".join("| " + " | ".join(row) + " |" if row[0] != "---" else "|" + "|".join(row) + "|" for row in rows)


def time_of(name, rows):
    """us, and for a rung or a peer how many times as long as Onepass."""
    result = rows.get(name)
    if result is None or "us" not in result:
        return "-"
    return f"{result['us']:.4g}" + ("" if name == "Onepass" else f" ({result['us'] / rows['Onepass']['us']:.1f}x)")


def timed_table(points):
    columns = [rows_of(point) for point in points]
    names = list(dict.fromkeys(name for rows in columns for name in rows))
    lines = [[name, *(time_of(name, rows) for rows in columns)] for name in names]
    lines.append(["floor", *(f"{point['floor']:.4g}" for point in points)])
    text = markdown(["rung, us (times Onepass)", *("x".join(map(str, point["shape"])) for point in points)], lines)
    best = [f"{'x'.join(map(str, point['shape']))}: {rows[SPACE]['name']}" for point, rows in zip(points, columns) if SPACE in rows]
    return text + (f"\n\nBest of the space, as Tx, Ty, U, M: {'; '.join(best)}." if best else "")


def counted_table(points):
    """One line for each rung: what it asks of memory at the first product that it serves."""
    lines = {}
    for point in points:
        for name, result in rows_of(point).items():
            traffic, key = result["traffic"], (name, PRODUCTS[point["routine"], point["op"]])
            lines.setdefault(key, [name, f"{key[1]}, {'x'.join(map(str, point['shape']))}",
                                   f"{traffic['sectors_requested'] / traffic['sectors_needed']:.2f}",
                                   "yes" if traffic["reads_once"] else "no",
                                   *(str(traffic[count]) for count in ("loads", "barriers", "atomic_adds", "partial_sums", "launches"))])
    return markdown(["rung", "product", "sectors / needed", "reads A once", "warp loads", "barriers", "atomic additions", "partial sums",
                     "launches"], list(lines.values()))


def section(path, record):
    source = f"[{path.name}](../records/lineage/{path.name}), onepass {record['onepass']} at {record['commit']}, {record['date'][:10]}."
    source += "".join(f" Note: {remark}." for remark in record["remarks"])
    if record["backend"] == "sim":
        points = [point for point in record["points"] if point["type"] == "s"]
        return "\n\n".join(["**The simulator**, single precision, counted by warps", counted_table(points), source])
    parts = [f"**{record['machine']['device']}**, {record['cache']}"]
    for (routine, op), product in PRODUCTS.items():
        for type_, precision in TYPES.items():
            points = [p for p in record["points"] if (p["routine"], p["op"], p["type"]) == (routine, op, type_)]
            if points:
                parts += [f"{product}, {precision} precision:", timed_table(points)]
    return "\n\n".join([*parts, source])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2],
                        help="folder with docs/lineage.md and records/lineage/; default: this repository")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if the file is not up to date")
    options = parser.parse_args()
    records = [(path, json.loads(path.read_text(encoding="utf-8")))
               for path in (options.root / "records" / "lineage").glob("*.json")]
    records.sort(key=lambda pair: (["cuda", "sim"].index(pair[1]["backend"]), pair[0].name))
    document = options.root / "docs" / "lineage.md"
    before = document.read_text(encoding="utf-8")
    after = replace_block(document, before, "lineage", "\n\n".join(section(*pair) for pair in records))
    if options.check:
        sys.exit(f"not up to date, run `make figures`: {document}" if after != before else 0)
    document.write_text(after, encoding="utf-8")
    print(f"lineage: {len(records)} records")


if __name__ == "__main__":
    main()

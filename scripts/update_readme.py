#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the figures of README.md and docs/figures/ from the records in records/; --check only looks whether they are."""
import argparse
import math
import pathlib
import re
import sys

from readme_picture import draw
from readme_table import table
from record import Record

BEGIN, END = "<!-- figures:begin -->", "<!-- figures:end -->"
NO_RECORD = "`records/` holds no record yet. `make run` measures the machine it runs on."


def mean(values):
    """The geometric mean; "-" of nothing."""
    values = [value for value in values if value]
    return f"{math.exp(sum(map(math.log, values)) / len(values)):.2f}" if values else "-"


def markdown(head, rows):
    """A table whose first column is words and whose others are figures, but for those under "at"."""
    rule = ["---" if i == 0 or word == "at" else "---:" for i, word in enumerate(head)]
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "|" + "|".join(rule) + "|", *lines[1:]])


def kind(row):
    words = [row.point["type"], row.op, row.point["cache"]]
    if "threads" in row.point:
        words.append(f"{row.point['threads']} thread" + ("s" if row.point["threads"] > 1 else ""))
    return " ".join(words)


def summary_of_shapes(rows):
    """A line for each type, op, cache and number of threads: geometric means, and the shape with the lowest ratio."""
    kinds = {}
    for row in rows:
        kinds.setdefault(kind(row), []).append(row)
    lines = []
    for name, group in kinds.items():
        compared = [row for row in group if row.ratio]
        worst = min(compared, key=lambda row: row.ratio, default=None)
        lines.append([name, len(group), mean(row.own.efficiency for row in group),
                      mean(row.peer.efficiency for row in compared), mean(row.ratio for row in compared),
                      f"{worst.ratio:.2f}" if worst else "-", f"{worst.point['m']}x{worst.point['n']}" if worst else "-"])
    return markdown(["type, op, cache", "shapes", "efficiency", "best peer's", "time of best peer / time", "lowest", "at"],
                    lines)


def summary_of_record(data):
    """The summary that `onepass bench` ended with."""
    groups = data["summary"]
    providers = [name for name in data["providers"] if any(name in group["efficiency"] for group in groups)]

    def number(value):
        return "-" if value is None else f"{value:.2f}"

    def worst(value):
        return ["-", "-"] if value is None else [f"{value['value']:.2f}", value["at"]]

    rows = [[group["group"], group["points"], *(number(group["efficiency"].get(name)) for name in providers),
             number(group["large_efficiency"]), *worst(group["worst_efficiency"]), number(group["ratio"]),
             *worst(group["worst_ratio"]), group["slower"]] for group in groups]
    return markdown(["efficiency, geometric means", "points", *providers, "Onepass over 64 MB", "lowest", "at",
                     "time of best peer / time", "lowest", "at", "below 0.97"], rows)


def pictures(path):
    """File name -> SVG: one picture for each type and op. A sweep or a set of batches is too long for bars."""
    record = Record(path)
    if record.selection in ("sweep", "batched"):
        return {}
    return {f"{path.stem}-{type_}-{op}.svg": draw(record, record.rows_of(type_, op)) for type_, op in record.kinds()}


def section(path, names):
    """What README says of one record. The pictures of its first type are shown, at most two, and the others linked."""
    record = Record(path)
    shown = [name for name in names if name.startswith(f"{path.stem}-{record.rows[0].point['type']}-")][:2]
    of_shapes = record.selection in ("standard", "quick")
    parts = [f"**{record.data['machine']['device']}**, backend `{record.data['backend']}`"
             + ("" if of_shapes else f", `onepass bench {record.rows[0].routine} --{record.selection}`"),
             summary_of_shapes(record.rows) if of_shapes else summary_of_record(record.data),
             f"Geometric means over the shapes of [{path.name}](records/{path.name}): {record.source}. Efficiency is the "
             "measured time floor over the time taken; 1 is the limit of the memory."]
    parts += [f"![Efficiency of Onepass and its best peer by shape](docs/figures/{name})" for name in shown]
    others = [f"[{name[len(path.stem) + 1:-4].replace('-', ' ')}](docs/figures/{name})" for name in names if name not in shown]
    if others:
        parts.append("Other types and ops: " + ", ".join(others) + ".")
    if of_shapes:
        parts += ["<details><summary>Every shape</summary>", table(record), "</details>"]
    return "\n\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1],
                        help="folder with README.md and records/; default: this repository")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a file is not up to date")
    options = parser.parse_args()

    # The GPU first, and of it the mesh.
    def place(path):
        record = Record(path)
        return record.data["backend"] != "cuda", record.selection != "mesh", path.name

    # A record of ceilings alone has nothing to show here.
    records = sorted((path for path in (options.root / "records").glob("*.json") if Record(path).rows), key=place)
    drawn = {path: pictures(path) for path in records}
    block = "\n\n".join([BEGIN, *(section(path, list(drawn[path])) for path in records), *([] if records else [NO_RECORD]), END])

    readme = options.root / "README.md"
    before = readme.read_text(encoding="utf-8")
    if before.count(BEGIN) != 1 or before.count(END) != 1:
        sys.exit(f"{readme} must have one {BEGIN} and one {END}")
    wanted = {readme: re.sub(f"{BEGIN}.*{END}", lambda _: block, before, flags=re.DOTALL)}
    figures = options.root / "docs" / "figures"
    wanted |= {figures / name: text for made in drawn.values() for name, text in made.items()}
    present = {readme, *figures.glob("*.svg")}
    stale = [path for path in sorted(present | set(wanted))
             if path not in wanted or path not in present or path.read_text(encoding="utf-8") != wanted[path]]
    if options.check:
        sys.exit("not up to date, run `make figures`: " + ", ".join(str(p) for p in stale) if stale else 0)
    for path in stale:
        if path not in wanted:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
    print(f"figures: {len(records)} records, {len(stale)} files changed")


if __name__ == "__main__":
    main()

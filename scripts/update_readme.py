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


def kind(row):
    words = [row.point["type"], row.point["op"], row.point["cache"]]
    if "threads" in row.point:
        words.append(f"{row.point['threads']} thread" + ("s" if row.point["threads"] > 1 else ""))
    return " ".join(words)


def summary(rows):
    """A line for each type, op, cache and number of threads: geometric means, and the shape with the lowest ratio."""
    kinds = {}
    for row in rows:
        kinds.setdefault(kind(row), []).append(row)
    lines = ["| type, op, cache | shapes | efficiency | best peer's | time of best peer / time | lowest | at |",
             "|---|---:|---:|---:|---:|---:|---|"]
    for name, group in kinds.items():
        compared = [row for row in group if row.ratio]
        worst = min(compared, key=lambda row: row.ratio, default=None)
        cells = [name, len(group), mean(row.own["efficiency"] for row in group),
                 mean(row.peer["efficiency"] for row in compared), mean(row.ratio for row in compared),
                 f"{worst.ratio:.2f}" if worst else "-", f"{worst.point['m']}x{worst.point['n']}" if worst else "-"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def pictures(path):
    """File name -> SVG: one picture for each type and op."""
    found = {}
    for type_, op in dict.fromkeys((row.point["type"], row.point["op"]) for row in Record(path).rows):
        record = Record(path)
        record.rows = [row for row in record.rows if (row.point["type"], row.point["op"]) == (type_, op)]
        found[f"{path.stem}-{type_}-{op}.svg"] = draw(record)
    return found


def section(path, names):
    """What README says of one record. The pictures of its first type are shown, the others linked."""
    record = Record(path)
    shown = [name for name in names if name.startswith(f"{path.stem}-{record.rows[0].point['type']}-")]
    parts = [f"**{record.data['machine']['device']}**, backend `{record.data['backend']}`", summary(record.rows),
             f"Geometric means over the shapes of [{path.name}](records/{path.name}): {record.source}. Efficiency is the "
             "measured time floor over the time taken; 1 is the limit of the memory."]
    parts += [f"![Efficiency of Onepass and its best peer by shape](docs/figures/{name})" for name in shown]
    others = [f"[{name[len(path.stem) + 1:-4].replace('-', ' ')}](docs/figures/{name})" for name in names if name not in shown]
    if others:
        parts.append("Other types: " + ", ".join(others) + ".")
    parts += ["<details><summary>Every shape</summary>", table(record), "</details>"]
    return "\n\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1],
                        help="folder with README.md and records/; default: this repository")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a file is not up to date")
    options = parser.parse_args()

    # The GPU first.
    records = sorted((options.root / "records").glob("*.json"), key=lambda p: (Record(p).data["backend"] != "cuda", p.name))
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

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the picture of README.md, docs/figures.md and docs/figures/ from the records in records/; --check only looks whether
they are."""
import argparse
import pathlib
import sys

import figures_page
from document_block import replace_block
from record import Record

FIRST = {"random": 0, "mesh": 1}
DOTS = ("Each dot is a shape, a type and an op that nobody chose, timed beside its peers: the shortest time in which its bytes can be read over the "
        "time taken. ")
NO_RECORD = "`records/` holds no record yet. `make run` measures the machine it runs on."


def alt(name):
    return "Speed-up over the best peer by type, op and shape" if name.endswith("-speed-up.svg") else "Efficiency of Onepass and its best peer"


def setting(record):
    """In which setting the calls of a GPU were timed."""
    settings = {row.timed.split()[1] for row in record.rows if " " in row.timed}
    return {"queue": ", calls in a queue", "alone": ", another kernel between any two calls"}.get("".join(settings), "")


def sentence(record, alone=None):
    """What README says of its picture; `alone`: a record with another kernel between any two calls."""
    points, efficiency, _, ratio, _ = figures_page.figures_of(record.rows)[0]
    peer = "in the geometric mean" if ratio == "-" else f"and is {ratio} times as fast as the best peer, in geometric means"
    text = DOTS if record.selection == "random" else ""
    text += (f"On {record.device}, over the {points} point{'s' if points > 1 else ''} of `{figures_page.command_of(record)}`{setting(record)}, Onepass reaches "
            f"{efficiency} of what the memory allows{',' if ratio == '-' else ''} {peer}")
    if alone:
        points, efficiency, _, ratio, _ = figures_page.figures_of(alone.rows)[0]
        text += (f"; over the {points} point{'s' if points > 1 else ''} of `{figures_page.command_of(alone)} --cache alone`, where another kernel lies between any "
                 f"two calls, it is {efficiency} and {ratio} times. What the memory allows is the time of a launch that only reads; in a queue the next call begins "
                 "while one ends, so that small ones pass it")
    return text + "; [all figures](docs/figures.md)."


def block_of(records, drawn):
    """One picture, the first of the first record that has any, and one sentence."""
    for path, record in records:
        if drawn[path]:
            name = drawn[path][0]
            alone = path.parent / "alone" / path.name
            return "\n\n".join([f"![{alt(name)}](docs/figures/{name})", sentence(record, Record(alone) if alone.exists() else None)])
    return NO_RECORD


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2],
                        help="folder with README.md and records/; default: this repository")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a file is not up to date")
    options = parser.parse_args()

    # The GPU first, and of it random shapes, then the mesh; a record of ceilings alone has nothing to show here.
    records = [(path, Record(path)) for path in (options.root / "records").glob("*.json")]
    records = sorted(((path, record) for path, record in records if record.rows),
                     key=lambda pair: (pair[1].data["backend"] != "cuda", pair[1].device, FIRST.get(pair[1].selection, len(FIRST)), pair[0].name))
    drawn = {path: figures_page.pictures(path.stem, record) for path, record in records}
    names = {path: list(made) for path, made in drawn.items()}

    readme, figures = options.root / "README.md", options.root / "docs" / "figures"
    before = readme.read_text(encoding="utf-8")
    wanted = {readme: replace_block(readme, before, "figures", block_of(records, names))}
    if records:
        wanted[options.root / "docs" / "figures.md"] = figures_page.page(records, names)
    wanted |= {figures / name: text for made in drawn.values() for name, text in made.items()}
    present = {path for path in (readme, options.root / "docs" / "figures.md", *figures.glob("*.svg")) if path.exists()}
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

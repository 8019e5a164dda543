#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of docs/drop-in.md about programs from records of llama_step.py, conjugate_gradient.py, drop_in_solvers.py
and torch_install.py in records/drop-in/; --check only looks whether they are."""
import argparse
import json
import pathlib
import sys

from document_block import replace_block

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "measure"))
from conjugate_gradient import WAYS as PRODUCTS  # noqa: E402
from llama_step import WAYS as LAYERS  # noqa: E402
from markdown_table import markdown, times_as_fast  # noqa: E402


def cells(point, clock, names):
    """The times of all ways, with how many times as fast as without Onepass."""
    plain, found = point["ways"]["plain"], point["ways"]
    return [f"{found[way][clock]:.4g}" + ("" if way in ("plain", "rest") else f" ({plain[clock] / found[way][clock]:.2f}x)")
            if clock in found.get(way, ()) else "-" for way in names]


def names_of(record, known):
    """The ways that some point has, in their order."""
    return {way: name for way, name in known.items() if any(way in point["ways"] for point in record["points"])}


def cells_at_floor(point):
    """A step whose linear layers take as long as reading their weights, each launch alone (docs/benchmarking.md), and all else what it
    takes; only of graphs, where the host does not count."""
    rest = point["ways"].get("rest")
    if rest is None:
        return None
    products = 7 * point["layers"] + 1
    at_floor = rest["graph"] + 1.45e-3 * products + point["weight_bytes"] / 4.6e9
    return f"{point['size']} {at_floor:.4g} ({point['ways']['plain']['graph'] / at_floor:.2f}x)"


def llama_step(record):
    names = names_of(record, LAYERS)
    lines = [[f"{point['size']}, {point['layers']} layers, {point['weight_bytes'] / 1e9:.1f} GB of weights, {clock}",
              *cells(point, clock, names)] for point in record["points"] for clock in ("graph", "eager")]
    taken = ", ".join(f"{count} of `{name}`" for name, count in record["taken"].items())
    past = f"a static cache of {record['past']} positions" if record["past"] else "no past"
    limits = list(filter(None, map(cells_at_floor, record["points"])))
    limit = f" With every product at the floor of its weights' bytes, alone, and the rest as it is: {', '.join(limits)}." if limits else ""
    return markdown(["ms of a step", *names.values()], lines), f"With {past}. Taken: {taken}.{limit}"


def conjugate_gradient(record):
    names, libraries = names_of(record, PRODUCTS), {"torch": "PyTorch", "cupy": "CuPy"}
    lines = [[f"{libraries[point['library']]} {point['type']} n = {point['n']}, {clock}", *cells(point, clock, names)]
             for point in record["points"] for clock in ("graph", "eager") if clock in point["ways"]["plain"]]
    return markdown(["us of a step", *names.values()], lines), ""


def torch_install(record):
    table = times_as_fast("times as fast", record["points"], lambda point: f"{point['batch']} of {point['n']}")
    return table, f"Largest residual {max(point['residual'] for point in record['points']):.1f} n eps."


def solvers(record):
    points = sorted(record["points"], key=lambda point: point["n"])

    def passed(side):
        return f"{side['passed']} of {side['passed'] + len(side['failed'])}"
    cases = "; ".join(f"{library}: {passed(sides['plain'])} without Onepass, {passed(sides['onepass'])} with it"
                      for library, sides in record["cases"].items())
    return times_as_fast("times as fast, n =", points, lambda point: point["n"]), f"Cases that pass: {cases}."


TABLES = {"llama-step": llama_step, "conjugate-gradient": conjugate_gradient, "drop-in-solvers": solvers,
          "torch-install": torch_install}


def block(name, records):
    parts = []
    for path, record in records:
        if record.get("selection") != name:
            continue
        table, note = TABLES[name](record)
        machine = ", ".join(f"{fact} {value}" if fact != "device" else value for fact, value in record["machine"].items())
        source = f"[{path.name}](../records/drop-in/{path.name}): {machine}; onepass at {record['commit']}, {record['date'][:10]}. {note}"
        parts += [table, source.strip() + ("" if record["complete"] else " A partial run: its time was up.")]
    return "\n\n".join(parts or ["There is no record yet."])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2],
                        help="folder with docs/drop-in.md and records/drop-in/; default: this repository")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if the file is not up to date")
    options = parser.parse_args()
    records = [(path, json.loads(path.read_text(encoding="utf-8")))
               for path in sorted((options.root / "records" / "drop-in").glob("*.json"))]
    document = options.root / "docs" / "drop-in.md"
    before = after = document.read_text(encoding="utf-8")
    for name in TABLES:
        after = replace_block(document, after, name, block(name, records))
    if options.check:
        sys.exit(f"not up to date, run `make figures`: {document}" if after != before else 0)
    document.write_text(after, encoding="utf-8")
    print(f"drop-in: {sum(record.get('selection') in TABLES for _, record in records)} records")


if __name__ == "__main__":
    main()

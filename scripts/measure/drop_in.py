#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures what libonepass_cublas.so does for scripts that know nothing of it: torch.mv, torch.nn.functional.linear of one
row and cupy.dot, with and without LD_PRELOAD. Needs a GPU, PyTorch and, for its part, CuPy. Two processes take turns at each
point, one of them with the library preloaded; a third with ONEPASS_INTERPOSE=log shows which calls Onepass takes."""
import datetime
import sys
import time

from drop_in_program import finish, options_of, parser_of, some_of
from drop_in_table import CLOCKS, FUNCTIONS, MOST_BYTES, SIZES, median, points, table
from side_by_side import Process, progress, read_log
from written_record import ROOT, commit, write

WORKER = ROOT / "scripts" / "measure" / "drop_in_worker.py"
LIBRARY = ROOT / "build" / "default" / "src" / "interop" / "cublas" / "libonepass_cublas.so"


def label(point):
    return f"{point['function']} {point['type']} {point['m']}x{point['n']}"


def show_served(process, chosen, start):
    """Which calls a process with the log takes: one call at each point."""
    for done, point in enumerate(chosen, 1):
        process.ask(do="prepare", point=point)
        progress(done, len(chosen), f"calls for the log: {label(point)}", start)
    return read_log(process.end())


def measure(point, sides, rounds):
    """All rounds of a point, the processes in turn."""
    found = {side: process.ask(do="prepare", point=point) for side, process in sides.items()}
    samples = {side: {} for side in sides}
    for _ in range(rounds):
        for side, process in sides.items():
            for clock, values in process.ask(do="measure", function=point["function"]).items():
                samples[side].setdefault(clock, []).extend(values)
    counts = {key: found["plain"][key] for key in ("calls", "matrices")}
    return point | counts | {side: {clock: round(median(values), 3) for clock, values in samples[side].items()} |
                             {"error": round(found[side]["error"], 4)} for side in sides}


def run(options):
    start = time.monotonic()
    print("starting three processes with PyTorch", file=sys.stderr)
    sides = {"plain": Process("without Onepass", None, "", WORKER), "onepass": Process("with Onepass", options.library, "on", WORKER)}
    logging = Process("with the log", options.library, "log", WORKER)
    processes = [*sides.values(), logging]
    for process in processes:
        process.send(do="start", pool_bytes=2 * MOST_BYTES)
    first = [process.answer() for process in processes][0]
    functions = [f for f in options.functions if f != "cupy.dot" or not first["why_no_cupy"]]
    if functions != options.functions:
        print(f"no CuPy: {first['why_no_cupy']}; for CUDA 13, pip install cupy-cuda13x", file=sys.stderr)
    chosen = points(functions, options.types)
    if not chosen:
        sys.exit("nothing to measure: choose other --functions or --types")
    taken, passed_on = show_served(logging, chosen, start)
    graph = sides["onepass"].ask(do="replay")["graph"]
    measured = []
    for done, point in enumerate(chosen, 1):
        if time.monotonic() - start > options.limit:
            break
        measured.append(measure(point, sides, options.rounds))
        one, other = (measured[-1][side]["queued"] for side in ("plain", "onepass"))
        progress(done, len(chosen), f"{label(point)}, {one:.2f} us before, {other:.2f} us with Onepass", start)
    for process in sides.values():
        process.end()
    if not measured:
        sys.exit(f"the limit of {options.limit} s was up before the first point: raise --limit")
    return {"selection": "drop-in", "complete": len(measured) == len(chosen), "commit": commit(),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "machine": first["machine"],
            "clocks": CLOCKS, "units": "us per call, medians; error: over its bound", "rounds": options.rounds,
            "seconds": round(time.monotonic() - start), "calls": len(chosen), "taken": taken, "passed_on": passed_on,
            "graph": graph, "points": measured}


def why_wrong(record):
    """What is wrong with the results of a record; None if nothing is."""
    if not record["taken"]:
        return "Onepass took no call: can the library be loaded?"
    if record["graph"].startswith("WRONG"):
        return f"a graph of PyTorch: {record['graph']}"
    # A result that is not a number has no error that could be compared.
    wrong = [label(point) for point in record["points"] if not point["onepass"]["error"] <= 1]
    return f"wrong results at {len(wrong)} points, the first at {wrong[0]}" if wrong else None


def arguments(words=None):
    parser = parser_of(__doc__, LIBRARY, list(SIZES))
    parser.add_argument("--functions", type=some_of(list(FUNCTIONS)), default=list(FUNCTIONS),
                        help=f"some of {','.join(FUNCTIONS)}")
    return options_of(parser, words)


def main():
    options = arguments()
    finish(run(options), options.json, write, table, why_wrong)


if __name__ == "__main__":
    main()

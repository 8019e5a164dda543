#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures what Onepass does for a program: steps of conjugate gradients in PyTorch and CuPy, whose one product with the matrix is
among dot products and updates of vectors. As they are, with libonepass_cublas.so preloaded, with that product by Onepass, and with
it by onepass.symv, which reads one triangle. Needs a GPU, PyTorch and, for its part, CuPy; under a minute."""
import datetime
import importlib.util
import sys
import time

from drop_in_program import finish, options_of, parser_of
from drop_in_table import median
from side_by_side import progress, read_log, start_program
from written_record import ROOT, commit, write

WORKER = ROOT / "scripts" / "measure" / "conjugate_gradient_worker.py"
LIBRARY = ROOT / "build" / "default" / "src" / "interop" / "cublas" / "libonepass_cublas.so"
TYPES = ["fp32", "fp64"]
ORDERS = [1024, 4096, 8192]
WAYS = {"plain": "as it is", "interposed": "libonepass_cublas.so preloaded", "ops": "onepass.torch.mv, onepass.gemv", "symv": "onepass.symv"}


def points(libraries, types):
    return [{"library": library, "type": type_, "n": n} for library in libraries for type_ in types for n in ORDERS]


def label(point):
    return f"{point['library']} {point['type']} n = {point['n']}"


def measure(point, sides, rounds):
    residuals = {way: process.ask(do="prepare", point=point)["residual"] for way, process in sides.items()}
    samples = {way: {} for way in sides}
    for _ in range(rounds):
        for way, process in sides.items():
            for clock, us in process.ask(do="measure").items():
                samples[way].setdefault(clock, []).append(us)
    return point | {"ways": {way: {clock: round(median(values), 3) for clock, values in samples[way].items()} |
                             {"residual": residuals[way]} for way in sides}}


def run(options):
    start = time.monotonic()
    sides, first = start_program(WAYS, options.library, WORKER)
    libraries = ["torch"] if first["why_no_cupy"] else ["torch", "cupy"]
    if first["why_no_cupy"]:
        print(f"no CuPy: {first['why_no_cupy']}; for CUDA 13, pip install cupy-cuda13x", file=sys.stderr)
    chosen, measured = points(libraries, options.types), []
    for done, point in enumerate(chosen, 1):
        if time.monotonic() - start > options.limit:
            break
        measured.append(measure(point, sides, options.rounds))
        clock = "graph" if point["library"] == "torch" else "eager"
        times = ", ".join(f"{way} {found[clock]:.1f}" for way, found in measured[-1]["ways"].items())
        progress(done, len(chosen), f"{label(point)}: {times} us", start)
    logs = {way: process.end() for way, process in sides.items()}
    taken, passed_on = read_log(logs["interposed"])
    if not measured:
        sys.exit(f"the limit of {options.limit} s was up before the first point: raise --limit")
    return {"selection": "conjugate-gradient", "complete": len(measured) == len(chosen), "commit": commit(),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "machine": first["machine"],
            "units": "us of a step, medians", "rounds": options.rounds, "seconds": round(time.monotonic() - start), "taken": taken,
            "passed_on": passed_on, "points": measured}


def table(record):
    """The record as text: us of a step, and how many times faster than without Onepass."""
    lines = [f"{'us of a step':28}" + "".join(f"{WAYS[way]:>34}" for way in record["points"][0]["ways"])]
    for point in record["points"]:
        for clock in [clock for clock in ("graph", "eager") if clock in point["ways"]["plain"]]:
            cells = [f"{found[clock]:10.2f} ({point['ways']['plain'][clock] / found[clock]:4.2f}x)" for found in point["ways"].values()]
            lines.append(f"{label(point) + ', ' + clock:28}" + "".join(f"{cell:>34}" for cell in cells))
    lines += ["", *(f"taken: {name}, {count}" for name, count in record["taken"].items()),
              *(f"passed on: {name}, {count}" for name, count in record["passed_on"].items())]
    if not record["complete"]:
        lines.append("a partial run: its time was up")
    machine = ", ".join(f"{name} {value}" if name != "device" else value for name, value in record["machine"].items())
    return "\n".join([*lines, f"{machine}; onepass at {record['commit']}, {record['date'][:10]}"])


def why_wrong(record):
    """What is wrong with a record; None if nothing is. After 20 steps all have about the same residual."""
    if not record["taken"]:
        return "Onepass took no call: can the library be loaded?"
    wrong = [f"{way}, {label(point)}" for point in record["points"] for way, found in point["ways"].items()
             if not found["residual"] <= 2 * point["ways"]["plain"]["residual"] + 1e-12]
    return f"the residual is larger than without Onepass: {wrong[0]}" if wrong else None


def arguments(words=None):
    parser = parser_of(__doc__, LIBRARY, TYPES)
    options = options_of(parser, words)
    if importlib.util.find_spec("torch") is None:
        parser.error("torch cannot be imported: this script needs a GPU and PyTorch")
    return options


def main():
    options = arguments()
    finish(run(options), options.json, write, table, why_wrong)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs torch.linalg and cupy.linalg with and without libonepass_cusolver.so preloaded: what their documentations promise of
eigh, eigvalsh and svd, case by case, and how long these take. Needs a GPU, PyTorch and, for its part, CuPy. Two processes
take turns at each point; a third with ONEPASS_INTERPOSE=log shows which calls Onepass takes."""
import datetime
import sys
import time

from drop_in_program import finish, options_of, parser_of
from drop_in_table import geomean, median
from side_by_side import Process, progress, read_log
from written_record import ROOT, commit, write

WORKER = ROOT / "scripts" / "measure" / "drop_in_solvers_worker.py"
LIBRARY = ROOT / "build" / "default" / "src" / "interop" / "cusolver" / "libonepass_cusolver.so"
TYPES = ["fp32", "fp64", "c64", "c128"]
SIZES = {"eigh": [64, 128, 256, 512, 1024, 2048, 4096], "eigvalsh": [64, 128, 256, 512, 1024, 2048, 4096],
         "svd": [64, 128, 256, 512, 1024]}


def points(libraries, types):
    """Small ones first, so that a run whose time is up has all of them at some sizes."""
    found = [{"function": f"{library}.{function}", "type": type_, "n": n}
             for library in libraries for function, sizes in SIZES.items() for type_ in types for n in sizes]
    return sorted(found, key=lambda point: point["n"])


def label(point):
    return f"{point['function']} {point['type']} {point['n']}"


def run_cases(libraries, sides, start):
    """By library and side: how many passed, and what failed."""
    found = {}
    for library in libraries:
        found[library] = {side: process.ask(do="cases", library=library) for side, process in sides.items()}
        counts = ", ".join(f"{answer['passed']} passed and {len(answer['failed'])} failed {side}"
                           for side, answer in found[library].items())
        print(f"{time.monotonic() - start:4.0f} s: cases of {library}: {counts}", file=sys.stderr)
    return found


def measure(point, sides, rounds):
    results = {side: process.ask(do="prepare", point=point)["result"] for side, process in sides.items()}
    samples = {side: [] for side in sides}
    for _ in range(rounds):
        for side, process in sides.items():
            samples[side].append(process.ask(do="measure")["ms"])
    return point | {side: {"ms": round(median(samples[side]), 4), "result": results[side]} for side in sides}


def run(options):
    start = time.monotonic()
    print("starting three processes with PyTorch", file=sys.stderr)
    sides = {"plain": Process("without Onepass", None, "", WORKER), "onepass": Process("with Onepass", options.library, "on", WORKER)}
    logging = Process("with the log", options.library, "log", WORKER)
    processes = [*sides.values(), logging]
    for process in processes:
        process.send(do="start")
    first = [process.answer() for process in processes][0]
    libraries = ["torch"] if first["why_no_cupy"] else ["torch", "cupy"]
    if first["why_no_cupy"]:
        print(f"no CuPy: {first['why_no_cupy']}; for CUDA 13, pip install cupy-cuda13x", file=sys.stderr)
    chosen = points(libraries, options.types)
    for point in chosen:
        if point["n"] == chosen[0]["n"]:
            logging.ask(do="prepare", point=point)
    taken, passed_on = read_log(logging.end())
    cases = run_cases(libraries, sides, start)
    measured = []
    for done, point in enumerate(chosen, 1):
        if time.monotonic() - start > options.limit:
            break
        measured.append(measure(point, sides, options.rounds))
        one, other = (measured[-1][side]["ms"] for side in ("plain", "onepass"))
        progress(done, len(chosen), f"{label(point)}, {one:.2f} ms before, {other:.2f} ms with Onepass", start)
    for process in sides.values():
        process.end()
    return {"selection": "drop-in-solvers", "complete": len(measured) == len(chosen), "commit": commit(),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "machine": first["machine"],
            "units": "ms per call with the wait for its end, medians", "rounds": options.rounds,
            "seconds": round(time.monotonic() - start), "taken": taken, "passed_on": passed_on, "cases": cases,
            "points": measured}


def why_wrong(record):
    """What is wrong with a record; None if nothing is. A case that fails on both sides is no fault of Onepass's."""
    if not record["taken"]:
        return "Onepass took no call: can the libraries be loaded?"
    for library, sides in record["cases"].items():
        if worse := sorted(set(sides["onepass"]["failed"]) - set(sides["plain"]["failed"])):
            return f"{len(worse)} cases of {library} fail with Onepass alone, the first: {worse[0]}"
    wrong = [label(point) for point in record["points"] if point["onepass"]["result"].startswith("WRONG")]
    return f"wrong results at {len(wrong)} points, the first at {wrong[0]}" if wrong else None


def table(record):
    """The record as text: times without Onepass over those with it."""
    lines = [f"cases of {library}: " + "; ".join(f"{s['passed']} of {s['passed'] + len(s['failed'])} {side}" for side, s in sides.items())
             for library, sides in record["cases"].items()]
    sizes = sorted({point["n"] for point in record["points"]})
    lines += ["", f"{'speed-up at n =':22}" + "".join(f"{n:>8}" for n in sizes) + f"{'mean':>8}"]
    groups = {}
    for point in record["points"]:
        groups.setdefault((point["function"], point["type"]), {})[point["n"]] = point["plain"]["ms"] / point["onepass"]["ms"]
    for (function, type_), ratios in sorted(groups.items()):
        cells = [f"{ratios[n]:8.2f}" if n in ratios else f"{'-':>8}" for n in sizes]
        lines.append(f"{function + ' ' + type_:22}{''.join(cells)}{geomean(list(ratios.values())):8.2f}")
    lines += ["", *(f"taken: {name}, {count}" for name, count in record["taken"].items()),
              *(f"passed on: {name}, {count}" for name, count in record["passed_on"].items())]
    if not record["complete"]:
        lines.append("a partial run: its time was up")
    machine = ", ".join(f"{name} {value}" if name != "device" else value for name, value in record["machine"].items())
    return "\n".join([*lines, "", f"{machine}; onepass at {record['commit']}, {record['date'][:10]}"])


def arguments(words=None):
    return options_of(parser_of(__doc__, LIBRARY, TYPES), words)


def main():
    options = arguments()
    finish(run(options), options.json, write, table, why_wrong)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures what Onepass does for a program: a decoding step of transformers' Llama at batch 1 in bfloat16, random weights, in a
CUDA graph and without one. As it is, with libonepass_cublas.so preloaded, with its linear layers by onepass.torch, with those merged
that have one input, with norms, rotary and SwiGLU in one launch each, with the weights to come asked into the L2 meanwhile, and
without its linear layers, which is what no product can make faster. Needs a GPU, PyTorch and transformers; about a minute."""
import datetime
import importlib.util
import sys
import time

from drop_in_program import finish, options_of, parser_of, some_of
from drop_in_table import median
from side_by_side import progress, read_log, start_program
from written_record import ROOT, commit, write

WORKER = ROOT / "scripts" / "measure" / "llama_step_worker.py"
LIBRARY = ROOT / "build" / "default" / "src" / "interop" / "cublas" / "libonepass_cublas.so"
SIZES = ["1B-like", "8B-like", "70B-like"]
WAYS = {"plain": "PyTorch as it is", "interposed": "libonepass_cublas.so preloaded", "ops": "onepass.torch.linear",
        "merged": "and layers merged, residuals added in place", "fused": "and onepass.torch.rms_norm, rotary, swiglu",
        "prefetch": "and onepass.torch.prefetch", "rest": "without the linear layers"}
REPLAYS, STEPS = 20, 5


def difference(one, other):
    """Of two lists of logits, over the size of the first."""
    size = sum(a * a for a in one) ** 0.5
    return sum((a - b) ** 2 for a, b in zip(one, other)) ** 0.5 / size


def ask_all(sides, failed, **request):
    """The answers of all processes. One that ended is left out from now on, and its last words are kept; not so the plain one."""
    answers = {}
    for way, process in list(sides.items()):
        try:
            answers[way] = process.ask(**request)
        except SystemExit as words:
            if way == "plain":
                raise
            failed[way] = str(words)
            del sides[way]
    return answers


def measure(size, sides, failed, rounds):
    found = ask_all(sides, failed, do="prepare", size=size)
    samples = {way: {"graph": [], "eager": []} for way in sides}
    for _ in range(rounds):
        for way, times in ask_all(sides, failed, do="measure", replays=REPLAYS, steps=STEPS).items():
            for clock, ms in times.items():
                samples[way][clock].append(ms)
    first = found["plain"]
    return {"size": size, "layers": first["layers"], "weight_bytes": first["weight_bytes"],
            "ways": {way: {clock: round(median(values), 4) for clock, values in samples[way].items()} |
                     {"difference": round(difference(first["logits"], found[way]["logits"]), 5) if way != "rest" else 0}
                     for way in sides}}


def run(options):
    start = time.monotonic()
    ways = {way: WAYS[way] for way in options.ways}
    sides, first = start_program(ways, options.library, WORKER, device="cuda", past=options.past)
    measured, failed = [], {}
    for done, size in enumerate(options.sizes, 1):
        if time.monotonic() - start > options.limit:
            break
        measured.append(measure(size, sides, failed, options.rounds))
        times = ", ".join(f"{way} {found['graph']:.3f}" for way, found in measured[-1]["ways"].items())
        progress(done, len(options.sizes), f"{size}, ms in a graph: {times}", start)
        print(file=sys.stderr)
    logs = {way: process.end() for way, process in sides.items()}
    taken, passed_on = read_log(logs.get("interposed", ""))
    return {"selection": "llama-step", "complete": len(measured) == len(options.sizes), "commit": commit(),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "machine": first["machine"],
            "units": "ms of a step, medians; difference: of the logits, relative to those of PyTorch", "past": options.past,
            "rounds": options.rounds, "seconds": round(time.monotonic() - start), "taken": taken, "passed_on": passed_on,
            "failed": failed, "points": measured}


def table(record):
    """The record as text: ms of a step, and how many times faster than without Onepass."""
    lines = [f"{'ms of a step':48}" + "".join(f"{point['size'] + ', ' + clock:>24}" for point in record["points"]
                                              for clock in ("graph", "eager"))]
    for way in WAYS:
        cells = [f"{p['ways'][way][clock]:10.3f} ({p['ways']['plain'][clock] / p['ways'][way][clock]:4.2f}x)" if way in p["ways"] else "-"
                 for p in record["points"] for clock in ("graph", "eager")]
        lines.append(f"{WAYS[way]:48}" + "".join(f"{cell:>24}" for cell in cells))
    lines += ["", *(f"taken: {name}, {count}" for name, count in record["taken"].items()),
              *(f"passed on: {name}, {count}" for name, count in record["passed_on"].items())]
    worst = max(found["difference"] for point in record["points"] for found in point["ways"].values())
    lines.append(f"largest difference of the logits: {worst:.1e}")
    if not record["complete"]:
        lines.append("a partial run: its time was up")
    machine = ", ".join(f"{name} {value}" if name != "device" else value for name, value in record["machine"].items())
    return "\n".join([*lines, f"{machine}; onepass at {record['commit']}, {record['date'][:10]}"])


def why_wrong(record):
    """What is wrong with a record; None if nothing is. Sums in another order, rounded to bfloat16 between the layers."""
    if record["failed"]:
        return "; ".join(f"{way} failed: {words}" for way, words in record["failed"].items())
    if "interposed" in record["points"][0]["ways"] and not record["taken"]:
        return "Onepass took no call: can the library be loaded?"
    wrong = [f"{way} at {point['size']}" for point in record["points"] for way, found in point["ways"].items()
             if not found["difference"] < 0.1]
    return f"the logits differ by more than bfloat16 explains: {', '.join(wrong)}" if wrong else None


def arguments(words=None):
    parser = parser_of(__doc__, LIBRARY, None)
    parser.add_argument("--sizes", type=some_of(SIZES), default=SIZES, help=f"some of {','.join(SIZES)}")
    parser.add_argument("--ways", type=some_of(list(WAYS)), default=list(WAYS), help=f"some of {','.join(WAYS)}; plain is always there")
    parser.add_argument("--past", type=int, default=256, help="positions of the static cache; 0: a first token (default: %(default)s)")
    options = options_of(parser, words)
    options.ways = ["plain", *(way for way in options.ways if way != "plain")]
    if missing := [name for name in ("torch", "transformers") if importlib.util.find_spec(name) is None]:
        parser.error(f"{' and '.join(missing)} cannot be imported: this script needs a GPU, PyTorch and transformers")
    return options


def main():
    options = arguments()
    finish(run(options), options.json, write, table, why_wrong)


if __name__ == "__main__":
    main()

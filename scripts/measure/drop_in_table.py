#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The points of a record of drop_in.py, and its table: speed-ups per function and type, the worst point, calls served."""
import argparse
import json
import math
import sys

SIZES = {"fp32": 4, "fp64": 8, "bf16": 2, "fp16": 2}
FUNCTIONS = {"torch.mv": list(SIZES), "linear": list(SIZES), "cupy.dot": ["fp32", "fp64"]}
CLOCKS = {"queued": "in a queue", "graph": "in a graph", "host": "host"}
MOST_BYTES = 2.2e9  # of a matrix

# Outputs x inputs of the layers of transformers: those of `onepass bench --inference`.
LAYERS = [(2048, 2048), (1024, 4096), (8192, 2048), (2048, 8192), (1024, 8192), (4096, 4096), (6144, 4096), (14336, 4096),
          (4096, 14336), (28672, 4096), (5120, 5120), (25600, 5120), (2048, 7168), (7168, 2048), (18432, 7168), (8192, 8192),
          (28672, 8192), (8192, 28672), (32000, 4096), (151936, 2048), (128256, 4096)]
# The diagonal of `onepass bench --mesh`: mostly odd sizes.
DIAGONAL = [(n, n) for n in (round(16 * 65536 ** (i / 23)) for i in range(24))]


def points(functions, types):
    """What is measured: each function in each of its types at all shapes whose matrix is not too large."""
    return [{"function": function, "type": type_, "m": m, "n": n, "of": of}
            for function in functions for type_ in FUNCTIONS[function] if type_ in types
            for of, shapes in (("layers", LAYERS), ("diagonal", DIAGONAL))
            for m, n in shapes if m * n * SIZES[type_] <= MOST_BYTES]


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def median(values):
    return sorted(values)[len(values) // 2]


def ratio(point, clock):
    """How many times faster the point is with Onepass; None where a side has no such figure."""
    one, other = (point[side].get(clock) for side in ("plain", "onepass"))
    return one / other if one and other else None


def row(name, group):
    words = [f"{name:14}", f"{len(group):6}"]
    for clock in ("queued", "graph"):
        ratios = [(r, f"{p['m']}x{p['n']}") for p in group if (r := ratio(p, clock))]
        worst, shape = min(ratios, default=(None, ""))
        mean = f"{geomean([r for r, _ in ratios]):8.2f} {worst:6.2f}" if ratios else f"{'-':>8} {'-':>6}"
        words.append(f"{mean} {shape:13}")
    words.append("{:6.1f} {:6.1f}".format(*(median([p[side]["host"] for p in group]) for side in ("plain", "onepass"))))
    return " ".join(words)


def table(record):
    """The record as text; every figure of time is that without Onepass over that with it."""
    groups = {}
    for point in record["points"]:
        groups.setdefault((point["function"], point["type"]), []).append(point)
    lines = [f"{'':14} {'':6} {'speed-up in a queue':>29} {'speed-up in a graph':>29} {'host, us':>13}",
             f"{'':14} points" + 2 * f" {'mean':>8} {'worst':>6} {'at':13}" + f" {'before':>6} {'with':>6}"]
    lines += [row(f"{function} {type_}", group) for (function, type_), group in groups.items()]
    lines += [row(f"all {type_}", same) for type_ in SIZES if (same := [p for p in record["points"] if p["type"] == type_])]
    errors = {side: max(p[side]["error"] for p in record["points"]) for side in ("plain", "onepass")}
    lines += ["", f"largest error over its bound: {errors['plain']:.2g} before, {errors['onepass']:.2g} with Onepass",
              f"calls that Onepass took: {sum(record['taken'].values())} of {record['calls']}"]
    lines += [f"  {name} {count}" for name, count in record["taken"].items()]
    lines += [f"  passed on: {name}, {count}" for name, count in record["passed_on"].items()]
    lines.append(f"a graph captured by PyTorch: {record['graph']}")
    if not record["complete"]:
        lines.append("a partial run: its time was up")
    machine = ", ".join(f"{name} {value}" if name != "device" else value for name, value in record["machine"].items())
    return "\n".join([*lines, "", f"{machine}; onepass at {record['commit']}, {record['date'][:10]}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", help="file that `drop_in.py --json` wrote")
    with open(parser.parse_args().record, encoding="utf-8") as file:
        record = json.load(file)
    if record.get("selection") != "drop-in" or not record.get("points"):
        sys.exit("this is no record of drop_in.py, or it has no points: write one with `scripts/measure/drop_in.py --json FILE`")
    print(table(record))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes src/interop/cublas/reached.inc from the records of an H200: by kind of product, type and size, what Onepass and
cuBLAS reach of the floor, of single products alone, as programs call them; --check only looks whether it is that."""
import argparse
import json
import math
import pathlib
import sys

from record import Record

SHAPES = ("wide", "square", "tall")
KINDS = (*(f"{first} {shape}" for first in ("aligned", "N", "T") for shape in SHAPES), "batch", "triangle")
TYPES = "sdczhb"
SIZES = dict(zip(TYPES, (4, 8, 8, 16, 2, 2)))
BORDERS = (1e6, 1e7, 6.4e7)  # bytes
RECORDS = ("alone/h200-mesh", "h200-gemv", "h200-batched", "h200-symv", "h200-hemv", "drop-in/h200")


def shape_of(rows, cols):
    """Of a matrix as it lies in memory."""
    return SHAPES[0 if 8 * rows < cols else 2 if rows > 8 * cols else 1]


def kinds(row):
    point = row.point
    if row.routine != "gemv":
        return ["triangle"]
    if "batch" in point:
        return ["batch"]
    shape = shape_of(point["m"], point["n"])
    in_words = point["m"] * SIZES[point["type"]] % 16 == 0
    return [f"{'N' if row.op == 'N' else 'T'} {shape}"] + ([f"aligned {shape}"] if in_words else [])


def points_of_bench(path):
    """Kind, type, bytes, microseconds of Onepass and of cuBLAS as a program has it, without atomics."""
    for row in Record(path).rows:
        peers = [peer.us for peer in row.peers if "atomics" not in peer.name]
        if peers and row.point["type"] in TYPES:
            for kind in kinds(row):
                yield kind, row.point["type"], row.point["bytes"], row.own.us, min(peers)


def points_of_layers(path):
    """Likewise of the layers that scripts/measure/drop_in.py timed: matrices as programs have them."""
    types = {"fp32": "s", "fp64": "d", "bf16": "b", "fp16": "h"}
    for point in json.loads(path.read_text())["points"]:
        if point["of"] == "layers":
            type_ = types[point["type"]]
            bytes_ = (point["m"] * point["n"] + point["m"] + point["n"]) * SIZES[type_]
            yield f"aligned {shape_of(point['n'], point['m'])}", type_, bytes_, point["onepass"]["queued"], point["plain"]["queued"]


def floor(bytes_):
    return max(1.1, 0.9 + bytes_ / 4.65e6)


def percent(values):
    return round(100 * math.exp(sum(map(math.log, values)) / len(values)))


def text_of(points):
    groups = {}
    for what, type_, bytes_, own, peer in points:
        size = sum(bytes_ >= border for border in BORDERS)
        groups.setdefault((what, type_, size), []).append((floor(bytes_) / own, floor(bytes_) / peer))

    def cell(*key):
        found = groups.get(key, [])
        return f"{{{percent([own for own, _ in found])}, {percent([peer for _, peer in found])}}}" if found else "{0, 0}"

    lines = ["// SPDX-FileCopyrightText: 2026 The Onepass authors", "// SPDX-License-Identifier: BSD-3-Clause",
             "// Made by scripts/figures/update_estimates.py from records of an H200 (" + ", ".join(name.removeprefix("h200-") for name in RECORDS) + "):",
             "// percent of the floor that Onepass and cuBLAS reach, in the geometric mean. For each kind the types " + " ".join(TYPES) + ";",
             "// for each type problems below 1, 10 and 64 MB and above; zeros: not measured."]
    for k in KINDS:
        lines += [f"// {k}", "{{"]
        lines += ["    {{" + ", ".join(cell(k, t, size) for size in range(len(BORDERS) + 1)) + "}}," for t in TYPES]
        lines.append("}},")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if the file is not up to date")
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    points = []
    for name in RECORDS:
        read = points_of_layers if name.startswith("drop-in") else points_of_bench
        points += read(root / "records" / f"{name}.json")
    text = text_of(points)
    path = root / "src" / "interop" / "cublas" / "reached.inc"
    if options.check:
        if not path.exists() or path.read_text() != text:
            sys.exit(f"{path.name} is not up to date: run `make figures`")
    else:
        path.write_text(text)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Times torch.linalg.eigh, eigvalsh, svd and svdvals of batches on a GPU before and after onepass.torch.install(), in turns in one
process, and looks at what both return. Exit code 1 if a result of Onepass is wrong. Needs a GPU and PyTorch; the package finds
its libraries by ONEPASS_LIBRARY and ONEPASS_LAPACK_LIBRARY."""
import argparse
import datetime
import statistics
import sys
import time

import torch
from drop_in_program import some_of
from markdown_table import times_as_fast
from written_record import commit, write

import onepass.torch

TYPES = {"fp32": torch.float32, "fp64": torch.float64, "c64": torch.complex64, "c128": torch.complex128}
SHAPES = [(8, 16384), (16, 8192), (32, 4096), (64, 1024), (128, 256), (256, 64)]
FUNCTIONS = {"eigh": torch.linalg.eigh, "eigvalsh": torch.linalg.eigvalsh, "svd": torch.linalg.svd,
             "svdvals": torch.linalg.svdvals}
LIMIT = 30  # of residuals, in n eps
LONG = 0.3  # seconds of a call that need not be repeated


def residual(function, a, found):
    """The largest of the batch: of the equation, or of singular values, whose squares have the sum of those of the elements."""
    unit = a.shape[-1] * torch.finfo(a.dtype).eps / 2
    norm = torch.linalg.vector_norm(a, dim=(-2, -1))
    if function == "eigh":
        values, vectors = found
        rest = a @ vectors - vectors * values[..., None, :].to(a.dtype)
    elif function == "svd":
        rest = a @ found.Vh.mH - found.U * found.S[..., None, :].to(a.dtype)
    else:
        return float((torch.linalg.vector_norm(found, dim=-1) / norm - 1).abs().max()) / unit
    return float((torch.linalg.vector_norm(rest, dim=(-2, -1)) / norm).max()) / unit


def seconds(call, a):
    torch.cuda.synchronize()
    start = time.perf_counter()
    found = call(a)
    torch.cuda.synchronize()
    return time.perf_counter() - start, found


def measure(function, type_, n, count, rounds):
    a = torch.randn(count, n, n, dtype=TYPES[type_], device="cuda")
    a = a + a.mH if function.startswith("eig") else a
    times, call, right = {"plain": [], "onepass": []}, FUNCTIONS[function], 0.0
    call(a[:2])  # loads libraries, which would be a part of a long first call
    for turn in range(rounds + 1):
        for side, samples in times.items():
            if side == "plain" and any(took > LONG for took in samples):
                continue
            if side == "onepass":
                onepass.torch.install()
            try:
                took, found = seconds(call, a)
            finally:
                onepass.torch.uninstall()
            if turn or took > LONG:  # the first call loads kernels
                samples.append(took)
            if side == "onepass" and not turn:
                right = residual(function, a, found)
    ms = {side: round(1e3 * statistics.median(all_), 4) for side, all_ in times.items()}
    return {"function": f"torch.linalg.{function}", "type": type_, "n": n, "batch": count, "residual": round(right, 2),
            "plain": {"ms": ms["plain"]}, "onepass": {"ms": ms["onepass"]}}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="write the record there")
    parser.add_argument("--rounds", type=int, default=3, help="calls of each side at a point (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=60, help="seconds after which no point is begun (default: %(default)s)")
    parser.add_argument("--functions", type=some_of(FUNCTIONS), default=list(FUNCTIONS), help=f"some of {','.join(FUNCTIONS)}")
    parser.add_argument("--types", type=some_of(TYPES), default=list(TYPES), help=f"some of {','.join(TYPES)}")
    options = parser.parse_args()
    start, points, complete = time.monotonic(), [], True
    for n, count in SHAPES:
        for function in options.functions:
            for type_ in options.types:
                if time.monotonic() - start > options.limit:
                    complete = False
                    break
                points.append(measure(function, type_, n, count, options.rounds))
                point = points[-1]
                print(f"{time.monotonic() - start:4.0f} s: {function} {type_} {count} of {n}: {point['plain']['ms']} and "
                      f"{point['onepass']['ms']} ms", file=sys.stderr)
    record = {"selection": "torch-install", "commit": commit(), "date": datetime.datetime.now(datetime.timezone.utc).isoformat(),
              "complete": complete, "machine": {"device": torch.cuda.get_device_name(), "PyTorch": torch.__version__},
              "points": points}
    if options.json:
        write(record, options.json)
    print(times_as_fast("times as fast", record["points"], lambda point: f"{point['batch']} of {point['n']}"))
    if wrong := [point for point in points if not point["residual"] < LIMIT]:
        sys.exit(f"{len(wrong)} results are wrong, the first: {wrong[0]}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Residuals of the factorisations of onepass.linalg on a GPU, of every order from 1 to 200 and of large ones around the borders
of plans, and whether repeated runs beside other work on the GPU have the same bits. PyTorch multiplies the factors, in double
precision whatever the type: what takes the host minutes takes it milliseconds. Exit code 1 if a residual is 30 or more."""
import argparse
import datetime
import json
import pathlib
import sys
import time

import torch
from written_record import commit

from onepass import linalg

TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
BORDERS = [255, 256, 257, 511, 513, 700, 1023, 1025, 1153, 1300, 1537, 2047, 2049, 2305, 4095, 4097, 5631, 5633, 8192, 8200, 12289]
LIMIT = 30


def wide(a):
    return a.to(torch.complex128 if a.is_complex() else torch.float64)


def random(type_, m, n, hermitian):
    generator = torch.Generator("cuda").manual_seed(m * 10007 + n)
    a = torch.randn(m, n, dtype=TYPES[type_], device="cuda", generator=generator)
    return (a + a.mH) / 2 if hermitian else a


def banded(d, e, upper=True, lower=True):
    """A bidiagonal or tridiagonal matrix."""
    found = torch.diag(wide(d))
    if e.numel() and upper:
        found += torch.diag(wide(e), 1)
    if e.numel() and lower:
        found += torch.diag(wide(e), -1)
    return found


def tridiagonal(a, lower):
    d, e, q = linalg.tridiagonalize(a, lower=lower)
    return [q, banded(d, e), q.mH], (d, e, q)


def bidiagonal(a):
    q, d, e, ph = linalg.bidiagonalize(a)
    is_tall = a.shape[0] >= a.shape[1]
    return [q, banded(d, e, upper=is_tall, lower=not is_tall), ph], (q, d, e, ph)


def hessenberg(a):
    h, q = linalg.hessenberg(a)
    return [q, h, q.mH], (h, q)


def eigh(a):
    w, v = linalg.eigh(a)
    return [v, torch.diag(wide(w)), v.mH], (w, v)


def svd(a):
    u, s, vh = linalg.svd(a, full_matrices=False)
    return [u, torch.diag(wide(s)), vh], (u, s, vh)


def qr(a):
    q, r = linalg.qr(a)
    return [q, r], (q, r)


# Name: the function, whether its matrix is Hermitian, which of its factors are unitary, columns for n rows.
KINDS = {
    "sytrd L": (lambda a: tridiagonal(a, True), True, (0,), lambda n: n),
    "sytrd U": (lambda a: tridiagonal(a, False), True, (0,), lambda n: n),
    "gebrd": (bidiagonal, False, (0, 2), lambda n: n),
    "gebrd tall": (bidiagonal, False, (0, 2), lambda n: n - n // 3),
    "gebrd wide": (bidiagonal, False, (0, 2), lambda n: n + n // 3),
    "gehrd": (hessenberg, False, (0,), lambda n: n),
    "syevd": (eigh, True, (0,), lambda n: n),
    "gesvd": (svd, False, (0, 2), lambda n: n),
    "gesvd tall": (svd, False, (0, 2), lambda n: n - n // 3),
    "geqrf": (qr, False, (0,), lambda n: n),
}


def norm(a):
    return torch.linalg.matrix_norm(a, 1).item()


def residual(kind, type_, n):
    """The largest of |A - product of the factors| / (|A| n eps) and |I - Q^H Q| / (n eps)."""
    function, hermitian, unitary, columns = KINDS[kind]
    a = random(type_, n, columns(n), hermitian)
    factors, _ = function(a)
    factors = [f.to(wide(a).dtype) for f in factors]
    unit = max(a.shape) * torch.finfo(TYPES[type_]).eps / 2
    product = factors[0]
    for factor in factors[1:]:
        product = product @ factor
    worst = norm(wide(a) - product) / (norm(wide(a)) * unit)
    for q in (factors[i] for i in unitary):
        gram = q.mH @ q if q.shape[0] >= q.shape[1] else q @ q.mH
        worst = max(worst, norm(gram - torch.eye(gram.shape[0], dtype=q.dtype, device="cuda")) / unit)
    return worst if worst == worst else float("inf")


def repeats(kind, type_, n, times):
    """How many of some runs have other bits than the first, another stream being busy with products."""
    function, hermitian, _, columns = KINDS[kind]
    a = random(type_, n, columns(n), hermitian)
    _, first = function(a)
    busy, other = torch.randn(2048, 2048, device="cuda"), torch.cuda.Stream()
    different = 0
    for run in range(times):
        with torch.cuda.stream(other):
            for _ in range(1 + run % 7):
                torch.mm(busy, busy)
        _, again = function(a)
        different += not all(torch.equal(x, y) for x, y in zip(first, again))
    torch.cuda.synchronize()
    return different


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--type", default="s,d,c,z", help="list of s d c z")
    parser.add_argument("--kind", default=",".join(KINDS), help=f"list of {', '.join(KINDS)}")
    parser.add_argument("--up-to", type=int, default=200, help="every order from 1 to this")
    parser.add_argument("--max-size", type=int, default=8200, help="of the large orders")
    parser.add_argument("--repeat", type=int, default=20, help="runs whose bits are compared")
    parser.add_argument("--json", type=pathlib.Path, help="write a record")
    options = parser.parse_args()
    start, failed, worst, bits = time.monotonic(), 0, [], []
    orders = list(range(1, options.up_to + 1)) + [n for n in BORDERS if options.up_to < n <= options.max_size]
    for kind in options.kind.split(","):
        for type_ in options.type.split(","):
            found = {n: residual(kind, type_, n) for n in orders}
            for n, value in found.items():
                if value >= LIMIT:
                    print(f"{kind} {type_} n = {n}: residual {value:.3g}, must be below {LIMIT}")
                    failed += 1
            at = max(found, key=found.get)
            worst.append({"kind": kind, "type": type_, "orders": len(orders), "largest_order": orders[-1],
                          "worst": round(found[at], 3), "at": at})
            sizes = [n for n in (100, 700, 2200) if n <= options.max_size]
            different = {n: repeats(kind, type_, n, options.repeat) for n in sizes}
            failed += sum(different.values())
            bits.append({"kind": kind, "type": type_, "orders": sizes, "runs": options.repeat, "different": sum(different.values())})
            print(f"{time.monotonic() - start:4.0f} s: {kind} {type_}: worst {found[at]:.2f} at {at} of {len(orders)} orders; "
                  f"{sum(different.values())} of {options.repeat * len(sizes)} repeats differ", flush=True)
            if options.json:  # as far as it is, since the whole takes minutes
                options.json.parent.mkdir(parents=True, exist_ok=True)
                record = {"what": "residuals", "device": torch.cuda.get_device_name(), "date": datetime.date.today().isoformat(),
                          "commit": commit(), "limit": LIMIT, "residuals": worst, "repeats": bits}
                options.json.write_text(json.dumps(record, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

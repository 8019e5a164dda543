#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks every matrix of large batches on a GPU: 10^6 of 1 to 64 rows and 10^4 of 65 to 512 for each type, their eigenproblems and,
up to 256 rows, their singular value decompositions. One in two is random; the others have clusters, repeated eigenvalues, rank one,
zeros, a diagonal alone or a scale near the end of the range, and one has a NaN, which its info must say while its neighbours are
right. A second call has some of the matrices in another order and count and must give the same bits. Eigenvalues and singular values
alone must be those that were found with eigenvectors. PyTorch multiplies, in double precision. Exit code 1 if one fails."""
import argparse
import datetime
import json
import pathlib
import sys
import time

import torch
from written_record import commit
from residuals import LIMIT, TYPES, wide

from onepass import lapack

MOST_SVD = 256  # rows of batches of singular values
KINDS = 8  # of special matrices; as many random ones lie between them


def batch(type_, n, count, generator):
    """Hermitian matrices, the NaN in the middle of the last triangle element of the last one."""
    dtype = TYPES[type_]
    real = torch.finfo(dtype)
    a = torch.randn(count, n, n, dtype=dtype, device="cuda", generator=generator)
    a = a + a.mH
    q = torch.linalg.qr(torch.randn(n, n, dtype=dtype, device="cuda", generator=generator)).Q
    x = torch.randn(n, 1, dtype=dtype, device="cuda", generator=generator)
    step = torch.arange(n, device="cuda")
    clusters = torch.where(step % 2 == 0, 1.0, 1.0 + 1e-15 * step.double()).to(dtype)
    repeated = (step // 3).to(dtype)
    special = [q @ torch.diag(clusters) @ q.mH, q @ torch.diag(repeated) @ q.mH, x @ x.mH, torch.zeros_like(q),
               torch.diag(repeated.flip(0)), a[0] * (real.max**0.5), a[0] * (real.tiny**0.75), torch.eye(n, dtype=dtype, device="cuda")]
    for i, matrix in enumerate(special):
        a[2 * i + 1::2 * KINDS] = (matrix + matrix.mH) / 2
    a[-1, n - 1, n // 2] = float("nan")
    return a


def alone(a, n):
    """What is found without vectors; of Hermitian matrices singular values are the magnitudes of eigenvalues."""
    yield "eigenvalues", lapack.syevd(a, vectors=False).w
    if n <= MOST_SVD:
        yield "singular values", lapack.gesvd(torch.tril(a) + torch.tril(a, -1).mH, "N").s


def largest_residual(type_, n, matrices, left, values, right):
    """Of |A X - Y diag(w)| / (|A| n eps), |I - X^H X| / (n eps) and |I - Y^H Y| / (n eps), with the X on the right and the Y on the
    left, over all matrices, some of them at a time."""
    unit, step = n * torch.finfo(TYPES[type_]).eps / 2, max(1, 2**26 // (n * n))
    worst = torch.zeros((), dtype=torch.float64, device="cuda")
    for first in range(0, len(matrices), step):
        some = slice(first, first + step)
        matrix, x, y = wide(matrices[some]), wide(right[some]), wide(left[some])
        scale = torch.linalg.matrix_norm(matrix, 1)
        scale = torch.where(scale == 0, 1.0, scale)
        off = matrix / scale[:, None, None] @ x - y * (wide(values[some]) / scale[:, None])[:, None, :]
        one = torch.eye(n, dtype=x.dtype, device="cuda")
        for wrong in (off, x.mH @ x - one) + (() if left is right else (y.mH @ y - one,)):
            largest = torch.linalg.matrix_norm(wrong, 1).amax() / unit
            worst = torch.where(torch.isnan(largest), float("inf"), torch.maximum(worst, largest))
    return worst.item()


def wrong_info(info):
    if not info[:-1].any() and info[-1]:
        return []
    return [f"info is not 0 of {int((info[:-1] != 0).sum())} matrices, and {int(info[-1])} of that with a NaN"]


def check_svd(type_, n, a, generator):
    """Likewise of singular value decompositions; every fourth matrix is not Hermitian."""
    full = torch.tril(a) + torch.tril(a, -1).mH
    full[0:-1:4] = torch.randn(full[0:-1:4].shape, dtype=full.dtype, device="cuda", generator=generator)
    s, u, vt, info = lapack.gesvd(full)
    said = [f"gesvd: {text}" for text in wrong_info(info)]
    if (s[:-1, 1:] > s[:-1, :-1]).any():
        said.append("singular values are not descending")
    return largest_residual(type_, n, full[:-1], u[:-1], s[:-1], vt[:-1].mH), said


def check(type_, n, count, generator):
    """The worst residual, and what failed beside residuals."""
    a = batch(type_, n, count, generator)
    w, v, info = lapack.syevd(a)
    said = wrong_info(info)
    good, w, v = a[:-1], w[:-1], v[:-1]
    if (w[:, 1:] < w[:, :-1]).any():
        said.append("eigenvalues are not ascending")
    worst = largest_residual(type_, n, good, v, w, v)
    unit, scale = n * torch.finfo(TYPES[type_]).eps / 2, torch.linalg.matrix_norm(wide(good), 1)
    for name, found in alone(a, n):
        expected = wide(w) if name == "eigenvalues" else wide(w).abs().sort(descending=True).values
        largest = ((wide(found[:-1]) - expected).abs().amax(1) / torch.where(scale == 0, 1.0, scale)).amax() / unit
        if not largest < LIMIT:
            said.append(f"{name} alone differ by {largest:.3g}, must be below {LIMIT}")
        if not torch.isnan(found[-1]).all():
            said.append(f"{name} alone of the matrix with a NaN are not NaN")
    order = torch.randperm(count - 1, device="cuda", generator=generator)[:max(1, count // 3)]
    w_again, v_again, _ = lapack.syevd(good[order])
    if not (torch.equal(w_again, w[order]) and torch.equal(v_again, v[order])):
        said.append("another place in another batch gives other bits")
    if n <= MOST_SVD:
        worst_svd, said_svd = check_svd(type_, n, a, generator)
        worst, said = max(worst, worst_svd), said + said_svd
    return worst, said


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--type", default="s,d,c,z", help="list of s d c z")
    parser.add_argument("--small", type=int, default=10**6, help="matrices of 1 to 64 rows")
    parser.add_argument("--large", type=int, default=10**4, help="matrices of 65 to 512 rows")
    parser.add_argument("--json", type=pathlib.Path, help="write a record")
    options = parser.parse_args()
    start, failed, rows = time.monotonic(), 0, []
    for type_ in options.type.split(","):
        generator = torch.Generator("cuda").manual_seed(7)
        for name, orders, matrices in (("1..64", range(1, 65), options.small), ("65..512", range(65, 513), options.large)):
            count = max(2 * KINDS + 1, -(-matrices // len(orders)) + 1)
            worst, at = 0.0, 0
            for n in orders:
                found, said = check(type_, n, count, generator)
                if found >= LIMIT:
                    said.append(f"residual {found:.3g}, must be below {LIMIT}")
                for text in said:
                    print(f"{type_} n = {n}: {text}")
                failed += len(said)
                if found > worst:
                    worst, at = found, n
            rows.append({"type": type_, "orders": name, "matrices": len(orders) * (count - 1), "worst": round(worst, 3), "at": at})
            print(f"{time.monotonic() - start:4.0f} s: {type_} {name}: {rows[-1]['matrices']} matrices, worst {worst:.2f} at {at}",
                  flush=True)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        record = {"what": "residuals of batches", "device": torch.cuda.get_device_name(), "failed": failed,
                  "date": datetime.date.today().isoformat(), "commit": commit(), "limit": LIMIT, "residuals": rows}
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

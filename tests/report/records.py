# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Small records with figures that a test can compute in its head, and the page that is made of them."""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))


def point(type_, op, m, n, own, peer, **more):
    """Microseconds of Onepass and of cuBLAS over a floor of one."""
    return {"type": type_, "op": op, "m": m, "n": n, "cache": "cold", "level": "memory", "bytes": 4 * m * n, "floor": 1.0,
            "plan": f"gemv_{'n' if m > n else 't'} threads {256 if m > 16 else 128} lanes 32 splits 1",
            "times": {"Onepass": [own, own, 0.01, 5], "cuBLAS": [peer, peer, 0.01, 5]}} | more


def record(selection, points, **more):
    return {"onepass": "0.0.0", "commit": "abc", "compiler": "a compiler", "date": "2000-01-01T00:00:00Z", "backend": "cuda",
            "selection": selection, "complete": True, "machine": {"device": "A Device"}, "providers": ["Onepass", "cuBLAS"],
            "remarks": [], "ceilings": [{"name": "read bandwidth, memory", "value": 4000.0, "unit": "GB/s"}], "points": points,
            "summary": []} | more


SIZES = (16, 64, 256)


def mesh():
    """Efficiency 1 / (1 + row), half of that for the peer; of s N and of d T."""
    return record("mesh", [point(t, op, m, n, 1.0 + i, 2.0 + 2 * i) for t, op in (("s", "N"), ("d", "T"))
                           for i, m in enumerate(SIZES) for n in SIZES], remarks=["it was <hot>"])


def sweep():
    points = [point("s", "N", n, n, 2.0 if n == 80 else 1.0, 3.0) for n in range(16, 160)]
    return record("sweep", points, dips=[{"group": "s N cold", "sizes": 16, "dips": [[80, 2.0]]}])


def batched():
    return record("batched", [point("s", "N", m, m, 1.5, 3.0, batch=b) for m in (4, 8) for b in (1, 16)])


def inference():
    return record("inference", [point("b", "N", 4096, n, 2.0, 3.0, layout="row") for n in (2048, 4096)])


def reduction(routine="sytrd", columns=("type", "n", "median ms", "least ms", "byte floor ms", "peer median ms"),
              rows=(("d", 100, 0.2, 0.1, 0.05, 0.4), ("d", 1000, 3.0, 2.9, 1.0, 6.0))):
    """Without a column m, as the first records of reductions were: 2 and 3 us a column, twice that for the peer."""
    return {"onepass": "0.0.0", "commit": "abc", "compiler": "a compiler", "date": "2000-01-01T00:00:00Z", "backend": "cuda",
            "routine": routine, "machine": {"device": "A Device", "CUDA": "13.0"}, "peer": "cuSOLVER", "columns": columns, "rows": rows}


def bidiagonal():
    """With m, a matrix that is not square, and no peer."""
    columns = ("type", "m", "n", "median ms", "least ms", "byte floor ms", "peer median ms")
    return reduction("gebrd", columns, [("d", n, n, n / 100, n / 100, 0, 0) for n in (64, 256)] + [("d", 900, 30, 0.6, 0.6, 0, 0)]) | {"peer": ""}


def write(folder):
    """The records as files of a folder."""
    paths = []
    for name, data in (("mesh", mesh()), ("sweep", sweep()), ("batched", batched()), ("inference", inference()),
                       ("sytrd", reduction()), ("gebrd", bidiagonal())):
        paths.append(pathlib.Path(folder) / f"{name}.json")
        paths[-1].write_text(json.dumps(data))
    return paths


def make_page(*arguments):
    return subprocess.run([sys.executable, "-B", "-m", "onepass.report", *map(str, arguments)], capture_output=True, text=True,
                          check=False, env={**os.environ, "PYTHONPATH": str(ROOT / "python")})

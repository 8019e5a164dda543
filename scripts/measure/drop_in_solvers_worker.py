# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The measuring side of drop_in_solvers.py: a process with or without the preloaded library. It knows nothing of
Onepass. A time is that of a call and of waiting for the device: these functions wait themselves, to see whether the iteration
converged."""
import time

import drop_in_solvers_cases as cases
import numpy
import torch
from side_by_side import serve
from torch_and_cupy import cupy, facts, require_gpu


class Torch:
    options_of_svd = ({}, {"driver": "gesvd"}, {"driver": "gesvdj"})

    @staticmethod
    def put(a):
        return torch.from_numpy(numpy.ascontiguousarray(a)).cuda()

    @staticmethod
    def get(a):
        return a.cpu().numpy()

    @staticmethod
    def eigh(a, uplo):
        return torch.linalg.eigh(a, UPLO=uplo)

    @staticmethod
    def eigvalsh(a, uplo):
        return torch.linalg.eigvalsh(a, UPLO=uplo)

    @staticmethod
    def svd(a, full, driver=None):
        return torch.linalg.svd(a, full_matrices=full, driver=driver)

    @staticmethod
    def svdvals(a):
        return torch.linalg.svdvals(a)

    @staticmethod
    def wait():
        torch.cuda.synchronize()

    def own_cases(self):
        yield "eigh into out=", self.into_out
        yield "eigh of a matrix with gaps", self.with_gaps
        yield "eigvalsh has gradients", self.gradients
        yield "eigh on a stream of the program", self.on_a_stream

    def into_out(self):
        a = cases.hermitian((90, 90), "fp64")
        w, v = torch.empty(90, dtype=torch.float64, device="cuda"), torch.empty(90, 90, dtype=torch.float64, device="cuda")
        torch.linalg.eigh(self.put(a), out=(w, v))
        cases.check_eigh(a, self.get(w), self.get(v))

    def with_gaps(self):
        a = cases.hermitian((180, 180), "fp64")
        w, v = torch.linalg.eigh(self.put(a)[::2, ::2])
        cases.check_eigh(a[::2, ::2], self.get(w), self.get(v))

    def gradients(self):
        """The sum of the eigenvalues is the trace."""
        a = self.put(cases.hermitian((60, 60), "fp64")).requires_grad_()
        torch.linalg.eigvalsh(a).sum().backward()
        cases.require(abs(self.get(a.grad) - numpy.eye(60)) <= 1e-12, "the gradient")

    def on_a_stream(self):
        a = cases.hermitian((300, 300), "fp64")
        given, stream = self.put(a), torch.cuda.Stream()
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            w, v = torch.linalg.eigh(given)
        stream.synchronize()
        cases.check_eigh(a, self.get(w), self.get(v))


class Cupy:
    options_of_svd = ({},)

    @staticmethod
    def put(a):
        return cupy.asarray(a)

    @staticmethod
    def get(a):
        return cupy.asnumpy(a)

    @staticmethod
    def eigh(a, uplo):
        return cupy.linalg.eigh(a, UPLO=uplo)

    @staticmethod
    def eigvalsh(a, uplo):
        return cupy.linalg.eigvalsh(a, UPLO=uplo)

    @staticmethod
    def svd(a, full):
        return cupy.linalg.svd(a, full_matrices=full)

    @staticmethod
    def svdvals(a):
        return cupy.linalg.svd(a, compute_uv=False)

    @staticmethod
    def wait():
        cupy.cuda.Device().synchronize()

    @staticmethod
    def own_cases():
        return ()


def libraries():
    return {"torch": Torch()} | ({"cupy": Cupy()} if cupy else {})


# Of torch, svd by the driver that calls cusolverDn..gesvd.
CALLS = {"eigh": lambda library, a: library.eigh(a, "L"), "eigvalsh": lambda library, a: library.eigvalsh(a, "L"),
         "svd": lambda library, a: library.svd(a, False, **({"driver": "gesvd"} if isinstance(library, Torch) else {}))}


class Point:
    """A function of a library at a size: one call, and whether its result is right."""

    def __init__(self, point):
        name, function = point["function"].split(".")
        self.library, self.call = libraries()[name], CALLS[function]
        n, type_ = point["n"], point["type"]
        a = cases.random((n, n), type_) if function == "svd" else cases.hermitian((n, n), type_)
        self.given = self.library.put(a)
        result = self.call(self.library, self.given)
        parts = [self.library.get(part) for part in (result if isinstance(result, (tuple, list)) else [result])]
        self.right = "all right"
        try:
            if function == "eigh":
                cases.check_eigh(a, *parts)
            elif function == "svd":
                cases.check_svd(a, *parts, full=False)
            else:
                cases.require(abs(parts[0].sum() - numpy.trace(a).real) <= cases.tolerance(a, parts[0].dtype) * n**0.5, "the trace")
        except AssertionError as error:
            self.right = f"WRONG: {error}"

    def measure(self):
        self.library.wait()
        start = time.perf_counter()
        self.call(self.library, self.given)
        self.library.wait()
        return (time.perf_counter() - start) * 1e3


class Worker:
    facts = staticmethod(facts)

    def __init__(self):
        self.point = None

    @staticmethod
    def cases(library):
        return cases.run(libraries()[library])

    def prepare(self, point):
        self.point = None  # its memory is free before the next one asks for some
        self.point = Point(point)
        return {"result": self.point.right}

    def measure(self):
        return {"ms": self.point.measure()}


def main():
    require_gpu()
    serve(Worker)


if __name__ == "__main__":
    main()

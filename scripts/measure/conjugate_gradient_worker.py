# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The measuring side of conjugate_gradient.py: a process that makes steps of conjugate gradients with PyTorch or CuPy. `way` is
"plain", which is also what a preloaded library meets: the product of the matrix is the library's own; or "ops": it is that of
onepass.torch.mv or onepass.gemv; or "symv": onepass.symv, of one triangle."""
import time

import torch
from side_by_side import serve
from torch_and_cupy import cupy, facts, require_gpu

TYPES = {"fp32": torch.float32, "fp64": torch.float64}
STEPS = 20  # of a sample


def product_of(way, library):
    """p -> A p"""
    if way == "plain":
        return lambda a, p: a @ p
    import onepass
    import onepass.torch
    if way == "symv":
        return onepass.symv
    return onepass.torch.mv if library == "torch" else onepass.gemv


def iterate(a, b, product, dot):
    """x after some steps towards A x = b, and the square of the residual. Nothing of it comes to the host."""
    x, r, p = b * 0, b * 1, b * 1
    rr = dot(r, r)
    for _ in range(STEPS):
        ap = product(a, p)
        alpha = rr / dot(p, ap)
        x = x + alpha * p
        r = r - alpha * ap
        before, rr = rr, dot(r, r)
        p = r + (rr / before) * p
    return x, rr


class Worker:
    facts = staticmethod(facts)

    def __init__(self, way):
        self.way = way
        self.run = self.graph = self.library = None

    def prepare(self, point):
        """A symmetric A with a diagonal that dominates, the same in every process; how far A x is from b after the steps."""
        self.run = self.graph = None
        self.library, n = point["library"], point["n"]
        generator = torch.Generator("cuda").manual_seed(1)
        a = torch.randn(n, n, dtype=TYPES[point["type"]], device="cuda", generator=generator) / n ** 0.5
        a = a + a.T + 6 * torch.eye(n, dtype=a.dtype, device="cuda")
        b = torch.randn(n, dtype=a.dtype, device="cuda", generator=generator)
        product = product_of(self.way, self.library)
        if self.library == "torch":
            self.run = lambda: iterate(a, b, product, torch.dot)
        else:
            of_a, of_b = cupy.asarray(a), cupy.asarray(b)
            self.run = lambda: iterate(of_a, of_b, product, cupy.dot)
        x = torch.as_tensor(self.run()[0], device="cuda")
        error = (a.double() * x.double()).sum(1) - b.double()  # element by element: no call of cuBLAS
        torch.cuda.synchronize()
        return {"residual": (error.norm() / b.double().norm()).item()}

    def capture(self):
        side = torch.cuda.Stream()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.stream(side):
            self.run()
            torch.cuda.synchronize()
            graph.capture_begin()
            self.kept = self.run()
            graph.capture_end()
        return graph

    @staticmethod
    def us_of(run, samples):
        """The least of some: what else runs on the host can only make it longer."""
        found = []
        for _ in range(samples):
            torch.cuda.synchronize()
            start = time.perf_counter()
            run()
            torch.cuda.synchronize()
            found.append((time.perf_counter() - start) * 1e6 / STEPS)
        return min(found)

    def measure(self):
        """us of a step: calls one after the other until the device is done, and the same in replays of a graph."""
        found = {"eager": self.us_of(self.run, 6)}
        if self.library == "torch":
            if self.graph is None:
                self.graph = self.capture()
                self.graph.replay()
            found["graph"] = self.us_of(self.graph.replay, 10)
        return found


def main():
    require_gpu()
    with torch.inference_mode():
        serve(Worker)


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The measuring side of drop_in.py: a process with or without the preloaded library. It knows nothing of
Onepass.

In a queue: a pause on the device, an event, calls, an event. The host is ahead of the device when the pause ends, so that
the events see the device alone. In a graph: the same with the replay of a graph of these calls. Host: calls in a loop, until
the last one returned. Each call of a sample has another matrix, and a buffer of three L2 caches is written before it."""
import time

import torch
import torch.nn.functional as F
from side_by_side import serve
from torch_and_cupy import cupy, facts, require_gpu

TYPES = {"fp32": torch.float32, "fp64": torch.float64, "bf16": torch.bfloat16, "fp16": torch.float16}
ALIGNMENT = 512  # bytes between matrices: that of PyTorch's own allocations
MOST_CALLS, LEAST_CALLS = 48, 6
CYCLES_OF_CALL = 60_000  # a pause of 30 us for each call that must be issued meanwhile


def median(values):
    return sorted(values)[len(values) // 2]


class Worker:
    facts = staticmethod(facts)

    def __init__(self, pool_bytes):
        self.l2 = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 64 << 20)
        self.pool = torch.empty(int(pool_bytes) + (3 * self.l2), dtype=torch.uint8, device="cuda")
        self.flush = torch.empty(3 * self.l2, dtype=torch.uint8, device="cuda")
        self.filled = None
        self.side = torch.cuda.Stream()
        self.calls, self.graph, self.number = [], None, 0

    def fill(self, type_):
        """The same numbers in every process: standard normal ones in the whole pool."""
        if self.filled == type_:
            return
        self.filled = type_
        generator = torch.Generator("cuda").manual_seed(1)
        flat = self.pool[:self.pool.numel() // 8 * 8].view(TYPES[type_])
        for part in flat.split(1 << 28):
            part.normal_(generator=generator)

    def prepare(self, point):
        """Matrices, vectors and calls of a point; how often it is called in a sample; one call, and the error of its result."""
        m, n, type_ = point["m"], point["n"], TYPES[point["type"]]
        self.fill(point["type"])
        self.graph = None
        flat = self.pool[:self.pool.numel() // 8 * 8].view(type_)
        stride = -(-m * n * type_.itemsize // ALIGNMENT) * ALIGNMENT // type_.itemsize
        seconds = m * n * type_.itemsize / 4e12 + 2.5e-6
        self.number = max(LEAST_CALLS, min(MOST_CALLS, int(400e-6 / seconds)))
        count = min(self.number, max(2, -(-3 * self.l2 // (stride * type_.itemsize))), flat.numel() // stride)
        matrices = [flat[i * stride:i * stride + m * n].view(m, n) for i in range(count)]
        x = torch.randn(n, device="cuda", generator=torch.Generator("cuda").manual_seed(2)).to(type_)
        self.calls = [self.call_of(point["function"], matrix, x) for matrix in matrices]
        result = torch.as_tensor(self.calls[0](), device="cuda").reshape(-1)
        return {"calls": self.number, "matrices": count, "error": self.error(matrices[0], x, result)}

    @staticmethod
    def call_of(function, matrix, x):
        if function == "torch.mv":
            return lambda: torch.mv(matrix, x)
        if function == "linear":
            row = x.view(1, -1)
            return lambda: F.linear(row, matrix)
        a, b = cupy.asarray(matrix), cupy.asarray(x)
        return lambda: cupy.dot(a, b)

    @staticmethod
    def error(matrix, x, result):
        """The largest error over its bound, n eps |A||x| of the sum and an eps of the result, at up to 256 rows. The products
        here are element by element: no call of cuBLAS."""
        rows = torch.linspace(0, matrix.shape[0] - 1, min(256, matrix.shape[0]), device="cuda").long()
        terms = matrix[rows].double() * x.double()
        exact, size = terms.sum(1), terms.abs().sum(1)
        sums = torch.float64 if matrix.dtype == torch.float64 else torch.float32
        bound = matrix.shape[1] * torch.finfo(sums).eps * size + torch.finfo(matrix.dtype).eps * exact.abs()
        return ((result[rows].double() - exact).abs() / bound).max().item()

    def issue(self):
        for i in range(self.number):
            self.calls[i % len(self.calls)]()

    def capture(self):
        """As `with torch.cuda.graph(...)`, but without its collection of garbage, which takes longer than all the rest."""
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.stream(self.side):
            self.calls[0]()
            torch.cuda.synchronize()
            self.graph.capture_begin()
            self.issue()
            self.graph.capture_end()

    def device_us(self, issue):
        """One sample: us per call on the device. The pause grows until the host is ahead."""
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        pause = CYCLES_OF_CALL * self.number
        for _ in range(4):
            self.flush.zero_()
            torch.cuda._sleep(pause)
            begin.record()
            issue()
            end.record()
            ahead = not begin.query()
            torch.cuda.synchronize()
            if ahead:
                break
            pause *= 2
        return begin.elapsed_time(end) * 1e3 / self.number

    def host_us(self):
        torch.cuda.synchronize()
        loops = []
        for _ in range(3):
            start = time.perf_counter()
            self.issue()
            loops.append((time.perf_counter() - start) * 1e6 / self.number)
            torch.cuda.synchronize()
        return median(loops)

    def measure(self, function):
        """A few samples of each clock."""
        found = {"queued": [self.device_us(self.issue) for _ in range(2)], "host": [self.host_us()]}
        if function != "cupy.dot":
            if self.graph is None:
                self.capture()
            found["graph"] = [self.device_us(self.graph.replay) for _ in range(2)]
        return found

    @staticmethod
    def replay():
        """Layers in a graph of PyTorch: each replay must have the bits of the same layers outside of it."""
        generator = torch.Generator("cuda").manual_seed(3)
        shapes = [(1000, 4096), (333, 1000), (4096, 333), (70, 4096)]
        layers = [torch.randn(shape, device="cuda", generator=generator).to(torch.bfloat16) for shape in shapes]
        x = torch.zeros(1, 4096, device="cuda", dtype=torch.bfloat16)

        def run():
            y = x
            for layer in layers:
                y = F.linear(y, layer) / layer.shape[1] ** 0.5
            return y

        for _ in range(3):
            run()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            replayed = run()
        for _ in range(5):
            x.copy_(torch.randn(1, 4096, device="cuda", generator=generator))
            graph.replay()
            if not torch.equal(replayed, run()):
                return {"graph": "WRONG: a replay differs from the same layers without a graph"}
        return {"graph": "5 replays with new inputs, all right"}


def main():
    require_gpu()
    with torch.inference_mode():
        serve(Worker)


if __name__ == "__main__":
    main()

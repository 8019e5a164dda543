# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""One step of batch-1 decoding, with and without Onepass: the linear layers of a few transformer blocks in bfloat16, captured
into a CUDA graph and replayed. On a machine without a GPU the layers run once each way on the CPU, and no time is given."""
import argparse

import torch
import torch.nn.functional as F

import onepass
import onepass.torch


def make_block(width, device):
    """The weights of one block: attention (queries, keys and values in one, and the output), gate and up in one, down."""
    shapes = {"qkv": (3 * width, width), "out": (width, width), "up": (8 * width, width), "down": (width, 4 * width)}
    return {name: (torch.randn(shape, device=device) / shape[1] ** 0.5).to(torch.bfloat16) for name, shape in shapes.items()}


def step(x, blocks, linear):
    """The matrix work of one token; attention over the past is left out."""
    for block in blocks:
        query, _, value = linear(F.rms_norm(x, x.shape[-1:]), block["qkv"]).chunk(3, dim=-1)
        x = x + linear(query.sigmoid() * value, block["out"])
        gate, up = linear(F.rms_norm(x, x.shape[-1:]), block["up"]).chunk(2, dim=-1)
        x = x + linear(F.silu(gate) * up, block["down"])
    return x


def microseconds(x, blocks, linear, replays=200):
    """The result, and the time of one replay of a graph of the step."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step(x, blocks, linear)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = step(x, blocks, linear)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    graph.replay()
    begin.record()
    for _ in range(replays):
        graph.replay()
    end.record()
    torch.cuda.synchronize()
    return result.clone(), begin.elapsed_time(end) * 1000 / replays


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=4096, help="elements of a token's vector (default: %(default)s)")
    parser.add_argument("--blocks", type=int, default=8, help="blocks of four layers (default: %(default)s)")
    options = parser.parse_args()
    on_gpu = torch.cuda.is_available() and onepass.backends()[0]["available"]
    device = "cuda" if on_gpu else "cpu"

    torch.manual_seed(1)
    with torch.inference_mode():
        blocks = [make_block(options.width, device) for _ in range(options.blocks)]
        x = torch.randn(1, options.width, device=device).to(torch.bfloat16)
        ways = {"PyTorch": F.linear, "Onepass": onepass.torch.linear}
        if on_gpu:
            results = {name: microseconds(x, blocks, linear) for name, linear in ways.items()}
            size = sum(weight.nbytes for block in blocks for weight in block.values())
            for name, (_, time) in results.items():
                print(f"{name:8} {time:8.1f} us a step, {size / time / 1e6:5.2f} TB/s of weights")
        else:
            results = {name: (step(x, blocks, linear), None) for name, linear in ways.items()}
            print("no GPU: both ways ran once on the CPU")
        one, other = (result.float() for result, _ in results.values())
        difference = ((one - other).norm() / one.norm()).item()
        print(f"relative difference of the results: {difference:.1e}")
        if not difference < 0.05:
            raise SystemExit("the results differ by more than bfloat16 explains")


if __name__ == "__main__":
    main()

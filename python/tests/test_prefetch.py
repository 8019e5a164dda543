# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""prefetch: which arrays it takes, and what it sees of them."""
import numpy
import pytest

import onepass
from onepass._prefetch import _as_columns


def test_prefetch_takes_matrices_and_blocks_of_memory():
    whole = numpy.arange(60.0).reshape(5, 12)
    for array in (whole, whole.T, whole[:, :7], whole[1:3].T, whole[2], numpy.ones((2, 3, 4)), numpy.ones((0, 4)), numpy.float32([1])):
        onepass.prefetch(array)
    onepass.prefetch(whole, most_bytes=100)
    numpy.testing.assert_array_equal(whole.ravel(), numpy.arange(60.0))


@pytest.mark.parametrize("shape, strides, found", [
    ((5, 12), (12, 1), (60, 1, 60)), ((12, 5), (1, 12), (60, 1, 60)), ((5, 7), (12, 1), (7, 5, 12)), ((7, 5), (1, 12), (7, 5, 12)),
    ((2, 3, 4), (12, 4, 1), (24, 1, 24)), ((2, 3, 4), (20, 4, 1), (12, 2, 20)), ((1, 6), (99, 1), (6, 1, 6)), ((1,), (7,), (1, 1, 1))])
def test_prefetch_sees_columns(shape, strides, found):
    assert _as_columns(shape, strides, 0, 0) == found
    assert _as_columns(shape, tuple(8 * step for step in strides), 1, 1) == found


def test_prefetch_says_what_it_cannot_see():
    whole = numpy.ones((6, 8, 10))
    for array in (whole[::2, :, ::2], whole[:, :4, :7], whole[0, ::-1]):
        with pytest.raises(ValueError, match="must be one block of memory"):
            onepass.prefetch(array)
    with pytest.raises(ValueError, match="most_bytes = -1"):
        onepass.prefetch(whole, -1)
    with pytest.raises(TypeError, match="int64"):
        onepass.prefetch(numpy.arange(3))


def test_prefetch_of_torch_runs_in_a_graph():
    torch = pytest.importorskip("torch")
    import onepass.torch
    onepass.torch.prefetch(torch.ones(3, 4))
    if not torch.cuda.is_available():
        pytest.skip("no GPU")
    weight = torch.randn(300, 200, device="cuda", requires_grad=True)
    x, side = torch.randn(1, 200, device="cuda"), torch.cuda.Stream()

    def step():
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            onepass.torch.prefetch(weight)
        y = torch.nn.functional.linear(x * 2, weight.detach())
        torch.cuda.current_stream().wait_stream(side)
        return y

    expected = step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = step()
    graph.replay()
    torch.testing.assert_close(y, expected)

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""rms_norm, swiglu and rotary: against PyTorch's, on every device here."""
import pytest

torch = pytest.importorskip("torch")
import onepass.torch  # noqa: E402

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
TYPES = {torch.float32: 1e-5, torch.float64: 1e-12, torch.float16: 2e-3, torch.bfloat16: 2e-2}


def norm_of(x, weight, eps):
    """In double precision."""
    wide = x.double()
    wide = wide / (wide.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    return (wide if weight is None else wide * weight.double()).to(x.dtype)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(4096,), (1, 1, 2048), (3, 5, 72), (2, 37), (1, 1), (5, 9001), (0, 4), (3, 0)])
def test_norm_and_swiglu(device, dtype, shape):
    torch.manual_seed(3)
    x, up = (torch.randn(shape, dtype=dtype, device=device) for _ in range(2))
    weight = torch.randn(shape[-1], dtype=dtype, device=device)
    near = {"rtol": TYPES[dtype], "atol": TYPES[dtype]}
    torch.testing.assert_close(onepass.torch.rms_norm(x, weight, 1e-5), norm_of(x, weight, 1e-5), **near)
    torch.testing.assert_close(onepass.torch.rms_norm(x), norm_of(x, None, 1e-6), **near)
    expected = (torch.nn.functional.silu(x.double()) * up.double()).to(dtype)
    torch.testing.assert_close(onepass.torch.swiglu(x, up), expected, **near)


@pytest.mark.parametrize("device", DEVICES)
def test_rows_with_gaps_and_halves_of_a_product(device):
    both = torch.randn(1, 1, 80, device=device)
    gate, up = both.chunk(2, dim=-1)
    torch.testing.assert_close(onepass.torch.swiglu(gate, up), torch.nn.functional.silu(gate) * up)
    x = torch.randn(6, 80, device=device)
    for part in (x[:, :40], x.t(), x[::2], x[:, ::2]):
        torch.testing.assert_close(onepass.torch.rms_norm(part, None, 0.1), norm_of(part, None, 0.1))


def turned(x, cos, sin):
    first, second = x.double().chunk(2, dim=-1)
    return (x.double() * cos.double().unsqueeze(1) + torch.cat((-second, first), dim=-1) * sin.double().unsqueeze(1)).to(x.dtype)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("heads, n", [(4, 64), (3, 6), (1, 2)])
@pytest.mark.parametrize("positions", [1, 5])
def test_rotary(device, dtype, heads, n, positions):
    torch.manual_seed(4)
    merged = torch.randn(1, positions, (2 * heads + 1) * n, dtype=dtype, device=device)
    q, k, _ = merged.split([heads * n, heads * n, n], dim=-1)
    q, k = (x.view(1, positions, heads, n).transpose(1, 2) for x in (q, k))
    cos, sin = (torch.rand(1, positions, n, dtype=dtype, device=device) for _ in range(2))
    near = {"rtol": TYPES[dtype], "atol": TYPES[dtype]}
    for one, other in ((q, k), (k, q), (q.clone(), k)):
        for found, x in zip(onepass.torch.rotary(one, other, cos, sin), (one, other)):
            torch.testing.assert_close(found, turned(x, cos, sin), **near)


def test_gradients_are_those_of_pytorch():
    x = torch.randn(2, 6, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(6, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda a, b: onepass.torch.rms_norm(a, b, 1e-3), (x, weight))
    assert torch.autograd.gradcheck(onepass.torch.swiglu, (x, x.detach().clone().requires_grad_()))
    heads, angles = x.detach().view(1, 2, 1, 6).requires_grad_(), torch.rand(1, 1, 6, dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda q: onepass.torch.rotary(q, q, angles, angles)[0], heads)


def test_what_does_not_fit_is_said_by_pytorch():
    with pytest.raises(RuntimeError):
        onepass.torch.rms_norm(torch.ones(2, 6), torch.ones(5))
    with pytest.raises(RuntimeError):
        onepass.torch.swiglu(torch.ones(2, 6), torch.ones(2, 5))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_a_chain_in_a_graph():
    """Norm, product, SwiGLU and product, each of which may start before the one ahead of it has ended."""
    torch.manual_seed(5)
    n = 512
    x, weight = torch.randn(1, n, device="cuda"), torch.rand(n, device="cuda")
    both, down = torch.randn(2 * n, n, device="cuda") / n**0.5, torch.randn(n, n, device="cuda") / n**0.5

    def step():
        normed = onepass.torch.rms_norm(x, weight)
        return onepass.torch.linear(onepass.torch.swiglu(*onepass.torch.linear(normed, both).chunk(2, -1)), down)

    expected = step().clone()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = step()
    for _ in range(50):
        y.zero_()
        graph.replay()
        assert torch.equal(y, expected)

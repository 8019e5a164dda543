# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch's tensors and operators, on the CPU and, where there is one, on a GPU."""
import pytest

torch = pytest.importorskip("torch")
import onepass  # noqa: E402
import onepass.torch  # noqa: E402

GPU = torch.cuda.is_available() and onepass.backends()[0]["available"]
TYPES = [torch.float32, torch.float64, torch.complex64, torch.complex128, torch.float16, torch.bfloat16]
needs_gpu = pytest.mark.skipif(not GPU, reason="needs a GPU and a build with CUDA")


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=needs_gpu)])
def device(request):
    return request.param


def numbers(shape, dtype, device):
    """Whole numbers from -3 to 3: sums of a few are exact in every type."""
    values = torch.randint(-3, 4, shape, generator=torch.Generator().manual_seed(sum(shape)))
    if dtype.is_complex:
        values = torch.complex(values.double(), values.flip(0).double())
    return values.to(dtype).to(device)


def product(A, x):
    wide = torch.complex128 if A.is_complex() else torch.float64
    return (A.to(wide) @ x.to(wide)).to(A.dtype)


@pytest.mark.parametrize("dtype", TYPES)
def test_gemv_is_the_product(device, dtype):
    A, x = numbers((7, 5), dtype, device), numbers((5,), dtype, device)
    for matrix in (A, A.t().contiguous().t(), numbers((9, 8), dtype, device)[1:8, 2:7]):
        assert torch.equal(onepass.gemv(matrix, x), product(matrix, x))
    v = numbers((7,), dtype, device)
    assert torch.equal(onepass.gemv(A, v, trans="C", alpha=2), 2 * product(A.mH, v))


@pytest.mark.parametrize("dtype", TYPES)
def test_mv_and_linear_are_those_of_pytorch(device, dtype):
    A, x, b = numbers((7, 5), dtype, device), numbers((5,), dtype, device), numbers((7,), dtype, device)
    assert torch.equal(onepass.torch.mv(A, x), product(A, x))
    for input in (x, x.view(1, 5), x.view(1, 1, 5)):
        result = onepass.torch.linear(input, A, b)
        assert result.shape == (*input.shape[:-1], 7)
        assert torch.equal(result.view(-1), product(A, x) + b)
    rows = numbers((3, 5), dtype, device)
    assert torch.equal(onepass.torch.linear(rows, A), torch.nn.functional.linear(rows, A))


def test_mv_takes_any_view(device):
    A, x = numbers((8, 10), torch.complex128, device), numbers((5,), torch.complex128, device)
    for matrix in (A[::2, ::2], A[::2, ::2].conj(), A[:4, :5].conj(), A[:5, :5].mH, A[:1, ::2]):
        assert torch.equal(onepass.torch.mv(matrix, x), product(matrix, x))
    for vector in (x[:1].expand(5), x.conj(), x.imag.neg().to(x.dtype)):
        assert torch.equal(onepass.torch.mv(A[:, :5], vector), product(A[:, :5], vector))


def test_gradients_are_right(device):
    for dtype in (torch.float64, torch.complex128):
        A = torch.randn(4, 3, dtype=dtype, device=device, requires_grad=True)
        x, b = (torch.randn(n, dtype=dtype, device=device, requires_grad=True) for n in (3, 4))
        assert torch.autograd.gradcheck(onepass.torch.mv, (A, x))
        assert torch.autograd.gradcheck(onepass.torch.linear, (x.view(1, 3), A, b))


def test_operators_keep_the_rules_of_pytorch(device):
    A, x = numbers((4, 3), torch.float64, device), numbers((3,), torch.float64, device)
    torch.library.opcheck(torch.ops.onepass.mv, (A.requires_grad_(), x))
    torch.library.opcheck(torch.ops.onepass.linear, (x.view(1, 3), A, numbers((4,), torch.float64, device)))


def test_a_compiled_function_has_the_operator_in_its_graph(device):
    graphs = []

    def backend(graph, inputs):
        graphs.append(str(graph.graph))
        return graph.forward

    A, x = numbers((4, 3), torch.float32, device), numbers((3,), torch.float32, device)
    compiled = torch.compile(lambda A, x: onepass.torch.mv(A, x) + 1, backend=backend, fullgraph=True)
    assert torch.equal(compiled(A, x), product(A, x) + 1)
    assert "onepass.mv" in graphs[0]


def test_a_tensor_with_gradients_is_refused_by_gemv(device):
    A = numbers((4, 3), torch.float32, device).requires_grad_()
    with pytest.raises(ValueError, match="A requires grad: use onepass.torch.mv"):
        onepass.gemv(A, numbers((3,), torch.float32, device))
    with pytest.raises(ValueError, match="conjugated"):
        onepass.gemv(numbers((2, 2), torch.complex64, device).conj(), numbers((2,), torch.complex64, device))


def test_scalars_may_be_tensors_and_change(device):
    A, x, y = (numbers(shape, torch.float64, device) for shape in ((4, 3), (3,), (4,)))
    alpha, beta = torch.tensor(2.0, device=device), torch.tensor([1.0], device=device)
    assert torch.equal(onepass.gemv(A, x, y, alpha, beta), 2 * product(A, x) + y)
    alpha.fill_(3.0)
    beta.fill_(0.0)
    assert torch.equal(onepass.gemv(A, x, y, alpha, beta), 3 * product(A, x))
    assert torch.equal(onepass.Plan(A, x).run(A, x, alpha=alpha), 3 * product(A, x))


@pytest.mark.parametrize("name", ["A", "x", "y", "alpha", "beta", "out"])
def test_no_gradient_is_lost_in_silence(device, name):
    arrays = {"A": (4, 3), "x": (3,), "y": (4,), "alpha": (), "beta": (), "out": (4,)}
    arrays = {key: torch.ones(shape, device=device, requires_grad=key == name) for key, shape in arrays.items()}
    with pytest.raises(ValueError, match=f"{name} requires grad"):
        onepass.gemv(**arrays)
    with torch.no_grad():
        assert torch.equal(onepass.gemv(**arrays), torch.full((4,), 4.0, device=device))
    plan = onepass.Plan(torch.ones(4, 3, device=device), torch.ones(3, device=device))
    arrays.pop("y")
    if name != "y":
        with pytest.raises(ValueError, match=f"{name} requires grad"):
            plan.run(**arrays)


@pytest.mark.parametrize("write", [lambda A, x, out: onepass.gemv(A, x, out=out),
                                   lambda A, x, out: onepass.gemv(A[:, :0], x[:0], out=out),
                                   lambda A, x, out: onepass.Plan(A, x, out).run(A, x, out)])
def test_out_counts_as_written(device, write):
    """A tensor that a gradient needs, and that was overwritten since, is an error and no wrong gradient."""
    w, saved = torch.ones(4, device=device, requires_grad=True), torch.ones(4, device=device)
    loss = (w * saved).sum()
    write(torch.ones(4, 3, device=device), torch.ones(3, device=device), saved)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_tensors_of_inference_mode_are_written(device):
    """They have no count of writes."""
    with torch.inference_mode():
        out = onepass.gemv(torch.ones(4, 3, device=device), torch.ones(3, device=device), out=torch.zeros(4, device=device))
    assert torch.equal(out, torch.full((4,), 3.0, device=device))


@needs_gpu
def test_calls_run_on_the_current_stream():
    stream = torch.cuda.Stream()
    A, x = numbers((2000, 300), torch.float32, "cuda"), numbers((300,), torch.float32, "cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(50_000_000)
        x += 1  # waits for the sleep; a call on another stream would not see it
        y = onepass.gemv(A, x)
    stream.synchronize()
    assert torch.equal(y, product(A, x))


@needs_gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_graph_is_captured_and_replayed(dtype):
    A, x = numbers((64, 4096), dtype, "cuda"), numbers((4096,), dtype, "cuda")
    layer = numbers((4096, 64), dtype, "cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = onepass.torch.linear(onepass.torch.mv(A, x).view(1, -1), layer)
    for _ in range(3):
        x.copy_(x.flip(0))
        graph.replay()
        torch.cuda.synchronize()
        assert torch.allclose(y[0], product(layer, product(A, x)), rtol=0.02)


@needs_gpu
def test_a_plan_runs_on_a_gpu():
    A, x = numbers((64, 4096), torch.float32, "cuda"), numbers((4096,), torch.float32, "cuda")
    plan = onepass.Plan(A, x)
    for _ in range(3):
        assert torch.equal(plan.run(A, x), product(A, x))
    assert "cuda" in plan.explain()


@needs_gpu
def test_memory_of_two_sides_is_not_mixed():
    with pytest.raises(ValueError, match="A on GPU 0, x on the host"):
        onepass.gemv(torch.ones(2, 2, device="cuda"), torch.ones(2), out=torch.ones(2, device="cuda"))

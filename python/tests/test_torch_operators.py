# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""onepass.torch where PyTorch does more than run a function: other types, autocast, traces, modes, transforms."""
import itertools
import math

import pytest

torch = pytest.importorskip("torch")
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402
from torch.nn.functional import linear  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

import onepass.torch  # noqa: E402

FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


def outcome(function, *arguments):
    """The type, shape and values of a result, or the type of the exception."""
    try:
        result = function(*arguments)
    except Exception as caught:  # noqa: BLE001: any that PyTorch raises
        return type(caught)
    return result.dtype, tuple(result.shape), None if result.is_meta else result.tolist()


def operands(x, weight, bias):
    return torch.ones(1, 5, dtype=x), torch.ones(4, 5, dtype=weight), torch.arange(4.0).to(bias)


@pytest.mark.parametrize("types", list(itertools.product(FLOATS, repeat=3)))
def test_linear_of_several_types_is_that_of_pytorch(types):
    assert outcome(onepass.torch.linear, *operands(*types)) == outcome(linear, *operands(*types))


@pytest.mark.parametrize("types", list(itertools.product(FLOATS, repeat=3)))
def test_autocast_casts_as_for_pytorch(types):
    for wanted in (torch.bfloat16, torch.float16):
        with torch.autocast("cpu", dtype=wanted):
            assert outcome(onepass.torch.linear, *operands(*types)) == outcome(linear, *operands(*types))


def test_a_compiled_linear_is_the_eager_one():
    compiled = torch.compile(onepass.torch.linear, backend="aot_eager", fullgraph=True)
    half = operands(torch.float16, torch.float16, torch.float16)
    assert outcome(compiled, *half) == outcome(linear, *half)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for weight in (torch.float32, torch.bfloat16):
            mixed = operands(torch.float32, weight, torch.float32)
            assert outcome(compiled, *mixed) == outcome(linear, *mixed)
    with pytest.raises(Exception, match="must have the same dtype"):
        compiled(*operands(torch.float16, torch.float16, torch.float32))


@pytest.mark.parametrize("x, weight, bias", [((5,), (4, 5), ()), ((1, 5), (4, 5), (1,)), ((1, 5), (4, 5), (1, 4)),
                                             ((1, 5), (4, 5), (3, 4)), ((1, 5), (4, 5), (5,)),
                                             ((5, 1), (4, 5), (4,)), ((), (4, 5), (4,)), ((1, 5), (5,), (1,)),
                                             ((3, 0), (4, 0), (4,)), ((1, 0), (4, 0), (4,)), ((0, 5), (4, 5), (4,))])
def test_linear_takes_the_shapes_of_pytorch(x, weight, bias):
    arrays = [torch.ones(shape) for shape in (x, weight, bias)]
    eager = outcome(linear, *arrays)
    assert outcome(onepass.torch.linear, *arrays) == eager
    fake = outcome(onepass.torch.linear, *(a.to("meta") for a in arrays))
    assert (isinstance(fake, type) and isinstance(eager, type)) or fake[:2] == eager[:2]


def test_linear_takes_the_views_and_types_of_pytorch():
    W, x, b = (torch.arange(n, dtype=torch.float32).to(torch.complex64) * (1 + 2j) for n in (20, 5, 4))
    assert outcome(onepass.torch.linear, x, W.view(4, 5), b.conj()) == outcome(linear, x, W.view(4, 5), b.conj())
    whole = torch.arange(5), torch.arange(20).view(4, 5), torch.arange(4)
    assert outcome(onepass.torch.linear, *whole) == outcome(linear, *whole)


def test_gradients_pass_autocast():
    for kind in (torch.float32, torch.bfloat16):
        results = []
        for function in (linear, onepass.torch.linear):
            x, W = torch.ones(1, 5, requires_grad=True), torch.ones(4, 5, dtype=kind, requires_grad=True)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                function(x, W).sum().backward()
            results.append((x.grad, W.grad))
        assert all(torch.equal(one, other) for one, other in zip(*results))


@pytest.mark.parametrize("x, bias", [((1, 5), None), ((5,), (4,)), ((1, 5), (1, 4)), ((1, 5), ()), ((3, 5), (4,))])
def test_gradients_are_those_of_pytorch(x, bias):
    results = []
    for function in (linear, onepass.torch.linear):
        arrays = [torch.arange(1.0, 1 + math.prod(shape)).view(shape).requires_grad_() for shape in (x, (4, 5), bias)
                  if shape is not None]
        function(*arrays).square().sum().backward()
        results.append([a.grad for a in arrays])
    assert all(torch.equal(one, other) for one, other in zip(*results))


def both(A, x):
    return onepass.torch.linear(x.view(1, -1), A) + onepass.torch.mv(A, x)


def test_a_mode_of_pytorch_sees_the_operators():
    class Recorder(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            seen.append(function.name())
            return function(*args, **(kwargs or {}))

    seen = []
    with Recorder():
        both(torch.ones(4, 3), torch.ones(3))
    assert {"onepass::mv", "onepass::linear"} <= set(seen)


def test_a_function_mode_of_pytorch_sees_the_operators():
    class Recorder(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            seen.append(str(function))
            return function(*args, **(kwargs or {}))

    seen = []
    with Recorder():
        both(torch.ones(4, 3), torch.ones(3))
    assert {"onepass.mv", "onepass.linear"} <= set(seen)


@pytest.mark.parametrize("trace", [
    make_fx, lambda f: make_fx(f, tracing_mode="fake"), lambda f: make_fx(f, pre_dispatch=True),
    pytest.param(lambda f: lambda *args: torch.jit.trace(f, args), marks=pytest.mark.filterwarnings("ignore::FutureWarning"))])
def test_a_trace_replays_the_product(trace):
    A, x = torch.ones(4, 3), torch.ones(3)
    traced = trace(both)(A, x)
    assert torch.equal(traced(2 * A, x), torch.full((1, 4), 12.0))


def test_transforms_of_pytorch_see_the_operators():
    """Those that PyTorch does not offer for operators of others are an error, and no loss of a derivative."""
    A, x = torch.arange(12.0).view(4, 3), torch.arange(3.0)
    assert torch.equal(torch.func.functionalize(both)(A, x), 2 * (A @ x).view(1, 4))
    with pytest.raises(RuntimeError, match="functorch transforms"):
        torch.func.grad(lambda x: both(A, x).sum())(x)


def test_forward_derivatives_are_not_lost():
    A, x, tangent = torch.arange(12.0).view(4, 3), torch.arange(3.0), torch.ones(3)
    value, derivative = torch.func.jvp(lambda x: both(A, x), (x,), (tangent,))
    assert torch.equal(value, 2 * (A @ x).view(1, 4)) and torch.equal(derivative, 2 * (A @ tangent).view(1, 4))


def test_a_plain_call_goes_past_the_dispatcher():
    A, x = torch.ones(4, 3), torch.ones(3)
    with torch.profiler.profile() as profile, torch.inference_mode():
        both(A, x)
    assert not any("onepass" in event.name for event in profile.events())

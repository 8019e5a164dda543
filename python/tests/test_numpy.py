# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""gemv, symv and hemv on NumPy's arrays, against NumPy's own products."""
import threading

import numpy
import pytest
from conftest import numbers

import onepass
from onepass import _library


def op(A, trans):
    return {"N": A, "T": numpy.swapaxes(A, -1, -2), "C": numpy.swapaxes(A, -1, -2).conj()}[trans]


@pytest.mark.parametrize("trans", "NTC")
@pytest.mark.parametrize("order", "CF")
def test_gemv_is_the_product(dtype, trans, order):
    A = numpy.asarray(numbers((5, 3), dtype, 1), dtype=dtype, order=order)
    x = numbers(3 if trans == "N" else 5, dtype, 2).astype(dtype)
    y = numbers(5 if trans == "N" else 3, dtype, 3).astype(dtype)
    kept = y.copy()
    result = onepass.gemv(A, x, y, alpha=2, beta=-3, trans=trans)
    assert result.dtype == A.dtype
    numpy.testing.assert_array_equal(result, 2 * (op(A, trans) @ x) - 3 * y)
    numpy.testing.assert_array_equal(y, kept)


def test_complex_scalars_are_taken():
    A, x, y = numbers((4, 4), "complex128", 1), numbers(4, "complex128", 2), numbers(4, "complex128", 3)
    numpy.testing.assert_array_equal(onepass.gemv(A, x, y, alpha=1 + 2j, beta=3j), (1 + 2j) * (A @ x) + 3j * y)


def test_scalars_of_numpy_are_taken():
    A, x, y = numbers((4, 3), "float64", 1), numbers(3, "float64", 2), numbers(4, "float64", 3)
    alpha, beta = numpy.full((), 2.0), numpy.float32(3)
    numpy.testing.assert_array_equal(onepass.gemv(A, x, y, alpha, beta), 2 * (A @ x) + 3 * y)
    alpha[...] = 5
    numpy.testing.assert_array_equal(onepass.gemv(A, x, y, alpha, beta), 5 * (A @ x) + 3 * y)
    numpy.testing.assert_array_equal(onepass.Plan(A, x).run(A, x, alpha=alpha), 5 * (A @ x))


@pytest.mark.parametrize("uplo", "LU")
@pytest.mark.parametrize("order", "CF")
def test_symv_reads_one_triangle(dtype, uplo, order):
    full = numbers((6, 6), dtype, 1)
    full = (full + full.T).astype(dtype)
    here = numpy.tri(6, dtype=bool) if uplo == "L" else numpy.tri(6, dtype=bool).T
    A = numpy.asarray(numpy.where(here, full, numpy.nan).astype(dtype), order=order)
    x = numbers(6, dtype, 2).astype(dtype)
    numpy.testing.assert_array_equal(onepass.symv(A, x, alpha=2, uplo=uplo), 2 * (full @ x))


@pytest.mark.parametrize("uplo", "LU")
@pytest.mark.parametrize("order", "CF")
def test_hemv_reads_one_triangle(uplo, order):
    full = numbers((6, 6), "complex128", 1)
    full = full + full.conj().T
    here = numpy.tri(6, dtype=bool) if uplo == "L" else numpy.tri(6, dtype=bool).T
    A = numpy.asarray(numpy.where(here, full, numpy.nan), order=order)
    x, y = numbers(6, "complex128", 2), numbers(6, "complex128", 3)
    numpy.testing.assert_array_equal(onepass.hemv(A, x, y, beta=2, uplo=uplo), full @ x + 2 * y)


def test_out_is_written_in_place():
    A, x, y = numbers((4, 3), "float64", 1), numbers(3, "float64", 2), numbers(4, "float64", 3)
    expected = A @ x + 2 * y
    assert onepass.gemv(A, x, y, beta=2, out=y) is y
    numpy.testing.assert_array_equal(y, expected)


def test_out_that_is_another_leaves_y_alone():
    A, x, y, out = numbers((4, 3), "float64", 1), numbers(3, "float64", 2), numbers(4, "float64", 3), numpy.full(4, numpy.nan)
    kept = y.copy()
    numpy.testing.assert_array_equal(onepass.gemv(A, x, y, beta=2, out=out), A @ x + 2 * kept)
    numpy.testing.assert_array_equal(y, kept)


def test_nan_in_out_does_not_survive_beta_zero():
    A, x, out = numbers((40, 30), "float32", 1), numbers(30, "float32", 2).astype("f"), numpy.full(40, numpy.nan, "f")
    numpy.testing.assert_array_equal(onepass.gemv(A, x, out=out), A @ x)


def test_half_sums_may_stay_in_float32():
    A, x, out = numbers((4, 300), "float16", 1), numbers(300, "float16", 2), numpy.empty(4, "float32")
    numpy.testing.assert_array_equal(onepass.gemv(A, x, out=out), A.astype("f") @ x.astype("f"))


@pytest.mark.parametrize("step", [1, 2, -1, -3])
def test_vectors_may_have_gaps_and_run_backwards(step):
    A, x, out = numbers((5, 4), "float64", 1), numbers(12, "float64", 2)[::step][:4], numpy.full(15, numpy.nan)
    y = out[::step][:5]
    assert onepass.gemv(A, x, out=y) is y
    numpy.testing.assert_array_equal(y, A @ x)
    assert numpy.isnan(out).sum() == 10


def test_parts_of_matrices_are_taken_as_they_are():
    big = numbers((20, 30), "float64", 1)
    x = numbers(5, "float64", 2)
    for A in (big[3:10, 4:9], big[3:10, 4:9][::2], big.T[3:10, 4:9], big[:1, 2:7], big[4:5, ::6], big[::3, 7:8]):
        v = x[:A.shape[1]]
        numpy.testing.assert_array_equal(onepass.gemv(A, v), A @ v)


def test_leading_dimensions_are_a_batch():
    A, x = numbers((2, 3, 5, 4), "float32", 1), numbers((2, 3, 4), "float32", 2).astype("f")
    numpy.testing.assert_array_equal(onepass.gemv(A, x), numpy.einsum("abij,abj->abi", A, x))
    numpy.testing.assert_array_equal(onepass.gemv(A[:, 0], x[:, 0]), numpy.einsum("aij,aj->ai", A[:, 0], x[:, 0]))


def test_leading_dimensions_are_broadcast():
    A, x = numbers((3, 5, 4), "float64", 1), numbers((3, 4), "float64", 2)
    numpy.testing.assert_array_equal(onepass.gemv(A, x[0]), A @ x[0])
    numpy.testing.assert_array_equal(onepass.gemv(A[0], x), x @ A[0].T)
    numpy.testing.assert_array_equal(onepass.gemv(A[:1], x), x @ A[0].T)


def test_sums_without_terms_are_zero():
    numpy.testing.assert_array_equal(onepass.gemv(numpy.ones((3, 0)), numpy.ones(0)), numpy.zeros(3))
    y = numpy.ones(3)
    numpy.testing.assert_array_equal(onepass.gemv(numpy.ones((3, 0)), numpy.ones(0), y, beta=2), 2 * y)
    assert onepass.gemv(numpy.ones((0, 3)), numpy.ones(3)).shape == (0,)
    assert onepass.gemv(numpy.ones((0, 4, 3)), numpy.ones(3)).shape == (0, 4)


def test_threads_may_call_at_once():
    # Each has its own x, with gaps: it is packed into a workspace, which two threads must not share.
    A, wrong = numbers((700, 600), "float64", 1), []

    def work(seed):
        x = numbers(1200, "float64", seed)[::2]
        expected = A @ x
        wrong.extend(seed for _ in range(50) if not numpy.array_equal(onepass.gemv(A, x), expected))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_thread_leaves_its_handle_to_the_next():
    A, used = numpy.ones((2, 2)), []

    def work():
        onepass.gemv(A, A[0])
        used.append(_library.handle(_library.HOST))

    for _ in range(3):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(set(used)) == 1 and used[0] != _library.handle(_library.HOST)


def test_a_plan_runs_and_explains_itself():
    A, x, out = numbers((300, 200), "float64", 1), numbers(400, "float64", 2)[::2], numpy.empty(300)
    plan = onepass.Plan(A, x, out)
    numpy.testing.assert_array_equal(plan.run(A, x, out, alpha=2), 2 * (A @ x))
    numpy.testing.assert_array_equal(plan.run(A, x, out, beta=1), 3 * (A @ x))
    assert "cpu" in plan.explain() and "cpu" in str(plan) and '"variant"' in plan.save()
    with pytest.raises(ValueError, match="the plan is for"):
        plan.run(A[:299], x)

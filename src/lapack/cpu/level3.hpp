// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The products of level 3, by the library's own vectors or by the host's BLAS.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>

#include "backends/cpu/team.hpp"
#include "lapack/cpu/level2.hpp"
#include "lapack/cpu/level3_team.hpp"
#include "lapack/cpu/packed.hpp"
#include "lapack/element.hpp"
#include "lapack/problem.hpp"

extern "C" {
#define ONEPASS_LEVEL_3(L, T)                                                                                   \
  void L##gemm_(const char*, const char*, const int*, const int*, const int*, const T*, const T*, const int*,   \
                const T*, const int*, const T*, T*, const int*);                                                \
  void L##trmm_(const char*, const char*, const char*, const char*, const int*, const int*, const T*, const T*, \
                const int*, T*, const int*);
ONEPASS_LEVEL_3(s, float)
ONEPASS_LEVEL_3(d, double)
ONEPASS_LEVEL_3(c, std::complex<float>)
ONEPASS_LEVEL_3(z, std::complex<double>)
#undef ONEPASS_LEVEL_3
#define ONEPASS_RANK_2K(NAME, T, R)                                                                                 \
  void NAME(const char*, const char*, const int*, const int*, const T*, const T*, const int*, const T*, const int*, \
            const R*, T*, const int*);
ONEPASS_RANK_2K(ssyr2k_, float, float)
ONEPASS_RANK_2K(dsyr2k_, double, double)
ONEPASS_RANK_2K(cher2k_, std::complex<float>, float)
ONEPASS_RANK_2K(zher2k_, std::complex<double>, double)
#undef ONEPASS_RANK_2K
}

namespace onepass::lapack {

template <class T>
struct Level3;
#define ONEPASS_LEVEL_3(L, T, R2K)         \
  template <>                              \
  struct Level3<T> {                       \
    static constexpr auto gemm = L##gemm_; \
    static constexpr auto trmm = L##trmm_; \
    static constexpr auto rank_2k = R2K;   \
  };
ONEPASS_LEVEL_3(s, float, ssyr2k_)
ONEPASS_LEVEL_3(d, double, dsyr2k_)
ONEPASS_LEVEL_3(c, std::complex<float>, cher2k_)
ONEPASS_LEVEL_3(z, std::complex<double>, zher2k_)
#undef ONEPASS_LEVEL_3

// op(A): as it is, or conjugated and transposed.
enum class As : bool { is, adjoint };

template <class T>
const char* trans_of(As as) {
  return as == As::is ? "N" : is_complex<T> ? "C" : "T";
}
inline int narrow(std::int64_t v) { return static_cast<int>(v); }

// Threads that share `operations` products of numbers. Below so many for each, which take a few microseconds, waking
// another one is not worth it; the border was not timed.
inline int threads_of_level_3(std::int64_t operations) {
  constexpr std::int64_t of_a_thread = 100'000;
  return static_cast<int>(std::clamp<std::int64_t>(operations / of_a_thread, 1, Level3Team::threads()));
}
// part(range) for the share of 0..count of each thread of a team.
template <class F>
void share_level_3(int threads, std::int64_t count, F part) {
  if (threads == 1) return part(cpu::Range{.begin = 0, .end = count});
  cpu::fork(threads, [&](cpu::Team team) {
    team.each(threads, [&](std::int64_t i) {
      if (const cpu::Range range = cpu::share(count, threads, i, 16); range.size() > 0) part(range);
    });
  });
}

// Null where the host's BLAS multiplies.
template <class T>
const PackedKernels<Kernel<T>>* own_kernels() {
  return multiplies_by_packed_kernels() ? &kernels_of<Kernel<T>>(packed_kernels()) : nullptr;
}

// Rows of A that are packed together.
template <class T>
inline constexpr std::int64_t packed_rows = 96 / components<T>;

// Rows that one product after another is better made of, where A or C of the next one is what the last one has made.
template <class T>
std::int64_t rows_at_once(std::int64_t all) {
  return own_kernels<T>() != nullptr ? packed_rows<T> : all;
}

// C := alpha op(A) op(B) [+ C] with a real alpha, block by block of A.
template <class T>
void packed_gemm(const PackedKernels<Kernel<T>>& kernels, As as_a, As as_b, std::int64_t m, std::int64_t n,
                 std::int64_t k, Real<T> alpha, Matrix<const T> a, Matrix<const T> b, bool adds, Matrix<T> c) {
  constexpr std::int64_t most_rows = packed_rows<T>, most_terms = 64;
  alignas(64) Real<T> packed[(most_rows * components<T> + 64) * most_terms];
  for (std::int64_t row = 0; row < m; row += most_rows)
    for (std::int64_t term = 0; term < k; term += most_terms) {
      const std::int64_t rows = std::min(most_rows, m - row), terms = std::min(most_terms, k - term);
      const int height = kernels.height(rows);
      const Matrix<const T> own_a = as_a == As::is ? a.at(row, term) : a.at(term, row);
      const Matrix<const T> own_b = as_b == As::is ? b.at(term, 0) : b.at(0, term);
      kernels.pack({.rows = rows,
                    .terms = terms,
                    .a = parts(own_a.data),
                    .lda = a.ld * components<T>,
                    .adjoint = as_a == As::adjoint},
                   height, 0, (rows * components<T> + height - 1) / height, packed);
      kernels.multiply({.a = {.data = packed, .terms = terms, .height = height},
                        .rows = rows,
                        .last = n,
                        .b = parts(own_b.data),
                        .ldb = b.ld * components<T>,
                        .adjoint = as_b == As::adjoint,
                        .c = parts(c.data + row),
                        .ldc = c.ld * components<T>,
                        .alpha = alpha,
                        .adds = adds || term > 0});
    }
}

// C := alpha op(A) op(B) + beta C, with C of m x n and k terms, by one thread of the library.
template <class T>
void own_gemm(As as_a, As as_b, std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a,
              Matrix<const T> b, T beta, Matrix<T> c) {
  if (m == 0 || n == 0) return;
  const bool adds = beta == T{1};
  if (const auto* const kernels = own_kernels<T>();
      kernels != nullptr && k > 0 && (adds || beta == T{}) && imaginary(alpha) == 0)
    return packed_gemm<T>(*kernels, as_a, as_b, m, n, k, real(alpha), a, b, adds, c);
  const int rows = narrow(m), columns = narrow(n), terms = narrow(k), lda = narrow(a.ld), ldb = narrow(b.ld),
            ldc = narrow(c.ld);
  Level3<T>::gemm(trans_of<T>(as_a), trans_of<T>(as_b), &rows, &columns, &terms, &alpha, a.data, &lda, b.data, &ldb,
                  &beta, c.data, &ldc);
}

// Likewise, by the team: each thread has columns of C, or rows where it has more of them.
template <class T>
void gemm(As as_a, As as_b, std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a,
          Matrix<const T> b, T beta, Matrix<T> c) {
  const bool by_columns = n >= m;
  share_level_3(threads_of_level_3(m * n * k), by_columns ? n : m, [&](cpu::Range own) {
    const std::int64_t at = own.begin;
    if (by_columns)
      own_gemm<T>(as_a, as_b, m, own.size(), k, alpha, a, as_b == As::is ? b.at(0, at) : b.at(at, 0), beta,
                  c.at(0, at));
    else
      own_gemm<T>(as_a, as_b, own.size(), n, k, alpha, as_a == As::is ? a.at(at, 0) : a.at(0, at), b, beta,
                  c.at(at, 0));
  });
}

// B := op(T) B or B op(T), with a triangle T.
template <class T>
void own_triangle(Side side, Uplo uplo, As as, std::int64_t m, std::int64_t n, Matrix<const T> t, Matrix<T> b) {
  if (m == 0 || n == 0) return;
  const int rows = narrow(m), columns = narrow(n), ldt = narrow(t.ld), ldb = narrow(b.ld);
  const T one{1};
  Level3<T>::trmm(side == Side::left ? "L" : "R", uplo == Uplo::upper ? "U" : "L", trans_of<T>(as), "N", &rows,
                  &columns, &one, t.data, &ldt, b.data, &ldb);
}

template <class T>
void multiply_by_triangle(Side side, Uplo uplo, As as, std::int64_t m, std::int64_t n, Matrix<const T> t, Matrix<T> b) {
  const bool by_columns = side == Side::left;
  share_level_3(threads_of_level_3(m * n * (by_columns ? m : n) / 2), by_columns ? n : m, [&](cpu::Range own) {
    if (by_columns)
      own_triangle<T>(side, uplo, as, m, own.size(), t, b.at(0, own.begin));
    else
      own_triangle<T>(side, uplo, as, own.size(), n, t, b.at(own.begin, 0));
  });
}

// The triangle of A := A - V W^H - W V^H, with k columns of V and W.
template <class T>
void own_rank_2k(Uplo uplo, std::int64_t n, std::int64_t k, Matrix<const T> v, Matrix<const T> w, Matrix<T> a) {
  if (n == 0) return;
  const int order = narrow(n), terms = narrow(k), ldv = narrow(v.ld), ldw = narrow(w.ld), lda = narrow(a.ld);
  const T minus_one{-1};
  const Real<T> one = 1;
  Level3<T>::rank_2k(uplo == Uplo::upper ? "U" : "L", "N", &order, &terms, &minus_one, v.data, &ldv, w.data, &ldw, &one,
                     a.data, &lda);
}

// Columns of a triangle that are subtracted together: those rows of them that the diagonal does not cross in one
// product with all terms, which reads and writes A once.
inline constexpr std::int64_t columns_of_rank_2k = 128;

// A := A - P R^H for some columns of a triangle of order n, where P = (v0 w0 v1 w1 ...) and R = (w0 v0 w1 v1 ...), k
// pairs.
template <class T>
void subtract_pairs(Uplo uplo, std::int64_t n, cpu::Range columns, std::int64_t k, Matrix<const T> p, Matrix<const T> r,
                    Matrix<T> a) {
  for (std::int64_t first = columns.begin; first < columns.end; first += columns_of_rank_2k) {
    const std::int64_t last = std::min(columns.end, first + columns_of_rank_2k);
    const Matrix<const T> pairs = p.at(first, 0);
    own_rank_2k<T>(uplo, last - first, k, {pairs.data, 2 * pairs.ld}, {pairs.data + pairs.ld, 2 * pairs.ld},
                   a.at(first, first));
    const cpu::Range rows = uplo == Uplo::upper ? cpu::Range{.begin = 0, .end = first} : cpu::Range{last, n};
    own_gemm<T>(As::is, As::adjoint, rows.size(), last - first, 2 * k, T{-1}, p.at(rows.begin, 0), r.at(first, 0), T{1},
                a.at(rows.begin, first));
  }
}

}  // namespace onepass::lapack

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The measures of LAPACK's own testers, in units of n eps: what is below `residual_limit` has passed.
#pragma once

#include <limits>

#include "verify/lapack_matrix.hpp"

namespace onepass::verify {

inline constexpr double residual_limit = 30;
// That of vectors and values which the reference backend rounds from wider numbers: rounding V changes V^H V by n eps
// at most, and rounding V, w and V^H changes V diag(w) V^H by 1.5 n eps |A|, since no element of |V| |V^H| is above 1.
// The measure itself rounds, too.
inline constexpr double rounding_limit = 2;

// The larger part of T's last digit.
template <class T>
inline constexpr double unit_of = std::numeric_limits<lapack::Real<T>>::epsilon();

// |A - Q B P| / (|A| n eps), in norm 1; `right` is P^H itself, as orgbr makes it. 0 for an exact reduction of zero.
template <class W>
double reduction_residual(const Dense<W>& a, const Dense<W>& q, const Dense<W>& b, const Dense<W>& right, double eps);

// |I - Q^H Q| / (n eps), or of Q Q^H where there are more columns than rows.
template <class W>
double orthogonality_residual(const Dense<W>& q, double eps);

// The largest difference of two matrices over n eps times the largest element of the second.
template <class W>
double difference(const Dense<W>& a, const Dense<W>& b, double eps);

template <class W>
Dense<W> adjoint(const Dense<W>& a);

}  // namespace onepass::verify

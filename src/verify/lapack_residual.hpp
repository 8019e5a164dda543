// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The measures of LAPACK's own testers, in units of n eps: what is below `residual_limit` has passed.
#pragma once

#include <limits>

#include "verify/lapack_matrix.hpp"

namespace onepass::verify {

inline constexpr double residual_limit = 30;

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

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of operations on rows on the simulator, against the loops of the host: by vectors and by elements.
#include <cmath>
#include <vector>

#include "backends/host_row_steps.hpp"
#include "sim/run_kernel.hpp"

// Behind the executor.
#include "launch/row_steps.hpp"

namespace onepass::sim {
namespace {

template <class T>
struct alignas(16) Vector {
  T element[16 / sizeof(T)];
};

// rows x n elements from `offset` on, with NaN behind each row.
template <class T>
struct Rows {
  std::int64_t rows, n, ld, offset;
  std::vector<Vector<T>> memory =
      std::vector<Vector<T>>(static_cast<std::size_t>(offset + rows * ld) * sizeof(T) / 16 + 1);

  T* data() { return memory.data()->element + offset; }
  void fill(int seed) {
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t i = 0; i < ld; ++i)
        data()[r * ld + i] =
            narrow<T>(i < n ? static_cast<Sum<T>>(static_cast<int>((r * 7 + i * 5 + seed) % 23) - 11) / 4
                            : static_cast<Sum<T>>(NAN));
  }
  Pattern pattern() const { return {.rows = n, .cols = rows, .lda = ld, .element = sizeof(T)}; }
};

struct RowCase {
  std::int64_t rows, n, ld, offset;
};
const RowCase row_cases[] = {{1, 64, 64, 0}, {3, 40, 48, 0}, {2, 37, 48, 0},    {2, 40, 41, 0},
                             {1, 40, 40, 1}, {1, 1, 1, 0},   {1, 9000, 9000, 0}};

template <class T>
class RowSteps : public ::testing::Test {
 protected:
  void compare(RowOperation operation, const RowCase& c, bool in_place, bool weighted) {
    Rows<T> x{c.rows, c.n, c.ld, c.offset}, y = x, expected = x;
    const bool each = operation == RowOperation::swiglu;  // row has another one beside it
    Rows<T> other{each ? c.rows : 1, c.n, c.ld, c.offset}, sines{1, c.n, c.ld, c.offset};
    x.fill(1);
    other.fill(5);
    sines.fill(3);
    const auto step = [&](Rows<T>& to) {
      return RowStep{.operation = operation,
                     .rows = c.rows,
                     .n = c.n,
                     .x = x.data(),
                     .ld_x = c.ld,
                     .other = weighted ? other.data() : nullptr,
                     .ld_other = each ? c.ld : 0,
                     .sines = operation == RowOperation::rotary ? sines.data() : nullptr,
                     .epsilon = 0.01,
                     .y = to.data(),
                     .ld_y = c.ld};
    };
    RowStep on_host = step(expected);
    on_host.type = std::is_same_v<T, double> ? Type::d : std::is_same_v<T, Bfloat16> ? Type::b : Type::s;
    ASSERT_TRUE(run_on_host(on_host).ok());
    GridMemory memory;
    memory.add("x", x.pattern(), x.data(), Holds::data);
    memory.add("other", other.pattern(), other.data(), each ? Holds::data : Holds::constants);
    memory.add("sines", sines.pattern(), sines.data(), Holds::constants);
    if (!in_place) memory.add("y", y.pattern(), y.data(), Holds::nothing);
    Rows<T>& to = in_place ? x : y;
    const Status status = launch_row_step<T>(SimLauncher{&memory}, step(to));
    ASSERT_TRUE(status.ok()) << status.text;
    for (std::int64_t r = 0; r < c.rows; ++r)
      for (std::int64_t i = 0; i < c.n; ++i) {
        const double found = widen(to.data()[r * c.ld + i]), wanted = widen(expected.data()[r * c.ld + i]);
        ASSERT_NEAR(found, wanted,
                    std::abs(wanted) * (sizeof(T) == 2   ? 0.01
                                        : sizeof(T) == 4 ? 1e-5
                                                         : 1e-13))
            << r << ", " << i << " of " << c.rows << "x" << c.n;
      }
  }
};
using RowTypes = ::testing::Types<float, double, Bfloat16>;
TYPED_TEST_SUITE(RowSteps, RowTypes);

TYPED_TEST(RowSteps, NormAsOnTheHost) {
  for (const RowCase& c : row_cases)
    for (const bool in_place : {false, true}) this->compare(RowOperation::rms_norm, c, in_place, c.n != 37);
}

TYPED_TEST(RowSteps, SwigluAsOnTheHost) {
  for (const RowCase& c : row_cases)
    for (const bool in_place : {false, true}) this->compare(RowOperation::swiglu, c, in_place, true);
}

TYPED_TEST(RowSteps, RotaryAsOnTheHost) {
  for (const RowCase& c : row_cases)
    if (c.n % 2 == 0)
      for (const bool in_place : {false, true}) this->compare(RowOperation::rotary, c, in_place, true);
}

}  // namespace
}  // namespace onepass::sim

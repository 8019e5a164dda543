// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Results that differ by the order of their sums agree, results with a term left out do not.
#include "measure/agreement.hpp"

#include <gtest/gtest.h>

#include "backends/registry.hpp"
#include "measure/onepass_provider.hpp"
#include "measure/random_block.hpp"
#include "problem/names.hpp"
#include "verify/element.hpp"

namespace onepass::tools {
namespace {

std::vector<std::byte> product(const Backend& backend, const Problem& p, std::int64_t terms) {
  std::vector<std::byte> block = random_block(p.type_a);
  Problem shorter = p;
  shorter.n = terms;
  std::vector<std::byte> y(static_cast<std::size_t>(p.m * size_of(p.type_y)));
  const Type sum = scalar_type(p.type_a);
  const std::byte* const x = &block[static_cast<std::size_t>(13 * size_of(p.type_x))];
  const Operands operands{.alpha = one_of(sum), .a = block.data(), .x = x, .beta = zero_of(sum), .y = y.data()};
  const Plan plan = backend.plan(shorter, 1);
  Workspace workspace{.data = nullptr, .bytes = plan.workspace_bytes};
  EXPECT_TRUE(backend.allocate_workspace(workspace.bytes + 1, &workspace.data).ok());
  EXPECT_TRUE(backend.launch(plan, operands, workspace, nullptr).ok());
  backend.release(workspace.data);
  return y;
}

TEST(Agreement, OfTwoBackendsHoldsAndALostTermIsSeen) {
  for (const char* type : {"s", "d", "c", "z", "h", "b"})
    for (const std::int64_t n : {1, 30, 1000, 20000}) {
      Problem p{.m = 3, .n = n, .lda = 3};
      set_types(p, type);
      const auto truth = product(reference_backend(), p, n), other = product(cpu_backend(), p, n);
      EXPECT_EQ(why_different(p, other, truth, "cpu"), "") << type << " " << n;
      if (n == 1) continue;
      EXPECT_NE(why_different(p, product(cpu_backend(), p, n - 1), truth, "cpu"), "") << type << " " << n;
    }
}

TEST(Agreement, SeesWhatIsNotANumber) {
  const Problem p{.m = 2, .n = 2, .lda = 2};
  std::vector<std::byte> y = product(reference_backend(), p, 2), wrong = y;
  verify::put(Type::s, wrong.data(), 1, std::nan(""));
  EXPECT_EQ(why_different(p, y, y, "it"), "");
  EXPECT_NE(why_different(p, wrong, y, "it"), "");
}

}  // namespace
}  // namespace onepass::tools

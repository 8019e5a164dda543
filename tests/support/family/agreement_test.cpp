// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Every case on every backend against the reference, with canaries around each buffer; on the simulator, in one pass.
#include <gtest/gtest.h>

#include <tuple>

#include "backends/registry.hpp"
#include "support/compare.hpp"
#include "support/family/kernels.hpp"
#include "support/family/on_backend.hpp"
#include "support/family/one_pass.hpp"
#include "support/thorough.hpp"

namespace onepass::test {
namespace {

using OnCase = std::tuple<const Backend*, GroupedCase>;

class Agreement : public testing::TestWithParam<OnCase> {
 protected:
  const Backend& backend() const { return *std::get<0>(GetParam()); }
  const Case& base() const { return std::get<1>(GetParam()).c; }
};

std::string case_name(const testing::TestParamInfo<OnCase>& info) {
  return std::string(name(std::get<0>(info.param)->id())) + "_" + std::get<1>(info.param).c.name;
}

// One case in so many of each kernel in each type: on the simulator, on the host. On a GPU all of them.
std::vector<OnCase> cases_on_backends(std::int64_t simulated, std::int64_t on_host) {
  const std::vector<GroupedCase> cases = cases_asked_for(cases_to_run());
  std::vector<OnCase> list;
  for (const Backend* backend : backends_but_reference()) {
    const BackendId id = backend->id();
    const std::int64_t share = id == BackendId::sim ? simulated : id == BackendId::cpu ? on_host : 1;
    for (const GroupedCase& g : some_of_each_kernel(cases, share)) list.emplace_back(backend, g);
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(Family, Agreement, testing::ValuesIn(cases_on_backends(8, 4)), case_name);

TEST_P(Agreement, IsExactOnIntegers) {
  const HostOperands operands = lay_out(base());
  const Outcome actual = run(backend(), base(), operands);
#ifdef ONEPASS_WITH_SIM
  if (backend().id() == BackendId::sim)
    expect_one_pass(base().problem, loaded_again(backend().plan(base().problem, 0)));
#endif
  EXPECT_TRUE(agrees(base(), operands, actual, run(reference_backend(), base(), operands)));
}

// On reals fewer: which elements meet does not depend on their values, and integers show it; what a kernel adds and
// rounds in is the same in all of its cases.
class AgreementOnReals : public Agreement {};
INSTANTIATE_TEST_SUITE_P(Family, AgreementOnReals, testing::ValuesIn(cases_on_backends(32, 12)), case_name);

TEST_P(AgreementOnReals, IsWithinTheErrorBound) {
  Case c = base();
  c.fill = Fill::reals;
  c.alpha *= 0.37;
  c.beta *= 1.13;
  EXPECT_TRUE(agrees_with_reference(backend(), c));
}

class Calls : public OnBackend {};
INSTANTIATE_TEST_SUITE_P(Family, Calls, every_backend_but_reference(), backend_name);

// More products than a grid has blocks in one direction.
TEST_P(Calls, TakeSeventyThousandTinyProducts) {
  if (slow_build() && backend().id() == BackendId::sim) GTEST_SKIP() << "takes long in this build";
  const bool simulated = backend().id() == BackendId::sim;
  if (simulated && !takes_turn(static_cast<int>(forms().front().routine), 3))
    GTEST_SKIP() << "has its turn another day";
  for (const bool pointers : {false, true}) {
    if (!pointers && simulated) continue;  // the same grid
    const Problem form = pointers ? forms().back() : forms().front();
    Case c{.name = "tiny", .problem = sized(form, pointers ? usual_type(form) : "s", 3, 2)};
    c.problem.batch = 70'000;
    c.problem.pointer_array = pointers;
    c.problem.stride_a = 6, c.problem.stride_x = 3, c.problem.stride_y = 3;
    EXPECT_TRUE(agrees_with_reference(backend(), c));
  }
}

// Large enough to be shared among threads, in ways that depend on the shape.
TEST_P(Calls, GiveTheResultWithAnyNumberOfThreads) {
  if (backend().id() != BackendId::cpu) GTEST_SKIP() << "only the cpu backend has threads";
  int turn = 0;
  for (const char* types : {"s", "d", "c", "z", "h", "bbs", "w"})
    for (const Problem& form : forms())
      for (const auto& [m, n] : {std::pair{3, 2}, {701, 401}, {60'001, 5}, {5, 60'001}}) {
        Case c{.name = "threads", .problem = sized(form, types, m, n)};
        if (!takes_types(c.problem)) continue;
        if (is_triangle(form) && n > 1000) continue;
        if (slow_build() && turn++ % 3 != 0) continue;
        c.problem.lda += 1;
        c.problem.incx = -1;
        const HostOperands operands = lay_out(c);
        const Outcome expected = run(reference_backend(), c, operands);
        for (const int threads : {1, 2, 3, 7})
          EXPECT_TRUE(agrees(c, operands, run(backend(), c, operands, {.threads = threads}), expected))
              << threads << " threads";
      }
}

// Hosts ask complex numbers to be aligned to a component only.
TEST_P(Calls, TakeComplexNumbersAlignedToAComponent) {
  if (backend().alignment() != Alignment::component) GTEST_SKIP() << "this backend wants whole elements";
  for (GroupedCase g : small_cases()) {
    if (!is_complex_type(g.c.problem.type_a)) continue;
    g.c.half_element = true;
    EXPECT_TRUE(agrees_with_reference(backend(), g.c));
  }
}

}  // namespace
}  // namespace onepass::test

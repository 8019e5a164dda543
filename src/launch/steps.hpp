// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From the step of a routine to its kernel.
//
// The files of launch/lapack specialise KernelsOf for each step of a group:
//   shapes                                      the numbers of the kernels that are compiled
//   template <class A, int shape> using Kernel  one of them, for elements of type A
//   template <class A, int shape> has           false where there is none
//   template <class A, int shape> regions(args, work, memory)   the memory that a launch touches: memory.add(Region),
//       memory.add_matrix(Region) for the matrix, whose loads are counted, memory.add_barrier(word)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "lapack/gpu/queue.hpp"
#include "lapack/gpu/solvers/form_shape.hpp"
#include "lapack/gpu/step.hpp"
#include "launch/launcher.hpp"
#include "launch/region.hpp"
#include "numbers/scalar.hpp"

namespace onepass::lapack {

template <Step step>
struct KernelsOf;

// A step for which one kernel is compiled.
struct OneShape {
  static constexpr std::array shapes = {0};
  template <class A, int shape>
  static constexpr bool has = true;
};

// One of which as many kernels are compiled as there are shapes of a matrix on the chip.
struct OnChip : OneShape {
  static constexpr std::array shapes = {0, 1, 2, 3};
};

// A step of which kernels are compiled for both forms of a matrix and each of some numbers.
template <int... numbers>
struct OfForms : OneShape {
  static constexpr std::array shapes = {form_shape(kernels::Form::tridiagonal, numbers)...,
                                        form_shape(kernels::Form::bidiagonal, numbers)...};
};

// use.template operator()<step, shape>() for each kernel of a group.
template <StepGroup group, class A, class Use>
void for_each_kernel(Use use) {
  const auto each_shape = [&]<Step step>() {
    using Kernels = KernelsOf<step>;
    const auto one = [&]<int shape>() {
      if constexpr (Kernels::template has<A, shape>) use.template operator()<step, shape>();
    };
    [&]<std::size_t... i>(std::index_sequence<i...>) { (one.template operator()<Kernels::shapes[i]>(), ...); }
    (std::make_index_sequence<std::size(Kernels::shapes)>{});
  };
  const auto each_step = [&]<std::size_t i>() {
    if constexpr (step_texts[i].group == group) each_shape.template operator()<step_texts[i].step>();
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) { (each_step.template operator()<i>(), ...); }
  (std::make_index_sequence<step_count>{});
}

// run.template operator()<step, shape>() for the kernel that `work` names.
template <StepGroup group, class A, class Run>
Status with_kernel(Step step, const Work& work, Run run) {
  Status status;
  bool found = false;
  for_each_kernel<group, A>([&]<Step each, int shape>() {
    if (each != step || shape != work.shape) return;
    found = true;
    status = run.template operator()<each, shape>();
  });
  if (!found) status = {ONEPASS_STATUS_INVALID_PLAN, "no kernel of shape " + std::to_string(work.shape)};
  if (!status.ok()) status.text = std::string(row(step).name) + ": " + status.text;
  return status;
}

template <class Kernel, class Launcher, class Args>
Status launch_work(const Launcher& launcher, const Work& work, const Args& args) {
  return launcher.template run<Kernel>({.x = work.blocks}, work.threads > 0 ? work.threads : Kernel::max_threads,
                                       work.shared_bytes, args, {.cluster = work.cluster, .grid = work.together});
}

}  // namespace onepass::lapack

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the launches of all families share: from family, type and kernel as values to template arguments, and from
// operands to what kernels are told of them. Looks the kernel of a plan up in the registry, and chooses nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "kernels/gemv/args.hpp"
#include "launch/launcher.hpp"
#include "plan/registry.hpp"
#include "problem/elements.hpp"
#include "problem/names.hpp"
#include "problem/status.hpp"

namespace onepass {

// body.operator()<E, family>() for the Elements E that `elements` names, and the family.
template <class Body>
Status by_instance(Family family, ElementsId elements, Body body) {
  Status status{ONEPASS_STATUS_INVALID_PLAN, std::string(name(family)) + " has no kernel for these element types"};
  const auto try_one = [&]<Family f, class Combination>() {
    if constexpr (is_compiled_for(f, Combination::id)) {
      if (family == f && elements == Combination::id)
        status = body.template operator()<typename Combination::Elements, f>();
    }
  };
  const auto try_types = [&]<Family f, class... Combinations>(ElementsList<Combinations...>) {
    (try_one.template operator()<f, Combinations>(), ...);
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (try_types.template operator()<all_families[i]>(all_elements), ...);
  }
  (std::make_index_sequence<all_families.size()>{});
  return status;
}

// What a family's launch header defines, for each of its kernels:
//   template <class E, KernelId id> using Kernel   the kernel's type
//   template <KernelId id> using Args              what it is told
//   template <class E, KernelId id, class Launcher>
//   static Status run(const Launcher&, const Plan&, const Operands&, Workspace)
template <Family family>
struct LaunchOf;

template <class E, Family family, KernelId id>
using KernelOf = typename LaunchOf<family>::template Kernel<E, id>;
template <Family family, KernelId id>
using ArgsOf = typename LaunchOf<family>::template Args<id>;

// The launch of a plan, for elements E.
template <class E, Family family, class Launcher>
Status launch_plan(const Launcher& launcher, const Plan& plan, const Operands& operands, Workspace workspace) {
  Status status{ONEPASS_STATUS_INVALID_PLAN, std::string("no kernel is called ") + name(plan.kernel.variant)};
  for_each_kernel<family, id_of<E>>([&]<KernelId id>() {
    if (plan.kernel == id) status = LaunchOf<family>::template run<E, id>(launcher, plan, operands, workspace);
  });
  return status;
}

// What every kernel is told of its operands, whatever the shape of the launch.
inline kernels::GemvArgs product_args(const Problem& p, const Operands& o) {
  const auto scalar = [&](const void* value) {
    kernels::Scalar result;
    if (p.scalars == Scalars::host)
      std::memcpy(result.bytes, value, static_cast<std::size_t>(size_of_scalar(p.type_a)));
    return result;
  };
  // A vector's first element as BLAS counts; a pointer array stays as it is.
  const auto start = [&](const void* vector, std::int64_t first, Type type) {
    if (p.pointer_array || vector == nullptr) return vector;
    return static_cast<const void*>(static_cast<const std::byte*>(vector) + first * size_of(type));
  };
  const Stored s = stored(p);
  const std::int64_t first_x = first_element(length_x(p), p.incx), first_y = first_element(length_y(p), p.incy);
  const bool on_device = p.scalars == Scalars::device;
  return {
      .a = o.a,
      .x = start(o.x, first_x, p.type_x),
      .y = const_cast<void*>(start(o.y, first_y, p.type_y)),
      .lda = p.lda,
      .rows = s.rows,
      .cols = s.cols,
      .incx = p.incx,
      .incy = p.incy,
      .conjugate = s.conjugate,
      .wide_y = p.type_y != p.type_a,
      .settled_x = o.settled_a && o.settled_x,
      .opens_first = o.opens_first,
      .alpha = scalar(o.alpha),
      .beta = row(p).has_beta ? scalar(o.beta) : kernels::Scalar{},
      .batch = p.batch,
      .stride_a = p.stride_a,
      .stride_x = p.stride_x,
      .stride_y = p.stride_y,
      .first_x = first_x,
      .first_y = first_y,
      .alpha_pointer = on_device ? o.alpha : nullptr,
      .beta_pointer = on_device ? o.beta : nullptr,
      .pointer_array = p.pointer_array,
      .x_tail = start(o.x_tail, first_x, p.type_x),
      .y_tail = const_cast<void*>(start(o.y_tail, first_y, p.type_y)),
  };
}

// 2^32 / d, rounded up; 0 stands for the reciprocal of 1.
inline std::uint32_t reciprocal(std::int64_t d) {
  return static_cast<std::uint32_t>(0xffffffffu / static_cast<std::uint64_t>(d) + 1);
}

}  // namespace onepass

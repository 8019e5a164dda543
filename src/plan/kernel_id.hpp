// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The name of a compiled kernel: its variant, and the form in which it was compiled.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/form.hpp"

namespace onepass {

enum class Variant : std::uint8_t {
  gemv_n,
  gemv_n_small,
  gemv_t,
  gemv_t_once,
  gemv_t_small,
  gemv_t_short,
  gemv_t_tensor,
  gemv_flat,
  gemv_n_canonical,
  gemv_n_small_canonical,
  gemv_t_canonical,
  gemv_t_small_canonical,
  symv_small,
  symv_rows,
  symv_squares,
  symv_tiles,
  symv_canonical,
  symv_rows_canonical,
  ger_aligned,
  ger_flat,
  ger,
  cpu_n,
  cpu_t,
  cpu_symv,
  cpu_loops,
  cpu_ger,
  cpu_accurate,
  cpu_canonical,
  loops,
};
inline constexpr Variant last_variant = Variant::loops;

struct KernelId {
  Variant variant = Variant::loops;
  Form form = Form::general;
  Loads loads = Loads::many;

  bool operator==(const KernelId&) const = default;
};

const char* name(Variant variant);
const char* name(Form form);
const char* name(Loads loads);
std::optional<Variant> parse_variant(std::string_view text);
std::optional<Form> parse_form(std::string_view text);
std::optional<Loads> parse_loads(std::string_view text);

}  // namespace onepass

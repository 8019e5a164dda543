// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The name of a compiled kernel: its variant, and the form in which it was compiled.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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

// Which arguments a kernel has to look at. A single product with its scalars on the host is the common case, and short
// launches feel every instruction: about 2.5 cycles each on an H200, whose instruction caches are cold.
enum class Form : std::uint8_t { plain, general };

// Vectors whose loads a thread issues before it uses one: many for the bus; few for a short launch, whose time is that
// of its instructions.
enum class Loads : std::uint8_t { few, many };

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

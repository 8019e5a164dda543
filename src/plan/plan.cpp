// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.hpp"

namespace onepass {
namespace {

// The value of an enum that has this name, from its first to its last.
template <class E>
std::optional<E> parse(std::string_view text, E last) {
  for (int i = 0; i <= static_cast<int>(last); ++i)
    if (text == name(static_cast<E>(i))) return static_cast<E>(i);
  return std::nullopt;
}

}  // namespace

const char* name(BackendId backend) {
  switch (backend) {
    case BackendId::cuda: return "cuda";
    case BackendId::cpu: return "cpu";
    case BackendId::sim: return "sim";
    case BackendId::reference: return "reference";
  }
  return "?";
}

const char* name(Variant variant) {
  switch (variant) {
    case Variant::gemv_n: return "gemv_n";
    case Variant::gemv_n_small: return "gemv_n_small";
    case Variant::gemv_t: return "gemv_t";
    case Variant::gemv_t_once: return "gemv_t_once";
    case Variant::gemv_t_small: return "gemv_t_small";
    case Variant::gemv_t_short: return "gemv_t_short";
    case Variant::gemv_t_tensor: return "gemv_t_tensor";
    case Variant::gemv_flat: return "gemv_flat";
    case Variant::gemv_n_canonical: return "gemv_n_canonical";
    case Variant::gemv_n_small_canonical: return "gemv_n_small_canonical";
    case Variant::gemv_n_rows_canonical: return "gemv_n_rows_canonical";
    case Variant::gemv_t_canonical: return "gemv_t_canonical";
    case Variant::gemv_t_small_canonical: return "gemv_t_small_canonical";
    case Variant::symv: return "symv";
    case Variant::symv_small: return "symv_small";
    case Variant::symv_small_vectors: return "symv_small_vectors";
    case Variant::symv_rows: return "symv_rows";
    case Variant::symv_squares: return "symv_squares";
    case Variant::symv_tiles: return "symv_tiles";
    case Variant::symv_columns: return "symv_columns";
    case Variant::symv_canonical: return "symv_canonical";
    case Variant::symv_rows_canonical: return "symv_rows_canonical";
    case Variant::ger_aligned: return "ger_aligned";
    case Variant::ger_flat: return "ger_flat";
    case Variant::ger: return "ger";
    case Variant::cpu_n: return "cpu_n";
    case Variant::cpu_t: return "cpu_t";
    case Variant::cpu_symv: return "cpu_symv";
    case Variant::cpu_loops: return "cpu_loops";
    case Variant::cpu_ger: return "cpu_ger";
    case Variant::cpu_accurate: return "cpu_accurate";
    case Variant::cpu_canonical: return "cpu_canonical";
    case Variant::loops: return "loops";
  }
  return "?";
}

Params parameters_of(Variant variant) {
  switch (variant) {
    case Variant::gemv_n:
    case Variant::gemv_t:
    case Variant::gemv_t_once:
    case Variant::gemv_n_small:
    case Variant::gemv_t_small:
    case Variant::gemv_t_short:
    case Variant::gemv_t_tensor:
    case Variant::gemv_n_canonical:
    case Variant::gemv_n_small_canonical:
    case Variant::gemv_n_rows_canonical:
    case Variant::gemv_t_canonical:
    case Variant::gemv_t_small_canonical: return GemvParams{};
    case Variant::gemv_flat: return FlatParams{};
    case Variant::symv:
    case Variant::symv_tiles:
    case Variant::symv_columns:
    case Variant::symv_canonical: return SymvParams{};
    case Variant::symv_small:
    case Variant::symv_small_vectors: return SymvSmallParams{};
    case Variant::symv_squares: return SymvSquaresParams{};
    case Variant::symv_rows:
    case Variant::symv_rows_canonical: return SymvRowsParams{};
    case Variant::ger_flat: return GerFlatParams{};
    case Variant::ger_aligned:
    case Variant::ger: return GerParams{};
    case Variant::cpu_n:
    case Variant::cpu_t:
    case Variant::cpu_symv:
    case Variant::cpu_loops:
    case Variant::cpu_ger:
    case Variant::cpu_accurate:
    case Variant::cpu_canonical: return HostParams{};
    case Variant::loops: return NoParams{};
  }
  return NoParams{};
}

const char* name(Form form) { return form == Form::plain ? "plain" : "general"; }
const char* name(Loads loads) { return loads == Loads::few ? "few" : "many"; }

std::optional<BackendId> parse_backend(std::string_view text) { return parse(text, BackendId::reference); }
std::optional<Variant> parse_variant(std::string_view text) { return parse(text, last_variant); }
std::optional<Form> parse_form(std::string_view text) { return parse(text, Form::general); }
std::optional<Loads> parse_loads(std::string_view text) { return parse(text, Loads::many); }

std::string print(const Plan& plan) {
  std::string text = name(plan.kernel.variant);
  const auto field = [&](const char* key, std::int64_t value) {
    text += std::string(" ") + key + " " + std::to_string(value);
  };
  if (on_device(plan.backend)) text += std::string(" ") + name(plan.kernel.form) + " " + name(plan.kernel.loads);
  field("threads", plan.threads);
  std::visit([&]<class P>(const P& params) { P::fields(params, field); }, plan.params);
  if (on_device(plan.backend)) field("shared", static_cast<std::int64_t>(plan.shared_bytes));
  if (plan.backend != BackendId::reference) field("workspace", static_cast<std::int64_t>(plan.workspace_bytes));
  return text;
}

}  // namespace onepass

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.hpp"

#include <array>

namespace onepass {
namespace {

template <class E, std::size_t N>
std::optional<E> parse(std::string_view text, const std::array<E, N>& all) {
  for (const E e : all)
    if (text == name(e)) return e;
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
    case Variant::gemv_t: return "gemv_t";
    case Variant::gemv_flat: return "gemv_flat";
    case Variant::symv: return "symv";
    case Variant::symv_small: return "symv_small";
    case Variant::cpu_n: return "cpu_n";
    case Variant::cpu_t: return "cpu_t";
    case Variant::cpu_symv: return "cpu_symv";
    case Variant::loops: return "loops";
  }
  return "?";
}

const char* name(Combine combine) {
  switch (combine) {
    case Combine::none: return "none";
    case Combine::letters: return "letters";
  }
  return "?";
}

std::optional<BackendId> parse_backend(std::string_view text) {
  return parse(text, std::array{BackendId::cuda, BackendId::cpu, BackendId::sim, BackendId::reference});
}
std::optional<Variant> parse_variant(std::string_view text) {
  return parse(text,
               std::array{Variant::gemv_n, Variant::gemv_t, Variant::gemv_flat, Variant::symv, Variant::symv_small,
                          Variant::cpu_n, Variant::cpu_t, Variant::cpu_symv, Variant::loops});
}
std::optional<Combine> parse_combine(std::string_view text) {
  return parse(text, std::array{Combine::none, Combine::letters});
}

std::string print(const Plan& plan) {
  std::string text = name(plan.variant);
  const auto field = [&](const char* key, std::int64_t value) {
    text += std::string(" ") + key + " " + std::to_string(value);
  };
  field("threads", plan.threads);
  if (plan.backend == BackendId::cuda || plan.backend == BackendId::sim) {
    field("lanes", plan.lanes);
    field("tile", plan.tile);
    field("tiles", plan.tiles);
    field("splits", plan.splits);
    field("chunk", plan.chunk);
    if (plan.turns > 1) field("turns", plan.turns);
    text += std::string(" combine ") + name(plan.combine);
    if (plan.shallow) text += " shallow";
    if (plan.prefetch) text += " prefetch";
    field("shared", static_cast<std::int64_t>(plan.shared_bytes));
    field("workspace", static_cast<std::int64_t>(plan.workspace_bytes));
  }
  return text;
}

}  // namespace onepass

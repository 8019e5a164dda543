// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan_json.hpp"

#include <cstdint>

#include "problem/check.hpp"
#include "problem/names.hpp"
#include "support/json.hpp"

namespace onepass {
namespace {

using nlohmann::json;

constexpr int format_version = 4;

Status refused(const std::string& why) { return {ONEPASS_STATUS_INVALID_PLAN, "this text is no plan: " + why}; }

template <class E>
E named(const json& object, const char* key, std::optional<E> (*parse)(std::string_view)) {
  const std::string text = text_of(member(object, key), key);
  const std::optional<E> value = parse(text);
  if (!value) throw std::invalid_argument(std::string(key) + " = " + in_quotes(text) + " is unknown");
  return *value;
}

template <class T>
void read_integer(const json& object, const char* key, T& value) {
  value = whole_number<T>(member(object, key), key);
}

void read_flag(const json& object, const char* key, bool& value) {
  const json& flag = member(object, key);
  if (!flag.is_boolean()) throw std::invalid_argument(std::string(key) + " = " + shown(flag) + " is not true or false");
  value = flag.get<bool>();
}

json problem_json(const Problem& p) {
  return {{"routine", name(p.routine)},
          {"types", type_name(p)},
          {"op", name(p.op)},
          {"uplo", name(p.uplo)},
          {"layout", name(p.layout)},
          {"m", p.m},
          {"n", p.n},
          {"lda", p.lda},
          {"incx", p.incx},
          {"incy", p.incy},
          {"batch", p.batch},
          {"pointer_array", p.pointer_array},
          {"stride_a", p.stride_a},
          {"stride_x", p.stride_x},
          {"stride_y", p.stride_y},
          {"scalars", name(p.scalars)},
          {"accumulate", name(p.accumulate)},
          {"order", name(p.order)},
          {"alignment_a", p.alignment_a}};
}

Problem read_problem(const json& object) {
  Problem p;
  p.routine = named(object, "routine", parse_routine);
  const std::string types = text_of(member(object, "types"), "types");
  if (!set_types(p, types)) throw std::invalid_argument("types = " + in_quotes(types) + " are unknown");
  p.op = named(object, "op", parse_op);
  p.uplo = named(object, "uplo", parse_uplo);
  p.layout = named(object, "layout", parse_layout);
  p.scalars = named(object, "scalars", parse_scalars);
  p.accumulate = named(object, "accumulate", parse_accumulate);
  p.order = named(object, "order", parse_order);
  read_integer(object, "m", p.m);
  read_integer(object, "n", p.n);
  read_integer(object, "lda", p.lda);
  read_integer(object, "incx", p.incx);
  read_integer(object, "incy", p.incy);
  read_integer(object, "batch", p.batch);
  read_flag(object, "pointer_array", p.pointer_array);
  read_integer(object, "stride_a", p.stride_a);
  read_integer(object, "stride_x", p.stride_x);
  read_integer(object, "stride_y", p.stride_y);
  read_integer(object, "alignment_a", p.alignment_a);
  return p;
}

// The parameters that a variant has, filled with what the object says of them.
Params read_params(const json& object, Params params) {
  std::visit(
      [&]<class P>(P& read) {
        const json& from = member(object, P::kind);
        P::fields(read, [&]<class V>(const char* key, V& value) {
          if constexpr (std::is_same_v<V, bool>) {
            read_flag(from, key, value);
          } else {
            read_integer(from, key, value);
          }
        });
      },
      params);
  return params;
}

}  // namespace

std::string to_json(const Plan& plan) {
  json parameters = json::object();
  const char* kind = std::visit(
      [&]<class P>(const P& params) {
        P::fields(params, [&](const char* key, auto value) { parameters[key] = value; });
        return P::kind;
      },
      plan.params);
  const json object = {{"onepass_plan", format_version},    {"problem", problem_json(plan.problem)},
                       {"backend", name(plan.backend)},     {"variant", name(plan.kernel.variant)},
                       {"form", name(plan.kernel.form)},    {"loads", name(plan.kernel.loads)},
                       {"threads", plan.threads},           {kind, parameters},
                       {"shared_bytes", plan.shared_bytes}, {"workspace_bytes", plan.workspace_bytes}};
  return object.dump(2);
}

Status from_json(std::string_view text, Plan* plan) {
  try {
    const auto object = parse_json<json>(text);
    if (member(object, "onepass_plan") != format_version) return refused("its format is not version 4");
    Plan read{.problem = read_problem(member(object, "problem")),
              .backend = named(object, "backend", parse_backend),
              .kernel = {.variant = named(object, "variant", parse_variant),
                         .form = named(object, "form", parse_form),
                         .loads = named(object, "loads", parse_loads)}};
    read_integer(object, "threads", read.threads);
    read.params = read_params(object, parameters_of(read.kernel.variant));
    read_integer(object, "shared_bytes", read.shared_bytes);
    read_integer(object, "workspace_bytes", read.workspace_bytes);
    if (const Status bad = check(read.problem); !bad.ok()) return refused(bad.text);
    *plan = read;
    return {};
  } catch (const std::exception& e) {
    return refused(e.what());
  }
}

std::string to_json(const DeviceTraits& t) {
  const json object = {{"name", t.name},
                       {"arch", t.arch},
                       {"sm_count", t.sm_count},
                       {"max_threads_per_sm", t.max_threads_per_sm},
                       {"max_blocks_per_sm", t.max_blocks_per_sm},
                       {"registers_per_sm", t.registers_per_sm},
                       {"shared_bytes_per_sm", t.shared_bytes_per_sm},
                       {"l2_bytes", t.l2_bytes},
                       {"memory_bytes", t.memory_bytes},
                       {"clock_hertz", t.clock_hertz},
                       {"threads", t.threads},
                       {"features", t.features},
                       {"empty_seconds", t.ceilings.empty_seconds},
                       {"launch_seconds", t.ceilings.launch_seconds},
                       {"bytes_per_second", t.ceilings.bytes_per_second}};
  return object.dump(2);
}

}  // namespace onepass

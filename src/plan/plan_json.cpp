// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan_json.hpp"

#include <cstdint>
#include <new>

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

void write(const Problem& p, json& object) {
  object["routine"] = name(p.routine);
  object["types"] = type_name(p);
  object["op"] = name(p.op);
  object["uplo"] = name(p.uplo);
  object["layout"] = name(p.layout);
  object["m"] = p.m;
  object["n"] = p.n;
  object["lda"] = p.lda;
  object["incx"] = p.incx;
  object["incy"] = p.incy;
  object["batch"] = p.batch;
  object["pointer_array"] = p.pointer_array;
  object["stride_a"] = p.stride_a;
  object["stride_x"] = p.stride_x;
  object["stride_y"] = p.stride_y;
  object["scalars"] = name(p.scalars);
  object["accumulate"] = name(p.accumulate);
  object["order"] = name(p.order);
  object["alignment_a"] = p.alignment_a;
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
  JsonDocument document(json::object());
  json& object = document.root();
  object["onepass_plan"] = format_version;
  object["problem"] = json::object();
  write(plan.problem, object["problem"]);
  object["backend"] = name(plan.backend);
  object["variant"] = name(plan.kernel.variant);
  object["form"] = name(plan.kernel.form);
  object["loads"] = name(plan.kernel.loads);
  object["threads"] = plan.threads;
  std::visit(
      [&]<class P>(const P& params) {
        object[P::kind] = json::object();
        json& parameters = object[P::kind];
        P::fields(params, [&](const char* key, auto value) { parameters[key] = value; });
      },
      plan.params);
  object["shared_bytes"] = plan.shared_bytes;
  object["workspace_bytes"] = plan.workspace_bytes;
  return object.dump(2);
}

Status from_json(std::string_view text, Plan* plan) {
  try {
    const auto document = parse_json<json>(text);
    const json& object = document.root();
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
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return refused(e.what());
  }
}

std::string to_json(const DeviceTraits& t) {
  JsonDocument document(json::object());
  json& object = document.root();
  object["name"] = t.name;
  object["arch"] = t.arch;
  object["sm_count"] = t.sm_count;
  object["max_threads_per_sm"] = t.max_threads_per_sm;
  object["max_blocks_per_sm"] = t.max_blocks_per_sm;
  object["registers_per_sm"] = t.registers_per_sm;
  object["shared_bytes_per_sm"] = t.shared_bytes_per_sm;
  object["l2_bytes"] = t.l2_bytes;
  object["memory_bytes"] = t.memory_bytes;
  object["clock_hertz"] = t.clock_hertz;
  object["threads"] = t.threads;
  object["features"] = t.features;
  object["empty_seconds"] = t.ceilings.empty_seconds;
  object["launch_seconds"] = t.ceilings.launch_seconds;
  object["bytes_per_second"] = t.ceilings.bytes_per_second;
  return object.dump(2);
}

}  // namespace onepass

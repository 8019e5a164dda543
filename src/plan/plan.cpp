// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.hpp"

#include <functional>
#include <new>

#include "plan/device_traits.hpp"
#include "problem/check.hpp"
#include "problem/names.hpp"
#include "support/json.hpp"

namespace onepass {
namespace {

using nlohmann::json;

constexpr int format_version = 5;

// In the order of the enum.
struct VariantKind {
  Variant variant;
  const char* name;
  Params params;
};
constexpr VariantKind variants[] = {
    {Variant::gemv_n, "gemv_n", GemvParams{}},
    {Variant::gemv_n_small, "gemv_n_small", GemvParams{}},
    {Variant::gemv_t, "gemv_t", GemvParams{}},
    {Variant::gemv_t_once, "gemv_t_once", GemvParams{}},
    {Variant::gemv_t_small, "gemv_t_small", GemvParams{}},
    {Variant::gemv_t_short, "gemv_t_short", GemvParams{}},
    {Variant::gemv_t_tensor, "gemv_t_tensor", GemvParams{}},
    {Variant::gemv_flat, "gemv_flat", FlatParams{}},
    {Variant::gemv_n_canonical, "gemv_n_canonical", GemvParams{}},
    {Variant::gemv_n_small_canonical, "gemv_n_small_canonical", GemvParams{}},
    {Variant::gemv_t_canonical, "gemv_t_canonical", GemvParams{}},
    {Variant::gemv_t_small_canonical, "gemv_t_small_canonical", GemvParams{}},
    {Variant::symv_small, "symv_small", SymvSmallParams{}},
    {Variant::symv_rows, "symv_rows", SymvRowsParams{}},
    {Variant::symv_squares, "symv_squares", SymvSquaresParams{}},
    {Variant::symv_tiles, "symv_tiles", SymvParams{}},
    {Variant::symv_canonical, "symv_canonical", SymvParams{}},
    {Variant::symv_rows_canonical, "symv_rows_canonical", SymvRowsParams{}},
    {Variant::ger_aligned, "ger_aligned", GerParams{}},
    {Variant::ger_flat, "ger_flat", GerFlatParams{}},
    {Variant::ger, "ger", GerParams{}},
    {Variant::cpu_n, "cpu_n", HostParams{}},
    {Variant::cpu_t, "cpu_t", HostParams{}},
    {Variant::cpu_symv, "cpu_symv", HostParams{}},
    {Variant::cpu_loops, "cpu_loops", HostParams{}},
    {Variant::cpu_ger, "cpu_ger", HostParams{}},
    {Variant::cpu_accurate, "cpu_accurate", HostParams{}},
    {Variant::cpu_canonical, "cpu_canonical", HostParams{}},
    {Variant::loops, "loops", NoParams{}},
};
static_assert(std::ranges::is_sorted(variants, std::less_equal{}, &VariantKind::variant) &&
              std::size(variants) == static_cast<std::size_t>(last_variant) + 1);
const VariantKind& kind_of(Variant variant) { return variants[static_cast<std::size_t>(variant)]; }

// The value of an enum that has this name, from its first to its last.
template <class E>
std::optional<E> parse(std::string_view text, E last) {
  for (int i = 0; i <= static_cast<int>(last); ++i)
    if (text == name(static_cast<E>(i))) return static_cast<E>(i);
  return std::nullopt;
}

// Fields to an object, and from it.
struct ToJson {
  json& object;

  void operator()(const char* key, auto value) const { object[key] = value; }
  void operator()(const char* key, auto value, auto /* parse */) const { object[key] = name(value); }
  void types(const Problem& p) const { object["types"] = type_name(p); }
  ToJson inner(const char* key) const { return {object[key] = json::object()}; }
};
struct FromJson {
  const json& object;

  template <class T>
  void operator()(const char* key, T& value) const {
    value = whole_number<T>(member(object, key), key);
  }
  void operator()(const char* key, bool& value) const {
    const json& flag = member(object, key);
    if (!flag.is_boolean())
      throw std::invalid_argument(std::string(key) + " = " + shown(flag) + " is not true or false");
    value = flag.get<bool>();
  }
  template <class E>
  void operator()(const char* key, E& value, std::optional<E> (*parse)(std::string_view)) const {
    const std::string text = text_of(member(object, key), key);
    const std::optional<E> known = parse(text);
    constexpr const char* remedy = "; a plan of another version of Onepass is made and saved again";
    if (!known)
      throw std::invalid_argument(std::string(key) + " = " + in_quotes(text) + " is unknown" +
                                  (std::is_same_v<E, Variant> ? remedy : ""));
    value = *known;
  }
  void types(Problem& p) const {
    const std::string types = text_of(member(object, "types"), "types");
    if (!set_types(p, types)) throw std::invalid_argument("types = " + in_quotes(types) + " are unknown");
  }
  FromJson inner(const char* key) const { return {member(object, key)}; }
};

void visit_problem(auto& p, auto visit) {
  visit("routine", p.routine, parse_routine);
  visit.types(p);
  visit("op", p.op, parse_op);
  visit("uplo", p.uplo, parse_uplo);
  visit("layout", p.layout, parse_layout);
  visit("scalars", p.scalars, parse_scalars);
  visit("accumulate", p.accumulate, parse_accumulate);
  visit("order", p.order, parse_order);
  visit("tails", p.tails, parse_tails);
  visit("m", p.m);
  visit("n", p.n);
  visit("lda", p.lda);
  visit("incx", p.incx);
  visit("incy", p.incy);
  visit("batch", p.batch);
  visit("pointer_array", p.pointer_array);
  visit("stride_a", p.stride_a);
  visit("stride_x", p.stride_x);
  visit("stride_y", p.stride_y);
  visit("alignment_a", p.alignment_a);
}

template <class P>
void visit_plan(P& plan, auto visit) {
  visit_problem(plan.problem, visit.inner("problem"));
  visit("backend", plan.backend, parse_backend);
  visit("variant", plan.kernel.variant, parse_variant);
  visit("form", plan.kernel.form, parse_form);
  visit("loads", plan.kernel.loads, parse_loads);
  visit("threads", plan.threads);
  if constexpr (!std::is_const_v<P>) plan.params = parameters_of(plan.kernel.variant);
  std::visit([&](auto& params) { params.fields(params, visit.inner(params.kind)); }, plan.params);
  visit("shared_bytes", plan.shared_bytes);
  visit("workspace_bytes", plan.workspace_bytes);
}

Status refused(const std::string& why) { return {ONEPASS_STATUS_INVALID_PLAN, "this text is no plan: " + why}; }

}  // namespace

const char* name(BackendId backend) {
  constexpr const char* names[] = {"cuda", "cpu", "sim", "reference"};
  return names[static_cast<std::size_t>(backend)];
}
const char* name(Variant variant) { return kind_of(variant).name; }
Params parameters_of(Variant variant) { return kind_of(variant).params; }
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

std::string to_json(const Plan& plan) {
  JsonDocument document(json::object());
  document.root()["onepass_plan"] = format_version;
  visit_plan(plan, ToJson{document.root()});
  return document.root().dump(2);
}

Status from_json(std::string_view text, Plan* plan) {
  try {
    const auto document = parse_json<json>(text);
    if (member(document.root(), "onepass_plan") != format_version)
      return refused("its format is not version 5; a plan of another version of Onepass is made and saved again");
    Plan read;
    visit_plan(read, FromJson{document.root()});
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

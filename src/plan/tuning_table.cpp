// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/tuning_table.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "problem/names.hpp"
#include "support/json.hpp"

namespace onepass {
namespace {

using Json = nlohmann::ordered_json;

// Those of its members that tell where it comes from, in the order of the file.
constexpr std::pair<const char*, std::string TuningTable::*> origins[] = {
    {"library", &TuningTable::library}, {"driver", &TuningTable::driver}, {"toolkit", &TuningTable::toolkit},
    {"commit", &TuningTable::commit},   {"date", &TuningTable::date},     {"how", &TuningTable::how}};

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

void check_version(const Json& object) {
  const Json& made_for = member(object, "onepass_tuning");
  if (made_for == tuning_version) return;
  const std::string ours = std::to_string(tuning_version);
  if (!made_for.is_number_integer()) refuse("onepass_tuning = " + shown(made_for) + " is no version such as " + ours);
  const std::string made = "it was made for version " + shown(made_for) + " of the tables, and this library ";
  if (made_for < tuning_version) refuse(made + "reads version " + ours + ": run `onepass tune` again");
  refuse(made + "is older and reads version " + ours + ": install a newer one, or run `onepass tune` with this one");
}

void check_object(const Json& value, const std::string& name) {
  if (!value.is_object()) refuse(name + " = " + shown(value) + " is no object");
}
void check_keys(const Json& object, const std::string& name, const std::vector<std::string>& known) {
  for (const auto& item : object.items())
    if (std::ranges::find(known, item.key()) == known.end())
      refuse(name + " has an unknown key " + in_quotes(item.key()));
}

// Back from name_of().
ShapeKind read_kind(const std::string& text) {
  if (const std::size_t cross = text.find('x'); cross != std::string::npos && text.size() > 4) {
    const ShapeKind kind{.type = parse_type(text.substr(0, 1)).value_or(Type::s),
                         .across = text[2] == 'T',
                         .aligned = text.ends_with(" aligned"),
                         .rows = std::strtoll(text.c_str() + 4, nullptr, 10),
                         .cols = std::strtoll(text.c_str() + cross + 1, nullptr, 10)};
    if (kind.rows > 0 && kind.cols > 0 && name_of(kind) == text) return kind;
  }
  refuse("a shape has a name like " + in_quotes("s N 4096x512 any") + ", and not " + in_quotes(text));
}

TunedShape read_shape(const std::string& name, const Json& entry) {
  check_object(entry, shortened(name));
  check_keys(entry, shortened(name), {"launch", "gain"});
  const ShapeKind kind = read_kind(name);
  const std::string launch = text_of(member(entry, "launch"), "launch");
  const std::optional<Choice> choice = parse_choice(launch);
  if (!choice)
    refuse(in_quotes(launch) +
           " is no launch such as \"gemv_n many 256/16/4\", or of a kernel that this version does "
           "not have: run `onepass tune` again");
  const Json& gain = member(entry, "gain");
  if (!gain.is_number() || !(gain.get<double>() > 0)) refuse("gain = " + shown(gain) + " is no positive number");
  return {.kind = kind, .choice = *choice, .gain = gain.get<double>()};
}

// visit(name, value) for each kernel, each element type, or each field.
template <class Record>
void visit_parts(Record& record, auto visit) {
  if constexpr (std::is_same_v<std::remove_const_t<Record>, ModelPrices>) {
    for (const Variant variant : gemv_kernels) visit(name(variant), record[place_of(variant)]);
  } else if constexpr (requires { record.size(); }) {
    for (std::size_t i = 0; i < record.size(); ++i) visit(name(all_ids[i]), record[i]);
  } else {
    Record::fields(record, visit);
  }
}

void read(const Json& number, const std::string& key, const std::string& of, double& value) {
  value = number.is_number() ? number.get<double>() : -1;
  if (!std::isfinite(value) || value < 0) refuse(key + " = " + shown(number) + " in " + of + " is no number from 0 on");
}
void read(const Json& number, const std::string& key, const std::string& of, std::int64_t& value) {
  value = whole_number<std::int64_t>(number, key);
  if (value < 0) refuse(key + " = " + std::to_string(value) + " in " + of + " is no number from 0 on");
}
template <class Record>
void read(const Json& object, const std::string& key, const std::string& of, Record& record) {
  const std::string name = std::is_same_v<Record, decltype(GemvPrices::load)> ? key + " of " + of : key;
  check_object(object, name);
  std::vector<std::string> known;
  visit_parts(record, [&](const std::string& part, auto& value, auto...) {
    known.push_back(part);
    const auto found = object.find(part);
    if (found == object.end()) refuse(name + " has no " + in_quotes(part));
    read(*found, part, name, value);
  });
  check_keys(object, name, known);
}

std::string written(double value) { return Json(value).dump(); }
std::string written(std::int64_t value) { return std::to_string(value); }
template <class Record>
std::string written(const Record& record) {
  std::string text;
  visit_parts(record, [&](const std::string& key, const auto& value, auto...) {
    text += (text.empty() ? "{\"" : ", \"") + key + "\": " + written(value);
  });
  return text + "}";
}

TuningTable read_members(const Json& object) {
  std::vector<std::string> known = {"onepass_tuning", "device", "arch", "sm_count", "prices", "model", "shapes"};
  for (const auto& [key, text] : origins) known.emplace_back(key);
  check_keys(object, "it", known);
  TuningTable table;
  table.device = text_of(member(object, "device"), "device");
  for (const auto& [key, text] : origins)
    if (object.contains(key)) table.*text = text_of(object.at(key), key);
  table.arch = whole_number<int>(member(object, "arch"), "arch");
  table.sm_count = whole_number<int>(member(object, "sm_count"), "sm_count");
  if (object.contains("prices")) read(object.at("prices"), "prices", "", table.prices.emplace());
  if (object.contains("model")) read(object.at("model"), "model", "", table.model.emplace());
  if (!object.contains("shapes")) return table;
  const Json& shapes = object.at("shapes");
  check_object(shapes, "shapes");
  for (const auto& item : shapes.items()) table.shapes.push_back(read_shape(item.key(), item.value()));
  std::ranges::sort(table.shapes, {}, &TunedShape::kind);
  return table;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// "NVIDIA H200" -> "nvidia-h200"
std::string as_file_name(const std::string& device) {
  std::string text;
  for (const char c : device) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0)
      text += static_cast<char>(std::tolower(byte));
    else if (!text.empty() && text.back() != '-')
      text += '-';
  }
  if (text.ends_with('-')) text.pop_back();
  return text;
}

}  // namespace

std::optional<ShapeKind> kind_of_shape(const Problem& p) {
  if (p.routine != Routine::gemv || p.batch != 1 || is_accurate(p) || p.order != Order::standard) return std::nullopt;
  const Stored s = stored(p);
  return ShapeKind{.type = p.type_a,
                   .across = s.transposed,
                   .aligned = p.alignment_a >= 32 && p.lda * size_of(p.type_a) % 64 == 0,
                   .rows = s.rows,
                   .cols = s.cols};
}

std::string name_of(const ShapeKind& kind) {
  return std::string(name(kind.type)) + (kind.across ? " T " : " N ") + std::to_string(kind.rows) + "x" +
         std::to_string(kind.cols) + (kind.aligned ? " aligned" : " any");
}

std::string TuningTable::title() const { return "the table of " + device + (file.empty() ? "" : " in " + file); }

std::string TuningTable::why_not_for(const DeviceTraits& traits) const {
  if (traits.arch == arch && traits.sm_count == sm_count) return "";
  const auto text = [](const std::string& name, int of_arch, int sms) {
    return name + " (sm_" + std::to_string(of_arch) + ", " + std::to_string(sms) + " SMs)";
  };
  return "it is for " + text(device, arch, sm_count) + ", and this device is " +
         text(traits.name, traits.arch, traits.sm_count);
}

const TunedShape* TuningTable::find(const Problem& p) const {
  const std::optional<ShapeKind> kind = kind_of_shape(p);
  if (!kind) return nullptr;
  const auto found = std::ranges::lower_bound(shapes, *kind, {}, &TunedShape::kind);
  return found != shapes.end() && found->kind == *kind ? &*found : nullptr;
}

Status read_table(std::string_view json, std::string_view file, TuningTable* table) {
  try {
    const auto document = parse_json<Json>(json);
    const Json& object = document.root();
    if (!object.is_object()) refuse("it is no JSON object");
    check_version(object);
    *table = read_members(object);
    table->file = file;
    return {};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return {ONEPASS_STATUS_INVALID_ARGUMENT, e.what()};
  }
}

std::string write_table(const TuningTable& table) {
  const auto quoted = [](const std::string& text) { return Json(text).dump(); };
  std::string text = "{\n \"onepass_tuning\": " + std::to_string(tuning_version) +
                     ",\n \"device\": " + quoted(table.device) + ",\n \"arch\": " + std::to_string(table.arch) +
                     ",\n \"sm_count\": " + std::to_string(table.sm_count) + ",\n";
  for (const auto& [key, member] : origins)
    if (!(table.*member).empty()) text += " " + quoted(key) + ": " + quoted(table.*member) + ",\n";
  if (table.model) text += " \"model\": " + written(*table.model) + ",\n";
  if (table.prices) {
    for (const Variant variant : gemv_kernels)
      text += (variant == gemv_kernels[0] ? " \"prices\": {\n  " : ",\n  ") + quoted(name(variant)) + ": " +
              written((*table.prices)[place_of(variant)]);
    text += "\n },\n";
  }
  text += " \"shapes\": {";
  for (const TunedShape& shape : table.shapes)
    text += (&shape == table.shapes.data() ? "\n  " : ",\n  ") + quoted(name_of(shape.kind)) +
            ": {\"launch\": " + quoted(print(shape.choice)) + ", \"gain\": " + Json(shape.gain).dump() + "}";
  return text + (table.shapes.empty() ? "}\n}\n" : "\n }\n}\n");
}

std::string user_tuning_file(const DeviceTraits& traits) {
  const std::string folder = variable("XDG_CONFIG_HOME"), home = variable("HOME");
  if (folder.empty() && home.empty()) return "";
  return (folder.empty() ? home + "/.config" : folder) + "/onepass/tuning/" + as_file_name(traits.name) + ".json";
}

TuningTables load_tuning(const DeviceTraits& traits) {
  const std::string wanted = variable("ONEPASS_TUNING");
  if (wanted == "off") return {};
  TuningTables tables{.asked = !wanted.empty()};
  const std::string path = tables.asked ? wanted : user_tuning_file(traits);
  std::ifstream file(path, std::ios::binary);
  if (!file && !tables.asked) return tables;
  std::string why = "there is no such file, or it cannot be read";
  if (file) {
    std::ostringstream text;
    text << file.rdbuf();
    TuningTable table;
    const Status status = read_table(text.str(), path, &table);
    why = status.ok() ? table.why_not_for(traits) : status.text;
    if (why.empty()) tables.user = std::move(table);
  }
  if (!why.empty()) tables.refused = "the tuning table " + path + " is not used: " + why;
  return tables;
}

void warn_of_refused(const TuningTables& tables) {
  static std::atomic<bool> said = false;
  if (tables.asked && !tables.refused.empty() && !said.exchange(true))
    std::fprintf(stderr, "onepass: %s\n", tables.refused.c_str());
}

const TunedShape* shape_of_user(const Problem& p, const DeviceTraits& traits) {
  if (traits.tuning == nullptr || !traits.tuning->user) return nullptr;
  const TunedShape* const shape = traits.tuning->user->find(p);
  return shape != nullptr && legal_plan_of(shape->choice, p, traits) ? shape : nullptr;
}

}  // namespace onepass

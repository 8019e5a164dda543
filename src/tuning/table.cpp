// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tuning/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <stdexcept>

#include "problem/names.hpp"
#include "support/json.hpp"

namespace onepass {
namespace {

using Json = nlohmann::ordered_json;

// Those of its members that tell where it comes from, in the order of the file.
struct Origin {
  const char* key;
  std::string TuningTable::*text;
};
constexpr Origin origins[] = {{"library", &TuningTable::library}, {"driver", &TuningTable::driver},
                              {"toolkit", &TuningTable::toolkit}, {"commit", &TuningTable::commit},
                              {"date", &TuningTable::date},       {"how", &TuningTable::how}};

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

void check_version(const Json& object) {
  const Json& made_for = member(object, "onepass_tuning");
  if (made_for == tuning_version) return;
  const std::string ours = std::to_string(tuning_version);
  if (!made_for.is_number_integer()) refuse("onepass_tuning = " + shown(made_for) + " is no version such as " + ours);
  if (made_for < tuning_version)
    refuse("it was made for version " + shown(made_for) + " of the tables, and this library reads version " + ours +
           ": run `onepass tune` again");
  refuse("it was made for version " + shown(made_for) + " of the tables, and this library is older and reads version " +
         ours + ": install a newer Onepass, or run `onepass tune` with this one");
}

void check_keys(const Json& object) {
  constexpr const char* others[] = {"onepass_tuning", "device", "arch", "sm_count", "prices", "model", "shapes"};
  for (const auto& item : object.items())
    if (std::ranges::find(others, item.key()) == std::end(others) &&
        std::ranges::none_of(origins, [&](const Origin& origin) { return item.key() == origin.key; }))
      refuse("it has an unknown key " + in_quotes(item.key()));
}

// Back from name_of().
ShapeKind read_kind(const std::string& text) {
  ShapeKind kind;
  const std::size_t cross = text.find('x');
  if (cross != std::string::npos && text.size() > 4) {
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data() + 4, text.data() + cross, kind.rows);
    const auto second = std::from_chars(text.data() + cross + 1, end, kind.cols);
    const std::string_view rest(second.ptr, end);
    kind.type = parse_type(text.substr(0, 1)).value_or(Type::s);
    kind.across = text[2] == 'T';
    kind.aligned = rest == " aligned";
    if (first.ec == std::errc{} && second.ec == std::errc{} && kind.rows > 0 && kind.cols > 0 && name_of(kind) == text)
      return kind;
  }
  refuse("a shape has a name like " + in_quotes("s N 4096x512 any") + ", and not " + in_quotes(text));
}

TunedShape read_shape(const std::string& name, const Json& entry) {
  if (!entry.is_object()) refuse(shortened(name) + " = " + shown(entry) + " is no object");
  for (const auto& item : entry.items())
    if (item.key() != "launch" && item.key() != "gain")
      refuse(shortened(name) + " has an unknown key " + in_quotes(item.key()));
  TunedShape shape{.kind = read_kind(name), .choice = {}};
  const std::string launch = text_of(member(entry, "launch"), "launch");
  const std::optional<Choice> choice = parse_choice(launch);
  if (!choice)
    refuse(in_quotes(launch) +
           " is no launch such as \"gemv_n many 256/16/4\", or of a kernel that this version does "
           "not have: run `onepass tune` again");
  shape.choice = *choice;
  const Json& gain = member(entry, "gain");
  if (!gain.is_number() || !(gain.get<double>() > 0)) refuse("gain = " + shown(gain) + " is no positive number");
  shape.gain = gain.get<double>();
  return shape;
}

// Takes the members of an object one by one; end() refuses those that nobody took.
class Reader {
 public:
  Reader(const Json& object, const std::string& of) : object_(object), name_(of) {
    if (!object.is_object()) refuse(of + " = " + shown(object) + " is no object");
  }

  void take(const std::string& key, double& value) {
    const Json& number = next(key);
    value = number.is_number() ? number.get<double>() : -1;
    if (!std::isfinite(value) || value < 0)
      refuse(key + " = " + shown(number) + " in " + name_ + " is no number from 0 on");
  }
  void take(const std::string& key, std::int64_t& value) {
    value = whole_number<std::int64_t>(next(key), key);
    if (value < 0) refuse(key + " = " + std::to_string(value) + " in " + name_ + " is no number from 0 on");
  }
  template <std::size_t size>
  void take(const std::string& key, std::array<double, size>& of_elements) {
    Reader inner(next(key), key + " of " + name_);
    for (std::size_t i = 0; i < size; ++i) inner.take(name(all_ids[i]), of_elements[i]);
    inner.end();
  }
  void take(const std::string& key, ModelPrices& prices) {
    Reader inner(next(key), key);
    for (const Variant variant : gemv_kernels) inner.take(name(variant), prices[place_of(variant)]);
    inner.end();
  }
  template <class Record>
  void take(const std::string& key, Record& record) {
    Reader inner(next(key), key);
    Record::fields(record, [&](const char* of, auto& value, auto...) { inner.take(of, value); });
    inner.end();
  }

 private:
  const Json& next(const std::string& key) {
    taken_.push_back(key);
    const auto found = object_.find(key);
    if (found == object_.end()) refuse(name_ + " has no " + in_quotes(key));
    return *found;
  }
  void end() const {
    for (const auto& item : object_.items())
      if (std::ranges::find(taken_, item.key()) == taken_.end())
        refuse(name_ + " has an unknown key " + in_quotes(item.key()));
  }

  const Json& object_;
  std::string name_;
  std::vector<std::string> taken_;
};

std::string written(double value) { return Json(value).dump(); }
std::string written(std::int64_t value) { return std::to_string(value); }
template <std::size_t size>
std::string written(const std::array<double, size>& of_elements) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i)
    text += (i == 0 ? "{\"" : ", \"") + name(all_ids[i]) + "\": " + written(of_elements[i]);
  return text + "}";
}
template <class Record>
std::string written(const Record& record) {
  std::string text;
  Record::fields(record, [&](const char* key, const auto& value, auto...) {
    text += std::string(text.empty() ? "{\"" : ", \"") + key + "\": " + written(value);
  });
  return text + "}";
}

TuningTable read_members(const Json& object) {
  TuningTable table;
  table.device = text_of(member(object, "device"), "device");
  for (const auto& [key, text] : origins)
    if (object.contains(key)) table.*text = text_of(object.at(key), key);
  table.arch = whole_number<int>(member(object, "arch"), "arch");
  table.sm_count = whole_number<int>(member(object, "sm_count"), "sm_count");
  Reader reader(object, "it");
  if (object.contains("prices")) reader.take("prices", table.prices.emplace());
  if (object.contains("model")) reader.take("model", table.model.emplace());
  if (!object.contains("shapes")) return table;
  const Json& shapes = object.at("shapes");
  if (!shapes.is_object()) refuse("shapes = " + shown(shapes) + " is no object");
  for (const auto& item : shapes.items()) table.shapes.push_back(read_shape(item.key(), item.value()));
  std::ranges::sort(table.shapes, {}, &TunedShape::kind);
  return table;
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
    check_keys(object);
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

const TunedShape* shape_of_user(const Problem& p, const DeviceTraits& traits) {
  if (traits.tuning == nullptr || !traits.tuning->user) return nullptr;
  const TunedShape* const shape = traits.tuning->user->find(p);
  return shape != nullptr && legal_plan_of(shape->choice, p, traits) ? shape : nullptr;
}

}  // namespace onepass

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What is no table, or has a launch that no kernel can run, is refused as a whole.
#include "tuning/read.hpp"

#include <algorithm>
#include <charconv>
#include <new>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "support/json.hpp"
#include "tuning/lookup.hpp"

namespace onepass {
namespace {

using Json = nlohmann::ordered_json;

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

std::vector<std::int64_t> read_axis(const Json& object, const char* key) {
  const Json& numbers = member(object, key);
  if (!numbers.is_array()) refuse(std::string(key) + " = " + shown(numbers) + " is no list of sizes");
  std::vector<std::int64_t> axis;
  for (const Json& number : numbers) axis.push_back(whole_number<std::int64_t>(number, key));
  if (axis.empty() || axis.front() < 1 || !std::ranges::is_sorted(axis, std::ranges::less_equal{}) ||
      axis.back() > (std::int64_t{1} << 31))
    refuse("the axis \"" + std::string(key) + "\" does not grow from 1 or more to at most 2^31");
  return axis;
}

const Json& as_object(const Json& value, const std::string& name) {
  if (!value.is_object()) refuse(shortened(name) + " = " + shown(value) + " is no object");
  return value;
}

Members<std::string> read_texts(const Json& object) {
  Members<std::string> texts;
  for (const auto& item : object.items()) texts.emplace_back(item.key(), text_of(item.value(), item.key()));
  return texts;
}

Members<std::vector<std::string>> read_meshes(const Json& object) {
  Members<std::vector<std::string>> meshes;
  for (const auto& item : object.items()) {
    std::vector<std::string>& lines = at_name(meshes, item.key());
    if (!item.value().is_array()) refuse("the mesh " + in_quotes(item.key()) + " is no list of lines");
    for (const Json& line : item.value()) lines.push_back(text_of(line, "a line of " + item.key()));
  }
  return meshes;
}

Members<Members<std::string>> read_shapes(const Json& object) {
  Members<Members<std::string>> shapes;
  for (const auto& item : object.items())
    shapes.emplace_back(item.key(), read_texts(as_object(item.value(), item.key())));
  return shapes;
}

void check_keys(const Json& object) {
  constexpr const char* others[] = {"onepass_tuning", "device", "arch", "sm_count", "rows",
                                    "cols",           "gemv",   "n",    "symv",     "shapes"};
  for (const auto& item : object.items())
    if (std::ranges::find(others, item.key()) == std::end(others) &&
        std::ranges::none_of(origins, [&](const Origin& origin) { return item.key() == origin.key; }))
      refuse("it has an unknown key " + in_quotes(item.key()));
}

TableText read_members(const Json& object) {
  TableText t;
  t.device = text_of(member(object, "device"), "device");
  for (const auto& [key, text] : origins)
    if (object.contains(key)) t.*text = text_of(object.at(key), key);
  t.arch = whole_number<int>(member(object, "arch"), "arch");
  t.sm_count = whole_number<int>(member(object, "sm_count"), "sm_count");
  if (object.contains("gemv")) {
    t.rows = read_axis(object, "rows");
    t.cols = read_axis(object, "cols");
    t.gemv = read_meshes(as_object(object.at("gemv"), "gemv"));
  }
  if (object.contains("symv")) {
    t.orders = read_axis(object, "n");
    t.symv = read_texts(as_object(object.at("symv"), "symv"));
  }
  if (object.contains("shapes")) t.shapes = read_shapes(as_object(object.at("shapes"), "shapes"));
  return t;
}

TableText read_text(std::string_view text) {
  const auto document = parse_json<Json>(text);
  const Json& object = document.root();
  if (!object.is_object()) refuse("it is no JSON object");
  check_version(object);
  check_keys(object);
  return read_members(object);
}

template <class Cell, class ReadCell>
void read_line(const std::string& line, std::size_t length, ReadCell read_cell, std::vector<Cell>& mesh) {
  std::istringstream words(line);
  std::size_t count = 0;
  for (std::string word; words >> word; ++count) {
    Cell cell;
    if (word == too_large_cell) {
      if (count > 0) cell = mesh.back();
    } else if (word != untimed_cell) {
      cell = read_cell(word);
    }
    mesh.push_back(cell);
  }
  if (count != length) refuse("a line has " + std::to_string(count) + " entries, and not " + std::to_string(length));
}

std::vector<Tuned> read_mesh(const std::vector<std::string>& lines, std::size_t rows, std::size_t cols,
                             Variant kernel) {
  std::vector<Tuned> mesh;
  if (lines.size() != rows)
    refuse("a mesh has " + std::to_string(lines.size()) + " lines, and not " + std::to_string(rows));
  for (const std::string& line : lines)
    read_line(
        line, cols, [&](const std::string& word) { return read_tuned(word, kernel); }, mesh);
  return mesh;
}

// "4096x512": rows and columns, as stored.
std::pair<std::int64_t, std::int64_t> read_shape(const std::string& text) {
  std::int64_t rows = 0, cols = 0;
  const char* const end = text.data() + text.size();
  const auto [cross, first] = std::from_chars(text.data(), end, rows);
  const bool crossed = first == std::errc{} && cross != end && *cross == 'x';
  const auto [rest, second] = std::from_chars(crossed ? cross + 1 : end, end, cols);
  if (!crossed || second != std::errc{} || rest != end || rows < 1 || cols < 1)
    refuse(in_quotes(text) + " is no shape such as 4096x512");
  return {rows, cols};
}

// read(mesh, type, which of two, aligned or not) for each mesh, by its name.
template <class Mesh, class Read>
void each_mesh(Routine routine, const Members<Mesh>& meshes, Read read) {
  const auto known = [&](const std::string& name, const Mesh& mesh) {
    for (const Type type : all_types)
      for (const std::size_t second : {0, 1})
        for (const std::size_t aligned : {0, 1})
          if (type != Type::h && type != Type::w && name == mesh_name(routine, type, second == 1, aligned == 1)) {
            read(mesh, static_cast<std::size_t>(type), second, aligned);
            return true;
          }
    return false;
  };
  for (const auto& [name, mesh] : meshes)
    if (!known(name, mesh))
      refuse("a mesh has a name like " + in_quotes(mesh_name(routine, Type::s, false, true)) + ", and not " +
             in_quotes(name));
}

Variant kernel_of(std::size_t transposed) { return transposed == 1 ? Variant::gemv_t : Variant::gemv_n; }

}  // namespace

Status read_table(std::string_view json, TableText* table) {
  try {
    *table = read_text(json);
    return {};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return {ONEPASS_STATUS_INVALID_ARGUMENT, e.what()};
  }
}

Status Tuning::parse(std::string_view json, std::string_view file, Tuning* table) {
  try {
    const TableText text = read_text(json);
    Tuning read;
    read.file_ = file;
    read.device_ = text.device;
    read.arch_ = text.arch;
    read.sm_count_ = text.sm_count;
    read.rows_ = text.rows;
    read.cols_ = text.cols;
    read.orders_ = text.orders;
    each_mesh(
        Routine::gemv, text.gemv, [&](const auto& lines, std::size_t type, std::size_t across, std::size_t aligned) {
          read.gemv_[type][across][aligned] = read_mesh(lines, text.rows.size(), text.cols.size(), kernel_of(across));
        });
    each_mesh(Routine::symv, text.symv,
              [&](const auto& line, std::size_t type, std::size_t upper, std::size_t aligned) {
                read_line(line, text.orders.size(), read_tuned_symv, read.symv_[type][upper][aligned]);
              });
    each_mesh(Routine::gemv, text.shapes,
              [&](const auto& entries, std::size_t type, std::size_t across, std::size_t aligned) {
                auto& shapes = read.shapes_[type][across][aligned];
                for (const auto& [shape, cell] : entries) {
                  const auto [rows, cols] = read_shape(shape);
                  shapes.push_back({rows, cols, read_tuned(cell, kernel_of(across))});
                }
                std::ranges::sort(shapes, {}, [](const Exact& e) { return std::pair(e.rows, e.cols); });
              });
    *table = std::move(read);
    return {};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return {ONEPASS_STATUS_INVALID_ARGUMENT, e.what()};
  }
}

}  // namespace onepass

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/tuning.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "plan/tuning_tables.hpp"
#include "problem/names.hpp"

namespace onepass {
namespace {

using nlohmann::json;

constexpr int format_version = 1;
constexpr const char* orientations[] = {"N", "T"};        // outputs along or across the columns
constexpr const char* alignments[] = {"any", "aligned"};  // of the columns: on 64 bytes or not

std::size_t mesh_type(Type type) { return static_cast<std::size_t>(type == Type::h ? Type::b : type); }

// "256/16/384sp": threads, lanes, threads of a split on an SM, then s for shallow and p for prefetch; "-": none.
Tuned read_entry(const std::string& text) {
  if (text == "-") return {};
  Tuned tuned;
  const char *at = text.data(), *const end = at + text.size();
  for (std::int16_t* value : {&tuned.threads, &tuned.lanes, &tuned.split_threads}) {
    if (value != &tuned.threads && (at == end || *at++ != '/'))
      throw std::invalid_argument("\"" + text + "\" is no entry");
    const auto [next, error] = std::from_chars(at, end, *value);
    if (error != std::errc{} || *value < 0) throw std::invalid_argument("\"" + text + "\" is no entry");
    at = next;
  }
  for (; at != end; ++at) {
    if (*at == 's')
      tuned.shallow = true;
    else if (*at == 'p')
      tuned.prefetch = true;
    else
      throw std::invalid_argument("\"" + text + "\" is no entry");
  }
  if (tuned.threads == 0 || tuned.lanes == 0) throw std::invalid_argument("\"" + text + "\" is no entry");
  return tuned;
}

// Lines of rows, words of columns. A shape too large to be measured takes the cell of its smaller neighbour.
std::vector<Tuned> read_mesh(const json& lines, std::size_t rows, std::size_t cols) {
  std::vector<Tuned> mesh;
  if (lines.size() != rows) throw std::invalid_argument("a mesh has " + std::to_string(lines.size()) + " lines");
  for (const json& line : lines) {
    std::istringstream words(line.get<std::string>());
    std::size_t count = 0;
    for (std::string word; words >> word; ++count) {
      Tuned tuned = read_entry(word);
      if (tuned.threads == 0 && count > 0) tuned = mesh.back();
      mesh.push_back(tuned);
    }
    if (count != cols) throw std::invalid_argument("a line has " + std::to_string(count) + " entries");
  }
  return mesh;
}

std::vector<std::int64_t> read_axis(const json& numbers) {
  auto axis = numbers.get<std::vector<std::int64_t>>();
  if (axis.empty() || axis.front() < 1 || !std::ranges::is_sorted(axis, std::ranges::less_equal{}) ||
      axis.back() > (std::int64_t{1} << 31))
    throw std::invalid_argument("an axis does not grow");
  return axis;
}

// The place on an axis that is nearest by ratio, or -1 beyond its ends.
std::ptrdiff_t nearest(const std::vector<std::int64_t>& axis, std::int64_t value) {
  if (5 * value < 4 * axis.front() || 4 * value > 5 * axis.back()) return -1;
  const auto above = std::ranges::lower_bound(axis, value);
  if (above == axis.end()) return std::ssize(axis) - 1;
  if (above == axis.begin()) return 0;
  const auto below = above - 1;
  return (value * value < *below * *above ? below : above) - axis.begin();
}

}  // namespace

Status Tuning::parse(std::string_view text, Tuning* table) {
  try {
    const json object = json::parse(text);
    if (object.at("onepass_tuning") != format_version) throw std::invalid_argument("its format is not version 1");
    Tuning read;
    object.at("device").get_to(read.device_);
    object.at("arch").get_to(read.arch_);
    object.at("sm_count").get_to(read.sm_count_);
    read.rows_ = read_axis(object.at("rows"));
    read.cols_ = read_axis(object.at("cols"));
    for (const Type type : all_types) {
      if (type == Type::h) continue;
      for (std::size_t across = 0; across < 2; ++across)
        for (std::size_t aligned = 0; aligned < 2; ++aligned) {
          const std::string key = std::string(name(type)) + " " + orientations[across] + " " + alignments[aligned];
          read.gemv_[mesh_type(type)][across][aligned] =
              read_mesh(object.at("gemv").at(key), read.rows_.size(), read.cols_.size());
        }
    }
    *table = std::move(read);
    return {};
  } catch (const std::exception& e) {
    return {ONEPASS_STATUS_INVALID_ARGUMENT, std::string("this text is no tuning table: ") + e.what()};
  }
}

TunedCell Tuning::gemv(const Problem& p) const {
  const Stored s = stored(p);
  const std::ptrdiff_t i = p.batch == 1 ? nearest(rows_, s.rows) : -1, j = nearest(cols_, s.cols);
  if (i < 0 || j < 0) return {};
  const bool aligned = p.alignment_a >= 32 && p.lda * size_of(p.type_a) % 64 == 0;
  const Mesh& mesh = gemv_[mesh_type(p.type_a)][s.transposed ? 1 : 0][aligned ? 1 : 0];
  const auto row = static_cast<std::size_t>(i), col = static_cast<std::size_t>(j);
  return {.tuned = mesh[row * cols_.size() + col], .rows = rows_[row], .cols = cols_[col]};
}

const Tuning* tuning_of(const DeviceTraits& traits) {
  static const std::vector<Tuning> built_in = [] {
    std::vector<Tuning> tables;
    for (const std::string_view text : tuning_tables) {
      Tuning table;
      if (Tuning::parse(text, &table).ok()) tables.push_back(std::move(table));
    }
    return tables;
  }();
  for (const Tuning& table : built_in)
    if (table.serves(traits)) return &table;
  return nullptr;
}

}  // namespace onepass

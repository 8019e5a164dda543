// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The text of a table: what is no table, or has a launch that no kernel can run, is refused as a whole.
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "plan/tuning.hpp"
#include "problem/names.hpp"

namespace onepass {
namespace {

using nlohmann::json;

constexpr int format_version = 2;
constexpr const char* orientations[] = {"N", "T"};        // outputs along or across the columns
constexpr const char* triangles[] = {"L", "U"};           // as stored
constexpr const char* alignments[] = {"any", "aligned"};  // of the columns: on 64 bytes or not
constexpr const char* known[] = {"onepass_tuning", "space",   "library", "device", "arch", "sm_count",
                                 "driver",         "toolkit", "commit",  "date",   "how",  "rows",
                                 "cols",           "gemv",    "shapes",  "n",      "symv"};

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

// Numbers between slashes from the front of a text, and what follows them.
class Words {
 public:
  explicit Words(const std::string& text) : text_(text), at_(text.data()), end_(at_ + text.size()) {}
  std::int16_t number() {
    std::int16_t value = 0;
    const auto [next, error] = std::from_chars(at_, end_, value);
    if (error != std::errc{} || value < 0) wrong();
    at_ = next;
    return value;
  }
  bool take(char letter) {
    if (at_ == end_ || *at_ != letter) return false;
    ++at_;
    return true;
  }
  void slash() {
    if (!take('/')) wrong();
  }
  void end() const {
    if (at_ != end_) wrong();
  }

 private:
  [[noreturn]] void wrong() const { refuse("\"" + text_ + "\" is no entry"); }
  const std::string& text_;
  const char *at_, *end_;
};

void read(Words words, Tuned& cell) {
  cell.threads = words.number(), words.slash();
  cell.lanes = words.number(), words.slash();
  cell.split_threads = words.number();
  cell.shallow = words.take('s');
  cell.prefetch = words.take('p');
  words.end();
}

void read(Words words, TunedSymv& cell) {
  cell.threads = words.number(), words.slash();
  cell.panels = words.number(), words.slash();
  const bool columns = words.take('c');
  (columns ? cell.columns : cell.split_threads) = words.number();
  words.end();
}

template <class Cell>
Cell read_entry(const std::string& word, Variant kernel) {
  Cell cell;
  read(Words(word), cell);
  if (const std::string why = space_of(kernel).why_outside(values_of(cell)); !why.empty())
    refuse("\"" + word + "\": " + why);
  return cell;
}

template <class Cell>
std::optional<Cell> parse_entry(std::string_view text, Variant kernel) {
  try {
    return read_entry<Cell>(std::string(text), kernel);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

// The words of a line; "-" is a shape too large to be measured, and takes the cell of its smaller neighbour; "?" is one
// for which there was no time, and is left to the model.
template <class Cell>
void read_line(const json& line, std::size_t length, Variant kernel, std::vector<Cell>& mesh) {
  std::istringstream words(line.get<std::string>());
  std::size_t count = 0;
  for (std::string word; words >> word; ++count) {
    Cell cell;
    if (word == "-") {
      if (count > 0) cell = mesh.back();
    } else if (word != "?") {
      cell = read_entry<Cell>(word, kernel);
    }
    mesh.push_back(cell);
  }
  if (count != length) refuse("a line has " + std::to_string(count) + " entries");
}

std::vector<Tuned> read_mesh(const json& lines, std::size_t rows, std::size_t cols, bool transposed) {
  std::vector<Tuned> mesh;
  if (lines.size() != rows) refuse("a mesh has " + std::to_string(lines.size()) + " lines");
  for (const json& line : lines) read_line(line, cols, transposed ? Variant::gemv_t : Variant::gemv_n, mesh);
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
    refuse("\"" + text + "\" is no shape such as 4096x512");
  return {rows, cols};
}

std::vector<std::int64_t> read_axis(const json& numbers) {
  auto axis = numbers.get<std::vector<std::int64_t>>();
  if (axis.empty() || axis.front() < 1 || !std::ranges::is_sorted(axis, std::ranges::less_equal{}) ||
      axis.back() > (std::int64_t{1} << 31))
    refuse("an axis does not grow");
  return axis;
}

// read(mesh, type, which of two, aligned or not) for each mesh that is there, by its name "s N aligned".
template <class Read>
void each_mesh(const json& meshes, const char* const (&letters)[2], Read read) {
  std::size_t found = 0;
  for (const Type type : all_types)
    for (const std::size_t letter : {0, 1})
      for (const std::size_t aligned : {0, 1}) {
        const auto mesh = meshes.find(std::string(name(type)) + " " + letters[letter] + " " + alignments[aligned]);
        if (mesh == meshes.end() || type == Type::h) continue;
        read(*mesh, static_cast<std::size_t>(type), letter, aligned);
        ++found;
      }
  if (found != meshes.size()) refuse("a mesh has a name like \"s N aligned\", and one of these has not");
}

void check_versions(const json& object) {
  if (!object.contains("onepass_tuning")) refuse("it has no onepass_tuning");
  if (object.at("onepass_tuning") != format_version)
    refuse("its format is version " + object.at("onepass_tuning").dump() + ", and this library reads version " +
           std::to_string(format_version) + ": `onepass tune` makes a new one");
  if (object.at("space") != space_version())
    refuse("it was made by Onepass " + object.value("library", "of another version") +
           ", which had other kernels: `onepass tune` makes a new one");
  for (const auto& item : object.items())
    if (std::ranges::find(known, item.key()) == std::end(known)) refuse("it has an unknown key \"" + item.key() + "\"");
}

}  // namespace

std::string print(const Tuned& t) {
  return std::to_string(t.threads) + "/" + std::to_string(t.lanes) + "/" + std::to_string(t.split_threads) +
         (t.shallow ? "s" : "") + (t.prefetch ? "p" : "");
}

std::string print(const TunedSymv& t) {
  return std::to_string(t.threads) + "/" + std::to_string(t.panels) + "/" +
         (t.columns > 0 ? "c" + std::to_string(t.columns) : std::to_string(t.split_threads));
}

std::optional<Tuned> parse_tuned(std::string_view text, Variant kernel) { return parse_entry<Tuned>(text, kernel); }
std::optional<TunedSymv> parse_tuned_symv(std::string_view text) { return parse_entry<TunedSymv>(text, Variant::symv); }

NamedValues values_of(const Tuned& t) {
  return {{"threads", t.threads}, {"lanes", t.lanes},       {"split_threads", t.split_threads},
          {"shallow", t.shallow}, {"prefetch", t.prefetch}, {"groups", t.lanes > 0 ? t.threads / t.lanes : 0}};
}

NamedValues values_of(const TunedSymv& t) {
  return {{"threads", t.threads},
          {"panels", t.panels},
          {"split_threads", t.split_threads},
          {"columns", t.columns},
          {"warps", t.threads / 32}};
}

Status Tuning::parse(std::string_view text, std::string_view file, Tuning* table) {
  try {
    const json object = json::parse(text);
    check_versions(object);
    Tuning read;
    read.file_ = file;
    object.at("device").get_to(read.device_);
    object.at("arch").get_to(read.arch_);
    object.at("sm_count").get_to(read.sm_count_);
    if (object.contains("gemv")) {
      read.rows_ = read_axis(object.at("rows"));
      read.cols_ = read_axis(object.at("cols"));
      each_mesh(object.at("gemv"), orientations,
                [&](const json& mesh, std::size_t type, std::size_t across, std::size_t aligned) {
                  read.gemv_[type][across][aligned] =
                      read_mesh(mesh, read.rows_.size(), read.cols_.size(), across == 1);
                });
    }
    if (object.contains("shapes"))
      each_mesh(object.at("shapes"), orientations,
                [&](const json& entries, std::size_t type, std::size_t across, std::size_t aligned) {
                  auto& shapes = read.shapes_[type][across][aligned];
                  for (const auto& item : entries.items()) {
                    const auto [rows, cols] = read_shape(item.key());
                    const Variant kernel = across == 1 ? Variant::gemv_t : Variant::gemv_n;
                    shapes.push_back({rows, cols, read_entry<Tuned>(item.value().get<std::string>(), kernel)});
                  }
                  std::ranges::sort(shapes, {}, [](const Exact& e) { return std::pair(e.rows, e.cols); });
                });
    if (object.contains("symv")) {
      read.orders_ = read_axis(object.at("n"));
      each_mesh(object.at("symv"), triangles,
                [&](const json& mesh, std::size_t type, std::size_t upper, std::size_t aligned) {
                  read_line(mesh, read.orders_.size(), Variant::symv, read.symv_[type][upper][aligned]);
                });
    }
    *table = std::move(read);
    return {};
  } catch (const std::exception& e) {
    return {ONEPASS_STATUS_INVALID_ARGUMENT, e.what()};
  }
}

}  // namespace onepass

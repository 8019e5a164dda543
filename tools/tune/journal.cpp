// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/journal.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/failure.hpp"
#include "support/file.hpp"

namespace onepass::tools {
namespace {

using nlohmann::ordered_json;

std::string header(const std::string& identity) { return ordered_json{{"onepass_journal", identity}}.dump() + "\n"; }

std::string line_of(const std::string& cell, const JournalEntry& entry) {
  ordered_json line = {{"cell", cell}, {"work", entry.work}, {"spent", entry.spent}, {"times", ordered_json::array()}};
  for (const JournalEntry::Time& time : entry.times) line["times"].push_back({time.launch, time.seconds});
  return line.dump() + "\n";
}

}  // namespace

Journal::Journal(std::string path, const std::string& identity, bool resume) : path_(std::move(path)) {
  if (resume) read(identity);
  // Written anew, so that what is appended does not follow half a line.
  std::string text = header(identity);
  for (const auto& [cell, entry] : entries_) text += line_of(cell, entry);
  write_file(path_, text);
  file_.reset(std::fopen(path_.c_str(), "ab"));
  if (!file_) throw Failure(Exit::failed, fmt::format("cannot write {}", path_));
}

void Journal::read(const std::string& identity) {
  const std::optional<std::string> text = read_file(path_);
  if (!text || text->empty()) return;
  std::istringstream lines(*text);
  std::string line;
  std::getline(lines, line);
  const auto first = ordered_json::parse(line, nullptr, false);
  if (!first.is_object() || !first.contains("onepass_journal"))
    throw Failure(Exit::usage, fmt::format("{} is no journal of `onepass tune`: name another --output", path_));
  if (first["onepass_journal"] != identity)
    throw Failure(Exit::usage,
                  fmt::format("cannot go on with {}: it is of a run with\n  {}\nand this one has\n  {}\nleave --resume "
                              "out to begin anew, or name another --output",
                              path_, first["onepass_journal"].get<std::string>(), identity));
  while (std::getline(lines, line)) {
    const auto object = ordered_json::parse(line, nullptr, false);
    if (!object.is_object()) break;
    JournalEntry entry{.times = {}, .work = object.at("work"), .spent = object.at("spent")};
    for (const auto& time : object.at("times")) entry.times.push_back({time.at(0), time.at(1)});
    spent_ += entry.spent;
    entries_[object.at("cell")] = std::move(entry);
  }
}

const JournalEntry* Journal::find(const std::string& cell) const {
  const auto found = entries_.find(cell);
  return found == entries_.end() ? nullptr : &found->second;
}

void Journal::add(const std::string& cell, const JournalEntry& entry) {
  const std::string line = line_of(cell, entry);
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size() || std::fflush(file_.get()) != 0)
    throw Failure(Exit::failed, fmt::format("cannot write {}: is the disk full?", path_));
  spent_ += entry.spent;
  entries_[cell] = entry;
}

void Journal::remove() {
  file_.reset();
  std::filesystem::remove(path_);
}

}  // namespace onepass::tools

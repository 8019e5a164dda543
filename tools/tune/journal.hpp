// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a run has timed so far, a line per cell at the end of a file: a run that is killed loses the cell it was at.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace onepass::tools {

struct JournalEntry {
  struct Time {
    std::string launch;
    double seconds = 0;
  };
  std::vector<Time> times = {};
  double work = 0;   // samples, as the tuner counts them
  double spent = 0;  // seconds
};

class Journal {
 public:
  // `identity`: what must be the same for two runs to share a journal. With `resume` the entries of the file are taken
  // over, and a last line that was cut off is dropped; without, the file begins anew.
  Journal(std::string path, const std::string& identity, bool resume);

  const JournalEntry* find(const std::string& cell) const;
  void add(const std::string& cell, const JournalEntry& entry);

  double spent() const { return spent_; }
  std::size_t size() const { return entries_.size(); }
  // After the last cell: the table has all that counts.
  void remove();

 private:
  void read(const std::string& identity);

  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::unordered_map<std::string, JournalEntry> entries_;
  double spent_ = 0;
};

}  // namespace onepass::tools

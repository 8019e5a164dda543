// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Words of the command line turned into values: lists, shapes, names; what is wrong is said with what would be right.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"
#include "problem/problem.hpp"

namespace onepass::tools {

struct Shape {
  std::int64_t m = 0, n = 0;
  bool operator==(const Shape&) const = default;
};

// Ends the program with what would be right; the word that is wrong is shown in a short line.
[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view right);
// The text of an error that quotes the command line, with its long words cut.
std::string with_short_words(std::string_view text);

// "a,b,c" -> a, b, c. Empty words are wrong.
std::vector<std::string> parse_list(std::string_view option, std::string_view text);

inline constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();
std::int64_t parse_integer(std::string_view option, std::string_view text, std::int64_t least,
                           std::int64_t most = unbounded);
std::vector<std::int64_t> parse_integers(std::string_view option, std::string_view text, std::int64_t least,
                                         std::int64_t most = unbounded);

// As many as OpenMP would make, whatever the machine has.
inline constexpr std::int64_t most_threads = 4096;
// Of a matrix, as the library's check has it: no sum of its bytes and those of workspaces passes 63 bits.
inline constexpr std::int64_t most_elements = std::int64_t{1} << 56;

// Neither NaN nor infinite.
double parse_number(std::string_view option, std::string_view text, double least, double most);
double parse_positive(std::string_view option, std::string_view text, double most);
inline constexpr double most_seconds = 86400, most_bytes = 0x1p63;  // of a measurement, of a matrix
// "90", "90s", "9m", "1.5h" in seconds.
double parse_duration(std::string_view option, std::string_view text);

inline constexpr std::int64_t most_sizes = 1'000'000;  // of a range
struct Range {
  std::int64_t from = 1, to = 1, step = 1;
  bool operator==(const Range&) const = default;
};

// "1:5000:1", or "1:5000" with a step of 1.
Range parse_range(std::string_view option, std::string_view text);

// "4096x512", or "4096" for a square; at least so many rows and columns.
Shape parse_shape(std::string_view text, std::int64_t least = 0);
std::vector<Shape> parse_shapes(std::string_view text, std::int64_t least = 0);

// A shape per line, "4096x512" or "4096 512"; empty lines and what follows a # are left out.
std::vector<Shape> parse_shape_lines(std::string_view text, std::string_view file);

// "s", "hhs", ...; "all" for every one of them.
std::vector<std::string> parse_type_names(std::string_view text);
std::vector<Op> parse_ops(std::string_view text);
std::vector<Uplo> parse_uplos(std::string_view text);
// "gemv", ...; "all" for every one of them.
std::vector<Routine> parse_routines(std::string_view text);
inline constexpr const char* accumulate_help =
    "default, wider (s, c, h, b summed in double) or twice (s, d, c, z with twice the digits)";
std::vector<Accumulate> parse_accumulates(std::string_view text);
inline constexpr const char* order_help =
    "default or canonical (s, d, c, z: the same bits on every backend and device)";
std::vector<Order> parse_orders(std::string_view text);
Layout parse_layout_name(std::string_view text);

// All of problem/names.hpp: "s d c z h b hhs bbs".
std::string type_list();

// All of problem/routine.hpp, and those that have a field to select by; "gemv symv hemv".
const std::vector<std::string>& all_routine_names();
std::string routine_names(const char* separator = " ");
std::string routines_with(Selector selector);

// By name, or the best of this machine; ends the program with what to do where there is none.
const Backend& require_backend(std::string_view name);

}  // namespace onepass::tools

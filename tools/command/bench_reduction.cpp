// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/bench_reduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "reductions/clock.hpp"
#include "support/arguments.hpp"
#include "support/build_info.hpp"
#include "support/file.hpp"

namespace onepass::tools {
namespace {

struct Row {
  char type;
  std::int64_t n;
  double ms, least, peer, floor;
};

// What an H200 reads in a second; the floor of a reduction is its stored triangle once a column.
constexpr double floor_bytes_per_second = 4.65e12;

std::vector<std::int64_t> sizes_of(const BenchOptions& o, bool on_device) {
  std::vector<std::int64_t> sizes;
  if (!o.shapes.empty())
    for (const std::string& word : parse_list("--shape", o.shapes)) {
      char* end = nullptr;
      const long long n = std::strtoll(word.c_str(), &end, 10);
      if (*end != '\0' || n < 1) throw Failure(Exit::usage, "--shape " + word + ": an order, such as 4096");
      sizes.push_back(n);
    }
  if (!sizes.empty()) return sizes;
  if (!on_device) return {64, 128, 256, 512, 1024};
  return o.quick ? std::vector<std::int64_t>{256, 1024, 4096}
                 : std::vector<std::int64_t>{256, 512, 1024, 2048, 4096, 8192, 16384};
}

// Hermitian, of random numbers around zero; both triangles.
std::vector<std::byte> random_matrix(std::int64_t n, bool is_double, bool is_complex) {
  const std::size_t real = is_double ? 8 : 4, element = real * (is_complex ? 2 : 1),
                    order = static_cast<std::size_t>(n);
  std::vector<std::byte> matrix(order * order * element);
  std::uint64_t state = 88172645463325252u;
  const auto next = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  };
  const auto put = [&](std::size_t i, std::size_t j, std::size_t part, double value) {
    std::byte* const at = matrix.data() + (j * order + i) * element + part * real;
    const auto narrow = static_cast<float>(value);
    if (is_double)
      std::memcpy(at, &value, 8);
    else
      std::memcpy(at, &narrow, 4);
  };
  for (std::size_t j = 0; j < order; ++j)
    for (std::size_t i = j; i < order; ++i) {
      const double re = next(), im = is_complex && i != j ? next() : 0;
      put(i, j, 0, re);
      put(j, i, 0, re);
      if (is_complex) put(i, j, 1, im), put(j, i, 1, -im);
    }
  return matrix;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void print(const Row& r, bool has_peer) {
  std::string line =
      fmt::format("{}  {:>6}  {:>10.3f}  {:>9.2f}", r.type, r.n, r.ms, r.ms * 1e3 / static_cast<double>(r.n));
  if (r.floor > 0) line += fmt::format("  {:>8.3f}", r.floor / r.ms);
  if (has_peer) line += fmt::format("  {:>10.3f}  {:>6.2f}", r.peer, r.peer / r.ms);
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

std::string record(const BenchOptions& o, const std::string& backend, const ReductionClock& clock,
                   const std::vector<Row>& rows) {
  std::vector<std::string> facts, lines;
  for (const auto& [name, value] : clock.facts()) facts.push_back(fmt::format("\"{}\": \"{}\"", name, value));
  for (const Row& r : rows)
    lines.push_back(
        fmt::format("  [\"{}\", {}, {:.5g}, {:.5g}, {:.5g}, {:.5g}]", r.type, r.n, r.ms, r.least, r.floor, r.peer));
  return fmt::format(
      "{{\n \"onepass\": \"{}\",\n \"commit\": \"{}\",\n \"compiler\": \"{}\",\n \"date\": \"{}\",\n \"backend\": "
      "\"{}\",\n"
      " \"routine\": \"{}\",\n \"machine\": {{{}}},\n \"peer\": \"{}\",\n"
      " \"columns\": [\"type\", \"n\", \"median ms\", \"least ms\", \"byte floor ms\", \"peer median ms\"],\n "
      "\"rows\": "
      "[\n{}\n ]\n}}\n",
      ONEPASS_VERSION_STRING, build_commit(), build_compiler(), utc_now(), backend, o.routine, fmt::join(facts, ", "),
      clock.peer_name(), fmt::join(lines, ",\n"));
}

}  // namespace

bool is_reduction(const BenchOptions& options) { return options.routine == "sytrd"; }

Exit run_bench_reduction(const BenchOptions& o) {
  onepassLapackHandle_t made = nullptr;
  require({o.backend.empty() ? onepassLapackCreate(&made) : onepassLapackCreateOn(&made, o.backend.c_str()),
           onepassLapackLastErrorMessage()});
  const std::unique_ptr<onepassLapackContext, decltype(&onepassLapackDestroy)> handle(made, onepassLapackDestroy);
  const std::string backend = onepassLapackBackend(made);
  const bool on_device = backend == "cuda";
  const std::unique_ptr<ReductionClock> clock = on_device ? make_cuda_clock() : make_host_clock();
  if (!o.json.empty() && o.json != "-") require_writable(o.json);
  const bool has_peer = !o.no_peers && !clock->peer_name().empty();
  const std::string types = o.types.empty() ? "d" : o.types == "all" ? "s,d,c,z" : o.types;

  fmt::print("{} on {}: medians of 5, lower triangle", o.routine, backend);
  if (on_device) fmt::print("; floor: the stored triangle once a column at {:.2f} TB/s", floor_bytes_per_second / 1e12);
  fmt::print("\n        n  Onepass ms  us/column{}{}\n", on_device ? "  of floor" : "",
             has_peer ? "    cuSOLVER   ratio" : "");
  std::vector<Row> rows;
  for (const std::string& type : parse_list("--type", types)) {
    const std::size_t index = std::string("sdcz").find(type);
    if (type.size() != 1 || index == std::string::npos)
      throw Failure(Exit::usage, "--type " + type + ": s d c z or all");
    const bool is_double = type == "d" || type == "z", is_complex = type == "c" || type == "z";
    const std::size_t real = is_double ? 8 : 4, element = real * (is_complex ? 2 : 1);
    for (const std::int64_t n : sizes_of(o, on_device)) {
      clock->load(n, element, real, random_matrix(n, is_double, is_complex));
      const onepassLapackProblem_t problem =
          onepassLapackProblemDefault(ONEPASS_LAPACK_SYTRD, static_cast<onepassType_t>(index), n, n);
      std::vector<double> times, peer;
      clock->onepass(made, problem);
      if (has_peer) clock->peer(problem);
      for (int i = 0; i < (n > 8192 ? 3 : 5); ++i) {
        times.push_back(clock->onepass(made, problem));
        if (has_peer) peer.push_back(clock->peer(problem));
      }
      const double order = static_cast<double>(n);
      const double bytes = order * order * order / 6 * static_cast<double>(element);
      rows.push_back({type[0], n, median(times), *std::min_element(times.begin(), times.end()),
                      has_peer ? median(peer) : 0, bytes / floor_bytes_per_second * 1e3});
      print(rows.back(), has_peer);
    }
  }
  if (o.json == "-")
    fmt::print("{}", record(o, backend, *clock, rows));
  else if (!o.json.empty())
    write_file(o.json, record(o, backend, *clock, rows));
  return Exit::ok;
}

}  // namespace onepass::tools

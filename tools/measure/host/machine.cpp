// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/host/machine.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>

#include "support/failure.hpp"

namespace onepass::tools {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

double process_cpu_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string value_of(const std::string& line) {
  const std::size_t colon = line.find(':');
  return colon == std::string::npos ? "" : line.substr(std::min(line.size(), colon + 2));
}

}  // namespace

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string part;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return value_of(line);
    if (line.starts_with("CPU part")) part = value_of(line);
  }
  // Arm has no names here, only the maker's number of the core.
  if (part == "0xd40") return "Neoverse-V1";
  if (part == "0xd4f") return "Neoverse-V2";
  if (part == "0xd0c") return "Neoverse-N1";
  return part.empty() ? "unknown processor" : "Arm core " + part;
}

std::vector<std::size_t> cache_sizes() {
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 8; ++i) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    const std::string size = first_line(folder + "size");
    if (size.empty() || first_line(folder + "type") == "Instruction") continue;
    std::size_t bytes = 0;
    char unit = ' ';
    std::istringstream(size) >> bytes >> unit;
    sizes.push_back(unit == 'M' ? bytes << 20 : unit == 'K' ? bytes << 10 : bytes);
  }
  if (sizes.empty()) sizes = {std::size_t{32} << 10, std::size_t{1} << 20, std::size_t{32} << 20};
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

std::size_t available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("MemAvailable:")) {
      std::size_t kilobytes = 0;
      std::istringstream(value_of(line)) >> kilobytes;
      return kilobytes << 10;
    }
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 2;
}

void require_memory(double bytes) {
  if (bytes > 0.8 * static_cast<double>(available_memory()))
    throw Failure(Exit::failed, fmt::format("needs {:.1f} GB more memory than is free", bytes / 1e9));
}

void wait_for_idle_threads() {
  constexpr auto look = std::chrono::milliseconds(1);
  for (int looks = 0; looks < 300; ++looks) {
    const double cpu = process_cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(look);
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (process_cpu_seconds() - cpu < 0.1 * elapsed) return;
  }
}

}  // namespace onepass::tools

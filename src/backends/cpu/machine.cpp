// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cpu/machine.hpp"

#include <unistd.h>

#include <array>
#include <fstream>
#include <string_view>

namespace onepass::cpu {
namespace {

struct ArmPart {
  std::string_view part, name;
};

// Linux on arm64 gives numbers where x86 gives a name.
constexpr std::array<ArmPart, 8> arm_parts = {{
    {"0xd08", "Cortex-A72"},
    {"0xd0b", "Cortex-A76"},
    {"0xd0c", "Neoverse-N1"},
    {"0xd40", "Neoverse-V1"},
    {"0xd49", "Neoverse-N2"},
    {"0xd4f", "Neoverse-V2"},
    {"0xd83", "Neoverse-V3"},
    {"0xd8e", "Neoverse-N3"},
}};

}  // namespace

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  std::string part;
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    std::string value = line.substr(colon + 2);
    if (line.starts_with("model name")) return value;
    if (line.starts_with("CPU part")) part = value;
  }
  for (const ArmPart& known : arm_parts)
    if (part == known.part) return std::string(known.name);
  return part.empty() ? "unknown processor" : "arm64 processor, part " + part;
}

// Where the system says nothing, as on arm64, those of a Neoverse-V1.
const Caches& caches() {
  const auto ask = [](int name, std::int64_t otherwise) {
    const std::int64_t answer = sysconf(name);
    return answer > 0 ? answer : otherwise;
  };
  static const Caches found = {
      .first = ask(_SC_LEVEL1_DCACHE_SIZE, 64 << 10),
      .second = ask(_SC_LEVEL2_CACHE_SIZE, 1 << 20),
      .last = ask(_SC_LEVEL3_CACHE_SIZE, 32 << 20),
      .first_ways = static_cast<int>(ask(_SC_LEVEL1_DCACHE_ASSOC, 4)),
  };
  return found;
}

std::int64_t memory_bytes() {
  const std::int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? pages * size : 0;
}

}  // namespace onepass::cpu

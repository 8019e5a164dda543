// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/memory/global_memory.hpp"

#include "backends/sim/memory/hazard.hpp"

namespace onepass::sim {
namespace {

std::string hex(std::uintptr_t address) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (; address != 0; address /= 16) text.insert(text.begin(), digits[address % 16]);
  return "0x" + (text.empty() ? "0" : text);
}

[[noreturn]] void refuse(std::uintptr_t address, int bytes, Access access) {
  throw Hazard{HazardKind::out_of_bounds,
               place(address, bytes, access, {}) + " touches nothing that this launch may touch so"};
}

}  // namespace

std::string place(std::uintptr_t address, int bytes, Access access, std::span<const NamedRegion> regions) {
  std::string text = std::string(name(access)) + " of " + std::to_string(bytes) + " bytes at " + hex(address);
  std::uintptr_t nearest = ~std::uintptr_t{0};
  std::string relative;
  for (const auto& [name, elements] : regions) {
    if (elements->empty()) continue;
    const bool below = address < elements->begin();
    const std::uintptr_t distance = below                       ? elements->begin() - address
                                    : address < elements->end() ? 0
                                                                : address - elements->end() + 1;
    if (distance >= nearest) continue;
    nearest = distance;
    const std::uintptr_t offset = below ? distance : address - elements->begin();
    relative = " (" + std::string(name) + (below ? " - " : " + ") + std::to_string(offset) + " bytes, of " +
               std::to_string(elements->end() - elements->begin()) + ")";
  }
  return text + relative;
}

void GlobalMemory::load_vector(std::uintptr_t address, int, int, const Agent&, Counters&) {
  constexpr int vector_bytes = 16;
  refuse(address, vector_bytes, Access::load_vector);
}
void GlobalMemory::add(std::uintptr_t address, int bytes, const Agent&, Counters&) {
  refuse(address, bytes, Access::add);
}
void GlobalMemory::prefetch(std::uintptr_t address, Counters&) const { refuse(address, 1, Access::prefetch); }
void GlobalMemory::publish(std::uintptr_t mailbox, int bytes, const Agent&, Counters&) {
  refuse(mailbox, bytes, Access::publish);
}
void GlobalMemory::poll(std::uintptr_t mailbox, int bytes, const Agent&, Counters&) {
  refuse(mailbox, bytes, Access::poll);
}
void GlobalMemory::reset(std::uintptr_t mailbox, int bytes, const Agent&, Counters&) {
  refuse(mailbox, bytes, Access::reset);
}
void GlobalMemory::arrive(std::uintptr_t, const Agent&) {
  throw Hazard{HazardKind::bad_grid_barrier, "the blocks of this launch need not be on the device at once"};
}

}  // namespace onepass::sim

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/memory_map.hpp"

#include <initializer_list>
#include <optional>

#include "backends/sim/hazard.hpp"

namespace onepass::sim {
namespace {

constexpr const char* name(Role role) {
  constexpr const char* names[role_count] = {
      "A", "x", "y", "workspace", "alpha", "beta", "the pointers to A", "the pointers to x", "the pointers to y"};
  return names[static_cast<std::size_t>(role)];
}

constexpr const char* name(Word word) {
  constexpr const char* names[] = {"read_once", "read_cached", "read_own", "read_fresh", "write", "ticket"};
  return names[static_cast<std::size_t>(word)];
}

// Memory that another block writes must not be read through the paths for constant data, and A, x
// and the scalars are never written. First the role that is meant if two overlap.
constexpr std::initializer_list<Role> once_roles = {Role::matrix, Role::x};
constexpr std::initializer_list<Role> cached_roles = {Role::x,          Role::alpha,      Role::beta,  Role::a_pointers,
                                                      Role::x_pointers, Role::y_pointers, Role::matrix};
constexpr std::initializer_list<Role> own_roles = {Role::y};
constexpr std::initializer_list<Role> fresh_roles = {Role::workspace};
constexpr std::initializer_list<Role> write_roles = {Role::y, Role::workspace};

constexpr const std::initializer_list<Role>& roles_of(Word word) {
  switch (word) {
    case Word::read_once: return once_roles;
    case Word::read_cached: return cached_roles;
    case Word::read_own: return own_roles;
    case Word::read_fresh:
    case Word::ticket: return fresh_roles;
    case Word::write: return write_roles;
  }
  return fresh_roles;
}

std::string hex(std::uintptr_t address) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (; address != 0; address /= 16) text.insert(text.begin(), digits[address % 16]);
  return "0x" + (text.empty() ? "0" : text);
}

}  // namespace

void MemoryMap::add_batch(Role role, Pattern pattern, std::span<const void* const> bases) {
  regions_[static_cast<std::size_t>(role)] = Lattice(pattern, bases);
}

void MemoryMap::start(std::int64_t blocks) {
  reads_.assign(static_cast<std::size_t>((*this)[Role::matrix].size()), 0);
  writers_.assign(static_cast<std::size_t>((*this)[Role::y].size()), 0);
  cells_.assign(static_cast<std::size_t>((*this)[Role::workspace].size()), {});
  tickets_.assign(static_cast<std::size_t>(blocks), {});
}

// "write of 4 bytes at 0x7f00 (y + 12 bytes)", by the region that the address is in or nearest to.
std::string MemoryMap::place(std::uintptr_t address, int bytes, Word word) const {
  std::string text = std::string(name(word)) + " of " + std::to_string(bytes) + " bytes at " + hex(address);
  std::uintptr_t nearest = ~std::uintptr_t{0};
  std::string relative;
  for (std::size_t i = 0; i < role_count; ++i) {
    const Lattice& region = regions_[i];
    if (region.empty()) continue;
    const bool below = address < region.begin();
    const std::uintptr_t distance = below                    ? region.begin() - address
                                    : address < region.end() ? 0
                                                             : address - region.end() + 1;
    if (distance >= nearest) continue;
    nearest = distance;
    const std::uintptr_t offset = below ? distance : address - region.begin();
    relative = " (" + std::string(name(static_cast<Role>(i))) + (below ? " - " : " + ") + std::to_string(offset) +
               " bytes, of " + std::to_string(region.end() - region.begin()) + ")";
  }
  return text + relative;
}

void MemoryMap::fail_bounds(std::uintptr_t address, int bytes, Word word, Counters& counters) const {
  const Lattice& matrix = (*this)[Role::matrix];
  if (word == Word::read_once && !matrix.empty())
    counters.matrix_elements_unneeded += matrix.count_gaps(address, bytes);
  std::string allowed;
  for (const Role role : roles_of(word)) {
    if ((*this)[role].empty()) continue;
    allowed += std::string(allowed.empty() ? "" : ", ") + name(role);
  }
  throw Hazard{HazardKind::out_of_bounds, place(address, bytes, word) + " touches no element of " +
                                              (allowed.empty() ? "anything that this launch may touch so" : allowed)};
}

void MemoryMap::check_alignment(std::uintptr_t address, int bytes, Word word) const {
  if (address % static_cast<std::uintptr_t>(bytes) == 0) return;
  throw Hazard{HazardKind::misaligned, place(address, bytes, word) + " is not a multiple of its size"};
}

Role MemoryMap::load(std::uintptr_t address, int bytes, Word word, const Agent& agent, Counters& counters) {
  check_alignment(address, bytes, word);
  for (const Role role : roles_of(word)) {
    const auto e = (*this)[role].find(address, bytes);
    if (!e) continue;
    if (role == Role::matrix) {
      for (std::int64_t i = e->first; i < e->first + e->count; ++i) ++reads_[static_cast<std::size_t>(i)];
    } else if (role == Role::y) {
      load_y(*e, address, bytes);
    } else if (role == Role::workspace) {
      load_workspace(*e, address, bytes, agent);
      counters.workspace_bytes_read += bytes;
    }
    return role;
  }
  fail_bounds(address, bytes, word, counters);
}

void MemoryMap::load_y(Lattice::Elements e, std::uintptr_t address, int bytes) const {
  const auto where = [&] { return place(address, bytes, Word::read_own); };
  if (!y_readable_) throw Hazard{HazardKind::output_read, where() + ", although beta is zero"};
  for (std::int64_t i = e.first; i < e.first + e.count; ++i) {
    const std::uint32_t writer = writers_[static_cast<std::size_t>(i)];
    if (writer != 0)
      throw Hazard{HazardKind::output_read, where() + ", after block " + std::to_string(writer - 1) + " wrote it"};
  }
}

// A partial sum may be read by its writer, behind a barrier by its block, and by a block that took
// its ticket after the writer's block did, both with a barrier between the access and the ticket.
void MemoryMap::load_workspace(Lattice::Elements e, std::uintptr_t address, int bytes, const Agent& agent) const {
  const auto where = [&] { return place(address, bytes, Word::read_fresh); };
  for (std::int64_t i = e.first; i < e.first + e.count; ++i) {
    const Cell& cell = cells_[static_cast<std::size_t>(i)];
    if (cell.use == Cell::Use::none)
      throw Hazard{HazardKind::unwritten_workspace, where() + ", which this launch has not written"};
    if (cell.use == Cell::Use::counter) throw Hazard{HazardKind::bad_counter, where() + ", which is a counter"};
    if (cell.block == agent.block) {
      if (cell.thread != agent.thread && cell.interval == agent.interval)
        throw Hazard{HazardKind::workspace_race,
                     where() + ", written by thread " + std::to_string(cell.thread) + " with no barrier between"};
      continue;
    }
    const Ticket& theirs = tickets_[cell.block];
    const Ticket& mine = tickets_[agent.block];
    const bool released = theirs.thread >= 0 && (theirs.interval > cell.interval ||
                                                 (theirs.interval == cell.interval && theirs.thread == cell.thread));
    const bool acquired = mine.thread >= 0 && (agent.interval > mine.interval || agent.thread == mine.thread);
    if (!released || !acquired)
      throw Hazard{HazardKind::workspace_race, where() + ", written by block " + std::to_string(cell.block) +
                                                   (released ? ", before this thread knows of a ticket of its block"
                                                             : ", which took no ticket since")};
  }
}

void MemoryMap::store(std::uintptr_t address, int bytes, const Agent& agent, Counters& counters) {
  check_alignment(address, bytes, Word::write);
  if (const auto e = (*this)[Role::y].find(address, bytes)) {
    for (std::int64_t i = e->first; i < e->first + e->count; ++i) {
      std::uint32_t& writer = writers_[static_cast<std::size_t>(i)];
      if (writer != 0)
        throw Hazard{HazardKind::output_written_twice,
                     place(address, bytes, Word::write) + ", first written by block " + std::to_string(writer - 1)};
      writer = agent.block + 1;
    }
    return;
  }
  const auto e = (*this)[Role::workspace].find(address, bytes);
  if (!e) fail_bounds(address, bytes, Word::write, counters);
  for (std::int64_t i = e->first; i < e->first + e->count; ++i) {
    Cell& cell = cells_[static_cast<std::size_t>(i)];
    if (cell.use == Cell::Use::counter)
      throw Hazard{HazardKind::bad_counter, place(address, bytes, Word::write) + ", which is a counter"};
    if (cell.use == Cell::Use::data &&
        (cell.block != agent.block || (cell.interval == agent.interval && cell.thread != agent.thread)))
      throw Hazard{HazardKind::workspace_race, place(address, bytes, Word::write) + ", first written by block " +
                                                   std::to_string(cell.block) + ", thread " +
                                                   std::to_string(cell.thread)};
    cell = {.use = Cell::Use::data, .block = agent.block, .interval = agent.interval, .thread = agent.thread};
  }
  counters.workspace_bytes_written += bytes;
}

void MemoryMap::ticket(std::uintptr_t address, unsigned count, const Agent& agent, Counters& counters) {
  check_alignment(address, 4, Word::ticket);
  const auto e = (*this)[Role::workspace].find(address, 4);
  if (!e) fail_bounds(address, 4, Word::ticket, counters);
  Cell& cell = cells_[static_cast<std::size_t>(e->first)];
  if (cell.use == Cell::Use::data)
    throw Hazard{HazardKind::bad_counter, place(address, 4, Word::ticket) + ", which holds data of this launch"};
  const unsigned old = *reinterpret_cast<const unsigned*>(address);
  if (count == 0 || old >= count)
    throw Hazard{HazardKind::bad_counter, place(address, 4, Word::ticket) + " finds " + std::to_string(old) +
                                              " on a counter that wraps at " + std::to_string(count)};
  cell.use = Cell::Use::counter;
  tickets_[agent.block] = {.interval = agent.interval, .thread = agent.thread};
  ++counters.tickets;
}

void MemoryMap::finish(Counters& counters) const {
  const Lattice& matrix = (*this)[Role::matrix];
  counters.matrix_elements_needed = matrix.size();
  counters.matrix_sectors_needed = matrix.count_sectors();
  for (std::size_t base = 0, i = 0; base < matrix.bases(); ++base) {
    const std::int64_t repeats = matrix.repeats(base);
    for (const std::size_t end = i + matrix.size() / matrix.bases(); i < end; ++i) {
      counters.matrix_elements_again += reads_[i] > repeats;
      counters.matrix_elements_never += reads_[i] < repeats;
    }
  }
  for (const std::uint32_t writer : writers_) counters.outputs_never += writer == 0;
}

}  // namespace onepass::sim

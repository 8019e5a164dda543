// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/memory/memory_map.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "backends/sim/memory/hazard.hpp"

namespace onepass::sim {
namespace {

constexpr const char* name(Role role) {
  constexpr const char* names[role_count] = {"A",
                                             "x",
                                             "y",
                                             "the tail of x",
                                             "the tail of y",
                                             "workspace",
                                             "alpha",
                                             "beta",
                                             "the pointers to A",
                                             "the pointers to x",
                                             "the pointers to y"};
  return names[static_cast<std::size_t>(role)];
}

// In the order in which they are meant if two overlap.
constexpr std::array all_roles = {Role::matrix,     Role::x,          Role::y,         Role::x_tail,
                                  Role::y_tail,     Role::workspace,  Role::alpha,     Role::beta,
                                  Role::a_pointers, Role::x_pointers, Role::y_pointers};
static_assert(all_roles.size() == role_count);

constexpr std::uint32_t added = ~std::uint32_t{0};  // in place of a writer

std::string writer_of(std::uint32_t writer) {
  return writer == added ? "an addition" : "block " + std::to_string(writer - 1);
}

bool all_zero(std::uintptr_t address, int bytes) {
  const auto* first = reinterpret_cast<const unsigned char*>(address);
  return std::all_of(first, first + bytes, [](unsigned char byte) { return byte == 0; });
}

}  // namespace

void MemoryMap::add_batch(Role role, Pattern pattern, std::span<const void* const> bases) {
  regions_[static_cast<std::size_t>(role)] = Lattice(pattern, bases);
}

// Memory that another block writes must not be read through the paths for constant data, and what is no output is
// never written.
bool MemoryMap::reaches(Access access, Role role) const {
  const bool output = is_output(role);
  switch (access) {
    case Access::load_once: return !output && (role == Role::matrix || role == Role::x);
    case Access::load_vector: return !output && role == Role::matrix;
    case Access::load_cached: return !output && role != Role::workspace;
    case Access::prefetch: return role == Role::matrix || role == Role::x;
    case Access::load_own:
    case Access::add:
    case Access::store: return output;
    case Access::publish:
    case Access::poll:
    case Access::reset: return role == Role::workspace;
    case Access::load_matrix:
    case Access::load_fresh:
    case Access::copy_element:
    case Access::grid_barrier: return false;
  }
  return false;
}

void MemoryMap::start() {
  reads_.assign(static_cast<std::size_t>((*this)[Role::matrix].size()), 0);
  for (const Role role : {output_, Role::y_tail})
    writers(role).assign(static_cast<std::size_t>((*this)[role].size()), 0);
  mailboxes_.start(static_cast<std::size_t>((*this)[Role::workspace].size()));
}

std::string MemoryMap::place(std::uintptr_t address, int bytes, Access access) const {
  std::array<NamedRegion, role_count> named;
  for (std::size_t i = 0; i < role_count; ++i) named[i] = {name(static_cast<Role>(i)), &regions_[i]};
  return sim::place(address, bytes, access, named);
}

void MemoryMap::fail_bounds(std::uintptr_t address, int bytes, Access access) const {
  std::string allowed;
  for (const Role role : all_roles) {
    if (!reaches(access, role) || (*this)[role].empty()) continue;
    allowed += std::string(allowed.empty() ? "" : ", ") + name(role);
  }
  throw Hazard{HazardKind::out_of_bounds, place(address, bytes, access) + " touches no element of " +
                                              (allowed.empty() ? "anything that this launch may touch so" : allowed)};
}

bool MemoryMap::may_be_early(std::uintptr_t address, int bytes, Access access) const {
  const auto finds = [&](Role role) { return (*this)[role].find(address, bytes).has_value(); };
  switch (access) {
    case Access::load_vector: return matrix_settled_;
    case Access::load_once:
    case Access::copy_element: return matrix_settled_ && finds(Role::matrix);
    case Access::load_cached: return x_settled_ && finds(Role::x);
    default: return false;
  }
}

void MemoryMap::check(std::uintptr_t address, int bytes, Access access, const Agent& agent) const {
  if (!agent.waited && !may_be_early(address, bytes, access))
    throw Hazard{HazardKind::access_before_wait,
                 place(address, bytes, access) + " by a thread that has not called grid_dependency_wait"};
  if (address % static_cast<std::uintptr_t>(bytes) != 0)
    throw Hazard{HazardKind::misaligned, place(address, bytes, access) + " is not a multiple of its size"};
}

void MemoryMap::count_read(Lattice::Elements e) {
  for (std::int64_t i = e.first; i < e.first + e.count; ++i) ++reads_[static_cast<std::size_t>(i)];
}

bool MemoryMap::load(std::uintptr_t address, int bytes, Access access, const Agent& agent, Counters& counters) {
  check(address, bytes, access, agent);
  for (const Role role : all_roles) {
    if (!reaches(access, role)) continue;
    const auto e = (*this)[role].find(address, bytes);
    if (!e) continue;
    if (is_output(role)) check_unwritten({role, *e}, address, bytes);
    if (role == Role::matrix) count_read(*e);
    return role == Role::matrix;
  }
  if (access == Access::load_once)
    counters.matrix_elements_unneeded += (*this)[Role::matrix].count_gaps(address, bytes);
  fail_bounds(address, bytes, access);
}

void MemoryMap::load_vector(std::uintptr_t address, int first, int bytes, const Agent& agent, Counters& counters) {
  constexpr int vector_bytes = 16;
  check(address, vector_bytes, Access::load_vector, agent);
  const auto where = [&] { return place(address, vector_bytes, Access::load_vector); };
  if (bytes <= 0) throw Hazard{HazardKind::useless_load, where() + " wants no element of it"};
  const Lattice& matrix = (*this)[Role::matrix];
  const std::uintptr_t wanted = address + static_cast<std::uintptr_t>(first);
  if (const auto e = matrix.find(wanted, bytes, first, vector_bytes - first - bytes)) return count_read(*e);
  if (matrix.find(wanted, bytes))
    throw Hazard{HazardKind::out_of_bounds, where() + " reaches past the first or the last element of A"};
  counters.matrix_elements_unneeded += matrix.count_gaps(wanted, bytes);
  fail_bounds(wanted, bytes, Access::load_vector);
}

void MemoryMap::prefetch(std::uintptr_t address, Counters& counters) const {
  ++counters.prefetches;
  if (std::ranges::any_of(prefetched_,
                          [&](const Bytes& b) { return address - b.first < static_cast<std::uintptr_t>(b.count); }))
    return;
  if (std::ranges::none_of(all_roles,
                           [&](Role role) { return reaches(Access::prefetch, role) && (*this)[role].spans(address); }))
    fail_bounds(address, 1, Access::prefetch);
}

void MemoryMap::check_unwritten(const Written& written, std::uintptr_t address, int bytes) {
  const auto where = [&] { return place(address, bytes, Access::load_own); };
  if (!output_readable_) throw Hazard{HazardKind::output_read, where() + ", although beta is zero"};
  const Lattice::Elements e = written.elements;
  for (std::int64_t i = e.first; i < e.first + e.count; ++i) {
    const std::uint32_t writer = writers(written.role)[static_cast<std::size_t>(i)];
    if (writer != 0) throw Hazard{HazardKind::output_read, where() + ", after " + writer_of(writer) + " wrote it"};
  }
}

std::optional<MemoryMap::Written> MemoryMap::find_output(std::uintptr_t address, int bytes) const {
  for (const Role role : {output_, Role::y_tail})
    if (const auto e = (*this)[role].find(address, bytes)) return Written{role, *e};
  return {};
}

void MemoryMap::store(std::uintptr_t address, int bytes, const Agent& agent) {
  check(address, bytes, Access::store, agent);
  const auto found = find_output(address, bytes);
  if (!found) fail_bounds(address, bytes, Access::store);
  const Lattice::Elements e = found->elements;
  for (std::int64_t i = e.first; i < e.first + e.count; ++i) {
    std::uint32_t& writer = writers(found->role)[static_cast<std::size_t>(i)];
    if (writer != 0)
      throw Hazard{HazardKind::output_written_twice,
                   place(address, bytes, Access::store) + ", first written by " + writer_of(writer)};
    writer = agent.block + 1;
  }
}

void MemoryMap::add(std::uintptr_t address, int bytes, const Agent& agent, Counters& counters) {
  check(address, bytes, Access::add, agent);
  const auto e = (*this)[output_].find(address, bytes);
  if (!e) fail_bounds(address, bytes, Access::add);
  for (std::int64_t i = e->first; i < e->first + e->count; ++i) {
    std::uint32_t& writer = writers_[static_cast<std::size_t>(i)];
    if (writer != 0 && writer != added)
      throw Hazard{HazardKind::output_written_twice,
                   place(address, bytes, Access::add) + ", first written by " + writer_of(writer)};
    writer = added;
  }
  ++counters.atomic_adds;
}

template <class Use>
void MemoryMap::use_mailbox(std::uintptr_t mailbox, int bytes, Access access, const Agent& agent, Use use) const {
  check(mailbox, bytes, access, agent);
  const auto cells = (*this)[Role::workspace].find(mailbox, bytes);
  if (!cells) fail_bounds(mailbox, bytes, access);
  try {
    use(*cells, all_zero(mailbox, bytes));
  } catch (const Hazard& hazard) {
    throw Hazard{hazard.kind, place(mailbox, bytes, access) + ", " + hazard.detail};
  }
}

void MemoryMap::publish(std::uintptr_t mailbox, int bytes, const Agent& agent, Counters& counters) {
  use_mailbox(mailbox, bytes, Access::publish, agent, [&](Lattice::Elements cells, bool empty) {
    mailboxes_.publish(cells, agent, empty);
    ++counters.partial_sums;
    counters.workspace_bytes_written += bytes;
  });
}

void MemoryMap::poll(std::uintptr_t mailbox, int bytes, const Agent& agent, Counters& counters) {
  use_mailbox(mailbox, bytes, Access::poll, agent, [&](Lattice::Elements cells, bool empty) {
    if (mailboxes_.poll(cells, agent, empty)) counters.workspace_bytes_read += bytes;
  });
}

void MemoryMap::reset(std::uintptr_t mailbox, int bytes, const Agent& agent, Counters& counters) {
  use_mailbox(mailbox, bytes, Access::reset, agent, [&](Lattice::Elements cells, bool empty) {
    mailboxes_.reset(cells, agent, empty);
    counters.workspace_bytes_written += bytes;
  });
}

void MemoryMap::finish(Counters& counters) const {
  const Lattice& matrix = (*this)[Role::matrix];
  counters.matrix_elements_needed = matrix.existing();
  counters.matrix_sectors_needed = matrix.count_sectors();
  for (std::size_t base = 0, i = 0; base < matrix.bases(); ++base) {
    const std::int64_t repeats = matrix.repeats(base);
    for (const std::size_t end = i + matrix.size() / matrix.bases(); i < end; ++i) {
      counters.matrix_elements_again += reads_[i] > repeats;
      counters.matrix_elements_never += reads_[i] < repeats && matrix.exists(static_cast<std::int64_t>(i));
    }
  }
  const auto count_never = [&](Role role, const std::vector<std::uint32_t>& writers) {
    for (std::size_t i = 0; i < writers.size(); ++i)
      counters.outputs_never += writers[i] == 0 && (*this)[role].exists(static_cast<std::int64_t>(i));
  };
  count_never(output_, writers_);
  count_never(Role::y_tail, tail_writers_);
  if (const Mailboxes::Mailbox* mailbox = mailboxes_.left()) {
    const std::int64_t cell = (*this)[Role::workspace].element_bytes();
    const auto address = (*this)[Role::workspace].begin() + static_cast<std::uintptr_t>(mailbox->cells.first * cell);
    throw Hazard{HazardKind::mailbox_left_full,
                 place(address, static_cast<int>(mailbox->cells.count * cell), Access::publish) + " by block " +
                     std::to_string(mailbox->publisher.block) + ", thread " +
                     std::to_string(mailbox->publisher.thread) + ", which nobody reset"};
  }
}

}  // namespace onepass::sim

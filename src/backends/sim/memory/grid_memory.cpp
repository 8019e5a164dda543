// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/memory/grid_memory.hpp"

#include <algorithm>
#include <utility>

namespace onepass::sim {

void GridMemory::add(std::string name, Pattern pattern, const void* base, Holds holds) {
  regions_.push_back({.name = std::move(name), .lattice = Lattice(pattern, std::span(&base, 1)), .holds = holds});
}

void GridMemory::add_matrix(Pattern pattern, const void* base) {
  add("A", pattern, base, Holds::data);
  std::swap(regions_.front(), regions_.back());
  has_matrix_ = true;
}

namespace {
Pattern pattern_of(const onepass::Region& r) {
  return {.rows = r.rows, .cols = r.columns, .lda = r.ld, .element = r.element, .part = r.part};
}
}  // namespace

void GridMemory::add(const onepass::Region& region) {
  if (region.data != nullptr && region.rows > 0 && region.columns > 0)
    add(region.name, pattern_of(region), region.data, region.holds);
}
void GridMemory::add_matrix(const onepass::Region& region) { add_matrix(pattern_of(region), region.data); }

void GridMemory::start() {
  for (Region& region : regions_) region.elements.assign(static_cast<std::size_t>(region.lattice.size()), {});
  stores_ = 0;
  loads_.clear();
}

void GridMemory::finish(Counters& counters) const {
  if (has_matrix_) counters.matrix_elements_needed = regions_.front().lattice.existing();
}

std::string GridMemory::place(std::uintptr_t address, int bytes, Access access) const {
  std::vector<NamedRegion> named;
  for (const Region& region : regions_) named.push_back({region.name.c_str(), &region.lattice});
  return sim::place(address, bytes, access, named);
}

void GridMemory::fail(HazardKind kind, std::uintptr_t address, int bytes, Access access, const std::string& why) const {
  throw Hazard{kind, place(address, bytes, access) + why};
}

// The paths for data that nobody writes are for constants.
GridMemory::Found GridMemory::find(std::uintptr_t address, int bytes, Access access) {
  if (address % static_cast<std::uintptr_t>(bytes) != 0)
    fail(HazardKind::misaligned, address, bytes, access, " is not a multiple of its size");
  for (Region& region : regions_) {
    const auto elements = region.lattice.find(address, bytes);
    if (!elements) continue;
    const bool constant = region.holds == Holds::constants;
    if (access == Access::store && constant)
      fail(HazardKind::out_of_bounds, address, bytes, access, " writes what this launch may only read");
    if ((access == Access::load_once || access == Access::load_cached) && !constant)
      fail(HazardKind::out_of_bounds, address, bytes, access, " is of what this launch may write");
    return {region, *elements};
  }
  fail(HazardKind::out_of_bounds, address, bytes, access, " touches no element of this launch");
}

void GridMemory::check_writer(const Element& element, const Agent& agent, std::uintptr_t address, int bytes,
                              Access access) const {
  const bool mine = element.written_by == agent.block;
  const bool race = mine ? element.writer != agent.thread && element.written_in == agent.interval
                         : element.written_after == agent.grid_barriers;
  if (element.store == 0 || !race) return;
  fail(HazardKind::global_race, address, bytes, access,
       ", written by block " + std::to_string(element.written_by) + ", thread " + std::to_string(element.writer) +
           " with no " + (mine ? "barrier" : "grid barrier") + " between");
}

void GridMemory::check_reader(const Element& element, const Agent& agent, std::uintptr_t address, int bytes) const {
  const bool mine = element.read_by == static_cast<std::int32_t>(agent.block);
  const bool race = !mine || (element.reader != agent.thread && element.read_in == agent.interval);
  if (element.read_by == none || element.read_after != agent.grid_barriers || !race) return;
  const auto name = [](const char* one, const char* many, std::int32_t number) {
    return number == several ? std::string(many) : std::string(one) + " " + std::to_string(number);
  };
  fail(HazardKind::global_race, address, bytes, Access::store,
       ", read by " + name("block", "several blocks", element.read_by) +
           (mine ? ", " + name("thread", "several threads", element.reader) : "") + " with no " +
           (mine ? "barrier" : "grid barrier") + " between");
}

void GridMemory::read(const Found& found, std::uintptr_t address, int bytes, Access access, const Agent& agent) {
  const auto [first, count] = found.elements;
  for (std::int64_t i = first; i < first + count; ++i) {
    Element& element = found.region.elements[static_cast<std::size_t>(i)];
    if (element.store == 0 && found.region.holds == Holds::nothing)
      fail(HazardKind::unwritten_global, address, bytes, access, "");
    check_writer(element, agent, address, bytes, access);
    const auto block = static_cast<std::int32_t>(agent.block);
    const bool again = element.read_by != none && element.read_after == agent.grid_barriers;
    if (again && element.read_by != block) {
      element.read_by = several;
    } else {
      const bool others = again && element.read_in == agent.interval && element.reader != agent.thread;
      element.read_by = block;
      element.reader = others ? several : static_cast<std::int16_t>(agent.thread);
    }
    element.read_in = agent.interval;
    element.read_after = agent.grid_barriers;
  }
}

void GridMemory::count(const Found& found, const Agent& agent) {
  if (!has_matrix_ || &found.region != &regions_.front()) return;
  if (loads_.size() <= agent.grid_barriers) loads_.resize(agent.grid_barriers + 1);
  std::vector<std::uint32_t>& loads = loads_[agent.grid_barriers];
  loads.resize(found.region.elements.size());
  const auto [first, count] = found.elements;
  for (std::int64_t i = first; i < first + count; ++i) ++loads[static_cast<std::size_t>(i)];
}

bool GridMemory::load(std::uintptr_t address, int bytes, Access access, const Agent& agent, Counters&) {
  const Found found = find(address, bytes, access);
  read(found, address, bytes, access, agent);
  if (access != Access::copy_element) count(found, agent);
  return has_matrix_ && &found.region == &regions_.front();
}

void GridMemory::finish_copy(std::uintptr_t address, int bytes, std::uint64_t stores_before, const Agent& agent) {
  const Found found = find(address, bytes, Access::copy_element);
  const auto [first, number] = found.elements;
  for (std::int64_t i = first; i < first + number; ++i) {
    const Element& element = found.region.elements[static_cast<std::size_t>(i)];
    if (element.store > stores_before)
      fail(HazardKind::global_race, address, bytes, Access::copy_element,
           ", written by block " + std::to_string(element.written_by) + " before the copy was waited for");
  }
  read(found, address, bytes, Access::copy_element, agent);
  count(found, agent);
}

void GridMemory::prefetch(std::uintptr_t address, Counters& counters) const {
  ++counters.prefetches;
  if (std::none_of(regions_.begin(), regions_.end(), [&](const Region& r) { return r.lattice.spans(address); }))
    fail(HazardKind::out_of_bounds, address, 1, Access::prefetch, " touches nothing of this launch");
}

void GridMemory::store(std::uintptr_t address, int bytes, const Agent& agent) {
  const Found found = find(address, bytes, Access::store);
  ++stores_;
  const auto [first, count] = found.elements;
  for (std::int64_t i = first; i < first + count; ++i) {
    Element& element = found.region.elements[static_cast<std::size_t>(i)];
    check_writer(element, agent, address, bytes, Access::store);
    check_reader(element, agent, address, bytes);
    element.store = stores_;
    element.written_by = agent.block;
    element.writer = static_cast<std::int16_t>(agent.thread);
    element.written_in = agent.interval;
    element.written_after = agent.grid_barriers;
  }
}

void GridMemory::arrive(std::uintptr_t counter, const Agent&) {
  if (counter != counter_ || counter == 0)
    fail(HazardKind::bad_grid_barrier, counter, sizeof(std::uint32_t), Access::grid_barrier,
         " is not the counter of this launch");
}

int GridMemory::loads(const void* element, std::size_t interval) const {
  if (interval >= loads_.size() || loads_[interval].empty()) return 0;
  const auto found = regions_.front().lattice.find(reinterpret_cast<std::uintptr_t>(element), 1);
  return found ? static_cast<int>(loads_[interval][static_cast<std::size_t>(found->first)]) : 0;
}

int GridMemory::loads(const void* element) const {
  int all = 0;
  for (std::size_t interval = 0; interval < loads_.size(); ++interval) all += loads(element, interval);
  return all;
}

}  // namespace onepass::sim

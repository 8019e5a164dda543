// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The global memory of a product: which elements exist, who read and wrote them, and what was wrong with that.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/sim/memory/global_memory.hpp"
#include "backends/sim/memory/lattice.hpp"
#include "backends/sim/memory/mailboxes.hpp"

namespace onepass::sim {

enum class Role : std::uint8_t {
  matrix,
  x,
  y,
  x_tail,
  y_tail,
  workspace,
  alpha,
  beta,
  a_pointers,
  x_pointers,
  y_pointers
};
inline constexpr std::size_t role_count = 11;

class MemoryMap final : public GlobalMemory {
 public:
  // The elements of an operand: of one, or of each product. A role that was not added does not exist.
  void add(Role role, Pattern pattern, const void* base) { add_batch(role, pattern, std::span(&base, 1)); }
  void add_batch(Role role, Pattern pattern, std::span<const void* const> bases);
  // What may be prefetched, too, whether it is read or not.
  void allow_prefetch(const void* first, std::int64_t bytes) {
    prefetched_.push_back({reinterpret_cast<std::uintptr_t>(first), bytes});
  }
  // What the launch writes: y with its tail, unless A is updated. Every element of it is written once, and read before
  // that or never; or threads add to it, and nobody reads or stores it.
  void set_output(Role role) { output_ = role; }
  // beta == 0: the output is written, never read.
  void forbid_reading_output() { output_readable_ = false; }
  // What may be read before the grid-dependency wait.
  void settle(bool matrix, bool x) {
    matrix_settled_ = matrix;
    x_settled_ = x;
  }

  void start() override;
  bool load(std::uintptr_t address, int bytes, Access access, const Agent& agent, Counters& counters) override;
  void load_vector(std::uintptr_t address, int first, int bytes, const Agent& agent, Counters& counters) override;
  void store(std::uintptr_t address, int bytes, const Agent& agent) override;
  void add(std::uintptr_t address, int bytes, const Agent& agent, Counters& counters) override;
  void prefetch(std::uintptr_t address, Counters& counters) const override;
  void publish(std::uintptr_t mailbox, int bytes, const Agent& agent, Counters& counters) override;
  void poll(std::uintptr_t mailbox, int bytes, const Agent& agent, Counters& counters) override;
  void reset(std::uintptr_t mailbox, int bytes, const Agent& agent, Counters& counters) override;
  // Of the matrix, of y and of the mailboxes.
  void finish(Counters& counters) const override;

 private:
  const Lattice& operator[](Role role) const { return regions_[static_cast<std::size_t>(role)]; }
  std::string place(std::uintptr_t address, int bytes, Access access) const;
  void check(std::uintptr_t address, int bytes, Access access, const Agent& agent) const;
  // Whether an access may come before the grid-dependency wait.
  bool may_be_early(std::uintptr_t address, int bytes, Access access) const;
  [[noreturn]] void fail_bounds(std::uintptr_t address, int bytes, Access access) const;
  void count_read(Lattice::Elements e);
  // The role of an output at this address.
  struct Written {
    Role role;
    Lattice::Elements elements;
  };
  std::optional<Written> find_output(std::uintptr_t address, int bytes) const;
  bool is_output(Role role) const { return role == output_ || role == Role::y_tail; }
  std::vector<std::uint32_t>& writers(Role role) { return role == Role::y_tail ? tail_writers_ : writers_; }
  void check_unwritten(const Written& written, std::uintptr_t address, int bytes);
  // Whether an access of this kind may reach the role.
  bool reaches(Access access, Role role) const;
  // use(cells, empty), with the place of the mailbox in front of what it throws.
  template <class Use>
  void use_mailbox(std::uintptr_t mailbox, int bytes, Access access, const Agent& agent, Use use) const;

  struct Bytes {
    std::uintptr_t first;
    std::int64_t count;
  };
  std::array<Lattice, role_count> regions_;
  std::vector<Bytes> prefetched_;
  Role output_ = Role::y;
  bool output_readable_ = true;
  bool matrix_settled_ = false, x_settled_ = false;
  std::vector<std::uint32_t> reads_;                   // of each element of A
  std::vector<std::uint32_t> writers_, tail_writers_;  // of each element of the output: block + 1, or `added`
  Mailboxes mailboxes_;
};

}  // namespace onepass::sim

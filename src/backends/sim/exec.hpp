// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What kernels may do on the machine, as the simulator: each member function is a call that sees the access.
//
// The same functions as exec/cuda.hpp. The last, defaulted argument is the place of the call, by which the accesses of
// a warp's lanes are recognised as one instruction.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

#include "backends/sim/exec_arithmetic.hpp"
#include "backends/sim/thread.hpp"
#include "kernels/exec/vector16.hpp"

#if !defined(__CUDACC__)
#define ONEPASS_DEVICE inline
#endif
#include "kernels/exec/mailbox.hpp"

namespace onepass::exec {

struct Sim : SimArithmetic {
  static constexpr int warp = 32;

  int thread() const { return self->index(); }
  int threads() const { return self->block().threads; }
  std::int64_t block_x() const { return self->block().index.x; }
  std::int64_t block_y() const { return self->block().index.y; }
  std::int64_t block_z() const { return self->block().index.z; }
  std::int64_t grid_x() const { return self->block().grid.x; }
  std::int64_t grid_z() const { return self->block().grid.z; }

  void sync(Site site = Site::here()) const { self->sync(site); }
  void sync_warp(Site site = Site::here()) const { self->sync_warp(site); }

  template <class T>
  T shuffle_xor(T value, int mask, Site site = Site::here()) const {
    static_assert(sizeof(T) % 4 == 0 && sizeof(T) <= 32 && std::is_trivially_copyable_v<T>);
    self->shuffle_xor(&value, sizeof(T), mask, site);
    return value;
  }
  template <class T>
  T shuffle_from(T value, int lane, Site site = Site::here()) const {
    static_assert(sizeof(T) % 4 == 0 && sizeof(T) <= 32 && std::is_trivially_copyable_v<T>);
    self->shuffle_from(&value, sizeof(T), lane, site);
    return value;
  }
  template <class T>
  T shuffle_each(T value, int lane, Site site = Site::here()) const {
    static_assert(sizeof(T) % 4 == 0 && sizeof(T) <= 16 && std::is_trivially_copyable_v<T>);
    self->shuffle_each(&value, sizeof(T), lane, site);
    return value;
  }

  bool any(bool value, Site site = Site::here()) const {
    std::array<bool, 32> of{};
    self->gather(&value, sizeof(bool), of.data(), site);
    return std::ranges::any_of(of, std::identity{});
  }

  template <class T>
  T load_once_if(bool wanted, const T* p, Site site = Site::here()) const {
    return load_if(wanted, p, sim::Access::load_once, site);
  }
  template <class T>
  Vector16 load_vector_if(bool wanted, const T* vector, int from, int to, Site site = Site::here()) const {
    Vector16 value = {};
    if (wanted) {
      self->load_vector(vector, &value, from, to, sizeof(T), site);
    } else {
      self->pass_load(sizeof(Vector16), site);
    }
    return value;
  }
  template <class T>
  Vector16 load_vector_or_garbage(bool wanted, const T* vector, int from, int to, Site site = Site::here()) const {
    if (wanted) return load_vector_if(true, vector, from, to, site);
    self->pass_load(sizeof(Vector16), site);
    Vector16 garbage;
    std::ranges::fill(garbage.word, 0xffffffffu);  // NaN, of any type
    return garbage;
  }
  template <class T>
  T load_cached(const T* p, Site site = Site::here()) const {
    return load(p, sim::Access::load_cached, site);
  }
  template <class T>
  T load_cached_if(bool wanted, const T* p, Site site = Site::here()) const {
    return load_if(wanted, p, sim::Access::load_cached, site);
  }
  template <class T>
  T load_once_predicated(bool wanted, const T* p, Site site = Site::here()) const {
    return load_once_if(wanted, p, site);
  }
  template <class T>
  T load_streamed(const T* p, Site site = Site::here()) const {
    return load_once_if(true, p, site);
  }
  template <class T>
  T load_cached_predicated(bool wanted, const T* p, Site site = Site::here()) const {
    return load_cached_if(wanted, p, site);
  }
  template <class T>
  T load_matrix(const T* p, Site site = Site::here()) const {
    return load(p, sim::Access::load_matrix, site);
  }
  template <class T>
  T load_own(const T* p, Site site = Site::here()) const {
    return load(p, sim::Access::load_own, site);
  }
  template <class T>
  void store(T* p, T value, Site site = Site::here()) const {
    check_access<T>();
    self->store(p, &value, sizeof(T), site);
  }
  template <class T>
  void add(T* p, T value, Site site = Site::here()) const {
    check_access<T>();
    if (self->add(p, sizeof(T), site)) *p += value;
  }
  template <class T>
  void store_streaming(T* p, T value, Site site = Site::here()) const {
    store(p, value, site);
  }

  template <class T>
  T load_fresh(const T* p, Site site = Site::here()) const {
    return load(p, sim::Access::load_fresh, site);
  }
  template <class T>
  T load_fresh_if(bool wanted, const T* p, Site site = Site::here()) const {
    return load_if(wanted, p, sim::Access::load_fresh, site);
  }
  template <class T>
  void store_fresh(T* p, T value, Site site = Site::here()) const {
    store(p, value, site);
  }
  // The simulator sees for itself what never opens: a deadlock.
  template <class Meanwhile>
  void grid_barrier(std::uint32_t* counter, std::uint32_t target, std::uint32_t*, Meanwhile meanwhile,
                    Site site = Site::here()) const {
    self->sync(site);
    meanwhile();
    self->grid_barrier(counter, target, site);
  }
  void grid_barrier(std::uint32_t* counter, std::uint32_t target, std::uint32_t*, Site site = Site::here()) const {
    self->grid_barrier(counter, target, site);
  }

  void prefetch_if(bool wanted, const void* p, Site site = Site::here()) const {
    if (wanted) self->prefetch(p, site);
  }
  // Sector by sector, each of which holds something of the operand.
  void prefetch_piece(const char* p, int bytes, Site site = Site::here()) const {
    constexpr int sector = 32;
    for (int i = 0; i < bytes; i += sector) prefetch_if(true, p + i, site);
  }
  int materialize(int value) const { return value; }
  void grid_dependency_wait(const auto&...) const { self->grid_dependency_wait(); }
  void launch_dependents(Site = Site::here()) const {}

  template <class S>
  void publish(S* mailbox, S value, Site site = Site::here()) const {
    auto parts = std::bit_cast<Parts<S>>(value);
    for (auto& part : parts) part = encode_part(part);
    self->publish(mailbox, parts.data(), sizeof(S), site);
  }
  template <class S>
  Polled<S> poll(const S* mailbox, Site site = Site::here()) const {
    Parts<S> parts = {};
    self->poll(mailbox, parts.data(), sizeof(S), site);
    if (std::find(parts.begin(), parts.end(), 0u) != parts.end()) return {.value = {}, .arrived = false};
    for (auto& part : parts) part = decode_part(part);
    return {.value = std::bit_cast<S>(parts), .arrived = true};
  }
  template <class S>
  void reset(S* mailbox, Site site = Site::here()) const {
    self->reset(mailbox, sizeof(S), site);
  }
  template <class S>
  PolledFour<S> poll_four(const S* mailboxes, Site site = Site::here()) const {
    PolledFour<S> polled{.value = {}, .arrived = true};
    for (int i = 0; i < 4; ++i) {
      const Polled<S> one = poll(mailboxes + i, site);
      polled.value[i] = one.value;
      polled.arrived = polled.arrived && one.arrived;
    }
    return polled;
  }
  template <class S>
  void reset_four(S* mailboxes, Site site = Site::here()) const {
    for (int i = 0; i < 4; ++i) reset(mailboxes + i, site);
  }
  // The simulator sees for itself what never comes: a deadlock.
  bool poll_again(bool missing, int&, Site site = Site::here()) const {
    if (missing) self->give_way(site);
    return missing;
  }
  void report_timeout(std::uint32_t*) const {}

  template <class T>
  struct Shared {
    sim::Thread* self;
    int byte_offset;
    T get(int i, Site site = Site::here()) const {
      T value;
      for (std::size_t b = 0; b < sizeof(T); b += piece)
        self->get(offset(i) + static_cast<std::int64_t>(b), reinterpret_cast<char*>(&value) + b, piece, site);
      return value;
    }
    void put(int i, T value, Site site = Site::here()) const {
      for (std::size_t b = 0; b < sizeof(T); b += piece)
        self->put(offset(i) + static_cast<std::int64_t>(b), reinterpret_cast<const char*>(&value) + b, piece, site);
    }
    // Of one instruction: a number of 32 bytes takes two.
    static constexpr int piece = sizeof(T) < 16 ? static_cast<int>(sizeof(T)) : 16;

    std::int64_t offset(int i) const { return byte_offset + std::int64_t{i} * static_cast<std::int64_t>(sizeof(T)); }
  };
  template <class T>
  Shared<T> shared(int byte_offset) const {
    static_assert(std::has_single_bit(sizeof(T)) && std::is_trivially_copyable_v<T>);
    return {self, byte_offset};
  }

  template <class T>
  void copy_vector_if(bool wanted, Shared<Vector16> shared, int i, const T* vector, int from, int to,
                      Site site = Site::here()) const {
    const Vector16 value = load_vector_if(wanted, vector, from, to, site);
    self->start_copy(shared.offset(i), &value, sizeof(Vector16), nullptr, site);
  }
  void wait_for_copies(Site site = Site::here()) const { self->wait_for_copies(site); }
  template <class T>
  void copy_element_if(bool wanted, Shared<T> shared, int i, const T* from, Site site = Site::here()) const {
    const T value = load_if(wanted, from, sim::Access::copy_element, site);
    self->start_copy(shared.offset(i), &value, sizeof(T), wanted ? from : nullptr, site);
  }
  struct StreamPolicy {};
  StreamPolicy stream_policy(int) const { return {}; }
  template <class T>
  void stream_vector_if(bool wanted, Shared<Vector16> shared, int i, const T* vector, int from, int to, StreamPolicy,
                        Site site = Site::here()) const {
    copy_vector_if(wanted, shared, i, vector, from, to, site);
  }
  template <class T>
  void stream_element_if(bool wanted, Shared<T> shared, int i, const T* from, StreamPolicy,
                         Site site = Site::here()) const {
    copy_element_if(wanted, shared, i, from, site);
  }
  template <int n, class T>
  void copy_elements(Shared<T> to, int i, const T* from, int first, int end, Site site = Site::here()) const {
    T other = {};
    std::memset(static_cast<void*>(&other), 0xff, sizeof(T));  // NaN
    for (int e = 0; e < n; ++e) {
      if (e < first && first < end)
        self->start_copy(to.offset(i + e), &other, sizeof(T), nullptr, site);
      else
        copy_element_if(e >= first && e < end, to, i + e, from + e, site);
    }
  }
  void commit_copies() const { self->commit_copies(); }
  template <int n>
  void wait_for_copies_but(Site site = Site::here()) const {
    self->wait_for_copies_but(n, site);
  }

  template <class T>
  void put_in_cluster(Shared<T> to, int i, int rank, T value, Site site = Site::here()) const {
    check_access<T>();
    self->put_in_cluster(to.offset(i), &value, sizeof(T), rank, site);
  }
  void cluster_barrier(Site site = Site::here()) const { self->cluster_barrier(site); }

  // What is put into the box is there behind a barrier of the cluster.
  void open_box(int, int, bool) const {}
  void wait_for_open_box() const {}
  template <class T>
  void put_in_box(Shared<T> box, int i, int, int rank, T value, Site site = Site::here()) const {
    put_in_cluster(box, i, rank, value, site);
  }
  void wait_for_box(int, bool, Site site = Site::here()) const { cluster_barrier(site); }
  void reach_cluster() const {}
  void pass_cluster(Site site = Site::here()) const { cluster_barrier(site); }
  void open_boxes(int, int, int) const {}
  void wait_for_boxes(int, int, int, Site site = Site::here()) const { cluster_barrier(site); }

  // Each thread copies what it will read.
  void open_slots(int, int, int, Site site = Site::here()) const { self->sync(site); }
  void order_before_copies() const {}
  template <class Fill>
  void fill_slot(int parts, Fill fill) const {
    for (int part = 0; part < parts; ++part) fill(part);
    self->commit_copies();
  }
  template <class T>
  void copy_run(int, int, Shared<T> to, int i, const T* from, int count, int first_wanted, int end_wanted, StreamPolicy,
                Site site = Site::here()) const {
    constexpr int size = static_cast<int>(sizeof(Vector16) / sizeof(T));
    self->check_run(count * static_cast<std::int64_t>(sizeof(T)), site);
    T other = {};
    std::memset(static_cast<void*>(&other), 0xff, sizeof(T));  // NaN
    for (int e = 0; e < count; ++e) {
      if ((i + e) / size % threads() != thread()) continue;
      if (e >= first_wanted && e < end_wanted)
        copy_element_if(true, to, i + e, from + e, site);
      else
        self->start_copy(to.offset(i + e), &other, sizeof(T), nullptr, site);
    }
  }
  void wait_for_slot(int, int, int, int later, Site site = Site::here()) const {
    self->wait_for_copies_but(later, site);
  }

 private:
  template <class S>
  using Parts = std::array<Part<S>, part_count<S>>;

  // What one instruction of a thread can move.
  template <class T>
  static constexpr void check_access() {
    static_assert((sizeof(T) & (sizeof(T) - 1)) == 0 && sizeof(T) <= 16 && std::is_trivially_copyable_v<T>);
  }
  template <class T>
  T load(const T* p, sim::Access access, Site site) const {
    check_access<T>();
    T value;
    self->load(p, &value, sizeof(T), access, site);
    return value;
  }
  template <class T>
  T load_if(bool wanted, const T* p, sim::Access access, Site site) const {
    if (wanted) return load(p, access, site);
    self->pass_load(sizeof(T), site);
    return {};
  }
};

}  // namespace onepass::exec

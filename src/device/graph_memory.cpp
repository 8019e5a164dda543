// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "device/graph_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace onepass::graph_memory {
namespace {

// Pieces are cut from slabs: a program that captures many graphs allocates seldom. With an allocation for each of a
// hundred graphs and more, small launches of any kernel took 0.2 to 0.3 us longer from then on (H200, 0.95 to 1.26 us).
constexpr std::size_t slab_bytes = std::size_t{32} << 20;
// Slabs that no graph uses are kept for the next ones, up to so much.
constexpr std::size_t most_kept = 2 * slab_bytes;

struct Piece {
  void* data = nullptr;
  std::size_t bytes = 0;
  std::shared_ptr<TimeoutFlag> flag;
  bool clean = true;  // launches leave zeros behind, unless one gave up waiting
  std::atomic<bool> unused = false;
};

struct Slab {
  const DeviceMemory* memory = nullptr;
  int device = 0;
  void* data = nullptr;
  std::size_t bytes = 0, cut = 0;
  std::vector<std::unique_ptr<Piece>> pieces;

  bool is_unused() const {
    return std::ranges::all_of(pieces, [](const auto& piece) { return piece->unused.load(std::memory_order_acquire); });
  }
  bool is_clean() const {
    return std::ranges::all_of(pieces, [](const auto& piece) { return piece->clean; });
  }
};

struct Slabs {
  std::mutex mutex;
  std::vector<std::unique_ptr<Slab>> all;
};
// Never destroyed: a graph may outlive everything that a program's end destroys. In memory that is there, since the end
// of a handle comes here.
Slabs& slabs() {
  alignas(Slabs) static std::byte memory[sizeof(Slabs)];
  static Slabs& all = *new (memory) Slabs;
  return all;
}

void leave(void* piece) { static_cast<Piece*>(piece)->unused.store(true, std::memory_order_release); }

// Under the lock, as what follows.
void release_unused(std::size_t keep) {
  std::size_t kept = 0;
  std::erase_if(slabs().all, [&](const std::unique_ptr<Slab>& slab) {
    if (!slab->is_unused()) return false;
    if (slab->is_clean() && kept + slab->bytes <= keep) {
      kept += slab->bytes;
      return false;
    }
    slab->memory->release(slab->data);
    return true;
  });
}

// A piece of at least so many bytes that a graph has left, or one that is cut from what is left of a slab; or null.
Piece* find(const DeviceMemory& memory, std::size_t bytes) {
  const int device = memory.current_device();
  for (const std::unique_ptr<Slab>& slab : slabs().all) {
    if (slab->memory != &memory || slab->device != device) continue;
    if (slab->bytes > std::max(slab_bytes, 2 * bytes)) continue;  // not gigabytes for a small graph
    for (const std::unique_ptr<Piece>& piece : slab->pieces)
      if (piece->bytes >= bytes && piece->clean && piece->unused.load(std::memory_order_acquire)) return piece.get();
    if (slab->bytes - slab->cut < bytes) continue;
    auto piece = std::make_unique<Piece>();
    piece->data = static_cast<std::byte*>(slab->data) + slab->cut;
    piece->bytes = bytes;
    slab->cut += bytes;
    slab->pieces.push_back(std::move(piece));
    return slab->pieces.back().get();
  }
  return nullptr;
}

Status add_slab(const DeviceMemory& memory, std::size_t bytes) {
  auto slab = std::make_unique<Slab>();
  slab->memory = &memory;
  slab->device = memory.current_device();
  slab->bytes = std::max(bytes, slab_bytes);
  if (Status bad = memory.allocate_workspace(slab->bytes, &slab->data); !bad.ok()) return bad;
  slabs().all.push_back(std::move(slab));
  return {};
}

}  // namespace

Status allocate(const DeviceMemory& memory, Stream stream, std::size_t bytes, std::shared_ptr<TimeoutFlag> flag,
                void** data) {
  bytes = (bytes + 255) / 256 * 256;
  const std::lock_guard lock(slabs().mutex);
  Piece* piece = find(memory, bytes);
  if (piece == nullptr) {
    release_unused(most_kept);
    if (Status bad = add_slab(memory, bytes); !bad.ok()) return bad;
    piece = find(memory, bytes);
  }
  piece->unused.store(false, std::memory_order_relaxed);
  piece->flag = std::move(flag);
  if (Status bad = memory.at_end_of_graph(stream, leave, piece); !bad.ok()) {
    leave(piece);
    return bad;
  }
  *data = piece->data;
  return {};
}

void release_unused() {
  const std::lock_guard lock(slabs().mutex);
  release_unused(0);
}

void distrust() {
  const std::lock_guard lock(slabs().mutex);
  for (const std::unique_ptr<Slab>& slab : slabs().all)
    for (const std::unique_ptr<Piece>& piece : slab->pieces) piece->clean = false;
}

}  // namespace onepass::graph_memory

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "device/graph_memory.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace onepass::graph_memory {
namespace {

struct Piece {
  const Backend* backend = nullptr;
  void* data = nullptr;
  std::shared_ptr<TimeoutFlag> flag;
  std::atomic<bool> unused = false;
};

// Never destroyed: a graph may outlive everything that a program's end destroys.
struct Pieces {
  std::mutex mutex;
  std::vector<std::unique_ptr<Piece>> all;
};
Pieces& pieces() {
  static auto* const all = new Pieces;
  return *all;
}

void leave(void* piece) { static_cast<Piece*>(piece)->unused.store(true, std::memory_order_release); }

}  // namespace

Status allocate(const Backend& backend, Stream stream, std::size_t bytes, std::shared_ptr<TimeoutFlag> flag,
                void** data) {
  auto piece = std::make_unique<Piece>();
  piece->backend = &backend;
  piece->flag = std::move(flag);
  if (Status bad = backend.allocate_workspace(bytes, &piece->data); !bad.ok()) return bad;
  if (Status bad = backend.at_end_of_graph(stream, leave, piece.get()); !bad.ok()) {
    backend.release(piece->data);
    return bad;
  }
  *data = piece->data;
  const std::lock_guard lock(pieces().mutex);
  pieces().all.push_back(std::move(piece));
  return {};
}

void release_unused() {
  const std::lock_guard lock(pieces().mutex);
  std::erase_if(pieces().all, [](const std::unique_ptr<Piece>& piece) {
    if (!piece->unused.load(std::memory_order_acquire)) return false;
    piece->backend->release(piece->data);
    return true;
  });
}

}  // namespace onepass::graph_memory

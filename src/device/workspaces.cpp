// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "device/workspaces.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "device/graph_memory.hpp"

namespace onepass {

Workspaces::~Workspaces() {
  for (const Entry& entry : entries_)
    if (entry.place.capture == 0) backend_->release(entry.data);
  graph_memory::release_unused();
}

Status Workspaces::open(const Backend* backend) {
  backend_ = backend;
  return TimeoutFlag::make(backend, &flag_);
}

// The number of a stream cannot be asked for while it is being captured: CUDA would end the capture. Within one capture
// its address is as good. The default stream of each thread has one address and many numbers.
Workspaces::Place Workspaces::place() {
  if (const std::uint64_t capture = backend_->capture_id(stream_); capture != 0)
    return {.stream = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(stream_)), .capture = capture};
  if (!stream_id_ || backend_->is_per_thread(stream_)) stream_id_ = backend_->stream_id(stream_);
  return {.stream = *stream_id_, .capture = 0};
}

Workspaces::Entry* Workspaces::find(Place place) {
  const auto found = std::ranges::find(entries_, place, &Entry::place);
  return found == entries_.end() ? nullptr : &*found;
}

// The memory of a stream that is gone may still be in use: the backend waits for the device before it frees.
void Workspaces::make_room() {
  const auto of_stream = [](const Entry& entry) { return entry.place.capture == 0; };
  if (static_cast<std::size_t>(std::ranges::count_if(entries_, of_stream)) < most_streams) return;
  auto oldest = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
    if (of_stream(*entry) && (oldest == entries_.end() || entry->used < oldest->used)) oldest = entry;
  backend_->release(oldest->data);
  entries_.erase(oldest);
}

Status Workspaces::grow(Place place, std::size_t bytes, Entry** entry) {
  *entry = find(place);
  if (*entry != nullptr && (*entry)->bytes >= bytes) {
    (*entry)->used = ++uses_;
    return {};
  }
  entries_.reserve(entries_.size() + 1);  // a place for what is allocated below, which would be lost without one
  *entry = find(place);                   // it may have moved
  Entry made{.place = place, .bytes = std::bit_ceil(std::max(bytes, std::size_t{64} << 10)), .used = ++uses_};
  if (place.capture != 0) {
    // What other captures have, and too little of this one, belongs to their graphs alone.
    std::erase_if(entries_, [&](const Entry& old) {
      return old.place.capture != 0 && (old.place.capture != place.capture || old.place == place);
    });
    if (Status bad = graph_memory::allocate(*backend_, stream_, made.bytes, flag_, &made.data); !bad.ok()) return bad;
  } else {
    if (Status bad = backend_->allocate_workspace(made.bytes, &made.data); !bad.ok()) return bad;
    if (*entry != nullptr) {
      backend_->release((*entry)->data);
      entries_.erase(entries_.begin() + (*entry - entries_.data()));
    }
    make_room();
  }
  entries_.push_back(made);
  *entry = &entries_.back();
  return {};
}

Status Workspaces::use(Stream stream) {
  const Stream before = std::exchange(stream_, stream);
  const std::optional<std::uint64_t> id_before = std::exchange(stream_id_, std::nullopt);
  if (backend_->capture_id(stream) != 0) return {};  // its graph gets what its launches need
  const auto go_back = [&] {
    stream_ = before;
    stream_id_ = id_before;
  };
  Entry* entry = nullptr;
  try {
    Status status = grow(place(), starting_bytes, &entry);
    if (!status.ok()) go_back();
    return status;
  } catch (...) {
    go_back();
    throw;
  }
}

Status Workspaces::reserve(std::size_t bytes) {
  Entry* entry = nullptr;
  return grow(place(), bytes, &entry);
}

Status Workspaces::get(std::size_t bytes, Workspace* workspace) {
  Entry* entry = nullptr;
  if (Status bad = grow(place(), bytes, &entry); !bad.ok()) return bad;
  if (entry->dirty) {
    if (Status bad = backend_->zero(entry->data, entry->bytes, stream_); !bad.ok()) return bad;
    entry->dirty = false;
  }
  *workspace = {.data = entry->data, .bytes = entry->bytes, .timed_out = flag_->word()};
  return {};
}

Status Workspaces::report_timeout() {
  if (!flag_->take()) [[likely]]
    return {};
  for (Entry& entry : entries_) entry.dirty = true;
  graph_memory::distrust();
  return timed_out("the handle's workspaces are cleared before the next launch");
}

}  // namespace onepass

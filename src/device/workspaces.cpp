// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "device/workspaces.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "device/graph_memory.hpp"

namespace onepass {
namespace {

// Workspaces of more than this are those of large factorisations, gigabytes perhaps: they are not doubled in size, and
// a smaller one is given back before a larger one is allocated.
constexpr std::size_t large = std::size_t{64} << 20;
constexpr std::size_t most = std::size_t{1} << 62;  // which no memory has, but arithmetic with it does not wrap

std::size_t rounded(std::size_t bytes) {
  return bytes > large ? (bytes + large - 1) / large * large : std::bit_ceil(std::max(bytes, std::size_t{64} << 10));
}

}  // namespace

Workspaces::~Workspaces() {
  for (const Entry& entry : entries_)
    if (entry.place.capture == 0) memory_->release(entry.data);
  graph_memory::release_unused();
}

Status Workspaces::open(const DeviceMemory* memory, std::size_t starting) {
  memory_ = memory;
  starting_ = starting;
  return TimeoutFlag::make(memory, &flag_);
}

// The number of a stream cannot be asked for while it is being captured: CUDA would end the capture. Within one capture
// its address is as good. The default stream of each thread has one address and many numbers.
Workspaces::Place Workspaces::place() {
  if (const std::uint64_t capture = memory_->capture_id(stream_); capture != 0)
    return {.stream = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(stream_)), .capture = capture};
  if (!stream_id_ || memory_->is_per_thread(stream_)) stream_id_ = memory_->stream_id(stream_);
  return {.stream = *stream_id_, .capture = 0};
}

Workspaces::Entry* Workspaces::find(Place place) {
  const auto found = std::ranges::find(entries_, place, &Entry::place);
  return found == entries_.end() ? nullptr : &*found;
}

// The memory of a stream that is gone may still be in use: the device is waited for before it is freed.
void Workspaces::make_room() {
  const auto of_stream = [](const Entry& entry) { return entry.place.capture == 0; };
  if (static_cast<std::size_t>(std::ranges::count_if(entries_, of_stream)) < most_streams) return;
  auto oldest = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
    if (of_stream(*entry) && (oldest == entries_.end() || entry->used < oldest->used)) oldest = entry;
  memory_->release(oldest->data);
  entries_.erase(oldest);
}

Status Workspaces::grow(Place place, std::size_t bytes, Entry** entry) {
  *entry = find(place);
  if (*entry != nullptr && (*entry)->bytes >= bytes) {
    (*entry)->used = ++uses_;
    return {};
  }
  if (bytes > most) return {ONEPASS_STATUS_OUT_OF_MEMORY, "no workspace has " + std::to_string(bytes) + " bytes"};
  entries_.reserve(entries_.size() + 1);  // a place for what is allocated below, which would be lost without one
  *entry = find(place);                   // it may have moved
  Entry made{.place = place, .bytes = rounded(bytes), .used = ++uses_};
  if (place.capture != 0) {
    // What other captures have, and too little of this one, belongs to their graphs alone.
    std::erase_if(entries_, [&](const Entry& old) {
      return old.place.capture != 0 && (old.place.capture != place.capture || old.place == place);
    });
    if (Status bad = graph_memory::allocate(*memory_, stream_, made.bytes, flag_, &made.data); !bad.ok()) return bad;
  } else {
    const auto give_back = [&] {
      memory_->release((*entry)->data);
      entries_.erase(entries_.begin() + (*entry - entries_.data()));
      *entry = nullptr;
    };
    if (*entry != nullptr && (*entry)->bytes > large) give_back();
    if (Status bad = memory_->allocate_workspace(made.bytes, &made.data); !bad.ok()) return bad;
    if (*entry != nullptr) give_back();
    make_room();
  }
  entries_.push_back(made);
  *entry = &entries_.back();
  return {};
}

Status Workspaces::use(Stream stream) {
  const Stream before = std::exchange(stream_, stream);
  const std::optional<std::uint64_t> id_before = std::exchange(stream_id_, std::nullopt);
  if (starting_ == 0 || memory_->capture_id(stream) != 0) return {};  // its graph gets what its launches need
  const auto go_back = [&] {
    stream_ = before;
    stream_id_ = id_before;
  };
  Entry* entry = nullptr;
  try {
    Status status = grow(place(), starting_, &entry);
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
    if (Status bad = memory_->zero(entry->data, entry->bytes, stream_); !bad.ok()) return bad;
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

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/cuda/ceilings.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "measure/alone.hpp"
#include "measure/cuda/graph.hpp"
#include "measure/cuda/kernels.hpp"

namespace onepass::tools {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;
constexpr std::size_t sweep_bytes = 2048 * megabyte;
constexpr std::size_t small_bytes = megabyte / 4;
constexpr int launches_alone = 32;

// Median seconds of one launch among `launches` in a replay, which begins with `prologue` before the clock starts.
double launch_seconds(
    const CudaStream& stream, int launches, const std::function<void()>& launch,
    const std::function<void()>& prologue = [] {}) {
  Replay replay(stream.get(), prologue, [&] {
    for (int i = 0; i < launches; ++i) launch();
  });
  std::vector<double> samples;
  replay.run();
  for (int i = 0; i < 9; ++i) samples.push_back(replay.run() / launches);
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

// The ceiling is what the best shape of a launch reaches: resident blocks that loop, or a block for each piece.
std::vector<ReadShape> read_shapes(std::size_t bytes) {
  const auto words = static_cast<int>(bytes / 16);
  std::vector<ReadShape> shapes;
  for (const int threads : {128, 256, 512, 1024}) {
    for (const int per_sm : {1, 2, 4}) shapes.push_back({.threads = threads, .blocks = per_sm * multiprocessors()});
    for (const int loads : {1, 8}) {
      const int blocks = words / (threads * loads);
      if (blocks > 0) shapes.push_back({.threads = threads, .blocks = blocks});
    }
  }
  return shapes;
}

double best_seconds(const CudaStream& stream, std::size_t bytes, int launches,
                    const std::function<void(ReadShape)>& launch) {
  double best = 1e30;
  for (const ReadShape& shape : read_shapes(bytes))
    best = std::min(best, launch_seconds(stream, launches, [&] { launch(shape); }));
  return best;
}

double best_read_seconds(const CudaStream& stream, const CudaMemory& memory, std::size_t bytes, int launches,
                         unsigned* sink) {
  return best_seconds(stream, bytes, launches,
                      [&](ReadShape shape) { launch_read(memory.data(), bytes, shape, sink, stream.get()); });
}

// Of reads that find nothing in the L2: each takes another part of the memory, and a replay begins with its end.
double best_read_alone(const CudaStream& stream, const CudaMemory& memory, std::size_t bytes, double between,
                       unsigned* sink) {
  const std::size_t flush = std::min(3 * l2_bytes() / megabyte * megabyte, memory.bytes() / 2);
  const std::size_t parts = std::max<std::size_t>((memory.bytes() - flush) / bytes, 1);
  double best = 1e30;
  for (const ReadShape& shape : read_shapes(bytes)) {
    std::size_t next = 0;
    const double both = launch_seconds(
        stream, launches_alone,
        [&] {
          launch_read(memory.data() + next++ % parts * bytes, bytes, shape, sink, stream.get());
          launch_between(stream.get());
        },
        [&] {
          launch_read(memory.data() + memory.bytes() - flush, flush, {.threads = 512, .blocks = 4 * multiprocessors()},
                      sink, stream.get());
        });
    best = std::min(best, seconds_alone(both, 1, between));
  }
  return best;
}

Ceilings measure_alone(const CudaStream& stream, const CudaMemory& memory, double between, unsigned* sink) {
  const auto read = [&](std::size_t bytes) {
    return TimedRead{.bytes = static_cast<double>(bytes),
                     .seconds = best_read_alone(stream, memory, bytes, between, sink)};
  };
  return ceilings_through(read(small_bytes).seconds, read(4 * megabyte), read(64 * megabyte));
}

}  // namespace

double measure_between(const CudaStream& stream) {
  return launch_seconds(stream, 256, [&] { launch_between(stream.get()); });
}

DeviceCeilings measure_ceilings(const CudaStream& stream) {
  const std::size_t sweep = std::min(sweep_bytes, free_device_memory() / 2 / megabyte * megabyte);
  CudaMemory memory(sweep), sink(256);
  fill_random(memory, Type::s);
  must(cudaMemsetAsync(sink.data(), 0, sink.bytes(), stream.get()), "cudaMemsetAsync");
  auto* sink_word = reinterpret_cast<unsigned*>(sink.data());

  // The large sweep comes first: it brings the clocks up.
  const double large = best_read_seconds(stream, memory, sweep, 4, sink_word);
  const double empty = launch_seconds(stream, 256, [&] { launch_empty(stream.get()); });
  const double small = best_read_seconds(stream, memory, small_bytes, 128, sink_word);

  // Two reads that stay in the L2: time = fixed part + bytes / bandwidth.
  const std::size_t low = l2_bytes() / 8 / megabyte * megabyte, high = 3 * low;
  const double low_seconds = best_read_seconds(stream, memory, low, 64, sink_word);
  const double high_seconds = best_read_seconds(stream, memory, high, 64, sink_word);
  const double per_byte = std::max((high_seconds - low_seconds) / static_cast<double>(high - low), 1e-15);
  const double fixed = std::clamp(low_seconds - static_cast<double>(low) * per_byte, std::min(empty, small), small);

  DeviceCeilings found{
      .empty_kernel = empty, .between = measure_between(stream), .memory = {}, .cache = {}, .alone = {}};
  found.memory = {.empty_seconds = small,
                  .launch_seconds = fixed,
                  .bytes_per_second = static_cast<double>(sweep) / (large - fixed)};
  found.cache = {.empty_seconds = small, .launch_seconds = fixed, .bytes_per_second = 1 / per_byte};
  found.alone = measure_alone(stream, memory, found.between, sink_word);
  return found;
}

std::vector<Bandwidth> measure_bandwidths(const CudaStream& stream) {
  const std::size_t largest = std::min(sweep_bytes, free_device_memory() / 2 / megabyte * megabyte);
  CudaMemory memory(largest), sink(256);
  fill_random(memory, Type::s);
  auto* sink_word = reinterpret_cast<unsigned*>(sink.data());
  std::vector<Bandwidth> found;
  for (std::size_t bytes = megabyte / 16; bytes <= largest; bytes *= 4) {
    // Long enough for the clock, short enough for patience.
    const int launches = static_cast<int>(std::clamp<std::size_t>(64 * megabyte / bytes, 4, 128));
    const std::size_t half = bytes / 2;
    const double read = best_read_seconds(stream, memory, bytes, launches, sink_word);
    const double copy = best_seconds(stream, half, launches, [&](ReadShape shape) {
      launch_copy(memory.data() + half, memory.data(), half, shape, stream.get());
    });
    found.push_back(
        {.bytes = bytes, .read = static_cast<double>(bytes) / read, .copy = static_cast<double>(bytes) / copy});
  }
  return found;
}

}  // namespace onepass::tools

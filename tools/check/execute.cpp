// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "check/execute.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/run.hpp"
#include "check/value.hpp"
#include "plan/gemv.hpp"
#include "support/buffer.hpp"

namespace onepass::tools {
namespace {

constexpr std::size_t scalar_slot = 16;

std::vector<std::byte> scalar_bytes(const Case& c) {
  std::vector<std::byte> bytes(2 * scalar_slot);
  write_value(sum_type(c.problem.type_a), bytes.data(), c.alpha);
  write_value(sum_type(c.problem.type_a), bytes.data() + scalar_slot, c.beta);
  return bytes;
}

// The addresses of A's products, then x's, then y's.
std::vector<std::byte> pointer_bytes(const Images& images, const Buffer& a, const Buffer& x, const Buffer& y) {
  std::vector<std::byte> bytes;
  const auto append = [&](const Image& image, const Buffer& buffer) {
    for (const std::size_t offset : image.product_bytes) {
      const std::byte* pointer = buffer.data() + offset;
      const auto* raw = reinterpret_cast<const std::byte*>(&pointer);
      bytes.insert(bytes.end(), raw, raw + sizeof(pointer));
    }
  };
  append(images.a, a);
  append(images.x, x);
  append(images.y, y);
  return bytes;
}

std::size_t workspace_size(const Case& c, const Backend& backend, int threads) {
  const Problem& p = c.problem;
  return is_empty(p) ? 0 : backend.plan(p, threads).workspace_bytes;
}

bool all_canaries(const std::vector<std::byte>& bytes, std::size_t begin, std::size_t end) {
  return std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                     bytes.begin() + static_cast<std::ptrdiff_t>(end), [](std::byte b) { return b == canary; });
}

}  // namespace

Outcome execute(const Case& c, const Images& images, const Backend& backend, int threads) {
  const Problem& p = c.problem;
  Buffer a(backend, images.a.bytes), x(backend, images.x.bytes), y(backend, images.y.bytes);
  std::vector<std::byte> host_scalars = scalar_bytes(c);
  Buffer scalars(backend, host_scalars), pointers(backend, pointer_bytes(images, a, x, y));

  const std::size_t work = workspace_size(c, backend, threads);
  const std::size_t work_end = (guard_bytes + work + 255) / 256 * 256;
  Buffer workspace(backend, std::vector<std::byte>(work_end + guard_bytes, canary));
  // Mailboxes start empty.
  require(backend.zero(workspace.data() + guard_bytes, work, nullptr));

  const std::byte* scalar = p.scalars == Scalars::host ? host_scalars.data() : scalars.data();
  Operands operands{.alpha = scalar, .beta = scalar + scalar_slot};
  if (p.pointer_array) {
    const std::size_t array = static_cast<std::size_t>(p.batch) * sizeof(void*);
    operands.a = pointers.data();
    operands.x = pointers.data() + array;
    operands.y = pointers.data() + 2 * array;
  } else if (p.batch > 0) {
    operands.a = a.data() + images.a.product_bytes[0];
    operands.x = x.data() + images.x.product_bytes[0];
    operands.y = y.data() + images.y.product_bytes[0];
  }

  Outcome outcome;
  const auto call = [&] {
    Status status = run(backend, p, operands, Workspace{workspace.data() + guard_bytes, work}, nullptr, threads);
    if (status.ok()) status = backend.synchronize(nullptr);
    if (!status.ok()) outcome.failure = fmt::format("{}: {}", onepassStatusName(status.code), status.text);
    return status.ok();
  };
  if (!call()) return outcome;
  outcome.y = y.read();
  y.write(images.y.bytes);
  if (!call()) return outcome;
  outcome.again = y.read();

  const std::vector<std::byte> work_after = workspace.read();
  if (a.read() != images.a.bytes) outcome.failure = "A was written to";
  if (x.read() != images.x.bytes) outcome.failure = "x was written to";
  if (!all_canaries(work_after, 0, guard_bytes) || !all_canaries(work_after, guard_bytes + work, work_after.size()))
    outcome.failure = "memory beside the workspace was written to";
  return outcome;
}

}  // namespace onepass::tools

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "verify/run.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "api/run.hpp"
#include "backends/registry.hpp"
#include "verify/buffer.hpp"

namespace onepass::verify {
namespace {

// An operand in the backend's memory: the elements and, for pointer arrays, the pointers.
class Placed {
 public:
  Placed(const Backend& backend, const Problem& p, const Operand& operand, std::int64_t offset_bytes)
      : elements_(backend, operand.bytes, static_cast<std::size_t>(offset_bytes)),
        addresses_(addresses(p, operand)),
        pointers_(backend, std::as_bytes(std::span(addresses_))),
        start_(p.batch > 0 && !p.pointer_array ? operand.start[0] * size_of(operand.type) : 0),
        pointer_array_(p.pointer_array) {}

  void* pointer() const {
    return pointer_array_ ? pointers_.data() : static_cast<std::byte*>(elements_.data()) + start_;
  }
  const Buffer& elements() const { return elements_; }
  bool guards_intact() const { return elements_.guards_intact() && pointers_.guards_intact(); }

 private:
  std::vector<void*> addresses(const Problem& p, const Operand& operand) const {
    std::vector<void*> list;
    if (p.pointer_array)
      for (const std::int64_t start : operand.start)
        list.push_back(static_cast<std::byte*>(elements_.data()) + start * size_of(operand.type));
    return list;
  }

  Buffer elements_;
  std::vector<void*> addresses_;
  Buffer pointers_;
  std::int64_t start_;
  bool pointer_array_;
};

// What onepassPlanPrepareWorkspace leaves, and what every run must leave.
std::vector<std::byte> empty_mailboxes(const Plan& plan) { return std::vector<std::byte>(plan.workspace_bytes); }

// What changed in the output beside its elements.
std::string damage_beside_outputs(const Problem& p, const Operand& before, const std::vector<std::byte>& after) {
  std::vector<std::byte> expected = before.bytes;
  const auto size = static_cast<std::size_t>(size_of(before.type));
  for (const std::int64_t start : before.start)
    each_output(p, [&](const Output& out) {
      const std::size_t at = static_cast<std::size_t>(start + out.index) * size;
      std::memcpy(expected.data() + at, after.data() + at, size);
    });
  if (equal_bytes(expected, after)) return {};
  const auto [first, other] = std::mismatch(expected.begin(), expected.end(), after.begin());
  return "byte " + std::to_string(first - expected.begin()) + " of " + output_name(p) +
         ", which is between its elements, was written";
}

Plan plan_of_case(const Backend& backend, const Case& c, const Problem& known, int threads) {
  if (c.choice && onepass::on_device(backend.id()))
    if (std::optional<Plan> plan = legal_plan_of(*c.choice, known, backend.traits())) {
      plan->backend = backend.id();
      return *plan;
    }
  return backend.plan(known, threads);
}

}  // namespace

std::vector<const Backend*> available_backends() {
  std::vector<const Backend*> list;
  for (const Backend* b : backends())
    if (b->why_unavailable().empty()) list.push_back(b);
  return list;
}

Outcome run(const Backend& backend, const Case& c, const HostOperands& host, RunOptions options) {
  const Problem& p = c.problem;
  const auto bytes_before = [&](const Operand& operand, std::int64_t offset) {
    const std::int64_t size = size_of(operand.type);
    return offset * size + (c.half_element ? size / 2 : 0);
  };
  const auto place = [&](const Operand& operand, std::int64_t offset) {
    return Placed(backend, p, operand, bytes_before(operand, offset));
  };
  const Placed a = place(host.a, c.offset_a), x = place(host.x, c.offset_x), y = place(host.y, c.offset_y);
  // Tails lie as their heads do, but for x, whose tail is not aligned where its head is.
  std::optional<Placed> x_tail, y_tail;
  if (p.tails != Tails::none) x_tail.emplace(backend, p, host.x_tail, bytes_before(host.x_tail, c.offset_x + 1));
  if (p.tails == Tails::xy) y_tail.emplace(backend, p, host.y_tail, bytes_before(host.y_tail, c.offset_y));
  const Placed& written = writes_a(p) ? a : y;
  const auto pointer = [&](const Placed& operand) {
    return options.null_inputs && &operand != &written ? nullptr : operand.pointer();
  };

  const Type sum = scalar_type(p.type_a);
  alignas(16) std::byte scalars[2][16];
  put(sum, scalars[0], 0, c.alpha);
  put(sum, scalars[1], 0, c.beta);
  const Buffer alpha(backend, scalars[0]), beta(backend, scalars[1]);
  const bool on_device = p.scalars == Scalars::device;
  const Operands operands{.alpha = on_device ? alpha.data() : scalars[0],
                          .a = pointer(a),
                          .x = pointer(x),
                          .beta = !row(p).has_beta ? nullptr
                                  : on_device      ? beta.data()
                                                   : scalars[1],
                          .y = pointer(y),
                          .x_tail = x_tail ? pointer(*x_tail) : nullptr,
                          .y_tail = y_tail ? y_tail->pointer() : nullptr,
                          .settled_a = options.settled_a,
                          .settled_x = options.settled_x};

  Outcome outcome;
  outcome.status = check(p);
  if (outcome.status.ok() && !is_empty(p)) {
    Problem known = p;
    known.alignment_a = alignment_of(p, a.pointer());
    outcome.plan = options.plan ? options.plan(known) : plan_of_case(backend, c, known, options.threads);
    const std::size_t bytes = outcome.plan->workspace_bytes;
    const Buffer workspace(backend, empty_mailboxes(*outcome.plan));
    const auto call = [&] {
      outcome.status =
          onepass::run(backend, *outcome.plan, operands, {.data = workspace.data(), .bytes = bytes}, nullptr);
      if (outcome.status.ok()) outcome.status = backend.synchronize(nullptr);
    };
    call();
    if (options.again && outcome.status.ok()) {
      outcome.again = written.elements().content();
      written.elements().write(host.output(p).bytes);
      if (y_tail) y_tail->elements().write(host.y_tail.bytes);
      call();
    }
    if (!workspace.guards_intact()) outcome.damage = "the guards of the workspace were written";
    if (outcome.status.ok() && onepass::on_device(outcome.plan->backend) &&
        !equal_bytes(workspace.content(), empty_mailboxes(*outcome.plan)))
      outcome.damage = "the mailboxes of the workspace are not empty";
  }
  outcome.output = written.elements().content();
  if (y_tail) outcome.tail = y_tail->elements().content();
  if (is_empty(p)) outcome.again = outcome.output;
  const struct {
    const char* name;
    const Placed* placed;
    const Operand* before;
  } all[] = {{"A", &a, &host.a},
             {"x", &x, &host.x},
             {"y", &y, &host.y},
             {"the tail of x", x_tail ? &*x_tail : nullptr, &host.x_tail},
             {"the tail of y", y_tail ? &*y_tail : nullptr, &host.y_tail}};
  for (const auto& [name, placed, before] : all) {
    if (placed == nullptr) continue;
    if (!placed->guards_intact()) outcome.damage = std::string("the guards of ") + name + " were written";
    const bool is_output = placed == &written || before == &host.y_tail;
    if (!is_output && !equal_bytes(placed->elements().content(), before->bytes))
      outcome.damage = std::string(name) + ", which is only read, was written";
  }
  if (outcome.damage.empty()) outcome.damage = damage_beside_outputs(p, host.output(p), outcome.output);
  if (outcome.damage.empty() && y_tail) outcome.damage = damage_beside_outputs(p, host.y_tail, outcome.tail);
  return outcome;
}

}  // namespace onepass::verify

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/registry.hpp"

#include <array>
#include <cstdlib>
#include <utility>

#include "backends/host_backend.hpp"
#include "plan/plan.hpp"
#include "support/json.hpp"

namespace onepass {
namespace {

// Stands in the list for a backend that this build leaves out.
class Absent final : public HostBackend {
 public:
  Absent(BackendId id, const char* why) : id_(id), why_(why) {}
  BackendId id() const override { return id_; }
  std::string why_unavailable() const override { return why_; }
  const DeviceTraits& traits() const override { return traits_; }
  Plan plan(const Problem& problem, int) const override { return {.problem = problem, .backend = id_}; }
  std::string why_illegal(const Plan&) const override { return why_; }
  Status launch(const Plan&, const Operands&, Workspace, Stream) const override {
    return {ONEPASS_STATUS_BACKEND_UNAVAILABLE, why_};
  }

 private:
  BackendId id_;
  const char* why_;
  DeviceTraits traits_;
};

}  // namespace

#ifndef ONEPASS_WITH_CUDA
const Backend& cuda_backend() {
  static const Absent absent(BackendId::cuda, "this build has no CUDA: configure with nvcc 12.4 or newer on the PATH");
  return absent;
}
#endif

#ifndef ONEPASS_WITH_SIM
const Backend& sim_backend() {
  static const Absent absent(BackendId::sim,
                             "this build has no simulator: it needs Boost.Context (libboost-context-dev)");
  return absent;
}
#endif

std::span<const Backend* const> backends() {
  static const std::array<const Backend*, 4> all = {&cuda_backend(), &cpu_backend(), &sim_backend(),
                                                    &reference_backend()};
  return all;
}

const Backend& backend(BackendId id) { return *backends()[static_cast<std::size_t>(id)]; }

Status choose_backend(std::string_view wanted, const Backend** chosen) {
  const char* from = "the backend asked for";
  if (wanted.empty()) {
    const char* variable = std::getenv("ONEPASS_BACKEND");
    if (variable != nullptr && *variable != '\0') {
      wanted = variable;
      from = "ONEPASS_BACKEND";
    }
  }
  for (const Backend* b : backends()) {
    if (!wanted.empty() && wanted != name(b->id())) continue;
    const std::string why = b->why_unavailable();
    if (why.empty()) {
      *chosen = b;
      return {};
    }
    if (!wanted.empty())
      return {ONEPASS_STATUS_BACKEND_UNAVAILABLE,
              std::string(from) + ", " + name(b->id()) + ", is not available: " + why};
  }
  return {ONEPASS_STATUS_BACKEND_UNAVAILABLE,
          std::string(from) + " = \"" + std::string(wanted) + "\": must be cuda, cpu, sim or reference"};
}

std::string describe_backends() {
  using nlohmann::json;
  JsonDocument document(json::array());
  json& list = document.root();
  for (const Backend* b : backends()) {
    const std::string why = b->why_unavailable();
    list.push_back(json::object());
    json& entry = list.back();
    entry["name"] = name(b->id());
    entry["available"] = why.empty();
    if (why.empty()) {
      json& traits = entry["traits"];  // a place first: what is moved must not end on the way
      traits = std::move(parse_json<json>(to_json(b->traits())).root());
    } else {
      entry["why_not"] = why;
    }
  }
  return list.dump(2);
}

}  // namespace onepass

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Onepass itself, through its C interface: each call is checked, planned and launched, as a user's is.
#pragma once

#include <string>

#include "measure/host/provider.hpp"
#include "onepass/onepass.h"
#include "plan/plan.hpp"

namespace onepass::tools {

// alpha = 1 or beta = 0 of a problem's sum, for as long as the program runs.
const void* one_of(Type sum);
const void* zero_of(Type sum);
// The alpha of updates, 2^-60: what it adds to the elements of random_block is lost in rounding. So A stays as it is,
// however often it is updated, and nothing overflows.
const void* negligible_of(Type sum);

class OnepassProvider final : public HostProvider {
 public:
  explicit OnepassProvider(BackendId backend);
  ~OnepassProvider() override;
  OnepassProvider(const OnepassProvider&) = delete;
  OnepassProvider& operator=(const OnepassProvider&) = delete;

  onepassHandle_t handle() const { return handle_; }
  std::string name() const override { return "Onepass"; }
  std::string version() const override { return onepassVersion(); }
  bool serves(const Problem&) const override { return true; }
  bool accumulates() const override { return true; }
  void set_threads(int threads) override;
  void call(const Problem& p, const Vectors& v) override;

 private:
  onepassHandle_t handle_ = nullptr;
};

}  // namespace onepass::tools

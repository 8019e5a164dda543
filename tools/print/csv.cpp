// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "print/csv.hpp"

#include <fmt/format.h>

#include "problem/names.hpp"

namespace onepass::tools {

std::string to_csv(const Record& record) {
  std::string text =
      "provider,routine,type,op,uplo,layout,m,n,lda,batch,pointers,cache,setting,threads,microseconds,gb_per_second,"
      "efficiency\n";
  for (const PointResult& r : record.points) {
    const Problem& p = r.point.problem;
    for (const ProviderResult& provider : r.providers)
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.4f},{:.3f},{:.4f}\n", provider.name,
                          name(p.routine), type_name(p), row(p).selector == Selector::op ? name(p.op) : "-",
                          row(p).selector == Selector::uplo ? name(p.uplo) : "-", name(p.layout), p.m, p.n, p.lda,
                          p.batch, p.pointer_array ? "yes" : "no", name(r.point.cache),
                          r.point.threads == 0 ? name(setting(r.point.cache)) : "-", r.point.threads,
                          provider.time.median, r.gb_per_second(provider), r.efficiency(provider));
  }
  return text;
}

}  // namespace onepass::tools

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C interface's description of a problem of the reductions and solvers, as the library's own, and the other way.
#pragma once

#include "lapack/problem.hpp"
#include "onepass/lapack.h"

namespace onepass {

inline LapackProblem problem_from_c(const onepassLapackProblem_t& p) {
  return {.routine = static_cast<LapackRoutine>(p.routine),
          .type = static_cast<Type>(p.type),
          .uplo = static_cast<Uplo>(p.fill),
          .vect = static_cast<Vect>(p.vect),
          .side = static_cast<Side>(p.side),
          .op = static_cast<Op>(p.op),
          .m = p.m,
          .n = p.n,
          .k = p.k,
          .ilo = p.ilo,
          .ihi = p.ihi,
          .lda = p.lda,
          .ldc = p.ldc,
          .job = static_cast<Job>(p.job),
          .ldu = p.ldu,
          .ldvt = p.ldvt,
          .batch = static_cast<Batch>(p.batch),
          .batch_count = p.batch_count,
          .stride_a = p.stride_a,
          .stride_w = p.stride_w,
          .stride_u = p.stride_u,
          .stride_vt = p.stride_vt,
          .plain_v = p.plain_v != 0,
          .wanted = static_cast<Wanted>(p.range),
          .il = p.il,
          .iu = p.iu,
          .vl = p.vl,
          .vu = p.vu};
}

inline onepassLapackProblem_t problem_to_c(const LapackProblem& p) {
  onepassLapackProblem_t c = onepassLapackProblemDefault(static_cast<onepassLapackRoutine_t>(p.routine),
                                                         static_cast<onepassType_t>(p.type), p.m, p.n);
  c.fill = static_cast<onepassFillMode_t>(p.uplo);
  c.vect = static_cast<onepassVect_t>(p.vect);
  c.side = static_cast<onepassSide_t>(p.side);
  c.op = static_cast<onepassOperation_t>(p.op);
  c.k = p.k;
  c.ilo = p.ilo;
  c.ihi = p.ihi;
  c.lda = p.lda;
  c.ldc = p.ldc;
  c.job = static_cast<onepassJob_t>(p.job);
  c.ldu = p.ldu;
  c.ldvt = p.ldvt;
  c.batch = static_cast<onepassBatch_t>(p.batch);
  c.batch_count = p.batch_count;
  c.stride_a = p.stride_a;
  c.stride_w = p.stride_w;
  c.stride_u = p.stride_u;
  c.stride_vt = p.stride_vt;
  c.plain_v = p.plain_v ? 1 : 0;
  c.range = static_cast<onepassRange_t>(p.wanted);
  c.il = p.il;
  c.iu = p.iu;
  c.vl = p.vl;
  c.vu = p.vu;
  return c;
}

}  // namespace onepass

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The namespace of the kernels: one per instruction set with Highway, a single one without.
//
// Highway 1.0 has no vectors for plain x86-64, only single numbers; the compiler's vectors serve there.
#ifdef ONEPASS_WITH_HIGHWAY
#include "hwy/highway.h"
#if HWY_TARGET == HWY_SCALAR
#include "backends/cpu/vector_plain.hpp"
namespace onepass::cpu::HWY_NAMESPACE {
using namespace plain;
}
#else
#include "backends/cpu/vector_highway.hpp"
#endif
#else
#include "backends/cpu/vector_plain.hpp"
#endif

#ifndef ONEPASS_CPU_TARGET
#ifdef ONEPASS_WITH_HIGHWAY
#define ONEPASS_CPU_TARGET HWY_NAMESPACE
#define ONEPASS_CPU_BEGIN HWY_BEFORE_NAMESPACE()
#define ONEPASS_CPU_END HWY_AFTER_NAMESPACE()
#else
#define ONEPASS_CPU_TARGET plain
#define ONEPASS_CPU_BEGIN static_assert(true)
#define ONEPASS_CPU_END static_assert(true)
#endif
#endif

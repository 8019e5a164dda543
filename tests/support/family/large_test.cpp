// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Offsets past 2^31 elements: in lda, in increments and between the products of a batch.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "api/run.hpp"
#include "backends/registry.hpp"
#include "support/family/on_backend.hpp"
#include "verify/buffer.hpp"

namespace onepass::test {
namespace {

// Address space of a backend that costs only what is touched: a sparse mapping on a host, real
// memory on a device.
class Expanse {
 public:
  Expanse(const Backend& backend, std::size_t bytes) : backend_(backend), bytes_(bytes) {
    if (on_device()) {
      if (!backend.allocate(bytes, &data_).ok()) data_ = nullptr;
    } else {
      data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (data_ == MAP_FAILED) data_ = nullptr;
    }
  }
  ~Expanse() {
    if (data_ == nullptr) return;
    on_device() ? backend_.release(data_) : static_cast<void>(munmap(data_, bytes_));
  }
  Expanse(const Expanse&) = delete;
  Expanse& operator=(const Expanse&) = delete;

  void* data() const { return data_; }
  void write(Type type, std::int64_t index, Value value) const {
    std::byte element[16];
    put(type, element, 0, value);
    EXPECT_TRUE(backend_.copy_in(at(type, index), element, static_cast<std::size_t>(size_of(type))).ok());
  }
  Value read(Type type, std::int64_t index) const {
    std::byte element[16];
    EXPECT_TRUE(backend_.copy_out(element, at(type, index), static_cast<std::size_t>(size_of(type))).ok());
    return get(type, element, 0);
  }

 private:
  bool on_device() const { return backend_.id() == BackendId::cuda; }
  std::byte* at(Type type, std::int64_t index) const { return static_cast<std::byte*>(data_) + index * size_of(type); }

  const Backend& backend_;
  std::size_t bytes_;
  void* data_ = nullptr;
};

class Large : public OnBackend {
 protected:
  // The problem far apart, and the same numbers close together on the reference.
  void expect_same(const Problem& far) {
    SCOPED_TRACE(describe(far));
    ASSERT_TRUE(check(far).ok()) << check(far).text;
    const Stored s = stored(far);
    Case c{.name = "near", .problem = far, .alpha = 2.0, .beta = 3.0};
    Problem& near = c.problem;
    near.lda = s.rows;
    near.incx = far.incx < 0 ? -1 : 1, near.incy = far.incy < 0 ? -1 : 1;
    near.stride_a = s.rows * s.cols, near.stride_x = length_x(far), near.stride_y = length_y(far);
    const HostOperands host = lay_out(c);
    const Outcome expected = run(reference_backend(), c, host);

    const auto span = [&](std::int64_t one, std::int64_t stride, Type type) {
      return static_cast<std::size_t>((one + (far.batch - 1) * stride) * size_of(type));
    };
    const Expanse a(backend(), span(span_a(far), far.stride_a, far.type_a));
    const Expanse x(backend(), span(span_x(far), far.stride_x, far.type_x));
    const Expanse y(backend(), span(span_y(far), far.stride_y, far.type_y));
    if (a.data() == nullptr || x.data() == nullptr || y.data() == nullptr) GTEST_SKIP() << "not enough free memory";
    for (std::int64_t b = 0; b < far.batch; ++b) {
      for (std::int64_t column = 0; column < s.cols; ++column)
        for (std::int64_t row = 0; row < s.rows; ++row) {
          if (!is_stored(far, row, column)) continue;
          a.write(far.type_a, b * far.stride_a + index_a(far, row, column), host.a.at(b, index_a(near, row, column)));
        }
      for (std::int64_t k = 0; k < length_x(far); ++k)
        x.write(far.type_x, b * far.stride_x + index_x(far, k), host.x.at(b, index_x(near, k)));
      for (std::int64_t i = 0; i < length_y(far); ++i)
        y.write(far.type_y, b * far.stride_y + index_y(far, i), host.y.at(b, index_y(near, i)));
    }

    alignas(16) std::byte alpha[16], beta[16];
    put(scalar_type(far.type_a), alpha, 0, c.alpha);
    put(scalar_type(far.type_a), beta, 0, c.beta);
    const Plan plan = backend().plan(far, 0);
    const Buffer workspace(backend(), std::vector<std::byte>(plan.workspace_bytes));
    const Operands o{
        .alpha = alpha, .a = a.data(), .x = x.data(), .beta = row(far).has_beta ? beta : nullptr, .y = y.data()};
    const Status status = run(backend(), plan, o, {workspace.data(), plan.workspace_bytes}, nullptr);
    ASSERT_TRUE(status.ok()) << status.text;
    ASSERT_TRUE(backend().synchronize(nullptr).ok());

    const Expanse& output = writes_a(far) ? a : y;
    const std::int64_t stride = writes_a(far) ? far.stride_a : far.stride_y;
    std::vector<Output> outputs;
    each_output(far, [&](const Output& out) { outputs.push_back(out); });
    for (std::int64_t b = 0; b < far.batch; ++b) {
      std::size_t next = 0;
      each_output(near, [&](const Output& out) {
        EXPECT_EQ(output.read(output_type(far), b * stride + outputs[next++].index),
                  get(output_type(far), expected.output.data(), host.output(near).place(b, out.index)))
            << name(far, out) << " of product " << b;
      });
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Family, Large, every_backend(), backend_name);

constexpr std::int64_t far_away = (std::int64_t{1} << 31) + 5;

// The smallest types that the family has.
std::vector<const char*> small_types() {
  if (takes_types(sized(forms().front(), "h", 3, 3))) return {"h", "bbs"};
  return {"s"};
}

// The forms that take these types, of a problem so large.
void each_form(const std::vector<const char*>& types, std::int64_t m, std::int64_t n, const auto& visit) {
  for (const char* t : types)
    for (const Problem& form : forms()) {
      const Problem p = sized(form, t, m, n);
      if (takes_types(p)) visit(p);
    }
}

TEST_P(Large, LeadingDimension) {
  each_form(small_types(), 3, 3, [&](Problem p) {
    p.lda = far_away;
    expect_same(p);
  });
}

// Small matrices one by one have kernels of their own. The second one lies between the columns of the first.
TEST_P(Large, LeadingDimensionOfABatch) {
  each_form(small_types(), 3, 3, [&](Problem p) {
    p.lda = far_away;
    p.batch = 2;
    p.stride_a = p.stride_x = p.stride_y = 3;
    expect_same(p);
  });
}

TEST_P(Large, Increments) {
  for (const int sign : {1, -1})
    each_form({small_types().front()}, 3, 3, [&](Problem p) {
      p.incx = sign * far_away, p.incy = -sign * far_away;
      expect_same(p);
    });
}

TEST_P(Large, DistanceOfProducts) {
  each_form({small_types().front()}, 5, 4, [&](Problem p) {
    p.batch = 3;
    p.stride_a = p.stride_x = p.stride_y = far_away;
    expect_same(p);
  });
}

// On a host, address space is free: every type, and products of sizes past 2^31.
TEST_P(Large, EveryTypeOnAHost) {
  if (backend().id() == BackendId::cuda) GTEST_SKIP() << "this takes the memory of a whole device";
  each_form({"s", "d", "c", "z", "hhs", "b"}, 9, 3, [&](Problem p) {
    p.lda = far_away;
    expect_same(p);
  });
}

}  // namespace
}  // namespace onepass::test

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Onepass, C++ interface: views, RAII handles and plans, exceptions. Header only, over onepass.h.
//
//   onepass::Handle handle;
//   onepass::MatrixView<const float> a{pointer, m, n, lda};
//   onepass::gemv(handle, 1.0f, a, onepass::VectorView{x, n}, 0.0f, onepass::VectorView{y, m});
//   onepass::symv(handle, onepass::Uplo::lower, 1.0f, a, ...);  // with the lower triangle of a square a
//   onepass::ger(handle, 1.0f, onepass::VectorView{x, m}, onepass::VectorView{y, n}, b);  // b += x y^T
//
// Pointers are device pointers on the `cuda` backend and host pointers on every other one.
#ifndef ONEPASS_ONEPASS_HPP
#define ONEPASS_ONEPASS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "onepass/onepass.h"
#include "onepass/types.hpp"

namespace onepass {
inline namespace api {

// What a failed call throws. what() names the argument and its value.
class Error : public std::runtime_error {
 public:
  explicit Error(onepassStatus_t status) : std::runtime_error(onepassLastErrorMessage()), status_(status) {}
  Error(onepassStatus_t status, const std::string& text) : std::runtime_error(text), status_(status) {}
  onepassStatus_t status() const noexcept { return status_; }

 private:
  onepassStatus_t status_;
};

inline void require(onepassStatus_t status) {
  if (status != ONEPASS_STATUS_SUCCESS) throw Error(status);
}

// rows x cols elements; ld is the distance of two columns (column major) or two rows (row major).
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::int64_t rows = 0, cols = 0;
  std::int64_t ld = 1;
  Layout layout = Layout::column;
};

// size elements, inc apart; a negative inc walks backwards from the far end, as in BLAS.
template <class T>
struct VectorView {
  T* data = nullptr;
  std::int64_t size = 0;
  std::int64_t inc = 1;
};
template <class T>
VectorView(T*, std::int64_t) -> VectorView<T>;
template <class T>
VectorView(T*, std::int64_t, std::int64_t) -> VectorView<T>;

// Many products at a fixed distance of each other, in elements.
struct StridedBatch {
  std::int64_t count = 1;
  std::int64_t stride_a = 0, stride_x = 0, stride_y = 0;
};

namespace detail {

template <class T>
using Sum = typename TypeOf<std::remove_cv_t<T>>::sum;

inline void require_length(const char* vector, std::int64_t size, std::int64_t expected) {
  if (size == expected) return;
  throw Error(ONEPASS_STATUS_INVALID_SIZE, std::string(vector) + " has " + std::to_string(size) +
                                               " elements, and op(A) needs " + std::to_string(expected));
}

inline void require_square(std::int64_t rows, std::int64_t cols) {
  if (rows == cols) return;
  throw Error(ONEPASS_STATUS_INVALID_SIZE,
              "A is " + std::to_string(rows) + "x" + std::to_string(cols) + ", and a symmetric matrix is square");
}

// What the descriptions of all routines have in common.
template <class CProblem, class A, class X, class Y>
void set_operands(CProblem& p, const MatrixView<A>& a, const VectorView<X>& x, const VectorView<Y>& y,
                  const StridedBatch& batch) {
  static_assert(!std::is_const_v<Y>, "y is written");
  p.type_y = TypeOf<Y>::value;
  p.layout = static_cast<onepassLayout_t>(a.layout);
  p.lda = a.ld;
  p.incx = x.inc;
  p.incy = y.inc;
  p.batch = batch.count;
  p.stride_a = batch.stride_a;
  p.stride_x = batch.stride_x;
  p.stride_y = batch.stride_y;
}

template <class Call>
std::string text(Call call) {
  std::size_t length = 0;
  require(call(nullptr, 0, &length));
  std::string result(length, '\0');
  require(call(result.data(), length + 1, &length));
  return result;
}

}  // namespace detail

// The description of y = alpha op(A) x + beta y that plans and gemv() share.
template <class A, class Y>
onepassGemvProblem_t gemv_problem(MatrixView<A> a, VectorView<const std::remove_const_t<A>> x, VectorView<Y> y,
                                  Op op = Op::N, const StridedBatch& batch = {}) {
  detail::require_length("x", x.size, op == Op::N ? a.cols : a.rows);
  detail::require_length("y", y.size, op == Op::N ? a.rows : a.cols);
  onepassGemvProblem_t p = onepassGemvProblemDefault(detail::TypeOf<std::remove_const_t<A>>::value, a.rows, a.cols);
  detail::set_operands(p, a, x, y, batch);
  p.op = static_cast<onepassOperation_t>(op);
  return p;
}

// The description of y = alpha A x + beta y with a symmetric A, of which the triangle `uplo` is stored.
template <class A, class Y>
onepassSymvProblem_t symv_problem(Uplo uplo, MatrixView<A> a, VectorView<const std::remove_const_t<A>> x,
                                  VectorView<Y> y, const StridedBatch& batch = {}) {
  detail::require_square(a.rows, a.cols);
  detail::require_length("x", x.size, a.cols);
  detail::require_length("y", y.size, a.rows);
  onepassSymvProblem_t p = onepassSymvProblemDefault(detail::TypeOf<std::remove_const_t<A>>::value,
                                                     static_cast<onepassFillMode_t>(uplo), a.rows);
  detail::set_operands(p, a, x, y, batch);
  return p;
}

// Likewise with a Hermitian A, of complex numbers.
template <class A, class Y>
onepassSymvProblem_t hemv_problem(Uplo uplo, MatrixView<A> a, VectorView<const std::remove_const_t<A>> x,
                                  VectorView<Y> y, const StridedBatch& batch = {}) {
  onepassSymvProblem_t p = symv_problem(uplo, a, x, y, batch);
  p.hermitian = 1;
  return p;
}

// The description of A = alpha x y^T + A that plans and ger() share.
template <class A>
onepassGerProblem_t ger_problem(VectorView<const A> x, VectorView<const A> y, MatrixView<A> a,
                                const StridedBatch& batch = {}) {
  static_assert(!std::is_const_v<A>, "A is written");
  detail::require_length("x", x.size, a.rows);
  detail::require_length("y", y.size, a.cols);
  onepassGerProblem_t p = onepassGerProblemDefault(detail::TypeOf<A>::value, a.rows, a.cols);
  p.layout = static_cast<onepassLayout_t>(a.layout);
  p.lda = a.ld;
  p.incx = x.inc;
  p.incy = y.inc;
  p.batch = batch.count;
  p.stride_a = batch.stride_a;
  p.stride_x = batch.stride_x;
  p.stride_y = batch.stride_y;
  return p;
}

// Likewise with y^H, of complex numbers.
template <class A>
onepassGerProblem_t gerc_problem(VectorView<const A> x, VectorView<const A> y, MatrixView<A> a,
                                 const StridedBatch& batch = {}) {
  onepassGerProblem_t p = ger_problem(x, y, a, batch);
  p.conjugate = 1;
  return p;
}

// Owns a handle. One thread at a time.
class Handle {
 public:
  Handle() : Handle(nullptr) {}
  // backend: "cuda", "cpu", "sim" or "reference"; null for the best of this machine.
  explicit Handle(const char* backend) {
    onepassHandle_t made = nullptr;
    require(onepassCreateOn(&made, backend));
    handle_.reset(made);
  }
  onepassHandle_t get() const noexcept { return handle_.get(); }
  std::string backend() const { return onepassBackendName(get()); }
  void set_stream(onepassStream_t stream) { require(onepassSetStream(get(), stream)); }
  // Of the calls below, of gemv, symv and hemv.
  void set_order(Order order) { require(onepassSetOrder(get(), static_cast<onepassOrder_t>(order))); }
  Order order() const {
    onepassOrder_t order{};
    require(onepassGetOrder(get(), &order));
    return static_cast<Order>(order);
  }
  void set_threads(int threads) { require(onepassSetThreads(get(), threads)); }

 private:
  struct Destroy {
    void operator()(onepassHandle_t h) const noexcept { onepassDestroy(h); }
  };
  std::unique_ptr<std::remove_pointer_t<onepassHandle_t>, Destroy> handle_;
};

// y = alpha op(A) x + beta y, with alpha and beta in host memory.
template <class A, class X, class Y>
void gemv(Handle& handle, std::type_identity_t<detail::Sum<A>> alpha, MatrixView<A> a, VectorView<X> x,
          std::type_identity_t<detail::Sum<A>> beta, VectorView<Y> y, Op op = Op::N, const StridedBatch& batch = {}) {
  static_assert(std::is_same_v<std::remove_const_t<A>, std::remove_const_t<X>>, "A and x have one type");
  onepassGemvProblem_t problem =
      gemv_problem(a, VectorView<const std::remove_const_t<X>>{x.data, x.size, x.inc}, y, op, batch);
  problem.order = static_cast<onepassOrder_t>(handle.order());
  require(onepassGemv(handle.get(), &problem, &alpha, a.data, x.data, &beta, y.data));
}

// y = alpha A x + beta y with a symmetric A, of which only the triangle `uplo` is read.
template <class A, class X, class Y>
void symv(Handle& handle, Uplo uplo, std::type_identity_t<detail::Sum<A>> alpha, MatrixView<A> a, VectorView<X> x,
          std::type_identity_t<detail::Sum<A>> beta, VectorView<Y> y, const StridedBatch& batch = {}) {
  static_assert(std::is_same_v<std::remove_const_t<A>, std::remove_const_t<X>>, "A and x have one type");
  onepassSymvProblem_t problem =
      symv_problem(uplo, a, VectorView<const std::remove_const_t<X>>{x.data, x.size, x.inc}, y, batch);
  problem.order = static_cast<onepassOrder_t>(handle.order());
  require(onepassSymv(handle.get(), &problem, &alpha, a.data, x.data, &beta, y.data));
}

// Likewise with a Hermitian A, of complex numbers.
template <class A, class X, class Y>
void hemv(Handle& handle, Uplo uplo, std::type_identity_t<detail::Sum<A>> alpha, MatrixView<A> a, VectorView<X> x,
          std::type_identity_t<detail::Sum<A>> beta, VectorView<Y> y, const StridedBatch& batch = {}) {
  static_assert(std::is_same_v<std::remove_const_t<A>, std::remove_const_t<X>>, "A and x have one type");
  onepassSymvProblem_t problem =
      hemv_problem(uplo, a, VectorView<const std::remove_const_t<X>>{x.data, x.size, x.inc}, y, batch);
  problem.order = static_cast<onepassOrder_t>(handle.order());
  require(onepassSymv(handle.get(), &problem, &alpha, a.data, x.data, &beta, y.data));
}

// The tails of gemv2() and its like: what x and y have beside their views, which are the heads. y may have none.
template <class T>
struct Tails {
  const T* x = nullptr;
  T* y = nullptr;
};

// y + y_tail = alpha op(A) (x + x_tail) + beta (y + y_tail), summed with twice the digits (onepass/tails.h).
template <class A, class X, class Y>
void gemv2(Handle& handle, std::type_identity_t<detail::Sum<A>> alpha, MatrixView<A> a, VectorView<X> x,
           std::type_identity_t<detail::Sum<A>> beta, VectorView<Y> y, std::type_identity_t<Tails<Y>> tails,
           Op op = Op::N) {
  static_assert(std::is_same_v<std::remove_const_t<A>, std::remove_const_t<X>>, "A and x have one type");
  const onepassGemvProblem_t problem =
      gemv_problem(a, VectorView<const std::remove_const_t<X>>{x.data, x.size, x.inc}, y, op);
  require(onepassGemv2(handle.get(), &problem, &alpha, a.data, x.data, tails.x, &beta, y.data, tails.y));
}

// Likewise with a symmetric A, of which only the triangle `uplo` is read.
template <class A, class X, class Y>
void symv2(Handle& handle, Uplo uplo, std::type_identity_t<detail::Sum<A>> alpha, MatrixView<A> a, VectorView<X> x,
           std::type_identity_t<detail::Sum<A>> beta, VectorView<Y> y, std::type_identity_t<Tails<Y>> tails) {
  const onepassSymvProblem_t problem =
      symv_problem(uplo, a, VectorView<const std::remove_const_t<X>>{x.data, x.size, x.inc}, y);
  require(onepassSymv2(handle.get(), &problem, &alpha, a.data, x.data, tails.x, &beta, y.data, tails.y));
}

// Likewise with a Hermitian A, of complex numbers.
template <class A, class X, class Y>
void hemv2(Handle& handle, Uplo uplo, std::type_identity_t<detail::Sum<A>> alpha, MatrixView<A> a, VectorView<X> x,
           std::type_identity_t<detail::Sum<A>> beta, VectorView<Y> y, std::type_identity_t<Tails<Y>> tails) {
  const onepassSymvProblem_t problem =
      hemv_problem(uplo, a, VectorView<const std::remove_const_t<X>>{x.data, x.size, x.inc}, y);
  require(onepassSymv2(handle.get(), &problem, &alpha, a.data, x.data, tails.x, &beta, y.data, tails.y));
}

// A = alpha x y^T + A.
template <class A, class X, class Y>
void ger(Handle& handle, std::type_identity_t<detail::Sum<A>> alpha, VectorView<X> x, VectorView<Y> y, MatrixView<A> a,
         const StridedBatch& batch = {}) {
  const onepassGerProblem_t problem =
      ger_problem(VectorView<const A>{x.data, x.size, x.inc}, VectorView<const A>{y.data, y.size, y.inc}, a, batch);
  require(onepassGer(handle.get(), &problem, &alpha, x.data, y.data, a.data));
}

// A = alpha x y^H + A, of complex numbers.
template <class A, class X, class Y>
void gerc(Handle& handle, std::type_identity_t<detail::Sum<A>> alpha, VectorView<X> x, VectorView<Y> y, MatrixView<A> a,
          const StridedBatch& batch = {}) {
  const onepassGerProblem_t problem =
      gerc_problem(VectorView<const A>{x.data, x.size, x.inc}, VectorView<const A>{y.data, y.size, y.inc}, a, batch);
  require(onepassGer(handle.get(), &problem, &alpha, x.data, y.data, a.data));
}

// Asks A into the L2 by the stream of the handle, at most so many bytes of it; 0: half of the L2.
template <class A>
void prefetch(Handle& handle, MatrixView<A> a, std::size_t most_bytes = 0) {
  const bool by_rows = a.layout == Layout::row;
  require(onepassPrefetch(handle.get(), detail::TypeOf<std::remove_const_t<A>>::value, by_rows ? a.cols : a.rows,
                          by_rows ? a.rows : a.cols, a.data, a.ld, most_bytes));
}

// y = weight x / sqrt(mean(x^2) + epsilon), of one row without gaps (onepass/rows.h).
template <class X, class W, class Y>
void rms_norm(Handle& handle, VectorView<X> x, VectorView<W> weight, double epsilon, VectorView<Y> y) {
  const std::int64_t ld = x.size > 1 ? x.size : 1;
  require(
      onepassRmsNorm(handle.get(), detail::TypeOf<Y>::value, 1, x.size, x.data, ld, weight.data, epsilon, y.data, ld));
}

// y = up gate / (1 + exp(-gate)), likewise.
template <class G, class U, class Y>
void swiglu(Handle& handle, VectorView<G> gate, VectorView<U> up, VectorView<Y> y) {
  const std::int64_t ld = gate.size > 1 ? gate.size : 1;
  require(onepassSwiglu(handle.get(), detail::TypeOf<Y>::value, 1, gate.size, gate.data, ld, up.data, ld, y.data, ld));
}

// Rotary position embeddings of the heads of one token: the rows of a row-major matrix, in place.
template <class T, class C>
void rotary(Handle& handle, MatrixView<T> heads, VectorView<C> cosines, VectorView<C> sines) {
  require(onepassRotary(handle.get(), detail::TypeOf<T>::value, heads.rows, heads.cols, heads.data, heads.ld,
                        cosines.data, sines.data, heads.data, heads.ld));
}

// Owns a plan. Any number of threads and streams may run it, each with its own workspace.
class Plan {
 public:
  Plan(const Handle& handle, const onepassGemvProblem_t& problem) {
    onepassPlan_t made = nullptr;
    require(onepassPlanGemv(handle.get(), &problem, &made));
    plan_.reset(made);
  }
  Plan(const Handle& handle, const onepassSymvProblem_t& problem) {
    onepassPlan_t made = nullptr;
    require(onepassPlanSymv(handle.get(), &problem, &made));
    plan_.reset(made);
  }
  Plan(const Handle& handle, const onepassGerProblem_t& problem) {
    onepassPlan_t made = nullptr;
    require(onepassPlanGer(handle.get(), &problem, &made));
    plan_.reset(made);
  }
  static Plan load(const Handle& handle, const std::string& json) {
    onepassPlan_t made = nullptr;
    require(onepassPlanLoad(handle.get(), json.c_str(), &made));
    return Plan(made);
  }
  onepassPlan_t get() const noexcept { return plan_.get(); }
  std::size_t workspace_size() const {
    std::size_t bytes = 0;
    require(onepassPlanWorkspaceSize(get(), &bytes));
    return bytes;
  }
  std::string print() const {
    return detail::text([&](char* b, std::size_t c, std::size_t* l) { return onepassPlanPrint(get(), b, c, l); });
  }
  std::string explain() const {
    return detail::text([&](char* b, std::size_t c, std::size_t* l) { return onepassPlanExplain(get(), b, c, l); });
  }
  std::string save() const {
    return detail::text([&](char* b, std::size_t c, std::size_t* l) { return onepassPlanSave(get(), b, c, l); });
  }
  // Once per workspace, before its first run.
  void prepare_workspace(void* workspace, std::size_t bytes, onepassStream_t stream = nullptr) const {
    require(onepassPlanPrepareWorkspace(get(), workspace, bytes, stream));
  }
  void run(const void* alpha, const void* a, const void* x, const void* beta, void* y, void* workspace = nullptr,
           std::size_t bytes = 0, onepassStream_t stream = nullptr) const {
    require(onepassPlanRun(get(), stream, workspace, bytes, alpha, a, x, beta, y));
  }
  // Of a plan for ger and gerc.
  void update(const void* alpha, const void* x, const void* y, void* a, void* workspace = nullptr,
              std::size_t bytes = 0, onepassStream_t stream = nullptr) const {
    require(onepassPlanRun(get(), stream, workspace, bytes, alpha, a, x, nullptr, const_cast<void*>(y)));
  }

 private:
  explicit Plan(onepassPlan_t made) : plan_(made) {}
  struct Destroy {
    void operator()(onepassPlan_t p) const noexcept { onepassPlanDestroy(p); }
  };
  std::unique_ptr<std::remove_pointer_t<onepassPlan_t>, Destroy> plan_;
};

}  // namespace api
}  // namespace onepass

#endif  // ONEPASS_ONEPASS_HPP

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A program of cuSOLVER that knows nothing of Onepass: a matrix whose eigenvalues are known, reduced and solved on a
// stream, and what cuSOLVER refuses. It is run with libonepass_cusolver.so preloaded. 77: no GPU.
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace {

constexpr int n = 300, lda = 304;
constexpr auto lower = CUBLAS_FILL_MODE_LOWER;
constexpr auto vectors = CUSOLVER_EIG_MODE_VECTOR;
cusolverDnHandle_t handle = nullptr;
cudaStream_t stream = nullptr;

void require(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  std::exit(1);
}
void require(cusolverStatus_t status, const char* what) {
  if (status != CUSOLVER_STATUS_SUCCESS) std::printf("cuSOLVER says %d\n", static_cast<int>(status));
  require(status == CUSOLVER_STATUS_SUCCESS, what);
}

template <class T>
class Device {
 public:
  explicit Device(const std::vector<T>& host) : count_(host.size()) {
    require(cudaMalloc(&data_, count_ * sizeof(T)) == cudaSuccess, "cudaMalloc");
    put(host);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { cudaFree(data_); }
  T* data() const { return static_cast<T*>(data_); }
  void put(const std::vector<T>& host) {
    require(cudaMemcpy(data_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess, "cudaMemcpy");
  }
  std::vector<T> get() const {
    std::vector<T> host(count_);
    require(cudaDeviceSynchronize() == cudaSuccess, "cudaDeviceSynchronize");
    require(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess, "cudaMemcpy");
    return host;
  }

 private:
  void* data_ = nullptr;
  std::size_t count_;
};

// 2 on the diagonal and -1 in the corner of each 2 x 2 block across it, turned by reflection at a vector of ones, so
// that no element is zero. Its eigenvalues are 2 - 2 cos(pi k / (n + 1)), k = 1 .. n.
std::vector<double> matrix() {
  std::vector<double> a(static_cast<std::size_t>(lda) * n, 7), b(static_cast<std::size_t>(n) * n);
  const auto t = [](int i, int j) { return i == j ? 2.0 : std::abs(i - j) == 1 ? -1.0 : 0.0; };
  std::vector<double> sums(n);  // T times ones
  double total = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) sums[static_cast<std::size_t>(i)] += t(i, j);
    total += sums[static_cast<std::size_t>(i)];
  }
  // (I - 2/n 1 1^T) T (I - 2/n 1 1^T)
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      a[static_cast<std::size_t>(i + j * lda)] =
          t(i, j) - 2.0 / n * (sums[static_cast<std::size_t>(i)] + sums[static_cast<std::size_t>(j)]) +
          4.0 / n / n * total;
  return a;
}

bool eigenvalues_are_right(const std::vector<double>& w, double eps) {
  for (int k = 1; k <= n; ++k)
    if (!(std::abs(w[static_cast<std::size_t>(k - 1)] - (2 - 2 * std::cos(M_PI * k / (n + 1)))) <= 4 * n * eps))
      return false;
  return true;
}

// |A v - w v| for the first, a middle and the last column of V.
// `limit`: cuSOLVER's own results by Jacobi's method are less accurate than the others.
constexpr double accurate = 4 * n * std::numeric_limits<double>::epsilon(), by_jacobi = 1e-9;
bool eigenvectors_are_right(const std::vector<double>& a, const std::vector<double>& v, const std::vector<double>& w,
                            double limit = accurate) {
  for (const int k : {0, n / 2, n - 1}) {
    for (int i = 0; i < n; ++i) {
      double sum = -w[static_cast<std::size_t>(k)] * v[static_cast<std::size_t>(i + k * lda)];
      for (int j = 0; j < n; ++j)
        sum += a[static_cast<std::size_t>(i + j * lda)] * v[static_cast<std::size_t>(j + k * lda)];
      if (!(std::abs(sum) <= limit)) return false;
    }
  }
  return true;
}

double sum_of_squares(const std::vector<double>& v, double factor = 1) {
  double sum = 0;
  for (const double x : v) sum += factor * x * x;
  return sum;
}

bool columns_are_orthonormal(const std::vector<double>& q, double limit = accurate) {
  for (const int k : {0, n / 3, n - 1})
    for (int l = 0; l < n; ++l) {
      double sum = k == l ? -1 : 0;
      for (int i = 0; i < n; ++i)
        sum += q[static_cast<std::size_t>(i + k * lda)] * q[static_cast<std::size_t>(i + l * lda)];
      if (!(std::abs(sum) <= limit)) return false;
    }
  return true;
}

void reduce(const std::vector<double>& host) {
  const double squares = 6.0 * n - 2;  // of all elements of A
  const std::vector<double> nothing(n);
  Device<double> a(host), d(nothing), e(std::vector<double>(n - 1)), tau(nothing), taup(nothing), c(host);
  Device<int> info({7});
  int lwork = 0, more = 0;
  require(cusolverDnDsytrd_bufferSize(handle, lower, n, a.data(), lda, d.data(), e.data(), tau.data(), &lwork), "size");
  require(cusolverDnDorgtr_bufferSize(handle, lower, n, a.data(), lda, tau.data(), &more), "size");
  lwork = std::max(lwork, more);
  require(cusolverDnDormtr_bufferSize(handle, CUBLAS_SIDE_LEFT, lower, CUBLAS_OP_N, n, n, a.data(), lda, tau.data(),
                                      c.data(), lda, &more),
          "size");
  lwork = std::max(lwork, more);
  require(cusolverDnDgebrd_bufferSize(handle, n, n, &more), "size");
  lwork = std::max(lwork, more);
  require(cusolverDnDorgbr_bufferSize(handle, CUBLAS_SIDE_LEFT, n, n, n, a.data(), lda, tau.data(), &more), "size");
  lwork = std::max(lwork, more);
  Device<double> work(std::vector<double>(static_cast<std::size_t>(lwork)));

  require(cusolverDnDsytrd(handle, lower, n, a.data(), lda, d.data(), e.data(), tau.data(), work.data(), lwork,
                           info.data()),
          "sytrd");
  require(info.get()[0] == 0, "info of sytrd");
  require(std::abs(sum_of_squares(d.get()) + sum_of_squares(e.get(), 2) - squares) <= 1e-9, "T of sytrd");
  std::vector<double> identity(host.size());
  for (int i = 0; i < n; ++i) identity[static_cast<std::size_t>(i * (lda + 1))] = 1;
  c.put(identity);
  require(cusolverDnDormtr(handle, CUBLAS_SIDE_LEFT, lower, CUBLAS_OP_N, n, n, a.data(), lda, tau.data(), c.data(), lda,
                           work.data(), lwork, info.data()),
          "ormtr");
  require(cusolverDnDorgtr(handle, lower, n, a.data(), lda, tau.data(), work.data(), lwork, info.data()), "orgtr");
  const std::vector<double> q = a.get(), applied = c.get();
  require(columns_are_orthonormal(q), "Q of orgtr");
  for (int i = 0; i < n; ++i)
    require(std::abs(q[static_cast<std::size_t>(i)] - applied[static_cast<std::size_t>(i)]) <= 1e-12, "Q of ormtr");

  a.put(host);
  require(cusolverDnDgebrd(handle, n, n, a.data(), lda, d.data(), e.data(), tau.data(), taup.data(), work.data(), lwork,
                           info.data()),
          "gebrd");
  require(std::abs(sum_of_squares(d.get()) + sum_of_squares(e.get()) - squares) <= 1e-9, "B of gebrd");
  require(
      cusolverDnDorgbr(handle, CUBLAS_SIDE_LEFT, n, n, n, a.data(), lda, tau.data(), work.data(), lwork, info.data()),
      "orgbr");
  require(columns_are_orthonormal(a.get()), "Q of orgbr");
}

void solve_by_jacobi(const std::vector<double>& host) {
  Device<double> a(host), w(std::vector<double>(n, 7.0));
  Device<int> info({7});
  syevjInfo_t jacobi = nullptr;
  int lwork = 0;
  require(cusolverDnCreateSyevjInfo(&jacobi), "cusolverDnCreateSyevjInfo");
  require(cusolverDnDsyevj_bufferSize(handle, vectors, lower, n, a.data(), lda, w.data(), &lwork, jacobi),
          "size of syevj");
  Device<double> work(std::vector<double>(static_cast<std::size_t>(lwork)));
  require(cusolverDnDsyevj(handle, vectors, lower, n, a.data(), lda, w.data(), work.data(), lwork, info.data(), jacobi),
          "syevj");
  require(info.get()[0] == 0 && eigenvectors_are_right(host, a.get(), w.get(), by_jacobi), "eigenvectors of syevj");
  cusolverDnDestroySyevjInfo(jacobi);
}

void solve(const std::vector<double>& host, bool in_graph) {
  Device<double> a(host), w(std::vector<double>(n, 7.0));
  Device<int> info({7});
  int lwork = 0;
  require(cusolverDnDsyevd_bufferSize(handle, vectors, lower, n, a.data(), lda, w.data(), &lwork), "size of syevd");
  Device<double> work(std::vector<double>(static_cast<std::size_t>(lwork)));
  const auto call = [&](cublasFillMode_t uplo, int of_lda) {
    return cusolverDnDsyevd(handle, vectors, uplo, n, a.data(), of_lda, w.data(), work.data(), lwork, info.data());
  };
  require(call(lower, lda), "syevd");
  require(info.get()[0] == 0, "info of syevd");
  require(eigenvalues_are_right(w.get(), std::numeric_limits<double>::epsilon()), "eigenvalues");
  require(eigenvectors_are_right(host, a.get(), w.get()), "eigenvectors");

  if (in_graph) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess, "begin of the capture");
    require(call(CUBLAS_FILL_MODE_UPPER, lda), "syevd in a capture");
    require(cudaStreamEndCapture(stream, &graph) == cudaSuccess, "end of the capture");
    require(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess, "cudaGraphInstantiate");
    for (int replay = 0; replay < 2; ++replay) {
      a.put(host);
      require(cudaGraphLaunch(executable, stream) == cudaSuccess, "replay");
      require(eigenvectors_are_right(host, a.get(), w.get()), "eigenvectors of a replay");
    }
  }

  a.put(host);
  int meig = 0, more = 0;
  require(cusolverDnDsyevdx_bufferSize(handle, vectors, CUSOLVER_EIG_RANGE_ALL, lower, n, a.data(), lda, 0, 0, 0, 0,
                                       &meig, w.data(), &more),
          "size of syevdx");
  Device<double> work_of_range(std::vector<double>(static_cast<std::size_t>(more)));
  require(cusolverDnDsyevdx(handle, vectors, CUSOLVER_EIG_RANGE_ALL, lower, n, a.data(), lda, 0, 0, 0, 0, &meig,
                            w.data(), work_of_range.data(), more, info.data()),
          "syevdx");
  require(meig == n && eigenvectors_are_right(host, a.get(), w.get()), "eigenvectors of syevdx");

  // What cuSOLVER refuses, in its own words, and what Onepass passes on.
  require(call(lower, n - 1) == CUSOLVER_STATUS_INVALID_VALUE, "CUSOLVER_STATUS_INVALID_VALUE for a small lda");
  for (const cusolverEigRange_t range : {CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V}) {
    const double above_two = 2 - 2 * std::cos(M_PI * 2.5 / (n + 1));
    a.put(host);
    require(cusolverDnDsyevdx_bufferSize(handle, vectors, range, lower, n, a.data(), lda, -1, above_two, 1, 2, &meig,
                                         w.data(), &more),
            "size of syevdx");
    Device<double> work_of_part(std::vector<double>(static_cast<std::size_t>(more)));
    require(cusolverDnDsyevdx(handle, vectors, range, lower, n, a.data(), lda, -1, above_two, 1, 2, &meig, w.data(),
                              work_of_part.data(), more, info.data()),
            "syevdx of a part");
    require(info.get()[0] == 0 && meig == 2, "the number of eigenvalues of a part");
    require(
        std::abs(w.get()[1] - (2 - 2 * std::cos(M_PI * 2 / (n + 1)))) <= 4 * n * std::numeric_limits<double>::epsilon(),
        "eigenvalues of a part");
  }
}

// A = Q R: Q has orthonormal columns, and Q^T A is R.
void factor(const std::vector<double>& host) {
  Device<double> a(host), tau(std::vector<double>(n, 0.0)), c(host);
  Device<int> info({7});
  int lwork = 0, more = 0;
  require(cusolverDnDgeqrf_bufferSize(handle, n, n, a.data(), lda, &lwork), "size of geqrf");
  require(cusolverDnDorgqr_bufferSize(handle, n, n, n, a.data(), lda, tau.data(), &more), "size of orgqr");
  lwork = std::max(lwork, more);
  require(cusolverDnDormqr_bufferSize(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, n, n, n, a.data(), lda, tau.data(),
                                      c.data(), lda, &more),
          "size of ormqr");
  lwork = std::max(lwork, more);
  Device<double> work(std::vector<double>(static_cast<std::size_t>(lwork)));
  require(cusolverDnDgeqrf(handle, n, n, a.data(), lda, tau.data(), work.data(), lwork, info.data()), "geqrf");
  require(info.get()[0] == 0, "info of geqrf");
  const std::vector<double> r = a.get();
  require(cusolverDnDormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, n, n, n, a.data(), lda, tau.data(), c.data(), lda,
                           work.data(), lwork, info.data()),
          "ormqr");
  const std::vector<double> applied = c.get();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i + j * lda);
      require(std::abs(applied[at] - (i <= j ? r[at] : 0)) <= 1e-12, "R of ormqr");
    }
  require(cusolverDnDorgqr(handle, n, n, n, a.data(), lda, tau.data(), work.data(), lwork, info.data()), "orgqr");
  require(columns_are_orthonormal(a.get()), "Q of orgqr");
}

// The same matrix three times.
void solve_batch(const std::vector<double>& host) {
  constexpr int count = 3;
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.insert(all.end(), host.begin(), host.end());
  Device<double> a(all), w(std::vector<double>(count * n, 7.0));
  Device<int> info(std::vector<int>(count, 7));
  const auto expect = [&](const char* what) {
    require(info.get() == std::vector<int>(count), "info of a batch");
    const std::vector<double> values = w.get(), found = a.get();
    for (std::size_t i = 0; i < count; ++i) {
      const auto from = static_cast<std::ptrdiff_t>(i * n), to = from + n;
      const std::vector<double> own(values.begin() + from, values.begin() + to);
      const auto of_a = static_cast<std::ptrdiff_t>(i * host.size());
      const std::vector<double> v(found.begin() + of_a,
                                  found.begin() + of_a + static_cast<std::ptrdiff_t>(host.size()));
      require(eigenvalues_are_right(own, by_jacobi / (4 * n)), what);
      require(columns_are_orthonormal(v, by_jacobi), what);
    }
  };
  syevjInfo_t jacobi = nullptr;
  int lwork = 0;
  require(cusolverDnCreateSyevjInfo(&jacobi), "cusolverDnCreateSyevjInfo");
  require(cusolverDnDsyevjBatched_bufferSize(handle, vectors, lower, n, a.data(), lda, w.data(), &lwork, jacobi, count),
          "size of syevjBatched");
  Device<double> work(std::vector<double>(static_cast<std::size_t>(lwork)));
  require(cusolverDnDsyevjBatched(handle, vectors, lower, n, a.data(), lda, w.data(), work.data(), lwork, info.data(),
                                  jacobi, count),
          "syevjBatched");
  expect("eigenvectors of syevjBatched");
  cusolverDnDestroySyevjInfo(jacobi);

  a.put(all);
  cusolverDnParams_t params = nullptr;
  std::size_t on_device = 0, on_host = 0;
  require(cusolverDnCreateParams(&params), "cusolverDnCreateParams");
  require(cusolverDnXsyevBatched_bufferSize(handle, params, vectors, lower, n, CUDA_R_64F, a.data(), lda, CUDA_R_64F,
                                            w.data(), CUDA_R_64F, &on_device, &on_host, count),
          "size of XsyevBatched");
  Device<char> bytes(std::vector<char>(on_device + 1));
  std::vector<char> host_work(on_host + 1);
  require(cusolverDnXsyevBatched(handle, params, vectors, lower, n, CUDA_R_64F, a.data(), lda, CUDA_R_64F, w.data(),
                                 CUDA_R_64F, bytes.data(), on_device, host_work.data(), on_host, info.data(), count),
          "XsyevBatched");
  expect("eigenvectors of XsyevBatched");
  cusolverDnDestroyParams(params);
}

// In single precision, with types as arguments.
void solve_generic(const std::vector<double>& host) {
  Device<float> a(std::vector<float>(host.begin(), host.end())), w(std::vector<float>(n, 7.0F));
  Device<int> info({7});
  cusolverDnParams_t params = nullptr;
  std::size_t on_device = 0, on_host = 0;
  require(cusolverDnCreateParams(&params), "cusolverDnCreateParams");
  require(cusolverDnXsyevd_bufferSize(handle, params, CUSOLVER_EIG_MODE_NOVECTOR, lower, n, CUDA_R_32F, a.data(), lda,
                                      CUDA_R_32F, w.data(), CUDA_R_32F, &on_device, &on_host),
          "size of Xsyevd");
  Device<char> work(std::vector<char>(on_device + 1));
  std::vector<char> host_work(on_host + 1);
  require(cusolverDnXsyevd(handle, params, CUSOLVER_EIG_MODE_NOVECTOR, lower, n, CUDA_R_32F, a.data(), lda, CUDA_R_32F,
                           w.data(), CUDA_R_32F, work.data(), on_device, host_work.data(), on_host, info.data()),
          "Xsyevd");
  require(info.get()[0] == 0, "info of Xsyevd");
  const std::vector<float> found = w.get();
  require(eigenvalues_are_right({found.begin(), found.end()}, std::numeric_limits<float>::epsilon()),
          "eigenvalues of Xsyevd");
  cusolverDnDestroyParams(params);
}

// Singular values of a symmetric matrix without negative eigenvalues are its eigenvalues.
void decompose(const std::vector<double>& host) {
  Device<double> a(host), s(std::vector<double>(n, 7.0)), u(host), vt(host);
  Device<int> info({7});
  int lwork = 0;
  require(cusolverDnDgesvd_bufferSize(handle, n, n, &lwork), "size of gesvd");
  Device<double> work(std::vector<double>(static_cast<std::size_t>(lwork)));
  require(cusolverDnDgesvd(handle, 'S', 'S', n, n, a.data(), lda, s.data(), u.data(), lda, vt.data(), lda, work.data(),
                           lwork, nullptr, info.data()),
          "gesvd");
  require(info.get()[0] == 0, "info of gesvd");
  std::vector<double> values = s.get();
  std::reverse(values.begin(), values.end());
  require(eigenvalues_are_right(values, std::numeric_limits<double>::epsilon()), "singular values");
  require(columns_are_orthonormal(u.get()), "U of gesvd");
}

}  // namespace

int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  require(cusolverDnCreate(&handle), "cusolverDnCreate");
  require(cudaStreamCreate(&stream) == cudaSuccess, "cudaStreamCreate");
  require(cusolverDnSetStream(handle, stream), "cusolverDnSetStream");
  const std::vector<double> a = matrix();
  const char* mode = std::getenv("ONEPASS_INTERPOSE");
  reduce(a);
  factor(a);
  solve_batch(a);
  solve_by_jacobi(a);
  solve(a, mode != nullptr && std::string(mode) != "off");  // cuSOLVER does not promise it
  solve_generic(a);
  decompose(a);
  std::printf("all right\n");
  return 0;
}

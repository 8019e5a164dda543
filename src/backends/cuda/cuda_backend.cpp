// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The cuda backend: device traits, operands and the way to the kernels.
#include <cuda_runtime_api.h>

#include <array>
#include <mutex>

#include "backends/cuda/capture.hpp"
#include "backends/cuda/cuda_memory.hpp"
#include "backends/cuda/cuda_status.hpp"
#include "backends/cuda/current_device.hpp"
#include "backends/cuda/instances.hpp"
#include "backends/cuda/prefetch.hpp"
#include "backends/cuda/read_traits.hpp"
#include "backends/cuda/row_steps.hpp"
#include "backends/registry.hpp"
#include "launch/launch.hpp"
#include "launch/reach.hpp"
#include "plan/device_traits.hpp"
#include "plan/registry.hpp"
#include "plan/tuning_table.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

using cuda::result;

class CudaBackend final : public cuda::CudaMemory<Backend> {
 public:
  BackendId id() const override { return BackendId::cuda; }
  Alignment alignment() const override { return Alignment::element; }

  std::string why_unavailable() const override {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
      (void)cudaGetLastError();  // the question was ours, and so is its error
      return std::string("no usable GPU: ") + cudaGetErrorString(error);
    }
    return count == 0 ? "no GPU in this machine" : "";
  }

  const DeviceTraits& traits() const override {
    int device = 0;
    if (cuda::current_device(&device) != cudaSuccess || device >= cuda::most_devices) device = 0;
    const auto slot = static_cast<std::size_t>(device);
    std::call_once(once_[slot], [&] {
      (void)cuda::read_traits(device, &traits_[slot]);  // none are traits, too
      tuning_[slot] = load_tuning(traits_[slot]);
      traits_[slot].tuning = &tuning_[slot];
    });
    return traits_[slot];
  }

  Plan plan(const Problem& problem, int) const override { return plan_on_device(problem, traits(), BackendId::cuda); }

  std::string why_illegal(const Plan& plan) const override { return why_illegal_on_device(plan); }

  Status launch(const Plan& plan, const Operands& operands, Workspace workspace, Stream stream) const override {
    if (joins_last(plan, operands, stream)) return {};
    const cuda::Ahead before = last().launch;
    bool waits_to_read = true;
    Status status = overlapping(stream, [&](bool may_overlap, const Reaches* written, Reach* results) {
      Operands o = operands;
      o.starts_alone = !may_overlap;
      *results = reach_of_result(plan.problem, o);
      if (written != nullptr && early_pays(plan, blocks_of_wave(plan, traits())) &&
          !written->meets(reach_of_a(plan.problem, o))) {
        o.settled_a = true;
        o.settled_x = !written->meets(reach_of_x(plan.problem, o));
        // Where x is not settled, this gains 0.1 to 0.4 us on an H200 up to 6 MB, and nothing from 16 MB on.
        const Overlap overlap = find_kernel(plan.kernel)->overlap;
        o.opens_first = overlap != Overlap::nothing &&
                        (o.settled_x || (overlap == Overlap::reads && cost(plan.problem).matrix_bytes < 8e6));
      }
      waits_to_read = !o.settled_a;
      return by_instance(family(plan.problem), elements_of(plan.problem), [&]<class E, Family f>() {
        return cuda::Instances<E, f>::launch(stream, may_overlap, plan, o, workspace);
      });
    });
    if (waits_to_read && last().launch != before) last().products = JoinedProducts(plan, operands);
    return status;
  }

  Status run(const RowStep& step, Stream stream) const override {
    return overlapping(stream, [&](bool may_overlap, const Reaches*, Reach* results) {
      *results = reach_of_result(step);
      return cuda::run_row_step(step, stream, may_overlap);
    });
  }

  Status prefetch(const void* first, const PrefetchRuns& runs, Stream stream) const override {
    return cuda::prefetch(first, runs, traits().sm_count, stream, traits().arch >= 90);
  }

  Status warm_up() const override {
    warn_of_refused(*traits().tuning);
    const cuda::RelaxedCapture relaxed;
    for (const Family family : all_families)
      for (const ElementsId elements : all_ids) {
        if (!is_compiled_for(family, elements)) continue;
        Status status =
            by_instance(family, elements, [&]<class E, Family f>() { return cuda::Instances<E, f>::load(); });
        if (!status.ok()) return status;
      }
    Status status = cuda::load_prefetch();
    return status.ok() ? cuda::load_row_steps() : status;
  }

  Status allocate(std::size_t bytes, void** data) const override {
    return result("cudaMalloc", cudaMalloc(data, bytes == 0 ? 256 : bytes));
  }
  Status copy_in(void* to, const void* from_host, std::size_t bytes) const override {
    // From pageable memory, cudaMemcpy may return before the device has the bytes.
    cudaError_t error = cudaMemcpy(to, from_host, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) error = cudaStreamSynchronize(nullptr);
    return result("copy to the device", error);
  }
  Status copy_out(void* to_host, const void* from, std::size_t bytes) const override {
    return result("copy from the device", cudaMemcpy(to_host, from, bytes, cudaMemcpyDeviceToHost));
  }
  Status synchronize(Stream stream) const override {
    return result("cudaStreamSynchronize", cudaStreamSynchronize(stream));
  }

 private:
  // The launch of this thread that was captured last. A node of another capture may have the address of one that is
  // gone.
  struct Last {
    cuda::Ahead launch;
    Reaches written;
    JoinedProducts products;  // that others may be added to
  };
  static Last& last() {
    static thread_local Last last;
    return last;
  }

  // Adds a product to the launch ahead of it in a graph, where that is one with the same x; false if it cannot.
  bool joins_last(const Plan& plan, const Operands& operands, Stream stream) const {
    Last& ahead = last();
    if (ahead.launch.node == nullptr || !ahead.products.can_take(plan, operands) ||
        cuda::ahead_of(stream) != ahead.launch)
      return false;
    JoinedProducts products = ahead.products;
    products.add(plan, operands);
    const Status status = by_instance(Family::gemv, elements_of(plan.problem), [&]<class E, Family f>() {
      return cuda::Instances<E, f>::put_into(ahead.launch.node, products);
    });
    if (!status.ok()) {
      (void)cudaGetLastError();  // the caller's product has a launch of its own then
      return false;
    }
    ahead.products = std::move(products);
    ahead.written.add(reach_of_result(plan.problem, operands));
    return true;
  }

  // run(may_overlap, written, results) launches a kernel of ours and tells what it writes. A programmatic launch is
  // faster behind one of ours, which lets it start early: by 0.9 us on an H200. Behind a kernel that does not it is
  // slower than a plain one, by 0.4 us if that kernel is empty. A graph tells which it is, and then `written` is all
  // that was or will be written since a launch last began when everything ahead of it was complete; null where nobody
  // knows. Some of that is complete by now, and an L1 cache may still have what was there before.
  template <class Run>
  Status overlapping(Stream stream, Run run) const {
    Last& last = CudaBackend::last();
    const cuda::Ahead ahead = cuda::ahead_of(stream);
    const bool behind_node = ahead.node != nullptr && ahead == last.launch;
    Reach results = anywhere;
    Status status =
        run(traits().arch >= 90 && (behind_node || !ahead.captured), behind_node ? &last.written : nullptr, &results);
    if (!ahead.captured) return status;
    if (const cuda::Ahead now = cuda::ahead_of(stream); now != ahead) {
      last.launch = now;
      last.products = {};
      if (!behind_node) last.written = {};
      last.written.add(results);
    }
    return status;
  }

  mutable std::array<std::once_flag, cuda::most_devices> once_;
  mutable std::array<DeviceTraits, cuda::most_devices> traits_;
  mutable std::array<TuningTables, cuda::most_devices> tuning_;
};

}  // namespace

const Backend& cuda_backend() {
  static const CudaBackend backend;
  return backend;
}

}  // namespace onepass

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/host/host_condition.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <limits>

namespace onepass::tools {
namespace {

constexpr double busy_share = 0.05, stolen_share = 0.01, slow_clock = 0.9;

// Seconds of all processors together, since the machine was started.
struct ProcessorTime {
  double busy = 0, idle = 0, stolen = 0;
};

// "cpu  user nice system idle iowait irq softirq steal ...", in ticks.
ProcessorTime processor_time(const std::string& root) {
  std::ifstream file(root + "/proc/stat");
  std::string word;
  double user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  file >> word >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  return {
      .busy = (user + nice + system + irq + softirq) / ticks, .idle = (idle + iowait) / ticks, .stolen = steal / ticks};
}

double own_time() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// 0 where there is no such file.
double number_in(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  file >> value;
  return file ? value : 0;
}

class HostCondition final : public Condition {
 public:
  explicit HostCondition(const std::string& root)
      : root_(root), before_(processor_time(root)), own_before_(own_time()), throttled_before_(throttled()) {}

  std::vector<std::string> remarks() override {
    const ProcessorTime now = processor_time(root_);
    const double own = own_time() - own_before_, stolen = now.stolen - before_.stolen;
    const double others = now.busy - before_.busy - own;
    const double all = now.busy - before_.busy + now.idle - before_.idle + stolen;
    std::vector<std::string> found;
    // Below a second the ticks of the clock say nothing.
    if (all > 1 && others > busy_share * all)
      found.push_back(
          fmt::format("other programs used {:.0f} % of the processors while this ran: its times are longer "
                      "than those of a quiet machine",
                      100 * others / all));
    if (all > 1 && stolen > stolen_share * all)
      found.push_back(
          fmt::format("{:.0f} % of the time of this virtual machine's processors was taken away", 100 * stolen / all));
    if (slowest_ < slow_clock)
      found.push_back(fmt::format("the clock of a processor was seen at {:.0f} % of its highest", 100 * slowest_));
    if (throttled() > throttled_before_) found.emplace_back("a processor was throttled, as it was too hot");
    return found;
  }

 protected:
  void look_now() override {
    const std::string folder = root_ + "/sys/devices/system/cpu/cpu0/cpufreq/";
    const double most = number_in(folder + "cpuinfo_max_freq"), now = number_in(folder + "scaling_cur_freq");
    if (most > 0 && now > 0) slowest_ = std::min(slowest_, now / most);
  }

 private:
  double throttled() const {
    return number_in(root_ + "/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count");
  }

  std::string root_;
  ProcessorTime before_;
  double own_before_, throttled_before_;
  double slowest_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::unique_ptr<Condition> make_host_condition(const std::string& root) {
  return std::make_unique<HostCondition>(root);
}

}  // namespace onepass::tools

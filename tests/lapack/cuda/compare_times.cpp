// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A developer's tool: times of the reductions of two libraries in turn, medians; and of their ratio in neighbouring
// turns, which a machine that changes its clock every few seconds leaves alone.
//   compare_times OURS THEIRS [type [routine [n...]]]     e.g. .../libonepass_lapack.so libopenblas.so.0 d sytrd 64
//   1024
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Call {
  std::string routine;  // without the letter of the type
  int n = 0;
  std::vector<double> a, c, original, tau, taup, d, e, work;  // of any type: large enough for z

  Call(std::string name, int order, int parts, bool is_single) : routine(std::move(name)), n(order) {
    const auto elements = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    original.resize(elements * 2);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-1, 1);
    const std::size_t count = elements * static_cast<std::size_t>(parts);
    for (std::size_t i = 0; i < count; ++i)
      if (is_single)
        reinterpret_cast<float*>(original.data())[i] = static_cast<float>(number(random));
      else
        original[i] = number(random);
    a = original;
    for (auto* v : {&tau, &taup, &d, &e}) v->resize(2 * static_cast<std::size_t>(n));
    work.resize(2 * 300 * static_cast<std::size_t>(n) + 4096);
  }

  // A as it is before a call that is timed: of orgtr and the like, reduced.
  void prepare(void* reduction, const std::string& name) {
    run(reduction, name);
    original = a;
  }

  double seconds(void* function) {
    a = original;
    c = original;
    const Clock::time_point begin = Clock::now();
    const int info = run(function, routine);
    const double time = std::chrono::duration<double>(Clock::now() - begin).count();
    if (info != 0) std::printf("info = %d\n", info);
    return time;
  }

 private:
  template <class... Arguments>
  static void call(void* function, Arguments... arguments) {
    reinterpret_cast<void (*)(Arguments...)>(function)(arguments...);
  }
  int run(void* function, const std::string& name) {
    const int lwork = static_cast<int>(work.size() / 2), one = 1;
    int info = 0;
    void* const w = work.data();
    const std::string kind = name.substr(name.size() - 3);  // what a name of a complex type shares with the real ones
    if (kind == "trd")
      call(function, "L", &n, a.data(), &n, d.data(), e.data(), tau.data(), w, &lwork, &info);
    else if (kind == "brd")
      call(function, &n, &n, a.data(), &n, d.data(), e.data(), tau.data(), taup.data(), w, &lwork, &info);
    else if (kind == "hrd" || kind == "ghr")
      call(function, &n, &one, &n, a.data(), &n, tau.data(), w, &lwork, &info);
    else if (kind == "gtr")
      call(function, "L", &n, a.data(), &n, tau.data(), w, &lwork, &info);
    else if (kind == "gbr")
      call(function, "P", &n, &n, &n, a.data(), &n, taup.data(), w, &lwork, &info);
    else if (kind == "mtr")
      call(function, "L", "L", "N", &n, &n, a.data(), &n, tau.data(), c.data(), &n, w, &lwork, &info);
    else if (kind == "mbr")
      call(function, "Q", "L", "N", &n, &n, &n, a.data(), &n, tau.data(), c.data(), &n, w, &lwork, &info);
    else
      call(function, "L", "N", &n, &n, &one, &n, a.data(), &n, tau.data(), c.data(), &n, w, &lwork, &info);
    return info;
  }
};

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

// SciPy's packages have OpenBLAS with a prefix.
void* find(void* library, const std::string& name) {
  void* const plain = dlsym(library, (name + "_").c_str());
  return plain != nullptr ? plain : dlsym(library, ("scipy_" + name + "_").c_str());
}

void compare(void* ours, void* theirs, const std::string& type, std::string routine, int n) {
  const bool is_complex = type == "c" || type == "z";
  if (is_complex && routine.starts_with("sy")) routine.replace(0, 2, "he");
  if (is_complex && routine.starts_with("or")) routine.replace(0, 2, "un");
  void* const own = find(ours, type + routine);
  void* const other = find(theirs, type + routine);
  if (own == nullptr || other == nullptr) return void(std::printf("no %s%s_\n", type.c_str(), routine.c_str()));
  Call call(routine, n, is_complex ? 2 : 1, type == "s" || type == "c");
  if (!routine.ends_with("rd")) {
    const std::string kind = routine.substr(routine.size() - 2);
    const std::string reduction = (kind == "tr" ? is_complex ? "he" : "sy" : "ge") + kind + "d";
    call.prepare(find(theirs, type + reduction), reduction);
  }
  std::vector<double> first, second, ratios;
  const bool is_short = call.seconds(own) < 0.2 && call.seconds(other) < 0.2;
  // Each turn after a pause: threads of a library wait for its next call, busily, for a tenth of a second or less. And
  // after a call that is not timed, but where a call is so long that its begin does not matter.
  const auto turn = [&](void* function, std::vector<double>& times) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    if (is_short) call.seconds(function);
    std::vector<double> of_turn;
    const Clock::time_point begin = Clock::now();
    do of_turn.push_back(call.seconds(function));
    while (Clock::now() - begin < std::chrono::milliseconds(60));
    times.insert(times.end(), of_turn.begin(), of_turn.end());
    return median(of_turn);
  };
  const int turns = is_short ? 9 : 5;
  for (int i = 0; i < turns; ++i) {
    const bool own_first = i % 2 == 0;
    const double one = own_first ? turn(own, first) : turn(other, second);
    const double two = own_first ? turn(other, second) : turn(own, first);
    ratios.push_back(own_first ? two / one : one / two);
  }
  const double best = *std::min_element(first.begin(), first.end()),
               best_of_other = *std::min_element(second.begin(), second.end());
  std::printf("%s%s  n %5d  %9.3f ms  %9.3f ms  %5.2f   best %9.3f %9.3f  %5.2f\n", type.c_str(), routine.c_str(), n,
              1e3 * median(first), 1e3 * median(second), median(ratios), 1e3 * best, 1e3 * best_of_other,
              best_of_other / best);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::printf("compare_times OURS THEIRS [type [routine [n...]]]\n"), 2;
  // Theirs first: loaded as what ours depends on, it would find ours where one of its routines calls another.
  void* const theirs = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  void* const ours = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (ours == nullptr || theirs == nullptr) return std::printf("%s\n", dlerror()), 2;
  std::vector<std::string> types = {"d", "s"}, routines = {"sytrd", "gebrd", "gehrd"};
  std::vector<int> sizes = {64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048};
  if (argc > 3) types = {argv[3]};
  if (argc > 4) routines = {argv[4]};
  if (argc > 5) sizes.clear();
  for (int i = 5; i < argc; ++i) sizes.push_back(std::atoi(argv[i]));
  std::printf("routine        n         ours       theirs  ratio (above 1: ours is faster)\n");
  for (const std::string& type : types)
    for (const std::string& routine : routines)
      for (const int n : sizes) compare(ours, theirs, type, routine, n);
  return 0;
}

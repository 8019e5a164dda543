// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/tune.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>

#include "backends/registry.hpp"
#include "bench/geometric_mean.hpp"
#include "command/tune_model.hpp"
#include "onepass/onepass.h"
#include "plan/tuning_table.hpp"
#include "problem/names.hpp"
#include "support/arguments.hpp"
#include "support/build_info.hpp"
#include "support/file.hpp"
#include "support/interrupt.hpp"
#include "support/number_options.hpp"
#include "support/terminal.hpp"
#include "tune/dry_clock.hpp"
#include "tune/tuner.hpp"
#include "tune/worth.hpp"

namespace onepass::tools {
namespace {

namespace fs = std::filesystem;

// Random problems of 50 KB to 1 GB, unless --max-bytes says less.
Axes axes_of(const TuneOptions& o) {
  Axes axes{.types = parse_list("--type", o.types),
            .ops = parse_ops(o.ops),
            .layout = parse_layout_name(o.layout),
            .min_bytes = 5e4,
            .seed = o.seed};
  for (const std::string& word : axes.types) {
    const auto type = parse_type(word);
    if (!type || *type == Type::w) refuse("--type", word, "must be one of s d c z h b");
  }
  if (std::ranges::find(axes.ops, Op::c) != axes.ops.end())
    throw Failure(Exit::usage, "--op C: it takes the launches of T");
  axes.complex_ops = axes.ops;
  return axes;
}

std::vector<Problem> problems_of(const TuneOptions& o, const Axes& axes) {
  std::vector<Problem> problems;
  if (o.model || o.kernels) return problems;
  if (o.shapes.empty())
    throw Failure(Exit::usage,
                  "tune needs the shapes of your products, such as --shape 4096x4096; all others the model plans. "
                  "--model fits that to this GPU");
  for (const std::string& type : axes.types)
    for (const Op op : axes.ops)
      for (const auto& [m, n] : parse_shapes(o.shapes, 1))
        problems.push_back(problem_of_shape(*parse_type(type), op, axes.layout, m, n));
  return problems;
}

std::unique_ptr<LaunchClock> clock_of(const TuneOptions& o) {
  if (o.dry_run) {
    if (o.kernels) throw Failure(Exit::usage, "--kernels times kernels: --dry-run has nothing to say of them");
    if (o.output.empty())
      throw Failure(Exit::usage, "--dry-run times nothing: name a file for its table, --output FILE");
    const DeviceTraits traits = h200_traits();
    return o.model ? make_dry_clock(traits, o.seed, hidden_prices(traits, o.seed)) : make_dry_clock(traits, o.seed);
  }
  const Backend& backend = require_backend(o.backend.empty() ? "cuda" : o.backend);
  if (backend.id() != BackendId::cuda)
    throw Failure(Exit::usage, fmt::format("--backend {}: only launches of cuda can be tuned; --dry-run shows how it "
                                           "goes without a device",
                                           name(backend.id())));
  return make_launch_clock(o.alone || o.model || o.kernels);
}

std::string output_of(const TuneOptions& o, const DeviceTraits& traits) {
  if (!o.output.empty()) return o.output;
  std::string path = user_tuning_file(traits);
  if (path.empty()) throw Failure(Exit::usage, "there is no home to keep the table in: name a file, --output FILE");
  std::error_code refused;  // then the file cannot be written either, which is said
  fs::create_directories(fs::path(path).parent_path(), refused);
  return path;
}

// The table that is about to be written anew, if it is one that serves; else one without shapes.
TuningTable table_before(const std::string& path, const DeviceTraits& traits) {
  TuningTable table;
  if (const std::optional<std::string> text = read_file(path)) {
    const Status status = read_table(*text, path, &table);
    const std::string why = status.ok() ? table.why_not_for(traits) : status.text;
    if (why.empty()) return table;
    fmt::print("{} is written anew: {}\n", path, why);
  }
  return {.device = traits.name, .arch = traits.arch, .sm_count = traits.sm_count};
}

// Where the table comes from: the last run that timed something.
void sign(TuningTable& table, const TuneOptions& o, const LaunchClock& clock) {
  for (const Fact& fact : clock.facts()) {
    if (fact.name == "driver") table.driver = fact.value;
    if (fact.name == "toolkit") table.toolkit = fact.value;
  }
  table.library = onepassVersion();
  table.commit = build_commit();
  table.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  table.how = o.dry_run ? "a dry run: no device was timed"
              : o.model
                  ? "onepass tune --model: cold and alone, random problems"
                  : fmt::format("onepass tune{}: cold, columns that follow each other", o.alone ? " --alone" : "");
}

void report_shape(const ShapeTimes& shape) {
  const Problem& p = shape.problem;
  const std::string title = fmt::format("{} {} {}x{}", name(p.type_a), name(p.op), p.m, p.n);
  if (!shape.timed())
    fmt::print("{:<22} not timed: {}\n", title, shape.why_not);
  else if (deserves_entry(shape))
    fmt::print("{:<22} {:>8.2f} us  {}, {:.3f} times as fast as the model's {}\n", title, 1e6 * shape.seconds,
               print(shape.fastest), shape.gain(), print(shape.model));
  else
    fmt::print("{:<22} {:>8.2f} us  {}, the model's: of {} launches none is over 1 % faster\n", title,
               1e6 * shape.model_seconds, print(shape.model), shape.launches);
}

void report(const TunerResult& result, const std::string& output, double seconds) {
  for (const ShapeTimes& shape : result.shapes) report_shape(shape);
  fmt::print("{} launches timed and checked in {:.0f} s", result.launches, seconds);
  if (result.discarded > 0) fmt::print("; {} rounds repeated, the clock had dropped", result.discarded);
  fmt::print("\ntable   {}\n", output);
  if (result.wrong > 0)
    fmt::print("{}: {} launches failed or gave wrong results and are not in the table; the first: {}\n",
               paint(Colour::red, "WRONG"), result.wrong, result.first_wrong);
}

// How much longer the problems of each kernel would take without it.
Exit report_worth(LaunchClock& clock, const Axes& axes, double seconds) {
  std::vector<KernelWorth> worth;
  {
    Progress progress("tune", static_cast<std::size_t>(seconds));
    worth = kernel_worth(clock, axes, seconds, [&](double passed, const std::string& what) {
      progress.update(static_cast<std::size_t>(passed), what);
      return !interrupted();
    });
  }
  fmt::print("{:<24} {:>8} {:>8} {:>10} {:>7} {:>7}\n", "kernel", "problems", "others", "without it", "least", "most");
  for (const KernelWorth& k : worth) {
    if (k.gain.empty()) {
      fmt::print("{:<24} {:>8} {:>8}\n", name(k.variant), k.problems, "none");
      continue;
    }
    GeometricMean mean;
    for (const double gain : k.gain) mean.add(gain);
    fmt::print("{:<24} {:>8} {:>8} {:>10.2f} {:>7.2f} {:>7.2f}\n", name(k.variant), k.problems, k.gain.size(),
               mean.value(), std::ranges::min(k.gain), std::ranges::max(k.gain));
  }
  fmt::print("without it: time of the best launch of the other kernels over that of its own, calls alone\n");
  return interrupted() ? Exit::interrupted : Exit::ok;
}

}  // namespace

CLI::App* add_tune(CLI::App& app, TuneOptions& o) {
  CLI::App* command = app.add_subcommand("tune", "Times launches of your shapes; the library then uses the fastest");
  command->footer(
      "A shape gets an entry in the table where a launch is more than 1 % faster than the one that the model chooses.\n"
      "Without --output the table is in $XDG_CONFIG_HOME/onepass/tuning (or ~/.config/...), where the library looks "
      "for "
      "it;\n"
      "what it has of other shapes stays. Ctrl-C keeps the shapes that are done.\n"
      "With --model random shapes are timed instead and the prices of the model are fitted to them: for a GPU of your "
      "own.\n"
      "Examples:\n"
      "  onepass tune --shape 28672x4096,4096x14336 --layout row --op N --type b   (layers of your model)\n"
      "  onepass tune --shape 1000 --type s,d --budget 10s --output my-gpu.json\n"
      "  ONEPASS_TUNING=my-gpu.json onepass explain gemv 1000   (uses that table; off: none)\n"
      "  onepass tune --model --budget 30m\n"
      "  onepass tune --shape 1000 --dry-run --output dry.json   (no GPU needed: the model with noise is the clock)");
  auto* const shape = command->add_option("--shape", o.shapes, "list such as 4096x512,1000: what is tuned");
  command->add_flag("--model", o.model, "fits the prices of the model to launches of random shapes")->excludes(shape);
  command->add_flag("--kernels", o.kernels, "what each kernel is worth: random problems timed with it and without")
      ->excludes(shape);
  command->add_option("--type", o.types, "list of s d c z h b")->capture_default_str();
  command->add_option("--op", o.ops, "list of N T; C takes the launches of T")->capture_default_str();
  command->add_option("--layout", o.layout, "of A: column or row")->capture_default_str();
  command->add_option("--budget", o.budget, "time for all of it, such as 90s, 10m, 1h")->capture_default_str();
  command->add_option("--output", o.output, "the table");
  command->add_flag("--alone", o.alone,
                    "by calls with another kernel between them alone; default: the mean with calls in a queue");
  add_positive(command, "--max-bytes", o.max_bytes,
               "of the largest matrix; default: 2.2e9 (--model: 1e9) or an eighth of the memory", most_bytes);
  command->add_option("--backend", o.backend, "cuda, the only one that can be tuned");
  command->add_flag("--dry-run", o.dry_run, "no device: times of the model with noise");
  add_integer(command, "--seed", o.seed, "of random shapes, and of the noise of a dry run", 0)->capture_default_str();
  return command;
}

Exit run_tune(const TuneOptions& options) {
  Axes axes = axes_of(options);
  const std::vector<Problem> problems = problems_of(options, axes);
  const double seconds = parse_duration("--budget", options.budget);
  const std::unique_ptr<LaunchClock> clock = clock_of(options);
  const DeviceTraits& traits = clock->traits();
  const double memory = static_cast<double>(traits.memory_bytes);
  const double largest = options.model || options.kernels ? 1e9 : 2.2e9;
  const double most_bytes = options.max_bytes > 0 ? options.max_bytes : std::min(largest, memory / 8);
  axes.max_bytes = most_bytes;
  if (options.kernels) return report_worth(*clock, axes, seconds);
  const std::string output = output_of(options, traits);
  require_writable(output);
  if (options.model) {
    return tune_model(*clock, axes, seconds, [&](const ModelFit& fit) {
      TuningTable table = table_before(output, traits);
      update(table, fit);
      sign(table, options, *clock);
      write_file(output, write_table(table));
      fmt::print("table   {}\n", output);
    });
  }

  Tuner tuner(*clock, {.seconds = seconds, .most_bytes = most_bytes});
  TunerResult result;
  {
    Progress progress("tune", problems.size());
    result = tuner.run(problems, [&](std::size_t done, const std::string& what) {
      progress.update(done, what);
      return !interrupted();
    });
  }
  TuningTable table = table_before(output, traits);
  update(table, result.shapes);
  if (std::ranges::any_of(result.shapes, &ShapeTimes::timed)) sign(table, options, *clock);
  write_file(output, write_table(table));
  report(result, output, clock->elapsed());
  if (!result.complete) {
    fmt::print("interrupted: {} of {} shapes are done\n", result.shapes.size(), problems.size());
    return Exit::interrupted;
  }
  return result.wrong == 0 ? Exit::ok : Exit::failed;
}

}  // namespace onepass::tools

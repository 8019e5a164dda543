// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/tune.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "backends/registry.hpp"
#include "onepass/onepass.h"
#include "plan/gemv_tuned.hpp"
#include "problem/names.hpp"
#include "support/arguments.hpp"
#include "support/build_info.hpp"
#include "support/file.hpp"
#include "support/interrupt.hpp"
#include "support/number_options.hpp"
#include "support/terminal.hpp"
#include "tune/dry_clock.hpp"
#include "tune/table.hpp"
#include "tuning/files.hpp"
#include "tuning/read.hpp"
#include "tuning/write.hpp"

namespace onepass::tools {
namespace {

namespace fs = std::filesystem;

std::vector<Type> types_of(const TuneOptions& o) {
  std::vector<Type> types;
  for (const std::string& word : parse_list("--type", o.types)) {
    const auto type = parse_type(word);
    if (!type || *type == Type::h || *type == Type::w)
      refuse("--type", word, "must be one of s d c z b; fp16 takes the launches of b, and w those of z");
    types.push_back(*type);
  }
  return types;
}

template <class Letter>
bool contains(const std::vector<Letter>& letters, Letter letter) {
  return std::ranges::find(letters, letter) != letters.end();
}

void add_meshes(std::vector<Mesh>& meshes, const Mesh& form, bool first, bool second) {
  for (const bool other : {false, true})
    for (const bool aligned : {true, false}) {
      if (other ? !second : !first) continue;
      meshes.push_back(form);
      meshes.back().second = other;
      meshes.back().aligned = aligned;
    }
}

// The shapes of --shape, each by itself.
std::vector<Mesh> exact_meshes(const TuneOptions& o, const std::vector<Op>& ops) {
  const bool row_major = parse_layout_name(o.layout) == Layout::row;
  std::vector<Mesh> meshes;
  for (const Type type : types_of(o))
    for (const Op op : ops)
      for (const auto& [m, n] : parse_shapes(o.shapes, 1))
        meshes.push_back(exact_mesh(type, (op == Op::t) != row_major, row_major ? n : m, row_major ? m : n));
  return meshes;
}

std::vector<Mesh> meshes_of(const TuneOptions& o) {
  const auto ops = parse_ops(o.ops);
  const auto uplos = parse_uplos(o.uplos);
  if (contains(ops, Op::c)) throw Failure(Exit::usage, "--op C: it takes the launches of T");
  if (!o.shapes.empty()) {
    if (!contains(parse_routines(o.routines), Routine::gemv))
      throw Failure(Exit::usage, "--shape: single shapes are of gemv; triangles have a rule that knows every order");
    return exact_meshes(o, ops);
  }
  // Where most matrices of programs are, a launch that suits a size by chance does not suit its neighbours: on an H200,
  // s T of 2531 took a fifth longer with the launch of 3219 than 2530 with that of 1987.
  const auto axis = finer(logarithmic(16, 1048576, o.mesh_points), 400, 10000);
  const auto orders = logarithmic(32, 65536, o.mesh_points);
  std::vector<Mesh> meshes;
  for (const Routine routine : parse_routines(o.routines)) {
    if (routine == Routine::hemv) throw Failure(Exit::usage, "--routine hemv: it takes the launches of symv");
    if (family(Problem{.routine = routine}) == Family::ger)
      throw Failure(Exit::usage,
                    fmt::format("--routine {}: its launches follow a rule, and none is tuned", name(routine)));
    for (const Type type : types_of(o)) {
      if (routine == Routine::gemv)
        add_meshes(meshes, {.routine = routine, .type = type, .rows = axis, .cols = axis}, contains(ops, Op::n),
                   contains(ops, Op::t));
      else
        add_meshes(meshes, {.routine = routine, .type = type, .rows = orders, .cols = {1}},
                   contains(uplos, Uplo::lower), contains(uplos, Uplo::upper));
    }
  }
  return meshes;
}

std::unique_ptr<LaunchClock> clock_of(const TuneOptions& o) {
  if (o.dry_run) {
    if (o.output.empty())
      throw Failure(Exit::usage, "--dry-run times nothing: name a file for its table, --output FILE");
    return make_dry_clock(h200_traits(), o.seed);
  }
  const Backend& backend = require_backend(o.backend.empty() ? "cuda" : o.backend);
  if (backend.id() != BackendId::cuda)
    throw Failure(Exit::usage, fmt::format("--backend {}: only launches of cuda can be tuned; --dry-run shows how it "
                                           "goes without a device",
                                           name(backend.id())));
  return make_launch_clock(o.alone);
}

std::string output_of(const TuneOptions& o, const DeviceTraits& traits) {
  if (!o.output.empty()) return o.output;
  std::string path = user_tuning_file(traits);
  if (path.empty()) throw Failure(Exit::usage, "there is no home to keep the table in: name a file, --output FILE");
  std::error_code refused;  // then the file cannot be written either, which is said
  fs::create_directories(fs::path(path).parent_path(), refused);
  return path;
}

std::string beside(const std::string& path, const char* ending) {
  return fs::path(path).replace_extension(ending).string();
}

// A run removes its journal at its end: that must not be the table.
void require_other_than_journal(const std::string& output) {
  if (fs::weakly_canonical(output) == fs::weakly_canonical(beside(output, ".journal")))
    throw Failure(Exit::usage, fmt::format("--output {}: the journal of the run lies there; give the table another "
                                           "ending, such as .json",
                                           output));
}

// A table that is about to be written anew, if it is one that serves; else, why what it had is lost.
std::optional<TableText> table_before(const std::string& path, const DeviceTraits& traits) {
  const std::optional<std::string> text = read_file(path);
  if (!text) return {};
  Tuning table;
  const Status status = Tuning::parse(*text, path, &table);
  const std::string why = status.ok() ? table.why_not_for(traits) : status.text;
  if (!why.empty()) {
    fmt::print("{} is written anew: {}\n", path, why);
    return {};
  }
  TableText members;
  (void)read_table(*text, &members);  // a part of what was read above
  return members;
}

TableHead head_of(const TuneOptions& o, const LaunchClock& clock) {
  return {.library = onepassVersion(),
          .commit = build_commit(),
          .date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
          .how = o.dry_run ? "a dry run: no device was timed"
                 : !o.shapes.empty()
                     ? fmt::format("onepass tune --shape{}: cold, columns that follow each other",
                                   o.alone ? " --alone" : "")
                     : "onepass tune: cold; aligned: columns on 64 bytes, any: an odd lda; lines are rows of A, words "
                       "are columns",
          .facts = clock.facts()};
}

// What must not change between two runs that share a journal.
std::string identity(const TuneOptions& o, const LaunchClock& clock, double most_bytes) {
  return fmt::format(
      "{} sm_{}, Onepass {} {}, --routine {} --type {} --op {} --uplo {} {} --max-bytes "
      "{:g}{}{}",
      clock.traits().name, clock.traits().arch, onepassVersion(), build_commit(), o.routines, o.types, o.ops, o.uplos,
      o.shapes.empty() ? fmt::format("--mesh-points {}", o.mesh_points)
                       : fmt::format("--shape {} --layout {}", o.shapes, o.layout),
      most_bytes, o.alone ? " --alone" : "", o.dry_run ? fmt::format(" --dry-run --seed {}", o.seed) : "");
}

// A line for each single shape: its launch, and what it had.
void report_shapes(const TunerResult& result, const TuneOptions& o, const DeviceTraits& traits) {
  const bool row_major = parse_layout_name(o.layout) == Layout::row;
  for (const TunedMesh& tuned : result.meshes) {
    if (!tuned.mesh.exact) continue;
    const Problem p = problem_at(tuned.mesh, 0, 0);
    const std::vector<Scored>& scored = tuned.cells[0].scored;
    const std::string title =
        fmt::format("{} {} {}x{}", name(tuned.mesh.type), tuned.mesh.second != row_major ? 'T' : 'N',
                    row_major ? p.n : p.m, row_major ? p.m : p.n);
    if (scored.empty()) {
      fmt::print("{:<22} not timed: {}\n", title,
                 tuned.cells[0].fits ? "a longer --budget times it" : "too large, see --max-bytes");
      continue;
    }
    const Launch before = cell_of_gemv(p, traits).tuned;
    const auto found = std::ranges::find(scored, before, &Scored::launch);
    fmt::print("{:<22} {:>8.2f} us  {:<14}", title, 1e6 * scored[0].seconds, print(scored[0].launch));
    if (found != scored.end()) fmt::print(" before {:>8.2f} us  {}", 1e6 * found->seconds, print(before));
    fmt::print("\n");
  }
}

void report(const TunerResult& result, const std::string& output, double spent) {
  fmt::print("{} shapes, {} launches timed and checked in {:.0f} s", result.timed, result.launches, spent);
  if (result.discarded > 0) fmt::print("; {} rounds repeated, the clock had dropped", result.discarded);
  if (result.untimed > 0)
    fmt::print("; {} shapes not timed, they are left to the model: a longer --budget times them", result.untimed);
  fmt::print("\ntable   {}\nscores  {}\n", output, beside(output, ".scores.json"));
  if (result.wrong > 0)
    fmt::print("{}: {} launches failed or gave wrong results and are not in the table; the first: {}\n",
               paint(Colour::red, "WRONG"), result.wrong, result.first_wrong);
}

}  // namespace

CLI::App* add_tune(CLI::App& app, TuneOptions& o) {
  CLI::App* command = app.add_subcommand("tune", "Times the launches of this GPU; the library then uses the fastest");
  command->footer(
      "Without --output the table goes to $XDG_CONFIG_HOME/onepass/tuning (or ~/.config/...), where the library looks "
      "for it.\n"
      "Ctrl-C, or even a kill, loses no more than the shape that was being timed: run it again with --resume.\n"
      "Examples:\n"
      "  onepass tune\n"
      "  onepass tune --routine gemv --type s,d --budget 3m --output my-gpu.json\n"
      "  onepass tune --shape 28672x4096,4096x14336 --layout row --op N --type b   (layers of your model, added to "
      "it)\n"
      "  ONEPASS_TUNING=my-gpu.json onepass explain gemv 4096x4096   (uses that table; off: none)\n"
      "  onepass tune --dry-run --output dry.json   (no GPU needed: the model with noise is the clock)");
  command->add_option("--routine", o.routines, "list of gemv symv; hemv takes the launches of symv")
      ->capture_default_str();
  command->add_option("--type", o.types, "list of s d c z b; fp16 takes the launches of b, and w those of z")
      ->capture_default_str();
  command->add_option("--op", o.ops, "list of N T; of gemv; C takes the launches of T")->capture_default_str();
  command->add_option("--shape", o.shapes,
                      "list such as 4096x512: these alone, thoroughly, added to the table; default: a mesh of shapes");
  command->add_option("--layout", o.layout, "of A, for --shape: column or row")->capture_default_str();
  command->add_option("--uplo", o.uplos, "list of L U; of symv")->capture_default_str();
  command->add_option("--budget", o.budget, "time for all of it, such as 90s, 10m, 1h")->capture_default_str();
  command->add_option("--output", o.output, "the table; its scores and its journal lie beside it");
  command->add_flag("--alone", o.alone,
                    "by calls with another kernel between them alone; default: the mean with calls in a queue");
  command->add_flag("--resume", o.resume, "go on with a run that was cut off");
  add_integer(command, "--mesh-points", o.mesh_points,
              "2 to 64 sizes per axis, from 16 to a million; between 400 and 10000 twice as many", 2, 64)
      ->capture_default_str();
  add_positive(command, "--max-bytes", o.max_bytes, "of the largest matrix; default: 2.2e9 or an eighth of the memory",
               most_bytes);
  command->add_option("--backend", o.backend, "cuda, the only one that can be tuned");
  command->add_flag("--dry-run", o.dry_run, "no device: times of the model with noise");
  add_integer(command, "--seed", o.seed, "of the noise of a dry run", 0)->capture_default_str();
  return command;
}

Exit run_tune(const TuneOptions& options) {
  const std::vector<Mesh> meshes = meshes_of(options);
  const double seconds = parse_duration("--budget", options.budget);
  const std::unique_ptr<LaunchClock> clock = clock_of(options);
  const std::string output = output_of(options, clock->traits());
  require_other_than_journal(output);
  require_writable(output);
  const double memory = static_cast<double>(clock->traits().memory_bytes);
  const double most_bytes = options.max_bytes > 0 ? options.max_bytes : std::min(2.2e9, memory / 8);

  Journal journal(beside(output, ".journal"), identity(options, *clock, most_bytes), options.resume);
  Tuner tuner(*clock, journal, {.seconds = seconds, .most_bytes = most_bytes});
  TunerResult result;
  {
    Progress progress("tune", 1);
    result = tuner.run(meshes, [&](std::size_t done, std::size_t all, const std::string& what) {
      progress.set_total(all);
      progress.update(done, what);
      return !interrupted();
    });
  }
  if (!result.complete) {
    fmt::print("interrupted after {} shapes; --resume goes on with {}\n", journal.size(), beside(output, ".journal"));
    return Exit::interrupted;
  }
  const TableHead head = head_of(options, *clock);
  write_file(beside(output, ".scores.json"), scores_text(result, head));
  write_file(output, write_table(table_of(result, head, clock->traits(), table_before(output, clock->traits()))));
  report_shapes(result, options, clock->traits());
  report(result, output, journal.spent());
  journal.remove();
  return result.wrong == 0 ? Exit::ok : Exit::failed;
}

}  // namespace onepass::tools

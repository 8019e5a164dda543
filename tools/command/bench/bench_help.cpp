// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/bench/bench_help.hpp"

#include "reductions/rows.hpp"
#include "support/arguments.hpp"
#include "support/number_options.hpp"

namespace onepass::tools {
namespace {

constexpr const char* footer =
    "Efficiency is the shortest possible time for the bytes, as this run measured it, over the time taken.\n"
    "Onepass and its peers (cuBLAS; OpenBLAS, BLIS, Eigen) are timed in turns; times are medians. Half types have two\n"
    "peers on a GPU: \"cuBLAS gemm\" (cublasGemmEx with one column) and \"cuBLAS gemv\" (its batched gemv). symv and "
    "hemv\n"
    "have \"cuBLAS atomics\" there as well: its faster mode, whose bits differ from run to run.\n"
    "sytrd to gesvd-polar, the reductions, what is done with their Q, eigenproblems, QR and singular values, have\n"
    "--type, --shape, --quick, --backend, --threads, --no-peers and --json, and batched ones --batch; their peer is\n"
    "cuSOLVER, or the host's\n"
    "LAPACK.\n"
    "On a GPU, cold and hot calls stand in a queue: each begins while the one before ends. "
    "With\n"
    "--cache alone another kernel lies between any two of them, and its time is taken off; the floor is that of a "
    "read\n"
    "in the same setting. With --cache chain the x of each call is the y of the one before. Records say which setting\n"
    "a time is of, and `compare` does not mix them.\n"
    "A selection fixes types, ops, shapes, caches and batches; the options under Problems change each of them.\n"
    "--mesh, --sweep and --batched print the summary alone; --points or --csv show every point.\n"
    "Ctrl-C ends the run with what there is so far: the table and a valid JSON record. A run that is killed leaves "
    "the\n"
    "record as it was at most 15 seconds ago. --resume goes on with either, on the same device and the same commit.\n"
    "Examples:\n"
    "  onepass bench --quick\n"
    "  onepass bench gemv --type s,d --op N,T --shape 4096x4096,100x100000 --cache cold\n"
    "  onepass bench gemv --backend cpu --threads 1,2 --json record.json\n"
    "  onepass bench gemv --mesh --json mesh.json --resume\n"
    "  onepass bench gemv --sweep 1:5000:1 --no-peers --json sweep.json\n"
    "  onepass bench gemv --inference\n"
    "  onepass bench gemv --random 500 --seed 7 --cache alone\n"
    "  onepass bench symv --random 200 --pairs\n"
    "  onepass bench gemv --type s --shape 512,1024 --cache cold,alone\n"
    "  onepass bench symv --type d --uplo L,U --shape 1000,4096\n"
    "  onepass bench symv --sweep 64:5000:1 --type d --cache cold --no-peers --json symv-sweep.json\n"
    "  onepass bench ger --type d --shape 1000x500,4096\n"
    "  onepass bench gemv --shape 4096x8192 --type s --layout row --details\n"
    "  onepass bench --all --budget 9m --json records/h200.json --resume\n"
    "  onepass bench gemv --batched pointer --type s --batch 64,1024\n"
    "  onepass bench sytrd --type s,d --json sytrd.json\n"
    "  onepass bench gebrd --shape 4096,8192x1024 --backend cpu --threads 1\n"
    "  onepass bench ormtr --shape 1000\n"
    "  onepass bench --show mesh.json";

void add_selections(CLI::App* command, BenchOptions& o) {
  const std::string group =
      "What to measure (one of these; default: squares, tall and wide shapes, or orders of 64 to 16384)";
  command->add_flag("--quick", o.quick, "a small selection: under a minute or so")->group(group);
  command
      ->add_flag("--mesh", o.mesh,
                 "a logarithmic mesh of shapes, 16 to 1048576 both ways, up to 2.2 GB; s d c z h b, "
                 "ops N T, and C for c z")
      ->group(group);
  command
      ->add_option("--sweep", o.sweep,
                   "squares of first:last:step, such as 1:5000:1, cold and hot; the summary has the "
                   "dips: sizes over 10 % slower than both neighbours at +-64")
      ->group(group);
  command
      ->add_flag("--inference", o.inference,
                 "layers of transformers at batch 1: bf16 weights, outputs x inputs, row major, cold")
      ->group(group);
  add_integer(
      command, "--random", o.random_points,
      "so many random shapes, up to 400 MB, of s d c z, of gemv h b too, each op or triangle; --seed has others", 1,
      1'000'000)
      ->group(group);
  const CLI::Option* batched =
      command
          ->add_option("--batched", o.batching,
                       "batches of 1 to 65536 products of 4 to 512 rows and columns, up to 1 GB: strided, pointer or "
                       "both (default)")
          ->expected(0, 1)
          ->group(group);
  command->parse_complete_callback([&o, batched] { o.batched = batched->count() > 0; });
  command
      ->add_flag("--ceilings", o.ceilings,
                 "only the limits of the machine: read and copy bandwidth by working set, cost of a launch or call")
      ->group(group);
  command
      ->add_flag(
          "--all", o.all,
          "all of these, one after the other, for " + routine_names() + ": a set of records, named after --json FILE")
      ->group(group);
  command->add_option("--show", o.show, "measure nothing: print this record, as a run would have")->group(group);
}

void add_problems(CLI::App* command, BenchOptions& o) {
  const std::string group = "Problems (default: as the selection has them)";
  command->add_option("--type", o.types, "list of " + type_list() + ", or all")->group(group);
  command->add_option("--op", o.ops, "list of N T C; of " + routines_with(Selector::op))->group(group);
  command
      ->add_option("--uplo", o.uplos, "list of L U: the triangle that is stored; of " + routines_with(Selector::uplo))
      ->group(group);
  command->add_option("--shape", o.shapes, "list of rows x columns, such as 4096x4096,100x100000; 4096 is a square")
      ->group(group);
  command->add_option("--shapes", o.shapes_file, "file with a shape per line, such as 4096x512; # begins a comment")
      ->group(group);
  command->add_option("--layout", o.layout, "column or row")->group(group);
  command->add_option("--accumulate", o.accumulate, std::string("list of ") + accumulate_help)->group(group);
  command->add_option("--order", o.order, std::string("list of ") + order_help)->group(group);
  add_integer(command, "--lda", o.pad, "padding: lda is the contiguous dimension and so many elements", 0,
              most_elements)
      ->group(group);
  command->add_option("--batch", o.batches, "list of batch sizes: so many products, one behind the other")
      ->group(group);
  command
      ->add_option(
          "--cache", o.cache,
          "list of cold (a pool larger than the cache), hot (one matrix again and again), alone (cold, another "
          "kernel between any two calls, on a GPU) and chain (cold, x is the y before it, on a GPU); both: "
          "cold,hot")
      ->group(group);
  add_integer(command, "--mesh-points", o.mesh_points, "sizes of the mesh in each direction, 2 to 200", 2, 200)
      ->capture_default_str()
      ->group(group);
  add_positive(command, "--max-bytes", o.max_bytes, "leave out points whose matrices have more bytes", most_bytes)
      ->group(group);
  add_positive(command, "--min-bytes", o.min_bytes, "of a matrix of --random; default: 5e4", most_bytes)->group(group);
  add_integer(command, "--seed", o.seed, "of --random: each seed has other shapes", 0)
      ->capture_default_str()
      ->group(group);
  command
      ->add_flag("--pairs", o.pairs,
                 "behind each shape of --random one with a row, a column or an element of lda more; the summary has "
                 "the pairs whose times over their floors differ most")
      ->group(group);
}

void add_running(CLI::App* command, BenchOptions& o) {
  const std::string group = "How";
  command->add_option("--backend", o.backend, backend_help)->group(group);
  command->add_option("--threads", o.threads, "list of thread counts of the cpu backend; default: 1 and all")
      ->group(group);
  add_positive(command, "--time", o.seconds, "seconds per point", most_seconds)->group(group);
  command
      ->add_option(
          "--budget", o.budget,
          "end within this time, such as 90s or 9m; --all shares it out over its parts. What is then missing is "
          "left to --resume")
      ->group(group);
  command->add_flag("--no-peers", o.no_peers, "time Onepass alone")->group(group);
  command
      ->add_option("--add-peers", o.add_peers,
                   "in place of a run: time the peers at the points of this record that have none yet, and add them")
      ->group(group);
  add_number(command, "--effort", o.effort, "share of the usual effort", 0, 1)->group("");
}

void add_output(CLI::App* command, BenchOptions& o) {
  const std::string group = "Output";
  command->add_option("--json", o.json, "write the record to this file; - for standard output, without the table")
      ->group(group);
  command->add_flag("--resume", o.resume, "go on where the record of --json stops; what it has is not measured again")
      ->group(group);
  command->add_flag("--csv", o.csv, "every point as comma-separated values, in place of the table")->group(group);
  command->add_flag("--points", o.points, "every point in the table, whatever the selection")->group(group);
  command->add_flag("--plans", o.plans, "the plan of every point in the record, of a sweep too")->group(group);
  command
      ->add_flag("--details", o.details,
                 "the plain figures too: allocation, transfers, GFLOP/s and GB/s, shares of the device's peaks")
      ->group(group);
}

}  // namespace

void add_bench(CLI::App& app, BenchOptions& o) {
  CLI::App* command =
      app.add_subcommand("bench", "Time, GB/s and efficiency against the measured floor, beside the peers");
  command->footer(footer);
  std::string formulas;
  for (const RoutineRow& row : routines)
    formulas += (formulas.empty() ? "" : "; ") + std::string(row.name) + ": " + row.formula;
  std::vector<std::string> names = all_routine_names();
  for (const std::string& name : reduction_names()) {
    formulas += "; " + name + ": " + find_reduction(name)->formula;
    names.push_back(name);
  }
  add_one_of(command, "routine", o.routine, formulas, names)->capture_default_str();
  add_selections(command, o);
  add_problems(command, o);
  add_running(command, o);
  add_output(command, o);
}

}  // namespace onepass::tools

// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>

#include "command/bench/bench.hpp"
#include "command/bench/bench_help.hpp"
#include "command/check.hpp"
#include "command/compare.hpp"
#include "command/explain.hpp"
#include "command/info.hpp"
#include "command/ladder.hpp"
#include "command/tune.hpp"
#include "onepass/onepass.h"
#include "reductions/rows.hpp"
#include "support/arguments.hpp"
#include "support/failure.hpp"
#include "support/interrupt.hpp"
#include "support/number_options.hpp"

namespace onepass::tools {
namespace {

CLI::App* add_info(CLI::App& app, InfoOptions& o) {
  CLI::App* command = app.add_subcommand("info", "What this build and this machine have: backends, devices, peers");
  command->add_flag("--json", o.json, "for machines");
  return command;
}

// Of the build, behind the other routines: ", sytrd gebrd gehrd".
std::string with_reductions(bool alone) {
  std::string text;
  for (const std::string& name : reduction_names(alone)) text += (text.empty() ? ", " : " ") + name;
  return text;
}

CLI::App* add_explain(CLI::App& app, ExplainOptions& o) {
  CLI::App* command = app.add_subcommand("explain", "The plan of a problem: choice, declines, bytes, time floor");
  command->footer(
      "Examples:\n"
      "  onepass explain gemv --type b --op T 4096x14336\n"
      "  onepass explain symv --type d --uplo U 4096\n"
      "  onepass explain ger --type d 1000x500 --lda 1024 --backend sim\n"
      "  onepass explain sytrd --type d 4096\n"
      "  onepass explain gemv --type s --layout row 1000x1000 --lda 1024 --backend sim   (a simulated H200; no GPU "
      "needed)");
  std::vector<std::string> names = all_routine_names();
  for (const std::string& name : reduction_names()) names.push_back(name);
  add_one_of(command, "routine", o.routine, "one of " + routine_names() + with_reductions(false), names)->required();
  command->add_option("shape", o.shape, "rows x columns of A, such as 4096x512, or 4096 for a square")->required();
  command->add_option("--type", o.type, "s d c z h b w, or hhs, bbs: half A and x, float y")->capture_default_str();
  command->add_option("--op", o.op, "N, T or C; of " + routines_with(Selector::op))->capture_default_str();
  command->add_option("--uplo", o.uplo, "L or U: the triangle that is stored; of " + routines_with(Selector::uplo))
      ->capture_default_str();
  command->add_option("--layout", o.layout, "column or row")->capture_default_str();
  command->add_option("--accumulate", o.accumulate, accumulate_help)->capture_default_str();
  command->add_option("--order", o.order, order_help)->capture_default_str();
  add_integer(command, "--lda", o.lda, "leading dimension; default: the contiguous dimension", 1, most_elements);
  add_integer(command, "--incx", o.incx, "increment of x", -most_elements, most_elements)->capture_default_str();
  add_integer(command, "--incy", o.incy, "increment of y", -most_elements, most_elements)->capture_default_str();
  add_integer(command, "--batch", o.batch, "products, one behind the other", 0)->capture_default_str();
  add_integer(command, "--threads", o.threads, "of the cpu backend; 0: all", 0, most_threads)->capture_default_str();
  command->add_option("--backend", o.backend, backend_help);
  command->add_flag("--json", o.json, "for machines");
  command->add_flag("--time", o.time, "how long choosing the plan takes here, too");
  return command;
}

CLI::App* add_check(CLI::App& app, CheckOptions& o) {
  CLI::App* command = app.add_subcommand("check",
                                         "Random problems against the reference, reductions by their residuals; exit "
                                         "code 1 if one fails");
  command->footer(
      "Each failure prints the command that runs it again.\n"
      "Reductions have a fixed list of problems in place of --count: orders of 1 to 40 and around the borders of "
      "panels,\n"
      "both triangles, tall and wide, parts that are reduced already, special matrices. |A - Q R P^H| / (|A| n eps) "
      "and\n"
      "|I - Q Q^H| / (n eps) must be below 30; of syevd R is diag(w), Q is V, and eigenvalues without V are near w;\n"
      "of gesvd R is diag(s), Q is U and P is V, and singular values without vectors are near s.\n"
      "A batch has matrices of every kind, also one with NaN, in one call and in another order in a second one.\n"
      "Examples:\n"
      "  onepass check --backend sim --count 200\n"
      "  onepass check --backend cuda --type s,bbs --seed 7 --index 41\n"
      "  onepass check --routine ger,gerc --backend cpu\n"
      "  onepass check sytrd,gebrd,gehrd --backend cpu --max-size 100\n"
      "  onepass check --problem \"gemv s T row 37x12 lda 14 incx -2 alpha 0.5 beta 1 seed 3\"");
  const std::string reductions = with_reductions(true);
  command->add_option("--backend", o.backend, backend_help);
  add_integer(command, "--count", o.count, "number of problems", 1)->capture_default_str();
  add_integer(command, "--seed", o.seed, "of the sequence of problems", 0)->capture_default_str();
  add_integer(command, "--index", o.index, "only this problem of the sequence, from 0", 0);
  command
      ->add_option(
          "routine,--routine", o.routines,
          "list of " + routine_names() + ", or all" + (reductions.empty() ? "" : "; or of" + reductions.substr(1)))
      ->capture_default_str();
  command->add_option("--type", o.types, "list of " + type_list() + ", or all")->capture_default_str();
  command->add_option("--accumulate", o.accumulate, std::string("list of ") + accumulate_help)->capture_default_str();
  command->add_option("--order", o.order, std::string("list of ") + order_help)->capture_default_str();
  constexpr std::int64_t most_size = std::int64_t{1} << 20;
  add_integer(command, "--max-size", o.max_size,
              "side of the largest square; default: 700, and 96 on sim; of reductions 257, and 65 on reference", 1,
              most_size);
  add_integer(command, "--threads", o.threads, "of the cpu backend; 0: all", 0, most_threads)->capture_default_str();
  command->add_option("--problem", o.problem, "only this problem, as a failure printed it");
  return command;
}

constexpr const char* no_memory = "there is not enough memory for this: take smaller sizes, or fewer at a time";

int failed(Exit code, std::string_view why) {
  fmt::print(stderr, "onepass: {}\n", why);
  return static_cast<int>(code);
}

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "onepass" : "onepass " + chosen.front()->get_name();
  return failed(Exit::usage, fmt::format("{}\n`{} --help` shows what there is, with examples",
                                         with_short_words(error.what()), command));
}

// An empty word is a variable of a script that was not set, and would choose a default that nobody meant; a value of a
// flag, as in --mesh=200, would be taken for yes.
void refuse_meaningless_words(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({}))
    for (CLI::Option* option : command->get_options())
      if (option->get_expected_min() > 0)
        option->check([](const std::string& word) { return std::string(word.empty() ? "must not be empty" : ""); });
      else if (option->get_expected_max() == 0)
        option->check([](const std::string& word) { return std::string(word == "true" ? "" : "takes no value"); });
}

int run(int argc, char** argv) {
  CLI::App app("Onepass: matrix-vector products that read the matrix once.", "onepass");
  app.set_version_flag("--version", onepassVersion());
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 ok, 1 a check or a measurement failed, 2 wrong usage, 3 backend not available, 130 interrupted.\n"
      "`onepass COMMAND --help` shows the options of a command, with examples.");
  InfoOptions info;
  ExplainOptions explain;
  CheckOptions check;
  BenchOptions bench;
  CompareOptions compare;
  LadderOptions ladder;
  TuneOptions tune;
  const CLI::App* info_command = add_info(app, info);
  const CLI::App* explain_command = add_explain(app, explain);
  const CLI::App* check_command = add_check(app, check);
  add_bench(app, bench);
  const CLI::App* compare_command = add_compare(app, compare);
  const CLI::App* ladder_command = add_ladder(app, ladder);
  const CLI::App* tune_command = add_tune(app, tune);
  refuse_meaningless_words(app);
  try {
    app.parse(argc, argv);
    catch_interrupts();
    if (info_command->parsed()) return static_cast<int>(run_info(info));
    if (explain_command->parsed()) return static_cast<int>(run_explain(explain));
    if (check_command->parsed()) return static_cast<int>(run_check(check));
    if (compare_command->parsed()) return static_cast<int>(run_compare(compare));
    if (ladder_command->parsed()) return static_cast<int>(run_ladder(ladder));
    if (tune_command->parsed()) return static_cast<int>(run_tune(tune));
    return static_cast<int>(run_bench(bench));
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error);
  } catch (const Failure& failure) {
    return failed(failure.code(), failure.what());
  } catch (const std::bad_alloc&) {
    return failed(Exit::failed, no_memory);
  } catch (const std::length_error&) {  // of a vector longer than any memory
    return failed(Exit::failed, no_memory);
  } catch (const std::filesystem::filesystem_error& error) {
    return failed(Exit::failed, fmt::format("{}: {}", error.path1().string(), error.code().message()));
  } catch (const std::exception& error) {
    return failed(Exit::failed, error.what());
  }
}

// What is still in a buffer may find a full disk or a closed file. Help goes through std::cout, all else through
// stdout.
int flushed(int code) {
  std::cout.flush();
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (written || code != static_cast<int>(Exit::ok)) return code;
  fmt::print(stderr, "onepass: cannot write to standard output: what was printed is not complete\n");
  return static_cast<int>(Exit::failed);
}

}  // namespace

int run_program(int argc, char** argv) { return flushed(run(argc, argv)); }

}  // namespace onepass::tools

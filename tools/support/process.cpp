// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "support/failure.hpp"
#include "support/interrupt.hpp"

namespace onepass::tools {
namespace {

constexpr const char* self = "/proc/self/exe";

struct FileActions {
  posix_spawn_file_actions_t value{};
  FileActions() { posix_spawn_file_actions_init(&value); }
  ~FileActions() { posix_spawn_file_actions_destroy(&value); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
};

struct Attributes {
  posix_spawnattr_t value{};
  Attributes() { posix_spawnattr_init(&value); }
  ~Attributes() { posix_spawnattr_destroy(&value); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
};

// In a group of its own: a Ctrl-C of the terminal then reaches it through us, once.
pid_t start(const std::vector<std::string>& arguments) {
  std::vector<char*> words = {const_cast<char*>("onepass")};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  FileActions files;
  posix_spawn_file_actions_addopen(&files.value, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  Attributes attributes;
  posix_spawnattr_setflags(&attributes.value, POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  if (const int error = posix_spawn(&process, self, &files.value, &attributes.value, words.data(), environ); error != 0)
    throw Failure(Exit::failed, fmt::format("cannot start this program once more: {}", std::strerror(error)));
  return process;
}

}  // namespace

int run_self(const std::vector<std::string>& arguments) {
  const pid_t process = start(arguments);
  int status = 0;
  for (bool told = false; waitpid(process, &status, WNOHANG) == 0;) {
    if (interrupted() && !told) told = kill(process, SIGINT) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (!WIFEXITED(status))
    throw Failure(Exit::failed,
                  fmt::format("`onepass {}` was killed by signal {}", fmt::join(arguments, " "), WTERMSIG(status)));
  return WEXITSTATUS(status);
}

}  // namespace onepass::tools

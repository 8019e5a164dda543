#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The table of CONTRIBUTING.md that says where the time of a test run goes: from the logs that `.ci/run` leaves in
build/, of ninja, of ctest and of its own stages. Run it after `.ci/run` on a clean clone."""
import datetime
import os
import pathlib
import re
import subprocess
import sys

from document_block import replace_block

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "CONTRIBUTING.md"
STAGES = {"test": "nocuda", "sanitize": "sanitize", "cuda": "default"}
# The first that fits names the part of a build that a file belongs to.
PARTS = (("kernels of CUDA", r"\.cu\.o$"),
         ("kernels of the cpu backend", r"backends/cpu/kernels\.cpp"),
         ("kernels on the simulator, GEMV, SYMV, GER", r"backends/sim/|Unity/unity_simulator"),
         ("kernels on the simulator, reductions", r"^tests/lapack_device.*\.o$"),
         ("the rest of the library", r"^src/.*\.o$"),
         ("the program", r"^tools/.*\.o$"),
         ("other tests", r"^tests/.*\.o$"),
         ("linking", r""))


def part_of(output):
    return next(part for part, pattern in PARTS if re.search(pattern, output))


def compile_seconds(preset):
    """Seconds of each part, the cores of the machine added up."""
    last = {}
    for line in (ROOT / f"build/{preset}/.ninja_log").read_text().splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        last[output] = (int(end) - int(begin)) / 1000
    parts = dict.fromkeys((part for part, _ in PARTS), 0.0)
    for output, seconds in last.items():
        parts[part_of(output)] += seconds
    return parts


def test_seconds(preset):
    times = {}
    for line in (ROOT / f"build/{preset}/Testing/Temporary/CTestCostData.txt").read_text().split("---")[0].splitlines():
        name, _, seconds = line.split()
        times[name] = float(seconds)
    return times


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] +
                     ["| " + " | ".join(row) + " |" for row in rows])


def main():
    stages = (ROOT / "build/ci-logs/stages.txt").read_text().split("\n")
    stages = [line.split() for line in stages if line]
    presets = {stage: preset for stage, preset in STAGES.items() if any(s[0] == stage for s in stages)}
    compiled = {stage: compile_seconds(preset) for stage, preset in presets.items()}
    tests = {stage: test_seconds(preset) for stage, preset in presets.items()}

    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text() + "\nmodel name: unknown").group(1)
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, check=True, capture_output=True,
                            text=True).stdout.strip()
    text = [f"{model}, {os.cpu_count()} cores, {datetime.date.today()}, commit {commit}; minutes by the clock, nothing "
            "in ccache at the beginning: " +
            ", ".join(f"{name} {int(seconds) / 60:.1f}" for name, _, seconds in stages) +
            f"; together {sum(int(s[2]) for s in stages) / 60:.1f}.",
            "Seconds, all cores added up:"]
    rows = [[part] + [f"{compiled[stage][part]:.0f}" for stage in presets] for part, _ in PARTS]
    slowest = sorted(tests["test"], key=tests["test"].get, reverse=True)[:10]
    for name in slowest:
        rows.append([f"`{name}`"] + [f"{tests[stage][name]:.0f}" if name in tests[stage] else "" for stage in presets])
    rows.append(["other tests"] + [f"{sum(t for n, t in tests[stage].items() if n not in slowest):.0f}"
                                   for stage in presets])
    text.append(table(["part"] + list(presets), rows))
    DOCUMENT.write_text(replace_block(DOCUMENT.name, DOCUMENT.read_text(), "times", "\n\n".join(text)))


if __name__ == "__main__":
    sys.exit(main())

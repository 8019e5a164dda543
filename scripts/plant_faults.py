#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plants the faults of tests/faults/*.toml, one at a time, and tells which of them the tests catch.

A fault is a text of one file (`find`, there exactly once) and what a mistake would make of it (`replace`). Where the
replacement has the word FAULT it is code that is right without and wrong with the fault: all of these are compiled in
one build, and an environment variable switches one on. Others (Python, documents) are planted as text, one by one.
`tests` has regular expressions for names of ctest, of tests that should fail; `first` may have one for the cases of
GoogleTest in them that are tried before all others, to be sooner done; `why` says how the mistake comes about.

They are planted in a copy, build/faults/source, which is built in build/faults/build; both are kept for the next time.
Exit code: 0 if all are caught, 1 if not, 2 if the list, the build or the tests without a fault are at fault."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from fault_list import ROOT, Unusable, read_faults, switched_files

SECONDS = 900  # a test that takes longer with a fault has noticed it
LINES = 40  # of the output of what failed


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True, text=True).stdout


def output_of(command, folder, environment=None):
    done = subprocess.run(command, cwd=folder, env=os.environ | (environment or {}), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return done.returncode, done.stdout


def write_if_other(path, content):
    """Builds do not compile again what has not changed."""
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


class Checkout:
    """Where faults are planted: a copy of this checkout, or, in place, this checkout itself."""

    def __init__(self, faults, folder, in_place):
        self.files = switched_files(faults)
        self.in_place = in_place
        self.root = ROOT if in_place else folder / "source"

    def __enter__(self):
        if not self.in_place:
            self.copy()
        elif git("status", "--porcelain"):
            raise Unusable("--in-place needs a checkout without changes of its own")
        for file, text in self.files.items():
            write_if_other(self.root / file, text.encode())
        return self

    def __exit__(self, *_):
        if self.in_place:
            git("checkout", "--", *self.files)

    def copy(self):
        listed = [f for f in git("ls-files", "-co", "--exclude-standard", "-z").split("\0") if f and (ROOT / f).is_file()]
        for file in listed:
            if file not in self.files:
                write_if_other(self.root / file, (ROOT / file).read_bytes())
                shutil.copymode(ROOT / file, self.root / file)
        for path in [p for p in self.root.rglob("*") if p.is_file()]:
            if str(path.relative_to(self.root)) not in listed:
                path.unlink()


class Build:
    def __init__(self, checkout, folder, preset, jobs):
        self.checkout, self.folder, self.preset, self.jobs = checkout, folder, preset, str(jobs)

    def configure(self):
        self.do("cmake", "--preset", self.preset, "-B", self.folder, "-DONEPASS_UNITY=ON", "-DONEPASS_LAPACK=ON")

    def build(self):
        self.do("cmake", "--build", self.folder, "-j", self.jobs)

    def do(self, *command):
        code, output = output_of(command, self.checkout.root)
        if code != 0:
            raise Unusable(f"{' '.join(map(str, command))} failed:\n" + "\n".join(output.splitlines()[-LINES:]))

    def tests(self):
        """What ctest knows of each test, by its name, without the one that sees that faults are planted."""
        shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=self.folder, check=True, capture_output=True, text=True)
        return {test["name"]: test for test in json.loads(shown.stdout)["tests"] if test["name"] != "faults.places"}

    def run_all(self, names, fault=None):
        """The tests that failed, and what was printed; with a fault, up to the first of them."""
        code, output = output_of(["ctest", "-j", self.jobs, "-R", "^(" + "|".join(map(re.escape, names)) + ")$", "--timeout",
                                  str(SECONDS), "--no-tests=error", "--output-on-failure"] + ["--stop-on-failure"] * bool(fault),
                                 self.folder, fault.environment if fault else None)
        failed = re.findall(r"^\s+\d+ - (\S+) \((?!Not Run)([^)]*)\)", output, re.MULTILINE)
        if code != 0 and not failed:
            raise Unusable(f"ctest ended with {code}, and no test failed:\n" + "\n".join(output.splitlines()[-LINES:]))
        return [name if how == "Failed" else f"{name} ({how})" for name, how in failed], output

    def run_first(self, tests, fault):
        """Likewise of the cases that are tried first, as far as ctest would run them."""
        for test in tests:
            if not pathlib.Path(test["command"][0]).name.startswith("test_"):
                continue
            of_test = next((p["value"] for p in test["properties"] if p["name"] == "ENVIRONMENT"), [])
            environment = fault.environment | dict(value.split("=", 1) for value in of_test)
            cases = [case for case in self.cases_of(test, environment) if re.search(fault.first, case)]
            if not cases:
                continue
            code, output = output_of(["timeout", str(SECONDS), *test["command"], "--gtest_filter=" + ":".join(cases)],
                                     self.folder, environment)
            if code != 0:
                return [test["name"]], output
        return [], ""

    def cases_of(self, test, environment):
        cases, suite = [], ""
        for line in output_of([*test["command"], "--gtest_list_tests"], self.folder, environment)[1].splitlines():
            name = line.split("  #")[0].strip()
            if line.startswith("  "):
                cases.append(suite + name)
            elif name.endswith("."):
                suite = name
        return cases


def names_for(fault, tests):
    for pattern in fault.tests:
        if not any(re.search(pattern, name) for name in tests):
            raise Unusable(f"{fault.name}: no test of ctest matches {pattern}")
    return [name for name in tests if any(re.search(pattern, name) for pattern in fault.tests)]


def first_case(output):
    """The first test case that failed, of GoogleTest or of Python, or the one in which a program ended."""
    failed = re.findall(r"^(?:\[  FAILED  \]|FAIL:|ERROR:|FAILED) (\S+)", output, re.MULTILINE)
    begun = re.findall(r"^\[ RUN      \] (\S+)", output, re.MULTILINE)
    return failed[0].rstrip(",") if failed else begun[-1] if begun else ""


def try_fault(build, fault, tests, names):
    begin = time.monotonic()
    path = build.checkout.root / fault.file
    before = path.read_bytes()
    try:
        if not fault.is_switched:
            path.write_text(fault.planted(before.decode()), encoding="utf-8")
            build.build()
        failed, output = build.run_first([tests[name] for name in names], fault) if fault.first else ([], "")
        if not failed:
            failed, output = build.run_all(names, fault)
    finally:
        if not fault.is_switched:
            path.write_bytes(before)
    return ["caught" if failed else "NOT CAUGHT", fault.name, " ".join(failed), first_case(output) if failed else "",
            f"{time.monotonic() - begin:.0f} s"]


def show(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())


def plant(arguments, faults, chosen):
    folder = arguments.folder.resolve()
    where = arguments.build or (ROOT / "build" / arguments.preset if arguments.in_place else folder / "build")
    with Checkout(faults, folder, arguments.in_place) as checkout:
        build = Build(checkout, where.resolve(), arguments.preset, arguments.jobs)
        print(f"building with {len(faults)} faults in {build.folder}", flush=True)
        build.configure()
        build.build()
        tests = build.tests()
        names = {fault.name: list(tests) if arguments.whole else names_for(fault, tests) for fault in chosen}
        if not arguments.no_baseline:
            print("tests without a fault", flush=True)
            failed, output = build.run_all(sorted(set().union(*names.values())))
            if failed:
                raise Unusable(f"without a fault {' '.join(failed)} failed:\n" + "\n".join(output.splitlines()[-LINES:]))
        rows = []
        for fault in chosen:
            rows.append(try_fault(build, fault, tests, names[fault.name]))
            print("  ".join(rows[-1]), flush=True)
    missed = [row[1] for row in rows if row[0] != "caught"]
    print()
    show([["verdict", "fault", "caught by", "first case", "time"], *rows])
    print(f"\n{len(rows) - len(missed)} of {len(rows)} faults are caught" + (": not " + ", ".join(missed) if missed else ""))
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this fault (may be repeated)")
    parser.add_argument("--whole", action="store_true", help="all of ctest for each fault, not the tests that it names")
    parser.add_argument("--no-baseline", action="store_true", help="leave the tests without a fault out")
    parser.add_argument("--list", action="store_true", help="show the faults")
    parser.add_argument("--check", action="store_true", help="only see whether each text is found once")
    parser.add_argument("--in-place", action="store_true", help="plant in this checkout, which must be clean, and restore it")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "faults", help="of the copy and its build")
    parser.add_argument("--build", type=pathlib.Path, help="another folder for the build; in place, build/<preset>")
    parser.add_argument("--preset", default="nocuda")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS") or os.cpu_count() or 1), help="or JOBS=...")
    arguments = parser.parse_args()
    try:
        faults = read_faults()
        if unknown := set(arguments.only) - {fault.name for fault in faults}:
            raise Unusable("no such fault: " + ", ".join(sorted(unknown)))
        chosen = [fault for fault in faults if fault.name in arguments.only or not arguments.only]
        if arguments.list:
            show([[fault.name, fault.file, fault.why] for fault in chosen])
        return 0 if arguments.list or arguments.check else plant(arguments, faults, chosen)
    except Unusable as reason:
        print(reason, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())

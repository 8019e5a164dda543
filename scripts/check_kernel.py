# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles one kernel for the simulator in a few element types and runs its cases: what `make kernel` does.

python3 scripts/check_kernel.py gemv_n --types s,z     a kernel of src/kernels
python3 scripts/check_kernel.py gehrd --types d        a routine of LAPACK, or a kernel of src/kernels/lapack
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FAMILIES = ("gemv", "symv", "ger")
LAPACK_TESTS = ROOT / "tests/lapack_device"


def routines():
    """The programs of tests/lapack_device and their sources."""
    text = (LAPACK_TESTS / "CMakeLists.txt").read_text()
    found = re.findall(r"^onepass_lapack_device_test\((\w+) ([^)]*)\)", text, re.M)
    return {routine: sources.split() for routine, sources in found}


def included(path, seen):
    """Adds all files of the project that a file includes, however far away."""
    if path in seen:
        return
    seen.add(path)
    for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
        for folder in (path.parent, ROOT / "src", ROOT / "tests", ROOT / "tests/lapack/support"):
            if (folder / name).is_file():
                included((folder / name).resolve(), seen)
                break


def header_of(kernel, folder):
    return next((ROOT / folder).rglob(f"{kernel}.hpp"), None)


def routines_with(kernel):
    """The routines whose tests run a kernel of src/kernels/lapack: those that want its group of steps loaded."""
    header = header_of(kernel, "src/kernels/lapack")
    if header is None:
        return []
    groups = set()
    for group in (ROOT / "src/launch/lapack").glob("*.hpp"):
        files = set()
        included(group, files)
        if header in files:
            groups.add(f"StepGroup::{group.stem}")
    found = []
    for routine, sources in routines().items():
        files = set()
        for source in sources:
            included(LAPACK_TESTS / source, files)
        texts = [file.read_text() for file in files if "src/lapack/gpu" in str(file) and file.stem != "step"]
        if any(re.search(rf"{group}\b", text) for group in groups for text in texts):
            found.append(routine)
    return found


def run(command, **settings):
    status = subprocess.run(command, cwd=ROOT, env={**os.environ, **settings}, check=False).returncode
    if status != 0:
        sys.exit(status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel")
    parser.add_argument("--types", default="s,z", help="element types, such as s,z (default)")
    parser.add_argument("--jobs", default=str(os.cpu_count()))
    arguments = parser.parse_args()
    kernel, types = arguments.kernel, arguments.types.replace(" ", ",").split(",")
    family = next((f for f in FAMILIES if kernel.startswith(f)), None)
    if family and header_of(kernel, f"src/kernels/{family}"):
        programs = {f"test_{family}": "*Agreement*sim*"}
    else:
        names = [kernel] if kernel in routines() else routines_with(kernel)
        if not names:
            parser.error(f"{kernel} is neither a file of src/kernels or src/kernels/lapack whose cases run on the simulator, "
                         f"nor one of {' '.join(routines())}")
        programs = {f"test_lapack_device_{name}": "*" for name in names}

    start = time.monotonic()
    listed = ";".join(types)
    run(["cmake", "--preset", "kernel", "--log-level=WARNING", f"-DONEPASS_KERNEL_TYPES={listed}",
         "-DONEPASS_TEST_TYPES=" + (";".join(t for t in types if t in "sdcz") or "s")])
    run(["cmake", "--build", "--preset", "kernel", f"-j{arguments.jobs}", "--target", *programs])
    built = time.monotonic()
    for program, cases in programs.items():
        path = next((ROOT / "build/kernel/tests").rglob(program))
        run([path, f"--gtest_filter={cases}", "--gtest_brief=1"], ONEPASS_KERNEL=kernel, ONEPASS_KERNEL_TYPES=listed)
    print(f"{kernel} in {' '.join(types)}: passed; compiled in {built - start:.0f} s, run in "
          f"{time.monotonic() - built:.0f} s")


if __name__ == "__main__":
    main()

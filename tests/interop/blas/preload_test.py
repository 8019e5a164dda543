# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The library in a program that has no BLAS at all: what it exports, what it says."""
import subprocess
import sys
import unittest

from preloaded import LIBRARY, run

# A call of dgemv_ and one of cblas_dgemv, with the number of rows from the command line.
PROGRAM = f"""
import ctypes, sys
blas = ctypes.CDLL({LIBRARY!r})
m, one, alpha = ctypes.c_int(int(sys.argv[1])), ctypes.c_int(1), ctypes.c_double(2)
numbers = ctypes.c_double * 1
a, x, y = numbers(3), numbers(5), numbers(7)
blas.dgemv_(b"N", *map(ctypes.byref, (m, one, alpha, a, one, x, one, alpha, y, one)))
blas.cblas_dgemv(101, 111, m, one, alpha, a, one, x, one, alpha, y, one)
print(y[0])
"""


class Preload(unittest.TestCase):
    def test_counts_the_calls(self):
        done, served = run([sys.executable, "-c", PROGRAM, "1"])
        self.assertEqual(done.stdout, "118.0\n", done.stderr)
        self.assertEqual(served, {"dgemv": 2})

    def test_says_that_no_call_came(self):
        done, served = run([sys.executable, "-c", "pass"])
        self.assertIn("calls of BLAS served: none", done.stderr)
        self.assertEqual(served, {})

    def test_says_nothing_unless_asked(self):
        done, _ = run([sys.executable, "-c", PROGRAM, "1"], environment={"ONEPASS_INTERPOSE": ""})
        self.assertEqual(done.stderr, "")

    def test_names_a_bad_argument_where_the_program_has_no_xerbla(self):
        done, _ = run([sys.executable, "-c", PROGRAM, "-1"])
        self.assertEqual(done.stdout, "7.0\n")
        self.assertIn(" ** On entry to DGEMV  parameter number  2 had an illegal value\n", done.stderr)
        self.assertIn("Parameter 3 to routine cblas_dgemv was incorrect\n", done.stderr)

    def test_exports_the_symbols_of_blas_alone(self):
        listed = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
        exported = {line.split()[-1] for line in listed.splitlines()}
        fortran = {t + r for t in "sdcz" for r in ("gemv", "symv")} | {"chemv", "zhemv"}
        c = {"cblas_" + name for name in fortran - {"csymv", "zsymv"}}
        expected = {name + end for name in fortran for end in ("_", "_64_")} | c | {name + "_64" for name in c}
        xblas = {f"{t}{r}{two}_x" for t in "sdcz" for r in ("gemv", "symv", "hemv") for two in ("", "2")
                 if r != "hemv" or t in "cz"}
        expected |= {f"BLAS_{name}" for name in xblas} | {f"blas_{name}_" for name in xblas}
        self.assertEqual(exported, expected)


if __name__ == "__main__":
    unittest.main()

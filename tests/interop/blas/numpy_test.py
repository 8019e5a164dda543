# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""NumPy's and SciPy's own tests of products, on a preloaded library. Debian's are those that call libblas.so.3; the wheels
of PyPI have a BLAS of their own under other names, which no library can take the place of."""
import subprocess
import sys
import unittest

from preloaded import run

PYTHON = "/usr/bin/python3"
NEEDED = "import hypothesis, numpy, pytest, scipy"
PYTEST = [PYTHON, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs"]


class Own(unittest.TestCase):
    def passes(self, *arguments):
        done, served = run(PYTEST + list(arguments))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\d+ passed")
        return served

    def test_of_numpy_pass(self):
        served = self.passes("numpy.core.tests.test_multiarray", "-k", "(Dot or Matmul or dot) and not huge")
        self.assertLessEqual({"sgemv", "dgemv", "cgemv", "zgemv"}, set(served))

    def test_of_scipy_pass(self):
        modules = [f"scipy.linalg.tests.test_{name}" for name in ("blas", "fblas", "decomp")]
        served = self.passes(*modules, "-k", "test_blas or test_fblas or eigh")  # eigh: LAPACK calls symv and hemv
        self.assertLessEqual({"sgemv", "dgemv", "cgemv", "zgemv", "ssymv", "dsymv", "chemv", "zhemv"}, set(served))


if __name__ == "__main__":
    if subprocess.run([PYTHON, "-c", NEEDED], capture_output=True, check=False).returncode != 0:
        print("skipped: Debian's NumPy and SciPy are not here: python3-numpy python3-scipy python3-pytest python3-hypothesis")
        sys.exit()
    unittest.main()

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""SciPy's own tests of eigenvalues, singular values and Hessenberg forms, on a preloaded library. Debian's SciPy is the one
that calls liblapack.so.3."""
import subprocess
import sys
import unittest

from preloaded import run

PYTHON = "/usr/bin/python3"
NEEDED = "import numpy, pytest, scipy"
PYTEST = [PYTHON, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs"]


class Own(unittest.TestCase):
    def test_of_scipy_pass(self):
        done, served = run(PYTEST + ["scipy.linalg.tests.test_decomp", "scipy.linalg.tests.test_lapack",
                                     "-k", "Eig or eigh or SVD or Hessenberg or sytrd or hetrd or gehrd or orghr or bidiag"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\d+ passed")
        self.assertLessEqual({"dsyevd", "zheevd", "dsyev", "dgesdd", "zgesdd", "dgesvd"}, set(served))
        self.assertLessEqual({"dsytrd", "zhetrd", "dgehrd", "zgehrd", "zunghr"}, set(served))


if __name__ == "__main__":
    if subprocess.run([PYTHON, "-c", NEEDED], capture_output=True, check=False).returncode != 0:
        print("skipped: Debian's NumPy and SciPy are not here: python3-numpy python3-scipy python3-pytest")
        sys.exit()
    unittest.main()

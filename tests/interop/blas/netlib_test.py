# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Netlib's own testers of level 2, of Fortran and of CBLAS, on a preloaded library. They exit with 0 whatever they find,
so their text is the verdict."""
import pathlib
import re
import sys
import tempfile
import unittest

from preloaded import run

FOLDER = next(iter(pathlib.Path("/usr/lib").glob("*/blas/xblat2d")), None)
TRIANGLE = {"s": "symv", "d": "symv", "c": "hemv", "z": "hemv"}


class Netlib(unittest.TestCase):
    def verdicts(self, tester, data, report=None):
        """Its text, and the calls that were served."""
        with tempfile.TemporaryDirectory() as folder, open(FOLDER.parent / data, encoding="ascii") as numbers:
            # Netlib's BLAS serves the rest of level 2, and has the variable that the testers of CBLAS need.
            done, served = run([FOLDER.parent / tester], stdin=numbers, cwd=folder,
                               environment={"LD_LIBRARY_PATH": str(FOLDER.parent)})
            text = done.stdout if report is None else (pathlib.Path(folder) / report).read_text(encoding="ascii")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotRegex(text, r"FAIL|\*\*\*|NOT TESTED", tester)
        return text, served

    def calls(self, text, pattern):
        """How often the tester says that it called a routine whose computational tests passed."""
        found = re.findall(pattern + r"\( *(\d+) CALLS\)", text)
        return sum(map(int, found)) if found else None

    def test_of_fortran_pass(self):
        for letter, triangle in TRIANGLE.items():
            text, served = self.verdicts(f"xblat2{letter}", f"{letter}blat2.in", f"{letter}blat2.out")
            for routine in (f"{letter}gemv", letter + triangle):
                with self.subTest(routine=routine):
                    self.assertRegex(text, f"{routine.upper()} +PASSED THE TESTS OF ERROR-EXITS")
                    self.assertEqual(self.calls(text, f"{routine.upper()} +PASSED THE COMPUTATIONAL TESTS "), served[routine])

    def test_of_cblas_pass(self):
        for letter, triangle in TRIANGLE.items():
            text, served = self.verdicts(f"x{letter}cblat2", f"{letter}in2")
            for routine in (f"{letter}gemv", letter + triangle):
                with self.subTest(routine=routine):
                    self.assertRegex(text, f"cblas_{routine} +PASSED THE TESTS OF ERROR-EXITS")
                    # Once for each layout; the testers of complex types do not say which.
                    both = f"cblas_{routine} +PASSED THE (?:COLUMN-MAJOR +|ROW-MAJOR +|)COMPUTATIONAL TESTS "
                    self.assertEqual(len(re.findall(both, text)), 2)
                    self.assertEqual(self.calls(text, both), served[routine])


if __name__ == "__main__":
    if FOLDER is None:
        print("skipped: the testers of Netlib are not here; Debian has them in libblas-test")
        sys.exit()
    unittest.main()

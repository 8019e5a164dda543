# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""LAPACK's own testers of eigenvalues, singular values and QR, with libonepass_lapack.so preloaded and without: what they
pass must be the same. They exit with 0 whatever they find, so their text is the verdict.

Tests of what follows a reduction, such as vectors of clusters by stein, may pass or fail by chance, as other digits do."""
import pathlib
import re
import sys
import tempfile
import unittest

from preloaded import run

FOLDER = next((path.parent for path in pathlib.Path("/usr/lib").glob("*/lapack/xeigtstd")), None)
REAL = {"sep": ("sytrd", "orgtr", "ormtr", "syevd", "syev"), "svd": ("gebrd", "orgbr", "ormbr", "gesdd", "gesvd"),
        "nep": ("gehrd", "orghr", "ormhr")}
COMPLEX = {"sep": ("hetrd", "ungtr", "unmtr", "heevd", "heev"), "svd": ("gebrd", "ungbr", "unmbr", "gesdd", "gesvd"),
           "nep": ("gehrd", "unghr", "unmhr")}
# The numbers of the tests that measure A - Q T Q^H and the like, and I - Q Q^H, of our own routines alone.
OURS = {"sep": (1, 2, 3, 4), "svd": (1, 2, 3), "nep": (1, 2)}


def test(letter, text, preloaded, tester="xeigtst"):
    """What the tester of a type says, and the calls that were served."""
    with tempfile.TemporaryDirectory() as folder:
        done, served = run([FOLDER / f"{tester}{letter}"], preloaded, input=text, cwd=folder)
    return done.stdout, served


def verdicts(text):
    """The lines that say what passed, what failed and how often, but for the seconds that it took."""
    return re.findall(r"^.*(?:passed|failed|failure|error|illegal|\*\*\*).*$", text, re.MULTILINE | re.IGNORECASE)


def failures(text):
    """The numbers of the tests that failed."""
    return [int(one or other) for one, other in re.findall(r"result +(\d+) is|test\( *(\d+)\)=", text)]


def with_one_block_size(text, kind):
    """The same input for one block size of LAPACK's instead of five, of which the routines that we serve know nothing."""
    lines = text.splitlines()
    lines[4 if kind == "svd" else 3] = "1"
    return "\n".join(lines) + "\n"


def with_larger_orders(text, kind):
    """The same input with orders for which several panels are needed.
    The testers have room for 132; that of sep cannot make the matrices of its drivers then."""
    sizes = [[34, 99, 61], [34, 61, 99]] if kind == "svd" else [[34, 61, 99]]
    lines = text.splitlines()
    lines[1] = "3"
    lines[2:2 + len(sizes)] = [" ".join(map(str, values)) for values in sizes]
    return "\n".join("F" if kind == "sep" and "driver routines" in line else line for line in lines) + "\n"


class Testers(unittest.TestCase):
    def same_verdicts(self, letter, kind, text):
        plain, nothing = test(letter, text, preloaded=False)
        self.assertEqual(nothing, {})
        preloaded, served = test(letter, text, preloaded=True)
        self.assertGreater(len([line for line in verdicts(plain) if "pass" in line and "the threshold" in line]), 0, plain[-2000:])
        if verdicts(plain) != verdicts(preloaded):
            self.assertEqual([number for number in failures(preloaded) if number in OURS[kind]], [], preloaded)
            self.assertNotRegex(preloaded, "XERBLA|illegal value")
            # Some a library fails by itself, as OpenBLAS 0.3.21 does hsein in single complex precision on some x86 processors.
            by_itself = len(failures(plain))
            self.assertLessEqual(abs(len(failures(preloaded)) - by_itself), max(2, by_itself // 2), preloaded)
            self.assertEqual(*(len([line for line in verdicts(said) if "passed the tests of the error exits" in line])
                               for said in (plain, preloaded)))
        return served

    @staticmethod
    def kinds():
        for letter in "sdcz":
            for kind, routines in (REAL if letter in "sd" else COMPLEX).items():
                yield letter, kind, routines

    @staticmethod
    def input(kind):
        return with_one_block_size((FOLDER / f"{kind}.in").read_text(encoding="ascii"), kind)

    def test_pass_what_they_pass_without(self):
        for letter, kind, routines in self.kinds():
            with self.subTest(type=letter, input=kind):
                served = self.same_verdicts(letter, kind, self.input(kind))
                for routine in routines:
                    self.assertGreater(served.get(letter + routine, 0), 0, routine)

    def test_pass_for_larger_orders(self):
        for letter, kind, _ in self.kinds():
            with self.subTest(type=letter, input=kind):
                text = with_larger_orders(self.input(kind), kind)
                said, served = test(letter, text, preloaded=True)
                self.assertGreater(len(served), 0)
                self.assertNotRegex(said, "XERBLA|illegal value")
                failed = failures(said)
                self.assertEqual([number for number in failed if number in OURS[kind]], [], said)
                # What Q is applied to is among the others.
                run_in_all = sum(map(int, re.findall(r"(\d+) tests (?:run|failed)", said)))
                self.assertGreater(run_in_all, 500)
                if len(failed) >= 5:  # is it the library below?
                    self.assertLess(len(failed), 5 + 1.5 * len(failures(test(letter, text, preloaded=False)[0])), said)

    def test_pass_all_tests_of_qr(self):
        """Those of linear equations have one for QR, with its error exits, and drivers for least squares."""
        for letter in "sdcz":
            with self.subTest(type=letter):
                lines = (FOLDER / f"{letter}test.in").read_text(encoding="ascii").splitlines()
                head = lines[:next(i for i, line in enumerate(lines) if line[1:4] == "GE ")]
                paths = [line for line in lines if line[1:4] in ("QR ", "LS ")]
                self.assertEqual(len(paths), 2)
                for sizes, count in (("0 1 2 3 50", 2), ("34 97 129", 1)):
                    head[1:5] = 2 * [str(len(sizes.split())), sizes]
                    head[7] = str(count)  # of LAPACK's block sizes
                    said, served = test(letter, "\n".join(head + paths[:count]) + "\n", True, "xlintst")
                    self.assertEqual(len(re.findall("passed the tests of the error exits", said)), count, said)
                    self.assertEqual(len(re.findall("All tests for .* passed the threshold", said)), count, said)
                    for routine in ("geqrf", "orgqr", "ormqr") if letter in "sd" else ("geqrf", "ungqr", "unmqr"):
                        self.assertGreater(served.get(letter + routine, 0), 50, routine)


if __name__ == "__main__":
    if FOLDER is None:
        print("skipped: the testers of LAPACK are not here; Debian has them in liblapack-test")
        sys.exit()
    unittest.main()

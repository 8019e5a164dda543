# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The log of a program of cuSOLVER says which of its calls were taken, and why the others were passed on."""
import os
import subprocess
import sys
import unittest


def run(mode, words, **more):
    environment = {**os.environ, "LD_PRELOAD": os.environ["ONEPASS_CUSOLVER"], "ONEPASS_INTERPOSE": mode, **more}
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def calls(mode):
    return run(mode, [os.environ["ONEPASS_CALLS"]])


class Loaded(unittest.TestCase):
    """Without a GPU, whether there is one or not."""

    def run_it(self, mode):
        done = run(mode, [os.environ["ONEPASS_LOADED"], os.environ["ONEPASS_FAKE_CUSOLVER"]], CUDA_VISIBLE_DEVICES="")
        self.assertEqual((done.returncode, done.stdout), (0, "all right\n"), done.stderr)
        return done.stderr

    def test_passes_on_to_a_library_that_was_opened_for_one_alone(self):
        self.assertIn("onepass: cusolverDnDsyevd passed on, no GPU for Onepass: 1\n", self.run_it("log"))

    def test_is_silent_unless_asked(self):
        for mode in ("on", "off"):
            self.assertEqual(self.run_it(mode), "")


class Log(unittest.TestCase):
    def setUp(self):
        if calls("off").returncode == 77:
            self.skipTest("no GPU")

    def test_counts_what_was_taken_and_passed_on(self):
        done = calls("log")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for line in (*(f"cusolverDnD{routine} taken: 1" for routine in ("sytrd", "orgtr", "ormtr", "gebrd", "orgbr", "gesvd",
                                                                              "geqrf", "orgqr", "ormqr", "syevj", "syevjBatched")),
                     "cusolverDnDsyevd taken: 2", "cusolverDnDsyevdx taken: 2", "cusolverDnXsyevd taken: 1", "cusolverDnXsyevBatched taken: 1",
                     "cusolverDnDsyevd passed on, ONEPASS_STATUS_INVALID_LD: 1",
                     "cusolverDnDsyevdx passed on, eigenvalues of an interval: 1"):
            self.assertIn(f"onepass: {line}\n", done.stderr)
        self.assertRegex(done.stderr, r"onepass: host time of a call taken: \d+\.\d\d us, of which \d+\.\d\d us in libonepass_lapack")

    def test_is_silent_unless_asked(self):
        self.assertEqual(calls("on").stderr, "")


if __name__ == "__main__":
    sys.exit(unittest.main())

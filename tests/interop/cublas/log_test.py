# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The log of a program of cuBLAS says which of its calls were taken, and why the others were passed on."""
import os
import subprocess
import sys
import unittest


def run(mode):
    environment = {**os.environ, "LD_PRELOAD": os.environ["ONEPASS_CUBLAS"], "ONEPASS_INTERPOSE": mode}
    return subprocess.run([os.environ["ONEPASS_CALLS"]], env=environment, capture_output=True, text=True, check=False)


class Log(unittest.TestCase):
    def test_counts_what_was_taken_and_passed_on(self):
        done = run("log")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for line in ("cublasSgemv_v2 taken: 2", "cublasSsymv_v2 taken: 1", "cublasGemmEx taken: 1", "cublasSgemm_v2 taken: 1",
                     "cublasSgemm_v2 passed on, C has several rows and columns: 1",
                     "cublasSgemv_v2 passed on, ONEPASS_STATUS_INVALID_LD: 1", "cublasLtMatmul taken: 1",
                     "cublasLtMatmul passed on, an epilogue: 1"):
            self.assertIn(f"onepass: {line}\n", done.stderr)
        self.assertRegex(done.stderr, r"onepass: host time of a call taken: \d+\.\d\d us, of which \d+\.\d\d us in")
        self.assertRegex(done.stderr, r"onepass: time of the device by estimate, \d+ of these calls: \S+ ms; with cuBLAS \S+ ms\n")

    def test_is_silent_unless_asked(self):
        self.assertEqual(run("on").stderr, "")


if __name__ == "__main__":
    if run("off").returncode == 77:
        print("skipped: no GPU")
        sys.exit()
    unittest.main()

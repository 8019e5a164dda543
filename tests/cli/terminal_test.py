# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""On a terminal the program shows progress and colours; elsewhere neither."""
import os
import pty
import subprocess
import unittest

from program import PROGRAM, run

BENCH = ["bench", "--backend", "cpu", "--type", "s", "--op", "N", "--shape", "64x64,65x64,66x64", "--threads", "1", "--time", "0.2"]


def run_on_terminal(arguments, environment=None):
    """Standard output and standard error as one terminal saw them."""
    terminal, program_end = pty.openpty()
    with subprocess.Popen([PROGRAM, *arguments], stdout=program_end, stderr=program_end, stdin=subprocess.DEVNULL,
                          env={**os.environ, **(environment or {})}) as process:
        os.close(program_end)
        seen = b""
        try:
            while chunk := os.read(terminal, 4096):
                seen += chunk
        except OSError:  # how Linux reports the end of a terminal
            pass
        process.wait(timeout=60)
    os.close(terminal)
    return seen.decode()


class Terminal(unittest.TestCase):
    def test_progress_with_time_left(self):
        seen = run_on_terminal(BENCH)
        self.assertIn("bench cpu [", seen)
        self.assertRegex(seen, r"\d:\d\d left")

    def test_colours(self):
        self.assertIn("\x1b[32m", run_on_terminal(["info"]))
        self.assertNotIn("\x1b[32m", run_on_terminal(["info"], {"NO_COLOR": "1"}))

    def test_neither_when_piped(self):
        done = run(*BENCH)
        self.assertNotIn("\x1b", done.stdout)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()

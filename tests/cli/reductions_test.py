# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""bench, check and explain of the reductions: every routine, records old and new, what a wrong command line gets."""
import json
import pathlib
import tempfile
import unittest

from program import run, run_json
from terminal_test import run_on_terminal

CHECKED = ("sytrd", "gebrd", "gehrd", "syevd", "syevd-batched", "geqrf", "gesvd", "gesvd-batched")
ROUTINES = (*CHECKED, "orgtr", "orgbr", "orghr", "ormtr", "ormbr", "ormhr", "syevd-values", "syevd-batched-values", "orgqr", "ormqr", "gesvd-values",
            "gesvd-polar", "gesvd-batched-values", "gesvd-batched-jacobi")
COLUMNS = ["type", "m", "n", "median ms", "least ms", "byte floor ms", "peer median ms"]


def bench(*arguments):
    return run_json("bench", *arguments, "--backend", "cpu", "--threads", "1", "--json", "-")


class Bench(unittest.TestCase):
    def test_every_routine_and_type_has_times(self):
        for routine in ROUTINES:
            with self.subTest(routine):
                batch = ["--batch", "5"] if "batched" in routine else []
                record = bench(routine, "--type", "all", "--shape", "12,33", *batch)
                self.assertEqual(record["columns"], COLUMNS + (["matrices"] if batch else []))
                self.assertEqual((record["routine"], record["backend"]), (routine, "cpu"))
                self.assertEqual(record["machine"]["threads"], "1")
                self.assertEqual([row[:3] for row in record["rows"]], [[t, n, n] for t in "sdcz" for n in (12, 33)])
                for row in record["rows"]:
                    self.assertGreater(row[4], 0)
                    self.assertGreaterEqual(row[3], row[4])
                    self.assertEqual(row[5], 0)  # no floor on a host
                    self.assertEqual(row[6] > 0, record["peer"] != "")

    def test_batches_have_a_time_per_matrix(self):
        done = run("bench", "syevd-batched", "--shape", "9", "--batch", "40", "--backend", "cpu", "--threads", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        words = done.stdout.splitlines()[-1].split()
        self.assertEqual(words[:4], ["d", "40", "of", "9"])
        self.assertAlmostEqual(float(words[6]), float(words[4]) * 1000 / 40, delta=0.03)
        self.assertIn("us/matrix", done.stdout)

    def test_some_take_rectangles(self):
        for routine in ("gebrd", "geqrf", "ormqr", "gesvd"):
            record = bench(routine, "--shape", "40x25,25x40", "--no-peers")
            self.assertEqual([row[:3] for row in record["rows"]], [["d", 40, 25], ["d", 25, 40]])
            self.assertEqual(record["peer"], "")
        bench("orgqr", "--shape", "40x25")

    def test_gesvd_of_rectangles_beside_its_peer(self):
        for row in bench("gesvd", "--type", "all", "--shape", "80x25,25x80")["rows"]:
            self.assertGreater(row[4], 0)

    def test_table_has_time_per_column_and_peer(self):
        done = run("bench", "gebrd", "--shape", "30x20", "--backend", "cpu", "--threads", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        head, names, row = done.stdout.splitlines()
        self.assertTrue(head.startswith("gebrd on cpu, 1 thread: medians"))
        words = row.split()
        self.assertEqual(words[:2], ["d", "30x20"])
        self.assertAlmostEqual(float(words[4]), float(words[2]) * 1000 / 20, delta=0.5 * 1000 / 20 * 1e-3 + 0.01)
        self.assertEqual(names.split()[:5], ["shape", "median", "ms", "least", "ms"])

    def test_records_old_and_new_are_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "gebrd.json"
            made = run("bench", "gebrd", "--shape", "30x20", "--backend", "cpu", "--threads", "1", "--json", str(path))
            shown = run("bench", "--show", str(path))
            self.assertEqual(shown.stdout.splitlines()[0], made.stdout.splitlines()[0])
            self.assertIn("30x20", shown.stdout)
            # Records of sytrd had no column m at first.
            path.write_text(json.dumps({
                "onepass": "0.1.0", "commit": "abc", "compiler": "GNU", "date": "2000-01-01T00:00:00Z", "backend": "cuda",
                "routine": "sytrd", "machine": {"device": "a device"}, "peer": "cuSOLVER",
                "columns": ["type", "n", "median ms", "least ms", "byte floor ms", "peer median ms"],
                "rows": [["d", 8192, 310, 309, 155, 465]]}))
            old = run("bench", "--show", str(path))
            self.assertEqual(old.returncode, 0, old.stderr)
            words = old.stdout.splitlines()[-1].split()
            self.assertEqual(words, ["d", "8192", "310.000", "309.000", "37.84", "0.500", "465.000", "1.50"])


class Check(unittest.TestCase):
    def test_backends_pass(self):
        for backend in ("cpu", "reference"):
            with self.subTest(backend):
                done = run("check", ",".join(CHECKED), "--backend", backend, "--max-size", "12")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertRegex(done.stdout, rf"^check {','.join(CHECKED)} on {backend}: \d+ problems, seed 1, 0 failed, largest residual")

    def test_one_of_the_list(self):
        done = run("check", "gehrd", "--backend", "cpu", "--type", "z", "--index", "17")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(": 1 problems, ", done.stdout)

    def test_progress(self):
        seen = run_on_terminal(["check", "sytrd", "--backend", "cpu", "--max-size", "129"])
        self.assertIn("check cpu [", seen)


class Explain(unittest.TestCase):
    def test_says_threads_and_panels(self):
        for routine in ROUTINES:
            with self.subTest(routine):
                name = routine.partition("-")[0] + ("StridedBatched" if "batched" in routine else "")
                done = run("explain", routine, "500", "--type", "d", "--backend", "cpu", "--threads", "2")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, rf"^d{name} on cpu, 2 threads, panels of \d+ columns, workspace \d+ bytes\n$")

    def test_complex_names(self):
        explained = run_json("explain", "sytrd", "500", "--type", "z", "--backend", "reference", "--json")
        self.assertEqual((explained["routine"], explained["backend"]), ("sytrd", "reference"))
        self.assertTrue(explained["text"].startswith("zhetrd on reference"))

    def test_rectangles_of_gebrd(self):
        self.assertEqual(run("explain", "gebrd", "50x30", "--backend", "cpu").returncode, 0)


WRONG = {
    "selection": (["bench", "sytrd", "--backend", "cpu", "--mesh"], "--mesh is not for sytrd, which has --type"),
    "not square": (["bench", "sytrd", "--backend", "cpu", "--shape", "5x4"], "must be square"),
    "type of bench": (["bench", "gehrd", "--backend", "cpu", "--type", "h"], 'type "h": must be one of s d c z'),
    "batch": (["bench", "syevd-batched", "--backend", "cpu", "--batch", "1,2"], "must be one number"),
    "no batch": (["bench", "syevd", "--backend", "cpu", "--batch", "2"], "--batch is not for syevd"),
    "threads": (["bench", "gehrd", "--backend", "cpu", "--threads", "1,2"], "must be one number"),
    "both kinds": (["check", "gemv,sytrd", "--backend", "cpu"], "must be reductions alone"),
    "index": (["check", "sytrd", "--backend", "cpu", "--index", "100000"], "index = 100000: must be below"),
    "problem": (["check", "sytrd", "--backend", "cpu", "--problem", "s N"], "chosen by --index"),
    "explained op": (["explain", "sytrd", "5", "--op", "T"], "--op is not for sytrd"),
    "explained shape": (["explain", "gehrd", "5x4", "--backend", "cpu"], "m = 5: must be n = 4 for gehrd"),
    "columns of Q": (["bench", "orgqr", "--shape", "25x40", "--backend", "cpu"], "n = 40: must be 0 to 25"),
    "explained lda": (["explain", "gebrd", "5x4", "--backend", "cpu", "--lda", "3"], "lda = 3: must be at least 5"),
}


class Wrong(unittest.TestCase):
    def test_says_what_would_be_right(self):
        for name, (arguments, hint) in WRONG.items():
            with self.subTest(name):
                done = run(*arguments)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(hint, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_simulator_checks_and_is_not_timed(self):
        done = run("bench", "sytrd", "--backend", "sim")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--backend sim: the simulator's time says nothing", done.stderr)
        done = run("check", "sytrd,gehrd", "--type", "d,c", "--backend", "sim", "--max-size", "5")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("on sim", done.stdout)


if __name__ == "__main__":
    unittest.main()

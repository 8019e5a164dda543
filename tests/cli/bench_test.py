# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records of the benchmark: complete, readable by machines, and valid when the run is cut off."""
import json
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from program import PROGRAM, compare, numbers_as_hash, run, run_json

SMALL = ["bench", "gemv", "--backend", "cpu", "--type", "s,z", "--op", "N,C", "--shape", "64x48,30x1000", "--threads", "1",
         "--time", "0.02"]


class Record(unittest.TestCase):
    def test_holds_all_that_a_table_needs(self):
        record = run_json(*SMALL, "--cache", "both", "--json", "-")
        for key in ("onepass", "commit", "compiler", "date", "machine", "ceilings"):
            self.assertIn(key, record)
        self.assertTrue(record["complete"])
        self.assertIn("device", record["machine"])
        self.assertEqual(len(record["points"]), 2 * 2 * 2 * 2)
        for point in record["points"]:
            self.assertEqual(point["providers"][0]["name"], "Onepass")
            self.assertGreater(point["floor_seconds"], 0)
            self.assertTrue(point["plan"])
            for provider in point["providers"]:
                seconds = provider["median_seconds"]
                self.assertGreaterEqual(seconds, provider["min_seconds"])
                self.assertAlmostEqual(provider["gb_per_second"], point["bytes"] / seconds / 1e9, delta=1e-6 * provider["gb_per_second"])
                self.assertAlmostEqual(provider["efficiency"], point["floor_seconds"] / seconds, places=6)

    def test_batch_and_padding_are_in_the_point(self):
        arguments = ["bench", "--backend", "cpu", "--type", "d", "--op", "T", "--shape", "20x10", "--layout", "row", "--lda", "3",
                     "--batch", "4", "--threads", "1", "--time", "0.01", "--json", "-"]
        point = run_json(*arguments)["points"][0]
        self.assertEqual((point["layout"], point["lda"], point["batch"]), ("row", 13, 4))
        self.assertEqual(point["bytes"], 4 * 8 * (20 * 10 + 20 + 10))

    def test_csv(self):
        lines = run(*SMALL, "--csv").stdout.splitlines()
        own = [",".join(line.split(",")[:10] + [numbers_as_hash(w) for w in line.split(",")[10:]])
               for line in lines if line.startswith(("provider", "Onepass"))]
        compare(self, "bench_csv.txt", "\n".join(own) + "\n")

    def test_table_and_file_in_one_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "record.json"
            done = run(*SMALL, "--json", str(path))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(json.loads(path.read_text())["points"]), 8)
        self.assertIn("s N 64x48", done.stdout)
        self.assertIn("geometric means of efficiency", done.stdout)
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_empty_matrix_is_skipped_with_a_reason(self):
        point = run_json("bench", "--backend", "cpu", "--type", "s", "--op", "N", "--shape", "0x5", "--threads", "1",
                         "--json", "-")["points"][0]
        self.assertIn("empty", point["skipped"])


class Interrupt(unittest.TestCase):
    def test_leaves_a_valid_partial_record(self):
        shapes = ",".join(f"{64 + i}x64" for i in range(200))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "record.json"
            command = [PROGRAM, "bench", "--backend", "cpu", "--type", "s", "--op", "N", "--shape", shapes, "--threads", "1",
                       "--time", "0.3", "--json", str(path)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                time.sleep(3)
                process.send_signal(signal.SIGINT)
                table, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, errors)
            record = json.loads(path.read_text())
        self.assertFalse(record["complete"])
        self.assertGreater(len(record["points"]), 0)
        self.assertLess(len(record["points"]), 200)
        self.assertIn("interrupted", table)
        self.assertIn("s N 64x64", table)


if __name__ == "__main__":
    unittest.main()

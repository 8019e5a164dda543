# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the benchmark that are cut off: they leave a valid record, and another run goes on with it."""
import json
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from program import PROGRAM, run

SHAPES = [f"{64 + i}x64" for i in range(200)]


class CutOff(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "record.json"

    def arguments(self, shapes, seconds):
        return ["bench", "--backend", "cpu", "--type", "s", "--op", "N", "--shape", ",".join(shapes), "--threads", "1", "--no-peers",
                "--time", seconds, "--json", str(self.path), "--resume"]

    def cut_off(self, how):
        """Ends a run of 200 points once it has measured some; its exit code and standard output."""
        command = [PROGRAM, *self.arguments(SHAPES, "0.2")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + 60
            while not self.path.exists() and time.monotonic() < deadline:
                time.sleep(0.1)
            time.sleep(1)
            process.send_signal(how)
            output, _ = process.communicate(timeout=60)
        return process.returncode, output

    def record(self):
        return json.loads(self.path.read_text())

    def test_by_an_interrupt_leaves_the_points_so_far(self):
        code, table = self.cut_off(signal.SIGINT)
        self.assertEqual(code, 130)
        record = self.record()
        self.assertFalse(record["complete"])
        self.assertTrue(1 <= len(record["points"]) < 200)
        self.assertTrue(all(p["times"]["Onepass"][3] == 7 for p in record["points"]))
        self.assertIn("interrupted", table)
        self.assertIn("s N 64x64", table)

    def test_by_a_kill_leaves_a_valid_record(self):
        code, _ = self.cut_off(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        self.assertFalse(self.record()["complete"])
        self.assertGreaterEqual(len(self.record()["points"]), 1)

    def test_goes_on_without_measuring_again(self):
        self.cut_off(signal.SIGINT)
        date, before = self.record()["date"], self.record()["points"]
        wanted = SHAPES[:len(before) + 3]
        done = run(*self.arguments(wanted, "0.01"))
        self.assertEqual(done.returncode, 0, done.stderr)
        after = self.record()
        self.assertTrue(after["complete"])
        self.assertEqual(after["date"], date)
        self.assertEqual(after["points"][:len(before)], before)
        self.assertEqual([f"{p['m']}x{p['n']}" for p in after["points"]], wanted)

    def test_peers_are_added_to_the_points_that_have_none(self):
        self.assertEqual(run(*self.arguments(SHAPES[:2], "0.01")).returncode, 0)
        before = self.record()
        self.assertEqual(before["providers"], ["Onepass"])
        add = ["bench", "--add-peers", str(self.path), "--time", "0.01"]
        done = run(*add)
        self.assertEqual(done.returncode, 0, done.stderr)
        after = self.record()
        self.assertEqual(after["providers"][0], "Onepass")
        self.assertIn("Eigen", after["providers"])
        self.assertTrue(after["complete"])
        self.assertEqual(after["date"], before["date"])
        for own, all_of_it in zip(before["points"], after["points"]):
            self.assertEqual(all_of_it["times"]["Onepass"], own["times"]["Onepass"])
            self.assertIn("Eigen", all_of_it["times"])
        self.assertEqual(run(*add).returncode, 0)
        self.assertEqual(self.record()["points"], after["points"])
        done = run(*add, ONEPASS_COMMIT="def")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot add peers to", done.stderr)

    def test_other_commits_and_other_files_are_refused(self):
        arguments = self.arguments(SHAPES[:1], "0.01")
        self.assertEqual(run(*arguments, ONEPASS_COMMIT="abc").returncode, 0)
        text = self.path.read_text()
        done = run(*arguments, ONEPASS_COMMIT="def")
        self.assertEqual(done.returncode, 2)
        self.assertIn("its commit is abc, and that of this run def; leave --resume out", done.stderr)
        self.assertEqual(self.path.read_text(), text)
        self.path.write_text("{}")
        done = run(*arguments)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is no record", done.stderr)
        self.assertEqual(self.path.read_text(), "{}")


class Show(unittest.TestCase):
    def test_prints_what_the_run_printed(self):
        with tempfile.TemporaryDirectory() as folder:
            path, copy = f"{folder}/record.json", f"{folder}/copy.json"
            for selection in (["--shape", "64x64,0x5"], ["--sweep", "1:130:1", "--points"], ["--batched", "--batch", "2", "--shape", "8x8"]):
                with self.subTest(selection):
                    ran = run("bench", "--backend", "cpu", "--type", "s,d", "--op", "N", "--threads", "1", "--time", "0.002", *selection,
                              "--json", path)
                    self.assertEqual(ran.returncode, 0, ran.stderr)
                    shown = run("bench", "--show", path, "--json", copy, *(["--points"] if "--points" in selection else []))
                    self.assertEqual(shown.stdout, ran.stdout)
                    self.assertEqual(pathlib.Path(copy).read_text(), pathlib.Path(path).read_text())


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""`onepass tune` without a GPU: dry runs, the tables they write, what reads these, and what is said of wrong words."""
import json
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from program import PROGRAM, ROOT, available, run


def catches(pid, number):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return int(caught.split()[1], 16) >> (number - 1) & 1


class DryRun(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "mine.json"

    def tune(self, shapes, *more, of="s", op="T"):
        return run("tune", "--dry-run", "--output", str(self.path), "--shape", shapes, "--type", of, "--op", op, *more)

    def table(self):
        return json.loads(self.path.read_text())

    def explained(self, *problem, table=None):
        return run("explain", "gemv", *problem, "--backend", "sim", ONEPASS_TUNING=str(table or self.path)).stdout

    def test_has_a_line_for_each_shape_and_an_entry_where_it_pays(self):
        done = self.tune("1000x3000,200,4096x100")
        self.assertEqual(done.returncode, 0, done.stderr)
        number = r"\d+\.\d+"
        for shape in ("1000x3000", "200x200", "4096x100"):
            self.assertRegex(done.stdout, rf"(?m)^s T {shape} +{number} us  gemv_\w+ (few|many) \d+/\d+/\d+, "
                             rf"({number} times as fast as the model's gemv_\w+|the model's: of \d+ launches none is over 1 % faster$)")
        shapes = self.table()["shapes"]
        self.assertEqual(len(shapes), done.stdout.count(" times as fast as the model's "))
        self.assertGreater(len(shapes), 0)
        for entry in shapes.values():
            self.assertGreater(entry["gain"], 1.01)

    def test_is_the_same_for_a_seed(self):
        tables = []
        for seed in ("7", "7", "8"):
            self.assertEqual(self.tune("1000,300x70000,64,5000x20", "--seed", seed).returncode, 0)
            tables.append(self.table()["shapes"])
            self.path.unlink()
        self.assertEqual(tables[0], tables[1])
        self.assertNotEqual(tables[0], tables[2])

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_table_is_used_where_it_is_named(self):
        self.assertEqual(self.tune("28672x4096,100,3000x2000", "--layout", "row", of="b", op="N").returncode, 0)
        table = self.table()
        name, entry = next(iter(table["shapes"].items()))
        self.path.write_text(json.dumps(table | {"shapes": {name: entry}}))
        rows, cols = re.fullmatch(r"b T (\d+)x(\d+) (?:any|aligned)", name).groups()  # as stored
        problem = [f"{cols}x{rows}", "--layout", "row", "--type", "b"]
        explained = self.explained(*problem)
        self.assertIn(f"chosen    by the table of NVIDIA H200 in {self.path}, shape {name}\n", explained)
        self.assertIn(f"plan      {entry['launch'].split()[0]}: ", explained)
        self.assertIn("chosen    by a model", self.explained("4096x4096"))
        self.assertIn("chosen    by a model", self.explained(*problem, table="off"))
        self.assertIn(f"launches from the table of NVIDIA H200 in {self.path} for 1 shape, the model for all others",
                      run("info", ONEPASS_TUNING=str(self.path)).stdout)
        self.assertIn("launches from the model\n", run("info", ONEPASS_TUNING="off").stdout)

    def test_shapes_are_added_to_the_table(self):
        shapes = "1000x3000,200,4096x100"
        self.assertEqual(self.tune(shapes).returncode, 0)
        before = self.table()
        other = {"z N 5x6 any": next(iter(before["shapes"].values()))}
        self.path.write_text(json.dumps(before | {"shapes": other, "how": "by hand"}))
        self.assertEqual(self.tune(shapes).returncode, 0)
        self.assertEqual(self.table()["shapes"], before["shapes"] | other)
        self.assertIn("dry run", self.table()["how"])
        # What was not timed changes nothing.
        text = self.path.read_text()
        done = self.tune("1000x3000", "--max-bytes", "100")
        self.assertEqual(done.returncode, 0)
        self.assertIn("not timed: it is too large, see --max-bytes", done.stdout)
        self.assertEqual(self.path.read_text(), text)

    def test_tables_that_do_not_serve_are_written_anew(self):
        for text, why in (("{}", 'it has no "onepass_tuning"'), ('{"onepass_tuning": 3}', "it was made for version 3 of the tables"),
                          ('{"onepass_tuning": 4, "device": "other", "arch": 80, "sm_count": 108, "shapes": {}}', "it is for other")):
            with self.subTest(text):
                self.path.write_text(text)
                done = self.tune("1000x3000")
                self.assertEqual(done.returncode, 0)
                self.assertIn(f"{self.path} is written anew: {why}", done.stdout)
                self.assertEqual(self.table()["device"], "NVIDIA H200")

    def test_ctrl_c_keeps_the_shapes_that_are_done(self):
        arguments = ["tune", "--dry-run", "--output", str(self.path), "--shape", ",".join(str(n) for n in range(1000, 3000))]
        with subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, text=True) as process:
            while not catches(process.pid, signal.SIGINT):
                time.sleep(0.01)
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            told = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 130)
        self.assertRegex(told, r"(?m)^interrupted: \d+ of 24000 shapes are done$")
        self.assertEqual(len(self.table()["shapes"]), told.count(" times as fast as the model's "))

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_table_that_is_damaged_is_refused_and_nothing_breaks(self):
        self.assertEqual(self.tune("2001x1501").returncode, 0)
        text = self.path.read_text()
        self.path.write_text(text[:len(text) // 2])
        explained = self.explained("2001x1501")
        self.assertIn("chosen    by a model", explained)
        self.assertIn(f"refused   the tuning table {self.path} is not used: ", explained)
        self.assertIn(f"the tuning table {self.path} is not used: ", run("info", ONEPASS_TUNING=str(self.path)).stdout)
        measured = run("bench", "--backend", "sim", "--shape", "8x8", "--type", "s", "--op", "N", "--no-peers", "--time", "0.01",
                       ONEPASS_TUNING=str(self.path))
        self.assertEqual(measured.stderr.count("is not used"), 1)

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_table_that_is_no_text_is_refused_in_json_too(self):
        self.path.write_bytes(b'{"onepass_tuning": 4, "device": "\xff"}')
        for command in (["explain", "gemv", "100x100", "--backend", "sim", "--json"], ["info", "--json"]):
            with self.subTest(command):
                done = run(*command, ONEPASS_TUNING=str(self.path))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"the tuning table {self.path} is not used: ", json.dumps(json.loads(done.stdout)))

    def test_provenance_is_in_the_table(self):
        self.assertEqual(run("tune", "--dry-run", "--output", str(self.path), "--shape", "100", ONEPASS_COMMIT="abc").returncode, 0)
        table = self.table()
        self.assertEqual((table["device"], table["commit"]), ("NVIDIA H200", "abc"))
        self.assertIn("dry run", table["how"])
        self.assertTrue(table["date"] and table["driver"] and table["toolkit"] and table["library"])


class Model(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "mine.json"
        self.arguments = ["tune", "--model", "--dry-run", "--output", str(self.path), "--type", "s,b", "--seed", "3"]

    def test_prices_are_fitted_written_and_used(self):
        self.assertEqual(run("tune", "--dry-run", "--shape", "100x2000", "--output", str(self.path)).returncode, 0)
        shapes = json.loads(self.path.read_text())["shapes"]
        done = run(*self.arguments, "--budget", "5s")
        self.assertEqual(done.returncode, 0, done.stderr)
        number = r"\d+\.?\d*(?:e-\d+)?"
        self.assertRegex(done.stdout, rf"(?m)^gemv_n +launch +{number} +{number}  us of anything$")
        self.assertRegex(done.stdout, rf"(?m)^gemv_n +load b +{number} +{number}  us of 1000 loads of an SM$")
        self.assertRegex(done.stdout, r"of \d+ problems that no price has seen, the launch that the model likes best took\n"
                         rf"  now +{number} times as long as the fastest that was timed, {number} at worst\n"
                         rf"  before +{number} times as long")
        self.assertIn(f"\ntable   {self.path}\n", done.stdout)
        table = json.loads(self.path.read_text())
        self.assertEqual(table["shapes"], shapes)
        self.assertGreater(table["prices"]["gemv_n"]["load"]["s"], 0)
        self.assertGreater(table["model"]["launches"], 500)
        if available("sim"):
            explained = run("explain", "gemv", "4096x4096", "--backend", "sim", ONEPASS_TUNING=str(self.path)).stdout
            self.assertIn(f"chosen    by a model of the launch with the prices of the table of NVIDIA H200 in {self.path}, "
                          "which expects ", explained)
            self.assertRegex(run("info", ONEPASS_TUNING=str(self.path)).stdout,
                             rf"the model with its prices \(\d+ launches of \d+ problems; of \d+ others its choice took {number} ")

    def test_too_few_launches_make_no_model(self):
        done = run(*self.arguments, "--budget", "0.5s")
        self.assertEqual(done.returncode, 1)
        self.assertIn("too few for a model, which needs 500: nothing is written", done.stdout)
        self.assertFalse(self.path.exists())

    def test_ctrl_c_fits_what_there_is(self):
        with subprocess.Popen([PROGRAM, *self.arguments, "--budget", "10h"], stdout=subprocess.PIPE, text=True) as process:
            while not catches(process.pid, signal.SIGINT):
                time.sleep(0.01)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            self.assertRegex(process.communicate(timeout=60)[0], "that no price has seen|too few for a model")
        self.assertEqual(process.returncode, 130)


@unittest.skipUnless(available("sim"), "no simulator in this build")
class Reader(unittest.TestCase):
    """What a program takes that ONEPASS_TUNING names a table for, and what it refuses."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name) / "dry.json"
        for what in (["--shape", "100x2000"], ["--model", "--type", "s,b", "--seed", "3", "--budget", "5s"]):
            done = run("tune", "--dry-run", *what, "--output", str(cls.path))
            assert done.returncode == 0, done.stderr
        cls.table = json.loads(cls.path.read_text())

    def refused(self, table):
        path = pathlib.Path(self.folder.name) / "other.json"
        path.write_text(json.dumps(table))
        backends = json.loads(run("info", "--json", ONEPASS_TUNING=str(path)).stdout)["backends"]
        return next(b for b in backends if b["name"] == "sim").get("tuning_refused", "")

    def test_takes_the_example_in_the_documents(self):
        text = (ROOT / "docs" / "tuning.md").read_text()
        example = json.loads(re.search(r"```json\n(.*?)```", text, re.DOTALL)[1])
        self.assertEqual(self.refused(example), "")

    def test_takes_the_tables_that_are_written(self):
        self.assertGreater(len(self.table["shapes"]), 0)
        self.assertEqual(self.refused(self.table), "")

    def test_refuses_what_is_no_table(self):
        required = ("onepass_tuning", "device", "arch", "sm_count")
        name, right = "s N 4096x512 aligned", {"launch": "gemv_n many 256/16/4", "gain": 1.08}
        bare = {key: self.table[key] for key in required}
        self.assertEqual(self.refused(bare), "")
        for takes in ({name: right}, {"h T 1x2147483648 any": right | {"gain": 2}}, {}):
            with self.subTest(takes):
                self.assertEqual(self.refused(self.table | {"shapes": takes}), "")
        wrong = [{key: value} for key, value in (("onepass_tuning", 3), ("onepass_tuning", "4"), ("space", 2), ("arch", "90"),
                                                 ("sm_count", 132.5), ("device", None), ("how", 1), ("gemv", {}), ("shapes", []))]
        wrong += [{"shapes": {other: right}} for other in
                  ("s N 4096x512", "s L 4096x512 any", "s N 0x512 any", "s N 4096x512 odd", "q N 4096x512 any", "s N any",
                   "s N 04096x512 any", "s  N 4096x512 any", "s N 4096x-5 any", "")]
        wrong += [{"shapes": {name: right | more}} for more in
                  ({"launch": "256/16/4"}, {"launch": "gemv_n many 256/16/0"}, {"launch": "gemv_n 256/16/4"},
                   {"launch": "gemv_n_wide many 256/16/4"}, {"launch": "gemv_n many 256/16/4 "}, {"launch": "symv many 256/16/4"},
                   {"launch": 1}, {"gain": 0}, {"gain": "1.1"}, {"note": "fast"})]
        wrong += [{"shapes": {name: {"gain": 1.1}}}, {"shapes": {name: {"launch": right["launch"]}}}, {"shapes": {name: []}}]
        prices, model = self.table["prices"], self.table["model"]
        kernel = prices["gemv_n"]
        wrong += [{"prices": {}}, {"prices": {key: prices[key] for key in prices if key != "gemv_t"}}, {"prices": prices | {"symv": kernel}}]
        wrong += [{"prices": prices | {"gemv_n": other}} for other in
                  (7, kernel | {"launch": -1}, kernel | {"launch": "1"}, kernel | {"load": 1}, kernel | {"load": {"s": 1}}, kernel | {"speed": 1},
                   kernel | {"load": kernel["load"] | {"q": 1}}, {key: kernel[key] for key in kernel if key != "block"})]
        wrong += [{"model": {}}, {"model": model | {"problems": 1.5}}, {"model": model | {"worst": -1}}, {"model": model | {"date": ""}}]
        tables = [self.table | change for change in wrong]
        tables += [{key: value for key, value in self.table.items() if key != left_out} for left_out in required]
        for table in tables:
            with self.subTest(table):
                self.assertNotEqual(self.refused(table), "")


class Usage(unittest.TestCase):
    def test_says_what_would_be_right(self):
        for arguments, words in ((["--dry-run"], "such as --shape 4096x4096; all others the model plans"),
                                 (["--shape", "10", "--budget", "soon", "--dry-run"], "such as 90s, 9m or 1h"),
                                 (["--shape", "10", "--dry-run"], "name a file"),
                                 (["--shape", "10", "--model", "--dry-run"], "--shape excludes --model"),
                                 (["--model", "--op", "C", "--dry-run"], "launches of T"),
                                 (["--shape", "10", "--type", "w", "--dry-run"], "must be one of s d c z h b"),
                                 (["--shape", "10", "--op", "C", "--dry-run"], "launches of T"),
                                 (["--shape", "10", "--backend", "cpu"], "only launches of cuda"),
                                 (["--shape", "10x", "--dry-run"], "10x"),
                                 (["--shape", "10", "--layout", "both", "--dry-run"], "both"),
                                 (["--shape", "10", "--dry-run", "--output", "/nowhere/x.json"], "cannot write")):
            with self.subTest(arguments):
                done = run("tune", *arguments)
                self.assertIn(done.returncode, (1, 2))
                self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""`onepass tune` without a GPU: dry runs that are killed and go on, the tables they write, and what is said of wrong ones."""
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from program import PROGRAM, available, run
from schema import why_not


def without_date(text):
    return re.sub(r'"date": "[^"]*"', "", text)


class DryRun(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    # Long enough to be cut off in the middle, in a build of any speed.
    def arguments(self, name, *more, points=os.environ.get("ONEPASS_TUNE_POINTS", "24")):
        return ["tune", "--dry-run", "--type", "s", "--mesh-points", points, "--output", str(self.root / name), *more]

    def cut_off(self, how, lines):
        """Ends a run once its journal has some lines; its exit code."""
        journal = self.root / "cut.journal"
        with subprocess.Popen([PROGRAM, *self.arguments("cut.json", "--resume")], stdout=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and process.poll() is None:
                if journal.exists() and journal.read_bytes().count(b"\n") > lines:
                    break
                time.sleep(0.002)
            process.send_signal(how)
            process.communicate(timeout=60)
        return process.returncode

    def test_that_is_killed_goes_on_to_the_same_table(self):
        self.assertEqual(run(*self.arguments("whole.json")).returncode, 0)
        self.assertEqual(self.cut_off(signal.SIGKILL, 20), -signal.SIGKILL)
        self.assertFalse((self.root / "cut.json").exists())
        self.assertEqual(self.cut_off(signal.SIGINT, 60), 130)
        done = run(*self.arguments("cut.json", "--resume"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for ending in (".json", ".scores.json"):
            whole, cut = ((self.root / name).with_suffix(ending).read_text() for name in ("whole", "cut"))
            self.assertEqual(without_date(whole), without_date(cut))
        self.assertFalse((self.root / "cut.journal").exists())

    def test_with_other_options_does_not_go_on(self):
        self.assertEqual(self.cut_off(signal.SIGKILL, 20), -signal.SIGKILL)
        done = run(*self.arguments("cut.json", "--resume", "--seed", "2"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("leave --resume out to begin anew", done.stderr)

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_table_is_used_where_it_is_named(self):
        self.assertEqual(run(*self.arguments("mine.json", points="6")).returncode, 0)
        path = str(self.root / "mine.json")
        gemv = run("explain", "gemv", "4000x4000", "--backend", "sim", ONEPASS_TUNING=path).stdout
        self.assertIn(f"chosen    by the table of NVIDIA H200 in {path}, cell 1351x1351", gemv)
        self.assertIn(f"in {path}, then the table of NVIDIA H200", run("info", ONEPASS_TUNING=path).stdout)
        off = run("explain", "gemv", "4000x4000", "--backend", "sim", ONEPASS_TUNING="off").stdout
        self.assertIn("chosen    by a model", off)

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_single_shapes_are_added_to_the_table(self):
        self.assertEqual(run(*self.arguments("mine.json", points="6")).returncode, 0)
        path = self.root / "mine.json"
        before = json.loads(path.read_text())
        layers = ["tune", "--dry-run", "--shape", "28672x4096,100", "--layout", "row", "--op", "N", "--type", "b", "--output",
                  str(path)]
        done = run(*layers)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^b N 28672x4096 +\d+\.\d+ us  \S+ +before +\d+\.\d+ us  \S+$")
        table = json.loads(path.read_text())
        self.assertEqual({mesh: list(shapes) for mesh, shapes in table["shapes"].items()},
                         {"b T aligned": ["4096x28672"], "b T any": ["100x100"]})
        self.assertEqual(table["gemv"], before["gemv"])
        explained = run("explain", "gemv", "28672x4096", "--layout", "row", "--type", "b", "--backend", "sim",
                        ONEPASS_TUNING=str(path)).stdout
        self.assertIn(f"chosen    by the table of NVIDIA H200 in {path}, cell 4096x28672", explained)
        self.assertEqual(run(*self.arguments("mine.json", points="4")).returncode, 0)
        self.assertEqual(json.loads(path.read_text())["shapes"], table["shapes"])
        path.write_text("{}")
        done = run(*layers)
        self.assertEqual(done.returncode, 0)
        self.assertIn(f"{path} is written anew: it has no \"onepass_tuning\"", done.stdout)

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_table_that_is_damaged_is_refused_and_nothing_breaks(self):
        self.assertEqual(run(*self.arguments("mine.json", points="6")).returncode, 0)
        path = self.root / "mine.json"
        path.write_text(path.read_text()[:500])
        done = run("explain", "gemv", "2001x1501", "--backend", "sim", ONEPASS_TUNING=str(path))
        self.assertEqual(done.returncode, 0)
        self.assertIn("chosen    by the table of NVIDIA H200, cell", done.stdout)
        self.assertIn(f"refused   the tuning table {path} is not used: ", done.stdout)
        self.assertIn(f"the tuning table {path} is not used: ", run("info", ONEPASS_TUNING=str(path)).stdout)
        measured = run("bench", "--backend", "sim", "--shape", "8x8", "--type", "s", "--op", "N", "--no-peers", "--time", "0.01",
                       ONEPASS_TUNING=str(path))
        self.assertEqual(measured.stderr.count("is not used"), 1)

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_table_that_is_no_text_is_refused_in_json_too(self):
        path = self.root / "mine.json"
        path.write_bytes(b'{"onepass_tuning": 2, "device": "\xff"}')
        for command in (["explain", "gemv", "100x100", "--backend", "sim", "--json"], ["info", "--json"]):
            with self.subTest(command):
                done = run(*command, ONEPASS_TUNING=str(path))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"the tuning table {path} is not used: ", json.dumps(json.loads(done.stdout)))

    def test_table_is_never_in_the_place_of_its_journal(self):
        done = run(*self.arguments("mine.journal", points="4"))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("mine.journal: the journal of the run lies there", done.stderr)
        self.assertEqual(list(self.root.iterdir()), [])
        (self.root / "mine.journal").touch()
        (self.root / "mine.json").symlink_to("mine.journal")
        self.assertEqual(run(*self.arguments("mine.json", points="4")).returncode, 2)

    def test_provenance_is_in_the_table(self):
        self.assertEqual(run(*self.arguments("mine.json", points="4"), ONEPASS_COMMIT="abc").returncode, 0)
        table = json.loads((self.root / "mine.json").read_text())
        self.assertEqual((table["device"], table["commit"]), ("NVIDIA H200", "abc"))
        self.assertIn("dry run", table["how"])
        self.assertTrue(table["date"] and table["driver"] and table["toolkit"] and table["library"])


class Schema(unittest.TestCase):
    """tuning/schema.json, which is for other programs, says what the library's reader and writer do."""
    FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tuning"

    def setUp(self):
        self.schema = json.loads((self.FOLDER / "schema.json").read_text())
        self.table = json.loads((self.FOLDER / "nvidia-h200.json").read_text())

    def test_is_that_of_the_tables_of_the_library(self):
        tables = sorted(set(self.FOLDER.glob("*.json")) - {self.FOLDER / name for name in ("schema.json", "space.json")})
        self.assertTrue(tables)
        for path in tables:
            self.assertEqual(why_not(json.loads(path.read_text()), self.schema, self.schema), "", path)

    def test_is_that_of_the_tables_that_are_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "dry.json"
            for more in (("--mesh-points", "4"), ("--shape", "100x200")):
                self.assertEqual(run("tune", "--dry-run", "--type", "s", "--output", str(path), *more).returncode, 0)
            table = json.loads(path.read_text())
            self.assertEqual({"gemv", "symv", "shapes"} - set(table), set())
            self.assertEqual(why_not(table, self.schema, self.schema), "")

    def test_refuses_what_is_no_table(self):
        for key, value in (("onepass_tuning", 2), ("space", 2), ("arch", "90"), ("rows", []), ("rows", [0]), ("cols", [1.5]),
                           ("n", None), ("gemv", {"s N": []}), ("gemv", {"s N any": ["256/8/0s"]}), ("gemv", {"s N any": "-"}),
                           ("symv", {"s L any": "256/8/0p"}), ("shapes", {"s N any": {"10": "256/8/0"}})):
            with self.subTest(key=key, value=value):
                self.assertNotEqual(why_not({**self.table, key: value}, self.schema, self.schema), "")
        for key in ("device", "rows", "n"):
            without = {name: value for name, value in self.table.items() if name != key}
            self.assertNotEqual(why_not(without, self.schema, self.schema), "", key)


class Usage(unittest.TestCase):
    def test_says_what_would_be_right(self):
        for arguments, words in ((["--budget", "soon", "--dry-run"], "such as 90s, 9m or 1h"),
                                 (["--dry-run"], "name a file"),
                                 (["--type", "h", "--dry-run"], "launches of b"),
                                 (["--op", "C", "--dry-run"], "launches of T"),
                                 (["--routine", "hemv", "--dry-run"], "launches of symv"),
                                 (["--backend", "cpu"], "only launches of cuda"),
                                 (["--shape", "10x", "--dry-run"], "10x"),
                                 (["--shape", "10", "--layout", "both", "--dry-run"], "both"),
                                 (["--shape", "10", "--routine", "symv", "--dry-run"], "single shapes are of gemv"),
                                 (["--dry-run", "--output", "/nowhere/x.json"], "cannot write")):
            with self.subTest(arguments):
                done = run("tune", *arguments)
                self.assertIn(done.returncode, (1, 2))
                self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()

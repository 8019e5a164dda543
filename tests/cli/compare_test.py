# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""`onepass compare`: a slower build is found, the same record is not, and what cannot be compared is said."""
import json
import pathlib
import tempfile
import unittest

from program import ROOT, run, with_points

REDUCTION = ROOT / "records" / "sytrd" / "h200-d.json"


class Compare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.before = ROOT / "records" / "h200-mesh.json"
        cls.record = with_points(json.loads(cls.before.read_text()))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def written(self, change, record=None):
        """The record with each point as `change` leaves it."""
        record = json.loads(json.dumps(record or self.record))
        for point in record["points"]:
            change(point)
        path = pathlib.Path(self.folder.name) / "after.json"
        path.write_text(json.dumps(record))
        return str(path)

    def test_is_silent_on_the_same_figures(self):
        done = run("compare", str(self.before), str(self.before))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("nothing is slower beyond noise", done.stdout)
        self.assertNotIn("slower, beyond noise", done.stdout)

    def test_finds_five_percent_in_one_type_and_op(self):
        def slow(point):
            if (point["type"], point["op"]) == ("c", "T"):
                point["times"]["Onepass"][0] *= 1.05

        after = self.written(slow)
        done = run("compare", str(self.before), after)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^c T cold +\d+  1\.050 .* slower")
        found = json.loads(run("compare", str(self.before), after, "--json").stdout)
        self.assertTrue(found["worse"])
        self.assertEqual([g["group"] for g in found["groups"] if g["verdict"] != "same"], ["c T cold"])
        self.assertGreater(len(found["slower"]), 50)
        self.assertTrue(all(point["point"].startswith("c T ") for point in found["slower"]))

    def test_finds_five_percent_in_one_triangle(self):
        before = ROOT / "records" / "h200-symv.json"

        def slow(point):
            if (point["type"], point["uplo"]) == ("d", "U"):
                point["times"]["Onepass"][0] *= 1.05

        after = self.written(slow, with_points(json.loads(before.read_text())))
        self.assertEqual(run("compare", str(before), str(before)).returncode, 0)
        done = run("compare", str(before), after, "--json")
        self.assertEqual(done.returncode, 1, done.stdout)
        found = json.loads(done.stdout)
        self.assertEqual([(g["group"], g["ratio"]) for g in found["groups"] if g["verdict"] != "same"], [("symv d U cold", 1.05)])
        self.assertGreater(len(found["slower"]), 20)
        self.assertTrue(all(point["point"].startswith("symv d U ") for point in found["slower"]))

    def test_finds_one_slower_point(self):
        order = next(p["m"] for p in self.record["points"] if p["m"] == p["n"] and p["m"] > 2000)

        def slow(point):
            if (point["type"], point["op"], point["m"], point["n"]) == ("d", "N", order, order):
                point["times"]["Onepass"][0] *= 1.05

        done = run("compare", str(self.before), self.written(slow))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("slower: 1 of", done.stdout)
        self.assertIn(f"d N {order}x{order} cold", done.stdout)

    def test_threshold_is_the_least_change_that_counts(self):
        after = self.written(lambda point: point["times"]["Onepass"].__setitem__(0, point["times"]["Onepass"][0] * 1.05))
        self.assertEqual(run("compare", str(self.before), after, "--threshold", "0.2").returncode, 0)

    def test_records_without_common_points_cannot_be_compared(self):
        done = run("compare", str(self.before), str(ROOT / "records" / "neoverse-v1-gemv.json"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("no point in common", done.stderr)

    def test_files_that_are_no_records_are_named(self):
        for files in ((self.before, ROOT / "README.md"), (REDUCTION, ROOT / "README.md"), (ROOT / "README.md", REDUCTION)):
            done = run("compare", *map(str, files))
            self.assertEqual(done.returncode, 2)
            self.assertIn("README.md is no record", done.stderr)

    def test_records_of_reductions_are_compared(self):
        record = json.loads(REDUCTION.read_text())
        record["rows"][-1][3:5] = [1.2 * time for time in record["rows"][-1][3:5]]
        after = pathlib.Path(self.folder.name) / "reduction.json"
        after.write_text(json.dumps(record))
        same, slower, faster = (run("compare", str(old), str(new), "--json")
                                for old, new in ((REDUCTION, REDUCTION), (REDUCTION, after), (after, REDUCTION)))
        self.assertEqual([done.returncode for done in (same, slower, faster)], [0, 1, 0], slower.stderr)
        self.assertEqual([point["point"] for point in json.loads(slower.stdout)["slower"]], ["sytrd d 8192"])
        self.assertEqual(len(json.loads(faster.stdout)["faster"]), 1)

    def test_a_reduction_is_not_compared_with_another_or_with_products(self):
        for other, why in ((ROOT / "records" / "gebrd" / "h200-d.json", "no point in common"), (self.before, "one is of a reduction")):
            for files in ((REDUCTION, other), (other, REDUCTION)):
                done = run("compare", *map(str, files))
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(why, done.stderr)

    def test_two_runs_have_the_same_points(self):
        paths = [str(pathlib.Path(self.folder.name) / name) for name in ("one.json", "two.json")]
        for path in paths:
            run_arguments = ["bench", "--backend", "cpu", "--threads", "1", "--shape", "64,65", "--time", "0.01", "--no-peers"]
            self.assertEqual(run(*run_arguments, "--json", path).returncode, 0)
        found = json.loads(run("compare", *paths, "--json").stdout)
        self.assertEqual((found["points"], found["only_before"], found["only_after"]), (16, 0, 0))
        self.assertEqual([group["peers"] for group in found["groups"]], [None] * 8)


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""`onepass ladder`: its figures, its words, and the table that the documents get from it."""
import unittest

from program import available, run, run_json


class Ladder(unittest.TestCase):
    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_of_the_simulator_shows_what_coalescing_is(self):
        result = run_json("ladder", "--backend", "sim", "--json", "-")
        self.assertEqual((result["shape"], result["simulated"]), ([4096, 8192], [128, 1024]))
        sectors = [step["traffic"]["sectors_requested"] / step["traffic"]["sectors_needed"] for step in result["steps"]]
        self.assertEqual(sectors[:4], [8, 1, 1, 1])
        self.assertLess(sectors[4], 1.05)
        self.assertNotIn("us", result["steps"][0])

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_has_code_unless_it_is_not_wanted(self):
        self.assertIn("struct Naive {", run("ladder", "40x60", "--backend", "sim").stdout)
        done = run("ladder", "40x61", "--backend", "sim", "--no-code")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("struct Naive", done.stdout)
        self.assertIn("sectors of A requested per sector needed (simulated, 40x61)", done.stdout)

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_of_seeds_has_every_rung_at_every_product_beside_onepass(self):
        result = run_json("ladder", "70x70", "--seeds", "--backend", "sim", "--json", "-")
        self.assertEqual([point["product"] for point in result["points"]],
                         ["s N 70x70", "s T 70x70", "symv s L 70x70", "d N 70x70", "d T 70x70", "symv d L 70x70"])
        for point, rungs in zip(result["points"], (5, 1, 18) * 2):
            self.assertEqual([r["name"] for r in point["results"]][rungs:], ["Onepass"])
            # Onepass loads small triangles once for rows and once for columns, the second time from the L2.
            self.assertEqual([r["name"] for r in point["results"] if not r["traffic"]["reads_once"]],
                             ["Onepass"] if "symv" in point["product"] else [])
        self.assertIn("6 products on sim: every rung was right", run("ladder", "70x70", "--seeds", "--backend", "sim", "--check").stdout)

    def test_of_loops_is_timed_beside_onepass(self):
        result = run_json("ladder", "37x501", "--backend", "cpu", "--time", "0.1", "--no-peers", "--json", "-")
        self.assertEqual([step["name"] for step in result["steps"]], ["by columns", "by rows", "many sums", "four rows", "Onepass"])
        for step in result["steps"]:
            self.assertGreater(step["us"], 0)
            self.assertAlmostEqual(step["gb_per_second"], result["bytes"] / step["us"] / 1e3, delta=0.01 * step["gb_per_second"])
        self.assertEqual(result["peers"], [])

    def test_check_runs_each_step_once_on_the_whole_matrix(self):
        for backend in ("cpu", "sim"):
            if not available(backend):
                continue
            with self.subTest(backend):
                done = run("ladder", "200x301", "--backend", backend, "--check")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, rf"^200 x 301 on {backend}: every step was right: .*, Onepass\n$")
                result = run_json("ladder", "200x301", "--backend", backend, "--check", "--json", "-")
                self.assertEqual((result["checked"], result["floor"]), (True, 0))
                self.assertEqual(result.get("simulated", [200, 301]), [200, 301])

    def test_says_what_would_be_right(self):
        for arguments, hint in ((["0x5", "--backend", "cpu"], "must be 1x1 or more"),
                                (["--backend", "reference"], "cuda, cpu and sim"),
                                (["--seeds", "--backend", "cpu"], "take --backend cuda or sim"),
                                (["5y5", "--backend", "cpu"], "must be rows x columns")):
            done = run("ladder", *arguments)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(hint, done.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records of the benchmark: complete, readable by machines, and what each selection measures."""
import json
import pathlib
import tempfile
import unittest

from program import available, compare, numbers_as_hash, run, run_json, with_points

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
            self.assertEqual(next(iter(point["times"])), "Onepass")
            self.assertGreater(point["floor"], 0)
            self.assertTrue(point["plan"])
            for median, least, spread, samples in point["times"].values():
                self.assertGreaterEqual(median, least)
                self.assertGreaterEqual(spread, 0)
                self.assertEqual(samples, 7)
                self.assertEqual(median, float(f"{median:.4g}"))

    @unittest.skipUnless(available("cuda"), "there is no GPU")
    def test_calls_alone_take_longer_than_in_a_queue(self):
        record = run_json("bench", "--backend", "cuda", "--type", "s", "--op", "T", "--shape", "256", "--cache", "cold,alone", "--time",
                          "0.02", "--json", "-")
        queue, alone = record["points"]
        self.assertEqual([point["setting"] for point in (queue, alone)], ["queue", "alone"])
        self.assertGreater(alone["times"]["Onepass"][0], queue["times"]["Onepass"][0])
        self.assertIn("fixed part of a launch, alone", [ceiling["name"] for ceiling in record["ceilings"]])

    def test_batch_and_padding_are_in_the_point(self):
        arguments = ["bench", "--backend", "cpu", "--type", "d", "--op", "T", "--shape", "20x10", "--layout", "row", "--lda", "3",
                     "--batch", "4", "--threads", "1", "--time", "0.01", "--json", "-"]
        point = run_json(*arguments)["points"][0]
        self.assertEqual((point["layout"], point["lda"], point["batch"]), ("row", 13, 4))
        self.assertNotIn("pointers", point)
        self.assertEqual(point["bytes"], 4 * 8 * (20 * 10 + 20 + 10))

    def test_csv(self):
        lines = run(*SMALL, "--csv").stdout.splitlines()
        own = [",".join(line.split(",")[:14] + [numbers_as_hash(w) for w in line.split(",")[14:]])
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


class Selections(unittest.TestCase):
    """Each with options that make it small."""
    QUICKLY = ["--backend", "cpu", "--threads", "1", "--time", "0.005", "--json", "-"]

    def test_mesh_has_the_conjugate_of_complex_types_and_plans(self):
        record = with_points(run_json("bench", "gemv", "--mesh", "--mesh-points", "2", "--max-bytes", "1e4", "--type", "s,c", *self.QUICKLY))
        self.assertEqual(record["selection"], "mesh")
        self.assertEqual([p["type"] + p["op"] for p in record["points"]], ["sN", "sT", "cN", "cT", "cC"])
        self.assertTrue(all(p["plan"] for p in record["points"]))
        self.assertEqual([g["group"] for g in record["summary"]], [f"{k} hot 1 thread" for k in ("s N", "s T", "c N", "c T", "c C")])

    def test_sweep_tells_its_dips(self):
        arguments = ["bench", "gemv", "--sweep", "1:193:64", "--type", "s", "--op", "N", "--no-peers", "--cache", "hot", *self.QUICKLY]
        record = with_points(run_json(*arguments))
        self.assertEqual([p["m"] for p in record["points"]], [1, 65, 129, 193])
        self.assertEqual([list(p["times"]) for p in record["points"]], [["Onepass"]] * 4)
        self.assertEqual([(d["group"], d["sizes"]) for d in record["dips"]], [("s N hot 1 thread", 2)])
        self.assertNotIn("plan", record["points"][0])
        self.assertTrue(with_points(run_json(*arguments, "--plans"))["points"][0]["plan"])
        self.assertIn("dips: over 10 % slower than the slower neighbour at +-64", run(*arguments[:-2]).stdout)

    def test_batches_of_both_kinds_and_of_one(self):
        arguments = ["bench", "gemv", "--type", "s", "--op", "N", "--shape", "8x8", "--batch", "1,4", *self.QUICKLY]
        kinds = [(p["batch"], p.get("pointers", False)) for p in with_points(run_json(*arguments, "--batched"))["points"]]
        self.assertEqual(kinds, [(1, False), (4, False), (1, True), (4, True)])
        kinds = [(p["batch"], p.get("pointers", False)) for p in with_points(run_json(*arguments, "--batched", "pointer"))["points"]]
        self.assertEqual(kinds, [(1, True), (4, True)])

    def test_triangles_have_both_sides_and_groups_by_size(self):
        record = run_json("bench", "symv", "--type", "s,z", "--shape", "8,600", *self.QUICKLY)
        self.assertEqual([(p["routine"], p["type"] + p["uplo"], p["m"], p["n"]) for p in record["points"]],
                         [("symv", k, n, n) for k in ("sL", "sU", "zL", "zU") for n in (8, 600)])
        self.assertNotIn("op", record["points"][0])
        self.assertEqual(record["points"][0]["bytes"], 4 * (8 * 9 // 2 + 8 + 8))
        self.assertEqual([(g["group"], g["points"]) for g in record["summary"]][:2],
                         [("symv s L hot 1 thread", 2), ("symv s L hot 1 thread, n 512..4500", 1)])
        points = run_json("bench", "hemv", "--uplo", "U", "--shape", "8", *self.QUICKLY)["points"]
        self.assertEqual([(p["routine"], p["type"] + p["uplo"]) for p in points], [("hemv", "cU"), ("hemv", "zU")])

    def test_updates_have_neither_ops_nor_triangles(self):
        record = run_json("bench", "ger", "--type", "s,z", "--shape", "20x10", "--layout", "row", *self.QUICKLY)
        self.assertEqual([(p["routine"], p["type"], p["m"], p["n"]) for p in record["points"]],
                         [("ger", "s", 20, 10), ("ger", "z", 20, 10)])
        self.assertFalse({"op", "uplo"} & set(record["points"][0]))
        self.assertEqual(record["points"][0]["bytes"], 4 * (2 * 20 * 10 + 20 + 10))
        self.assertEqual([g["group"] for g in record["summary"]], ["ger real hot L1 1 thread", "ger complex hot L1 1 thread"])
        points = run_json("bench", "gerc", "--shape", "8", "--batch", "3", *self.QUICKLY)["points"]
        self.assertEqual([(p["routine"], p["type"], p["batch"]) for p in points], [("gerc", "c", 3), ("gerc", "z", 3)])

    def test_shapes_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "shapes.txt"
            path.write_text("# two layers\n8x16\n\n32 4  # tall\n")
            points = run_json("bench", "--type", "s", "--op", "N", "--shapes", str(path), *self.QUICKLY)["points"]
            self.assertEqual([(p["m"], p["n"]) for p in points], [(8, 16), (32, 4)])
            path.write_text("8x16\n8 x\n")
            done = run("bench", "--shapes", str(path), *self.QUICKLY)
            self.assertEqual(done.returncode, 2)
            self.assertIn('shapes.txt line 2 "8 x": must be rows x columns', done.stderr)

    def test_details_are_the_plain_figures(self):
        arguments = ["bench", "--type", "s", "--op", "N", "--shape", "64x64", "--no-peers", "--details", *self.QUICKLY]
        self.assertEqual(len(run_json(*arguments)["points"][0]["journey"]), 3)
        self.assertRegex(run(*arguments[:-2]).stdout, r"from start to end .* GFLOP/s")

    def test_ceilings_are_by_working_set(self):
        names = [c["name"] for c in run_json("bench", "--ceilings", "--backend", "cpu", "--json", "-")["ceilings"]]
        for word in ("read", "copy"):
            self.assertGreater(sum(name.startswith(f"{word} ") for name in names), 4)
        self.assertTrue(any(name.startswith("time per call") for name in names))

    def test_all_writes_a_record_for_each_selection(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["bench", "--all", "--type", "s,c", "--max-bytes", "4e4", "--mesh-points", "2", "--no-peers",
                         *self.QUICKLY[:-1], str(pathlib.Path(folder) / "set.json")]
            done = run(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            records = {p.stem: json.loads(p.read_text()) for p in pathlib.Path(folder).glob("*.json")}
        selections = {name[4:]: record["selection"] for name, record in records.items()}
        self.assertEqual(selections, {"ceilings": "standard", "gemv": "standard", "mesh": "mesh", "sweep": "sweep",
                                      "inference": "inference", "batched": "batched", "symv": "standard", "hemv": "standard",
                                      "symv-batched": "batched", "symv-sweep": "sweep", "sweep-hot": "sweep",
                                      "ger": "standard", "gerc": "standard", "ger-batched": "batched"})
        self.assertEqual({p["type"] for p in records["set-hemv"]["points"]}, {"c"})
        self.assertEqual({p["type"] for p in records["set-gerc"]["points"]}, {"c"})
        self.assertTrue(all(record["complete"] for record in records.values()))
        self.assertRegex(done.stdout, r"(?m)^hemv +4 +4 +[\d.]+ +\d+ +\S+set-hemv.json +\d+")

    def test_a_budget_ends_the_run_and_resume_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "record.json"
            arguments = ["bench", "--type", "s", "--op", "N", "--sweep", "1:100:1", "--cache", "hot", "--no-peers", "--backend", "cpu",
                         "--threads", "1", "--json", str(path)]
            done = run(*arguments, "--time", "0.1", "--budget", "1s")
            self.assertEqual(done.returncode, 130, done.stderr)
            first = with_points(json.loads(path.read_text()))
            self.assertFalse(first["complete"])
            self.assertTrue(1 <= len(first["points"]) < 100)
            self.assertEqual(run(*arguments, "--time", "0.005", "--resume").returncode, 0)
            last = with_points(json.loads(path.read_text()))
        self.assertTrue(last["complete"])
        self.assertEqual((len(last["points"]), last["points"][:len(first["points"])]), (100, first["points"]))

    def test_random_shapes_are_those_of_their_seed(self):
        arguments = ["bench", "gemv", "--random", "6", "--seed", "4", "--max-bytes", "1e5", *self.QUICKLY]
        record = run_json(*arguments)
        self.assertEqual((record["selection"], len(record["points"])), ("random", 6))
        shapes = [(p["type"], p["op"], p["m"], p["n"], p.get("lda")) for p in record["points"]]
        self.assertEqual(shapes, [(p["type"], p["op"], p["m"], p["n"], p.get("lda")) for p in run_json(*arguments)["points"]])
        self.assertEqual(sum(group["points"] for group in record["summary"]), 6)
        table = run(*arguments[:-2]).stdout
        self.assertEqual(sum(f"{p['m']}x{p['n']}" in table for p in record["points"]), 6)

    def test_random_triangles_and_updates(self):
        for routine, kinds in (("symv", {"dL", "dU", "zL", "zU"}), ("hemv", {"zL", "zU"}), ("ger", {"d", "z"}), ("gerc", {"z"})):
            record = run_json("bench", routine, "--random", "12", "--min-bytes", "1e3", "--max-bytes", "2e3", "--type",
                              "z" if routine in ("hemv", "gerc") else "d,z", *self.QUICKLY)
            self.assertEqual((record["selection"], len(record["points"])), ("random", 12))
            self.assertEqual({p["type"] + p.get("uplo", "") for p in record["points"]}, kinds)
            self.assertEqual({p["routine"] for p in record["points"]}, {routine})

    def test_pairs_are_neighbours_and_the_summary_has_the_worst(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "record.json"
            arguments = ["bench", "gemv", "--random", "3", "--pairs", "--max-bytes", "1e5", "--type", "s", "--op", "T", "--no-peers",
                         *self.QUICKLY[:-1], str(path)]
            done = run(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            record = json.loads(path.read_text())
            steps = [(b["m"] - a["m"], b["n"] - a["n"]) for a, b in zip(record["points"][::2], record["points"][1::2])]
            self.assertTrue(set(steps) <= {(1, 0), (0, 1), (0, 0)} and len(steps) == 3, steps)
            pairs, = record["pairs"]
            self.assertEqual((pairs["group"], pairs["pairs"]), ("s T hot 1 thread", 3))
            self.assertRegex(done.stdout, r"(?m)^s T hot 1 thread +3 +\d +[\d.]+x +s T \S+.* beside s T ")
            self.assertIn(pairs["worst"]["at"], done.stdout)
            self.assertIn(pairs["worst"]["at"], run("bench", "--show", str(path)).stdout)
            cut = record | {"points": record["points"][:3], "complete": False}
            path.write_text(json.dumps(cut))
            self.assertEqual(run(*arguments, "--resume").returncode, 0)
            resumed = json.loads(path.read_text())
            self.assertEqual((len(resumed["points"]), resumed["points"][:3], resumed["pairs"][0]["pairs"]), (6, cut["points"], 3))
            self.assertEqual(run("compare", str(path), str(path)).returncode, 0)

    def test_points_that_are_there_twice_have_their_peers_each(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "record.json"
            arguments = ["bench", "--type", "s", "--op", "N", "--shape", "8,8", *self.QUICKLY[:-1], str(path)]
            self.assertEqual(run(*arguments).returncode, 0)
            peers = [list(p["times"]) for p in json.loads(path.read_text())["points"]]
            self.assertEqual(run(*arguments, "--no-peers").returncode, 0)
            self.assertEqual(run("bench", "--add-peers", str(path), "--time", "0.005").returncode, 0)
            self.assertEqual([list(p["times"]) for p in json.loads(path.read_text())["points"]], peers)

    def test_inference_is_row_major(self):
        points = run_json("bench", "gemv", "--inference", "--shape", "8x16", *self.QUICKLY)["points"]
        self.assertEqual([(p["type"], p["op"], p["layout"], p["cache"]) for p in points], [("b", "N", "row", "cold")])


if __name__ == "__main__":
    unittest.main()

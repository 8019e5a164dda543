# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The picture of README, docs/figures.md and the estimates of the cuBLAS log are those of the records, and the script that puts them there does so."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from markdown import ROOT

BEFORE, AFTER = "# Title\n\n<!-- figures:begin -->", "<!-- figures:end -->\n\nThe end.\n"


def update(*arguments, script="update_readme.py"):
    return subprocess.run([sys.executable, "-B", ROOT / "scripts" / "figures" / script, *arguments], capture_output=True, text=True,
                          check=False)


def record(*points, selection="standard", **more):
    """A record of points (type, op, own microseconds, peer's), all with a floor of one microsecond."""
    return json.dumps({
        "onepass": "0.0.0", "commit": "abc", "date": "2000-01-01T00:00:00Z", "backend": "cuda", "complete": True,
        "selection": selection, "machine": {"device": "a device"}, "providers": ["Onepass", "peer"],
        "points": [{"type": t, "op": op, "m": 8, "n": 9 + i, "cache": "cold", "bytes": 1000, "floor": 1,
                    "times": {"Onepass": [own, own, 0, 5], "peer": [peer, peer, 0, 5]}}
                   for i, (t, op, own, peer) in enumerate(points)]} | more)


def group(name, **more):
    return {"group": name, "points": 3, "efficiency": {"Onepass": 0.5, "peer": 0.251},
            "worst_efficiency": {"value": 0.123, "at": "s N 8x9"}, "large_efficiency": None, "ratio": 1.5,
            "worst_ratio": {"value": 0.96, "at": "s N 8x10"}, "slower": 1} | more


class Figures(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "records").mkdir()
        (self.root / "README.md").write_text(f"{BEFORE}\nstale figures\n{AFTER}")

    def readme(self):
        return (self.root / "README.md").read_text()

    def run_update(self, *arguments):
        return update("--root", self.root, *arguments)

    def test_of_this_repository_are_up_to_date(self):
        done = update("--check")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_of_the_estimates_are_up_to_date(self):
        done = update("--check", script="update_estimates.py")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_replace_the_block_alone(self):
        self.assertEqual(self.run_update().returncode, 0)
        self.assertTrue(self.readme().startswith(BEFORE) and self.readme().endswith(AFTER))
        self.assertNotIn("stale figures", self.readme())
        self.assertIn("no record yet", self.readme())

    def page(self):
        return (self.root / "docs" / "figures.md").read_text()

    def test_are_means_of_a_type_and_op(self):
        points = [("s", "N", 2, 4), ("s", "N", 8, 4), ("d", "T", 1, 3)]
        (self.root / "records" / "r.json").write_text(record(*points))
        self.assertEqual(self.run_update().returncode, 0)
        self.assertIn("| s N cold queue | 2 | 0.25 | 0.25 | 1.00 | 0.50 | 8x10 |", self.page())
        self.assertIn("| d T cold queue | 1 | 1.00 | 0.33 | 3.00 | 3.00 | 8x11 |", self.page())
        self.assertIn("(figures/r-s-N.svg)", self.page())
        self.assertIn("[d T](figures/r-d-T.svg)", self.page())
        self.assertIn("| [`onepass bench gemv`](../records/r.json) | 3 | 0.40 | 0.28 | 1.44 | 0.50 | s N 8x10 | abc |", self.page())

    def test_of_the_readme_are_one_picture_and_one_sentence(self):
        (self.root / "records" / "r.json").write_text(record(("s", "N", 2, 4), ("s", "N", 8, 4), ("d", "T", 1, 3)))
        self.assertEqual(self.run_update().returncode, 0)
        block = self.readme().removeprefix(BEFORE).removesuffix(AFTER).strip()
        picture, sentence = block.split("\n\n")
        self.assertEqual(picture, "![Efficiency of Onepass and its best peer](docs/figures/r-s-N.svg)")
        self.assertEqual(sentence, "On a device, over the 3 points of `onepass bench gemv`, calls in a queue, Onepass reaches 0.40 of what the memory "
                                   "allows and is 1.44 times as fast as the best peer, in geometric means; "
                                   "[all figures](docs/figures.md).")

    def test_of_the_readme_have_calls_alone_beside_those_in_a_queue(self):
        (self.root / "records" / "alone").mkdir()
        (self.root / "records" / "r.json").write_text(record(("s", "N", 2, 4)))
        (self.root / "records" / "alone" / "r.json").write_text(record(("s", "N", 4, 6)))
        self.assertEqual(self.run_update().returncode, 0)
        self.assertIn("reaches 0.50 of what the memory allows and is 2.00 times as fast as the best peer, in geometric means; over the 1 point of "
                      "`onepass bench gemv --cache alone`, where another kernel lies between any two calls, it is 0.25 and 1.50 times.", self.readme())

    def test_of_the_readme_claim_no_peer_where_there_was_none(self):
        made = json.loads(record(("s", "N", 2, 4)))
        made["points"][0]["times"].pop("peer")
        (self.root / "records" / "r.json").write_text(json.dumps(made))
        self.assertEqual(self.run_update().returncode, 0)
        self.assertIn("over the 1 point of `onepass bench gemv`, calls in a queue, Onepass reaches 0.50 of what the memory allows, in the "
                      "geometric mean; [all figures]", self.readme())

    def test_of_a_mesh_are_its_summary_and_maps(self):
        points = [(t, op, 2, 3) for t in "sd" for op in "NTC"]
        summary = [group("s N cold"), group("s T cold", large_efficiency=0.951, worst_ratio=None, ratio=None)]
        (self.root / "records" / "r.json").write_text(record(*points, selection="mesh", summary=summary))
        self.assertEqual(self.run_update().returncode, 0)
        page = self.page()
        self.assertIn("| s N cold | 3 | 0.50 | 0.25 | - | 0.12 | s N 8x9 | 1.50 | 0.96 | s N 8x10 | 1 |", page)
        self.assertIn("| s T cold | 3 | 0.50 | 0.25 | 0.95 | 0.12 | s N 8x9 | - | - | - | 1 |", page)
        self.assertEqual(page.count("!["), 3)
        self.assertIn("[s C](figures/r-s-C.svg)", page)
        self.assertNotIn("Every shape", page)
        self.assertEqual(re.findall(r"docs/figures/(\S+).svg", self.readme()), ["r-speed-up"])

    def test_of_random_shapes_are_dots_and_come_first_in_the_readme(self):
        points = [(t, op, 2, 3) for t in "sd" for op in "NTC"] * 4
        made = json.loads(record(*points, selection="random", summary=[group("s N alone")]))
        for i, point in enumerate(made["points"]):
            point |= {"cache": "alone", "bytes": 50000 * (i + 1), "m": point["n"]}
        (self.root / "records" / "z.json").write_text(json.dumps(made))
        (self.root / "records" / "r.json").write_text(record(*points, selection="mesh", summary=[group("s N cold")]))
        self.assertEqual(self.run_update().returncode, 0)
        picture = xml.etree.ElementTree.parse(self.root / "docs" / "figures" / "z.svg")
        peer, own = [e.get("d").split("M")[1:] for e in picture.iter("{http://www.w3.org/2000/svg}path")]
        self.assertEqual((len(own), len(peer)), (24, 24))
        self.assertEqual({dot.split()[1] for dot in own}, {"222.0h0"})  # 62 and half of 320: half of the floor
        self.assertEqual([e.text for e in picture.iter("{http://www.w3.org/2000/svg}text")][7:10], ["100 KB", "1 MB", "Onepass"])
        self.assertEqual(re.findall(r"docs/figures/(\S+).svg", self.readme()), ["z"])
        self.assertIn("Each dot is a shape, a type and an op that nobody chose", self.readme())
        self.assertIn("over the 24 points of `onepass bench gemv --random 24 --cache alone`, another kernel between any two calls, Onepass reaches 0.50", self.readme())
        self.assertEqual([p.name for p in (self.root / "docs" / "figures").glob("z*.svg")], ["z.svg"])

    def test_of_a_sweep_are_curves_with_their_dips(self):
        usual = [("s", "N", 2, 4)] * 700
        made = json.loads(record(*usual, ("s", "N", 8, 4), *usual, selection="sweep", summary=[group("s N cold")],
                                 dips=[{"group": "s N cold", "sizes": 500, "dips": [[709, 4.0]]}]))
        for point in made["points"]:
            point["m"] = point["n"]
        (self.root / "records" / "r.json").write_text(json.dumps(made))
        self.assertEqual(self.run_update().returncode, 0)
        self.assertIn("| s N cold | 500 | 1 | 709 | 4.0 |", self.page())
        picture = xml.etree.ElementTree.parse(self.root / "docs" / "figures" / "r.svg")
        curves = [e.get("points").split() for e in picture.iter("{http://www.w3.org/2000/svg}polyline")]
        self.assertLess(max(map(len, curves)), 900)  # no more than two for a pixel
        lowest = max(float(at.split(",")[1]) for at in curves[-1])
        ring, = picture.iter("{http://www.w3.org/2000/svg}circle")
        self.assertEqual(float(ring.get("cy")), lowest)  # the dip is drawn, and marked
        self.assertIn("](docs/figures/r.svg)", self.readme())
        self.assertIn("[`onepass bench gemv --sweep 9:1409:1 --cache cold`](../records/r.json)", self.page())

    def test_are_small(self):
        for path in (ROOT / "docs").rglob("*.svg"):
            self.assertLess(path.stat().st_size, 200_000, path.name)

    def test_of_ceilings_alone_are_not_shown(self):
        (self.root / "records" / "r.json").write_text(record(ceilings=[{"name": "read", "value": 1, "unit": "GB/s"}]))
        self.assertEqual(self.run_update().returncode, 0)
        self.assertIn("no record yet", self.readme())

    def test_that_are_stale_are_found_and_removed(self):
        (self.root / "records" / "r.json").write_text(record(("s", "N", 1, 1)))
        self.assertEqual(self.run_update("--check").returncode, 1)
        self.assertFalse((self.root / "docs").exists())
        self.assertEqual(self.run_update().returncode, 0)
        self.assertEqual(self.run_update("--check").returncode, 0)
        (self.root / "records" / "r.json").unlink()
        self.assertIn("r-s-N.svg", self.run_update("--check").stderr)
        self.assertEqual(self.run_update().returncode, 0)
        self.assertFalse((self.root / "docs" / "figures" / "r-s-N.svg").exists())
        self.assertFalse((self.root / "docs" / "figures.md").exists())


class Ladder(unittest.TestCase):
    def test_of_this_repository_is_up_to_date(self):
        done = update("--check", script="update_ladder.py")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_has_a_table_for_each_record(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "records" / "ladder").mkdir(parents=True)
            (root / "docs").mkdir()
            document = root / "docs" / "ladder.md"
            document.write_text("# T\n<!-- ladder:begin -->\nstale\n<!-- ladder:end -->\nend\n")
            steps = [{"name": "naive", "us": 8.0, "gb_per_second": 100.5, "gflop_per_second": 50.2, "efficiency": 0.125,
                      "traffic": {"sectors_requested": 16, "sectors_needed": 2, "loads": 7, "shared_accesses": 6,
                                  "bank_conflicts": 5, "barriers": 4, "shuffles": 3},
                      "compiled": {"registers": 20, "local_bytes": 0, "shared_bytes": 0, "occupancy": 0.5}}]
            (root / "records" / "ladder" / "r.json").write_text(json.dumps({
                "onepass": "0.0.0", "commit": "abc", "date": "2000-01-01T00:00:00Z", "backend": "cuda", "shape": [8, 9],
                "machine": {"device": "a device"}, "remarks": ["it was hot"], "threads": 0, "cache": "cold", "bytes": 1, "floor": 1.0,
                "simulated": [4, 5], "steps": steps, "peers": [{"name": "peer", "us": 4.0, "gb_per_second": 201.0,
                                                                "gflop_per_second": 100.4, "efficiency": 0.25}]}))
            self.assertEqual(update("--root", root, "--check", script="update_ladder.py").returncode, 1)
            self.assertEqual(update("--root", root, script="update_ladder.py").returncode, 0)
            text = document.read_text()
        self.assertIn("| naive | 8 | 100 | 50.2 | 0.12 | 8.00 | 7 | 6 | 5 | 4 | 20 | 50 % |", text)
        self.assertIn("| peer | 4 | 201 | 100.4 | 0.25 | - | - | - | - | - | - | - |", text)
        self.assertIn("it was hot", text)
        self.assertNotIn("stale", text)


class Programs(unittest.TestCase):
    def test_of_this_repository_are_up_to_date(self):
        done = update("--check", script="update_drop_in.py")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_have_a_table_for_each_record(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "records" / "drop-in").mkdir(parents=True)
            (root / "docs").mkdir()
            document = root / "docs" / "drop-in.md"
            document.write_text("".join(f"<!-- {name}:begin -->\nstale\n<!-- {name}:end -->\n" for name in (
                "llama-step", "conjugate-gradient", "drop-in-solvers", "torch-install")))
            common = {"complete": True, "commit": "abc", "date": "2000-01-01T00:00:00Z", "machine": {"device": "a device", "PyTorch": "9"},
                      "taken": {"cublasGemmEx": 7}, "past": 64}
            ways = {"plain": {"graph": 2.0, "eager": 8.0}, "interposed": {"graph": 1.6, "eager": 4.0}}
            (root / "records" / "drop-in" / "l.json").write_text(json.dumps(common | {
                "selection": "llama-step", "points": [{"size": "1B-like", "layers": 3, "weight_bytes": 2e9, "ways": ways}]}))
            self.assertEqual(update("--root", root, "--check", script="update_drop_in.py").returncode, 1)
            self.assertEqual(update("--root", root, script="update_drop_in.py").returncode, 0)
            self.assertIn("| ms of a step | PyTorch as it is | libonepass_cublas.so preloaded |\n| --- | ---: | ---: |\n"
                          "| 1B-like, 3 layers, 2.0 GB of weights, graph | 2 | 1.6 (1.25x) |\n", document.read_text())
            self.assertIn("With a static cache of 64 positions. Taken: 7 of `cublasGemmEx`.", document.read_text())
            self.assertIn("There is no record yet.", document.read_text())
            ways["rest"] = {"graph": 0.5, "eager": 4.0}  # and 22 products of 1.45 us, 2 GB of weights at 4.6 TB/s
            (root / "records" / "drop-in" / "l.json").write_text(json.dumps(common | {
                "selection": "llama-step", "points": [{"size": "1B-like", "layers": 3, "weight_bytes": 2e9, "ways": ways}]}))
            self.assertEqual(update("--root", root, script="update_drop_in.py").returncode, 0)
            self.assertIn("graph | 2 | 1.6 (1.25x) | 0.5 |", document.read_text())
            self.assertIn("alone, and the rest as it is: 1B-like 0.9667 (2.07x).", document.read_text())
            (root / "records" / "drop-in" / "c.json").write_text(json.dumps(common | {
                "selection": "conjugate-gradient", "points": [{"library": "cupy", "type": "fp64", "n": 8, "ways": {
                    "plain": {"eager": 8.0}, "symv": {"eager": 4.0}}}]}))
            self.assertEqual(update("--root", root, script="update_drop_in.py").returncode, 0)
            self.assertIn("| CuPy fp64 n = 8, eager | 8 | 4 (2.00x) |", document.read_text())
            sides = {"plain": {"passed": 3, "failed": []}, "onepass": {"passed": 2, "failed": ["one"]}}
            (root / "records" / "drop-in" / "s.json").write_text(json.dumps(common | {
                "selection": "drop-in-solvers", "cases": {"torch": sides}, "points": [
                    {"function": "torch.svd", "type": "fp32", "n": 64, "plain": {"ms": 3.0}, "onepass": {"ms": 1.5}}]}))
            self.assertEqual(update("--root", root, script="update_drop_in.py").returncode, 0)
            self.assertIn("| times as fast, n = | 64 |\n| --- | ---: |\n| `torch.svd` fp32 | 2.00 |", document.read_text())
            self.assertIn("Cases that pass: torch: 3 of 3 without Onepass, 2 of 3 with it.", document.read_text())
            (root / "records" / "drop-in" / "t.json").write_text(json.dumps(common | {
                "selection": "torch-install", "points": [
                    {"function": "torch.linalg.eigh", "type": "fp32", "n": 64, "batch": 1024, "residual": 1.84,
                     "plain": {"ms": 800.0}, "onepass": {"ms": 1.0}}]}))
            self.assertEqual(update("--root", root, script="update_drop_in.py").returncode, 0)
            self.assertIn("| times as fast | 1024 of 64 |\n| --- | ---: |\n| `torch.linalg.eigh` fp32 | 800 |", document.read_text())
            self.assertIn("Largest residual 1.8 n eps.", document.read_text())
            self.assertNotIn("stale", document.read_text())
            self.assertEqual(update("--root", root, "--check", script="update_drop_in.py").returncode, 0)


class Lineage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "records" / "lineage").mkdir(parents=True)
        (self.root / "docs").mkdir()
        self.document = self.root / "docs" / "lineage.md"
        self.document.write_text("# T\n<!-- lineage:begin -->\nstale\n<!-- lineage:end -->\nend\n")

    def write(self, name, backend, results):
        points = [{"routine": "symv", "type": "d", "op": "N", "shape": [8, 8], "bytes": 1, "floor": 2.0, "results": results},
                  {"routine": "gemv", "type": "s", "op": "T", "shape": [8, 9], "bytes": 1, "floor": 2.0, "results": results[-1:]}]
        (self.root / "records" / "lineage" / name).write_text(json.dumps({
            "onepass": "0.0.0", "commit": "abc", "date": "2000-01-01T00:00:00Z", "backend": backend, "machine": {"device": "a device"},
            "remarks": ["it was hot"], "cache": "cold", "points": points}))

    def test_of_this_repository_is_up_to_date(self):
        done = update("--check", script="update_lineage.py")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_has_times_over_those_of_onepass_and_the_best_of_the_space(self):
        self.write("r.json", "cuda", [{"name": "atomics", "us": 8.0}, {"name": "one", "space": True, "us": 6.0},
                                      {"name": "two", "space": True, "us": 5.0}, {"name": "Onepass", "us": 4.0}])
        self.assertEqual(update("--root", self.root, "--check", script="update_lineage.py").returncode, 1)
        self.assertEqual(update("--root", self.root, script="update_lineage.py").returncode, 0)
        text = self.document.read_text()
        self.assertIn("`y = A x`, A symmetric, double precision:\n\n| rung, us (times Onepass) | 8x8 |\n|---|---:|\n| atomics | 8 (2.0x) |\n"
                      "| best of Tx, Ty, U, M | 5 (1.2x) |\n| Onepass | 4 |\n| floor | 2 |\n\n"
                      "Best of the space, as Tx, Ty, U, M: 8x8: two.", text)
        self.assertIn("`y = A^T x`, single precision:\n\n| rung, us (times Onepass) | 8x9 |", text)
        self.assertIn("it was hot", text)
        self.assertNotIn("stale", text)
        self.assertEqual(update("--root", self.root, "--check", script="update_lineage.py").returncode, 0)

    def test_has_what_the_simulator_counted(self):
        self.write("s.json", "sim", [{"name": "Onepass", "traffic": {
            "sectors_requested": 3, "sectors_needed": 2, "reads_once": True, "loads": 4, "shared_accesses": 5, "barriers": 6,
            "atomic_adds": 7, "partial_sums": 8, "launches": 9}}])
        self.assertEqual(update("--root", self.root, script="update_lineage.py").returncode, 0)
        self.assertIn("| Onepass | `y = A^T x`, 8x9 | 1.50 | yes | 4 | 6 | 7 | 8 | 9 |", self.document.read_text())


class Reductions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for document, blocks in (("README.md", ["reductions"]), ("docs/reductions.md", ["goals", "sytrd", "gebrd", "gehrd", "geqrf", "q", "residuals"]),
                                 ("docs/solvers.md", ["syevd", "syevd-values", "gesvd", "gesvd-values"]),
                                 ("docs/batched-eigenproblems.md", ["syevd-batched", "syevd-batched-values", "growth", "gesvd-batched", "gesvd-batched-values",
                                                                    "gesvd-batched-jacobi", "residuals-batched"])):
            path = self.root / document
            path.parent.mkdir(exist_ok=True)
            path.write_text("# T\n" + "".join(f"<!-- {name}:begin -->\nstale\n<!-- {name}:end -->\n" for name in blocks) + "end\n")
        rows = [["d", 256, 256, 2.0, 1.9, 0.5, 5.0], ["d", 512, 512, 4.0, 3.9, 1.0, 12.0], ["d", 512, 64, 1.0, 1.0, 1.0, 77.0]]
        for routine in ("sytrd", "gebrd", "syevd", "syevd-values", "orgtr", "ormtr", "orgbr", "gesvd", "gesvd-values", "geqrf"):
            self.write(routine, rows)
        self.write("gesvd-polar", [[*row[:6], 3.0] for row in rows[:2]])
        for routine in ("syevd-batched", "syevd-batched-values"):
            self.write(routine, [[type_, n, n, 2.0, 1.9, 0, 5.0, 1000] for type_ in "sdcz" for n in (8, 16)])
            self.write(routine, [[type_, n, n, n**3.0, 1.9, 0, 0, 1000] for type_ in "sdcz" for n in (9, 17)], name="between")
        (self.root / "records" / "residuals").mkdir(parents=True)
        (self.root / "records" / "residuals" / "r.json").write_text(json.dumps({
            "what": "residuals", "device": "a device", "date": "2000-01-01", "commit": "abc", "limit": 30,
            "residuals": [{"kind": "gehrd", "type": "d", "orders": 3, "largest_order": 7, "worst": 1.25, "at": 5}],
            "repeats": [{"kind": "gehrd", "type": "d", "orders": [5, 7], "runs": 20, "different": 1}]}))
        (self.root / "records" / "residuals-batched").mkdir(parents=True)
        (self.root / "records" / "residuals-batched" / "r.json").write_text(json.dumps({
            "what": "residuals of batches", "device": "a device", "date": "2000-01-01", "commit": "abc", "limit": 30, "failed": 0,
            "residuals": [{"type": "c", "orders": "1..64", "matrices": 50, "worst": 2.51, "at": 9}]}))
        self.write("gehrd", [[*row[:6], 0] for row in rows] + [["z", 256, 256, 3.0, 2.9, 0.5, 0]])

    def write(self, routine, rows, name="r", date="2000-01-01"):
        path = self.root / "records" / routine / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({
            "onepass": "0.0.0", "commit": "abc", "date": f"{date}T00:00:00Z", "backend": "cuda", "routine": routine, "peer": "cuSOLVER",
            "machine": {"device": "a device"}, "columns": ["type", "m", "n", "median ms", "least ms", "byte floor ms", "peer median ms"],
            "rows": rows}))

    def test_of_this_repository_are_up_to_date(self):
        done = update("--check", script="update_reductions.py")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_of_errors_are_up_to_date(self):
        done = update("--check", script="update_accuracy.py")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_are_those_of_the_records(self):
        self.assertEqual(update("--root", self.root, "--check", script="update_reductions.py").returncode, 1)
        self.assertEqual(update("--root", self.root, script="update_reductions.py").returncode, 0)
        text = (self.root / "docs" / "reductions.md").read_text()
        self.assertIn("| n | 256 | 512 |\n|---|---:|---:|\n| `dsytrd`, ms | 2.00 | 4.00 |\n| cuSOLVER | 5.00 | 12.0 |\n| ratio | 2.50 | 3.00 |", text)
        self.assertIn("| goal of `gebrd` | 6 | 7 |", text)
        self.assertIn("| `dgebrd` | **2.50** | **3.00** |", text)
        self.assertIn("| `dsytrd` | 2.50 | 3.00 |", text)
        self.assertIn("| `zgehrd` | 3.00 |", text)
        self.assertIn("| largest residual | s | d | c | z |\n|---|---:|---:|---:|---:|\n| gehrd | - | 1.2 (n = 5) | - | - |", text)
        self.assertIn("Of 40 repeated runs beside other work on the GPU, 1 had other bits.", text)
        self.assertNotIn("stale", text)
        self.assertIn("| bidiagonal, `gebrd` | 2.00 &ensp; 2.5x | 4.00 &ensp; 3.0x | - |", (self.root / "README.md").read_text())
        self.assertIn("| m x n | 256 | 512 | 512 x 64 |\n|---|---:|---:|---:|\n| `dgeqrf`, ms | 2.00 | 4.00 | 1.00 |\n| cuSOLVER | 5.00 | 12.0 | 77.0 |",
                      text)
        self.assertIn("| `Xgesvd` | 5.00 | 12.0 | 77.0 |\n| ratio | 2.50 | 3.00 | 77.00 |\n| `Xgesvdp` | 3.00 | 3.00 | - |\n| ratio | 1.50 | 0.75 | - |",
                      (self.root / "docs" / "solvers.md").read_text())
        batches = "| n | 8 | 16 |\n|---|---:|---:|\n| matrices | 1000 | 1000 |\n| `ssyevd` | 2.00 &ensp; 2.5x | 2.00 &ensp; 2.5x |"
        for document in ("README.md", "docs/batched-eigenproblems.md"):
            self.assertIn(batches, (self.root / document).read_text())
        self.assertIn("| n | 9 | 17 |\n|---|---:|---:|\n| `ssyevd` | 729 | 4913 &ensp; n^3.0 |", (self.root / "docs" / "batched-eigenproblems.md").read_text())
        self.assertIn("| `c` | 2.5 (n = 9) of 50 matrices |", (self.root / "docs" / "batched-eigenproblems.md").read_text())
        self.assertEqual(update("--root", self.root, "--check", script="update_reductions.py").returncode, 0)
        self.write("sytrd", [["d", 512, 512, 3.0, 3.0, 1.0, 12.0]], name="a", date="2000-01-02")
        self.assertEqual(update("--root", self.root, script="update_reductions.py").returncode, 0)
        self.assertIn("| `dsytrd`, ms | 2.00 | 3.00 |", (self.root / "docs" / "reductions.md").read_text())  # of the newest record
        for name in ("time-per-column.svg", "eigenproblem.svg", "singular-values.svg", "batches.svg"):
            xml.etree.ElementTree.parse(self.root / "docs" / "reductions" / name)


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/measure/drop_in.py without a GPU: its points, its way with its processes, its record and its table. The processes are
stand-ins that answer with figures which a reader can divide in the head."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts" / "measure"))
import drop_in  # noqa: E402
import drop_in_table  # noqa: E402

# With the library preloaded everything takes half as long, but for one shape.
STAND_IN = """
import json, os, sys
preloaded = "LD_PRELOAD" in os.environ
slow = False
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "start":
        answer = {"machine": {"device": "stand-in"}, "why_no_cupy": "it is a stand-in"}
    elif request["do"] == "prepare":
        slow = request["point"]["m"] == 1024
        answer = {"calls": 6, "matrices": 2, "error": 0.25}
    elif request["do"] == "measure":
        time = 8 if not preloaded else 10 if slow else 4
        answer = {"queued": [time, time], "graph": [time, time], "host": [5]}
    else:
        answer = {"graph": "all right"}
    print(json.dumps(answer), flush=True)
if os.environ.get("ONEPASS_INTERPOSE") == "log":
    print("onepass: cublasSgemv_v2 taken: 36", file=sys.stderr)
    print("onepass: cublasSgemm_v2 passed on, C has several rows and columns: 2", file=sys.stderr)
"""


class DropIn(unittest.TestCase):
    def run_it(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            drop_in.WORKER = folder / "stand_in.py"
            drop_in.WORKER.write_text(STAND_IN, encoding="utf-8")
            library = folder / "library.so"
            library.write_bytes(b"")
            with contextlib.redirect_stderr(io.StringIO()) as said:
                record = drop_in.run(drop_in.arguments(["--library", str(library), "--functions", "torch.mv", *words]))
            drop_in.write(record, folder / "record.json")
            self.assertEqual(json.loads((folder / "record.json").read_text(encoding="utf-8")), record)
        return record, said.getvalue()

    def test_has_twenty_shapes_of_each_type_and_the_sizes_of_the_mesh(self):
        for function, types in drop_in_table.FUNCTIONS.items():
            for type_ in types:
                points = drop_in_table.points([function], [type_])
                self.assertGreaterEqual(len(points), 20)
                self.assertLessEqual(max(p["m"] * p["n"] for p in points) * drop_in_table.SIZES[type_], 2.2e9)
        self.assertIn((1227, 1227), drop_in_table.DIAGONAL)

    def test_writes_what_the_processes_measured(self):
        record, said = self.run_it("--types", "fp32")
        self.assertTrue(record["complete"])
        self.assertEqual(record["calls"], len(record["points"]))
        self.assertEqual(record["taken"], {"cublasSgemv_v2": 36})
        self.assertEqual(record["passed_on"], {"cublasSgemm_v2, C has several rows and columns": 2})
        point = record["points"][0]
        self.assertEqual((point["plain"]["queued"], point["onepass"]["queued"]), (8, 4))
        self.assertIn(f"{record['calls']} of {record['calls']}", said)

    def test_prints_means_and_the_worst_point(self):
        record, _ = self.run_it("--types", "fp32")
        ratios = [8 / 10 if p["m"] == 1024 else 2 for p in record["points"]]
        text = drop_in_table.table(record)
        line = next(line for line in text.splitlines() if line.startswith("torch.mv fp32"))
        self.assertIn(f"{drop_in_table.geomean(ratios):.2f}   0.80 1024x4096", line)
        self.assertIn(f"calls that Onepass took: 36 of {len(ratios)}", text)

    def test_sees_wrong_results(self):
        record, _ = self.run_it("--types", "fp64")
        self.assertIsNone(drop_in.why_wrong(record))
        for error in (1.5, float("nan")):
            point = record["points"][0] | {"onepass": {"error": error}}
            self.assertIn("wrong results at 1 points", drop_in.why_wrong(record | {"points": [point]}))
        self.assertIn("took no call", drop_in.why_wrong(record | {"taken": {}}))
        self.assertIn("a graph", drop_in.why_wrong(record | {"graph": "WRONG: bits"}))

    def test_leaves_cupy_out_where_there_is_none(self):
        record, said = self.run_it("--types", "fp64", "--functions", "torch.mv,cupy.dot")
        self.assertEqual({point["function"] for point in record["points"]}, {"torch.mv"})
        self.assertIn("no CuPy: it is a stand-in", said)

    def test_stops_at_its_limit(self):
        with self.assertRaises(SystemExit) as stopped:
            self.run_it("--types", "fp64", "--limit", "-1")
        self.assertIn("raise --limit", str(stopped.exception))

    def test_says_what_is_wrong_with_an_argument(self):
        for words, part in ((["--types", "int8"], "int8 is none of"), (["--library", "nowhere.so"], "build with CUDA"),
                            (["--library", __file__, "--rounds", "0"], "at least 1")):
            with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit):
                drop_in.arguments(words)
            self.assertIn(part, said.getvalue())


if __name__ == "__main__":
    unittest.main()

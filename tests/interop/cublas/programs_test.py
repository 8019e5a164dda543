# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/measure/llama_step.py and conjugate_gradient.py without a GPU: their records, tables and complaints. The processes are stand-ins."""
import contextlib
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts" / "measure"))
import conjugate_gradient  # noqa: E402
import llama_step  # noqa: E402
from side_by_side import Process  # noqa: E402

# With the library preloaded a step takes half as long, by other ways a quarter.
STAND_IN = """
import json, os, sys
preloaded, way = "LD_PRELOAD" in os.environ, None
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "start":
        way = request["way"]
        answer = {"machine": {"device": "stand-in"}, "why_no_cupy": ""}
    elif request["do"] == "prepare" and way == LAME and request["size"] != "1B-like":
        sys.exit("it stumbled")
    elif request["do"] == "prepare":
        answer = {"layers": 2, "weight_bytes": 8, "logits": [3, 4 + OFF * preloaded], "residual": 1e-9 * (1 + OFF * preloaded)}
    else:
        answer = {"graph": 4 if preloaded else 8 if way == "plain" else 2, "eager": 16}
    print(json.dumps(answer), flush=True)
if preloaded:
    print("onepass: cublasGemmEx taken: 36", file=sys.stderr)
"""


# A worker as the real ones are.
WORKER = """
import sys
sys.path.insert(0, SCRIPTS)
from side_by_side import serve

class Worker:
    def __init__(self, past):
        self.past = past

    def facts(self):
        print("this is no answer")
        return {"machine": "stand-in"}

    def measure(self, steps):
        return {"sum": self.past + steps}

serve(Worker)
"""


class Workers(unittest.TestCase):
    def test_answer_with_their_methods(self):
        with tempfile.TemporaryDirectory() as folder:
            worker = pathlib.Path(folder) / "worker.py"
            worker.write_text(WORKER.replace("SCRIPTS", repr(sys.path[0])), encoding="utf-8")
            process = Process("a stand-in", None, "log", worker)
            self.assertEqual(process.ask(do="start", past=40), {"machine": "stand-in"})
            self.assertEqual(process.ask(do="measure", steps=2), {"sum": 42})
            self.assertEqual(process.end(), "this is no answer\n")


class Programs(unittest.TestCase):
    def run_it(self, script, *words, off=0, lame=None):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()), \
                mock.patch.object(importlib.util, "find_spec"):
            folder = pathlib.Path(folder)
            script.WORKER = folder / "stand_in.py"
            script.WORKER.write_text(STAND_IN.replace("OFF", str(off)).replace("LAME", repr(lame)), encoding="utf-8")
            library = folder / "a" / "b" / "library.so"
            library.parent.mkdir(parents=True)
            library.write_bytes(b"")
            record = script.run(script.arguments(["--library", str(library), *words]))
            script.write(record, folder / "record.json")
            self.assertEqual(json.loads((folder / "record.json").read_text(encoding="utf-8")), record)
        return record

    def test_llama_has_every_way_at_every_size(self):
        record = self.run_it(llama_step, "--past", "0")
        self.assertEqual([point["size"] for point in record["points"]], llama_step.SIZES)
        self.assertEqual([found["graph"] for found in record["points"][0]["ways"].values()], [8, 4, 2, 2, 2, 2, 2])
        self.assertEqual((record["taken"], record["past"], llama_step.why_wrong(record)), ({"cublasGemmEx": 36}, 0, None))
        self.assertIn("4.000 (2.00x)", llama_step.table(record))

    def test_llama_may_have_some_ways_and_always_the_plain_one(self):
        record = self.run_it(llama_step, "--ways", "ops", "--sizes", "8B-like")
        self.assertEqual(list(record["points"][0]["ways"]), ["plain", "ops"])
        self.assertIsNone(llama_step.why_wrong(record))

    def test_llama_sees_other_logits(self):
        record = self.run_it(llama_step, "--sizes", "1B-like", off=1)
        self.assertEqual(record["points"][0]["ways"]["interposed"]["difference"], 0.2)
        self.assertIn("interposed at 1B-like", llama_step.why_wrong(record))

    def test_llama_goes_on_without_a_way_that_fails(self):
        record = self.run_it(llama_step, lame="merged")
        self.assertEqual([len(point["ways"]) for point in record["points"]], [7, 6, 6])
        self.assertIn("merged failed", llama_step.why_wrong(record))
        self.assertRegex(llama_step.table(record), r"residuals added in place +2\.000 \(4\.00x\) +16\.000 \(1\.00x\) +- +-")

    def test_gradients_have_both_libraries(self):
        record = self.run_it(conjugate_gradient, "--types", "fp64")
        self.assertEqual([(point["library"], point["n"]) for point in record["points"]],
                         [(library, n) for library in ("torch", "cupy") for n in conjugate_gradient.ORDERS])
        self.assertIsNone(conjugate_gradient.why_wrong(record))
        self.assertIn("8.00 (1.00x)", conjugate_gradient.table(record))
        self.assertIn("2.00 (4.00x)", conjugate_gradient.table(record))

    def test_gradients_see_a_larger_residual(self):
        record = self.run_it(conjugate_gradient, "--types", "fp32", off=3)
        self.assertIn("interposed, torch fp32 n = 1024", conjugate_gradient.why_wrong(record))

    def test_what_is_missing_is_named(self):
        for script in (llama_step, conjugate_gradient):
            with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit):
                script.arguments(["--library", "/nowhere/library.so"])
            self.assertIn("there is no /nowhere/library.so", said.getvalue())
            with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit), \
                    mock.patch.object(importlib.util, "find_spec", return_value=None):
                script.arguments(["--library", __file__])
            self.assertIn("torch", said.getvalue())


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/measure/drop_in_solvers.py without a GPU: its way with its processes, which are stand-ins, its record and its table; its
cases on NumPy, and on one that is wrong."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts" / "measure"))
import drop_in_solvers  # noqa: E402

try:
    import drop_in_solvers_cases as cases
    import numpy
except ImportError:
    numpy = None

# With the library preloaded everything takes half as long, and the cases fail that the variable says.
STAND_IN = """
import json, os, sys
preloaded = "LD_PRELOAD" in os.environ
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "start":
        answer = {"machine": {"device": "stand-in"}, "why_no_cupy": "it is a stand-in"}
    elif request["do"] == "cases":
        answer = {"passed": 9, "failed": {"of both": "as ever"}}
    elif request["do"] == "prepare":
        answer = {"result": "all right"}
    else:
        answer = {"ms": 4 if preloaded else 8}
    print(json.dumps(answer), flush=True)
if os.environ.get("ONEPASS_INTERPOSE") == "log":
    print("onepass: cusolverDnXsyevd taken: 8", file=sys.stderr)
"""


class Script(unittest.TestCase):
    def run_it(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            drop_in_solvers.WORKER = folder / "stand_in.py"
            drop_in_solvers.WORKER.write_text(STAND_IN, encoding="utf-8")
            library = folder / "library.so"
            library.write_bytes(b"")
            with contextlib.redirect_stderr(io.StringIO()) as said:
                record = drop_in_solvers.run(drop_in_solvers.arguments(["--library", str(library), *words]))
            drop_in_solvers.write(record, folder / "record.json")
            self.assertEqual(json.loads((folder / "record.json").read_text(encoding="utf-8")), record)
        return record, said.getvalue()

    def test_writes_what_the_processes_say(self):
        record, said = self.run_it("--types", "fp64", "--rounds", "1")
        self.assertTrue(record["complete"])
        self.assertEqual(len(record["points"]), sum(map(len, drop_in_solvers.SIZES.values())))
        self.assertEqual(record["taken"], {"cusolverDnXsyevd": 8})
        self.assertIn("no CuPy: it is a stand-in", said)
        self.assertIn("cases of torch: 9 passed and 1 failed plain, 9 passed and 1 failed onepass", said)
        text = drop_in_solvers.table(record)
        self.assertRegex(text, r"torch.eigh fp64 +2.00 .* 2.00\n")
        self.assertIn("cases of torch: 9 of 10 plain; 9 of 10 onepass", text)

    def test_sees_what_is_wrong_with_onepass_alone(self):
        record, _ = self.run_it("--types", "fp64", "--rounds", "1")
        self.assertIsNone(drop_in_solvers.why_wrong(record))
        self.assertIn("took no call", drop_in_solvers.why_wrong(record | {"taken": {}}))
        worse = {"torch": record["cases"]["torch"] | {"onepass": {"passed": 8, "failed": {"of both": "", "eigh": ""}}}}
        self.assertIn("1 cases of torch fail with Onepass alone, the first: eigh",
                      drop_in_solvers.why_wrong(record | {"cases": worse}))
        point = record["points"][0] | {"onepass": {"ms": 1, "result": "WRONG: values"}}
        self.assertIn("wrong results at 1 points", drop_in_solvers.why_wrong(record | {"points": [point]}))

    def test_stops_at_its_limit(self):
        record, _ = self.run_it("--types", "fp64", "--limit", "-1")
        self.assertFalse(record["complete"])
        self.assertIn("a partial run", drop_in_solvers.table(record))

    def test_says_what_is_wrong_with_an_argument(self):
        for words, part in ((["--types", "int8"], "int8 is none of"), (["--library", "nowhere.so"], "build with CUDA"),
                            (["--library", __file__, "--rounds", "0"], "at least 1")):
            with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit):
                drop_in_solvers.arguments(words)
            self.assertIn(part, said.getvalue())


class OnNumpy:
    """What a library is to the cases."""
    options_of_svd = ({},)

    @staticmethod
    def put(a):
        return a

    get = put

    @staticmethod
    def eigh(a, uplo):
        return numpy.linalg.eigh(a, uplo)

    @staticmethod
    def eigvalsh(a, uplo):
        return numpy.linalg.eigvalsh(a, uplo)

    @staticmethod
    def svd(a, full):
        return numpy.linalg.svd(a, full)

    @staticmethod
    def svdvals(a):
        return numpy.linalg.svd(a, compute_uv=False)

    @staticmethod
    def own_cases():
        return ()


@unittest.skipIf(numpy is None, "no NumPy")
class Cases(unittest.TestCase):
    def test_hold_for_numpy(self):
        found = cases.run(OnNumpy())
        self.assertEqual(found["failed"], {})
        self.assertGreater(found["passed"], 100)

    def test_fail_for_one_that_is_wrong(self):
        class OtherTriangle(OnNumpy):
            @staticmethod
            def eigh(a, uplo):
                return numpy.linalg.eigh(a, {"L": "U", "U": "L"}.get(uplo, uplo))

        class NotUnitary(OnNumpy):
            @staticmethod
            def svd(a, full):
                u, s, vh = numpy.linalg.svd(a, full)
                return 2 * u, s / 2, vh

        class NotANumber(OnNumpy):
            @staticmethod
            def eigvalsh(a, uplo):
                return numpy.linalg.eigvalsh(a, uplo) * numpy.float32("nan")

        for library, least in ((OtherTriangle, 10), (NotUnitary, 20), (NotANumber, 20)):
            self.assertGreater(len(cases.run(library(), ["fp32"])["failed"]), least, library.__name__)


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a wrong command line gets: exit code 2 or 3 and a line that says what would be right."""
import subprocess
import unittest

from program import PROGRAM, available, run

WRONG = {
    "no command": ([], "subcommand"),
    "unknown option": (["bench", "--speed", "9"], "onepass bench --help"),
    "unknown routine": (["bench", "gemm"], "gemv"),
    "bad shape": (["bench", "--backend", "cpu", "--shape", "64*64"], 'shape "64*64": must be rows x columns'),
    "bad type": (["bench", "--backend", "cpu", "--type", "s,q"], 'type "q": must be one of s d c z h b hhs bbs'),
    "bad op": (["explain", "gemv", "5x5", "--op", "X"], 'op "X": must be N, T or C'),
    "bad triangle": (["explain", "symv", "5", "--uplo", "X"], 'uplo "X": must be L or U'),
    "not square": (["explain", "symv", "5x4"], "m = 5: must be n = 4 for symv"),
    "real hermitian": (["bench", "hemv", "--backend", "cpu", "--type", "s"], "hemv takes one of cz"),
    "op of a triangle": (["bench", "symv", "--backend", "cpu", "--op", "T"], "symv has --uplo"),
    "triangle of gemv": (["bench", "--backend", "cpu", "--uplo", "U"], "gemv has --op"),
    "op of an update": (["bench", "ger", "--backend", "cpu", "--op", "T"], "ger has neither --op nor --uplo"),
    "seed of nothing": (["bench", "--backend", "cpu", "--seed", "3"], "--seed is for --random"),
    "pairs of nothing": (["bench", "--backend", "cpu", "--pairs"], "--pairs is for --random"),
    "layers of updates": (["bench", "ger", "--backend", "cpu", "--inference"], "--inference is for gemv"),
    "sharing A": (["check", "--backend", "reference", "--problem", "ger s column 5x5 batch 2 strides 24 5 5"],
                  "the stride of A must be at least 25"),
    "beta of an update": (["check", "--backend", "reference", "--problem", "ger s column 5x5 nan"], "nan is for beta 0"),
    "mesh of triangles": (["bench", "symv", "--backend", "cpu", "--mesh"], "--mesh is for gemv"),
    "bad routines": (["check", "--routine", "gemm"], 'routine "gemm": must be one of gemv symv hemv'),
    "no type left": (["check", "--routine", "hemv", "--type", "s"], "must have c or z"),
    "bad cache": (["bench", "--backend", "cpu", "--cache", "warm"], '--cache "warm": must be a list of cold, hot, alone and chain, or both'),
    "alone on a host": (["bench", "--backend", "cpu", "--cache", "cold,alone"], "--cache alone says what lies between two calls"),
    "bad backend": (["check", "--backend", "gpu"], 'backend "gpu": must be cuda, cpu, sim or reference'),
    "bad list": (["bench", "--backend", "cpu", "--threads", "1,,2"], "one comma"),
    "threads past 32 bits": (["bench", "--backend", "cpu", "--shape", "8x8", "--threads", "4294967297"],
                             'threads "4294967297": must be a whole number from 1 to 4096'),
    "threads of no machine": (["bench", "--backend", "cpu", "--shape", "8x8", "--threads", "1,100000"],
                              'threads "100000": must be a whole number from 1 to 4096'),
    "threads without cpu": (["bench", "--backend", "reference", "--threads", "2"], "--threads is for the cpu backend"),
    "bad range": (["bench", "--backend", "cpu", "--sweep", "9:1:1"], 'sweep "9:1:1": must be first:last:step, such as 1:5000:1'),
    "bad batches": (["bench", "--backend", "cpu", "--batched", "all"], 'batched "all": must be strided, pointer or both'),
    "all and one": (["bench", "--backend", "cpu", "--all", "--mesh"], "--all has every selection"),
    "all on sim": (["bench", "--backend", "reference", "--all"], "it is for cuda and cpu"),
    "all to the screen": (["bench", "--backend", "cpu", "--all", "--json", "-"], "name a file, --json records/NAME.json"),
    "no shapes": (["bench", "--backend", "cpu", "--shapes", "/nonexistent"], "it should have a shape per line"),
    "two selections": (["bench", "--backend", "cpu", "--mesh", "--quick"], "choose one of them"),
    "resume of nothing": (["bench", "--backend", "cpu", "--resume", "--shape", "8x8"], "name its file, --json FILE"),
    "lda too small": (["explain", "gemv", "10x5", "--lda", "3", "--backend", "reference"], "lda = 3: must be at least"),
    "zero increment": (["explain", "gemv", "10x5", "--incx", "0", "--backend", "reference"], "incx = 0"),
    "bad problem": (["check", "--backend", "reference", "--problem", "s N column 5x5 color red"], '"color" is no key'),
    "short problem": (["check", "--backend", "reference", "--problem", "s N"], "ends too early"),
    "sharing y": (["check", "--backend", "reference", "--problem", "s N column 5x5 batch 2 strides 25 5 1"],
                  "no two products share an output"),
}


class Wrong(unittest.TestCase):
    def test_says_what_would_be_right(self):
        for name, (arguments, hint) in WRONG.items():
            with self.subTest(name):
                done = run(*arguments)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(hint, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_backend_of_the_environment_is_unknown(self):
        done = run("check", "--count", "1", ONEPASS_BACKEND="gpu")
        self.assertEqual(done.returncode, 3)
        self.assertIn("ONEPASS_BACKEND", done.stderr)

    @unittest.skipIf(available("cuda"), "there is a GPU")
    def test_no_gpu_leads_to_the_simulated_one(self):
        done = run("explain", "gemv", "100x100", "--backend", "cuda")
        self.assertEqual(done.returncode, 3)
        self.assertIn("--backend sim", done.stderr)
        self.assertEqual(run("bench", "--backend", "cuda").returncode, 3)

    def test_record_that_cannot_be_written_is_known_at_once(self):
        done = run("bench", "--backend", "cpu", "--json", "/nonexistent/record.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write /nonexistent/record.json", done.stderr)

    def test_output_that_cannot_be_written_is_a_failure(self):
        for command in (["info"], ["info", "--json"], ["explain", "gemv", "10x10", "--backend", "reference"], ["--help"], ["--version"],
                        ["check", "--backend", "reference", "--count", "1"], ["bench", "--help"]):
            with self.subTest(command), open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True, timeout=200, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn("cannot write to standard output", done.stderr)

    def test_record_that_is_not_there_cannot_be_shown(self):
        done = run("bench", "--show", "/nonexistent/record.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot read /nonexistent/record.json", done.stderr)


if __name__ == "__main__":
    unittest.main()

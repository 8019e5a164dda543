# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the program prints for fixed arguments."""
import os
import re
import unittest

from program import any_layout, available, compare, numbers_as_hash, run, run_json


class Help(unittest.TestCase):
    def test_each_command_explains_itself(self):
        for command in ([], ["info"], ["explain"], ["check"], ["bench"], ["compare"], ["ladder"], ["tune"]):
            with self.subTest(command=command):
                done = run(*command, "--help")
                self.assertEqual(done.returncode, 0)
                compare(self, "_".join(["help", *command]) + ".txt", done.stdout, any_layout)

    def test_version_is_that_of_the_library(self):
        self.assertEqual(run("--version").stdout.strip(), run_json("info", "--json")["version"])


class Info(unittest.TestCase):
    def test_lists_all_backends_in_order(self):
        info = run_json("info", "--json")
        self.assertEqual([b["name"] for b in info["backends"]], ["cuda", "cpu", "sim", "reference"])
        for backend in info["backends"]:
            self.assertIn("traits" if backend["available"] else "reason", backend)
        self.assertEqual([p["name"] for p in info["peers"]], ["cuBLAS", "OpenBLAS", "BLIS", "Eigen"])

    def test_words_and_json_agree(self):
        words = run("info").stdout
        for backend in run_json("info", "--json")["backends"]:
            answer = "yes" if backend["available"] else "no"
            self.assertRegex(words, rf"(?m)^  {backend['name']} +{answer} ")


class Explain(unittest.TestCase):
    def explained(self, *arguments, routine="gemv"):
        done = run("explain", routine, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        # The tuning of a plan and the number of variants may change; that each line is there may not.
        text = re.sub(r"(?m)^(plan|memory|kernel) .*$", lambda line: numbers_as_hash(line[0]), done.stdout)
        text = re.sub(r"(?m)^chosen .*$", "chosen    by WHOM", text)
        text = re.sub(r"(?m)^(kernel .*), (few|many) loads", r"\1, SOME loads", text)
        return re.sub(r"(?m)(^declined  \w+: .*\n)+", "declined  VARIANT: REASON\n", text)

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_plan_of_a_simulated_gpu(self):
        compare(self, "explain_sim.txt", self.explained("--type", "b", "--op", "T", "4096x14336", "--backend", "sim"))

    def test_plan_of_the_reference(self):
        text = self.explained("--type", "z", "--op", "C", "--layout", "row", "30x20", "--lda", "24", "--incx", "-2",
                              "--batch", "3", "--backend", "reference")
        compare(self, "explain_reference.txt", text)

    def test_plan_of_a_triangle(self):
        compare(self, "explain_cpu_symv.txt", self.explained("--type", "d", "--uplo", "U", "4096", "--backend", "cpu",
                                                             "--threads", "1", routine="symv"))

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_plan_of_an_update(self):
        compare(self, "explain_sim_ger.txt", self.explained("--type", "d", "1000x500", "--lda", "1024", "--backend", "sim",
                                                            routine="ger"))

    def test_empty_matrix_has_no_plan(self):
        compare(self, "explain_empty.txt", self.explained("0x7", "--backend", "reference"))
        self.assertIsNone(run_json("explain", "gemv", "0x7", "--backend", "reference", "--json")["plan"])

    def test_json_has_the_bytes_of_the_problem(self):
        explained = run_json("explain", "gemv", "--type", "d", "300x200", "--backend", "reference", "--json")
        self.assertEqual(explained["matrix_bytes"], 300 * 200 * 8)
        self.assertEqual(explained["vector_bytes"], 500 * 8)
        explained = run_json("explain", "ger", "--type", "d", "300x200", "--backend", "reference", "--json")
        self.assertEqual(explained["matrix_bytes"], 2 * 300 * 200 * 8)
        explained = run_json("explain", "hemv", "--type", "z", "100", "--backend", "reference", "--json")
        self.assertEqual(explained["matrix_bytes"], 50 * 101 * 16)

    @unittest.skipUnless(available("sim"), "no simulator in this build")
    def test_json_has_the_kernel_and_its_parameters(self):
        explained = run_json("explain", "gemv", "--type", "d", "--op", "N", "3000x2000", "--backend", "sim", "--json")
        kernel, plan = explained["kernel"], explained["plan"]
        self.assertEqual({**kernel, "registers": 0, "loads": ""},
                         {"variant": "gemv_n", "form": "plain", "loads": "", "registers": 0})
        self.assertIn(kernel["loads"], ("few", "many"))
        self.assertIn(kernel["registers"], range(1, 256))
        self.assertEqual([plan[key] for key in ("variant", "form", "loads")],
                         [kernel[key] for key in ("variant", "form", "loads")])
        self.assertEqual(set(plan["gemv"]), {"lanes", "tile", "tiles", "splits", "chunk", "products_per_block",
                                             "prefetch_blocks", "prefetch_vectors"})

    def test_json_of_a_host_has_no_kernel_of_a_device(self):
        explained = run_json("explain", "symv", "400", "--backend", "cpu", "--json")
        self.assertNotIn("kernel", explained)
        self.assertEqual(set(explained["plan"]["host"]), {"tiles", "splits"})


class Check(unittest.TestCase):
    def test_one_line_is_one_problem(self):
        line = "c T row 5x7 lda 9 incx -2 incy 3 batch 2 pointers scalars device offsets 1 2 3 alpha 0.5,1 beta 0 nan seed 4"
        done = run("check", "--backend", "reference", "--problem", line)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(line, done.stdout)
        compare(self, "check_problem.txt", done.stdout)

    def test_one_line_is_one_triangle(self):
        line = "hemv z U row 5x5 lda 9 incx -2 incy 3 batch 2 strides 45 9 15 scalars host offsets 1 2 3 alpha 0.5,1 beta 0 nan seed 4"
        done = run("check", "--backend", "cpu", "--problem", line)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(line, done.stdout)

    def test_one_line_is_one_update(self):
        line = "gerc z row 5x7 lda 9 incx -2 incy 3 batch 2 strides 45 0 21 scalars device offsets 1 2 3 alpha 0.5,1 seed 4"
        done = run("check", "--backend", "cpu", "--problem", line)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(line, done.stdout)

    def test_reference_agrees_with_itself(self):
        done = run("check", "--backend", "reference", "--count", "50", "--seed", "3")
        self.assertEqual(done.returncode, 0, done.stdout)
        compare(self, "check_reference.txt", done.stdout)

    def test_same_seed_and_index_give_the_same_problem(self):
        first, second = (run("check", "--backend", "reference", "--seed", "9", "--index", "17") for _ in range(2))
        self.assertEqual(first.stdout, second.stdout)
        other = run("check", "--backend", "reference", "--seed", "9", "--index", "18")
        self.assertNotEqual(first.stdout, other.stdout)

    def test_backends_pass(self):
        for backend in ("cpu", "sim"):
            if available(backend):
                with self.subTest(backend=backend):
                    types = os.environ.get("ONEPASS_SIMULATED_TYPES") if backend == "sim" else None
                    done = run("check", "--backend", backend, "--count", "60", "--seed", "5",
                               *(["--type", types] if types else []))
                    self.assertEqual(done.returncode, 0, done.stdout)
                    self.assertRegex(done.stdout, rf"^check on {backend}: 60 problems, seed 5, 0 failed, ")


if __name__ == "__main__":
    unittest.main()

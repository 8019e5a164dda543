# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The README's table and pictures, made from a record that the program just wrote; the script for GPU machines."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from program import points_of, run

SCRIPTS = pathlib.Path(__file__).parents[2] / "scripts"


def script(name, *arguments):
    return subprocess.run([sys.executable, "-B", SCRIPTS / "figures" / name, *arguments], capture_output=True, text=True, check=False)


class FromARecord(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.record = pathlib.Path(cls.folder.name) / "record.json"
        done = run("bench", "--backend", "cpu", "--type", "s,d", "--op", "N", "--shape", "64x64,0x5", "--threads", "1", "--time",
                   "0.01", "--json", str(cls.record))
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_table_has_a_row_for_each_measured_point(self):
        done = script("readme_table.py", self.record)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
        self.assertEqual(len(rows), 2 + 2)
        self.assertEqual(len({row.count("|") for row in rows}), 1)
        self.assertIn("Measured on", done.stdout)

    def test_picture_is_valid_and_can_be_narrowed(self):
        picture = pathlib.Path(self.folder.name) / "picture.svg"
        done = script("readme_picture.py", self.record, picture, "--type", "d")
        self.assertEqual(done.returncode, 0, done.stderr)
        texts = [e.text for e in xml.etree.ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("d N 64x64, 1 thread", texts)
        self.assertNotIn("s N 64x64, 1 thread", texts)

    def test_map_of_a_mesh_has_a_cell_for_each_point(self):
        record, picture = (pathlib.Path(self.folder.name) / name for name in ("mesh.json", "mesh.svg"))
        done = run("bench", "--backend", "cpu", "--mesh", "--mesh-points", "3", "--max-bytes", "1e6", "--type", "s", "--op", "T",
                   "--threads", "1", "--time", "0.01", "--json", str(record))
        self.assertEqual(done.returncode, 0, done.stderr)
        done = script("readme_picture.py", record, picture)
        self.assertEqual(done.returncode, 0, done.stderr)
        tree = xml.etree.ElementTree.parse(picture)
        cells = sum(e.get("d").count("z") for e in tree.iter("{http://www.w3.org/2000/svg}path"))
        points = len(points_of(json.loads(record.read_text())))
        self.assertEqual((points, cells), (3, 3 * 3))  # 16x16, 16x4096 and 4096x16 on three maps
        texts = [e.text for e in tree.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("Onepass: efficiency", texts)
        self.assertIn("4.1k", texts)
        self.assertIn("prefers-color-scheme: dark", picture.read_text())
        self.assertNotIn("href", picture.read_text())

    def test_other_files_are_refused(self):
        other = pathlib.Path(self.folder.name) / "other.json"
        other.write_text("{}")
        self.assertIn("is no record", script("readme_table.py", other).stderr)


class OnAGpuMachine(unittest.TestCase):
    """scripts/gpu.sh beside programs that only print what they were called with."""

    def run_stages(self, stages, **settings):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("scripts", "build/default/tools", "bin"):
                (root / name).mkdir(parents=True)
            shutil.copy(SCRIPTS / "gpu.sh", root / "scripts")
            for program in (root / "build/default/tools/onepass", root / "bin/compute-sanitizer"):
                program.write_text("#!/bin/sh\necho ran $*\n")
                program.chmod(0o755)
            path = f"{root / 'bin'}:{os.environ['PATH']}"
            done = subprocess.run([root / "scripts" / "gpu.sh"], capture_output=True, text=True, check=False,
                                  env={**os.environ, "STAGES": stages, "OUT": "logs", "PRESET": "default", "PATH": path, **settings})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [line for line in done.stdout.splitlines() if line.startswith("ran")]

    def test_each_run_of_the_benchmark_has_its_record(self):
        runs = "gemv --mesh --resume; gemv --sweep 1:9:1;gemv --mesh --type s"
        self.assertEqual(self.run_stages("bench", BENCH=runs, RECORD="records/r.json"),
                         ["ran bench gemv --mesh --resume --backend cuda --json records/r-mesh.json",
                          "ran bench gemv --sweep 1:9:1 --backend cuda --json records/r-sweep.json",
                          "ran bench gemv --mesh --type s --backend cuda --json records/r-3.json"])

    def test_each_tool_sees_products_and_reductions(self):
        tools = ("memcheck", "racecheck", "synccheck")
        onepass = "--error-exitcode 9 build/default/tools/onepass"
        lines = self.run_stages("sanitize", REDUCTIONS="gebrd z 9x4; syevd-batched s 17 3")
        expected = []
        for tool in tools:
            expected += [f"ran --tool {tool} {onepass} check --backend cuda --count 40 --max-size 200",
                         f"ran --tool {tool} {onepass} bench gebrd --backend cuda --no-peers --type z --shape 9x4",
                         f"ran --tool {tool} {onepass} bench syevd-batched --backend cuda --no-peers --type s --shape 17 --batch 3"]
        self.assertEqual(lines, expected)
        self.assertEqual(len(self.run_stages("sanitize", REDUCTIONS="")), len(tools))


if __name__ == "__main__":
    unittest.main()

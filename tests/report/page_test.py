# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the page is made of: pictures of every kind, figures of the record, and nothing from elsewhere."""
import json
import pathlib
import re
import sys
import tempfile
import unittest

import records

try:
    import plotly.graph_objects
except ImportError:
    sys.exit(print("left out: Plotly is missing (Debian package python3-plotly)"))

from onepass.report import page, tables
from onepass.report.record import Record, read


class Content(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.records = [(path, read(path)) for path in records.write(folder)]
        cls.content = page.content(cls.records)
        cls.pictures = {picture["name"]: picture for picture in cls.content["pictures"]}

    def picture(self, *words):
        (found,) = [p for name, p in self.pictures.items() if all(word in name for word in words)]
        return found

    def test_series_are_read_as_the_points_that_they_stand_for(self):
        series = [{"type": "s", "op": "N", "cache": "cold", "level": "memory", "floor": 1.0, "cuBLAS samples": 5, "Onepass samples": 5,
                   "columns": ["n", "bytes", "plan", "Onepass median", "Onepass least", "Onepass spread", "cuBLAS median",
                               "cuBLAS least", "cuBLAS spread"],
                   "rows": [[8, 256, 0, 1.0, 1.0, 0.01, 3.0, 3.0, 0.01], [9, 324, 0, 1.0, 1.0, 0.01, 3.0, 3.0, 0.01]]}]
        wanted = [records.point("s", "N", n, n, 1.0, 3.0) for n in (8, 9)]
        packed = records.record("sweep", wanted) | {"series": series, "plans": [wanted[0]["plan"]]}
        del packed["points"]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "packed.json"
            path.write_text(json.dumps(packed))
            record = Record(path)
        self.assertEqual(record.points, wanted)
        self.assertEqual([[p.name for p in row.providers] for row in record.rows], [["Onepass", "cuBLAS"]] * 2)

    def test_every_picture_is_one_that_plotly_accepts(self):
        self.assertGreater(len(self.pictures), 20)
        self.assertEqual(len(self.pictures), len(self.content["pictures"]))
        for name, picture in self.pictures.items():
            with self.subTest(name):
                plotly.graph_objects.Figure(data=picture["data"], layout=picture["layout"])

    def test_maps_have_one_scale_and_the_figures_of_the_record(self):
        own, peer = (self.picture("s-N", "mesh-efficiency", name)["data"][0] for name in ("Onepass", "cuBLAS"))
        self.assertEqual(own["z"], [[1.0] * 3, [0.5] * 3, [0.333] * 3])
        self.assertEqual(peer["z"], [[0.5] * 3, [0.25] * 3, [0.167] * 3])
        self.assertEqual({(trace["zmin"], trace["zmax"], trace["colorscale"]) for trace in (own, peer)}, {(0, 1, "Viridis")})
        self.assertEqual(self.picture("s-N", "mesh-speed-up")["data"][0]["z"], [[1.0] * 3] * 3)

    def test_plans_are_maps_of_what_won(self):
        trace = self.picture("s-N", "mesh-plan-kernel")["data"][0]
        self.assertEqual(trace["colorbar"]["ticktext"], ["gemv_n", "gemv_t"])
        self.assertEqual(trace["z"], [[1, 1, 1], [0, 1, 1], [0, 0, 1]])
        self.assertEqual(self.picture("s-N", "mesh-plan-threads")["data"][0]["colorbar"]["ticktext"], ["128", "256"])
        self.assertFalse([name for name in self.pictures if "mesh-plan-splits" in name])  # the same everywhere

    def test_hover_has_shape_time_bandwidth_and_plan(self):
        number = self.picture("s-N", "mesh-speed-up")["data"][0]["text"][1][2]
        text = self.content["hovers"][number]
        for part in ("s N 64x256", "Onepass: 2 us, 32.77 GB/s, efficiency 0.50", "cuBLAS: 4 us", "floor: 1 us",
                     "plan: gemv_t threads 256"):
            self.assertIn(part, text)

    def test_reductions_have_time_per_column_beside_peer_and_floor(self):
        picture = self.picture("sytrd-d-columns")
        self.assertEqual(picture["where"], {"device": "A Device", "routine": "sytrd", "type": "d"})
        lines = {trace["name"]: (trace["x"], trace["y"]) for trace in picture["data"]}
        self.assertEqual(lines, {"Onepass": ([100, 1000], [2.0, 3.0]), "cuSOLVER": ([100, 1000], [4.0, 6.0]),
                                 "the floor": ([100, 1000], [0.5, 1.0])})
        # Neither a peer nor a floor; what is not square is in the table alone.
        (trace,) = self.picture("gebrd-d-columns")["data"]
        self.assertEqual((trace["x"], trace["y"]), ([64, 256], [10.0, 10.0]))
        text = {path.name: tables.section(path, record) for path, record in self.records}["gebrd.json"]
        for word in ("gebrd d 900x30", "20.00", "data-type='d'"):
            self.assertIn(word, text)

    def test_dips_of_a_sweep_are_marked(self):
        data = self.picture("s-N", "sweep")["data"]
        self.assertEqual([trace["name"] for trace in data], ["Onepass", "cuBLAS", "dips"])
        self.assertEqual(data[2]["x"], [80])
        self.assertEqual(len(data[0]["x"]), 144)

    def test_roofline_is_the_measured_bandwidth(self):
        roof = self.picture("s-N", "mesh-roofline")["data"][-1]
        self.assertEqual([y / x for x, y in zip(roof["x"], roof["y"])], [4000.0] * 3)

    def test_footprints_are_tall_square_and_wide(self):
        for shape, count in (("tall", 1), ("square", 3), ("wide", 1)):
            names = [name for name in self.pictures if f"s-N-cold-mesh-footprint-{shape}" in name]
            self.assertEqual(len(names), 1 if count >= 3 else 0, shape)


class Program(unittest.TestCase):
    def test_writes_one_page_without_links_to_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "new" / "report.html"
            done = records.make_page(*records.write(folder), "-o", output)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(output.resolve().as_uri(), done.stdout)
            text = output.read_text(encoding="utf-8")
        own = text.replace(re.search(r"(?s)<script>/\*\*.*?</script>", text)[0], "")  # without Plotly
        self.assertEqual(re.findall(r"""(?:src|href)=["'](?!data:)""", own), [])
        self.assertIn("it was &lt;hot&gt;", own)
        self.assertIn("prefers-color-scheme: dark", own)
        data = re.search(r'(?s)<script type="application/json" id="data">(.*?)</script>', text)[1]
        self.assertEqual(json.loads(data)["filters"]["type"], ["s", "d", "b"])

    def test_goes_on_without_a_record_that_has_no_points(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "empty.json"
            path.write_text(json.dumps(records.record("inference", [], ceilings=[])))
            done = records.make_page(*records.write(folder), path, "-o", pathlib.Path(folder) / "report.html")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("empty.json has no measured points", done.stdout)

    def test_says_what_is_no_record(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "other.json"
            path.write_text("{}")
            self.assertIn("is no record", records.make_page(path).stderr)
            done = records.make_page(pathlib.Path(folder) / "missing.json")
            self.assertEqual(done.returncode, 2)
            self.assertIn("no such file; `onepass bench --json", done.stderr)


if __name__ == "__main__":
    unittest.main()

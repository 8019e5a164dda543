# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The reader of records, for the scripts of this folder: that of the Python package, loaded without the package."""
import importlib.util
import pathlib

_FILE = pathlib.Path(__file__).resolve().parents[2] / "python" / "onepass" / "report" / "record.py"
_spec = importlib.util.spec_from_file_location("onepass_report_record", _FILE)
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
Record, points_of = _module.Record, _module.points_of

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""A page of interactive pictures from records of `onepass bench`: `python -m onepass.report --help`."""

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The structs of the C interface are written down twice: a field that one of them lacks would shift all that follow."""
import ctypes
import pathlib
import re

import pytest

from onepass import _library

_HEADERS = pathlib.Path(__file__).parents[2] / "include" / "onepass"


def _fields(name: str) -> list:
    """Names and sizes of a struct's fields, in the order of the header."""
    text = "\n".join(path.read_text() for path in sorted(_HEADERS.glob("*.h")))
    body = re.search(rf"typedef struct {name} {{(.*?)}} {name}_t;", text, re.DOTALL).group(1)
    found = []
    for declaration in re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL).split(";"):
        words = declaration.replace(",", " ").split()
        found += [(field, 8 if words[0] in ("int64_t", "double") or words[0].endswith("*") else 4) for field in words[1:]]
    return found


@pytest.mark.parametrize("struct", [_library.GemvProblem, _library.SymvProblem, _library.GerProblem,
                                    _library.LapackProblem, _library.LapackOperands])
def test_a_struct_has_the_fields_of_the_header(struct):
    own = [(name, ctypes.sizeof(kind)) for name, kind in struct._fields_]
    assert own == _fields(struct.__doc__.removesuffix("_t"))

# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The list of scripts/plant_faults.py: faults as read from tests/faults/*.toml, and the texts of files with them."""
import dataclasses
import pathlib
import re
import tomllib
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
VARIABLE = "ONEPASS_FAULT"
WORD = re.compile(r"\bFAULT\b")
# What the files with switched faults begin with. An expression that is a constant has no fault.
SWITCH = f"""#ifndef ONEPASS_PLANTED_FAULT
#define ONEPASS_PLANTED_FAULT
#include <cstdlib>
#include <type_traits>
namespace onepass_planted {{
inline long chosen() {{
  static const long number = [] {{
    const char* const text = std::getenv("{VARIABLE}");
    return text == nullptr ? -1L : std::atol(text);
  }}();
  return number;
}}
constexpr bool is_on(long number) {{ return !std::is_constant_evaluated() && chosen() == number; }}
}}  // namespace onepass_planted
#endif
"""


class Unusable(Exception):
    """What keeps the faults from being tried."""


@dataclasses.dataclass
class Fault:
    name: str
    file: str
    why: str
    find: str
    replace: str
    tests: list
    first: str = ""

    @property
    def is_switched(self):
        return WORD.search(self.replace) is not None

    @property
    def number(self):
        """The same in every list, so that compilers' caches know the files of the last time."""
        return zlib.crc32(self.name.encode()) & 0x7FFFFFFF

    @property
    def environment(self):
        return {VARIABLE: str(self.number), "GTEST_FAIL_FAST": "1"}

    def planted(self, text):
        count = text.count(self.find)
        if count != 1:
            raise Unusable(f"{self.name}: the text to find is {count} times in {self.file}, and must be there once. If the "
                           f"code has changed, change the fault in tests/faults/ with it:\n{self.find}")
        return text.replace(self.find, WORD.sub(f"onepass_planted::is_on({self.number})", self.replace))


def read(file):
    path = ROOT / file
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def read_faults():
    """All of them; each has its place in the sources."""
    faults = []
    for path in sorted((ROOT / "tests/faults").glob("*.toml")):
        with path.open("rb") as file:
            faults += [Fault(**entry) for entry in tomllib.load(file)["fault"]]
    names = [fault.name for fault in faults]
    if twice := {name for name in names if names.count(name) > 1}:
        raise Unusable("two faults have one name: " + ", ".join(sorted(twice)))
    for fault in faults:
        fault.planted(read(fault.file))
    return faults


def switched_files(faults):
    """The texts of the files with switched faults, all planted and none on."""
    texts = {}
    for fault in faults:
        if fault.is_switched:
            texts[fault.file] = fault.planted(texts.get(fault.file) or SWITCH + read(fault.file))
    return texts

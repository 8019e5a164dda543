# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""README's CMake snippet, as it stands, builds its C example against an installed library."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from markdown import ROOT, snippets


class Consumer(unittest.TestCase):
    def test_of_the_readme_builds_and_runs(self):
        (snippet,) = snippets(ROOT / "README.md", "cmake")
        with tempfile.TemporaryDirectory() as folder:
            project = pathlib.Path(folder)
            (project / "CMakeLists.txt").write_text(snippet + "enable_testing()\nadd_test(NAME gemv COMMAND gemv)\n")
            shutil.copy(ROOT / "examples" / "gemv.c", project)
            done = subprocess.run([ROOT / "tests" / "install" / "consumer.sh", os.environ["ONEPASS_BUILD"], project, "cmake",
                                   "shared", ""], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()

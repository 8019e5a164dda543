# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Processes that measure the same thing side by side, with a preloaded library and without: how they are started and asked, how they
answer, and how far they are. Requests are lines of JSON, and so are the answers."""
import json
import os
import re
import subprocess
import sys
import time

from written_record import ROOT


class Process:
    """A worker, asked line by line."""

    def __init__(self, name, preload, mode, worker):
        environment = {key: value for key, value in os.environ.items() if key not in ("LD_PRELOAD", "ONEPASS_INTERPOSE")}
        if preload:
            environment |= {"LD_PRELOAD": str(preload), "ONEPASS_INTERPOSE": mode}
        self.name = name
        self.process = subprocess.Popen([sys.executable, "-B", str(worker)], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE if mode == "log" else None)

    def send(self, **request):
        try:
            print(json.dumps(request), file=self.process.stdin, flush=True)
        except BrokenPipeError:
            self.fail()

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else self.fail()

    def ask(self, **request):
        self.send(**request)
        return self.answer()

    def fail(self):
        text = self.process.stderr.read() if self.process.stderr else ""
        sys.exit(f"{text[-2000:]}\nthe process {self.name} ended with code {self.process.wait()}; its last words are above")

    def end(self):
        """What it wrote to standard error, if that was kept."""
        return self.process.communicate()[1] or ""


def start_program(ways, library, worker, **request):
    """A process for each way to run a program, started, and the facts that the first one answers; `interposed` is the plain program
    with the library preloaded, whose log is kept."""
    os.environ.setdefault("ONEPASS_LIBRARY", str(library.parents[2] / "libonepass.so"))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "python"), *filter(None, [os.environ.get("PYTHONPATH")])])
    print(f"starting {len(ways)} processes with PyTorch", file=sys.stderr)
    sides = {way: Process(title, library if way == "interposed" else None, "log" if way == "interposed" else "", worker)
             for way, title in ways.items()}
    for way, process in sides.items():
        process.send(do="start", way="plain" if way == "interposed" else way, **request)
    return sides, [process.answer() for process in sides.values()][0]


def serve(make):
    """The other side: `start` makes the worker, which then has each request as a method, and answers with its facts()."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever else is printed is no answer
    worker = None
    for line in sys.stdin:
        request = json.loads(line)
        if (do := request.pop("do")) == "start":
            worker, do, request = make(**request), "facts", {}
        print(json.dumps(getattr(worker, do)(**request)), file=answers, flush=True)


def progress(done, total, text, start):
    """A line that is written over on a terminal, every twentieth one elsewhere."""
    line = f"{done:4} of {total}, {time.monotonic() - start:4.0f} s: {text}"
    if sys.stderr.isatty():
        print(f"\r{line:78}", end="\n" if done == total else "", file=sys.stderr, flush=True)
    elif done % 20 == 0 or done == total:
        print(line, file=sys.stderr, flush=True)


def read_log(text):
    """The calls taken and those passed on, by name."""
    taken = {name: int(count) for name, count in re.findall(r"^onepass: (\w+) taken: (\d+)$", text, re.M)}
    passed = {words: int(count) for words, count in re.findall(r"^onepass: (\w+ passed on, .*): (\d+)$", text, re.M)}
    return taken, {words.replace(" passed on", ""): count for words, count in passed.items()}

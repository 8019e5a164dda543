# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Streams of operands that differ are made to wait for each other. No GPU: the driver and the arrays are stand-ins."""
import itertools

import numpy
import pytest

import onepass
from onepass import _arrays, _calls, _streams


class Cuda:
    """A float64 array by the CUDA array interface."""

    _addresses = itertools.count(4096, 4096)

    def __init__(self, shape, **stream):
        self.shape = shape
        self.__cuda_array_interface__ = {"data": (next(self._addresses), False), "shape": shape, "typestr": "<f8",
                                         "version": 3, **stream}


class Packed:
    """A float64 array of a GPU by DLPack, which notes the stream that it is asked for."""

    def __init__(self, shape, log):
        self.shape, self._array, self._log = shape, numpy.ones(shape), log

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, stream=None):
        self._log.append(f"dlpack for {stream}")
        return self._array.__dlpack__()


class Driver:
    """libcuda.so.1: events and streams, as a list of what happens."""

    def __init__(self):
        self.log, self.capturing, self.failing, self.events, self.contexts = [], False, None, {}, 0

    def __getattr__(self, name):
        def call(*arguments):
            if name == self.failing:
                return 900
            getattr(type(self), "do_" + name, lambda *_: None)(self, *arguments)
            return 0
        return call

    def do_cuCtxPushCurrent_v2(self, context):
        self.contexts += 1

    def do_cuCtxPopCurrent_v2(self, context):
        self.contexts -= 1

    def do_cuEventCreate(self, event, flags):
        assert flags == 2  # no timing: cheaper
        event._obj.value = len(self.events) + 100
        self.events[event._obj.value] = None

    def do_cuEventRecord(self, event, stream):
        self.events[event.value] = stream.value or 0

    def do_cuStreamWaitEvent(self, stream, event, flags):
        self.log.append(f"{stream.value or 0} waits for {self.events[event.value]}")

    def do_cuEventDestroy_v2(self, event):
        del self.events[event.value]

    def do_cuStreamIsCapturing(self, stream, status):
        status._obj.value = int(self.capturing)

    def do_cuStreamSynchronize(self, stream):
        self.log.append(f"synchronize {stream.value or 0}")

    def do_cuGetErrorString(self, status, text):
        text._obj.value = b"isolation"


@pytest.fixture
def driver(monkeypatch):
    found = Driver()
    monkeypatch.setattr(_streams, "_driver", lambda: found)
    monkeypatch.setattr(_streams, "_contexts", {})
    monkeypatch.setattr(_calls, "_add", lambda *arguments: found.log.append(f"gemv on {arguments[-1]}"))
    return found


def gemv(A, x, out):
    return onepass.gemv(A, x, out=out)


@pytest.mark.parametrize("a, x, y, expected", [
    ({"stream": 7}, {"stream": 7}, {"stream": 7}, 7), ({"stream": 7}, {"stream": None}, {}, 7),
    ({}, {"stream": 1}, {"stream": None}, 0), ({"stream": 1}, {}, {"stream": 1}, 0)])
def test_one_stream_waits_for_nothing(driver, a, x, y, expected):
    """No stream is named: the data is there already. 1 is another name of the default stream."""
    gemv(Cuda((4, 3), **a), Cuda((3,), **x), Cuda((4,), **y))
    assert driver.log == [f"gemv on {expected}"]


def test_the_streams_of_x_and_out_are_waited_for_and_wait(driver):
    gemv(Cuda((4, 3), stream=7), Cuda((3,), stream=2), Cuda((4,), stream=1))
    assert sorted(driver.log[:2]) == ["7 waits for 0", "7 waits for 2"]
    assert driver.log[2] == "gemv on 7"
    assert sorted(driver.log[3:]) == ["0 waits for 7", "2 waits for 7"]


def test_events_and_contexts_are_given_back(driver):
    gemv(Cuda((4, 3), stream=7), Cuda((3,), stream=9), Cuda((4,), stream=9))
    assert driver.log == ["7 waits for 9", "gemv on 7", "9 waits for 7"]
    assert driver.events == {} and driver.contexts == 0


def test_dlpack_is_asked_for_the_stream_of_the_call(driver):
    gemv(Cuda((4, 3), stream=7), Packed((3,), driver.log), Packed((4,), driver.log))
    assert driver.log == ["dlpack for 7", "dlpack for 7", "gemv on 7"]


def test_dlpack_knows_the_default_stream_as_1(driver):
    gemv(Packed((4, 3), driver.log), Packed((3,), driver.log), Cuda((4,), stream=9))
    assert driver.log == ["dlpack for 1", "dlpack for 1", "0 waits for 9", "gemv on 0", "9 waits for 0"]


def test_a_wait_that_fails_is_an_error(driver):
    driver.failing = "cuStreamWaitEvent"
    with pytest.raises(onepass.Error, match="cuStreamWaitEvent.*900.*isolation"):
        gemv(Cuda((4, 3), stream=7), Cuda((3,), stream=9), Cuda((4,), stream=7))
    assert driver.log == [] and driver.events == {} and driver.contexts == 0


@pytest.mark.parametrize("capturing, log", [(False, ["synchronize 7"]), (True, [])])
def test_a_stream_is_waited_for_unless_it_captures(driver, capturing, log):
    driver.capturing = capturing
    _streams.synchronize(0, 7)
    assert driver.log == log


def test_a_plan_is_ready_for_every_stream(monkeypatch):
    """Its workspace is prepared on one stream; making it waits for that."""
    waited = []
    monkeypatch.setattr(_streams, "synchronize", lambda *where: waited.append(where))
    plan = onepass.Plan(numpy.ones((300, 200)), numpy.ones(400)[::2], numpy.empty(300))
    assert plan.workspace_bytes > 0 and waited == [(_arrays.HOST, 0)]

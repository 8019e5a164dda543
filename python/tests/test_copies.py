# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Copies and pickles: of plans, each with a plan of C of its own; of errors, which process pools send; of handles none."""
import concurrent.futures
import copy
import gc
import multiprocessing
import pickle

import numpy
import pytest

import onepass
from onepass import _library

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


def through_pickle(protocol):
    return pytest.param(lambda value: pickle.loads(pickle.dumps(value, protocol)), id=f"pickle{protocol}")


COPIES = [copy.copy, copy.deepcopy, *map(through_pickle, PROTOCOLS)]


def refused():
    """What the library says of a call that no plan can be made for."""
    with pytest.raises(onepass.Error) as caught:
        _library.require(_library.library.onepassPlanGemv(_library.handle(_library.HOST), None, None))
    return caught.value


def raise_refused(_):
    raise refused()


@pytest.fixture
def plan_and_operands():
    """One with a workspace."""
    A, x = numpy.random.default_rng(1).random((300, 200)), numpy.ones(400)[::2]
    plan = onepass.Plan(A, x, numpy.empty(300), accumulate="twice")
    return plan, A, x


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_of_a_plan_is_a_plan_of_its_own(copied, plan_and_operands):
    plan, A, x = plan_and_operands
    expected, text = plan.run(A, x), plan.save()
    other = copied(plan)
    assert other._pointer.value != plan._pointer.value and other.save() == text
    assert plan.workspace_bytes == 0 or other._room != plan._room
    del plan
    gc.collect()
    numpy.testing.assert_array_equal(other.run(A, x), expected)
    with pytest.raises(ValueError, match="the plan is for"):
        other.run(A[:299], x)


def test_a_plan_is_destroyed_once(plan_and_operands, monkeypatch):
    destroyed = []
    monkeypatch.setattr(onepass.Plan.__del__, "__defaults__", (lambda pointer: destroyed.append(pointer.value),))
    plan = plan_and_operands[0]
    others = [copied.values[0](plan) if hasattr(copied, "values") else copied(plan) for copied in COPIES]
    expected = {each._pointer.value for each in others}
    del others
    gc.collect()
    assert len(destroyed) == len(COPIES) and set(destroyed) == expected and plan._pointer.value not in destroyed


def test_a_plan_that_was_never_made_is_not_destroyed():
    onepass.Plan.__new__(onepass.Plan).__del__()


@pytest.mark.parametrize("copied", COPIES)
def test_an_error_keeps_its_text_and_its_status(copied):
    error = refused()
    error.place = "a worker"
    other = copied(error)
    assert (type(other), other.args, str(other), other.__dict__) == (onepass.Error, error.args, str(error), error.__dict__)
    assert other.status == "ONEPASS_STATUS_INVALID_ARGUMENT"


def test_a_process_pool_sends_an_error():
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        with pytest.raises(onepass.Error, match="is null") as caught:
            pool.submit(raise_refused, 0).result(timeout=60)
    assert caught.value.status == "ONEPASS_STATUS_INVALID_ARGUMENT"


@pytest.mark.parametrize("copied", COPIES)
def test_a_handle_has_one_owner(copied):
    handles = _library.handle.__self__
    handles.get(_library.HOST)
    for owner in (handles, handles._by_device[_library.HOST]):
        with pytest.raises(TypeError, match="cannot be copied or pickled: it owns a handle"):
            copied(owner)

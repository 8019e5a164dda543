# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Short names for the common commands; CMake and its presets do the work.
# On a machine without a GPU kernels of CUDA cannot run, and need not be compiled.
ifeq ($(origin PRESET) $(filter-out run test test-all,$(MAKECMDGOALS)),undefined )
ifneq ($(MAKECMDGOALS),)
ifneq ($(shell nvidia-smi -L >/dev/null 2>&1 || echo none),)
PRESET = nocuda
$(info no GPU here: without the cuda backend; `make $(MAKECMDGOALS) PRESET=default` builds it too)
endif
endif
endif
PRESET ?= default
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
CUDA ?= AUTO
sections = build

onepass = build/$(PRESET)/tools/onepass
sources = git ls-files -co --exclude-standard '*.c' '*.cpp' '*.cu' '*.cuh' '*.h' '*.hpp'

.PHONY: help run test test-all test-cuda kernel test-python sanitize build install figures report format format-check lint clean

help:
	@echo "make run          install what is missing, build, show this machine's backends and a quick benchmark"
	@echo "make test         the same, then the tests; of cases that are many those whose turn it is today"
	@echo "make test-all     the same, every case"
	@echo "make kernel       one kernel on the simulator and its cases: K=gemv_n TYPES=s,z"
	@echo "make test-cuda    where nvcc is but no GPU: compiles the cuda backend, tests what of it needs no device"
	@echo "make test-python  pip install . in a fresh virtual environment, then the tests of the Python package; CUDA=$(CUDA)"
	@echo "make sanitize     the tests under AddressSanitizer and UndefinedBehaviorSanitizer"
	@echo "make install      library, headers, program; PREFIX=$(PREFIX)"
	@echo "make figures      figures of README.md and of docs/, and what logs estimate from, out of records/"
	@echo "make report       an interactive page from records/, for a browser"
	@echo "make format       lay the sources out; format-check only looks"
	@echo "make lint         clang-tidy"
	@echo "make clean        remove build/"
	@echo "PRESET=$(PRESET), one of: $$(sed -n 's/^      "name": "\(.*\)",/\1/p' CMakePresets.json | grep -v base | xargs)"

# The program alone, without the reductions: a first look should not wait for the tests.
run: targets = --target onepass_program
run: settings = -DONEPASS_UNITY=ON -DONEPASS_LAPACK=OFF
run: build
	@$(onepass) info
	@$(onepass) bench gemv --quick --time 0.08

# From nothing, as a first build and continuous integration are, files are sooner compiled together than one by one.
test test-all: sections = build test report browser
test test-all: settings = -DONEPASS_UNITY=ON -DONEPASS_LAPACK=ON "-DONEPASS_TEST_PARTS=$(PARTS)" $(if $(TESTED),"-DONEPASS_TEST_TYPES=$(TESTED)")
test: build
	@ctest --preset $(PRESET) -j$(JOBS)

test-all: build
	@ONEPASS_LONG_TESTS=1 ctest --preset $(PRESET) -j$(JOBS)

K ?= gemv_n
TYPES ?= s,z
kernel:
	@scripts/install-packages.sh build
	@python3 -B scripts/check_kernel.py $(K) --types $(TYPES) --jobs $(JOBS)

# The host side of the cuda backend, and the drop-ins before a cuBLAS and a cuSOLVER that compute nothing: no GPU is needed.
# KERNELS: the element types whose kernels are compiled, such as "s;z", or all; the others are left out or empty.
KERNELS ?= all
test-cuda:
	@scripts/install-packages.sh build
	@cmake --preset default -DONEPASS_UNITY=ON -DONEPASS_LAPACK=ON -DONEPASS_CUDA=ON "-DONEPASS_CUDA_KERNELS=$(KERNELS)"
	@cmake --build --preset default -j$(JOBS) --target cuda_tests
	@ctest --preset default -j$(JOBS) -R '^(cublas|cusolver|cuda$$|api_cuda|lapack\.cuda)'

test-python:
	@scripts/install-packages.sh build
	@rm -rf build/python && python3 -m venv build/python
	@echo "pip install . (compiles the library: some minutes)"
	@build/python/bin/pip install --quiet --disable-pip-version-check -C cmake.define.ONEPASS_CUDA=$(CUDA) '.[test]'
	@build/python/bin/python -m onepass && build/python/bin/python -m onepass --lapack
	@cd python/tests && ../../build/python/bin/python -B -m pytest -q -p no:cacheprovider --doctest-modules \
	  --doctest-ignore-import-errors --pyargs onepass .

# PARTS: those of the tests that are compiled and run, such as "products;host", or all; cmake/parts.cmake has them.
# TESTED: the element types of reductions that they are compiled for, such as "s;z"; empty: those of tests/CMakeLists.txt.
PARTS ?= all
sanitize:
	@$(MAKE) --no-print-directory test PRESET=sanitize "PARTS=$(PARTS)" "TESTED=$(TESTED)"

build:
	@scripts/install-packages.sh $(sections)
	@cmake --preset $(PRESET) $(settings)
	@cmake --build --preset $(PRESET) -j$(JOBS) $(targets)

install: settings = -DONEPASS_UNITY=OFF -DONEPASS_LAPACK=ON
install: build
	@cmake --install build/$(PRESET) --prefix $(PREFIX)

figures:
	@python3 -B scripts/figures/update_readme.py
	@python3 -B scripts/figures/update_ladder.py
	@python3 -B scripts/figures/update_lineage.py
	@python3 -B scripts/figures/update_drop_in.py
	@python3 -B scripts/figures/update_reductions.py
	@python3 -B scripts/figures/update_accuracy.py
	@python3 -B scripts/figures/update_estimates.py

# Debian's Plotly belongs to Debian's Python, which need not be the first one of the path.
report:
	@scripts/install-packages.sh report
	@for python in python3 /usr/bin/python3; do $$python -c "import plotly" 2>/dev/null && break; done; \
	PYTHONPATH=python $$python -B -m onepass.report records/*.json $(wildcard records/sytrd/*.json records/gebrd/*.json records/gehrd/*.json) -o build/report.html

format:
	@scripts/install-packages.sh style
	@$(sources) | xargs clang-format -i

format-check:
	@scripts/install-packages.sh style
	@$(sources) | xargs clang-format --dry-run -Werror && echo "format: $$($(sources) | wc -l) files are laid out"

# Without CUDA: clang-tidy reads the kernels through the simulator.
lint:
	@scripts/install-packages.sh build style
	@cmake --preset nocuda -DONEPASS_UNITY=OFF
	@run-clang-tidy -quiet -j$(JOBS) -p build/nocuda "$(CURDIR)/(src|tools|tests)/"

clean:
	@rm -rf build

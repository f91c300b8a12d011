"""Runs the parts of a client test."""
import sys
import time
import traceback


def equal(found, wanted):
    if found != wanted:
        raise AssertionError(f"found {found!r}, wanted {wanted!r}")


def mark(text):
    """Says when something happened, for tests/conformance/judge.py."""
    print(f"{time.time():.6f} {text}", flush=True)


def run(*parts):
    """Runs each part, marks it, prints "N passed, N failed", and exits."""
    passed = failed = 0
    for part in parts:
        name = part.__name__.replace("_", " ")
        mark(f"begin {name}")
        try:
            part()
            passed += 1
            mark(f"ok {name}")
        except Exception as error:
            failed += 1
            mark(f"FAILED {name}: {' '.join(str(error).split())[:300] or type(error).__name__}")
            traceback.print_exc()
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if failed == 0 else 1)

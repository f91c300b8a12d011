"""Runs the parts of a client test."""
import sys
import traceback


def equal(found, wanted):
    if found != wanted:
        raise AssertionError(f"found {found!r}, wanted {wanted!r}")


def run(*parts):
    """Runs each part, prints "N passed, N failed", and exits."""
    passed = failed = 0
    for part in parts:
        try:
            part()
            passed += 1
        except Exception:
            failed += 1
            print(f"FAILED {part.__name__}", file=sys.stderr)
            traceback.print_exc()
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if failed == 0 else 1)

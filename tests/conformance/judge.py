"""Judges what a client did on a server: by what the client says of each part of the story, and by the server's own log.

A client program prints a line when a part begins and when it ends, with the time in seconds since 1970:

    1764077123.123456 begin teams
    1764077123.234567 ok teams
    1764077123.345678 FAILED nesting: what was wrong

The story itself may call the server aside; that is marked as a part named `aside`, and counts for nothing.

A refusal or a 304 was seen if that happened in a part that is ok. `seen` has pairs of a part and a status.

An operation works if the server carried it out in a part that is ok. It has failed if that happened in failed parts alone.
"""
import datetime
import json
import re

MARK = re.compile(r"^(\d+\.\d+) (begin|ok|FAILED) ([\w -]+)(?:: (.*))?$")
# An answer with one of these has carried the operation out.
DONE = {*range(200, 300), 302, 304}


def parts(output):
    """The parts that a program marked: name, begin, end, and why it failed (None if it is ok)."""
    begun, found = {}, []
    for line in output.splitlines():
        if not (mark := MARK.match(line)):
            continue
        time, word, name, why = float(mark[1]), mark[2], mark[3], mark[4]
        if word == "begin":
            begun[name] = time
        else:
            found.append((name, begun.pop(name), time, why or "no reason" if word == "FAILED" else None))
    return found + [(name, time, float("inf"), "it broke off") for name, time in begun.items()]


def requests(log):
    """The requests in a server's log: begin, operation, status, and the seconds that it took."""
    for line in log.splitlines():
        if not line.startswith("{"):
            continue
        entry = json.loads(line)
        if entry.get("message") not in ("request", "write"):
            continue
        end = datetime.datetime.fromisoformat(entry["timestamp"]).timestamp()
        took = entry["duration_us"] / 1e6
        yield end - took, entry["operation"], entry["status"], took


def within(time, part, tolerance=1e-3):
    """Whether a part was running. The log rounds the times of requests."""
    return part[1] - tolerance <= time <= part[2] + tolerance


def running(time, marked):
    """The part that was running. Between two parts there is less time than the tolerance."""
    exactly = (part for part in marked if within(time, part, 0))
    return next(exactly, next((part for part in marked if within(time, part)), None))


def judge(output, log):
    """What one run showed."""
    everything = parts(output)
    asides = [part for part in everything if part[0] == "aside"]
    marked = [part for part in everything if part[0] != "aside"]
    result = {"parts": {name: why for name, _, _, why in marked}, "operations": {}, "requests": 0, "seconds": 0,
              "times": {name: [end - begin, 0, 0.0] for name, begin, end, _ in marked}}
    seen = set()
    for begin, operation, status, took in requests(log):
        part = running(begin, marked)
        if part is None or operation == "none" or any(within(begin, aside) for aside in asides):
            continue
        name, why = part[0], part[3]
        result["requests"] += 1
        result["seconds"] += took
        result["times"][name][1] += 1
        result["times"][name][2] += took
        if status in DONE:
            known = result["operations"].get(operation, "")
            result["operations"][operation] = known if known is None else why and f"{name}: {why}"
        if why is None and (status == 304 or status >= 400):
            seen.add((name, status))
    return result | {"seen": seen, "statuses": sorted({status for _, status in seen})}


def merge(runs):
    """What the runs in all settings showed together: something works if it works in each. `runs` is by setting."""
    merged = {"parts": {}, "operations": {}, "settings": list(runs)}
    for kind in ("parts", "operations"):
        for name in sorted({name for run in runs.values() for name in run[kind]}):
            whys = [f"{setting}: {why}" for setting, run in runs.items()
                    if (why := run[kind].get(name, "not reached")) is not None]
            merged[kind][name] = "; ".join(whys) or None
    merged["statuses"] = sorted(set.intersection(*(set(run["statuses"]) for run in runs.values())))
    merged["requests"] = max(run["requests"] for run in runs.values())
    return merged

"""Runs each query of the dashboard in a Prometheus that reads a server, and asks it what it thinks of its rules.

Usage: queries.py DASHBOARD PROMETHEUS SERVER
"""

import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

dashboard, prometheus, server = sys.argv[1:]

# What Grafana puts in place of its variables.
VARIABLES = {"$__rate_interval": "5s", "$job": "guildhall", "$instance": ".*"}


def ask(url):
    with urllib.request.urlopen(urllib.request.Request(url, headers={"User-Agent": "check"}), timeout=10) as answer:
        return answer.read()


def data(path):
    return json.loads(ask(f"{prometheus}/api/v1/{path}"))["data"]


def found(query):
    try:
        return data("query?" + urllib.parse.urlencode({"query": query}))["result"]
    except urllib.error.HTTPError as error:
        sys.exit(f"prometheus: {query}: {error.read().decode()}")


def until(what, attempts=100):
    """Requests go on meanwhile, so that rates are above zero."""
    for _ in range(attempts):
        ask(f"{server}/meta")
        if what():
            return
        time.sleep(0.2)
    sys.exit(f"prometheus: this did not come: {what.__doc__}")


def scraped():
    """four scrapes of the server"""
    counted = found('count_over_time(guildhall_requests_total{operation="meta.get"}[1m])')
    return counted and int(counted[0]["value"][1]) >= 4


def evaluated():
    """an evaluation of each rule"""
    return all(rule["health"] != "unknown" for group in data("rules")["groups"] for rule in group["rules"])


until(scraped)
until(evaluated)
rules = [rule for group in data("rules")["groups"] for rule in group["rules"]]
for rule in rules:
    if rule["health"] != "ok":
        sys.exit(f"prometheus: {rule['name']}: {rule.get('lastError')}")
    if rule["state"] != "inactive":
        sys.exit(f"prometheus: {rule['name']} is {rule['state']} although all is well")
with open(dashboard, encoding="utf-8") as file:
    content = json.load(file)
queries = [target["expr"] for panel in content["panels"] for target in panel["targets"]]
for query in queries:
    for name, value in VARIABLES.items():
        query = query.replace(name, value)
    # A panel may be empty while all is well only if its query says so.
    if not found(re.sub(r" > 0$", "", query)):
        sys.exit(f"prometheus: nothing is found by {query}")
# A rule without data never fires: each metric that it names must be there.
names = {name for rule in rules for name in re.findall(r"\b(?:guildhall|process)_[a-z_]+", rule["query"])}
for name in sorted(names):
    if not found(name):
        sys.exit(f"prometheus: there is no metric {name}")
print(f"prometheus: {len(rules)} alerts and {len(queries)} queries of the dashboard find their metrics")

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make_reports.py - write two JSON reports of a large program

    make_reports.py FUNCTIONS LINES A.json B.json

They have the form of the reports of `alleria run --json`; every tenth function
of B has other counts, and every hundredth is new."""
import json
import sys

EVENTS = ("Ir", "I1mr", "ILmr", "Dr", "D1mr", "DLmr", "Dw", "D1mw", "DLmw")


def counts(seed, changed):
    ir = 1000 + seed * 7919 % 1000003
    c = dict(zip(EVENTS, (ir, seed % 13, seed % 3, ir // 3, ir // 40, seed % 5,
                          ir // 9, seed % 17, seed % 2)))
    if changed:
        c["D1mr"] += 100 + seed % 50
    return c


def report(functions, lines, new):
    rows, places, totals = [], [], dict.fromkeys(EVENTS, 0)
    each = lines // functions
    for f in range(functions):
        name = "ns::module_%d::function_%d(int, char const*)" % (f % 97, f)
        if new and f % 100 == 0:
            name += " const"
        file = "file_%d.cc" % (f // 50)
        row = dict.fromkeys(EVENTS, 0)
        for i in range(each):
            c = counts(f * each + i, new and f % 10 == 0 and i == 3)
            for e in EVENTS:
                row[e] += c[e]
            places.append({"file": file, "line": f % 50 * (each + 5) + i + 1,
                           "object": "program", **c,
                           "path": "/nowhere/src/" + file, "function": name})
        rows.append({"name": name, "file": file, "object": "program", **row})
        for e in EVENTS:
            totals[e] += row[e]
    levels = [{"name": n, "size": s, "assoc": 8, "line": 64, "reads": 0,
               "read_misses": 0, "writes": 0, "write_misses": 0,
               "writebacks": 0}
              for n, s in (("I1", 32768), ("D1", 32768), ("LL", 8388608))]
    return {"schema": 1,
            "alleria": {"version": "0.1.0", "valgrind": "3.19.0"},
            "run": {"command": ["program"], "status": "complete",
                    "processes": [{"number": 1, "command": ["program"]}]},
            "analyses": {"cache": {"levels": levels, "totals": totals,
                                   "functions": rows, "lines": places}},
            "objects": [], "files": []}


for path, new in ((sys.argv[3], False), (sys.argv[4], True)):
    with open(path, "w") as f:
        json.dump(report(int(sys.argv[1]), int(sys.argv[2]), new), f, indent=2)

# SPDX-License-Identifier: GPL-2.0-or-later
#
# data_cache.py - a model of the first cache level of data, for data-cache.test
#
# data_cache.py REPORT SIZE WAYS LINE [NAME ELEMENT]: reads `alleria dump --data
# --format=csv` from standard input, with LRU sets, and prints the data objects, by
# kind and name, whose misses in the report differ; then those of the fields, by
# offset in elements of ELEMENT bytes, of the data objects of a name. Last line:
# whether there were more than 100 misses.

import csv
import json
import sys


class Cache:
    def __init__(self, size, ways, line):
        self.ways, self.line = ways, line
        self.sets = [[] for _ in range(size // ways // line)]

    def has_line(self, number):
        """Access a line; whether it was there."""
        lines = self.sets[number % len(self.sets)]
        hit = number in lines
        if hit:
            lines.remove(number)
        lines.insert(0, number)
        del lines[self.ways:]
        return hit

    def misses(self, address, size):
        """Whether an access misses: each of its lines is accessed."""
        first, last = address // self.line, (address + size - 1) // self.line
        return not all([self.has_line(n) for n in range(first, last + 1)])


def misses_of(row):
    return sum(row["levels"][0][k] for k in ("read_misses", "write_misses"))


def add(table, key, n):
    table[key] = table.get(key, 0) + n


def count(lines, cache, name, element):
    """Misses by kind and name, and by offset in the elements of a name."""
    rows, fields = {}, {}
    for a in csv.DictReader(lines):
        if cache.misses(int(a["address"], 16), int(a["size"])):
            add(rows, (a["data_kind"] or "unknown",
                       a["data_name"] or "unknown"), 1)
            if a["data_name"] == name:
                add(fields, int(a["data_offset"]) % element, 1)
    return rows, fields


def wanted(report, name):
    rows, fields = {}, {}
    for g in report["analyses"]["data"]["groups"]:
        if misses_of(g):
            add(rows, (g["kind"], g["name"]), misses_of(g))
        for f in g.get("fields", ()) if g["name"] == name else ():
            if misses_of(f):
                add(fields, f["offset"], misses_of(f))
    return rows, fields


with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
name, element = (sys.argv[5:] + ["", "1"])[:2]
found = count(sys.stdin, Cache(*map(int, sys.argv[2:5])), name, int(element))
for got, want in zip(wanted(report, name), found):
    for key in sorted({*got, *want}, key=str):
        if got.get(key) != want.get(key):
            print(key, got.get(key), "by the model", want.get(key))
print(sum(found[0].values()) > 100)

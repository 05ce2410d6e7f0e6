# SPDX-License-Identifier: GPL-2.0-or-later
#
# data.py - facts of a report with the analysis "data", for data.test
#
# data.py REPORT law                whether its sums are the run's
# data.py REPORT sites              bytes by allocation site in heap.c
# data.py REPORT births|reads|writes NAME...
# data.py REPORT bad|kinds|depths|notes|allocators
# data.py REPORT fields NAME        offset, size, name, reads, writes, D1 misses
# data.py REPORT types|misses|writebacks NAME...
# data.py REPORT declared NAME...   label, objects and writes of each of a type
# data.py REPORT rows               accesses by kind and name
# data.py REPORT paths              accesses of data objects by call stack
# data.py REPORT path_types         type of the heap blocks of each call stack
# data.py DHAT-FILE dhat            as `sites`

import json
import sys


def one(analysis):
    return analysis[0] if isinstance(analysis, list) else analysis


def undivided(groups):
    """The first group whose fields do not add up to it; None if all do."""
    for g in groups:
        fields = g.get("fields", [])
        keys = ("reads", "writes") if "reads" in g else ()
        sums = [sum(f[k] for f in fields) for k in keys]
        for i in range(len(g["levels"])):
            sums += [sum(f["levels"][i][k] for f in fields)
                     for k in ("read_misses", "write_misses")]
        wanted = [g[k] for k in keys] + [level[k] for level in g["levels"]
                                         for k in ("read_misses",
                                                   "write_misses")]
        if fields and sums != wanted:
            return f"fields of {g['name']} {sums}, not {wanted}"
    return None


def law(report):
    data = one(report["analyses"]["data"])
    cache = one(report["analyses"]["cache"])
    groups = data["groups"]
    levels = [[sum(g["levels"][i][k] for g in groups)
               for k in ("read_misses", "write_misses")]
              for i in range(len(groups[0]["levels"]))]
    functions = cache["functions"]
    wanted = [[sum(f[k] for f in functions) for k in keys]
              for keys in (("D1mr", "D1mw"), ("DLmr", "DLmw"))]
    accesses = [sum(g.get(k, 0) for g in groups) for k in ("reads", "writes")]
    counted = [report["run"][k] for k in ("reads", "writes")]
    if [levels[0], levels[-1]] != wanted:
        return f"misses {levels}, not {wanted}"
    if "reads" in groups[0] and accesses != counted:
        return f"accesses {accesses}, not {counted}"
    backs = {level["name"]: level["writebacks"] for level in cache["levels"]}
    for i, level in enumerate(groups[0]["levels"]):
        found = sum(g["levels"][i]["writebacks"] for g in groups)
        if found != backs[level["name"]]:
            return f"{level['name']} writes back {found}, not {backs}"
    if undivided(groups):
        return undivided(groups)
    return "the sums are equal" if sum(wanted[0]) > 100 else "nothing missed"


def sites(report):
    rows = []
    for g in one(report["analyses"]["data"])["groups"]:
        if g["site"] and g["site"][0]["file"] == "heap.c":
            rows.append((g["site"][0]["function"], g["objects"], g["bytes"],
                         g["read_bytes"], g["written_bytes"]))
    return "\n".join(" ".join(map(str, r)) for r in sorted(rows))


def dhat(file):
    rows = []
    for p in file["pps"]:
        frame = file["ftbl"][p["fs"][1]]
        if "heap.c:" in frame:
            name = frame.split(": ", 1)[1].split(" ")[0]
            rows.append((name, p["tbk"], p["tb"], p["rb"], p["wb"]))
    return "\n".join(" ".join(map(str, r)) for r in sorted(rows))


def print_stacks(rows):
    """The blocks and bytes of each stack of functions."""
    total = {}
    for objects, size, *names in rows:
        if names:
            t = total.setdefault(tuple(names), [0, 0])
            t[0] += objects
            t[1] += size
    return "\n".join(" ".join(map(str, (*t, *names)))
                     for names, t in sorted(total.items()))


def stacks(report):
    return print_stacks(
        (g["objects"], g["bytes"],
         *(p["function"] for p in g["site"] if p["file"] == "heap.c"))
        for g in one(report["analyses"]["data"])["groups"])


def dhat_stacks(file):
    frames = [f.split(": ", 1)[-1].split(" ")[0] if "heap.c:" in f else None
              for f in file["ftbl"]]
    return print_stacks(
        (p["tbk"], p["tb"], *(frames[f] for f in p["fs"] if frames[f]))
        for p in file["pps"])


def groups_of(report, names):
    for g in one(report["analyses"]["data"])["groups"]:
        functions = [p["function"] for p in g["site"][:2]]
        if g["name"] in names or any(f in names for f in functions):
            yield g


def births(report, names):
    rows = sorted((g["name"], g["bytes"]) for g in groups_of(report, names))
    return "\n".join(f"{name} {size}" for name, size in rows)


def counts(report, key, names):
    return " ".join(str(sum(g[key] for g in groups_of(report, [name])))
                    for name in names)


def fields(report, name):
    """Offset, size, name, reads, writes, D1 misses of the fields of a group."""
    rows = []
    for g in groups_of(report, [name]):
        rows += [(f["offset"], f["size"], f["name"], f["reads"], f["writes"],
                  sum(f["levels"][0][k]
                      for k in ("read_misses", "write_misses")))
                 for f in g["fields"]]
    return "\n".join(" ".join(map(str, r)) for r in rows)


def write_backs(report, names):
    """Write-backs of the last level by group."""
    return " ".join(str(sum(g["levels"][-1]["writebacks"]
                            for g in groups_of(report, [name])))
                    for name in names)


def misses(report, names):
    """Misses of the last level by group."""
    return " ".join(str(sum(g["levels"][-1][k]
                            for g in groups_of(report, [name])
                            for k in ("read_misses", "write_misses")))
                    for name in names)


def print_accesses(report, key_of):
    """Reads, writes and bytes of the groups that have accesses, added up by
    key_of(group)."""
    total = {}
    for g in one(report["analyses"]["data"])["groups"]:
        counts = [g[k] for k in ("reads", "writes", "read_bytes",
                                 "written_bytes")]
        if any(counts) and key_of(g):
            row = total.setdefault(key_of(g), [0] * 4)
            total[key_of(g)] = [a + b for a, b in zip(row, counts)]
    for key in sorted(total):
        print(key, *total[key])


def rows(report):
    print_accesses(report, lambda g: f"{g['kind']} {g['name']}")


def paths(report):
    print_accesses(report, lambda g: " ".join(
        f"{f['function']}:{f['line']}" for f in g["site"]))


def path_types(report):
    for g in one(report["analyses"]["data"])["groups"]:
        if g["kind"] in ("heap", "pool"):
            print(*(f"{f['function']}:{f['line']}" for f in g["site"]),
                  g.get("type", "-"))


def types(report, names):
    return " ".join(g.get("type", "-").replace(" ", "_")
                    for name in names for g in groups_of(report, [name]))


def own_types(report):
    """Types of the heap rows that get*() allocated, by the caller's line."""
    return ",".join(g.get("type", "-") for g in sorted(
        (g for g in one(report["analyses"]["data"])["groups"]
         if g["kind"] == "heap"
         and g["site"][0]["function"].startswith("get")),
        key=lambda g: g["site"][1]["line"]))


def fields_of_type(report, name):
    """Offset, size, name, reads and writes of the fields of heap rows."""
    return "\n".join(
        " ".join(map(str, (f["offset"], f["size"], f["name"], f["reads"],
                           f["writes"])))
        for g in one(report["analyses"]["data"])["groups"]
        if g["kind"] == "heap" and g.get("type") == name
        for f in g["fields"])


def declared(report, names):
    """Label, number of objects and writes of the rows of types."""
    return "\n".join(sorted(
        f"{g['label']} {g['objects']} {g['writes'] // g['objects']}"
        for g in one(report["analyses"]["data"])["groups"]
        if g["name"] in names))


def depths(report):
    return max(len(g["site"]) for g in
               one(report["analyses"]["data"])["groups"])


def peaks(report, kind):
    """The peaks of the rows of a kind whose site is in main(), or with by=kind
    that of the kind."""
    return " ".join(map(str, sorted(
        g["peak_bytes"] for g in one(report["analyses"]["data"])["groups"]
        if g["kind"] == kind and
        (g["label"] == kind or
         g["site"] and g["site"][0]["function"] == "main"))))


def peaks_above_bytes(report):
    return " ".join(g["kind"]
                    for g in one(report["analyses"]["data"])["groups"]
                    if g["peak_bytes"] > g["bytes"])


def kinds(report):
    return " ".join(sorted(g["kind"] for g in
                           one(report["analyses"]["data"])["groups"]))


with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
what, arguments = sys.argv[2], sys.argv[3:]
if what == "law":
    print(law(document))
elif what == "sites":
    print(sites(document))
elif what == "dhat":
    print(dhat(document))
elif what == "stacks":
    print(stacks(document))
elif what == "dhat_stacks":
    print(dhat_stacks(document))
elif what == "births":
    print(births(document, arguments))
elif what == "bad":
    print(one(document["analyses"]["data"])["bad_frees"])
elif what == "fields":
    print(fields(document, arguments[0]))
elif what == "misses":
    print(misses(document, arguments))
elif what == "writebacks":
    print(write_backs(document, arguments))
elif what == "types":
    print(types(document, arguments))
elif what == "allocators":
    print("\n".join(one(document["analyses"]["data"])["allocators"]))
elif what == "notes":
    print("\n".join(one(document["analyses"]["data"])["notes"]))
elif what == "declared":
    print(declared(document, arguments))
elif what == "own_types":
    print(own_types(document))
elif what == "fields_of_type":
    print(fields_of_type(document, arguments[0]))
elif what == "depths":
    print(depths(document))
elif what == "rows":
    rows(document)
elif what == "paths":
    paths(document)
elif what == "path_types":
    path_types(document)
elif what == "peaks_above_bytes":
    print(peaks_above_bytes(document))
elif what == "peaks":
    print(peaks(document, arguments[0]))
elif what == "kinds":
    print(kinds(document))
else:
    print(counts(document, what, arguments))

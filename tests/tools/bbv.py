# SPDX-License-Identifier: GPL-2.0-or-later
"""bbv.py - reads and compares basic-block vectors

counts OURS TRACE THEIRS PCS
    Whether the file of Alleria's bbv gives each instruction the count of
    exp-bbv, run with blocks of one instruction, and its --pc-out-file. exp-bbv
    counts the repetitions of a string instruction as one, and counts it with
    the instruction after it; TRACE (of Lackey) has all of them, in order.
    Prints the sums.
sums OURS TRACE N
    Whether each interval has at least N instructions, the last one excepted,
    all together have those of TRACE, and each count is a multiple of the length
    of its block.
"""

import collections
import re
import sys


def vectors(path):
    """Return the lines T as dictionaries, and {id: (address, length)}."""
    lines, blocks = [], {}
    with open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith("# block"):
                number, address, length = line.split()[2:5]
                blocks[int(number)] = int(address, 16), int(length)
            elif line[0] == "T":
                lines.append({int(i): int(n) for i, n in
                              re.findall(r":(\d+):(\d+)", line)})
    return lines, blocks


def read_trace(path):
    """Return the sizes of instructions by address, and the addresses."""
    size, executed = {}, []
    with open(path, encoding="ascii") as file:
        for line in file:
            if line[:2] == "I ":
                address, length = line[3:].split(",")
                executed.append(int(address, 16))
                size[executed[-1]] = int(length)
    return size, executed


def without_repetitions(executed, strings):
    """Return exp-bbv's counts: those of `strings` are with the next one."""
    want, pending = collections.Counter(), 0
    for address in executed:
        if address in strings:
            pending = 1
        else:
            want[address] += 1 + pending
            pending = 0
    return want


def counts_of_instructions(lines, blocks, size):
    """Return the executions of each instruction by address."""
    counts = collections.Counter()
    for line in lines:
        for block, n in line.items():
            address, length = blocks[block]
            for _ in range(length):
                counts[address] += n // length
                address += size[address]
    return counts


def differing(got, want, title):
    bad = [pc for pc in set(got) | set(want) if got[pc] != want[pc]]
    for pc in sorted(bad):
        print(title, hex(pc), got[pc], want[pc])
    return len(bad)


def exp_bbv_counts(theirs, pcs):
    address = {}
    with open(pcs, encoding="ascii") as file:
        for line in file:
            _, number, pc = line.rstrip("\n").split(":")[:3]
            address[int(number)] = int(pc, 16)
    want = collections.Counter()
    for line in vectors(theirs)[0]:
        for number, n in line.items():
            want[address[number]] += n
    return want


def counts(ours, trace, theirs, pcs):
    lines, blocks = vectors(ours)
    size, executed = read_trace(trace)
    got = counts_of_instructions(lines, blocks, size)
    want = exp_bbv_counts(theirs, pcs)
    strings = {pc for pc in size if pc not in want}
    strings |= {a for a, b in zip(executed, executed[1:]) if a == b}
    print(sum(got.values()), len(strings), sum(want.values()))
    return (not want or len(strings) > 100
            or differing(got, collections.Counter(executed), "trace")
            or differing(without_repetitions(executed, strings), want,
                         "exp-bbv"))


def sums(ours, trace, interval):
    lines, blocks = vectors(ours)
    executed = len(read_trace(trace)[1])
    sizes = [sum(line.values()) for line in lines]
    print(len(sizes), sum(sizes), executed)
    return (sum(sizes) != executed
            or any(n < int(interval) for n in sizes[:-1])
            or any(n % blocks[i][1] for line in lines
                   for i, n in line.items()))


sys.exit(bool({"counts": counts, "sums": sums}[sys.argv[1]](*sys.argv[2:])))

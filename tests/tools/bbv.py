# SPDX-License-Identifier: GPL-2.0-or-later
"""bbv.py - reads and compares basic-block vectors

counts OURS TRACE THEIRS PCS
    Whether the file of Alleria's bbv gives each instruction the count of
    exp-bbv, run with blocks of one instruction, and its --pc-out-file, except
    for repetitions of string instructions: these are instructions that follow
    themselves in TRACE (of Lackey). Prints the sums.
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
    """Return sizes, executions and repetitions of instructions by address."""
    size, executed = {}, collections.Counter()
    repeated = collections.Counter()
    last = None
    with open(path, encoding="ascii") as file:
        for line in file:
            if line[:2] != "I ":
                continue
            address, length = line[3:].split(",")
            address = int(address, 16)
            size[address] = int(length)
            executed[address] += 1
            repeated[address] += address == last
            last = address
    return size, executed, repeated


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


def counts(ours, trace, theirs, pcs):
    lines, blocks = vectors(ours)
    size, _, repeated = read_trace(trace)
    got = counts_of_instructions(lines, blocks, size)
    address = {}
    with open(pcs, encoding="ascii") as file:
        for line in file:
            _, number, pc = line.rstrip("\n").split(":")[:3]
            address[int(number)] = int(pc, 16)
    want = collections.Counter()
    for line in vectors(theirs)[0]:
        for number, n in line.items():
            want[address[number]] += n
    print(sum(got.values()), sum(repeated.values()), sum(want.values()))
    bad = 0
    for pc in sorted(set(got) | set(want)):
        if got[pc] - repeated[pc] != want[pc]:
            print(hex(pc), got[pc], repeated[pc], want[pc])
            bad += 1
    return bad or not want


def sums(ours, trace, interval):
    lines, blocks = vectors(ours)
    executed = sum(read_trace(trace)[1].values())
    sizes = [sum(line.values()) for line in lines]
    print(len(sizes), sum(sizes), executed)
    return (sum(sizes) != executed
            or any(n < int(interval) for n in sizes[:-1])
            or any(n % blocks[i][1] for line in lines
                   for i, n in line.items()))


sys.exit(bool({"counts": counts, "sums": sums}[sys.argv[1]](*sys.argv[2:])))
